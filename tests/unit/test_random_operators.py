"""Operators and overloads of small random hierarchies, each beside g++: its answer, or a refusal in words.

The programs are the same each time. ``python -m tests.unit.test_random_operators 0 20`` goes through other ones by
hand, and says of what kinds the refusals are: 20,000 calls take some minutes.
"""

from __future__ import annotations

import random
import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb

from ..of_gcc import REFUSED, answers, tally, totals

pytestmark = pytest.mark.full  # g++ compiles each program twice: seconds for each

NUMBERS: dict[str, tuple[str, Any]] = {
    "int": ("5", 5), "double": ("2.5", 2.5), "bool": ("true", True), "short": ("5", np.int16(5)),
    "long": ("5", np.int64(5)), "float": ("2.5f", np.float32(2.5)),
}  # fmt: skip
# Enumerators, one to an int and one to no number; their operators are those of START and the random ones.
ENUMERATORS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "En": ("e5", lambda lib: lib.e5), "Sc": ("Sc::s5", lambda lib: lib.Sc.s5),
    "Box::Ne": ("Box::n5", lambda lib: lib.Box.n5), "Box::Ns": ("Box::Ns::t5", lambda lib: lib.Box.Ns.t5),
}  # fmt: skip
FREE_ENUMERATORS = ("En", "Sc")
BOXED = ("Box::Ne", "Box::Ns")  # enumerations in a class, whose friends C++ finds by them
# As a program writes them: Python asks one object for both sides of a comparison, and the code shows which is meant.
SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "<": lambda a, b: a < b,
    ">": lambda a, b: a > b, "<=": lambda a, b: a <= b, "==": lambda a, b: a == b, "!=": lambda a, b: a != b,
}  # fmt: skip
EQUAL = ("==", "!=")
COMPARED = ("<", ">", "<=", *EQUAL)
START = """#include <string>
#include <type_traits>
enum En { e5 = 5 }; enum class Sc { s5 = 5 };
template <class T> struct TV { T x; };
inline int& last_() { static int v = 0; return v; } inline int last() { return last_(); }
inline void reset() { last_() = 0; }
"""
BOX = "struct Box {{ enum Ne {{ n5 = 5 }}; enum class Ns {{ t5 = 5 }};\n  {} }};\n"
CLASSES = [f"K{i}" for i in range(4)]
OPERANDS = [*CLASSES, *NUMBERS, *ENUMERATORS]
ASSIGNED = "[]="  # of an object whose [] gives a class's object by reference
SUBSCRIPTED = ("[] read", "[] written")  # of an object with several []
HOLDERS = [f"S{i}" for i in range(3)]
FUNCTIONS = [f"f{i}" for i in range(3)]
METHOD = "m"


class Program:
    """The declarations of one program: what an operator gives tells which one it is."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._number = 100
        self._known: list[str] = []
        self._above: dict[str, set[str]] = {}
        self._free: set[str] = set()
        self._called: set[str] = set()
        self._signs: dict[str, set[str]] = {}  # of the public operators that a class declares itself
        self.text = START + BOX.format("\n  ".join(self._boxed()))
        self.text += "".join(f"struct {name};\n" for name in CLASSES) + "".join(map(self._class, CLASSES))
        self.text += "".join(f"inline {one}\n" for name in FUNCTIONS for one in self._overloads(name))
        self.text += "".join(
            f"inline {one}\n" for name in FREE_ENUMERATORS for one in self._free_operators(name)
        )
        self.text += "".join(f"{one}\n" for one in self._templates())
        self.text += "".join(
            f"struct H{name} {{ {name} element; {name}{reference} operator[](int) {{ return element; }} }};\n"
            for name, reference in zip(CLASSES, "&& &", strict=True)  # one gives a proxy by value
        )
        self._lines: dict[str, set[str]] = {}
        self._keys: dict[str, set[str]] = {}  # what the operator[] of a class, and of its bases, take
        self._subscripts = random.Random(
            seed + 1
        )  # of its own: the programs of a seed are otherwise the same
        self.text += "".join(self._holder(i) for i in range(len(HOLDERS)))

    def _holder(self, i: int) -> str:
        """A class with several ``operator[]``, also those of others that using-declarations bring."""
        chance, name = self._subscripts, HOLDERS[i]
        bases: list[str] = []
        for base in chance.sample(HOLDERS[:i], chance.randint(0, i)):
            if all(self._lines[base].isdisjoint(self._lines[other]) for other in bases):
                bases.append(base)
        self._lines[name] = {name}.union(*(self._lines[base] for base in bases))
        members = []
        keys = chance.sample([*NUMBERS, *ENUMERATORS, "const std::string&"], chance.randint(1, 3))
        for taken in keys:
            self._number += 1
            given = chance.choice(["int&", "int&", "double&", "long&", "const int&", "short"])
            constant = chance.choice(["", "", "", "const "])
            place = f"{given.removeprefix('const ').removesuffix('&')} e{self._number} = 7;"
            members.append(
                f"mutable {place} {given} operator[]({taken}) {constant}"
                f"{{ last_() = {self._number}; return e{self._number}; }}"
            )
        used = [f"using {base}::operator[];" for base in bases if chance.random() < 0.7]
        self._keys[name] = {*keys}.union(*(self._keys[base] for base in bases))
        if len(used) > 1 and not set.intersection(*(self._keys[base] for base in bases)) <= {*keys}:
            used = used[:1]  # C++ does not let two with the same parameters stand together
        derived = ", ".join(chance.choice(["", "virtual ", "private "]) + base for base in bases)
        body = "\n  ".join([*members, *used])
        return f"struct {name}{' : ' * bool(bases)}{derived} {{\n  {body} }};\n"

    def _boxed(self) -> Iterator[str]:
        """Friend operators of the class around enumerations, deleted ones among them."""
        for name in BOXED:
            for text in self._free_operators(name):
                one = text.replace(f"const {name}&", f"const {name[5:]}&")
                yield f"friend {one.partition('{')[0]}= delete;" if self._some(0.1) else f"friend {one}"

    def _some(self, chance: float) -> bool:
        return self._random.random() < chance

    def _body(self, sign: str) -> tuple[str, str]:
        self._number += 1
        type_ = "bool" if sign in EQUAL else "int"
        value = self._random.choice(["true", "false"]) if sign in EQUAL else self._number
        return type_, f"{{ last_() = {self._number}; return {value}; }}"

    def _templates(self) -> Iterator[str]:
        """Templates of the same signs: for other classes, and sometimes for one of these."""
        for sign in self._random.sample([*SIGNS], self._random.choice([0, 2, 4])):
            type_, body = self._body(sign)
            operands = self._random.choice(
                ["const TV<T>&, int", "int, const TV<T>&", "const TV<T>&, const TV<T>&"]
            )
            yield f"template <class T> {type_} operator{sign}({operands}) {body}"
        if self._some(0.15):
            sign, name = self._random.choice([*SIGNS]), self._random.choice([*CLASSES, *ENUMERATORS])
            type_, body = self._body(sign)
            yield f"template <class T> {type_} operator{sign}(const {name}&, const T&) {body}"

    def _class(self, name: str) -> str:
        bases = self._bases() if self._known else []
        self._above[name] = {name}.union(*(self._above[base] for base in bases))
        members = [f"int n{name} = 1;", *(["std::string s = {};"] if self._some(0.25) else [])]
        members += [*self._conversions(name), *self._members(name)]
        some = [*self._overloads(METHOD, name)] if self._some(0.6) else []
        members += [*some, *(f"using {base}::{METHOD};" for base in self._with_methods(bases) if some)]
        if some:
            self._called.add(name)
        friends, after = [], []
        for text in self._free_operators(name):
            (friends if self._some(0.4) else after).append(text)
        members += [f"friend {text}" for text in friends]
        self._known.append(name)
        each = [f"{'virtual ' * self._some(0.3)}{'protected ' * self._some(0.1)}{base}" for base in bases]
        members += [f"using {base}::operator{sign};" for base, sign in self._used(bases)]
        derived = f" : {', '.join(each)}" if each else ""
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
            if (alone or self._some(0.15)) and len(found) < self._random.choice([0, 1, 1, 2]):
                found.append(base)
        return found

    def _used(self, bases: list[str]) -> Iterator[tuple[str, str]]:
        """Operators of several bases that a class publishes beside its own."""
        for sign in sorted(set.intersection(*(self._signs[base] for base in bases)) if bases else ()):
            yield from ((base, sign) for base in bases if self._some(0.5))

    def _with_methods(self, bases: list[str]) -> list[str]:
        """A base whose overloads a class publishes beside its own."""
        return [base for base in bases if base in self._called][:1] if self._some(0.4) else []

    def _overloads(self, name: str, owner: str = "") -> Iterator[str]:
        """Some overloads of a function, or of a method of a class."""
        seen: set[str] = set()
        for _ in range(self._random.choice([1, 2, 2, 3])):
            one = self._taken(owner)
            bare = one.removeprefix("const ").rstrip(" &")
            alike = {other for other in seen if other.removeprefix("const ").rstrip(" &") == bare}
            if (
                one not in seen
                and bare not in {one, *alike}.difference({one})
                and not (alike and one == bare)
            ):
                seen.add(one)
                qualifier = self._random.choice(["const ", "const ", ""]) if owner else ""
                yield f"int {name}({one}) {qualifier}{self._body('')[1]}"

    def _taken(self, owner: str) -> str:
        known = [*self._known, owner] if owner else self._known
        forms = (
            ("const {}&", "const {}&", "{}&", "{}&&")
            if owner
            else ("const {}&", "const {}&", "{}&", "{}&&", "{}")
        )
        objects = [self._random.choice(forms).format(k) for k in known]
        return self._random.choice([*NUMBERS, *objects, "const std::string&"])

    def _conversions(self, name: str) -> Iterator[str]:
        if self._some(0.35):
            others = [f"const {k}&" for k in self._known if k not in self._above[name]]
            taken = self._random.choice(["int", "double", "bool", "long", *ENUMERATORS, *others])
            yield f"{name}() {{}} {name}({taken}) {{}}"
        elif self._some(0.1):
            only = self._random.choice(["std::is_enum<T>", "std::is_same<T, double>"])
            yield f"{name}() {{}} template <class T, class = std::enable_if_t<{only}::value>> {name}(T) {{}}"
        if self._some(0.45):
            values = {"int": "4", "double": "2.5", "bool": "true", "long": "5"}
            if self._some(0.1):
                yield "operator long double() const { return 4; }"
            for type_ in self._random.sample([*values], self._random.choice([1, 1, 1, 2])):
                yield f"operator {type_}() {self._random.choice(['const', 'const', ''])} {{ return {values[type_]}; }}"

    def _operand(self, name: str) -> str:
        objects = [f"const {k}&" for k in (name, name, *self._known)]
        return self._random.choice([*NUMBERS, *ENUMERATORS, *objects, "const std::string&"])

    def _assignments(self, name: str) -> Iterator[str]:
        taken = self._random.sample([*NUMBERS, *ENUMERATORS], self._random.choice([0, 0, 1, 2]))
        for type_ in taken:
            yield self._closed(
                f"{name}& operator=({type_}) {self._body('')[1].replace(str(self._number) + '; }', '*this; }')}"
            )

    def _closed(self, declared: str) -> str:
        """A member that is deleted, or that is not public, now and then."""
        if self._some(0.06):
            return f"{declared.partition('{')[0]}= delete;"
        return f"private: {declared} public:" if self._some(0.06) else declared

    def _members(self, name: str) -> Iterator[str]:
        seen, closed = set[str](), set[str]()
        self._signs[name] = set()
        for _ in range(self._random.choice([0, 1, 1, 2, 3])):
            sign = self._random.choice([*SIGNS])
            operand = "" if sign == "-" and self._some(0.4) else self._operand(name)
            declared = f"operator{sign}({operand})"
            if declared not in seen:
                seen.add(declared)
                type_, body = self._body(sign)
                qualifier = self._random.choice(["const", "const", "const", ""])
                text = self._closed(f"{type_} {declared} {qualifier} {body}")
                (closed if "private" in text else self._signs[name]).add(sign)
                yield text
        self._signs[name] -= closed
        yield from self._assignments(name)

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
    pairs = [(a, b) for a in OPERANDS for b in OPERANDS if not {a, b} <= {*NUMBERS}]
    called = [(f, a, "") for f in FUNCTIONS for a in OPERANDS]
    called += [(sign, a, b) for sign in (METHOD, ASSIGNED) for a in CLASSES for b in OPERANDS]
    called += [(sign, a, b) for sign in SUBSCRIPTED for a in HOLDERS for b in (*NUMBERS, *ENUMERATORS)]
    return [(s, a, b) for s in SIGNS for a, b in pairs] + [("-", name, "") for name in CLASSES] + called


def _statement(sign: str, a: str, b: str) -> str:
    """C++ that prints the number of the operator or function that answers, and its answer."""

    def variable(type_: str, name: str) -> str:
        if (known := {**NUMBERS, **ENUMERATORS}.get(type_)) is not None:
            return f"{type_} {name} = {known[0]};"
        return f"{type_} {name};" if type_ else ""

    if sign == ASSIGNED:
        return f'{{ H{a} a; {variable(b, "b")} reset(); a[0] = b; std::printf("%d 0\\n", last()); }}'
    if sign == SUBSCRIPTED[1]:
        return f'{{ {a} a; {variable(b, "b")} reset(); a[b] = 3; std::printf("%d 0\\n", last()); }}'
    if sign == SUBSCRIPTED[0]:
        return f'{{ {a} a; {variable(b, "b")} reset(); double v = a[b]; std::printf("%d %.17g\\n", last(), v); }}'
    asked = (
        f"{sign}(a)"
        if sign in FUNCTIONS
        else f"a.{METHOD}(b)"
        if sign == METHOD
        else f"a {sign} b"
        if b
        else "-a"
    )
    return (
        f"{{ {variable(a, 'a')} {variable(b, 'b')} reset(); double v = {asked}; "
        'std::printf("%d %.17g\\n", last(), v); }'
    )


def _in_python(lib: Any, sign: str, a: str, b: str) -> tuple[int, float] | str:
    """The number of the operator that answers, and its answer; why, where it is refused."""

    def value(type_: str) -> Any:
        if type_ in ENUMERATORS:
            return ENUMERATORS[type_][1](lib)
        return NUMBERS[type_][1] if type_ in NUMBERS else getattr(lib, type_)() if type_ else None

    left, right = value(f"H{a}" if sign == ASSIGNED else a), value(b)
    lib.reset()
    try:
        if sign == ASSIGNED:
            left[0] = right
            return lib.last(), 0.0
        if sign == SUBSCRIPTED[1]:
            left[right] = 3
            return lib.last(), 0.0
        if sign == SUBSCRIPTED[0]:
            answer = left[right]
        elif sign in FUNCTIONS:
            answer = getattr(lib, sign)(left)
        elif sign == METHOD:
            answer = left.m(right)
        else:
            answer = SIGNS[sign](left, right) if b else -left
        return lib.last(), float(answer)
    except (sb.Error, TypeError, AttributeError) as error:
        return f"{type(error).__name__}: {error}"


# What samebytes answers where C++ refuses: as it is decided.
OWN = {
    **dict.fromkeys(EQUAL, "own: objects are equal or not"),
    **dict.fromkeys(
        (*FUNCTIONS, METHOD, ASSIGNED, *SUBSCRIPTED), "own: the nearest number, or an object for T&&"
    ),
}

# Why a call that g++ takes is refused, by the words of the refusal; the first two are decided for every call.
KINDS = {
    "a number of another kind": r"expected (u?int|float|bool)\d*.*, got (True|False|-?\d|np\.|<(En|Ne))",
    "an enumerator for a number of another kind": r"\((En|Ne)\) has no overload",
    "a number of another kind for a constructor": r"expected (an object of )?K\d.*, got (True|False|-?\d|np\.)",
    "a template of constructors takes a number": r"\) makes one, by C\+\+'s constructors",
    "an enumeration that is promoted to int, or to unsigned": r"not known here|unsigned where it is declared",
    "a number of NumPy's on the left of an enumerator, or on its right": r"__array_ufunc__|numpy\.\w+",
    "a member that is not public, beside others": r"is not public",
    "both sides of a comparison": r"Python asks \w+ for both",
    "an object for an element, beside an assignment that is not bound": r"HK\d\.operator\[\]=",
    "an assignment to an object that [] gives by value": r"'HK\d' object does not support item assignment",
    "several conversions": r"several conversions|fit equally well",
}


def kind(words: str) -> str:
    """Of what kind a refusal is."""
    first = re.sub(r"\bK\d\b|\d+", "_", words.partition("\n")[0])[:90]
    return next((known for known, form in KINDS.items() if re.search(form, words)), first)


def _is_pythons(program: str, sign: str, a: str, b: str, python: tuple[int, float] | str) -> bool:
    """Whether Python computes with an enumerator, which is an int to it.

    So it does where C++ declares no free operator of the enumeration, and where a float or a bool on the left does not
    ask for any.
    """
    if sign not in SIGNS or not {a, b} & {*ENUMERATORS} or {a, b} & {*CLASSES} or isinstance(python, str):
        return False
    every = {a, b} & {*ENUMERATORS}
    operands = "|".join(every)
    declared = re.search(
        rf"(?<!friend int )(?<!friend bool )operator{re.escape(sign)}\((?=[^)]*,)[^)]*\b({operands})\b",
        program,
    )
    boxed = "|".join(one[5:] for one in every.intersection(BOXED))
    declared = declared or (
        re.search(rf"operator{re.escape(sign)}\((?=[^)]*,)[^)]*\bconst ({boxed})&", program)
        if boxed
        else None
    )
    return python[0] == 0 and (declared is None or a in ("float", "double", "bool", "short", "long"))


def _verdict(sign: str, a: str, b: str, python: tuple[int, float] | str, cxx: str) -> str:
    if cxx == REFUSED:
        ranked = bool(b) and not {a, b}.isdisjoint(NUMBERS)
        own = OWN.get(sign, OWN[METHOD] if ranked else "wrong")
        return "refused by both" if isinstance(python, str) else own
    if isinstance(python, str):
        return f"refused: {kind(python)}"
    number, value = cxx.split()
    if python[1] == float(value) and (sign in COMPARED or python[0] == int(number)):
        return "right"
    unequal = sign in EQUAL and python[1] == (sign == "!=") and not {a, b}.isdisjoint({*NUMBERS, "En"})
    return "unequal by value" if unequal else "wrong"  # as the documents say of numbers of another kind


def compared(seed: int, std: str, home: Path) -> tuple[Counter[str], list[str]]:
    """How often each verdict came, and what is wrong."""
    program, asked = Program(seed).text, _asked()
    expected = answers(program, [_statement(*one) for one in asked], std, home)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lib = sb.compile(program, std=std, nogil=False)
        verdicts = []
        for one, cxx in zip(asked, expected, strict=True):
            python = _in_python(lib, *one)
            verdict = _verdict(*one, python, cxx)
            if verdict == "wrong" and _is_pythons(program, *one, python):
                verdict = "own: an enumerator is an int to Python"
            verdicts.append((verdict, f"{one}, {python}, C++: {cxx}"))
    return tally(f"seed {seed}, {std}", verdicts, KINDS)


@pytest.mark.parametrize("std", ["gnu++17", "gnu++20"])
@pytest.mark.parametrize("seed", [1, 5, 14])
def test_each_operator_is_that_of_gcc_or_refused(seed: int, std: str, tmp_path: Path) -> None:
    found, wrong = compared(seed, std, tmp_path)
    assert not [line for line in wrong if ": wrong: " in line]
    assert found["right"] > 20


if __name__ == "__main__":
    total = totals(compared, range(*map(int, sys.argv[1:3])))
    taken = sum(
        n for verdict, n in total.items() if verdict != "refused by both" and "does not" not in verdict
    )
    for verdict, n in total.most_common():
        print(f"{n:6} {verdict}{f', {100 * n / taken:.2f} %' if verdict.startswith('refused: ') else ''}")
    print(f"{sum(total.values()):6} calls, {taken} of which g++ takes")
