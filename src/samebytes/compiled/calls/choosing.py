"""Which overload a call with arguments of some types means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from numba import types

from ...call.introspection import (
    candidate_text,
    choice_text,
    keyword_names,
    unbound_error,
)
from ...call.overloads import CONVERTED, EXACT, LAST, USER, best, unknown_rule
from ...call.overloads import Fit as Ranked
from ...errors import Error, Mismatch, call_error, overload_error
from ...frozen import frozen
from ...model.signature import Parameter, Signature
from ...types import VOID, Scalar, unqualified
from ...values.conversion.enums import is_namesake
from ..arguments.fit import Fit
from ..arguments.rules import fit
from .shaping import by_shape, shape_error

_ASSIGNING = frozenset(
    f"operator{sign}" for sign in ("+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--")
)


@frozen(slots=False)
class Direct:
    """One way to call: an overload with its first ``given`` C++ arguments.

    Attributes
    ----------
    target : int or str
        The direct shim's address, or for GPUs its symbol.
    message : int
        The address of what gives the last message; 0 where nothing is thrown.
    fails : bool
        Whether the shim gives a status.
    unbound : str
        Of an overload that C++ considers and that is not bound: why.
    """

    signature: Signature
    given: int
    target: int | str
    message: int = 0
    fails: bool = False
    unbound: str = ""

    @property
    def visible(self) -> tuple[Parameter, ...]:
        """The parameters that compiled code gives, in order."""
        return tuple(p for p in self.signature.parameters[: self.given] if p.intent.visible)

    @property
    def own(self) -> int:
        """The arguments before those that C++ declares: a method's object."""
        return int(self.signature.kind == "method")

    @property
    def names(self) -> tuple[str, ...]:
        """The names by which they are given."""
        return keyword_names(self.signature, self.visible)


@dataclass
class ResolvedOverload:
    """The overload that a call means.

    Attributes
    ----------
    fits : tuple of Fit
        By visible parameter.
    defaults : mapping of str to object
        The values of the arguments that the call leaves out though it gives later ones.
    """

    direct: Direct
    arguments: tuple[Any, ...]
    fits: tuple[Fit, ...]
    defaults: Mapping[str, Any] = field(default_factory=dict)


def choose(
    name: str, directs: Sequence[Direct], dialect: str, args: tuple[Any, ...], kws: Mapping[str, Any],
    unbound: Sequence[Direct] = (),
) -> ResolvedOverload:  # fmt: skip
    """The overload for arguments of these types.

    Parameters
    ----------
    unbound : sequence of Direct
        What C++ considers beside them: where it may choose one, the call is refused.

    Raises
    ------
    Error
        In the words of a host call.
    """
    fitting = [found for found in by_shape(directs, args, kws) if not directs[found[0]].signature.family]
    if not fitting:
        _refuse_unbound(name, unbound, dialect, args)
        raise shape_error(name, directs, args, kws)
    found: dict[int, list[Fit]] = {}
    errors: list[Error] = []
    for index, (given, _) in fitting:
        try:
            found[index] = _fits(name, directs[index], dialect, given)
        except Error as error:
            if _takes_namesake(directs[index], given):
                raise  # no other overload takes its number, as in Python's calls
            errors.append(error)
    if not found:
        _refuse_unbound(name, unbound, dialect, args)
        if len(errors) == 1:
            raise errors[0]
        raise _none(name, [directs[i] for i, _ in fitting], args, kws, tie=False)
    chosen = best({i: [f.found for f in fits] for i, fits in found.items()})
    if not isinstance(chosen, int):
        raise _none(name, [directs[i] for i in chosen], args, kws, tie=True)
    _check_refusals(directs[chosen], found[chosen])
    ranks = [f.found for f in found[chosen]]
    _check_unbound(name, unbound, directs[chosen], ranks, dialect, (args, kws), dict(fitting)[chosen][0])
    arguments, defaults = dict(fitting)[chosen]
    return ResolvedOverload(directs[chosen], arguments, tuple(found[chosen]), defaults)


def _refuse_unbound(name: str, unbound: Sequence[Direct], dialect: str, args: Sequence[Any]) -> None:
    """Raise an error where C++ may take an overload that is not bound, and no other one takes the arguments."""
    for one in unbound:
        if _ranks(one, dialect, args) is not None:
            raise unbound_error(name, one.signature, one.unbound)


def _check_refusals(direct: Direct, fits: Sequence[Fit]) -> None:
    """Raise an error where the overload that C++ means does not take an argument after all."""
    refusals = []
    for position, fitted in enumerate(fits):
        if (mismatch := fitted.refusal) is not None:
            mismatch.index, mismatch.name = position - direct.own, direct.names[position]
            refusals.append(mismatch)
    if refusals:
        raise call_error(direct.signature.shown_name, refusals)


def _check_unbound(
    name: str, unbound: Sequence[Direct], chosen: Direct, ranks: Sequence[Ranked], dialect: str,
    asked: tuple[tuple[Any, ...], Mapping[str, Any]], given: Sequence[Any],
) -> None:  # fmt: skip
    """Raise an error where C++ takes an overload that is not bound, or finds it as good as the chosen one."""
    ours = [*map(_in_cxx, ranks)]
    for one in unbound:
        if (theirs := _ranks(one, dialect, given)) is None:
            continue
        best_one = best({0: ours, 1: theirs})
        if best_one == 1:
            raise unbound_error(chosen.signature.shown_name, one.signature, one.unbound)
        if best_one != 0:
            raise _none(name, [chosen, one], *asked, tie=True)


def _ranks(unbound: Direct, dialect: str, given: Sequence[Any]) -> list[Ranked] | None:
    """How well arguments fit an overload that is not bound, as C++ ranks them; None: they do not."""
    if len(unbound.visible) != len(given):
        return None
    theirs: list[Ranked] = []
    for position, (parameter, argument) in enumerate(zip(unbound.visible, given, strict=True)):
        if unknown_rule(parameter.value_type) is not None:
            theirs.append(Ranked(_unknown_rank(parameter)))
            continue
        try:
            theirs.append(fit(parameter, argument, dialect, itself=position < unbound.own).found)
        except Mismatch:
            return None
    return [*map(_in_cxx, theirs)]


def _unknown_rank(parameter: Parameter) -> float:
    """The best that a parameter can be that no bound function has."""
    type_ = unqualified(parameter.value_type)
    return EXACT if type_ == VOID else CONVERTED if isinstance(type_, Scalar) else USER


def _in_cxx(ranked: Ranked) -> Ranked:
    """C++ finds all standard conversions of numbers equally good."""
    return replace(ranked, rank=CONVERTED) if CONVERTED < ranked.rank <= LAST else ranked


def _takes_namesake(direct: Direct, given: Sequence[Any]) -> bool:
    """Whether a parameter's enumeration has the name of an argument's, and is another one."""
    pairs = zip(direct.visible, given, strict=True)
    return any(
        is_namesake(unqualified(p.value_type), getattr(a, "instance_class", type(None))) for p, a in pairs
    )


def _fits(name: str, direct: Direct, dialect: str, given: Sequence[Any]) -> list[Fit]:
    fits, mismatches = [], []
    for position, (parameter, argument) in enumerate(zip(direct.visible, given, strict=True)):
        # The object of a method, and the left operand of a free `operator+=`: C++ gets the very object.
        itself = position == 0 and (direct.signature.kind == "method" or name in _ASSIGNING)
        try:
            fits.append(fit(parameter, argument, dialect, itself=itself))
        except Mismatch as mismatch:
            mismatch.index, mismatch.name = position - direct.own, direct.names[position]
            mismatches.append(mismatch)
    if mismatches:
        raise call_error(direct.signature.shown_name, mismatches)
    return fits


def _none(
    name: str, directs: Sequence[Direct], args: Sequence[Any], kws: Mapping[str, Any], *, tie: bool
) -> Error:
    shown = [candidate_text(d.signature, d.unbound) for d in directs]
    words = [str(types.unliteral(a)) for a in args] + [f"{k}={types.unliteral(v)}" for k, v in kws.items()]
    got = ", ".join(words)
    return overload_error(name, shown, got, tie=tie, choice=choice_text(directs[0].signature))
