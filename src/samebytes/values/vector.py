"""Vectors of one to four numbers: immutable values that are their bytes, with arithmetic by element."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from .. import _native
from ..errors import ArgumentError, Mismatch, arity_error, call_error, plain_error
from ..forks import Lock
from ..layouts import compute
from ..layouts.dialects import find_dialect
from ..layouts.notebook import Notebook
from ..types import COMPONENTS, SCALARS, Vector, as_type
from .codecs import codec, vector_codec
from .conversion import numbers
from .dtypes import ClassDtype, NumbaExtensions, VectorDtype, class_dtype
from .record_type import ANY_ARGUMENTS
from .vector_arithmetic import arithmetic, elements


class VectorValue(_native.Value):
    """What all 56 vector classes share (specification, "Vectors").

    Elements read as fixed-format numbers of the vector's own format. ``==`` and ``hash`` compare all
    elements; ``<`` and its kin give a NumPy array of bool. Arithmetic with another format has the result that
    :func:`samebytes.result_type` says, and NumPy's where that is not defined. ``memoryview(v)`` has the
    elements' format; formats without a letter in PEP 3118 (bfloat16 and
    the 8-bit ones) give ``bytes(v)`` and ``np.asarray(v)`` only.
    """

    __slots__ = ()
    # NumPy's scalars and arrays leave operators with a vector to the vector.
    __array_ufunc__ = None
    __samebytes_type__: ClassVar[Vector]
    __signature__: ClassVar[Any] = ANY_ARGUMENTS  # elements, vectors, one sequence, one number for all
    _repr_html_: ClassVar[Notebook] = Notebook()

    @property
    def size(self) -> int:
        """The number of elements."""
        return self.__samebytes_type__.size

    dtype: ClassVar[Any] = VectorDtype()
    __numpy_dtype__: ClassVar[Any] = ClassDtype()
    _numba_type_: ClassVar[Any] = NumbaExtensions()

    def __len__(self) -> int:
        return self.__samebytes_type__.size

    def __getitem__(self, index: int) -> Any:
        place = operator.index(index)
        if not 0 <= place < len(self):
            raise IndexError(f"{type(self).__name__} index {place} is not in 0 to {len(self) - 1}")
        return elements(self)[place]

    def __setitem__(self, index: int, value: object) -> None:
        name = COMPONENTS[index] if isinstance(index, int) and 0 <= index < len(self) else "x"
        raise TypeError(f"{type(self).__name__} is immutable: v.replace({name}=...) makes a changed copy")

    def __iter__(self) -> Iterator[Any]:
        return iter(elements(self))

    def __int__(self) -> int:
        # Without it int() would read the bytes of the buffer as text.
        raise TypeError(_no_number(type(self)))

    def __float__(self) -> float:
        raise TypeError(_no_number(type(self)))

    def __bytes__(self) -> bytes:
        return elements(self).tobytes()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        if dtype is not None and np.dtype(dtype).names:  # an element of an array of vectors
            whole = np.frombuffer(bytes(self), class_dtype(type(self))).reshape(())
            return np.array(whole, dtype=dtype, copy=copy)
        return np.array(elements(self), dtype=dtype, copy=copy)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash((type(self), *self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(str, self))})"

    def __reduce__(self) -> tuple[Any, ...]:
        kind = self.__samebytes_type__
        return _restore, (kind.element.name, kind.size, bytes(self))

    def replace(self, **changes: Any) -> Any:
        """A copy with some elements changed, by name: ``v.replace(x=1)``."""
        names = COMPONENTS[: len(self)]
        for name in changes:
            if name not in names:
                raise plain_error(ArgumentError, f"{type(self).__name__}.replace", f"has no element {name!r}")
        return type(self)(*(changes.get(name, value) for name, value in zip(names, self, strict=True)))

    __replace__ = replace

    @classmethod
    def __samebytes_convert__(cls, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bytes:
        kind = cls.__samebytes_type__
        if kwargs:
            raise plain_error(ArgumentError, cls.__name__, "takes its elements by position")
        if len(args) != kind.size:
            raise arity_error(
                cls.__name__, [f"{cls.__name__}({', '.join(COMPONENTS[: kind.size])})"], len(args)
            )
        parts, mismatches = [], []
        for index, value in enumerate(args):
            try:
                parts.append(numbers.number(kind.element, value))
            except Mismatch as mismatch:
                mismatch.index, mismatch.name = index, COMPONENTS[index]
                mismatches.append(mismatch)
        if mismatches:
            raise call_error(cls.__name__, mismatches)
        return b"".join(parts)

    @classmethod
    def __samebytes_readonly__(cls, name: str) -> None:
        raise AttributeError(f"{cls.__name__} is immutable: v.replace({name}=...) makes a changed copy")


class _Element:
    """Reads one element as a fixed-format number; refuses to write it."""

    __slots__ = ("_field", "_index", "_scalar")

    def __init__(self, field: Any, scalar: Any, index: int) -> None:
        self._field = field
        self._scalar = scalar
        self._index = index

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        number = self._field.__get__(instance)
        # Python's NaN has not the payload of each format's.
        return self._scalar(number) if number == number else elements(instance)[self._index]

    def __set__(self, instance: Any, value: object) -> None:
        self._field.__set__(instance, value)

    def __delete__(self, instance: Any) -> None:
        self._field.__delete__(instance)


_classes: dict[Vector, Any] = {}
_making = Lock()


def vector_class(kind: Vector) -> Any:
    """The class of one vector type; there is one for each of the 56."""
    found = _classes.get(kind)
    if found is None:
        with _making:
            found = _classes.get(kind) or _classes.setdefault(kind, _make(kind))
    return found


def _make(kind: Vector) -> Any:
    layout = compute(kind, find_dialect("cxx"))
    scalar, inner = kind.element.numpy, codec(kind.element)
    members: dict[str, Any] = {
        place.name: _Element(_native.Field(place.name, inner, place.offset), scalar, index)
        for index, place in enumerate(layout.fields)
    }
    members |= {
        "__slots__": (),
        "__module__": "samebytes",
        "__doc__": f"{kind.size} × {kind.element}: {layout.size} bytes, aligned to {layout.align} in C++.",
        "__match_args__": COMPONENTS[: kind.size],
        "__samebytes_type__": kind,
    }
    made: Any = type(str(kind), (VectorValue,), members)
    made.__samebytes_codec__ = vector_codec(kind, made)
    return made


def vector(T: Any, size: int) -> Any:  # noqa: N803
    """The vector class of an element format and a size (specification, "Vectors").

    Parameters
    ----------
    T : type, numpy.dtype or Type
        A fixed-format number but bool and complex.
    size : int
        1 to 4.

    Raises
    ------
    TypeError
        If there is no such vector; the message lists the formats.
    """
    return vector_class(Vector(as_type(T), size))  # type: ignore[arg-type]


for _name, _method in arithmetic(VectorValue, vector_class).items():
    setattr(VectorValue, _name, _method)


def _restore(element: str, size: int, data: bytes) -> Any:
    return vector_class(Vector(SCALARS[element], size)).__samebytes_from_buffer__(data)


def _no_number(cls: type) -> str:
    name = cls.__name__
    return (
        f"{name} is no single number; v.x is one. To an element of an array of them goes tuple(v), and "
        f"np.array([tuple(v) for v in vs], {name}) is an array of a list of them"
    )
