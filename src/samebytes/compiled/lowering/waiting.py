"""``wait`` and ``notify`` of atomics: the C++ standard library's, so that C++ and Python wake each other."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from llvmlite import ir

from ...emit.base import part
from ...toolchain.cache import Inputs, default_cache
from ...toolchain.compilers import find_compiler
from ...toolchain.driver import CompileCommand, compile_object, link_library
from ...toolchain.verifying import digest
from .site import Call

_ORDERS = {"relaxed": 0, "acquire": 2, "seq_cst": 5}  # std::memory_order
_NAME = "libwaiting.so"


@cache
def _library() -> Any:
    """The functions, compiled once for each compiler."""
    text, compiler = part("atomic_wait.cpp"), find_compiler("c++")

    def make(work: Path) -> Inputs:
        source, made = work / "waiting.cpp", work / "waiting.o"
        source.write_text(text)
        compile_object(CompileCommand(source, compiler, ("-std=c++20", "-O2", "-fPIC")), made)
        link_library([made], work / _NAME, linker=compiler)
        return Inputs(())

    key = ["waiting", digest(text.encode()), *compiler.command, compiler.version]
    return ctypes.CDLL(str(default_cache().get(key, make).file(_NAME)))


def call_waiting(call: Call, name: str, size: int, place: Any, values: Sequence[Any], order: str) -> None:
    """Write the call of one of them."""
    address = ctypes.cast(getattr(_library(), f"samebytes_{name}{size}"), ctypes.c_void_p).value
    given = [place, *values]
    if name == "wait":
        given.append(ir.IntType(32)(_ORDERS[order]))
    form = ir.FunctionType(ir.VoidType(), [value.type for value in given]).as_pointer()
    function = call.context.add_dynamic_addr(call.builder, address, info=f"samebytes {name}")
    call.builder.call(call.builder.bitcast(function, form), given)
