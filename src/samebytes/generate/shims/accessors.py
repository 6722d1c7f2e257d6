"""Variables that Python reads and writes through functions, because their bytes are C++'s own business."""

from __future__ import annotations

from ...headers.model import Variable
from ...signature import Parameter, Signature
from ...types import VOID, Const, Converted, unqualified


def variable_symbol(index: int) -> str:
    """The function that tells where a variable lies."""
    return f"samebytes_v{index}"


def accessors(index: int, variable: Variable) -> tuple[tuple[str, Signature], ...]:
    """Name, for the shim's symbol, and signature of the functions that get and set it; none where bytes do."""
    inner = unqualified(variable.type)
    if not isinstance(inner, Converted):
        return ()
    spelling = f"const {inner.spelling} &"
    get = Signature(variable.name, f"samebytes_get{index}", (), Const(inner), spelling, "lvalue_ref")
    if isinstance(variable.type, Const):
        return ((f"get{index}", get),)
    value = Parameter("value", Const(inner), spelling, "lvalue_ref")
    put = Signature(variable.name, f"samebytes_set{index}", (value,), VOID, "void")
    return (f"get{index}", get), (f"set{index}", put)


def definitions(index: int, variable: Variable) -> str:
    """The C++ of those functions."""
    bodies = (f"return ::{variable.qualified};", f"::{variable.qualified} = value;")
    return "\n".join(
        f"static {s.result_spelling} {s.qualified}({', '.join(f'{p.spelling} {p.name}' for p in s.parameters)})"
        f" {{ {body} }}"
        for (_, s), body in zip(accessors(index, variable), bodies, strict=False)
    )
