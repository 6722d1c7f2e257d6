"""Clang's HIP in the host's pass: the same text as the device's, the same bytes."""

from __future__ import annotations

from ..toolchain import find_hip_clang
from .base import Judge
from .hip import compile_role

JUDGE = Judge(
    "hip_host",
    ("hip",),
    lambda: find_hip_clang().version + ", host pass of HIP",
    lambda text: compile_role(text, "--cuda-host-only"),
)
