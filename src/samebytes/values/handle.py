"""The Python classes of handles: C++ objects that are no bytes, with their public fields as views and numbers."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, ClassVar, Self

from .. import _native
from ..errors import COPIED, ArgumentError, IntentError, plain_error
from ..types import CArray, Handle, Struct, Type, unqualified
from . import counted
from .array_views import array_views
from .building import convert_one, descriptors, field_names, has_counted, struct_of, with_other_names
from .codecs import handle_codec
from .constants import guarded
from .ending import check_owned, delete, gone_words, is_gone
from .overriding import is_own
from .pointed import Records, pointed_fields
from .record import record_class
from .record_type import RecordType, present, set_own
from .texts import measured_fields, with_lengths


class CxxHandle(_native.Handle, metaclass=RecordType):
    """What all classes of handles share: C++ makes, copies and destroys the object; Python holds it, or views it."""

    __slots__ = ()
    __samebytes_type__: ClassVar[Handle]
    __samebytes_codec__: ClassVar[_native.Codec]
    __samebytes_bases__: ClassVar[dict[str, int]] = {}
    __samebytes_restore__: ClassVar[Callable[[str, bytes | None], tuple[Any, ...]] | None] = None

    def __dir__(self) -> list[str]:
        return present(type(self), super().__dir__())

    def __repr__(self) -> str:
        cls, const = type(self), "const " if self.__samebytes_const__ else ""
        return f"<{const}{cls.__module__}.{cls.__qualname__} at {self.__samebytes_address__:#x}>"

    def __copy__(self) -> Any:
        cls = type(self)
        if not cls.__samebytes_type__.copyable:
            raise plain_error(
                ArgumentError, cls.__name__, "cannot copy: C++ only moves such objects, or not even that"
            )
        if is_own(cls):
            return cls(self)
        made = cls.__new__(cls, self)  # and no __init__ of Python's
        if made.__samebytes_pending__:
            _native.Handle.__init__(made, self)
        _native.attributes(made).update(_native.attributes(self))
        return made

    def __deepcopy__(self, memo: Any) -> Any:
        made = CxxHandle.__copy__(self)
        if not is_own(type(self)):
            memo[id(self)] = made  # what it keeps may refer to it
            _native.attributes(made).update(copy.deepcopy(_native.attributes(self), memo))
        return made

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError(f"cannot pickle {type(self).__name__}: it is a C++ object and no bytes")

    def __enter__(self) -> Self:
        check_owned(self)
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if is_gone(self):
            return
        try:
            delete(self)
        except IntentError as refused:
            if error is None:
                raise
            error.add_note(f"The object of the with statement was not ended: {refused}")

    @classmethod
    def __samebytes_convert__(cls, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        raise plain_error(ArgumentError, cls.__name__, f"makes no object: {cls.__samebytes_unmade__()}")

    @classmethod
    def __samebytes_unmade__(cls) -> str:
        """Why Python makes no objects of a class without a constructor."""
        type_ = cls.__samebytes_type__
        if type_.abstract:
            missing = ", ".join(str(v) for v in type_.virtuals if v.pure)
            lacks = f", as it lacks {missing}" if missing else ""
            return f"it is abstract{lacks}: C++ makes only objects of classes derived from it"
        if not type_.destructible:
            return "its destructor is not public, so only C++ makes and destroys one"
        return str(vars(cls).get("__samebytes_unread__", "it has no constructor that Python could call"))

    @classmethod
    def __samebytes_convert_field__(cls, name: str, value: Any) -> Any:
        struct = struct_of(cls, name)
        field = next(f for f in struct.fields if f.name == name)
        if (what := owned_by_cxx(field.type)) is not None:
            raise plain_error(ArgumentError, cls.__name__, f"field {name!r} is {what}")
        return convert_one(cls, struct, name, value)

    @classmethod
    def __samebytes_gone__(cls, name: str, why: str) -> None:
        raise plain_error(IntentError, cls.__name__, f"field {name!r} {gone_words(why)}")

    @classmethod
    def __samebytes_copied__(cls, name: str) -> None:
        raise AttributeError(f"field {name!r} of {cls.__name__} cannot be changed. {COPIED}")

    @classmethod
    def __samebytes_readonly__(cls, name: str) -> None:
        raise AttributeError(
            f"field {name!r} of {cls.__name__} cannot be changed: C++ gave the object as const"
        )


def base_offsets(struct: Struct, bases: dict[str, Any]) -> dict[str, int]:
    """Where an object holds each of its bases, and theirs, by qualified name; one that is there twice is left out.

    Parameters
    ----------
    bases : dict
        The classes of the direct bases, by qualified name.
    """
    found: dict[str, list[int]] = {}
    for base in struct.bases:
        if base.virtual:
            continue
        found.setdefault(base.name, []).append(base.offset)
        inner = getattr(bases.get(base.name), "__samebytes_bases__", {})
        for name, offset in inner.items():
            found.setdefault(name, []).append(base.offset + offset)
    return {n: places[0] for n, places in found.items() if len(places) == 1 and n not in struct.twice}


def owned_by_cxx(type_: Type) -> str | None:
    """What it is that Python cannot assign, in words: an object of a handle's class, or an array of them; else None."""
    element = whole = unqualified(type_)
    while isinstance(element, CArray):
        element = unqualified(element.element)
    if not isinstance(element, Handle):
        return None
    if element is whole:
        return "a C++ object: only its methods change it"
    return "an array of C++ objects: only their methods and its elements' members change it"


def object_class(
    struct: Handle, module: str, bases: tuple[type, ...] = (), records: Records | None = None
) -> Any:
    """The class of a handle.

    Parameters
    ----------
    struct : Handle
        With its fields' types linked.
    module : str
        The ``__module__`` of the class.
    bases : tuple of type
        The classes of its C++ bases.
    records : callable, optional
        The classes of objects by their names, as for :func:`samebytes.values.record.record_class`.
    """
    handles = [b for b in bases if issubclass(b, CxxHandle)]
    plain = [b for b in bases if not issubclass(b, CxxHandle)]
    # Handles come first, so that what destroys the object is theirs.
    made: Any = RecordType(
        struct.short_name,
        (*(handles or [CxxHandle]), *plain),
        {"__slots__": (), "__module__": module, "__samebytes_type__": struct},
    )
    struct = with_lengths(struct)
    fields = descriptors(struct, None)
    texts = measured_fields(struct, fields, None)
    views = array_views(struct, fields, lambda type_: getattr(type_, "python", None), _window(module))
    places = {} if records is None else pointed_fields(struct, fields, records)
    several = (
        {} if records is None or not has_counted(struct) else counted.counted_fields(struct, fields, records)
    )
    shown = guarded(struct, {**fields, **views, **places, **texts, **several})
    for name, field in with_other_names(struct, shown).items():
        set_own(made, name, field)
    made.__doc__ = struct.doc or f"The C++ class {struct.name}."
    setattr(made, "__match_args__", tuple(field_names(struct).values()))  # noqa: B010
    made.__samebytes_type__, made.__samebytes_codec__ = handle_codec(struct, made)
    return made


def _window(module: str) -> Callable[[CArray, int], Callable[[Any], Any]]:
    """Shows the bytes of one C array of a handle, which shows none of its own."""

    def window(array: CArray, offset: int) -> Callable[[Any], Any]:
        from ..layouts.dialects import layout
        from ..types import Extent, Field

        facts = layout(array)
        whole = Struct("array", (Field("items", array, 0),), fixed=Extent(facts.size, facts.align))
        record = record_class(whole, module)
        return lambda handle: record.__samebytes_view__(handle.__samebytes_address__ + offset, handle)

    return window
