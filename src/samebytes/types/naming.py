"""Names that Python can use for what C++ calls otherwise: the one rule, for parameters, fields and functions."""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Iterable

from ..later import later_pattern

# Behind this, the names of the classes that stand between one of C++'s and Python's say which they are.
BENEATH = "_samebytes_"
_BENEATH = later_pattern(rf"(?:\w+::)*(\w+?){BENEATH}\w+")
# A type without a name is spelled by the variable or the member that has it.
_UNNAMED = ("decltype(", "__typeof__(", "std::remove_all_extents<decltype(")
_SPLITS = later_pattern(r"::|[<>()]")
_SPECIAL = r"__\w*[^\W_]__"  # Python's own meaning; exactly two underscores at the end


def _is_special(name: str) -> bool:
    """Whether Python itself calls something so; few names look like it at all."""
    return name.startswith("__") and re.fullmatch(_SPECIAL, name) is not None


def normalized(name: str) -> str:
    """A name as Python reads it in source text."""
    return name if name.isascii() else unicodedata.normalize("NFKC", name)


def _needs_another(name: str) -> bool:
    if normalized(name) != name:
        return True
    return keyword.iskeyword(name) or _is_special(name)


def is_python_name(name: str) -> bool:
    """Whether Python can call something as C++ does, as far as the name alone says."""
    return not _needs_another(name)


def is_unnamed(spelling: str) -> bool:
    """Whether a record or an enumeration has no name but that of the member that is one."""
    return spelling.startswith(_UNNAMED)


def split_name(qualified: str) -> list[str]:
    """The parts of a qualified C++ name; those of template arguments are not told apart."""
    parts, depth, start = [], 0, 0
    for sign in _SPLITS.finditer(qualified):
        if (text := sign[0]) != "::":
            depth += 1 if text in "<(" else -1
        elif depth == 0:
            parts.append(qualified[start : sign.start()])
            start = sign.end()
    return [*parts, qualified[start:]]


def without_beneath(text: str) -> str:
    """A text in which the classes between C++'s and Python's are called as those of C++'s."""
    return _BENEATH.sub(r"\1", text) if BENEATH in text else text


def python_names(names: Iterable[str]) -> dict[str, str]:
    """The Python name of each C++ name: as Python reads it, with a ``_`` behind until it is no keyword, nor another's.

    Python reads identifiers in Unicode's form NFKC: who writes the micro sign asks for the Greek letter.

    Parameters
    ----------
    names : iterable of str
        All names of one scope: the parameters of a function, the fields of a struct.
    """
    names = tuple(names)
    found = {name: name for name in names if not _needs_another(name)}
    return found | another_names([name for name in names if name not in found], found)


def another_names(names: Iterable[str], taken: Iterable[str]) -> dict[str, str]:
    """Other names for some: a ``_`` is appended until it is no keyword and nobody else's."""
    known, found = set(taken), {}
    for name in names:
        read = normalized(name)
        differs = read != name and read not in known and not _needs_another(read)
        python = read if differs else f"{read}_"
        while python in known or _needs_another(python):
            python += "_"
        found[name] = python
        known.add(python)
    return found
