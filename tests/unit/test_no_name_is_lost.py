"""Headers of every sort of declaration: each public name is in Python, or in ``__skipped__`` with the reason.

``python -m tests.unit.test_no_name_is_lost SEED HEADERS`` tries further headers.
"""

from __future__ import annotations

import random
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # headers with a hundred declarations are compiled

# A declaration, in which # is a number of its own, and the public names that it gives.
EVERYWHERE: list[tuple[str, str]] = [
    ("struct R# { int a; };", "R# R#.a"),
    ("union U# { int a; float b; };", "U#"),
    ("class C# { int hidden; public: int seen; };", "C# C#.seen"),
    ("struct F#;", "F#"),
    ("struct B# { int a : 3; int : 2; unsigned b : 4; };", "B#.a B#.b"),
    ("struct X# { int n; int data[]; };", "X#.n X#.data"),
    ("struct N# { struct In { int z; }; enum K { k }; static constexpr int sc = 3; static inline int sv = 4; "
     "using A = int; static int sf() { return 1; } template <class T> T tm(T x) { return x; } int m() { return 2; } "
     "union { int ua; float ub; }; struct { int sa; } named; int (*cb)(int); };",
     "N#.In N#.K N#.k N#.sc N#.sv N#.A N#.sf N#.tm N#.m N#.ua N#.ub N#.named N#.cb"),
    ("struct V# { virtual ~V#() {} virtual int v() = 0; }; struct D# : V# { int v() override { return 1; } };",
     "V#.v D#.v"),
    ("struct G# { int v; friend int fr#(G# x) { return x.v; } friend int only#(int); };", "G# fr# only#"),
    ("inline int f#(int x) { return x; }", "f#"),
    ("int u#(int);", "u#"),
    ("inline int del#(int) = delete;", "del#"),
    ("inline int dots#(int, ...) { return 1; }", "dots#"),
    ("template <class... A> int pack#(A...) { return sizeof...(A); }", "pack#"),
    ("[[deprecated]] inline int dep#() { return 1; }", "dep#"),
    ("inline auto af#() { return 3; } inline decltype(auto) da#() { return 3; }", "af# da#"),
    ("void vf#(long double); inline void vg#(int&&) {} inline void vh#(int (&)[3]) {}", "vf# vg# vh#"),
    ("extern int e#;", "e#"),
    ("inline int v# = 3; const int k# = 4; constexpr double kd# = 4.5; static int st# = 5;", "v# k# kd# st#"),
    ("thread_local int tl# = 5; volatile int vo# = 2; inline void* vp# = nullptr;", "tl# vo# vp#"),
    ("inline const char* const t# = \"abc\"; const std::string s# = \"x\"; inline std::vector<int> vv#{1};",
     "t# s# vv#"),
    ("inline int ar#[3] = {1, 2, 3}; inline int& rv# = ar#[0]; inline int (*fp#)(int) = nullptr;", "ar# rv# fp#"),
    ("inline __int128 wide# = 1; inline long double ld# = 1; inline auto lam# = [](int x) { return x; };",
     "wide# ld# lam#"),
    ("struct { int w; } unnamed#;", "unnamed#"),
    ("inline bool b# = true; inline char ch# = 'x'; inline wchar_t w# = L'x'; inline char32_t c32# = U'x';",
     "b# ch# w# c32#"),
    ("enum { un#, um# = 7 };", "un# um#"),
    ("enum O# { o# }; enum class S# : short { s }; enum class Q# : int; enum Big# : unsigned long { big# = ~0ul };",
     "O# o# S# S#.s Q# Big# big#"),
    ("using A# = int; typedef unsigned T#; typedef int (*P#)(int); typedef int Y#[3];", "A# T# P# Y#"),
    ("typedef struct { int q; } Z#; typedef enum { ze# } ZE#; typedef struct Tag# { int t; } *Tp#;",
     "Z# ZE# ze# Tag# Tp#"),
    ("typedef long double L#; typedef void Void#; using Str# = std::string; using W# = __int128;",
     "L# Void# Str# W#"),
    ("struct M# { int a; }; typedef int M#::* Mp#; inline int M#::* mv# = &M#::a;", "M# Mp# mv#"),
    ("using base::Y; using base::f; using base::c; using base::E; using base::var;", "Y f c E var"),
    ("namespace al# = base;", "al#.Y al#.f"),
    ("namespace dir# { using namespace base; }", "dir#.Y dir#.f dir#.c dir#.E"),
    ("namespace ue# { using enum base::E; using base::Old; }", "ue#.a1 ue#.Old"),
    ("namespace un# { using base::E::a1; using base::o1; }", "un#.a1 un#.o1"),
    ("inline namespace in# { struct I# { int i; }; inline int if#() { return 2; } }", "in#.I# I# if#"),
    ("namespace { inline int hid#() { return 6; } }", "hid#"),
    ("namespace d#::e { struct Deep { int d; }; }", "d#.e.Deep"),
    ("static union { int ua#; float ub#; };", "ua# ub#"),
    ("extern \"C\" { inline int cf#(int x) { return x; } struct CR# { int c; }; typedef void (*CC#)(void*); }",
     "cf# CR# CC#"),
    ("extern \"C\" inline int one#(int x) { return x; }", "one#"),
    ("auto [sa#, sb#] = std::make_pair(1, 2);", "sa# sb#"),
    ("template <class T> concept Con# = sizeof(T) == 4;", "Con#"),
    ("template <class T> constexpr int vt# = sizeof(T); template <class T> inline T vu# = T(1);", "vt# vu#"),
    ("template <class T> struct Tm# { T t; }; template <class T> Tm#(T) -> Tm#<T>;", "Tm#"),
    ("template <class T> struct Te# { T t; }; template struct Te#<double>;", "Te#"),
    ("template <class T> using At# = std::vector<T>; template <class T> struct Fdt#;", "At# Fdt#"),
    ("template <class T> T ft#(T x) { return x; } template <> inline int ft#<int>(int x) { return x + 1; }", "ft#"),
    ("template <template <class> class X> struct Tt# {}; template <int N> struct Nt# { int a[N]; };", "Tt# Nt#"),
    ("consteval int ce#(int x) { return x; } constinit int ci# = 3; inline int auto#(auto x) { return 1; }",
     "ce# ci# auto#"),
    ("struct alignas(32) Al# { char c; }; struct [[nodiscard]] Nd# { int x; }; static_assert(true);", "Al# Nd#"),
]  # fmt: skip
# Where an anonymous namespace, extern "C" or a deduction guide may not stand twice, all may stand once.
AROUND = ("{}", "namespace o# {{ {} }}", "inline namespace i# {{ {} }}", "namespace p#::q {{ {} }}")
WHERE = ("", "o#.", "", "p#.q.")
BEGIN = """
#pragma once
#include <string>
#include <utility>
#include <vector>
namespace base { struct Y { int a; }; inline int f() { return 1; } constexpr int c = 3; inline int var = 4;
  enum class E { a1 }; enum Old { o1 }; }
"""


def header(seed: int, count: int) -> tuple[str, list[str]]:
    """A header of declarations in any order and any namespace, and its public names as Python says them."""
    chance = random.Random(seed)
    rows = chance.sample(EVERYWHERE, min(count, len(EVERYWHERE)))
    lines, names = [BEGIN], list[str]()
    for n, (declaration, given) in enumerate(rows):
        at = chance.randrange(len(AROUND)) if "base::Y;" not in declaration else 1
        lines.append(AROUND[at].format(declaration).replace("#", str(n)))
        names += [f"{WHERE[at]}{name}".replace("#", str(n)) for name in given.split()]
    return "\n".join(lines) + "\n", names


def lost(text: str, names: list[str], folder: Path) -> list[str]:
    """The names that are neither in Python nor in what is not bound."""
    path = folder / f"lost{abs(hash(text))}.hpp"
    path.write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sb.BindWarning)
        lib = sb.bind(path, std="gnu++20")
    said = {s.name.partition("(")[0] for s in lib.__skipped__}
    return [n for n in names if not _is_there(lib, n) and n.replace(".", "::") not in said]


def _is_there(lib: Any, name: str) -> bool:
    found = lib
    for part in name.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            return False
    return True


@pytest.mark.parametrize("seed", range(2))
def test_each_name_is_there_or_says_why(tmp_path: Path, seed: int) -> None:
    text, names = header(seed, len(EVERYWHERE))
    assert len(names) > 100
    assert lost(text, names, tmp_path) == []


def main(seed: int, count: int) -> None:
    """Try some headers, and print what is lost."""
    tried = 0
    with tempfile.TemporaryDirectory() as folder:
        for one in range(seed, seed + count):
            text, names = header(one, 25)
            tried += len(names)
            if found := lost(text, names, Path(folder)):
                print(f"seed {one}: {found}\n{text}")
    print(f"{count} headers, {tried} names")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
