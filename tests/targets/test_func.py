"""@sb.func: Python functions that C++ calls as C functions, compiled for the type that C++ declares."""

from __future__ import annotations

import ctypes
import gc
import importlib
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb

numba = pytest.importorskip("numba", reason="Numba is not installed")
pytestmark = pytest.mark.full

SOURCE = r"""
#include <samebytes/array.hpp>
#include <samebytes/vector.hpp>
#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
enum class Col : std::int16_t { red = -1, green = 2 };
struct Item { double key; int id; };
struct Pair { float x, y; };
struct Mix { double a; long b; };
struct Odd { std::int8_t a; std::int16_t b; float c; };
struct Big { double v[5]; };
struct alignas(16) Wide { double a, b, c, d; };
struct Empty3 { float x, y, z; };
struct Cb { double (*f)(double); int n; };
class Thing {
  int* p;
 public:
  Thing() : p(new int(4)) {}
  Thing(const Thing&) = delete;
  ~Thing() { delete p; }
  int get() const { return *p; }
  void set(int v) { *p = v; }
};
inline double square(double x) { return x * x; }
inline double sum(double (*f)(double), int n) { double s = 0; for (int i = 0; i < n; ++i) s += f(i); return s; }
inline double sum_std(const std::function<double(double)>& f, int n) {
  double s = 0; for (int i = 0; i < n; ++i) s += f(i); return s;
}
inline double run(const Cb& c) { return sum(c.f, c.n); }
inline void order(Item* first, int n, bool (*less)(const Item&, const Item&)) { std::sort(first, first + n, less); }
inline double in_threads(double (*f)(double), int n) {
  double found[2]; std::thread a([&] { found[0] = sum(f, n); }), b([&] { found[1] = sum(f, n); });
  a.join(); b.join(); return found[0] + found[1];
}
inline std::int8_t i8(std::int8_t (*f)(std::int8_t), std::int8_t x) { return f(x); }
inline std::uint8_t u8(std::uint8_t (*f)(std::uint8_t), std::uint8_t x) { return f(x); }
inline std::uint16_t u16(std::uint16_t (*f)(std::uint16_t), std::uint16_t x) { return f(x); }
inline int i32(int (*f)(int), int x) { return f(x); }
inline std::uint64_t u64(std::uint64_t (*f)(std::uint64_t), std::uint64_t x) { return f(x); }
inline float f32(float (*f)(float), float x) { return f(x); }
inline bool flag(bool (*f)(bool), bool x) { return f(x); }
inline Col col(Col (*f)(Col), Col x) { return f(x); }
inline const double* ptr(const double* (*f)(const double*), const double* x) { return f(x); }
inline double cref(double (*f)(const double&), double x) { return f(x); }
inline double ref(void (*f)(double&), double x) { f(x); return x; }
inline Pair pair(Pair (*f)(Pair, float), Pair p) { return f(p, 3); }
inline Mix mix(Mix (*f)(Mix, int), Mix p) { return f(p, 3); }
inline Odd odd(Odd (*f)(Odd), Odd p) { return f(p); }
inline Big big(Big (*f)(Big, double), Big p) { return f(p, 2); }
inline Wide wide(Wide (*f)(int, Wide), Wide p) { return f(2, p); }
inline Empty3 three(Empty3 (*f)(Empty3), Empty3 p) { return f(p); }
inline Mix many(Mix (*f)(long, long, long, long, long, Mix, long, double), Mix p) {
  return f(1, 2, 3, 4, 5, p, 6, 7);
}
inline double reals(double (*f)(double, double, double, double, double, double, double, Mix, Pair), Mix m, Pair p) {
  return f(1, 2, 3, 4, 5, 6, 7, m, p);
}
inline samebytes::float32x4 vec(samebytes::float32x4 (*f)(samebytes::float32x4), samebytes::float32x4 v) {
  return f(v);
}
inline double arr(double (*f)(samebytes::array<double, 2>), samebytes::array<double, 2> a) { return f(a); }
inline void change(void (*f)(Item&), Item& it) { f(it); }
inline void aimed(void (*f)(Item*), Item* it) { f(it); }
inline int seen(int (*f)(const Thing&), const Thing& t) { return f(t); }
inline int set(void (*f)(Thing&)) { Thing t; f(t); return t.get(); }
inline int nothing(int (*f)(Item*)) { return f(nullptr); }
inline Item& first(Item& (*f)(Item&), Item& it) { return f(it); }
inline double (*stored)(double);
inline void keep(double (*f)(double)) { stored = f; }
inline double again(double x) { return stored(x); }
inline int text(const std::function<int(std::string)>& f) { return f("abc"); }
inline int text_pointer(int (*f)(const char*)) { return f("abc"); }
"""
INTENTS = {"change": {"it": "inout_ptr"}, "aimed": {"it": "inout_ptr"}}


@pytest.fixture(scope="module")
def lib() -> Any:
    with pytest.warns(sb.BindWarning, match="deleted"):
        return sb.compile(SOURCE, target="numba", name="callers", arg_intent=INTENTS)


@sb.func(interop=True)
def square(x):
    return x * x


@sb.func
def plain(x):
    return x + 1


def interop(function: Callable[..., Any]) -> Any:
    return sb.func(interop=True)(function)


class TestOnTheHost:
    def test_is_the_function(self) -> None:
        assert square(3) == 9
        assert square(x=1.5) == 2.25
        assert square("a" and 2) == 4
        assert square.underlying.__name__ == square.__name__ == "square"
        assert (square.interop, plain.interop) == (True, False)
        assert pickle.loads(pickle.dumps(square)) is square

    def test_is_a_method_in_a_class(self) -> None:
        class Thing:
            @sb.func
            def twice(self, n):
                return (self, n, n)

        thing = Thing()
        assert thing.twice(2) == (thing, 2, 2)
        assert Thing.twice(thing, 3) == (thing, 3, 3)

    @pytest.mark.parametrize(
        ("make", "words"),
        [
            (lambda: sb.func(device=True), "device"),
            (lambda: sb.func(interop=1), "expected True or False"),
            (lambda: sb.func(3), "decorates a function of Python's, got 3"),
            (lambda: sb.func(len), "decorates a function of Python's"),
            (lambda: sb.func(square), "square is decorated by @func already"),
        ],
    )
    def test_refused(self, make: Callable[[], Any], words: str) -> None:
        with pytest.raises(TypeError, match=words):
            make()

    def test_a_generator_is_refused(self) -> None:
        def gives(n):
            yield n

        with pytest.raises(TypeError, match="gives does not"):
            sb.func(gives)


class TestInCompiledCode:
    def test_called(self) -> None:
        @numba.njit
        def both(n):
            return square(n) + plain(n)

        assert both(4) == 21

    def test_given_to_cxx(self, lib: Any) -> None:
        @numba.njit
        def total(n):
            return lib.sum(square, n)

        assert total(4) == 14

    def test_without_interop_is_refused(self, lib: Any) -> None:
        with pytest.raises(
            numba.TypingError, match=r"@sb.func\(interop=True\) makes one of a Python function"
        ):
            numba.njit(lambda n: lib.sum(plain, n))(4)


@pytest.mark.parametrize("call", ["sum", "sum_std", "in_threads", "struct"])
def test_runs_without_the_interpreter(lib: Any, call: str) -> None:
    """A profiler sees each function of Python's that runs: not one does."""
    lib.sum(square, 1), lib.sum_std(square, 1)  # compiled
    seen: list[str] = []
    record = lib.Cb(square, 4)
    sys.setprofile(lambda frame, event, argument: seen.append(frame.f_code.co_name))
    try:
        found = lib.run(record) if call == "struct" else getattr(lib, call)(square, 4)
    finally:
        sys.setprofile(None)
    assert found == (28 if call == "in_threads" else 14)
    assert "square" not in seen


# What C++ gives, and what the function makes of it in Python itself.
@pytest.mark.parametrize(
    ("name", "function", "given", "expected"),
    [
        ("i8", lambda x: x + 1, (-7,), -6),
        ("u8", lambda x: x + 1, (200,), 201),
        ("u16", lambda x: x - 1, (65535,), 65534),
        ("i32", lambda x: -x, (2**31 - 1,), -(2**31) + 1),
        ("u64", lambda x: x, (2**64 - 1,), 2**64 - 1),
        ("f32", lambda x: x / 2, (3,), 1.5),
        ("flag", lambda x: not x, (True,), False),
        ("cref", lambda x: x + 0.5, (1,), 1.5),
        ("text_pointer", lambda p: p[1], (), ord("b")),
    ],
)  # fmt: skip
def test_numbers(lib: Any, name: str, function: Any, given: Any, expected: Any) -> None:
    assert getattr(lib, name)(interop(function), *given) == expected


def test_defaults(lib: Any) -> None:
    assert lib.sum(interop(lambda x, factor=2.0: x * factor), 4) == 12


def test_enumerations(lib: Any) -> None:
    col = lib.Col

    @sb.func(interop=True)
    def other(c):
        return col.green if c == col.red else col.red

    assert lib.col(other, lib.Col.red) is lib.Col.green
    assert lib.col(other, lib.Col.green) is lib.Col.red


def test_places(lib: Any) -> None:
    @sb.func(interop=True)
    def nine(x):
        x[0] = 9.0

    @sb.func(interop=True)
    def same(p):
        return p

    assert lib.ref(nine, 3) == 9
    x = np.arange(3.0)
    assert lib.ptr(same, x).address == x.ctypes.data


# By the rules of C's calling convention: registers of both kinds, both in one struct, memory, and too few registers.
def test_structs_by_value(lib: Any) -> None:
    pair_, mix_, odd_, three_ = lib.Pair, lib.Mix, lib.Odd, lib.Empty3

    def same(p):
        return p

    assert lib.pair(interop(lambda p, k: pair_(p.x * k, p.y + k)), (1, 2)) == lib.Pair(3, 5)
    assert lib.mix(interop(lambda p, k: mix_(p.a * k, p.b + k)), (1.5, 2)) == lib.Mix(4.5, 5)
    assert lib.odd(interop(lambda p: odd_(p.b, p.a, p.c)), (1, 2, 3)) == lib.Odd(2, 1, 3)
    assert lib.three(interop(lambda p: three_(p.z, p.x, p.y)), (1, 2, 3)) == lib.Empty3(3, 1, 2)
    big, wide = lib.Big(), lib.Wide(1, 2, 3, 4)
    big.v[:] = range(5)
    assert list(lib.big(interop(lambda p, k: p), big).v) == [0, 1, 2, 3, 4]
    assert lib.wide(interop(lambda n, p: p), wide) == wide
    mixed = interop(lambda a, b, c, d, e, p, g, h: mix_(p.a + h, p.b + 10 * a + 100 * g + 1000 * e))
    assert lib.many(mixed, (0.5, 2)) == lib.Mix(7.5, 5612)
    reals = interop(lambda a, b, c, d, e, f, g, m, p: a + g + 10 * m.a + 100 * m.b + 1000 * p.x + 10000 * p.y)
    assert lib.reals(reals, (1, 2), (3, 4)) == 8 + 10 + 200 + 3000 + 40000
    assert lib.vec(interop(same), sb.float32x4(1, 2, 3, 4)) == sb.float32x4(1, 2, 3, 4)


@sb.struct
class Doubled:
    a: sb.float64
    b: sb.int64

    def twice(self):
        return Doubled(self.a * 2, self.b * 2)

    def __add__(self, other):
        return Doubled(self.a + other.a, self.b + other.b)


def test_a_class_that_only_an_annotation_names(lib: Any) -> None:
    """Its methods and operators are there, though nothing else made the class known to the compiler."""

    @sb.func(interop=True)
    def both(p: Doubled, n):
        return p.twice() + p

    assert lib.mix(both, (1.5, 2)) == lib.Mix(4.5, 6)


def test_what_is_const_is_read(lib: Any) -> None:
    @sb.func(interop=True)
    def writes(p):
        p[0] = 1.0
        return p

    with pytest.raises(sb.ArgumentError, match=r"const float64\* is const: nothing is written through it"):
        lib.ptr(writes, np.zeros(2))


def test_arrays(lib: Any) -> None:
    @sb.func(interop=True)
    def corner(a):
        a[0, 1] = a[1:, ::2].sum()
        return a.shape[0] + 10 * a.ndim + 100 * a.size

    x = np.arange(12.0).reshape(3, 4)
    y = x.copy().T[::2]
    assert lib.arr(corner, x) == 3 + 20 + 1200
    assert x[0, 1] == 4 + 6 + 8 + 10
    wanted = y[1:, ::2].sum()
    assert lib.arr(corner, y) == 2 + 20 + 600
    assert y[0, 1] == wanted


def test_references_are_the_very_object(lib: Any) -> None:
    @sb.func(interop=True)
    def move(it):
        it.key = 7.0
        it.id += 1

    item = lib.Item(1, 2)
    lib.change(move, item)
    assert item == lib.Item(7, 3)
    lib.aimed(move, item)
    assert item == lib.Item(7, 4)


def test_objects_of_classes(lib: Any) -> None:
    @sb.func(interop=True)
    def get(t):
        return t.get()

    @sb.func(interop=True)
    def put(t):
        t.set(t.get() + 1)

    assert lib.seen(get, lib.Thing()) == 4
    assert lib.set(put) == 5


def test_what_cxx_keeps_stays(lib: Any) -> None:
    """A C function is there as long as the process, though nothing of Python's refers to it any more."""

    def make(factor: float) -> Any:
        return interop(lambda x: x * factor)

    lib.keep(make(3.0))
    gc.collect()
    for factor in range(3):
        lib.sum(make(factor + 0.5), 2)
    gc.collect()
    assert lib.again(2) == 6


class TestComparators:
    def test_qsort(self) -> None:
        libc = sb.bind("stdlib.h", expose=("qsort", "bsearch"))

        @sb.func(interop=True)
        def compare(a: sb.pointer[sb.const[sb.int32]], b: sb.pointer[sb.const[sb.int32]]) -> int:
            return (a[0] > b[0]) - (a[0] < b[0])

        numbers = np.random.default_rng(1).integers(-(2**31), 2**31, 1000, dtype=np.int32)
        wanted = np.sort(numbers)
        libc.qsort(numbers, numbers.size, 4, compare)
        assert np.array_equal(numbers, wanted)

    def test_sort(self, lib: Any) -> None:
        @sb.func(interop=True)
        def less(a, b):
            return a.key < b.key

        items = np.zeros(100, lib.Item.dtype)
        items["key"] = np.random.default_rng(2).random(100)
        items["id"] = range(100)
        wanted = np.sort(items, order="key")
        lib.order(items, items.size, less)
        assert np.array_equal(items, wanted)

    def test_gsl(self) -> None:
        if not Path("/usr/include/gsl/gsl_integration.h").exists():
            pytest.skip("GSL is not installed")
        outs = {"result": "out_return", "abserr": "out_return"}
        gsl = sb.bind(
            "gsl/gsl_integration.h", libraries=["gsl", "gslcblas"], arg_intent={"gsl_integration_qag": outs},
        )  # fmt: skip

        @sb.func(interop=True)
        def bell(x, params: sb.pointer[sb.float64]):
            return np.exp(-params[0] * x * x)

        factor = np.array([2.0])
        f = gsl.gsl_function(bell, factor)
        work = gsl.gsl_integration_workspace_alloc(100)
        status, area, _ = gsl.gsl_integration_qag(f, -5, 5, 0, 1e-10, 100, 6, work)
        gsl.gsl_integration_workspace_free(work)
        assert status == 0
        assert abs(area - np.sqrt(np.pi / 2)) < 1e-9

    def test_nlopt(self) -> None:
        """A search that is given values and slopes, and one whose bound is a function, too."""
        if not Path("/usr/include/nlopt.h").exists():
            pytest.skip("NLopt is not installed")
        nlopt = sb.bind("nlopt.h", libraries=["nlopt"])

        @sb.func(interop=True)
        def square(n, x, slope, center: sb.pointer[sb.float64]):
            total = 0.0
            for i in range(n):
                total += (x[i] - center[i]) ** 2
                if slope is not None:
                    slope[i] = 2 * (x[i] - center[i])
            return total

        @sb.func(interop=True)
        def right_of_one(n, x, slope, data):
            if slope is not None:
                slope[0], slope[1] = -1.0, 0.0
            return 1 - x[0]

        center = np.array([-3.0, 2.0])
        for algorithm, wanted in ((nlopt.NLOPT_LD_LBFGS, (-3, 2)), (nlopt.NLOPT_LD_SLSQP, (1, 2))):
            search = nlopt.nlopt_create(algorithm, 2)
            nlopt.nlopt_set_min_objective(search, square, center)
            if wanted[0] == 1:
                nlopt.nlopt_add_inequality_constraint(search, right_of_one, None, 1e-9)
            nlopt.nlopt_set_xtol_rel(search, 1e-9)
            x, least = np.array([5.0, 5.0]), np.zeros(1)
            assert nlopt.nlopt_optimize(search, x, least) > 0
            nlopt.nlopt_destroy(search)
            assert np.allclose(x, wanted, atol=1e-6)
            assert np.allclose(least, ((np.array(wanted) - center) ** 2).sum())


def test_calls_the_mathematics_of_c(lib: Any) -> None:
    """exp and its like are the C library's, as in C++, and only in C functions: Numba's own code keeps Numba's."""
    llvm = pytest.importorskip("llvmlite.binding")
    numba.njit(lambda x: np.exp(x))(1.0)
    before = llvm.address_of_symbol("exp")
    function = interop(lambda x: np.exp(-x) + np.log(x + 1) + np.sin(x) + x**0.3)
    assert lib.sum(function, 10) == pytest.approx(sum(map(function, range(10))), rel=1e-14)
    assert llvm.address_of_symbol("exp") == before
    mathematics = importlib.import_module("samebytes.compiled.interop.mathematics")
    with mathematics.own_mathematics():
        of_c = ctypes.cast(ctypes.CDLL(None).exp, ctypes.c_void_p).value
        assert llvm.address_of_symbol("exp") == of_c


class TestErrors:
    def test_raised_by_the_call(self, lib: Any) -> None:
        @sb.func(interop=True)
        def fails(x):
            if x == 2:
                raise KeyError("no", 2)
            return x

        for _ in range(2):
            with pytest.raises(KeyError, match="no"):
                lib.sum(fails, 4)
        assert lib.sum(fails, 2) == 1

    def test_raised_in_compiled_code(self, lib: Any) -> None:
        @sb.func(interop=True)
        def fails(x):
            if x < 9:
                raise ValueError("inside")
            return x

        with pytest.raises(ValueError, match="inside"):
            numba.njit(lambda n: lib.sum(fails, n))(4)

    def test_a_result_that_does_not_fit(self, lib: Any) -> None:
        with pytest.raises(sb.RangeError, match="uint8"):
            lib.u8(interop(lambda x: x + 100), 200)

    def test_null_is_no_object(self, lib: Any) -> None:
        with pytest.raises(sb.ArgumentError, match=r"expected a Item, and C\+\+ gave a null pointer"):
            lib.nothing(interop(lambda it: it.id))

    @pytest.mark.parametrize(
        ("name", "function", "words"),
        [
            ("sum", lambda x, y: x, r"It takes \(x, y\); C\+\+ passes 1 argument"),
            ("sum", lambda *x: 1.0, r"It takes \*x, which compiled code has not"),
            ("sum", lambda x: "text", "expected float64, got unicode_type"),
            ("sum", lambda x: None, "None, as some way through it has no return"),
            ("sum", lambda x: x.nothing, r"'nothing' of type float64 \(test_func.py, line \d+\)"),
            ("flag", lambda x: 1, "x != 0 makes a bool of it"),
            ("ptr", lambda p: np.zeros(3), "which ends with the function"),
            ("text", lambda s: 1, r"C has no such arguments or results; f\.underlying runs in the interpreter"),
        ],
    )  # fmt: skip
    def test_refused(self, lib: Any, name: str, function: Any, words: str) -> None:
        given = {"flag": (True,), "ptr": (np.zeros(3),), "text": ()}.get(name, (3,))
        with pytest.raises(sb.ArgumentError, match=words):
            getattr(lib, name)(interop(function), *given)

    def test_annotations_of_another_type(self, lib: Any) -> None:
        @sb.func(interop=True)
        def narrow(x: sb.float32) -> sb.float64:
            return x

        @sb.func(interop=True)
        def gives(x: sb.float64) -> sb.float32:
            return x

        with pytest.raises(sb.ArgumentError, match="'x' is annotated as float32, and double"):
            lib.sum(narrow, 3)
        with pytest.raises(sb.ArgumentError, match="its result is annotated as float32"):
            lib.sum(gives, 3)
