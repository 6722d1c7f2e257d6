"""What @njit takes beyond numbers and records: 16-bit floats, C functions, elements of arrays, objects of C++."""

from __future__ import annotations

import ctypes
import gc
from typing import Any

import numpy as np
import pytest

import samebytes as sb

numba = pytest.importorskip("numba", reason="Numba is not installed")
njit = numba.njit
pytestmark = pytest.mark.full

SOURCE = r"""
#include <samebytes/vector.hpp>
#include <functional>
#include <stdexcept>
#include <string>
using half = samebytes::float16;
using brain = samebytes::bfloat16;
inline half h(half x) { return x; }
inline brain b(brain x) { return x; }
struct Halves { half v[3]; half one; brain two; };
inline void out(half& x, brain* y) { x = half(); *y = brain(); }

inline int apply(int (*g)(int), int x) { return g(x) + 1; }
inline int held(std::function<int(int)> g) { return g(3); }
inline double each(void (*g)(double*, int), double* p, int n) { g(p, n); return p[0]; }

struct Point { double x, y; double norm() const { return x * x + y * y; } void move(double by) { x += by; y += by; }
  static int kind() { return 3; } };
struct Other { double x, y; double turned() const { return x - y; } double norm() const { return -1; } };

inline int& alive() { static int n = 0; return n; }
inline int count() { return alive(); }
class Counter {
  std::string name_; int n_;
public:
  explicit Counter(int n) : name_("a name that is not kept in place"), n_(n) {
    if (n < 0) throw std::invalid_argument("negative");
    ++alive();
  }
  Counter(const Counter& o) : name_(o.name_), n_(o.n_) { ++alive(); }
  ~Counter() { --alive(); }
  int n() const { return n_; }
  std::string name() const { return name_; }
  Counter& add(int k) { n_ += k; return *this; }
  const Counter& self() const { return *this; }
};
inline Counter make(int n) { return Counter(n); }
thread_local int mine = 4;
inline int next() { return ++mine; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(
        SOURCE, target="numba", name="objects", arg_intent={"out": {"x": "out_return", "y": "out_return"}}
    )


def words(function: Any, *arguments: Any) -> str:
    with pytest.raises(numba.core.errors.TypingError) as refusal:
        njit(function)(*arguments)
    return str(refusal.value)


class TestHalves:
    def test_all_of_them_and_what_lies_between_as_numpy_rounds(self, lib: Any) -> None:
        @njit
        def rounded(xs: Any) -> Any:
            found = np.empty(xs.size)
            for i in range(xs.size):
                found[i] = lib.h(xs[i])
            return found

        all_of_them = np.arange(65536, dtype=np.uint16).view(np.float16)
        finite = np.sort(all_of_them[np.isfinite(all_of_them)].astype(float))
        between = (finite[1:] + finite[:-1]) / 2
        near = np.concatenate([np.nextafter(between, -np.inf), np.nextafter(between, np.inf)])
        for xs in (all_of_them.astype(float), between, near):
            np.testing.assert_array_equal(rounded(xs), xs.astype(np.float16).astype(float))
        assert np.signbit(rounded(np.array([-0.0])))[0]

    def test_brain_floats_as_plain_calls_round(self, lib: Any) -> None:
        rounded = njit(lambda x: lib.b(x))
        generator = np.random.default_rng(3)
        xs = generator.normal(size=500) * 10.0 ** generator.integers(-40, 38, 500)
        for x in [*xs.tolist(), 0.0, float("inf"), 1e-45]:
            assert rounded(x) == lib.b(x)

    def test_what_they_cannot_hold(self, lib: Any) -> None:
        with pytest.raises(OverflowError, match=r"h\(\) argument 1 'x': expected float16"):
            njit(lambda x: lib.h(x))(65520.0)
        assert njit(lambda: lib.h(3))() == 3.0
        assert "no exact value" in words(lambda: lib.h(4097))
        assert njit(lambda x: lib.h(x))(3) == 3.0
        with pytest.raises(
            OverflowError, match=r"expected float16, got an integer that it cannot hold exactly"
        ):
            njit(lambda x: lib.h(x))(4097)

    def test_fields_and_outputs(self, lib: Any) -> None:
        @njit
        def use() -> Any:
            s = lib.Halves()
            s.one = 0.1
            s.two = 0.2
            return s.one, s.two, lib.out()

        assert use() == (float(np.float16(0.1)), 0.2001953125, (0.0, 0.0))
        held = lib.Halves()
        assert njit(lambda s: s.v.dtype)(held) == np.float16


class TestFunctions:
    def test_of_numba_and_of_ctypes(self, lib: Any) -> None:
        twice = numba.cfunc("int32(int32)")(lambda x: 2 * x)

        @numba.cfunc("void(CPointer(float64), int32)")
        def first(p: Any, n: int) -> None:
            numba.carray(p, n)[0] = 7.0

        absolute = ctypes.CDLL(None).abs
        absolute.argtypes, absolute.restype = [ctypes.c_int32], ctypes.c_int32
        assert (
            njit(lambda: (lib.apply(twice, 4), lib.held(twice)))()
            == (9, 6)
            == (lib.apply(twice, 4), lib.held(twice))
        )
        assert (
            njit(lambda a: lib.each(first, a, a.size))(np.zeros(3)) == 7.0 == lib.each(first, np.zeros(3), 3)
        )
        assert njit(lambda: lib.apply(absolute, -4))() == 5
        assert njit(lambda g: lib.apply(g, 4))(twice) == 9

    def test_words(self, lib: Any) -> None:
        wide = numba.cfunc("int64(int64)")(lambda x: 2 * x)
        python = njit(lambda x: 2 * x)
        assert "Its signature is another" in words(lambda: lib.apply(wide, 4))
        assert "expected a C function int (*)(int) (numba.cfunc makes one)" in words(
            lambda: lib.apply(python, 4)
        )
        assert "expected a C function" in words(lambda: lib.apply(3, 4))


class TestElements:
    def test_methods_act_on_the_element(self) -> None:
        """Of a struct with fields that no other loaded library has: plain elements do not say their class."""
        source = "struct Boat { double east, north; void sail(double by) { east += by; north += by; } };"
        lib = sb.compile(source, target="numba", name="boats")

        @njit
        def use(points: Any) -> Any:
            total = 0.0
            for i in range(points.size):
                points[i].sail(1.0)
                total += points[i].east
            return total

        points = np.zeros(3, lib.Boat.dtype)
        assert use(points) == 3.0
        assert points["north"].tolist() == [1, 1, 1]

    def test_words(self, lib: Any) -> None:
        points = np.zeros(3, lib.Point.dtype)
        assert njit(lambda p: p[1].turned())(points) == 0.0  # only one class with these fields has it
        assert "Class.norm(x)" in words(lambda p: p[0].norm(), points)
        assert njit(lambda p: lib.Point.norm(p[0]))(points) == 0.0
        assert "no field and no method 'nothing'" in words(lambda p: p[0].nothing(), points)


class TestObjects:
    def test_each_is_destroyed_once(self, lib: Any) -> None:
        @njit
        def use(n: int) -> Any:
            total = 0
            for i in range(n):
                made, other = lib.Counter(i), lib.make(1)
                made.add(other.n())
                copy = lib.Counter(made)
                total += copy.n()
            return total

        gc.collect()
        before = lib.count()
        assert use(1000) == sum(range(1001))
        assert lib.count() == before

    def test_an_object_goes_in_and_comes_back(self, lib: Any) -> None:
        given = lib.Counter(3)
        same = njit(lambda c: c.add(4))(given)
        assert same == given
        assert (given.n(), same.n()) == (7, 7)

    @pytest.mark.parametrize("how", ["made", "reference"])
    def test_what_compiled_code_made_lives_as_long_as_python_holds_it(self, lib: Any, how: str) -> None:
        gc.collect()
        before = lib.count()

        def made(n: int) -> Any:
            return lib.Counter(n)

        def reference(n: int) -> Any:
            return lib.Counter(n).add(1)

        function = njit({"made": made, "reference": reference}[how])
        found = function(20)
        del function
        gc.collect()
        assert found.name() == "a name that is not kept in place"
        assert lib.count() == before + 1
        del found
        gc.collect()
        assert lib.count() == before

    def test_a_constructor_that_throws_destroys_nothing(self, lib: Any) -> None:
        gc.collect()
        before = lib.count()
        with pytest.raises(ValueError, match="negative"):
            njit(lambda: lib.Counter(-1).n())()
        assert lib.count() == before

    def test_const_stays_const(self, lib: Any) -> None:
        assert "an object of Counter that C++ may change, got a const Counter" in words(
            lambda c: c.self().add(1), lib.Counter(1)
        )
        assert njit(lambda c: c.self())(lib.Counter(1)).__samebytes_const__


class TestVariables:
    def test_each_thread_has_its_own(self, lib: Any) -> None:
        import threading

        use = njit(lambda: (lib.next(), lib.mine))
        found = []
        for _ in range(2):
            thread = threading.Thread(target=lambda: found.append(use()))
            thread.start()
            thread.join()
        assert found == [(5, 5), (5, 5)]


def test_every_name_of_a_field() -> None:
    """Members of one type in one place are one field."""
    source = "struct Pair { union { float x, r; }; union { float y, g; }; };"
    pair_class = sb.compile(source, target="numba").Pair

    @njit
    def total(pair: Any) -> Any:
        pair.r = pair.g + 1
        return pair_class(r=pair.x, y=2).x

    pair = pair_class(1, 4)
    assert (total(pair), pair.x) == (5.0, 5.0)

    @njit
    def twice() -> Any:
        return pair_class(r=1, x=2).x

    with pytest.raises(numba.core.errors.TypingError, match="no field 'x' left"):
        twice()


def test_a_class_that_iterates_is_compiled_for_numba_too() -> None:
    lib = sb.compile(
        "#include <list>\n"
        "struct Bag { std::list<int> l{1, 2}; int size() const { return l.size(); }\n"
        "  auto begin() { return l.begin(); } auto end() { return l.end(); } };\n"
        "inline int twice(int n) { return 2 * n; }",
        target="numba",
    )
    assert list(lib.Bag()) == [1, 2]
    assert njit(lambda n: lib.twice(n))(4) == 8
