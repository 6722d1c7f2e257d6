"""Two conversion operators of a class, each beside g++: to an object, in each form, and to numbers."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

from ..of_gcc import REFUSED, answers

pytestmark = pytest.mark.full  # g++ compiles each program three times
OF_OBJECTS = [
    "A() {{ return A({n}); }}", "A() const {{ return A({n}); }}",
    "A&() {{ return a{n}; }}", "A&() const {{ return a{n}; }}",
    "const A&() {{ return a{n}; }}", "const A&() const {{ return a{n}; }}",
    "A&&() {{ return (A&&)a{n}; }}", "A&&() const {{ return (A&&)a{n}; }}",
    "D() {{ return D({n}); }}", "D() const {{ return D({n}); }}", "D&() const {{ return d{n}; }}",
]  # fmt: skip
OF_NUMBERS = [
    "int() {{ return {n}; }}", "int() const {{ return {n}; }}", "double() {{ return {n}.5; }}",
    "double() const {{ return {n}.5; }}", "bool() {{ return true; }}", "long long() const {{ return {n}; }}",
]  # fmt: skip
START = """
#include <string>
struct A { int v; explicit A(int n) : v(n) {} A(const A&) = default; A(A&&) = default; };
struct D : A { D(int n) : A(n) {} };
inline int value(A a) { return a.v; } inline int read(const A& a) { return a.v; }
inline int moved(A&& a) { return a.v; }
inline int whole(int x) { return x; } inline double real(double x) { return x; }
inline int either(int) { return 1; } inline int either(double) { return 2; }
struct Text { operator const char*() const { return "5"; } };
struct Both { operator const char*() const { return "5"; } operator std::string() const { return "6"; } };
struct Char { operator char*() const { return text; } static inline char text[2] = "7"; };
inline int string(std::string s) { return std::stoi(s); }
inline int string_read(const std::string& s) { return std::stoi(s); }
inline int address(const char* s) { return std::stoi(s); } inline int view(std::string_view s) { return s.size(); }
"""
EXPLICIT = """
struct Made { int v; Made(int n = 0) : v(n) {} };
struct Alone { explicit operator Made() const { return Made(7); } };
struct Beside { explicit operator Made() const { return Made(7); } operator int() const { return 9; } };
struct Below : Beside {};
struct Nearer { int v; Nearer(int n = 0) : v(n) {} Nearer(const Beside&) : v(5) {} };
"""
PAIRS = [
    (f"{kind}{number}", one, other)
    for kind, operators in (("V", OF_OBJECTS), ("N", OF_NUMBERS))
    for number, (one, other) in enumerate(combinations_with_replacement(operators, 2))
]
CALLS = {
    "V": ["value(x)", "read(x)", "moved(x)"],
    "N": ["whole(x)", "real(x)", "either(x)", "x + 1", "x < 2", "-x"],
}
TEXTS = ["string", "string_read", "address", "view"]
ROWS = [
    *((name, const, call) for name, *_ in PAIRS for const in (False, True) for call in CALLS[name[0]]),
    *((name, False, f"{call}(x)") for name in ("Text", "Both", "Char") for call in TEXTS),
]  # fmt: skip


def _declared(name: str, one: str, other: str) -> str:
    second = f"operator {other.format(n=2)}" if one != other else ""
    members = f"operator {one.format(n=1)} {second}"
    held = "mutable A a1{1}, a2{2}; mutable D d1{1}, d2{2};" * (name[0] == "V")
    given = f"inline const {name}& const_{name}() {{ static {name} x; return x; }}"
    return f"struct {name} {{ int n = 0; {name}() {{}} {held} {members} }}; {given}\n"


CODE = START + "".join(_declared(*pair) for pair in PAIRS)


def _asked(name: str, const: bool, call: str) -> str:
    made = f"auto& x = const_{name}();" if const else f"{name} x;"
    return f'{{ {made} std::printf("%g\\n", (double)({call})); }}'


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Any:
    said = answers(CODE, [_asked(*row) for row in ROWS], "gnu++17", tmp_path_factory.mktemp("asked"))
    return sb.compile(CODE, name="conversion_pairs"), dict(zip(ROWS, said, strict=True))


def _in_python(lib: Any, name: str, const: bool, call: str) -> str:
    x = getattr(lib, f"const_{name}")() if const else getattr(lib, name)()
    functions = {f: getattr(lib, f) for f in dir(lib) if f[0].islower()}
    try:
        return f"{float(eval(call, functions | {'x': x})):g}"
    except (sb.Error, TypeError):
        return REFUSED


@each("name, const, call", ROWS)
def test_it_is_that_of_gcc_or_refused(both: Any, name: str, const: bool, call: str) -> None:
    lib, said = both
    assert _in_python(lib, name, const, call) in (said[name, const, call], REFUSED)


@each("name, const, call", [row for row in ROWS if row[0][0] == "V"])
def test_objects_are_converted_where_gcc_does(both: Any, name: str, const: bool, call: str) -> None:
    lib, said = both
    assert _in_python(lib, name, const, call) == said[name, const, call]


def test_an_explicit_conversion_makes_an_object_before_constructors_of_what_the_argument_becomes() -> None:
    """From C++17 on, ``Made(x)`` is what the conversion gives; before, it is ambiguous."""
    lib = sb.compile(EXPLICIT, name="conversion_pairs_explicit")
    for cls in (lib.Alone, lib.Beside, lib.Below):
        with pytest.raises(sb.ArgumentError, match=r"::operator Made\(\) const, which is explicit: getattr"):
            lib.Made(cls())
        assert getattr(cls(), "operator Made")().v == 7
    assert (lib.Nearer(lib.Beside()).v, lib.Made(3).v) == (5, 3)
