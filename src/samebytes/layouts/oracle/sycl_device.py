"""DPC++'s run-time compiler as a judge of SYCL's device code; a CPU will do."""

from __future__ import annotations

import shlex
from functools import cache

from ...errors import MissingDependency
from ...toolchain.sycl import sycl_headers
from ...toolchain.sycl_compiler import compile_sycl
from .base import INCLUDE, Judge, Outcome

_OPTIONS = ("-ferror-limit=0", "-Wno-invalid-offsetof", f"-I{INCLUDE}")
# Without a kernel there is nothing to compile for the device.
_KERNEL = """
#include <sycl/sycl.hpp>
extern "C" SYCL_EXTERNAL
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel<1>))
void samebytes_kernel(int* out) { *out = 1; }
"""


def _run(text: str) -> Outcome:
    done = compile_sycl(text + _KERNEL, _OPTIONS)
    return Outcome(done.ok, done.log, shlex.join(["DPC++'s run-time compiler", *_OPTIONS]))


@cache
def _find() -> str:
    found = _run("")
    if not found.ok:
        raise MissingDependency(f"DPC++'s run-time compiler does not work here: {found.output.strip()}")
    return f"{sycl_headers()[1]}, run-time compiler of device code"


JUDGE = Judge("sycl_device", ("sycl",), _find, _run)
