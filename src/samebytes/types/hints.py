"""From what a user writes (an annotation, a dtype, a class, C++) to a type description."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args, get_origin

import numpy as np

from .base import VOID, Type
from .scalar import BUILTINS, NUMPY, SCALARS
from .tuple import Tuple

_BY_NUMPY = {python: SCALARS[name] for name, python in NUMPY.items() if name != "char"}

# How other libraries say types; each gives None for what is none of its own.
Reader = Callable[[Any], Type | None]
_READERS: list[Reader] = []


class UnknownName(TypeError):
    """Text that names no type.

    Attributes
    ----------
    near : bool
        Whether a type's name is so like it that it is probably meant.
    """

    near = False


def register_reader(reader: Reader) -> None:
    """Let :func:`as_type` understand more: NumPy's structured dtypes, ctypes, C++ spellings …

    ``reader(hint)`` gives the type, or None where the hint is not its business; it raises TypeError
    for one that is and has no machine representation.
    """
    _READERS.append(reader)


def as_type(hint: Any) -> Type:
    """The type that a hint stands for.

    Parameters
    ----------
    hint : Type, type, numpy.dtype, str …
        A description (``sb.array[sb.float32, 2]``), a builtin number class, a NumPy or ml_dtypes scalar
        class or dtype (structured ones included), a vector or struct class, ``tuple[int, float]``, a ctypes
        class, a PyTorch dtype, or C++ (``"const float*"``, ``"cuda::std::complex<float>"``).

    Raises
    ------
    TypeError
        If the hint has no machine representation; the message says which hints have one.
    """
    if isinstance(hint, Type):
        return hint
    if hint is None or hint is type(None):
        return VOID
    described = getattr(hint, "__samebytes_type__", None)
    if isinstance(described, Type):
        return described
    if get_origin(hint) is tuple or hint is tuple:
        return _tuple(hint)
    try:
        found = BUILTINS.get(hint) or _BY_NUMPY.get(hint) or _from_dtype(hint)
    except TypeError:
        found = None
    try:
        return found or _from_elsewhere(hint)
    except RecursionError:
        raise TypeError("the hint is nested too deeply to be a type") from None


def _tuple(hint: Any) -> Tuple:
    parts = get_args(hint)
    if hint is tuple or Ellipsis in parts:
        raise TypeError(
            f"{hint!r} has no machine representation: write each element's type, tuple[int, float]"
        )
    return Tuple.of(as_type(part) for part in parts)


def _from_dtype(hint: Any) -> Type | None:
    simple = (
        isinstance(hint, np.dtype)
        and hint.isnative
        and hint.fields is None
        and hint.subdtype is None
        and not hint.metadata
    )
    return _BY_NUMPY.get(hint.type) if simple else None


def _from_elsewhere(hint: Any) -> Type:
    for reader in _READERS:
        if found := reader(hint):
            return found
    raise TypeError(
        f"{hint!r} has no machine representation: use bool, int, float, complex, a fixed-format number such as "
        "sb.float32, a vector, an @sb.struct class, tuple[...], or sb.array[...], sb.carray[...], sb.pointer[...], "
        "sb.const[...]"
    )
