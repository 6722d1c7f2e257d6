# ruff: noqa: E501  (a row of a table, or of C++, is a line)
"""Random programs: a header of random types and functions, as each target has it, and the program of g++ that calls it."""

from __future__ import annotations

import subprocess
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from random import Random
from typing import Any

import samebytes as sb

from . import sources
from .random_parameters import ByValue, Described, Extent, Output, Parameter, Pointer, Reference, Value
from .random_types import (
    NUMBERS,
    PRELUDE,
    READER,
    VECTORS,
    Enum,
    Struct,
    Type,
    enumeration,
    record,
    union,
)

FUNCTIONS, VARIANTS = 40, 3
_EXTENTS = ("const {T} (&{x})[{n}]", "{T} (&{x})[{n}]", "STD::array<{T}, {n}> {x}", "const STD::array<{T}, {n}>& {x}",
            "STD::array<{T}, {n}>& {x}")  # fmt: skip
_DEFAULTS = {
    "bool": "true",
    "int": "-7",
    "unsigned": "4000000000u",
    "double": "0.1",
    "float": "0.1f",
    "long long": "-5000000000ll",
}


@dataclass(frozen=True)
class Function:
    """A function; ``defaults`` are those of its last parameters, ``variants`` how Python calls it.

    A variant is how many defaults are left out, and the form of each parameter.
    """

    name: str
    parameters: tuple[Parameter, ...]
    defaults: tuple[str, ...]
    variants: tuple[tuple[int, tuple[str, ...]], ...]

    @property
    def tags(self) -> set[str]:
        own = {"default"} if self.defaults else set[str]()
        return own.union(*(p.tags for p in self.parameters))

    @property
    def intents(self) -> dict[str, Any]:
        return {p.name: p.intent for p in self.parameters if p.intent}

    @property
    def declared(self) -> str:
        every = [d for p in self.parameters for d in p.declared()]
        for i, default in enumerate(reversed(self.defaults), 1):
            every[-i] += f" = {default}"
        return ", ".join(every)

    @property
    def body(self) -> str:
        folds = "\n  ".join(p.fold() for p in self.parameters)
        puts = "\n  ".join(text for p in self.parameters if (text := p.put()))
        return f"Digest h = 14695981039346656037ull;\n  {folds}\n  Digest s = h;\n  {puts}"

    def call(self, number: int, seed: int) -> tuple[tuple[int, tuple[str, ...]], list[Value]]:
        """The variant and the values of a call."""
        pick = Random(f"{seed} {self.name} {number}")
        variant = self.variants[number % len(self.variants)]
        return variant, [p.draw(pick) for p in self.parameters]

    @property
    def asked(self) -> str:
        """The function of g++'s program that makes a call of the stream."""
        given = [g for p in self.parameters for g in p.given()]
        shown = "\n  ".join(text for p in self.parameters if (text := p.shown()))
        calls = "".join(
            f"if (left == {n}) d = {self.name}({', '.join(given[: len(given) - n])});\n  "
            for n in range(len(self.defaults) + 1)
        )
        reads = "\n  ".join(p.read() for p in self.parameters)
        return (
            f"static void ask_{self.name}() {{\n  const int left = taken<int>();\n  {reads}\n  Digest d = 0;\n  {shown}\n"
            f'  {calls}std::printf(" %llu", d);\n  {shown}\n  std::printf("\\n");\n}}\n'
        )


def _types(pick: Random) -> tuple[list[Enum], list[Struct]]:
    enums = [enumeration(pick, f"E{i}") for i in range(3)]
    structs: list[Struct] = []
    safe: list[Type] = [v for v in VECTORS if not v.tags]
    for i in range(8):
        parts = [*enums, *pick.sample(safe, 4), *[s for s in structs if "union" not in s.tags]]
        if i == 7:  # one that many targets lack
            parts = [s for s in structs if s.head == "union"]
        made = union(pick, f"S{i}") if i == 6 else record(pick, f"S{i}", parts, initial=pick.random() < 0.4)
        structs.append(made)
    return enums, structs


def _parameter(pick: Random, name: str, types: list[list[Type]], everywhere: bool) -> Parameter:
    type_ = pick.choice(pick.choice(types))
    chance = pick.random()
    if everywhere:
        if chance < 0.55:
            return ByValue(name, type_)
        if chance < 0.8:
            return Pointer(name, type_, const=pick.random() < 0.5)
        type_ = _element(pick, types)
        return Described(name, type_, "array", pick.randint(1, 3), const=pick.random() < 0.5)
    if chance < 0.25:
        return ByValue(name, type_)
    if chance < 0.37:
        return ByValue(name, type_, "&", const=True)
    if chance < 0.45:
        return Pointer(name, type_, const=pick.random() < 0.5)
    if chance < 0.55 and isinstance(type_, Struct):
        return Reference(name, type_)
    if chance < 0.6:
        return Reference(name, type_, intent="inout_ptr")
    if chance < 0.65:
        return ByValue(name, type_, "&", intent="in")
    if chance < 0.72:
        plain = pick.choice([n for n in NUMBERS if n.format in ("f4", "f8", "i4", "i8", "u1", "u2", "i1")])
        several = pick.choice(["", "several"])
        return Output(name, plain, several, intent="out_array_return" if several else "out_return")
    if chance < 0.85:
        kind = pick.choice(_EXTENTS)
        written = "&" in kind and "const" not in kind
        return Extent(name, _element(pick, types), kind, intent="inout_ptr" if written else None)
    type_ = _element(pick, types)
    kind = pick.choice(["array", "span", "layout_right", "layout_left", "layout_stride"])
    rank = 1 if kind == "span" else pick.randint(1, 3)
    return Described(name, type_, kind, rank, const=pick.random() < 0.5)


def _element(pick: Random, types: list[list[Type]]) -> Type:
    """What arrays are of: what NumPy describes."""
    return pick.choice([t for t in pick.choice(types) if t.described] or list(NUMBERS[:10]))


def _function(pick: Random, name: str, types: list[list[Type]], everywhere: bool) -> Function:
    parameters = [_parameter(pick, f"a{i}", types, everywhere) for i in range(pick.randint(1, 8))]
    defaults: list[str] = []
    if len(parameters) < 7 and pick.random() < 0.3:
        for _ in range(pick.randint(1, 2)):
            spelled, literal = pick.choice([*_DEFAULTS.items()])
            number = next(n for n in NUMBERS if n.spelled == spelled)
            parameters.append(ByValue(f"a{len(parameters)}", number))
            defaults.append(literal)
    variants = []
    for v in range(VARIANTS):
        forms = [p.forms[0] for p in parameters]
        for i in pick.sample(range(len(parameters)), min(v, len(parameters))):  # the first is plain
            forms[i] = pick.choice(parameters[i].forms)
        variants.append((pick.randint(0, len(defaults)), tuple(forms)))
    return Function(name, tuple(parameters), tuple(defaults), tuple(variants))


@dataclass(frozen=True)
class Program:
    """The random program of a seed."""

    seed: int
    count: int = FUNCTIONS

    @cached_property
    def _made(self) -> tuple[list[Enum], list[Struct], list[Function]]:
        pick = Random(self.seed)
        enums, structs = _types(pick)
        common = [
            [n for n in NUMBERS if not n.tags], [n for n in NUMBERS if not n.tags], enums,
            [v for v in VECTORS if not v.tags], [s for s in structs if not s.tags],
        ]  # fmt: skip
        every = [[*NUMBERS], enums, [*VECTORS], structs]
        functions = [
            _function(pick, f"k{i}", common if i % 2 else every, everywhere=bool(i % 2))
            for i in range(self.count)
        ]
        return enums, structs, functions

    @property
    def functions(self) -> list[Function]:
        return self._made[2]

    @property
    def structs(self) -> list[Struct]:
        return self._made[1]

    def types(self, dialect: str, lacks: Collection[str] = ()) -> str:
        """The declarations; a struct with one of some tags is left out."""
        enums, structs = self._made[0], [s for s in self.structs if s.tags.isdisjoint(lacks)]
        copy = f"#define COPY {'memcpy' if dialect == 'cuda' else '__builtin_memcpy'}\n"
        return "".join([_vectors(dialect), copy, PRELUDE, *(t.declared for t in (*enums, *structs))])

    def asked(
        self, calls: Iterable[tuple[int, int]], home: Path
    ) -> tuple[dict[str, bytes], dict[tuple[int, int], Answer]]:
        """What g++ answers: the bytes of each struct that count, and of each call (function and number) the answer."""
        calls = [*calls]
        heads = "".join(f"{s.reader}" for s in self.structs)
        plain = "Digest {name}({declared}) {{ {body}\n  return h; }}\n"
        own = [self.functions[i] for i in dict.fromkeys(i for i, _ in calls)]
        functions = "".join(
            plain.format(name=f.name, declared=f.declared, body=f.body) + f.asked for f in own
        )
        masks = "".join(
            f"{{ {s.spelled}& x = *room<{s.spelled}>(1); std::memset(&x, 0, sizeof x); at = ones.data(); get_{s.spelled}(x); "
            'shown(&x, sizeof x); std::printf("\\n"); }\n'
            for s in self.structs
        )
        rows = "".join(f"if (which == {int(f.name[1:])}) ask_{f.name}();\n" for f in own)
        main = (
            f"int main(int, char** v) {{\nstd::vector<unsigned char> ones(1 << 16, 255);\n{masks}"
            'std::FILE* f = std::fopen(v[1], "rb"); static unsigned char data[1 << 26];\n'
            "std::size_t n = std::fread(data, 1, sizeof data, f); at = data;\n"
            f"while (at < data + n) {{ const int which = taken<int>();\n{rows} }}\n}}\n"
        )
        source = f"{sources.HOST.head}{self.types('cxx')}{READER}{heads}{functions}{main}"
        stream = bytearray()
        for i, number in calls:
            (left, _), values = self.functions[i].call(number, self.seed)
            stream += (
                i.to_bytes(4, "little") + left.to_bytes(4, "little") + b"".join(v.stream for v in values)
            )
        (home / "asked.cpp").write_text(source), (home / "stream").write_bytes(stream)
        command = [
            "g++",
            "-w",
            "-std=c++20",
            f"-I{sb.get_include()}",
            str(home / "asked.cpp"),
            "-o",
            str(home / "asked"),
        ]
        subprocess.run(command, check=True)
        done = subprocess.run(
            [str(home / "asked"), str(home / "stream")], capture_output=True, text=True, check=True
        )
        lines = done.stdout.splitlines()
        masks_said = {
            s.spelled: bytes.fromhex(line.strip()[1:]) for s, line in zip(self.structs, lines, strict=False)
        }
        answers = [_answer(line) for line in lines[len(self.structs) :]]
        return masks_said, dict(zip(calls, answers, strict=True))


@dataclass(frozen=True)
class Answer:
    """Of g++: the digest, and each memory before and after the call."""

    digest: int
    before: tuple[bytes, ...]
    after: tuple[bytes, ...]


def _answer(line: str) -> Answer:
    words = line.split()
    (place,) = (i for i, w in enumerate(words) if not w.startswith("x"))
    before, after = ([bytes.fromhex(w[1:]) for w in part] for part in (words[:place], words[place + 1 :]))
    return Answer(int(words[place]), tuple(before), tuple(after))


@cache
def _vectors(dialect: str) -> str:
    """What a dialect's compiler calls the vectors."""
    from samebytes.layouts.dialects import find_dialect

    found = find_dialect(dialect)
    rows = [(v, found.native(v.vector)) for v in VECTORS]
    headers = dict.fromkeys(native.include for _, native in rows if native.include)
    return "".join(
        [
            *(f"#include {h}\n" for h in headers),
            *(f"using {v.spelled} = {native.spelling};\n" for v, native in rows),
        ]
    )
