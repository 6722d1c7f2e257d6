"""Storage that a call makes for an output array: of a length that its arguments say, or to be kept as a NumPy array."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from .dialects import layout
from .errors import IntentError, LayoutError, RangeError, plain_error
from .intents import OutArrayReturn
from .mirrors import mirror
from .signature import Parameter, Signature
from .storage import element_type, factors, grid
from .types import Vector

Storage = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class Room:
    """Makes the storage of one output array, and what the call returns of it.

    Attributes
    ----------
    function, name : str
        Whose output it is.
    takes : tuple of int
        The visible parameters that say how many elements there are.
    fixed : int
        The product of the numbers among the factors.
    row : int
        The elements are a multiple of it.
    extents : tuple of int
        Of what is returned; -1 for the one that the call decides.
    size, align : int
        Bytes of one element.
    dtype : numpy.dtype or None
        None where tuples are returned.
    """

    function: str
    name: str
    takes: tuple[int, ...]
    fixed: int
    row: int
    extents: tuple[int, ...]
    size: int
    align: int
    dtype: np.dtype[Any] | None

    def make(self, *lengths: Any) -> Storage:
        """Zeroed bytes for the elements, aligned as C++ needs them.

        Raises
        ------
        RangeError
            If the lengths are negative, or no whole number of rows.
        """
        given = [operator.index(n) for n in lengths]
        count = prod(given) * self.fixed
        if any(n < 0 for n in given):
            raise self._error(f"a length is not negative, got {min(given)}")
        if count % self.row:
            raise self._error(f"C++ fills whole rows of {self.row} elements, got a length of {count}")
        size = count * self.size
        room = np.zeros(size + self.align - 1, np.uint8)
        start = -room.__array_interface__["data"][0] % self.align
        return room[start : start + size]

    def _error(self, sentence: str) -> Exception:
        return plain_error(
            RangeError, self.function, f"cannot make room for its output {self.name!r}: {sentence}"
        )

    def array(self, storage: Storage) -> Any:
        """The storage as the array that the call returns."""
        assert self.dtype is not None
        return storage.view(self.dtype).reshape(self.extents)

    def nested(self, flat: tuple[Any, ...]) -> Any:
        """The elements as nested tuples."""
        items: tuple[Any, ...] = flat
        for extent in reversed(self.extents[1:]):
            items = tuple(items[i : i + extent] for i in range(0, len(items), extent))
        return items


def room_of(signature: Signature, parameter: Parameter, dialect: str) -> Room | None:
    """The room of an output array, or None where the frame holds the output."""
    intent = parameter.intent
    if not isinstance(intent, OutArrayReturn) or not (intent.as_array or isinstance(intent.length, str)):
        return None
    declared = grid(parameter)[1]
    said = factors(intent.length) if isinstance(intent.length, str) else (intent.length or 1,)
    visible = [p.name for p in signature.visible]
    facts = layout(element_type(parameter), dialect)
    extents = tuple(e or -1 for e in declared) if intent.shape else (-1,)
    dtype, extra = _dtype(parameter, dialect) if intent.as_array else (None, ())
    return Room(
        signature.name, parameter.name,
        takes=tuple(visible.index(f) for f in said if isinstance(f, str)),
        fixed=prod(f for f in said if isinstance(f, int)),
        row=prod(e for e in declared if e), extents=(*extents, *extra),
        size=facts.size, align=facts.align, dtype=dtype,
    )  # fmt: skip


def _dtype(parameter: Parameter, dialect: str) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """The elements' dtype; a vector of numbers without padding is one more dimension."""
    element = element_type(parameter)
    try:
        if isinstance(element, Vector):
            dtype = element.element.dtype
            if dtype.itemsize * element.size == layout(element, dialect).size:
                return dtype, (element.size,)
        return np.dtype(mirror(element, "numpy", dialect)), ()
    except LayoutError as error:
        raise IntentError(
            f"parameter {parameter.name!r}: as_array needs elements that NumPy knows: {error}"
        ) from None
