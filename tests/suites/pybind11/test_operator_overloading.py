"""pybind11's test_operator_overloading.py in our words: operators of classes, their results and what these are."""

from __future__ import annotations

import gc

import pytest

import samebytes as sb

from ..both import Both

pytestmark = pytest.mark.full

OPERATORS = Both(
    {
        "vectors": [
            "-b", "a + b", "a - b", "a - 8", "a + 8", "a * 8", "a / 8", "8 - a", "8 + a", "8 * a", "8 / a",
            "a * b", "b / a", "a + 2 * b", "-(a - b) / 2", "8 - a * b + 1",
        ],
        "answers": ["a == c", "a != c", "a == b", "a != b", "(a + b).length()", "int(length(-b))"],
        "sides": ["one + one", "two + two", "two + one", "one + two"],
    },
    before="Vec a(1, 2), b(3, -1), c(1, 2); One one; Two two; (void)one; (void)two;",
)  # fmt: skip

SOURCE = r"""
#include <cmath>
#include <functional>
#include <string>
#include <unordered_set>
class Vec {
  float x, y;
public:
  Vec(float x, float y) : x(x), y(y) {}
  Vec(const Vec& o) : x(o.x), y(o.y) {}
  Vec& operator=(const Vec&) = default;
  operator std::string() const { return "[" + std::to_string(x) + ", " + std::to_string(y) + "]"; }
  float length() const { return std::sqrt(x * x + y * y); }
  Vec operator-() const { return Vec(-x, -y); }
  Vec operator+(const Vec& o) const { return Vec(x + o.x, y + o.y); }
  Vec operator-(const Vec& o) const { return Vec(x - o.x, y - o.y); }
  Vec operator*(const Vec& o) const { return Vec(x * o.x, y * o.y); }
  Vec operator/(const Vec& o) const { return Vec(x / o.x, y / o.y); }
  Vec operator+(float f) const { return Vec(x + f, y + f); }
  Vec operator-(float f) const { return Vec(x - f, y - f); }
  Vec operator*(float f) const { return Vec(x * f, y * f); }
  Vec operator/(float f) const { return Vec(x / f, y / f); }
  Vec& operator+=(const Vec& o) { return *this = *this + o; }
  Vec& operator-=(const Vec& o) { return *this = *this - o; }
  Vec& operator*=(const Vec& o) { return *this = *this * o; }
  Vec& operator/=(const Vec& o) { return *this = *this / o; }
  Vec& operator*=(float f) { return *this = *this * f; }
  Vec& operator/=(float f) { return *this = *this / f; }
  friend Vec operator+(float f, const Vec& v) { return Vec(f + v.x, f + v.y); }
  friend Vec operator-(float f, const Vec& v) { return Vec(f - v.x, f - v.y); }
  friend Vec operator*(float f, const Vec& v) { return Vec(f * v.x, f * v.y); }
  friend Vec operator/(float f, const Vec& v) { return Vec(f / v.x, f / v.y); }
  bool operator==(const Vec& o) const { return x == o.x && y == o.y; }
  bool operator!=(const Vec& o) const { return !(*this == o); }
};
inline float length(const Vec& v) { return v.length(); }
template <> struct std::hash<Vec> { std::size_t operator()(const Vec&) const { return 4; } };

struct One { ~One() {} };
struct Two { ~Two() {} };
inline int operator+(const One&, const One&) { return 11; }
inline int operator+(const Two&, const Two&) { return 22; }
inline int operator+(const Two&, const One&) { return 21; }
inline int operator+(const One&, const Two&) { return 12; }

struct CoreBase { int low = -2; };
struct Core : CoreBase {
  int value = 3;
  Core& operator+=(int i) { value += i; return *this; }
  CoreBase& as_base() { return *this; }
};
struct Middle { Core core; int value = 4; Middle& operator-=(int i) { value -= i; return *this; } };
struct Outer { Middle middle; int value = 5; Outer& operator*=(int i) { value *= i; return *this; } };
inline int of_core(const Core& c) { return c.value; }
inline int of_middle(const Middle& m) { return m.value; }
inline int of_outer(const Outer& o) { return o.value; }

struct Equal { int value; bool operator==(const Equal& o) const { return value == o.value; } };
struct Hashed : Equal { explicit Hashed(int v) : Equal{v} {} };
template <> struct std::hash<Hashed> { std::size_t operator()(const Hashed& h) const { return h.value; } };
struct Key { std::string text; };
inline bool operator==(const Key& a, const Key& b) { return a.text == b.text; }
template <> struct std::hash<Key> {
  std::size_t operator()(const Key& k) const { return std::hash<std::string>()(k.text); }
};
inline std::unordered_set<Key> all_keys() { return {{"one"}, {"two"}}; }
struct EqualByHand { std::size_t operator()(const Equal& e) const { return e.value; } };
inline std::unordered_set<Equal, EqualByHand> equals() { return {Equal{1}, Equal{2}}; }
"""


@pytest.fixture(scope="module")
def lib():
    return sb.compile(SOURCE + OPERATORS.code)


@pytest.mark.behaviour("test_operator_overloading")
@pytest.mark.parametrize("group", ["vectors", "answers"])
def test_expressions_mean_what_they_mean_in_cxx(lib, group):
    OPERATORS.check(lib, group, a=lib.Vec(1, 2), b=lib.Vec(3, -1), c=lib.Vec(1, 2))


@pytest.mark.behaviour("test_operator_overloading")
def test_operators_that_change_the_object(lib):
    a, b = lib.Vec(1, 2), lib.Vec(3, -1)
    same = a
    steps = []
    a += 2 * b
    steps.append(str(a))
    a -= b
    steps.append(str(a))
    a *= 2
    steps.append(str(a))
    a /= 16
    steps.append(str(a))
    a *= b
    steps.append(str(a))
    b /= a
    assert a is same
    assert steps == [
        "[7.000000, 0.000000]",
        "[4.000000, 1.000000]",
        "[8.000000, 2.000000]",
        "[0.500000, 0.125000]",
        "[1.500000, -0.125000]",
    ]
    assert str(b) == "[2.000000, 8.000000]"


@pytest.mark.behaviour("test_operators_notimplemented")
def test_the_side_that_knows_answers(lib):
    OPERATORS.check(lib, "sides", one=lib.One(), two=lib.Two())
    with pytest.raises(TypeError, match=r"\+"):
        lib.One() + 1
    with pytest.raises(TypeError, match=r"-"):
        lib.One() - lib.Two()


@pytest.mark.behaviour("test_nested")
def test_operators_on_what_lies_inside(lib):
    core, middle, outer = lib.Core(), lib.Middle(), lib.Outer()
    core += 10
    middle.core += 100
    outer.middle.core += 1000
    assert [lib.of_core(c) for c in (core, middle.core, outer.middle.core)] == [13, 103, 1003]
    middle -= 1
    outer.middle -= 3
    outer *= 7
    assert (lib.of_middle(middle), lib.of_middle(outer.middle), lib.of_outer(outer)) == (3, 1, 35)
    base = core.as_base()
    core.as_base().low += 44
    assert base.low == 42
    outer.middle.core.as_base().low += 44
    assert outer.middle.core.low == 42
    del core, outer
    gc.collect()
    assert base.low == 42  # the view keeps the object


@pytest.mark.behaviour("test_overriding_eq_reset_hash")
def test_equality_and_hashes(lib):
    assert lib.Equal(15) is not lib.Equal(15)
    assert lib.Equal(15) == lib.Equal(15) != lib.Equal(16)
    with pytest.raises(TypeError, match="unhashable"):
        hash(lib.Equal(15))
    assert lib.Hashed(15) == lib.Hashed(15)
    assert hash(lib.Hashed(15)) == 15
    assert hash(lib.Vec(0, 1)) == 4
    assert {lib.Hashed(1), lib.Hashed(1), lib.Hashed(2)} == {lib.Hashed(2), lib.Hashed(1)}


@pytest.mark.behaviour("test_return_set_of_unhashable")
def test_sets_of_objects(lib):
    assert {key.text for key in lib.all_keys()} == {"one", "two"}


@pytest.mark.behaviour("test_return_set_of_unhashable", refused=True)
def test_sets_of_what_has_no_hash(lib):
    with pytest.raises(TypeError, match="unhashable"):
        lib.equals()
