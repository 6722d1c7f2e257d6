"""What NumPy makes of struct values and records that hold arrays: an element of theirs, or the one array inside."""

from __future__ import annotations

from typing import Any

import numpy as np


def as_array(self: Any, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
    """``__array__`` of a class whose structs hold arrays; the element shares the memory of a record.

    NumPy assigns what is no tuple to each field of an element, and to one that is an array by what this gives for the
    numbers of that array: of a struct with a single array its numbers, of others nothing.
    """
    try:
        whole = np.frombuffer(self, type(self).dtype).reshape(())
    except AttributeError:  # no dtype, as of bit-fields: NumPy has it as an object
        whole = np.empty((), object)
        whole[()] = self
    wanted = None if dtype is None else np.dtype(dtype)
    if wanted is None or wanted.names or wanted.kind == "O" or not whole.dtype.names:
        return np.array(whole, dtype=wanted, copy=copy)
    return np.array(_only_array(type(self), whole), dtype=wanted, copy=copy)


def _only_array(cls: type, whole: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    while whole.dtype.names:
        if len(whole.dtype.names) > 1:
            raise TypeError(
                f"NumPy assigns {cls.__name__} to no element by itself: a[i] = np.asarray(x), and of a list "
                f"np.stack([np.asarray(x) for x in xs])"
            )
        whole = whole[whole.dtype.names[0]]
    return whole
