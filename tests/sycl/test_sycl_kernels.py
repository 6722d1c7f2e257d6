"""Kernels of SYCL, compiled by DPC++ and run by Intel's OpenCL for CPUs, in a child process."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))  # importlib's import mode adds nothing itself
from usm import HERE, run_cases

pytestmark = pytest.mark.full


@pytest.mark.parametrize(
    ("cases", "least"),
    [("kernel_cases.py", 40), ("signature_cases.py", 70), ("host_cases.py", 6), ("loaded_cases.py", 3)],
)
def test_kernels_run(cases, least):
    shown = run_cases(HERE / cases)
    assert sum(map(int, re.findall(r"(\d+) passed", shown))) >= least
    assert "skipped" not in shown
