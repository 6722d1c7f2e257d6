"""What was said of the classes of a library, kept for those that are bound later."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any

from ...errors import BindError, BindWarning
from ...model.intents import suggest
from ...types.naming import split_name
from ...values.later_type import complete
from ...values.record_type import LATER, set_own
from .draft import ASIDE, Accessors, Draft, Moved, signatures_of
from .words import INHERITED, WORDS, check_words


class Rules:
    """What was said of the classes of one library, also of those that it will have.

    Parameters
    ----------
    records : mapping
        The classes by their qualified C++ names, and those that come.
    """

    def __init__(self, records: Mapping[str, Any]) -> None:
        self._records = records
        self._rules: list[tuple[str, dict[str, Any], str]] = []
        self._done: set[tuple[int, str]] = set()

    def add(self, name: str, words: Mapping[Any, Any], where: str) -> None:
        """Say something of a class, of all instantiations of a template, or of all names of a shell-style pattern."""
        self._rules.append((name, check_words(words, where), where))

    def settle(self, ready: frozenset[str] = frozenset(), *, strict: bool = False) -> None:
        """Do what is said of the classes that have their members now.

        Parameters
        ----------
        ready : frozenset of str
            Those that just got them.
        strict : bool
            Whether what is refused is an error also for one of several classes that are meant; else a warning.
        """
        there = [(n, c) for n, c in self._records.items() if n in ready or LATER not in vars(c)]
        there.sort(key=lambda item: len(item[1].__mro__))  # a base before what derives from it
        for index, (key, words, where) in enumerate(self._rules):
            open_ = [(n, c) for n, c in there if (index, n) not in self._done]
            asked = key.replace(".", "::")
            drafts = [
                self._plan(n, c, words, where, strict or asked == n) for n, c in open_ if matches(key, n)
            ]
            for draft in filter(None, drafts):
                draft.commit()
            for name, cls in open_:
                derived = any(matches(key, base.__samebytes_type__.name) for base in _own_bases(cls))
                if not matches(key, name) and derived:
                    _repeat(cls, words)
                if matches(key, name) or derived:
                    self._done.add((index, name))

    def forget(self) -> None:
        """Take back what was said last, which was refused."""
        self._rules.pop()

    def check_names(self, templates: Iterable[str]) -> None:
        """Raise for a rule about a class that the library does not have."""
        known = [*self._records, *templates]
        for key, _, where in self._rules:
            if not any(matches(key, name) or key.replace(".", "::") == name for name in known):
                near = suggest(key, sorted({*known, *(n.rpartition("::")[2] for n in known)}))
                raise BindError(f"{where}: there is no class {key!r}.{near}")

    def _plan(self, name: str, cls: Any, words: Mapping[str, Any], where: str, strict: bool) -> Draft | None:
        for base in cls.__mro__[1:]:
            if LATER in vars(base):
                complete(base)
        draft = Draft(cls, where)
        try:
            for word, value in words.items():
                WORDS[word].plan(draft, value)
        except BindError as error:
            if strict:
                raise
            warnings.warn(f"{name} stays as it is: {error}", BindWarning, stacklevel=2)
            return None
        return draft


def _own_bases(cls: Any) -> list[Any]:
    return [c for c in cls.__mro__[1:] if "__samebytes_type__" in vars(c)]


def _repeat(cls: Any, words: Mapping[str, Any]) -> None:
    """Have a derived class follow where it has a member of its own that its base hides or calls otherwise."""
    aside = dict(vars(cls).get(ASIDE, {}))
    for word in INHERITED:
        for name in _named(word, words.get(word)):
            inherited = next((vars(c)[name] for c in cls.__mro__[1:] if name in vars(c)), None)
            own = vars(cls).get(name)
            if isinstance(inherited, Moved | Accessors) and signatures_of(own) is not None:
                aside[name] = own
                set_own(cls, name, inherited)
        if word == "rename":
            for old, new in (words.get(word) or {}).items():
                if (own := aside.get(old, vars(cls).get(old))) is not None and signatures_of(own) is not None:
                    set_own(cls, new, own)
    if aside:
        set_own(cls, ASIDE, aside)


def _named(word: str, value: Any) -> tuple[str, ...]:
    """The names that a word changes what stands under."""
    if value is True or value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)


def matches(key: str, name: str) -> bool:
    """Whether a rule is about a class: its name, that of its template, or a pattern."""
    asked = key.replace(".", "::")
    if "*" in asked:
        return fnmatchcase(name, asked)
    last = split_name(name)[-1] if "<" in name else ""
    return asked in (name, name[: len(name) - len(last)] + last.partition("<")[0])
