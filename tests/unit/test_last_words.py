"""A callable fails where no exception passes, and C++ has no value to go on with: the process says what was raised."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import samebytes as sb

pytestmark = [
    pytest.mark.full,  # programs of their own
    pytest.mark.filterwarnings("ignore::samebytes.BindWarning"),
]
SOURCE = r"""
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
struct Number { int n; explicit Number(int n) : n(n) {} };
using callable = std::function<Number(const std::string&)>;
namespace inner {
inline int silent(const callable& f) noexcept { return f("one").n; }
struct Guard { const callable& f; ~Guard() { f("two"); } };
}
inline int passed(callable f) { return inner::silent(f); }
inline int end(callable f) { inner::Guard guard{f}; return 1; }
struct Item { int n = 0; Item() {} ~Item() {} int passed(callable f) { return inner::silent(f); } };
inline int caught(callable f) { try { return f("one").n; } catch (const std::exception&) { return -1; } }
inline void own_handler() { std::set_terminate([] { std::fputs("the user's handler\n", stderr); std::_Exit(9); }); }
inline int ends() noexcept { throw std::runtime_error("no callable's"); }
"""
SCRIPT = """
import sys, warnings
import samebytes as sb
warnings.simplefilter("ignore")
lib = sb.compile({source!r}, std="c++17", name="words")
def raises(x):
    raise KeyError("the one")
def good(x):
    return x
print("before", flush=True)
{line}
"""
# A line, how the process ends, what it says, and what it does not say.
ROWS: dict[str, tuple[str, int, tuple[str, ...], tuple[str, ...]]] = {
    "a noexcept function in between": (
        "lib.passed(raises)", -signal.SIGABRT, ("in words.passed()", "KeyError: 'the one'", "in raises"), ()),
    "a destructor in between": ("lib.end(raises)", -signal.SIGABRT, ("in words.end()", "KeyError: 'the one'"), ()),
    "a method": ("lib.Item().passed(raises)", -signal.SIGABRT, ("in Item.passed()", "KeyError: 'the one'"), ()),
    "the user's own handler comes next": (
        "lib.own_handler(); lib.passed(raises)", 9, ("in words.passed()", "the user's handler"), ()),
    "the user's handler that came later": (
        "assert not refused(raises); lib.own_handler(); lib.passed(raises)", 9, ("words.passed()", "the user's"), ()),
    "one that was caught says nothing": ("refused(raises)", 0, (), ("samebytes", "Traceback")),
    "an end that has another reason": ("refused(raises); lib.ends()", -signal.SIGABRT, (), ("samebytes", "KeyError")),
}  # fmt: skip
REFUSED = """
def refused(f):
    try: lib.caught(f)
    except KeyError: return False
"""


@pytest.fixture(scope="module", autouse=True)
def _built() -> None:
    sb.compile(SOURCE, std="c++17", name="words")


@pytest.mark.parametrize("name", ROWS)
def test_what_a_process_says_last(name: str, tmp_path: Path) -> None:
    line, code, words, others = ROWS[name]
    file = tmp_path / "script.py"
    file.write_text(SCRIPT.format(source=SOURCE, line=REFUSED + line))
    done = subprocess.run(
        [sys.executable, str(file)], capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.returncode, done.stdout) == (code, "before\n"), done.stderr
    assert not [word for word in words if word not in done.stderr], done.stderr
    assert not [word for word in others if word in done.stderr], done.stderr
