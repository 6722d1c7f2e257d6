"""One way to call a function, and what it is where it serves as one of Python's special methods."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..frozen import frozen
from ..model.signature import FURTHER, Parameter, Signature
from ..model.symbols import ON_OBJECT, has_address
from ..model.verdicts import Verdict
from ..types import Pointer, Text

if TYPE_CHECKING:
    from ..model.module import UnboundOverload
    from .later import Later


@frozen
class Candidate:
    """One way to call: an overload with its first ``given`` C++ arguments.

    Attributes
    ----------
    signature : Signature
    given : int
        C++ arguments that Python supplies, hidden ones included; C++ supplies its defaults for the rest.
    address : int
        The shim's.
    function : int
        The C++ function's own; 0 where it has none that a function pointer could hold.
    order : tuple of int
        Which of the arguments each one of a Python call is, where it is not the same; of an operator.
    table : tuple of int
        The place of each C++ argument in the address table, where that is not its own, and last the places there are.
    verdict : Verdict or None
        What was read in the shim's code.
    later : Later or None
        What builds the shim, where it is not there yet; then the address is 0.
    unbound : str
        Of an overload that C++ considers and that is not bound: why. Where C++ chooses it, the call is refused.
    template : bool
        Whether it is a template, which C++ takes after a function that is as good; only of one that is not bound.
    """

    signature: Signature
    given: int
    address: int
    function: int = 0
    order: tuple[int, ...] = ()
    table: tuple[int, ...] = ()
    verdict: Verdict | None = None
    later: Later | None = None
    unbound: str = ""
    template: bool = False

    @property
    def read(self) -> Verdict | None:
        """What was read in the shim's code, by now."""
        built = self.later.known() if self.later is not None else None
        return self.verdict if built is None else built.verdict

    @property
    def waits(self) -> bool:
        """Whether the shim is not there yet."""
        return self.later is not None and self.later.known() is None

    @property
    def shim(self) -> int:
        """The shim's address; 0 while it waits."""
        built = self.later.known() if self.later is not None else None
        return self.address if built is None else built.address

    def own_address(self) -> int:
        """The C++ function's own address, as ``function``; it is built where it is not there."""
        if self.later is None or not has_address(self.signature):
            return self.function
        return self.later.build().function

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What a call gives, in order: the object of a member, then the visible parameters."""
        visible = tuple(p for p in self.signature.parameters[: self.given] if p.intent.visible)
        new = self.signature.object if self.signature.kind == "constructor" else None
        found = (new, *visible) if new else visible
        return tuple(found[i] for i in self.order) or found


# Of an overload that is bound and as good as another one, where C++ completes a call with its default arguments.
AMBIGUOUS = "C++ finds another overload as good"
# Of ``a[i] = x`` by an ``operator[]`` that C++ may choose, and whose result nothing is assigned to.
NOT_ASSIGNABLE = "C++ assigns nothing to what it gives"


def _is_text_beside(parameters: Sequence[Parameter], bound: Sequence[Candidate]) -> bool:
    """Whether it differs from a bound overload by a ``const char*`` for a string alone: Python's text is no literal."""
    for candidate in bound:
        if candidate.unbound or len(candidate.parameters) != len(parameters):
            continue
        pairs = list(zip(candidate.parameters, parameters, strict=True))
        same = [(a.type, a.passing) == (b.type, b.passing) or a.name == "self" for a, b in pairs]
        texts = [_are_texts(*pair) for pair in pairs]
        if any(texts) and all(s or t for s, t in zip(same, texts, strict=True)):
            return True
    return False


def _are_texts(bound: Parameter, other: Parameter) -> bool:
    return isinstance(bound.value_type, Text) and isinstance(other.type, Pointer) and other.type.is_string


def unbound_candidates(overload: UnboundOverload, bound: Sequence[Candidate]) -> Iterator[Candidate]:
    """An overload that is not bound, for each number of arguments by which a bound one of its name is called.

    Parameters
    ----------
    overload : UnboundOverload
        Linked.
    """
    signature, first = overload.signature, next(c for c in bound if not c.unbound).signature
    if signature.kind == "method" and first.kind == "static":  # C++ calls no member without an object
        signature = replace(signature, kind="static", parameters=signature.parameters[1:])
    elif signature.kind == "static" and first.object is not None:
        signature = replace(
            signature,
            kind="method",
            parameters=(first.parameters[0], *signature.parameters),
            expression=ON_OBJECT,
        )
    declared = len(signature.parameters)
    least = sum(p.default is None for p in signature.parameters)
    counts = {len(c.parameters) for c in bound if not c.unbound}
    if any(c.signature.variadic for c in bound):  # which any number of arguments calls
        counts.update(range(least, declared + 1))
    for count in sorted(counts):
        given = count - (signature.kind == "constructor")
        further = given - declared if signature.variadic else 0
        if least <= given and (given <= declared or further > 0):
            whole = signature
            if _is_text_beside(signature.parameters, bound):
                continue
            if further > 0:
                whole = replace(signature, parameters=(*signature.parameters, *[FURTHER] * further))
            yield Candidate(whole, given, 0, unbound=overload.reason, template=overload.template)


@frozen
class Unbound:
    """Which candidates are not bound.

    Attributes
    ----------
    every : frozenset of int
    templates : frozenset of int
        Those among them that are templates.
    """

    every: frozenset[int] = frozenset()
    templates: frozenset[int] = frozenset()


NONE_UNBOUND = Unbound()


def bound_first(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """The candidates, with those behind that are not bound."""
    return tuple(sorted(candidates, key=lambda candidate: bool(candidate.unbound)))


def unbound_among(candidates: Sequence[Any]) -> Unbound:
    """Which candidates, or constructors that C++ calls by itself, are not bound."""
    every = frozenset(i for i, c in enumerate(candidates) if c.unbound)
    return Unbound(every, frozenset(i for i in every if candidates[i].template)) if every else NONE_UNBOUND


@frozen
class Special:
    """A binding that is one of Python's special methods.

    Attributes
    ----------
    name : str
        ``__add__``.
    reflected : str or None
        What Python asks of the other operand where this one declines.
    declines : bool
        Whether it is a comparison, of which Python knows the opposite by the other operand.
    in_place : bool
        Whether a call gives back the object itself.
    extent : callable, optional
        How many elements an object has that its subscripts count from zero: then also from the end, and by slices.
    subscript : callable, optional
        Of ``a[i] = x``, where a class has several ``operator[]``: the one that C++ chooses by ``a`` and ``i`` alone,
        and whether arguments of equal types always choose it.
    """

    name: str
    reflected: str | None = None
    declines: bool = False
    in_place: bool = False
    extent: Callable[[Any], int] | None = None
    subscript: Callable[[tuple[Any, ...]], tuple[Signature, bool]] | None = None

    @property
    def assigns(self) -> bool:
        """Whether nothing but a change of the object comes of it."""
        return self.in_place or self.name == "__setitem__"

    def counts(self, args: Sequence[Any]) -> bool:
        """Whether a subscript is one of Python's alone: it counts from the end, or it is a slice."""
        if self.extent is None or len(args) < 2:
            return False
        return isinstance(args[1], slice) or (type(args[1]) is int and args[1] < 0)

    def leaves(self, args: Sequence[Any]) -> bool:
        """Whether to leave an operation that fits no overload to the other operand."""
        if self.equates or len(args) != 2 or not self.reflected:
            return self.declines and len(args) == 2
        other = type(args[1])
        owner = next((base for base in other.__mro__ if self.reflected in vars(base)), object)
        if owner in _MUTE or owner.__module__.partition(".")[0] == "numpy":
            return False
        answers = vars(owner)[self.reflected]
        return getattr(answers, COMPUTES, answers) is not None

    @property
    def equates(self) -> bool:
        """Whether it is ``==`` or ``!=``: what it does not take is different to Python."""
        return self.name in ("__eq__", "__ne__")


def special_of(cls: type, name: str) -> Any:
    """A special method of a class's objects, None without one: the class, as an object, may have one of that name."""
    return next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), None)


# On a special method that is a built-in operator of C++'s, too: what the class declares itself, or None.
COMPUTES = "__samebytes_computes__"
# On a special method that asks another first: that one.
ASKS = "__samebytes_asks__"

# On a special method that is a template's: C++ says what it means when Python first meets the operands.
TEMPLATE = "__samebytes_template__"

# Python's own classes know no operand but themselves; NumPy's leave a class's operators to it.
_MUTE = (object, int, float, complex, bool, str, bytes, list, tuple, dict, set, frozenset, type(None))
