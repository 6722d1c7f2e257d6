"""The numbers of C++ as Python knows them, and why other kinds of types cannot cross."""

from __future__ import annotations

from ...types import CHAR, SCALARS, Scalar
from ..clang.kinds import Kind

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
