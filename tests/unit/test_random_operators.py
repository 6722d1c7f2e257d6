"""Operators of small random hierarchies, each beside g++: its answer, or a refusal in words.

The programs are the same each time. ``python -m tests.unit.test_random_operators 0 20`` goes through
other ones by hand.
"""

from __future__ import annotations

import operator
import random
import re
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # g++ compiles each program twice: seconds for each

NUMBERS: dict[str, tuple[str, Any]] = {
    "int": ("5", 5), "double": ("2.5", 2.5), "bool": ("true", True), "short": ("5", np.int16(5)),
    "long": ("5", np.int64(5)), "float": ("2.5f", np.float32(2.5)),
}  # fmt: skip
SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "<": operator.lt, ">": operator.gt, "<=": operator.le,
    "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
EQUAL = ("==", "!=")
COMPARED = ("<", ">", "<=", *EQUAL)
START = """#include <string>
inline int& last_() { static int v = 0; return v; } inline int last() { return last_(); }
inline void reset() { last_() = 0; }
"""
CLASSES = [f"K{i}" for i in range(4)]


class Program:
    """The declarations of one program: what an operator gives tells which one it is."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._number = 100
        self._known: list[str] = []
        self._above: dict[str, set[str]] = {}
        self._free: set[str] = set()
        self.text = (
            START + "".join(f"struct {name};\n" for name in CLASSES) + "".join(map(self._class, CLASSES))
        )

    def _some(self, chance: float) -> bool:
        return self._random.random() < chance

    def _body(self, sign: str) -> tuple[str, str]:
        self._number += 1
        type_ = "bool" if sign in EQUAL else "int"
        value = self._random.choice(["true", "false"]) if sign in EQUAL else self._number
        return type_, f"{{ last_() = {self._number}; return {value}; }}"

    def _class(self, name: str) -> str:
        bases = self._bases() if self._known else []
        self._above[name] = {name}.union(*(self._above[base] for base in bases))
        members = [f"int n{name} = 1;", *(["std::string s = {};"] if self._some(0.25) else [])]
        members += [*self._conversions(name), *self._members(name)]
        friends, after = [], []
        for text in self._free_operators(name):
            (friends if self._some(0.4) else after).append(text)
        members += [f"friend {text}" for text in friends]
        self._known.append(name)
        derived = f" : {', '.join(bases)}" if bases else ""
        return (
            f"struct {name}{derived} {{\n  "
            + "\n  ".join(members)
            + " };\n"
            + "".join(f"inline {t}\n" for t in after)
        )

    def _bases(self) -> list[str]:
        found: list[str] = []
        for base in self._random.sample(self._known, len(self._known)):
            alone = all(self._above[base].isdisjoint(self._above[other]) for other in found)
            if alone and len(found) < self._random.choice([0, 1, 1, 2]):
                found.append(base)
        return found

    def _conversions(self, name: str) -> Iterator[str]:
        if self._some(0.35):
            others = [f"const {k}&" for k in self._known if k not in self._above[name]]
            yield f"{name}() {{}} {name}({self._random.choice(['int', 'double', 'bool', 'long', *others])}) {{}}"
        if self._some(0.45):
            values = {"int": "4", "double": "2.5", "bool": "true", "long": "5"}
            for type_ in self._random.sample([*values], self._random.choice([1, 1, 1, 2])):
                yield f"operator {type_}() {self._random.choice(['const', 'const', ''])} {{ return {values[type_]}; }}"

    def _operand(self, name: str) -> str:
        objects = [f"const {k}&" for k in (name, name, *self._known)]
        return self._random.choice([*NUMBERS, *objects, "const std::string&"])

    def _members(self, name: str) -> Iterator[str]:
        seen: set[str] = set()
        for _ in range(self._random.choice([0, 1, 1, 2, 3])):
            sign = self._random.choice([*SIGNS])
            operand = "" if sign == "-" and self._some(0.4) else self._operand(name)
            declared = f"operator{sign}({operand})"
            if declared not in seen:
                seen.add(declared)
                type_, body = self._body(sign)
                yield f"{type_} {declared} {self._random.choice(['const', 'const', 'const', ''])} {body}"

    def _free_operators(self, name: str) -> Iterator[str]:
        for _ in range(self._random.choice([0, 0, 1, 1, 2])):
            sign, operands = self._random.choice([*SIGNS]), [f"const {name}&", self._operand(name)]
            if self._some(0.35):
                operands.reverse()
            declared = f"operator{sign}({operands[0]} a, {operands[1]} b)"
            if declared not in self._free:
                self._free.add(declared)
                type_, body = self._body(sign)
                yield f"{type_} {declared} {body}"


def _asked() -> list[tuple[str, str, str]]:
    every = [*CLASSES, *NUMBERS]
    pairs = [(a, b) for a in every for b in every if a in CLASSES or b in CLASSES]
    return [(s, a, b) for s in SIGNS for a, b in pairs] + [("-", name, "") for name in CLASSES]


def _of_gcc(program: str, asked: list[tuple[str, str, str]], std: str, home: Path) -> list[str]:
    """What g++ answers, line by line; "no" where it does not compile one."""

    def variable(type_: str, name: str) -> str:
        return (
            f"{type_} {name} = {NUMBERS[type_][0]};"
            if type_ in NUMBERS
            else f"{type_} {name};"
            if type_
            else ""
        )

    lines = [
        f"{{ {variable(a, 'a')} {variable(b, 'b')} reset(); double v = {f'a {sign} b' if b else '-a'}; "
        'std::printf("%d %.17g\\n", last(), v); }'
        for sign, a, b in asked
    ]
    source, made = home / "t.cpp", home / "t"
    command = ["g++", "-w", f"-std={std}", str(source)]

    def write(body: list[str]) -> None:
        text = f'#include <cstdio>\n{program}int main() {{\n#line 1 "asked"\n' + "\n".join(body) + "\n}\n"
        source.write_text(text)

    write(lines)
    said = subprocess.run(
        [*command, "-fsyntax-only", "-fmax-errors=0"], capture_output=True, text=True, check=False
    )
    bad = {int(number) for number in re.findall(r"^asked:(\d+):\d+: error", said.stderr, re.MULTILINE)}
    write(['std::printf("no\\n");' if i in bad else line for i, line in enumerate(lines, 1)])
    subprocess.run([*command, "-o", str(made)], check=True)
    return subprocess.run([str(made)], capture_output=True, text=True, check=True).stdout.splitlines()


def _in_python(lib: Any, sign: str, a: str, b: str) -> tuple[int, float] | None:
    """The number of the operator that answers, and its answer; None where it is refused."""
    left, right = (NUMBERS[t][1] if t in NUMBERS else getattr(lib, t)() if t else None for t in (a, b))
    lib.reset()
    try:
        answer = SIGNS[sign](left, right) if b else -left
        return lib.last(), float(answer)
    except (sb.Error, TypeError):
        return None


def _verdict(sign: str, a: str, b: str, python: tuple[int, float] | None, cxx: str) -> str:
    if cxx == "no":
        return "refused by both" if python is None else "answered where C++ does not"
    if python is None:
        return "refused"
    number, value = cxx.split()
    if python[1] == float(value) and (sign in COMPARED or python[0] == int(number)):
        return "right"
    unequal = sign in EQUAL and python[1] == (sign == "!=") and not {a, b}.isdisjoint(NUMBERS)
    return "unequal by value" if unequal else "wrong"  # as the documents say of numbers of another kind


def compared(seed: int, std: str, home: Path) -> tuple[Counter[str], list[str]]:
    """How often each verdict came, and what is wrong."""
    program, asked = Program(seed).text, _asked()
    expected = _of_gcc(program, asked, std, home)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lib = sb.compile(program, std=std)
        verdicts = [
            (_verdict(*one, _in_python(lib, *one), cxx), one, cxx)
            for one, cxx in zip(asked, expected, strict=True)
        ]
    wrong = [f"seed {seed}, {std}: {one}, C++: {cxx}" for verdict, one, cxx in verdicts if verdict == "wrong"]
    return Counter(verdict for verdict, _, _ in verdicts), wrong


@pytest.mark.parametrize("std", ["gnu++17", "gnu++20"])
@pytest.mark.parametrize("seed", [1, 108, 219])
def test_each_operator_is_that_of_gcc_or_refused(seed: int, std: str, tmp_path: Path) -> None:
    found, wrong = compared(seed, std, tmp_path)
    assert not wrong
    assert found["right"] > 20


if __name__ == "__main__":
    import tempfile

    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        for n in range(int(sys.argv[1]), int(sys.argv[2])):
            for standard in ("gnu++17", "gnu++20"):
                counted, failures = compared(n, standard, Path(place))
                total += counted
                print(*failures, sep="\n", end="\n" * bool(failures))
    print(dict(total))
