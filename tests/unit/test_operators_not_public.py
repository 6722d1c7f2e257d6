"""Operators that C++ finds in a base and lets nobody use: it looks at access when it has chosen."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

from ..of_gcc import REFUSED, answers

pytestmark = pytest.mark.full  # g++ compiles each program three times
MEMBERS = """int operator<(int) const { return 21; } int operator==(int) const { return 21; }
  int operator~() const { return 21; } int operator-(const std::string&) const { return 21; }
  int operator*(double) const { return 21; } int operator%=(int) { return 21; } int operator+=(int) { return 21; }"""
CODE = f"""
#include <string>
struct Number {{ int v = 3; operator int() const {{ return v; }} }};
struct Closed {{ protected: {MEMBERS} }};
struct Open {{ {MEMBERS} }};
struct Here : Closed, Number {{ int x; }};
struct Virtual : virtual Closed, Number {{ int x; }};
struct Private : private Open, Number {{ int x; }};
struct PrivateVirtual : private virtual Open, Number {{ int x; }};
struct Protected : protected Open, Number {{ int x; }};
struct Two : Open, Closed, Number {{}};
struct Hiding : virtual Open {{ private: {MEMBERS} }};
struct Beside : virtual Open, Number {{}};
struct Diamond : Hiding, Beside {{}};
struct OfHere : Here {{}};
struct OfVirtual : Virtual {{}};
struct OfPrivate : Private {{}};
struct FreeHere : Closed, Number {{ int x; }};
inline int operator<(const FreeHere&, int) {{ return 41; }}
inline int operator*(const FreeHere&, int) {{ return 43; }}
struct FreeVirtual : virtual Closed, Number {{ int x; }};
inline int operator<(const FreeVirtual&, int) {{ return 41; }}
inline int operator*(const FreeVirtual&, int) {{ return 43; }}
struct FreePrivate : private Open, Number {{ int x; }};
inline int operator<(const FreePrivate&, int) {{ return 41; }}
inline int operator*(const FreePrivate&, int) {{ return 43; }}
struct FreeOfBase : Closed, Number {{ int x; }};
inline int operator<(const Number&, int) {{ return 45; }}
"""
CLASSES = [
    "Here", "Virtual", "Private", "PrivateVirtual", "Protected", "Two", "Diamond", "OfHere", "OfVirtual", "OfPrivate",
    "FreeHere", "FreeVirtual", "FreePrivate", "FreeOfBase",
]  # fmt: skip
USES = [
    "x < 7",
    "x < 7.5",
    "x == 3",
    "x == x",
    "~x",
    "x - 7",
    "x * 2",
    "x * 2.5",
    "x < x",
    "x %= 1",
    "x += 1",
]
ROWS = [(name, use) for name in CLASSES for use in USES]


@pytest.fixture(scope="module", params=["gnu++17", "gnu++20"])
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    asked = [f'{{ {name} x; std::printf("%d\\n", (int)({use})); }}' for name, use in ROWS]
    said = answers(CODE, asked, request.param, tmp_path_factory.mktemp("asked"))
    lib = sb.compile(CODE, std=request.param, name="operators_not_public")
    return lib, dict(zip(ROWS, said, strict=True))


def _in_python(lib: Any, name: str, use: str) -> str:
    names = {"x": getattr(lib, name)()}
    try:
        exec(use if "= " in use and "==" not in use else f"x = {use}", names)
        return str(int(names["x"]))
    except (sb.Error, TypeError):
        return REFUSED


@each("name, use", ROWS)
def test_it_is_that_of_gcc_or_refused(both: Any, name: str, use: str) -> None:
    lib, said = both
    assert _in_python(lib, name, use) in (said[name, use], REFUSED)


@each("name, use", [row for row in ROWS if row[0] in ("FreeHere", "FreeVirtual", "FreePrivate") and row[1] in
                    ("x < 7", "x * 2")])  # fmt: skip
def test_a_nearer_one_answers(both: Any, name: str, use: str) -> None:
    lib, said = both
    assert _in_python(lib, name, use) == said[name, use] != REFUSED
