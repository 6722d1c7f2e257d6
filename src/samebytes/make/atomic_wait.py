"""``wait`` and ``notify`` of the C++ standard library's atomics, as functions of C: compiled once for each compiler."""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path
from typing import Any

from ..emit.base import part
from ..toolchain.cache import Inputs, default_cache
from ..toolchain.compilers import find_compiler
from ..toolchain.driver import CompileCommand, compile_object, link_library
from ..toolchain.verifying import digest

_NAME = "libwaiting.so"


@cache
def waiting() -> Any:
    """``samebytes_wait4(place, old, order)``, ``samebytes_notify_one4(place)`` and their like, by size in bytes."""
    text, compiler = part("atomic_wait.cpp"), find_compiler("c++")

    def make(work: Path) -> Inputs:
        source, made = work / "waiting.cpp", work / "waiting.o"
        source.write_text(text)
        compile_object(CompileCommand(source, compiler, ("-std=c++20", "-O2", "-fPIC")), made)
        link_library([made], work / _NAME, linker=compiler)
        return Inputs(())

    key = ["waiting", digest(text.encode()), *compiler.command, compiler.version]
    return ctypes.CDLL(str(default_cache().get(key, make).file(_NAME)))
