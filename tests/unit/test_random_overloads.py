"""Random sets of bound overloads and random arguments, beside g++: its answer, or a refusal in words.

The programs are the same each time. ``python -m tests.unit.test_random_overloads 0 20`` goes through other ones by
hand: some 1000 calls each.
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

# C++'s spelling of a temporary, and what Python passes.
NUMBERS: dict[str, tuple[str, Any]] = {
    "int": ("5", 5), "wide int": ("5000000000", 5_000_000_000), "double": ("2.5", 2.5), "bool": ("true", True),
    "np.int8": ("(signed char)5", np.int8(5)), "np.uint8": ("(unsigned char)5", np.uint8(5)),
    "np.int16": ("(short)5", np.int16(5)), "np.uint16": ("(unsigned short)5", np.uint16(5)),
    "np.int32": ("(int)5", np.int32(5)), "np.uint32": ("5u", np.uint32(5)), "np.int64": ("5l", np.int64(5)),
    "np.uint64": ("5ul", np.uint64(5)), "np.float32": ("2.5f", np.float32(2.5)), "np.float64": ("2.5", np.float64(2.5)),
}  # fmt: skip
TYPES = (
    "int", "unsigned", "long", "unsigned long", "long long", "short", "unsigned char", "char", "float", "double",
    "bool",
)  # fmt: skip
# What stands behind the name of an enumeration, and the values of two enumerators.
ENUMS = (
    ("", "0", "1"), ("", "-1", "1"), ("", "0x80000000u", "1"), ("", "0x100000000", "1"), ("", "-1", "0xffffffffu"),
    ("", "~0ul", "1"), *((f": {t}", "0", "1") for t in TYPES if t not in ("float", "double")),
    ("class", "0", "1"), ("class: unsigned", "0", "1"),
)  # fmt: skip
ENUM_NAMES = ("E0", "E1", "E2", "E3")
OBJECTS = ("K0", "K1", "K2", "K3")
ARGUMENTS = (*NUMBERS, *ENUM_NAMES, *OBJECTS, *(f"const {k}" for k in OBJECTS))
PYTHONS = ("int", "wide int", "double")  # what has no size


class Overload(NamedTuple):
    """One overload: its parameters, what stands before and behind it, and what a call of it says."""

    parameters: tuple[str, ...]
    before: str
    after: str
    deleted: bool
    number: int

    def declared(self, name: str, *, maker: bool = False) -> str:
        """Its declaration; of a constructor with ``maker``."""
        texts = ", ".join(self.parameters)
        head = f"{self.before}{'' if maker else 'int '}{name}({texts}){self.after}"
        if self.deleted:
            return f"{head} = delete;"
        return f"{head} {{ n = {self.number}; }}" if maker else f"{head} {{ return {self.number}; }}"


class Call(NamedTuple):
    """One call: in C++, in Python, the arguments' names, and the overloads of its name."""

    cxx: str
    python: Callable[..., Any]
    names: tuple[str, ...]
    overloads: tuple[Overload, ...]


class Program:
    """The declarations of one program, and its calls."""

    def __init__(self, seed: int, scale: int, templates: int, most: int) -> None:
        self._random = random.Random(seed)
        self._arguments = self._random.sample(ARGUMENTS, min(most, len(ARGUMENTS)))
        self._number = 0
        self.enums = [_enumeration(name, *self._random.choice(ENUMS)) for name in ENUM_NAMES]
        self.free = {f"f{i}": self._set() for i in range(3 * scale)}
        self.templates = {f"t{i}": self._set(template=True) for i in range(templates)}
        self.methods = {f"m{i}": self._set(member=True) for i in range(2 * scale)}
        self.statics = {f"s{i}": self._set() for i in range(scale)}
        self.signs = {sign: self._set(member=True, count=1) for sign in ("()", "+", "[]")}
        self.makers = {f"N{i}": self._set(maker=True) for i in range(scale)}
        self.used = {f"u{i}": (self._set(member=True), self._set(member=True)) for i in range(scale)}

    def _some(self, chance: float) -> bool:
        return self._random.random() < chance

    def _type(self) -> str:
        if self._some(0.6):
            return self._random.choice(["{}", "{}", "{}", "const {}&", "{}&&", "const {}&&"]).format(
                self._random.choice(TYPES)
            )
        if self._some(0.4):
            return self._random.choice(["{}", "const {}&", "{}&&"]).format(self._random.choice(ENUM_NAMES))
        return self._random.choice(["{}", "const {}&", "const {}&", "{}&"]).format(
            self._random.choice(OBJECTS)
        )

    def _set(
        self, *, member: bool = False, maker: bool = False, template: bool = False, count: int = 0
    ) -> tuple[Overload, ...]:
        """The overloads of one name."""
        made: list[Overload] = []
        seen: set[object] = set()
        arity = count or self._random.choice([1, 1, 2])
        while len(made) < self._random.choice([2, 3, 3, 4]):
            self._number += 1
            types = [self._type() for _ in range(arity)]
            before = ""
            if template and (not made or self._some(0.3)):
                types[0], before = self._random.choice(["T", "const T&", "T&&", "T&"]), "template <class T> "
            if not count and arity == 1 and self._some(0.2):
                types.append(f"{self._random.choice(TYPES[:10])} = 0")
            after = " const" if member and self._some(0.5) else ""
            # Overloads that differ by const at the top alone are one.
            form = (*(t.partition(" =")[0] for t in types), after, before)
            if form in seen:
                continue
            seen.add(form)
            made.append(Overload((*types,), before, after, self._some(0.15), self._number))
        return tuple(made)

    def source(self) -> str:
        """The program."""
        conversions = "".join(
            f" operator {t}(){c} {{ return {{}}; }}"
            for t, c in dict.fromkeys(
                (self._random.choice([*TYPES, "E0"]), self._random.choice(["", " const", " const"]))
                for _ in range(self._random.choice([1, 1, 2]))
            )
        )
        taken = self._random.sample([*TYPES, "E1"], 2)
        made = "".join(f" K3({t}){self._random.choice([' {}', ' {}', ' = delete;'])}" for t in taken)
        lines = [
            *self.enums, "struct K0 { int k = 0; };", "struct K1 : K0 { int l = 0; };",
            f"struct K2 {{ int m = 0;{conversions} }};", f"struct K3 {{ int o = 0; K3() {{}}{made} }};",
        ]  # fmt: skip
        for name, overloads in {**self.free, **self.templates}.items():
            lines += [f"{o.before}inline int {o._replace(before='').declared(name)[4:]}" for o in overloads]
        lines.append("struct M { int n = 0;")
        lines += [o.declared(name) for name, overloads in self.methods.items() for o in overloads]
        lines += [f"static {o.declared(name)}" for name, overloads in self.statics.items() for o in overloads]
        lines += [o.declared(f"operator{sign}") for sign, overloads in self.signs.items() for o in overloads]
        lines.append("};")
        for name, overloads in self.makers.items():
            lines.append(f"struct {name} {{ int n = 0;")
            lines += [o.declared(name, maker=True) for o in overloads]
            lines.append("};")
        for place in (0, 1):
            lines.append(f"struct U{place} {{ int n{place} = 0;")
            lines += [o.declared(name) for name, both in self.used.items() for o in both[place]]
            lines.append("};")
        using = " ".join(f"using U0::{name}; using U1::{name};" for name in self.used)
        lines += [f"struct U : U0, U1 {{ {using} }};"]
        lines += [f"inline const {k}& give_{k}() {{ static {k} made; return made; }}" for k in OBJECTS]
        return "\n".join([*lines, ""])

    def calls(self) -> Iterator[Call]:
        """The calls of the program."""
        for name, overloads in self.free.items():
            yield from self._calls(overloads, f"{name}({{}})", lambda lib, *v, f=name: getattr(lib, f)(*v))
        for name, overloads in self.templates.items():
            some = self._random.sample(ARGUMENTS, 5)
            yield from self._calls(
                overloads, f"{name}({{}})", lambda lib, *v, f=name: getattr(lib, f)(*v), some
            )
        for name, overloads in self.methods.items():
            yield from self._calls(
                overloads, f"M().{name}({{}})", lambda lib, *v, f=name: getattr(lib.M(), f)(*v)
            )
        for name, overloads in self.statics.items():
            yield from self._calls(
                overloads, f"M::{name}({{}})", lambda lib, *v, f=name: getattr(lib.M, f)(*v)
            )
        yield from self._calls(self.signs["()"], "M()({})", lambda lib, v: lib.M()(v))
        yield from self._calls(self.signs["+"], "M() + {}", lambda lib, v: lib.M() + v)
        yield from self._calls(self.signs["[]"], "M()[{}]", lambda lib, v: lib.M()[v])
        for name, overloads in self.makers.items():
            yield from self._calls(
                overloads, f"{name}({{}}).n", lambda lib, *v, f=name: getattr(lib, f)(*v).n
            )
        for name, both in self.used.items():
            yield from self._calls(
                (*both[0], *both[1]), f"U().{name}({{}})", lambda lib, *v, f=name: getattr(lib.U(), f)(*v)
            )

    def _calls(
        self,
        overloads: tuple[Overload, ...],
        cxx: str,
        python: Callable[..., Any],
        arguments: Any = (),
    ) -> Iterator[Call]:
        least = min(sum("=" not in p for p in o.parameters) for o in overloads)
        most = max(len(o.parameters) for o in overloads)
        for count in range(least, most + 1):
            for one in arguments or self._arguments:
                names = (one, *(self._random.choice(ARGUMENTS) for _ in range(count - 1)))
                texts = ", ".join(map(_in_cxx, names))
                if cxx.endswith(").n") and count == 1 and _in_cxx(one).startswith("o"):
                    continue  # g++ reads it as a declaration, or copies
                yield Call(cxx.format(texts), python, names, overloads)


def _enumeration(name: str, behind: str, first: str, second: str) -> str:
    scoped = "class " * behind.startswith("class")
    return (
        f"enum {scoped}{name} {behind.removeprefix('class')} {{ {name}_a = {first}, {name}_b = {second} }};"
    )


def _in_cxx(name: str) -> str:
    if name in NUMBERS:
        return NUMBERS[name][0]
    if name in ENUM_NAMES:
        return f"{name}({name}::{name}_a)"
    return f"o{name}" if name in OBJECTS else f"c{name[6:]}"


def _in_python(lib: Any, name: str) -> Any:
    if name in NUMBERS:
        return NUMBERS[name][1]
    if name in ENUM_NAMES:
        return getattr(getattr(lib, name), f"{name}_a")
    return getattr(lib, name)() if name in OBJECTS else getattr(lib, f"give_{name[6:]}")()


# Of refusals that are decided for every call, those of the other generator, and:
DECIDED = {
    **KINDS,
    "an enumerator for another type": r"expected [^,]*, got <E\d",
    "an object for another type": r"expected [^,]*, got <?(const )?(cxx_\w+\.)?K\d",
    "a number for an enumeration or an object": r"expected E\d.*, got",
    "a number for a char": r"expected char \(",
    "no overload takes it": r"has no overload that fits",
    "several are as good": r"is ambiguous",
}


def _verdict(call: Call, python: int | str, cxx: str) -> str:
    if isinstance(python, str):
        if cxx == REFUSED:
            return "refused by both"
        return f"refused: {next((k for k, f in DECIDED.items() if re.search(f, python)), kind(python))}"
    if cxx != REFUSED:
        return "right" if python == int(cxx) else "wrong"
    if own := _is_numbered(call, python):
        return own
    return "own: a number of Python's has no size" if _is_unsized(call) else "wrong"


def _is_numbered(call: Call, number: int) -> str:
    """What Python's call does with a number, or an enumerator, and C++ does not."""
    chosen = next(o for o in call.overloads if o.number == number)
    for parameter, name in zip(chosen.parameters, call.names, strict=False):
        if re.search(r"\bE\d", parameter) and name in NUMBERS:
            return "own: a number is one of an enumeration"
        if parameter == "T&" and name in (*NUMBERS, *ENUM_NAMES):
            return "own: a number is made a variable for a T&"
    return ""


def _is_unsized(call: Call) -> bool:
    """Whether overloads differ by the number that one of Python's is."""
    places = [n for n, name in enumerate(call.names) if name in PYTHONS]
    parameters = [[o.parameters[n] for n in places if n < len(o.parameters)] for o in call.overloads]
    types = [[re.sub(r"const |&", "", one) for one in some] for some in parameters]
    return any(one != types[0] for one in types)


def compared(
    seed: int, std: str, home: Path, scale: int = 2, templates: int = 1, most: int = 100
) -> tuple[Counter[str], list[str]]:
    """How often each verdict came, and what is wrong."""
    program = Program(seed, scale, templates, most)
    source, asked = program.source(), [*program.calls()]
    objects = " ".join(f"{k} o{k}; const {k} c{k}{{}};" for k in OBJECTS)
    statements = [f'{{ {objects} std::printf("%d\\n", {call.cxx}); }}' for call in asked]
    expected = answers(source, statements, std, home)
    verdicts = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lib = sb.compile(source, std=std, nogil=False)
        for call, cxx in zip(asked, expected, strict=True):
            try:
                python: int | str = int(call.python(lib, *(_in_python(lib, name) for name in call.names)))
            except (sb.Error, TypeError, AttributeError) as error:
                python = f"{type(error).__name__}: {error}"
            shown = "\n      ".join(f"{o.number}: {o.declared('f')}" for o in call.overloads)
            line = f"{call.cxx}: {str(python)[:300]}, C++: {cxx}\n      {shown}"
            verdicts.append((_verdict(call, python, cxx), line))
    return tally(f"seed {seed}, {std}", verdicts, DECIDED)


@pytest.mark.full  # g++ compiles each program twice, and each instantiation once: seconds for each
@pytest.mark.parametrize("std", ["gnu++17", "gnu++20"])
@pytest.mark.parametrize("seed", [1, 2])
def test_random_overloads_mean_what_they_do_to_gcc(seed: int, std: str, tmp_path: Path) -> None:
    found, wrong = compared(seed, std, tmp_path)
    assert not [line for line in wrong if ": wrong: " in line]
    assert found["right"] > 100


def test_one_program_means_what_it_does_to_gcc(tmp_path: Path) -> None:
    found, wrong = compared(3, "gnu++20", tmp_path, scale=1, templates=0, most=10)
    assert not [line for line in wrong if ": wrong: " in line]
    assert found["right"] > 20


if __name__ == "__main__":
    total = totals(compared, range(*map(int, sys.argv[1:3])))
    for verdict, n in total.most_common():
        print(f"{n:6} {verdict}")
    print(f"{sum(total.values()):6} calls")
