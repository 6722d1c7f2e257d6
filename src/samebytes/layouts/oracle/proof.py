"""The proof of one type: every compiler that is found confirms every fact, or the first lie is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...errors import LayoutError, MissingDependency, not_too_deep
from ...frozen import frozen
from ...options import check_dialect
from ...types import CArray, Type, as_type, unqualified
from .. import compute, round_up
from ..dialects import find_dialect
from ..dialects.base import Dialect
from ..dialects.declaration import Question, definitions, questions
from .base import Judge
from .bench import judges, nobody

_MAX_ARGUMENT = 4000


@frozen
class Proof:
    """What was proven, and by whom.

    Attributes
    ----------
    type : Type
    dialect : str
    facts : tuple of Question
        Sizes, alignments and offsets in bytes, and the types of fields.
    confirmed : tuple of str
        The compilers, with versions, each of which confirmed every fact.
    missing : tuple of str
        A sentence for each compiler that could not be asked.
    """

    type: Type
    dialect: str
    facts: tuple[Question, ...]
    confirmed: tuple[str, ...]
    missing: tuple[str, ...]


@not_too_deep
def prove(T: Any, dialect: str = "cxx") -> Proof:  # noqa: N803
    """Have every compiler of a dialect that is found confirm size, alignment, offsets and field types.

    Parameters
    ----------
    T : type or Type
    dialect : str

    Returns
    -------
    Proof
        Which compilers confirmed how many facts.

    Raises
    ------
    LayoutError
        If a compiler disagrees; the message has each number as Python assumes it and as the compiler says.
    MissingDependency
        If there is no compiler for that dialect.
    CompileError
        If a compiler refuses the definition.
    """
    check_dialect("prove", dialect)
    type_, table = unqualified(as_type(T)), find_dialect(dialect)
    asked = tuple(questions(type_, table))
    preamble = definitions(type_, table)
    confirmed, missing, wrong = [], [], []
    for judge in judges(dialect):
        try:
            version = judge.find()
            lies = _lies(judge, preamble, asked, type_, table)
        except MissingDependency as error:
            missing.append(str(error))
            continue
        confirmed.append(version)
        if lies:
            wrong += [f"{version} lays {type_} out differently:", *lies]
    if wrong:
        raise LayoutError("\n".join(wrong))
    if not confirmed:
        raise nobody(dialect, missing)
    return Proof(type_, dialect, asked, tuple(confirmed), tuple(missing))


def _lies(judge: Judge, preamble: str, asked: Sequence[Question], type_: Type, table: Dialect) -> list[str]:
    found = judge.disputed(preamble, [(q.expression, int(q.expected)) for q in asked])
    lies = [
        f"  {asked[i].expression} is {real}; Python assumes {int(asked[i].expected)}"
        for i, real in sorted(found.items())
    ]
    layout = compute(type_, table)
    # C++ passes no array by value, and CUDA promises room for this many bytes.
    if lies or judge.arguments is None or isinstance(type_, CArray) or layout.size > _MAX_ARGUMENT:
        return lies
    expected = [(0, 1), (round_up(1, layout.align), layout.size)]
    told = judge.arguments(preamble, ("char", table.spell(type_)))
    if told != expected:
        lies.append(f"  kernel arguments (char, {type_}) are at {told}; Python assumes {expected}")
    return lies
