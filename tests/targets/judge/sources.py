"""The C++ of the kinds, once; what a target's compiler calls its types, and which kinds it does not have."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .kinds import Kind

_HOST = """#include <samebytes/array.hpp>
#include <samebytes/vector.hpp>
#include <array>
#include <atomic>
#include <complex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#define D inline
#define STD std
using HALF = samebytes::float16;
using BF16 = samebytes::bfloat16;
using E4M3 = samebytes::float8e4m3;
using E5M2 = samebytes::float8e5m2;
using F4 = samebytes::float32x4;
using I2 = samebytes::int32x2;
"""
# A library of mdspans for g++, which has none, by the name of one that is read.
_MINI = (Path(__file__).parents[2] / "unit" / "mini_mdspan.hpp").read_text().replace("#pragma once", "")
_MINI = re.sub(r"(?m)^namespace mini", "namespace Kokkos", _MINI) + "#define MD Kokkos\n"
_CUDA = """#include <samebytes/array.hpp>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/mdspan>
#include <cuda/std/span>
#define STD cuda::std
#define MD cuda::std
using HALF = __half;
using BF16 = __nv_bfloat16;
using E4M3 = __nv_fp8_e4m3;
using E5M2 = __nv_fp8_e5m2;
using F4 = float4;
using I2 = int2;
"""
_HIP = """#include <samebytes/array.hpp>
#include <samebytes/hip.hpp>
#define D __host__ __device__ inline
using HALF = __half;
using BF16 = samebytes::hip::bfloat16;
using E4M3 = samebytes::hip::float8e4m3;
using E5M2 = samebytes::hip::float8e5m2;
using F4 = float4;
using I2 = int2;
"""
_SYCL = """#include <sycl/sycl.hpp>
#include <samebytes/array.hpp>
#include <array>
#include <complex>
#include <span>
#define D inline
#define STD std
using HALF = sycl::half;
using BF16 = sycl::ext::oneapi::bfloat16;
using F4 = sycl::float4;
using I2 = sycl::int2;
"""

# Padding is no part of a value: structs fold their fields.
STRUCTS = {
    "R": ("struct R { int a; double b; };", "x.a, x.b"),
    "Init": ("struct Init { int a = 3; double b = 2.5; };", "x.a, x.b"),
    "Ctor": ("struct Ctor { int a; double b; D Ctor(int a_, double b_ = 2.5) : a(a_), b(b_) {} };", "x.a, x.b"),
    "Wide": ("struct alignas(32) Wide { float f[4]; };", "x.f"),
    "Bits": ("struct Bits { unsigned a : 3; int b : 5; unsigned c : 24; };", "int(x.a), int(x.b), int(x.c)"),
    "U": ("union U { int i; float f; };", "x.i"),
    "Packed": ("struct __attribute__((packed)) Packed { char c; int i; };", "char(x.c), int(x.i)"),
    "Nested": ("struct Nested { R r; short v[3]; };", "x.r.a, x.r.b, x.v"),
    "View": ("struct View { double* p; int n; };", "x.n, *x.p"),
}  # fmt: skip
# Of another library: names of the same, and other layouts.
OTHER_STRUCTS = {
    "R": ("struct R { double b; int a; };", "x.b, x.a"),
    "Init": ("struct Init { double b = 2.5; int a = 3; };", "x.b, x.a"),
    "Wide": ("struct Wide { double f[4]; };", "x.f"),
    "Packed": ("struct Packed { char c; int i; };", "x.c, x.i"),
    "Nested": ("struct Nested { short v[3]; R r; };", "x.v, x.r.a, x.r.b"),
}
ENUMS = """enum Plain : unsigned { zero, one, many = 7 };
enum class Col : short { red = -1, green = 2, blue = 300 };
enum class Way : short { on = 2 };
"""
HANDLE = """class Handle {
  int* n_;
 public:
  explicit Handle(int n) : n_(new int(n)) {}
  Handle(const Handle& o) : n_(new int(*o.n_)) {}
  ~Handle() { delete n_; }
  int get() const { return *n_; }
  void set(int n) { *n_ = n; }
};
"""
_FOLD = """
typedef unsigned long long Digest;
#define FIRST 14695981039346656037ull
D Digest mix(Digest h, const void* p, int n) {
  const unsigned char* b = (const unsigned char*)p;
  for (int i = 0; i < n; ++i) h = (h ^ b[i]) * 1099511628211ull;
  return h;
}
D Digest fields(Digest h) { return h; }
template <class T, class... Rest> D Digest fields(Digest h, const T& x, const Rest&... rest) {
  return fields(mix(h, &x, int(sizeof x)), rest...);
}
template <class T> D Digest fold(const T& x) { return fields(FIRST, x); }
template <class T> D Digest fold_n(const T* x, int n) {
  Digest h = 17;
  for (int i = 0; x && i < n; ++i) h = h * 31 + fold(x[i]);
  return h;
}
D Digest fold_text(const char* x) {
  int n = 0;
  while (x && n < 16 && x[n]) ++n;
  return fold_n(x, n);
}
template <class T> D Digest fold_1(const T& x) {
  Digest h = 17 + (Digest)x.shape[0];
  for (int i = 0; i < int(x.shape[0]); ++i) h = h * 31 + fold(x(i));
  return h;
}
template <class T> D Digest fold_2(const T& x) {
  Digest h = 17 + 100 * (Digest)x.shape[0] + (Digest)x.shape[1];
  for (int i = 0; i < int(x.shape[0]); ++i)
    for (int j = 0; j < int(x.shape[1]); ++j) h = h * 31 + fold(x(i, j));
  return h;
}
template <class T> D void put(T* x, int n) {
  for (int i = 0; i < n * int(sizeof(T)); ++i) ((unsigned char*)x)[i] = 1;
}
D Digest on(const void* x, Digest n) { return (Digest)x % n; }
"""
_FOLD_MD = """
template <class T> D Digest fold_md(const T& x) {
  Digest h = 17 + 100 * (Digest)x.extent(0) + (Digest)x.extent(1);
  for (int i = 0; i < int(x.extent(0)); ++i)
    for (int j = 0; j < int(x.extent(1)); ++j)
      h = h * 31 + fold(x.data_handle()[i * x.mapping().stride(0) + j * x.mapping().stride(1)]);
  return h;
}
"""

_NO_MEMBERS = "a target without C++'s standard library"
_DEVICE_LACKS = {"host": _NO_MEMBERS, "handle": "the judge's class allocates memory of the host"}
_KERNEL_LACKS = {
    **_DEVICE_LACKS,
    "reference": "a kernel takes no reference",
    "intent": "a kernel has no intents",
}


@dataclass(frozen=True)
class Dialect:
    """How a target writes the source.

    Attributes
    ----------
    head : str
    lacks : mapping of str to str
        Tags of the kinds that it does not have, and why.
    form : str
        The function: ``{name}``, ``{parameter}``, ``{fold}``, ``{writes}``.
    """

    head: str
    lacks: dict[str, str]
    form: str = "D Digest k_{name}({parameter}) {{ const Digest h = {fold}; {writes} return h; }}"
    md: bool = False
    handle: bool = True

    def has(self, kind: Kind) -> bool:
        return not self.why_not(kind)

    def why_not(self, kind: Kind) -> str:
        return next((self.lacks[tag] for tag in sorted(kind.tags) if tag in self.lacks), "")

    def source(self, kinds: Iterable[Kind], structs: dict[str, tuple[str, str]] = STRUCTS) -> str:
        all_structs = STRUCTS | structs
        folds = "\n".join(
            f"{text}\ntemplate <> D Digest fold<{name}>(const {name}& x) {{ return fields(FIRST, {of}); }}"
            for name, (text, of) in all_structs.items()
        )
        functions = (
            self.form.format(name=k.name, parameter=k.parameter, fold=k.fold, writes=k.writes)
            for k in kinds
            if self.has(k)
        )
        parts = [self.head, ENUMS, HANDLE if self.handle else "", _FOLD, _FOLD_MD if self.md else "", folds]
        return "\n".join([*parts, *functions, ""])

    def intents(self, kinds: Iterable[Kind]) -> dict[str, Any]:
        return {f"k_{k.name}": dict(k.intent) for k in kinds if k.intent and self.has(k)}


_KERNEL = "__global__ void k_{name}({parameter}, Digest* d) {{ const Digest h = {fold}; {writes} *d = h; }}"
_SYCL_KERNEL = (
    "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel<1>)) SYCL_EXTERNAL "
    "void k_{name}({parameter}, Digest* d) {{ const Digest h = {fold}; {writes} *d = h; }}"
)
HOST = Dialect(_HOST + _MINI, {}, md=True)
DEVICE = Dialect(
    f"{_CUDA}#define D __device__\n",
    _DEVICE_LACKS,
    md=True,
    handle=False,
)
_NO_NULLPTR = {"nullptr": "a kernel that takes nullptr_t does not compile"}
KERNEL = Dialect(
    f"{_CUDA}#define D __device__\n", _KERNEL_LACKS | _NO_NULLPTR, _KERNEL, md=True, handle=False
)
_LAUNCHER = (
    "__global__ void none() {}\nvoid launch_none() { none<<<1, 1>>>(); }\n"  # makes it a .cu of the host, too
)
_STD = "".join(f"#include <{h}>\n" for h in ("atomic", "optional", "string", "string_view", "vector"))
CU_HOST = Dialect(
    f"{_STD}{_CUDA}#define D inline __host__ __device__\n{_LAUNCHER}",
    {},
    "Digest k_{name}({parameter}) {{ const Digest h = {fold}; {writes} return h; }}",
    md=True,
)
_NO_STD = "its compiler for devices has no such class"
HIP = Dialect(
    _HIP,
    {**_KERNEL_LACKS, **dict.fromkeys(("std", "span", "mdspan", "complex"), _NO_STD)},
    _KERNEL,
    handle=False,
)
_SYCL_LACKS = {
    **_KERNEL_LACKS,
    **dict.fromkeys(("fp8", "mdspan"), _NO_STD),
    "callback": "DPC++ takes no pointer to a function as a kernel's parameter",
    "union": "DPC++ takes no union as a kernel's parameter",
}
SYCL = Dialect(_SYCL, _SYCL_LACKS, _SYCL_KERNEL, handle=False)
