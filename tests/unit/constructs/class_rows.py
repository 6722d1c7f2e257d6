"""Constructs of classes: members, constructors, operators, inheritance, lifetimes."""

from __future__ import annotations

from rows import Row

import samebytes as sb

POINT = "struct P { double x, y; };"

ROWS = [
    Row("aggregate without arguments", "struct Agg { int a; double b; };", "(lib.Agg().a, lib.Agg().b)", (0, 0.0)),
    Row("aggregate by position", "struct Agg { int a; double b; };", "lib.Agg(1, 2.0).b", 2.0),
    Row(
        "aggregate returned and read",
        "struct Agg { int a; double b; }; inline Agg mk(int a){return Agg{a,1.0};}",
        "(lib.mk(3).a, lib.mk(3).b)",
        (3, 1.0),
    ),
    Row(
        "aggregate field written",
        "struct Agg { int a; double b; }; inline int get(const Agg& g){return g.a;}",
        "g = lib.Agg()\ng.a = 9\nlib.get(g)",
        9,
    ),
    Row(
        "constructor with a default, mutating method with a default",
        "struct C { int a; double b; C(int a_, double b_=2.0):a(a_),b(b_){} double sum() const {return a+b;} "
        "void bump(int by=1){a+=by;} };",
        "c = lib.C(3)\nc.bump()\nc.bump(by=4)\n(c.sum(), c.a, lib.C(1, b_=0.5).sum())",
        (10.0, 8, 1.5),
    ),
    Row(
        "static method",
        "struct C { int a; C(int a_):a(a_){} static int make(int x){return x + 1;} };",
        "(lib.C.make(3), lib.C(0).make(4))",
        (4, 5),
    ),
    Row(
        "private fields",
        "class Pv { int a; public: Pv(int x):a(x){} int get() const {return a;} };",
        "(lib.Pv(4).get(), hasattr(lib.Pv, 'a'))",
        (4, False),
    ),
    Row(
        "overloaded constructors",
        "struct C { int how; C():how(0){} C(int):how(1){} C(double):how(2){} C(int, int):how(3){} };",
        "[c.how for c in (lib.C(), lib.C(1), lib.C(1.0), lib.C(1, 2))]",
        [0, 1, 2, 3],
    ),
    Row(
        "overloads by const",
        "struct C { int a; int get() { return 1; } int get() const { return 2; } };",
        "c = lib.C()\n(c.get(), lib.C.get(c.value))",
        (1, 2),
    ),
    Row(
        "overloads by arguments",
        "struct C { int a; int f(int) const { return 1; } int f(double) const { return 2; } "
        "int f(const C&) const { return 3; } };",
        "c = lib.C()\n(c.f(1), c.f(1.0), c.f(c))",
        (1, 2, 3),
    ),
    Row(
        "ref-qualified methods",
        "struct C { int a; int l() & { return ++a; } int c() const & { return a; } int r() && { return a + 10; } };",
        "c = lib.C(1)\n(c.l(), c.c(), c.r())",
        (2, 2, 12),
    ),
    Row(
        "noexcept method",
        "struct C { int a; int f() const noexcept { return a; } };",
        "lib.C(5).f()",
        5,
    ),
    Row(
        "a method changes the object itself",
        POINT + "struct Q { double x, y; void move(double dx) { x += dx; } };",
        "q = lib.Q(1.0, 2.0)\nq.move(3.0)\n(q.x, q.y)",
        (4.0, 2.0),
    ),
    Row(
        "an immutable value is no place",
        "struct Q { double x; void move(double dx) { x += dx; } };",
        "lib.Q.move(lib.Q(1.0).value, 2.0)",
        (sb.IntentError, "Q.move() its object 'self': expected a place that C++ may change"),
    ),
    Row(
        "exception in a constructor",
        "#include <stdexcept>\nstruct C { int a; C(int x) : a(x) { if (x < 0) throw std::out_of_range(\"low\"); } };",
        "lib.C(-1)",
        (IndexError, "low"),
    ),
    Row(
        "wrong argument of a method",
        "struct C { int a; int f(int n, double x) const { return n; } };",
        "lib.C().f(1, 'x')",
        (sb.ArgumentError, "C.f() argument 2 'x': expected float64, got 'x' (str)"),
    ),
    Row(
        "wrong argument of a constructor",
        "struct C { int a; C(int n) : a(n) {} };",
        "lib.C('x')",
        (sb.ArgumentError, "C() argument 1 'n': expected int32"),
    ),
    Row(
        "a parameter called self",
        "struct C { int a; int f(int self) const { return a + self; } };",
        "lib.C(1).f(self_=2)",
        3,
    ),
    Row(
        "method whose name is a keyword",
        "struct C { int a; int pass() const { return a; } };",
        "lib.C(3).pass_()",
        3,
    ),
    Row(
        "nested class with methods",
        "namespace n { struct O { int x; struct I { int y; I(int v) : y(v) {} int get() const { return y; } }; "
        "I in() const { return I(x + 1); } }; }",
        "(lib.n.O.I(4).get(), lib.n.O(6).in_().get())",
        (4, 7),
    ),
]  # fmt: skip
