"""Fetches what HIP's tests compare with, beside the environment: ROCm 7.1's headers, which the triton wheel holds, and
HIP Python 6.2, 7.2 and 10.0, of which one environment can have only one.

Run as a script, it puts them into the environment's ``rocm`` folder, which no environment imports from; tests that miss
it are skipped.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HOME = Path(sys.prefix) / "rocm"
INCLUDE = HOME / "triton" / "backends" / "amd" / "include"
TRITON = "triton==3.9.0"
# One release of each line: the newest has its parts in wheels of their own.
HIP_PYTHON = {
    "6.2": ("hip-python==6.2.0.499.16",),
    "7.2": ("hip-python==7.2.2.562.43",),
    "10.0": (
        "hip-python==10.0.0.0.1.2",
        "rocm-bindings-core==10.0.0.0.1.2",
        "rocm-bindings-hip==10.0.0.0.1.2",
    ),
}


def hip_python(version: str) -> Path:
    """Where a HIP Python is put."""
    return HOME / f"hip-python-{version}"


def missing(what: str) -> str:
    """Why a test is skipped."""
    return f"{what} is not there: make test-full fetches it (tests/examples/libraries/fetched_hip.py)"


def _pip(*arguments: object) -> bool:
    call = [sys.executable, "-m", "pip", "--disable-pip-version-check", *map(str, arguments)]
    return subprocess.run(call, check=False).returncode == 0


def fetch() -> None:
    """Get what is missing; what this Python has no wheel of is left out, and named."""
    left_out = []
    for version, wheels in HIP_PYTHON.items():
        there = hip_python(version)
        if not there.exists() and not _pip("install", "-q", "--no-deps", "--target", there, *wheels):
            left_out.append(wheels[0])
    if not INCLUDE.exists():
        with tempfile.TemporaryDirectory() as folder:
            if _pip("download", "-q", "--no-deps", "-d", folder, TRITON):
                wheel = zipfile.ZipFile(next(Path(folder).glob("*.whl")))
                under = str(INCLUDE.relative_to(HOME))
                wheel.extractall(HOME, [name for name in wheel.namelist() if name.startswith(under)])
            else:
                left_out.append(TRITON)
    if left_out:
        print(f"Tests that compare HIP's records are left out: no {', '.join(left_out)} for this Python.")


if __name__ == "__main__":
    fetch()
