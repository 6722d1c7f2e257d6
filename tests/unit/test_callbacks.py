"""Function pointers: what stands for one, what a callback gets and gives, errors, lifetimes, threads, calling back."""

from __future__ import annotations

import ctypes
import gc
import re
import sys
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import samebytes as sb
from samebytes.call.callbacks import closure

SOURCE = r"""
#include <complex>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <thread>

typedef int (*compare_t)(const void*, const void*);
typedef double curve(double);
enum Color { red, green = 5 };
struct P { double x, y; };
struct Odd { char a; double b; short c; };
struct Node { int value; Node* next; int (*measure)(Node*); };
struct S { int n; compare_t cmp; void (*visit)(P*); const char* (*name)(int); };
struct Five { int32_t a[5]; };

int apply(int (*f)(int), int x) { return f(x); }
double integrate(double (*f)(double, void*), double a, double b, int n, void* data) {
  double sum = 0, h = (b - a) / n;
  for (int i = 0; i < n; ++i) sum += f(a + (i + .5) * h, data);
  return sum * h;
}
double curve_at(curve f, double x) { return f(x); }
double by_value(double (*f)(P), P p) { return f(p); }
double odd(double (*f)(Odd), Odd o) { return f(o); }
int five(int (*f)(Five), Five v) { return f(v); }
void by_pointer(void (*f)(P*), P* p) { f(p); }
double by_reference(double (*f)(const P&), const P& p) { return f(p); }
int count_to(int (*f)(int), int n) noexcept {
  int calls = 0;
  for (int i = 0; i < n; ++i) calls += f(i) == 0;
  return calls;
}

int twice(int x) { return 2 * x; }
static int hidden(int x) { return 3 * x; }
inline int inlined(int x) { return 4 * x + hidden(0); }
double half(double x) { return x / 2; }
int thrower(int) { throw std::out_of_range("boom"); }
int over(int x) { return x + 1000; }
double over(double x) { return x; }
int (*pick(int i))(int) { return i == 0 ? twice : i == 1 ? thrower : nullptr; }

static int (*hook)(int);
int run(int x) { return hook ? hook(x) : -1; }
static compare_t stored;
void store(compare_t f) { stored = f; }
int fire(const void* a, const void* b) { return stored(a, b); }
int use(const S* s, int a, int b) { return s->cmp(&a, &b); }
int measure(Node* n) { return n->measure(n); }
bool is_null(compare_t f) { return !f; }

int holder(std::function<int(int, double)> f) { return f ? f(3, 4.5) : -1; }
int holder_reference(const std::function<int(int)>& f) { return f(3); }
int threaded(int (*f)(int), int x) { int r = 0; std::thread t([&] { r = f(x); }); t.join(); return r; }
static int (*later)(int);
void keep(int (*f)(int)) { later = f; }
int later_in_a_thread(int x) { int r = 0; std::thread t([&] { r = later(x); }); t.join(); return r; }
void detached(int x) { std::thread([x] { later(x); }).detach(); }

int8_t i8(int8_t (*f)(int8_t), int8_t x) { return f(x); }
uint8_t u8(uint8_t (*f)(uint8_t), uint8_t x) { return f(x); }
int16_t i16(int16_t (*f)(int16_t), int16_t x) { return f(x); }
uint16_t u16(uint16_t (*f)(uint16_t), uint16_t x) { return f(x); }
uint32_t u32(uint32_t (*f)(uint32_t), uint32_t x) { return f(x); }
int64_t i64(int64_t (*f)(int64_t), int64_t x) { return f(x); }
uint64_t u64(uint64_t (*f)(uint64_t), uint64_t x) { return f(x); }
float f32(float (*f)(float), float x) { return f(x); }
double f64(double (*f)(double), double x) { return f(x); }
bool boolean(bool (*f)(bool), bool x) { return f(x); }
char character(char (*f)(char), char x) { return f(x); }
const char* text(const char* (*f)(const char*), const char* x) { return f(x); }
Color color(Color (*f)(Color), Color x) { return f(x); }
void* address(void* (*f)(void*), void* x) { return f(x); }
double norm(double (*f)(std::complex<double>), std::complex<double> z) { return f(z); }
struct Widget {
  Widget(int n) : n(n) {}
  virtual ~Widget() {}
  virtual int area() const { return n * n; }
  int n;
};
int visit(int (*f)(Widget&), int n) { Widget w(n); return f(w); }
int visit_pointer(int (*f)(const Widget*), int n) { Widget w(n); return f(&w); }
void visit_this(int (*f)(Widget&), Widget& w) { f(w); }
int nested(int (*f)(int (*)(int)), int (*g)(int)) { return f(g); }

P struct_result(P (*f)(int)) { return f(1); }
void variadic(int (*f)(const char*, ...)) {}
void wide(long double (*f)(long double)) {}
int either(int (*f)(int)) { return 1; }
int either(int (*f)(int, int)) { return 2; }
struct Thrown : std::exception { const char* what() const noexcept { return "after"; } };
int throws_after(int (*f)(int)) { f(1); throw std::runtime_error("C++ noticed the zero"); }
"""


@pytest.fixture(scope="module", params=["the core's", "ctypes'"])
def lib(request: pytest.FixtureRequest) -> Iterator[sb.Library]:
    """With C functions of either kind; ctypes' are made where the core has none, or none left."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "ctypes'":
            patch.setattr(closure, "callback_plan", lambda function, find: None)
        yield sb.compile(SOURCE, name=f"callbacks_{request.param[:-1].split()[-1]}")


class TestSources:
    def test_a_callable(self, lib: Any) -> None:
        assert lib.apply(lambda x: x + 1, 4) == 5
        assert lib.apply(f=abs, x=-4) == 4
        assert lib.integrate(lambda x, data: x * x, 0, 3, 10000, None) == pytest.approx(9)
        assert lib.curve_at(lambda x: x * 10, 2) == 20

    def test_a_bound_function_is_passed_by_its_own_symbol(self, lib: Any) -> None:
        assert lib.apply(lib.twice, 21) == 42
        assert lib.apply(lib.inlined, 2) == 8
        assert lib.apply(lib.over, 2) == 1002  # the overload of this very signature
        assert int(lib.pick(0)) == int(type(lib.pick(0))(lib.twice))

    def test_a_bound_function_of_another_signature_is_called_as_any_callable(self, lib: Any) -> None:
        with pytest.raises(sb.RangeError, match="returned what"):
            lib.apply(lambda x: x + 2**40, 3)
        with pytest.raises(sb.ArgumentError, match="returned what C\\+\\+ does not take"):
            lib.apply(lib.half, 3)

    def test_ctypes(self, lib: Any) -> None:
        made = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda x: -x)
        assert lib.apply(made, 9) == -9
        with pytest.raises(sb.ArgumentError, match=r"Its signature is int32\(float64\)"):
            lib.apply(ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_double)(lambda x: 1), 9)
        with pytest.raises(sb.ArgumentError, match=r"Its signature is int32\(int32, int32\)"):
            lib.apply(ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int)(lambda x, y: 1), 9)
        absolute = ctypes.CDLL(None).abs
        with pytest.raises(sb.ArgumentError, match="argtypes and restype"):
            lib.apply(absolute, 9)
        absolute.argtypes = [ctypes.c_int]
        assert lib.apply(absolute, -9) == 9
        compare = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lambda a, b: 7)
        lib.store(compare)
        assert lib.fire(None, None) == 7

    def test_pointer_none_and_an_address(self, lib: Any) -> None:
        assert lib.is_null(None)
        assert not lib.is_null(lib.compare_t(lambda a, b: 0))
        address = int(lib.pick(0))
        assert lib.apply(sb.Pointer(address), 5) == 10
        with pytest.raises(
            sb.ArgumentError, match="a callable, a C function of this type, a Pointer or None"
        ):
            lib.apply(address, 5)

    def test_a_pointer_to_another_function_is_refused(self, lib: Any) -> None:
        other = sb.callback(lambda x: x, "double(*)(double)")
        with pytest.raises(sb.ArgumentError, match=r"Its signature is float64\(float64\)"):
            lib.apply(other, 5)
        same = sb.callback(lambda x: x - 1, "int(*)(int)")
        assert lib.apply(same, 5) == 4

    def test_arity_is_checked_before_cpp_runs(self, lib: Any) -> None:
        with pytest.raises(sb.ArgumentError, match=r"It takes \(\); C\+\+ passes 1 argument"):
            lib.apply(lambda: 1, 5)
        assert lib.apply(lambda *args: args[0], 5) == 5
        assert lib.apply(lambda x, y=3: x + y, 5) == 8

    def test_a_struct_as_a_result(self, lib: Any) -> None:
        assert lib.struct_result(lambda x: (x, 2)) == lib.P(1, 2)

    def test_what_no_callable_can_stand_for(self, lib: Any) -> None:
        with pytest.raises(sb.ArgumentError, match="variable number of arguments"):
            lib.variadic(lambda x: 1)
        with pytest.raises(sb.ArgumentError, match="long double"):
            lib.wide(lambda x: 1)
        lib.variadic(sb.Pointer(1))
        lib.wide(None)

    def test_overloads(self, lib: Any) -> None:
        assert lib.either(lambda a: 1) == 1
        assert lib.either(lambda a, b: 1) == 2

    def test_numba(self, lib: Any) -> None:
        numba = pytest.importorskip("numba", reason="Numba is not installed")
        assert lib.apply(numba.cfunc("int32(int32)")(lambda x: x * 3), 9) == 27
        area = numba.cfunc("float64(float64, voidptr)")(lambda x, data: x * 3)
        assert lib.integrate(area, 0, 1, 1000, None) == pytest.approx(1.5)
        with pytest.raises(sb.ArgumentError, match=r"Its signature is float64\(float64, pointer\[void\]\)"):
            lib.apply(area, 9)
        with pytest.raises(sb.ArgumentError, match=r"int64\(int64\)"):
            lib.apply(numba.cfunc("int64(int64)")(lambda x: x), 9)

    def test_std_function(self, lib: Any) -> None:
        assert lib.holder(lambda i, d: int(i * d)) == 13
        assert lib.holder(None) == -1
        assert lib.holder_reference(lib.twice) == 6


class TestValues:
    @pytest.mark.parametrize(
        ("name", "value"),
        [("i8", -128), ("u8", 255), ("i16", -(2**15)), ("u16", 2**16 - 1), ("u32", 2**32 - 1), ("i64", -(2**63)),
         ("u64", 2**64 - 1), ("f32", 0.1), ("f64", 0.1), ("boolean", True), ("boolean", False), ("character", -1)],
    )  # fmt: skip
    def test_numbers_are_exact(self, lib: Any, name: str, value: Any) -> None:
        seen = []
        result = getattr(lib, name)(lambda x: (seen.append(x), x)[1], value)
        expected = float(np.float32(value)) if name == "f32" else value
        assert seen == [expected]
        assert result == expected
        assert type(seen[0]) is type(expected)

    def test_a_result_that_does_not_fit(self, lib: Any) -> None:
        with pytest.raises(
            sb.RangeError, match=r"callback <lambda>\(\) returned what C\+\+ does not take.*256"
        ):
            lib.u8(lambda x: 256, 1)
        with pytest.raises(sb.ArgumentError, match="expected int8"):
            lib.i8(lambda x: None, 1)

    def test_numpy_results(self, lib: Any) -> None:
        assert lib.f64(lambda x: np.float32(0.5), 1) == 0.5
        assert lib.i64(lambda x: np.int32(-3), 1) == -3

    def test_text(self, lib: Any) -> None:
        assert lib.text(lambda s: s.upper(), "hé") == "HÉ"
        assert lib.text(lambda s: None if s is None else "x", None) is None

    def test_enumerations(self, lib: Any) -> None:
        seen = []
        assert lib.color(lambda c: (seen.append(c), lib.red)[1], lib.green) is lib.red
        assert seen[0] is lib.green

    def test_structs_by_value(self, lib: Any) -> None:
        assert lib.by_value(lambda p: p.x * 10 + p.y, (1, 2)) == 12
        seen = []
        assert lib.odd(lambda o: (seen.append(o), o.b)[1], (1, 2.5, -3)) == 2.5
        assert (seen[0].a, seen[0].c, type(seen[0])) == (1, -3, lib.Odd)
        assert lib.five(lambda v: int(v.a.sum()), ([1, 2, 3, 4, 5],)) == 15

    def test_a_record_by_pointer_is_the_record_itself(self, lib: Any) -> None:
        p = lib.P(1, 2)
        lib.by_pointer(lambda q: setattr(q, "x", 7), p)
        assert p.x == 7
        assert lib.by_reference(lambda q: q.x * 10, p) == 70

    def test_an_object_of_a_class_is_that_object(self, lib: Any) -> None:
        assert lib.visit(lambda w: w.area(), 4) == 16
        assert lib.visit_pointer(lambda w: w.n + 1, 4) == 5

        def grow(w: Any) -> int:
            w.n = 7
            return 0

        widget = lib.Widget(3)
        lib.visit_this(grow, widget)
        assert widget.area() == 49

    def test_null_and_addresses(self, lib: Any) -> None:
        seen: list[Any] = []
        lib.by_pointer(seen.append, None)
        assert seen == [None]
        data = np.arange(3.0)
        back = lib.address(lambda p: p, data)
        assert int(back) == data.ctypes.data
        assert not lib.address(lambda p: None, data)

    def test_complex(self, lib: Any) -> None:
        assert lib.norm(abs, 3 + 4j) == 5

    def test_a_callback_gets_a_function(self, lib: Any) -> None:
        assert lib.nested(lambda g: g(20) + 1, lib.twice) == 41
        assert lib.nested(lambda g: g(20) + 1, lambda x: x) == 21


class TestErrors:
    def test_an_exception_is_raised_when_the_call_returns(self, lib: Any) -> None:
        calls = []

        def fails(x: int) -> int:
            calls.append(x)
            raise KeyError("inside")

        with pytest.raises(KeyError, match="inside") as caught:
            lib.apply(fails, 4)
        assert calls == [4]
        assert "fails" in [entry.name for entry in caught.traceback]

    def test_cpp_goes_on_with_zero_where_nothing_passes(self, lib: Any) -> None:
        calls = []

        def fails(x: int) -> int:
            calls.append(x)
            raise ValueError(x)

        with pytest.raises(ValueError, match="0") as caught:
            lib.count_to(fails, 3)
        assert calls == [0, 1, 2]
        counted = "Callbacks of this call failed 2 times more, the last time with ValueError(2)"
        assert caught.value.__notes__[-1] == counted

    def test_it_comes_before_what_cpp_throws_then(self, lib: Any) -> None:
        with pytest.raises(ZeroDivisionError):
            lib.throws_after(lambda x: x // 0)
        with pytest.raises(RuntimeError, match="noticed"):
            lib.throws_after(lambda x: x)

    def test_the_next_call_is_clean(self, lib: Any) -> None:
        with pytest.raises(ZeroDivisionError):
            lib.apply(lambda x: x // 0, 1)
        assert lib.apply(lambda x: x, 1) == 1
        assert lib.twice(3) == 6

    def test_keyboard_interrupt_passes(self, lib: Any) -> None:
        def interrupt(x: int) -> int:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            lib.apply(interrupt, 1)

    def test_calls_inside_callbacks_have_errors_of_their_own(self, lib: Any) -> None:
        def outer(x: int) -> int:
            with pytest.raises(ZeroDivisionError):
                lib.apply(lambda y: y // 0, x)
            return x + 1

        assert lib.apply(outer, 1) == 2

    def test_a_stored_callback_fails_in_the_call_that_runs_it(self, lib: Any) -> None:
        stored = lib.compare_t(lambda a, b: {}["missing"])
        lib.store(stored)
        with pytest.raises(KeyError, match="missing"):
            lib.fire(None, None)

    def test_in_another_thread(self, lib: Any) -> None:
        assert lib.threaded(lambda x: x * 5, 3) == 15
        with pytest.raises(ZeroDivisionError):
            lib.threaded(lambda x: x // 0, 3)

    def test_of_a_kept_callback_in_a_thread_without_a_call(self, lib: Any) -> None:
        stored = sb.callback(lambda x: x // 0, "int(*)(int)")
        lib.keep(stored)
        reported = []
        hook, sys.unraisablehook = sys.unraisablehook, reported.append
        try:
            assert lib.later_in_a_thread(1) == 0
        finally:
            sys.unraisablehook = hook
        assert [args.exc_type for args in reported] == [ZeroDivisionError]


class TestLifetime:
    def test_a_callable_lives_for_its_call_only(self, lib: Any) -> None:
        class Callable:
            def __call__(self, x: int) -> int:
                return x

        call = Callable()
        alive = weakref.ref(call)
        lib.apply(call, 1)
        del call
        assert alive() is None  # without the garbage collector's help

    def test_a_wrapper_keeps_its_callable(self, lib: Any) -> None:
        def call(a: Any, b: Any) -> int:
            return 5

        alive = weakref.ref(call)
        wrapper = lib.compare_t(call)
        lib.store(wrapper)
        del call
        gc.collect()
        assert alive() is not None
        assert lib.fire(None, None) == 5
        lib.store(None)
        del wrapper
        assert alive() is None

    def test_a_record_keeps_the_callables_of_its_fields(self, lib: Any) -> None:
        s = lib.S(cmp=lambda a, b: 42)
        gc.collect()
        assert lib.use(s, 1, 2) == 42
        s.cmp = lambda a, b: 43
        gc.collect()
        assert lib.use(s, 1, 2) == 43
        assert s.cmp(None, None) == 43
        copied = s.replace(n=1)
        del s
        gc.collect()
        assert lib.use(copied, 1, 2) == 43
        with pytest.raises(sb.ArgumentError, match=r"S\.cmp: expected a callable"):
            copied.cmp = 3

    @pytest.mark.parametrize("keep", ["call", "wrapper", "field"])
    def test_what_is_called_too_late_says_so(self, lib: Any, keep: str) -> None:
        def late(a: Any, b: Any) -> int:
            return 5

        alive = weakref.ref(late)
        if keep == "call":
            lib.store(late)
        elif keep == "wrapper":
            lib.store(lib.compare_t(late))
        else:
            lib.store(sb.Pointer(int(lib.S(cmp=late).cmp)))
        for _ in range(100):  # C functions that other callables need meanwhile
            lib.apply(lambda x: x, 1)
        del late
        assert alive() is None
        with pytest.raises(sb.ArgumentError, match=r"called callback late\(\) when its C function had ended"):
            lib.fire(None, None)
        lib.store(None)

    def test_c_functions_that_ended_are_given_back(self, lib: Any) -> None:
        seen: set[int] = set()
        for _ in range(10):
            made = [sb.callback(lambda x: x, "int(*)(int)") for _ in range(1000)]
            seen |= {int(f) for f in made}
            del made
        assert 0 not in seen
        assert len(seen) <= 4096  # of which fewer were made than calls asked for

    def test_a_record_that_its_own_callback_gets(self, lib: Any) -> None:
        node = lib.Node(value=3, measure=lambda n: n.value * 2)
        assert lib.measure(node) == 6

    def test_a_callable_that_a_variable_gives_up_ends_after_cxx_has_the_next(self, lib):
        called = []

        class First:
            def __call__(self, x: int) -> int:
                return x + 1

            def __del__(self) -> None:
                called.append(lib.run(5))

        lib.hook = First()
        lib.hook = lambda x: 10 * x
        gc.collect()
        lib.hook = None
        assert called == [50]

    def test_a_variable_keeps_its_callable(self, lib: Any) -> None:
        lib.hook = lambda x: x + 1
        gc.collect()
        assert lib.run(3) == lib.hook(3) == 4
        lib.hook = None
        assert lib.run(3) == -1

    def test_a_returned_pointer_keeps_what_it_may_point_to(self, lib: Any) -> None:
        back = lib.S(cmp=lambda a, b: 9).cmp
        gc.collect()
        assert back(None, None) == 9


class TestCalls:
    def test_returned_pointers_are_callable(self, lib: Any) -> None:
        assert lib.pick(0)(8) == 16
        assert lib.pick(0)(arg0=8) == 16
        with pytest.raises(IndexError, match="boom"):
            lib.pick(1)(8)
        with pytest.raises(sb.ArgumentError, match="is null: there is no function to call"):
            lib.pick(2)(8)
        with pytest.raises(sb.ArgumentError, match="expected int32"):
            lib.pick(0)("8")

    def test_typedefs_name_the_classes(self, lib: Any) -> None:
        assert lib.compare_t.__name__ == "compare_t"
        assert lib.compare_t.__module__ == lib.__name__
        assert issubclass(lib.compare_t, sb.Pointer)
        assert lib.curve(lambda x: x + 1)(1) == 2
        assert not lib.compare_t(None)

    def test_callback(self) -> None:
        add = sb.callback(lambda a, b: a + b, "double(*)(double, double)")
        assert add(1, 2) == 3
        assert sb.callback(len, "size_t (const char*)")("four") == 4
        assert sb.callback(lambda x: x, sb.as_type("int(*)(int)"))(3) == 3
        with pytest.raises(sb.ArgumentError, match="got 1 argument"):
            add(1)
        with pytest.raises(TypeError, match="no type of a function"):
            sb.callback(len, "int")
        with pytest.raises(sb.ArgumentError, match="expected a callable"):
            sb.callback(3.5, "int(*)(int)")


def test_as_type_reads_function_pointers() -> None:
    read = sb.as_type("int (*)(const void*, void (*)(float), unsigned long)")
    assert str(read) == "pointer[int32(pointer[const[void]], pointer[void(float32)], uint64)]"
    assert sb.sizeof(read) == 8


def test_functions_beside_a_callback_keep_their_shortest_path() -> None:
    lib = sb.compile(
        "static int (*hook)(int);\nvoid set(int (*f)(int)) { hook = f; }\n"
        "int plain(int x) { return x + 1; }\nint run(int x) { return hook(x); }",
        nogil=False,
    )
    assert lib.plain.__self__.paths == lib.run.__self__.paths == ("shortest",)
    kept = sb.callback(lambda x: 1 // x, "int(*)(int)")
    lib.set(kept)
    assert (lib.plain(1), lib.run(1)) == (2, 1)
    with pytest.raises(ZeroDivisionError):
        lib.run(0)
    assert lib.run(x=1) == 1
    with pytest.raises(sb.ArgumentError):
        lib.run("1")


def test_what_a_callback_is_given_with_lives_as_long() -> None:
    """``cb(callable, owner)``: what C keeps beside the function, its context say, lives until the C function ends."""
    lib = sb.compile(
        "typedef int (*Read)(int);\nstruct Reader { Read read; };\nint run(Reader r) { return r.read(2); }"
    )

    class Context:
        pass

    read = type(lib.Reader().read)
    for given in (lambda x: x + 1, read(lambda x: x), 0x1000):
        context = Context()
        alive = weakref.ref(context)
        pointer = read(given, context)
        del context
        gc.collect()
        assert alive() is not None
        del pointer
        gc.collect()
        assert alive() is None


SIGNATURES = """
struct S { int a; double b; };
enum class E : int { x, y };
int call(int (*f)(int)) { return f(1); }
void run(void (*f)(int)) { f(1); }
int by_struct(int (*f)(S)) { return f(S{1, 2}); }
int by_enum(int (*f)(E)) { return f(E::y); }
"""


class Same(ctypes.Structure):
    _fields_ = (("a", ctypes.c_int), ("b", ctypes.c_double))


class Narrower(ctypes.Structure):
    _fields_ = (("a", ctypes.c_int), ("b", ctypes.c_float))


@pytest.fixture(scope="module")
def signatures() -> Any:
    return sb.compile(SIGNATURES)


@pytest.mark.parametrize(
    ("name", "types", "said"),
    [
        ("call", (ctypes.c_int, ctypes.c_int), ""),
        ("call", (None, ctypes.c_int), "void(int32)"),
        ("run", (None, ctypes.c_int), ""),
        ("run", (ctypes.c_int, ctypes.c_int), "int32(int32)"),
        ("by_struct", (ctypes.c_int, Same), ""),  # the same bytes, whatever the class
        ("by_struct", (ctypes.c_int, Narrower), "int32(Narrower)"),
        ("by_enum", (ctypes.c_int, ctypes.c_int), ""),
        ("by_enum", (ctypes.c_int, ctypes.c_uint), "int32(uint32)"),
    ],
)
def test_signatures_are_alike_by_their_bytes(signatures: Any, name: str, types: Any, said: str) -> None:
    made = ctypes.CFUNCTYPE(*types)(lambda *given: 5)
    if said:
        with pytest.raises(sb.ArgumentError, match=re.escape(f"Its signature is {said}")):
            getattr(signatures, name)(made)
    else:
        assert getattr(signatures, name)(made) == (5 if types[0] else None)
