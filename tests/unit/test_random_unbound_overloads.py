"""Overload sets of which samebytes does not bind some, beside g++: its answer, or a refusal in words.

The programs are the same each time. ``python -m tests.unit.test_random_unbound_overloads 0 20`` goes through other ones
by hand: 10,000 calls take some minutes.
"""

from __future__ import annotations

import random
import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import samebytes as sb

from ..of_gcc import REFUSED, answers, tally, totals
from .test_random_operators import KINDS, kind

pytestmark = pytest.mark.full  # g++ compiles each program twice: seconds for each

NUMBERS: dict[str, tuple[str, Any]] = {
    "int": ("5", 5), "double": ("2.5", 2.5), "bool": ("true", True), "short": ("5", np.int16(5)),
    "long": ("5", np.int64(5)), "float": ("2.5f", np.float32(2.5)),
}  # fmt: skip
WIDE = ("__int128", "long double")
CLASSES = ("K0", "K1", "K2")
ARGUMENTS = (*NUMBERS, "E", *CLASSES)
FUNCTIONS = ("f0", "f1", "f2")
ELSEWHERE = "third.hpp"
START = """inline int& last_() { static int v = 0; return v; } inline int last() { return last_(); }
inline int& made_() { static int v = 0; return v; } inline void reset() { last_() = made_() = 0; }
"""
# Of functions: in a header that is not exposed, brought from a namespace there, deleted, not defined, of a type that
# does not cross, templates. Members may be hidden instead, and end in ``...``.
FREE = ("elsewhere", "using", "deleted", "undefined", "weak", "wide", "template", "deleted template")
MEMBER = ("private", "protected", "deleted", "undefined", "wide", "variadic", "private template")


class Overload(NamedTuple):
    """One overload, why it is not bound (empty: it is), and what a call of it says."""

    name: str
    parameters: str
    why: str
    number: int

    def declared(self, *, bodies: bool, after: str = "", before: str = "") -> str:
        """Its declaration; with ``bodies`` also of what has none for samebytes."""
        head = f"{before}int {self.name}({self.parameters}){after}"
        if "deleted" in self.why:
            return f"{head} = delete;"
        if self.why in ("undefined", "weak") and not bodies:
            return f"{'__attribute__((weak)) ' * (self.why == 'weak')}{head};"
        return f"{'' if after or before else 'inline '}{head} {{ last_() = {self.number}; return {self.number}; }}"


class Program:
    """The declarations of one program, as samebytes gets them, and as g++ does."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._number = 100
        self.unbound = {1}  # what a call of each says that samebytes does not bind
        self.classes = {name: self._class() for name in CLASSES}
        self.free = {name: [*self._set(name, FREE)] for name in FUNCTIONS}
        self.operators = [*self._operators()]

    def _some(self, chance: float) -> bool:
        return self._random.random() < chance

    def _type(self, forms: tuple[str, ...] = ("const {}&", "{}&")) -> str:
        objects = [form.format(k) for k in CLASSES for form in forms]
        others = ["E", "const std::string&", "const int*", "const Z&"]
        return self._random.choice([*NUMBERS, *NUMBERS, *others, *objects])

    def _set(self, name: str, reasons: tuple[str, ...], least: int = 2, most: int = 3) -> Iterator[Overload]:
        """Some overloads of a name, one at least not bound, and one at least bound."""
        seen: set[str] = set()
        count = self._random.randint(least, most)
        lost = self._random.randrange(count)
        for place in range(count):
            why = self._random.choice(reasons) if place == lost or (place and self._some(0.2)) else ""
            forms = ("const {}&", "{}&", "{}") if name in FUNCTIONS and not why else ("const {}&", "{}&")
            types = [
                self._type(forms) for _ in range(self._random.choice([1, 1, 1, 2, 0] if most > 1 else [1]))
            ]
            if "template" in why:
                types[:1] = [self._random.choice(["T", "const T&", "T&"])]
            if why == "wide":
                types[:1] = [self._random.choice(WIDE)]
            bare = ",".join(t.removeprefix("const ").rstrip("&") for t in types)
            if bare in seen:
                continue
            seen.add(bare)
            yield self._overload(name, types, why)

    def _overload(self, name: str, types: list[str], why: str, *, alone: bool = False) -> Overload:
        self._number += 1
        if why:
            self.unbound.add(self._number)
        texts = [*types]
        if texts and not alone and self._some(0.3) and not why.endswith("template"):
            texts.append(f"{self._random.choice(['int', 'double'])} = 3")
        if why == "variadic":
            texts = [*(texts or ["int"]), "..."]
        return Overload(name, ", ".join(texts), why, self._number)

    def _class(self) -> dict[str, list[Overload]]:
        sets = {"m": [*self._set("m", MEMBER)], "s": [*self._set("s", MEMBER)]}
        sets["()"] = [*self._set("operator()", MEMBER)]
        for sign in ("+", "[]"):
            sets[sign] = [o for o in self._set(f"operator{sign}", MEMBER[:-2]) if _count(o) == 1]
            sets[sign].append(self._overload(f"operator{sign}", ["const char*"], "", alone=True))
        made = self._set("C", ("private", "deleted", "undefined", "wide"), 1, 3)
        return {**sets, "C": [o for o in made if _count(o) and "K" not in o.parameters.partition(",")[0]]}

    def _operators(self) -> Iterator[Overload]:
        seen: set[str] = set()
        for _ in range(4):
            why = self._random.choice(["", "elsewhere", "deleted", "undefined"])
            types = [f"const {self._random.choice(CLASSES)}&", self._type()]
            if self._some(0.3):
                types.reverse()
            sign = self._random.choice(["-", "-", "=="])
            if (declared := f"{sign}{types}") in seen:
                continue
            seen.add(declared)
            self._number += 1
            if why:
                self.unbound.add(self._number)
            yield Overload(f"operator{sign}", ", ".join(types), why, self._number)

    def header(self, *, bodies: bool, unbound: bool = True) -> str:
        """What is not exposed."""
        every = [o for overloads in self.free.values() for o in overloads] if unbound else []
        lines = [
            f"{_template(o)}{o.declared(bodies=bodies)}" for o in every if o.why in ("elsewhere", "template")
        ]
        brought = [o.declared(bodies=bodies) for o in every if o.why == "using"]
        operators = [o.declared(bodies=bodies) for o in self.operators if unbound and o.why == "elsewhere"]
        classes = "".join(f"struct {name};\n" for name in CLASSES)
        first = "struct Z { int z; Z(long) : z(1) { made_() = 1; } };\n"
        scopes = ["namespace zz {", *brought, "}", "namespace oo {", *lines, "}", *operators, ""]
        return (
            f"#pragma once\n#include <string>\n{START}enum E {{ E1 = 1, E2 = 2 }};\n{first}{classes}"
            + "\n".join(scopes)
        )

    def source(self, *, bodies: bool, unbound: bool = True) -> str:
        """What is exposed."""
        lines = [self._of_class(name, bodies, unbound) for name in CLASSES]
        lines.append("namespace oo {")
        for name, overloads in self.free.items():
            if unbound and any(o.why == "using" for o in overloads):
                lines.append(f"using zz::{name};")
            lines += [
                f"{_template(o)}{o.declared(bodies=bodies)}" for o in overloads
                if o.why not in ("elsewhere", "using", "template") and (unbound or not o.why)
            ]  # fmt: skip
        lines += [
            f"inline int g({k} x) {{ last_() = x.n; return x.n; }}".replace("g(", f"g{k}(") for k in CLASSES
        ]
        lines.append("}")
        lines += [
            o.declared(bodies=bodies) for o in self.operators
            if o.why != "elsewhere" and (unbound or not o.why)
        ]  # fmt: skip
        return "\n".join([*lines, ""])

    def _of_class(self, name: str, bodies: bool, unbound: bool) -> str:
        base = {"K1": " : K0"}.get(name, "")
        lines = [f"struct {name}{base} {{ int n{name} = 0; int n = 0; {name}() {{}}"]
        for sort, overloads in self.classes[name].items():
            for o in overloads:
                if o.why and not unbound:
                    continue
                access = {"private": "private:", "protected": "protected:"}.get(
                    o.why.partition(" ")[0], "public:"
                )
                if sort == "C":
                    noted = f"made_() = {o.number}; " * bool(o.why)
                    body = (
                        f" {{ {noted}n = {o.number}; }}"
                        if o.why in ("", "private", "wide") or bodies
                        else ";"
                    )
                    body = " = delete;" if o.why == "deleted" else body
                    lines.append(f"{access} {name}({o.parameters}){body}")
                    continue
                before = "static " if sort == "s" else "\n"
                after = "" if sort == "s" else " const"
                lines.append(
                    f"{access} {_template(o)}{o.declared(bodies=bodies, before=before, after=after)}"
                )
        return "\n  ".join([*lines, "};"])


def _template(overload: Overload) -> str:
    return "template <class T> " * ("template" in overload.why)


def _count(overload: Overload) -> int:
    """How many parameters an overload has."""
    return len([p for p in overload.parameters.split(",") if p.strip()])


class Call(NamedTuple):
    """One call: in C++ with its arguments' names, in Python with its arguments."""

    cxx: str
    python: Callable[..., Any]
    types: tuple[str, ...]
    what: str


# Of refusals that are decided for every call, those of the other generator, and:
DECIDED = {**KINDS, "an enumerator for a bool": r"expected (bool|K\d), got <E"}


def calls() -> Iterator[Call]:
    """The calls of each program."""
    lists = [
        (),
        *((a,) for a in ARGUMENTS),
        *((a, b) for a in ("int", "double", "E", "K0") for b in ("int", "double")),
    ]
    for types in lists:
        names = ", ".join("ab"[: len(types)])
        for f in FUNCTIONS:
            yield Call(f"oo::{f}({names})", lambda lib, *v, f=f: getattr(lib.oo, f)(*v), types, f)
        for k in CLASSES:
            yield Call(f"o{k}.m({names})", lambda lib, *v, k=k: getattr(lib, k)().m(*v), types, "m")
            yield Call(f"{k}::s({names})", lambda lib, *v, k=k: getattr(lib, k).s(*v), types, "s")
            yield Call(f"o{k}({names})", lambda lib, *v, k=k: getattr(lib, k)()(*v), types, "()")
            if types and types[0] != k and (k, types[0]) != ("K0", "K1"):  # copies are of no interest
                made = f"[&] {{ {k} made({names}); last_() = made.n; return made.n; }}()"
                yield Call(made, lambda lib, *v, k=k: _noted(lib, getattr(lib, k)(*v)), types, "C")
    for k in CLASSES:
        for one in ARGUMENTS:
            yield Call(f"o{k} + a", lambda lib, a, k=k: getattr(lib, k)() + a, (one,), "+")
            yield Call(f"o{k}[a]", lambda lib, a, k=k: getattr(lib, k)()[a], (one,), "[]")
            yield Call(f"o{k} - a", lambda lib, a, k=k: getattr(lib, k)() - a, (one,), "-")
            yield Call(f"o{k} == a", lambda lib, a, k=k: getattr(lib, k)() == a, (one,), "==")
            if one != k and (k, one) != ("K0", "K1"):
                yield Call(f"oo::g{k}(a)", lambda lib, a, k=k: getattr(lib.oo, f"g{k}")(a), (one,), "g")
    for k in CLASSES:
        for one in NUMBERS:
            yield Call(f"a - o{k}", lambda lib, a, k=k: a - getattr(lib, k)(), (one,), "-")


def _noted(lib: Any, made: Any) -> int:
    lib.note(made.n)
    return int(made.n)


def _statement(call: Call) -> str:
    objects = " ".join(f"{k} o{k};" for k in CLASSES)
    values = {**{t: f"{t} {{}} = {text};" for t, (text, _) in NUMBERS.items()}, "E": "E {} = E1;"}
    declared = "".join(
        values.get(t, f"{t} {{}};").format(name) for t, name in zip(call.types, "ab", strict=False)
    )
    return f'{{ {objects} {declared} reset(); (void)({call.cxx}); std::printf("%d\\n", made_() ? made_() : last()); }}'


def _in_python(lib: Any, call: Call) -> int | str:
    """The number of what answers; why, where the call is refused."""
    values = [
        NUMBERS[t][1] if t in NUMBERS else lib.E(1) if t == "E" else getattr(lib, t)() for t in call.types
    ]
    lib.reset()
    try:
        call.python(lib, *values)
    except (sb.Error, TypeError, AttributeError) as error:
        return f"{type(error).__name__}: {error}"
    return int(lib.last())


def _kind(words: str) -> str:
    return next((known for known, form in DECIDED.items() if re.search(form, words)), kind(words))


def _verdict(call: Call, python: int | str, cxx: str, among_bound: str, unbound: set[int]) -> str:
    """What to say of a call.

    Parameters
    ----------
    cxx : str
        What g++ says.
    among_bound : str
        What it says without the overloads that are not bound.
    """
    means_unbound = cxx != REFUSED and int(cxx) in unbound
    if isinstance(python, str):
        return "refused by both" if cxx == REFUSED or means_unbound else f"refused: {_kind(python)}"
    if cxx != REFUSED and not means_unbound:
        unequal = call.what == "==" and not python and not NUMBERS.keys().isdisjoint(call.types)
        return "right" if python == int(cxx) else "own: unequal by value" if unequal else "wrong"
    if call.what == "==" and (among_bound == REFUSED or not python):
        return "own: an object is equal or not"
    if among_bound == REFUSED and {*NUMBERS, "E"}.intersection(call.types):
        return "own: the nearest number, or one value"
    return "wrong"


def compared(seed: int, std: str, home: Path) -> tuple[Counter[str], list[str]]:
    """How often each verdict came, and what is wrong."""
    program, asked = Program(seed), [*calls()]
    statements = [_statement(call) for call in asked]
    note = "inline void note(int n) { last_() = n; }\n"
    texts = [
        program.header(bodies=True, unbound=u) + program.source(bodies=True, unbound=u) for u in (True, False)
    ]
    expected, among_bound = (
        answers(text.replace("#pragma once", ""), statements, std, home) for text in texts
    )
    (home / str(seed)).mkdir(exist_ok=True)
    (home / str(seed) / ELSEWHERE).write_text(program.header(bodies=False))
    source = f"#include <{ELSEWHERE}>\n{note}inline int last_of() {{ return last(); }}\n{program.source(bodies=False)}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lib = sb.compile(
            source, std=std, nogil=False, include_dirs=[home / str(seed)], expose=["last", "reset", "E"]
        )
        found = [(call, _in_python(lib, call)) for call in asked]
    verdicts = [
        (
            _verdict(call, python, cxx, bound, program.unbound),
            f"{call.cxx}, {call.types}: {str(python)[:300]}, C++: {cxx}",
        )
        for (call, python), cxx, bound in zip(found, expected, among_bound, strict=True)
    ]
    return tally(f"seed {seed}, {std}", verdicts, DECIDED)


@pytest.mark.parametrize("std", ["gnu++17", "gnu++20"])
@pytest.mark.parametrize("seed", [1, 2])
def test_no_other_overload_answers(seed: int, std: str, tmp_path: Path) -> None:
    found, wrong = compared(seed, std, tmp_path)
    assert not [line for line in wrong if ": wrong: " in line]
    assert found["right"] > 20
    assert found["refused by both"] > 20


if __name__ == "__main__":
    total = totals(compared, range(*map(int, sys.argv[1:3])))
    taken = sum(
        n for verdict, n in total.items() if verdict in ("right", "wrong") or verdict.startswith("refused: ")
    )
    for verdict, n in total.most_common():
        print(f"{n:6} {verdict}{f', {100 * n / taken:.2f} %' if verdict.startswith('refused: ') else ''}")
    print(f"{sum(total.values()):6} calls, {taken} of which g++ takes and samebytes has bound")
