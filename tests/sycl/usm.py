"""Child processes with Intel's OpenCL for CPUs as their only SYCL device: a crash there ends no test run."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, files
from importlib.util import find_spec
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def opencl() -> Path:
    """Intel's OpenCL for CPUs, as its wheel installed it."""
    try:
        found = [f for f in files("intel-opencl-rt") or () if f.name == "libintelocl.so"]
    except PackageNotFoundError:
        found = []
    if not found:
        pytest.skip("SYCL on the CPU needs intel-opencl-rt: pip install 'samebytes[usm]'")
    return Path(found[0].locate()).resolve()


def environment() -> dict[str, str]:
    """No other OpenCL than Intel's: PoCL in the same process confuses its SYCL."""
    return {**os.environ, "OCL_ICD_FILENAMES": str(opencl()), "OCL_ICD_VENDORS": "/nonexistent"}


def child(*command: str, timeout: int = 300) -> subprocess.CompletedProcess[str]:
    """``python`` with SYCL's environment."""
    if find_spec("dpctl") is None:
        pytest.skip("SYCL USM memory needs dpctl: pip install 'samebytes[usm]'")
    return subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, env=environment(), timeout=timeout, cwd=HERE,
        check=False,
    )  # fmt: skip


def run_cases(path: Path | str, *options: str) -> str:
    """pytest on one file in a child; its output, once all of it passed."""
    done = child("-m", "pytest", "-q", "-p", "no:cacheprovider", str(path), *options)
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stdout[-6000:]}\n{done.stderr[-2000:]}"
    return done.stdout
