"""Between our types and NumPy's dtypes, and how messages name the latter."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from ...errors import LayoutError
from ...layouts.mirrors import find_mirror, reproduce
from ...types import Scalar, Type, as_type


def numpy_type(dtype: np.dtype[Any]) -> Type | None:
    """The type of a dtype, None where its elements have no machine representation of ours."""
    plain = (
        dtype.fields is None and dtype.metadata is None
    )  # metadata means something, and equality ignores it
    return _known(dtype) if plain else _asked(dtype)


def _asked(dtype: np.dtype[Any]) -> Type | None:
    try:
        return as_type(dtype)
    except TypeError:
        return None


_known = lru_cache(maxsize=1024)(_asked)


@lru_cache(maxsize=1024)
def numpy_words(dtype: np.dtype[Any]) -> str:
    """A dtype as messages show it, with its byte order where that is not the machine's."""
    if dtype.fields is not None:
        return f"a structured dtype of fields {', '.join(dtype.names or ())}"
    return dtype.name if dtype.isnative else f"{dtype.name} in the other byte order ({dtype.str})"


@lru_cache(maxsize=1024)
def dtype_of(type_: Type | None) -> np.dtype[Any] | None:
    """The dtype whose elements are the bytes of a type in dialect ``cxx``; None where NumPy has none."""
    if type_ is None or isinstance(type_, Scalar):
        return type_.dtype if type_ else None
    try:
        found: np.dtype[Any] = reproduce(type_, find_mirror("numpy"), "cxx")
    except LayoutError:
        return None
    return found
