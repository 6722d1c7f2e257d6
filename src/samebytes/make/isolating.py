"""Finds the declarations whose shims a compiler refuses: by what its messages say, else by trying parts of the text."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path

from ..emit.shims import Owner, Shims
from ..errors import CompileError, first_sentence
from ..later import later_pattern

# A place in a file, at the beginning of one of the compiler's lines.
_PLACE = later_pattern(
    r"^(?:In file included from |\s+from )?(?P<file>[^:\n]+):(?P<line>\d+)(?::(?P<column>\d+))?[:,]"
)
_ERROR = later_pattern(r": (?:fatal )?error: (?P<words>.+)")
_NOTE = ": note: "
_INCLUDED = "In file included from "
_WORD = later_pattern(r"\w+")
_SHIMS = ("shims.cpp", "shims.c")
# So many parts of the text are tried in one build; what is refused together beyond that goes together.
_MOST_TRIALS = 60
_TOGETHER = "{} (it is one of {} declarations; which it is, {} trials did not tell)"


def of_shims(error: CompileError) -> bool:
    """Whether an error is about the shims, and not about a source of the user's."""
    return any(Path(word).name.startswith("shims") for word in error.command)


def blamed(error: CompileError, shims: Shims) -> dict[Owner, str]:
    """What the compiler's messages lead to, each with its first error.

    g++ says from where it came to an error before the error itself, clang says so in notes behind it.
    """
    found: dict[Owner, str] = {}
    said, before = "", set[Owner]()
    for line in error.output.splitlines():
        place = _PLACE.match(line) if not line.startswith(_INCLUDED) else None
        owner = shims.at(int(place["line"])) if place and Path(place["file"]).name in _SHIMS else None
        if words := _ERROR.search(line):
            said = words["words"].strip()
            for one in before:
                found.setdefault(one, said)
            before.clear()
        if owner is not None and (words or _NOTE in line):
            found.setdefault(owner, said or first_sentence(error))
        elif owner is not None:
            before.add(owner)
    return found


def suspects(names: Collection[str], shims: Shims) -> list[Owner]:
    """What mentions one of some names."""
    return [o for o, text in shims.texts().items() if not {*names}.isdisjoint(_WORD.findall(text))]


def names_at_places(error: CompileError) -> set[str]:
    """The classes for which a compiler began to make a copy or an end: g++ says at whose place it did so."""
    folder = next((Path(word).parent for word in error.command if word.endswith(_SHIMS)), Path())
    found: set[str] = set()
    for line in error.output.splitlines():
        place = _PLACE.match(line)
        if place and place["column"] and "required from here" in line:
            with suppress(OSError, IndexError):
                text = (
                    (folder / place["file"]).read_text(errors="replace").split("\n")[int(place["line"]) - 1]
                )
                found.update(_WORD.findall(text[int(place["column"]) - 1 :])[:1])
    return found


class Trials:
    """Tries parts of the shims' text until it is known which do not compile.

    Parameters
    ----------
    judge : callable
        The compiler's error about some owners' part of the text, and that text; None where it accepts it.
    """

    def __init__(self, judge: Callable[[Collection[Owner]], tuple[CompileError, Shims] | None]) -> None:
        self.judge = judge
        self._made = 0

    def refused(self, owners: list[Owner], first: list[Owner]) -> dict[Owner, str]:
        """Which of some owners the compiler refuses, each with its error; ``first`` are the likely ones."""
        rest = [owner for owner in owners if owner not in {*first}]
        return self._among(first) | self._among(rest)

    def _among(self, group: list[Owner]) -> dict[Owner, str]:
        if not group:
            return {}
        self._made += 1
        answer = self.judge(group)
        if answer is None:
            return {}
        error, shims = answer
        told = {o: words for o, words in blamed(error, shims).items() if o in {*group}}
        rest = [owner for owner in group if owner not in told]
        if len(group) == 1 or not rest:
            return told or {group[0]: first_sentence(error)}
        if self._made >= _MOST_TRIALS:
            words = _TOGETHER.format(first_sentence(error), len(rest), self._made)
            return dict.fromkeys(rest, words) | told
        if told:
            return told | self._among(rest)
        middle = len(group) // 2
        return self._among(group[:middle]) | self._among(group[middle:])
