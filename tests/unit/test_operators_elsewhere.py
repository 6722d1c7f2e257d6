"""Operators that C++ declares and that are not bound, of headers that are not exposed above all: objects say so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.tables import warns_at_first

import samebytes as sb

OTHER = """
#pragma once
#include <string>
namespace oth {
struct Plain { int v; Plain operator/(int k) const { return {v / k}; } };
inline Plain operator+(const Plain& a, const Plain& b) { return {a.v + b.v}; }
inline Plain operator*(double k, const Plain& b) { return {int(k) * b.v}; }
inline Plain operator-(const Plain& a) { return {-a.v}; }
inline bool operator<(const Plain& a, const Plain& b) { return a.v > b.v; }
inline Plain& operator+=(Plain& a, int k) { a.v += k; return a; }
struct Named { std::string text; virtual ~Named() {} friend int operator%(const Named& a, int k) { return 5 % k; } };
template <class T> struct Bag { T v; ~Bag() {} friend T operator|(const Bag& a, const Bag& b) { return a.v | b.v; } };
enum class Level { low = 1, high = 2 };
inline Level operator|(Level a, Level b) { return Level(int(a) + int(b) + 4); }
struct Base { int b = 4; };
inline int operator%(const Base& b, int k) { return b.b % k; }
}
"""
MAIN = """
#pragma once
#include "other.hpp"
inline oth::Plain plain(int v) { return {v}; }
inline oth::Named named() { return {}; }
inline oth::Bag<int> bag() { return {3}; }
inline oth::Level level(int v) { return oth::Level(v); }
struct Derived : oth::Base { int d = 5; };
struct Own { int v; int operator+(const Own& o) const { return v + o.v; } };
inline int operator+(const oth::Plain& a, const Own& b) { return 100 + b.v; }
"""


def bind(folder: Path, **options: Any) -> Any:
    for name, text in (("ext/other.hpp", OTHER), ("own/main.hpp", MAIN)):
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    return sb.bind(folder / "own/main.hpp", include_dirs=[folder / "ext"], **options)


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return bind(tmp_path_factory.mktemp("elsewhere"))


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("2.0 * lib.plain(1)", "oth::operator*"),
        ("-lib.plain(1)", "oth::operator-"),
        ("lib.plain(1) < lib.plain(2)", "oth::operator<"),
        ("lib.plain(1).__iadd__(2)", "oth::operator+="),
        ("lib.plain(1) / 2", "oth::Plain"),
        ("lib.named() % 2", "oth::Named"),
        ("lib.bag() | lib.bag()", "oth::Bag"),
        ("lib.level(1) | lib.level(2)", "oth::operator|"),
        ("lib.Derived() % 3", "oth::operator%"),
    ],
)
def test_an_operator_of_another_header_says_what_binds_it(lib: Any, text: str, advice: str) -> None:
    with pytest.raises(TypeError, match=r"is not exposed: expose=\[") as error:
        eval(text)
    assert f"expose=[{advice!r}]" in str(error.value)


def test_what_the_words_advise_binds_it(tmp_path: Path) -> None:
    lib = bind(tmp_path, expose=["oth::operator[*]", "oth::operator|", "oth::operator%", "oth::Plain"])
    assert (2.0 * lib.plain(4)).v == 8
    assert lib.level(1) | lib.level(2) == 7
    assert lib.Derived() % 3 == 1
    assert (lib.plain(9) / 2).v == 4


def test_what_is_bound_or_python_s_alone_stays(lib: Any) -> None:
    assert lib.plain(1) + lib.Own(2) == 102
    assert lib.level(1) + 1 == 2  # of which C++ declares nothing
    with pytest.raises(TypeError, match="for these operands: int"):
        lib.level(1) | 8
    assert not [s for s in lib.__skipped__ if s.kind == "operator declared elsewhere" and "std::" in s.name]


def test_a_member_that_is_no_bytes_says_what_binds_it(lib: Any) -> None:
    with pytest.raises(AttributeError, match=r"expose=\['oth::Named'\]"):
        lib.named().text  # noqa: B018


UNBOUND = """
namespace q {
struct P { int v; P operator-(const P&) const = delete; };
bool operator<(const P&, const P&);
inline P operator+(P a, P b) = delete;
enum class E { a = 1, b = 2 };
E operator|(E, E);
inline E operator~(E) = delete;
}
"""


@pytest.fixture(scope="module")
def unbound() -> Any:
    with warns_at_first(sb.BindWarning):
        return sb.compile(UNBOUND)


@pytest.mark.parametrize(
    "text",
    [
        "unbound.q.P(1) < unbound.q.P(2)",
        "unbound.q.P(1) + unbound.q.P(2)",
        "unbound.q.P(1) - unbound.q.P(2)",
        "unbound.q.E.a | unbound.q.E.b",
        "~unbound.q.E.a",
    ],
)
def test_a_declared_operator_that_is_not_bound_says_why(unbound: Any, text: str) -> None:
    with pytest.raises(TypeError, match="is declared in C\\+\\+ and not bound"):
        eval(text)
