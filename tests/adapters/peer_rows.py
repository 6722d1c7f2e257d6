"""Runs the rows of defects.toml with one peer, each in a process of its own, and prints what each gives as JSON.

``python peer_rows.py FOLDER < rows.json``: the folder of a HIP Python, first in the import path; or ``cuda.core``.
"""

from __future__ import annotations

import ast
import ctypes
import gc
import itertools
import json
import os
import pickle
import sys
import weakref
from pathlib import Path
from typing import Any

import numpy as np


def record(name: str, *fields: Any) -> Any:
    return type(name, (ctypes.Structure,), {"_fields_": list(fields)})


def with_cuda_core() -> dict[str, Any]:
    """What the code of launchers' rows may name."""
    import ml_dtypes
    from cuda.core._kernel_arg_handler import ParamHolder

    def pack(argument: Any, size: int) -> bytes:
        made = ParamHolder((argument,))
        return ctypes.string_at(ctypes.c_void_p.from_address(made.ptr).value, size)

    return {"pack": pack, "record": record, "np": np, "ctypes": ctypes, "ml_dtypes": ml_dtypes}


def with_hip_python() -> dict[str, Any]:
    """What the code of HIP Python's rows may name."""
    sys.path.insert(0, sys.argv[1])
    if (Path(sys.argv[1]) / "rocm").exists():
        import rocm.bindings.hip as hip
        from rocm.bindings import _hip_helpers as helpers
        from rocm.bindings.util import types
    else:
        from hip import _hip_helpers as helpers
        from hip import hip
        from hip._util import types

    def array(typestr: str, shape: tuple[int, ...]) -> Any:
        made = types.DeviceArray(4096)
        made.configure(typestr=typestr, shape=shape, _force=True)
        return made

    def config(extra: Any) -> Any:
        """BUFFER_POINTER, data, BUFFER_SIZE, where the size is, END (hip_runtime_api.h)."""
        return (ctypes.c_void_p * 5).from_address(int(extra))

    def packed(*args: Any) -> bytes:
        made = helpers.HipModuleLaunchKernel_extra(args)
        return ctypes.string_at(config(made)[1], ctypes.c_size_t.from_address(config(made)[3]).value)

    usable = ctypes.CDLL(None).malloc_usable_size
    usable.argtypes, usable.restype = (ctypes.c_void_p,), ctypes.c_size_t

    def room(*args: Any) -> int:
        made = helpers.HipModuleLaunchKernel_extra(args)
        return int(usable(config(made)[1]))

    return {
        "hip": hip, "Pointer": types.Pointer, "DeviceArray": types.DeviceArray, "ListOfInt": types.ListOfInt,
        "array": array, "record": record, "packed": packed, "room": room, "usable": usable, "np": np, "ctypes": ctypes,
        "gc": gc, "itertools": itertools, "pickle": pickle, "sys": sys, "weakref": weakref,
        "CAI": {"shape": (2,), "typestr": "<f4", "data": (4096, False), "version": 3},
        "NUMBER": (ctypes.c_int * 4)(1, 2, 3, 4), "Q": ctypes.c_longlong(1),
        "FIVE": record("Five", ("a", ctypes.c_char * 5))(b"12345"),
    }  # fmt: skip


def given(code: str, names: dict[str, Any]) -> str:
    """The value of the last line, or what it raised."""
    *before, last = ast.parse(code.strip()).body
    try:
        exec(compile(ast.Module(before, []), "row", "exec"), names)
        if isinstance(last, ast.Expr):
            return repr(eval(compile(ast.Expression(last.value), "row", "eval"), names))
        exec(compile(ast.Module([last], []), "row", "exec"), names)
    except Exception as error:
        return f"raises {type(error).__name__}: {error}"
    return "nothing"


def apart(code: str, names: dict[str, Any]) -> str:
    """The same in a process of its own: a row may kill it."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.write(write, given(code, names).encode()[:4000])
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as said:
        text = said.read()
    _, status = os.waitpid(child, 0)
    return text if status == 0 else f"dies of signal {status & 127}"


if __name__ == "__main__":
    known = with_cuda_core() if sys.argv[1] == "cuda.core" else with_hip_python()
    print(json.dumps({row: apart(code, dict(known)) for row, code in json.load(sys.stdin).items()}))
