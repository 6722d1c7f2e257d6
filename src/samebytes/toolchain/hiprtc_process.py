"""One run of HIP's run-time compiler, in a process of its own: ``python hiprtc_process.py JOB ANSWER CODE``.

The library brings an LLVM, and two of them in one process (Numba's, a device runtime's) may end it. Nothing of
samebytes is imported here.
"""

from __future__ import annotations

import ctypes
import json
import sys
from pathlib import Path
from typing import Any


def _bytes(library: Any, program: ctypes.c_void_p, name: str) -> bytes:
    size = ctypes.c_size_t()
    getattr(library, f"{name}Size")(program, ctypes.byref(size))
    room = ctypes.create_string_buffer(max(size.value, 1))
    getattr(library, name)(program, room)
    return room.raw[: size.value]


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _list(texts: list[str]) -> Any:
    return (ctypes.c_char_p * len(texts))(*map(_encoded, texts))


def _compile(job: dict[str, Any], code: Path) -> dict[str, str]:
    """What it said: ``unusable``, or ``log`` and, where it refused the source, ``refused``."""
    try:
        library = ctypes.CDLL(job["library"])
        library.hiprtcGetErrorString.restype = ctypes.c_char_p
    except (OSError, AttributeError) as error:
        return {"unusable": f"does not load ({error})"}
    program, headers = ctypes.c_void_p(), job["headers"]
    text, name = _encoded(job["text"]), _encoded(job["name"])
    made = library.hiprtcCreateProgram(
        ctypes.byref(program), text, name, len(headers), _list(list(headers.values())), _list(list(headers))
    )
    if made:
        return {"unusable": f"does not work (error {made})"}
    options = job["options"]
    status = library.hiprtcCompileProgram(program, len(options), _list(options))
    log = _bytes(library, program, "hiprtcGetProgramLog").partition(b"\0")[0]
    said = {"log": log.decode(errors="replace")}
    if status:
        said["refused"] = (library.hiprtcGetErrorString(status) or b"").decode(errors="replace")
    else:
        code.write_bytes(_bytes(library, program, "hiprtcGetCode"))
    library.hiprtcDestroyProgram(ctypes.byref(program))
    return said


if __name__ == "__main__":
    given, answer, made = map(Path, sys.argv[1:])
    answer.write_text(json.dumps(_compile(json.loads(given.read_text()), made)))
