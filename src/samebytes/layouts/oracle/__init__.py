"""Asks the real compilers whether a layout is what Python assumes; needs no device."""

from __future__ import annotations

from ..dialects.declaration import Question, questions
from .base import Judge
from .bench import answers, find_judge, judge_names, judges
from .proof import Proof, prove

__all__ = [
    "Judge",
    "Proof",
    "Question",
    "answers",
    "find_judge",
    "judge_names",
    "judges",
    "prove",
    "questions",
]
