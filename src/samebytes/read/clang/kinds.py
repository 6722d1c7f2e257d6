"""libclang's kinds of declarations and of types, by number, and the groups of them that rules speak of."""

from __future__ import annotations

from enum import IntEnum


class Decl(IntEnum):
    """libclang's ``CXCursorKind``; numbers, because the binding raises on kinds newer than itself."""

    UNEXPOSED = 1
    STRUCT = 2
    UNION = 3
    CLASS = 4
    ENUM = 5
    FIELD = 6
    ENUM_CONSTANT = 7
    FUNCTION = 8
    VARIABLE = 9
    PARAMETER = 10
    TYPEDEF = 20
    METHOD = 21
    NAMESPACE = 22
    LINKAGE = 23
    BINARY_OPERATOR = 114
    CONSTRUCTOR = 24
    DESTRUCTOR = 25
    CONVERSION = 26
    TYPE_PARAMETER = 27
    VALUE_PARAMETER = 28
    TEMPLATE_PARAMETER = 29
    FUNCTION_TEMPLATE = 30
    CLASS_TEMPLATE = 31
    PARTIAL_SPECIALIZATION = 32
    NAMESPACE_ALIAS = 33
    USING_DIRECTIVE = 34
    USING = 35
    OVERLOADS = 49
    ALIAS = 36
    BASE = 44
    TYPE_REFERENCE = 43
    NAMESPACE_REFERENCE = 46
    OVERLOADS_REFERENCE = 49
    UNEXPOSED_EXPRESSION = 100
    REFERENCE_EXPRESSION = 101
    MEMBER_EXPRESSION = 102
    CALL_EXPRESSION = 103
    STRING_LITERAL = 109
    PARENTHESES = 111
    C_CAST = 117
    BRACES = 119
    STATIC_CAST = 124
    OTHER_ATTRIBUTE = 400
    FINAL_ATTRIBUTE = 404
    PACKED_ATTRIBUTE = 408
    MACRO_DEFINITION = 501
    MACRO_EXPANSION = 502
    INCLUSION = 503
    ALIAS_TEMPLATE = 601
    FRIEND = 603
    CONCEPT = 604


class Kind(IntEnum):
    """libclang's ``CXTypeKind``, as far as a rule depends on it."""

    INVALID = 0
    UNEXPOSED = 1
    VOID = 2
    BOOL = 3
    CHAR_U = 4
    UCHAR = 5
    CHAR16 = 6
    CHAR32 = 7
    USHORT = 8
    UINT = 9
    ULONG = 10
    ULONGLONG = 11
    UINT128 = 12
    CHAR_S = 13
    SCHAR = 14
    WCHAR = 15
    SHORT = 16
    INT = 17
    LONG = 18
    LONGLONG = 19
    INT128 = 20
    FLOAT = 21
    DOUBLE = 22
    LONGDOUBLE = 23
    NULLPTR = 24
    FLOAT128 = 30
    HALF = 31
    FLOAT16 = 32
    COMPLEX = 100
    POINTER = 101
    LVALUE_REF = 103
    RVALUE_REF = 104
    RECORD = 105
    ENUM = 106
    TYPEDEF = 107
    FUNCTION_NO_PROTO = 110
    FUNCTION = 111
    CONSTANT_ARRAY = 112
    VECTOR = 113
    INCOMPLETE_ARRAY = 114
    VARIABLE_ARRAY = 115
    DEPENDENT_ARRAY = 116
    MEMBER_POINTER = 117
    AUTO = 118
    ELABORATED = 119
    EXT_VECTOR = 176
    ATOMIC = 177


PUBLIC, PROTECTED, PRIVATE = 1, 2, 3  # CX_CXXPublic and its like, access specifiers
RECORDS = frozenset({Decl.STRUCT, Decl.CLASS, Decl.UNION})
TYPEDEFS = frozenset({Decl.TYPEDEF, Decl.ALIAS})
ARRAYS = frozenset({Kind.CONSTANT_ARRAY, Kind.INCOMPLETE_ARRAY, Kind.VARIABLE_ARRAY, Kind.DEPENDENT_ARRAY})
CALLABLES = frozenset({Decl.FUNCTION, Decl.METHOD, Decl.CONSTRUCTOR, Decl.CONVERSION})
PREPROCESSING = (Decl.MACRO_DEFINITION, Decl.INCLUSION)  # the first and the last of them
TEMPLATE_PARAMETERS = frozenset({Decl.TYPE_PARAMETER, Decl.VALUE_PARAMETER, Decl.TEMPLATE_PARAMETER})
# How a reference passes what it refers to.
REFERENCES: dict[int, str] = {Kind.LVALUE_REF: "lvalue_ref", Kind.RVALUE_REF: "rvalue_ref"}
POINTERS = frozenset({Kind.POINTER, Kind.LVALUE_REF, Kind.RVALUE_REF})
FUNCTIONS = frozenset({Kind.FUNCTION, Kind.FUNCTION_NO_PROTO})

EXPRESSIONS = range(100, 200)  # the cursors of expressions
