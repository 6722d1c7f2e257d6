"""From what a user writes (an annotation, a dtype, a class) to a type description."""

from __future__ import annotations

from typing import Any

import numpy as np

from .base import VOID, Type
from .scalar import BUILTINS, NUMPY, SCALARS

_BY_NUMPY = {python: SCALARS[name] for name, python in NUMPY.items() if name != "char"}


def as_type(hint: Any) -> Type:
    """The type that a hint stands for.

    Parameters
    ----------
    hint : Type, type or numpy.dtype
        A description (``sb.array[sb.float32, 2]``), a builtin number class, a NumPy or ml_dtypes scalar
        class, a vector or struct class, or a NumPy dtype.

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
    if isinstance(hint, np.dtype):
        return _from_dtype(hint)
    try:
        found = BUILTINS.get(hint) or _BY_NUMPY.get(hint)
    except TypeError:
        found = None
    if found is None:
        raise TypeError(
            f"{hint!r} has no machine representation: use bool, int, float, complex, a fixed-format number such as "
            "sb.float32, a vector, an @sb.struct class, or sb.array[...], sb.carray[...], sb.pointer[...], "
            "sb.const[...]"
        )
    return found


def _from_dtype(dtype: np.dtype[Any]) -> Type:
    found = (
        _BY_NUMPY.get(dtype.type)
        if dtype.isnative and dtype.fields is None and dtype.subdtype is None
        else None
    )
    if found is None:
        raise TypeError(f"dtype {dtype!r} has no machine representation: it must be a native-order number")
    return found
