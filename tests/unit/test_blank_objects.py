"""Objects that are made without arguments, or of some of their fields: all else is as C++ has it, or there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

HEADER = """#pragma once
struct Zero { int i; double d; };
struct Plain { int i = 3; int k; };
template <class T> struct Made_by { T i = 3; };
struct Made { int i; Made() : i(4) {} Made(int x) : i(x) {} };
struct Dflt { int i; Dflt() = default; Dflt(int x) : i(x) {} };
struct Priv { int i = 7; int all() const { return i + hidden; } private: int hidden = 8; };
struct Holder { Plain p; Made m; };
union Either { int i; double d = 1.5; };
struct Fixed { const int i; int k; };
struct NoDef { int i = 6; NoDef(int x) : i(x) {} };
struct PrivNo { int i = 7; PrivNo(int) {} private: int hidden = 8; };
struct Wants { NoDef n; int z = 2; };
struct Begun { const int i; int k = 2; };
struct Refused { int i = 1; Refused() = delete; Refused(int); };
"""
CODE = """
#include "blank_objects.hpp"
using ZeroA = Zero; using PlainA = Plain; using Made_byA = Made_by<int>; using MadeA = Made; using DfltA = Dflt;
using PrivA = Priv; using HolderA = Holder; using EitherA = Either; using FixedA = Fixed; using NoDefA = NoDef;
using PrivNoA = PrivNo; using WantsA = Wants; using BegunA = Begun; using RefusedA = Refused;
inline int all(const Priv& p) { return p.all(); }
inline NoDef no_def(int x) { return x; }
inline Holder held() { return Holder{}; }
"""


@pytest.fixture(scope="module", params=[(), ("*/blank_objects.hpp",)], ids=["elsewhere", "exposed"])
def lib(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Of a header that is not exposed only fields are read: objects begin in the same way."""
    home = Path(tmp_path_factory.mktemp("blank"))
    (home / "blank_objects.hpp").write_text(HEADER)
    return sb.compile(CODE, include_dirs=home, expose=request.param)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("lib.ZeroA()", "Zero(i=0, d=0.0)"),
        ("lib.ZeroA(d=2)", "Zero(i=0, d=2.0)"),
        ("lib.PlainA().i", "3"),
        ("lib.PlainA(k=2)", "Plain(i=3, k=2)"),
        ("lib.PlainA(1, 2)", "Plain(i=1, k=2)"),
        ("lib.Made_byA().i", "3"),
        ("lib.Made_byA(9).i", "9"),
        ("lib.MadeA().i", "4"),
        ("lib.DfltA().i", "0"),
        ("lib.PrivA().i", "7"),
        ("lib.all(lib.PrivA())", "15"),
        ("(lib.HolderA().p.i, lib.HolderA().m.i)", "(3, 4)"),
        ("(lib.HolderA(lib.PlainA(1, 2)).p.i, lib.HolderA(lib.PlainA(1, 2)).m.i)", "(1, 4)"),
        ("lib.HolderA(lib.PlainA(1, 2), lib.MadeA()).m.i", "4"),
        ("lib.EitherA().d", "1.5"),
        ("lib.EitherA(i=7).i", "7"),
        ("lib.FixedA()", "Fixed(i=0, k=0)"),
        ("lib.FixedA(5).k", "0"),
        ("lib.WantsA(lib.no_def(1), 5).n.i", "1"),
        ("lib.BegunA(1, 5).k", "5"),
        ("lib.held().m.i", "4"),
    ],
)
def test_they_begin_as_in_cxx(lib: Any, expression: str, expected: str) -> None:
    assert repr(eval(expression, {"lib": lib})) == expected


@pytest.mark.parametrize(
    "expression",
    [
        "lib.NoDefA()", "lib.PrivNoA()", "lib.WantsA()", "lib.WantsA(z=3)", "lib.WantsA(lib.no_def(1))",
        "lib.BegunA()", "lib.BegunA(1)", "lib.RefusedA()",
    ],
)  # fmt: skip
def test_there_is_none_where_cxx_makes_none(lib: Any, expression: str) -> None:
    with pytest.raises(sb.ArgumentError, match=r"lacks arguments|got 0 arguments"):
        eval(expression, {"lib": lib})


def test_what_is_to_be_done_is_said(lib: Any) -> None:
    with pytest.raises(sb.ArgumentError, match=r"give each field, Wants\(n: NoDef, z: int32\)"):
        lib.WantsA()
