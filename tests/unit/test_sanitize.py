"""sanitize= compiles with a sanitizer and runs the program again with its runtime; no process ends without a word."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb
from samebytes.toolchain.sanitizers import SANITIZERS, _file_of

pytestmark = pytest.mark.full  # it takes long

SOURCE = r"""
#include <thread>
inline int pick(int at) { int* few = new int[3]{1, 2, 3}; int one = few[at]; delete[] few; return one; }
inline int more(int x) { return x + 2147483647; }
inline int raced() { int n = 0; std::thread a([&] { n++; }); n++; a.join(); return n; }
"""
PROGRAM = """
import os, sys
import samebytes as sb
print("begun", flush=True)
lib = sb.compile(open("source.hpp").read(), {given})
print(lib.pick(1), sys.argv[1:], "LD_PRELOAD" in os.environ, flush=True)
{then}
print("end", flush=True)
sys.exit(7)
"""


@pytest.fixture(autouse=True)
def runtimes() -> None:
    for one in SANITIZERS.values():
        if one.runtime and not os.path.isabs(_file_of(one.runtime)):
            pytest.skip(f"the compiler has no {one.runtime}")


def run(folder: Path, given: str, then: str = "") -> subprocess.CompletedProcess[str]:
    (folder / "source.hpp").write_text(SOURCE)
    (folder / "program.py").write_text(PROGRAM.format(given=given, then=then))
    command = [sys.executable, "program.py", "a", "b c"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", ["address", "thread"])
def test_the_program_runs_again_and_ends_as_the_child(tmp_path: Path, name: str) -> None:
    done = run(tmp_path, f"sanitize={name!r}")
    assert done.stdout == "begun\nbegun\n2 ['a', 'b c'] False\nend\n"
    assert done.returncode == 7
    assert f"the program runs again in a child, with {SANITIZERS[name].name}'s runtime" in done.stderr


FOUND: dict[str, tuple[str, str]] = {
    "address": ("lib.pick(3)", "AddressSanitizer: heap-buffer-overflow"),
    "thread": ("lib.raced()", "ThreadSanitizer: data race"),
    "undefined": ("lib.more(1)", "runtime error: signed integer overflow"),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_each_finds(tmp_path: Path, name: str) -> None:
    then, words = FOUND[name]
    done = run(tmp_path, f"config={{'Sanitize': {name!r}}}", then)
    assert words in done.stderr
    assert done.returncode != 0


def test_without_the_runtime_it_is_refused_in_words(tmp_path: Path) -> None:
    done = run(tmp_path, "flags=['-fsanitize=address']")
    assert (
        "samebytes.errors.BindError: the library cannot be loaded: it is compiled with AddressSanitizer"
        in done.stderr
    )
    assert "sanitize='address' runs the program again with it" in done.stderr
    assert done.returncode == 1


def test_a_program_that_is_no_file_is_told_how_to_start(tmp_path: Path) -> None:
    program = f"import samebytes as sb; sb.compile({SOURCE!r}, sanitize='address')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "cannot be run again with it, as it is no file; start it with LD_PRELOAD='/" in done.stderr
    assert done.returncode == 1


def test_by_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "few.hpp").write_text(SOURCE)
    command = [sys.executable, "-m", "samebytes", "bind", "few.hpp", "--sanitize", "address", "-o", "out"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = subprocess.run(
        [sys.executable, "-c", "import few"],
        cwd=tmp_path / "out",
        capture_output=True,
        text=True,
        check=False,
    )
    assert "it is compiled with AddressSanitizer" in found.stderr
    assert found.returncode == 1


@pytest.mark.parametrize("given", ["adress", 3])
def test_no_sanitizer(given: Any) -> None:
    with pytest.raises(sb.BindError, match="'address', 'thread'"):
        sb.compile("int f();", sanitize=given)
