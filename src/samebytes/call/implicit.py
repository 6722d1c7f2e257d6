"""C++'s implicit conversions of arguments: by constructors and conversion operators that are not explicit."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

from .. import _native
from ..errors import ArgumentError, Mismatch, plain_error, value_words
from ..frozen import frozen
from ..model.signature import Parameter, Signature
from ..model.slots import takes_over
from ..types import Enum, Pointer, Scalar, Struct, Text, Type, unqualified
from ..values.conversion import Packed, structs
from ..values.later_type import complete
from . import class_conversions, ranking
from .candidate import unbound_among
from .class_conversions import conversions_of, has_lost
from .conversion_sequences import AMBIGUOUS, UndecidedError
from .frame import convert_argument
from .overloads import USER, Fit, choose


@frozen
class Maker:
    """A constructor that C++ calls by itself.

    Attributes
    ----------
    parameter : Parameter
        What it takes.
    make : callable
        Makes an object of the class, given its Python class and a value.
    text : str
        Its C++ declaration.
    unbound : str
        Of one that is not bound: why.
    template : bool
        Whether that one is a template.
    """

    parameter: Parameter
    make: Callable[[Any, Any], Any]
    text: str
    unbound: str = ""
    template: bool = False


@frozen
class Becomes:
    """A conversion operator that C++ calls by itself.

    Attributes
    ----------
    result : Type
        What it gives.
    call : callable
        Called with the object.
    text : str
        Its C++ declaration.
    writes : bool
        Whether it is one for objects that are not const alone.
    name : str
        ``operator int``.
    passing : str
        How it gives an object of a class: ``"value"``, ``"lvalue_ref"`` or ``"rvalue_ref"``.
    own : bool
        Whether there is one for objects that are not const.
    """

    result: Type
    call: Callable[[Any], Any]
    text: str
    writes: bool = False
    name: str = ""
    passing: str = "value"
    own: bool = False


class LaterError(Exception):
    """A conversion fits, and takes the object over: it waits until every other argument fits, too."""


def convert_implicitly(parameter: Parameter, obj: Any, dialect: str, *, last: bool = False) -> Packed:
    """The bytes of an argument: as it is, else of the temporary that one conversion of C++ makes of it.

    The temporary is among the owners, and so lives as long as the call, or as what the call gives back and may
    refer to it.

    Parameters
    ----------
    last : bool
        Whether all other arguments fit, so that the conversion may take the object over.

    Raises
    ------
    Mismatch
        If it does not fit, or if several conversions would do.
    LaterError
        If it fits, and is to be asked for last.
    """
    try:
        return convert_argument(parameter, obj, dialect)
    except Mismatch as mismatch:
        found = _conversions(parameter, obj, dialect)
        if not found:
            target = parameter.value_type
            mismatch.advice = _namesake(target, obj) or _twice(target, obj) or mismatch.advice
            raise
    if len(found) > 1:
        ways = "".join(f"\n    {way.text}" for way in found)
        advice = f"C++ knows several conversions, and none is better: call one of\n    {ways.strip()}"
        raise Mismatch(ArgumentError, str(parameter.value_type), value_words(obj), advice)
    if found[0].takes and not last:
        raise LaterError
    made = found[0].run()
    packed = convert_argument(parameter, made, dialect)
    return Packed(packed.data, (*packed.owners, made))


def converted_fit(parameter: Parameter, obj: Any, dialect: str) -> Fit | None:
    """How well an argument that does not fit as it is fits by C++'s conversions; None: there is none."""
    found = _conversions(parameter, obj, dialect)
    if len(found) != 1:
        return Fit(USER) if found else None
    return Fit(USER, by=found[0].by, step=found[0].step)


def is_tied(parameter: Parameter, obj: Any, dialect: str) -> bool:
    """Whether C++ makes an argument of a class by several conversions, none of which is better."""
    struct = isinstance(unqualified(parameter.value_type), Struct)
    return struct and len(_conversions(parameter, obj, dialect)) > 1


@frozen
class _Conversion:
    """One conversion: its text, what runs it, whether C++ takes the object over; of an operator, which and how near."""

    text: str
    run: Callable[[], Any]
    takes: bool = False
    by: object = None
    step: int = 0


def _conversions(parameter: Parameter, obj: Any, dialect: str) -> list[_Conversion]:
    """The conversions that C++ considers (ISO C++ [over.best.ics], [class.conv])."""
    if not parameter.converts or (parameter.may_write and parameter.passing == "lvalue_ref"):
        return []  # a temporary does not bind to T&
    target = parameter.value_type
    made = _constructions(target, obj, dialect)
    if isinstance(target, Struct):
        return made + _class_operators(target, obj, parameter.passing)
    return made + _operators(target, obj, ranking.bare(parameter.spelling))


def _constructions(target: Type, obj: Any, dialect: str) -> list[_Conversion]:
    python: Any = getattr(target, "python", None) if isinstance(target, Struct) else None
    if python is None or isinstance(obj, python):
        return []
    makers, refusal = _makers(python, obj)
    if refusal is not None:
        return [_Conversion(str(refusal), partial(_refuse, refusal))]
    if not makers:
        return []
    # None of these arguments is converted again: C++ allows one conversion by a class's own functions.
    unbound = unbound_among(makers)
    best = choose(
        {i: [m.parameter] for i, m in enumerate(makers)}, {i: [obj] for i in range(len(makers))}, dialect,
        unbound=unbound,
    )  # fmt: skip
    fitting = [best] if isinstance(best, int) else best
    chosen = [makers[i] for i in fitting]
    return [
        _Conversion(m.text, partial(m.make, python, obj), takes_over(m.parameter), m.text) for m in chosen
    ]


def refuse_explicit(constructor: Signature, obj: Any, taken: Type | None) -> None:
    """Raise an error where C++ makes an object by an explicit conversion of the argument, and not by a constructor.

    Parameters
    ----------
    taken : Type or None
        What the constructor takes that fits; one that takes the object itself is nearer.
    """
    found = class_conversions.explicit_conversion(type(obj), constructor.owner)
    itself = isinstance(taken, Struct) and ranking.taken_as(type(obj), taken) is not None
    if found is None or itself:
        return
    name, text = found
    words = f"means {text}, which is explicit: getattr(x, {name!r})() calls it"
    raise plain_error(ArgumentError, constructor.shown_name, words)


def _namesake(target: Type, obj: Any) -> str:
    """Why no constructor of a class takes an object, where one takes another class of that name."""
    python: Any = getattr(target, "python", None) if isinstance(target, Struct) else None
    if python is None or not isinstance(obj, _native.Record):
        return ""
    taken = (maker.parameter.value_type for maker in python.__dict__.get("__samebytes_makers__", ()))
    found = (structs.namesake_advice(t, obj) for t in map(unqualified, taken) if isinstance(t, Struct))
    return next(filter(None, found), "")


def _twice(target: Type, obj: Any) -> str:
    """That an object becomes an address of characters, of which C++ would make text by a second conversion."""
    if not isinstance(obj, _native.Record) or not isinstance(target, Text):
        return ""
    given = (unqualified(b.result) for b in conversions_of(type(obj)))
    addresses = any(isinstance(t, Pointer) and t.is_string for t in given)
    return "C++ would convert it twice: str(x) is its text" if addresses else ""


def _refuse(refusal: Exception) -> NoReturn:
    raise refusal


def _makers(python: Any, obj: Any) -> tuple[tuple[Maker, ...], Exception | None]:
    """The constructors that C++ may call by itself, of templates those for this value, or why C++ refuses it."""
    complete(python)
    templates = python.__dict__.get("__samebytes_new__")
    refusal = None
    typed = hasattr(type(obj), "__samebytes_type__") or ranking.source_of(obj) is not None
    if typed and hasattr(templates, "__samebytes_deduces__"):
        refusal = templates.__samebytes_deduces__(python, obj)
    return python.__dict__.get("__samebytes_makers__", ()), refusal


def _class_operators(target: Struct, obj: Any, passing: str) -> list[_Conversion]:
    """The conversion operator that gives an object of a class, or all where C++ finds none the nearest."""
    source = ranking.source_of(obj) if isinstance(obj, _native.Record) else None
    if source is None:
        return []
    found, every = ranking.class_operator(source, target, passing)
    chosen = every if found is None else [found]
    if has_lost(type(obj)) and not any(ranking.is_class(b, target) for b in chosen):
        return []  # one that C++ would refuse may be nearer
    return [
        _Conversion(b.text, partial(b.call, obj), by=b.call, step=int(not ranking.is_class(b, target)))
        for b in chosen
    ]


def _operators(target: Type, obj: Any, spelled: str) -> list[_Conversion]:
    if not isinstance(obj, _native.Record):
        return []
    number = isinstance(target, Scalar) and target.kind != "complex"
    source = ranking.source_of(obj) if number else None
    try:
        nearest = None if source is None else ranking.by_conversion(source, target, spelled)  # type: ignore[arg-type]
    except UndecidedError:  # of an enumeration
        nearest = None
    if nearest is not None and isinstance(nearest.by, Becomes):
        return [
            _Conversion(nearest.by.text, partial(nearest.by.call, obj), by=nearest.by.call, step=nearest.then)
        ]
    if nearest is not None and nearest.by is AMBIGUOUS:
        found = [b for b in conversions_of(type(obj)) if isinstance(unqualified(b.result), Scalar | Enum)]
        return [_Conversion(b.text, partial(b.call, obj)) for b in found]
    declared: dict[str, Becomes] = {}
    for becomes in conversions_of(type(obj)):
        declared.setdefault(str(becomes.result), becomes)
    if has_lost(type(obj)) and not any(unqualified(b.result) == target for b in declared.values()):
        return []  # one that C++ would refuse may be nearer
    ranked = [(_step(unqualified(b.result), target), b) for b in declared.values()]
    least = min((step for step, _ in ranked if step is not None), default=None)
    return [
        _Conversion(b.text, partial(b.call, obj), by=b.call, step=step)
        for step, b in ranked
        if step is not None and step == least
    ]


def _step(given: Type, target: Type) -> int | None:
    """How far a conversion operator's result is from the target: 0 the same type, 1 one standard conversion."""
    if given == target:
        return 0
    if isinstance(given, Pointer) and isinstance(target, Pointer):
        return 1 if given.is_string and target.is_string and given.const <= target.const else None
    return 1 if isinstance(given, Scalar) and isinstance(target, Scalar) else None
