"""Formats of the printf and scanf families: which argument each conversion asks for (ISO C11, 7.21.6, and POSIX)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from ...frozen import frozen
from ...types import CHAR, SCALARS, VOID, Pointer, Type

INT = SCALARS["int32"]
_LENGTHS = {"hh": 8, "h": 16, "": 32, "l": 64, "ll": 64, "q": 64, "j": 64, "z": 64, "Z": 64, "t": 64}


class BadFormat(Exception):
    """Why a format cannot be checked."""


@frozen
class ExpectedArgument:
    """One argument that a format asks for.

    Attributes
    ----------
    text : str
        The conversion, ``%5ld``; of a width or precision, with the star alone.
    kind : str
        ``"int"``, ``"float"``, ``"long double"``, ``"text"``, ``"wide text"``, ``"address"`` or ``"place"``.
    type : Type or None
        The number; of a place, what lies there.
    most : int or None
        For text: the characters of a precision; for a place of characters: how many are written, with their NUL.
    """

    text: str
    kind: str
    type: Type | None = None
    most: int | None = None


def _pattern(flags: str, lengths: str) -> re.Pattern[str]:
    """%, the argument's position, flags, width, precision, length, conversion."""
    return re.compile(
        rf"%(?:(\d+)\$)?[{flags}]*(?:(\*)(?:(\d+)\$)?|\d+)?(?:\.(?:(\*)(?:(\d+)\$)?|(\d*)))?({lengths})?(.?)",
        re.DOTALL,
    )


# SQLite has flags of its own, and %q is a conversion there; Lua has neither flags nor lengths.
_PATTERNS = {
    "printf": _pattern("-+ #0'I", "hh|h|ll|l|q|j|z|Z|t|L"),
    "sqlite": _pattern("-+ #0,!", "ll|l"),
    "lua": re.compile("%()()()()()()()(.?)", re.DOTALL),
}
_SCANF = re.compile(
    r"%(?:(\d+)\$)?(\*)?'?(\d+)?(m)?(hh|h|ll|l|q|j|z|Z|t|L)?(\[\^?\]?[^]]*\]|.?)",
    re.DOTALL,
)


def _number(text: str, signed: bool, length: str, most: int | None) -> ExpectedArgument:
    if length not in _LENGTHS:
        raise BadFormat(f"{text} is no conversion of C")
    return ExpectedArgument(text, "int", SCALARS[f"{'' if signed else 'u'}int{_LENGTHS[length]}"])


def _real(text: str, length: str) -> ExpectedArgument:
    if length not in ("", "l", "L"):
        raise BadFormat(f"{text} is no conversion of C")
    return (
        ExpectedArgument(text, "long double")
        if length == "L"
        else ExpectedArgument(text, "float", SCALARS["float64"])
    )


def _text(text: str, length: str, most: int | None) -> ExpectedArgument:
    return ExpectedArgument(text, "wide text" if length == "l" else "text", most=most)


_Rule = Callable[[str, str, int | None], ExpectedArgument]
_C: dict[str, _Rule] = {
    **dict.fromkeys("di", lambda t, length, most: _number(t, True, length, most)),
    **dict.fromkeys("ouxXbB", lambda t, length, most: _number(t, False, length, most)),
    **dict.fromkeys("fFeEgGaA", lambda t, length, most: _real(t, length)),
    "c": lambda t, length, most: ExpectedArgument(t, "int", SCALARS["int32"]),
    "C": lambda t, length, most: ExpectedArgument(t, "int", SCALARS["int32"]),
    "s": _text,
    "S": lambda t, length, most: _text(t, "l", most),
    "p": lambda t, length, most: ExpectedArgument(t, "address"),
}
_SQLITE: dict[str, _Rule] = {
    **_C,
    **dict.fromkeys("qQw", lambda t, length, most: ExpectedArgument(t, "text", most=most)),
    "z": lambda t, length, most: ExpectedArgument(t, "address"),
}
_LUA: dict[str, _Rule] = {
    "d": _C["d"],
    "c": _C["c"],
    "s": _C["s"],
    "p": _C["p"],
    "f": _C["f"],
    "I": lambda t, length, most: ExpectedArgument(t, "int", SCALARS["int64"]),
    "U": lambda t, length, most: ExpectedArgument(t, "int", SCALARS["int64"]),
}
# %m is errno's text in glibc, and takes no argument.
_SILENT = {"printf": "%m", "sqlite": "%", "lua": "%"}
_RULES: dict[str, Mapping[str, _Rule]] = {"printf": _C, "sqlite": _SQLITE, "lua": _LUA}


@lru_cache(maxsize=1024)
def arguments_of_format(family: str, format_: str) -> tuple[ExpectedArgument, ...]:
    """The arguments that a format asks for, in order.

    Parameters
    ----------
    family : str
        ``"printf"``, ``"scanf"``, ``"sqlite"`` or ``"lua"``.

    Raises
    ------
    BadFormat
        If it has a conversion that nobody knows, or that writes (``%n``).
    """
    found = list(_scanned(format_) if family == "scanf" else _printed(family, format_))
    numbered = [position for position, _ in found if position]
    if not numbered:
        return tuple(one for _, one in found)
    if len(numbered) != len(found):
        raise BadFormat("conversions with positions (%1$d) and without are mixed")
    by_position: dict[int, ExpectedArgument] = {}
    for position, one in found:
        known = by_position.setdefault(position, one)
        if (known.kind, known.type) != (one.kind, one.type):
            raise BadFormat(f"{known.text} and {one.text} are of different types")
    if set(by_position) != set(range(1, len(by_position) + 1)):
        raise BadFormat(f"no conversion says what argument {_gap(by_position)} is")
    return tuple(by_position[position] for position in sorted(by_position))


def _gap(by_position: Mapping[int, ExpectedArgument]) -> int:
    return next(n for n in range(1, len(by_position) + 2) if n not in by_position)


def _printed(family: str, format_: str) -> Iterator[tuple[int, ExpectedArgument]]:
    rules = _RULES[family]
    for match in _PATTERNS[family].finditer(format_):
        position, width, width_at, precision, precision_at, digits, length, sign = match.groups()
        text, length = match[0], length or ""
        if sign == "n":
            raise BadFormat("%n writes to memory, which only C should do")
        for star, at in ((width, width_at), (precision, precision_at)):
            if star:
                yield int(at or 0), ExpectedArgument("* of " + text, "int", INT)
        if sign and sign in _SILENT[family]:
            continue
        if sign not in rules or not sign:
            raise BadFormat(f"{text!r} is no conversion of {_NAMES[family]}")
        most = int(digits or 0) if digits is not None else None
        yield int(position or 0), rules[sign](text, length, most)


_NAMES = {"printf": "C", "sqlite": "SQLite", "lua": "Lua"}


def _scanned(format_: str) -> Iterator[tuple[int, ExpectedArgument]]:
    for match in _SCANF.finditer(format_):
        position, ignored, width, allocates, length, sign = match.groups()
        if sign == "%" or (ignored and sign):
            continue
        one = _place(match[0], sign, length or "", int(width or 0), bool(allocates))
        yield int(position or 0), one


def _place(text: str, sign: str, length: str, width: int, allocates: bool) -> ExpectedArgument:
    """Where one conversion of scanf writes."""
    if allocates:
        return ExpectedArgument(text, "place", Pointer(VOID))
    if sign[:1] in ("s", "[") and sign:
        if not width:
            raise BadFormat(
                f"{text} writes as much as it reads: {text.replace('%', '%99', 1)} says how much at most"
            )
        if length == "l":
            return ExpectedArgument(text, "place", None)
        return ExpectedArgument(text, "place", CHAR, width + 1)
    if sign == "c":
        return ExpectedArgument(text, "place", None if length == "l" else CHAR, width or 1)
    if sign == "p":
        return ExpectedArgument(text, "place", Pointer(VOID))
    if sign and sign in "fFeEgGaA":
        sizes = {"": "float32", "l": "float64"}
        return ExpectedArgument(text, "place", SCALARS[sizes[length]] if length in sizes else None)
    if sign and sign in "dinouxX" and length in _LENGTHS:
        signed = "" if sign in "din" else "u"
        return ExpectedArgument(text, "place", SCALARS[f"{signed}int{_LENGTHS[length]}"])
    raise BadFormat(f"{text!r} is no conversion of C")
