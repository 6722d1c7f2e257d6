"""Storage that a call makes for an output array: of a length that its arguments say, or to be kept as a NumPy array."""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ..errors import IntentError, LayoutError, RangeError, plain_error
from ..frozen import frozen
from ..layouts import mirrors
from ..layouts.dialects import layout
from ..model.intents import OutArrayReturn
from ..model.signature import Parameter, Signature
from ..model.slots import MOST_IN_TUPLE, element_type, factors, grid
from ..types import Vector

Storage = np.ndarray[Any, Any]
_BYTES: np.dtype[Any] = np.dtype(np.uint8)
_MALLOC = 16  # bytes; how NumPy's memory is aligned
_MOST = 1 << 48  # bytes; more than an address space has


@frozen(slots=False, eq=False)
class OutputArray:
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

    @property
    def made(self) -> np.dtype[Any]:
        """The dtype of the storage: the result's, where such an array shows its bytes as a buffer."""
        return self.dtype if self.dtype is not None and self._plain else _BYTES

    @property
    def _plain(self) -> bool:
        return self.dtype is not None and self.dtype.kind in "biufc" and self.dtype.isbuiltin == 1

    @property
    def finish(self) -> Callable[[Any], Any] | None:
        """What makes the result of the storage, or of its elements; None where these are the result."""
        if self.dtype is None:
            return self.nested if len(self.extents) > 1 else None
        return None if self._plain and self.extents == (-1,) else self.array

    def maker(self) -> Callable[..., Storage]:
        """Makes the zeroed storage, aligned as C++ needs it, from the arguments that say how long it is.

        It raises RangeError if a length is negative, or no whole number of rows.
        """
        most = _MOST if self.dtype is not None else MOST_IN_TUPLE // max(self.fixed, 1)
        dtype, fixed = self.made, self.fixed * (self.size if self.made is _BYTES else 1)
        if self.align > _MALLOC or len(self.takes) != 1 or self.row != 1:
            return self._any
        index, zeros = operator.index, np.zeros

        def one(length: Any) -> Storage:
            count = index(length)
            return zeros(count * fixed, dtype) if 0 <= count < most else self._any(length)

        return one

    def _any(self, *lengths: Any) -> Storage:
        given = [operator.index(n) for n in lengths]
        count = prod(given) * self.fixed
        if any(n < 0 for n in given):
            raise self._error(f"a length is not negative, got {min(given)}")
        if count % self.row:
            raise self._error(f"C++ fills whole rows of {self.row} elements, got a length of {count}")
        if self.dtype is None and count > MOST_IN_TUPLE:
            raise self._error(
                f"a tuple gets at most {MOST_IN_TUPLE} elements, got a length of {count}: choose as_array=True"
            )
        size = count * self.size
        if size >= _MOST:
            raise self._error(f"{size} bytes are more than there can be")
        room = np.zeros(size + self.align - 1, np.uint8)
        start = -room.__array_interface__["data"][0] % self.align
        return room[start : start + size].view(self.made)

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


def output_array(signature: Signature, parameter: Parameter, dialect: str) -> OutputArray | None:
    """What makes an output array, or None where the frame holds the output."""
    intent = parameter.intent
    if not isinstance(intent, OutArrayReturn) or not (intent.as_array or isinstance(intent.length, str)):
        return None
    declared = grid(parameter)[1]
    said = factors(intent.length) if isinstance(intent.length, str) else (intent.length or 1,)
    visible = [p.name for p in signature.visible]
    facts = layout(element_type(parameter), dialect)
    extents = tuple(e or -1 for e in declared) if intent.shape else (-1,)
    dtype, extra = _dtype(parameter, dialect) if intent.as_array else (None, ())
    return OutputArray(
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
        return np.dtype(mirrors.mirror(element, "numpy", dialect)), ()
    except LayoutError as error:
        raise IntentError(
            f"parameter {parameter.name!r}: as_array needs elements that NumPy knows: {error}"
        ) from None
