"""What only the front end can answer, asked in a further parse: triviality, completion, base offsets, macros."""

from __future__ import annotations

import re

from ...model.module import Template
from ...model.signature import Location
from ..clang.kinds import TYPEDEFS, Decl
from ..clang.libclang import Cursor, children, kind_of
from ..clang.parse import ParsedUnit
from .inheritance import Inheritance
from .instances import Instances
from .told_types import ToldTypes

_FORMS = {
    # sizeof completes a template, so that its fields can be read from the next parse.
    "complete": "sizeof({0})",
    # A class that can be neither copied nor moved counts as trivially copyable, yet no call can pass it.
    "trivial": "__is_trivially_copyable({0}) && __is_constructible({0}, {0}&&)",
    # What C++ code outside a class can do with its objects, a bit each: see records.py.
    "traits": "__is_constructible({0}, const {0}&) + 2 * __is_destructible({0}) + 4 * __is_abstract({0})"
    " + 8 * __is_constructible({0}) + 16 * __has_virtual_destructor({0}) + 32 * __is_polymorphic({0})"
    " + 64 * __is_trivially_constructible({0}) + 128 * __is_aggregate({0})"
    " + 256 * __is_assignable({0}&, const {0}&)",
    # Whether C++ finds a base in an object.
    "converts": "__is_convertible_to({0}*, {1}*)",
    # Whether a call that C++ resolves by itself gives a type.
    "gives": "__is_same(decltype({0}), {1})",
    # Whether C++ makes one of its members in braces, though it declares constructors: the standards differ.
    "aggregate": "__is_aggregate({0})",
    # Whether C++ assigns one object of a class to another.
    "assigns": "__is_assignable({0}&, const {0}&)",
    # Whether C++ assigns a value to what an expression of a class gives.
    "takes": "__is_assignable({0}, {1})",
    # Whether C++ takes an object for a bool, and whether "!!" of it is one, whatever its own "!" gives.
    "constructs": "__is_constructible(bool, {0})",
    # A member's initial value in an object that is made without arguments: a number, the bits of one, a null address.
    # Behind a comma: a function without its call, as a vector of SYCL has for an element, ends libclang in a bit cast.
    "value": "(long)({0}{{}}{1})",
    "value of 8 bits": "__builtin_bit_cast(unsigned char, ((void)0, {0}{{}}{1}))",
    "value of 16 bits": "__builtin_bit_cast(unsigned short, ((void)0, {0}{{}}{1}))",
    "value of 32 bits": "__builtin_bit_cast(unsigned, ((void)0, {0}{{}}{1}))",
    "value of 64 bits": "__builtin_bit_cast(long, ((void)0, {0}{{}}{1}))",
    "null": "({0}{{}}{1}) == nullptr",
    # What a class needs to be a key, as std::unordered_set has it; and whether exceptions are compiled.
    "hashes": "__is_same(decltype(std::hash<{0}>()((({1} (*)())0)())), __SIZE_TYPE__)"
    " && sizeof((({1} (*)())0)() == (({1} (*)())0)() ? 1 : 0)",
    "throws": "__cpp_exceptions + 0",
    "negates": "__is_same(decltype(!(!(({0} (*)())0)())), bool)",
    # A C-style cast reaches any unambiguous base; folding is allowed inside __builtin_constant_p's branches.
    "base": "__builtin_constant_p(0) ? (long)(const volatile {1}*)(const volatile {0}*)4096 - 4096 : -1",
}
_PREFIX = "samebytes_question_"
_MACRO = "samebytes_macro_"
# Refused unless the macro is a constant expression; without parentheses, which would hide a macro that is a list.
_VARIABLE = {
    "c": "__auto_type {0} = {1};",
    "c++": "__attribute__((require_constant_initialization)) __auto_type {0} = {1};",
}
_EXPRESSION = "samebytes_expression_"
# In parentheses no type stands for an expression. What it is made of may be known only when the program runs.
_TYPE = {"c": "typedef __typeof__(((void)0, ({1}))) {0};", "c++": "typedef __typeof__(({1})) {0};"}
_MEANING = "samebytes_meaning_"
_SECOND_NAME = {"c": "typedef {1} {0};", "c++": "using {0} = {1};"}
# The name of a class that a function hides, as records.py spells it; it is defined in the first line that has one.
_NAMED_SO = "samebytes_as<"
_DEFINED = "template <class T> struct samebytes_as { using type = T; }; "
_NUMBERED = re.compile(r"\bsamebytes_([a-z]+)_?\d+(_\d+)?\b")


class Questions:
    """Questions by text, and the answers of the last parse.

    A question without an answer is remembered and answered by the next parse; until then it yields None,
    and whatever depends on it is provisional.
    """

    def __init__(self, instances: Instances) -> None:
        self.instances = instances
        self.inheritance = Inheritance()
        self.told = ToldTypes()
        self.templates: dict[
            tuple[Location, str, str], Template
        ] = {}  # what a parse read of them holds for all
        self._answers: dict[str, int | None] = {}
        self._pending: dict[str, None] = {}
        self._macros: tuple[str, ...] | None = None
        self._expressions: tuple[str, ...] = ()
        self._type_macros: tuple[str, ...] = ()
        self._variables: dict[str, Cursor] | None = None
        self._types: dict[str, Cursor] = {}
        self._meanings: dict[str, Cursor] = {}
        self._refused: dict[str, str] = {}
        self._no_constants: dict[str, str] = {}
        self._given_up: dict[str, str] = {}  # line without its numbers -> why
        self._broken: dict[str, str] = {}

    def ask(self, form: str, *spellings: str) -> int | None:
        """The answer, or None if there is none yet or clang refuses the question."""
        text = _FORMS[form].format(*spellings)
        if text not in self._answers:
            self._pending[text] = None
            return None
        return self._answers[text]

    def broken(self, form: str, *spellings: str) -> str | None:
        """Why a question has no answer, if what it is about does not compile."""
        return self._broken.get(_FORMS[form].format(*spellings))

    def give_up(self, line: str, words: str) -> bool:
        """Ask a line no more; False if it was not asked."""
        key = _NUMBERED.sub(r"samebytes_\1", line.removeprefix(_DEFINED))
        new = key not in self._given_up
        self._given_up[key] = words
        return new

    def _kept(self, line: str) -> str:
        words = self._given_up.get(_NUMBERED.sub(r"samebytes_\1", line)) if self._given_up else None
        return line if words is None else f"#error {words}"

    def forget(self) -> None:
        """Let go of the last parse, which may end then: the next one answers all again."""
        if self._variables is not None:
            self._variables, self._types, self._meanings = {}, {}, {}
        for part in (self.inheritance, self.instances, self.told):
            part.forget()

    @property
    def pending(self) -> bool:
        """Whether a question has been asked that no parse has seen."""
        macros = self.of_macros and self._variables is None
        parts = (self.instances, self.inheritance, self.told)
        return bool(self._pending) or macros or any(part.pending for part in parts)

    @property
    def of_macros(self) -> bool:
        """Whether any question is about a macro."""
        return bool(self._macros or self._expressions or self._type_macros)

    @property
    def macros(self) -> tuple[str, ...] | None:
        """The macros that the next parse defines variables for; None before anyone has asked."""
        return self._macros

    @macros.setter
    def macros(self, names: tuple[str, ...]) -> None:
        self._macros = names

    @property
    def expressions(self) -> tuple[str, ...]:
        """The macros of which the next parse tells the type that their text has as an expression."""
        return self._expressions

    @expressions.setter
    def expressions(self, names: tuple[str, ...]) -> None:
        self._expressions = names

    @property
    def type_macros(self) -> tuple[str, ...]:
        """The macros of which the next parse tells the type that their text is."""
        return self._type_macros

    @type_macros.setter
    def type_macros(self, names: tuple[str, ...]) -> None:
        self._type_macros = names

    def meaning(self, macro: str) -> Cursor | None:
        """The typedef of the type that a macro's text is; None where clang refuses it."""
        return self._meanings.get(macro)

    def expression(self, macro: str) -> Cursor | None:
        """The typedef of the type that a macro's text has as an expression; None where clang refuses it."""
        return self._types.get(macro)

    def refusal(self, macro: str) -> str:
        """Why a macro's text is no expression; empty where it is one, or was not asked about."""
        return self._refused.get(macro, "")

    def no_constant(self, macro: str) -> str:
        """Why a macro's text is no constant; empty where it is one, or was not asked about."""
        return self._no_constants.get(macro, "")

    def variable(self, macro: str) -> Cursor | None:
        """The variable that has a macro as its initialiser; None where clang refuses that, or was not asked yet."""
        return (self._variables or {}).get(macro)

    def lines(self, language: str) -> tuple[str, ...]:
        """One line of C or C++ per question, old ones too, so that templates stay complete."""
        macros = self._macros or ()
        parts = (self.inheritance, self.instances, self.told) if language == "c++" else ()
        own = [line for part in parts for line in part.lines()]
        lines = (
            *(
                f"enum : long {{ {_PREFIX}{number} = {text} }};"
                for number, text in enumerate([*self._answers, *self._pending])
            ),
            *(_VARIABLE[language].format(f"{_MACRO}{i}", name) for i, name in enumerate(macros)),
            *(_TYPE[language].format(f"{_EXPRESSION}{i}", name) for i, name in enumerate(self._expressions)),
            *(
                _SECOND_NAME[language].format(f"{_MEANING}{i}", name)
                for i, name in enumerate(self._type_macros)
            ),
            *own,
        )
        asked = [self._kept(line) for line in lines]
        first = next((i for i, line in enumerate(asked) if _NAMED_SO in line), None)
        if first is not None:
            asked[first] = _DEFINED + asked[first]
        return tuple(asked)

    def answer(self, unit: ParsedUnit) -> None:
        """Take the answers from a unit that was parsed with :meth:`lines`."""
        texts = [*self._answers, *self._pending]
        macros = self._macros or ()
        values: dict[int, int] = {}
        variables: dict[str, Cursor] = {}
        types: dict[str, Cursor] = {}
        meanings: dict[str, Cursor] = {}
        first = len(texts) + len(macros) + 2  # the line of the first expression
        for cursor in unit.asked:
            if kind_of(cursor) == Decl.ENUM:
                for constant in children(cursor):
                    if constant.spelling.startswith(_PREFIX):
                        values[int(constant.spelling[len(_PREFIX) :])] = int(constant.enum_value)
            elif kind_of(cursor) == Decl.VARIABLE and cursor.spelling.startswith(_MACRO):
                number = int(cursor.spelling[len(_MACRO) :])
                if number + len(texts) + 2 not in unit.own_errors:
                    variables[macros[number]] = cursor
            elif kind_of(cursor) == Decl.TYPEDEF and cursor.spelling.startswith(_EXPRESSION):
                number = int(cursor.spelling[len(_EXPRESSION) :])
                if number + first not in unit.own_errors:
                    types[self._expressions[number]] = cursor
            elif kind_of(cursor) in TYPEDEFS and cursor.spelling.startswith(_MEANING):
                number = int(cursor.spelling[len(_MEANING) :])
                if number + first + len(self._expressions) not in unit.own_errors:
                    meanings[self._type_macros[number]] = cursor
        # An enumerator whose expression is refused still gets a value, so refused lines are left out.
        self._answers = {
            text: values.get(number) if number + 2 not in unit.own_errors else None
            for number, text in enumerate(texts)
        }
        told = {**unit.broken, **{n: w for n, w in unit.own_errors.items() if w in self._given_up.values()}}
        self._broken = {text: told[n + 2] for n, text in enumerate(texts) if n + 2 in told}
        self._pending = {}
        if self._macros is not None:
            self._variables, self._types, self._meanings = variables, types, meanings
            refused = ((name, unit.own_errors.get(i)) for i, name in enumerate(self._expressions, first))
            self._refused = {name: words for name, words in refused if words}
            unfit = ((name, unit.own_errors.get(i)) for i, name in enumerate(macros, len(texts) + 2))
            self._no_constants = {name: words for name, words in unfit if words}
        before = len(texts) + len(macros) + len(self._expressions) + len(self._type_macros)
        self.inheritance.answer(unit, before)
        self.instances.answer(unit, before + len(self.inheritance.lines()))
        self.told.answer(unit)
