"""What each target needs to be installed, and what of it is not."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import samebytes as sb
from samebytes.toolchain import cuda, rocm, sycl


def _module(name: str) -> Callable[[], None]:
    def find() -> None:
        try:
            there = find_spec(name) is not None
        except ModuleNotFoundError:
            there = False
        if not there:
            raise sb.MissingDependency(f"{name} is not installed")

    return find


def _linker() -> None:
    from numba.cuda.cudadrv import driver

    if not driver._have_nvjitlink():
        raise sb.MissingDependency("nvJitLink is not installed (nvidia-nvjitlink)")


_KERNELS = (_module("elftools"), _module("msgpack"))
_NEEDED: dict[str, tuple[Callable[[], Any], ...]] = {
    "Python": (),
    "package": (),
    "@njit": (_module("numba"),),
    "numba-cuda": (_module("numba"), _module("numba_cuda"), _module("cuda.core"), cuda.find_nvrtc, _linker),
    "CUDA kernel": (cuda.find_nvrtc, *_KERNELS),
    ".cu function": (cuda.find_nvrtc, cuda.find_nvcc, *_KERNELS),
    "HIP kernel": (rocm.find_hip_clang, rocm.rocm_headers, *_KERNELS),
    "SYCL kernel": (_module("dpctl"), sycl.sycl_headers, sycl.sycl_runtime),
}


def missing(target: str) -> str:
    """What a target lacks here, in words; empty where it runs."""
    try:
        for find in _NEEDED[target]:
            find()
    except sb.MissingDependency as reason:
        return str(reason)
    return ""
