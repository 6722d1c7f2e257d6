"""The numbers of C++ as Python knows them, and why other kinds of types cannot cross."""

from __future__ import annotations

from collections.abc import Sequence

from ...later import later_pattern
from ...types import CHAR, SCALARS, Scalar
from ...types.scalar import PROMOTED
from ..clang.kinds import Kind
from ..clang.libclang import Cursor, printed

NUMBERS: dict[int, Scalar] = {
    Kind.BOOL: SCALARS["bool"],
    Kind.CHAR_U: CHAR,
    Kind.CHAR_S: CHAR,
    Kind.UCHAR: SCALARS["uint8"],
    Kind.SCHAR: SCALARS["int8"],
    Kind.CHAR16: SCALARS["uint16"],
    Kind.CHAR32: SCALARS["uint32"],
    Kind.WCHAR: SCALARS["int32"],
    Kind.USHORT: SCALARS["uint16"],
    Kind.UINT: SCALARS["uint32"],
    Kind.ULONG: SCALARS["uint64"],
    Kind.ULONGLONG: SCALARS["uint64"],
    Kind.SHORT: SCALARS["int16"],
    Kind.INT: SCALARS["int32"],
    Kind.LONG: SCALARS["int64"],
    Kind.LONGLONG: SCALARS["int64"],
    Kind.FLOAT: SCALARS["float32"],
    Kind.DOUBLE: SCALARS["float64"],
    Kind.HALF: SCALARS["float16"],
    Kind.FLOAT16: SCALARS["float16"],
}


# Types that libclang has no kind for.
NAMED_NUMBERS = {"__bf16": SCALARS["bfloat16"], "char8_t": SCALARS["uint8"]}
COMPLEX = {SCALARS["float32"]: SCALARS["complex64"], SCALARS["float64"]: SCALARS["complex128"]}
REASONS: dict[int, str] = {
    Kind.LONGDOUBLE: "long double has no counterpart among Python's number formats",
    Kind.FLOAT128: "a 128-bit floating-point number has no counterpart among Python's number formats",
    Kind.INT128: "a 128-bit integer has no counterpart among Python's number formats",
    Kind.UINT128: "a 128-bit integer has no counterpart among Python's number formats",
    Kind.MEMBER_POINTER: "a pointer to a member has no counterpart in Python",
    Kind.VECTOR: "a compiler's own vector type does not cross; use samebytes::float32x4 and its like",
    Kind.EXT_VECTOR: "a compiler's own vector type does not cross; use samebytes::float32x4 and its like",
    Kind.ATOMIC: "an atomic cannot be copied",
    Kind.FUNCTION: "a function cannot be made from a Python object",
    Kind.FUNCTION_NO_PROTO: "a function cannot be made from a Python object",
    Kind.INCOMPLETE_ARRAY: "an array of unknown length has no size",
    Kind.VARIABLE_ARRAY: "an array of variable length has no size that is known beforehand",
    Kind.DEPENDENT_ARRAY: "an array of dependent length has no size that is known beforehand",
    Kind.LVALUE_REF: "a reference inside another type cannot be filled from Python",
    Kind.RVALUE_REF: "a reference inside another type cannot be filled from Python",
    Kind.AUTO: "its type is deduced from a definition that is not here",
    Kind.VOID: "void has no value",
}


_TEXT = later_pattern(r'"(?:\\.|[^"\\])*"')  # of an attribute
# What C++ promotes an enumeration without a fixed type to: the first of these that holds its values.
_INTEGERS = (
    ("int", -1 << 31, (1 << 31) - 1),
    ("unsigned int", 0, (1 << 32) - 1),
    ("long", -1 << 63, (1 << 63) - 1),
)


def promotions(enumeration: Cursor, values: Sequence[int]) -> tuple[str, ...]:
    """The types that C++ promotes an enumerator to, the better one first (ISO C++ [conv.prom]).

    GCC promotes one with a fixed type of bool to int alone.

    Parameters
    ----------
    values : sequence of int
        Of its enumerators.
    """
    if enumeration.is_scoped_enum():
        return ()
    if " : " not in _TEXT.sub("", printed(enumeration)).partition("{")[0]:
        low, high = min(values, default=0), max(values, default=0)
        return (next((t for t, least, most in _INTEGERS if least <= low and high <= most), "unsigned long"),)
    fixed = str(enumeration.enum_type.get_canonical().spelling)
    other = PROMOTED.get(fixed)
    return (fixed,) if other is None else (other,) if fixed == "bool" else (fixed, other)
