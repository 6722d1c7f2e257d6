"""Which parameter says how many there are of what another points to: told by names and neighbours alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum, auto

from ..later import later_pattern


class Role(Enum):
    """What a parameter may be in a count."""

    DATA = auto()
    NUMBER = auto()
    OTHER = auto()


# Words that say how much there is of something, whatever it is; those that may also say something of their own.
_LENGTH = later_pattern(r"len(gth)?|nbytes?|bytes|nchars?|strlen|nitems|nmemb|nelems?|numbytes|cb|cch")
_AMOUNT = later_pattern(r"n|sz|size|num|cnt|count|nb|amount|[a-z]?len\d*")
# Factors: `size_t size, size_t nmemb`.
_SIZE = later_pattern(r"size|size_of_one|elem_?size|width")
_MEMBERS = later_pattern(r"nmemb|nitems|n?items|count|n|num|nelems?")
# Texts that are names, which end with a NUL whatever stands behind them: `const char *path, size_t size`.
_NAME = later_pattern(
    r"\w*(name|path|file|dir|uri|url|key|title|label|id|msg|message|format|fmt|error|reason|tag|prefix|suffix|option)"
)
# Names that say nothing of what they hold.
_DATA = later_pattern(
    r"p|s|ptr|pointer|data|base|begin|start|str|string|text|chars|bytes|buf|buffer|value|val|first|at"
)
_PARTS = later_pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_STEM = later_pattern(r"^(p|psz|lp|sz)(?=[A-Z])")


def measured(
    names: Sequence[str], roles: Sequence[Role], *, sure: bool = False
) -> dict[int, tuple[int, ...]]:
    """The places of the numbers whose product says how many there are, for each place of data that has such.

    The number that is named after the data counts most, ``value, value_len``; then the one right behind it, then the
    one right before it, where their names say a length.

    Parameters
    ----------
    names : sequence of str
        Of all parameters, in order; empty where the declaration gives none.
    roles : sequence of Role
        What each may be.
    sure : bool
        Whether a number that is only right behind has to say a length, or to stand behind data of no name of its own:
        ``word, count`` are two things, ``data, size`` one.
    """
    found = {i: _factors(j, i, names, roles) for i, j in by_name(names, roles).items()}
    taken = {j for factors in found.values() for j in factors}
    for step, words in ((1, (_LENGTH, _AMOUNT)), (-1, (_LENGTH,))):
        for i, role in enumerate(roles):
            j = i + step
            if role is not Role.DATA or i in found or not 0 <= j < len(roles):
                continue
            weak = () if sure and not _DATA.fullmatch(names[i].lower()) else words[1:]
            if roles[j] is Role.NUMBER and j not in taken and _says(names[j], names[i], (*words[:1], *weak)):
                found[i] = _factors(j, i, names, roles)
                taken.update(found[i])
    return found


def says_amount(name: str) -> bool:
    """Whether a number's name says how much there is of something: ``out_size``, ``n``."""
    return _says(name, "", (_LENGTH, _AMOUNT))


def _says(number: str, data: str, words: Sequence[re.Pattern[str]]) -> bool:
    """Whether a number beside data is its length; a name's neighbour only where nothing else is meant."""
    strong, *weak = words
    last = _words(number)
    if not last:
        return False
    if any(strong.fullmatch(word) for word in last) or _is_length(last[-1]):
        return True
    return (
        bool(weak)
        and not _NAME.fullmatch(data.lower())
        and any(weak[0].fullmatch(w) for w in (last[0], last[-1]))
    )


def _is_length(word: str) -> bool:
    return word.endswith(("len", "length"))


def by_name(names: Sequence[str], roles: Sequence[Role]) -> dict[int, int]:
    """The numbers that are named after their data, by the data's places: ``value_len``, ``nvalue``, ``numValues``."""
    numbers = {_plain(name): j for j, name in enumerate(names) if roles[j] is Role.NUMBER and name}
    found = {}
    for i, name in enumerate(names):
        stem = _plain(_STEM.sub("", name))
        if roles[i] is not Role.DATA or not stem:
            continue
        for measure in (*(f"{stem}{w}" for w in _SUFFIXES), *(f"{w}{stem}" for w in _PREFIXES)):
            if measure in numbers:
                found[i] = numbers[measure]
                break
    return found


_SUFFIXES = ("len", "length", "size", "sz", "count", "cnt", "bytes", "nbytes", "n", "num")
_PREFIXES = (
    "len",
    "length",
    "n",
    "num",
    "nb",
    "cb",
    "cch",
    "size",
    "sizeof",
    "lengthof",
    "count",
    "numberof",
)


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _factors(j: int, i: int, names: Sequence[str], roles: Sequence[Role]) -> tuple[int, ...]:
    """The number at ``j`` alone, or with the one behind it that counts things of its size."""
    after = names[j + 1].lower() if i < j < len(roles) - 1 and roles[j + 1] is Role.NUMBER else ""
    return (j, j + 1) if after and _SIZE.fullmatch(names[j].lower()) and _MEMBERS.fullmatch(after) else (j,)


def _words(name: str) -> list[str]:
    """The parts of a name, in lower case: ``nKeyBytes`` is n, key, bytes."""
    return [part.lower() for part in _PARTS.findall(name) if not part.isdigit()]
