"""``samebytes bind --used-by``: a package of what a program uses of a header, and of what that needs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.full  # programs, and packages of what they use

HEADER = """
#pragma once
#include <string>
#define LIMIT 40
struct Plain { int a; double b; };
struct Other { int a; int twice() const { return 2 * a; } };
struct Base { virtual ~Base() {} virtual int sides() const { return 0; } };
struct Square : Base { int sides() const override { return 4; } };
struct Unused { Plain one; int size() const { return 1; } };
inline bool operator==(const Other& a, const Other& b) { return a.a == b.a; }
inline Other other(int a) { return {a}; }
inline Base* base() { static Square one; return &one; }
inline Plain plain(int a) { return {a, 2}; }
inline double sum(const Plain& p) { return p.a + p.b; }
inline int over(int) { return 1; }
inline int over(double) { return 2; }
inline int lambda(int x) { return x; }
inline int unused(int x) { return x; }
inline int counter = 3, nobody = 4;
namespace outer { inline int f() { return 1; }
namespace inner { inline int g() { return 2; } inline int h() { return 3; } } }
namespace alias = outer::inner;
"""
PROGRAM = """
import samebytes as sb
lib = sb.bind("shop.hpp", include_dirs=HERE)
"""
CALLS = """
assert lib.sum(lib.plain(3)) == 5 and (lib.over(1), lib.over(1.0)) == (1, 2) and lib.lambda_(2) == 2
assert lib.other(4).twice() == 8 and lib.other(4) == lib.other(4)
assert lib.base().sides() == 4 and type(lib.base()).__name__ == "Square"
assert (lib.counter, lib.LIMIT, lib.alias.g()) == (3, 40, 2)
"""


def bind(folder: Path, *words: str) -> Any:
    command = [sys.executable, "-m", "samebytes", "bind", "shop.hpp", "-o", "out", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("shop")
    (place / "shop.hpp").write_text(HEADER)
    (place / "program.py").write_text(PROGRAM.replace("HERE", repr(str(place))) + CALLS)
    return place


def test_the_package_has_what_the_program_uses(folder: Path) -> None:
    done = bind(folder, "--used-by", "program.py")
    assert not done.returncode, done.stderr
    assert "not bound" not in done.stdout + done.stderr
    names = (
        "import json, shop as lib\n"
        + CALLS
        + "print(json.dumps([dir(lib), [s.name for s in lib.__skipped__]]))"
    )
    run = subprocess.run(
        [sys.executable, "-c", names], cwd=folder / "out", capture_output=True, text=True, check=True
    )
    bound, left = json.loads(run.stdout)
    assert {"plain", "Plain", "Other", "Base", "Square", "over", "counter", "LIMIT"} <= {*bound}
    assert not {"unused", "nobody", "Unused"} & {*bound}
    assert {"unused(int)", "nobody", "outer::f()", "outer::inner::h()", "Unused::size()"} <= {*left}


def test_what_it_asks_for_twice_is_the_same(folder: Path) -> None:
    bind(folder, "--used-by", "program.py")
    files = {file.name: file.read_bytes() for file in (folder / "out/shop").iterdir() if file.is_file()}
    bind(folder, "--used-by", "program.py")
    assert files == {
        file.name: file.read_bytes() for file in (folder / "out/shop").iterdir() if file.is_file()
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("raise SystemExit(3)", "ended with 3"),
        ("import samebytes", "asks nothing of a library that sb.bind("),
    ],
)
def test_a_program_that_uses_nothing_is_refused(folder: Path, text: str, words: str) -> None:
    (folder / "other.py").write_text(text)
    done = bind(folder, "--used-by", "other.py")
    assert done.returncode
    assert words in done.stderr
