"""Kernels of SYCL, compiled by DPC++ and run by Intel's OpenCL for CPUs, in a child process."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))  # importlib's import mode adds nothing itself
from usm import HERE, run_cases

pytestmark = pytest.mark.full


def test_kernels_run():
    shown = run_cases(HERE / "kernel_cases.py")
    assert sum(map(int, re.findall(r"(\d+) passed", shown))) >= 35
    assert "skipped" not in shown
