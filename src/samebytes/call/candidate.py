"""One way to call a function, and what it is where it serves as one of Python's special methods."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..frozen import frozen
from ..model.signature import Parameter, Signature
from ..model.symbols import has_address
from ..model.verdicts import Verdict

if TYPE_CHECKING:
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
    """

    signature: Signature
    given: int
    address: int
    function: int = 0
    order: tuple[int, ...] = ()
    table: tuple[int, ...] = ()
    verdict: Verdict | None = None
    later: Later | None = None

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
        Whether it always declines what it does not take, as comparisons do.
    in_place : bool
        Whether a call gives back the object itself.
    extent : callable, optional
        How many elements an object has that its subscripts count from zero: then also from the end, and by slices.
    """

    name: str
    reflected: str | None = None
    declines: bool = False
    in_place: bool = False
    extent: Callable[[Any], int] | None = None

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
        if self.declines or len(args) != 2:
            return self.declines
        other = type(args[1])
        answers = self.reflected and other not in _NUMBERS and special_of(other, self.reflected)
        return bool(answers) and getattr(answers, COMPUTES, answers) is not None


def special_of(cls: type, name: str) -> Any:
    """A special method of a class's objects, None without one: the class, as an object, may have one of that name."""
    return next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), None)


# On a special method that is a built-in operator of C++'s, too: what the class declares itself, or None.
COMPUTES = "__samebytes_computes__"
# On a special method that asks another first: that one.
ASKS = "__samebytes_asks__"

# On a special method that is a template's: C++ says what it means when Python first meets the operands.
TEMPLATE = "__samebytes_template__"

# Python's numbers know no operand but themselves.
_NUMBERS = (int, float, complex, bool, str, bytes, list, tuple)
