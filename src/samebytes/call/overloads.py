"""Which overload a call means: exact matches before lossless ones before the rest; a tie is no choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .. import _native
from ..arrays.protocols import view
from ..errors import Mismatch, ProtocolError
from ..model.signature import Parameter
from ..model.slots import storage_type
from ..types import SCALARS, VOID, Array, Enum, Function, Pointer, Scalar, Struct, Type, Vector, unqualified
from .frame import convert_argument

EXACT, LOSSLESS, CONVERTED, LAST = range(4)
USER = 6  # by a constructor or a conversion operator of C++'s: after everything else
_REFUSED = 9
# Whether C++ would convert an argument that does not fit as it is.
Convertible = Callable[[Parameter, Any, str], bool]

# Python int: the smallest of int, long, long long that holds it (design, "Overloads").
_INT_ORDER = {"int": 0, "long": 1, "long long": 2}


def _rank_bool(type_: Type, value: Any, parameter: Parameter) -> int:
    return EXACT


def _rank_int(type_: Type, value: int, parameter: Parameter) -> int:
    if not isinstance(type_, Scalar) or type_.kind not in ("int", "uint"):
        return LAST
    spelled = parameter.spelling.removeprefix("const ").rstrip(" &")
    return _INT_ORDER.get(spelled, CONVERTED) if type_.kind == "int" else CONVERTED


def _rank_derived_int(type_: Type, value: int, parameter: Parameter) -> float:
    """An enumerator or another int of a class of its own: its enumeration, else what an int is."""
    if isinstance(type_, Enum):
        return _rank_other(type_, value, parameter)
    found = _rank_int(type_, value, parameter)
    return found + 0.5 if found < LAST else found  # behind a parameter of its own class


def _rank_float(type_: Type, value: float, parameter: Parameter) -> int:
    if type_ == SCALARS["float64"]:
        return EXACT
    return CONVERTED if isinstance(type_, Scalar) and type_.kind == "float" else LAST


def _rank_complex(type_: Type, value: complex, parameter: Parameter) -> int:
    return EXACT if type_ == SCALARS["complex128"] else CONVERTED


def _rank_numpy_scalar(type_: Type, value: Any, parameter: Parameter) -> int:
    if not isinstance(type_, Scalar):
        return LAST
    if type_.dtype == value.dtype:
        return EXACT
    if not np.can_cast(value.dtype, type_.dtype):
        return LAST
    return LOSSLESS if type_ == _PROMOTED.get(type_.kind) else CONVERTED


# What C++ promotes smaller numbers to (ISO C++ [conv.prom], [conv.fpprom]).
_PROMOTED = {"int": SCALARS["int32"], "float": SCALARS["float64"]}


def _rank_instance(type_: Type, value: Any, parameter: Parameter) -> float:
    if isinstance(type_, Pointer):
        return _rank_pointee(type_) + (BY_ADDRESS if parameter.passing == "value" else 0)
    if not isinstance(type_, Struct | Vector):
        return CONVERTED
    if getattr(type(value), "__samebytes_type__", None) != type_:
        return CONVERTED
    # As for an lvalue in C++: T& before const T&.
    return LOSSLESS if parameter.passing == "lvalue_ref" and not parameter.may_write else EXACT


# An object means itself, T& and its like, before its address, as C++ has an operator for that.
BY_ADDRESS = 2.5


def _rank_pointee(type_: Pointer) -> int:
    return CONVERTED if type_.target == VOID else LOSSLESS if type_.const else EXACT


def _rank_array(type_: Type, value: Any, parameter: Parameter) -> int:
    if isinstance(type_, Pointer) and type_.target == VOID:
        return CONVERTED
    if isinstance(type_, Array | Pointer):
        # A writable array prefers the parameter that may write, as C++ prefers T& to const T& for an lvalue.
        return LOSSLESS if type_.const and not view(value).readonly else EXACT
    return CONVERTED


def _rank_other(type_: Type, value: Any, parameter: Parameter) -> int:
    if isinstance(type_, Pointer) and isinstance(type_.target, Function):
        return EXACT if value is None or isinstance(value, _native.Pointer) else CONVERTED
    if isinstance(type_, Array | Pointer):
        placeless = isinstance(value, str | bytes | _native.Pointer) or value is None
        if placeless:
            return EXACT
        try:
            return _rank_array(type_, value, parameter)
        except ProtocolError:  # one value, for a pointer to const
            return LAST
    return EXACT if isinstance(type_, Enum) and isinstance(value, type_.python or ()) else CONVERTED


_RANKS: tuple[tuple[type | tuple[type, ...], Callable[[Type, Any, Parameter], float]], ...] = (
    (bool, _rank_bool),
    (int, _rank_derived_int),
    (np.generic, _rank_numpy_scalar),
    (float, _rank_float),
    (complex, _rank_complex),
    ((_native.Value, _native.Record), _rank_instance),
    (np.ndarray, _rank_array),
)


def rank(parameter: Parameter, value: Any, dialect: str, convertible: Convertible | None = None) -> float:
    """How well a value fits a parameter: EXACT, LOSSLESS, CONVERTED, LAST, USER; more than that: not at all."""
    type_ = unqualified(storage_type(parameter))
    try:
        convert_argument(parameter, value, dialect)
    except Mismatch:
        return USER if convertible and convertible(parameter, value, dialect) else _REFUSED
    found = float(_rank(type_, value, parameter))
    # A converted value is a temporary, which C++ would not bind to T& but to const T&.
    refers = parameter.may_write and parameter.passing == "lvalue_ref" and not parameter.intent.place
    is_object = isinstance(value, _native.Record)
    temporary = refers and not is_object
    # An object that has a name goes to const T& before T&&, which may empty it; a temporary to T&&.
    moved = parameter.passing == "rvalue_ref"
    return found + 0.5 * temporary + (1.5 if is_object else -0.25) * moved


def _rank(type_: Type, value: Any, parameter: Parameter) -> float:
    if type(value) is int:
        return _rank_int(type_, value, parameter)
    for classes, ranked in _RANKS:
        if isinstance(value, classes):
            return ranked(type_, value, parameter)
    return _rank_other(type_, value, parameter)


def choose(
    parameters: Mapping[int, Sequence[Parameter]], values: Mapping[int, Sequence[Any]], dialect: str,
    convertible: Convertible | None = None, own: int = 0,
) -> int | list[int]:  # fmt: skip
    """The best candidate's index, or the list of those that fit equally well (empty: none fits).

    A candidate is best if no argument fits another candidate better, and some argument fits it better
    (ISO C++ [over.match.best], with our ranks).

    Parameters
    ----------
    parameters, values : mapping
        By candidate: its visible parameters, and the call's arguments in their order.
    convertible : callable, optional
        Whether C++ would convert an argument that does not fit as it is; without it, it does not.
    own : int
        The number of first arguments that it never does that to: the object of a method.
    """
    ranks = {
        i: [
            rank(p, v, dialect, convertible if k >= own else None)
            for k, (p, v) in enumerate(zip(parameters[i], values[i], strict=True))
        ]
        for i in parameters
    }
    return best({i: r for i, r in ranks.items() if max(r, default=0) < _REFUSED})


def best(ranks: Mapping[int, Sequence[float]]) -> int | list[int]:
    """The candidate that fits best, from how well each argument fits; the list of all if none is better than all."""
    found = [i for i, r in ranks.items() if all(j == i or _better(r, other) for j, other in ranks.items())]
    return found[0] if found else list(ranks)


def _better(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(a <= b for a, b in zip(one, other, strict=True)) and list(one) != list(other)
