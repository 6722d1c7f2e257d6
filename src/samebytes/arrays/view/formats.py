"""PEP 3118 formats, read, and written for views: ``<f``, ``Zd``, ``(2,3)e``, ``T{<i:a:4x<d:b:}``."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ...errors import ProtocolError
from ...later import later_pattern
from ...values.letters import write
from .facts import Facts
from .interfaces import dtype_here

_NATIVE = {
    "?": "?", "b": "i1", "B": "u1", "h": "i2", "H": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8", "q": "i8",
    "Q": "u8", "n": "i8", "N": "u8", "e": "f2", "f": "f4", "d": "f8", "g": "f16", "Zf": "c8", "Zd": "c16",
    "Zg": "c32", "c": "S1",
}  # fmt: skip
_STANDARD = {k: v for k, v in _NATIVE.items() if k not in ("n", "N", "g", "Zg")} | {"l": "i4", "L": "u4"}
_COUNTED = {"s": ("S", 1), "p": ("S", 1), "w": ("U", 4)}  # one element of so many characters
_TOKEN = later_pattern(
    r"\s*(?P<order>[@=<>!^])?\s*(?:\((?P<shape>[\d,\s]{1,999})\))?(?P<inner>[@=<>!^])?(?P<count>\d{1,9})?"
    r"(?P<code>T\{|Z[fdg]|[a-zA-Z?])",
    re.ASCII,
)
_NAME = later_pattern(r":([^:]*):")
_DEEPEST = 32  # structs inside structs


class BadFormat(ValueError):
    """A format that is broken, or that names what no dtype can hold."""


class _Reader:
    """Reads one format from left to right; the byte order holds until the next one is written."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.order = text, 0, "@"

    def members(self, depth: int) -> tuple[list[tuple[str, Any, int]], int, int]:
        """Names, dtypes and offsets up to the closing brace or the end; then size and alignment."""
        found: list[tuple[str, Any, int]] = []
        offset, alignment = 0, 1
        while self.at < len(self.text) and self.text[self.at] != "}":
            dtype, align, padding = self.member(depth)
            offset += -offset % align
            alignment = max(alignment, align)
            name = self.name()
            if not padding:
                found.append((name, dtype, offset))
            offset += dtype.itemsize
        return found, offset, alignment

    def name(self) -> str:
        match = _NAME.match(self.text, self.at)
        if match:
            self.at = match.end()
            return match[1]
        return ""

    def member(self, depth: int) -> tuple[np.dtype[Any], int, bool]:
        """One dtype, its alignment here, and whether it is padding."""
        token = _TOKEN.match(self.text, self.at)
        if token is None or depth > _DEEPEST:
            raise BadFormat(f"it cannot be read from {self.text[self.at : self.at + 20]!r} on")
        self.at = token.end()
        self.order = token["inner"] or token["order"] or self.order
        code, count = token["code"], token["count"]
        shape = tuple(int(n) for n in token["shape"].split(",") if n.strip()) if token["shape"] else ()
        if code == "x":
            return np.dtype(f"V{int(count or 1)}"), 1, True
        if code in _COUNTED:
            letter, size = _COUNTED[code]
            dtype, align = np.dtype(f"{letter}{int(count or 1)}"), size if self.order in "@^" else 1
        else:
            dtype, align = self.struct(depth) if code == "T{" else self.number(code)
            shape = shape + ((int(count),) if count is not None else ())
        return np.dtype((dtype, shape)) if shape else dtype, align, False

    def struct(self, depth: int) -> tuple[np.dtype[Any], int]:
        outer = self.order
        found, size, align = self.members(depth + 1)
        if self.at >= len(self.text):
            raise BadFormat("a struct is not closed")
        self.at += 1
        native, self.order = self.order in "@", outer
        return structured(found, size + (-size % align if native else 0)), align

    def number(self, code: str) -> tuple[np.dtype[Any], int]:
        native = self.order in "@^"
        word = (_NATIVE if native else _STANDARD).get(code)
        if word is None:
            raise BadFormat(f"{code!r} is no number" if code != "O" else "it holds Python objects")
        dtype = np.dtype(word)
        if self.order in ">!":
            dtype = dtype.newbyteorder(">")
        return dtype, dtype.alignment if self.order == "@" else 1


def structured(members: list[tuple[str, Any, int]], size: int) -> np.dtype[Any]:
    """The dtype of named members at offsets in bytes; those without a name are f0, f1 …"""
    names = [name or f"f{i}" for i, (name, _, _) in enumerate(members)]
    if len(set(names)) != len(names):
        raise BadFormat("two fields have one name")
    return np.dtype(
        {
            "names": names,
            "formats": [m[1] for m in members],
            "offsets": [m[2] for m in members],
            "itemsize": size,
        }
    )


def read(text: str, itemsize: int) -> np.dtype[Any]:
    """The dtype of a format.

    Parameters
    ----------
    text : str
    itemsize : int
        Bytes of one element; a struct may have padding at its end that the format leaves out.

    Raises
    ------
    BadFormat
        If the format is broken, means Python objects, pointers or bits, or another size than ``itemsize``.
    """
    reader = _Reader(text)
    try:
        members, size, align = reader.members(0)
        if reader.at != len(text) or not members:
            raise BadFormat("it is empty, or goes on after its end")
        single = len(members) == 1 and not members[0][0] and members[0][2] == 0
        dtype: np.dtype[Any] = members[0][1] if single else structured(members, size + -size % align)
        if dtype.fields:
            fields = [(name, *dtype.fields[name][:2]) for name in dtype.names or ()]
            if max(offset + inner.itemsize for _, inner, offset in fields) <= itemsize:
                dtype = structured(fields, itemsize)
    except BadFormat:
        raise
    except (ValueError, TypeError, OverflowError, MemoryError, RecursionError) as error:
        raise BadFormat(str(error)) from None
    if dtype.itemsize != itemsize:
        raise BadFormat(f"it means {dtype.itemsize} bytes, and an element has {itemsize}")
    return dtype


def format_of(view: Facts) -> bytes:
    """The format of a view's elements, for the compiled core.

    Raises
    ------
    ProtocolError
        A BufferError: if PEP 3118 has no letter for them (bfloat16, the 8-bit floats …).
    """
    dtype = dtype_here(view)
    try:
        if dtype is None:
            raise KeyError
        return write(dtype).encode()
    except (KeyError, ValueError):
        raise ProtocolError(f"the buffer protocol has no format for {view.dtype_name} elements") from None
