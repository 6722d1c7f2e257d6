"""Class templates with bases: what an instantiation inherits, takes over and hides."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

SOURCE = r"""
namespace geo {
template <class T> struct Plain {
  T x;
  T f() const { return x; }
  void set(T v) { x = v; }
  static int seven() { return 7; }
};
template <class T, int N> struct Tail { T e[N]; T last() const { return e[N - 1]; } };
template <class T> struct Simple : Plain<T> { T y; T sum() const { return this->x + y; } };
template <class T> struct Deep : Simple<T> { int d; };
template <class T, int N = 3> struct Two : Plain<T>, Tail<T, N + 1> {
  using Plain<T>::f; int own() const { return N; }
};
template <class D> struct Crtp {
  int twice() const { return 2 * static_cast<const D*>(this)->value(); }
  D& self() { return *static_cast<D*>(this); }
};
struct Counter : Crtp<Counter> { int v; int value() const { return v; } };
template <class T> struct Holder : Crtp<Holder<T>> { T v; int value() const { return static_cast<int>(v); } };
template <class D> int evaluate(const Crtp<D>& e) { return e.twice(); }
inline int evaluate_counter(const Crtp<Counter>& e) { return e.twice(); }
template <class... Ts> struct All : Ts... { int z; using Ts::f...; };
template <class T> struct Partial { int primary; };
template <class T> struct Partial<T*> : Plain<T> { int p; };
template <> struct Partial<int> : Plain<float> { int q; };
template <class T> struct Virtual : Plain<T> { virtual ~Virtual() {} virtual int kind() const { return 9; } };
template <class T> struct Private : private Plain<T> { using Plain<T>::f; using Plain<T>::set; int k; };
template <class T> struct Made : Plain<T> { Made(T v) { this->x = v; } Made(T v, T w) { this->x = v * w; } };
template <class T> struct MadeToo : Made<T> { using Made<T>::Made; T more() const { return this->x + 1; } };
template <class T, bool Fast> struct Policy { static int speed() { return Fast ? 2 : 1; } };
template <class T, class P = Policy<T, true>> struct Host : P {
  T v; int speed10() const { return 10 * P::speed(); }
};
template <class T> struct Traits { using base = Plain<T>; enum { extent = 4 }; };
template <class T> struct Dependent : Traits<T>::base {
  typename Traits<T>::base inner; T both() const { return this->x + inner.x; }
};
template <class T> struct Nested {
  enum Mode { off, on };
  struct Part { T a; T get() const { return a; } };
  using value_type = Part;
  Part part;
  Mode mode() const { return on; }
};
template <class T> union Either { T t; int i; T get() const { return t; } };
template <class T> struct Final final { T v; T get() const { return v; } };
template <class T> T first(const Plain<T>& p) { return p.x; }
}
"""
READY = [
    "geo::Simple<int>", "geo::Deep<float>", "geo::Two<int>", "geo::Holder<float>", "geo::All<geo::Plain<int>>",
    "geo::Partial<int *>", "geo::Partial<int>", "geo::Partial<char>", "geo::Virtual<int>", "geo::Private<int>",
    "geo::MadeToo<int>", "geo::Host<int>", "geo::Dependent<int>", "geo::Nested<double>", "geo::Either<double>",
    "geo::Final<int>", "geo::first<int>", "geo::evaluate<geo::Counter>", "geo::evaluate<geo::Holder<float>>",
]  # fmt: skip


@pytest.fixture(scope="module")
def geo() -> Any:
    return sb.compile(SOURCE, std="c++20", instantiate=READY).geo


def _with(made: Any, **fields: Any) -> Any:
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def _set(made: Any, value: Any) -> Any:
    made.set(value)
    return made


# What is made of an instantiation, and what C++ gives for it.
ROWS: list[tuple[str, Any, Any]] = [
    ("field", lambda g: g.Simple[int](x=3, y=4).x, 3),
    ("method of the base", lambda g: g.Simple[int](x=3, y=4).f(), 3),
    ("own method", lambda g: g.Simple[int](x=3, y=4).sum(), 7),
    ("mutating method of the base", lambda g: _set(g.Simple[int](x=3, y=4), 9).sum(), 13),
    ("static method of the base", lambda g: g.Simple[int].seven(), 7),
    ("is a base", lambda g: isinstance(g.Simple[int](), g.Plain[int]), True),
    ("as an argument", lambda g: g.first["int"](g.Simple[int](x=5)), 5),
    ("two levels", lambda g: (g.Deep[float](x=1, y=2, d=3).f(), g.Deep[float](x=1, y=2, d=3).sum()), (1.0, 3.0)),
    ("several", lambda g: (g.Two[int](x=1, e=(2, 3, 4, 5)).f(), g.Two[int](x=1, e=(2, 3, 4, 5)).last()), (1, 5)),
    ("own beside several", lambda g: g.Two[int]().own(), 3),
    ("CRTP", lambda g: g.Counter(v=3).twice(), 6),
    ("CRTP of a template", lambda g: g.Holder[float](v=4).twice(), 8),
    ("CRTP gives itself", lambda g: g.Counter(v=3).self().v, 3),
    ("CRTP by its base", lambda g: g.evaluate_counter(g.Counter(v=5)), 10),
    ("CRTP by a template", lambda g: g.evaluate["geo::Counter"](g.Counter(v=6)), 12),
    ("CRTP by a template of templates", lambda g: g.evaluate["geo::Holder<float>"](g.Holder[float](v=7)), 14),
    ("pack", lambda g: (_set(g.All["geo::Plain<int>"](), 4).f(), g.All["geo::Plain<int>"](x=1, z=2).z), (4, 2)),
    ("partial specialization", lambda g: (g.Partial["int*"](x=2, p=3).f(), g.Partial["int*"](x=2, p=3).p), (2, 3)),
    ("specialization", lambda g: (g.Partial[int](x=2.5, q=3).f(), g.Partial[int](x=2.5, q=3).q), (2.5, 3)),
    ("primary template", lambda g: g.Partial["char"](primary=3).primary, 3),
    ("virtual", lambda g: (_set(g.Virtual[int](), 6).f(), g.Virtual[int]().kind()), (6, 9)),
    ("using of a private base", lambda g: _set(g.Private[int](), 5).f(), 5),
    ("using of constructors", lambda g: (g.MadeToo[int](5).more(), g.MadeToo[int](5, 6).f()), (6, 30)),
    ("policy", lambda g: (g.Host[int](v=1).speed10(), g.Host[int].speed()), (20, 2)),
    ("dependent base", lambda g: g.Dependent[int](x=1, inner=g.Plain[int](x=2)).both(), 3),
    ("nested class", lambda g: g.Nested["double"](part=g.Nested["double"].Part(a=2)).part.get(), 2.0),
    ("nested enumeration", lambda g: g.Nested["double"]().mode() is g.Nested["double"].Mode.on, True),
    ("nested alias", lambda g: g.Nested["double"].value_type is g.Nested["double"].Part, True),
    ("union", lambda g: g.Either["double"](t=2.5).get(), 2.5),
    ("final", lambda g: g.Final[int](v=4).get(), 4),
]  # fmt: skip


@pytest.mark.parametrize(("make", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_gives_what_cxx_gives(geo: Any, make: Any, expected: Any) -> None:
    assert make(geo) == expected


def test_a_private_base_is_none_for_python(geo: Any) -> None:
    assert not isinstance(geo.Private[int](), geo.Plain[int])
    assert not hasattr(geo.Private[int](), "seven")


def test_constructors_are_not_inherited() -> None:
    """A class none of whose constructors is bound makes no object by its base's."""
    with pytest.warns(sb.BindWarning, match="long double"):
        lib = sb.compile(
            "struct Base { int v; Base(int x) : v(x) {} };"
            " struct Own : Base { Own(long double x) : Base(1) {} Own(const Own&) = delete; };"
        )
    with pytest.raises(sb.ArgumentError, match="no constructor that Python could call"):
        lib.Own(3)


def test_an_empty_base_of_a_plain_struct() -> None:
    lib = sb.compile(
        "struct Tag { int f() const { return 1; } }; struct Own : Tag { int v; }; int g(Tag) { return 2; }"
    )
    own = lib.Own(v=4)
    assert (own.v, own.f(), lib.g(own), lib.Tag().f()) == (4, 1, 2, 1)
    assert isinstance(own, lib.Tag)
