"""The list adapters: Python lists and tuples as C arrays of addresses and integers (HIP Python, "List Types")."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from operator import index
from typing import Any, ClassVar

import numpy as np

from ... import _native
from ...errors import ArgumentError, ArrayError, Error, Mismatch, RangeError, value_error, value_words
from ...layouts.ctypes_classes import C_NUMBER
from ...types import SCALARS, Scalar
from .pointer_rule import LISTED, pointing, shown_view, stands, words_of

_SPELLED = {"c_int": "int", "c_uint": "unsigned int", "c_long": "long", "c_ulong": "unsigned long"}
_INTEGER_CODES = frozenset("bBhHiIlLqQ")  # ctypes' one-letter names of C's integers


class _List(_native.Pointer):
    """What the list adapters share.

    Parameters
    ----------
    obj : object
        A list or tuple of elements, which becomes a C array that the adapter owns; or whatever a ``Pointer`` takes:
        the address of an array that is there already.

    Raises
    ------
    ArgumentError, RangeError, ArrayError
        If an element does not fit, with its place; or if an array's elements are others than this list's.
    """

    _element: ClassVar[Any]  # the ctypes type
    _ends: ClassVar[int] = 1  # nulls behind the elements, up to which C reads many a list
    _count: int | None = None

    def __init__(self, obj: Any = None) -> None:
        count = None
        if isinstance(obj, list | tuple):
            count, *found = self._made(obj)
            super().__init__(*found)
        elif obj is None or isinstance(obj, _native.Pointer):
            super().__init__(obj)
        else:
            self._check(obj)
            super().__init__(*pointing(obj, adapter=type(self).__name__, use=LISTED))
        self._count = count

    def _made(self, items: list[Any] | tuple[Any, ...]) -> tuple[int, int, Any]:
        values, owners = [], []
        for place, item in enumerate(items):
            try:
                value, owner = self._value(item)
            except Mismatch as mismatch:
                mismatch.path = f"[{place}]{mismatch.path}"
                raise value_error(f"{type(self).__name__}():", mismatch) from mismatch.__cause__
            values.append(value)
            owners.append(owner)
        array = (self._element * max(len(values) + self._ends, 1))(*values)
        return len(values), ctypes.addressof(array), (array, *(o for o in owners if o is not None))

    def _value(self, item: Any) -> tuple[Any, Any]:
        """One element as ctypes takes it, and what keeps it valid."""
        raise NotImplementedError

    def _check(self, obj: Any) -> None:
        """Refuse an array whose elements are others than this list's."""

    def _array(self) -> Any:
        if self._count is None:
            raise ArgumentError(
                f"{self!r} was made of an address, and nothing says how many elements are there"
            )
        return (self._element * self._count).from_address(self.address)

    def __len__(self) -> int:
        return len(self._array())

    def __iter__(self) -> Iterator[Any]:
        return iter([self._shown(item) for item in self._array()])

    def __getitem__(self, key: Any) -> Any:
        """An element; of a list that was made of an address, the address so many bytes further on."""
        if self._count is None:
            return super().__getitem__(key)
        found = self._array()[key]
        return [self._shown(item) for item in found] if isinstance(key, slice) else self._shown(found)

    def _shown(self, item: Any) -> Any:
        return item

    def to_list(self) -> list[Any]:
        """The elements."""
        return list(self)

    def to_tuple(self) -> tuple[Any, ...]:
        """The elements."""
        return tuple(self)


class ListOfBytes(_List):
    """A C array ``const char*[]`` of ``bytes``; None is a null (HIP Python, "List Types")."""

    _element = ctypes.c_char_p

    def _value(self, item: Any) -> tuple[Any, Any]:
        if item is None or isinstance(item, bytes):
            return item, None  # ctypes' array holds them
        advice = "item.encode() makes bytes of text" if isinstance(item, str) else ""
        raise Mismatch(ArgumentError, "bytes or None", value_words(item), advice)


class ListOfPointer(_List):
    """A C array ``void*[]`` of whatever a ``Pointer`` takes (HIP Python, "List Types")."""

    _element = ctypes.c_void_p

    def _value(self, item: Any) -> tuple[Any, Any]:
        try:
            found = pointing(item)
            _native.raise_version(found[1])  # C may write to a tensor that autograd needs
            return found
        except Error as error:
            raise getattr(error, "mismatches", (error,))[0] from error.__cause__

    def _shown(self, item: Any) -> Any:
        return _native.Pointer(item or 0, self.owner)


class _Integers(_List):
    """A C array of one integer type."""

    _ends = 0

    _scalar: ClassVar[Scalar]

    def _value(self, item: Any) -> tuple[Any, Any]:
        if isinstance(item, C_NUMBER) and item._type_ in _INTEGER_CODES:
            item = item.value
        if not isinstance(item, int | np.integer):
            raise Mismatch(ArgumentError, f"an integer ({self._words()})", value_words(item))
        number, limits = index(item), np.iinfo(self._scalar.dtype)
        if not limits.min <= number <= limits.max:
            expected = f"an integer from {limits.min} to {limits.max} ({self._words()})"
            raise Mismatch(RangeError, expected, value_words(item))
        return number, None

    @classmethod
    def _words(cls) -> str:
        return f"C's {_SPELLED.get(cls._element.__name__, cls._scalar.name)}"

    def _check(self, obj: Any) -> None:
        if stands(obj):
            return
        with words_of(type(self)):
            seen = shown_view(obj)
        if seen is None or (isinstance(seen.type, Scalar) and _alike(seen.type, self._scalar)):
            return
        raise ArrayError(
            f"{type(self).__name__}(): expected elements of {self._scalar} ({self._words()}), got {seen.dtype_name}. "
            "Pointer(x) takes the address of any elements"
        )


def _alike(one: Scalar, other: Scalar) -> bool:
    return one.dtype.kind == other.dtype.kind and one.dtype.itemsize == other.dtype.itemsize


def _integers(name: str, element: Any) -> type[_Integers]:
    size = ctypes.sizeof(element) * 8
    scalar = SCALARS[f"{'int' if element(-1).value < 0 else 'uint'}{size}"]
    words = f"{_SPELLED.get(element.__name__, scalar.name)} ({scalar})"
    doc = f'A C array of {words} from a list or tuple of integers (HIP Python, "List Types").'
    space = {"_element": element, "_scalar": scalar, "__doc__": doc, "__module__": __name__}
    return type(name, (_Integers,), space)


ListOfInt = _integers("ListOfInt", ctypes.c_int)
ListOfUnsigned = _integers("ListOfUnsigned", ctypes.c_uint)
ListOfLong = _integers("ListOfLong", ctypes.c_long)
ListOfUnsignedLong = _integers("ListOfUnsignedLong", ctypes.c_ulong)
ListOfInt64 = _integers("ListOfInt64", ctypes.c_int64)
ListOfUInt64 = _integers("ListOfUInt64", ctypes.c_uint64)
