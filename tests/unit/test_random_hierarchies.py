"""Names and conversions in small random hierarchies, each beside g++: its answer, or a refusal in words.

Bases are virtual, private, protected and there several times; classes hide and publish names. The programs are the same
each time. ``python -m tests.unit.test_random_hierarchies 0 20`` goes through other ones by hand.
"""

from __future__ import annotations

import random
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import samebytes as sb

from ..of_gcc import REFUSED, answers, refused_lines, totals

pytestmark = pytest.mark.full  # g++ compiles each program three times: seconds for each

_SPACES = 6  # hierarchies in one program
_CLASSES = 6
# What a class declares under a name, by which each answer says the class: {} is a number of its own.
MEMBERS: dict[str, str] = {
    "field": "int field = {};",
    "text": 'std::string text = "{}";',
    "method": "int method() const {{ return {}; }}",
    "fixed": "static int fixed() {{ return {}; }}",
    "variable": "static inline int variable = {};",
    "number": "enum {{ number = {} }};",
    "Type": "struct Type {{ int n = {}; }};",
    "operator+": "int operator+(int) const {{ return {}; }}",
    "operator[]": "int operator[](int) const {{ return {}; }}",
    "operator==": "int operator==(int) const {{ return {}; }}",
    "operator()": "int operator()() const {{ return {}; }}",
    "operator-": "int operator-() const {{ return {}; }}",
    "operator+=": "int operator+=(int) {{ return {}; }}",
    "operator int": "operator int() const {{ return {}; }}",
    "operator bool": "operator bool() const {{ return {} % 2; }}",
    "operator<": "int operator<(int) const {{ return {}; }}",
    "operator~": "int operator~() const {{ return {}; }}",
}
# How C++ and Python ask an object x of a class K for what it has under a name.
ASKED: dict[str, tuple[str, Callable[[Any, Any, Any], Any]]] = {
    "field": ("x.field", lambda lib, cls, x: x.field),
    "text": ("std::stoi(x.text)", lambda lib, cls, x: int(x.text)),
    "method": ("x.method()", lambda lib, cls, x: x.method()),
    "fixed": ("x.fixed()", lambda lib, cls, x: x.fixed()),
    "K::fixed": ("K::fixed()", lambda lib, cls, x: cls.fixed()),
    "variable": ("K::variable", lambda lib, cls, x: cls.variable),
    "number": ("K::number", lambda lib, cls, x: cls.number),
    "Type": ("(K::Type().n)", lambda lib, cls, x: cls.Type().n),
    "operator+": ("(x + 1)", lambda lib, cls, x: x + 1),
    "operator[]": ("x[99]", lambda lib, cls, x: x[99]),
    "operator()": ("x()", lambda lib, cls, x: x()),
    "operator-": ("(-x)", lambda lib, cls, x: -x),
    "operator<": ("(x < 99)", lambda lib, cls, x: x < 99),
    "operator~": ("(~x)", lambda lib, cls, x: ~x),
    "operator int": ("x.operator int()", lambda lib, cls, x: getattr(x, "operator int")()),
    "int(x)": ("static_cast<int>(x)", lambda lib, cls, x: int(x)),
    "bool(x)": ("static_cast<bool>(x)", lambda lib, cls, x: bool(x)),
    "number(x)": ("number(x)", lambda lib, cls, x: lib.number(x)),
}


class Hierarchies:
    """The declarations of one program, a namespace for each hierarchy."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.spaces = [f"s{i}" for i in range(_SPACES)]
        self.classes = [f"K{i}" for i in range(_CLASSES)]
        self._value = 100
        self.lines = ["#include <string>", "#include <memory>", "inline int number(int x) { return x; }"]
        for space in self.spaces:
            self.lines.append(f"namespace {space} {{")
            for index, name in enumerate(self.classes):
                self.lines += self._class(index, name)
            self.lines.append("}")

    def _some(self, chance: float) -> bool:
        return self._random.random() < chance

    def _class(self, index: int, name: str) -> Iterator[str]:
        known = self.classes[:index]
        bases = self._random.sample(known, min(len(known), self._random.choice([0, 1, 1, 2, 2, 3])))
        access = self._random.choices(["public", "protected", "private"], [6, 1, 1], k=len(bases))
        derived = [f"{a} {'virtual ' * self._some(0.4)}{base}" for a, base in zip(access, bases, strict=True)]
        yield f"struct {name}{' : ' * bool(bases)}{', '.join(derived)} {{"
        yield f"  int own_{name} = {self._next()}; {name}() {{}}"
        taken = [n for n in MEMBERS if self._some(0.3)]
        for member in taken:
            where = "private" if self._some(0.08) else "protected" if self._some(0.06) else "public"
            yield f"  {where}: {MEMBERS[member].format(self._next())}"
        for member in MEMBERS:
            # GCC takes the name of a type that is private there, clang does not.
            if bases and member not in ("Type", *taken) and self._some(0.08):
                yield f"  public: using {self._random.choice(bases)}::{member};"
        yield "  public:"
        if not bases and self._some(0.3):
            yield f"  virtual ~{name}() {{}}"
        yield "};"
        yield f"inline int take(const {name}& x) {{ return x.own_{name}; }}"
        yield f"inline int take_{name}(const {name}& x) {{ return x.own_{name}; }}"
        yield f"inline int point_{name}(const {name}* x) {{ return x->own_{name}; }}"
        yield f"inline int share_{name}(std::shared_ptr<{name}> x) {{ return x->own_{name}; }}"

    def _next(self) -> int:
        self._value += 1
        return self._value

    def text(self, std: str, home: Path) -> str:
        """The program without the using-declarations that C++ refuses."""
        lines = [*self.lines]
        while bad := refused_lines('#line 1 "program"\n' + "\n".join(lines), "program", std, home):
            for number in bad:
                assert "using" in lines[number - 1], lines[number - 1]
                lines[number - 1] = ""
        return "\n".join(lines) + "\n"


class Question(NamedTuple):
    """What is asked of an object of a class: in C++ a statement that prints it, in Python a call with the class."""

    space: str
    name: str
    member: str
    statement: str
    ask: Callable[[Any, Any], Any]


def _questions(made: Hierarchies) -> Iterator[Question]:
    for space in made.spaces:
        for name in made.classes:
            for member, (cxx, ask) in ASKED.items():
                words = cxx.replace("K::", f"{space}::{name}::")
                statement = f'{{ {space}::{name} x; std::printf("%d\\n", (int){words}); }}'
                yield Question(space, name, member, statement, lambda lib, cls, a=ask: a(lib, cls, cls()))
            yield _called(space, name, "take", "take(x)")
            for other in made.classes:
                yield _called(space, name, f"take_{other}", f"take_{other}(x)")
                yield _called(space, name, f"point_{other}", f"point_{other}(&x)")
                shared = f"std::make_shared<{space}::{name}>()"
                yield _called(space, name, f"share_{other}", f"share_{other}({shared})")


def _called(space: str, name: str, function: str, call: str) -> Question:
    def ask(lib: Any, cls: Any) -> Any:
        return getattr(getattr(lib, space), function)(cls())

    statement = f'{{ {space}::{name} x; std::printf("%d\\n", {space}::{call}); }}'
    return Question(space, name, function, statement, ask)


def _in_python(question: Question, lib: Any, cls: Any) -> str:
    try:
        return str(int(question.ask(lib, cls)))
    except (sb.Error, TypeError, AttributeError, IndexError):
        return REFUSED


def _verdict(question: Question, cls: Any, python: str, cxx: str) -> str:
    if cxx == REFUSED:
        decided = question.member == "bool(x)" and not hasattr(cls, "__bool__")
        refused = "refused by both" if python == REFUSED else "answered where C++ does not"
        return "Python's truth" if decided else refused
    if python == REFUSED:
        truth = question.member == "number(x)" and cxx in ("0", "1")
        return "a bool for an int" if truth else "refused"
    return "right" if python == cxx else "wrong"


def compared(seed: int, std: str, home: Path) -> tuple[Counter[str], list[str]]:
    """How often each verdict came, and what is not right."""
    made = Hierarchies(seed)
    program = made.text(std, home)
    asked = [*_questions(made)]
    expected = answers(program, [one.statement for one in asked], std, home)
    count: Counter[str] = Counter()
    wrong = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lib = sb.compile(program, std=std, nogil=False)
        classes = {(s, n): getattr(getattr(lib, s), n) for s in made.spaces for n in made.classes}
        # Python's classes of the first hierarchy; each is a library of its own.
        derived = {key: type("Derived", (cls,), {}) for key, cls in classes.items() if key[0] == "s0"}
        for known in (classes, derived):
            for one, cxx in zip(asked, expected, strict=True):
                if (cls := known.get((one.space, one.name))) is not None:
                    verdict = _verdict(one, cls, _in_python(one, lib, cls), cxx)
                    if known is derived and verdict == "answered where C++ does not":
                        verdict = "protected"  # what classes of Python's may use, and main() may not
                    count[verdict] += 1
                    if verdict not in RIGHT:
                        what = f"{one.space}::{one.name} {one.member}{' derived' * (known is derived)}"
                        wrong.append(f"seed {seed}, {std}: {verdict}: {what}, C++: {cxx}")
    return count, wrong


RIGHT = ("right", "refused by both", "Python's truth", "a bool for an int", "protected")


@pytest.mark.parametrize("std", ["gnu++17", "gnu++20"])
@pytest.mark.parametrize("seed", [1])
def test_each_name_is_that_of_gcc_or_refused(seed: int, std: str, tmp_path: Path) -> None:
    found, wrong = compared(seed, std, tmp_path)
    assert not [line for line in wrong if ": refused: " not in line]
    assert found["right"] > 100


if __name__ == "__main__":
    total = totals(compared, range(*map(int, sys.argv[1:3])))
    print(dict(total))
