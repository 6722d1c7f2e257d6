"""Clang's HIP in the host's pass: the same text as the device's, the same bytes."""

from __future__ import annotations

from .base import Judge
from .hip import compile_role, find_role

JUDGE = Judge(
    "hip_host",
    ("hip",),
    lambda: find_role("host"),
    lambda text: compile_role(text, "--cuda-host-only"),
)
