"""Which free operators C++ finds by the classes of their operands (ISO C++ [basic.lookup.argdep]).

A program of Python's stands in no namespace: it finds those of the global one, and those that a using-declaration or a
using-directive brings there.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from typing import Any

from ...call import Candidate
from ...model.signature import Signature
from ...types import Enum, Struct, unqualified
from ...types.naming import split_name
from ..operators import with_arguments


class Reach:
    """What the operators of a library are found by.

    Parameters
    ----------
    classes : mapping
        Records and enumerations by their qualified C++ names.
    nested : container of str
        The names of all classes, in which others may lie.
    repeated : iterable of (str, str)
        Names that using-declarations make, and what they repeat.
    """

    def __init__(
        self, classes: Mapping[str, Any], nested: Container[str], repeated: Iterable[tuple[str, str]]
    ) -> None:
        self._classes, self._nested = classes, nested
        self._repeated: dict[str, set[str]] = {}
        self._friendly: dict[str, set[str]] = {}
        for name, meant in repeated:
            if "operator" in name:
                self._repeated.setdefault(meant, set()).add(name)

    def finds(self, owner: str, signature: Signature) -> bool:
        """Whether an operand of a class has C++ find an operator, be it that anything has."""
        if signature.kind != "function" or signature.home or signature.expression:
            return True  # a member; a friend's class is looked at elsewhere
        spaces = self._spaces(signature.key, {signature.key})
        return "" in spaces or not spaces.isdisjoint(self._associated(owner))

    def restricted(self, owner: str, candidate: Candidate) -> Candidate | None:
        """An operator as one of a class: by whose operand C++ finds it is not converted to; None: it finds none."""
        signature = candidate.signature
        if self.finds(owner, signature):
            return candidate
        found = [self._is_found_by(p.type, signature) for p in signature.parameters]
        if not any(found):
            return None
        parameters = tuple(
            replace(p, converts=False) if by else p for p, by in zip(signature.parameters, found, strict=True)
        )
        return replace(candidate, signature=replace(signature, parameters=parameters))

    def of_friend(self, home: str) -> set[str]:
        """The classes and enumerations by which C++ finds the friends of a class."""
        if not self._friendly:
            for owner in self._classes:
                for name in with_arguments(owner):
                    for one in (name, _scope(name)):
                        self._friendly.setdefault(one, set()).add(owner)
        return self._friendly.get(home, set())

    def _is_found_by(self, type_: Any, signature: Signature) -> bool:
        bare = unqualified(type_)
        return isinstance(bare, Struct | Enum) and self.finds(bare.name, signature)

    def _spaces(self, name: str, seen: set[str]) -> set[str]:
        """The namespaces in which C++ finds a function."""
        found = {_scope(name)}
        for other in self._repeated.get(name, set()) - seen:
            found |= self._spaces(other, seen | {other})
        return found

    def _associated(self, owner: str) -> set[str]:
        """The namespaces of a class, of its bases, and of the arguments of its template."""
        cls = self._classes.get(owner)
        described = (vars(c).get("__samebytes_type__") for c in getattr(cls, "__mro__", ()))
        names = {owner, *(d.name for d in described if d is not None)}
        names.update(getattr(cls, "__samebytes_bases__", ()))
        return {namespace_of(text, self._nested) for name in names for text in with_arguments(name)}


def namespace_of(owner: str, nested: Container[str]) -> str:
    """The namespace around a class, and around those in which it lies."""
    owner = _scope(owner)
    while owner in nested:
        owner = _scope(owner)
    return owner


def _scope(name: str) -> str:
    return "::".join(split_name(name)[:-1])
