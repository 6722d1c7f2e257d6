"""The C++ class that derives from several of C++'s, for a class of Python's that does."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..frozen import frozen
from ..model.symbols import OVERRIDING
from ..toolchain.verifying import digest
from ..types import Handle, Struct
from ..types.naming import BENEATH

_OTHERS = re.compile(r"\W+")


@frozen
class Joined:
    """A class that is several others.

    Attributes
    ----------
    name : str
        With its namespace.
    text : str
        Its definition.
    copied : tuple of int
        Which of its bases are made of an object that is given, so that each has its constructor's arguments; the others
        are made of none, or of its own arguments.
    """

    name: str
    text: str
    copied: tuple[int, ...]


def joined(structs: Sequence[Struct], library: str) -> Joined:
    """The class of such bases, in their order.

    Parameters
    ----------
    library : str
        Tells the classes of several libraries apart.
    """
    bases = [struct.spelling or struct.name for struct in structs]
    said = digest(repr((library, *bases)).encode())[:12]
    name = f"{'_'.join(_OTHERS.sub('_', s.short_name) for s in structs)}{BENEATH}{said}"
    # What a call names the objects of which its bases are made.
    names = [f"base_{_OTHERS.sub('_', s.short_name)}" for s in structs]
    names = [f"{n}_{i}" if names.count(n) > 1 else n for i, n in enumerate(names, 1)]
    copied = tuple(
        i for i, s in enumerate(structs) if not isinstance(s, Handle) or (s.copyable and not s.abstract)
    )
    given = ", ".join(f"::{bases[i]} {names[i]}" for i in copied)
    made = ", ".join(f"::{bases[i]}(static_cast<::{bases[i]} &&>({names[i]}))" for i in copied)
    inherited = [
        f"  using ::{base}::{struct.short_name.partition('<')[0]};"
        for i, (base, struct) in enumerate(zip(bases, structs, strict=True))
        if i not in copied
    ]
    lines = [
        f"namespace {OVERRIDING} {{",
        f"struct {name} : {', '.join(f'::{base}' for base in bases)} {{",
        f"  {name}() = default;",
        *([f"  {name}({given}) : {made} {{}}"] if len(copied) > 1 or (copied and inherited) else []),
        *inherited,
        "};",
        "}",
        "",
    ]
    return Joined(f"{OVERRIDING}::{name}", "\n".join(lines), copied)
