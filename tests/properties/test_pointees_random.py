"""Random C functions: what their code is said to do with a pointer is what they do when they run, and what C says."""

from __future__ import annotations

import ctypes
import random
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from samebytes.toolchain.code.image import Image
from samebytes.toolchain.code.pointees.program import Program
from samebytes.toolchain.code.pointees.verdicts import MANY, OPEN, READ, WRITTEN, shows
from samebytes.toolchain.code.presence import can_decode

pytestmark = [
    pytest.mark.full,  # it takes long
    pytest.mark.skipif(not can_decode(), reason="Capstone is not installed"),
]

FUNCTIONS = 60
SEEDS = 2
TYPES = {"int": ctypes.c_int, "short": ctypes.c_short, "long": ctypes.c_long, "double": ctypes.c_double,
         "float": ctypes.c_float, "unsigned char": ctypes.c_ubyte}  # fmt: skip
NUMBER = {"int": 1, "short": 2, "long": 3, "double": 4, "float": 5, "unsigned char": 6}
ROOM = 16  # elements that lie behind a pointer

BEFORE = r"""
#include <stddef.h>
#include <string.h>
#include <math.h>
struct bag { long a; void* q; double d[3]; };
void* kept; volatile int noise;
__attribute__((noinline)) static int opaque(int x) { noise = x; return x * 7 + noise % 3; }
__attribute__((noinline)) static void own(int* x) { *x = opaque(*x) + 1; }
__attribute__((noinline)) static double through(struct bag* b, int x) { b->d[x & 1] = x; return b->d[0] + (b->q != 0); }
__attribute__((noinline)) void keep(void* p) { kept = p; }
"""
HELPERS = r"""
__attribute__((noinline)) static int give_T(TYPE* p, int x) { if (!p) return -1; *p = (TYPE)x; return 0; }
__attribute__((noinline)) static int maybe_T(TYPE* p, int x) { if (x & 1) *p = (TYPE)(x + 3); return x & 2; }
__attribute__((noinline)) static int look_T(TYPE* p, int x) { return (int)*p + x; }
__attribute__((noinline)) static void fill_T(TYPE* p, int n) { for (int i = 0; i < n; ++i) p[i] = (TYPE)i; }
__attribute__((noinline)) int deep_T(int a, int b, int c, int d, int e, int f, TYPE* p, TYPE* q) {
  if (a > b) return give_T(p, c + d); *q = (TYPE)(e + f); return 1; }
"""

# What C says of each: (reads what was there, writes more than one), where it runs before anything is written.
PLAIN, READS, MORE, LOST = "plain", "reads", "more", "lost"
STATEMENTS = {
    "*{p} = ({t})({e});": PLAIN,
    "if ({c}) *{p} = ({t})({e});": PLAIN,
    "if ({p}) *{p} = ({t})({e});": PLAIN,
    "*{p} = ({c}) ? ({t})({e}) : ({t})x;": PLAIN,
    "memset({p}, 0, sizeof *{p});": PLAIN,
    "{{ {t} v = ({t})({e}); memcpy({p}, &v, sizeof v); }}": PLAIN,
    "r += give_{n}({p}, {e});": PLAIN,
    "r += maybe_{n}({p}, {e});": PLAIN,
    "r += deep_{n}(x, y, r, 3, x, 5, {p}, {p});": PLAIN,
    "for (int i = 0; i < (x & 3); ++i) *{p} = ({t})(r + i);": PLAIN,
    "{{ {t}* w = ({c}) ? {p} : &spare_{n}; *w = ({t})({e}); }}": PLAIN,
    "switch (x & 7) {{ case 0: *{p} = 1; break; case 1: r += 2; break; case 2: *{p} = ({t})y; break; case 3: r ^= x; "
    "break; case 4: *{p} = 9; break; case 5: r += opaque(x); break; default: r -= y; }}": PLAIN,
    "if ({c}) return give_{n}({p}, {e});": PLAIN,
    "if ({c}) {{ *{p} = 1; return maybe_{n}({p}, {e}); }}": PLAIN,
    "{{ {t} a = ({t})x, b = ({t})y; {t}* w = ({c}) ? &a : &b; *w = 3; *{p} = a + b; }}": PLAIN,
    "*{p} = ({t})sqrt((double)({e}) * x);": PLAIN,
    "*{p} += ({t})({e});": READS,
    "if (*{p}) r += 1;": READS,
    "{{ {t} v; memcpy(&v, {p}, sizeof v); r += (int)v; }}": READS,
    "r += (int)*{p};": READS,
    "if ({c}) r += (int)*{p};": READS,
    "r += look_{n}({p}, {e});": READS,
    "{p}[1] = ({t})({e});": MORE,
    "for (int i = 0; i < (y & 7); ++i) {p}[i] = ({t})(r + i);": MORE,
    "fill_{n}({p}, y & 7);": MORE,
    "memset({p}, 0, sizeof *{p} * (y & 3));": MORE,
    "{{ {t}* w = {p} + (x & 3); *w = ({t})r; }}": MORE,
    "{p}[0] = {p}[1] = ({t})({e});": MORE,
    "{p}[-1] = 0;": MORE,
    "for (int i = (y & 7); i > 0; --i) {p}[i] = ({t})i;": MORE,
    "keep({p});": LOST,
    "{{ struct bag b = {{ x, {p}, {{ 0 }} }}; r += (int)through(&b, y); }}": LOST,
}
# What has nothing to do with the pointer.
OTHERS = ("r += opaque({e});", "{{ int v = {e}; own(&v); r += v; }}", "r ^= (int)sqrt((double)(({e}) & 1023));",
          "if ({c}) return r;", "for (int i = 0; i < (y & 3); ++i) r += opaque(i);",
          "{{ int a[8] = {{ 0 }}; a[x & 7] = y; r += a[y & 7]; }}",
          "{{ struct bag b = {{ x, 0, {{ 0 }} }}; r += (int)through(&b, y); }}")  # fmt: skip
EXPRESSIONS = ("x", "y", "x + y", "x * 3 - r", "r", "opaque(y)", "17")
CONDITIONS = ("x > 3", "x & 1", "y != 2", "r < x", "opaque(x) & 1")


class Made(NamedTuple):
    """One function: its text, what its pointers are to, and what C says of each."""

    text: str
    types: tuple[str, ...]
    says: tuple[frozenset[str], ...]


def made(number: int, chance: random.Random) -> Made:
    types = tuple(chance.choice([*TYPES]) for _ in range(chance.choice((1, 1, 2, 3, 5))))
    says: list[set[str]] = [set() for _ in types]
    body = []
    plain = [text for text, kind in STATEMENTS.items() if kind == PLAIN]
    for _ in range(chance.randint(1, 7)):
        words = {"e": chance.choice(EXPRESSIONS), "c": chance.choice(CONDITIONS)}
        if chance.random() < 0.4:
            body.append(chance.choice(OTHERS).format(**words))
            continue
        at = chance.randrange(len(types))
        text = chance.choice(plain if chance.random() < 0.7 else [*STATEMENTS])
        says[at].add(STATEMENTS[text])
        body.append(text.format(p=f"p{at}", t=types[at], n=NUMBER[types[at]], **words))
    pointers = ", ".join(f"{t}* p{i}" for i, t in enumerate(types))
    order = f"int x, {pointers}, int y" if chance.random() < 0.5 else f"{pointers}, int x, int y"
    text = f"int f{number}({order}) {{ int r = x; " + "\n  ".join(body) + "\n  return r; }\n"
    return Made(text, types, tuple(map(frozenset, says)))


def compiled(folder: Path, functions: list[Made], command: list[str]) -> Path:
    text = BEFORE
    for name, number in NUMBER.items():
        text += f"{name} spare_{number};\n" + HELPERS.replace("TYPE", name).replace("_T", f"_{number}")
    (folder / "a.c").write_text(text + "".join(function.text for function in functions))
    library = folder / "liba.so"
    subprocess.run(
        [*command, "-fPIC", "-shared", "-w", "a.c", "-o", str(library), "-lm"], cwd=folder, check=True
    )
    return library


def first_argument(function: Made) -> int:
    return 1 if f"(int x, {function.types[0]}" in function.text else 0


def runs(
    library: ctypes.CDLL, number: int, function: Made, at: int, poison: int, x: int, y: int
) -> tuple[int, bytes]:
    """The result, and all that lies behind one pointer afterwards, where only there other bytes lie before."""
    rooms = [(ctypes.c_ubyte * (ROOM * 2 * ctypes.sizeof(TYPES[t])))() for t in function.types]
    for index, room in enumerate(rooms):
        ctypes.memset(room, poison if index == at else 0x33, len(room))
    places = [
        ctypes.byref(room, ROOM * ctypes.sizeof(TYPES[t]))
        for room, t in zip(rooms, function.types, strict=True)
    ]
    arguments = [x, *places, y] if first_argument(function) else [*places, x, y]
    result = getattr(library, f"f{number}")(*arguments)
    return result, bytes(rooms[at])


def touched(one: bytes, other: bytes, poisons: tuple[int, int]) -> list[int]:
    """The bytes that were written, whatever was there before."""
    return [n for n, pair in enumerate(zip(one, other, strict=True)) if pair != poisons]


def contradicts(library: ctypes.CDLL, number: int, function: Made, at: int) -> str:
    """What a run shows that no output of one value does."""
    size = ctypes.sizeof(TYPES[function.types[at]])
    allowed = range(ROOM * size, (ROOM + 1) * size)
    for x in range(-1, 9):
        for y in (0, 1, 2, 3, 7):
            # Of ordinary bytes both, so that no real number is one that differs from itself.
            results = [runs(library, number, function, at, poison, x, y) for poison in (0x11, 0x22)]
            bytes_ = [result[1] for result in results]
            if results[0][0] != results[1][0]:
                return f"f({x}, {y}) returns what depends on what was there"
            written = touched(*bytes_, (0x11, 0x22))
            if any(n not in allowed for n in written):
                return f"f({x}, {y}) writes beyond"
            if any(bytes_[0][n] != bytes_[1][n] for n in written):
                return f"f({x}, {y}) writes what depends on what was there"
    return ""


COMPILERS = [["gcc", "-O0"], ["gcc", "-O1"], ["gcc", "-O2"], ["gcc", "-O3", "-march=haswell"], ["gcc", "-Os"],
             ["gcc", "-O2", "-fomit-frame-pointer", "-fno-plt", "-fcf-protection"],
             ["clang-19", "-O0"], ["clang-19", "-O2"], ["clang-19", "-O3"]]  # fmt: skip


def said(library: Path, functions: list[Made]) -> list[list[str]]:
    program = Program([Image(library)])
    answers = []
    for number, function in enumerate(functions):
        first = first_argument(function)
        places = range(first, first + len(function.types))
        summary = program.summary(f"f{number}", frozenset(places))
        sizes = [ctypes.sizeof(TYPES[t]) for t in function.types]
        answers.append([shows(summary, place, size) for place, size in zip(places, sizes, strict=True)])
    return answers


@pytest.mark.parametrize("command", COMPILERS, ids=" ".join)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_what_code_shows_is_what_runs_show(command: list[str], seed: int, tmp_path: Path) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"there is no {command[0]}")
    chance = random.Random(f"{seed} {command}")
    functions = [made(number, chance) for number in range(FUNCTIONS)]
    path = compiled(tmp_path, functions, command)
    library = ctypes.CDLL(str(path))
    proven = 0
    for number, (function, answers) in enumerate(zip(functions, said(path, functions), strict=True)):
        for at, answer in enumerate(answers):
            what = f"f{number}, p{at}: {answer}\n{function.text}"
            if answer == WRITTEN:
                assert function.says[at] <= {PLAIN, READS, MORE}, what
                assert not contradicts(library, number, function, at), what
                proven += 1
            elif answer == READ:
                assert READS in function.says[at], what
            elif answer == MANY:
                assert MORE in function.says[at], what
            else:
                assert answer == OPEN
    assert proven or command[1] == "-O0"  # where every variable lies on the stack, others may reach them


def test_where_nothing_else_happens_it_is_proven(tmp_path: Path) -> None:
    """Half of all that are plain outputs, at the least, where a compiler optimises."""
    chance = random.Random(5)
    functions = [made(number, chance) for number in range(3 * FUNCTIONS)]
    path = compiled(tmp_path, functions, ["gcc", "-O2"])
    answers = said(path, functions)
    plain = [
        answers[n][at] for n, f in enumerate(functions) for at, says in enumerate(f.says) if says == {PLAIN}
    ]
    assert plain.count(WRITTEN) > len(plain) / 2, (plain.count(WRITTEN), len(plain))
