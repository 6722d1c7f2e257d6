"""Macros that are no values, and names of headers that are not exposed: each says why it is not there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

API = """
#ifndef API_HPP
#define API_HPP
#include <flags.hpp>
#include <priv/impl.hpp>
namespace api { using namespace impl; using impl::helper; inline E e() { return E::B; } }
using namespace impl::deep;
struct Time { long sec; }; struct Stat { Time changed; }; struct Other { int changed; };
inline int global = 4;
#define API_MAX 5
#define API_FN impl::helper
#define \u00c4NDER 9
#define \u00c4NDERN (\u00c4NDER + global)
#define UNKNOWN undefined_thing
#define MEMBER pt.x
#define changed_sec changed.sec
#define BRACES {1, 2}
#define SEMICOLON 5;
#define STATEMENT do { f(); } while (0)
#define NOTHING
#define PAIR 1, 2
#define BEHIND 1,
#define TEXTS "a", "b"
#define CAST (int)
#define HUGE_NUMBER 18446744073709551616
#define AT_GLOBAL (&global)
#define AT_FUNCTION (&own::f)
#define FAILED ((void*)-1)
#define CONST_FAILED ((const int *const)8)
#define CAST_FAILED (reinterpret_cast<char*>(-1L))
#define NULL_INT ((int*)0)
#define LESS -
#define EXPORT __attribute__((visibility("default")))
enum { NONE };
#define BY_ZERO (1 / 0)
#define REST (1 % 0)
#define VARIABLE (global / NONE)
#define OF_ANOTHER (BY_ZERO + 1)
#define INFINITE (1.0 / 0)
#define HALF (global / 2 + 0)
#define PERCENT "%d/0"
namespace own { inline int f() { return 7; } }
#define OWN_FN own::f
#define LONG_LIST 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
#endif
"""
FLAGS = """
#ifndef FLAGS_HPP
#define FLAGS_HPP
#define HAVE_PARTS
#define REST_OF_IT static inline
#define TAKEN_BACK 1, 2
#undef TAKEN_BACK
#endif
"""
IMPL = """
#pragma once
namespace impl { inline int helper(int x) { return x + 1; } inline int nf() { return 5; } enum class E { A, B };
namespace deep { inline int df() { return 6; } struct D {}; } }
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("macros")
    for name, text in {"pub/api.hpp": API, "pub/flags.hpp": FLAGS, "dep/priv/impl.hpp": IMPL}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    with pytest.warns(sb.BindWarning, match="divides an integer by zero"):
        return sb.bind("api.hpp", include_dirs=[folder / "pub", folder / "dep"])


HIDDEN = r"it is impl::{0}, and impl.hpp is not exposed: expose=\['impl::{0}'\] names it"
BY_ZERO = "it divides an integer by zero, which ends the program"


@each(
    ("use", "words"),
    [
        (lambda m: m.api.nf, HIDDEN.format("nf")),
        (lambda m: m.api.helper, HIDDEN.format("helper")),
        (lambda m: m.df, HIDDEN.format("deep::df")),
        (lambda m: m.D, HIDDEN.format("deep::D")),
        (lambda m: m.API_FN, HIDDEN.format("helper")),
        (lambda m: m.UNKNOWN, "use of undeclared identifier 'undefined_thing'"),
        (lambda m: m.MEMBER, "use of undeclared identifier 'pt'"),
        (lambda m: m.BRACES, "its text is no expression: { 1 , 2 }"),
        (lambda m: m.SEMICOLON, "its text is no expression: 5 ;"),
        (lambda m: m.PAIR, "its text is no expression: 1 , 2"),
        (lambda m: m.BEHIND, "its text is no expression: 1 ,"),
        (lambda m: m.TEXTS, 'its text is no expression: "a" , "b"'),
        (lambda m: m.CAST, r"its text is no expression: \( int \)"),
        (lambda m: m.LESS, "its text is no expression: -"),
        (lambda m: m.LONG_LIST, r"its text is no expression: 1 , .* \.\.\.$"),
        (lambda m: m.HUGE_NUMBER, "as an expression, its text is refused: integer literal is too large"),
        (lambda m: m.AT_FUNCTION, "it is the address of a function, which has a name of its own"),
        (lambda m: m.NOTHING, "it has no text"),
        (lambda m: m.HAVE_PARTS, "it has no text"),
        (lambda m: m.REST_OF_IT, "its text is no expression: static inline"),
        (lambda m: m.TAKEN_BACK, "has no 'TAKEN_BACK'"),
        (lambda m: m.Stat().changed_sec, "it is a macro, and means changed.sec"),
        (lambda m: m.BY_ZERO, BY_ZERO),
        (lambda m: m.REST, BY_ZERO),
        (lambda m: m.VARIABLE, BY_ZERO),
        (lambda m: m.OF_ANOTHER, BY_ZERO),
    ],
)
def test_what_is_not_there_says_why(lib: Any, use: Any, words: str) -> None:
    with pytest.raises(AttributeError, match=words):
        use(lib)


@each(
    ("use", "expected"),
    [
        (lambda m: (m.ÄNDER, m.ÄNDERN), (9, 13)),
        (lambda m: (m.api.e() == m.api.E.B, m.API_MAX, m.OWN_FN()), (True, 5, 7)),
        (lambda m: (type(m.FAILED), m.FAILED.address), (sb.Pointer, 2**64 - 1)),
        (lambda m: (m.CONST_FAILED.address, m.CONST_FAILED.is_const), (8, True)),
        (lambda m: (m.CAST_FAILED.address, m.NULL_INT.address), (2**64 - 1, 0)),
        (lambda m: m.AT_GLOBAL.address == sb.Pointer(m.AT_GLOBAL).address, True),
        (lambda m: (m.INFINITE, m.HALF, m.PERCENT), (float("inf"), 2, "%d/0")),
    ],
)
def test_what_is_there(lib: Any, use: Any, expected: Any) -> None:
    assert use(lib) == expected


def test_each_is_said_once(lib: Any) -> None:
    names = [one.name for one in lib.__skipped__]
    assert len(names) == len({*names})
    assert {"STATEMENT", "NOTHING", "EXPORT", "PAIR"} <= {*names}
    assert not {"API_HPP", "FLAGS_HPP"}.intersection(names)  # guards
