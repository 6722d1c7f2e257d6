"""Operators that are templates, or friends of some: C++ says what one means when Python first meets the operands."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import partial
from itertools import pairwise
from types import MethodType
from typing import Any

from ...call import arithmetic, ranking
from ...call.binding import binding_of
from ...call.candidate import TEMPLATE
from ...call.written import is_on_the_left
from ...errors import ArgumentError, RangeError, plain_error, sides_error
from ...model.module import Template
from ...model.signature import Location
from ...read.spellings import BUILT_IN
from ...types import BOOL, SCALARS, Enum, Pointer, Struct, Text, Type, unqualified
from ...types.operators import COMPARED, COUNTERPARTS
from ...values.later_type import complete as complete_members
from ...values.record import address_hash, identity_hash
from ...values.record_type import DEFERRED, set_own
from ..operators import (
    MAKING,
    MIRRORED,
    OPERANDS,
    complete,
    hides,
    in_a_place,
    is_in_place,
    lineage,
    may_take,
    names_enumeration,
    no_enumerator_operator,
    special_methods,
    special_methods_of_enumerators,
    truth_by_not,
)
from .library import FunctionTemplate, Instantiate, is_stable
from .spelled import calls, choices_of

# What C++ says where it finds operators, and refuses the call: Python makes up no other answer.
_FOUND = (
    "is ambiguous",
    "deleted operator",
    "deleted function",
    "is a private member",
    "is a protected member",
)
_BUILT_IN_ONES = "; built-in candidate"
_CONVERT = "Convert an operand to the type that is meant"
_COMPARED = frozenset(f"__{name}__" for name in COMPARED.values())
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
        operands = args[::-1] if self._exchanged else args
        if not self._may_take(operands):
            return self._otherwise, stable
        try:
            types = choices_of(operands, texts=self._own_texts(operands))
            spellings = calls(self._callee, types)
            return self._adapted(_as_declared(self.meant(spellings), operands)), stable
        except (ArgumentError, RangeError) as error:
            if getattr(error.__context__, "reason", "") == BUILT_IN or self._known.get(spellings) == BUILT_IN:
                self._known[spellings] = BUILT_IN
                return self._compute, stable
            if (self._otherwise is _declines and self.method in _ASKED) or "it cannot be bound" in str(error):
                raise
            if any(words in str(error) for words in _FOUND):
                self._known[spellings] = str(error).partition(_BUILT_IN_ONES)[0]
                return partial(self._otherwise_refused, self._known[spellings]), stable
            if spellings:
                self._known[spellings] = None  # C++ is asked once
            return self._otherwise, stable

    def _otherwise_refused(self, words: str, *args: Any) -> Any:
        """What the class has for operands of which C++ finds no one operator; no built-in one answers.

        Of what ISO C++ calls ambiguous GCC takes the class's own.
        """
        answer = self._otherwise(*args)
        if answer is NotImplemented:
            raise ArgumentError(f"{words}. {_CONVERT}")
        return answer

    def _compute(self, *args: Any) -> Any:
        """What a built-in operator of C++'s gives; where it is none of numbers, what the class does without it."""
        operands = args[::-1] if self._exchanged else args
        found = _computed(self._callee.removeprefix("operator"), *operands)
        return self._otherwise(*args) if found is NotImplemented else found

    def _may_take(self, operands: tuple[Any, ...]) -> bool:
        """Whether C++ may find one of the templates; a comparison also with the operands exchanged."""
        kinds = [type(operand) for operand in operands]
        orders = [kinds, kinds[::-1]] if self.method in _COMPARED else [kinds]
        return any(may_take(template, order) for template in self._declared for order in orders)

    def _first(self, template: Template) -> int:
        return int(template.kind == "method")  # its object is the first operand

    def applies(self, *operands: Any) -> bool:
        """Whether one of the templates is what C++ means between some operands."""
        return self.deduce(operands)[0] is not self._otherwise

    def is_built_in(self, *operands: Any) -> bool:
        """Whether C++ means a built-in operator between some operands."""
        return bool(self.deduce(operands)[0] == self._compute)

    def meant(self, spellings: tuple[str, ...]) -> Any:
        """The function that one of several spellings of a call means."""
        found = super().meant(spellings)
        if found is None or found == BUILT_IN:
            raise ArgumentError("C++ knows no such operator")
        if isinstance(found, str):
            raise ArgumentError(found)
        return found

    def _adapted(self, function: Any) -> Any:
        if self._exchanged:
            return lambda left, right: function(right, left)
        if is_in_place(self.method):
            return lambda left, right: (function(left, right), left)[1]
        return function


def _computed(sign: str, *operands: Any) -> Any:
    """What a built-in operator of C++'s gives."""
    if sign in COMPARED and isinstance(operands[0], IntEnum) and type(operands[0]) is type(operands[1]):
        return arithmetic.compare_enumerators(sign, *operands)
    return arithmetic.compute(sign, operands)


def _as_declared(function: Any, operands: tuple[Any, ...]) -> Any:
    """What C++ calls, which since C++20 may be a comparison that takes the operands in the other order."""
    binding = binding_of(function)
    candidates = binding.candidates if binding is not None else ()
    taken = [[_name(unqualified(p.type)) for p in c.parameters] for c in candidates if len(c.parameters) == 2]
    left, right = (_names(type(operand)) for operand in (operands[0], operands[-1]))
    turned = taken and all(
        first not in left and (first in right or second in left - right) for first, second in taken
    )
    return (lambda one, other: function(other, one)) if turned else function


def _name(type_: Type) -> str:
    return type_.name if isinstance(type_, Struct | Enum) else ""


def _names(kind: type) -> set[str]:
    """The C++ names of an object's class and its bases, or of an enumerator's enumeration."""
    described = getattr(kind, "__samebytes_type__", None)
    return {described.name} if isinstance(described, Enum) else lineage(kind)


def _declines(*_: Any) -> Any:
    return NotImplemented


class _EnumOperator(OperatorTemplate):
    """An operator of enumerators: what it changes is a number in a place, of which Python gets the enumerator."""

    def _otherwise_refused(self, words: str, *args: Any) -> Any:
        if self.method == "__bool__":
            return super()._otherwise_refused(words, *args)
        raise ArgumentError(f"{words}. {_CONVERT}")  # Python's would compute with numbers

    def _adapted(self, function: Any) -> Any:
        if self.method == "__bool__":
            return lambda enumerator: truth_by_not(enumerator, function(enumerator))
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


def _assigning(bound: Callable[..., None], templates: Sequence[Template]) -> Callable[..., None]:
    """``a[i] = x`` by the ``operator[]`` that are bound, where C++ certainly takes none of some templates for ``i``."""

    def assign(self: Any, index: Any, value: Any) -> None:
        known = getattr(type(self), OPERANDS, {}).get("__getitem__", ())
        taken = any(may_take(template, (type(self), type(index))) for template in templates)
        if taken and not any(_are_exactly((index,), types) or _are_text(index, types) for types in known):
            what = f"by {type(index).__name__}: C++ may mean a template of it here, and Python does not assign by one"
            raise plain_error(ArgumentError, f"{type(self).__name__}.operator[]=", what)
        bound(self, index, value)

    assign.__name__, assign.__doc__ = "__setitem__", bound.__doc__
    return assign


def _are_text(index: Any, types: Sequence[Type]) -> bool:
    """Whether a subscript is a text, and a string is what an overload takes."""
    return isinstance(index, str | bytes) and len(types) == 1 and isinstance(types[0], Text)


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
    if isinstance(operand, str | bytes):
        return (
            isinstance(type_, Pointer) and type_.is_string
        )  # as of functions: its address, before a template's T
    fits = type(operand) is not int or -(2**31) <= operand < 2**31
    return fits and _NUMBERS.get(type(operand)) == type_


def _is_of_class(template: Template, cls: Any) -> bool:
    """Whether a class, one of its bases, or a template that made one of these declares a template."""
    if template.kind in MAKING:
        return True  # a friend, which is none of other classes
    owners = (getattr(vars(base).get("__samebytes_type__"), "name", None) for base in cls.__mro__)
    return template.kind == "method" and template.owner in owners


def _may_mean(template: Template, name: str, cls: Any) -> bool:
    """Whether C++ may find a template by objects of a class: a friend only where that or its base befriends it."""
    struct = getattr(cls, "__samebytes_type__", None)
    if template.kind not in MAKING:
        return _is_of_class(template, cls) or template.kind == "function"
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
        members = [t for t in declared if t.kind == "method" and _is_of_class(t, cls)]
        if name == "operator[]" and members and getattr(cls, "__setitem__", None) is not None:
            cls.__setitem__ = _assigning(cls.__setitem__, members)
    if "__eq__" in added:
        _settle_hash(cls)
    if added:
        complete(cls, added)


def add_enum_operators(cls: Any, operators: dict[str, list[Template]], instantiate: Instantiate) -> None:
    """Give an enumeration the operators that templates declare: Python's would compute with its numbers.

    Of two of one enumeration C++ prefers its built-in comparison to a template (ISO C++ [over.match.best]), and
    :mod:`..linking.resolution` asks about others. To what the template of the class around befriends it prefers none.
    """
    made = "<" in cls.__samebytes_type__.name
    for name, every in operators.items():
        declared = [t for t in every if t.kind == "function" or made]
        if (sign := name.removeprefix("operator")) in COMPARED and any(t.kind in MAKING for t in declared):
            for one in {sign, COUNTERPARTS[sign], *(["!="] if sign == "==" else [])}:
                _add_enum_comparison(cls, one, instantiate)
        for method, exchanged in special_methods_of_enumerators(name) if declared else ():
            usual = getattr(cls, method, _declines if is_in_place(method) else None)
            known = vars(cls).get(method)
            if usual is None or method in _PYTHONS or hasattr(known, TEMPLATE):
                continue
            if known is not None:
                usual = partial(_refused, name, exchanged, usual)
            elif not is_in_place(method) and method != "__bool__":
                usual = partial(_refused_where_named, declared, exchanged, usual)
            setattr(cls, method, _EnumOperator(declared, instantiate, method, exchanged, usual))


def _add_enum_comparison(cls: Any, sign: str, instantiate: Instantiate) -> None:
    """Have an enumeration's comparison be what C++ says, on whichever side of the sign the enumerator stands."""
    turned, method = COUNTERPARTS[sign], f"__{COMPARED[sign]}__"
    usual, asked, back = getattr(cls, method), *(asked_operator(one, instantiate) for one in (sign, turned))

    def compare(self: Any, other: Any) -> Any:
        alike = type(other) is type(self)
        left = alike or is_on_the_left(sys._getframe(1), sign, turned, self, other)
        answer = back(other, self) if left is False else asked(self, other)
        if left is None and back(other, self) != answer:
            shown = (type(other).__name__, turned, cls.__name__, back(other, self))
            raise sides_error(ArgumentError, (cls.__name__, sign, shown[0], answer), shown, (method, method))
        return usual(self, other) if answer is NotImplemented else answer

    compare.__name__, compare.__qualname__ = method, f"{cls.__qualname__}.{method}"
    set_own(cls, method, compare)


def _refused(name: str, exchanged: bool, bound: Callable[..., Any], *operands: Any) -> Any:
    """What is left where C++ knows no operator of enumerators: a call takes an ``int`` for one, which C++ does not."""
    if all(map(ranking.source_of, operands)):
        raise no_enumerator_operator(name.removeprefix("operator"), operands[::-1] if exchanged else operands)
    return bound(*operands)


def _refused_where_named(
    declared: Sequence[Template], exchanged: bool, pythons: Callable[..., Any], *operands: Any
) -> Any:
    """Python's own operator of numbers, where no template is declared for the enumeration of an operand."""
    ordered = operands[::-1] if exchanged else operands
    kinds = [type(operand) for operand in ordered]
    if any(names_enumeration(template, kinds) for template in declared):
        raise no_enumerator_operator(declared[0].name.removeprefix("operator"), ordered)
    return pythons(*operands)


def asked_operator(sign: str, instantiate: Instantiate) -> OperatorTemplate:
    """An operator, with its operands in C++'s order, of which C++ alone says what it means: nothing of it is known."""
    name = f"operator{sign}"
    declared = Template(name, name, "function", (name,), Location("", 0))
    return OperatorTemplate([declared], instantiate, "", False, _declines)


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
