"""Structs that end in an array without a length: each number of elements is a class of its own, ``path[3]``."""

from __future__ import annotations

import copyreg
from collections.abc import Mapping, Sized
from dataclasses import replace
from operator import index
from typing import Any, ClassVar, TypeVar

from .. import _native
from ..errors import ArgumentError, ArrayError, RangeError, count_error, plain_error, value_words
from ..layouts import compute
from ..layouts.dialects import find_dialect
from ..types import Base, CArray, Extent, Field, FlexibleArray, Struct, Type, unqualified
from .building import field_names
from .conversion import structs
from .record import StructRecord, record_class
from .record_type import RecordType, set_own
from .struct_value import picklable_bytes

T = TypeVar("T")
_MOST = 2**47  # bytes: no object of a process has more


class FlexibleType(RecordType):
    """The class of such classes: ``path[3]`` is that of objects with three elements."""

    def __getitem__(cls: type[T], count: Any) -> type[T]:  # noqa: N805
        if cls.__samebytes_count__ is not None:  # type: ignore[attr-defined]
            raise TypeError(f"{cls.__name__} has its number of elements already")
        return _sized(cls, _number_of(cls, count))  # type: ignore[no-any-return]


copyreg.pickle(FlexibleType, copyreg.dispatch_table[RecordType])


class FlexibleRecord(StructRecord, metaclass=FlexibleType):
    """What the classes of such structs share; those with elements derive from the one without.

    An object that C++ shows is of the class without a number: a member that counts says how many elements it has
    (``counts=``), else nothing does. One that Python makes has its own bytes, and its class says how many.
    """

    __slots__ = ()
    __samebytes_count__: ClassVar[int | None] = None
    __samebytes_flexible__: ClassVar[FlexibleArray]
    # By number of elements; of each class that Python derives, too.
    __samebytes_sized__: ClassVar[dict[int, Any]]

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls.__samebytes_count__ is not None:
            return _of_fields(cls, args, kwargs)
        if len(args) == 1 and not kwargs and isinstance(args[0], cls):
            return args[0].__copy__()
        return _with_given_elements(cls, args, kwargs)

    def __copy__(self) -> Any:
        return StructRecord.__copy__(_whole(self, "__copy__"))

    def __deepcopy__(self, memo: Any) -> Any:
        return self.__copy__()

    def __replace__(self, **changes: Any) -> Any:
        return StructRecord.__replace__(_whole(self, "replace"), **changes)

    def replace(self, **changes: Any) -> Any:
        """A copy with some fields changed, by name; it has the same elements."""
        return self.__replace__(**changes)

    def __reduce__(self) -> tuple[Any, ...]:
        whole = _whole(self, "__reduce__")
        return _restore, (type(whole).__mro__[1], whole.__samebytes_count__, picklable_bytes(whole))

    @property
    def __samebytes_value__(self) -> Any:
        return StructRecord.__samebytes_value__.fget(_whole(self, "value"))  # type: ignore[attr-defined]

    @property
    def value(self) -> Any:
        """The immutable struct: a copy of the fields and the elements as they are now."""
        return self.__samebytes_value__

    @classmethod
    def fromObj(cls, obj: Any) -> Any:  # noqa: N802
        """A record that *is* the memory of an object; one of C++'s without a number is believed to have as many."""
        if cls.__samebytes_count__ is None or not _is_unsized(cls, obj):
            return super().fromObj(obj)
        _check_room(obj, cls)
        return cls.__samebytes_view__(structs.address_of(obj), obj)


def _is_unsized(cls: Any, obj: Any) -> bool:
    """Whether an object is of the same struct as a class, and its own class says no number of elements."""
    flexible = isinstance(obj, FlexibleRecord) and obj.__samebytes_count__ is None
    return flexible and obj.__samebytes_flexible__ is cls.__samebytes_flexible__


class Elements:
    """Reads the elements of an object, as many as there are, and sets as many; else where they begin."""

    __slots__ = ("_name", "_offset")

    def __init__(self, name: str, offset: int) -> None:
        self._name, self._offset = name, offset

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        whole = with_elements(instance)
        if whole is None:
            levels = int(_native.is_const(instance))
            return _native.Pointer._behind(structs.address_of(instance) + self._offset, instance, levels)
        return getattr(whole, self._name) if whole.__samebytes_count__ else ()

    def __set__(self, instance: Any, value: object) -> None:
        whole = _whole(instance, self._name)
        if whole.__samebytes_count__:
            setattr(whole, self._name, value)
        elif not isinstance(value, Sized) or len(value):
            raise ArgumentError(
                f"{type(instance).__name__}.{self._name}: expected no elements, got {value_words(value)}"
            )

    def __delete__(self, instance: Any) -> None:
        type(instance).__samebytes_readonly__(self._name)


def with_elements(instance: Any) -> Any:
    """An object as one of the class that has its elements; None: nothing says how many.

    Raises
    ------
    RangeError
        If the member that counts is negative, or says more than there is in the memory that a buffer showed.
    """
    cls = type(instance)
    if cls.__samebytes_count__ is not None:
        return instance
    tail: FlexibleArray = cls.__samebytes_flexible__
    if not tail.counted:
        return None
    counting = _python(cls, tail.counted)
    count = int(getattr(instance, counting))
    if count < 0:
        raise count_error(f"{cls.__name__}.{tail.name}", counting, count)
    sized = _sized(cls, count)
    _check_room(instance, sized)
    return sized.__samebytes_view__(structs.address_of(instance), instance)


def _check_room(instance: Any, sized: Any) -> None:
    """Raise if the memory that a buffer showed has not so many elements; what C++ has is believed."""
    owner, tail = instance.__samebytes_owner__, sized.__samebytes_flexible__
    needed = tail.offset + sized.__samebytes_count__ * _step(tail)
    if isinstance(owner, memoryview) and owner.nbytes < needed:
        words = f"cannot have {sized.__samebytes_count__} elements: its memory has {owner.nbytes} bytes, not {needed}"
        raise RangeError(f"{type(instance).__name__}.{tail.name} {words}")


def _whole(instance: Any, what: str) -> Any:
    """The same where an object's elements have to be known."""
    whole = with_elements(instance)
    if whole is not None:
        return whole
    cls, tail = type(instance), instance.__samebytes_flexible__
    name = cls.__samebytes_type__.name
    raise ArrayError(
        f"{cls.__name__}.{what}: "
        f"nothing says how many elements {tail.name!r} has. {cls.__name__}[n].fromObj(x) is x with n of them; "
        f'counts={{"{name}::{tail.name}": ...}} names the member that counts them'
    )


def _python(cls: Any, name: str) -> str:
    """A field's name in Python."""
    return field_names(cls.__samebytes_type__)[name]


def _step(tail: FlexibleArray) -> int:
    """Bytes from one element to the next."""
    return compute(unqualified(tail.element), find_dialect("cxx")).size


# --- the classes ---


def flexible_class(struct: Struct, module: str, bases: tuple[type, ...] = (), **options: Any) -> Any:
    """The class of a struct that ends in an array without a length; parameters are those of :func:`record_class`.

    Returns
    -------
    type
        ``cls[n]`` derives from it: that of objects with ``n`` elements.
    """
    tail = struct.flexible
    assert tail is not None
    made = record_class(struct, module, bases=(*bases, FlexibleRecord), **options)
    made.__samebytes_flexible__, made.__samebytes_sized__ = tail, {}

    def of_count(count: int) -> Any:
        sized = record_class(_with_elements(struct, tail, count), module, bases=(made,), **options)
        sized.__samebytes_count__ = count
        sized.__samebytes_bases__ = {**made.__samebytes_bases__, struct.name: 0}
        sized.__samebytes_direct__ = {struct.name: made}
        sized.__qualname__ = f"{made.__qualname__}[{count}]"
        return sized

    made.__samebytes_of_count__ = staticmethod(of_count)
    set_own(made, tail.name, Elements(tail.name, tail.offset))
    return made


def _with_elements(struct: Struct, tail: FlexibleArray, count: int) -> Struct:
    """The struct that has so many elements in the place of its array without a length."""
    fixed = struct.fixed
    assert fixed is not None
    end = tail.offset + count * _step(tail)
    whole = Extent(max(fixed.size, -(-end // fixed.align) * fixed.align), fixed.align)
    inner: Type = unqualified(tail.element)
    several = isinstance(inner, CArray)
    array = CArray(inner.element, (count, *inner.shape)) if several else CArray(tail.element, (count,))  # type: ignore[attr-defined]
    elements = (Field(tail.name, array, tail.offset),) if count else ()
    return replace(
        struct, name=f"{struct.name}[{count}]", fields=(*struct.fields, *elements), fixed=whole,
        complete=tail.alone, bases=(Base(struct.name, 0),), flexible=None, python=None,
    )  # fmt: skip


def _sized(cls: Any, count: int) -> Any:
    """The class of those objects of a class that have so many elements."""
    known = vars(cls).get("__samebytes_sized__")
    if known is None:
        known = cls.__samebytes_sized__ = {}
    if count not in known:
        made = cls.__samebytes_of_count__(count)
        own = "__samebytes_of_count__" in vars(cls)
        made = (
            made
            if own
            else type(cls)(f"{cls.__name__}[{count}]", (cls, made), {"__module__": cls.__module__})
        )
        known.setdefault(count, made)  # another thread's may be there
    return known[count]


def _number_of(cls: Any, count: Any) -> int:
    """A number of elements."""
    tail: FlexibleArray = cls.__samebytes_flexible__
    try:
        number = index(count)
    except TypeError:
        number = -1
    if isinstance(count, bool) or not 0 <= number <= _MOST // _step(tail):
        words = f"expected the number of elements of {tail.name!r}, 0 or more, got {value_words(count)}"
        raise plain_error(RangeError, f"{cls.__name__}[n]", words)
    return number


# --- objects ---


def _with_given_elements(cls: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """An object with the elements that are given, or with as many as the member that counts is given as."""
    struct: Struct = cls.__samebytes_type__
    tail: FlexibleArray = cls.__samebytes_flexible__
    names = [*field_names(struct).values(), tail.name]
    given = dict(zip(names, args, strict=False))
    if len(args) > len(names) or not struct.aggregate or not given.keys().isdisjoint(kwargs):
        return _sized(cls, 0)(*args, **kwargs)  # which words it, or asks C++'s constructor
    given |= kwargs
    counting = _python(cls, tail.counted) if tail.counted else ""
    if not counting and tail.name not in given:
        words = f"lacks {tail.name!r}: {cls.__name__}[n](...) has n elements of zeros, {tail.name}=[...] gives them"
        raise plain_error(ArgumentError, cls.__name__, words)
    count = _count(cls, tail, given, counting)
    elements = given.pop(tail.name, None)
    if counting:
        given.setdefault(counting, count)
    made = _sized(cls, count)(**given)
    if count and elements is not None:
        setattr(made, tail.name, elements)
    return made


def _of_fields(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """An object of a class with elements: its fields first, which C++'s constructor may set, then the elements."""
    tail: FlexibleArray = cls.__samebytes_flexible__
    names = cls.__mro__[1].__match_args__
    *fields, elements = args if len(args) > len(names) else (*args, kwargs.pop(tail.name, None))
    made = StructRecord.__new__(cls, *fields, **kwargs)
    counting = _python(cls, tail.counted) if tail.counted else ""
    if counting and counting not in (*names[: len(fields)], *kwargs):
        setattr(made, counting, cls.__samebytes_count__)
    if elements is not None:
        Elements(tail.name, tail.offset).__set__(made, elements)
    return made


def _count(cls: Any, tail: FlexibleArray, given: Mapping[str, Any], counting: str) -> int:
    """How many elements an object has that is made of these fields."""
    said, elements = given.get(counting), given.get(tail.name)
    if elements is None:
        return 0 if said is None else _number_of(cls, said)
    if not isinstance(elements, Sized):
        words = f"{tail.name!r}: expected a list or an array of elements, got {value_words(elements)}"
        raise plain_error(ArgumentError, cls.__name__, words)
    if said is not None and said != len(elements):
        words = f"got {len(elements)} elements as {tail.name!r} and {value_words(said)} as {counting!r}, their number"
        raise plain_error(ArgumentError, cls.__name__, words)
    return len(elements)


def _restore(cls: Any, count: int, data: bytes) -> Any:
    return _sized(cls, count).__samebytes_from_buffer__(data)


__all__ = ["FlexibleRecord", "flexible_class", "with_elements"]
