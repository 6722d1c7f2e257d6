"""One C++ source, bound for Numba's compiler for the CPU, and expressions that compiled code evaluates with it."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import samebytes as sb

numba = pytest.importorskip("numba", reason="Numba is not installed")

SOURCE = r"""
#include <samebytes/array.hpp>
#include <samebytes/vector.hpp>
#include <complex>
#include <cstdint>
#include <ios>
#include <new>
#include <stdexcept>
#include <system_error>

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
void fill_any(samebytes::array<float, 1> a) { for (std::size_t i = 0; i < a.shape[0]; ++i) a(i) = 7; }
double fill_grid(samebytes::array<float, 2> a) { return static_cast<double>(a.shape[0] * a.shape[1]); }
double sum_and(samebytes::array<const float, 1> a, samebytes::array<const float, 1> b) {
  double t = 0;
  for (std::size_t i = 0; i < a.shape[0]; ++i) t += a(i);
  return t;
}
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
    case 6: throw std::system_error(2, std::generic_category(), "opening");
    case 7: throw std::system_error(std::make_error_code(std::io_errc::stream), "no system's");
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


@cache
def library() -> Any:
    """The source as a library."""
    with pytest.warns(sb.BindWarning):
        return sb.compile(SOURCE, target="numba", name="targets", arg_intent=INTENTS)


def run(lib: Any, expression: str, *arguments: Any, names: str = "abcd") -> Any:
    """An expression compiled as a function of its arguments, and its value."""
    text = f"def f({', '.join(names[: len(arguments)])}):\n    return {expression}\n"
    scope: dict[str, Any] = {"lib": lib, "sb": sb, "np": np}
    exec(text, scope)
    return numba.njit(scope["f"])(*arguments)


def refused(lib: Any, expression: str, *arguments: Any) -> str:
    """The words of a compile-time refusal."""
    with pytest.raises(numba.core.errors.TypingError) as caught:
        run(lib, expression, *arguments)
    return str(caught.value)
