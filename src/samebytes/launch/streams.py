"""The stream that a launch goes to where its caller names none: the current one of the arrays' libraries."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..errors import ArgumentError, module_of, plain_error


def _of_torch(torch: Any, device: int, obj: Any) -> tuple[int, Any] | None:
    if not getattr(obj, "is_cuda", False):
        return None
    stream = torch.cuda.current_stream(device)
    return stream.cuda_stream, stream


def _of_cupy(cupy: Any, device: int, obj: Any) -> tuple[int, Any] | None:
    stream = cupy.cuda.get_current_stream()
    return stream.ptr, stream


# Of the libraries that have one, by their packages.
_CURRENT: dict[str, Callable[[Any, int, Any], tuple[int, Any] | None]] = {
    "torch": _of_torch,
    "cupy": _of_cupy,
}
_DEFAULT = frozenset({0, 1})  # one stream with two handles: CU_STREAM_LEGACY


def has_current(cls: type) -> bool:
    """Whether a class's library has a current stream."""
    return any(_package(base) in _CURRENT for base in cls.__mro__)


def current_stream(kernel: str, device: int, arguments: Iterable[Any]) -> Any:
    """The current stream of the libraries whose arrays are among arguments; None where it is the default one.

    Parameters
    ----------
    kernel : str
        Its name.
    device : int
        The number of the launch's device.

    Raises
    ------
    ArgumentError
        If they have different ones.
    """
    found: dict[int, tuple[str, Any]] = {}
    for obj in _each(arguments):
        package = next((p for base in type(obj).__mro__ if (p := _package(base)) in _CURRENT), None)
        library = sys.modules.get(package) if package else None
        told = _CURRENT[package](library, device, obj) if package and library is not None else None
        if told is not None and package:
            found.setdefault(0 if told[0] in _DEFAULT else told[0], (package, told[1]))
    if len(found) > 1:
        told_words = ", ".join(f"{handle:#x} of {package}" for handle, (package, _) in found.items())
        sentence = f"its arrays' libraries have different current streams ({told_words}): stream= says which"
        raise plain_error(ArgumentError, kernel, sentence)
    return next((stream for handle, (_, stream) in found.items() if handle), None)


def _each(arguments: Iterable[Any]) -> Iterator[Any]:
    """The arguments, and what is in tuples and lists."""
    for one in arguments:
        if isinstance(one, tuple | list):
            yield from _each(one)
        else:
            yield one


def _package(cls: type) -> str:
    return module_of(cls).partition(".")[0]
