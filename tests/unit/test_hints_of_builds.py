"""What the hints of builds, intents, types and further arguments advise works when it is followed.

Each row is refused once, with the hint in the words, and then does what the hint says. The hints of values and
arguments are in ``test_hints.py``.
"""

from __future__ import annotations

import ctypes
import operator
import re
from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.advice import Advice
from tests.unit.test_hints import EXPRESSION, texts

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long


class Build(NamedTuple):
    """A source that is refused with some ``arg_intent``, the hint, what is given instead, and a call that works."""

    source: str
    refused: Any
    hint: str
    followed: Any
    call: str
    result: Any


CONST = "inline int f(const int* p) { return *p; }"
TEXT = "#include <string>\ninline void f(std::string& s) { s += '!'; }"
OBJECT = "struct H { ~H() {} int n = 1; };\ninline void f(H& h) { h.n = 5; }"
MADE = "struct C { int n; C(int& p) : n(p) { p = 9; } };"
VOID = "inline void f(void* p) { *static_cast<int*>(p) = 7; }"
FILL = "inline void f(int* p, int n) { for (int i = 0; i < n; ++i) p[i] = i; }"
MANY = "inline void f(signed char (&p)[16777217]) { p[0] = 2; }"
TWO = "inline void f(double x, int& r) { r = 1; }\ninline void f(double x) {}"
BUILDS = [
    Build(CONST, {"f": {"p": "out_return"}}, "use 'in'", {"f": {"p": "in"}}, "lib.f(np.array([4], 'i4'))", 4),
    Build("inline int f(const int& p) { return p; }", {"f": {"p": "out_return"}}, "use 'in'", {"f": {"p": "in"}},
          "lib.f(4)", 4),
    Build(TEXT, {"f": {"s": "inout_ptr"}}, "'out_return' begins with an empty one",
          {"f": {"s": "out_return"}}, "lib.f()", "!"),
    Build(OBJECT, {"f": {"h": "out_return"}}, "use 'inout_ptr'", {"f": {"h": "inout_ptr"}},
          "(h := lib.H(), lib.f(h), h.n)[2]", 5),
    Build(MADE, {"C.C": {"p": "out_return"}}, "use 'inout_ptr'", {"C.C": {"p": "inout_ptr"}},
          "(p := np.array([4], 'i4'), lib.C(p).n, p.tolist())[1:]", (4, [9])),
    Build(VOID, {"f": {"p": "out_return"}}, "pass an array", {}, "(p := np.zeros(1, 'i4'), lib.f(p), p.tolist())[2]",
          [7]),
    Build(VOID, {"f": {"p": "out_return"}}, "'out_array_return' with dtype and length",
          {"f": {"p": {"intent": "out_array_return", "dtype": "int32", "length": 1}}}, "lib.f()", (7,)),
    Build(FILL, {"f": {"p": "out_array_return"}}, "give length=12",
          {"f": {"p": {"intent": "out_array_return", "length": 12}}}, "len(lib.f(12))", 12),
    Build(FILL, {"f": {"p": "out_array_return"}}, 'or length="n"',
          {"f": {"p": {"intent": "out_array_return", "length": "n"}}}, "lib.f(3)", (0, 1, 2)),
    Build(MANY, {"f": {"p": "out_return"}}, "choose 'out_array_return' with as_array=True",
          {"f": {"p": {"intent": "out_array_return", "as_array": True}}}, "len(lib.f())", 16777217),
    Build("inline void f(int& p) { p = 3; }", {"f": {"p": {"intent": "out_array_return", "length": 1}}},
          "use 'out_return'", {"f": {"p": "out_return"}}, "lib.f()", 3),
    Build(TWO, {"f": {"r": "out_return"}}, "Choose an intent that Python passes for one of them",
          {"f(double, int &)": {"r": "in"}}, "lib.f(1.0)", None),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
@pytest.mark.parametrize("row", BUILDS, ids=lambda row: f"{row.hint}-{row.refused}"[:50])
def test_what_a_build_advises(row):
    with pytest.raises(sb.IntentError) as caught:
        sb.compile(row.source, arg_intent=row.refused)
    assert row.hint in str(caught.value)
    lib = sb.compile(row.source, arg_intent=row.followed)
    assert eval(row.call, {"lib": lib, "np": np}) == row.result


SOURCE = r"""
#include <cstdarg>
#include <cstdio>
#include <functional>
#include <string>
typedef int (*op)(int);
inline int total(int n, ...) {
  va_list all; va_start(all, n); int sum = 0;
  for (int i = 0; i < n; ++i) sum += va_arg(all, int);
  va_end(all); return sum;
}
inline int first(int n, ...) { va_list a; va_start(a, n); int r = *va_arg(a, int*); va_end(a); return r; }
inline double real(int n, ...) {
  va_list a; va_start(a, n); double r = __real__ va_arg(a, _Complex double); va_end(a); return r;
}
inline int called(int n, ...) { va_list a; va_start(a, n); int r = va_arg(a, op)(n); va_end(a); return r; }
__attribute__((format(printf, 3, 4))) inline int text(char* to, std::size_t n, const char* format, ...) {
  va_list a; va_start(a, format); int r = std::vsnprintf(to, n, format, a); va_end(a); return r;
}
__attribute__((format(scanf, 2, 3))) inline int scan(const char* from, const char* format, ...) {
  va_list a; va_start(a, format); int r = std::vsscanf(from, format, a); va_end(a); return r;
}
struct P { int x, y; };
inline P* kept = nullptr;
inline int of_kept() { return kept ? kept->y : 0; }
template <class T> T scaled(T x, T by, int times = 1) { return x * by * times; }
template <class F> int ran(F f, int x) { return f(x); }
inline int over(int x) { return x + 1; } inline double over(double x) { return x; }
inline int only_int(int x) { return over(x); }
struct Base {
  int n = 1; std::function<int()> f; int run() { return f(); } virtual int& virt() { return n; } virtual ~Base() {} };
inline int sum(const P& p) { return p.x + p.y; }
union Either { int i; float f; };
inline int of_either(const Either& e) { return e.i; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="hinted")


Named = namedtuple("Named", "a b")
PRINTED = "lib.text(buffer, 64, {!r}, x)"
CALLS = [
    # further arguments
    Advice(PRINTED.format("%d"), 1.5, "int(x) converts it", PRINTED.format("%d").replace("x)", "int(x))"), 1),
    Advice(PRINTED.format("%d"), "a", "ord(x) is its code", PRINTED.format("%d").replace("x)", "ord(x))"), 2),
    Advice(PRINTED.format("%.1f"), 1, "float(x) converts it", PRINTED.format("%.1f").replace("x)", "float(x))"), 3),
    Advice(PRINTED.format("%s"), 5, "str(x) makes text", PRINTED.format("%s").replace("x)", "str(x))"), 1),
    Advice(PRINTED.format("%.1Lf"), 1.0, "np.longdouble(x) makes one",
           PRINTED.format("%.1Lf").replace("x)", "np.longdouble(x))"), 3),
    Advice(PRINTED.format("%.1f"), np.longdouble(1), "%.1Lf takes it", PRINTED.format("%.1Lf"), 3),
    Advice(PRINTED.format("%ls"), "wide", "ctypes.c_wchar_p(x) is wide text",
           PRINTED.format("%ls").replace("x)", "ctypes.c_wchar_p(x))"), 4),
    Advice(PRINTED.format("%ls"), "wide", "%s takes str", PRINTED.format("%s"), 4),
    Advice(PRINTED.format("%p"), 5, "sb.Pointer(x) is an address",
           PRINTED.format("%p").replace("x)", "sb.Pointer(x))"), 3),
    Advice(PRINTED.format("%hhd"), 300, "%ld", PRINTED.format("%ld"), 3),
    Advice("lib.scan('5', '%d', x)", 5, "np.zeros(1, dtype) has one",
           "(p := np.zeros(1, 'i4'), lib.scan('5', '%d', p), p[0])[2]", 5),
    Advice("lib.scan('5', '%d', x)", ctypes.c_int(), "ctypes.byref(x) is one",
           "(lib.scan('5', '%d', ctypes.byref(x)), x.value)[1]", 5),
    Advice("lib.first(1, x)", [4], "np.array(x, dtype)", "lib.first(1, np.array(x, 'i4'))", 4),
    Advice("lib.total(2, x)", {"a": 1, "b": 2}, "Pass its values one by one", "lib.total(2, *x.values())", 3),
    Advice("lib.total(1, x)", np.array(3, "i4"), "x.item() is its number", "lib.total(1, x.item())", 3),
    Advice("lib.first(1, x)", np.array(3, "i4"), "x.reshape(1) an array of one", "lib.first(1, x.reshape(1))", 3),
    Advice("lib.first(1, x)", ctypes.py_object(6), "int(x.value)",
           "lib.total(1, int(x.value))", 6),
    Advice("lib.real(1, x)", np.clongdouble(2), "complex(x) is a double complex", "lib.real(1, complex(x))", 2.0),
    Advice("lib.called(3, x)", operator.neg, "sb.callback(f, 'int(*)(int)')",
           "lib.called(3, sb.callback(x, 'int(*)(int)'))", -3),
    Advice("lib.called(3, x)", operator.neg, "lib.its_typedef(f)", "lib.called(3, lib.op(x))", -3),
    # callables, variables, templates, classes
    Advice("sb.callback(x, 'int')", operator.neg, "write it as C does, 'int(*)(int)'",
           "lib.called(2, sb.callback(x, 'int(*)(int)'))", -2),
    Advice("lib.ran(lib.over, x)", 3, "cast to one of them in C++", "lib.ran(lib.only_int, x)", 4),
    Advice("lib.scaled(3, times=x)", 2, "give the arguments by position", "lib.scaled(3, 3, x)", 18),
    Advice("lib.scaled(3, times=x)", 2, "or name the template's: scaled[...](times=...)",
           "lib.scaled[int](3, by=3, times=x)", 18),
    Advice("type('D', (lib.Base,), {'virt': x})", lambda self: 2, "give it another name",
           "type('D', (lib.Base,), {'other': x})().other()", 2),
    Advice("type('D', (lib.Base,), {'virt': x})", lambda: 2, "let C++ take a callable (std::function)",
           "(b := lib.Base(), setattr(b, 'f', x), b.run())[2]", 2),
    Advice("int(lib.P(x, 2))", 1, "take a field", "int(lib.P(x, 2).x)", 1),
    Advice("lib.sum(x)", Named(1, 2), "tuple(x) drops their names", "lib.sum(tuple(x))", 3),
    Advice("lib.sum(x)", 5, "P(...) builds one", "lib.sum(lib.P(x, 1))", 6),
    Advice("lib.sum(x)", 5, "a tuple of its fields serves, too", "lib.sum((x, 1))", 6),
    Advice("lib.of_either((x, 2))", 3, "Either(name=...) says which is meant", "lib.of_either(lib.Either(i=x))", 3),
    Advice("lib.Either(i=x, f=2)", 3, "give one", "lib.Either(i=x).i", 3),
    # a kernel's arguments
    Advice("sb.KernelParams([x])", True, "ctypes.c_bool(x)", "bool(sb.KernelParams([ctypes.c_bool(x)]))", True),
    Advice("sb.KernelParams([x])", True, "or types= of the kernel", "bool(sb.KernelParams([x], types=[bool]))", True),
    Advice("sb.KernelParams([x])", 1.5, "sb.float32(x), sb.float64(x)", "bool(sb.KernelParams([sb.float32(x)]))", True),
    Advice("sb.KernelParams([x])", (ctypes.c_int * 3)(), "pass sb.Pointer(array)",
           "bool(sb.KernelParams([sb.Pointer(x)]))", True),
    Advice("sb.KernelParams([x])", np.array(3.0), "x[()] is its value", "bool(sb.KernelParams([x[()]]))", True),
    Advice("sb.KernelParams([x])", np.array(3.0), "x.reshape(1) an array",
           "bool(sb.KernelParams([x.reshape(1)]))", True),
    # types
    Advice("sb.array[x]", sb.int32, "write array[dtype, ndim], for example array[sb.float32, 2]",
           "str(sb.array[sb.float32, 2])", "array[float32, 2]"),
    Advice("sb.array[x, 1]", None, "void* is sb.pointer[None]", "sb.sizeof(sb.pointer[x])", 8),
    Advice("sb.carray[x]", sb.float32, "for example carray[sb.float32, 3, 4]", "sb.sizeof(sb.carray[x, 3, 4])", 48),
    Advice("sb.sizeof(x)", tuple, "tuple[int, float]", "sb.sizeof(x[int, float])", 8),
    Advice("sb.sizeof(x)", list, "sb.carray[...]", "sb.sizeof(sb.carray[sb.int32, 2])", 8),
    Advice("sb.result_type(x, 'uint64')", "int64", 'promotion="numpy"',
           "str(sb.result_type(x, 'uint64', promotion='numpy').__name__)", "float64"),
    Advice("sb.struct(type('S', (), {'__annotations__': {'a': sb.int32}, '__init__': x}))", print, "use a classmethod",
           "sb.struct(type('S', (), {'__annotations__': {'a': sb.int32}, 'of': classmethod(lambda c: c(3))})).of().a",
           3),
    Advice("sb.view(x).astype('f4')", np.arange(3), "numpy.array(v).astype(...) makes a copy",
           "np.array(sb.view(x)).astype('f4').tolist()", [0, 1, 2]),
    Advice("sb.view(x.T).reshape(6)", np.arange(6).reshape(2, 3), "numpy.array(v) makes one",
           "np.array(sb.view(x.T)).reshape(6).tolist()", [0, 3, 1, 4, 2, 5]),
]  # fmt: skip


@pytest.mark.parametrize("row", CALLS, ids=lambda row: f"{row.refused}-{row.hint}"[:70])
def test_what_a_call_advises(lib: Any, row: Advice) -> None:
    names = {
        "lib": lib,
        "sb": sb,
        "np": np,
        "ctypes": ctypes,
        "buffer": bytearray(64),
        "x": row.x,
        "__name__": __name__,
    }
    with pytest.raises((sb.Error, TypeError)) as caught:
        eval(row.refused, dict(names))
    assert row.hint in str(caught.value)
    assert eval(row.followed, dict(names)) == row.result


def test_an_address_that_is_kept_elsewhere_is_given_as_one(lib: Any) -> None:
    mine = lib.P(1, 2)
    with pytest.raises(sb.ArgumentError) as caught:
        lib.kept = mine
    advised = re.search(r"keep it yourself, and give (sb\.Pointer\(\w+\))", str(caught.value))
    assert advised is not None
    lib.kept = eval(advised[1], {"sb": sb})
    assert lib.of_kept() == 2
    lib.kept = None


def test_each_hint_that_is_an_expression_is_followed_here() -> None:
    shown = "\n".join(row.hint for row in CALLS)
    rooms = ("call/variadic", "call/callbacks", "layouts", "arrays/view", "loading")
    hints = {hint for _, text in texts(rooms) if " " in text for hint in EXPRESSION.findall(text)}
    followed_elsewhere = {"x.astype(", "astype(x", "Pointer(x", "x.view(", "copy.copy(x"}
    assert {h for h in hints if h not in shown and not any(k in h for k in followed_elsewhere)} == set()
