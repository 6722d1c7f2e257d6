# ruff: noqa: E501  (a row of the table is a line)
"""Constructs of our own, one table for every target: C++, statements whose text is the same everywhere, results.

``D`` is ``__device__`` in CUDA C++, ``STD`` is ``std`` or ``cuda::std``, ``HALF`` and ``BF16`` the target's own 16-bit
floats. In the statements ``f`` is the row's namespace, ``out`` an array of eight float64, zeroed, ``np`` NumPy and
``twice`` a C function of Numba's, ``int32(int32)``, ``plain`` the same as a Python function.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import samebytes as sb

PYTHON, NJIT, CUDA = "host", "numba", "numba_cuda"
TARGETS = (PYTHON, NJIT, CUDA)


@dataclass(frozen=True)
class Row:
    """One construct.

    Attributes
    ----------
    name : str
    cxx : str
        Declarations; they go into a namespace of their own.
    statements : str
        Python, lines apart by newlines.
    expected : list of float, or str
        The first numbers of ``out``, or ``raises: Class: words`` for an error when running.
    said : mapping of str to str
        What a target gives instead, in words that the test checks:

        - ``refused: words`` of a compile-time error;
        - ``skipped: words`` of a reason in ``__skipped__``;
        - ``rejected: words`` of the C++ compiler, which does not take the row's C++;
        - ``raises: Class: words`` when running;
        - ``code: text`` that the compiled kernel holds, where its compiler does not compute the numbers.
    intents : mapping
        ``arg_intent`` of the row's functions.
    """

    name: str
    cxx: str
    statements: str
    expected: list[float] | str
    said: Mapping[str, str] = field(default_factory=dict)
    intents: Mapping[str, Mapping[Any, str]] = field(default_factory=dict)

    def result(self, target: str) -> list[float] | str:
        """What a target gives."""
        return self.said.get(target, self.expected)

    def bound_for(self, target: str) -> bool:
        """Whether the row is part of a target's library."""
        return not str(self.said.get(target, "")).startswith("rejected")


THROWS = {CUDA: "rejected: exception"}
VALUE = "struct V { double x; D V(double a = 0) : x(a) {} D bool operator==(const V& o) const { return x == o.x; } D bool operator<(const V& o) const { return x < o.x; } };"
VEC = (
    "struct Vec { double d[4]; D Vec(double v = 0) { for (auto& x : d) x = v; }"
    " D double& operator[](int i) { return d[i]; } D const double& operator[](int i) const { return d[i]; }"
    " D int size() const { return 4; } D double sum() const { return d[0] + d[1] + d[2] + d[3]; } };"
)
BASES = (
    "struct A { int a; D int fa() const { return a; } D void sa(int v) { a = v; } };"
    " struct B { int b; D int fb() const { return b; } D void sb(int v) { b = v; } };"
    " struct C : A, B { int c; D C(int x) { a = x; b = x + 1; c = x + 2; } D int all() const { return a + b + c; } };"
    " D int of_b(const B& b) { return b.b; } D void up(B* b) { b->b += 10; }"
)
POINT = "struct Point { double x, y; D double norm() const { return x * x + y * y; } D void move(double by) { x += by; y += by; } };"
COLOR = "enum class Color : short { red = -1, green = 2, blue = 300 };"
COUNTER = (
    "inline int& alive() { static int n = 0; return n; } D int count() { return alive(); } class Counter { int n_; public:"
    ' D explicit Counter(int n) : n_(n) { if (n < 0) throw std::invalid_argument("negative"); ++alive(); }'
    " D Counter(const Counter& o) : n_(o.n_) { ++alive(); } D ~Counter() { --alive(); } D int n() const { return n_; }"
    " D Counter& add(int k) { n_ += k; return *this; } D int operator[](int i) const { return n_ + i; }"
    " D int operator()(int k) const { return n_ * k; } D bool operator==(const Counter& o) const { return n_ == o.n_; }"
    " D Counter operator+(const Counter& o) const { return Counter(n_ + o.n_); } }; D Counter make(int n) { return Counter(n); }"
    " D int read(Counter c) { return c.add(100).n(); } D int peek(const Counter& c) { return c.n(); }"
    " D void poke(Counter& c) { c.add(7); } D const Counter& kept() { static Counter c(5); return c; }"
)
SHAPES = (
    "struct Shape { double k = 2; D virtual double area() const = 0; D virtual ~Shape() {} }; struct P { int a = 1, b = 7; };"
    " struct Square : P, Shape { double s; D Square(double v) : s(v) {} D double area() const override { return s * s; } };"
    " D double area_of(const Shape& s) { return s.area(); } D int of_p(const P& p) { return p.b; }"
)
HOLDER = (
    'struct Inner { int n = 5; D void add(int k) { n += k; } }; struct Holder { std::string s = "text"; Inner in; int v[3] = {1, 2, 3};'
    " std::vector<double> d; D Holder(int k) : d(k, 0.5) {} D Inner& get() { return in; } D double at(int i) const { return d.at(i); } };"
)
TURNED = dict.fromkeys((NJIT, CUDA), "refused: no such operator for these operands: it has operator<")
NO_HANDLES = {CUDA: "rejected: "}
NO_VIRTUAL = {CUDA: "refused: is a class that compiled code cannot use"}
NO_STRINGS = {CUDA: "rejected: "}
LENGTH = sb.out_array_return(length="n")

ROWS: tuple[Row, ...] = (
    # --- parameters
    Row("T(&)[3]", "D double f(double (&a)[3]) { return a[0] + a[2]; }", "out[0] = f.f((1.0, 2.0, 3.0))", [4]),
    Row("const T(&)[3] of integers", "D int f(const int (&a)[3]) { return a[1]; }", "out[0] = f.f((1, 2, 3))", [2]),
    Row("const T(&)[8] of an array", "D double f(const double (&a)[8]) { return a[1] + a[7]; }", "out[1] = 2.0\nout[7] = 3.0\nout[0] = f.f(out)", [5, 2]),
    Row("T(&)[2][2]", "D int f(const int (&a)[2][2]) { return a[1][0]; }", "out[0] = f.f(((1, 2), (3, 4)))", [3]),
    Row("std::array", "D double f(STD::array<double, 3> a) { return a[0] + 10 * a[2]; }", "out[0] = f.f((1.0, 2.0, 3.0))", [31]),
    Row("const std::array&", "D float f(const STD::array<float, 2>& a) { return a[1]; }", "out[0] = f.f((1.0, 2.5))", [2.5]),
    Row("std::array in and out", "D STD::array<int, 3> f(STD::array<int, 3> a) { return {a[2], a[1], a[0]}; }", "t = f.f((1, 2, 3))\nout[0] = t[0]\nout[1] = t[2]\nout[2] = len(t)", [3, 1, 3]),
    Row("array of arrays", "D int f(STD::array<STD::array<int, 2>, 3> a) { return a[2][1]; }", "out[0] = f.f(((1, 2), (3, 4), (5, 6)))", [6]),
    Row("std::pair returned", "D STD::pair<int, double> f(int a) { return {a, a * .5}; }", "a, b = f.f(3)\nout[0] = a\nout[1] = b", [3, 1.5], {CUDA: "refused: cuda.std.pair<int, double>"}),
    Row("std::tuple returned", "D STD::tuple<bool, int, double> f(int a) { return {true, a, a * .25}; }", "t = f.f(2)\nout[0] = t[0]\nout[1] = t[1]\nout[2] = t[2]", [1, 2, 0.5], {CUDA: "refused: cuda.std.tuple<bool, int, double>"}),
    Row("std::pair in", "D double f(STD::pair<int, double> p) { return p.first + p.second; }", "out[0] = f.f((1, 0.5))", [1.5], {CUDA: "refused: f() argument 1 'p': expected cuda::std::pair<int, double>, got Tuple"}),
    Row("const T* const", "D double f(const double* const p) { return *p; }", "out[0] = 4.0\nout[1] = f.f(out)", [4, 4]),
    Row("T* restrict", "D double f(const double* __restrict p) { return p[0]; }", "out[0] = 4.0\nout[1] = f.f(out)", [4, 4]),
    Row("T (*a)[4]", "D double f(const double (*a)[4], int n) { return a[n - 1][3]; }", "out[7] = 5.0\nout[0] = f.f(out.reshape((2, 4)), 2)", [5]),
    Row("T a[]", "D double f(const double a[], int n) { return a[n - 1]; }", "out[1] = 5.0\nout[0] = f.f(out, 2)", [5, 5]),
    Row("a pointer given on", "D double* f(double* p, int i) { return p + i; } D double g(const double* p) { return *p; }", "out[3] = 7.0\nout[0] = f.g(f.f(out, 3))", [7]),
    Row("nullptr_t", "D int f(decltype(nullptr)) { return 3; }", "out[0] = f.f(None)", [3]),
    Row("null for a pointer", "D bool f(const float* p) { return !p; }", "out[0] = f.f(None)", [1]),
    Row("volatile T&", "D int f(const volatile int& r) { return r; }", "out[0] = f.f(2)", [2]),
    Row("T& discarded", "D int f(int& x) { return ++x; }", "out[0] = f.f(1)", [2]),
    Row("T&&", "D int f(int&& x) { x += 2; return x; }", "out[0] = f.f(1)", [3]),
    Row("text", 'D int f(const char* s) { int n = 0; while (s[n]) ++n; return n; }', "out[0] = f.f('héllo')", [6]),
    Row("text with a default", 'D int f(const char* s = "abc") { int n = 0; while (s[n]) ++n; return n; }', "out[0] = f.f()", [3]),
    Row("a parameter's constness chooses", "D int f(double*) { return 1; } D int f(const double*) { return 2; }", "out[0] = f.f(out)", [1]),
    Row("a pointer to a function", "D int f(int (*g)(int), int x) { return g(x) + 1; }", "out[0] = f.f(twice, 4)", [9], {CUDA: "refused: Device code has no C functions"}),
    Row("a null function pointer", "D bool f(int (*g)(int)) { return !g; }", "out[0] = f.f(None)", [1]),
    Row("std::size_t and ptrdiff_t", "D long f(unsigned long n) { return -(long)n; }", "out[0] = f.f(2**40)", [-(2.0**40)]),
    Row("unsigned long long", "D unsigned long long f(long long x) { return -x; }", "out[0] = f.f(-5)", [5]),
    Row("an integer that does not fit", "D int f(signed char x) { return x; }", "out[0] = f.f(300)", "raises: OverflowError: argument 1 'x': expected int8",
        {NJIT: "refused: argument 1 'x': expected int8", CUDA: "refused: argument 1 'x': expected int8"}),
    Row("a float is no integer", "D int f(int x) { return x; }", "out[0] = f.f(1.5)", "raises: TypeError: argument 1 'x': expected int32",
        {NJIT: "refused: argument 1 'x': expected int32", CUDA: "refused: argument 1 'x': expected int32"}),
    Row("a wrong number of arguments", "D int f(int x, int y) { return x; }", "out[0] = f.f(1)", "raises: TypeError: f(x: int32, y: int32)",
        {NJIT: "refused: f(x: int32, y: int32)", CUDA: "refused: f(x: int32, y: int32)"}),
    Row("char16_t and char32_t", "D int f(char16_t a, char32_t b) { return a + b; }", "out[0] = f.f(2, 3)", [5]),
    Row("signed and unsigned char", "D int f(signed char a, unsigned char b) { return a - b; }", "out[0] = f.f(-1, 255)", [-256]),
    Row("bool in and out", "D bool f(bool a, bool b) { return a && !b; }", "out[0] = f.f(True, False)\nout[1] = f.f(True, True)", [1, 0]),
    Row("complex<double>", "D STD::complex<double> f(STD::complex<double> z) { return z * 2.0; }", "z = f.f(1.0 + 2.0j)\nout[0] = z.real\nout[1] = z.imag", [2, 4]),
    Row("half", "D HALF f(HALF x) { return x; }", "out[0] = f.f(0.1)", [0.0999755859375]),
    Row("bfloat16", "D BF16 f(BF16 x) { return x; }", "out[0] = f.f(0.1)", [0.10009765625]),
    Row("a half field", "struct S { HALF h; int i; D S(HALF x) { h = x; i = 3; } };", "s = f.S(0.5)\nout[0] = s.h\nout[1] = s.i", [0.5, 3]),
    # --- defaults, keywords, overloads
    Row("defaults", "D int f(int a = 1, int b = 2, int c = 5) { return 100 * a + 10 * b + c; }", "out[0] = f.f()\nout[1] = f.f(3)\nout[2] = f.f(b=0, a=1)", [125, 325, 105]),
    Row("a keyword that skips a default", "D int f(int a = 1, int b = 2, int c = 5) { return 100 * a + 10 * b + c; }", "out[0] = f.f(c=1)\nout[1] = f.f(3, c=0)", [121, 320]),
    Row("a default that is a call", "D int g() { return 7; } D int f(int a, int b = g()) { return a + b; }", "out[0] = f.f(1)\nout[1] = f.f(1, 2)", [8, 3]),
    Row("a default struct", "struct P { int x = 3; }; D int f(P p = P()) { return p.x; }", "out[0] = f.f()", [3]),
    Row("a default enumerator", COLOR + " D int f(Color c = Color::blue) { return (int)c; }", "out[0] = f.f()\nout[1] = f.f(f.Color.red)", [300, -1]),
    Row("a keyword that is Python's", "D int f(int from, int None) { return from - None; }", "out[0] = f.f(from_=3, None_=1)", [2]),
    Row("a function named as a keyword", "D int lambda(int x) { return x; }", "out[0] = f.lambda_(3)", [3]),
    Row("parameters without names", "D int f(int, int arg0) { return arg0; }", "out[0] = f.f(1, 2)", [2]),
    Row("overloads by type", "D int f(int) { return 1; } D int f(double) { return 2; } D int f(const double*) { return 3; }", "out[0] = f.f(1)\nout[1] = f.f(1.5)\nout[2] = f.f(out)", [1, 2, 3]),
    Row("overloads by number", "D int f(int) { return 1; } D int f(int, int) { return 2; } D int f() { return 0; }", "out[0] = f.f(1, 1)\nout[1] = f.f(1)\nout[2] = f.f()", [2, 1, 0]),
    Row("overloads by struct", "struct P { int a; }; struct Q { int a; }; D int f(P) { return 1; } D int f(Q) { return 2; }", "out[0] = f.f(f.P(1))\nout[1] = f.f(f.Q(1))", [1, 2]),
    Row("a struct is one of its bases, too", BASES + " D int which(const A&) { return 1; } D int which(const C&) { return 2; }", "c = f.C(1)\nout[0] = f.which(c)\nout[1] = f.of_b(c)", [2, 2]),
    # --- declarations
    Row("auto", "D auto f(int x) { return x * .5; }", "out[0] = f.f(1)", [0.5]),
    Row("a trailing result", "D auto f(int x) -> long { return x; }", "out[0] = f.f(1)", [1]),
    Row("an inline namespace", "inline namespace v1 { D int f(int x) { return x; } }", "out[0] = f.f(1)", [1]),
    Row("a nested namespace", "namespace a::b { D int f(int x) { return x; } }", "out[0] = f.a.b.f(2)", [2]),
    Row("a using-declaration", "namespace a { D int g(int x) { return x; } } using a::g;", "out[0] = f.g(3)", [3]),
    Row("an alias of a namespace", "namespace a { D int g(int x) { return x; } } namespace b = a;", "out[0] = f.b.g(3)", [3]),
    Row("extern C", 'extern "C" D inline int samebytes_own_c(int x) { return x; }', "out[0] = f.samebytes_own_c(4)", [4]),
    Row("void", "D void f(double* p) { *p = 6; }", "f.f(out)", [6]),
    Row("an alias of a struct", "struct P { int a; }; using Q = P; D int f(Q q) { return q.a; }", "out[0] = f.f(f.Q(5))", [5]),
    Row("an explicit specialisation", "template <class T> D T g(T x) { return x; } template <> D inline int g<int>(int x) { return x + 1; }", "out[0] = f.g[int](3)", [4]),
    Row("a template's argument that is a number", "template <int N> D int g(int x) { return x * N; }", "out[0] = f.g[3](4)", [12]),
    Row("a class template, instantiated", "template <class T> struct Box { T v; D T get() const { return v; } }; using BoxI = Box<int>;", "b = f.BoxI(3)\nout[0] = b.get()\nout[1] = b.v", [3, 3]),
    Row("a class template in brackets", "template <class T> struct Box { T v; D T get() const { return v; } }; using BoxD = Box<double>; D double of(const BoxD& b) { return b.v; }", "b = f.BoxD(2.5)\nout[0] = f.of(b)", [2.5]),
    Row("a deleted function", "D int f(int) = delete; D int g(int x) { return x; }", "f", "skipped: deleted"),
    Row("long double", "D long double f(long double x) { return x; }", "f", "skipped: long double"),
    # --- constants and variables
    Row("constexpr double", "inline constexpr double k = .25; D double f() { return k; }", "out[0] = f.k", [0.25]),
    Row("a constant of a class", "struct S { int x; static constexpr int K = 7; };", "out[0] = f.S.K", [7]),
    Row("an unnamed enum", "enum { kA = 7, kB }; D int f() { return kA; }", "out[0] = f.kA + f.kB", [15]),
    Row("numeric_limits", "constexpr int k = 2147483647;", "out[0] = f.k", [2.0**31 - 1]),
    Row("a constant struct", "struct P { int x; double y; }; constexpr P k{3, .5};", "out[0] = f.k.x\nout[1] = f.k.y", [3, 0.5], {CUDA: "refused: a variable of the device has no address"}),
    Row("a constant enumerator", COLOR + " constexpr Color k = Color::blue; D int f(Color c) { return (int)c; }", "out[0] = f.f(f.k)\nout[1] = f.k == f.Color.blue", [300, 1]),
    Row("a constant array", "constexpr int k[] = {1, 2, 3};", "out[0] = f.k[1]\nout[1] = len(f.k)", [2, 3], {CUDA: "skipped: a variable of the device has no address"}),
    Row("a variable", "D int counter = 3; D int f() { return ++counter; } D void set(int x) { counter = x; }", "f.set(6)\nout[0] = f.counter\nout[1] = f.f()\nout[2] = f.counter", [6, 7, 7], {CUDA: "refused: a variable of the device has no address"}),
    Row("a variable is written", "D double level = .5; D double f() { return level; }", "f.level = 2.0\nout[0] = f.f()", [2], {CUDA: "refused: level"}),
    Row("a static data member", "struct S { int x; static int count; D static int next() { return ++count; } D static void set(int x) { count = x; } }; D inline int S::count = 3;", "f.S.set(6)\nout[0] = f.S.count\nout[1] = f.S.next()\nout[2] = f.S.count", [6, 7, 7], {CUDA: "rejected: memory qualifier on data member"}),
    # --- enumerations
    Row("a scoped enum", COLOR + " D Color f(Color c) { return c; }", "out[0] = f.f(f.Color.green) == f.Color.green\nout[1] = f.f(f.Color.red) == f.Color.blue", [1, 0]),
    Row("an unscoped enum's names", "enum Plain { one = 1, many = 7 }; D int f(Plain p) { return p; } D Plain g() { return many; }", "out[0] = f.f(f.many)\nout[1] = f.g() == f.many\nout[2] = f.Plain.one + 0", [7, 1, 1]),
    Row("an enum of a class", "struct S { enum class Kind { a, b = 5 }; Kind k; D int f(Kind x) const { return (int)x; } };", "s = f.S(f.S.Kind.b)\nout[0] = s.f(f.S.Kind.b)\nout[1] = s.k == f.S.Kind.b\nout[2] = s.k == f.S.Kind.a", [5, 1, 0]),
    Row("an unscoped enum of a class", "struct S { enum Kind { a, b = 5 }; int k; D static int f(Kind x) { return x; } };", "out[0] = f.S.f(f.S.b)\nout[1] = f.S.b == f.S.Kind.b", [5, 1]),
    Row("an enum of 64 bits", "enum class E : unsigned long { big = 1ul << 40 }; D unsigned long f(E e) { return (unsigned long)e; }", "out[0] = f.f(f.E.big)", [2.0**40]),
    Row("an enum of bool", "enum class E : bool { no, yes }; D bool f(E e) { return (bool)e; }", "out[0] = f.f(f.E.yes)", [1]),
    Row("operators of an enum", "enum class F : unsigned { A = 1, B = 2 }; D inline F operator|(F a, F b) { return F(unsigned(a) | unsigned(b)); } D unsigned n(F a) { return (unsigned)a; }", "out[0] = f.n(f.F.A | f.F.B)", [3]),
    Row("an integer for an enumerator", COLOR + " D int f(Color c) { return (int)c; }", "out[0] = f.f(2)", [2]),
    Row("an enum field", COLOR + " struct S { Color c; int i; }; D int f(S s) { return (int)s.c; }", "s = f.S(f.Color.blue, 1)\nout[0] = f.f(s)\ns.c = f.Color.red\nout[1] = f.f(s)\nout[2] = s.c == f.Color.red", [300, -1, 1]),
    # --- structs
    Row("fields by name", POINT, "p = f.Point(y=2.0, x=1.0)\nout[0] = p.y\nout[1] = p.norm()", [2, 5]),
    Row("a method writes", POINT, "p = f.Point(1.0, 2.0)\np.move(1.5)\nout[0] = p.x\nout[1] = p.y", [2.5, 3.5]),
    Row("a copy is another", POINT, "p = f.Point(1.0, 2.0)\nq = f.Point(p)\nq.x = 9.0\nout[0] = p.x\nout[1] = q.x", [1, 9]),
    Row("another name is the same", POINT, "p = f.Point(1.0, 2.0)\nq = p\nq.x = 9.0\nout[0] = p.x", [9]),
    Row("initial values", "struct I { int a = 3; double b = 2.5; };", "i = f.I()\nj = f.I(b=1.0)\nout[0] = i.a\nout[1] = i.b\nout[2] = j.a\nout[3] = j.b", [3, 2.5, 3, 1]),
    Row("records inside", POINT + " struct Seg { Point a, b; D double len() const { return b.x - a.x; } };", "s = f.Seg(f.Point(1.0, 2.0), f.Point(5.0, 6.0))\ns.b.x += 1.0\ns.a = f.Point(0.0, 0.0)\nout[0] = s.len()\nout[1] = s.b.norm()", [6, 72]),
    Row("a method of a record inside", POINT + " struct Seg { Point a, b; };", "s = f.Seg()\ns.b.move(2.0)\nout[0] = s.b.x\nout[1] = s.a.x", [2, 0]),
    Row("an array of records inside", POINT + " struct Tri { Point p[3]; D double sum() const { return p[0].x + p[1].x + p[2].x; } };", "t = f.Tri()\nt.p[1].x = 4.0\nout[0] = t.sum()\nout[1] = t.p[1].x", [4, 4]),
    Row("a method of an element", POINT + " struct Tri { Point p[3]; };", "t = f.Tri()\nt.p[2].move(3.0)\nout[0] = t.p[2].norm()\nout[1] = t.p[2].y", [18, 3]),
    Row("an array inside", "struct S { int v[4]; D int sum() const { return v[0] + v[1] + v[2] + v[3]; } };", "s = f.S()\ns.v[2] = 5\ns.v[0] += 2\nout[0] = s.sum()\nout[1] = len(s.v)", [7, 4]),
    Row("std::array inside", "struct S { STD::array<short, 3> a; D int sum() const { return a[0] + a[1] + a[2]; } };", "s = f.S()\ns.a[1] = 7\nout[0] = s.sum()\nout[1] = s.a[1]", [7, 7]),
    Row("bit-fields", "struct B { unsigned x : 3; int y : 5; unsigned z : 24; D int all() const { return x + y + z; } };", "b = f.B(5, -3, 1000)\nb.y = -16\nout[0] = b.all()\nout[1] = b.x\nout[2] = b.y", [989, 5, -16]),
    Row("packed bit-fields across bytes", "struct __attribute__((packed)) B { unsigned char x : 5; unsigned char y : 6; long z : 14; D long all() const { return x + y + z; } };", "b = f.B(17, 33, -5)\nb.y = 62\nb.z = 1000 - b.z\nout[0] = b.all()\nout[1] = b.x\nout[2] = b.y\nout[3] = b.z", [1084, 17, 62, 1005]),
    Row("a bit-field that does not fit", "struct B { unsigned x : 3; };", "b = f.B()\nb.x = 9\nout[0] = b.x", "raises: OverflowError: 3 bits", {CUDA: "code: trap"}),
    Row("bool bit-fields", "struct B { bool on : 1; bool off : 1; };", "b = f.B(True, False)\nb.off = True\nout[0] = b.on\nout[1] = b.off", [1, 1]),
    Row("a union", "union U { int i; float f; };", "u = f.U()\nu.f = 1.0\nout[0] = u.i", [1065353216]),
    Row("an unnamed union inside", "struct S { int kind; union { int i; float f; }; D S(int k) { kind = k; i = 0; } };", "s = f.S(1)\ns.f = 1.0\nout[0] = s.i\nout[1] = s.kind", [1065353216, 1]),
    Row("an unnamed struct inside", "struct S { struct { int a, b; } in; int c; }; D int f(S s) { return s.in.b; }", "s = f.S()\ns.in_.b = 4\nout[0] = f.f(s)", [4]),
    Row("const members", "struct S { const int a; int b; D S(int x) : a(x), b(x) {} };", "s = f.S(3)\ns.b = 5\nout[0] = s.a\nout[1] = s.b", [3, 5]),
    Row("const members stay", "struct S { const int a; D S(int x) : a(x) {} };", "s = f.S(3)\ns.a = 4", "raises: AttributeError: a", {NJIT: "refused: const in C++", CUDA: "refused: const in C++"}),
    Row("alignas", "struct alignas(32) W { double v[4]; D W(double x) { for (auto& e : v) e = x; } D int at() const { return (int)(reinterpret_cast<unsigned long>(this) % 32); } };", "w = f.W(2.0)\nout[0] = w.v[3]\nout[1] = w.at()", [2, 0]),
    Row("packed", "struct __attribute__((packed)) P { char c; double x; D P(double v) { c = 1; x = v; } D double get() const { return x; } };", "p = f.P(2.5)\np.x += 1.0\nout[0] = p.get()\nout[1] = p.x", [3.5, 3.5]),
    Row("a pointer inside", "struct P { double* p; int n; D double last() const { return p[n - 1]; } };", "out[1] = 5.0\np = f.P(out, 2)\nout[0] = p.last()", [5, 5]),
    Row("an empty struct", "struct E { D int f(int x) const { return x + 1; } }; D int g(E e) { return e.f(3); }", "out[0] = f.g(f.E())\nout[1] = f.E().f(1)", [4, 2]),
    Row("a large struct", "struct L { double v[40]; D L(double x) { v[39] = x; } D double last() const { return v[39]; } }; D L make(double x) { return L(x); }", "l = f.make(2.0)\nout[0] = l.last()\nl.v[39] = 3.0\nout[1] = l.last()", [2, 3]),
    Row("private members", "class P { int a; public: D P(int x) : a(x) {} D int get() const { return a; } D void set(int x) { a = x; } };", "p = f.P(5)\np.set(6)\nout[0] = p.get()", [6]),
    Row("a field named as a keyword", "struct K { int from, pass; D K(int x) { from = x; pass = x + 1; } };", "k = f.K(3)\nout[0] = k.from_\nk.pass_ = 8\nout[1] = k.pass_", [3, 8]),
    Row("a record by const&", POINT + " D double f(const Point& p) { return p.x; }", "out[0] = f.f(f.Point(3.0, 0.0))", [3]),
    Row("a record by &", POINT + " D void f(Point& p) { p.x = 8; }", "p = f.Point(1.0, 1.0)\nf.f(p)\nout[0] = p.x", [8], {}, {"f": {"p": "inout_ptr"}}),
    # --- references: a record is the very object, and what C++ returns by T& is that object
    Row("a record by & of no intent", POINT + " D void f(Point& p) { p.x = 8; }", "p = f.Point(1.0, 1.0)\nf.f(p)\nout[0] = p.x", [8]),
    Row("a record by & goes in", POINT + " D double f(Point& p) { p.x = 8; return p.y; }", "p = f.Point(1.0, 4.0)\nout[0] = f.f(p)\nout[1] = p.x", [4, 1], {}, {"f": {"p": "in"}}),
    Row("a base by &", "struct B { int n; }; struct E : B { int m; }; D void f(B& b) { b.n = 8; }", "e = f.E()\nf.f(e)\nout[0] = e.n\nout[1] = e.m", [8, 0]),
    Row("a record inside by &", POINT + " struct Seg { Point a, b; }; D void f(Point& p) { p.x = 8; }", "s = f.Seg()\nf.f(s.b)\nout[0] = s.b.x\nout[1] = s.a.x", [8, 0]),
    Row("two records by &", POINT + " D void swap(Point& a, Point& b) { Point c = a; a = b; b = c; }", "p = f.Point(1.0, 2.0)\nq = f.Point(3.0, 4.0)\nf.swap(p, q)\nf.swap(p, p)\nout[0] = p.x\nout[1] = q.y", [3, 2]),
    Row("a chain of T&", "struct S { int s; D S& inc(int k) { s += k; return *this; } };", "s = f.S(0)\ns.inc(1).inc(2)\nout[0] = s.s\nout[1] = s.inc(4).s", [3, 7]),
    Row("a T& to a member", POINT + " struct Seg { Point a, b; D Point& first() { return a; } D const Point& last() const { return b; } };", "s = f.Seg()\ns.first().x = 7.0\np = s.first()\np.y = 5.0\nout[0] = s.a.x\nout[1] = s.a.y\nout[2] = s.last().x", [7, 5, 0]),
    Row("a T& to one of two", POINT + " D Point& pick(Point& a, Point& b, bool k) { return k ? a : b; }", "p = f.Point(1.0, 2.0)\nq = f.Point(3.0, 4.0)\nf.pick(p, q, False).x = 9.0\nf.pick(p, q, True).y = 8.0\nout[0] = p.x\nout[1] = p.y\nout[2] = q.x\nout[3] = q.y", [1, 8, 9, 4]),
    Row("a T& of a temporary", POINT + " D Point& same(Point& a) { return a; }", "p = f.same(f.Point(1.0, 2.0))\np.x += 4.0\nout[0] = p.x\nout[1] = p.y", [5, 2]),
    Row("a const T& is a copy", POINT + " struct Seg { Point a; D const Point& first() const { return a; } };", "s = f.Seg()\np = s.first()\ns.a.x = 3.0\nout[0] = p.x\nout[1] = s.a.x", [0, 3]),
    Row("a T& of an operator", "struct A { int n; D A& operator<<(int k) { n += k; return *this; } D A& operator[](int k) { n *= k; return *this; } D A& operator()() { ++n; return *this; } };", "a = f.A(1)\na << 2 << 3\na[2].n += 1\na().n += 1\nout[0] = a.n", [15]),
    Row("another name for a T&", "struct S { int s; D S& self() { return *this; } };", "s = f.S(1)\nq = s\nr = q.self()\nr.s = 6\nout[0] = s.s\nq.s = 7\nout[1] = r.s", [6, 7]),
    Row("a T& in a loop", "struct S { int s; D S& inc() { ++s; return *this; } };", "s = f.S(0)\nfor i in range(5):\n  s.inc().inc()\nout[0] = s.s", [10]),
    Row("a conditional argument", "struct I { int a; D void add(int k) { a += k; } }; D I mk(int n) { return I{n}; }", "k = int(out[7])\np = f.I(1)\nq = p\nif k > 5:\n  q = f.mk(2 if k > 7 else 3)\np.a = 50\np.add(1 if k > 7 else 2)\nout[0] = q.a", [52]),
    Row("a value, or what others know", "struct I { int a; D I& self() { return *this; } }; D I mk(int n) { return I{n}; }", "k = int(out[7])\np = f.I(1)\nq = p.self() if k < 5 else f.mk(2)\nr = f.mk(3) if k < 5 else p.self()\np.a = 50\nout[0] = q.a\nout[1] = r.a", [50, 3]),
    Row("a record by pointer", POINT + " D void f(Point* p) { p->x = 8; } D double g(const Point* p) { return p ? p->x : -1; }", "p = f.Point(1.0, 1.0)\nf.f(p)\nout[0] = f.g(p)\nout[1] = f.g(None)", [8, -1]),
    Row("a record by value is a copy", POINT + " D double f(Point p) { p.x = 8; return p.x; }", "p = f.Point(1.0, 1.0)\nout[0] = f.f(p)\nout[1] = p.x", [8, 1]),
    Row("a record by &&", POINT + " D double f(Point&& p) { return p.y; }", "out[0] = f.f(f.Point(1.0, 4.0))", [4]),
    Row("a tuple of a record's fields", POINT + " D double f(const Point& p) { return p.x; }", "out[0] = f.f((3.0, 1.0))", [3]),
    # --- classes
    Row("overloaded constructors", "struct C { int how; D C() : how(0) {} D C(int) : how(1) {} D C(double) : how(2) {} D C(int, int) : how(3) {} };", "out[0] = f.C().how\nout[1] = f.C(1).how\nout[2] = f.C(1.0).how\nout[3] = f.C(1, 2).how", [0, 1, 2, 3]),
    Row("a constructor's keyword", "struct C { int a; double b; D C(int a_, double b_ = 2.0) : a(a_), b(b_) {} };", "out[0] = f.C(1).b\nout[1] = f.C(b_=5.0, a_=2).b", [2, 5]),
    Row("overloaded methods", "struct C { int a; D int f(int) const { return 1; } D int f(double) const { return 2; } D int f(const C&) const { return 3; } };", "c = f.C(0)\nout[0] = c.f(1)\nout[1] = c.f(1.0)\nout[2] = c.f(c)", [1, 2, 3]),
    Row("a method's default and keyword", "struct C { int a; D int f(int by = 3, int k = 1) const { return a + by * k; } };", "c = f.C(1)\nout[0] = c.f()\nout[1] = c.f(k=2)\nout[2] = c.f(by=5)", [4, 7, 6]),
    Row("static methods", "struct C { int a; D static int make(int x) { return x + 1; } D static C unit() { C c; c.a = 1; return c; } };", "out[0] = f.C.make(3)\nout[1] = f.C.unit().a", [4, 1]),
    Row("a static method of an object", "struct C { int a; D static int make(int x) { return x + 1; } };", "c = f.C(1)\nout[0] = c.make(3)", [4]),
    Row("static and other methods of one name", "struct M { int x; D static int f(double) { return 1; } D int f(int) const { return x; } };", "m = f.M(2)\nout[0] = m.f(3)\nout[1] = m.f(2.5)", [2, 1]),
    Row("a method called through its class", "struct C { int a; D int get() const { return a; } };", "c = f.C(4)\nout[0] = f.C.get(c)", [4]),
    Row("a method of a temporary", "struct C { int a; D C(int x) : a(x) {} D C plus(int k) const { return C(a + k); } D int get() const { return a; } };", "out[0] = f.C(1).plus(2).plus(3).get()", [6]),
    Row("*this", "struct C { int a; D C& add(int k) { a += k; return *this; } };", "c = f.C(1)\nc.add(2)\nout[0] = c.a", [3]),
    Row("a nested class", "struct O { int x; struct I { int y; D I(int v) : y(v) {} D int get() const { return y; } }; D I in() const { return I(x + 1); } };", "out[0] = f.O.I(4).get()\nout[1] = f.O(6).in_().get()", [4, 7]),
    Row("inherited methods", BASES, "c = f.C(1)\nc.sb(20)\nc.sa(10)\nout[0] = c.fa()\nout[1] = c.fb()\nout[2] = c.all()", [10, 20, 33]),
    Row("inherited fields", BASES, "c = f.C(1)\nc.a = 5\nout[0] = c.a\nout[1] = c.b\nout[2] = c.c\nout[3] = c.fa()", [5, 2, 3, 5]),
    Row("an object for its bases", BASES, "c = f.C(1)\nf.up(c)\nout[0] = f.of_b(c)\nout[1] = c.b", [12, 12]),
    Row("a base's name hidden", "struct B { int n; D int open() const { return 1; } D int other() const { return 3; } }; struct D_ : B { D D_() { n = 1; } D int open() const { return 4; } };", "d = f.D_()\nout[0] = d.open()\nout[1] = d.other()", [4, 3]),
    Row("using of a base's", "struct B { int n; D int f(int k) const { return n + k; } }; struct E : B { using B::f; D E() { n = 1; } D double f(double x) const { return x; } };", "e = f.E()\nout[0] = e.f(2)\nout[1] = e.f(0.5)", [3, 0.5]),
    Row("a friend", "class S { int a; public: D S(int x) : a(x) {} D friend int peek(const S& s) { return s.a; } };", "out[0] = f.peek(f.S(4))", [4]),
    Row("a const method on a const&", "struct S { int a; D int get() const { return a; } }; struct H { S s; D const S& cs() const { return s; } };", "h = f.H(f.S(3))\nout[0] = h.cs().get()", [3]),
    Row("a reference to a member, returned", "struct S { int a; D int get() const { return a; } }; struct H { S s; D S& rs() { return s; } };", "h = f.H(f.S(3))\nout[0] = h.rs().get()\nout[1] = h.rs().a", [3, 3]),
    Row("a reference to a number, returned", "struct H { int n; D int& at() { return n; } D const int& c() const { return n; } };", "h = f.H(3)\nout[0] = h.at()\nout[1] = h.c()", [3, 3]),
    # --- operators
    Row("+ - * /", "struct N { double x; D N operator+(const N& o) const { return {x + o.x}; } D N operator-(const N& o) const { return {x - o.x}; } D N operator*(double k) const { return {x * k}; } D N operator/(const N& o) const { return {x / o.x}; } };",
        "a = f.N(6.0)\nb = f.N(2.0)\nout[0] = (a + b).x\nout[1] = (a - b).x\nout[2] = (a * 0.5).x\nout[3] = (a / b).x", [8, 4, 3, 3]),
    Row("a number on the left", "struct N { double x; }; D N operator*(double k, const N& n) { return {k * n.x}; } D N operator-(int k, const N& n) { return {k - n.x}; }", "a = f.N(3.0)\nout[0] = (2.0 * a).x\nout[1] = (5 - a).x", [6, 2]),
    Row("% & | ^ << >>", "struct N { int x; D N operator%(int k) const { return {x % k}; } D N operator&(int k) const { return {x & k}; } D N operator|(int k) const { return {x | k}; } D N operator^(int k) const { return {x ^ k}; } D N operator<<(int k) const { return {x << k}; } D N operator>>(int k) const { return {x >> k}; } };",
        "a = f.N(13)\nout[0] = (a % 5).x\nout[1] = (a & 6).x\nout[2] = (a | 2).x\nout[3] = (a ^ 1).x\nout[4] = (a << 2).x\nout[5] = (a >> 1).x", [3, 4, 15, 12, 52, 6]),
    Row("unary - + ~", "struct N { int x; D N operator-() const { return {-x}; } D N operator+() const { return {x + 100}; } D N operator~() const { return {~x}; } };", "a = f.N(3)\nout[0] = (-a).x\nout[1] = (+a).x\nout[2] = (~a).x", [-3, 103, -4]),
    Row("all that compare", "struct N { int x; D bool operator==(N o) const { return x == o.x; } D bool operator!=(N o) const { return x != o.x; } D bool operator<(N o) const { return x < o.x; } D bool operator<=(N o) const { return x <= o.x; } D bool operator>(N o) const { return x > o.x; } D bool operator>=(N o) const { return x >= o.x; } };",
        "a = f.N(1)\nb = f.N(2)\nout[0] = a == b\nout[1] = a != b\nout[2] = a < b\nout[3] = a <= b\nout[4] = a > b\nout[5] = a >= b", [0, 1, 1, 1, 0, 0]),
    Row("!= made of ==", VALUE, "a = f.V(1.0)\nb = f.V(2.0)\nout[0] = a != b\nout[1] = a != f.V(1.0)", [1, 0]),
    Row("> where C++ has <", VALUE, "out[0] = f.V(1.0) > f.V(2.0)", "raises: TypeError: no such operator for these operands: it has operator<", TURNED),
    Row("< by two of a class", VALUE, "a = f.V(1.0)\nb = f.V(2.0)\nout[0] = a < b\nout[1] = b < a", [1, 0]),
    Row("a comparison from the right", "struct N { int x; }; D bool operator==(const N& a, int b) { return a.x == b; } D bool operator<(int a, const N& b) { return a < b.x; }", "a = f.N(3)\nout[0] = a == 3\nout[1] = 2 < a\nout[2] = 4 < a\nout[3] = a != 3\nout[4] = 3 == a", [1, 1, 0, 0, 1]),
    Row("> where C++ has < from the right", "struct N { int x; }; D bool operator<(int a, const N& b) { return a < b.x; }", "out[0] = f.N(3) > 2", "raises: TypeError: no such operator for these operands: it has operator<", TURNED),
    Row("<=>", "struct W { int a, b; auto operator<=>(const W&) const = default; };", "v = f.W(1, 2)\nw = f.W(1, 3)\nout[0] = v < w\nout[1] = v == w\nout[2] = v >= w\nout[3] = v != w", [1, 0, 0, 1], {CUDA: "rejected: compare"}),
    Row("+= and its like", "struct N { double x; D N& operator+=(const N& o) { x += o.x; return *this; } D void operator*=(double k) { x *= k; } }; D N& operator-=(N& a, const N& b) { a.x -= b.x; return a; }",
        "a = f.N(1.0)\nb = a\na += f.N(2.0)\na *= 4.0\na -= f.N(1.0)\nout[0] = a.x\nout[1] = b.x", [11, 11]),
    Row("[] reads", VEC, "v = f.Vec(2.5)\nout[0] = v[1]", [2.5]),
    Row("[] writes", VEC, "v = f.Vec(2.0)\nv[1] = 5.0\nv[3] += 1.0\nout[0] = v.sum()\nout[1] = v[1]", [12, 5]),
    Row("[] by an enumerator", "enum Axis { X, Y }; struct P { double x, y; D double operator[](Axis a) const { return a == X ? x : y; } };", "p = f.P(1.0, 2.0)\nout[0] = p[f.Y]", [2]),
    Row("()", "struct F { double k; D F(double a) : k(a) {} D double operator()(double x, double y = 1.0) const { return k * x + y; } };", "g = f.F(2.0)\nout[0] = g(3.0)\nout[1] = g(3.0, y=0.5)", [7, 6.5]),
    Row("() of a temporary", "struct F { double k; D F(double a) : k(a) {} D double operator()(double x) const { return k * x; } };", "out[0] = f.F(2.0)(3.0)", [6]),
    Row("conversions", "struct N { double x; D explicit operator bool() const { return x != 0; } D explicit operator int() const { return (int)x; } D operator double() const { return x; } };", "a = f.N(2.5)\nout[0] = float(a)\nout[1] = int(a)\nout[2] = bool(a)\nout[3] = bool(f.N(0.0))", [2.5, 2, 1, 0]),
    Row("a condition", "struct N { int x; D explicit operator bool() const { return x != 0; } };", "a = f.N(2)\nif a:\n    out[0] = 1.0\nif not f.N(0):\n    out[1] = 1.0\nwhile a:\n    a.x -= 1\nout[2] = a.x", [1, 1, 0]),
    Row("an operand that does not fit", VALUE + " D V operator+(const V& a, const V& b) { return V(a.x + b.x); }", "out[0] = (f.V(1.0) + 'x').x", "raises: TypeError: V (x)", {NJIT: "refused: argument 2 'b': expected", CUDA: "refused: argument 2 'b': expected"}),
    # --- outputs
    Row("out_return", "D int f(int x, double& y) { y = x * .5; return x + 1; }", "a, b = f.f(3)\nout[0] = a\nout[1] = b", [4, 1.5], {}, {"f": {"y": "out_return"}}),
    Row("out_return of a pointer", "D void f(double* y) { *y = 2.5; }", "out[0] = f.f()", [2.5], {}, {"f": {"y": "out_return"}}),
    Row("out_return of a record", POINT + " D void f(Point& p) { p = {3, 4}; }", "out[0] = f.f().norm()", [25], {}, {"f": {"p": "out_return"}}),
    Row("out_return of an enum", COLOR + " D void f(Color* c) { *c = Color::blue; }", "out[0] = f.f() == f.Color.blue", [1], {}, {"f": {"c": "out_return"}}),
    Row("inout_ptr", "D void f(double* x) { *x *= 2; }", "out[0] = 4.0\nf.f(out)", [8], {}, {"f": {"x": "inout_ptr"}}),
    Row("out_ptr", "D void f(double& x) { x = 7; }", "f.f(out[:1])", [7], {}, {"f": {"x": "out_ptr"}}),
    Row("out_array_return", "D void f(double (&a)[3]) { a[0] = 1; a[1] = 2; a[2] = 3; }", "t = f.f()\nout[0] = t[2]\nout[1] = len(t)", [3, 3], {}, {"f": {"a": "out_array_return"}}),
    Row("several outputs", "D bool f(double x, int* n, double* r) { *n = (int)x; *r = x - *n; return x > 0; }", "ok, n, r = f.f(2.5)\nout[0] = ok\nout[1] = n\nout[2] = r", [1, 2, 0.5], {}, {"f": {"n": "out_return", "r": "out_return"}}),
    Row("an output of a method", "struct S { double x; D void get(double* p) const { *p = x; } };", "s = f.S(2.0)\nout[0] = s.get()", [2], {}, {"S.get": {"p": "out_return"}}),
    Row("a value is no place", "D void f(double* x) { *x *= 2; }", "f.f(2.0)", "raises: sb.Error: f() argument 1 'x'", {NJIT: "refused: f() argument 1 'x': expected", CUDA: "refused: f() argument 1 'x': expected"}, {"f": {"x": "inout_ptr"}}),
    # --- exceptions
    Row("std::invalid_argument", 'D int f(int x) { if (x < 0) throw std::invalid_argument("low"); return x; }', "try:\n    out[0] = f.f(-1)\nexcept ValueError:\n    out[0] = 5.0", [5], {NJIT: "refused: Exception matching is limited to", **THROWS}),
    Row("caught as Exception", 'D int f(int x) { if (x < 0) throw std::invalid_argument("low"); return x; }', "try:\n    out[0] = f.f(-1)\nexcept Exception:\n    out[0] = 5.0", [5], THROWS),
    Row("std::out_of_range", 'D int f(int x) { throw std::out_of_range("high"); }', "f.f(1)", "raises: IndexError: high", THROWS),
    Row("std::overflow_error", 'D int f(int x) { throw std::overflow_error("much"); }', "f.f(1)", "raises: OverflowError: much", THROWS),
    Row("std::runtime_error of a method", 'struct S { int a; D int get() const { throw std::runtime_error("gone"); } };', "f.S(1).get()", "raises: RuntimeError: gone", THROWS),
    Row("a constructor that throws", 'struct S { int a; D S(int x) : a(x) { if (x < 0) throw std::invalid_argument("low"); } };', "f.S(-1)", "raises: ValueError: low", THROWS),
    Row("something thrown", "D int f(int x) { throw 5; }", "f.f(1)", "raises: RuntimeError: ", THROWS),
    # --- objects that only C++ makes, copies and destroys
    Row("an object with a destructor", COUNTER, "c = f.Counter(3)\nc.add(2)\nout[0] = c.n()\nout[1] = f.peek(c)\nout[2] = c[10]\nout[3] = c(2)", [5, 5, 15, 10], NO_HANDLES),
    Row("it is destroyed once", COUNTER, "before = f.count()\nfor i in range(3):\n    c = f.Counter(i)\n    out[0] += c.n()\nout[1] = before - f.count() <= 0", [3, 1], NO_HANDLES),
    Row("it is copied by value", COUNTER, "c = f.Counter(3)\nout[0] = f.read(c)\nout[1] = c.n()\nd = f.Counter(c)\nd.add(1)\nout[2] = d.n()\nout[3] = c.n()", [103, 3, 4, 3], NO_HANDLES),
    Row("it is returned", COUNTER, "c = f.make(4)\nd = c + f.make(5)\nout[0] = d.n()\nout[1] = c == f.make(4)\nout[2] = c != d", [9, 1, 1], NO_HANDLES),
    Row("it is changed through a reference", COUNTER, "c = f.Counter(1)\nf.poke(c)\nout[0] = c.n()\nout[1] = c.add(3).n()\nout[2] = c.n()", [8, 11, 11], NO_HANDLES),
    Row("a const object stays", COUNTER, "f.kept().add(1)", "raises: IntentError: that C++ may change", {NJIT: "refused: that C++ may change", **NO_HANDLES}),
    Row("its constructor throws", COUNTER, "f.Counter(-1)", "raises: ValueError: negative", NO_HANDLES),
    Row("virtual methods", SHAPES, "s = f.Square(3.0)\nout[0] = s.area()\nout[1] = f.area_of(s)\nout[2] = s.k\nout[3] = f.of_p(s)", [9, 9, 2, 7], NO_VIRTUAL),
    Row("an abstract class", SHAPES, "f.Shape()", "raises: TypeError: it is abstract", {NJIT: "refused: it is abstract", **NO_VIRTUAL}),
    Row("members of an object", HOLDER, "h = f.Holder(4)\nh.in_.add(2)\nh.v[1] = 7\nout[0] = h.in_.n\nout[1] = h.v[1]\nout[2] = h.at(2)\nout[3] = h.get().n", [7, 7, 0.5, 7], NO_HANDLES),
    Row("an exception of its method", HOLDER, "f.Holder(4).at(9)", "raises: IndexError: ", NO_HANDLES),
    # --- what compiled code has no values for
    Row("std::string", "D int f(const std::string& s) { return (int)s.size(); }", "out[0] = f.f('abc')", [3], {NJIT: "refused: a std::string, which compiled code cannot make", **NO_STRINGS}),
    Row("std::string returned", "D std::string f(int n) { return std::string(n, 'x'); }", "out[0] = len(f.f(3))", [3], {NJIT: "refused: std::string", **NO_STRINGS}),
    Row("std::vector", "D double f(const std::vector<double>& v) { return v.at(1); }", "out[1] = 2.0\nout[0] = f.f(out)", [2], {NJIT: "refused: a std::vector<double>, which compiled code cannot make", **NO_STRINGS}),
    Row("a member that is text", HOLDER, "out[0] = len(f.Holder(1).s)", [4], {NJIT: "refused: Holder.s is a C++ object", **NO_HANDLES}),
    Row("a Python function as a C function", "D int f(int (*g)(int), int x) { return g(x) + 1; }", "out[0] = f.f(plain, 4)", [9], {NJIT: "refused: 'plain'", CUDA: "refused: plain"}),
    Row("a class template without brackets", "template <class T> struct Box { T v; };", "out[0] = f.Box(3).v", "raises: TypeError: ", {NJIT: "refused: template", CUDA: "refused: template"}),
    Row("a class's constants, of an object", "struct S { int x; static constexpr int K = 7; enum Kind { a, b = 5 }; };", "s = f.S(1)\nout[0] = s.K\nout[1] = s.b == f.S.b", [7, 1]),
    Row("operator float", "struct N { double x; D operator float() const { return (float)x; } D explicit operator long() const { return (long)x; } };", "a = f.N(2.5)\nout[0] = float(a)\nout[1] = int(a)", [2.5, 2]),
    Row("an enum of unsigned 64 bits", "enum class E : unsigned long { low = 0, high = ~0ul }; D E f(E e) { return e; } D bool top(E e) { return e == E::high; }", "out[0] = f.top(f.E.high)\nout[1] = f.f(f.E.high) == f.E.high\nout[2] = f.top(f.E.low)", [1, 1, 0]),
    Row("an element of an array of records to a pointer", POINT + " struct Tri { Point p[3]; }; D double total(const Point* p, int n) { double s = 0; for (int i = 0; i < n; ++i) s += p[i].x; return s; }", "t = f.Tri()\nt.p[1].x = 4.0\nt.p[2].x = 1.0\nout[0] = f.total(t.p[0], 3)", [5]),
    Row("an unknown name", "D int f(int x) { return x; }", "f.g(3)", "raises: AttributeError: has no 'g'", {NJIT: "refused: has no 'g'", CUDA: "refused: 'g'"}),
    Row("an unknown field", POINT, "out[0] = f.Point(1.0, 2.0).z", "raises: AttributeError: 'z'", {NJIT: "refused: 'z'", CUDA: "refused: 'z'"}),
    Row("an unknown keyword", "D int f(int x) { return x; }", "f.f(y=3)", "raises: TypeError: no parameter 'y'", {NJIT: "refused: no parameter 'y'", CUDA: "refused: no parameter 'y'"}),
    Row("a default that only C++ knows", "D int g() { return 7; } D int f(int a, int b = g(), int c = 1) { return a + b + c; }", "f.f(1, c=2)", "raises: TypeError: only C++ knows its default", {NJIT: "refused: only C++ knows its default", CUDA: "refused: only C++ knows its default"}),
    Row("an output whose length is an argument", "D void f(double* a, int n) { for (int i = 0; i < n; ++i) a[i] = i; }", "out[0] = f.f(3)[2]", [2], {NJIT: "refused: a number as the length", CUDA: "refused: a number as the length"}, {"f": {"a": LENGTH}}),
)  # fmt: skip

_HOST = """#include <samebytes/vector.hpp>
#include <array>
#include <compare>
#include <complex>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
#define D
#define STD std
using HALF = samebytes::float16;
using BF16 = samebytes::bfloat16;
"""
_DEVICE = """#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#define D __device__
#define STD cuda::std
using HALF = __half;
using BF16 = __nv_bfloat16;
"""
HEADS = {PYTHON: _HOST, NJIT: _HOST, CUDA: _DEVICE}


def source(target: str) -> str:
    """All rows that a target's compiler takes, each in a namespace of its own."""
    parts = [f"namespace r{i} {{\n{row.cxx}\n}}" for i, row in enumerate(ROWS) if row.bound_for(target)]
    return "\n".join([HEADS[target], *parts, ""])


def intents(target: str) -> dict[str, Any]:
    """The intents of those rows by qualified names."""
    return {
        f"r{i}::{name}": chosen
        for i, row in enumerate(ROWS)
        for name, chosen in row.intents.items()
        if row.bound_for(target)
    }


def skipped(library: Any, index: int) -> str:
    """Why something of a row is not bound."""
    reasons: list[str] = [s.reason for s in library.__skipped__ if s.name.startswith(f"r{index}::")]
    return reasons[0]


def function(namespace: Any, row: Row, scope: Mapping[str, Any]) -> Any:
    """The row's statements as ``use(out)``."""
    body = "\n".join(f"    {line}" for line in row.statements.split("\n"))
    names = {"f": namespace, **scope}
    exec(f"def use(out):\n{body}\n", names)
    return names["use"]
