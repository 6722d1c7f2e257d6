"""What functions of the host launch on: the module that a library's kernels are loaded as, and the current stream."""

from __future__ import annotations

import ctypes
import sys
from typing import Any

from ..errors import Error, LaunchError
from .code import Code

_PLACE = ctypes.POINTER(ctypes.c_void_p)
_READY = ctypes.CFUNCTYPE(ctypes.c_int, _PLACE, _PLACE, _PLACE, ctypes.c_void_p, ctypes.c_size_t)
_DEFAULT = frozenset({0, 1})  # one stream with two handles: CU_STREAM_LEGACY
_answering: list[Any] = []  # as the code of libraries is never unloaded


def answer(library: Any, code: Code) -> None:
    """Have the functions of a library launch on the code of its kernels.

    Parameters
    ----------
    library : Loaded
        As emit/parts/launches.cpp has it.
    code : Code
        Which is loaded for the device in use when something is first launched.
    """
    open_driver = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p)(library.address("samebytes_open_driver"))
    take = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(library.address("samebytes_answer"))
    opened: list[str] = []

    def ready(module: Any, context: Any, stream: Any, words: int, room: int) -> int:
        try:
            device, module[0] = code.loaded()
            context[0] = device.context
            path = device.driver.library._name
            if not opened:
                if open_driver(path.encode()):
                    raise LaunchError(f"{path} lacks functions that launches from the host need")
                opened.append(path)
            stream[0] = current_of_libraries(device.number)
        except BaseException as error:  # ctypes would only print it
            said = f"{error}" if isinstance(error, Error) else f"{type(error).__name__}: {error}"
            data = said.encode()[: room - 1] + b"\0"
            ctypes.memmove(words, data, len(data))
            return 1
        return 0

    function = _READY(ready)
    take(ctypes.cast(function, ctypes.c_void_p))
    _answering.append(function)


def current_of_libraries(device: int) -> int:
    """The handle of the current stream of PyTorch or CuPy, where they use the device; 0: the default one.

    Raises
    ------
    LaunchError
        If they have different ones.
    """
    found = {
        package: told for package, current in _CURRENT.items() if (told := current(device)) not in _DEFAULT
    }
    if len({*found.values()}) > 1:
        words = ", ".join(f"{handle:#x} of {package}" for package, handle in found.items())
        raise LaunchError(
            f"different streams are current ({words}), and a launch by <<<>>> without a stream means one"
        )
    return next(iter(found.values()), 0)


def _of_torch(device: int) -> int:
    cuda = getattr(sys.modules.get("torch"), "cuda", None)
    if cuda is None or not cuda.is_initialized():
        return 0
    return int(cuda.current_stream(device).cuda_stream)


def _of_cupy(device: int) -> int:
    cuda = getattr(sys.modules.get("cupy"), "cuda", None)
    return int(cuda.get_current_stream().ptr) if cuda is not None else 0


_CURRENT = {"torch": _of_torch, "cupy": _of_cupy}
