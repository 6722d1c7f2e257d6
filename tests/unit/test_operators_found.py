"""Operators that C++ finds by converting operands, through smart pointers and proxies; and which are not bound."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

SOURCE = """
#include <bitset>
#include <complex>
#include <memory>
#include <string>
struct Less { double v; Less(double v) : v(v) {}
  friend bool operator<(const Less& a, const Less& b) { return a.v < b.v; } };
struct Both { double v; Both(double v) : v(v) {}
  friend bool operator<(const Both& a, const Both& b) { return a.v < b.v; }
  friend bool operator>(const Both& a, const Both& b) { return a.v > b.v; } };
struct Own { int v; Own(int v) : v(v) {} bool operator<(const Own& o) const { return v < o.v; } };
struct Told { int v; explicit Told(int v) : v(v) {}
  friend bool operator<(const Told& a, const Told& b) { return a.v < b.v; } };
struct Mixed { int v; Mixed(int v) : v(v) {}
  friend bool operator<=(const Mixed& a, const Less& b) { return a.v <= b.v; } };

struct Node { int v; Node(int v = 0) : v(v) {} virtual ~Node() {} }; using Ptr = std::shared_ptr<Node>;
inline Ptr node(int v) { return std::make_shared<Node>(v); }
inline Ptr operator+(const Ptr& a, const Ptr& b) { return node(a->v + b->v); }
inline Ptr operator*(Ptr a, int b) { return node(a->v * b); }
inline Ptr operator*(int b, Ptr a) { return node(a->v * b + 100); }
inline Ptr operator-(const Ptr& a) { return node(-a->v); }
inline bool operator<(const Ptr& a, const Ptr& b) { return a->v > b->v; }
inline Ptr& operator-=(Ptr& a, int b) { a = node(a->v - b); return a; }

struct Vec { int d[3] = {1, 2, 3};
  struct Proxy { int* p; Proxy& operator=(int v) { *p = v; return *this; } operator int() const { return *p; } };
  Proxy operator[](int i) { return {d + i}; } int operator[](int i) const { return d[i]; }
  int get(int i) const { return d[i]; } };
struct Late { std::string s = "-"; struct P; P operator[](const std::string& k);
  std::string get() const { return s; } };
struct Late::P { Late* l; std::string k; void operator=(const char* v) const { l->s = k + v; }
  void operator=(double d) const { l->s = k + std::to_string((int)d); } };
inline Late::P Late::operator[](const std::string& k) { return {this, k}; }
template <class T> struct Made { T d[3] = {1, 2, 3}; struct R { T* p; R& operator=(T v) { *p = v * 2; return *this; } };
  R operator[](int i) { return {d + i}; } T get(int i) const { return d[i]; } };
struct Still { int a[2] = {1, 2}; struct P { int v; }; P operator[](int i) const { return {a[i]}; } };

struct Bits { std::bitset<8> b; std::bitset<8>::reference operator[](int i) { return b[i]; } int n = 3; };
struct Aimed { int n = 9; int array[2] = {5, 6}; operator const int*() const { return array; } };
struct Varied { int n = 4; void operator()(int, ...) {} };
inline int real_first(double) { return 1; } inline int real_first(std::complex<double>) { return 2; }
inline int narrow_first(float) { return 1; } inline int narrow_first(std::complex<double>) { return 2; }
struct Shared { int a = 1; static int h(int a) { return a; } int h(const char* s) { return s[0]; }
  int one(int b) { return b; } };
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="found")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("7.5 < lib.Less(8)", True), ("9 < lib.Less(8)", False), ("lib.Less(8) < 9.0", True),
        ("lib.Mixed(3) <= lib.Less(4)", True),
        ("7.5 < lib.Both(8)", True), ("7.5 > lib.Both(8)", False), ("lib.Both(8) > 7.0", True),
        ("lib.Both(8) < lib.Both(9)", True), ("lib.Own(7) < 8", True),
        ("(lib.node(1) + lib.node(2)).v", 3), ("(lib.node(3) * 5).v", 15), ("(5 * lib.node(1)).v", 105),
        ("(-lib.node(4)).v", -4), ("lib.node(1) < lib.node(2)", False), ("lib.node(1) > lib.node(2)", True),
        ("(lib.Node(4) + lib.node(1)).v", 5),
        ("real_first(1)", 1), ("real_first(1.5)", 1), ("real_first(1j)", 2), ("narrow_first(1)", 1),
        ("narrow_first(1.5)", 1), ("lib.Bits().n", 3),
        ("lib.Bits().__setitem__(1, True)", None), ("lib.Shared().h(5)", 5), ("lib.Shared().h('A')", 65),
    ],
)  # fmt: skip
def test_what_cxx_finds_is_found(lib: Any, expression: str, expected: object) -> None:
    names = {"lib": lib, "real_first": lib.real_first, "narrow_first": lib.narrow_first}
    assert eval(expression, names) == expected


@pytest.mark.parametrize(
    ("cls", "index", "value", "seen"),
    [("Vec", 1, 9, 9), ("Late", "k", "x", "kx"), ("Late", "z", 3.0, "z3"), ("Made", 2, 5.0, 10.0)],
)
def test_what_a_proxy_takes_is_assigned(lib: Any, cls: str, index: Any, value: Any, seen: Any) -> None:
    made = lib.Made[float]() if cls == "Made" else getattr(lib, cls)()
    made[index] = value
    assert (made.get() if cls == "Late" else made.get(index)) == seen


def test_a_rebinding_operator_makes_another_object(lib: Any) -> None:
    one = same = lib.node(3)
    one *= 4
    assert (one.v, same.v) == (12, 3)
    with pytest.raises(TypeError, match="-="):
        one -= 1  # C++ would put another object into the pointer, of which Python has none


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("7 < lib.Own(8)", "not supported between instances of 'int' and 'Own'"),
        ("1 < lib.Told(2)", "not supported between instances of 'int' and 'Told'"),
        ("lib.Less(8) > lib.Less(7)", r"C\+\+ has no such operator .* it has operator<, for them in the other order"),
        ("lib.Less(4) >= lib.Mixed(9)", r"operator>=\(Less, Mixed\): C\+\+ has no such operator"),
        ("lib.Less(8) >= 'a'", "not supported between instances of 'Less' and 'str'"),
        ("lib.node(1) + 3", "argument 1 'b': expected an object of Node or None, got 3"),
        ("lib.Vec().__setitem__(1, 'a')", "'value': expected int32.*got 'a'"),
        ("lib.Still().__setitem__(1, 4)", "its operator.. gives nothing to assign to"),
        ("3 <= lib.Less(4)", "not supported between instances of 'int' and 'Less'"),  # another class's friend
        ("lib.Aimed()[0]", r"in C\+\+ \[0\] is of what const int \* Aimed::operator const int \*\(\) const gives"),
        ("lib.Varied()(3)", r"declared in C\+\+ and not bound: Varied::operator\(\)\(int, ...\)"),
        ("lib.Shared.h(1)", "is a method: it is called on an object of Shared, got 1"),
        ("lib.Shared.one(5)", "is a method: it is called on an object of Shared, got 5"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_said(lib: Any, statement: str, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        eval(statement, {"lib": lib})


LISTS = """
#include <initializer_list>
#include <string>
#include <vector>
struct Any { int how; Any(std::initializer_list<int> l) : how((int)l.size()) {}
  template <class T> Any(T) : how(-1) {} };
struct Poly { int c = 0; template <class It> Poly(It, It) : c(-1) {}
  Poly(std::initializer_list<int> l) { for (int x : l) c += x; } };
struct Text { int how; Text(std::initializer_list<std::string> l) : how((int)l.size()) {}
  template <class T> Text(const std::vector<T>&) : how(-1) {} template <class T> Text(T, int) : how(-2) {} };
"""


@pytest.fixture(scope="module")
def lists() -> Any:
    return sb.compile(LISTS, name="lists")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("Any([1, 2]).how", 2), ("Any([]).how", 0), ("Any(3).how", -1), ("Any((1, 2, 3)).how", 3),
        ("Any([1.5]).how", -1),
        ("Poly([1, 2, 3]).c", 6), ("Poly(1, 2).c", -1), ("Text(['a', 'b']).how", 2), ("Text([1, 2]).how", -1),
        ("Text(1.5, 2).how", -2),
    ],
)  # fmt: skip
def test_a_list_is_braces_beside_templates(lists: Any, expression: str, expected: int) -> None:
    assert eval(expression, {name: getattr(lists, name) for name in ("Any", "Poly", "Text")}) == expected


MIXED = """
struct Mixed {
  static int h(int a) { return a + 1; }
  int h(int a, int b) { return a * b; }
  static int same(double) { return 1; }
  int same(int) const { return 2; }
  int plain(int a) { return a; }
};
"""


@pytest.mark.parametrize("call", ["h(1)", "h(1, 2)", "same(1.5)", "same(1)", "h()"])
def test_a_static_overload_beside_methods_is_called_on_objects_and_says_so(call: str) -> None:
    lib = sb.compile(MIXED, name="mixed_static")
    with pytest.raises(
        sb.ArgumentError, match=r"is a method: .* So are the overloads beside it that are static"
    ):
        eval(f"lib.Mixed.{call}", {"lib": lib})
    mixed = lib.Mixed()
    assert (mixed.h(1), mixed.h(2, 3), mixed.same(1.5), mixed.same(1)) == (2, 6, 1, 2)
    with pytest.raises(sb.ArgumentError) as raised:
        lib.Mixed.plain(1)
    assert str(raised.value).endswith("got 1 (int)")


VOLATILE = """
struct Shared { int n = 1; ~Shared() {} int f() volatile { return n; } int g(int k) const volatile { return n + k; }
  int both() volatile { return 1; } int both() { return 2; } int over(int) volatile { return 3; }
  int over(double) volatile { return 4; } };
struct Plain { int n = 5; void set(int k) volatile { n = k; } int get() volatile const { return n; } };
"""


def test_volatile_methods_are_called_on_any_object() -> None:
    lib = sb.compile(VOLATILE, name="volatile_methods")
    shared, plain = lib.Shared(), lib.Plain()
    plain.set(7)
    assert (shared.f(), shared.g(2), shared.both(), shared.over(1), shared.over(1.5)) == (1, 3, 2, 3, 4)
    assert (plain.get(), plain.n) == (7, 7)
    assert ["no object of Python's is volatile" in s.reason for s in lib.__skipped__] == [True]
