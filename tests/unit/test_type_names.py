"""Typedefs and aliases: each is in Python under its name, for what it means, or says why not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # templates that are compiled one by one

SOURCE = """
#include <map>
#include <string>
#include <vector>
struct X {
  using I = int; typedef double D; using M = std::map<std::string, int>; using V = std::vector<int>;
  using S = std::string;
  struct N { int a; }; using NN = N; using P = int*; using F = int (*)(int); using A3 = int[3]; enum E { e1 };
  using EE = E;
  using CI = const int; using XX = X; static I f(I a) { return a; }
};
using Mp = std::map<std::string, int>; typedef unsigned char Byte; typedef X Y; using C = char; using LL = long long;
typedef struct Fwd* FwdP; typedef X* XP; using Cx = const X; using Nothing = void; using Ref = int&;
namespace ns { using I = long; using Z = X; }
template <class T> struct Box { using value_type = T; using Map = std::map<int, T>; T v;
  value_type get() { return v; } };
using Bi = Box<int>; inline Box<int> box() { return {4}; }
template <class T> int many(const T& t) { return t.size(); }
template <class T> struct Which { static int is() { return 0; } };
template <> struct Which<long> { static int is() { return 1; } };
  template <> struct Which<long long> { static int is() { return 2; } };
template <> struct Which<char> { static int is() { return 3; } };
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="aliased")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("lib.X.I", sb.int32), ("lib.X.D", sb.float64), ("lib.X.CI", sb.int32), ("lib.ns.I", sb.int64),
        ("lib.Byte", sb.uint8), ("lib.Bi.value_type", sb.int32), ("lib.Box[float].value_type", sb.float32),
        ("lib.X.I(3)", 3), ("lib.X.f(lib.X.I(3))", 3), ("lib.Box[lib.X.I](3).v", 3),
        ("lib.X.NN is lib.X.N and lib.X.EE is lib.X.E and lib.X.XX is lib.X and lib.Cx is lib.X", True),
        ("lib.many[lib.X.M]({'a': 1, 'b': 2})", 2), ("lib.many[lib.X.S]('abc')", 3), ("lib.many[lib.Mp]({})", 0),
        ("lib.C(3)", 3), ("np.dtype(lib.C)", np.int8), ("np.zeros(2, lib.LL).dtype", np.int64),
        ("sb.sizeof(lib.X.P)", 8), ("sb.sizeof(lib.X.A3)", 12), ("sb.as_type(lib.LL)", sb.as_type(np.int64)),
        # A name stands for the very type, which NumPy's classes do not tell apart.
        ("lib.Which[lib.LL].is_()", 2), ("lib.Which[lib.ns.I].is_()", 1), ("lib.Which[lib.C].is_()", 3),
        ("lib.Which[sb.int64].is_()", 1),
        ("repr(lib.X.M)", "<C++ type X::M: dict[str, int32]>"), ("repr(lib.X.P)", "<C++ type X::P: pointer[int32]>"),
        ("repr(lib.FwdP)", "<C++ type FwdP: pointer[Fwd]>"), ("repr(lib.XP)", "<C++ type XP: pointer[X]>"),
        ("repr(lib.Bi.Map)", "<C++ type Box<int>::Map: dict[int32, int32]>"),
    ],
)  # fmt: skip
def test_an_alias_is_what_it_means(lib: Any, expression: str, expected: object) -> None:
    assert eval(expression, {"lib": lib, "np": np, "sb": sb}) == expected


def test_a_name_without_a_class_makes_nothing(lib: Any) -> None:
    with pytest.raises(sb.ArgumentError, match="names a type that has no class here"):
        lib.X.M({})
    with pytest.raises(TypeError):
        np.dtype(lib.X.P)


@pytest.mark.parametrize(("name", "why"), [("Nothing", "void has no value"), ("Ref", "a reference")])
def test_one_that_means_no_value_says_so(lib: Any, name: str, why: str) -> None:
    with pytest.raises(AttributeError, match=f"is declared in 'aliased' and not bound: {name} .*{why}"):
        getattr(lib, name)
