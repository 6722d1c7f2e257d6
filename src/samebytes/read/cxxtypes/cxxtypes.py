"""From a type as clang reads it to a type, or to the reason why it cannot cross."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Protocol

from ...later import later_pattern
from ...types import (
    ANY_DEVICE,
    BARE_NULL,
    CHARACTERS,
    MOST_DIMENSIONS,
    SCALARS,
    VOID,
    Array,
    CArray,
    Const,
    Converted,
    Enum,
    Function,
    Handle,
    Matrix,
    Named,
    NdArray,
    Nothing,
    Object,
    Owner,
    Pointer,
    Sparse,
    Struct,
    Target,
    Type,
    Vector,
)
from ..clang.kinds import ARRAYS, CALLABLES, FUNCTIONS, Kind
from ..clang.libclang import ClangType, canonical, element_type, kind_of, type_kind, type_spelling
from ..clang.parse import ParsedUnit
from ..clang.troubles import Troubles
from . import matrices, standard
from .devices import known_hip_type, known_type
from .holders import HOLDERS, holder
from .scalars import COMPLEX, NAMED_NUMBERS, NUMBERS, REASONS
from .standard import CannotCross as CannotCross
from .standard import ContainsItself as ContainsItself
from .sycl_names import known_sycl_type
from .type_names import TypeNames, plain_name, unqualified_name

_MOST_LEVELS = 64
_VA_LIST = "va_list cannot be made from Python objects"
_VECTOR = later_pattern(r"^samebytes::([a-z0-9]+)x([1-4])$")
_NUMBER = later_pattern(r"^samebytes::(float16|bfloat16|float8e4m3|float8e5m2)$")
_INLINE = later_pattern(r"\b(std|samebytes)::__\w+::")


class RecordReader(Protocol):
    """What reads records and enums; it and :class:`Types` need each other."""

    def value(self, type_: ClangType) -> Type: ...
    def mention(self, type_: ClangType) -> None: ...
    def enum(self, type_: ClangType) -> Enum: ...
    def ask_ahead(self, types: Iterable[ClangType]) -> None: ...


class Types(TypeNames):
    """Reads types of one unit.

    Attributes
    ----------
    records : RecordReader
    function : callable
        Reads the type of a function that something points to, given that and the pointer's spelling.
    callback : callable
        Reads a ``std::function``.
    """

    def __init__(self, unit: ParsedUnit, troubles: Troubles) -> None:
        super().__init__(unit)
        self.troubles = troubles
        self._levels = 0  # pointers around what is being read
        self.records: RecordReader
        self.function: Callable[[Types, ClangType, str], Function]
        self.functions: set[str] | None = (
            None  # that were read, by their canonical spellings; None: nobody asks
        )
        self.callback: Callable[[ClangType, Types], Type]
        # Whether a class template is bound itself, so that its objects are no arrays.
        self.binds: Callable[[ClangType, str], bool] = lambda type_, name: False
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
        return canonical(type_)

    def pointed(self, type_: ClangType) -> Type | None:
        """The type of a parameter that points to one converted object; None if it is no such pointer."""
        if type_kind(type_) != Kind.POINTER or type_kind(type_.get_pointee()) != Kind.RECORD:
            return None
        target = type_.get_pointee()
        spelling = plain_name(self.spelling(target))
        found = self._converted(spelling, target)
        return found and Target(spelling, found)

    def _converted(self, spelling: str, type_: ClangType) -> Converted | None:
        """The type of an object that the shim makes of a description, by its class's name."""
        return standard.converted(spelling, type_, self._inside) or self._of_library(spelling, type_)

    def _of_library(self, spelling: str, type_: ClangType) -> Matrix | NdArray | Owner | Sparse | None:
        """The type of a matrix, or of a holder, of another library than the standard's."""
        if not self._may_convert(spelling) or self.unit.c or self.unit.request.dialect != "cxx":
            return None
        name = standard.template_name(spelling)
        if self._is_holder(name, type_):
            return holder(spelling, type_, self._inside)
        library = matrices.library_of(spelling)
        rule = library.rules.get(name) if library else None
        if rule is None or self.binds(type_, name):
            return None
        found = rule(spelling, type_, self._inside)
        # A base, or an expression, of matrices that are objects: it is none of an array.
        owner = standard.template_name(found.spelling) if found else name
        return None if owner != name and self.binds(type_, owner) else found

    def _is_holder(self, name: str, type_: ClangType) -> bool:
        return name in self.unit.request.holders or (name in HOLDERS and not self.binds(type_, name))

    def _may_convert(self, name: str) -> bool:
        """Whether a class may be one of a library that is converted: these stand in namespaces, or are named."""
        return "::" in name or standard.template_name(name) in self.unit.request.holders

    def is_of_library(self, type_: ClangType) -> bool:
        """Whether a member's class is a matrix that is an array in Python, or a holder that is its object."""
        meant = canonical(type_)
        name = plain_name(type_spelling(meant))
        if type_kind(meant) != Kind.RECORD or not self._may_convert(name):
            return False
        return (
            self._is_holder(standard.template_name(name), meant) or self._of_library(name, meant) is not None
        )

    def _crossing(self, type_: ClangType) -> Type:
        if type_kind(type_) == Kind.NULLPTR and not self.unit.c:
            # The compilers of other dialects know no names that a header of the standard library declares.
            return Nothing("std::nullptr_t") if self.unit.request.dialect == "cxx" else BARE_NULL
        if type_kind(type_) != Kind.RECORD:
            return self._value(type_)
        spelling = plain_name(self.spelling(type_))
        if standard.template_name(spelling) == "std::function":
            return self.callback(type_, self)
        found = self._converted(spelling, type_)
        if found is None and (reason := standard.REASONS.get(standard.template_name(spelling))):
            raise CannotCross(reason)
        return found or self._value(type_)

    def _inside(self, type_: ClangType) -> Type:
        """The type of an element of a converted object, which is made of bytes or of further such objects."""
        found = whole(self._crossing(type_))
        return Object(plain_name(self.spelling(type_)), found) if isinstance(found, Handle) else found

    def qualified_value(self, type_: ClangType) -> Type:
        """The type with its own const, as a pointee and the target of a reference have it."""
        inner = self.value(type_)
        return Const(inner) if is_const(type_.get_canonical()) else inner

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
        name = unqualified_name(type_.spelling)
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
        return CArray(whole(self._value(type_)), tuple(shape))

    def _pointer(self, type_: ClangType) -> Type:
        if self._levels == _MOST_LEVELS:
            raise CannotCross(f"it points through more than {_MOST_LEVELS} levels")
        self._levels += 1
        try:
            target = type_.get_pointee()
            if type_kind(target) in FUNCTIONS:
                return Pointer(self.function(self, target, self.spelling(type_)))
            inner = self._pointee(target)
            if not is_const(target):
                return Pointer(inner)
            word = unqualified_name(target.spelling)
            wide = word in CHARACTERS and not self.unit.c and self.unit.request.dialect == "cxx"
            return Pointer(Const(inner), character=word if wide else "")
        finally:
            self._levels -= 1

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
        if self.unit.c and kind_of(target.get_declaration().semantic_parent) in CALLABLES:
            raise CannotCross(
                f"{target.spelling} is declared in this parameter list alone, where nobody can name it (C11 6.2.1, 4): "
                f"a header of your own that begins with `{unqualified_name(target.spelling)};` and includes this one "
                "has it"
            )
        self.records.mention(target)
        return Named(plain_name(self.spelling(target)))

    def _record(self, type_: ClangType) -> Type:
        if type_spelling(type_).endswith("__va_list_tag"):
            raise CannotCross(_VA_LIST)
        return self._special(type_) or self.records.value(type_)

    def _special(self, type_: ClangType) -> Type | None:
        """The types that Python knows by name: complex numbers, vectors, array descriptors."""
        name = _INLINE.sub(r"\1::", plain_name(type_spelling(type_)))
        known = _KNOWN.get(self.unit.request.dialect)
        if known is not None and (found := known(name)) is not None:
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
        return CArray(whole(self.value(type_.get_template_argument_type(0))), (count,)) if count else None

    def _descriptor(self, type_: ClangType) -> Type | None:
        element = type_.get_template_argument_type(0)
        rank = template_number(type_)
        if rank is not None and rank > MOST_DIMENSIONS:
            raise CannotCross(
                f"an array of {rank} dimensions: Python's arrays have at most {MOST_DIMENSIONS}"
            )
        return None if rank is None else Array(self.qualified_value(element), rank)

    def _device_pointer(self, type_: ClangType) -> Type:
        where = plain_name(type_.get_template_argument_type(1).get_canonical().spelling)
        if where not in _WHERE:
            raise CannotCross(f"{where} names no devices: {', '.join(_WHERE)} do")
        element = type_.get_template_argument_type(0).get_canonical()
        nothing: Type = Const(VOID) if element.is_const_qualified() else VOID
        pointee = nothing if type_kind(element) == Kind.VOID else self.qualified_value(element)
        return Pointer(pointee, memory=f"{_WHERE[where]}:{ANY_DEVICE}")


def whole(type_: Type) -> Type:
    """A type whose values are copied; a struct that ends in an array without a length would lose that.

    Raises
    ------
    CannotCross
        If it is such a struct: C's own copy has none of the elements (C11 6.7.2.1, 18).
    """
    if isinstance(type_, Struct) and type_.flexible is not None:
        raise CannotCross(
            f"a copy of a {type_} has none of the elements of its flexible array {type_.flexible.name!r}: "
            f"a {type_}* has them"
        )
    return type_


def is_const(type_: ClangType) -> bool:
    """Whether a type is const; an array is when its elements are."""
    while type_kind(type_) in ARRAYS and not type_.is_const_qualified():
        type_ = element_type(type_)
    return bool(type_.is_const_qualified())


def template_number(type_: ClangType) -> int | None:
    """The last template argument, a number, read from the canonical spelling: ``array<float, 3>``."""
    found = re.search(r", (\d+)[uUlL]*>$", type_.get_canonical().spelling.replace("const ", ""))
    return int(found[1]) if found else None


# Of the devices into whose memory a samebytes::device_ptr leads.
_WHERE = {f"samebytes::on_{name}": name for name in ("device", "cuda", "hip", "sycl")}
# What the headers of a dialect call by a name of their own.
_KNOWN: dict[str, Callable[[str], Type | None]] = {
    "cuda": known_type,
    "hip": known_hip_type,
    "sycl": known_sycl_type,
}
_TEMPLATES: dict[str, Callable[[Types, ClangType], Type | None]] = {
    "std::complex": Types._std_complex,
    "std::array": Types._std_array,
    "cuda::std::complex": Types._std_complex,
    "cuda::std::array": Types._std_array,
    "samebytes::array": Types._descriptor,
    "samebytes::device_ptr": Types._device_pointer,
}
