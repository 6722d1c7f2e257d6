"""Structs that point to each other, as C++ text: every compiler that is found confirms their layouts."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb
from samebytes.layouts.oracle import judges

pytestmark = pytest.mark.full  # it takes long

SOURCE = """
struct D; union U;
struct A { D* d; A* next; int x; };
struct D { A* a; A* many[3]; void (*f)(A*, const D*); D (*g)(A); };
namespace n {
struct Q; struct P { Q* q[2]; const Q* const* r; ::A a; }; struct Q { P p; Q* self; ::U* u; P (*h)(Q&); };
}
union U { n::Q* q; int i; A* a; };
struct W { struct In; In* p; struct In { W* w; int v; }; };
struct Hidden { struct Part; Part* part; Hidden (*f)(Hidden, Part); };
inline int use(A&, D&, n::P&, n::Q&, W&, U&, Hidden&) { return 0; }
"""
DIALECTS = ("cxx", "cuda", "hip", "sycl")


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="cycles")


def _found(dialect: str) -> list[Any]:
    def is_there(judge: Any) -> bool:
        try:
            return bool(judge.find())
        except sb.MissingDependency:
            return False

    return [judge for judge in judges(dialect) if is_there(judge)]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", ["A", "D", "n.P", "n.Q", "U"])
def test_all_compilers_confirm_them(lib: Any, name: str, dialect: str) -> None:
    record = lib
    for part in name.split("."):
        record = getattr(record, part)
    text = sb.declare(record, dialect)
    short = name.replace(".", "::").rpartition("::")[2]
    assert f"struct {short}" in text or f"union {short}" in text
    if not (asked := _found(dialect)):
        pytest.skip(f"no compiler for {dialect} is here")
    assert len(sb.prove(record, dialect).confirmed) == len(asked)


def test_a_class_inside_of_another_is_refused_in_words(lib: Any) -> None:
    with pytest.raises(sb.LayoutError, match="W::In is a class inside of W"):
        sb.declare(lib.W)
    with pytest.raises(sb.LayoutError, match="inside of Hidden"):
        sb.declare(lib.Hidden)
