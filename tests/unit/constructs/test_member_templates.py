"""Member templates: methods, static members, constructors and classes that classes make templates of."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

SOURCE = r"""
#include <string>
#include <type_traits>
#include <vector>
namespace ns {
struct Item {
  int v;
  /** As another type. */
  template <class T> T get(int plus) const { return static_cast<T>(v + plus); }
  template <class T> void put(T x) { v = static_cast<int>(x); }
  template <class T> int kind(T) { return 1; }
  template <class T> int kind(T*) { return 2; }
  int kind(double) { return 3; }
  template <class... A> int count(A...) const { return sizeof...(A); }
  template <int N> int times() const { return N * v; }
  template <int N, class T> T scale(T x) const { return N * v * x; }
  template <class T> static T zero() { return T(); }
  template <class T> static T same(T x) { return x; }
  template <class T> auto half(T x) const { return (v + x) / 2; }
  template <class T> std::enable_if_t<std::is_integral<T>::value, int> only(T) const { return 4; }
  template <class T, class U = int> U with_default(T x, U y = U(5)) const { return static_cast<U>(x + y + v); }
  template <class T> const T* pick(const T* p) const { return p + v; }
  template <class T> Item& chain(T x) { v += static_cast<int>(x); return *this; }
  template <class T> struct Inner { T t; T twice() const { return t + t; } };
  template <class T> static constexpr T limit = T(7);
  template <class T> using Many = std::vector<T>;
};
struct Any {
  double d;
  std::string how;
  template <class T> Any(T x) : d(static_cast<double>(x)), how("template") {}
  template <class T> Any(T x, int y) : d(static_cast<double>(x) * y), how("two") {}
  Any(const char* s) : d(0), how(s) {}
  template <class T> bool operator==(const T& x) const { return d == x; }
};
template <class T> struct Box {
  T v;
  template <class U> explicit Box(U x) : v(static_cast<T>(x)) {}
  template <class U> U as() const { return static_cast<U>(v); }
  template <class U> auto plus(U x) const { return v + x; }
  template <class U> Box<U> cast() const { return Box<U>(v); }
};
struct Derived : Item { int w; };
struct Named { template <class T> operator T() const { return T(); } int x; };
template <template <class> class C, class T> int hold(C<T>) { return sizeof(T); }
template <class T> struct Wrap { T t; };
}
"""
READY = [
    "ns::Item::get<double>", "ns::Item::get<int>", "(ns::Item &).put(double)", "(ns::Item &).put(int)",
    "(ns::Item &).kind(int)", "(ns::Item &).kind(double *)", "(ns::Item &).kind(double)", "(ns::Item &).count()",
    "(ns::Item &).count(int, const char *, double)", "ns::Item::times<3>", "(ns::Item &).scale<3>(double)",
    "ns::Item::zero<int>", "ns::Item::same(double)", "(ns::Item &).half(double)", "(ns::Item &).only(int)",
    "(ns::Item &).with_default(int)", "(ns::Item &).with_default(int, int)", "(ns::Item &).chain(double)",
    "ns::Item::Inner<float>", "ns::Item::limit<int>", "ns::Box<int>", "ns::Any(int)", "ns::Any(double, int)",
    "ns::Wrap<int>", "ns::hold(ns::Wrap<int> &)", "(ns::Derived &).put(int)",
]  # fmt: skip


@pytest.fixture(scope="module")
def ns() -> Any:
    with pytest.warns(sb.BindWarning, match="C.. deduces the type that it converts to"):
        lib = sb.compile(SOURCE, std="c++17", instantiate=READY)
    return lib.ns


def _changed(item: Any, name: str, *args: Any) -> int:
    getattr(item, name)(*args)
    return item.v


ROWS: list[tuple[str, Any, Any]] = [
    ("named", lambda n: n.Item(v=3).get["double"](4), 7.0),
    ("named by a type", lambda n: n.Item(v=3).get[int](4), 7),
    ("of the class", lambda n: n.Item.get[int](n.Item(v=3), 4), 7),
    ("deduced", lambda n: (_changed(n.Item(v=0), "put", 2.5), _changed(n.Item(v=0), "put", 7)), (2, 7)),
    ("overloads", lambda n: (n.Item().kind(1), n.Item().kind(2.0)), (1, 3)),
    ("packs", lambda n: (n.Item().count(), n.Item().count(1, "a", 2.0)), (0, 3)),
    ("numbers", lambda n: n.Item(v=5).times[3](), 15),
    ("partly named", lambda n: n.Item(v=2).scale[3](0.5), 3.0),
    ("static, named", lambda n: (n.Item.zero[int](), n.Item().zero[int]()), (0, 0)),
    ("static, deduced", lambda n: (n.Item.same(1.5), n.Item().same(1.5)), (1.5, 1.5)),
    ("auto", lambda n: n.Item(v=3).half(2.0), 2.5),
    ("SFINAE", lambda n: n.Item().only(3), 4),
    ("default arguments", lambda n: (n.Item(v=1).with_default(2), n.Item(v=1).with_default(2, 3)), (8, 6)),
    ("gives the object", lambda n: n.Item(v=1).chain(2.5).chain(3.5).v, 6),
    ("by name", lambda n: _changed(n.Item(v=0), "put", 3), 3),
    ("inherited", lambda n: _changed(n.Derived(v=1, w=2), "put", 9), 9),
    ("class", lambda n: n.Item.Inner[float](t=2).twice(), 4.0),
    ("variable", lambda n: n.Item.limit[int], 7),
    ("constructors", lambda n: (n.Any(3).d, n.Any(2.5, 4).d, n.Any("text").how), (3.0, 10.0, "text")),
    ("constructors of templates", lambda n: n.Box[int](2.5).v, 2),
    ("methods of templates", lambda n: (n.Box[int](7).as_["double"](), n.Box[int](7).plus(0.5)), (7.0, 7.5)),
    ("gives another instantiation", lambda n: n.Box[int](7).cast["float"]().v, 7.0),
    ("template-template", lambda n: n.hold(n.Wrap[int](t=1)), 4),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
@pytest.mark.parametrize(("make", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_gives_what_cxx_gives(ns: Any, make: Any, expected: Any) -> None:
    assert make(ns) == expected


def test_what_cxx_refuses(ns: Any) -> None:
    item = ns.Item(v=1)
    with pytest.raises(sb.ArgumentError, match=r"only\(double\): C\+\+ refuses it"):
        item.only(2.5)
    with pytest.raises(sb.ArgumentError, match=r"put\(\) is a method: it is called on an object of ns::Item"):
        ns.Item.put()
    with pytest.raises(sb.ArgumentError, match=r"put\(\): C\+\+ refuses it"):
        item.put()
    with pytest.raises(sb.ArgumentError, match="cannot deduce with 'y' by name"):
        item.put(y=3)
    with pytest.raises(sb.ArgumentError, match=r"Box\((std::string|const char \*)\): C\+\+ refuses it"):
        ns.Box[int]("text")


def test_by_name(ns: Any) -> None:
    item = ns.Item(v=1)
    item.put(x=4)
    assert item.v == 4
    assert item.get[int](plus=2) == 6


def test_says_what_it_is(ns: Any) -> None:
    assert "template <class T> ns::Item::get(int)" in ns.Item.get.__doc__
    assert "As another type." in ns.Item.get.__doc__
    assert repr(ns.Item.get) == "<method template ns::Item::get>"


def test_conversion_templates_are_skipped_in_words(ns: Any) -> None:
    assert not hasattr(ns.Named, "operator T")
