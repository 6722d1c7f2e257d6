"""Which side of a comparison an object stands on: Python asks that of a derived class first, and C++ the left one."""

from __future__ import annotations

import operator
import re
from typing import Any

import pytest

import samebytes as sb

CODE = r"""
struct Level {
  int n;
  Level(int v) : n(v) {}
  virtual ~Level() {}
  virtual bool operator==(const Level& o) const { return n == o.n; }
  bool operator<(const Level& o) const { return n < o.n; }
  bool operator>=(const Level& o) const { return n >= o.n; }
};
struct Never : Level {  // says otherwise with any Level
  Never(int v) : Level(v) {}
  bool operator==(const Level&) const override { return false; }
  bool operator>(const Level&) const { return false; }
};
struct Agreeing : Level {  // says the same
  Agreeing(int v) : Level(v) {}
  bool operator==(const Level& o) const override { return n == o.n; }
};
struct Apart : Level {  // takes no Level
  Apart(int v) : Level(v) {}
  bool operator==(const Apart& o) const { return n != o.n; }
};
struct Plain { int n; Plain(int v) : n(v) {} };
struct OfPlain : Plain { OfPlain(int v) : Plain(v) {} bool operator==(const Plain& o) const { return n == o.n; } };
inline int level_never(const Level& a, const Never& b) { return a == b; }
inline int never_level(const Never& a, const Level& b) { return a == b; }
"""
SIGNS = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, ">": operator.gt}
WRITTEN = SIGNS | {"<": lambda a, b: a < b}  # the code shows which stands on the left


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(CODE)


@pytest.mark.parametrize(
    ("left", "sign", "right", "answer"),
    [
        ("Level(1)", "==", "Never(2)", False),
        ("Never(1)", "==", "Never(1)", False),
        ("Never(1)", "!=", "Never(1)", True),
        ("Level(1)", "==", "Agreeing(1)", True),
        ("Agreeing(1)", "==", "Level(2)", False),
        ("Agreeing(1)", "==", "Level(1)", True),
        ("Level(1)", "==", "Apart(1)", True),
        ("Apart(1)", "==", "Apart(1)", False),
        ("OfPlain(1)", "==", "Plain(1)", True),
        ("Level(2)", "<", "Never(1)", False),
        ("Never(1)", "<", "Level(2)", True),
    ],
)
def test_what_both_sides_agree_on(lib: Any, left: str, sign: str, right: str, answer: bool) -> None:
    assert WRITTEN[sign](eval(f"lib.{left}"), eval(f"lib.{right}")) is answer


@pytest.mark.parametrize(("sign", "right"), [("==", 1), ("!=", 1), ("<", 2)])
def test_what_they_do_not_agree_on_is_refused(lib: Any, sign: str, right: int) -> None:
    with pytest.raises(
        sb.ArgumentError, match=r"in C\+\+, Level .* Never is True, and Python asks Never for both"
    ):
        SIGNS[sign](lib.Level(1), lib.Never(right))


def test_the_hints_work(lib: Any) -> None:
    level, never = lib.Level(1), lib.Never(1)
    with pytest.raises(sb.ArgumentError) as raised:
        operator.eq(never, level)  # no code shows what it compares
    written = re.findall(r"(\w+\.__\w+__(?:\.__wrapped__)?\([xy], [xy]\))", str(raised.value))
    answers = [eval(f"lib.{text}", {"lib": lib, "x": never, "y": level}) for text in written]
    assert (
        answers == [bool(lib.never_level(never, level)), bool(lib.level_never(level, never))] == [False, True]
    )
