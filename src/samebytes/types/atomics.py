"""What atomics do: operations, memory orders and scopes, under the specification's names."""

from __future__ import annotations

from ..frozen import frozen

# The words of C++'s memory orders.
ORDERS = ("relaxed", "acquire", "release", "acq_rel", "seq_cst")
_NO_RELEASE = ("relaxed", "acquire", "seq_cst")
_NO_ACQUIRE = ("relaxed", "release", "seq_cst")
# Threads of the same block, device, or of all processors: on a CPU there is one scope.
SCOPES = ("thread", "block", "device", "system")


@frozen(slots=False)
class Operation:
    """One method: its values, the orders that it may have, and what it gives.

    Attributes
    ----------
    values : tuple of str
        The names of the arguments that are values of the atomic's type.
    gives : bool
        Whether the call gives the value that was there.
    kinds : frozenset of str
        The kinds of numbers that have it.
    """

    values: tuple[str, ...]
    orders: tuple[str, ...]
    gives: bool
    kinds: frozenset[str]


_ALL = frozenset({"int", "uint", "float", "pointer", "bool", "enum"})
_NUMBERS = frozenset({"int", "uint", "float"})
INTEGERS = frozenset({"int", "uint"})
FLOATS = frozenset({"float"})
_CHANGED = ("value",)
OPERATIONS = {
    "load": Operation((), _NO_RELEASE, True, _ALL),
    "store": Operation(_CHANGED, _NO_ACQUIRE, False, _ALL),
    "exch": Operation(_CHANGED, ORDERS, True, _ALL),
    "cas": Operation(("expected", "desired"), ORDERS, True, _ALL),
    "add": Operation(_CHANGED, ORDERS, True, _NUMBERS),
    "sub": Operation(_CHANGED, ORDERS, True, _NUMBERS),
    "and_": Operation(_CHANGED, ORDERS, True, INTEGERS),
    "or_": Operation(_CHANGED, ORDERS, True, INTEGERS),
    "xor": Operation(_CHANGED, ORDERS, True, INTEGERS),
    "max": Operation(_CHANGED, ORDERS, True, _NUMBERS),
    "min": Operation(_CHANGED, ORDERS, True, _NUMBERS),
    "nanmax": Operation(_CHANGED, ORDERS, True, FLOATS),
    "nanmin": Operation(_CHANGED, ORDERS, True, FLOATS),
    "wait": Operation(("old",), _NO_RELEASE, False, _ALL),
    "notify_one": Operation((), (), False, _ALL),
    "notify_all": Operation((), (), False, _ALL),
}
