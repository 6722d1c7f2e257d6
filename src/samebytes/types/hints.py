"""What types are called in Python itself and by NumPy: numbers' classes, their dtypes, and tuples of them."""

from __future__ import annotations

from typing import Any, get_args, get_origin

import numpy as np

from .base import Type, as_type, register_reader
from .scalar import BUILTINS, scalar_for
from .tuple import Tuple


def _read(hint: Any) -> Type | None:
    if get_origin(hint) is tuple or hint is tuple:
        return _tuple(hint)
    try:
        return BUILTINS.get(hint) or scalar_for(hint) or _from_dtype(hint)
    except (TypeError, ValueError):  # it has no hash, as a memoryview of what can be written
        return None


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
    return scalar_for(hint.type) if simple else None


register_reader(_read)
