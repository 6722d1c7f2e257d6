"""Where each option of a build applies: a table of what means nothing to a caller, with the reason."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..errors import BindError
from ..forks import importing
from ..frozen import frozen
from .options import OPTIONS

# Who calls what is bound, in the words of the options that say it.
CALLERS = {
    "host": "target='host'",
    "c_api": "style='c_api'",
    "numba": "target='numba'",
    "numba_c_api": "target='numba' with style='c_api'",
    "numba_cuda": "target='numba_cuda'",
    "cuda": "dialect='cuda'",
    "hip": "dialect='hip'",
    "sycl": "dialect='sycl'",
    "package": "a package",
}
# Kernels that Python launches; and all code of devices.
KERNELS = ("cuda", "hip", "sycl")
DEVICES = ("numba_cuda", *KERNELS)
_NUMBA = ("numba", "numba_c_api")
_PLAIN = ("host", "numba", *DEVICES)

# What lifts a row: functions of the host in a `.cu` that nvcc compiles, or that a package is written.
HOST_FUNCTIONS, PACKAGE = "functions of the host", "a package"


@frozen
class Unused:
    """Why an option means nothing to some callers.

    Attributes
    ----------
    callers : tuple of str
        Of :data:`CALLERS`.
    why : str
    unless : str
        What makes it mean something all the same.
    """

    callers: tuple[str, ...]
    why: str
    unless: str = ""


_ONE_UNIT = "kernels are one source, which is linked with nothing: #include what else they call"
_CUDA_ALONE = "kernels are linked with CUDA code alone, which sources= compiles, or cuda.jit(link=[…]) names"
_NO_OUTPUTS = "a kernel writes to the arrays that it is given"
_DEVICE_OBJECTS = "Python neither ends nor keeps what is made on the device"
_HOST_OBJECTS = "objects that share others are the host's"
_POINTERS = "pointers of structs are the device's own, and are read there"
_SANITIZED = "sanitizers of kernels are run on the whole program"
_C_HEADERS = "it is for C headers, whose functions the host calls"
_AT_ONCE = "all is compiled at once there"
_STATUS = "it is for style='c_api', whose functions return a status"

# Every option that means nothing to some callers; "Pythonize" is a key of configurations alone.
UNUSED: dict[str, tuple[Unused, ...]] = {
    "arch": (
        Unused(
            ("host", "c_api", *_NUMBA),
            "it is for kernels of dialect='cuda' and dialect='hip', which are compiled for one architecture",
        ),
        Unused(("numba_cuda",), "Numba compiles a kernel for the device that launches it", PACKAGE),
        Unused(("sycl",), "kernels of SYCL are SPIR-V, which each device compiles"),
    ),
    "language": (Unused(DEVICES, "kernels are C++"),),
    "libraries": (Unused(("numba_cuda",), _CUDA_ALONE), Unused(KERNELS, _ONE_UNIT, HOST_FUNCTIONS)),
    "library_dirs": (Unused(("numba_cuda",), _CUDA_ALONE), Unused(KERNELS, _ONE_UNIT, HOST_FUNCTIONS)),
    "sources": (Unused(KERNELS, _ONE_UNIT),),
    "library": (Unused(("numba_cuda",), _CUDA_ALONE),),
    "sanitize": (Unused(DEVICES, _SANITIZED),),
    "holders": (Unused(DEVICES, _HOST_OBJECTS), Unused(("c_api", "numba_c_api"), "C has no smart pointers")),
    "arg_intent": (Unused(KERNELS, _NO_OUTPUTS, HOST_FUNCTIONS),),
    "owns": (Unused(("numba_cuda",), _DEVICE_OBJECTS), Unused(KERNELS, _NO_OUTPUTS)),
    "keeps": (Unused(("numba_cuda",), _DEVICE_OBJECTS), Unused(KERNELS, _NO_OUTPUTS)),
    "counts": (Unused(DEVICES, _POINTERS),),
    "types": (
        Unused(("sycl",), "nothing that Python gets from kernels of SYCL is a struct"),
        Unused(("package",), "its structs have classes of its own"),
    ),
    "stub": (Unused(("package",), "its types are written beside it"),),
    "nogil": (
        Unused(("package",), "gil says it"),
        Unused(("numba_cuda",), "its functions run on the device, which has no GIL"),
        Unused(KERNELS, "each launch releases the GIL"),
    ),
    "style": (Unused(DEVICES, _C_HEADERS),),
    "check": (
        Unused(_PLAIN, _STATUS),
        Unused(
            ("numba_c_api",), "compiled code gets each status, and only Python's calls would raise for one"
        ),
    ),
    "allocations": (Unused(_PLAIN, "it is for style='c_api'"),),
    "texts": (Unused(DEVICES, _C_HEADERS),),
    "unchecked_formats": (Unused(DEVICES, _C_HEADERS),),
    "eager": (Unused((*_NUMBA, *DEVICES, "package"), _AT_ONCE),),
    "Pythonize": (Unused(DEVICES, "structs of kernels have no methods in Python"),),
}
# Whether a target goes with a dialect, and why it does not.
_TOGETHER: dict[str, tuple[Callable[[str], bool], str]] = {
    "numba": (lambda dialect: dialect not in KERNELS, "Numba's kernels have target='numba_cuda'"),
    "numba_cuda": (lambda dialect: dialect in ("cxx", "cuda"), "numba-cuda compiles CUDA C++"),
}
# The values of an option that count as given, where others than the default say nothing.
_GIVEN: dict[str, Callable[[Any], bool]] = {"language": lambda value: value == "c"}
# Source files, and whose they are.
_CXX = (".cc", ".cp", ".cpp", ".cxx", ".c++", ".CPP", ".C")
_SOURCES = {"numba_cuda": (".cu", *_CXX)}
_HOST_SOURCES = (".c", *_CXX, ".S")


def caller_of(given: Mapping[str, Any]) -> str:
    """Who calls what is bound with some options, of :data:`CALLERS`.

    Raises
    ------
    BindError
        If the dialect is none of the target's.
    """
    dialect, target, style = given["dialect"], given["target"], given.get("style")
    goes, why = _TOGETHER.get(target, (lambda dialect: True, ""))
    if not goes(dialect):
        raise BindError(f"target={target!r} is not for dialect={dialect!r}: {why}")
    if target == "numba_cuda":
        return "numba_cuda"
    if dialect in KERNELS:
        return str(dialect)
    if style:
        return "numba_c_api" if target == "numba" else "c_api"
    return "numba" if target == "numba" else "host"


def unused(option: str, caller: str, lifted: Callable[[str], bool] = lambda unless: False) -> str:
    """Why an option means nothing to a caller; empty: it means something.

    Parameters
    ----------
    lifted : callable
        Whether there is what makes a row say nothing, :data:`HOST_FUNCTIONS` or :data:`PACKAGE`.
    """
    for row in UNUSED.get(option, ()):
        if caller in row.callers and not (row.unless and lifted(row.unless)):
            return row.why
    return ""


def check_applies(
    caller: str, given: Mapping[str, Any], lifted: Callable[[str], bool] = lambda unless: False
) -> None:
    """Refuse the options that mean nothing to a caller.

    Parameters
    ----------
    given : mapping
        Options by name; those with their default are not given.
    lifted
        As of :func:`unused`.

    Raises
    ------
    BindError
        If there is one.
    """
    for option in UNUSED:
        if _is_given(option, given.get(option)) and (why := unused(option, caller, lifted)):
            said = f"{option}={given[option]!r}" if option in _GIVEN else f"{option}="
            raise BindError(f"{said} is not for {CALLERS[caller]}: {why}")


def check_configured(
    given: Mapping[str, Any],
    whole: Mapping[str, Any],
    source: Callable[[Mapping[str, Any]], tuple[str | None, str | None]],
) -> None:
    """Refuse the options that mean nothing to who calls.

    Parameters
    ----------
    given : mapping
        The options, with those of the configuration.
    whole : mapping
        The same with what packages add.
    source : callable
        As of :func:`samebytes.make.request.configured`.

    Raises
    ------
    BindError
        If there is one.
    """
    caller = caller_of(given)

    def lifted(unless: str) -> bool:
        if unless != HOST_FUNCTIONS or caller != "cuda" or given.get("library"):
            return False
        with importing:  # few sources have functions of the host
            from .host_launches import has_host_functions
        return has_host_functions(*source(given))

    check_applies(caller, given, lifted)
    if not given["libraries"] and whole["libraries"] and (why := unused("libraries", caller, lifted)):
        named = ", ".join(whole["libraries"])
        raise BindError(
            f"pkg= and cmake= name libraries ({named}), which are not for {CALLERS[caller]}: {why}"
        )


def _is_given(option: str, value: Any) -> bool:
    if option in _GIVEN:
        return _GIVEN[option](value)
    return OPTIONS[option].is_given(value) if option in OPTIONS else bool(value)


def check_sources(caller: str, sources: Iterable[str]) -> None:
    """Refuse files that no compiler of a caller's code takes.

    Raises
    ------
    BindError
        If there is one.
    """
    known = _SOURCES.get(caller, _HOST_SOURCES)
    for path in sources:
        suffix = os.path.splitext(path)[1]
        if suffix not in known:
            raise BindError(
                f"sources: {path} is no source that is compiled for {CALLERS[caller]} ({', '.join(known)})"
                f"{_advice(caller, suffix)}"
            )


def _advice(caller: str, suffix: str) -> str:
    if caller == "numba_cuda":
        return f"; {_CUDA_ALONE}" if suffix in (".o", ".a", ".ptx", ".cubin", ".fatbin", ".ltoir") else ""
    if suffix in (".o", ".a", ".so"):
        return "; libraries= links what is compiled, also a file by its path"
    if suffix in (".cu", ".hip"):
        return "; dialect='cuda' and 'hip' bind its kernels, and target='numba_cuda' compiles it for kernels of Numba"
    return ""
