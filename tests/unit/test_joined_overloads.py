"""Overloads of one name that using-declarations bring together: C++ chooses among all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

CODE = """
#include <string>
namespace one {
struct T { int v; };
inline std::string f(const T& t) { return "T"; }
inline std::string f(int, int more = 2) { return "int"; }
inline std::string g(int) { return "int"; }
}
namespace two { inline std::string g(double) { return "double"; } inline std::string h(bool) { return "bool"; } }
namespace both { using one::g; using two::g; }
namespace chain { using both::g; inline std::string g(const std::string&) { return "string"; } }
namespace made { template <class T> std::string k(T) { return "template"; }
  template <class T> std::string q(T*) { return "any*"; } }
namespace joins { using made::k; inline std::string k(int, int) { return "ints"; } using made::q;
  inline std::string q(int) { return "int"; } template <class T> std::string q(T*, int) { return "any* and int"; } }
namespace further { using joins::k; inline std::string k(const char*, int, int) { return "text"; } }
inline std::string f(double) { return "double"; }
using one::f;
using two::h;
"""
ROWS = {
    "f(one.T(4))": 'f(one::T{4})', "f(3)": "f(3)", "f(3.5)": "f(3.5)", "f(3, 4)": "f(3, 4)", "h(True)": "h(true)",
    "one.f(3)": "one::f(3)", "both.g(3)": "both::g(3)", "both.g(3.5)": "both::g(3.5)", "chain.g(3)": "chain::g(3)",
    "chain.g(3.5)": "chain::g(3.5)", "chain.g('x')": 'chain::g(std::string("x"))', "two.g(3.5)": "two::g(3.5)",
    "joins.k(3.5)": "joins::k(3.5)", "joins.k(3)": "joins::k(3)", "joins.k(3, 4)": "joins::k(3, 4)",
    "joins.k[float](3)": "joins::k<double>(3)", "further.k(2.5)": "further::k(2.5)",
    "further.k(1, 2)": "further::k(1, 2)",
    "further.k('a', 1, 2)": 'further::k("a", 1, 2)', "joins.q(5)": "joins::q(5)", "joins.q(array)": "joins::q((int*)0)",
    "joins.q(array, 3)": "joins::q((int*)0, 3)",
}  # fmt: skip


@pytest.fixture(scope="module")
def lib() -> Any:
    answers = "".join(f"std::string answer{i}() {{ return {cxx}; }}\n" for i, cxx in enumerate(ROWS.values()))
    return sb.compile(CODE + answers, name="joined_overloads")


@pytest.mark.parametrize("row", range(len(ROWS)), ids=list(ROWS))
def test_cxx_chooses(lib: Any, row: int) -> None:
    names = {
        name: getattr(lib, name) for name in ("one", "two", "both", "chain", "joins", "further", "f", "h")
    }
    names["array"] = np.zeros(2, np.int32)
    assert eval(list(ROWS)[row], names) == getattr(lib, f"answer{row}")()


def test_a_set_that_nothing_joins_is_its_own(lib: Any) -> None:
    with pytest.raises(sb.ArgumentError):
        lib.two.g("x")
    with pytest.raises(sb.ArgumentError):
        lib.one.f("x")
