"""What is parsed of a header stays in the cache: later programs, and other libraries, begin behind it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from samebytes.make.compiling import LARGE
from samebytes.toolchain.compilers import find_compiler

pytestmark = [
    pytest.mark.full,  # each test is three programs or more
    pytest.mark.skipif(
        "Free Software Foundation" not in find_compiler("c++").identity,
        reason="names are read one by one where the compiler is GCC",
    ),
]

HEADER = """
#pragma once
#include <vector>
#include "beside.hpp"
template <class T> T least(T a, T b) { return a < b ? a : b; }
template <class T> T most(T a, T b) { return a < b ? b : a; }
""" + "".join(f"inline int filler{n}(int x) {{ return x + {n}; }}\n" for n in range(LARGE + 1))

PROGRAM = """
import sys
import samebytes as sb
from samebytes.read.clang import parse
lib = sb.bind(sys.argv[1], name="saved")
whole, parsed = parse.parse, []
import samebytes.read.clang.saving as saving
def noted(request, lines=(), **rest):
    parsed.append(rest.get("saved") is not None)
    return whole(request, lines, **rest)
saving.parse = noted
print(eval(sys.argv[2]), parsed)
"""


def said(path: Path, asked: str) -> str:
    """What a program of its own says, and which parses began behind a saved one."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(path), asked], capture_output=True, text=True, check=False
    )
    assert not done.returncode, done.stderr
    return done.stdout.strip()


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SAMEBYTES_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "beside.hpp").write_text("#pragma once\ninline int beside() { return 1; }\n")
    found = tmp_path / "saved.hpp"
    found.write_text(HEADER)
    return found


def saved(path: Path) -> list[Path]:
    return list((path.parent / "cache").glob("*/*/header.pch"))


def test_the_second_program_saves_and_the_third_begins_behind_it(path: Path) -> None:
    assert said(path, "lib.filler1(1)") == "2 []" or not saved(path)
    assert said(path, "lib.filler2(1)") == "3 [False]"
    assert len(saved(path)) == 1
    assert said(path, "lib.filler3(1)") == "4 [True]"
    assert said(path, "lib.least[float](2, 1.5), lib.filler3(1)") == "(1.5, 4) [True, True, True]"
    assert said(path, "lib.filler3(1)") == "4 []"
    assert len(saved(path)) == 1


@pytest.mark.parametrize("file", ["saved.hpp", "beside.hpp"])
def test_a_header_that_is_another_is_parsed_again(path: Path, file: str) -> None:
    for n in range(3):
        said(path, f"lib.filler{n}(1)")
    changed = path.parent / file
    before = changed.stat()
    os.utime(changed, ns=(before.st_atime_ns, before.st_mtime_ns + 5_000_000_000))  # the time alone
    assert said(path, "lib.filler4(1)").startswith("5 [True")
    text = changed.read_text().replace("return 1;", "return 7;").replace("x + 5;", "x + 55;")
    changed.write_text(text)
    assert said(path, "lib.filler5(1), lib.__skipped__ and 0, lib.most[int](1, 2)").startswith(
        "(56, (), 2) [False" if file == "saved.hpp" else "(6, (), 2) [False"
    )


def test_what_clang_does_not_take_is_made_anew(path: Path) -> None:
    for n in range(3):
        said(path, f"lib.filler{n}(1)")
    (file,) = saved(path)
    file.chmod(0o600)
    file.write_bytes(b"none of clang's")
    assert said(path, "lib.filler3(1)") == "4 [False]"
    assert said(path, "lib.filler4(1)") == "5 [True]"


def test_a_source_text_is_nobody_elses(path: Path) -> None:
    text = """
template <class T> struct Box { T v; T half() const { return v / 2; } };
inline Box<int> box() { return {4}; }
"""
    asked = "lib.box().half(), lib.Box['double'](3).half()"
    program = f"import samebytes as sb; lib = sb.compile({text!r}); print(({asked}))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "(2, 1.5)\n"
    assert not saved(path)


def test_nothing_is_left_to_warn_of_at_exit(tmp_path: Path) -> None:
    source = "template <class T> struct A { T t; int f() { return 1; } }; inline A<int> a() { return {}; }"
    program = f"import samebytes as sb; print(sb.compile({source!r}).a().f())"
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", program],
        env={**os.environ, "SAMEBYTES_CACHE_DIR": str(tmp_path)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert (done.stdout, "ResourceWarning" in done.stderr) == ("1\n", False)
