"""The judges of a dialect: found by file name, one compiler each, and asked on demand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ...errors import LayoutError, MissingDependency
from ...plugins import Plugins
from ..dialects import find_dialect
from .base import Judge

_PLUGINS: Plugins[Judge] = Plugins(
    __name__.rpartition(".")[0], "JUDGE", frozenset({"base", "bench", "command", "proof"})
)


def judge_names() -> tuple[str, ...]:
    """The names of all judges: one per file of this folder."""
    return _PLUGINS.names()


@cache
def find_judge(name: str) -> Judge:
    """The judge of a name, whether or not its compiler is there.

    Raises
    ------
    LayoutError
        If there is none; the message lists those there are.
    """
    return _PLUGINS.get(name, "judge", LayoutError)


def judges(dialect: str) -> tuple[Judge, ...]:
    """The compilers that decide a dialect, whether or not they are there.

    Raises
    ------
    LayoutError
        If there is no such dialect.
    """
    find_dialect(dialect)
    return tuple(j for j in map(find_judge, judge_names()) if dialect in j.dialects)


def answers(preamble: str, expressions: Sequence[str], dialect: str = "cxx") -> tuple[list[int], str]:
    """The values of constant expressions, as the first compiler says that is found for the dialect.

    Parameters
    ----------
    preamble : str
        C++ text before them: includes and definitions.
    expressions : sequence of str
        Each one non-negative and below 2**64 - 1.

    Returns
    -------
    list of int, and the compiler's name and version

    Raises
    ------
    CompileError
        With the compiler's own messages.
    MissingDependency
        If there is no compiler for that dialect.
    """
    missing = []
    for judge in sorted(judges(dialect), key=lambda j: j.name != "gxx"):
        try:
            version = judge.find()
            return judge.answers(preamble, expressions), version
        except MissingDependency as error:
            missing.append(str(error))
    raise nobody(dialect, missing)


def nobody(dialect: str, missing: Sequence[str]) -> MissingDependency:
    """The error for a dialect none of whose compilers is there."""
    reasons = "".join(f"\n  {sentence}" for sentence in dict.fromkeys(missing))
    return MissingDependency(f"no compiler for dialect {dialect} was found:{reasons}")
