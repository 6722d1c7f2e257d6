"""The constructs by which Numbast was measured, on the host: each bound and called, with the right result.

Those of CUDA's own types and of kernels have their tests where device code has its own.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from construct_table import Row, check, source

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

INCLUDES = "#include <array>\n#include <complex>\n#include <cstddef>\n#include <tuple>\n"
AGG = "struct Agg { int a; double b; }; inline Agg mk(int a){return Agg{a,1.0};}"
C = (
    "struct C { int a; double b; C(int a_, double b_=2.0):a(a_),b(b_){} double sum() const {return a+b;}"
    " void bump(int by=1){a+=by;} };"
)
V = "struct V{float x;V(float a):x(a){}};"

ROWS = [
    Row("aggregate ctor Agg()", AGG, "(f.Agg().a, f.Agg().b)", (0, 0.0)),
    Row("aggregate ctor Agg(1, 2.0)", AGG, "f.Agg(1, 2.0).b", 2.0),
    Row("agg by value return + field read", AGG, "(f.mk(3).a, f.mk(3).b)", (3, 1.0)),
    Row("agg field write", AGG, "(lambda r: (setattr(r, 'a', 7), r.a))(f.mk(1))[1]", 7),
    Row("ctor full args", C, "(f.C(1, 3.0).sum(), f.C(1).sum())", (4.0, 3.0)),
    Row("mutating method", C, "(lambda c: (c.bump(), c.bump(by=3), c.a))(f.C(1))[2]", 5),
    Row("member operator[]", "struct C { int a; C(int a_):a(a_){} int operator[](int i) const {return a+i;} };",
        "f.C(3)[4]", 7),
    Row("member operator()", "struct C { int a; C(int a_):a(a_){} int operator()(int i) const {return a+i;} };",
        "f.C(3)(4)", 7),
    Row("static method", "struct C { int a; C(int a_):a(a_){} static int make(int x){return x;} };", "f.C.make(3)",
        3),
    Row("bit-fields", "struct Bits { unsigned x:3; unsigned y:5; Bits(int v){x=v;y=v;} };",
        "(f.Bits(5).x, f.Bits(5).y)", (5, 5)),
    Row("union", "union U { int i; float f; }; inline int u(U x) { return x.i; }", "f.u(f.U(f=1.0))", 0x3F800000),
    Row("array field 2d", "struct Arr { float a[2][3]; Arr(float x){for(auto&r:a)for(auto&y:r)y=x;} };",
        "f.Arr(2.0).a", np.full((2, 3), 2, "f4")),
    Row("packed struct", "struct __attribute__((packed)) Pk { char c; int i; Pk(int x){i=x;c=1;} };",
        "(f.Pk(3).i, f.Pk.c_sizeof())", (3, 5)),
    Row("pointer field", "struct P { float*p; const int*q; P(float*x){p=x;q=nullptr;} };"
        " inline float at(P p){return p.p[1];}", "f.at(f.P(np.array([1, 2], 'f4')))", 2.0),
    Row("private fields", "class Pv { int a; public: Pv(int x):a(x){} int get() const {return a;} };",
        "f.Pv(4).get()", 4),
    Row("namespaced function", "namespace ns { inline int in_ns(int x){return x;} }", "f.ns.in_ns(3)", 3),
    Row("rvalue ref in", V + "inline float rv(V&&v){return v.x;}", "f.rv(f.V(2.0))", 2.0),
    Row("ref return", "inline int &rr(int &v){v+=1;return v;}", "f.rr(3)", 4),
    Row("unnamed params", "inline int nn(int,float){return 1;}", "f.nn(1, 2.0)", 1),
    Row("pointer arg", "inline void pa(const float*in,float*out,int n){out[0]=in[0]*n;}",
        "(lambda x, y: (f.pa(x, y, 3), float(y[0])))(np.array([2], 'f4'), np.zeros(1, 'f4'))[1]", 6.0),
    Row("ptr to ptr", "inline void pp(float**p){}", "f.pp(None)", None),
    Row("void* arg", "inline std::size_t vp(void*p,std::size_t n){return n;}", "f.vp(np.zeros(2), 16)", 16),
    Row("T a[3] param", "inline float ap(float a[3]){return a[1];}", "f.ap(np.array([1, 2, 3], 'f4'))", 2.0),
    Row("T a[3][4] param", "inline void m34(float out[3][4]){out[1][2]=1;}",
        "(lambda x: (f.m34(x), float(x[1, 2])))(np.zeros((3, 4), 'f4'))[1]", 1.0),
    Row("typedef/using args",
        "typedef float real_t; using ix=long long; inline real_t td(real_t x, ix i){return x+i;}", "f.td(1.5, 2)",
        3.5),
    Row("unscoped enum return", "enum Color{RED,GREEN=5}; inline Color ec(int x){return GREEN;}",
        "f.ec(1) is f.GREEN", True),
    Row("bool", "inline bool bb(bool b){return !b;}", "f.bb(True)", False),
    Row("wchar/char16", "inline int wc(wchar_t w,char16_t q){return w;}", "f.wc(7, 8)", 7),
    Row("__int128", "inline __int128 i128(__int128 x){return x;}", "", "skipped: 128-bit"),
    Row("std::complex", "inline std::complex<float> cx(std::complex<float> x){return x;}", "f.cx(1j)", 1j),
    Row("std::tuple / std::array",
        "inline std::array<float,3> ca(float x){return {x,x,x};} inline std::tuple<int,float>"
        " ct(float x){return {1,x};}", "(f.ca(2.0), f.ct(3.0))", ((2.0, 2.0, 2.0), (1, 3.0))),
    Row("extern C", 'extern "C" inline int samebytes_test_peer(int x){return x;}', "f.samebytes_test_peer(2)", 2),
    Row("auto return", "inline auto au(int x){return x;}", "f.au(2)", 2),
    Row("function template nontype N", "template<int N,class T> T tn(T a){return a*N;}",
        "(f.tn[3, int](2), f.tn[3](2))", (6, 6)),
    Row("variadic C", "inline int va(int n,...){return n;}", "f.va(3)", 3),
    Row("variadic template", "template<class... Ts> int tv(Ts... a){return sizeof...(a);}", "f.tv(1, 2.0, True)", 3),
    Row("class template", "template<class T,int N> struct TA{T d[N]; TA(T v){for(int i=0;i<N;i++)d[i]=v;}"
        " T get(int i) const{return d[i];} };", "f.TA[float, 3](2.0).get(1)", 2.0),
    Row("template alias arg", "template<class T,int N> struct TA{T d[N];}; using TF3=TA<float,3>;"
        " inline float ta(TF3 t){return t.d[0];}", "f.ta(f.TF3((1, 2, 3)))", 1.0),
    Row("constexpr constant", "constexpr int kA=7; inline int g(int x){return x+kA;}", "(f.kA, f.g(1))", (7, 8)),
    Row("free operator+= (mutating)", V + "inline V& operator+=(V&a,const V&b){a.x+=b.x;return a;}",
        "(lambda a: (a.__iadd__(f.V(2.0)), a.x))(f.V(1.0))[1]", 3.0),
    Row("free unary -, ==, <", V + "inline V operator-(const V&a){return V(-a.x);} inline bool operator==(const V&a,"
        "const V&b){return a.x==b.x;} inline bool operator<(const V&a,const V&b){return a.x<b.x;}",
        "((-f.V(1.0)).x, f.V(1.0) == f.V(1.0), f.V(1.0) < f.V(2.0))", (-1.0, True, True)),
    Row("volatile ptr/ref", "inline int vo(volatile int*p,volatile int&r){return *p;}",
        "f.vo(np.array([3], 'i4'), 1)", 3),
    Row("noexcept/constexpr/[[nodiscard]]", "[[nodiscard]] constexpr int nd(int x) noexcept {return x;}"
        " __attribute__((noinline)) int ni(int x){return x;}", "(f.nd(1), f.ni(2))", (1, 2)),
    Row("field name == python keyword", "struct K{int from; K(int x){from=x;} };", "f.K(3).from_", 3),
    Row("static/anonymous ns fn", "namespace { inline int an(int x){return x;} } static int st(int x){return x;}",
        "(f.an(1), f.st(2))", (1, 2)),
]  # fmt: skip

READY = {
    "function template nontype N": ["tn<3, int>", "tn<3>(int)"],
    "variadic template": ["tv(int, double, bool)"],
    "class template": ["TA<float, 3>"],
}


@pytest.fixture(scope="module")
def lib() -> Any:
    wanted = [f"row{i}::{spelling}" for i, row in enumerate(ROWS) for spelling in READY.get(row.name, ())]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sb.BindWarning)
        return sb.compile(source(INCLUDES, ROWS), std="c++20", instantiate=wanted)


@pytest.mark.parametrize("index", range(len(ROWS)), ids=[row.name for row in ROWS])
def test_row(lib: Any, index: int) -> None:
    check(lib, index, ROWS[index])


def test_intents_and_overloads() -> None:
    """``overloads + intent on one``, ``… same visible sig``, ``const ref out_return``, ``out_return by index``."""
    lib = sb.compile(
        "inline void un(int&, float x); inline void un(int&v, float x){v=x;}",
        arg_intent={"un": {0: "out_return"}},
    )
    assert lib.un(2.5) == 2
    with pytest.raises(sb.IntentError, match="same Python parameters"):
        sb.compile(
            "inline void g(int x, float &out){out=x;} inline void g(int x, double &out){out=x+1;}",
            arg_intent={"g": {"out": "out_return"}},
        )
    with pytest.raises(sb.IntentError, match="use 'in'"):
        sb.compile("inline void cr(const int&v){}", arg_intent={"cr": {"v": "out_return"}})
