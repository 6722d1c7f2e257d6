"""What only the front end can answer, asked in a further parse: triviality, completion, base offsets."""

from __future__ import annotations

from .libclang import Decl, kind_of
from .parse import Unit

_FORMS = {
    # sizeof completes a template, so that its fields can be read from the next parse.
    "complete": "sizeof({0})",
    # A class that can be neither copied nor moved counts as trivially copyable, yet no call can pass it.
    "trivial": "__is_trivially_copyable({0}) && __is_constructible({0}, {0}&&)",
    # A C-style cast reaches any unambiguous base; folding is allowed inside __builtin_constant_p's branches.
    "base": "__builtin_constant_p(0) ? (long)(const volatile {1}*)(const volatile {0}*)4096 - 4096 : -1",
}
_PREFIX = "samebytes_question_"


class Questions:
    """Questions by text, and the answers of the last parse.

    A question without an answer is remembered and answered by the next parse; until then it yields None,
    and whatever depends on it is provisional.
    """

    def __init__(self) -> None:
        self._answers: dict[str, int | None] = {}
        self._pending: dict[str, None] = {}

    def ask(self, form: str, *spellings: str) -> int | None:
        """The answer, or None if there is none yet or clang refuses the question."""
        text = _FORMS[form].format(*spellings)
        if text not in self._answers:
            self._pending[text] = None
            return None
        return self._answers[text]

    @property
    def pending(self) -> bool:
        """Whether a question has been asked that no parse has seen."""
        return bool(self._pending)

    def lines(self) -> tuple[str, ...]:
        """One line of C++ per question, old ones too, so that templates stay complete."""
        return tuple(
            f"enum : long {{ {_PREFIX}{number} = {text} }};"
            for number, text in enumerate([*self._answers, *self._pending])
        )

    def answer(self, unit: Unit) -> None:
        """Take the answers from a unit that was parsed with :meth:`lines`."""
        texts = [*self._answers, *self._pending]
        values: dict[int, int] = {}
        for cursor in unit.top[-len(texts) :]:
            if kind_of(cursor) != Decl.ENUM:
                continue
            for constant in cursor.get_children():
                if constant.spelling.startswith(_PREFIX):
                    values[int(constant.spelling[len(_PREFIX) :])] = int(constant.enum_value)
        # An enumerator whose expression is refused still gets a value, so refused lines are left out.
        self._answers = {
            text: values.get(number) if number + 2 not in unit.own_errors else None
            for number, text in enumerate(texts)
        }
        self._pending = {}
