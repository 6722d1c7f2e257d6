"""Compilers: finding them, driving them, and keeping what they built."""

from .cache import Cache, Inputs, default_cache
from .compilers import Compiler, find_compiler, implied_macros, named_compiler, system_includes
from .cuda import Nvrtc, cuda_headers, find_nvcc, find_nvrtc, nvcc_version
from .driver import build_library
from .rocm import find_hip_clang, rocm_headers
from .rocm_api import ADVICE as ROCM_ADVICE
from .rocm_api import is_rocm, rocm_defines, rocm_includes, rocm_library
from .sycl import sycl_headers, sycl_runtime

__all__ = [
    "ROCM_ADVICE",
    "Cache",
    "Compiler",
    "Inputs",
    "Nvrtc",
    "build_library",
    "cuda_headers",
    "default_cache",
    "find_compiler",
    "find_hip_clang",
    "find_nvcc",
    "find_nvrtc",
    "implied_macros",
    "is_rocm",
    "named_compiler",
    "nvcc_version",
    "rocm_defines",
    "rocm_headers",
    "rocm_includes",
    "rocm_library",
    "sycl_headers",
    "sycl_runtime",
    "system_includes",
]
