"""Types as C++ text: definitions, and the questions whose answers the layout engine claims to know."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set

from ...errors import LayoutError
from ...frozen import frozen
from ...types import VOID, Aligned, Enum, Field, Function, Named, Pointer, Struct, Type, unqualified
from .. import FieldLayout, as_member, compute, overlapping, round_up, walk
from .base import Dialect

_KEYWORDS = """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t
    char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr
    constinit continue decltype default delete do double dynamic_cast else enum explicit export
    extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq
    nullptr operator or or_eq private protected public register reinterpret_cast requires return
    short signed sizeof static static_assert static_cast struct switch template this thread_local
    throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while
    xor xor_eq
"""
KEYWORDS = frozenset(_KEYWORDS.split())
_NAME = re.compile(r"(?:::)?[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*")
_PLAIN = frozenset(
    [
        "void",
        "bool",
        "char",
        "double",
        "float",
        "int",
        "long",
        "short",
        "signed",
        "unsigned",
        "const",
        "volatile",
    ]
)


@frozen
class Question:
    """A constant expression of the language, and the number or truth that the layout engine expects of it."""

    expression: str
    expected: int

    def __str__(self) -> str:
        return self.expression if self.expected is True else f"{self.expression} == {self.expected}"


def questions(type_: Type, dialect: Dialect) -> Iterator[Question]:
    """Everything that Python assumes about a type and the records inside it."""
    for part in walk(type_):
        if isinstance(part, Struct) or part is type_:
            yield from _questions(part, dialect)


def _questions(type_: Type, dialect: Dialect) -> Iterator[Question]:
    layout, name = compute(type_, dialect), _spell(type_, dialect)
    _, offsetof, same = dialect.assertions()
    yield Question(f"sizeof({name})", layout.size)
    yield Question(f"alignof({name})", layout.align)
    if not isinstance(type_, Struct):
        return
    for field, place in zip(type_.fields, layout.fields, strict=True):
        if not field.bit_width:
            yield Question(f"{offsetof}({name}, {field.name})", place.offset)
        spelling = field.spelling or _spell(as_member(field.type)[0], dialect)
        yield Question(same.format(f"decltype({name}::{field.name})", spelling), True)


def definitions(type_: Type, dialect: Dialect) -> str:
    """Includes and definitions of all records and enumerations inside a type, dependencies first."""
    parts = tuple(walk(type_))
    records = [p for p in parts if isinstance(p, Struct | Enum)]
    names: dict[str, Type] = {}
    for record in records:
        if names.setdefault(record.name, record) != record:
            raise LayoutError(f"two different types are named {record.name}: rename one of them")
    for name in names:
        _check_place(name, names)
    includes = sorted({*dialect.assertions()[0]} | {i for p in parts if (i := dialect.include(p))})
    pointed = {n.name for n in parts if isinstance(n, Named)}
    for function in (p for p in parts if isinstance(p, Function) and p.barred):
        pointed |= _mentioned(function, pointed | {n for n, r in names.items() if isinstance(r, Struct)})
    forward = [_forward(name, names) for name in sorted(pointed)]
    blocks = [
        "\n".join(f"#include {i}" for i in includes),
        *(["\n".join(forward)] if forward else []),
        *(_struct(r, dialect) if isinstance(r, Struct) else _enum(r, dialect) for r in records),
    ]
    return "\n\n".join(blocks) + "\n"


def _forward(name: str, names: Mapping[str, Type]) -> str:
    """A declaration ahead of all definitions, for structs that point to each other."""
    _check_place(name, names)
    known = names.get(name)
    if isinstance(known, Enum):
        kind = "enum class" if known.scoped else "enum"
        raise LayoutError(f"{name} is used ahead of its definition ({kind}): include its header instead")
    return _within(name, f"{'union' if isinstance(known, Struct) and known.union else 'struct'} {{}};")


def _check_place(name: str, names: Mapping[str, Type]) -> None:
    """Raise for what only the definition of another class declares."""
    space = name.rpartition("::")[0]
    if space in names:
        kind = "an enumeration" if isinstance(names.get(name), Enum) else "a class"
        raise LayoutError(f"{name} is {kind} inside of {space}, which names it: include its header instead")


def _mentioned(function: Function, known: Set[str]) -> set[str]:
    """The records that the spelling of a function names that is known by it alone: it takes or gives its own struct."""
    found = {word.removeprefix("::") for word in _NAME.findall(function.spelling)} - _PLAIN
    if found - known or "(*)" not in function.spelling:
        raise LayoutError(f"{function} cannot be spelled: {function.barred}")
    return found


def declaration(type_: Type, dialect: Dialect) -> str:
    """:func:`definitions`, followed by one ``static_assert`` per question."""
    text = definitions(unqualified(type_), dialect)
    checks = [f"static_assert({q});" for q in questions(unqualified(type_), dialect)]
    return "\n".join([text, *checks, ""])


def _within(name: str, text: str) -> str:
    """``text`` with ``{}`` as the unqualified name, inside the namespaces of the name."""
    space, _, short = name.rpartition("::")
    text = text.replace("{}", short, 1)
    return f"namespace {space} {{ {text} }}" if space else text


def _struct(struct: Struct, dialect: Dialect) -> str:
    if not struct.complete:
        raise LayoutError(f"{struct} has members that Python does not see: include its header instead")
    if overlapping(struct, dialect) and (not struct.union or any(f.offset for f in struct.fields)):
        raise LayoutError(f"{struct} has an anonymous union inside: include its header instead")
    layout = compute(struct, dialect)
    own = max((place.align for place in layout.fields), default=1)
    align = f"alignas({layout.align}) " if struct.align or (struct.fixed and layout.align > own) else ""
    members = "".join(f"  {line};\n" for line in _members(struct, dialect))
    return _within(struct.name, f"{'union' if struct.union else 'struct'} {align}{{}} {{\n{members}}};")


def _members(struct: Struct, dialect: Dialect) -> Iterator[str]:
    """The members, with the padding written out that C++ would not put where the struct has it."""
    layout, end = compute(struct, dialect), 0
    fixed = struct.fixed and not any(f.bit_width for f in struct.fields)
    for field, place in zip(struct.fields, layout.fields, strict=True):
        if fixed and place.offset % place.align:
            where = f"it lies at byte {place.offset}, where C++ puts no {place.type}"
            raise LayoutError(
                f"{struct}.{field.name}: {where}; numpy.dtype(..., align=True) lays fields out as C++ does"
            )
        if fixed and place.offset > round_up(end, place.align):
            yield f"unsigned char samebytes_padding_{place.offset}[{place.offset - end}]"
        yield _member(struct, field, place, dialect)
        end = place.offset + place.size
    if fixed and layout.size > round_up(end, layout.align):
        yield f"unsigned char samebytes_padding_{layout.size}[{layout.size - end}]"


def _member(struct: Struct, field: Field, place: FieldLayout, dialect: Dialect) -> str:
    if not (field.name.isascii() and field.name.isidentifier()):
        raise LayoutError(f"{struct}.{field.name}: {field.name!r} is no name in C++; rename the field")
    if field.name in KEYWORDS:
        raise LayoutError(f"{struct}.{field.name}: {field.name!r} is a C++ keyword; rename the field")
    bits = f" : {field.bit_width}" if field.bit_width else ""
    align = f"alignas({place.align}) " if isinstance(unqualified(field.type), Aligned) else ""
    return align + _spell(as_member(field.type)[0], dialect, field.name) + bits


def _spell(type_: Type, dialect: Dialect, name: str = "") -> str:
    # None is a value as void*, though no object in C++ is of type void.
    return dialect.spell(Pointer(VOID) if type_ == VOID else type_, name)


def _enum(enum: Enum, dialect: Dialect) -> str:
    kind = "enum class" if enum.scoped else "enum"
    members = ", ".join(f"{name} = {value}" for name, value in enum.members)
    return _within(enum.name, f"{kind} {{}} : {dialect.spell(enum.underlying)} {{ {members} }};")
