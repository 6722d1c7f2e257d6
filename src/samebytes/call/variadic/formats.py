"""Formats of the printf and scanf families: which argument each conversion asks for (ISO C11, 7.21.6, and POSIX)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from ...frozen import frozen
from ...types import CHAR, SCALARS, VOID, Pointer, Type

INT = SCALARS["int32"]
# glibc's q is not among them: it reads 32 bits of it once a library has registered a modifier, as NumPy's libquadmath.
_LENGTHS = {"hh": 8, "h": 16, "": 32, "l": 64, "ll": 64, "j": 64, "z": 64, "Z": 64, "t": 64}


# What an int holds of which a conversion takes less, in words: C would drop the rest, and SQLite and Lua write other
# bytes. A character may be a signed or an unsigned char; of a width C takes the opposite number.
_CHARACTER = ("a character's code", -128, 255)
_CODE_POINT = ("a code point", 0, 0x10FFFF)
_WIDE_CHARACTER = ("a code point, or WEOF", -1, 0x10FFFF)
_LUA_CODE_POINT = ("a code point", 0, 0x7FFFFFFF)
_WIDTH = ("a width or a precision", 1 - 2**31, 2**31 - 1)


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
        ``"int"``, ``"float"``, ``"long double"``, ``"text"``, ``"wide text"``, ``"address"``, ``"handed over"`` (an
        address that C frees), ``"place"``, ``"wide place"`` (of wide characters) or ``"long double place"``.
    type : Type or None
        The number; of a place, what lies there.
    most : int or None
        For text: the characters of a precision; for a place: how many elements are written, with their NUL.
    bounds : (str, int, int) or None
        Of an integer of which the type holds more than the conversion takes: in words, the least and the greatest.
    longer : str
        A conversion that takes longer integers; empty: there is none.
    """

    text: str
    kind: str
    type: Type | None = None
    most: int | None = None
    bounds: tuple[str, int, int] | None = None
    longer: str = ""


def _pattern(flags: str, lengths: str) -> re.Pattern[str]:
    """%, the argument's position, flags, width, precision, length, conversion; C's digits are ASCII's alone."""
    return re.compile(
        rf"%(?:(\d+)\$)?[{flags}]*(?:(\*)(?:(\d+)\$)?|\d+)?(?:\.(?:(\*)(?:(\d+)\$)?|(\d*)))?({lengths})?(.?)",
        re.DOTALL | re.ASCII,
    )


# SQLite has flags of its own, and %q is a conversion there; Lua has neither flags nor lengths.
_PATTERNS = {
    "printf": _pattern("-+ #0'I", "hh|h|ll|l|q|j|z|Z|t|L"),
    "sqlite": _pattern("-+ #0,!", "ll|l"),
    "lua": re.compile("%()()()()()()()(.?)", re.DOTALL),
}
_SCANF = re.compile(
    r"%(?:(\d+)\$)?(\*)?'?(\d+)?(m)?(hh|h|ll|l|q|j|z|Z|t|L)?(\[\^?\]?[^]]*\]|.?)",
    re.DOTALL | re.ASCII,
)
# C reads a width as an int; one that is no int means none in some libraries.
_WIDEST = 2**31 - 1
_NUMBERS = re.compile(r"\d+", re.ASCII)
# The bytes of one wide character in the longest encoding: MB_LEN_MAX of glibc.
_LONGEST = 16


def _needs(text: str, length: str, *lengths: str) -> None:
    """That C has such a length for the conversion: a library may read any other in its own way."""
    if length not in lengths:
        advice = f": {text.replace('q', 'll', 1)} is" if length == "q" and "ll" in lengths else ""
        raise BadFormat(f"{text} is no conversion of C{advice}")


def _number(text: str, signed: bool, length: str) -> ExpectedArgument:
    _needs(text, length, *_LENGTHS)
    type_ = SCALARS[f"{'' if signed else 'u'}int{_LENGTHS[length]}"]
    return ExpectedArgument(text, "int", type_, longer="" if type_.size == 8 else f"%l{text[-1]}")


def _real(text: str, length: str) -> ExpectedArgument:
    _needs(text, length, "", "l", "L")
    if length == "L":
        return ExpectedArgument(text, "long double")
    return ExpectedArgument(text, "float", SCALARS["float64"])


def _character(text: str, length: str) -> ExpectedArgument:
    _needs(text, length, "", "l")
    return ExpectedArgument(text, "int", INT, bounds=_WIDE_CHARACTER if length else _CHARACTER)


def _text(text: str, length: str, most: int | None) -> ExpectedArgument:
    _needs(text, length, "", "l")
    return ExpectedArgument(text, "wide text" if length == "l" else "text", most=most)


def _plain(text: str, length: str, one: ExpectedArgument) -> ExpectedArgument:
    _needs(text, length, "")
    return one


_Rule = Callable[[str, str, int | None], ExpectedArgument]
_C: dict[str, _Rule] = {
    **dict.fromkeys("di", lambda t, length, most: _number(t, True, length)),
    **dict.fromkeys("ouxXbB", lambda t, length, most: _number(t, False, length)),
    **dict.fromkeys("fFeEgGaA", lambda t, length, most: _real(t, length)),
    "c": lambda t, length, most: _character(t, length),
    "C": lambda t, length, most: _plain(t, length, ExpectedArgument(t, "int", INT, bounds=_WIDE_CHARACTER)),
    "s": _text,
    "S": lambda t, length, most: _plain(t, length, ExpectedArgument(t, "wide text", most=most)),
    "p": lambda t, length, most: _plain(t, length, ExpectedArgument(t, "address")),
}
# SQLite's text is never wide, whatever its length. With ! it counts characters, of several bytes each; %z it frees.
_SQLITE: dict[str, _Rule] = {
    **{sign: _C[sign] for sign in "diouxXfeEgGp"},
    "c": lambda t, length, most: ExpectedArgument(t, "int", INT, bounds=_CODE_POINT),
    **dict.fromkeys(
        "sqQw", lambda t, length, most: ExpectedArgument(t, "text", most=None if "!" in t else most)
    ),
    "z": lambda t, length, most: ExpectedArgument(t, "handed over"),
}
_LUA: dict[str, _Rule] = {
    **{sign: _C[sign] for sign in "cspf"},
    "d": lambda t, length, most: ExpectedArgument(t, "int", INT, longer="%I"),
    "I": lambda t, length, most: ExpectedArgument(t, "int", SCALARS["int64"]),
    "U": lambda t, length, most: ExpectedArgument(t, "int", SCALARS["int64"], bounds=_LUA_CODE_POINT),
}
# %m is errno's text in glibc, and takes no argument.
_SILENT = {"printf": "%m", "sqlite": "%", "lua": "%"}
_RULES: dict[str, Mapping[str, _Rule]] = {"printf": _C, "sqlite": _SQLITE, "lua": _LUA}


@lru_cache(maxsize=1024)
def arguments_of_format(family: str, format_: str, wide: bool = False) -> tuple[ExpectedArgument, ...]:
    """The arguments that a format asks for, in order.

    Parameters
    ----------
    family : str
        ``"printf"``, ``"scanf"``, ``"sqlite"`` or ``"lua"``.
    wide : bool
        Whether the format is of wide characters (``wprintf``): then its numbers count these, not bytes.

    Raises
    ------
    BadFormat
        If it has a conversion that nobody knows, or that writes (``%n``).
    """
    found = list(_scanned(format_) if family == "scanf" else _printed(family, format_))
    if wide:
        found = [(position, _of_wide_format(one)) for position, one in found]
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
        by_position[position] = _both(known, one)
    if set(by_position) != set(range(1, len(by_position) + 1)):
        raise BadFormat(f"no conversion says what argument {_gap(by_position)} is")
    return tuple(by_position[position] for position in sorted(by_position))


def _both(known: ExpectedArgument, one: ExpectedArgument) -> ExpectedArgument:
    """What serves two conversions of one argument: the text that ends for both, the place with room for both."""
    if known.kind == "int":
        return min(known, one, key=lambda each: each.bounds[2] if each.bounds else math.inf)
    if known.kind.endswith("place"):
        return max(known, one, key=lambda each: each.most or 1)
    endless = next((each for each in (known, one) if each.most is None), None)
    return endless or max(known, one, key=lambda each: each.most or 0)


def _of_wide_format(one: ExpectedArgument) -> ExpectedArgument:
    """What a conversion of a wide format needs: it reads and writes several bytes for each character that it counts."""
    if one.kind == "text":
        return replace(one, most=None)
    if one.type == CHAR and one.kind == "place":
        return replace(one, most=(one.most or 1) * _LONGEST + 1)
    return one


def _gap(by_position: Mapping[int, ExpectedArgument]) -> int:
    return next(n for n in range(1, len(by_position) + 2) if n not in by_position)


def _printed(family: str, format_: str) -> Iterator[tuple[int, ExpectedArgument]]:
    rules = _RULES[family]
    for match in _PATTERNS[family].finditer(format_):
        position, width, width_at, precision, precision_at, digits, length, sign = match.groups()
        text, length = match[0], length or ""
        if any(int(number) > _WIDEST for number in _NUMBERS.findall(text)):
            raise BadFormat(f"a width or a precision of {text} is no int of C")
        if sign == "n":
            raise BadFormat("%n writes to memory, which only C should do")
        for star, at in ((width, width_at), (precision, precision_at)):
            if star:
                yield int(at or 0), ExpectedArgument("* of " + text, "int", INT, bounds=_WIDTH)
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
        if sign == "a" and format_[match.end() : match.end() + 1] in (*"sS[",):
            raise BadFormat(f"older C libraries read {match[0]}{format_[match.end()]} as %ms is read today")
        if int(width or 0) > _WIDEST:
            raise BadFormat(f"the width of {match[0]} is no int of C")
        one = _place(match[0], sign, length or "", int(width or 0), bool(allocates))
        yield int(position or 0), one


def _place(text: str, sign: str, length: str, width: int, allocates: bool) -> ExpectedArgument:
    """Where one conversion of scanf writes."""
    kind = sign[:1]
    if kind in (*"s[c",):
        _needs(text, length, "", "l")
        return _characters(text, kind, length == "l", width, allocates)
    if allocates:
        raise BadFormat(f"{text} is no conversion of C")
    if kind == "p":
        return _plain(text, length, ExpectedArgument(text, "place", Pointer(VOID)))
    if kind in (*"fFeEgGaA",):
        _needs(text, length, *_REALS)
        kind, type_ = _REALS[length]
        return ExpectedArgument(text, kind, type_)
    if kind in (*"dinouxX",):
        _needs(text, length, *_LENGTHS)
        signed = "" if kind in (*"din",) else "u"
        return ExpectedArgument(text, "place", SCALARS[f"{signed}int{_LENGTHS[length]}"])
    raise BadFormat(f"{text!r} is no conversion of C")


_REALS: dict[str, tuple[str, Type | None]] = {
    "": ("place", SCALARS["float32"]),
    "l": ("place", SCALARS["float64"]),
    "L": ("long double place", None),
}


def _characters(text: str, kind: str, wide: bool, width: int, allocates: bool) -> ExpectedArgument:
    """Where scanf writes characters: as many as the width says, and a NUL behind all but those of ``%c``."""
    if allocates:
        return ExpectedArgument(text, "place", Pointer(VOID))
    if not width and kind != "c":
        advice = text.replace("%", "%99", 1)
        raise BadFormat(f"{text} writes as much as it reads: {advice} says how much at most")
    most = width or 1 if kind == "c" else width + 1
    return (
        ExpectedArgument(text, "wide place", most=most)
        if wide
        else ExpectedArgument(text, "place", CHAR, most)
    )
