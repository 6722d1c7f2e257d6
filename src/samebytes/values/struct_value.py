"""Values of structs: what all immutable struct classes share, and the classes of structs that C++ declares."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Self

from .. import _native
from ..errors import Error
from ..later import at_first_use
from ..layouts import has_pointers
from ..layouts.notebook import Notebook
from ..types import CArray, Struct, unqualified
from .building import Ready, build, changed, descriptors, field_names, with_other_names
from .codecs import Resolve, struct_codec
from .conversion import Packed
from .dtypes import ClassDtype, ClassFormat, NumbaExtensions
from .fields import field_text, field_values, has_compared_fields, iterated_fields

as_arrays: Any = at_first_use("samebytes.values.as_arrays")
device_structs: Any = at_first_use("samebytes.values.device_structs")


class FieldsSignature:
    """What ``inspect.signature`` says of a class: its fields, in order; ``...`` stands for a default."""

    def __get__(self, instance: Any, owner: Any) -> inspect.Signature:
        if not hasattr(owner, "__samebytes_type__"):
            raise AttributeError("__signature__")
        needed = inspect.Parameter.empty
        struct, known = owner.__samebytes_type__, owner.__samebytes_defaults__
        shown = [(n, ... if field in known else needed) for field, n in field_names(struct).items()]

        def all_of(kind: Any) -> inspect.Signature:
            return inspect.Signature([inspect.Parameter(n, kind, default=default) for n, default in shown])

        try:
            return all_of(inspect.Parameter.POSITIONAL_OR_KEYWORD)
        except ValueError:  # one without a default behind one with it: by name only
            return all_of(inspect.Parameter.KEYWORD_ONLY)


class StructValue(_native.Value):
    """What all immutable struct classes share.

    A value is its bytes: ``bytes(v)`` is the machine representation in dialect ``cxx``, and ``memoryview(v)``
    shows it as one element of format ``T{...}``: ``np.asarray(v)`` is a structured array. Equality and
    hash go by field. Iteration gives the fields in order.
    """

    __slots__ = ()
    __samebytes_type__: ClassVar[Struct]
    __samebytes_defaults__: ClassVar[Mapping[str, Packed]] = {}
    dtype: ClassVar[Any] = ClassDtype()
    __numpy_dtype__: ClassVar[Any] = ClassDtype()
    _numba_type_: ClassVar[Any] = NumbaExtensions()
    __samebytes_format__: ClassVar[Any] = ClassFormat()
    _repr_html_: ClassVar[Notebook] = Notebook()
    __signature__: ClassVar[Any] = FieldsSignature()

    def __iter__(self) -> Iterator[Any]:
        return iterated_fields(self)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other) or not has_compared_fields(self.__samebytes_type__):
            return NotImplemented
        return field_values(self) == field_values(other)

    def __hash__(self) -> int:
        if not has_compared_fields(self.__samebytes_type__):
            return object.__hash__(self)
        return hash((type(self), field_values(self)))

    def __repr__(self) -> str:
        return field_text(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), picklable_bytes(self))

    def __int__(self) -> int:
        # Without it int() would read the bytes of the buffer as text.
        raise no_number(type(self))

    __float__ = __int__

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        return self

    def __replace__(self, **changes: Any) -> Any:
        try:
            return type(self)(changed(self, self.__samebytes_type__, changes))
        except Error:
            if (cls := device_structs.device_class(type(self), changes.values())) is None:
                raise
            return cls(**{n: getattr(self, n) for n in cls.__match_args__} | changes)

    def replace(self, **changes: Any) -> Any:
        """A copy with some fields changed, by name: ``p.replace(x=3)``."""
        return StructValue.__replace__(self, **changes)

    @classmethod
    def __samebytes_convert__(cls, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        try:
            return build(cls, cls.__samebytes_type__, args, kwargs, cls.__samebytes_defaults__)
        except Error:
            if (other := device_structs.device_class(cls, (*args, *kwargs.values()))) is None:
                raise
            return other(*args, **kwargs)

    @classmethod
    def __samebytes_readonly__(cls, name: str) -> None:
        raise AttributeError(f"{cls.__name__} is immutable: .replace({name}=...) makes a changed copy")


def no_number(cls: type) -> TypeError:
    """The error of whoever takes an object for a number, NumPy among them, where it stores an element."""
    return TypeError(
        f"{cls.__name__} is no single number: take a field. To an element of an array goes np.asarray(x), and "
        f"np.stack([np.asarray(x) for x in xs]) is an array of a list of them"
    )


def picklable_bytes(instance: Any) -> bytes:
    """The bytes of an instance that mean the same in another process."""
    if has_pointers(instance.__samebytes_type__):
        raise TypeError(f"cannot pickle {type(instance).__name__}: it holds addresses of this process")
    return bytes(memoryview(instance))


def _restore(cls: Any, data: bytes) -> Any:
    return cls(Ready(data))


def _holds_arrays(struct: Struct) -> bool:
    """Whether a struct has an array, or has a struct that has one."""
    for field in struct.fields:
        type_ = unqualified(field.type)
        if isinstance(type_, CArray) or (isinstance(type_, Struct) and _holds_arrays(type_)):
            return True
    return False


def _as_array(self: Any, dtype: Any = None, copy: bool | None = None) -> Any:
    return as_arrays.as_array(self, dtype, copy)


def complete_class(cls: Any, struct: Struct, resolve: Resolve | None = None) -> None:
    """Give a new Value or Record class its codec and type."""
    cls.__samebytes_type__ = replace(struct, python=cls)
    cls.__samebytes_codec__ = struct_codec(struct, cls, "cxx", resolve)
    if _holds_arrays(struct):
        cls.__array__ = _as_array


def value_class(struct: Struct, module: str, resolve: Resolve | None = None) -> Any:
    """An immutable class for a struct that was not declared in Python.

    Parameters
    ----------
    struct : Struct
    module : str
        The ``__module__`` of the class.
    resolve : callable, optional
        The classes of nested structs and enumerations, as for :func:`samebytes.values.codecs.codec`.
    """
    members = {
        "__slots__": (),
        "__module__": module,
        "__doc__": struct.doc or f"A value of the C++ struct {struct.name}.",
        "__match_args__": tuple(field_names(struct).values()),
        **with_other_names(struct, descriptors(struct, resolve)),
    }
    made = type(struct.short_name, (StructValue,), members)
    complete_class(made, struct, resolve)
    return made
