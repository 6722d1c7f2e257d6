"""What a cell of the matrix can say: that memory is shared, or whose limit it is that it is not, and in which words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

SHARED = {
    "shared": "the same memory: what either side writes the other reads",
    "read-only": "the same memory: the consumer reads what is written, and knows that it must not write itself",
    "flag lost": "the same memory; read-only, and the consumer has no read-only arrays",
    "as uint8": "the same memory; pyarrow.Tensor calls its booleans uint8",
    "empty": "no elements to share; shape and element type arrive",
}

TRAP = "torch: ends"  # the process ends


@dataclass(frozen=True)
class Limit:
    """Why a library takes or makes no such array: a row of ``limits.tsv``.

    Attributes
    ----------
    key : str
        As the table names it: whose limit it is, and a word.
    who : str
        Whose it is: names of producers and consumers, as a pattern.
    error, message : str
        Patterns: the class of the error, and what its message says.
    words : str
    """

    key: str
    who: str
    error: str
    message: str
    words: str

    def is_of(self, name: str) -> bool:
        """Whether it is a limit of that producer or consumer."""
        return re.fullmatch(self.who, name) is not None

    def explains(self, error: BaseException) -> bool:
        name = type(error).__name__
        return bool(re.fullmatch(self.error, name) and re.search(self.message, str(error)))


_ROWS = Path(__file__).with_name("limits.tsv").read_text().splitlines()[1:]
LIMITS = {limit.key: limit for limit in (Limit(*row.split("\t")) for row in _ROWS)}


class Lacks(Exception):
    """A library has no such array; the words name its limit."""


def limit_of(who: str, error: BaseException) -> str:
    """The key of the limit behind an error of a producer or consumer.

    Raises
    ------
    AssertionError
        If it is none that is known: a refusal without a reason is no promise.
    """
    for limit in LIMITS.values():
        if limit.is_of(who) and limit.explains(error):
            return limit.key
    raise AssertionError(f"{who} refuses for no known reason: {type(error).__name__}: {error}") from error
