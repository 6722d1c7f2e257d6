"""What cppyy's test_operators.py is about: C++'s operators, written in Python as they are written in C++."""

from __future__ import annotations

import pytest

import samebytes as sb

from ..both import Both

pytestmark = pytest.mark.full

CODE = r"""
#include <string>
// A clock's hours: every result lies in 0..22, so that Python's own arithmetic would be wrong.
class Hour {
  int h;
public:
  Hour(int v = 0) : h(((v % 23) + 23) % 23) {}
  int value() const { return h; }
  Hour operator+(const Hour& o) const { return h + o.h; }
  Hour operator+(int o) const { return h + o; }
  Hour operator-(const Hour& o) const { return h - o.h; }
  Hour operator-(int o) const { return h - o; }
  Hour operator*(const Hour& o) const { return h * o.h; }
  Hour operator*(int o) const { return h * o; }
  Hour operator/(const Hour& o) const { return h / o.h; }
  Hour operator/(int o) const { return h / o; }
  Hour operator%(const Hour& o) const { return h % o.h; }
  Hour operator%(int o) const { return h % o; }
  Hour operator&(const Hour& o) const { return h & o.h; }
  Hour operator|(const Hour& o) const { return h | o.h; }
  Hour operator^(const Hour& o) const { return h ^ o.h; }
  Hour operator<<(int n) const { return h << n; }
  Hour operator>>(int n) const { return h >> n; }
  Hour& operator+=(const Hour& o) { return *this = *this + o; }
  Hour& operator-=(const Hour& o) { return *this = *this - o; }
  Hour& operator*=(const Hour& o) { return *this = *this * o; }
  Hour& operator/=(const Hour& o) { return *this = *this / o; }
  Hour& operator%=(const Hour& o) { return *this = *this % o; }
  Hour& operator&=(const Hour& o) { return *this = *this & o; }
  Hour& operator|=(const Hour& o) { return *this = *this | o; }
  Hour& operator^=(const Hour& o) { return *this = *this ^ o; }
  Hour& operator<<=(int n) { return *this = *this << n; }
  Hour& operator>>=(int n) { return *this = *this >> n; }
  Hour operator-() const { return -h; }
  Hour operator+() const { return h + 1; }
  Hour operator~() const { return ~h; }
  bool operator<(const Hour& o) const { return h < o.h; }
  bool operator>(const Hour& o) const { return h > o.h; }
  bool operator<=(const Hour& o) const { return h <= o.h; }
  bool operator>=(const Hour& o) const { return h >= o.h; }
  bool operator==(const Hour& o) const { return h == o.h; }
  bool operator!=(const Hour& o) const { return h != o.h; }
  operator bool() { return h != 0; }
};

// Each is one type; what it converts to is not its member.
struct Short { short v; Short(short x) : v(x) {} operator short() { return v + 1; } };
struct Int { int v; Int(int x) : v(x) {} operator int() { return v + 1; } };
struct Unsigned { unsigned v; Unsigned(unsigned x) : v(x) {} operator unsigned() { return v + 1; } };
struct Long { long v; Long(long x) : v(x) {} operator long() { return v + 1; } };
struct ULong { unsigned long v; ULong(unsigned long x) : v(x) {} operator unsigned long() { return v + 1; } };
struct Float { float v; Float(float x) : v(x) {} operator float() { return v + 1; } };
struct Double { double v; Double(double x) : v(x) {} operator double() { return v + 1; } };

// Equality of a base, hidden by a derived class, and overridden by another.
class Level {
protected:
  int n;
public:
  Level(int v) : n(v) {}
  virtual ~Level() {}
  virtual bool operator==(const Level& o) const { return n == o.n; }
  bool operator<(const Level& o) const { return n < o.n; }
};
struct Opposite : Level {
  Opposite(int v) : Level(v) {}
  bool operator==(const Opposite& o) const { return n != o.n; }
};
struct Never : Level {
  Never(int v) : Level(v) {}
  bool operator==(const Level&) const override { return false; }
  bool operator>(const Level&) const { return true; }
};

struct Cells {
  int cell = 42;
  int& operator()(int i, int j) { return cell += 0 * (i + j); }
  const int& operator()(int, int) const { return cell; }
  int& operator[](int) { return cell; }
  int operator[](int) const { return cell; }
};
struct Called { int cell = 42; int& operator()(int, int) { return cell; } };
struct Indexed { int cell = 42; int& operator[](int) { return cell; } };
struct Scale { float operator[](float x) { return x; } };
struct Scaled : Scale { float operator()(float) { return 5.f; } };

struct AnyLess { template <class T> bool operator<(T t) { return t > 3; } };

struct Left { double v; friend Left operator+(int n, Left& a) { return {n - a.v}; } };
struct Sided {
  double v;
  friend Sided operator*(int n, Sided& a) { return {n * a.v}; }
  friend Sided operator*(Sided& a, int n) { return {n * a.v + 1}; }
};

namespace plane {
struct Arrow { double x, y; };
inline double operator*(const Arrow& a, const Arrow& b) { return a.x * b.x + a.y * b.y; }
inline Arrow operator*(const Arrow& a, double k) { return {a.x * k, a.y * k}; }
inline double operator/(const Arrow& a, const Arrow& b) { return a.x / b.x + a.y / b.y; }
inline Arrow operator/(const Arrow& a, double k) { return {a.x / k, a.y / k}; }
inline double operator+(const Arrow& a, const Arrow& b) { return a.x + b.x + a.y + b.y; }
inline Arrow operator+(const Arrow& a, double k) { return {a.x + k, a.y + k}; }
inline double operator-(const Arrow& a, const Arrow& b) { return a.x - b.x + a.y - b.y; }
inline Arrow operator-(const Arrow& a, double k) { return {a.x - k, a.y - k}; }
inline Arrow operator-(const Arrow& a) { return {-a.x, -a.y}; }
inline Arrow operator+(const Arrow& a) { return {a.x + 100, a.y}; }
inline Arrow operator~(const Arrow& a) { return {a.y, a.x}; }
}
struct Global { int v; };
inline Global operator-(const Global& g) { return {-g.v}; }
inline Global operator+(const Global& g) { return {g.v + 100}; }
inline Global operator~(const Global& g) { return {~g.v}; }

// A position: the distance of two is a free function, a step is a member.
struct Position {
  const int* at;
  Position operator-(int n) const { return {at - n}; }
  int value() const { return *at; }
};
inline long operator-(const Position& a, const Position& b) { return a.at - b.at; }
inline const int* some() { static int values[] = {4, 5, 6}; return values; }
inline Position first() { return {some()}; }
inline Position last() { return {some() + 3}; }

namespace ordered {
struct Lt { int v; Lt(int x) : v(x) {} }; inline bool operator<(const Lt& a, const Lt& b) { return a.v < b.v; }
struct Le { int v; Le(int x) : v(x) {} }; inline bool operator<=(const Le& a, const Le& b) { return a.v <= b.v; }
struct Gt { int v; Gt(int x) : v(x) {} }; inline bool operator>(const Gt& a, const Gt& b) { return a.v > b.v; }
struct Ge { int v; Ge(int x) : v(x) {} }; inline bool operator>=(const Ge& a, const Ge& b) { return a.v >= b.v; }
}

class Self { public: Self* operator->() { return this; } int there() { return 7; } };
"""

BINARY = [
    (20, "+", "Hour(10)"), (20, "+", 10), (5, "-", "Hour(10)"), (5, "-", 10), (20, "*", "Hour(10)"), (20, "*", 10),
    (20, "/", "Hour(7)"), (20, "/", 7), (20, "%", "Hour(7)"), (20, "%", 7), (5, "&", "Hour(14)"), (5, "|", "Hour(14)"),
    (5, "^", "Hour(14)"), (20, "<<", 2), (20, ">>", 2),
]  # fmt: skip
PAIRS = [
    (a, b, i, j)
    for a, b in (("Level", "Level"), ("Opposite", "Opposite"), ("Level", "Opposite"), ("Never", "Level"))
    for i, j in ((1, 1), (1, 2))
    if (a, i) != ("Never", j)
]
BOTH = Both(
    {
        "math": [f"(Hour({a}) {op} {b}).value()" for a, op, b in BINARY],
        "unary": [f"({op}Hour(20)).value()" for op in "-+~"],
        "order": [f"Hour({a}) {op} Hour({b})" for op in ("<", ">", "<=", ">=", "==", "!=")
                  for a, b in ((2, 3), (3, 2), (2, 2))],
        "truth": ["bool(Hour(20))", "bool(Hour(0))", "bool(Hour(23))"],
        "exact": ["int(Int(-13))", "long(Long(1073741824))", "double(Double(3.1415))"],
        "approximate": ["int(Short(256))", "long(Unsigned(2147483679))", "ulong(ULong(9223372036854775935))",
                        "double(Float(3.14))", "double(Int(4))"],
        "equal": [f"{a}({i}) == {b}({j})" for a, b, i, j in PAIRS],
        "cells": ["Cells()(1, 2)", "Cells()[1]", "Called()(1, 2)", "Indexed()[7]"],
        "single": ["Scale()[42]", "Scaled()[42]", "Scaled()(42)"],
        "any": ["AnyLess() < 1", "AnyLess() < 4", "AnyLess() < 3.5"],
        "free": ["(5 + left).v", "(3 * sided).v", "(sided * 3).v"],
        "arrows": [f"arrow {op} other" for op in "*/+-"] + [f"(arrow {op} 2).{c}" for op in "*/+-" for c in "xy"],
        "signs": [f"({op}{of}).{c}" for op in "-+~" for of, c in (("arrow", "x"), ("arrow", "y"), ("whole", "v"))],
        "mixed": ["(last() - 1).value()", "last() - first()", "(last() - 1) - first()", "(last() - 3).value()"],
        "global": [f"{c}({a}) {op} {c}({b})" for c, op in (("Lt", "<"), ("Le", "<="), ("Gt", ">"), ("Ge", ">="))
                   for a, b in ((4, 5), (5, 4), (4, 4))],
    },
    before="""using namespace plane; using namespace ordered; using std::string; using ulong = unsigned long;
        Left left{5}; Sided sided{5}; Arrow arrow{1, 2}, other{3, 5}; Global whole{42};
        (void)left, (void)sided, (void)arrow, (void)other, (void)whole;""",
)  # fmt: skip
IN_PLACE = [f"n {op}= Hour({k})" for op, k in zip("+-*/%&|^", (10, 21, 5, 3, 4, 6, 9, 3), strict=True)]
IN_PLACE += ["n <<= 3", "n >>= 1"]
STEPS = "".join(
    f"inline int cxx_step_{i}() {{ Hour n(20); {text}; return n.value(); }}\n"
    for i, text in enumerate(IN_PLACE)
)


TEXTS = """
#include <string>
struct Chars { char text[5] = "text"; operator char*() { return text; } };
struct ConstChars { operator const char*() const { return "text"; } };
struct HandleOfChars { char text[5] = "text"; ~HandleOfChars() {} operator char*() { return text; } };
struct BothChars { char text[5] = "text"; operator char*() { return text; }
  operator const char*() const { return "no"; } };
"""
TEXTS += "".join(
    f"inline std::string cxx_text_of_{name}({name}& x) {{ return std::string(x); }}\n"
    for name in ("Chars", "ConstChars", "HandleOfChars", "BothChars")
)


@pytest.fixture(scope="module")
def lib():
    return sb.compile(CODE + BOTH.code + STEPS + TEXTS)


@pytest.mark.behaviour("test01_math_operators")
def test_binary_operators(lib):
    BOTH.check(lib, "math")


@pytest.mark.behaviour("test02_unary_math_operators")
def test_in_place_operators_change_the_object(lib):
    for i, text in enumerate(IN_PLACE):
        n = before = lib.Hour(20)
        names = {"n": n, "Hour": lib.Hour}
        exec(text, names)
        assert names["n"] is before
        assert before.value() == getattr(lib, f"cxx_step_{i}")(), text


@pytest.mark.behaviour("test02_unary_math_operators")
def test_signs(lib):
    BOTH.check(lib, "unary")


@pytest.mark.behaviour("test03_comparison_operators")
def test_comparisons(lib):
    BOTH.check(lib, "order")


@pytest.mark.behaviour("test04_boolean_operator")
def test_truth(lib):
    BOTH.check(lib, "truth")


@pytest.mark.behaviour("test05_exact_types")
def test_conversions_to_numbers(lib):
    BOTH.check(lib, "exact", long=int, double=float)


@pytest.mark.behaviour("test05_exact_types")
@pytest.mark.parametrize("name", ["Chars", "ConstChars", "HandleOfChars", "BothChars"])
def test_conversions_to_text(lib, name):
    shown = getattr(lib, name)()
    assert str(shown) == getattr(lib, f"cxx_text_of_{name}")(shown) == "text"


@pytest.mark.behaviour("test06_approximate_types")
def test_conversions_to_numbers_of_other_widths(lib):
    BOTH.check(lib, "approximate", long=int, double=float, ulong=int)


@pytest.mark.behaviour("test07_virtual_operator_eq", refused=True)
def test_equality_of_bases_and_derived(lib):
    BOTH.check(lib, "equal")
    with pytest.raises(sb.ArgumentError, match=r"Never == Level is False in C\+\+, Level == Never is True"):
        bool(lib.Level(1) == lib.Never(1))


@pytest.mark.behaviour("test08_call_to_getsetitem_mapping")
def test_calls_and_subscripts(lib):
    BOTH.check(lib, "cells")
    for kind in (lib.Cells, lib.Indexed):
        m = kind()
        m[3] = 27
        assert (m[3], m.cell) == (27, 27)
        m.cell = 74
        assert m[0] == 74
    m = lib.Cells()
    m[1] = 5
    assert m(1, 2) == 5


@pytest.mark.behaviour("test09_templated_operator")
def test_operator_templates(lib):
    BOTH.check(lib, "any")


@pytest.mark.behaviour("test10_r_non_associative")
def test_free_operators_with_the_number_on_the_left(lib):
    names = {"left": lib.Left(5), "sided": lib.Sided(5)}
    for _ in range(2):
        BOTH.check(lib, "free", **names)
        with pytest.raises(TypeError, match="unsupported operand"):
            names["left"] + 5


@pytest.mark.behaviour("test11_overloaded_operators")
def test_overloaded_free_operators(lib):
    BOTH.check(lib, "arrows", arrow=lib.plane.Arrow(1, 2), other=lib.plane.Arrow(3, 5))


@pytest.mark.behaviour("test12_unary_operators")
def test_free_unary_operators(lib):
    BOTH.check(lib, "signs", arrow=lib.plane.Arrow(1, 2), whole=lib.Global(42))


@pytest.mark.behaviour("test14_single_argument_call")
def test_a_call_and_a_subscript_are_apart(lib):
    BOTH.check(lib, "single")


@pytest.mark.behaviour("test15_class_and_global_mix")
def test_an_operator_of_the_class_and_a_free_one(lib):
    BOTH.check(lib, "mixed")


@pytest.mark.behaviour("test16_global_ordered_operators")
def test_free_comparisons(lib):
    BOTH.check(lib, "global", **{name: getattr(lib.ordered, name) for name in ("Lt", "Le", "Gt", "Ge")})


@pytest.mark.behaviour("test17_arrow_operator_recursion")
def test_an_arrow_to_itself_ends(lib):
    assert lib.Self().there() == 7
    with pytest.raises(AttributeError, match="elsewhere"):
        lib.Self().elsewhere()


@pytest.mark.behaviour("test13_comma_operator")
def test_operators_that_python_lacks_go_by_their_names():
    lib = sb.compile("""
struct Till { int n = 0; Till& operator,(int i) { n += i; return *this; } };
""")
    till = lib.Till()
    assert getattr(till, "operator,")(2) is till
    getattr(getattr(till, "operator,")(3), "operator,")(4)
    assert till.n == 9
