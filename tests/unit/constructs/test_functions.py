"""Parameters of every shape, functions declared in every way, constants, variables: each row is called."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from construct_table import Row, check, source

import samebytes as sb

INCLUDES = """
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>
#define SIZE 5
#define NAME "samebytes"
#define FLAGS (1u << 4 | 1u)
#define HALF .5
#define SQUARE(x) ((x) * (x))
#define LETTER 'a'
#define NOTHING
#define NEGATIVE -3L
#define OTHER SIZE
"""

ROWS = [
    # functions and pointers as results of methods
    Row("a const method that returns a function pointer",
        "typedef int (*F)(int); struct S { F f = nullptr; F get() const { return f; } };", "bool(f.S().get())", False),
    Row("a[i] = pointer", "struct A { const int* d[2] = {}; const int*& operator[](int i) { return d[i]; } };",
        "(lambda a, x: a.__setitem__(1, x) or a[1].address == x.ctypes.data)(f.A(), np.array([1], 'i4'))", True),
    # references and arrays
    Row("T(&)[3]", "float f(float (&a)[3]) { return a[0] + a[2]; }", "f.f((1, 2, 3))", 4.0),
    Row("const T(&)[3]", "float f(const float (&a)[3]) { return a[1]; }", "f.f(np.array([1, 2, 3], 'f4'))", 2.0),
    Row("T(&)[2][2]", "int f(const int (&a)[2][2]) { return a[1][0]; }", "f.f(((1, 2), (3, 4)))", 3),
    Row("T(&)[3] of the wrong length", "float f(const float (&a)[3]) { return a[1]; }", "f.f((1, 2))",
        sb.ArgumentError),
    Row("T(&&)[2]", "int f(int (&&a)[2]) { return a[1]; }", "f.f((1, 2))", 2),
    Row("T a[3]", "float f(float a[3]) { return a[2]; }", "f.f(np.array([1, 2, 3], 'f4'))", 3.0),
    Row("T a[]", "float f(const float a[], int n) { return a[n - 1]; }", "f.f(np.array([1, 2, 3], 'f4'), 3)", 3.0),
    Row("T a[3][4]", "float f(float a[3][4]) { a[1][2] = 1; return a[2][3]; }",
        "f.f(np.arange(12, dtype='f4').reshape(3, 4))", 11.0),
    Row("T (*a)[4]", "float f(const float (*a)[4], int n) { return a[n - 1][3]; }",
        "f.f(np.arange(8, dtype='f4').reshape(2, 4), 2)", 7.0),
    Row("T**", "void* f(float** p) { return p ? p[0] : nullptr; }", "f.f(None).address", 0),
    Row("T** from a pointer", "int f(int** p, int* q) { *p = q; return **p; }",
        "(lambda slot, x: f.f(sb.Pointer(slot.ctypes.data), x))(np.zeros(1, 'u8'), np.array([7], 'i4'))", 7),
    Row("T*&", "int f(const int*& p) { return *p++; }", "f.f(np.array([7, 8], 'i4'))", 7),
    Row("T&", "int f(int& x) { return ++x; }", "f.f(1)", 2),
    Row("const T&", "double f(const double& x) { return x; }", "f.f(1)", 1.0),
    Row("T&&", "int f(int&& x) { x += 2; return x; }", "f.f(1)", 3),
    Row("struct&&", "struct V { float x; }; float f(V&& v) { return v.x; }", "f.f((2,))", 2.0),
    Row("volatile T*", "int f(volatile int* p, volatile int& r) { return *p + r; }", "f.f(np.array([1], 'i4'), 2)",
        3),
    Row("const volatile T&", "int f(const volatile int& r) { return r; }", "f.f(2)", 2),
    Row("T* const", "int f(int* const p) { return *p; }", "f.f(np.array([4], 'i4'))", 4),
    Row("T* restrict", "int f(const int* __restrict p) { return *p; }", "f.f(np.array([4], 'i4'))", 4),
    Row("void*", "int f(void* p, std::size_t n) { return ((unsigned char*)p)[n - 1]; }",
        "f.f(np.array([1, 9], 'u1'), 2)", 9),
    Row("const void*", "int f(const void* p, std::size_t n) { return ((unsigned char*)p)[n - 1]; }",
        'f.f(b"ab", 2)', 98),
    Row("char*", "int f(char* s) { s[0] = 'x'; return s[1]; }", "f.f(np.array([97, 98], 'i1'))", 98),
    Row("const char* const*", "int f(const char* const* s, int n) { return n; }", "f.f(None, 2)", 2),
    # declarations
    Row("unnamed", "int f(int, float) { return 1; }", "f.f(1, arg1=2.0)", 1),
    Row("some named", "int f(int, int arg0) { return arg0; }", "f.f(1, 2)", 2),
    Row("default of a call", "int g() { return 7; } int f(int a, int b = g()) { return a + b; }",
        "(f.f(1), f.f(1, 2))", (8, 3)),
    Row("default of a struct", "struct P { int x = 3; }; int f(P p = P()) { return p.x; }", "f.f()", 3),
    Row("defaults that follow others", "int f(int a = 1, int b = 2, int c = SIZE) { return 100 * a + 10 * b + c; }",
        "(f.f(), f.f(3), f.f(c=1), f.f(b=0, a=1))", (125, 325, 121, 105)),
    Row("default enumerator", "enum class E { a, b }; E f(E e = E::b) { return e; }", "f.f() is f.E.b", True),
    Row("auto", "auto f(int x) { return x * .5; }", "f.f(1)", 0.5),
    Row("decltype(auto)", "decltype(auto) f(int x) { return x; }", "f.f(1)", 1),
    Row("trailing", "auto f(int x) -> long { return x; }", "f.f(1)", 1),
    Row("attributes", '[[nodiscard, deprecated("no")]] constexpr int f([[maybe_unused]] int x) noexcept { return'
        " x; }", "f.f(1)", 1),
    Row("gnu attributes", "__attribute__((noinline, pure)) int f(int x) { return x; }", "f.f(1)", 1),
    Row("noexcept(computed)", "int f(int x) noexcept(sizeof(int) == 4) { return x; }", "f.f(1)", 1),
    Row("static", "static int f(int x) { return x; }", "f.f(1)", 1),
    Row("anonymous namespace", "namespace { int f(int x) { return x; } }", "f.f(1)", 1),
    Row("inline namespace", "inline namespace v1 { int f(int x) { return x; } }", "f.f(1)", 1),
    Row("nested namespace", "namespace a::b { int f(int x) { return x; } }", "f.a.b.f(1)", 1),
    Row("extern C", 'extern "C" inline int samebytes_test_c(int x) { return x; }', "f.samebytes_test_c(1)", 1),
    Row("using declaration", "namespace a { int f(int x) { return x; } } using a::f;", "f.f(3)", 3),
    Row("alias of a namespace", "namespace a { int f(int x) { return x; } } namespace b = a;", "f.b.f(3)", 3),
    Row("using of a type, a variable", "namespace a { struct S { int x; }; int v = 2; } using a::S; using a::v;",
        "(f.S(1).x, f.v)", (1, 2)),
    Row("const string", "const std::string k = \"abc\"; std::string s = \"x\"; std::size_t f() { return s.size(); }",
        "(setattr(f, 's', 'long' * 9), f.f(), f.k, f.s)[1:]", (36, "abc", "long" * 9)),
    Row("const string is not set", "const std::string k;", "setattr(f, 'k', '')", AttributeError),
    Row("const vector", "const std::vector<double> k{1, 2};", "f.k", np.array([1.0, 2])),
    Row("const map", "const std::map<int, const char*> k{{1, \"a\"}};", "dict(f.k)", {1: "a"}),
    Row("a reference variable", "int v = 3; int& r = v;", "(setattr(f, 'r', 4), f.v)[1]", 4),
    Row("an array of records", "struct P { int x; }; P k[2] = {{1}, {2}};", "f.k[1].x", 2),
    Row("a variable of text", "const char* name = \"é\"; char room[4] = \"ab\";",
        "f.name, f.room.tobytes()", ("é", b"ab\0\0")),
    Row("a variable keeps no text", "const char* name = nullptr;", "setattr(f, 'name', 'abc')", sb.ArgumentError),
    Row("keyword as a name", "int lambda(int from, int None) { return from - None; }",
        "f.lambda_(from_=3, None_=1)", 2),
    Row("keyword as a field", "struct K { int from; }; int f(K k) { return k.from; }", "f.f(f.K(from_=3))", 3),
    Row("overloads by constness", "int f(int* p) { return 1; } int f(const int* p) { return 2; }",
        "f.f(np.ones(1, 'i4')), f.f(np.broadcast_to(np.int32(1), 1))", (1, 2)),
    Row("deleted", "int f(int) = delete;", "", "skipped: deleted"),
    Row("consteval is skipped", "consteval int f(int x) { return x; }", "", "skipped: consteval"),
    Row("__int128", "__int128 f(__int128 x) { return x; }", "", "skipped: a 128-bit integer"),
    Row("long double", "long double f(long double x) { return x; }", "", "skipped: long double"),
    Row("pointer to member", "struct S { int a; }; int f(int S::*p) { return 1; }", "",
        "skipped: a pointer to a member"),
    # numbers
    Row("wchar_t, char16_t, char32_t", "int f(wchar_t a, char16_t b, char32_t c) { return a + b + c; }",
        "f.f(1, 2, 3)", 6),
    Row("char8_t", "char8_t f(char8_t c) { return c + 1; }", "f.f(1)", 2),
    Row("signed and unsigned char", "int f(signed char a, unsigned char b) { return a - b; }", "f.f(-1, 255)", -256),
    Row("long long", "unsigned long long f(long long x) { return -x; }", "f.f(-5)", 5),
    Row("fixed width", "std::uint16_t f(std::int_fast8_t a, std::uint_least16_t b) { return a + b; }",
        "f.f(1, 65000)", 65001),
    Row("bool", "bool f(bool b) { return !b; }", "f.f(False)", True),
    # enums of every underlying type
    *[
        Row(f"enum class : {kind}",
            f"enum class E : {kind} {{ low = {low}, high = {high} }}; E f(E e) {{ return e; }}",
            "f.f(f.E.high) is f.E.high, f.f(f.E.low).value", (True, value))
        for kind, low, high, value in (
            ("char", "-128", "127", -128), ("signed char", "-128", "127", -128), ("unsigned char", "0", "255", 0),
            ("short", "-32768", "32767", -32768), ("unsigned short", "0", "65535", 0),
            ("int", "-2147483647 - 1", "2147483647", -(2**31)), ("unsigned", "0", "4294967295u", 0),
            ("long", "-9223372036854775807 - 1", "9223372036854775807", -(2**63)),
            ("unsigned long", "0", "18446744073709551615u", 0),
            ("long long", "-1", "1", -1), ("unsigned long long", "0", "18446744073709551615u", 0),
            ("bool", "false", "true", 0), ("char16_t", "0", "65535", 0),
        )
    ],
    Row("unscoped enum", "enum E { red, green = 5 }; E f(int x) { return green; }", "f.f(1) is f.green", True),
    Row("enum without a name", "enum { kA = 7 }; int f() { return kA; }", "f.kA", 7),
    # constants
    Row("constexpr int", "constexpr int k = 7;", "f.k", 7),
    Row("inline constexpr double", "inline constexpr double k = .25;", "f.k", 0.25),
    Row("const from a call", "constexpr int g() { return 3; } const int k = g() * 2;", "f.k", 6),
    Row("constexpr string", 'constexpr const char* k = "é"; constexpr char a[] = "ab";', "f.k, f.a", ("é", "ab")),
    Row("constexpr struct", "struct P { int x; float y; }; constexpr P k{3, .5f};", "(f.k.x, f.k.y)", (3, 0.5)),
    Row("constexpr array", "constexpr int k[] = {1, 2, 3};",
        "(f.k, f.k.flags.writeable)", (np.array([1, 2, 3], "i4"), False)),
    Row("const table", "static const double k[2][2] = {{1, 2}, {3, 4}};", "f.k[1, 0]", np.float64(3)),
    Row("constexpr enum", "enum class E { a, b }; constexpr E k = E::b;", "f.k is f.E.b", True),
    Row("numeric_limits", "constexpr int k = std::numeric_limits<int>::max();", "f.k", 2**31 - 1),
    Row("macros", "", "(lib.SIZE, lib.NAME, lib.FLAGS, lib.HALF, lib.LETTER, lib.NEGATIVE, lib.OTHER)",
        (5, "samebytes", 17, 0.5, 97, -3, 5)),
    Row("function-like macro", "", 'hasattr(lib, "SQUARE") or hasattr(lib, "NOTHING")', False),
    # variables
    Row("a variable", "int counter = 3; int f() { return counter; }",
        "(setattr(f, 'counter', 8), f.f(), f.counter)[1:]", (8, 8)),
    Row("a variable follows C++", "int counter = 3; void f() { ++counter; }", "(f.f(), f.counter)[1]", 4),
    Row("a static variable", "static double level = .5; double f() { return level; }",
        "(setattr(f, 'level', 2), f.f())[1]", 2.0),
    Row("an array variable", "float table[4] = {1, 2, 3, 4}; float f(int i) { return table[i]; }",
        "(f.table.__setitem__(2, 9), f.f(2))[1]", 9.0),
    Row("a record variable", "struct P { int x; }; P origin{1}; int f() { return origin.x; }",
        "(setattr(f.origin, 'x', 5), f.f())[1]", 5),
    Row("a record variable is set", "struct P { int x; }; P origin{1}; int f() { return origin.x; }",
        "(setattr(f, 'origin', (6,)), f.f())[1]", 6),
    Row("a pointer variable", "int value = 4; int* where = &value;", "bool(f.where.address)", True),
    Row("a const variable known at run time", "int g() { return 4; } const int k = g();", "f.k", 4),
    Row("a const variable is not set", "int g() { return 4; } const int k = g();", "setattr(f, 'k', 1)",
        AttributeError),
    Row("a variable refuses", "int counter = 3;", "setattr(f, 'counter', 1.5)", sb.ArgumentError),
    Row("an enum variable", "enum class E { a, b }; E mode = E::a; E f() { return mode; }",
        "(setattr(f, 'mode', f.E.b), f.f() is f.E.b)[1]", True),
    Row("static variable of a class", "struct S { int x; inline static int count = 3; }; int f() { return S::count; }",
        "(setattr(f.S, 'count', 5), f.f(), f.S.count, f.S(1).count)[1:]", (5, 5, 5)),
    Row("static constexpr array", "struct S { int x; static constexpr short t[2] = {1, 2}; };", "f.S.t",
        np.array([1, 2], "i2")),
    Row("static const is not set", "struct S { int x; inline static const float t[2] = {1, 2}; };",
        "setattr(f.S, 't', (1, 2))", AttributeError),
    Row("thread_local", "thread_local int t = 2; int f() { return ++t; }", "(f.f(), f.t)", (3, 3)),
    Row("extern variable", "extern int outside; int outside = 6;", "f.outside", 6),
]  # fmt: skip


@pytest.fixture(scope="module")
def lib() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sb.BindWarning)
        return sb.compile(source(INCLUDES, ROWS), std="c++20")


@pytest.mark.parametrize("index", range(len(ROWS)), ids=[row.name for row in ROWS])
def test_row(lib: Any, index: int) -> None:
    check(lib, index, ROWS[index])
