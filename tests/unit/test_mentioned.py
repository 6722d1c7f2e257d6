"""What a program mentions is read and built together with what it asks for first."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb
from samebytes.api.recipes import UNREAD
from samebytes.loading.mentioned import mentioned
from samebytes.make.compiling import LARGE
from samebytes.toolchain.compilers import find_compiler

pytestmark = [
    pytest.mark.full,  # large headers, and programs of their own
    pytest.mark.skipif(
        "Free Software Foundation" not in find_compiler("c++").identity,
        reason="names are read one by one where the compiler is GCC",
    ),
    pytest.mark.filterwarnings("ignore::samebytes.errors.BindWarning"),
]

HEADER = """
#pragma once
struct Plain { int a; double b; };
struct Base { int x; };
struct Derived : Base { int y; };
inline double sum(const Plain& p) { return p.a + p.b; }
inline Plain plain(int a, double b = 2) { return {a, b}; }
inline int of_base(const Base& b) { return b.x; }
inline int apply(int (*f)(int), int x) { return f(x); }
inline int next() { static int n = 0; return ++n; }
inline int twice() { return next(); }
inline int refused(int);
enum Colour { RED, GREEN = 7 };
namespace outer { inline int f(int x) { return x + 1; } namespace inner { inline int g(int x) { return x + 2; } } }
"""
FILLED = "".join(f"inline int filler{n}(int x) {{ return x + {n}; }}\n" for n in range(LARGE + 1))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "mentioned.hpp"
    found.write_text(HEADER + FILLED)
    return found


def reader(path: Path) -> Any:
    (found,) = (names for recipe, names in UNREAD.items() if recipe.request.main == str(path))
    return found


class Proxy:
    """What answers nobody, as a request's objects do outside of one."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)


def outside(words: set[str]) -> set[str]:
    return words & {"alpha", "beta", "gamma", "delta", "epsilon", "zeta"}


def test_names_of_the_code_around(monkeypatch: pytest.MonkeyPatch) -> None:
    code = """
def beside(lib): return lib.alpha
class Beside:
    def method(self): return [one.beta for one in self.all]
    later = property(lambda self: self.gamma)
def asks():
    delta = 1
    return ask()
value = asks()
if value is None: lib.epsilon()
text = "zeta"
"""
    space: dict[str, Any] = {"ask": lambda: outside(mentioned()), "__name__": "a_module", "proxy": Proxy()}
    monkeypatch.setattr("samebytes.loading.mentioned._OURS", __file__)
    exec(compile(code, "a_module.py", "exec"), space)
    assert space["value"] == {"alpha", "beta", "gamma", "delta", "epsilon"}
    monkeypatch.setattr("samebytes.loading.mentioned._MOST", 1)
    assert space["asks"]() == {"delta"}


def run(text: str, lib: Any) -> None:
    """A program of its own."""
    exec(compile(text, "a_program.py", "exec"), {"lib": lib})


def test_what_is_mentioned_is_read_together(path: Path) -> None:
    lib = sb.bind(path, name="mentioned")
    program = """
assert lib.plain(3).b == 2 and lib.sum((1, 2.5)) == 3.5
assert lib.outer.f(1) == 2 and lib.outer.inner.g(1) == 3
def later(): return lib.filler7(1), lib.filler8(1)
assert later() == (8, 9) and lib.GREEN == 7 and lib.apply(lambda x: x + 1, 1) == 2
"""
    run(program, lib)
    names = reader(path)
    assert [set(request.names) for request in names._parts] == [
        {"plain", "sum", "outer::f", "outer::inner::g", "filler7", "filler8", "Colour", "apply"}
    ]
    assert not names._is_read


@pytest.mark.parametrize("tied", ["of_base", "refused"])
def test_what_does_not_stand_alone_is_left_out_of_it(path: Path, tied: str) -> None:
    lib = sb.bind(path, name="mentioned")
    with suppress(AttributeError if tied == "refused" else ()):
        run(f"lib.filler7(1) + lib.plain(1, 2).a\nlib.{tied}", lib)
    names = reader(path)
    assert names._is_read
    assert [set(request.names) for request in names._parts] == [{"filler7", "plain", tied}]
    assert tied in names._refused
    assert lib.of_base(lib.Derived()) == 0
    assert lib.apply(lambda x: x + 1, 1) == 2


def test_code_with_a_state_is_built_once(path: Path) -> None:
    lib = sb.bind(path, name="mentioned")
    run("assert lib.filler7(1) == 8 and lib.filler8(1) == 9\nif lib is None: lib.next(); lib.twice()", lib)
    names = reader(path)
    assert not names._is_read
    assert not names._singly
    run("assert [lib.next(), lib.twice(), lib.next(), lib.filler9(1)] == [1, 2, 3, 10]", lib)
    assert names._is_read
    assert names._refused == {"next"}


def test_what_was_built_stays_when_the_header_changes(path: Path) -> None:
    lib = sb.bind(path, name="mentioned")
    run("lib.plain(1, 2)\nif lib is None: lib.sum()", lib)
    path.write_text(path.read_text().replace("struct Plain { int a;", "struct Plain { short extra; int a;"))
    run("assert lib.sum(lib.plain(1, 2)) == 3", lib)
    with pytest.raises(sb.BindError, match="has changed since it was bound"):
        run("lib.filler9(1)", lib)


PROGRAM = """
import sys
import samebytes as sb
from samebytes.api.recipes import UNREAD
lib = sb.bind(sys.argv[1], name="mentioned")
assert lib.plain(3).b == 2 and lib.filler1(1) == 2 {more}
(names,) = UNREAD.values()
print([len(request.names) for request in names._parts], "samebytes.read.reading" in sys.modules)
"""


@pytest.mark.parametrize("more", ["and lib.filler5(1) == 6", ""])
def test_another_program_takes_what_is_built(path: Path, more: str) -> None:
    programs = [PROGRAM.format(more=""), PROGRAM.format(more=more), PROGRAM.format(more=more)]
    said = [
        subprocess.run(
            [sys.executable, "-c", program, str(path)], check=True, capture_output=True, text=True
        ).stdout.strip()
        for program in programs
    ]
    parts = "[2, 1]" if more else "[2]"
    assert said == ["[2] True", f"{parts} {bool(more)}", f"{parts} False"]


def test_of_a_header_that_is_read_what_is_mentioned_is_one_batch(path: Path) -> None:
    path.write_text("".join(f'#include "part{n}.hpp"\n' for n in range(4)) + path.read_text())
    for n in range(4):
        (path.parent / f"part{n}.hpp").write_text(
            f"#pragma once\ninline int part{n}(int x) {{ return x * {n}; }}\n"
        )
    lib = sb.bind(path, name="mentioned", expose="*/part*.hpp")
    assert lib.__skipped__
    values = [lib.part0(2), lib.part1(2), lib.part2(2), lib.part3(2), lib.filler7(1)]
    assert values == [0, 2, 4, 6, 8]
    assert len(lib.__build__.__self__._batches) == 1
