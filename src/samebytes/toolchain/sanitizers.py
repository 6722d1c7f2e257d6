"""Sanitizers: the flags of each, and its runtime, which must be in a process before all else: the program runs again.

AddressSanitizer and ThreadSanitizer end a process into which their runtime comes late (sanitizer_common, "ASan runtime
does not come first in initial library list").
"""

from __future__ import annotations

import ctypes
import logging
import os
import subprocess
import sys
import threading
from functools import cache
from typing import NoReturn

from ..errors import BindError, MissingDependency
from ..frozen import frozen
from .compilers import find_compiler
from .elf import Elf
from .running import run


@frozen
class Sanitizer:
    """One sanitizer.

    Attributes
    ----------
    name : str
        Its own.
    runtime : str
        The library that comes first; empty where it may come late.
    symbol : str
        What that defines.
    options : (str, str)
        The variable by which it is told something, and what: Python's own memory is nobody's leak.
    """

    name: str
    runtime: str = ""
    symbol: str = ""
    options: tuple[str, str] = ("", "")


SANITIZERS: dict[str, Sanitizer] = {
    "address": Sanitizer("AddressSanitizer", "libasan.so", "__asan_init", ("ASAN_OPTIONS", "detect_leaks=0")),
    "thread": Sanitizer("ThreadSanitizer", "libtsan.so", "__tsan_init"),
    "undefined": Sanitizer("UndefinedBehaviorSanitizer"),
}  # fmt: skip
# Said to the child, so that one that lacks the runtime all the same runs no other; and what LD_PRELOAD was.
_CHILD, _BEFORE = "SAMEBYTES_SANITIZED", "SAMEBYTES_PRELOADED"


def sanitizer_flags(name: str) -> tuple[str, ...]:
    """What code is compiled and linked with.

    Raises
    ------
    BindError
        If there is no such sanitizer.
    """
    _known(name)
    return (f"-fsanitize={name}", "-fno-omit-frame-pointer", "-g", "-O1")


def _known(name: str) -> Sanitizer:
    if name not in SANITIZERS:
        raise BindError(f"sanitize is {', '.join(map(repr, SANITIZERS))}, got {name!r}")
    return SANITIZERS[name]


@cache
def _is_here(symbol: str) -> bool:
    return hasattr(ctypes.CDLL(None), symbol)


def ensure_runtime(name: str) -> None:
    """Go on where the runtime is in the process; else run the program again in a child, and end as that does.

    Raises
    ------
    SystemExit
        With the child's status.
    BindError
        If the program cannot be run again.
    MissingDependency
        If the compiler has no such runtime.
    """
    chosen = _known(name)
    if not chosen.runtime or _is_here(chosen.symbol):
        if _CHILD in os.environ:  # what this process starts needs no runtime: compilers
            _restore_preload()
        return
    _run_again(name, chosen)


def _restore_preload() -> None:
    before = os.environ.pop(_BEFORE, "")
    os.environ.pop(_CHILD)
    if before:
        os.environ["LD_PRELOAD"] = before
    else:
        os.environ.pop("LD_PRELOAD", None)


def _run_again(name: str, chosen: Sanitizer) -> NoReturn:
    preload = " ".join((_file(chosen), _file_of("libstdc++.so.6")))
    why = _cannot_run_again(chosen)
    if why:
        raise BindError(
            f"sanitize={name!r}: {chosen.name}'s runtime must be in the process before all else, and the program "
            f"cannot be run again with it, as {why}; start it with LD_PRELOAD={preload!r} PYTHONMALLOC=malloc"
        )
    before = os.environ.get("LD_PRELOAD", "")
    variable, said = chosen.options
    more = {variable: ":".join(filter(None, (said, os.environ.get(variable))))} if variable else {}
    environment = {
        **os.environ, **more, _CHILD: name, _BEFORE: before, "PYTHONMALLOC": "malloc",
        "LD_PRELOAD": " ".join(filter(None, (preload, before))),
    }  # fmt: skip
    logging.getLogger("samebytes").warning(
        f"sanitize={name!r}: the program runs again in a child, with {chosen.name}'s runtime"
    )
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    done = subprocess.run([sys.executable, *sys.orig_argv[1:]], env=environment, check=False)
    raise SystemExit(done.returncode if done.returncode >= 0 else 128 - done.returncode)


def _cannot_run_again(chosen: Sanitizer) -> str:
    """Why the program cannot be run again, as a part of a sentence; empty where it can."""
    if _CHILD in os.environ:
        return f"it was, and the runtime of {chosen.name} is not there"
    if threading.current_thread() is not threading.main_thread():
        return "this is not its main thread"
    if "ipykernel" in sys.modules or not os.path.isfile(
        getattr(sys.modules.get("__main__"), "__file__", None) or ""
    ):
        return "it is no file"
    return ""


def _file(chosen: Sanitizer) -> str:
    path = _file_of(chosen.runtime)
    if not os.path.isabs(path):
        compiler = find_compiler("c++")
        raise MissingDependency(
            f"{compiler.described} has no {chosen.runtime}, {chosen.name}'s runtime: use g++ ($CXX), which brings it"
        )
    return path


def _file_of(library: str) -> str:
    return run([*find_compiler("c++").command, f"-print-file-name={library}"]).stdout.strip()


def missing_runtime(path: str) -> str:
    """Why a library would end this process when it is loaded, as a sentence; empty where it would not."""
    with open(path, "rb") as file:
        data = file.read()
    for name, one in SANITIZERS.items():
        if not one.runtime or one.runtime.encode() not in data or _is_here(one.symbol):
            continue
        if any(needed.startswith(one.runtime) for needed in Elf(data).needed()):
            return (
                f"it is compiled with {one.name}, whose runtime must be in the process before all else, and is not: "
                f"sanitize={name!r} runs the program again with it, or start Python with "
                f"LD_PRELOAD=$(g++ -print-file-name={one.runtime})"
            )
    return ""
