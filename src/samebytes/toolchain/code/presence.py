"""Whether code can be read here: what a build depends on, asked without reading any."""

from __future__ import annotations

import ctypes
from functools import cache
from importlib.util import find_spec

MISSING = (
    "Capstone, which reads code, was not installed when it was built (pip install capstone), or could not be loaded "
    "beside a sanitizer"
)
# Their runtimes end a process that loads a library with RTLD_DEEPBIND, as Capstone's binding does.
_SANITIZERS = ("__asan_init", "__tsan_init", "__msan_init")


@cache
def can_decode() -> bool:
    """Whether Capstone is installed, and no sanitizer's runtime is in the process, which would end it."""
    if find_spec("capstone") is None:
        return False
    loaded = ctypes.CDLL(None)
    return not any(hasattr(loaded, name) for name in _SANITIZERS)
