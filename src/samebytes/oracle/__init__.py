"""Asks the real compilers whether a layout is what Python assumes."""

from __future__ import annotations

from typing import Any

from ..dialects import find_dialect
from ..dialects.declaration import Question, definitions, questions
from ..errors import LayoutError
from ..types import as_type, unqualified
from .table import answers

__all__ = ["Question", "answers", "prove", "questions"]


def prove(T: Any, dialect: str = "cxx") -> None:  # noqa: N803
    """Have the dialect's compiler confirm size, alignment, offsets and field types.

    Parameters
    ----------
    T : type or Type
    dialect : str

    Raises
    ------
    LayoutError
        If the compiler disagrees; the message has each number as Python assumes it and as the compiler says.
    MissingDependency
        If there is no compiler for that dialect.
    CompileError
        If the compiler refuses the definition.
    """
    type_, table = unqualified(as_type(T)), find_dialect(dialect)
    asked = tuple(questions(type_, table))
    found, compiler = answers(definitions(type_, table), [q.expression for q in asked], dialect)
    wrong = [
        f"  {question.expression} is {answer}; Python assumes {int(question.expected)}"
        for question, answer in zip(asked, found, strict=True)
        if answer != question.expected
    ]
    if wrong:
        raise LayoutError("\n".join([f"{compiler} lays {type_} out differently:", *wrong]))
