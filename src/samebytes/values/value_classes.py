"""The classes of ``record.value``: each is made with the first value, as most programs ask for none."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..forks import Lock
from .record_type import set_own

_making = Lock()  # one for all, as a class may need that of a nested record
_HOME = "__samebytes_values__"


class ValueClass:
    """Finds the class of the values of a record class, or of the one that it derives from."""

    def __get__(self, instance: object, owner: Any) -> Any:
        made = _values(owner)
        if made is None:
            raise AttributeError(f"{owner.__name__} has no values")
        return made.get()


class _Values:
    """The class of one record's values, if there is one, and what is to be done with it."""

    __slots__ = ("_acts", "_inside", "_make", "made")

    def __init__(self, make: Callable[[], Any], inside: Callable[[], Iterable[type]]) -> None:
        self.made: Any = None
        self._make, self._inside = make, inside
        self._acts: dict[Callable[[Any], None], None] = {}

    def get(self) -> Any:
        if self.made is None:
            with _making:
                for one in self._waiting():
                    one._complete()
        return self.made

    def _waiting(self) -> list[_Values]:
        """Those that it needs, and itself; no recursion, as structs nest as they like."""
        found: dict[_Values, None] = {}
        stack = [self]
        while stack:
            one = stack.pop()
            if one.made is None and one not in found:
                found[one] = None
                stack += filter(None, map(_values, one._inside()))
        return list(reversed(found))

    def _complete(self) -> None:
        if self.made is None:
            made = self._make()
            for act in self._acts:
                act(made)
            self.made = made

    def note(self, act: Callable[[Any], None]) -> None:
        with _making:
            self._acts.pop(act, None)  # what is done again comes after what was noted meanwhile
            self._acts[act] = None
            if self.made is not None:
                act(self.made)


def _values(cls: type) -> _Values | None:
    return next((vars(c)[_HOME] for c in cls.__mro__ if _HOME in vars(c)), None)


def add_values(cls: type, make: Callable[[], Any], inside: Callable[[], Iterable[type]]) -> None:
    """Say how the class of a record's values is made, and of which record classes it has values inside."""
    set_own(cls, _HOME, _Values(make, inside))


def known_value_class(cls: type) -> Any:
    """The class of a record's values; None where nobody has asked for one."""
    found = _values(cls)
    return found and found.made


def of_values(cls: type, act: Callable[[Any], None]) -> None:
    """Call ``act`` with the class of a record's values as soon as there is one; of a class that has none, never."""
    if _HOME in vars(cls):
        vars(cls)[_HOME].note(act)
