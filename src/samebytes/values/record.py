"""Mutable records: C++ structs bound from a header, owning their memory or viewing their parent's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, ClassVar

from .. import _native
from ..errors import CONST_OBJECT, COPIED
from ..layouts.notebook import Notebook
from ..types import CArray, Named, Struct, unqualified
from . import counted
from .adopting import adopt
from .array_views import array_views
from .building import (
    Ready,
    as_converted,
    build,
    changed,
    convert_one,
    descriptors,
    field_names,
    has_counted,
    other_names,
    struct_of,
    with_other_names,
)
from .codecs import Resolve
from .constants import guarded
from .conversion import structs
from .dtypes import ClassDtype, ClassFormat
from .fields import descriptor, field_text, field_values, has_compared_fields, iterated_fields, known_name
from .overriding import is_own
from .pointed import Records, pointed_fields
from .record_type import RecordType, has_own, present, set_own
from .struct_value import StructValue, complete_class, no_number, picklable_bytes, value_class
from .texts import measured_fields, with_lengths
from .value_classes import ValueClass, add_values, known_value_class


class StructRecord(_native.Record, metaclass=RecordType):
    """What all record classes share.

    ``.value`` (or ``__samebytes_value__``, should a field be called so) is the immutable struct. Nested
    records and C arrays are views: writing to them writes to this record, and they keep it alive.
    """

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]
    __samebytes_type__: ClassVar[Struct]
    __samebytes_codec__: ClassVar[_native.Codec]
    __samebytes_value_class__: ClassVar[Any] = ValueClass()
    __samebytes_bases__: ClassVar[dict[str, int]] = {}
    dtype: ClassVar[Any] = ClassDtype()
    __numpy_dtype__: ClassVar[Any] = ClassDtype()
    __samebytes_format__: ClassVar[Any] = ClassFormat()
    # (name, bytes of an instance or None for the class) -> what __reduce__ gives
    __samebytes_restore__: ClassVar[Callable[[str, bytes | None], tuple[Any, ...]] | None] = None
    _repr_html_: ClassVar[Notebook] = Notebook()

    def __dir__(self) -> list[str]:
        return present(type(self), super().__dir__())

    def __iter__(self) -> Iterator[Any]:
        return iterated_fields(self)

    def __eq__(self, other: object) -> bool:
        if not _is_same(type(self), other):
            return NotImplemented
        if not has_compared_fields(self.__samebytes_type__):  # then two objects are equal that are one
            return (
                structs.address_of(self) == structs.address_of(other)
                if isinstance(other, StructRecord)
                else NotImplemented
            )
        return field_values(_value(self)) == field_values(_value(other))

    def __int__(self) -> int:
        # As for StructValue: int() would read the bytes of the buffer as text.
        raise no_number(type(self))

    __float__ = __int__

    def __repr__(self) -> str:
        text = field_text(_value(self))
        return f"{type(self).__name__}{text.removeprefix(self.__samebytes_value_class__.__name__)}"

    def __reduce__(self) -> tuple[Any, ...]:
        cls, data = type(self), picklable_bytes(self)
        restore = cls.__samebytes_restore__ if is_own(cls) else None
        return restore(cls.__samebytes_type__.name, data) if restore else (_restore, (cls, data))

    def __copy__(self) -> Any:
        return _made(type(self), changed(self, self.__samebytes_type__, {}))

    def __deepcopy__(self, memo: Any) -> Any:
        return StructRecord.__copy__(self)

    def __replace__(self, **changes: Any) -> Any:
        return _made(type(self), changed(self, self.__samebytes_type__, changes))

    def replace(self, **changes: Any) -> Any:
        """A copy with some fields changed, by name."""
        return StructRecord.__replace__(self, **changes)

    def __getitem__(self, name: str | int) -> Any:
        return descriptor(type(self), known_name(self, name)).__get__(self)

    def __setitem__(self, name: str | int, value: Any) -> None:
        if has_own(type(self), "__getitem__"):  # what C++'s [] gives is no field
            words = "in C++ its operator[] gives nothing to assign to; fields are attributes"
            raise TypeError(f"{type(self).__name__!r} object does not support item assignment: {words}")
        descriptor(type(self), known_name(self, name)).__set__(self, value)

    def keys(self) -> tuple[str, ...]:
        """The fields' names in order; ``record[name]`` or ``record[0]`` is a field, ``dict(record)`` has all."""
        return tuple(field_names(type(self).__samebytes_type__).values())

    @classmethod
    def PROPERTIES(cls) -> tuple[str, ...]:  # noqa: N802
        """The fields' names in order, under HIP Python's name."""
        return tuple(field_names(cls.__samebytes_type__).values())

    @classmethod
    def c_sizeof(cls) -> int:
        """``sizeof`` in C++: bytes."""
        return cls.__samebytes_codec__.size

    @classmethod
    def fromObj(cls, obj: Any) -> Any:  # noqa: N802
        """A record that *is* the memory of an object, which it keeps alive; None for null.

        Parameters
        ----------
        obj : int, Pointer, ctypes pointer, record, or an object with a writable buffer
            A buffer must have at least ``c_sizeof()`` bytes; an address is believed.

        Raises
        ------
        ArgumentError, ArrayError
            If the memory is read-only, too small, not contiguous, not aligned, or no memory of the host.
        """
        return adopt(cls, obj)

    @property
    def __samebytes_value__(self) -> Any:
        return _value(self)

    @property
    def value(self) -> Any:
        """The immutable struct: a copy of the fields as they are now."""
        return _value(self)

    @classmethod
    def __samebytes_convert__(cls, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if len(args) == 1 and not kwargs and _is_same(cls, args[0]):
            return as_converted(changed(args[0], cls.__samebytes_type__, {}))  # C++'s copy
        return build(cls, cls.__samebytes_type__, args, kwargs, None)

    @classmethod
    def __samebytes_convert_field__(cls, name: str, value: Any) -> Any:
        return convert_one(cls, struct_of(cls, name), name, value)

    @classmethod
    def __samebytes_copied__(cls, name: str) -> None:
        raise AttributeError(f"field {name!r} of {cls.__name__} cannot be changed. {COPIED}")

    @classmethod
    def __samebytes_constant__(cls, name: str) -> None:
        raise AttributeError(f"field {name!r} of {cls.__name__} cannot be changed: {CONST_OBJECT}")

    @classmethod
    def __samebytes_readonly__(cls, name: str) -> None:
        raise AttributeError(f"field {name!r} of {cls.__name__} cannot be deleted")


def _is_same(cls: Any, other: Any) -> bool:
    """Whether an object is a record of the same C++ struct, or a value of it, of whatever Python class."""
    described = getattr(type(other), "__samebytes_codec__", None)
    return described is cls.__samebytes_codec__ or type(other) is known_value_class(cls)


def identity_hash(record: Any) -> int:
    """Of an object that is equal to itself alone: the same through all views of it."""
    cls: Any = type(record)
    if cls.__eq__ is not StructRecord.__eq__ or has_compared_fields(cls.__samebytes_type__):
        raise TypeError(f"unhashable type: {cls.__name__!r}")
    return address_hash(record)


def address_hash(record: Any) -> int:
    """The hash of where an object lies."""
    return hash(structs.address_of(record))


def _value(instance: Any) -> Any:
    if isinstance(instance, StructValue):
        return instance
    return instance.__samebytes_value_class__(changed(instance, instance.__samebytes_type__, {}))


def _made(cls: Any, ready: Ready) -> Any:
    """A record from its bytes; the constructors that C++ may have do not run."""
    return cls.__samebytes_make__(as_converted(ready))


def _restore(cls: Any, data: bytes) -> Any:
    return _made(cls, Ready(data))


def _value_of(record: Any) -> Any:
    return record.__samebytes_value__


# --- the classes ---


def record_class(
    struct: Struct,
    module: str,
    resolve: Resolve | None = None,
    bases: tuple[type, ...] = (),
    records: Records | None = None,
) -> Any:
    """The mutable class of a C++ struct.

    Parameters
    ----------
    struct : Struct
        With ``fixed`` extents and offsets, as read from a header.
    module : str
        The ``__module__`` of the class.
    resolve : callable, optional
        The classes of nested structs and enumerations, and of records known by name, as for
        :func:`samebytes.values.codecs.codec`; without it, each description's ``python``.
    bases : tuple of type
        The record classes of its C++ bases.
    records : callable, optional
        The classes of records by their names: fields that point to one are read as views of what they point to.
        Without it they are read as pointers.

    Returns
    -------
    type
        ``cls()`` is zero-filled; fields that the constructor is not given are zero. Its
        ``__samebytes_type__`` is the description with the class as its ``python``.
    """

    made: Any = None

    def python(type_: Any) -> type | None:
        if isinstance(type_, Named) and type_.name == struct.name:
            return made  # type: ignore[no-any-return]
        return (resolve(type_) if resolve else None) or getattr(type_, "python", None)

    bases = bases or (StructRecord,)
    made = type(bases[-1])(
        struct.short_name or "record",
        bases,
        {"__slots__": (), "__module__": module, "__samebytes_type__": struct},
    )
    struct = with_lengths(struct)
    fields = descriptors(struct, python)
    texts = measured_fields(struct, fields, python)
    places = {} if records is None else pointed_fields(struct, fields, records)
    several = (
        {} if records is None or not has_counted(struct) else counted.counted_fields(struct, fields, records)
    )
    views = array_views(struct, fields, python)
    shown = guarded(struct, {**fields, **views, **places, **texts, **several})
    for name, field in with_other_names(struct, shown).items():
        set_own(made, name, field)
    made.__doc__ = struct.doc or f"The C++ struct {struct.name}."
    setattr(made, "__match_args__", tuple(field_names(struct).values()))  # noqa: B010
    complete_class(made, struct, python)
    if not has_compared_fields(made.__samebytes_type__):
        made.__hash__ = identity_hash
    add_values(made, partial(_value_class, struct, module, made, python), partial(_inside, struct, python))
    return made


def _inside(struct: Struct, python: Callable[[Any], Any]) -> Iterator[type]:
    """The classes of the records in a struct."""
    for field in struct.fields:
        type_ = unqualified(field.type)
        while isinstance(type_, CArray):
            type_ = unqualified(type_.element)
        if isinstance(type_, Struct) and isinstance(cls := python(type_), type):
            yield cls


def _value_class(struct: Struct, module: str, record: Any, python: Callable[[Any], Any]) -> Any:
    """The class of ``record.value``: nested records are values, too, and it pickles by way of the record."""

    def inner(type_: Any) -> Any:
        found = python(type_)
        return found if found is record else getattr(found, "__samebytes_value_class__", found)

    made = value_class(struct, module, inner)
    texts = measured_fields(struct, descriptors(struct, inner), inner)
    for name, field in with_other_names(struct, {**vars(made), **texts}).items():
        if name in texts or name in other_names(struct):
            set_own(made, name, field)
    made.__reduce__ = lambda self: (_value_of, (_made(record, changed(self, struct, {})),))
    # Whose class it is, so that another library's of its name is compared with all that is known of both.
    made.__samebytes_linker__ = getattr(record, "__samebytes_linker__", None)
    made.__samebytes_codec__.accept(record)
    record.__samebytes_codec__.accept(made)
    return made


__all__ = ["StructRecord", "record_class"]
