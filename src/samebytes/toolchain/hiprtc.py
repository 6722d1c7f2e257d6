"""HIP's run-time compiler, where ROCm has it: sources of kernels become code objects without a process."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ..errors import MissingDependency
from ..frozen import frozen

# Names the library, where it is not ROCm's own; empty: Clang compiles.
VARIABLE = "SAMEBYTES_HIPRTC"
_SYSTEM = ("/usr/lib/x86_64-linux-gnu", "/usr/lib64")
# What it has before a source's first line, in its own copies, which the same files on disk would contradict.
_OWN = ("hip/hip_runtime.h", "hip/hip_fp16.h")


@frozen
class HiprtcOutput:
    """What one run gave: its log, and a code object or a bundle of one, empty if it refused the source."""

    ok: bool
    log: str
    code: bytes = b""


@frozen(slots=False)
class Hiprtc:
    """The run-time compiler of HIP.

    Attributes
    ----------
    path : str
        The library.
    """

    path: str

    @property
    def identity(self) -> str:
        """What tells one version from another without loading it."""
        place = os.path.realpath(self.path)
        try:
            found = os.stat(place)
        except OSError as error:
            raise MissingDependency(f"${VARIABLE} names {self.path}, which is not there") from error
        return f"hiprtc {place} {found.st_size} {found.st_mtime_ns}"

    def compile(
        self, text: str, options: Sequence[str], name: str, headers: Mapping[str, str] | None = None
    ) -> HiprtcOutput:
        """Compile one source for a device; a refusal is told by ``ok``, worded by ``log``.

        Parameters
        ----------
        name : str
            The file's in messages.
        headers : mapping of str to str, optional
            Texts that ``#include`` finds by their names, beside files.

        Raises
        ------
        MissingDependency
            If the library does not work.
        """
        library, program = _library(self.path), ctypes.c_void_p()
        known = {**dict.fromkeys(_OWN, "#pragma once\n"), **(headers or {})}
        names = (ctypes.c_char_p * len(known))(*(one.encode() for one in known))
        texts = (ctypes.c_char_p * len(known))(*(one.encode() for one in known.values()))
        made = library.hiprtcCreateProgram(
            ctypes.byref(program),
            text.encode(),
            name.encode("utf-8", "surrogateescape"),
            len(known),
            texts,
            names,
        )
        if made:
            raise MissingDependency(
                f"{self.path} does not work (error {made}): ${VARIABLE}= has Clang compile"
            )
        try:
            flags = [option.encode("utf-8", "surrogateescape") for option in options]
            status = library.hiprtcCompileProgram(program, len(flags), (ctypes.c_char_p * len(flags))(*flags))
            log = _bytes(library, program, "hiprtcGetProgramLog").partition(b"\0")[0].decode(errors="replace")
            if status:
                said = library.hiprtcGetErrorString(status) or b""
                return HiprtcOutput(False, log or said.decode(errors="replace"))
            return HiprtcOutput(True, log, _bytes(library, program, "hiprtcGetCode"))
        finally:
            library.hiprtcDestroyProgram(ctypes.byref(program))


def _bytes(library: Any, program: ctypes.c_void_p, name: str) -> bytes:
    size = ctypes.c_size_t()
    getattr(library, f"{name}Size")(program, ctypes.byref(size))
    room = ctypes.create_string_buffer(max(size.value, 1))
    getattr(library, name)(program, room)
    return room.raw[: size.value]


@cache
def _library(path: str) -> Any:
    try:
        library = ctypes.CDLL(path)
        library.hiprtcGetErrorString.restype = ctypes.c_char_p
    except (OSError, AttributeError) as error:
        raise MissingDependency(f"{path} does not load ({error}): ${VARIABLE}= has Clang compile") from error
    return library


def find_hiprtc() -> Hiprtc | None:
    """The run-time compiler: ``$SAMEBYTES_HIPRTC``, ROCm's, or the system's; None where Clang is to compile.

    That is where ``$HIP_CLANG`` names one, ``$SAMEBYTES_HIPRTC`` is empty, or no library is there.
    """
    said = os.environ.get(VARIABLE)
    if said is not None:
        return Hiprtc(said) if said else None
    if os.environ.get("HIP_CLANG"):
        return None
    roots = [os.environ.get(name) for name in ("ROCM_PATH", "ROCM_HOME")]
    places = [*(Path(root, "lib") for root in (*roots, "/opt/rocm") if root), *map(Path, _SYSTEM)]
    found = (str(place / "libhiprtc.so") for place in places if (place / "libhiprtc.so").is_file())
    return next(map(Hiprtc, found), None)
