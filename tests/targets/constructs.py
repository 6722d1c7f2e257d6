# ruff: noqa: E501  (a row of the table is a line)
"""The 51 constructs on which binding tools were compared, in compiled code: C++, statements that use it, results.

``D`` is ``__device__`` in CUDA C++; ``f`` is the namespace of the row; ``out`` is an array of float64. A result that is
text says why there is none: ``skipped: …`` is a reason in ``__skipped__``, ``refused: …`` words of a compile-time error.
"""

from __future__ import annotations

from typing import Any

HOST, DEVICE = "numba", "numba_cuda"
BOTH = (HOST, DEVICE)

_AGG = "struct Agg { int a; double b; }; D double use(Agg x) { return x.a + x.b; } D Agg mk(int a) { return Agg{a, 1.0}; }"
_C = (
    "struct C { int a; double b; D C(int a_, double b_ = 2.0) : a(a_), b(b_) {} D double sum() const { return a + b; }"
    " D void bump(int by = 1) { a += by; } D int operator[](int i) const { return a + i; }"
    " D int operator()(int i) const { return a * i; } D static int make(int x) { return x + 1; } };"
)
_TA = "template <class T, int N> struct TA { T d[N]; }; using TF3 = TA<float, 3>; D float ta(TF3 t) { return t.d[0]; }"
_V = "struct V { float x; D V(float a) : x(a) {} };"

# name, C++, statements, what they leave in `out`, the targets on which it makes sense
ROWS: tuple[tuple[str, str, str, Any, tuple[str, ...]], ...] = (
    ("aggregate ctor Agg()", _AGG, "out[0] = f.use(f.Agg())", [0], BOTH),
    ("aggregate ctor Agg(1,2.0)", _AGG, "out[0] = f.use(f.Agg(1, 2.0))", [3], BOTH),
    ("agg by value return + field read", _AGG, "out[0] = f.mk(4).a", [4], BOTH),
    ("agg field write", _AGG, "s = f.mk(4)\ns.a = 9\ns.b += 1\nout[0] = s.a\nout[1] = f.use(s)", [9, 11], BOTH),
    ("ctor full args", _C, "c = f.C(3)\nc.bump()\nc.bump(4)\nout[0] = c.sum()\nout[1] = f.C(1, b_=5.0).b", [10, 5], BOTH),
    ("member operator[]", _C, "out[0] = f.C(3)[4]", [7], BOTH),
    ("member operator()", _C, "c = f.C(3)\nout[0] = c(4)", [12], BOTH),
    ("static method", _C, "out[0] = f.C.make(4)", [5], BOTH),
    ("bitfields", "struct Bits { unsigned x:3; unsigned y:5; D Bits(int v) { x = v; y = v; } };",
     "b = f.Bits(13)\nout[0] = b.x\nout[1] = b.y", [5, 13], BOTH),
    ("union", "union U { int i; float f; }; D int ui(U u) { return u.i; }",
     "u = f.U()\nu.f = 1.0\nout[0] = f.ui(u)", [1065353216], BOTH),
    ("array field 2d", "struct Arr { float a[2][3]; D Arr(float x) { for (auto& r : a) for (auto& v : r) v = x; } };",
     "s = f.Arr(2.0)\nout[0] = s.a[1, 2]", [2], BOTH),
    ("packed struct", "struct __attribute__((packed)) Pk { char c; int i; D Pk(int x) { c = 1; i = x; } };"
     " D int size(Pk p) { return p.i + (int)sizeof(Pk); }", "out[0] = f.size(f.Pk(7))\nout[1] = f.Pk(7).i", [12, 7], BOTH),
    ("padding: struct with aligned float4 field", "struct HV { char c; float4 a; D HV(float x) { c = 1; a.y = x; } };"
     " D int size(HV) { return sizeof(HV); }", "h = f.HV(2.5)\nout[0] = h.a.y\nout[1] = f.size(h)", [2.5, 32], BOTH),
    ("pointer field", "struct P { double* p; const int* q; D P(double* x) { p = x; q = 0; } };"
     " D bool same(P p, double* x) { return p.p == x && !p.q; }", "out[0] = f.same(f.P(out), out)", [1], BOTH),
    ("private fields", "class Pv { int a; public: D Pv(int x) : a(x) {} D int get() const { return a; } };",
     "out[0] = f.Pv(5).get()", [5], BOTH),
    ("namespaced function", "namespace ns { D int in_ns(int x) { return x; } }", "out[0] = f.ns.in_ns(3)", [3], BOTH),
    ("overloads + intent on one", "D int ov(int x) { return x; } D void ov(int x, double& out) { out = x + 0.5; }",
     "f.ov(3, out[:1])\nout[1] = f.ov(4)", [3.5, 4], BOTH),
    ("overloads + intent same visible sig", "D void g(int x, float& out) { out = x; } D void g(int x, double& out) { out = x; }",
     "out[0] = f.g(1)", [1], BOTH),
    ("rvalue ref in", _V + " D float rv(V&& v) { return v.x; }", "out[0] = f.rv(f.V(2.0))", [2], BOTH),
    ("const ref out_return", "D int cr(const int& v) { return v; }", "out[0] = f.cr(3)", [3], BOTH),
    ("ref return", "D int& rr(int& v) { v += 1; return v; }", "out[0] = f.rr(4)", [5], BOTH),
    ("out_return unnamed param by index", "D void un(int& v, float); D void un(int& v, float x) { v = (int)x; }",
     "out[0] = f.un(2.0)", [2], BOTH),
    ("unnamed params", "D int nn(int, float) { return 1; }", "out[0] = f.nn(1, 2.0)", [1], BOTH),
    ("pointer arg", "D void pa(const double* in, double* out, int n) { out[0] = in[0] * n; }",
     "out[0] = 3.0\nf.pa(out, out, 2)", [6], BOTH),
    ("ptr to ptr", "D bool pp(float** p) { return !p; }", "out[0] = f.pp(None)", [1], BOTH),
    ("void* arg", "D long vp(void* p, unsigned long n) { return p ? n : 0; }", "out[0] = f.vp(out, 8)", [8], BOTH),
    ("T a[3] param", "D double ap(double a[3]) { return a[1]; }", "out[1] = 2.5\nout[0] = f.ap(out)", [2.5, 2.5], BOTH),
    ("T a[3][4] param", "D void m34(float out[3][4]) { for (int i = 0; i < 12; ++i) out[i / 4][i % 4] = i; }",
     "t = f.m34()\nout[0] = t[6]\nout[1] = len(t)", [6, 12], BOTH),
    ("typedef/using args", "typedef float real_t; using ix = long long; D real_t td(real_t x, ix i) { return x + i; }",
     "out[0] = f.td(1.5, 2)", [3.5], BOTH),
    ("half function", "D __half hf(__half a) { return a; }", "out[0] = np.float32(f.hf(np.float16(0.5)))", "code: cvt", (DEVICE,)),
    ("unscoped enum return", "enum Color { RED, GREEN = 5 }; D Color ec(int x) { return x ? GREEN : RED; }",
     "out[0] = f.ec(1) == f.GREEN\nout[1] = f.ec(1) + 0", [1, 5], BOTH),
    ("bool", "D bool bb(bool b) { return !b; }", "out[0] = f.bb(False)", [1], BOTH),
    ("wchar/char16", "D int wc(wchar_t w, char16_t q) { return w + q; }", "out[0] = f.wc(65, 2)", [67], BOTH),
    ("__int128", "D __int128 i128(__int128 x) { return x; }", "i128", "skipped: 128-bit integer", BOTH),
    ("cuda::std::complex", "D STD::complex<float> cx(STD::complex<float> x) { return x; }",
     "out[0] = f.cx(1 + 2j).imag", [2], BOTH),
    ("std::tuple / cuda::std::array", "D STD::array<float, 3> ca(float x) { return {x, x + 1, x}; }",
     "out[0] = f.ca(2.0)[1]", [3], BOTH),
    ("variadic C", "D int va(int n, ...) { return n; }", "out[0] = f.va(3)", [3], (HOST,)),
    ("kernel __global__", "__global__ void kk(int* p) {}", "kk", "skipped: kernel", (DEVICE,)),
    ("extern C", 'extern "C" { D int cf(int x) { return x; } }', "out[0] = f.cf(3)", [3], BOTH),
    ("auto return", "D auto au(int x) { return x * 2.5; }", "out[0] = f.au(2)", [5], BOTH),
    ("function template nontype N", "template <int N, class T> D T tn(T a) { return a * N; }", "out[0] = f.tn[3, int](4)", [12], BOTH),
    ("variadic template", "template <class... Ts> D int tv(Ts... a) { return sizeof...(a); }", "out[0] = f.tv(4)", [1], BOTH),
    ("class template", _TA, "t = f.TF3()\nt.d[1] = 2.0\nout[0] = t.d[1]", [2], BOTH),
    ("template alias arg", _TA, "t = f.TF3()\nt.d[0] = 4.0\nout[0] = f.ta(t)", [4], BOTH),
    ("constexpr constant", "constexpr int kA = 7; D int plus(int x) { return x + kA; }",
     "out[0] = f.plus(1) + f.kA", [15], BOTH),
    ("free operator+= (mutating)", _V + " D V& operator+=(V& a, const V& b) { a.x += b.x; return a; }",
     "v = f.V(1.0)\nv += f.V(2.0)\nout[0] = v.x", [3], BOTH),
    ("free unary -, ==, <, []", _V + " D V operator-(const V& a) { return V(-a.x); }"
     " D bool operator==(const V& a, const V& b) { return a.x == b.x; } D bool operator<(const V& a, const V& b) { return a.x < b.x; }",
     "v = f.V(1.0)\nout[0] = (-v).x\nout[1] = -v == f.V(-1.0)\nout[2] = -v < v", [-1, 1, 1], BOTH),
    ("volatile ptr/ref", "D double vo(volatile double* p, volatile int& r) { return *p + r; }",
     "out[0] = 2.0\nout[1] = f.vo(out, 3)", [2, 5], BOTH),
    ("noexcept/constexpr/[[nodiscard]]/noinline", "[[nodiscard]] D constexpr int nd(int x) noexcept { return x; }"
     " D __attribute__((noinline)) int ni(int x) { return x; }", "out[0] = f.nd(3) + f.nd(4)", [7], BOTH),
    ("field name == python keyword", "struct K { int from; D K(int x) { from = x; } };", "out[0] = f.K(3).from_", [3], BOTH),
    ("static/anonymous ns fn", "namespace { D int an(int x) { return x; } } D static int st(int x) { return x + 1; }",
     "out[0] = f.an(3) + f.st(3)", [7], BOTH),
)  # fmt: skip

INTENTS: dict[str, dict[Any, str]] = {
    "un": {0: "out_return"},
    "ov": {"out": "inout_ptr"},
    "g(int, float &)": {"out": "out_return"},  # of both, bind() says, no call could choose
    "m34": {"out": "out_array_return"},
}

_HEADS = {
    HOST: "#include <samebytes/vector.hpp>\n#include <complex>\n#include <array>\n#define D\n#define STD std\n"
    "using float4 = samebytes::float32x4;\n",
    DEVICE: "#include <cuda_fp16.h>\n#include <cuda/std/complex>\n#include <cuda/std/array>\n#define D __device__\n"
    "#define STD cuda::std\n",
}


def source(target: str) -> str:
    """All constructs that make sense on a target, each in a namespace of its own."""
    parts = [f"namespace r{i} {{\n{row[1]}\n}}" for i, row in enumerate(ROWS) if target in row[4]]
    return "\n".join([_HEADS[target], *parts, ""])


def intents(target: str) -> dict[str, dict[Any, str]]:
    """The intents by qualified names."""
    return {
        f"r{i}::{name}": chosen
        for i, row in enumerate(ROWS)
        for name, chosen in INTENTS.items()
        if target in row[4] and f" {name.partition('(')[0]}(" in row[1]
    }
