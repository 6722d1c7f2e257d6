"""The class of record classes: what a class that Python derives from one may add, and how a class pickles."""

from __future__ import annotations

import copyreg
import inspect
from collections.abc import Iterable
from types import WrapperDescriptorType
from typing import Any

from .. import _native
from ..model.intents import suggest
from . import attributes, constructing, joining, thrown
from .overriding import complete, derived, is_own, is_way, overridable, renamed

LATER = "__samebytes_later__"  # in a class whose members wait: what binds them, and says if they are there
DEFERRED = "__samebytes_deferred__"  # what stands in such a class until then has this attribute
# What static constants and enumerators of a class are in Python.
_CONSTANTS = (int, float, str, bytes)


class Refused:
    """In a class: the name of a member that Python does not show. Whoever asks for it is told why."""

    __slots__ = ()

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        raise self.error()

    def __set__(self, instance: Any, value: object) -> None:
        raise self.error()

    def __delete__(self, instance: Any) -> None:
        raise self.error()

    @property
    def reason(self) -> Any:
        """Why Python does not show it."""
        return self.error()

    def error(self) -> AttributeError:
        """What is raised."""
        raise NotImplementedError


def set_own(cls: type, name: str, value: Any) -> None:
    """Gives a class of C++'s a member that it hides its bases' of that name with.

    Not by assignment, which is to what is there: a base's static variable is set, its constant refuses.
    """
    type.__setattr__(cls, name, value)


def _is_static(member: Any) -> bool:
    return getattr(type(member), "__samebytes_static__", False)


def _places(cls: Any) -> tuple[int, ...] | None:
    """Where C++ may point into an object of a class that Python derives (bytes); None: what asks Python says it."""
    if any(is_way(base) for base in cls.__mro__):
        return None
    return tuple({0, *cls.__samebytes_bases__.values()})


def _is_own_handle(base: type) -> bool:
    """Whether a base is a class of C++'s whose objects are handles, or derives from one."""
    return issubclass(base, _native.Handle) and hasattr(base, "__samebytes_type__")


class _ExceptionOf:
    """``Class.exception``; a member that C++ calls so comes before it, as it is no data descriptor."""

    def __get__(self, cls: Any, kind: object = None) -> Any:
        return self if cls is None else thrown.exception_class(cls)


class RecordType(type):
    """The class of record classes: a static variable is set through its class, too.

    A class that Python derives from one adds methods: its instances are C++'s bytes, with no room for more.
    """

    exception = _ExceptionOf()

    def __new__(mcs, name: str, bases: tuple[type, ...], members: dict[str, Any], **options: Any) -> Any:
        own = "__samebytes_type__" in members
        given = members.pop("__slots__", None)
        members["__slots__"] = ()  # Python has no room for more in an object of C++'s
        overriding = None
        of_handles = not own and any(map(_is_own_handle, bases))
        if of_handles:
            bases = attributes.with_attributes(name, bases, members, given)
        elif given:
            shown = given if isinstance(given, str) else ", ".join(map(str, given))
            raise TypeError(
                f"class {name} has __slots__ {shown}: its instances are C++'s bytes, with no room for "
                "attributes of Python's"
            )
        if not own:
            for method, other in renamed(c for base in bases for c in base.__mro__).items():
                if method in members:  # by whichever name Python overrides it, both are the override
                    members.setdefault(other, members[method])
            if sum(isinstance(base, RecordType) for base in bases) > 1:
                bases = joining.with_joined(bases)
            bases, overriding = derived(name, bases, members)
        made = super().__new__(mcs, name, bases, members, **options)
        if made.__dictoffset__:
            mixed = next(b for b in made.__mro__[1:] if b.__dictoffset__)
            raise TypeError(
                f"class {name} derives from {mixed.__name__}, whose instances have attributes of their own, and "
                f"C++'s bytes have no room for them: give {mixed.__name__} __slots__ = ()"
            )
        if not is_own(made):
            _check_bases(made)
            if of_handles:
                constructing.defer(made)
                type.__setattr__(made, "__samebytes_places__", _places(made))
            getattr(made, "__samebytes_sides__", lambda cls: None)(made)
            others = any("__setattr__" in vars(c) for c in made.__mro__[:-1] if not is_own(c))
            others = others or issubclass(made, _native.Attributes)
            if "__init__" in members and not others:
                type.__setattr__(made, "__setattr__", _set_attribute)
        if overriding is not None:
            complete(made, overriding)
        return made

    def __subclasscheck__(cls, other: type) -> bool:
        return super().__subclasscheck__(other) or any(
            super(RecordType, cls).__subclasscheck__(base)
            for derived in other.__mro__
            for base in derived.__dict__.get("__samebytes_beside__", ())
        )

    def __instancecheck__(cls, instance: Any) -> bool:
        return super().__instancecheck__(instance) or cls.__subclasscheck__(type(instance))

    def __setattr__(cls, name: str, value: Any) -> None:
        if name.startswith("__samebytes_"):  # ours, many of each class
            set_own(cls, name, value)
            return
        held = next((c.__dict__[name] for c in cls.__mro__ if name in c.__dict__), None)
        known = {} if is_own(cls) else overridable(cls.__mro__)
        other = "" if is_own(cls) else renamed(cls.__mro__).get(name, "")
        if function := known.get(name) or known.get(other):
            _check_late(cls, name, function)
        if not is_own(cls) and getattr(held, "__samebytes_protected__", False) and not callable(value):
            held = held.meant(cls)  # type: ignore[union-attr]
        if is_own(cls) and isinstance(held, _CONSTANTS) and not name.startswith("__"):
            raise AttributeError(f"{cls.__name__}.{name} is const in C++")
        if _is_static(held):
            held.set(value)  # type: ignore[union-attr]
            return
        # Methods may be added, as to any class; a value would be nothing that C++ reads.
        adds = name.startswith("_") or callable(value) or hasattr(value, "__get__")
        if is_own(cls) and held is None and not adds:
            statics = [n for c in cls.__mro__ for n, v in vars(c).items() if _is_static(v)]
            raise AttributeError(f"{cls.__name__} has no static member {name!r}.{suggest(name, statics)}")
        if is_own(cls) and isinstance(held, Refused):
            raise held.error()
        if is_own(cls) and (hasattr(type(held), "__get__") or callable(held)) and not adds:
            what = (
                "what each object has" if hasattr(type(held), "__set__") else "a function or class of C++'s"
            )
            raise AttributeError(f"{cls.__name__}.{name} is {what}, and no variable of the class")
        super().__setattr__(name, value)
        if name in ("__init__", "__new__") and _is_own_handle(cls):
            constructing.defer(cls)
        if other:
            super().__setattr__(other, value)

    def __delattr__(cls, name: str) -> None:
        held = vars(cls).get(name)
        variable = isinstance(held, _CONSTANTS) or _is_static(held)
        if is_own(cls) and variable and not name.startswith("__"):
            raise AttributeError(f"{cls.__name__}.{name} is bound to C++ and cannot be deleted")
        super().__delattr__(name)

    def __dir__(cls) -> list[str]:
        return present(cls, super().__dir__())

    def __samebytes_there__(cls) -> None:
        if constructor_note(cls) is None:
            raise TypeError(
                f"{cls.__name__}.__init__() makes no object anew: C++'s constructor has made it; {cls.__name__}(...) "
                "makes another"
            )
        raise TypeError(
            f"super().__init__() takes no arguments here: C++'s constructor has made the object of those of "
            f"{cls.__name__}(), before {cls.__name__}.__init__; {_TELL_NEW.format(cls.__name__)}"
        )

    @property
    def __signature__(cls) -> inspect.Signature:
        """What ``inspect`` shows: the constructor of C++, else the fields; any arguments where there are several."""
        own = next((c for c in cls.__mro__ if is_own(c)), None)
        before = cls.__mro__[: cls.__mro__.index(own)] if own else cls.__mro__
        if own is None or any({"__new__", "__init__"} & vars(c).keys() for c in before):
            raise AttributeError("__signature__")  # Python's own constructor says it
        constructor = getattr(own, "__samebytes_new__", None)
        try:
            return _without_self(inspect.signature(constructor)) if constructor else _by_fields(own)
        except ValueError:
            return ANY_ARGUMENTS


ANY_ARGUMENTS = inspect.Signature(
    [
        inspect.Parameter("args", inspect.Parameter.VAR_POSITIONAL),
        inspect.Parameter("kwargs", inspect.Parameter.VAR_KEYWORD),
    ]
)


def _without_self(signature: inspect.Signature) -> inspect.Signature:
    first = next(iter(signature.parameters.values()), None)
    bare = first is not None and first.name == "self" and first.kind is first.POSITIONAL_ONLY
    return signature.replace(parameters=list(signature.parameters.values())[bare:])


def _by_fields(cls: Any) -> inspect.Signature:
    if not cls.__samebytes_type__.complete or not hasattr(cls, "__match_args__"):
        return ANY_ARGUMENTS
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Signature([inspect.Parameter(name, kind, default=...) for name in cls.__match_args__])


def present(cls: type, names: Iterable[str]) -> list[str]:
    """The names but for those that only say why a member is not bound."""
    held = {name: value for base in reversed(cls.__mro__) for name, value in vars(base).items()}
    own = is_own(cls)
    return [
        name
        for name in names
        if not isinstance(held.get(name), Refused)
        and not (own and getattr(type(held.get(name)), "__samebytes_protected__", False))
    ]


def _check_late(cls: type, method: str, function: str) -> None:
    """Raise where a class that is there already would begin to override: its objects do not ask Python."""
    first = next((c for c in cls.__mro__ if method in vars(c)), None)
    if first is None or is_own(first):
        raise TypeError(
            f"class {cls.__name__} overrides {function}, which is virtual, when it is there already, and C++ would not "
            f"call Python's {method}: define it where the class is"
        )


def _check_bases(cls: type) -> None:
    """Raise where C++ has no object that is of all the bases: an instance is one object of one class of C++'s."""
    own = [c for c in cls.__mro__ if is_own(c)]
    own = [c for c in own if not is_way(c) or issubclass(c, next(o for o in own if not is_way(o)))]
    if beside := next((c for c in own if not issubclass(own[0], c)), None):
        raise TypeError(
            f"class {cls.__name__} derives from {own[0].__name__} and {beside.__name__}, and C++ has no object that "
            "is both: derive from one, and have the other as a member of a class of C++'s"
        )
    if final := next((c for c in own if c.__dict__["__samebytes_type__"].final), None):
        raise TypeError(f"class {cls.__name__} derives from {final.__name__}, which C++ declares final")


def constructor_note(cls: type) -> str | None:
    """What to say beside an error of C++'s constructor, where a class of Python's has an ``__init__`` of its own."""
    written = (vars(c).get("__init__") for c in cls.__mro__ if not is_own(c))
    deferred = getattr(cls, "__samebytes_deferred__", False)
    if (
        is_own(cls)
        or deferred
        or all(init is None or isinstance(init, WrapperDescriptorType) for init in written)
    ):
        return None
    runs = (
        f"C++'s constructor runs before {cls.__name__}.__init__, and gets the arguments of {cls.__name__}()"
    )
    return f"{runs}: {_TELL_NEW.format(cls.__name__)}"


_TELL_NEW = "give {} a method __new__(cls, ...) that returns super().__new__(cls, ...) with what C++ takes"


def _set_attribute(self: object, name: str, value: object) -> None:
    """What sets the attributes of a class with an ``__init__`` of Python's, which most often wants some of its own."""
    try:
        object.__setattr__(self, name, value)
    except AttributeError as error:
        if hasattr(self, name):
            raise
        raise AttributeError(
            f"{error}: its instances are C++'s bytes, with no room for attributes of Python's",
            name=name,
            obj=self,
        ) from None


def _reduce_class(cls: Any) -> str | tuple[Any, ...]:
    """How a record class pickles: as its library's; any other by its name."""
    restore = cls.__samebytes_restore__ if is_own(cls) else None
    return restore(cls.__samebytes_type__.name, None) if restore else str(cls.__qualname__)


def has_own(cls: type, method: str) -> bool:
    """Whether a class of a library, or of its bases, has a special method from C++."""
    return any(method in vars(c) for c in cls.__mro__ if is_own(c))


copyreg.pickle(RecordType, _reduce_class)
