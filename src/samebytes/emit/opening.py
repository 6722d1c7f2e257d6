"""The C++ class that opens what one of C++'s protects to the classes of Python's that derive from it.

No object is of it: it adds no bytes and no virtual functions, and what it names are members of the class itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..frozen import frozen
from ..model.symbols import OVERRIDING
from ..toolchain.verifying import digest
from ..types import Protected, Struct, Virtual
from ..types.naming import BENEATH

# Behind the name of the class: what tells it from that which overrides.
OPENED = f"{BENEATH}opened_"
_OTHERS = re.compile(r"\W+")


@frozen
class Opened:
    """A class that has others' protected members as public ones.

    Attributes
    ----------
    name : str
        With its namespace.
    text : str
        Its definition.
    """

    name: str
    text: str


def opened(struct: Struct, members: Sequence[Protected], library: str) -> Opened:
    """The class that opens such members of another.

    Parameters
    ----------
    library : str
        Tells the classes of several libraries apart.
    """
    base = struct.spelling or struct.name
    said = digest(repr((library, base, members)).encode())[:12]
    name = f"{_OTHERS.sub('_', struct.short_name)}{OPENED}{said}"
    lines = [
        "#include <type_traits>",
        f"namespace {OVERRIDING} {{",
        f"class {name} : public ::{base} {{",
        "  template <class T> struct samebytes_as_is { using type = T; };",
        " public:",
        *(line for member in members for line in _lines(base, member)),
        "};",
        "}",
        "",
    ]
    return Opened(f"{OVERRIDING}::{name}", "\n".join(lines))


def _lines(base: str, member: Protected) -> list[str]:
    """A name, or each of its functions where others of its name are private: a using-declaration means all."""
    if not member.functions:
        return [f"  using ::{base}::{member.name};"]
    return [_forwarded(virtual) for virtual in member.functions]


def _forwarded(virtual: Virtual) -> str:
    names = [name or f"samebytes_{i}" for i, name in enumerate(virtual.names)]
    types = [f"samebytes_as_is<{argument}>::type" for argument in virtual.arguments]
    written = [f"samebytes_as_is<{argument}>::type" for argument in virtual.written]
    taken = ", ".join(f"{type_} {name}" for type_, name in zip(written, names, strict=True))
    given = ", ".join(f"static_cast<{type_} &&>({name})" for type_, name in zip(types, names, strict=True))
    head = f"auto {virtual.name}({taken}) {virtual.qualifiers}{' noexcept' * virtual.noexcept}"
    call = f"this->::{virtual.home}::{virtual.name}({given})"
    return f"  {head} -> samebytes_as_is<{virtual.result}>::type {{ return {call}; }}"
