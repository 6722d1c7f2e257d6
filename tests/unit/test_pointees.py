"""What the code of a function is said to do where its arguments point to: each shape that compilers make, by itself."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from samebytes.toolchain.code.image import Image
from samebytes.toolchain.code.pointees.program import Program
from samebytes.toolchain.code.pointees.verdicts import MANY, OPEN, READ, WRITTEN, shows
from samebytes.toolchain.code.presence import can_decode

pytestmark = [
    pytest.mark.full,  # several compilers are asked
    pytest.mark.skipif(not can_decode(), reason="Capstone is not installed"),
]

BEFORE = r"""
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#define ALONE __attribute__((noinline))
int* kept; int (*hook)(int*); volatile int noise;
ALONE static int busy(int x) { noise = x; return x * 5 + noise; }
ALONE static int gives(int* p, int x) { if (x < 0) return -1; *p = x; return 0; }
ALONE static void counts(int* p) { ++*p; }
ALONE static void leaves(int* p, int* q) { (void)q; *p = 1; }
ALONE static int again(int* p, int n) { if (n == 0) { *p = 1; return 0; } return again(p, n - 1) + busy(n); }
ALONE static void mode(int* p, int how) { if (how) *p = 3; else noise = *p; }
int printf(const char*, ...);
"""

# A function f(int x, int* p), and what its code shows of p where the compiler optimises.
FUNCTIONS = {
    "*p = x; return 0;": WRITTEN,
    "if (p) *p = x; return 0;": WRITTEN,
    "if (x < 0) return -1; *p = x; return 0;": WRITTEN,
    "int r = busy(x); *p = r; return busy(r);": WRITTEN,
    "return gives(p, x);": WRITTEN,
    "int v; int e = gives(&v, x); *p = v; return e;": WRITTEN,
    "leaves(p, p); return x;": WRITTEN,
    "*p = 0; for (int i = 0; i < x; ++i) *p += busy(i); return *p;": WRITTEN,
    "int r = x; if (gives(&r, x)) p = &r; *p = x; return r;": WRITTEN,
    "memset(p, 0, sizeof *p); return 0;": WRITTEN,
    "*p = (int)sqrt(x); return abs(x);": WRITTEN,
    "switch (x) { case 0: *p = 4; break; case 1: busy(1); break; case 2: *p = busy(3); break; case 3: return busy(9); "
    "case 4: *p = 7; break; case 5: busy(x); busy(2); break; default: return -1; } return 0;": WRITTEN,
    "if (!p) abort(); *p = x; return 0;": WRITTEN,
    "char text[32]; memset(text, x, sizeof text); *p = text[x & 31]; return 0;": WRITTEN,
    "++*p; return 0;": READ,
    "int r = *p; *p = x; return r;": READ,
    "if (*p > 0) return *p; *p = x; return 0;": READ,
    "counts(p); return 0;": READ,
    "p[1] = x; return 0;": MANY,
    "p[-1] = x; return 0;": MANY,
    "for (int i = 0; i < x; ++i) p[i] = busy(i); return 0;": MANY,
    "p[0] = p[1] = 0; return 0;": MANY,
    "*p = x; return p[1];": OPEN,
    "*p = x; kept = p; return 0;": OPEN,
    "*p = x; return hook(p);": OPEN,
    '*p = x; return printf("%p", (void*)p);': OPEN,
    "struct { int a; int* q; } s = { x, p }; *p = x; return hook((int*)&s);": OPEN,
    "return again(p, x);": OPEN,
    "mode(p, 1); return 0;": OPEN,
    "mode(p, 0); return 0;": OPEN,
    "return x;": OPEN,
    "memset(p, 0, x); return 0;": OPEN,
    "*(short*)p = 1; return 0;": OPEN,
}


def library(folder: Path, text: str, *command: str) -> Program:
    (folder / "a.c").write_text(text)
    made = folder / "liba.so"
    # Calls of what is static are not seen through: each is a call.
    calls = ("-fno-ipa-cp", "-fno-ipa-sra") if command[0] == "gcc" else ()
    flags = (*calls, "-fPIC", "-shared", "-w", "a.c", "-o", str(made), "-lm")
    subprocess.run([*command, *flags], cwd=folder, check=True)
    return Program([Image(made)])


@pytest.mark.parametrize("level", ["-O1", "-O2", "-O3", "-Os", "-O2 -fcf-protection", "-O2 -fno-plt"])
def test_what_code_shows(level: str, tmp_path: Path) -> None:
    bodies = "".join(f"int f{n}(int x, int* p) {{ {body} }}\n" for n, body in enumerate(FUNCTIONS))
    program = library(tmp_path, BEFORE + bodies, "gcc", *level.split())
    found = {body: shows(program.summary(f"f{n}", frozenset({1})), 1, 4) for n, body in enumerate(FUNCTIONS)}
    assert {b: f for b, f in found.items() if f != FUNCTIONS[b]} == {}


def test_what_is_not_optimised_is_not_refuted(tmp_path: Path) -> None:
    bodies = "".join(f"int f{n}(int x, int* p) {{ {body} }}\n" for n, body in enumerate(FUNCTIONS))
    program = library(tmp_path, BEFORE + bodies, "gcc", "-O0")
    for n, (body, expected) in enumerate(FUNCTIONS.items()):
        found = shows(program.summary(f"f{n}", frozenset({1})), 1, 4)
        assert found in (expected, OPEN), body
    assert shows(program.summary("f0", frozenset({1})), 1, 4) == WRITTEN


TYPES = {
    "double": 8, "float": 4, "char": 1, "short": 2, "long double": 16, "double complex": 16, "void*": 8, "_Bool": 1,
}  # fmt: skip


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("command", ["gcc -O2", "gcc -O2 -mavx2", "clang-19 -O2"])
def test_one_value_of_each_type(type_: str, command: str, tmp_path: Path) -> None:
    if shutil.which(command.split()[0]) is None:
        pytest.skip("no such compiler")
    text = (
        f"{BEFORE}{type_} there; void f({type_}* p) {{ *p = there; }} void g({type_}* p) {{ p[1] = there; }}"
    )
    program = library(tmp_path, text, *command.split())
    size = TYPES[type_]
    assert shows(program.summary("f", frozenset({0})), 0, size) == WRITTEN
    assert shows(program.summary("g", frozenset({0})), 0, size) == MANY


def test_arguments_on_the_stack(tmp_path: Path) -> None:
    text = (
        BEFORE
        + """
    int f(int a, int b, int c, int d, int e, int g, int* p, int* q, int* r) {
        *p = a; *q += b; r[2] = c; return busy(d); }
    ALONE static int on(int a, int b, int c, int d, int e, int g, int* p) { *p = a + g; return busy(e); }
    int h(int a, int* p) { return on(a, 1, 2, 3, 4, 5, p) + 1; }
    """
    )
    program = library(tmp_path, text, "gcc", "-O2")
    summary = program.summary("f", frozenset({6, 7, 8}))
    assert [shows(summary, n, 4) for n in (6, 7, 8)] == [WRITTEN, READ, MANY]
    assert shows(program.summary("h", frozenset({1})), 1, 4) == WRITTEN


def test_registers_that_a_known_function_leaves_alone(tmp_path: Path) -> None:
    """GCC has a value in a register across a call where it sees that the function does not use it (-fipa-ra)."""
    text = (
        BEFORE
        + """
    ALONE static void sets(int* p, int x) { *p = x; }
    int f(int x, int* p) { sets(p, x); for (int i = 0; i < (x & 7); ++i) p[i] = i; sets(p, x + 1); return x; }
    """
    )
    program = library(tmp_path, text, "gcc", "-O2")
    assert shows(program.summary("f", frozenset({1})), 1, 4) != WRITTEN


def test_nothing_is_said_of_what_is_not_there(tmp_path: Path) -> None:
    program = library(
        tmp_path, "int variable; static int own(int* p) { return *p = 1; } int (*used)(int*) = own;", "gcc"
    )
    for name in ("absent", "variable", "own"):
        assert program.summary(name, frozenset({0})) is None
    assert shows(None, 0, 4) == OPEN


def test_a_program_that_may_look_at_little_says_little(tmp_path: Path) -> None:
    bodies = "".join(f"int f{n}(int x, int* p) {{ if (x) *p = busy(x); return 0; }}\n" for n in range(4))
    (tmp_path / "a.c").write_text(BEFORE + bodies)
    made = tmp_path / "liba.so"
    subprocess.run(
        ["gcc", "-O2", "-fPIC", "-shared", "-w", "a.c", "-o", str(made), "-lm"], cwd=tmp_path, check=True
    )
    poor = Program([Image(made)], budget=12)
    found = [shows(poor.summary(f"f{n}", frozenset({1})), 1, 4) for n in range(4)]
    assert found[0] == WRITTEN
    assert found[-1] == OPEN
