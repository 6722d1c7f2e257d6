"""Sparse matrices: SciPy's, in the very format that a class of C++'s has, of which it makes its own."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from ... import _native
from ...arrays.protocols import view
from ...errors import ArrayError, Mismatch, value_words
from ...types import Sparse
from ...values.conversion import Packed

_WIRE = struct.Struct("PQqPQqPQq2q")


def sparse_rule(type_: Sparse, obj: Any, dialect: str) -> Packed:
    """The descriptor of a matrix's three arrays.

    Raises
    ------
    Mismatch
        If it is no matrix of this format, or not as C++ needs it.
    """
    words = f"{type_} ({type_.words})"
    form = f"{type_.form}_array"
    found = getattr(obj, "format", None)
    if not (type(obj).__module__.startswith("scipy.sparse") and isinstance(found, str)):
        raise Mismatch(ArrayError, words, value_words(obj), f"scipy.sparse.{form}(x) makes one of an array")
    reason = _reason(type_, obj, found)
    if reason:
        kind = f"{obj.dtype.name}{list(obj.shape)} in {found.upper()} ({type(obj).__module__}.{type(obj).__name__})"
        raise Mismatch(ArrayError, words, kind, reason)
    places = [part.astype(type_.index.dtype, copy=False) for part in (obj.indices, obj.indptr)]
    parts = [view(np.ascontiguousarray(part)) for part in (obj.data, *places)]
    numbers = [n for part in parts for n in (part.ptr, part.size, 1)]
    return Packed(_WIRE.pack(*numbers, *obj.shape), tuple(map(_native.unwritten, parts)))


def _reason(type_: Sparse, obj: Any, form: str) -> str:
    """Why C++ does not take a matrix as it is."""
    if form != type_.form:
        return f"x.to{type_.form}() makes such a copy"
    if len(obj.shape) != 2:
        return f"it must be of 2 dimensions, not {len(obj.shape)}"
    if obj.dtype != type_.element.dtype:
        return f'x.astype("{type_.element.dtype.name}") makes a converted copy'
    if max(*obj.shape, obj.nnz) > np.iinfo(type_.index.dtype).max:
        return (
            f"its indices must be {type_.index}, which are too few for {obj.nnz} numbers in {list(obj.shape)}"
        )
    if not obj.has_canonical_format:
        return "its indices must be in order, each once: x.sum_duplicates() does that in place"
    try:
        obj.check_format(full_check=True)
    except ValueError as error:
        return f"it is not well formed: {error}"
    return ""
