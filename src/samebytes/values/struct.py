"""``@struct``: immutable structs that Python declares."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from types import CellType, FunctionType
from typing import Any, ClassVar, TypeVar, dataclass_transform, get_origin, overload

from .. import _native
from ..errors import OVERWHELMED, LayoutError, Mismatch
from ..layouts import as_member, compute
from ..layouts.dialects import find_dialect
from ..types import MISSING, CArray, Field, Named, Struct, Type, as_type, check_alignment, unqualified
from .building import descriptors
from .conversion import Packed, convert
from .struct_value import StructValue, complete_class

C = TypeVar("C")


@overload
def struct(cls: type[C], /) -> type[C]: ...
@overload
def struct(*, align: int | None = None) -> Callable[[type[C]], type[C]]: ...
@dataclass_transform(frozen_default=True)
def struct(cls: Any = None, /, *, align: int | None = None) -> Any:
    """Make a class of annotated fields an immutable struct with C++'s layout.

    Specification: "User-Defined Types".

    Parameters
    ----------
    cls : type
        Each annotation is a field: a number class, a vector or struct class, ``sb.carray[...]``,
        ``sb.pointer[...]``. Values are defaults. Methods are kept.
    align : int, optional
        The least alignment in bytes, a power of two.

    Returns
    -------
    type
        A new class; its ``underlying`` is the one that was decorated.

    Raises
    ------
    TypeError
        If a field has no machine representation; the message names the field.
    ValueError
        If ``align`` is no power of two.
    """
    if cls is not None and not isinstance(cls, type):
        raise TypeError(
            f"@struct decorates a class, got {cls!r}; an alignment is given as @struct(align={cls!r})"
        )
    if cls is not None and "__samebytes_type__" in vars(cls):
        raise TypeError(f"{cls.__name__} is a struct already")
    if align is not None:
        align = check_alignment(align)
    scope = sys._getframe(1).f_locals
    if cls is None:
        return lambda decorated: _make(decorated, align, scope)
    return _make(cls, align, scope)


_REFUSED = ("__init__", "__new__", "__post_init__", "__slots__", "__setattr__", "__init_subclass__")


def _make(cls: type, align: int | None, scope: Mapping[str, Any]) -> type:
    name = cls.__name__
    for word in _REFUSED:
        if word in cls.__dict__:
            raise TypeError(
                f"struct {name} defines {word}: a struct is built from its fields; use a classmethod"
            )
    bases = tuple(base for base in cls.__bases__ if base is not object)
    for base in bases:
        _check_base(name, base)
    hints = _hints(cls, scope)
    fields = tuple(Field(key, type_, default=cls.__dict__.get(key, MISSING)) for key, type_ in hints.items())
    described = Struct(name, fields, align=align, doc=cls.__doc__ or "")
    try:
        compute(described, find_dialect("cxx"))
    except LayoutError as error:
        raise TypeError(f"struct {name}: {error}") from None
    defaults = _defaults(name, fields)
    members = {key: value for key, value in cls.__dict__.items() if key not in ("__dict__", "__weakref__")}
    members |= {
        "__slots__": (),
        "__match_args__": tuple(hints),
        "__samebytes_defaults__": defaults,
        "underlying": cls,
        **descriptors(described, None),
    }
    made: Any = type(cls)(name, (*bases, StructValue), members)
    _rebind(cls, made)
    complete_class(made, described)
    return made  # type: ignore[no-any-return]


def _check_base(name: str, base: type) -> None:
    if issubclass(base, _native.Value | _native.Record):
        raise TypeError(f"struct {name} derives from {base.__name__}: write a field of that type instead")
    if base.__dictoffset__ or base.__basicsize__ != object.__basicsize__:
        raise TypeError(f"struct {name} derives from {base.__name__}, which needs __slots__ = ()")


def _hints(cls: type, scope: Mapping[str, Any]) -> dict[str, Type]:
    """The fields' types; annotations may be strings, and name the class itself where a pointer leads to it."""
    own = {cls.__name__: Named(cls.__name__)}
    names = {**vars(sys.modules.get(cls.__module__, sys)), **scope, **own, **cls.__dict__}
    found = {}
    for key, hint in inspect.get_annotations(cls).items():
        where = f"struct {cls.__name__}, field {key!r}"
        if isinstance(hint, str):
            try:
                hint = eval(hint, names)
            except OVERWHELMED:
                raise
            except Exception as error:
                raise TypeError(f"{where}: cannot evaluate the annotation {hint!r}: {error}") from None
        if ClassVar in (hint, get_origin(hint)):
            continue
        if key.startswith("__") and key.endswith("__"):
            raise TypeError(f"{where}: Python keeps names with two underscores at both ends for itself")
        found[key] = _field_type(where, hint)
    return found


def _field_type(where: str, hint: object) -> Type:
    try:
        type_ = as_type(hint)
        compute(type_, find_dialect("cxx"))
    except (TypeError, LayoutError) as error:
        raise TypeError(f"{where}: {error}") from None
    bare = unqualified(type_)
    if isinstance(bare, CArray) and bare.count == 0:
        raise TypeError(f"{where}: {bare} has no elements, and C++ has no such array")
    return type_


def _defaults(name: str, fields: tuple[Field, ...]) -> dict[str, Packed]:
    found: dict[str, Packed] = {}
    for field in fields:
        if field.default is MISSING:
            if found:
                raise TypeError(
                    f"struct {name}, field {field.name!r}: it has no default and follows one that has"
                )
            continue
        try:
            found[field.name] = convert(as_member(field.type)[0], field.default)
        except Mismatch as mismatch:
            raise TypeError(
                f"struct {name}, field {field.name!r}: the default does not fit: {mismatch}"
            ) from None
    return found


def _rebind(old: type, new: type) -> None:
    """Make zero-argument ``super()`` and ``__class__`` in methods mean the new class."""
    for member in old.__dict__.values():
        parts = (
            member,
            *(getattr(member, part, None) for part in ("__func__", "fget", "fset", "fdel", "__wrapped__")),
        )
        for function in parts:
            if isinstance(function, FunctionType):
                for cell in function.__closure__ or ():
                    _point(cell, old, new)


def _point(cell: CellType, old: type, new: type) -> None:
    try:
        if cell.cell_contents is old:
            cell.cell_contents = new
    except ValueError:  # an empty cell
        pass
