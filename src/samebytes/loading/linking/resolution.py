"""Special methods by which C++ itself chooses the operator: of classes with bases, or that become numbers.

A class whose objects are nothing but themselves has its operators as the core calls them; see :mod:`.specials`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from types import WrapperDescriptorType
from typing import Any

from ... import _native
from ...call import arithmetic, ranking
from ...call.candidate import TEMPLATE, special_of
from ...call.equality import refused_number, same_number
from ...call.written import is_on_the_left
from ...errors import ArgumentError, RangeError, number_sides, overload_error, sides_error
from ...model.module import Module
from ...types import Scalar, Struct, unqualified
from ...types.operators import COMPARED, COUNTERPARTS
from ...values.record import identity_hash
from ...values.record_type import RecordType, set_own
from ..operators import complete, signs_of
from .lookup import Choice, Declared, Way, beside, choice, declared_by, gives_truth
from .sides import RESOLVES

_MOST = 256  # choices that one method remembers
_PLAIN = {"==": "__eq__", "!=": "__ne__", "<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__"}


def resolve_operators(classes: Mapping[str, Any], signs: Callable[[str], bool]) -> None:
    """Have the classes of a library ask C++'s choice where Python's would be another one.

    Parameters
    ----------
    signs : callable
        Whether all operators of a sign are known: none is a template, and none is not bound.
    """
    for cls in sorted(classes.values(), key=lambda cls: len(cls.__mro__)):
        if not isinstance(cls, RecordType) or not _has_all_bases(cls):
            continue
        numbers = any(isinstance(unqualified(b.result), Scalar) for b in arithmetic.bound_conversions(cls))
        added = [
            name
            for name, (sign, side) in signs_of().items()
            if side != "in place"
            and signs(sign)
            and _differs(cls, name, sign, numbers)
            and _add(cls, name, sign, side)
        ]
        if not declared_by(cls, "==") and _inherits_hash(cls):
            added = [name for name in added if name != "__eq__"]  # the base's answers, and so does its hash
        complete(cls, added)


def known_signs(module: Module) -> Callable[[str], bool]:
    """Whether all operators of a sign are bound as they are declared."""
    unknown = [template.name for template in module.templates]
    unknown += [name for template in module.templates for name in template.operators]
    unknown += [re.sub(r"\(.*", "", missing.name).rpartition("::")[2] for missing in module.skipped]
    signs = {name.removeprefix("operator").strip() for name in unknown if name.startswith("operator")}
    return lambda sign: signs.isdisjoint({sign, "<=>", "=="} if sign in COMPARED else {sign})


def _inherits_hash(cls: Any) -> bool:
    """Whether the hash of a class is that of a base by C++'s ``std::hash``, and none of an address."""
    known = special_of(cls, "__hash__")
    pythons = known is None or isinstance(known, WrapperDescriptorType) or known is identity_hash
    return "__hash__" not in vars(cls) and not pythons


def _has_all_bases(cls: Any) -> bool:
    """Whether Python has all bases of a class: nobody knows the friends of another."""
    types = [c.__samebytes_type__ for c in cls.__mro__ if hasattr(c, "__samebytes_type__")]
    return {base.name for type_ in types for base in type_.bases} <= {type_.name for type_ in types}


def _differs(cls: Any, name: str, sign: str, numbers: bool) -> bool:
    """Whether C++ may choose otherwise than the class's own special method."""
    if any(hasattr(vars(c).get(name), TEMPLATE) for c in cls.__mro__):
        return False
    if numbers:
        return True
    alike = {sign, COUNTERPARTS.get(sign, sign), *(["=="] if sign == "!=" else [])}
    declaring = [c for c in cls.__mro__ if any(declared_by(c, s) for s in alike)]
    if not declaring:  # identity, or the fields
        return sign in ("==", "!=") and any(_converts(cls, one) for s in alike for one in beside(cls, s))
    if sign not in COUNTERPARTS:
        return len(declaring) > 1 or bool(cls not in declaring and special_of(cls, name) is None)
    return declaring != [cls] or any(_is_exchanged(one, cls) for s in alike for one in declared_by(cls, s))


def _converts(cls: type, declared: Declared) -> bool:
    """Whether C++ makes an operand of an operator out of an object."""
    types = [unqualified(p.type) for p in declared.signature.parameters]
    makers = [
        m for t in types for m in vars(getattr(t, "python", None) or object).get("__samebytes_makers__", ())
    ]
    taken = (unqualified(maker.parameter.type) for maker in makers)
    return any(isinstance(t, Struct) and ranking.taken_as(cls, t) is not None for t in taken)


def _is_exchanged(declared: Declared, cls: Any) -> bool:
    first = unqualified(declared.signature.parameters[0].type)
    return bool(getattr(first, "name", "") != cls.__samebytes_type__.name)


def _add(cls: Any, name: str, sign: str, side: str) -> bool:
    known = special_of(cls, name)
    if sign in COUNTERPARTS and (known is None or hasattr(known, RESOLVES)) and not _own(cls, sign):
        return False
    if name == "__ne__" and isinstance(getattr(known, "__wrapped__", known), WrapperDescriptorType):
        known = object.__ne__  # the opposite of ==, where the core's class knows identity
    method = _Method(name, sign, known)
    compare = (
        method.compare if sign in COUNTERPARTS else method.exchanged if side == "right" else method.of_left
    )

    def special(self: Any, *others: Any) -> Any:
        return compare(self, *others)

    if known is not None and hasattr(known, "__dict__"):
        special.__dict__.update(known.__dict__)
    special.__name__, special.__qualname__ = name, f"{cls.__qualname__}.{name}"
    special.__doc__ = getattr(known, "__doc__", None)
    special.__wrapped__ = method.of_left  # type: ignore[attr-defined]
    setattr(special, RESOLVES, True)
    set_own(cls, name, special)
    return True


def _own(cls: Any, sign: str) -> bool:
    return any(
        "__samebytes_becomes__" in vars(cls) or declared_by(cls, s) for s in (sign, COUNTERPARTS[sign], "==")
    )


class _Method:
    """One special method of a class: C++'s choice for its operands, else what the class had before."""

    def __init__(self, name: str, sign: str, known: Any) -> None:
        self._name = name
        self._sign = sign
        self._known = known
        self._turned = _PLAIN.get(COUNTERPARTS.get(sign, ""), "")
        self._choices: dict[Any, Choice | None] = {}

    def of_left(self, *operands: Any) -> Any:
        """What C++ answers with the object on the left."""
        found = self._choice(self._sign, operands)
        return self._otherwise(*operands) if found is None else _run(found, self._sign, operands)

    def exchanged(self, self_: Any, other: Any) -> Any:
        """What C++ answers with the object on the right."""
        found = self._choice(self._sign, (other, self_))
        return self._otherwise(self_, other) if found is None else _run(found, self._sign, (other, self_))

    def compare(self, self_: Any, other: Any) -> Any:
        """What C++ answers on whichever side of the sign the object stands: Python asks it for both."""
        found = self._choice(self._sign, (self_, other))
        if not _may_be_turned(self_, other, self._turned):
            return self._otherwise(self_, other) if found is None else _run(found, self._sign, (self_, other))
        turned = COUNTERPARTS[self._sign]
        back = self._choice(turned, (other, self_))
        if found is None and back is None:
            return self._otherwise(self_, other)
        if found is None:
            assert back is not None
            return _run(back, turned, (other, self_))
        if back is None or back.way == found.way or _is_same(found, back):
            return _run(found, self._sign, (self_, other))
        left = is_on_the_left(sys._getframe(2), self._sign, turned, self_, other)
        if left is False:
            return _run(back, turned, (other, self_))
        answer = _run(found, self._sign, (self_, other))
        if left or _agrees(back, turned, (other, self_), answer):
            return answer
        other_answer = _run(back, turned, (other, self_))
        raise _sides(found, self._sign, (self_, other), answer, other_answer)

    def _choice(self, sign: str, operands: tuple[Any, ...]) -> Choice | None:
        """What C++ chooses; None where that is not known, or nothing is."""
        key = (sign, *map(_key, operands))
        if key in self._choices:
            return self._choices[key]
        found = _choose(sign, operands)
        if len(self._choices) < _MOST:
            self._choices[key] = found
        return found

    def _otherwise(self, *operands: Any) -> Any:
        if self._known is None:
            return NotImplemented
        bound = getattr(self._known, "__get__", None)
        return bound(operands[0], type(operands[0]))(*operands[1:]) if bound else self._known(*operands)


def _choose(sign: str, operands: tuple[Any, ...]) -> Choice | None:
    sources = [ranking.source_of(operand) for operand in operands]
    known = [source for source in sources if source is not None]
    if len(known) != len(sources):
        return None
    try:
        found = choice(sign, known)
    except ranking.UndecidedError:
        return None
    if found.way is None and (not found.tied or all(way.declared is None for way in found.tied)):
        return None
    return found


def _key(operand: Any) -> Any:
    """What a choice depends on."""
    kind = type(operand)
    if kind is int:
        return ranking.source_of(operand)
    return (kind, operand.__samebytes_const__) if issubclass(kind, _native.Handle) else kind


def _may_be_turned(self_: Any, other: Any, turned: str) -> bool:
    """Whether Python may have exchanged the operands before it asked: the other one's own answer is C++'s, or none."""
    kind = type(other)
    if not isinstance(kind, RecordType) or (kind is not type(self_) and issubclass(type(self_), kind)):
        return True
    return not hasattr(special_of(kind, turned), RESOLVES)


def _is_same(one: Choice, other: Choice) -> bool:
    """Whether two ways are one: the built-in operator, or what C++ writes by the same function."""
    ways = one.way, other.way
    return None not in ways and ways[0].declared is ways[1].declared  # type: ignore[union-attr]


def _run(found: Choice, sign: str, operands: tuple[Any, ...]) -> Any:
    way = found.way
    if way is None:
        texts = list(dict.fromkeys(tied.text for tied in found.tied))
        raise overload_error(
            f"operator{sign}", texts, ", ".join(type(o).__name__ for o in operands), tie=True
        )
    if way.declared is None:
        return arithmetic.compute(sign, operands, way.conversions)
    if way.level and not gives_truth(way.declared) and sign in ("==", "!="):
        raise ArgumentError(f"C++ writes {sign} by {way.text}, which gives no bool")
    ordered = operands[::-1] if way.level == 2 else operands
    answer = _equal(way, ordered) if sign in ("==", "!=") else way.declared(*ordered)
    return not answer if way.negated else answer


def _agrees(found: Choice, sign: str, operands: tuple[Any, ...], answer: Any) -> bool:
    """Whether C++ says the same with the operands exchanged; of a number that it would cut off it says nothing."""
    try:
        return bool(_run(found, sign, operands) == answer)
    except RangeError:
        return True


def _equal(way: Way, operands: tuple[Any, ...]) -> Any:
    """What ``==`` or ``!=`` answers; a number that the call would refuse is compared by its value."""
    declared = way.declared
    assert declared is not None
    given = list(operands)
    for position, (parameter, value) in enumerate(zip(declared.candidate.parameters, operands, strict=True)):
        if refused_number(parameter, value, "cxx"):
            given[position] = same_number(parameter, value)
            if given[position] is None:
                return declared.signature.name.endswith("!=")
    return declared(*given)


def _sides(found: Choice, sign: str, operands: tuple[Any, Any], answer: Any, back: Any) -> Exception:
    one, other = (type(operand).__name__ for operand in operands)
    if not isinstance(type(operands[1]), RecordType):
        declared = found.way is not None and found.way.declared is not None
        return number_sides(one, sign, *((answer, back) if declared else (back, answer)))
    turned = COUNTERPARTS[sign]
    methods = _PLAIN[sign], _PLAIN[turned]
    return sides_error(ArgumentError, (one, sign, other, answer), (other, turned, one, back), methods)
