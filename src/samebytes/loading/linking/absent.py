"""Members that C++ has and Python does not: asked for on a class or an object, they say why."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from ...call import Binding
from ...errors import absent_error
from ...model.module import Skipped, Unread
from ...model.symbols import ACCESS
from ...types import Struct, unqualified
from ...types.naming import python_names, split_name
from ...values.record_type import Refused, has_own, set_own
from ..operators import add_truth, signs_of
from .unbound_operators import REFUSES


class Absent(Refused):
    """The name of a member that is not bound."""

    __slots__ = ("_name", "_owner", "_reason")

    def __init__(self, name: str, owner: str, reason: Skipped | str) -> None:
        self._name, self._owner, self._reason = name, owner, reason

    @property
    def reason(self) -> Skipped | str:
        """Why it is not bound."""
        return self._reason

    def error(self) -> AttributeError:
        return absent_error(self._name, self._owner, self._reason)


def add_absent(classes: Mapping[str, Any], skipped: Iterable[Skipped]) -> None:
    """Let classes say why members are not bound.

    Parameters
    ----------
    classes : mapping
        Records by their qualified C++ names.
    skipped : iterable of Skipped
        Of overloads of which some are bound, nothing is to be said.
    """
    for missing in skipped:
        *path, name = split_name(missing.name.partition("(")[0])
        cls = classes.get("::".join(path))
        if cls is not None and name.startswith(ACCESS) and name.endswith("="):
            _refuse_setting(cls, name.removeprefix(ACCESS)[:-1], "::".join(path), missing)
        if cls is None or not name.isidentifier() or name in ("operator", path[-1]):
            continue
        label = python_names([name])[name]
        if label not in cls.__dict__:
            set_own(cls, label, Absent(label, "::".join(path), missing))


def refer_to_library(classes: Mapping[str, Any], bindings: Mapping[str, Binding]) -> None:
    """Let classes say where free operators are that Python has no sign for: ``operator,`` is the library's."""
    for name, binding in bindings.items():
        signature = binding.signatures[0]
        if not _LACKED.fullmatch(signature.name) or signature.kind != "function" or signature.expression:
            continue
        types = {unqualified(p.type) for one in binding.signatures for p in one.parameters}
        for owner in sorted(type_.name for type_ in types if isinstance(type_, Struct)):
            cls = classes.get(owner)
            if cls is not None and not hasattr(cls, signature.name):
                home = ".".join(("lib", *split_name(name)[:-1]))
                set_own(cls, signature.name, _Free(signature.name, owner, home))


class _Free(Absent):
    """The name of an operator that is none of a class's members."""

    __slots__ = ()

    def error(self) -> AttributeError:
        whole = f"getattr({self._reason}, {self._name!r}) takes all operands"
        return AttributeError(f"{self._name!r} is no member of {self._owner!r}: {whole}")


_LACKED = re.compile(r"operator(,|&&|\|\||->\*|!|\+\+|--)")


def _refuse_setting(cls: Any, name: str, owner: str, missing: Skipped) -> None:
    """Have a member that is read say why nothing sets it."""
    label = python_names([name])[name]
    known = cls.__dict__.get(label)
    if isinstance(known, property):

        def refuse(instance: Any, value: object) -> NoReturn:
            raise AttributeError(f"{owner}.{label} cannot be set: {missing.reason}")

        set_own(cls, label, property(known.fget, refuse, doc=known.__doc__))


# What Python does by itself where a class does not say it, and what that would hide.
_SILENT = {
    "operator bool": ("__bool__",), "operator!": ("__bool__",), "operator==": ("__eq__", "__ne__"),
    "operator!=": ("__ne__",),
    "operator[]": ("__getitem__", "__setitem__"), "operator()": ("__call__",), "operator.begin": ("__iter__",),
    "operator.size": ("__len__",),
}  # fmt: skip
# As Python says it of objects that have no such thing.
_LACKS = {"__iter__": "{0!r} object is not iterable", "__len__": "object of type {0!r} has no len()"}
_NOT_BOUND = "{0}.{1} is declared in C++ and not bound"
_COMPARED = frozenset({"__eq__", "__ne__"})
_OPERAND = re.compile(r"\((?:const )?([\w:<>, ]+?)(?: const)?(?: &{1,2})?(?:,|\))")


def refuse_specials(classes: Mapping[str, Any], skipped: Iterable[Skipped]) -> None:
    """Have classes refuse what C++ declares and that is not bound where Python would make it up, or not say why.

    Equality and truth are made up, and a record's fields are what it has for ``operator[]``.

    Parameters
    ----------
    classes : mapping
        Records by their qualified C++ names.
    skipped : iterable of Skipped
    """
    for missing in skipped:
        *path, name = split_name(missing.name.partition("(")[0])
        name = "operator()" if name == "operator" else name
        for method in _SILENT.get(name, ()):
            _refuse_special(classes, "::".join(path), missing, method)


def _refuse_special(classes: Mapping[str, Any], owner: str, missing: Skipped, method: str) -> None:
    """Have a class refuse what C++ declares, and what is not bound: a member, or of a first operand."""
    member = owner in classes  # which hides those of bases
    operand = None if member else _OPERAND.search(missing.name)
    cls = classes.get(owner) or classes.get(operand[1].strip() if operand else "")
    if cls is None:
        return
    has = method in vars(cls) if member else has_own(cls, method)
    bound = getattr(cls, method) if has else None
    if bound is not None and (method not in _COMPARED or hasattr(bound, REFUSES)):
        return

    def refuse(self: Any, *other: Any) -> Any:
        found = NotImplemented if bound is None else bound(self, *other)
        if found is NotImplemented and (bound is None or isinstance(other[0], cls)):
            raise TypeError(f"{_LACKS.get(method, _NOT_BOUND).format(cls.__name__, method)}: {missing}")
        return found

    setattr(refuse, REFUSES, True)
    set_own(cls, method, refuse)
    if method == "__eq__":
        set_own(cls, "__hash__", cls.__hash__)


# What Python's protocols ask of members of C++'s, and what a record has for them by its fields.
_PROTOCOLS = {
    "begin": ("__iter__",), "size": ("__len__",), "operator[]": ("__getitem__", "__setitem__"),
    "operator()": ("__call__",),
}  # fmt: skip
_BY_FIELDS = frozenset({"__iter__", "__len__", "__getitem__", "__setitem__"})


def _has(cls: type, method: str) -> bool:
    return any(method in vars(base) for base in cls.__mro__)


def _unread(method: str, advice: str) -> Any:
    def refuse(self: Any, *args: Any) -> NoReturn:
        raise TypeError(f"{type(self).__name__}.{method}: {advice}")

    return refuse


_OF_NUMBERS = frozenset({"__int__", "__float__", "__bool__"})


def _refuse_numbers(cls: Any, advice: str) -> None:
    """Have a class that C++ converts to a number refuse what C++ answers by that number."""
    for method, (_, side) in signs_of().items():
        if method in _COMPARED:
            set_own(cls, method, _unread_equality(method, cls, advice))
        elif side != "in place" and not has_own(cls, method):
            set_own(cls, method, _unread(method, advice))
    for method in _OF_NUMBERS:
        if not has_own(cls, method):
            set_own(cls, method, _unread(method, advice))
    set_own(cls, "__hash__", cls.__hash__)


def _unread_equality(method: str, cls: type, advice: str) -> Any:
    """What an object is equal to, but for numbers, of which Python would say that they differ from it."""
    usual, refuse, declared = getattr(cls, method), _unread(method, advice), has_own(cls, method)

    def compare(self: Any, other: Any) -> Any:
        number = isinstance(other, int | float)
        answer = NotImplemented if number and not declared else usual(self, other)
        return refuse(self) if number and answer is NotImplemented else answer

    return compare


def add_unread(classes: Mapping[str, Any], unread: Iterable[Unread]) -> None:
    """Let classes of headers that are not exposed say so of what is not bound.

    Parameters
    ----------
    classes : mapping
        Records by their qualified C++ names.
    unread : iterable of Unread
    """
    for found in unread:
        cls = classes.get(found.name)
        if cls is None:
            continue
        if found.constructs:
            cls.__samebytes_unread__ = found.advice
        for name, methods in _PROTOCOLS.items():
            for method in methods if name in found.members else ():
                if not has_own(cls, method) and (method in _BY_FIELDS or not _has(cls, method)):
                    set_own(cls, method, _unread(method, found.advice))
        if any(name.startswith("operator ") for name in found.members):
            _refuse_numbers(cls, found.advice)
        add_truth(cls)
        for label in python_names(n for n in found.members if n.isidentifier()).values():
            if label not in cls.__dict__ and not hasattr(cls, label):
                set_own(cls, label, Absent(label, found.name, found.advice))
