"""Classes of Python's that derive from several of C++'s: one object, which is each of them."""

from __future__ import annotations

import gc
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # each pair of bases is compiled

SOURCE = r"""
#include <memory>
#include <string>
struct X1 {
  static inline int living = 0; int m1;
  X1(int i = 13) : m1(i) { ++living; } X1(const X1& o) : m1(o.m1) { ++living; } virtual ~X1() { --living; }
  virtual int x() { return m1; }
};
struct X2 { int m2; std::string s; X2(int i, std::string t = "t") : m2(i), s(t) {} virtual ~X2() {}
  virtual int y() { return m2; } };
struct Face { virtual ~Face() {} virtual int z() const = 0; };
struct Abs { int q; Abs(int a) : q(a) {} virtual ~Abs() {} virtual int w() = 0; };
struct D1 { virtual ~D1() {} virtual int d() { return 1; } };
struct Bytes { int b; int twice() { return 2 * b; } };
struct Pair { short u, v; };
inline void change(Bytes& b) { ++b.b; }
inline int read(Bytes b) { return b.b; }
inline int sum(const Pair* p) { return p->u + p->v; }
inline int call_x(X1& a) { return a.x(); }
inline int call_y(X2* a) { return a->y(); }
inline int call_z(const Face& f) { return f.z(); }
inline int call_w(std::shared_ptr<Abs> a) { return a->w(); }
inline int take(std::unique_ptr<D1> d) { return d->d(); }
inline X2* cycle(X2* x) { return x; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="joining")


def test_each_base_gets_its_arguments(lib: Any) -> None:
    class One(lib.X1, lib.X2):
        def __init__(self, a: int, b: int) -> None:
            lib.X1.__init__(self, a)
            lib.X2.__init__(self, b, t="w")

    class Two(lib.X1, lib.X2):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args)

        def x(self) -> int:
            return int(super().x()) + 100

        def y(self) -> int:
            return int(lib.X2.y(self)) + 200

    for made in (One(3, 4), type("Further", (One,), {})(3, 4)):
        assert (made.m1, made.m2, made.s, made.x(), made.y()) == (3, 4, "w", 3, 4)
        assert (lib.call_x(made), lib.call_y(made), lib.cycle(made).m2) == (3, 4, 4)
        assert isinstance(made, lib.X1)
        assert isinstance(made, lib.X2)
    two = Two((5,), (6, "q"))
    assert (lib.call_x(two), lib.call_y(two), two.s) == (105, 206, "q")
    assert lib.cycle(two) is two
    del made, two
    gc.collect()
    assert lib.X1.living == 0


@pytest.mark.parametrize(
    ("args", "error", "words"),
    [
        ((), sb.ArgumentError, "got 0 arguments"),
        ((1,), TypeError, r"Two\.__init__\(\) has not called super\(\).__init__\(\), or that of each base"),
        (((1,), ("text",)), sb.ArgumentError, r"X2\(\) argument 1 'i': expected int32"),
    ],
)
def test_a_base_without_its_arguments(lib: Any, args: Any, error: type[Exception], words: str) -> None:
    class Two(lib.X1, lib.X2):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args)

    with pytest.raises(error, match=words):
        Two(*args)


def test_errors_say_no_name_that_nobody_knows(lib: Any) -> None:
    mine = type("Mine", (lib.X1, lib.X2), {})
    with pytest.raises(sb.ArgumentError, match=r"\(base_X1: X1, base_X2: X2\)") as caught:
        mine(1, 2, 3)
    assert "samebytes" not in str(caught.value)


def test_interfaces(lib: Any) -> None:
    class Mine(lib.Face, lib.Abs):
        def __init__(self, n: int) -> None:
            lib.Face.__init__(self)
            lib.Abs.__init__(self, n)

        def z(self) -> int:
            return int(self.q)

        def w(self) -> int:
            return int(self.q) + 1

    class Taken(lib.D1, lib.Face):
        def z(self) -> int:
            return 8

        def d(self) -> int:
            return 9

    assert (lib.call_z(Mine(7)), lib.call_w(Mine(7))) == (7, 8)
    taken = Taken()
    assert (lib.call_z(taken), lib.take(taken)) == (8, 9)
    with pytest.raises(TypeError, match=r"makes no object: it is abstract, as it lacks Face::z\(\)"):
        type("Half", (lib.D1, lib.Face), {"d": lambda self: 9})()


def test_without_an_init(lib: Any) -> None:
    mine = type("Mine", (lib.D1, lib.X1), {})
    assert (mine().m1, mine().d(), mine(lib.D1(), lib.X1(4)).m1) == (13, 1, 4)


def test_the_bases_are_as_they_were(lib: Any) -> None:
    class Single(lib.X1):
        def __init__(self) -> None:
            super().__init__(8)

    class Both(Single, lib.D1):
        def __init__(self) -> None:
            Single.__init__(self)
            lib.D1.__init__(self)

    assert (lib.X1(5).m1, lib.X1().m1, type("Plain", (lib.X1,), {})(6).m1, Single().m1, Both().m1) == (
        5, 13, 6, 8, 8,
    )  # fmt: skip
    with pytest.raises(TypeError, match="makes no object anew"):
        lib.X1.__init__(Both(), 3)


def test_what_cpp_does_not_join(lib: Any) -> None:
    over = type("Over", (lib.X1,), {"x": lambda self: 1})
    other = sb.compile("struct Other { virtual ~Other() {} };", name="joining_other")
    joined = type("Joined", (lib.X1, lib.D1), {})
    for bases in ((over, other.Other), (lib.Bytes, other.Other), (joined, lib.Face)):
        with pytest.raises(TypeError, match="has no object that is both"):
            type("Mine", bases, {})


def test_bases_that_override_already(lib: Any) -> None:
    class Over(lib.X1):
        def x(self) -> int:
            return int(super().x()) + 100

    class Other(lib.D1):
        def __init__(self, n: int) -> None:
            super().__init__()
            self.n = n

        def d(self) -> int:
            return int(super().d()) + self.n

    class First(Over, lib.D1):
        def d(self) -> int:
            return 7

    class Last(lib.D1, Over):
        pass

    class Two(Other, Over):
        def __init__(self) -> None:
            Over.__init__(self, 3)
            Other.__init__(self, 10)

    class Deep(Two):
        def d(self) -> int:
            return 1000 + int(super().d())

    for cls, x, d in ((First, 113, 7), (Last, 113, 1), (Two, 103, 11), (Deep, 103, 1011)):
        one = cls()
        assert (lib.call_x(one), lib.take(one) if cls is First else one.d(), cls.__name__) == (
            x, d, cls.__name__,
        )  # fmt: skip
    assert (lib.call_x(Over(1)), Other(2).d(), lib.take(Other(5))) == (101, 3, 6)
    with pytest.raises(TypeError, match=r"Other, which has __init__: .*; name Other first"):
        type("Late", (Over, Other), {})
    del one
    gc.collect()
    assert lib.X1.living == 0


def test_bases_that_are_bytes(lib: Any) -> None:
    class Mine(lib.X1, lib.Bytes):
        def __init__(self, b: int) -> None:
            lib.X1.__init__(self, 2 * b)
            lib.Bytes.__init__(self, b)
            self.own = 1

        def x(self) -> int:
            return int(super().x()) + self.twice() + self.own

    one = Mine(4)
    lib.change(one)
    assert (one.b, one.m1, one.x(), lib.call_x(one), lib.read(one)) == (5, 8, 19, 19, 5)
    assert isinstance(one, lib.Bytes)
    one.b = 6
    assert (lib.read(one), lib.Bytes(3).twice(), type("Alone", (lib.Bytes,), {})(b=3).b) == (6, 6, 3)
    both = type("Both", (lib.Bytes, lib.Pair), {"all": lambda self: self.b + self.v})
    two = both(lib.Bytes(1), lib.Pair(2, 3))
    lib.change(two)
    assert (two.b, two.all(), lib.sum(two), lib.read(two), both().v) == (2, 5, 5, 2, 0)
