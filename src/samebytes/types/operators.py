"""C++'s operators by the special methods that they are in Python: the one table, for what is bound and overridden."""

from __future__ import annotations

BINARY = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "%": "mod", "&": "and", "|": "or", "^": "xor",
    "<<": "lshift", ">>": "rshift",
}  # fmt: skip
COMPARED = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
# The sign that says the same of two operands in the other order.
COUNTERPARTS = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
# The comparisons of which an exchange of the operands makes another one.
ORDERINGS = frozenset({"<", ">", "<=", ">="})
UNARY = {"-": "neg", "+": "pos", "~": "invert"}
CALLED = {"()": "call", "[]": "getitem", "[]=": "setitem"}
_IN_PLACE = {f"{sign}=": f"i{name}" for sign, name in BINARY.items()}
_OF_TWO = {**BINARY, **COMPARED, **_IN_PLACE, "[]": CALLED["[]"]}


def special_method(name: str, operands: int) -> str:
    """The special method of Python's that a member operator is; empty where Python has none.

    Parameters
    ----------
    name : str
        ``operator+``.
    operands : int
        How many it takes beside its object.
    """
    sign = name.removeprefix("operator")
    found = CALLED["()"] if sign == "()" else ({0: UNARY, 1: _OF_TWO}.get(operands) or {}).get(sign, "")
    return f"__{found}__" if found else ""
