"""Bound functions in code that Numba compiles for the CPU: one C++ source, called from Python and from @njit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import seed

import samebytes as sb

numba = pytest.importorskip("numba", reason="Numba is not installed")
njit = numba.njit

pytestmark = pytest.mark.full

HERE = Path(__file__).parent

SOURCE = r"""
#include <samebytes/array.hpp>
#include <samebytes/vector.hpp>
#include <complex>
#include <cstdint>
#include <new>
#include <stdexcept>

namespace geo {
struct Point { double x; double y; };
struct Box { Point low; Point high; int tags[3]; float grid[2][3]; const float* data; };
inline double area(const Box& b) noexcept { return (b.high.x - b.low.x) * (b.high.y - b.low.y); }
inline Box grown(Box b, double by) { b.high.x += by; b.tags[1] = 7; return b; }
inline Point middle(const Point& a, const Point& b) noexcept { return {(a.x + b.x) / 2, (a.y + b.y) / 2}; }
inline void shift(Point& p, double by) noexcept { p.x += by; p.y += by; }
}

enum class Col : std::int16_t { red = -1, green = 2, blue = 300 };
enum Plain { zero, one, many = 7 };
struct Bits { unsigned a : 3; int b : 5; unsigned c : 24; };
struct Mixed { char c; samebytes::float32x4 v; bool flag; Col col; std::int64_t big; };
struct alignas(32) Wide { float f[4]; };
struct Large { double v[40]; };

double add(double a, int b) { return a + b; }
double with_default(double a, int b = 3, double c = 0.5) noexcept { return a + b + c; }
bool flip(bool b) noexcept { return !b; }
std::int8_t i8(std::int8_t v) noexcept { return v; }
std::uint8_t u8(std::uint8_t v) noexcept { return v; }
std::int16_t i16(std::int16_t v) noexcept { return v; }
std::uint16_t u16(std::uint16_t v) noexcept { return v; }
std::int32_t i32(std::int32_t v) noexcept { return v; }
std::uint32_t u32(std::uint32_t v) noexcept { return v; }
std::int64_t i64(std::int64_t v) noexcept { return v; }
std::uint64_t u64(std::uint64_t v) noexcept { return v; }
float f32(float v) noexcept { return v; }
double f64(double v) noexcept { return v; }
char chr(char v) noexcept { return v; }
std::complex<float> c64(std::complex<float> v) noexcept { return v; }
std::complex<double> c128(const std::complex<double>& v) noexcept { return v * 2.0; }
const double& ref(const double& x) noexcept { return x; }
float rvalue(float&& x) noexcept { return x; }
double discarded(double& x) noexcept { x += 1; return x; }
Col col(Col c) { return c; }
Plain plain(Plain p) noexcept { return p; }
Col back() noexcept { return Col::red; }
void fill(float* p, long n) { for (long i = 0; i < n; ++i) p[i] = i; }
double total(const float* p, long n) noexcept { double t = 0; for (long i = 0; i < n; ++i) t += p[i]; return t; }
double strided(samebytes::array<const float, 2> a) {
  double t = 0;
  for (unsigned i = 0; i < a.shape[0]; ++i)
    for (unsigned j = 0; j < a.shape[1]; ++j) t += a.data[i * (long)a.strides[0] + j * (long)a.strides[1]];
  return t;
}
bool is_null(const void* p) noexcept { return p == nullptr; }
long length(const char* s) noexcept { long n = 0; while (s[n]) ++n; return n; }
double* same(double* p) noexcept { return p; }
double deref(const double* p) noexcept { return *p; }
Bits bits(int a, int b, int c) noexcept { Bits r; r.a = a; r.b = b; r.c = c; return r; }
long sum_bits(Bits b) noexcept { return b.a + 10 * b.b + 1000L * b.c; }
Mixed mixed(int k) noexcept { return {'c', {1, 2, 3, float(k)}, true, Col::blue, 1LL << 40}; }
float last(Mixed m) noexcept { return m.v.w + m.flag + (int)m.col; }
bool aligned(const Wide& w) noexcept { return reinterpret_cast<std::uintptr_t>(&w) % 32 == 0; }
Wide wide(float x) noexcept { return {{x, x, x, x}}; }
Large large(double x) { Large r{}; r.v[39] = x; return r; }
double of_large(const Large& l) noexcept { return l.v[39]; }
samebytes::float32x4 twice(samebytes::float32x4 v) noexcept { return {2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w}; }
samebytes::int16x3 three(const samebytes::int16x3& v) noexcept { return v; }
int over(int) { return 1; }
int over(double) { return 2; }
int over(const float*, int) { return 3; }
int over(long, long) { return 4; }
double thrown(int kind) {
  switch (kind) {
    case 0: throw std::invalid_argument("invalid é €");
    case 1: throw std::out_of_range("range");
    case 2: throw std::bad_alloc();
    case 3: throw std::overflow_error("over");
    case 4: throw std::runtime_error("run");
    case 5: throw 5;
  }
  return kind;
}
geo::Point thrown_point(int k) { if (k < 0) throw std::runtime_error("no point"); return {1.0 * k, 2.0}; }
void none() {}
double frexp_like(double x, int* exponent, float* rest) { *exponent = 3; *rest = 0.25f; return x / 8; }
void only_out(double& v) noexcept { v = 4.5; }
void two_out(int& a, geo::Point& p) noexcept { a = 1; p = {2, 3}; }
void in_place(double* v) noexcept { *v *= 2; }
float small(_Float16 h);
constexpr int LIMIT = 12;
"""
INTENTS = {
    "frexp_like": {"exponent": "out_return", "rest": "out_return"},
    "only_out": {"v": "out_return"},
    "two_out": {"a": "out_return", "p": "out_return"},
    "in_place": {"v": "inout_ptr"},
    "geo::shift": {"p": "inout_ptr"},
}


@pytest.fixture(scope="module")
def lib() -> Any:
    with pytest.warns(sb.BindWarning):
        return sb.compile(SOURCE, target="numba", name="targets", arg_intent=INTENTS)


def run(lib: Any, expression: str, *arguments: Any, names: str = "abcd") -> Any:
    """An expression compiled as a function of its arguments, and its value."""
    text = f"def f({', '.join(names[: len(arguments)])}):\n    return {expression}\n"
    scope: dict[str, Any] = {"lib": lib, "sb": sb, "np": np}
    exec(text, scope)
    return njit(scope["f"])(*arguments)


def refused(lib: Any, expression: str, *arguments: Any) -> str:
    """The words of a compile-time refusal."""
    with pytest.raises(numba.core.errors.TypingError) as caught:
        run(lib, expression, *arguments)
    return str(caught.value)


class TestNumbers:
    @pytest.mark.parametrize("name", ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"])
    def test_integers_keep_their_value_at_both_ends(self, lib: Any, name: str) -> None:
        dtype = np.dtype({"i": "int", "u": "uint"}[name[0]] + name[1:])
        info = np.iinfo(dtype)
        for value in (info.min, info.max, 0, 1):
            assert run(lib, f"lib.{name}(a)", dtype.type(value)) == value
            assert run(lib, f"lib.{name}({value})") == value

    @pytest.mark.parametrize(
        ("name", "value"), [("i8", 128), ("u8", -1), ("i32", 2**31), ("u32", -1), ("u64", -1)]
    )
    def test_an_integer_that_does_not_fit_is_an_error(self, lib: Any, name: str, value: int) -> None:
        with pytest.raises(OverflowError, match=rf"{name}\(\) argument 1 'v': expected u?int"):
            run(lib, f"lib.{name}(a)", value)
        assert f"{name}() argument 1 'v': expected" in refused(lib, f"lib.{name}({value})")

    def test_floats(self, lib: Any) -> None:
        assert run(lib, "lib.f32(a)", 0.1) == np.float32(0.1)
        assert run(lib, "lib.f64(a)", np.float32(0.1)) == np.float32(0.1)
        assert run(lib, "lib.f64(a)", 3) == 3.0
        assert np.isnan(run(lib, "lib.f32(a)", np.nan))
        assert run(lib, "lib.f32(a)", np.inf) == np.inf
        with pytest.raises(OverflowError, match="finite number"):
            run(lib, "lib.f32(a)", 1e300)
        with pytest.raises(OverflowError, match="exactly"):
            run(lib, "lib.f64(a)", 2**53 + 1)
        with pytest.raises(OverflowError, match="exactly"):
            run(lib, "lib.f64(a)", 2**63 - 1)
        assert run(lib, "lib.f64(a)", -(2**63)) == -(2.0**63)
        assert "no exact value" in refused(lib, "lib.f32(16777217)")

    def test_bools_and_complex_numbers(self, lib: Any) -> None:
        assert run(lib, "lib.flip(a), lib.flip(False)", True) == (False, True)
        assert run(lib, "lib.c64(a)", np.complex64(1 + 2j)) == 1 + 2j
        assert run(lib, "lib.c128(a)", 1.5 - 2j) == 3 - 4j
        assert run(lib, "lib.c128(a)", 1.5) == 3
        assert "int(x) makes a number" in refused(lib, "lib.i32(a)", True)
        assert "x != 0 makes a bool" in refused(lib, "lib.flip(a)", 1)
        assert "int(x) truncates" in refused(lib, "lib.i32(a)", 1.0)

    def test_references(self, lib: Any) -> None:
        assert run(lib, "lib.ref(a), lib.rvalue(a), lib.discarded(a)", 2.5) == (2.5, 2.5, 3.5)
        assert run(lib, "lib.chr(a)", np.int8(-7)) == -7

    def test_enumerations_have_their_real_type(self, lib: Any) -> None:
        assert run(lib, "lib.back()") is lib.Col.red
        assert run(lib, "lib.col(lib.Col.blue)") is lib.Col.blue
        assert run(lib, "lib.col(a) == lib.Col.green", lib.Col.green)
        assert run(lib, "lib.plain(lib.many)") == 7
        assert "Pass a member of Col" in refused(lib, "lib.col(a)", 2)
        assert run(lib, "lib.LIMIT + 1") == 13

    def test_defaults_and_keywords(self, lib: Any) -> None:
        assert run(lib, "lib.with_default(a), lib.with_default(a, 1), lib.with_default(a, 1, 2.0)", 1.0) == (
            4.5,
            2.5,
            4,
        )
        assert run(lib, "lib.with_default(b=10, a=a)", 1.0) == 11.5
        words = refused(lib, "lib.with_default(a, q=3)", 1.0)
        assert "no parameter 'q'" in words
        assert "with_default(a: float64, b: int32 = 3" in refused(lib, "lib.with_default()")

    def test_overloads(self, lib: Any) -> None:
        assert run(lib, "lib.over(1), lib.over(a)", 1.5) == (1, 2)
        assert run(lib, "lib.over(a, 3)", np.zeros(3, np.float32)) == 3
        assert run(lib, "lib.over(a, a)", np.int64(3)) == 4
        assert "no overload that fits" in refused(lib, "lib.over(a)", "text")


class TestArrays:
    def test_an_array_is_an_address(self, lib: Any) -> None:
        array = np.zeros(5, np.float32)
        assert run(lib, "lib.fill(a, a.size)", array) is None
        assert array.tolist() == [0, 1, 2, 3, 4]
        assert run(lib, "lib.total(a, a.size)", array) == 10
        assert run(lib, "lib.is_null(None), lib.is_null(a)", array) == (True, False)
        assert run(lib, "lib.length('héllo')") == 6
        assert run(lib, "lib.deref(lib.same(b))", 0.0, np.array([2.5])) == 2.5

    def test_wrong_arrays_are_refused(self, lib: Any) -> None:
        assert "expected float32[n] (pointer[float32]), got float64" in refused(
            lib, "lib.fill(a, 1)", np.zeros(3)
        )
        strided = np.zeros(6, np.float32)[::2]
        assert "np.ascontiguousarray(x) makes a copy" in refused(lib, "lib.fill(a, 1)", strided)
        frozen = np.zeros(3, np.float32)
        frozen.flags.writeable = False
        assert "read-only" in refused(lib, "lib.fill(a, 1)", frozen)
        assert run(lib, "lib.total(a, 3)", frozen) == 0
        assert "known when compiling" in refused(lib, "lib.length(a)", "text")

    def test_shapes_and_strides_cross(self, lib: Any) -> None:
        array = np.arange(24, dtype=np.float32).reshape(4, 6)
        for shown in (array, array[::2, 1:4], array.T, array[::-1]):
            assert run(lib, "lib.strided(a)", shown) == float(shown.sum())
        assert "float32[n, n]" in refused(lib, "lib.strided(a)", array[0])


class TestRecords:
    def test_fields_are_read_and_written(self, lib: Any) -> None:
        point = lib.geo.Point(1.0, 2.0)

        @njit
        def change(p: Any) -> Any:
            p.x = 7
            p.y += 0.5
            return p.x + p.y

        assert change(point) == 9.5
        assert (point.x, point.y) == (7, 2.5)

    def test_nested_records_and_arrays_are_places(self, lib: Any) -> None:
        box = lib.geo.Box(low=(0, 0), high=(2, 3), tags=(1, 2, 3))

        @njit
        def change(b: Any) -> Any:
            b.high.x = 10.0
            b.tags[2] = 9
            b.grid[1, 2] = 4.5
            high = b.high
            high.y = 5.0
            b.low = high
            return lib.geo.area(b), b.tags.sum(), b.grid.shape

        assert change(box) == (0.0, 12, (2, 3))
        assert (box.high.x, box.low.y, box.tags[2], box.grid[1, 2]) == (10, 5, 9, 4.5)

    def test_results_and_arguments(self, lib: Any) -> None:
        assert (
            run(
                lib, "lib.geo.middle(a, lib.geo.Point(4.0, b=0.0))".replace("b=", "y="), lib.geo.Point(2, 2)
            ).x
            == 3
        )
        box = lib.geo.Box(high=(1, 1))
        grown = run(lib, "lib.geo.grown(a, 1.5)", box)
        assert (grown.high.x, grown.tags[1], box.tags[1]) == (2.5, 7, 0)
        assert (
            run(lib, "lib.geo.middle(lib.geo.middle(a, a), lib.geo.middle(a, a)).y", lib.geo.Point(2, 8)) == 8
        )

    def test_a_record_made_in_compiled_code_can_be_changed(self, lib: Any) -> None:
        @njit
        def make(n: int) -> Any:
            first = lib.geo.Point(1.0, 2.0)
            second = first
            for i in range(n):
                second.x += i
            lib.geo.shift(first, 100.0)
            copy = lib.geo.Point(first)
            copy.x = -1.0
            return first, second.x, copy

        first, x, copy = make(4)
        assert (first.x, first.y, x, copy.x, copy.y) == (107, 102, 107, -1, 102)

    def test_each_turn_of_a_loop_makes_its_own(self, lib: Any) -> None:
        @njit
        def chain(n: int) -> Any:
            before = lib.geo.Point(0.0, 0.0)
            gaps = 0.0
            kept = []
            for i in range(n):
                now = lib.geo.middle(before, lib.geo.Point(2.0 * i, 0.0))
                gaps += abs(now.x - before.x)
                before = now
                mine = lib.geo.Point(1.0 * i, 0.0)
                mine.y = 5.0
                kept.append(mine)
            return gaps, before.x, kept[0].x, kept[n - 1].x

        x = gaps = 0.0
        for i in range(6):
            new = (x + 2.0 * i) / 2
            gaps, x = gaps + abs(new - x), new
        assert chain(6) == (gaps, x, 0.0, 5.0)

    def test_what_a_call_returned_can_be_changed(self, lib: Any) -> None:
        @njit
        def change(p: Any) -> Any:
            q = lib.geo.middle(p, p)
            alias = q
            lib.geo.shift(alias, 1.0)
            q.x += 10
            kept = (q, lib.geo.middle(q, q))
            kept[0].y = 50.0
            return q.x, q.y, alias.x, kept[1].y, p.x

        assert change(lib.geo.Point(2, 4)) == (13, 50, 13, 5, 2)

    def test_a_function_of_the_user_s_changes_its_argument(self, lib: Any) -> None:
        @njit
        def helper(p: Any) -> None:
            p.x = 99.0

        @njit
        def make(k: float) -> Any:
            return lib.geo.Point(k, k)

        @njit
        def use() -> Any:
            p = lib.geo.Point(1.0, 2.0)
            helper(p)
            q = make(3.0)
            q.y = 4.0
            r = make(5.0)
            return p.x, q.x, q.y, r.y

        assert use() == (99, 3, 4, 5)

    def test_structs_that_are_only_read_stay_in_registers(self, lib: Any) -> None:
        from numba.core.runtime import _nrt_python, rtsys

        @njit
        def read(n: int) -> float:
            p = lib.geo.Point(0.0, 0.0)
            for i in range(n):
                p = lib.geo.middle(p, lib.geo.Point(1.0 * i, 1.0))
            return p.x + p.y

        read(3)
        _nrt_python.memsys_enable_stats()
        before = rtsys.get_allocation_stats().mi_alloc
        read(1000)
        assert rtsys.get_allocation_stats().mi_alloc == before

    def test_structured_arrays_hold_records(self, lib: Any) -> None:
        points = np.zeros(4, lib.geo.Point.dtype)

        @njit
        def change(ps: Any) -> Any:
            for i in range(ps.size):
                lib.geo.shift(ps[i], 1.0 * i)
            return lib.geo.middle(ps[1], ps[3]).x

        assert change(points) == 2
        assert points["x"].tolist() == [0, 1, 2, 3]

    def test_layouts_that_are_not_plain(self, lib: Any) -> None:
        assert run(lib, "lib.sum_bits(lib.bits(5, -3, 70000))") == 5 - 30 + 70000000
        assert run(lib, "(lib.bits(5, -3, 9).a, lib.bits(5, -3, 9).b, lib.bits(1, 2, 3).c)") == (5, -3, 3)
        assert run(lib, "lib.last(lib.mixed(4))") == 305
        assert run(lib, "lib.mixed(4).v.w, lib.mixed(4).flag, lib.mixed(4).col, lib.mixed(4).big") == (
            4, True, lib.Col.blue, 1 << 40,
        )  # fmt: skip
        assert run(lib, "lib.aligned(lib.wide(2.0)), lib.wide(2.0).f[3]") == (True, 2.0)
        assert run(lib, "lib.of_large(lib.large(2.5)), lib.large(1.5).v[39]") == (2.5, 1.5)
        bits = lib.Bits()

        @njit
        def change(b: Any) -> Any:
            b.b = -7
            b.c = 1 << 20
            b.a = 6
            return b.a, b.b, b.c

        assert change(bits) == (6, -7, 1 << 20)
        assert (bits.a, bits.b, bits.c) == (6, -7, 1 << 20)

    def test_a_bit_field_takes_what_it_holds(self, lib: Any) -> None:
        @njit
        def change(b: Any, a: int, other: int) -> None:
            b.a = a
            b.b = other

        bits = lib.Bits()
        change(bits, 7, -16)
        assert (bits.a, bits.b) == (7, -16)
        for wrong in ((8, 0), (-1, 0), (0, 16), (0, -17)):
            with pytest.raises(sb.RangeError, match=r"Bits\.[ab].*an integer outside"):
                change(bits, *wrong)
        assert (bits.a, bits.b) == (0, -16)

    def test_an_object_is_not_moved_from(self) -> None:
        lib = sb.compile(
            "struct P { int a; int kind() const & { return 1; } int kind() && { return 2; } };"
            " inline int of(P&&) { return 2; } inline int of(const P&) { return 1; }",
            target="numba",
        )
        assert njit(lambda p: (p.kind(), lib.of(p)))(lib.P(3)) == (1, 1)

    def test_bases(self) -> None:
        lib = sb.compile(
            "struct A { int a = 1; int f() const { return a; } int same() const { return 1; } };"
            " struct B { int b = 2; int g() { return ++b; } int same() const { return 2; } };"
            " struct C : A, B { int c = 3; }; struct D : C { int d = 4; int f() const { return 40; } };"
            " inline int of(const B& x) { return x.b; } inline int at(B* x) { return x->b *= 10; }"
            " inline int which(const B&) { return 1; } inline int which(const D&) { return 2; }",
            target="numba",
        )

        @njit
        def use(d: Any) -> Any:
            d.g()
            return d.f(), d.g(), lib.of(d), lib.at(d), d.b, d.a

        d = lib.D()
        assert use(d) == (40, 4, 4, 40, 40, 1)
        assert d.b == 40
        assert njit(lambda d: lib.which(d) * 10 + lib.which(lib.C()))(d) == 21
        assert njit(lambda: lib.C().f() + lib.of(lib.C()))() == 3
        with pytest.raises(Exception, match="same"):
            njit(lambda d: d.same())(d)

    def test_a_template_beside_a_class(self) -> None:
        lib = sb.compile(
            "struct Pair { int a, b; }; template <class T> T twice(T x) { return x + x; }"
            " template <class T> T first(Pair p) { return p.a; }",
            target="numba",
        )
        twice, first = lib.twice[float], lib.first[int]
        assert njit(lambda x: twice(x))(2.5) == lib.twice(2.5) == 5
        assert njit(lambda p: first(p))(lib.Pair(3, 4)) == first((3, 4)) == 3

    def test_words(self, lib: Any) -> None:
        point = lib.geo.Point(1, 2)
        assert "area() argument 1 'b': expected geo::Box, got" in refused(lib, "lib.geo.area(a)", point)
        assert "Point(x, y)" in refused(lib, "lib.geo.Point(1.0, 2.0, 3.0)")
        assert "no field 'z'" in refused(lib, "lib.geo.Point(z=1.0)")
        with pytest.raises(numba.core.errors.TypingError, match="expected float64, got bool"):
            run(lib, "lib.geo.Point(a)", True)

    def test_records_do_not_leak(self, lib: Any) -> None:
        from numba.core.runtime import _nrt_python, rtsys

        _nrt_python.memsys_enable_stats()

        @njit
        def many(p: Any) -> Any:
            for i in range(100):
                q = lib.geo.Point(1.0 * i, 2.0)
                q.x += lib.large(1.0).v[39]
                p = lib.geo.middle(p, q)
            return p

        many(lib.geo.Point(1, 1))
        before = rtsys.get_allocation_stats()
        for _ in range(5):
            many(lib.geo.Point(1, 1))
        after = rtsys.get_allocation_stats()
        assert after.mi_alloc - before.mi_alloc == after.mi_free - before.mi_free > 0


class TestVectors:
    def test_vectors_cross(self, lib: Any) -> None:
        assert run(lib, "lib.twice(a)", sb.float32x4(1, 2, 3, 4)) == sb.float32x4(2, 4, 6, 8)
        assert run(lib, "lib.three(sb.int16x3(1, -2, 3))") == sb.int16x3(1, -2, 3)
        assert run(lib, "lib.twice(sb.float32x4(a, 2, 3, 4)).w, len(b)", 1.0, sb.int32x2(1, 2)) == (8, 2)

    def test_arithmetic_is_the_host_s(self, lib: Any) -> None:
        one, two = sb.float32x3(1, 2, 3), sb.float32x3(4, 5, 0.5)
        for text in ("a + b", "a - b", "a * b", "a / b", "-a", "a * 2.0", "3 - a", "a // b", "a % b"):
            assert run(lib, text, one, two) == eval(text, {"a": one, "b": two}), text
        assert np.allclose(run(lib, "a ** b", one, two), one**two)
        ints = sb.int32x2(7, -9), sb.int32x2(2, 4)
        for text in ("a + b", "a // b", "a % b", "a & b", "a | b", "a ^ b", "~a", "a << 2", "a / b"):
            assert run(lib, text, *ints) == eval(text, {"a": ints[0], "b": ints[1]}), text
        with pytest.raises(IndexError):
            run(lib, "a[b]", one, 3)
        assert "float32x4(x, y, z, w)" in refused(lib, "sb.float32x4(1, 2)")


class TestExceptions:
    KINDS = (
        (0, ValueError, "invalid é €"), (1, IndexError, "range"), (2, MemoryError, "alloc"), (3, OverflowError, "over"),
        (4, RuntimeError, "run"), (5, RuntimeError, "not a std::exception"),
    )  # fmt: skip

    @pytest.mark.parametrize(("kind", "error", "text"), KINDS)
    def test_they_become_python_s(self, lib: Any, kind: int, error: type[Exception], text: str) -> None:
        with pytest.raises(error, match=text):
            run(lib, "lib.thrown(a)", kind)
        assert run(lib, "lib.thrown(a)", 9) == 9

    def test_they_are_caught_in_compiled_code(self, lib: Any) -> None:
        @njit
        def careful(k: int) -> float:
            try:
                return lib.thrown_point(k).x
            except Exception:
                return -1.0

        assert (careful(-1), careful(3)) == (-1, 3)


class TestIntents:
    def test_outputs_are_packed(self, lib: Any) -> None:
        assert run(lib, "lib.frexp_like(a)", 16.0) == (2.0, 3, 0.25)
        assert run(lib, "lib.only_out()") == 4.5
        count, point = run(lib, "lib.two_out()")
        assert (count, point.x, point.y) == (1, 2, 3)
        array = np.array([2.0, 3.0])
        run(lib, "lib.in_place(a)", array)
        assert array.tolist() == [4, 3]
        assert run(lib, "lib.none()") is None

    def test_a_place_is_needed(self, lib: Any) -> None:
        assert "geo::Point (inout_ptr)" in refused(lib, "lib.geo.shift(a, 1.0)", 2.0)

    def test_the_documented_example(self) -> None:
        lib = sb.bind(HERE / "stats.hpp", target="numba", arg_intent=seed.INTENTS)
        record, vector = sb.numba_type(lib.RunningStats), sb.numba_type(sb.float32x4)
        for name in seed.INTENTS:
            expected = seed.signature(seed.SIGNATURES[name], record, vector)
            assert sb.numba_signatures(getattr(lib, name)) == (expected,)
        with pytest.warns(sb.BindWarning, match="discarded"):
            plain = sb.bind(HERE / "stats.hpp", target="numba")
        without = seed.signature(seed.SIGNATURES["without"], sb.numba_type(plain.RunningStats), vector)
        assert sb.numba_signatures(plain.stats_update) == (without,)

        @njit
        def use(state: Any, xs: Any, mean: Any) -> Any:
            for i in range(xs.size):
                lib.stats_update(state, xs[i])
            lib.stats_get_mean(state, mean)
            grew, score = lib.stats_update_and_get_zscore(state, 5.0)
            return grew, score, lib.stats_get_matrix_3x4(), lib.stats_get_vectors()[2].z

        state, mean = lib.RunningStats(), np.zeros(1, np.float32)
        grew, score, matrix, z = use(state, np.arange(4, dtype=np.float32), mean)
        assert (grew, score, z) == (True, np.float32(5 - 11 / 5), 2.5)
        assert matrix == tuple(10.0 * row + col for row in range(3) for col in range(4))
        assert (state.count, state.sum, state.sum_sq, mean[0]) == (5, 11, 39, 1.5)
        # The same objects serve a plain call.
        lib.stats_update(state, 1.0)
        assert state.count == 6

    def test_signatures_need_a_target(self) -> None:
        host = sb.compile("inline int f(int x) { return x; }")
        with pytest.raises(sb.BindError, match="target='numba'"):
            sb.numba_signatures(host.f)


def test_an_unknown_target_is_named() -> None:
    with pytest.raises(sb.BindError, match="Did you mean 'numba'"):
        sb.compile("int f();", target="numbaa")


def test_macros_of_the_header_mean_nothing_in_the_shims():
    names = [*"Tacens", "value", "code", "message", "length", "failure", "bare", "type", "reserved"]
    text = "".join(f"#define {name} 1\n" for name in names)
    body = '{ if (x < 0) throw std::out_of_range("é"); return x + T; }'
    lib = sb.compile(f"#include <stdexcept>\n{text}int f(int x) {body}", target="numba")
    call = njit(lambda x: lib.f(x))
    assert call(2) == 3
    with pytest.raises(IndexError, match="é"):
        call(-1)
