"""The price of a C API's calls, HIP's and SQLite's, beside HIP Python's, ctypes' and a floor by hand."""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
import warnings
from collections.abc import Callable, Iterator
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np

from cases import Call
from peers.base import BENCH, LeftOut, build_extension

sys.path.append(str(BENCH.parent / "tests" / "examples" / "libraries"))  # where the fake ROCm is

COUNT = 64  # float32 elements
_HIP_PYTHON = "7.2"  # of the same HIP as the headers
_DEFINES = ["__HIP_PLATFORM_AMD__"]
_CODE_OBJECT = b"\x7fELF" + bytes(60)
Rows = Iterator[tuple[str, dict[str, Call]]]

CASES = (
    "nothing", "int out", "array in", "async", "saxpy", "struct out", "float out", "stream", "memory", "launch",
    "extra", "checked", "c_void_p", "byref", "np.int64", "IntEnum", "SQL", "callback",
)  # fmt: skip
WORDS = (
    "HIP's functions on a runtime without a GPU (`tests/examples/libraries/fake_hip.c`), which does next to nothing, "
    "and SQLite's. `nothing`: `hipDeviceSynchronize()`; `int out`: `hipGetDevice()`; `array in`: `hipMemcpy(d, x, n, "
    "kind)` of a NumPy array into a `DeviceArray`; `async`: `hipMemcpyAsync(d, e, n, kind, stream)`; `saxpy`: "
    "`hipblasSaxpy(handle, n, alpha, x, 1, y, 1)`, `alpha` a `c_float`; `struct out`: `hipGetDeviceProperties(record, "
    "0)`; `float out`: `hipEventElapsedTime`; `stream`, `memory`: one made and given back; `launch`, `extra`: "
    "`hipModuleLaunchKernel` without arguments, and with three in a list; `checked`: an error is raised where the "
    "status is one; `c_void_p`, `byref`: `hipMemcpy` to an address in a `c_void_p`, and of `byref(c_int)`; `np.int64`, "
    "`IntEnum`: `hipSetDevice` of such a number; `SQL`: reset, bind an int, step, read a column; `callback`: "
    "`sqlite3_exec` of one row with a Python function. HIP Python releases the GIL, as `samebytes, nogil` does. The "
    "floor takes addresses as ints."
)


def home(build: Path) -> Path:
    """Where the fake ROCm is built; its libraries must be on the worker's LD_LIBRARY_PATH for HIP Python."""
    return build / "rocm"


def environment(build: Path) -> dict[str, str]:
    """What the worker's process needs."""
    return {**os.environ, "ROCM_PATH": str(home(build)), "LD_LIBRARY_PATH": str(home(build) / "lib")}


def rows(left_out: list[str], build: Path) -> list[tuple[str, dict[str, Call]]]:
    """The rows of the table, each checked; `left_out` gets a sentence for each peer that is not there."""
    found = []
    for make in (_floor, _ours, _hip_python, _ctypes):
        try:
            found += [*make(build)]
        except LeftOut as reason:
            left_out.append(f"C APIs: {reason}")
        except Exception as error:  # another project's failure must not end the run
            left_out.append(f"C APIs: {make.__name__[1:]} is left out: {type(error).__name__}: {error}")
    return found


def _rocm(build: Path) -> Path:
    from fake_rocm import build as build_rocm
    from fetched_hip import INCLUDE, missing

    if not INCLUDE.exists():
        raise LeftOut(missing("ROCm 7.1's header"))
    rocm = home(build)
    if not (rocm / "lib" / "libhipblas.so").exists():
        shutil.rmtree(rocm, ignore_errors=True)
        build_rocm(rocm, INCLUDE)
    return rocm


def _data() -> tuple[Any, Any, int]:
    return np.ones(COUNT, np.float32), np.ones(COUNT, np.float32), 4 * COUNT


def _floor(build: Path) -> Rows:
    rocm = _rocm(build)
    options = [f"-L{rocm}/lib", f"-Wl,-rpath,{rocm}/lib", "-lamdhip64", "-lhipblas", "-D__HIP_PLATFORM_AMD__"]
    source = (BENCH / "c_api_floor.cpp").read_text()
    lib = build_extension(
        build, "c_api_floor", source, include=[np.get_include(), rocm / "include"], flags=options
    )
    x, y, size = _data()
    d, e, stream = lib.memory(size)[1], lib.memory(size)[1], lib.stream()[1]
    one, two = lib.event()[1], lib.event()[1]
    yield (
        "C floor",
        {
            "nothing": (lib.nothing, ()),
            "int out": (lib.device, ()),
            "array in": (lib.copy, (d, x, size, 1)),
            "async": (lib.copy, (d, e, size, 3, stream)),
            "saxpy": (lib.saxpy, (lib.blas(), 1, 2.0, x, 1, y, 1)),
            "struct out": (lib.properties, (np.zeros(4096, np.uint8), 0)),
            "float out": (lib.elapsed, (one, two)),
            "stream": (_pair(lib.stream, lib.end_stream), ()),
            "memory": (_pair(lib.memory, lib.release, size), ()),
        },
    )


def _pair(make: Callable[..., Any], end: Callable[..., Any], *args: Any) -> Callable[[], Any]:
    def pair() -> Any:
        return end(make(*args)[1])

    return pair


def _ours(build: Path) -> Rows:
    import samebytes as sb

    rocm = _rocm(build)
    warnings.simplefilter("ignore")  # what of the headers is not bound
    for name, nogil in (("samebytes", False), ("samebytes, nogil", True)):

        def bind(header: str, library: Any, nogil: bool = nogil, **how: Any) -> Any:
            made = {"style": "c_api", "nogil": nogil, "defines": _DEFINES, "include_dirs": [rocm / "include"]}
            return sb.bind(header, library=library, **(made | how))

        hip = bind("hip/hip_runtime_api.h", rocm / "lib" / "libamdhip64.so")
        blas = bind("hipblas/hipblas.h", rocm / "lib" / "libhipblas.so")
        checked = bind("hip/hip_runtime_api.h", rocm / "lib" / "libamdhip64.so", check=True)
        calls = _hip_calls(hip, blas) | {"checked": (checked.hipSetDevice, (0,))}
        copy, (to, *_) = calls["array in"]
        calls["byref"] = (
            copy,
            (to, ctypes.byref(ctypes.c_int(7)), 4, hip.hipMemcpyKind.hipMemcpyHostToDevice),
        )
        yield name, calls | _sqlite_calls(bind("sqlite3.h", "libsqlite3.so.0", include_dirs=[]))


def _hip_calls(hip: Any, blas: Any) -> dict[str, Call]:
    x, y, size = _data()
    kinds = hip.hipMemcpyKind
    (_, d), (_, e) = hip.hipMalloc(size), hip.hipMalloc(size)
    (_, stream), (_, one), (_, two) = hip.hipStreamCreate(), hip.hipEventCreate(), hip.hipEventCreate()
    kernel = hip.hipModuleGetFunction(hip.hipModuleLoadData(_CODE_OBJECT)[1], b"scale")[1]
    grid = (kernel, 2, 1, 1, 32, 1, 1, 0, stream)
    arguments = (d, ctypes.c_float(2.5), ctypes.c_int(7))
    return {
        "nothing": (hip.hipDeviceSynchronize, ()),
        "int out": (hip.hipGetDevice, ()),
        "array in": (hip.hipMemcpy, (d, x, size, kinds.hipMemcpyHostToDevice)),
        "async": (hip.hipMemcpyAsync, (d, e, size, kinds.hipMemcpyDeviceToDevice, stream)),
        "saxpy": (blas.hipblasSaxpy, (blas.hipblasCreate()[1], 1, ctypes.c_float(2.0), x, 1, y, 1)),
        "struct out": (hip.hipGetDeviceProperties, (hip.hipDeviceProp_t(), 0)),
        "float out": (hip.hipEventElapsedTime, (one, two)),
        "stream": (_pair(hip.hipStreamCreate, hip.hipStreamDestroy), ()),
        "memory": (_pair(hip.hipMalloc, hip.hipFree, size), ()),
        "launch": (hip.hipModuleLaunchKernel, (*grid, None, None)),
        "extra": (hip.hipModuleLaunchKernel, (*grid, None, arguments)),
        "c_void_p": (hip.hipMemcpy, (ctypes.c_void_p(int(d)), x, size, kinds.hipMemcpyHostToDevice)),
        "np.int64": (hip.hipSetDevice, (np.int64(0),)),
        "IntEnum": (hip.hipSetDevice, (_Device.FIRST,)),
    }


def _hip_python(build: Path) -> Rows:
    from fetched_hip import hip_python, missing

    _rocm(build)
    packages = hip_python(_HIP_PYTHON)
    if not packages.exists():
        raise LeftOut(missing(f"HIP Python {_HIP_PYTHON}"))
    for name in [name for name in sys.modules if name == "hip" or name.startswith("hip.")]:
        del sys.modules[name]  # of another version
    sys.path.insert(0, str(packages))
    try:
        from hip import hip, hipblas
    finally:
        sys.path.remove(str(packages))

    def check(results: tuple[Any, ...]) -> Any:
        status, *rest = results
        if status != hip.hipError_t.hipSuccess:
            raise RuntimeError(str(status))
        return rest[0] if len(rest) == 1 else rest

    def checked(device: int) -> Any:
        return check(hip.hipSetDevice(device))

    yield f"HIP Python {_HIP_PYTHON}", _hip_calls(hip, hipblas) | {"checked": (checked, (0,))}


class _Device(IntEnum):
    FIRST = 0


_SELECT, _ROW = "select a from t where a = ?", "select 1"


def _visit(held: Any, count: int, values: Any, names: Any) -> int:
    return 0


def _sqlite_calls(sql: Any) -> dict[str, Call]:
    db = sql.sqlite3_open(":memory:")[1]
    sql.sqlite3_exec(db, "create table t(a int)", None, None)
    sql.sqlite3_exec(db, "insert into t values(1)", None, None)
    found = sql.sqlite3_prepare_v2(db, _SELECT, -1, None)[1]

    def read() -> Any:
        sql.sqlite3_reset(found)
        sql.sqlite3_bind_int(found, 1, 1)
        sql.sqlite3_step(found)
        return sql.sqlite3_column_int(found, 0)

    return {"SQL": (read, ()), "callback": (sql.sqlite3_exec, (db, _ROW, _visit, None))}


def _ctypes(build: Path) -> Rows:
    """As its users write it: argument types declared once, arrays by their addresses, outputs by byref()."""
    rocm = _rocm(build)
    hip, blas = (ctypes.CDLL(str(rocm / "lib" / f"lib{name}.so")) for name in ("amdhip64", "hipblas"))
    place, size_t, whole = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    for function, kinds in (
        (hip.hipGetDevice, (place,)), (hip.hipMemcpy, (place, place, size_t, whole)), (hip.hipMalloc, (place, size_t)),
        (hip.hipFree, (place,)), (hip.hipStreamCreate, (place,)), (hip.hipStreamDestroy, (place,)),
        (blas.hipblasSaxpy, (place, whole, place, place, whole, place, whole)), (blas.hipblasCreate, (place,)),
    ):  # fmt: skip
        function.argtypes = kinds
    x, y, size = _data()

    def made(create: Callable[..., int], *args: Any) -> Any:
        out = place()
        create(ctypes.byref(out), *args)
        return out

    def device() -> tuple[int, int]:
        out = whole()
        return hip.hipGetDevice(ctypes.byref(out)), out.value

    def copy(to: Any, array: Any, count: int, kind: int) -> int:
        return hip.hipMemcpy(to, array.ctypes.data, count, kind)

    def saxpy(handle: Any, count: int, alpha: Any, x: Any, incx: int, y: Any, incy: int) -> int:
        return blas.hipblasSaxpy(handle, count, ctypes.byref(alpha), x.ctypes.data, incx, y.ctypes.data, incy)

    yield (
        "ctypes",
        {
            "nothing": (hip.hipDeviceSynchronize, ()),
            "int out": (device, ()),
            "array in": (copy, (made(hip.hipMalloc, size), x, size, 1)),
            "saxpy": (saxpy, (made(blas.hipblasCreate), 1, ctypes.c_float(2.0), x, 1, y, 1)),
            "stream": (lambda: hip.hipStreamDestroy(made(hip.hipStreamCreate)), ()),
            "c_void_p": (copy, (made(hip.hipMalloc, size), x, size, 1)),
            "byref": (hip.hipMemcpy, (made(hip.hipMalloc, size), ctypes.byref(ctypes.c_int(7)), 4, 1)),
            "memory": (lambda: hip.hipFree(made(hip.hipMalloc, size)), ()),
        }
        | _sqlite_calls(_SQLiteOfCtypes()),
    )


class _SQLiteOfCtypes:
    """SQLite's functions as ctypes has them, for the same cases."""

    def __init__(self) -> None:
        lib, place, whole = ctypes.CDLL("libsqlite3.so.0"), ctypes.c_void_p, ctypes.c_int
        visit = ctypes.CFUNCTYPE(whole, place, whole, place, place)
        for name, kinds in {
            "open": (ctypes.c_char_p, place), "exec": (place, ctypes.c_char_p, place, place, place),
            "prepare_v2": (place, ctypes.c_char_p, whole, place, place), "reset": (place,), "step": (place,),
            "bind_int": (place, whole, whole), "column_int": (place, whole),
        }.items():  # fmt: skip
            function = getattr(lib, f"sqlite3_{name}")
            function.argtypes = kinds
            setattr(self, f"sqlite3_{name}", function)
        run, prepare, open_ = lib.sqlite3_exec, lib.sqlite3_prepare_v2, lib.sqlite3_open

        def opened(path: str) -> tuple[int, Any]:
            out = place()
            return open_(path.encode(), ctypes.byref(out)), out

        def prepared(db: Any, text: str, size: int, tail: None) -> tuple[int, Any]:
            out = place()
            return prepare(db, text.encode(), size, ctypes.byref(out), tail), out

        def executed(db: Any, text: str, call: Any, held: None) -> int:
            return run(db, text.encode(), ctypes.cast(visit(call), place) if call else None, held, None)

        self.sqlite3_open, self.sqlite3_prepare_v2, self.sqlite3_exec = opened, prepared, executed
