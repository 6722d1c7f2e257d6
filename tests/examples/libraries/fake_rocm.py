"""Builds a ROCm without a GPU: HIP's headers as they are installed, and libraries that run on the host."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SCRIPTS = sorted((HERE / "hip_python").glob("*.py"))
_LIBRARIES = {"amdhip64": "fake_hip.c", "hiprtc": "fake_hiprtc.cpp", "hipblas": "fake_hipblas.c"}
_COMPILERS = {".c": ("gcc",), ".cpp": ("g++", "-std=c++17")}


def build(home: Path, headers: Path) -> Path:
    """A folder as ROCM_PATH names it, with the headers of the HIP that lies in ``headers``."""
    include, lib = home / "include", home / "lib"
    shutil.copytree(headers / "hip", include / "hip")
    if not (include / "hip" / "hiprtc.h").exists():  # triton's wheel has not all of HIP
        shutil.copy("/usr/include/hip/hiprtc.h", include / "hip")
    shutil.copytree(HERE / "fake_include", include, dirs_exist_ok=True)
    lib.mkdir()
    for name, source in _LIBRARIES.items():
        compiler = _COMPILERS[Path(source).suffix]
        options = ["-shared", "-fPIC", "-w", "-D__HIP_PLATFORM_AMD__", f"-I{include}"]
        subprocess.run([*compiler, *options, "-o", lib / f"lib{name}.so", HERE / source], check=True)
    return home


def output(rocm: Path, who: str, scripts: list[Path], packages: Path | None = None) -> dict[str, str]:
    """What each script prints, with samebytes or with the HIP Python in ``packages``."""
    environment = {
        **os.environ,
        "ROCM_PATH": str(rocm),
        "LD_LIBRARY_PATH": str(rocm / "lib"),  # where HIP Python 7 looks
        "PYTHONUNBUFFERED": "1",  # kernels print, too
        **({"PYTHONPATH": str(packages)} if packages else {}),
    }
    call = [sys.executable, HERE / "run_hip_scripts.py", who, *scripts]
    done = subprocess.run(call, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    parts = (part.partition("\n") for part in done.stdout.split("=== ")[1:])
    return {name: text for name, _, text in parts}
