"""Overloads of one name that using-declarations bring together: C++ chooses among all of them."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

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
inline std::string f(double) { return "double"; }
using one::f;
using two::h;
"""
ROWS = {
    "f(one.T(4))": 'f(one::T{4})', "f(3)": "f(3)", "f(3.5)": "f(3.5)", "f(3, 4)": "f(3, 4)", "h(True)": "h(true)",
    "one.f(3)": "one::f(3)", "both.g(3)": "both::g(3)", "both.g(3.5)": "both::g(3.5)", "chain.g(3)": "chain::g(3)",
    "chain.g(3.5)": "chain::g(3.5)", "chain.g('x')": 'chain::g(std::string("x"))', "two.g(3.5)": "two::g(3.5)",
}  # fmt: skip


@pytest.fixture(scope="module")
def lib() -> Any:
    answers = "".join(f"std::string answer{i}() {{ return {cxx}; }}\n" for i, cxx in enumerate(ROWS.values()))
    return sb.compile(CODE + answers, name="joined_overloads")


@pytest.mark.parametrize("row", range(len(ROWS)), ids=list(ROWS))
def test_cxx_chooses(lib: Any, row: int) -> None:
    names = {name: getattr(lib, name) for name in ("one", "two", "both", "chain", "f", "h")}
    assert eval(list(ROWS)[row], names) == getattr(lib, f"answer{row}")()


def test_a_set_that_nothing_joins_is_its_own(lib: Any) -> None:
    with pytest.raises(sb.ArgumentError):
        lib.two.g("x")
    with pytest.raises(sb.ArgumentError):
        lib.one.f("x")
