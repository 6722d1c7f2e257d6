"""Operators of what C++ converts to a number by itself: the built-in ones, where none of the class's own fits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...call import arithmetic
from ...call.candidate import COMPUTES, special_of
from ...errors import no_operand, number_sides, rebinding_number, unusable_operator
from ...types import Scalar, Struct, Type
from ...values.record_type import RecordType
from ..operators import EXCHANGED, OPERANDS, complete, signs_of
from .unbound_operators import REFUSES


def add_number_operators(classes: Mapping[str, Any]) -> None:
    """Let the classes of a library with implicit conversions to numbers have C++'s built-in operators.

    Operators that C++ declares go first where they take the operands (ISO C++ [over.match.oper]); ``==`` and ``!=``
    are :mod:`.equated`'s. What waits for its members is served when it has them: asking now would bind a class while
    another is bound, whose members may give the next (``Matrix<R, C>`` gives a ``Matrix<C, R>``), without end.
    """
    for cls in sorted(classes.values(), key=lambda cls: len(cls.__mro__)):
        if isinstance(cls, RecordType) and arithmetic.bound_conversions(cls):
            added = [name for name, (sign, side) in signs_of().items() if _add(cls, name, sign, side)]
            complete(cls, added)


def _add(cls: Any, name: str, sign: str, side: str) -> bool:
    declared = special_of(cls, name)
    if name in ("__eq__", "__ne__") or hasattr(declared, COMPUTES):
        return False
    if name in _OBJECTS and declared is vars(object)[name]:
        declared = None  # Python's, which declines
    if side == "left" and declared is None and (home := _hiding(cls, sign)):
        setattr(cls, name, _unusable(sign, home))
    elif side != "in place":
        setattr(cls, name, _computed(declared, name, sign, exchanged=side == "right"))
    elif declared is None:
        setattr(cls, name, _refused(sign))
    return side != "in place"


_OBJECTS = ("__lt__", "__le__", "__gt__", "__ge__")


def _computed(declared: Any, name: str, sign: str, *, exchanged: bool) -> Callable[..., Any]:
    def compute(self: Any, *others: Any) -> Any:
        own = None if declared is None or _is_of_the_right(type(self), name, others) else declared
        answer = NotImplemented if own is None else _call(own, self, others)
        if answer is not NotImplemented:
            return _on_both_sides(answer, name, sign, self, *others)
        if others and (answer := _of_the_other(others[0], name, self)) is not NotImplemented:
            return answer
        if own is not None and _takes_numbers(type(self), name):
            return answer
        answer = arithmetic.compute(sign, (*others, self) if exchanged else (self, *others))
        if answer is NotImplemented and not others:  # a class that hides its base's conversion
            raise no_operand(sign, type(self).__name__)
        return answer

    compute.__name__, compute.__qualname__ = name, name
    compute.__doc__ = f"C++'s operator{sign}: the class's own, else that of the number."
    setattr(compute, COMPUTES, declared)
    return compute


def _is_of_the_right(cls: type, name: str, others: tuple[Any, ...]) -> bool:
    """Whether C++ has a comparison for objects on the right alone, and the built-in one for another on the left."""
    records = others and isinstance(type(others[0]), RecordType)
    return bool(records) and _is_exchanged(cls, name) and arithmetic.is_number(others[0])


def _is_exchanged(cls: type, name: str) -> bool:
    return any(name in vars(base).get(EXCHANGED, ()) for base in cls.__mro__)


def _call(declared: Any, self: Any, others: tuple[Any, ...]) -> Any:
    """A special method that a class had before, which may be a descriptor: a template's."""
    bound = getattr(declared, "__get__", None)
    return bound(self, type(self))(*others) if bound is not None else declared(self, *others)


def _takes_numbers(cls: type, name: str) -> bool:
    """Whether an operator of a class takes any number: C++ finds the built-in one no better."""
    known: dict[str, list[tuple[Type, ...]]] = next(
        (vars(b)[OPERANDS] for b in cls.__mro__ if name in vars(b).get(OPERANDS, ())), {}
    )
    return any(isinstance(types[0], Scalar) for types in known.get(name, ()) if types)


def _of_the_other(other: Any, name: str, self: Any) -> Any:
    """What the other operand's class declares: it is nearer than the built-in operator of two numbers."""
    back = arithmetic.turned(name)
    declared = getattr(special_of(type(other), back), COMPUTES, None) if back else None
    if back in arithmetic.MIRRORED and not _is_exchanged(type(other), back):
        return NotImplemented  # it has its object on the left
    if declared is None:
        return NotImplemented
    # What refuses would ask for this again.
    return (
        declared(other, self, asks=False) if hasattr(declared, REFUSES) else _call(declared, other, (self,))
    )


def _on_both_sides(answer: Any, name: str, sign: str, self: Any, *others: Any) -> Any:
    """What a class's own comparison with a number says, if the number's says the same.

    Python asks the object for ``7 > obj``, too, where C++ may know the built-in operator alone.
    """
    if name not in arithmetic.MIRRORED or isinstance(type(others[0]), RecordType):
        return answer
    back = arithmetic.compute(sign, (self, others[0]))
    if back is NotImplemented or back == answer:
        return answer
    raise number_sides(type(self).__name__, sign, answer, back)


def _hiding(cls: Any, sign: str) -> str:
    """The class whose operator C++ finds, and lets nobody use; empty where there is none."""
    own = (vars(c).get("__samebytes_type__") for c in cls.__mro__)
    structs = (struct for struct in own if isinstance(struct, Struct))
    return next((struct.short_name for struct in structs if f"operator{sign}" in struct.hidden), "")


def _unusable(sign: str, home: str) -> Callable[..., Any]:
    def refuse(self: Any, *others: Any) -> Any:
        raise unusable_operator(sign, home)

    setattr(refuse, COMPUTES, None)
    return refuse


def _refused(sign: str) -> Callable[[Any, Any], Any]:
    def refuse(self: Any, other: Any) -> Any:
        raise rebinding_number(sign, type(self).__name__)

    setattr(refuse, COMPUTES, None)
    return refuse
