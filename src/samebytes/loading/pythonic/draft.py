"""A class on which words are planned: what it has, what it will have, and why something is refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from keyword import iskeyword
from typing import Any

from ...errors import BindError
from ...model.intents import suggest
from ...types.naming import python_names
from ...values.overriding import is_own
from ...values.record_type import Refused, set_own

# In a class: what was said of it, and the members that other names or none lead to now.
SAID, ASIDE, RENAMED = "__samebytes_pythonic__", "__samebytes_aside__", "__samebytes_renamed__"


class Moved(Refused):
    """The name of a member that is hidden, or has another one."""

    __slots__ = ("_words",)

    def __init__(self, words: str) -> None:
        self._words = words

    def error(self) -> AttributeError:
        return AttributeError(self._words)


class Accessors(property):  # of a docstring here, each of them would be shown
    # A property of a getter and a setter of C++'s, each found by its name, so that a derived class's own one counts;
    # the setter's is empty where nothing sets it.
    getter_name = setter_name = ""


def member(cls: type, name: str) -> Any:
    """What a class has under C++'s name in Python, also where it is hidden or renamed; None where it has nothing."""
    for base in cls.__mro__:
        if name in (aside := vars(base).get(ASIDE, {})):
            return aside[name]
        if name in vars(base):
            found = vars(base)[name]
            return None if isinstance(found, Refused) else found
    return None


def reached(instance: Any, name: str) -> Any:
    return member(type(instance), name).__get__(instance, type(instance))


class Draft:
    """A class with what the words will change.

    Attributes
    ----------
    edits : dict
        What stands under each name then.
    said : list of str
        The same in words.
    virtual : dict
        C++'s names of virtual functions by their new ones.
    """

    def __init__(self, cls: Any, where: str) -> None:
        self.cls, self.where = cls, where
        self.edits: dict[str, Any] = {}
        self.said: list[str] = []
        self.virtual: dict[str, str] = {}

    def refuse(self, words: str) -> BindError:
        return BindError(f"{self.where}: {words}")

    def names(self) -> list[str]:
        """The members that C++ gave, by their names in Python."""
        own = [c for c in self.cls.__mro__ if "__samebytes_type__" in vars(c) and is_own(c)]
        found = dict.fromkeys(n for c in own for n in (*vars(c), *vars(c).get(ASIDE, ())))
        return [n for n in found if not n.startswith("_") and member(self.cls, n) is not None]

    def found(self, word: str, name: str) -> Any:
        """The member of a name.

        Raises
        ------
        BindError
            If there is none.
        """
        value = member(self.cls, name)
        if value is None or name.startswith("__"):
            known = self.names()
            near = suggest(name, known)
            has = (
                f" It has {', '.join(known[:6])}{', …' if len(known) > 6 else ''}."
                if known and not near
                else ""
            )
            raise self.refuse(f"{word}: {self.cls.__qualname__} has no member {name!r}.{near or has}")
        return value

    def method(self, word: str, name: str, arguments: int) -> Any:
        """The method of a name, which can be called with so many arguments."""
        value = self.found(word, name)
        signatures = signatures_of(value)
        what = "no argument" if arguments == 0 else "one argument"
        if signatures is None:
            raise self.refuse(
                f"{word}: {name!r} of {self.cls.__qualname__} is no method; it needs one that takes {what}"
            )
        fitting = [s for s in signatures if s.object is not None and takes(s, arguments)]
        if not fitting:
            raise self.refuse(
                f"{word}: no form of {self.cls.__qualname__}.{name} is called on an object with {what}; give a method "
                "that is"
            )
        return value

    def free(self, word: str, name: str, besides: Iterable[str] = ()) -> None:
        """Raise where a name is none, or is another member's; what a base has of ``besides`` under it is none."""
        if not name.isidentifier() or iskeyword(name) or name.startswith("__"):
            raise self.refuse(f"{word}: {name!r} is no name for a member in Python")
        held = getattr_static(self.cls, name)
        if name in self.edits or (held is not None and name not in besides and not _is_of(held, besides)):
            raise self.refuse(
                f"{word}: {self.cls.__qualname__} has {name!r} already; choose another name, or hide that one"
            )

    def commit(self) -> None:
        aside = dict(vars(self.cls).get(ASIDE, {}))
        for name, value in self.edits.items():
            if not name.startswith("__") and (held := member(self.cls, name)) is not None:
                aside.setdefault(name, held)
            set_own(self.cls, name, value)
        if aside:
            set_own(self.cls, ASIDE, aside)
        if self.virtual:
            both = self.virtual | {old: new for new, old in self.virtual.items()}
            set_own(self.cls, RENAMED, {**vars(self.cls).get(RENAMED, {}), **both})
            for derived in _of_python(self.cls):
                for new, old in self.virtual.items():
                    if old in vars(derived):
                        type.__setattr__(derived, new, vars(derived)[old])
        set_own(self.cls, SAID, (*vars(self.cls).get(SAID, ()), *self.said))


def _of_python(cls: Any) -> Iterator[Any]:
    """The classes that Python derived so far."""
    for derived in type.__subclasses__(cls):
        if not is_own(derived):
            yield derived
        yield from _of_python(derived)


def getattr_static(cls: type, name: str) -> Any:
    """What stands under a name, without asking it; None where that is nothing, or says only why it is nothing."""
    found = next((vars(c)[name] for c in cls.__mro__ if name in vars(c)), None)
    return None if isinstance(found, Refused) else found


def signatures_of(function: Any) -> tuple[Any, ...] | None:
    """The C++ signatures of a bound function; None of anything else."""
    plan = getattr(function, "__plan__", None) or getattr(function, "__self__", None)
    binding = getattr(getattr(plan, "fallback", None), "__self__", None)
    return getattr(binding, "signatures", None)


def _is_of(held: Any, names: Iterable[str]) -> bool:
    """Whether a member is what a word made of members of these names, in a base."""
    if isinstance(held, Accessors):
        return held.getter_name in names
    return any(python_names([s.name])[s.name] in names for s in signatures_of(held) or ())


def takes(signature: Any, count: int) -> bool:
    shown = signature.shown
    required = sum(p.default is None for p in shown)
    return required <= count <= len(shown)


def is_hidden(cls: type, name: str) -> bool:
    """Whether a name of a class only says why it leads nowhere."""
    return isinstance(next((vars(c)[name] for c in cls.__mro__ if name in vars(c)), None), Moved)
