"""Operators that are templates, or friends of some: C++ says what one means when Python first meets the operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from types import MethodType
from typing import Any

from ...call.candidate import TEMPLATE
from ...errors import ArgumentError, RangeError
from ...model.module import Template
from ...types import BOOL, SCALARS, Struct, Type
from ...values.later_type import complete as complete_members
from ...values.record import address_hash, identity_hash
from ...values.record_type import DEFERRED
from ..operators import MIRRORED, OPERANDS, complete, hides, in_a_place, is_in_place, special_methods
from .library import FunctionTemplate, Instantiate, is_stable
from .spelled import calls

_MAKING = frozenset({"class", "alias"})  # templates that make classes: their operators are friends
_ASKED = frozenset({"__call__", "__getitem__"})  # these have no other operand that Python could ask


class OperatorTemplate(FunctionTemplate):
    """A special method of a class: what C++ makes of the operator, else what the class does without it.

    Parameters
    ----------
    declared : sequence of Template
        What declares the operator.
    instantiate : callable
    method : str
        ``__add__``.
    exchanged : bool
        Whether the object is the right operand.
    otherwise : callable
        What the class does where C++ knows no such operator.
    """

    def __init__(
        self, declared: Sequence[Template], instantiate: Instantiate, method: str, exchanged: bool,
        otherwise: Callable[..., Any],
    ) -> None:  # fmt: skip
        super().__init__(declared, instantiate, called=declared[0].name)
        setattr(self, TEMPLATE, True)
        self.method = method
        self._exchanged = exchanged
        self._otherwise = otherwise

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def deduce(self, args: tuple[Any, ...]) -> tuple[Any, bool]:
        """The function for some operands, and whether operands of the same classes always mean it."""
        stable = all(is_stable(value) for value in args)
        spellings: tuple[str, ...] = ()
        try:
            operands = args[::-1] if self._exchanged else args
            spellings = calls(self._callee, operands, texts=self._own_texts(operands))
            return self._adapted(self.meant(spellings)), stable
        except (ArgumentError, RangeError) as error:
            if (self._otherwise is _declines and self.method in _ASKED) or "it cannot be bound" in str(error):
                raise
            if spellings:
                self._known[spellings] = None  # C++ is asked once
            return self._otherwise, stable

    def _first(self, template: Template) -> int:
        return int(template.kind == "method")  # its object is the first operand

    def applies(self, *operands: Any) -> bool:
        """Whether one of the templates is what C++ means between some operands."""
        return self.deduce(operands)[0] is not self._otherwise

    def meant(self, spellings: tuple[str, ...]) -> Any:
        """The function that one of several spellings of a call means."""
        found = super().meant(spellings)
        if found is None:
            raise ArgumentError("C++ knows no such operator")
        return found

    def _adapted(self, function: Any) -> Any:
        if self._exchanged:
            return lambda left, right: function(right, left)
        if is_in_place(self.method):
            return lambda left, right: (function(left, right), left)[1]
        return function


def _declines(*_: Any) -> Any:
    return NotImplemented


class _EnumOperator(OperatorTemplate):
    """An operator of enumerators: what it changes is a number in a place, of which Python gets the enumerator."""

    def _adapted(self, function: Any) -> Any:
        if not is_in_place(self.method):
            return super()._adapted(function)
        return lambda left, right: in_a_place(function, type(left))(left, right)


class _Overloaded:
    """A special method with overloads that are bound, beside templates: C++ chooses among all of them.

    Operands that an overload takes just so are its own: C++ prefers it to a template then (ISO C++ [over.match.best]).
    """

    def __init__(self, first: Any, then: OperatorTemplate) -> None:
        self._first, self._then = first, then
        setattr(self, TEMPLATE, True)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __call__(self, *args: Any) -> Any:
        known = getattr(type(args[0]), OPERANDS, {}).get(self._then.method, ())
        chosen = self._first if any(_are_exactly(args[1:], types) for types in known) else self._then
        return chosen(*args)


# What Python's numbers are in C++.
_NUMBERS: dict[type, Type] = {
    bool: BOOL, int: SCALARS["int32"], float: SCALARS["float64"], complex: SCALARS["complex128"],
}  # fmt: skip


def _are_exactly(operands: Sequence[Any], types: Sequence[Type]) -> bool:
    """Whether operands are of just these types in C++, and none of them would be converted."""
    return len(operands) == len(types) and all(map(_is_exactly, operands, types))


def _is_exactly(operand: Any, type_: Type) -> bool:
    if isinstance(type_, Struct):
        return getattr(getattr(operand, "__samebytes_type__", None), "name", "") == type_.name
    fits = type(operand) is not int or -(2**31) <= operand < 2**31
    return fits and _NUMBERS.get(type(operand)) == type_


def _is_of_class(template: Template, cls: Any) -> bool:
    """Whether a class, one of its bases, or a template that made one of these declares a template."""
    if template.kind in _MAKING:
        return True  # a friend, which is none of other classes
    owners = (getattr(vars(base).get("__samebytes_type__"), "name", None) for base in cls.__mro__)
    return template.kind == "method" and template.owner in owners


def _may_mean(template: Template, name: str, cls: Any) -> bool:
    """Whether C++ may find a template by objects of a class: a friend only where that or its base befriends it."""
    struct = getattr(cls, "__samebytes_type__", None)
    if template.kind not in _MAKING:
        return True
    made = isinstance(struct, Struct) and "<" in struct.name  # its arguments' classes count, too
    return made or name in getattr(struct, "friends", ())


def add_operators(cls: Any, operators: dict[str, list[Template]], instantiate: Instantiate) -> None:
    """Give a class the operators that templates declare."""
    added = []
    for name, every in operators.items():
        if not (declared := [t for t in every if _may_mean(t, name, cls)]):
            continue
        for method, exchanged in special_methods(name):
            own: Any = cls.__dict__.get(method)
            if hasattr(own, DEFERRED):
                own = None
            if isinstance(own, OperatorTemplate | _Overloaded):
                continue
            free = any(t.kind != "method" for t in declared)
            if (own is object.__ne__ and free) or method in vars(cls).get(MIRRORED, ()):
                usual, own = own, None  # what C++ declares comes before what only follows from something else
            else:
                usual = _declines if own is not None else _inherited(cls, method, name)
            made: Any = OperatorTemplate(declared, instantiate, method, exchanged, usual)
            if own is not None and method in _ASKED:
                declared = [t for t in declared if _is_of_class(t, cls)]
            if own is not None and not declared:
                continue
            if own is not None:
                made = _Overloaded(own, OperatorTemplate(declared, instantiate, method, exchanged, own))
            setattr(cls, method, made)
            added.append(method)
    if "__eq__" in added:
        _settle_hash(cls)
    if added:
        complete(cls, added)


def add_enum_operators(cls: Any, operators: dict[str, list[Template]], instantiate: Instantiate) -> None:
    """Give an enumeration the operators that function templates declare: Python's would compute with its numbers.

    Comparisons stay Python's: C++ prefers its built-in ones of enumerators to a template (ISO C++ [over.match.best]).
    """
    for name, every in operators.items():
        declared = [t for t in every if t.kind == "function"]
        for method, exchanged in special_methods(name) if declared else ():
            usual = getattr(cls, method, _declines if is_in_place(method) else None)
            if usual is not None and method not in vars(cls) and method not in _PYTHONS:
                setattr(cls, method, _EnumOperator(declared, instantiate, method, exchanged, usual))


_PYTHONS = frozenset(f"__{name}__" for name in ("eq", "ne", "lt", "le", "gt", "ge"))


def _inherited(cls: Any, method: str, name: str) -> Callable[..., Any]:
    """What a class does without templates: a base has the same ones, which are asked already."""
    for derived, base in pairwise(cls.__mro__):
        if hides(derived, name):
            break  # C++ looks no further
        found = vars(base).get(method)
        if hasattr(found, DEFERRED):
            return partial(_of_base, base, method)
        if callable(found) and not isinstance(found, OperatorTemplate):
            return found  # type: ignore[no-any-return]
    return _declines


def _of_base(base: Any, method: str, self: Any, *args: Any) -> Any:
    """What a base does that had not bound its members."""
    complete_members(base)
    found = getattr(base, method, None)
    return NotImplemented if found is None or hasattr(found, DEFERRED) else found(self, *args)


def _settle_hash(cls: Any) -> None:
    """Leave an object the hash of its address where C++ finds that none of the templates compares such objects."""
    usual = address_hash if cls.__hash__ is identity_hash else cls.__hash__
    compared = vars(cls)["__eq__"]
    if usual is None or not isinstance(compared, OperatorTemplate):
        return

    def of_itself(self: Any) -> int:
        if compared.applies(self, self):
            raise TypeError(f"unhashable type: {type(self).__name__!r}")
        return usual(self)

    cls.__hash__ = of_itself
