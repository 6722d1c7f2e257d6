"""Operators that C++ finds in a base and lets nobody use: it looks at access when it has chosen."""

from __future__ import annotations

from pathlib import Path
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


DELETED = """#include <string>
struct Box { enum Ne { n5 = 5 }; };
struct K0 { int n = 1; operator int() const { return 4; } int operator-(const std::string&) const { return 1; } };
struct K1 : protected K0 { operator double() { return 2.5; } int operator-(Box::Ne) = delete; };
struct K2 : virtual K1 { operator long() { return 5; } using K1::operator-; };
struct K3 : K0 {};
"""


@pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
def test_a_deleted_operator_and_numbers_of_two_classes_ask_each_other_once(tmp_path: Path) -> None:
    lib = sb.compile(DELETED)
    pairs = [(a, b) for a in ("K0", "K1", "K2", "K3") for b in ("K0", "K1", "K2", "K3")]
    statements = [f'{{ {a} a; {b} b; int v = a - b; std::printf("%d\\n", v); }}' for a, b in pairs]
    for (a, b), cxx in zip(pairs, answers(DELETED, statements, "gnu++17", tmp_path), strict=True):
        try:
            found = str(getattr(lib, a)() - getattr(lib, b)())
        except TypeError:
            continue  # as C++ does, or for several conversions
        assert found == cxx, (a, b)
