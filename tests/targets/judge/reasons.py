"""Why a target refuses what Python takes: the rows of ``reasons.tsv``, each known by the words of its errors."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Reason:
    """A reason.

    Attributes
    ----------
    key : str
        One letter, which ``cells.tsv`` has; a capital where the target takes what Python refuses.
    targets, kinds, arguments, message : str
        Patterns: the cells that have it, and what the error says; Python's, where only the target takes.
    nature : str
        Whether the target has by nature none of the argument or of the parameter: then it does not count.
    words : str
    """

    key: str
    targets: str
    kinds: str
    arguments: str
    message: str
    nature: str
    words: str

    def of(self, target: str, kind: str, argument: str, words: str) -> bool:
        """Whether it is that of a cell."""
        names = zip((self.targets, self.kinds, self.arguments), (target, kind, argument), strict=True)
        return all(re.fullmatch(pattern, name) for pattern, name in names) and bool(
            re.search(self.message, words)
        )


_ROWS = Path(__file__).with_name("reasons.tsv").read_text().splitlines()[1:]
REASONS = {reason.key: reason for reason in (Reason(*row.split("\t")) for row in _ROWS)}


def reason_of(target: str, kind: str, argument: str, words: str) -> str:
    """The key of the reason behind an error; ``?`` where it is none of the table."""
    found = (r.key for r in REASONS.values() if not r.key.isupper() and r.of(target, kind, argument, words))
    return next(found, "?")


def taken_for(target: str, kind: str, argument: str, words: str) -> str:
    """Why a target takes what Python refuses in some words; empty where it must not."""
    found = (r.key for r in REASONS.values() if r.key.isupper() and r.of(target, kind, argument, words))
    return next(found, "")
