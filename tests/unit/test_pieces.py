"""Large libraries are compiled in pieces: what they do is what one file does."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb
from samebytes.make import compiling

pytestmark = pytest.mark.full  # large headers

CALLS = "\n".join(f"static inline int add{i}(int n) {{ return n + {i}; }}" for i in range(12))
HEADERS = {
    "variables of each file": "static int count = 0;\n%s\nstatic inline int first(void) { return ++count; }\n"
    f"{CALLS}\nstatic inline int last(void) {{ return ++count; }}",
    "variables of functions": "%s\nstatic inline int next(void) { static int count = 0; return ++count; }\n"
    "static inline int first(void) { return next(); }\n"
    f"{CALLS}\nstatic inline int last(void) {{ return next(); }}",
    "definitions": "int count = 0;\n%s\nint first(void) { return ++count; }\n"
    f"{CALLS}\nint last(void) {{ return ++count; }}",
    "constants": "static const int step = 1;\n%s\nint missing(int n);\n"
    f"static inline int first(void) {{ return step; }}\n{CALLS}\n"
    "static inline int last(void) { return 2 * step; }\nvoid absent(void);",
}
# What reading shows needs no first attempt: a variable that each file would have.
FILES = {"variables of each file": [1], "definitions": [1], "constants": [3]}
CXX = """
#include <string>
#include <vector>
inline int shared = 0;
template <class T> struct box {
  T value;
  T& at(int) { return value; }
  T half() const { return value / 2; }
  bool less(const box& o) const { return value < o.value; }
};
struct opaque { std::string s; };
using ints = box<int>;
using opaques = box<opaque>;
struct Base { virtual ~Base() {} virtual int id() const { return 1; } };
struct Derived : Base { int id() const override { return 2; } };
inline Base* made() { static Derived d; return &d; }
inline std::string text(const std::string& s) { ++shared; return s + "!"; }
inline std::vector<int> twice(const std::vector<int>& v) { ++shared; auto w = v; for (int& x : w) x *= 2; return w; }
inline int calls() { return shared; }
int nowhere(int);
"""


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Libraries count as large, and the numbers of pieces in which they are compiled are noted."""
    monkeypatch.setattr(compiling, "LARGE", 4)
    monkeypatch.setattr(compiling, "_PIECE", {"c": 4, "c++": 4})
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    found: list[int] = []
    compiled = compiling.compile_texts

    def noted(request: Any, texts: Any, *rest: Any, **named: Any) -> Any:
        found.append(len(texts))
        return compiled(request, texts, *rest, **named)

    monkeypatch.setattr(compiling, "compile_texts", noted)
    return found


@pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("what", HEADERS)
def test_variables_are_there_once(what: str, language: str, small_pieces: list[int], tmp_path: Path) -> None:
    header = tmp_path / f"pieces_{language[1:]}.h"
    header.write_text(HEADERS[what] % f"/* {language} */")
    lib = sb.bind(header, language=language, eager=True)
    assert (lib.first(), lib.last()) == (1, 2)
    assert [getattr(lib, f"add{i}")(1) for i in range(12)] == list(range(1, 13))
    assert small_pieces == FILES.get(what, [3, 1])
    assert {s.name.partition("(")[0] for s in lib.__skipped__} == (
        {"missing", "absent"} if what == "constants" else set()
    )


def test_a_large_cxx_header(small_pieces: list[int], tmp_path: Path) -> None:
    header = tmp_path / "pieces.hpp"
    header.write_text(CXX)
    with pytest.warns(sb.BindWarning):
        lib = sb.bind(header, eager=True)
    assert (lib.text("a"), list(lib.twice([1, 2])), lib.calls()) == ("a!", [2, 4], 2)
    assert (lib.ints(8).half(), lib.ints(1).less(lib.ints(2)), lib.made().id()) == (4, True, 2)
    reasons = {s.name.partition("(")[0]: s.reason for s in lib.__skipped__}
    assert set(reasons) == {"box<opaque>::half", "box<opaque>::less", "nowhere"}
    assert "refuses" in reasons["box<opaque>::half"]
    assert small_pieces[0] == 3


REFUSED = "\n".join(
    f"template <class T> struct wide{i} {{ T value; T half() const {{ return value / 2; }} }};\n"
    f"using wides{i} = wide{i}<opaque>;"
    for i in range(3)
)


def test_one_file_is_not_checked_beforehand(
    small_pieces: list[int], monkeypatch: Any, tmp_path: Path
) -> None:
    checked: list[Any] = []
    monkeypatch.setattr(compiling.Isolation, "error", lambda *given: checked.append(given))
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    header = tmp_path / "one_piece.hpp"
    header.write_text(f"{CXX}\n{REFUSED}")
    with pytest.warns(sb.BindWarning):
        lib = sb.bind(header, eager=True)
    assert (lib.text("a"), lib.ints(8).half(), lib.calls()) == ("a!", 4, 1)
    reasons = {s.name.partition("(")[0]: s.reason for s in lib.__skipped__}
    halves = {f"wide{i}<opaque>::half" for i in range(3)}
    assert set(reasons) == {"box<opaque>::half", "box<opaque>::less", "nowhere"} | halves
    assert all("no match for" in reasons[name] for name in halves)
    assert not checked
    assert set(small_pieces) == {1}
