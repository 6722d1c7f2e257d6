"""Frozen records: dataclasses whose methods need no compiling, as most programs of a process use few of them.

``dataclasses`` writes each method of each class as source and compiles it while its module is imported: ten times what
the rest of a class costs, for some hundred classes. Here the methods are closures that are made when they are first
called, and fields are read when they are first asked for; ``fields``, ``replace`` and ``asdict`` know the classes.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from reprlib import recursive_repr
from types import MemberDescriptorType
from typing import Any, ClassVar, NoReturn, TypeVar, dataclass_transform, get_origin, overload

C = TypeVar("C", bound=type)
Method = Callable[..., Any]


@overload
def frozen(cls: C, /) -> C: ...


@overload
def frozen(*, slots: bool = True, eq: bool = True) -> Callable[[C], C]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: Any = None, /, *, slots: bool = True, eq: bool = True) -> Any:
    """As ``dataclasses.dataclass(frozen=True, slots=True)``: the same construction, equality, hash, text and pickles.

    Parameters
    ----------
    slots : bool
        Whether an object has slots in place of a dictionary.
    eq : bool
        Whether objects of equal fields are equal, and have one hash.

    Raises
    ------
    TypeError
        If a field is no parameter of the constructor, or one by its name only; if the class sets attributes by itself.
    """
    if cls is None:
        return lambda decorated: _made(decorated, slots, eq)
    return _made(cls, slots, eq)


def _made(cls: Any, slots: bool, eq: bool) -> Any:
    cls.__doc__ = cls.__doc__ or cls.__name__  # else dataclasses asks for its signature
    own = vars(cls)
    if "__setattr__" in own or "__delattr__" in own:
        raise TypeError(f"{cls.__name__} sets attributes by itself, which a frozen class does not")
    waiting = _Waiting(_said(cls))
    names = tuple(dict.fromkeys((*(n for base in cls.__mro__[-1:0:-1] for n in _names(base)), *waiting.said)))
    members: dict[str, Any] = {
        "__init__": waiting.construct,
        "__signature__": _SIGNATURE,
        "__repr__": _text,
        "__match_args__": names,
    }
    if eq:
        members["__eq__"] = waiting.equal
    if slots:
        members |= {"__getstate__": _state, "__setstate__": _set_state}
    if _REPLACE is not None:  # from Python 3.13 on
        members["__replace__"] = _REPLACE
    members = {name: member for name, member in members.items() if name not in own}
    # Even where an __eq__ has made it None.
    if eq and own.get("__hash__") is None and ("__hash__" not in own or "__eq__" in own):
        members["__hash__"] = waiting.hashed
    members["__setattr__"], members["__delattr__"] = _guards(waiting, frozenset(names))
    members["__dataclass_fields__"], members["__dataclass_params__"] = waiting, _SAMPLE.__dataclass_params__
    waiting.cls = made = _with_slots(cls, names, members) if slots else _with(cls, waiting.said, members)
    return made


@dataclass(init=False, repr=False, eq=False)
class _Sample:
    """A class of one field."""

    field: Any


# What ``dataclasses`` says of every class of its own, and of every field.
_SAMPLE: Any = _Sample
_KIND: Any = fields(_Sample)[0]._field_type  # type: ignore[attr-defined]
_REPLACE: Any = getattr(_SAMPLE, "__replace__", None)


class _Waiting:
    """What most classes of a process are never asked for: their fields, their constructor, equality and hash.

    It is their ``__dataclass_fields__`` until then.
    """

    __slots__ = ("cls", "construct", "equal", "hashed", "said")

    def __init__(self, said: dict[str, tuple[Any, Any]]) -> None:
        self.said = said
        self.cls: Any = None

        def construct(own: Any, /, *values: Any, **named: Any) -> None:
            cls = self.cls
            made = _constructor(cls, fields(cls))
            if vars(cls).get("__init__") is construct:
                cls.__init__ = made
            made(own, *values, **named)

        def equal(own: Any, other: object) -> Any:
            return self._compared("__eq__", equal)(own, other)

        def hashed(own: Any) -> int:
            return self._compared("__hash__", hashed)(own)  # type: ignore[no-any-return]

        self.construct, self.equal, self.hashed = construct, equal, hashed

    def _compared(self, name: str, waits: Method) -> Method:
        made = dict(zip(("__eq__", "__hash__"), _comparison(fields(self.cls)), strict=True))[name]
        if vars(self.cls).get(name) is waits:
            setattr(self.cls, name, made)
        return made

    def __get__(self, instance: object, cls: type) -> dict[str, Field[Any]]:
        """The fields by name, those of bases first."""
        found: dict[str, Field[Any]] = {}
        for base in self.cls.__mro__[-1:0:-1]:
            found |= getattr(base, "__dataclass_fields__", {})
        found |= {name: _field(name, *said) for name, said in self.said.items()}
        self.cls.__dataclass_fields__ = found
        return found


def _names(base: type) -> tuple[str, ...]:
    """The fields of a base that is frozen, or a dataclass."""
    described = vars(base).get("__dataclass_fields__", ())
    return tuple(described.said if isinstance(described, _Waiting) else described)


def _said(cls: Any) -> dict[str, tuple[Any, Any]]:
    """What a class says of its own fields, by name: the type, and what stands behind ``=``."""
    own, annotations = vars(cls), cls.__annotations__
    for name, said in own.items():
        if isinstance(said, Field):
            if name not in annotations:
                raise TypeError(f"{name!r} is a field but has no type annotation")
            if not said.init or said.kw_only is True:
                raise TypeError(f"{cls.__name__}.{name} is no field that the constructor takes by its place")
    found = {
        n: (type_, getattr(cls, n, MISSING)) for n, type_ in annotations.items() if not _is_of_class(type_)
    }
    for name, (_, said) in found.items():
        default = said.default if isinstance(said, Field) else said
        if type(default).__hash__ is None:
            raise ValueError(f"mutable default {type(default)} for field {name} is not allowed")
    return found


def _is_of_class(type_: Any) -> bool:
    """Whether an annotation says that a name is the class's own: those of our files are texts."""
    if isinstance(type_, str):
        return type_.startswith(("ClassVar", "typing.ClassVar"))
    return type_ is ClassVar or get_origin(type_) is ClassVar


def _field(name: str, type_: Any, said: Any) -> Field[Any]:
    made: Any = said
    if not isinstance(said, Field):
        made = field(default=MISSING if isinstance(said, MemberDescriptorType) else said)
    made.name, made.type, made._field_type, made.kw_only = name, type_, _KIND, False
    return made  # type: ignore[no-any-return]


def _with(cls: Any, said: dict[str, tuple[Any, Any]], members: dict[str, Any]) -> Any:
    """The class with more members; its own defaults stand in it as values alone."""
    for name, (_, default) in said.items():
        if isinstance(default, Field):
            if default.default is MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, default.default)
    for name, member in members.items():
        setattr(cls, name, member)
    return cls


def _with_slots(cls: Any, names: tuple[str, ...], more: dict[str, Any]) -> Any:
    """The class once more, with more members, and a slot for each field that its bases have none for."""
    if "__slots__" in vars(cls):
        raise TypeError(f"{cls.__name__} already specifies __slots__")
    taken = {slot for base in cls.__mro__[1:-1] for slot in _slots_of(base)}
    members = {n: m for n, m in vars(cls).items() if n not in names and n not in ("__dict__", "__weakref__")}
    members["__slots__"] = tuple(name for name in names if name not in taken)
    made = type(cls)(cls.__name__, cls.__bases__, members | more)
    made.__qualname__ = cls.__qualname__
    return made


def _slots_of(base: type) -> tuple[str, ...]:
    said = vars(base).get("__slots__", ())
    return (said,) if isinstance(said, str) else tuple(said)


def _constructor(cls: Any, parts: tuple[Field[Any], ...]) -> Method:
    size, setters = len(parts), [_setter(cls, part.name) for part in parts]
    completes = hasattr(cls, "__post_init__")

    def construct(self: Any, /, *values: Any, **named: Any) -> None:
        if named or len(values) != size:
            values = _completed(cls, parts, values, named)
        for put, value in zip(setters, values):  # noqa: B905  # there are as many of both
            put(self, value)
        if completes:
            self.__post_init__()

    return construct


def _setter(cls: Any, name: str) -> Callable[[Any, Any], None]:
    """What sets a field whatever the class's ``__setattr__`` says: its slot, or else the attribute."""
    slot = next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), None)
    if isinstance(slot, MemberDescriptorType):
        return slot.__set__
    return lambda self, value: object.__setattr__(self, name, value)


def _completed(
    cls: Any, parts: tuple[Field[Any], ...], values: tuple[Any, ...], named: dict[str, Any]
) -> tuple[Any, ...]:
    """A value for every field in order, given by its place or its name, or left to its default."""
    found, used = list(values), 0
    for part in parts[len(values) :]:
        if part.name in named:
            found.append(named[part.name])
            used += 1
        elif part.default is not MISSING:
            found.append(part.default)
        elif part.default_factory is not MISSING:
            found.append(part.default_factory())
        else:
            _refuse(cls, values, named)
    if len(found) != len(parts) or used != len(named):
        _refuse(cls, values, named)
    return tuple(found)


def _refuse(cls: Any, values: tuple[Any, ...], named: dict[str, Any]) -> NoReturn:
    try:
        inspect.signature(cls).bind(*values, **named)
    except TypeError as error:
        raise TypeError(f"{cls.__qualname__}(): {error}") from None
    raise AssertionError("what its signature takes, a constructor takes")


class _Signature:
    """What ``inspect.signature`` says of a class, made when it is asked; nothing, where a subclass has a constructor
    of its own.
    """

    def __get__(self, instance: object, cls: type) -> inspect.Signature | None:
        home = next(c for c in cls.__mro__ if "__init__" in vars(c))
        if vars(home).get("__signature__") is not self:
            return None
        return inspect.Signature([_parameter(part) for part in fields(home)], return_annotation=None)


_SIGNATURE = _Signature()


def _parameter(part: Field[Any]) -> inspect.Parameter:
    default: Any = inspect.Parameter.empty
    if part.default is not MISSING:
        default = part.default
    elif part.default_factory is not MISSING:
        default = _FACTORY
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Parameter(part.name, kind, default=default, annotation=part.type)


class _Factory:
    def __repr__(self) -> str:
        return "<factory>"


_FACTORY = _Factory()


@recursive_repr()
def _text(self: Any) -> str:
    shown = (f"{part.name}={getattr(self, part.name)!r}" for part in fields(self) if part.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _comparison(parts: tuple[Field[Any], ...]) -> tuple[Method, Method]:
    """Equality and hash by the fields that count."""
    compared = [part.name for part in parts if part.compare]
    values: Callable[[Any], tuple[Any, ...]] = attrgetter(*compared) if len(compared) > 1 else _few(compared)

    def equal(self: Any, other: object) -> Any:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: Any) -> int:
        return hash(values(self))

    return equal, hashed


def _few(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """As ``attrgetter``, which makes no tuple of one value, or of none."""
    return lambda self: tuple(getattr(self, name) for name in names)


def _guards(home: _Waiting, names: frozenset[str]) -> tuple[Method, Method]:
    """What refuses to set and to delete fields; a subclass may have attributes of its own."""

    def set_attribute(self: Any, name: str, value: Any) -> None:
        if type(self) is home.cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(home.cls, self).__setattr__(name, value)

    def delete_attribute(self: Any, name: str) -> None:
        if type(self) is home.cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(home.cls, self).__delattr__(name)

    return set_attribute, delete_attribute


# Unpickling sets attributes, which a frozen class refuses.
def _state(self: Any) -> list[Any]:
    return [getattr(self, part.name) for part in fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for part, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, part.name, value)
