"""ROCm's C APIs: where their headers and libraries are, and what the headers need said before they compile."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

_MATHS = "(?:hip|roc)(?:blas|fft|rand|solver|sparse)(?:lt)?"
_FOLDERS = f"hip|{_MATHS}|hip(?:dnn|file|tensor)|roc(?:profiler|tracer)|rccl|miopen"
_HEADER = re.compile(rf"(?:.*/)?(?:{_FOLDERS})/\w+\.h(?:pp)?")
_LIBRARY = re.compile(r"lib(?:amdhip64|hip\w+|roc\w+|rccl|MIOpen)\.so[.\d]*")
# HIP's headers are for AMD's GPUs or for NVIDIA's, as a macro says (hip/hip_common.h).
_PLATFORM = re.compile(r"(?:-D)?__HIP_PLATFORM_\w+(?:=.*)?")
_AMD = "__HIP_PLATFORM_AMD__"
ADVICE = (
    "it is ROCm's: install ROCm (HIP alone: apt install libamdhip64-dev), or say in ROCM_PATH where it is"
)


def is_rocm(name: str) -> bool:
    """Whether a header (``hip/hip_runtime_api.h``) or a library (``libamdhip64.so``) is ROCm's by its name."""
    return bool(_HEADER.fullmatch(name) or _LIBRARY.fullmatch(name))


def _roots() -> list[Path]:
    """Where ROCm may be: where the environment says, then where AMD's packages put it."""
    said = [os.environ[name] for name in ("ROCM_PATH", "ROCM_HOME") if os.environ.get(name)]
    return [Path(root) for root in (*said, "/opt/rocm")]


def rocm_includes(header: str) -> tuple[str, ...]:
    """ROCm's own directory that has the header."""
    places = [root / "include" for root in _roots()] if is_rocm(header) else []
    # Joined to a folder, an absolute path stays what it is: it must lie there.
    found = (
        place for place in places if (place / header).is_file() and (place / header).is_relative_to(place)
    )
    return tuple(map(str, found))[:1]


def rocm_defines(header: str, said: Iterable[str]) -> tuple[str, ...]:
    """The macro for AMD's GPUs, unless ``said``, other macros and flags, chooses."""
    chosen = any(_PLATFORM.fullmatch(one) for one in said)
    return (_AMD,) if is_rocm(header) and not chosen else ()


def rocm_library(name: str) -> str:
    """The path of a library of ROCm; its name, where the dynamic linker has to find it."""
    if not is_rocm(name):
        return name
    found = (root / "lib" / name for root in _roots())
    return next((str(path) for path in found if path.is_file()), name)
