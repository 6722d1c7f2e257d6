"""How objects begin for kernels: with the values that g++ gives the same classes, or they are refused in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import samebytes as sb
from samebytes.toolchain.rocm import find_hip_clang, rocm_headers
from samebytes.toolchain.sycl import sycl_headers, sycl_runtime

pytestmark = pytest.mark.full

CLASSES = """
namespace ns { enum class Way : short { none, up = -2, down }; constexpr float half() { return 0.5f; } }
enum Old { first = 4, second };
constexpr int twice(int i) { return 2 * i; }
struct Numbers {
  bool on = true; char c = 'x'; signed char s = -3; unsigned char u = 200; short h = -300; unsigned short w = 60000;
  int i = 3; unsigned n = 4000000000u; long l = -5; unsigned long long q = 18446744073709551615ull;
  float f = 1.5f; double d = -2.25; float e = ns::half() / 3;
};
struct Zeros { int i; float f; };
struct Partly { int i; float f = 2; int* p; };
struct Enums { ns::Way way = ns::Way::down; Old old = second; ns::Way none = ns::Way(); };
struct Called { int i = twice(21); int j = i + 1; };
struct Arrays { float f[3] = {1, 2}; short m[2][3] = {{1, 2, 3}, {4}}; char text[6] = "begin"; };
struct Inner { int i = 7; double d = 0.125; };
struct Nested { char c; Inner inner; int after = 9; };
struct Again { Inner inner = {1, 2}; Inner many[2] = {{3, 4}}; };
struct Deep { Nested nested; Arrays arrays; };
struct Bits { unsigned a : 3 = 5; int b : 5 = -3; unsigned long long c : 40 = 0xabcdef0123ull; int d; };
struct Pointers { int n = 2; const float* p = nullptr; void* v = 0; };
union Either { int i; double d = 1.5; };
struct Tagged { int tag = 2; union { float f = 4; long l; }; };
struct Based : Inner { int own = 5; };
struct Constructed { int x, y; constexpr Constructed(int a = 3, int b = 4) : x(a), y(a * b) {} };
struct Holder { Constructed c; Constructed d = Constructed(5); };
struct Defaulted { int i = 6; Defaulted() = default; Defaulted(int a) : i(a) {} };
struct Fixed { const int i = 8; int k = 9; };
template <class T, int n> struct Made { T v = n; T more[n] = {T(1), T(2)}; };
struct __attribute__((packed)) Packed { char c = 1; double d = 2; };
struct alignas(32) Wide { int i = 3; };
struct Large { int i[1000] = {5}; };
inline void mention(Made<double, 3>, Made<int, 2>) {}
"""
NAMES = (
    "Numbers", "Zeros", "Partly", "Enums", "Called", "Arrays", "Inner", "Nested", "Again", "Deep", "Bits", "Pointers",
    "Either", "Tagged", "Based", "Constructed", "Holder", "Defaulted", "Fixed", "Packed", "Wide", "Large",
)  # fmt: skip
# Some fields are given, and the others begin as C++ has them.
PARTS = {
    "Numbers": {"i": 1},
    "Nested": {"c": 1},
    "Again": {"many": ((1, 2), (3, 4))},
    "Bits": {"b": 1},
    "Partly": {"i": 1},
}
# What only code of C++'s knows, which the host runs, and what C++ does not make.
OTHERS = """
inline int count() { static int n = 0; return ++n; }
struct Ran { int i = count(); float f = 1; };
struct Pointed { const char* p = "text"; int i = 2; };
struct Kept { int i = 4; private: int j = 5; };
struct Needs { int i; Needs(int a) : i(a) {} };
struct Holds { Needs n; int k = 2; };
struct Immense { int i[5000] = {1}; };
struct Around { Ran r; int k = 1; };
"""
BY_CODE = {
    "Ran().f": 1,
    "Pointed().i": 2,
    "Kept().i": 4,
    "Immense().i[0]": 1,
    "Around().r.f": 1,
    "Around().k": 1,
}
REFUSED = {"Needs": "got 0 arguments", "Holds": "makes none without"}
KERNEL = "\n__global__ void kernel(int* p) { *p = 1; }\n"
KINDS = {
    "cuda": (KERNEL, {"dialect": "cuda", "arch": "sm_80"}),
    "hip": (KERNEL, {"dialect": "hip", "arch": "gfx90a"}),
    "sycl": (
        "\n#include <sycl/sycl.hpp>\nnamespace exp = sycl::ext::oneapi::experimental;\n"
        "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp::nd_range_kernel<1>)) SYCL_EXTERNAL void kernel(int* p) { *p = 1; }\n",
        {"dialect": "sycl"},
    ),
    "numba_cuda": ("\n__device__ int called(int i) { return i; }\n", {"target": "numba_cuda"}),
}

NEEDS: dict[str, tuple[Callable[[], object], ...]] = {
    "hip": (find_hip_clang, rocm_headers),
    "sycl": (sycl_runtime, sycl_headers),
}


def compiled(kind: str, source: str, **further: Any) -> Any:
    more, options = KINDS[kind]
    for find in NEEDS.get(kind, ()):
        try:
            find()
        except sb.MissingDependency as reason:
            pytest.skip(str(reason))
    return sb.compile(source + more, std="c++20", **options, **further)


@pytest.fixture(scope="module")
def host() -> Any:
    return sb.compile(CLASSES, std="c++20")


@pytest.fixture(scope="module", params=list(KINDS))
def lib(request: pytest.FixtureRequest) -> Any:
    # Asked for later, each instance would read SYCL's header again.
    further = {"instantiate": ["Made<double, 3>", "Made<int, 2>"]} if request.param == "sycl" else {}
    return compiled(request.param, CLASSES + OTHERS, **further)


def test_without_arguments_they_are_what_gcc_makes(host: Any, lib: Any) -> None:
    wrong = {n: (getattr(lib, n)(), getattr(host, n)()) for n in NAMES}
    assert {n: pair for n, pair in wrong.items() if bytes(pair[0]) != bytes(pair[1])} == {}
    assert any(bytes(lib.Numbers()))


def test_of_some_fields_the_others_begin_so_too(host: Any, lib: Any) -> None:
    for name, given in PARTS.items():
        assert bytes(getattr(lib, name)(**given)) == bytes(getattr(host, name)(**given)), name


def test_the_classes_of_templates_begin_so_too(host: Any, lib: Any) -> None:
    if "Made" not in dir(lib):
        pytest.skip("this target has no templates of classes")
    for arguments in ((sb.float64, 3), (sb.int32, 2)):
        assert bytes(lib.Made[arguments]()) == bytes(host.Made[arguments]()), arguments


def test_enumerators_are_those_of_cxx(host: Any, lib: Any) -> None:
    assert [int(e) for e in lib.ns.Way] == [int(e) for e in host.ns.Way] == [0, -2, -1]
    assert (int(lib.second), lib.Enums().way) == (5, lib.ns.Way.down)


def test_what_only_code_knows(lib: Any) -> None:
    assert {text: eval(f"lib.{text}", {"lib": lib}) for text in BY_CODE} == BY_CODE
    assert lib.Ran().i < lib.Ran().i
    for name, words in REFUSED.items():
        with pytest.raises(sb.ArgumentError, match=words):
            getattr(lib, name)()
    assert repr(lib.Ran(1, 2)) == "Ran(i=1, f=2.0)"
    assert lib.Around(lib.Ran(1, 2), 3).r.f == 2
