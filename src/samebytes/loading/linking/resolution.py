"""Special methods by which C++ itself chooses the operator: of classes with bases, or that become numbers.

A class whose objects are nothing but themselves has its operators as the core calls them; see :mod:`.specials`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from types import FunctionType, WrapperDescriptorType
from typing import Any

from ...call import arithmetic, class_conversions, ranking
from ...call.binding import binding_of
from ...call.candidate import TEMPLATE, special_of
from ...call.conversion_sequences import Source, UndecidedError
from ...call.written import is_on_the_left
from ...errors import (
    no_operand,
    no_operator,
    truth_in_doubt,
    unusable_operator,
)
from ...types import Scalar, Struct, unqualified
from ...types.operators import COUNTERPARTS, ORDERINGS, UNARY
from ...values.overriding import is_own
from ...values.record import identity_hash
from ...values.record_type import DEFERRED, RecordType, set_own
from ..operators import complete, signs_of, truth_by_not
from .lookup import (
    TAKEN,
    Choice,
    Declared,
    beside,
    choice,
    declared_by,
)
from .operator_choice import (
    METHODS,
    NONE,
    NUMBERS,
    TEMPLATES,
    UNDECIDED,
    agrees,
    alike,
    choose,
    is_barred,
    is_same,
    is_standard,
    key_of,
    one_answer_error,
    refusal,
    run,
    sides,
    takes_by_template,
    turned_template_error,
)
from .sides import RESOLVES
from .unknown_operators import UnknownOperators

_MOST = 256  # choices that one method remembers
# The attribute of a class: the signs of operators of which nobody knows here whether they take its objects.
_DOUBTS = "__samebytes_doubts__"


def resolve_operators(classes: Mapping[str, Any], unknown: UnknownOperators) -> None:
    """Have the classes of a library ask C++'s choice where Python's would be another one.

    Parameters
    ----------
    unknown : UnknownOperators
        Those of which C++'s choice is not known here: templates.
    """
    signs = {sign for sign, _ in signs_of().values()}
    for cls in sorted(classes.values(), key=lambda cls: len(cls.__mro__)):
        if not isinstance(cls, RecordType) or not _has_all_bases(cls):
            continue
        if any(declared_by(c, "!") for c in cls.__mro__):
            _check_truth(cls)
        numbers = any(isinstance(unqualified(b.result), Scalar) for b in arithmetic.bound_conversions(cls))
        # An instantiation adds to the library, and does not know what the templates of that may take.
        doubts = vars(cls).get(_DOUBTS, frozenset())
        doubts |= {sign for sign in signs if unknown.concern_class(sign, cls)}
        if doubts:
            setattr(cls, _DOUBTS, doubts)
        added = [
            name
            for name, (sign, side) in signs_of().items()
            if side != "in place"
            and sign not in doubts
            and _differs(cls, name, sign, numbers)
            and _add(cls, name, sign, side, unknown)
        ]
        if not declared_by(cls, "==") and _inherits_hash(cls):
            added = [name for name in added if name != "__eq__"]  # the base's answers, and so does its hash
        complete(cls, added)


def resolve_enumerations(classes: Mapping[str, Any], unknown: UnknownOperators) -> None:
    """Have enumerators ask C++'s choice: a call takes an ``int`` for an enumeration, which an operator does not."""
    enumerations = [cls for cls in classes.values() if not isinstance(cls, RecordType)]
    for cls in enumerations:
        if declared_by(cls, "!"):  # of its very type, which C++ prefers to a template
            _add_truth(cls)
        for name, (sign, side) in signs_of().items():
            declared = _is_declared(cls, name, sign, enumerations) and not unknown.concern_class(sign, cls)
            if side == "in place" or not (declared or unknown.may_compare(sign, cls)):
                continue
            if not hasattr(vars(cls).get(name), RESOLVES):
                set_own(
                    cls, name, _special(cls, _Method(name, sign, getattr(cls, name), unknown), sign, side)
                )


def _is_declared(cls: Any, name: str, sign: str, others: Sequence[Any]) -> bool:
    """Whether C++ declares an operator of as many operands that takes enumerators of a class, or of others beside."""
    count = 1 if name.strip("_") in UNARY.values() else 2
    declared = [
        one for s in alike(sign) for c in (others if count > 1 else (cls,)) for one in declared_by(c, s)
    ]
    return any(len(one.candidate.parameters) == count for one in declared)


def _add_truth(cls: Any) -> None:
    """Have the truth of enumerators be what C++'s ``!`` says, as Python's ``not`` asks for it."""

    def truth(self: Any) -> bool:
        found = choice("!", [Source(cls.__samebytes_type__)])
        return truth_by_not(self, run(found, "!", (self,)))

    truth.__name__, truth.__qualname__ = "__bool__", f"{cls.__qualname__}.__bool__"
    set_own(cls, "__bool__", truth)


def _check_truth(cls: Any) -> None:
    """Have the truth of objects agree with C++'s ``!``, where a conversion says it: Python asks the same for both."""
    known: Any = special_of(cls, "__bool__")
    if known is None or hasattr(known, RESOLVES) or (binding := binding_of(known)) is None:
        return
    if binding.signatures[0].expression.startswith("!"):
        return  # the operator itself

    def truth(self: Any) -> bool:
        answer = bool(known(self))
        try:
            found = choice("!", [source for source in (ranking.source_of(self),) if source is not None])
        except UndecidedError:
            return answer
        declared = found.way is not None and found.way.declared is not None
        if declared and bool(run(found, "!", (self,))) == answer:
            raise truth_in_doubt(repr(self), not answer, "conversion")
        return answer

    truth.__name__, truth.__qualname__ = "__bool__", f"{cls.__qualname__}.__bool__"
    setattr(truth, RESOLVES, True)
    set_own(cls, "__bool__", truth)


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
    if numbers:
        return True
    signs = alike(sign)
    found = [one for c in cls.__mro__ for s in signs for one in declared_by(c, s)]
    if any(is_barred(c, s) for c in cls.__mro__ for s in signs) or any(map(takes_by_template, found)):
        return True
    if any(one.unbound for one in found):
        return True
    if is_standard(cls):
        return not hasattr(special_of(cls, name), DEFERRED)
    if any(not signs.isdisjoint(vars(c).get(TAKEN, ())) for c in cls.__mro__):
        return True
    if sign == "!=" and declared_by(cls, sign) and any(map(_is_nearer, declared_by(cls, "=="))):
        return True
    if (
        sign in ORDERINGS
        and found
        and not (declared_by(cls, sign) and all(_orders_alone(cls, one) for one in found))
    ):
        return True  # Python would turn it round where C++ has none
    if sign in COUNTERPARTS and any(declared_by(given, s) for given in _becomes(cls) for s in signs):
        return True  # by an operator of what the object is converted to
    declaring = [c for c in cls.__mro__ if any(declared_by(c, s) for s in signs)]
    if not declaring and any(
        _takes_base(cls, one) for s in signs for c in cls.__mro__ for one in beside(c, s)
    ):
        return True  # one of the namespace of a derived class
    if not declaring:  # identity, or the fields
        return sign in ("==", "!=") and any(_converts(cls, one) for s in signs for one in beside(cls, s))
    if sign not in COUNTERPARTS:
        return len(declaring) > 1 or bool(cls not in declaring and special_of(cls, name) is None)
    return declaring != [cls] or any(_is_exchanged(one, cls) for s in signs for one in declared_by(cls, s))


def _becomes(cls: Any) -> Iterator[Any]:
    """The classes of what conversions of a class give."""
    results = (unqualified(becomes.result) for becomes in class_conversions.bound_conversions(cls))
    return (t.python for t in results if isinstance(t, Struct) and t.python is not None)


def _orders_alone(cls: Any, declared: Declared) -> bool:
    """Whether an operator takes two objects of a class, and C++ makes none of these of anything else."""
    names = {getattr(unqualified(p.type), "name", "") for p in declared.signature.parameters}
    return names == {cls.__samebytes_type__.name} and "__samebytes_makers__" not in vars(cls)


def _is_nearer(equality: Declared) -> bool:
    """Whether C++ may write ``!=`` by an ``==`` that is for objects that are not const, beside a declared ``!=``."""
    return equality.rewrites and equality.signature.parameters[0].may_write


def _converts(cls: type, declared: Declared) -> bool:
    """Whether C++ makes an operand of an operator out of an object."""
    types = [unqualified(p.type) for p in declared.signature.parameters]
    makers = [
        m for t in types for m in vars(getattr(t, "python", None) or object).get("__samebytes_makers__", ())
    ]
    taken = (unqualified(maker.parameter.type) for maker in makers)
    return any(isinstance(t, Struct) and ranking.taken_as(cls, t) is not None for t in taken)


def _takes_base(cls: Any, declared: Declared) -> bool:
    types = (unqualified(p.type) for p in declared.signature.parameters)
    return any(isinstance(t, Struct) and ranking.taken_as(cls, t) is not None for t in types)


def _is_exchanged(declared: Declared, cls: Any) -> bool:
    first = unqualified(declared.signature.parameters[0].type)
    return bool(getattr(first, "name", "") != cls.__samebytes_type__.name)


def _add(cls: Any, name: str, sign: str, side: str, unknown: UnknownOperators) -> bool:
    if hasattr(vars(cls).get(name), RESOLVES):
        return False  # an instantiation adds to the library, and knows less of it
    known = special_of(cls, name)
    if sign in COUNTERPARTS and (known is None or hasattr(known, RESOLVES)) and not _own(cls, sign):
        return False
    if name == "__ne__" and isinstance(getattr(known, "__wrapped__", known), WrapperDescriptorType):
        known = object.__ne__  # the opposite of ==, where the core's class knows identity
    set_own(cls, name, _special(cls, _Method(name, sign, known, unknown), sign, side))
    return True


def _special(cls: Any, method: _Method, sign: str, side: str) -> Any:
    """The special method of a class that asks C++'s choice."""
    name, known = method.name, method.known
    compare = (
        method.compare if sign in COUNTERPARTS else method.exchanged if side == "right" else method.of_left
    )

    def special(self: Any, *others: Any) -> Any:
        return compare(self, *others)

    if isinstance(known, FunctionType):
        special.__dict__.update(known.__dict__)
    elif hasattr(known, TEMPLATE):
        setattr(special, TEMPLATE, True)
    special.__name__, special.__qualname__ = name, f"{cls.__qualname__}.{name}"
    special.__doc__ = getattr(known, "__doc__", None)
    special.__wrapped__ = method.of_left  # type: ignore[attr-defined]
    setattr(special, RESOLVES, True)
    return special


def _own(cls: Any, sign: str) -> bool:
    signs = (sign, COUNTERPARTS[sign], "==")
    return is_standard(cls) or any(
        "__samebytes_becomes__" in vars(cls) or declared_by(cls, s) or is_barred(cls, s) for s in signs
    )


class _Method:
    """One special method of a class: C++'s choice for its operands, else what the class had before."""

    def __init__(self, name: str, sign: str, known: Any, unknown: UnknownOperators) -> None:
        self.name = name
        self.known = known
        self._sign = sign
        self._unknown = unknown
        self._turned = METHODS.get(COUNTERPARTS.get(sign, ""), "")
        self._choices: dict[Any, Choice] = {}

    def of_left(self, *operands: Any) -> Any:
        """What C++ answers with the object on the left."""
        return self._answer(self._choice(self._sign, operands), self._sign, operands, operands)

    def exchanged(self, self_: Any, other: Any) -> Any:
        """What C++ answers with the object on the right."""
        found = self._choice(self._sign, (other, self_))
        return self._answer(found, self._sign, (other, self_), (self_, other))

    def compare(self, self_: Any, other: Any) -> Any:
        """What C++ answers on whichever side of the sign the object stands: Python asks it for both."""
        operands, sign = (self_, other), self._sign
        found = self._choice(sign, operands)
        turned = COUNTERPARTS[sign]
        if not _may_be_turned(self_, other, self._turned):
            if found is NONE and sign in ORDERINGS and (back := self._choice(turned, operands[::-1])).answers:
                return self._of_one_side(found, back, operands, True)
            return self._answer(found, sign, operands, operands)
        back = self._choice(turned, operands[::-1])
        if not (found.answers and back.answers) and any(
            c.barred or c is UNDECIDED or c is TEMPLATES for c in (found, back)
        ):
            left = is_on_the_left(sys._getframe(2), sign, turned, self_, other)
            asked = (back, turned, operands[::-1]) if left is False else (found, sign, operands)
            answer = self._answer(*asked, operands)
            if left is None and TEMPLATES in (found, back) and isinstance(self_, IntEnum):
                self._check_sides(answer, back, operands)
            return answer
        if not found.answers and not back.answers:
            return self._answer(found, sign, operands, operands)
        if is_same(found, back):
            return run(found, sign, operands)
        left = is_on_the_left(sys._getframe(2), sign, turned, self_, other)
        if not (found.answers and back.answers):
            return self._of_one_side(found, back, operands, left)
        if left is False:
            return run(back, turned, operands[::-1])
        answer = run(found, sign, operands)
        if left or agrees(back, turned, operands[::-1], answer):
            return answer
        other_answer = run(back, turned, operands[::-1])
        raise sides(found, sign, operands, answer, other_answer)

    def _check_sides(self, answer: Any, back: Choice, operands: tuple[Any, Any]) -> None:
        """Raise an error where C++ says otherwise of an enumerator on the right, and no code shows its side."""
        one, other = operands
        turned = COUNTERPARTS[self._sign]
        if isinstance(other, IntEnum):
            return  # Python asks the left one first
        said = self._answer(back, turned, (other, one), operands)
        if said is not answer and said != answer:
            raise one_answer_error(self._sign, operands, answer, said)

    def _of_one_side(self, found: Choice, back: Choice, operands: tuple[Any, Any], left: bool | None) -> Any:
        """What C++ answers where it has the operator on one side of the sign alone.

        Of ``==`` Python takes that for both, as objects are equal or not.
        """
        sign, turned, exchanged = self._sign, COUNTERPARTS[self._sign], operands[::-1]
        has_left = found.answers
        # `max` and its like write no sign: of objects of one class they mean its order.
        is_order = left is None and _have_a_class_in_common(*operands)
        if (
            sign in ORDERINGS
            and not is_order
            and any(c is NONE or c is NUMBERS for c in (found, back))
            and left is not has_left
        ):
            if not has_left and _answers_in_python(operands[1], self._turned):
                return NotImplemented
            known, asked, given = (sign, turned, exchanged) if has_left else (turned, sign, operands)
            advice = f"it has operator{known}, for them in the other order"
            if left is None:
                advice += "; nothing shows which is meant, as no code writes the sign between the two"
            raise no_operator(asked, [type(operand).__name__ for operand in given], advice)
        return run(found, sign, operands) if has_left else run(back, turned, exchanged)

    def _choice(self, sign: str, operands: tuple[Any, ...]) -> Choice:
        """What C++ chooses."""
        key = (sign, *map(key_of, operands))
        if key in self._choices:
            return self._choices[key]
        found = TEMPLATES if self._unknown.concern(sign, operands) else choose(sign, operands)
        if len(self._choices) < _MOST:
            self._choices[key] = found
        return found

    def _answer(self, found: Choice, sign: str, operands: tuple[Any, ...], given: tuple[Any, ...]) -> Any:
        """What C++ answers for operands in its order, else what the class had for them as Python gave them."""
        if found.answers:
            return run(found, sign, operands)
        if found.barred:
            raise unusable_operator(sign, found.barred)
        # A class has its templates itself, an enumeration those alone that are no comparisons.
        asks = found is UNDECIDED or (found is TEMPLATES and isinstance(given[0], IntEnum))
        if asks:
            answer = self._ask(sign, operands)
            if answer is not NotImplemented:
                return answer
        if asks or found is NONE:
            named = self._unknown.names_enumeration(sign, operands)
            if (error := refusal(sign, operands, named)) is not None:
                raise error
        answer = self._otherwise(*given)
        if answer is NotImplemented and sign in ("==", "!=") and (found is UNDECIDED or found is NUMBERS):
            return arithmetic.compute(sign, operands)  # it says what is in doubt: Python would say unequal
        return answer

    def _ask(self, sign: str, operands: tuple[Any, ...]) -> Any:
        """What C++ answers that is asked; by ``==`` also for the operands exchanged, as GCC does since C++20."""
        enumerators = sign in ("==", "!=") and any(isinstance(o, IntEnum) for o in operands)
        if enumerators and self._unknown.may_be_turned(sign, operands):
            raise turned_template_error(sign, operands)
        answer = self._unknown.ask(sign, operands)
        if answer is NotImplemented and enumerators:
            answer = self._unknown.ask("==", operands[::-1])
            return answer if answer is NotImplemented or sign == "==" else not answer
        return answer

    def _otherwise(self, *operands: Any) -> Any:
        answer = NotImplemented
        if self.known is not None:
            bound = getattr(self.known, "__get__", None)
            answer = bound(operands[0], type(operands[0]))(*operands[1:]) if bound else self.known(*operands)
        if answer is NotImplemented and len(operands) == 1:
            raise no_operand(self._sign, type(operands[0]).__name__)  # Python asks nobody else
        return answer


def _have_a_class_in_common(one: Any, other: Any) -> bool:
    """Whether two objects are of one class of C++'s, or derive from one."""
    every = type(other).__mro__
    return any(c in every for c in type(one).__mro__ if "__samebytes_type__" in vars(c))


def _may_be_turned(self_: Any, other: Any, turned: str) -> bool:
    """Whether Python may have exchanged the operands before it asked: the other one's own answer is C++'s, or none."""
    kind = type(other)
    if not isinstance(kind, RecordType) or (kind is not type(self_) and issubclass(type(self_), kind)):
        return True
    return not hasattr(special_of(kind, turned), RESOLVES)


def _answers_in_python(other: Any, method: str) -> bool:
    """Whether a class that Python derived says itself what a special method is."""
    home = next((c for c in type(other).__mro__ if method in vars(c)), object)
    return isinstance(home, RecordType) and not is_own(home)
