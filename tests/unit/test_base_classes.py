"""Bases: whatever the order of declarations, of several, of virtual ones, and what is static in them."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

SOURCE = """
class Later;
class Earlier { public: int f() { return 1; } Later* next(); };
class Later : public Earlier {};
inline Later* Earlier::next() { static Later l; return &l; }
struct Grandchild; struct Child; struct Parent { int n = 1; int f() { return n; } ~Parent() {} };
struct Child : Parent { ~Child() {} };
struct Grandchild : Child { ~Grandchild() {} };
inline int use(Grandchild* g, Child* c, Parent* p) { return p->n; }
class Whole;
struct Part { int v; };
class Whole { public: Part part; int w; };
struct Root { int a = 1; virtual ~Root() {} virtual int f() const { return a; } };
struct Side : virtual Root { int b = 2; int g() const { return b; } };
struct Both : virtual Root, virtual Side { int c = 3; };
struct L { int l = 1; ~L() {} }; struct R { int r = 2; ~R() {} };
struct LR : L, R {}; struct RL : R, L {}; struct Crossed : LR, RL {};
struct PL { int l = 1; }; struct PR { int r = 2; };
struct PLR : PL, PR {}; struct PRL : PR, PL {}; struct PCrossed : PLR, PRL { int z = 3; };
inline int of_rl(const RL& x) { return x.r; } inline int of_prl(const PRL& x) { return x.r; }
struct Fixed {
  static constexpr int most = 9; static const int least = 4; static constexpr double half = .5; enum { three = 3 };
  static int now() { return most + least; } };
struct Fixes : Fixed {};
struct S0 { static inline int v = 1; static int get() { return v; } };
struct S1 : S0 {}; struct S2 : S1 { int k = 0; };
template <class T> class Ahead;
template <class T> class Under { public: int b() const { return 5; } };
Ahead<int>* nobody();
template <class T> class Ahead : public Under<T> {
  T* p = nullptr;
 public:
  const int n = 2;
  Ahead() {}
  explicit Ahead(int k);
  int t() const;
};
template <class T> Ahead<T>::Ahead(int k) : n(k) {}
template <class T> int Ahead<T>::t() const { return 7 * n; }
inline Ahead<double> make_ahead(int k) { return Ahead<double>(k); }
inline Ahead<int>* nobody() { return nullptr; }
namespace maps {
template <class G, class K, class V> class Stored {
  V v{};
 public:
  void set(V x) { v = x; }
  V get() const { return v; }
  int places() const { return G::places; }
};
template <class B> class Extended : public B {
 public:
  typedef Extended Graph;
  typedef B Parent;
  template <class V> class Map : public Stored<Graph, typename B::Key, V> {
   public:
    explicit Map(const Graph&) {}
    int own() const { return 3; }
  };
  template <class V> struct Twice : Stored<B, Parent, V>, Under<Graph> { explicit Twice(const Extended&) {} };
};
struct Plain { typedef int Key; enum { places = 7 }; };
class Graph : public Extended<Plain> {};
struct Around { typedef long Wide; template <class V> struct In : Stored<Plain, Wide, V> { int own = 4; }; };
}
struct Named { int value = 3, other = 5; int f() const { return 4; } };
struct Less : Named { bool operator<(const Less& value) const { return f() < value.f(); }
  template <class T> void operator()(T other) {} };
class Object { public: int v = 1; int f() { return 2; } ~Object() {} };
class Equal : public Object { public: Equal& operator=(const Equal& v);
  bool operator==(const Equal& f) const { return &f == this; } };
inline Equal& Equal::operator=(const Equal& v) { return *this; }
template <class T> struct Inner { T x() { return 1; } T y = 2; };
template <class T> struct Outer : Inner<T> { T z; Outer() {} Outer(T x, T y) {}
  template <class U> explicit Outer(const U& x, U y, U) {} };
inline Outer<int> outer() { return {}; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="bases")


def test_a_class_that_is_declared_ahead_keeps_its_bases(lib: Any) -> None:
    assert (lib.Later().f(), lib.Grandchild().f(), lib.Earlier().next().f()) == (1, 1, 1)
    assert lib.Later.__mro__[1] is lib.Earlier
    assert lib.Grandchild.__mro__[1:3] == (lib.Child, lib.Parent)
    g = lib.Grandchild()
    assert lib.use(g, g, g) == 1


def test_a_class_template_that_is_declared_ahead_keeps_its_members(lib: Any) -> None:
    made = lib.make_ahead(3)
    assert (made.n, made.t(), made.b()) == (3, 21, 5)
    assert (type(made)(4).t(), lib.Ahead["int"](5).t(), lib.nobody()) == (28, 35, None)
    assert lib.Ahead["int"](6).b() == 5


@pytest.mark.parametrize("name", ["most", "least", "half", "three"])
@pytest.mark.parametrize("owner", ["Fixed", "Fixes"])
def test_a_static_constant_stays(lib: Any, owner: str, name: str) -> None:
    cls = getattr(lib, owner)
    before = getattr(cls, name)
    with pytest.raises(AttributeError, match=f"{owner}.{name} is const in C"):
        setattr(cls, name, 5)
    assert (getattr(cls, name), cls.now()) == (before, 13)


@pytest.mark.parametrize("template", ["Map", "Twice"])
def test_bases_of_a_template_in_a_class_template(lib: Any, template: str) -> None:
    graph = lib.maps.Graph()
    made = getattr(lib.maps.Graph, template)["double"](graph)
    made.set(2.5)
    assert (made.get(), made.places()) == (2.5, 7)
    assert (made.own() if template == "Map" else made.b()) in (3, 5)


def test_bases_of_a_template_in_a_class(lib: Any) -> None:
    made = lib.maps.Around.In["double"]()
    made.set(1.5)
    assert (made.get(), made.own) == (1.5, 4)


def test_a_class_that_is_declared_ahead_of_its_members(lib: Any) -> None:
    whole = lib.Whole(lib.Part(4), 5)
    assert isinstance(whole.part, lib.Part)
    assert (whole.part.v, whole.w) == (4, 5)


@pytest.mark.parametrize(
    ("derived", "bases"),
    [
        ("Both", ["Root", "Side"]),
        ("Crossed", ["L", "R", "LR", "RL"]),
        ("PCrossed", ["PL", "PR", "PLR", "PRL"]),
        ("Later", ["Earlier"]),
    ],
)
def test_python_says_what_an_object_is(lib: Any, derived: str, bases: list[str]) -> None:
    cls = getattr(lib, derived)
    mine = type("Mine", (cls,), {})
    for base in bases:
        of = getattr(lib, base)
        assert issubclass(cls, of)
        assert isinstance(cls(), of)
        assert issubclass(mine, of)
        assert isinstance(mine(), of)
        assert not issubclass(of, cls)
        assert not isinstance(of(), cls)
    assert not isinstance(3, cls)
    assert not issubclass(lib.S0, cls)


def test_members_of_virtual_bases_and_conversions(lib: Any) -> None:
    both = lib.Both()
    assert (both.f(), both.g(), both.a, both.b, both.c) == (1, 2, 1, 2, 3)
    assert (lib.of_rl(lib.Crossed()), lib.of_prl(lib.PCrossed()), lib.PCrossed().z) == (2, 2, 3)


def test_what_is_static_is_set_through_derived_classes_and_objects(lib: Any) -> None:
    for number, owner in enumerate((lib.S0, lib.S1, lib.S2, lib.S2(), lib.S1()), 10):
        owner.v = number
        assert [lib.S0.get(), lib.S0.v, lib.S1.v, lib.S2.v, lib.S2().v] == [number] * 5


def test_a_name_that_hides_a_static_variable_of_a_base_does_not_set_it() -> None:
    lib = sb.compile(
        "struct First { static inline int v = 1; }; struct Second { static inline int v = 2; };"
        "struct Both : First, Second {}; struct Fixed { static const int k = 3; };"
        "struct Own : Fixed { private: static const int k = 4; };"
    )
    for name, hidden in (("Both", "v"), ("Own", "k")):
        with pytest.raises(AttributeError, match=f"{name} does not inherit '{hidden}'"):
            getattr(getattr(lib, name)(), hidden)
    assert (lib.First.v, lib.Second.v, lib.Fixed.k) == (1, 2, 3)


def test_parameters_of_operators_and_constructors_hide_nothing(lib: Any) -> None:
    less, equal, outer = lib.Less(), lib.Equal(), lib.outer()
    assert (less.value, less.other, less.f()) == (3, 5, 4)
    assert (equal.v, equal.f(), equal == equal) == (1, 2, True)
    assert (outer.x(), outer.y) == (1, 2)


def test_a_class_is_no_bytes_where_its_base_is_an_object_of_its_own():
    lib = sb.compile(
        """
        #include <optional>
        struct Base { const std::optional<int> m; int t = 7; };
        struct Derived : Base { int k = 1; };
        struct Further : Derived { int l = 2; };
        """
    )
    further = lib.Further()
    assert (further.m, further.t, further.k, further.l, lib.Derived().k) == (None, 7, 1, 2, 1)
