"""From a type as clang reads it to a type and an exact spelling, or to the reason why it cannot cross."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

from ..types import (
    CHAR,
    MOST_DIMENSIONS,
    SCALARS,
    VOID,
    Array,
    CArray,
    Const,
    Enum,
    Function,
    Handle,
    Named,
    Object,
    Pointer,
    Scalar,
    Target,
    Type,
    Vector,
)
from . import standard
from .devices import known_type
from .libclang import ARRAYS, FUNCTIONS, RECORDS, ClangType, Decl, Kind, element_type, kind_of, type_kind
from .parse import Unit
from .specialized import Specializations, closed_name
from .standard import CannotCross as CannotCross
from .troubles import Troubles

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

_VA_LIST = "va_list cannot be made from Python objects"
# A va_list as a parameter: clang's name for what it points to is none that other compilers know.
_VA_LIST_TAG = re.compile(r"\b(?:struct )?__va_list_tag \*")
_VECTOR = re.compile(r"^samebytes::([a-z0-9]+)x([1-4])$")
_NUMBER = re.compile(r"^samebytes::(float16|bfloat16|float8e4m3|float8e5m2)$")
_INLINE = re.compile(r"\b(std|samebytes)::__\w+::")
_UNSPELLABLE = re.compile(r"\((unnamed|anonymous|lambda)[^)]*\)")
# A name at global scope that is neither a keyword nor a template's.
_TAG = re.compile(
    r"(?<![\w:])(?!(?:const|volatile|unsigned|signed|void|bool|char|short|int|long|float|double|wchar_t|char8_t|char16_t"
    r"|char32_t|__restrict|struct|class|union|enum|std|_Complex|_Float16|__bf16)\b)[A-Za-z_]\w*(?![\w:(<])"
)
_QUALIFIERS = re.compile(r"^(?:(?:const|volatile) )+")


class RecordReader(Protocol):
    """What reads records and enums; it and :class:`Types` need each other."""

    def value(self, type_: ClangType) -> Type: ...
    def mention(self, type_: ClangType) -> None: ...
    def enum(self, type_: ClangType) -> Enum: ...


class Types:
    """Reads types of one unit.

    Attributes
    ----------
    records : RecordReader
    function : callable
        Reads the type of a function that something points to, given that and the pointer's spelling.
    callback : callable
        Reads a ``std::function``.
    """

    def __init__(self, unit: Unit, troubles: Troubles) -> None:
        self.unit = unit
        self.troubles = troubles
        self.records: RecordReader
        self.function: Callable[[Types, ClangType, str], Function]
        self.callback: Callable[[ClangType, Types], Type]
        self._hidden: dict[str, str] | None = None
        self._unnamed: dict[str, str] = {}
        self._specializations = Specializations(CannotCross)
        self._open: set[str] = set()  # types whose names anybody may use
        self._rules: dict[int, Callable[[ClangType], Type]] = {
            Kind.COMPLEX: self._complex,
            Kind.POINTER: self._pointer,
            Kind.RECORD: self._record,
            Kind.ENUM: self._enum,
            Kind.CONSTANT_ARRAY: self._array,
            Kind.UNEXPOSED: self._unexposed,
            Kind.NULLPTR: lambda type_: Pointer(VOID),
        }

    def value(self, type_: ClangType) -> Type:
        """The type of a value, without its own const.

        Raises
        ------
        CannotCross
            With the reason.
        """
        return self._value(self._untroubled(type_))

    def crossing(self, type_: ClangType) -> Type:
        """The type of a parameter or a result: a value's, or one that the shim converts.

        Raises
        ------
        CannotCross
            With the reason.
        """
        return self._crossing(self._untroubled(type_))

    def _untroubled(self, type_: ClangType) -> ClangType:
        """The canonical type, if no error of the parse touches it."""
        message = self.troubles.type(type_)
        if message is not None:
            raise CannotCross(message)
        return type_.get_canonical()

    def pointed(self, type_: ClangType) -> Type | None:
        """The type of a parameter that points to one converted object; None if it is no such pointer."""
        if type_kind(type_) != Kind.POINTER or type_kind(type_.get_pointee()) != Kind.RECORD:
            return None
        target = type_.get_pointee()
        spelling = plain_name(self.spelling(target))
        found = standard.converted(spelling, target, self._inside)
        return found and Target(spelling, found)

    def _crossing(self, type_: ClangType) -> Type:
        if type_kind(type_) != Kind.RECORD:
            return self._value(type_)
        spelling = plain_name(self.spelling(type_))
        if standard.template_name(spelling) == "std::function":
            return self.callback(type_, self)
        found = standard.converted(spelling, type_, self._inside)
        if found is None and (reason := standard.REASONS.get(standard.template_name(spelling))):
            raise CannotCross(reason)
        return found or self._value(type_)

    def _inside(self, type_: ClangType) -> Type:
        """The type of an element of a converted object, which is made of bytes or of further such objects."""
        found = self._crossing(type_)
        return Object(plain_name(self.spelling(type_)), found) if isinstance(found, Handle) else found

    def qualified_value(self, type_: ClangType) -> Type:
        """The type with its own const, as a pointee and the target of a reference have it."""
        inner = self.value(type_)
        return Const(inner) if is_const(type_.get_canonical()) else inner

    def spelling(self, type_: ClangType) -> str:
        """The exact C or C++ spelling, all namespaces written out.

        Raises
        ------
        CannotCross
            If no spelling exists, as for a lambda.
        """
        if not self.unit.c and (closed := closed_name(type_, self._open)):
            raise CannotCross(closed)
        return self.spell(self.name_of(type_.get_canonical()))

    def name_of(self, type_: ClangType) -> str:
        """Clang's spelling of a type, with the arguments of explicit specializations written out.

        Raises
        ------
        CannotCross
            If that cannot be done.
        """
        if not self.unit.c:
            self._specializations.learn(type_)
        text: str = type_.spelling
        return self._specializations.write_out(text)

    def spell(self, text: str) -> str:
        """A canonical spelling made valid: anonymous namespaces vanish, hidden names get their keyword."""
        text = _VA_LIST_TAG.sub("__builtin_va_list", text).replace("(anonymous namespace)::", "")
        for unnamed, expression in self._unnamed.items():
            text = re.sub(rf"((struct|class|enum|union) )?{re.escape(unnamed)}", expression, text)
        if _UNSPELLABLE.search(text):
            raise CannotCross("its type has no name that C++ could spell")
        if not self.unit.c and _TAG.search(text):
            text = _TAG.sub(lambda tag: f"{self.hidden.get(tag[0], '')} {tag[0]}".lstrip(), text)
        return text

    def shown(self, type_: ClangType) -> str:
        """A type as messages show it: types without a name are not told by their place in a file."""
        return _UNSPELLABLE.sub(r"(\1)", type_.spelling.replace("(anonymous namespace)::", ""))

    def name_unnamed(self, text: str, expression: str) -> None:
        """Teach the spelling of a record without a name, through the member that has its type."""
        self._unnamed.setdefault(text, expression)

    @property
    def hidden(self) -> dict[str, str]:
        """The keywords of global tags that a function or variable of the same name hides, as ``stat`` does in C++."""
        if self._hidden is None:
            self._hidden = {} if self.unit.c else self._find_hidden()
        return self._hidden

    def _find_hidden(self) -> dict[str, str]:
        tags: dict[str, str] = {}
        others: set[str] = set()
        cursors = list(self.unit.top)
        while cursors:
            cursor = cursors.pop()
            kind = kind_of(cursor)
            if kind == Decl.LINKAGE:
                cursors += cursor.get_children()
            elif kind in RECORDS:
                tags[cursor.spelling] = "union" if kind == Decl.UNION else "struct"
            elif kind in (Decl.FUNCTION, Decl.VARIABLE):
                others.add(cursor.spelling)
        return {name: keyword for name, keyword in tags.items() if name in others}

    def _value(self, type_: ClangType) -> Type:
        kind = type_kind(type_)
        number = NUMBERS.get(kind)
        if number is not None:
            return number
        rule = self._rules.get(kind)
        if rule is None:
            raise CannotCross(REASONS.get(kind, f"{type_.spelling} is a kind of type that does not cross"))
        return rule(type_)

    def _unexposed(self, type_: ClangType) -> Type:
        name = _QUALIFIERS.sub("", type_.spelling)
        if name not in NAMED_NUMBERS:
            raise CannotCross(f"{name} is a kind of type that does not cross")
        return NAMED_NUMBERS[name]

    def _complex(self, type_: ClangType) -> Type:
        element = NUMBERS.get(type_kind(element_type(type_)))
        if element not in COMPLEX:
            raise CannotCross(f"{type_.spelling} has no counterpart among Python's number formats")
        return COMPLEX[element]

    def _enum(self, type_: ClangType) -> Type:
        if plain_name(type_.spelling) == "std::byte":
            return SCALARS["uint8"]
        return self.records.enum(type_)

    def _array(self, type_: ClangType) -> Type:
        shape: list[int] = []
        while type_kind(type_) == Kind.CONSTANT_ARRAY:
            shape.append(type_.element_count)
            type_ = element_type(type_)
        if 0 in shape:
            raise CannotCross("an array of length zero has no bytes")
        return CArray(self._value(type_), tuple(shape))

    def _pointer(self, type_: ClangType) -> Type:
        target = type_.get_pointee()
        if type_kind(target) in FUNCTIONS:
            return Pointer(self.function(self, target, self.spelling(type_)))
        inner = self._pointee(target)
        return Pointer(Const(inner) if is_const(target) else inner)

    def _pointee(self, target: ClangType) -> Type:
        kind = type_kind(target)
        if kind == Kind.VOID:
            return VOID
        if kind != Kind.RECORD:
            return self._value(target)
        if target.spelling.endswith("__va_list_tag"):
            raise CannotCross(_VA_LIST)
        special = self._special(target)
        if special is not None:
            return special
        self.records.mention(target)
        return Named(plain_name(self.spelling(target)))

    def _record(self, type_: ClangType) -> Type:
        if type_.spelling.endswith("__va_list_tag"):
            raise CannotCross(_VA_LIST)
        return self._special(type_) or self.records.value(type_)

    def _special(self, type_: ClangType) -> Type | None:
        """The types that Python knows by name: complex numbers, vectors, array descriptors."""
        name = _INLINE.sub(r"\1::", plain_name(type_.spelling))
        if self.unit.request.dialect == "cuda" and (found := known_type(name)) is not None:
            return found
        if not name.startswith(("std::", "samebytes::", "cuda::std::")):
            return None
        vector = _VECTOR.match(name)
        if vector and vector[1] in SCALARS:
            return Vector(SCALARS[vector[1]], int(vector[2]))
        number = _NUMBER.match(name)
        if number:
            return SCALARS[number[1]]
        template, _, _ = name.partition("<")
        reader = _TEMPLATES.get(template)
        return reader(self, type_) if reader and type_.get_num_template_arguments() > 0 else None

    def _std_complex(self, type_: ClangType) -> Type | None:
        kind = type_kind(type_.get_template_argument_type(0).get_canonical())
        if kind == Kind.LONGDOUBLE:
            raise CannotCross(REASONS[kind])
        element = NUMBERS.get(kind)
        return COMPLEX.get(element) if element is not None else None

    def _std_array(self, type_: ClangType) -> Type | None:
        count = template_number(type_)
        return CArray(self.value(type_.get_template_argument_type(0)), (count,)) if count else None

    def _descriptor(self, type_: ClangType) -> Type | None:
        element = type_.get_template_argument_type(0)
        rank = template_number(type_)
        if rank is not None and rank > MOST_DIMENSIONS:
            raise CannotCross(
                f"an array of {rank} dimensions: Python's arrays have at most {MOST_DIMENSIONS}"
            )
        return None if rank is None else Array(self.qualified_value(element), rank)


def is_const(type_: ClangType) -> bool:
    """Whether a type is const; an array is when its elements are."""
    while type_kind(type_) in ARRAYS and not type_.is_const_qualified():
        type_ = element_type(type_)
    return bool(type_.is_const_qualified())


def plain_name(spelling: str) -> str:
    """A record's qualified name: its spelling without qualifiers and tag keyword."""
    text = _QUALIFIERS.sub("", spelling)
    return re.sub(r"^(struct|class|union|enum) ", "", text)


def template_number(type_: ClangType) -> int | None:
    """The last template argument, a number, read from the canonical spelling: ``array<float, 3>``."""
    found = re.search(r", (\d+)[uUlL]*>$", type_.get_canonical().spelling.replace("const ", ""))
    return int(found[1]) if found else None


_TEMPLATES: dict[str, Callable[[Types, ClangType], Type | None]] = {
    "std::complex": Types._std_complex,
    "std::array": Types._std_array,
    "cuda::std::complex": Types._std_complex,
    "cuda::std::array": Types._std_array,
    "samebytes::array": Types._descriptor,
}
