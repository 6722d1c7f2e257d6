"""The price of callbacks beside other bindings: a Python function given for one call, and each invocation."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from cases import Call
from peers.base import LeftOut, build_extension, build_library

ROUNDS = 100  # invocations in one call
CASES = ("given", "given, std::function", "int", "two doubles", "two pointers", "std::function")
WORDS = (
    f"`given`: `f(function, 1)`, whose C++ calls `int function(int)` once. The others: {ROUNDS} invocations of a "
    "function that was made before, or of a std::function. `int`: `int(int)`; `two doubles`: `double(double, double)`; "
    "`two pointers`: `int(const void*, const void*)`, as qsort() calls it. samebytes shows a pointer as a `Pointer`, "
    "the others as an int or an object of theirs. ctypes and cffi release the GIL around the call, the others hold it."
)
Rows = Iterator[tuple[str, dict[str, Call]]]

_FUNCTIONS = """
inline int once(int (*f)(int), int x) { return f(x); }
inline int ints(int (*f)(int), int n) { int s = 0; while (n--) s += f(n); return s; }
inline double doubles(double (*f)(double, double), int n) { double s = 0; while (n--) s += f(n, 2.0); return s; }
inline int pointers(int (*f)(const void*, const void*), int n) { int s = 0; while (n--) s += f(&n, &n); return s; }
"""
_STANDARD = """
#include <functional>
inline int once_standard(std::function<int(int)> f, int x) { return f(x); }
inline int ints_standard(std::function<int(int)> f, int n) { int s = 0; while (n--) s += f(n); return s; }
"""
_NAMES = ("once", "ints", "doubles", "pointers")


def _one(x: int) -> int:
    return x


def _two(x: float, y: float) -> float:
    return x


def _compare(a: Any, b: Any) -> int:
    return 1


def rows(left_out: list[str], build: Path) -> list[tuple[str, dict[str, Call]]]:
    """The rows of the table; `left_out` gets a sentence for each peer that is not there."""
    found = []
    for make in (_ours, _ctypes, _cffi, _nanobind, _pybind11):
        try:
            found += [*make(build)]
        except LeftOut as reason:
            left_out.append(f"Callbacks: {reason}")
        except Exception as error:  # another project's failure must not end the run
            left_out.append(f"Callbacks: {make.__name__[1:]} is left out: {type(error).__name__}: {error}")
    return found


def _calls(lib: Any, made: Callable[[str, Any], Any]) -> dict[str, Call]:
    """By case; `made(type, function)` makes a function that lasts."""
    return {
        "int": (lib.ints, (made("int(int)", _one), ROUNDS)),
        "two doubles": (lib.doubles, (made("double(double, double)", _two), ROUNDS)),
        "two pointers": (lib.pointers, (made("int(const void*, const void*)", _compare), ROUNDS)),
    }


def _ours(build: Path) -> Rows:
    import samebytes as sb

    lib = sb.compile(_FUNCTIONS + _STANDARD, name="callbacks", nogil=False)
    kept = _calls(lib, lambda type_, function: sb.callback(function, type_))
    yield "samebytes", kept | _standard(lib) | {"given": (lib.once, (_one, 1))}


def _standard(lib: Any) -> dict[str, Call]:
    return {
        "given, std::function": (lib.once_standard, (_one, 1)),
        "std::function": (lib.ints_standard, (_one, ROUNDS)),
    }


def _library(build: Path) -> Path:
    exported = _FUNCTIONS.replace("inline", 'extern "C" __attribute__((visibility("default")))')
    return build_library(build, "callbacks", exported)


def _ctypes(build: Path) -> Rows:
    lib = ctypes.CDLL(str(_library(build)))
    whole, real, place = ctypes.c_int, ctypes.c_double, ctypes.c_void_p
    classes = {
        "int(int)": ctypes.CFUNCTYPE(whole, whole), "double(double, double)": ctypes.CFUNCTYPE(real, real, real),
        "int(const void*, const void*)": ctypes.CFUNCTYPE(whole, place, place),
    }  # fmt: skip
    one, two, compare = classes.values()
    for name, kind in zip(_NAMES, (one, one, two, compare), strict=True):
        getattr(lib, name).argtypes = (kind, whole)
    lib.doubles.restype = real

    def given(function: Any, x: int) -> int:
        return lib.once(one(function), x)

    yield (
        "ctypes",
        _calls(lib, lambda type_, function: classes[type_](function)) | {"given": (given, (_one, 1))},
    )


def _cffi(build: Path) -> Rows:
    import cffi

    ffi = cffi.FFI()
    for line in _FUNCTIONS.strip().splitlines():
        ffi.cdef(line.removeprefix("inline ").split(" {")[0] + ";")
    lib = ffi.dlopen(str(_library(build)))

    def given(function: Any, x: int) -> int:
        return lib.once(ffi.callback("int(int)", function), x)

    yield "cffi, ABI mode", _calls(lib, ffi.callback) | {"given": (given, (_one, 1))}


def _nanobind(build: Path) -> Rows:
    import nanobind

    root = Path(nanobind.__file__).parent
    source = _STANDARD + (
        "#include <nanobind/nanobind.h>\n#include <nanobind/stl/function.h>\nNB_MODULE(nanobind_callbacks, m) {\n"
        '  m.def("once_standard", &once_standard);\n  m.def("ints_standard", &ints_standard);\n}\n'
    )
    lib = build_extension(
        build, "nanobind_callbacks", source, include=[root / "include", root / "ext/robin_map/include"],
        flags=["-fno-strict-aliasing", "-DNB_COMPACT_ASSERTIONS"], extra=[root / "src/nb_combined.cpp"],
    )  # fmt: skip
    yield "nanobind", _standard(lib)


def _pybind11(build: Path) -> Rows:
    import pybind11

    source = _STANDARD + (
        "#include <pybind11/pybind11.h>\n#include <pybind11/functional.h>\nPYBIND11_MODULE(pybind11_callbacks, m) {\n"
        '  m.def("once_standard", &once_standard);\n  m.def("ints_standard", &ints_standard);\n}\n'
    )
    lib = build_extension(build, "pybind11_callbacks", source, include=[pybind11.get_include()])
    yield "pybind11", _standard(lib)
