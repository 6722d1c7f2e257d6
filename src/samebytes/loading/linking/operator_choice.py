"""What C++ chooses for operands of Python's, what that choice answers, and why Python makes up no other answer."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from ... import _native
from ...call import arithmetic, ranking
from ...call.conversion_sequences import UndecidedError
from ...call.equality import refused_number, same_number
from ...errors import ArgumentError, RangeError, no_operator, number_sides, overload_error, sides_error
from ...types import Struct, unqualified
from ...types.operators import COMPARED, COUNTERPARTS
from ...values.record_type import RecordType
from ..operators import no_enumerator_operator
from .lookup import BarredError, Choice, Declared, OverrideError, Way, choice, declared_by, gives_truth

# The special method of each comparison.
METHODS = {sign: f"__{name}__" for sign, name in COMPARED.items()}
NONE = Choice()  # C++ has no such operator
UNDECIDED = Choice(certain=False)  # which it calls is not known here, and C++ is asked
# Those, or Python's own conversions, decide what the class had before.
TEMPLATES, UNTYPED = Choice(), Choice()
NUMBERS = Choice()  # several built-in operators of numbers are equally good


def choose(sign: str, operands: tuple[Any, ...]) -> Choice:
    """What C++ chooses, templates aside."""
    sources = [ranking.source_of(operand) for operand in operands]
    known = [source for source in sources if source is not None]
    if len(known) != len(sources):
        return UNDECIDED if sign in ("==", "!=") and _may_be_made(sign, operands) else UNTYPED
    if _is_of_standard(operands):
        one = type(operands[0]) is type(operands[-1]) and sign in ("==", "!=")
        return UNTYPED if one else UNDECIDED  # that of two of a class is bound
    try:
        found = choice(sign, known)
    except OverrideError:
        return UNTYPED
    except BarredError as barred:
        return Choice(barred=barred.home)
    except UndecidedError:
        return UNDECIDED
    if found.way is None and (not found.tied or all(way.declared is None for way in found.tied)):
        return NUMBERS if found.tied else NONE
    built_in = found.way is not None and found.way.declared is None
    # The core computes in no format as wide as NumPy's longdouble, whose values Python compares.
    return UNTYPED if built_in and any(isinstance(o, np.longdouble) for o in operands) else found


def _is_of_standard(operands: tuple[Any, ...]) -> bool:
    """Whether one of some objects and enumerators of C++'s is an object of ``std``."""
    kinds = [type(operand) for operand in operands]
    found = any(isinstance(k, RecordType) and any(map(is_standard, k.__mro__)) for k in kinds)
    return found and all(hasattr(k, "__samebytes_type__") for k in kinds)


def _may_be_made(sign: str, operands: tuple[Any, ...]) -> bool:
    """Whether C++ may make an operand of a value of Python's by a template of constructors."""
    lines = (c for operand in operands for c in type(operand).__mro__)
    return any(takes_by_template(one) for c in lines for s in alike(sign) for one in declared_by(c, s))


def refusal(sign: str, operands: tuple[Any, ...], named: bool) -> Exception | None:
    """Why Python does not make up an answer where C++ has no such operator; None where it may.

    Parameters
    ----------
    named : bool
        Whether a template is declared for the enumeration of an operand.
    """
    kinds = [type(operand) for operand in operands]
    if sign == "!=":
        return None  # the opposite of what `==` says
    if sign != "==":
        enumerations = [kind for kind in kinds if issubclass(kind, IntEnum)]
        known = named or any(declared_by(kind, s) for kind in enumerations for s in alike(sign))
        of_objects = enumerations and any(isinstance(kind, RecordType) for kind in kinds)
        return no_enumerator_operator(sign, operands) if known or of_objects else None
    kin = issubclass(kinds[0], kinds[1]) or issubclass(kinds[1], kinds[0])
    objects = kin and isinstance(kinds[0], RecordType)
    if objects and any(declared_by(c, "==") or is_barred(c, "==") for k in kinds for c in k.__mro__):
        return no_operator(sign, [k.__name__ for k in kinds], "`is` says whether they are one object")
    return None


def key_of(operand: Any) -> Any:
    """What a choice depends on."""
    kind = type(operand)
    if kind is int:
        return ranking.source_of(operand)
    return (kind, operand.__samebytes_const__) if issubclass(kind, _native.Handle) else kind


def is_same(one: Choice, other: Choice) -> bool:
    """Whether two ways are one: the built-in operator, or what C++ writes by the same function."""
    if one.way is None or other.way is None:
        return one.way == other.way
    declared = one.way.declared
    # What gives an object of C++'s may say which operand stands where.
    objects = declared is not None and isinstance(unqualified(declared.signature.result), Struct)
    return declared is other.way.declared and not objects


def run(found: Choice, sign: str, operands: tuple[Any, ...]) -> Any:
    """What a choice answers for the operands in C++'s order."""
    way = found.way
    if way is None:
        texts = list(dict.fromkeys(tied.text for tied in found.tied))
        got = ", ".join(type(o).__name__ for o in operands)
        raise overload_error(f"operator{sign}", texts, got, tie=True, certain=found.certain)
    if way.declared is None and sign in COMPARED and _are_one_enumeration(operands):
        return arithmetic.compare_enumerators(sign, *operands)
    if way.declared is not None and way.declared.unbound:
        return way.declared(*operands)
    if way.declared is None:
        return arithmetic.compute(sign, operands, way.conversions)
    if way.level and not gives_truth(way.declared) and sign in ("==", "!="):
        raise ArgumentError(f"C++ writes {sign} by {way.text}, which gives no bool")
    ordered = operands[::-1] if way.level == 2 else operands
    answer = _equal(way, ordered) if sign in ("==", "!=") else way.declared(*ordered)
    return not answer if way.negated else answer


def _are_one_enumeration(operands: tuple[Any, ...]) -> bool:
    return isinstance(operands[0], IntEnum) and type(operands[0]) is type(operands[1])


def agrees(found: Choice, sign: str, operands: tuple[Any, ...], answer: Any) -> bool:
    """Whether C++ says the same with the operands exchanged; of a number that it would cut off it says nothing."""
    if isinstance(type(answer), RecordType):
        return False  # an object of C++'s, whose == may be anything
    try:
        return bool(run(found, sign, operands) == answer)
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


def sides(found: Choice, sign: str, operands: tuple[Any, Any], answer: Any, back: Any) -> Exception:
    """That C++ says otherwise with the operands exchanged, and Python asks one object for both."""
    if not isinstance(type(operands[1]), RecordType):
        declared = found.way is not None and found.way.declared is not None
        return number_sides(
            type(operands[0]).__name__, sign, *((answer, back) if declared else (back, answer))
        )
    return one_answer_error(sign, operands, answer, back)


def one_answer_error(sign: str, operands: tuple[Any, Any], answer: Any, back: Any) -> Exception:
    """The same of what no number is."""
    one, other = (type(operand).__name__ for operand in operands)
    turned = COUNTERPARTS[sign]
    methods = METHODS[sign], METHODS[turned]
    return sides_error(ArgumentError, (one, sign, other, answer), (other, turned, one, back), methods)


def turned_template_error(sign: str, operands: tuple[Any, Any]) -> Exception:
    """Compilers differ on whether a template of ``==`` takes operands in the other order, beside one of ``!=``."""
    left, right = (type(operand).__name__ for operand in operands)
    words = "some compilers turn a template round, others call the built-in one"
    return ArgumentError(f"operator{sign}({left}, {right}): {words}: the {right} on the left is certain")


def alike(sign: str) -> set[str]:
    """The signs of the operators by which C++, or Python, may answer for one."""
    return {sign, COUNTERPARTS.get(sign, sign), *(["=="] if sign == "!=" else [])}


def is_standard(cls: Any) -> bool:
    """Whether a class is one of ``std``, whose free operators nobody reads: C++ is asked about them."""
    return bool(getattr(vars(cls).get("__samebytes_type__"), "name", "").startswith("std::"))


def takes_by_template(declared: Declared) -> bool:
    """Whether a template of constructors may make an operand of an operator, or that is not known yet."""
    types = (unqualified(p.type) for p in declared.signature.parameters)
    classes = [vars(t.python) for t in types if isinstance(t, Struct) and t.python is not None]
    return any(hasattr(own.get("__samebytes_new__"), "__samebytes_deduces__") for own in classes)


def is_barred(cls: Any, sign: str) -> bool:
    """Whether C++ finds no operator of a sign in a class that everyone may use, and looks no further."""
    return f"operator{sign}" in getattr(vars(cls).get("__samebytes_type__"), "hidden", ())
