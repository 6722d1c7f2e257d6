"""Classes of the standard library that the shim makes of a description: recognised by name, one row each."""

from __future__ import annotations

import re
from collections.abc import Callable

from ...later import later_pattern
from ...types import (
    BOOL,
    Atomic,
    Bits,
    Choice,
    Const,
    Container,
    Converted,
    Dictionary,
    Duration,
    Enum,
    FilePath,
    Instant,
    Maybe,
    Nothing,
    Object,
    Owner,
    Pointer,
    Product,
    Scalar,
    Struct,
    Text,
    Type,
)
from ..clang.kinds import ARRAYS, Kind
from ..clang.libclang import ClangType, canonical, type_kind, type_spelling
from ..spellings import split_outside

# Reads the type of a value inside: what converts as well as what is bytes.
Inside = Callable[[ClangType], Type]
Rule = Callable[[str, ClangType, Inside], Converted | None]

_DEFAULT_DELETER = later_pattern(
    r"^std::unique_ptr<.*, std::default_delete<[^,]*>>$|^std::unique_ptr<[^,]*>$"
)


class CannotCross(Exception):
    """The reason why a type cannot cross, as the end of a sentence about it."""


class ContainsItself(CannotCross):
    """A class is asked about while it is read: a member of it has objects of it."""

    def __init__(self) -> None:
        super().__init__("it contains itself")


NO_BYTES = "it is not trivially copyable, so it cannot travel as bytes"
_INLINE = later_pattern(r"\bstd::__\w+::")
_QUALIFIED = later_pattern(r"^(?:const |volatile )+")
_MOST_BITS = 1 << 16
_MOST_ATOMIC = 8  # bytes that a processor reads and writes at once
_UNITS: dict[int, int] = {Kind.CHAR_S: 1, Kind.CHAR_U: 1, Kind.CHAR16: 2, Kind.CHAR32: 4, Kind.WCHAR: 4}
_SEQUENCES = dict.fromkeys(
    (
        "std::vector",
        "std::deque",
        "std::list",
        "std::forward_list",
        "std::multiset",
        "std::unordered_multiset",
        "std::stack",
        "std::queue",
        "std::priority_queue",
    ),
    False,
) | dict.fromkeys(("std::set", "std::unordered_set"), True)


def argument(type_: ClangType, number: int) -> ClangType:
    """A canonical template argument."""
    return type_.get_template_argument_type(number).get_canonical()


def _text(spelling: str, type_: ClangType, inside: Inside) -> Converted | None:
    unit = argument(type_, 0)
    if unit.spelling == "char8_t":
        return Text(spelling, 1)
    found = _UNITS.get(type_kind(unit))
    return Text(spelling, found) if found else None


def _sequence(spelling: str, type_: ClangType, inside: Inside) -> Converted:
    template = _INLINE.sub("std::", spelling).partition("<")[0]
    return Container(spelling, inside(argument(type_, 0)), _SEQUENCES[template])


def _mapping(spelling: str, type_: ClangType, inside: Inside) -> Converted:
    return Dictionary(spelling, inside(argument(type_, 0)), inside(argument(type_, 1)))


def _maybe(spelling: str, type_: ClangType, inside: Inside) -> Converted:
    return Maybe(spelling, inside(argument(type_, 0)))


def _owner(spelling: str, type_: ClangType, inside: Inside) -> Converted | None:
    """A smart pointer: to an object of a class that object, to a number a number or None."""
    target, shared = argument(type_, 0), "shared_ptr<" in spelling.partition("<")[0] + "<"
    if type_kind(target) in ARRAYS:
        raise CannotCross("a smart pointer to an array does not say how long that is")
    own = shared or bool(_DEFAULT_DELETER.search(spelling))
    const = target.is_const_qualified()
    found = inside(target)
    pointee = found.target if isinstance(found, Object) else found
    if isinstance(pointee, Struct):
        return Owner(spelling, Const(pointee) if const else pointee, shared, own)
    if not own:
        raise CannotCross(
            "a std::unique_ptr with a deleter of its own crosses if it owns an object of a class"
        )
    return Maybe(spelling, found)


def _product(spelling: str, type_: ClangType, inside: Inside) -> Converted:
    count = type_.get_num_template_arguments()
    return Product(spelling, tuple(inside(argument(type_, i)) for i in range(count)))


def _array(spelling: str, type_: ClangType, inside: Inside) -> Converted | None:
    element = inside(argument(type_, 0))
    count = re.search(r", (\d+)[uUlL]*>$", spelling)
    if not isinstance(element, Converted) or count is None:
        return None  # plain elements: the array is its own bytes
    return Product(spelling, (element,) * int(count[1]))


def _duration(spelling: str, type_: ClangType, inside: Inside) -> Converted | None:
    count = inside(argument(type_, 0))
    ratio = re.search(r"std::ratio<(\d+)(?:, (\d+))?>", argument(type_, 1).spelling)
    if not isinstance(count, Scalar) or count == BOOL or ratio is None:
        return None
    return Duration(spelling, count, int(ratio[1]), int(ratio[2] or 1))


def _instant(spelling: str, type_: ClangType, inside: Inside) -> Converted | None:
    if argument(type_, 0).spelling.replace("_V2::", "") != "std::chrono::system_clock":
        raise CannotCross("only the system's clock says what its points mean outside of the program")
    length = inside(argument(type_, 1))
    if not isinstance(length, Duration):
        return None
    return Instant(spelling, length.count, length.numerator, length.denominator)


def _choice(spelling: str, type_: ClangType, inside: Inside) -> Converted:
    count = type_.get_num_template_arguments()
    return Choice(spelling, tuple(inside(argument(type_, i)) for i in range(count)))


def _bits(spelling: str, type_: ClangType, inside: Inside) -> Converted:
    count = int(re.search(r"<(\d+)", spelling)[1])  # type: ignore[index]
    if not 0 < count <= _MOST_BITS:
        raise CannotCross(f"a std::bitset crosses as a number of up to {_MOST_BITS} bits")
    return Bits(spelling, count)


def _values(spelling: str, type_: ClangType, inside: Inside) -> Converted:
    element = inside(argument(type_, 0))
    if not isinstance(element, Scalar):
        raise CannotCross("a std::valarray crosses if its elements are numbers")
    return Container(spelling, element)


def _many(spelling: str, type_: ClangType, inside: Inside) -> Converted:
    pair = Product("std::pair", (inside(argument(type_, 0)), inside(argument(type_, 1))))
    return Container(spelling, pair)


def _listed(spelling: str, type_: ClangType, inside: Inside) -> Converted:
    if type_kind(argument(type_, 0)) == Kind.BOOL:
        raise CannotCross("a std::initializer_list of bool exists only where C++ writes braces")
    return Container(spelling, inside(argument(type_, 0)))


def _shown(spelling: str, type_: ClangType, inside: Inside) -> Converted | None:
    element = inside(argument(type_, 0))
    if not isinstance(element, Scalar):
        raise CannotCross("a std::span of what is no number shows nothing that Python could read")
    return Container(spelling, element)


def _referred(spelling: str, type_: ClangType, inside: Inside) -> Converted | None:
    target = argument(type_, 0)
    found = inside(target)
    pointee = found.target if isinstance(found, Object) else found
    if not isinstance(pointee, Struct):
        raise CannotCross(
            "a std::reference_wrapper of what is no object of a class has no counterpart in Python"
        )
    return Object(spelling, Const(pointee) if target.is_const_qualified() else pointee, refers=True)


RULES: dict[str, Rule] = {
    "std::basic_string": _text,
    "std::basic_string_view": _text,
    "std::filesystem::path": lambda spelling, type_, inside: FilePath(spelling),
    **dict.fromkeys(_SEQUENCES, _sequence),
    "std::valarray": _values,
    "std::map": _mapping,
    "std::unordered_map": _mapping,
    "std::optional": _maybe,
    "std::shared_ptr": _owner,
    "std::unique_ptr": _owner,
    "std::pair": _product,
    "std::tuple": _product,
    "std::array": _array,
    "std::chrono::duration": _duration,
    "std::chrono::time_point": _instant,
    "std::variant": _choice,
    "std::monostate": lambda spelling, type_, inside: Nothing(spelling),
    "std::bitset": _bits,
    "std::multimap": _many,
    "std::unordered_multimap": _many,
    "std::initializer_list": _listed,
    "std::span": _shown,
    "std::reference_wrapper": _referred,
}

_STREAMS = (
    "ostream", "istream", "iostream", "ios", "streambuf", "stringbuf", "filebuf", "syncbuf", "ostringstream",
    "istringstream", "stringstream", "ofstream", "ifstream", "fstream", "osyncstream",
)  # fmt: skip
# Why some other classes of the standard library are no objects; the words end a sentence about the class.
REASONS: dict[str, str] = {
    **dict.fromkeys(
        ("std::ios_base", *(f"std::basic_{name}" for name in _STREAMS)),
        "a file of Python's stands for a std::ostream& or a std::istream& that a function takes, and for no other",
    ),
    **dict.fromkeys(
        ("std::match_results", "std::sub_match", "std::regex_iterator", "std::regex_token_iterator"),
        "it points into the text that was searched, which ends with the call: a function that searches and gives a "
        "std::string or a std::vector<std::string> can be bound",
    ),
}


def no_object(spelling: str) -> str:
    """Why a class that is neither bytes nor converted is no object with members either; empty: it is one."""
    name = template_name(spelling)
    if name in RULES:
        return NO_BYTES
    return REASONS.get(name, "")


def is_object(name: str) -> bool:
    """Whether a class of ``std`` that something points to is an object of its own; C++ keeps other names for itself."""
    return name.startswith("std::") and "::_" not in name and not no_object(name)


def template_name(spelling: str) -> str:
    """The class's name without template arguments and inline namespaces: ``std::vector``."""
    bare = _INLINE.sub("std::", spelling)
    # A class inside of a template has no rule of its own.
    parts = split_outside(bare, "::") if ">::" in bare else [bare]
    return "::".join(part.partition("<")[0] for part in parts)


def converted(spelling: str, type_: ClangType, inside: Inside) -> Converted | None:
    """The converted type of a canonical class without qualifiers; None if it is none."""
    if not spelling.startswith("std::"):
        return None
    rule = RULES.get(template_name(spelling))
    return rule(spelling, type_, inside) if rule else None


# Bytes that show others' memory, or stand for an object: as members they stay what C++ has there.
_SHOWING = frozenset({"std::span", "std::initializer_list", "std::reference_wrapper"})


def is_converted(type_: ClangType) -> bool:
    """Whether a member's class is one of those that the shim makes of a description, by its name alone."""
    name = _QUALIFIED.sub("", type_spelling(canonical(type_)))
    template = template_name(name) if name.startswith("std::") else ""
    if template == "std::array":  # else it is its elements, where they lie
        return is_converted(argument(type_.get_canonical(), 0))
    return template in RULES and template not in _SHOWING


def atomic(type_: ClangType, read: Callable[[ClangType], Type]) -> Atomic | None:
    """The type of a ``std::atomic`` whose value Python reads and writes where it lies; None for another type.

    That of a number, an enumerator or a pointer has the size and the alignment of its value, which a processor reads
    and writes with one instruction. There is no other way: an atomic cannot be copied.
    """
    type_ = type_.get_canonical()
    if template_name(_QUALIFIED.sub("", type_.spelling)) != "std::atomic" or type_.get_size() > _MOST_ATOMIC:
        return None
    value = read(type_.get_template_argument_type(0))
    return Atomic(value) if isinstance(value, Scalar | Enum | Pointer) else None
