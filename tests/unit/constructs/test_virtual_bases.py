"""Virtual bases: diamonds, their members and methods, conversions, and what C++ gives back as a base."""

from __future__ import annotations

import gc
from typing import Any

import pytest

import samebytes as sb

SOURCE = r"""
#include <memory>
#include <string>
struct Root { long root = 7; std::string word = "w"; virtual ~Root() {} virtual int name() const { return 1; }
  int plain(int k) const { return static_cast<int>(root) + k; } Root& itself() { return *this; } };
struct Middle { int m = 5; int of_middle() const { return m; } };
struct Base : Root, Middle { int base = 6; };
struct Left : virtual Base { int left = 2; int only_left() const { return left; } };
struct Right : virtual Base { int right = 3; int name() const override { return 30; } };
struct Both : Left, Right { int both = 4; int name() const override { return 40; } };
struct More : Both { char c[100] = {}; int more = 5; };
struct Hides : Left { int root = -1; };
class Private : virtual Base { public: int p = 9; ~Private() {} };
inline int name(const Root& r) { return r.name(); }
inline long read(const Root* r) { return r ? r->root : -1; }
inline int middle(Middle& m) { return ++m.m; }
inline long by_value(Base b) { return b.root + b.base; }
inline Root& shared_root() { static More m; return m; }
inline Base* as_base(Both& b) { return &b; }
inline std::unique_ptr<Root> make(int i) { if (i) return std::make_unique<More>(); return std::make_unique<Right>(); }
inline int take(std::unique_ptr<Base> b) { return b->name(); }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, arg_intent={"middle": {"m": "inout_ptr"}})


@pytest.mark.parametrize("cls", ["Left", "Right", "Both", "More"])
def test_members_of_a_virtual_base(lib: Any, cls: str) -> None:
    o = getattr(lib, cls)()
    assert (o.root, o.base, o.m, o.word) == (7, 6, 5, "w")
    o.root, o.base, o.m, o.word = 17, 16, 15, "x"
    assert (lib.read(o), o.base, o.of_middle(), o.word, o.plain(1)) == (17, 16, 15, "x", 18)
    assert lib.middle(o) == 16
    assert o.m == 16
    assert lib.by_value(o) == 33
    assert isinstance(o, lib.Base)
    assert isinstance(o, lib.Root)


ROWS = [
    ("lib.name(lib.Left())", 1),
    ("lib.name(lib.Right())", 30),
    ("lib.name(lib.More())", 40),
    ("lib.Left().name()", 1),
    ("lib.Both().only_left()", 2),
    ("(lib.Both().left, lib.Both().right, lib.More().more)", (2, 3, 5)),
    ("(lib.Hides().root, lib.read(lib.Hides()))", (-1, 7)),
    ("lib.Private().p", 9),
    ("(type(lib.make(0)).__name__, type(lib.make(1)).__name__)", ("Right", "More")),
    ("(lib.make(1).more, lib.make(1).base, lib.make(1).name())", (5, 6, 40)),
    ("type(lib.shared_root()).__name__", "More"),
    ("lib.take(lib.More())", 40),
    ("lib.More().itself().more", 5),
]


@pytest.mark.parametrize(("call", "expected"), ROWS, ids=[call for call, _ in ROWS])
def test_a_row(lib: Any, call: str, expected: object) -> None:
    for _ in range(2):  # the second time by what the core has learnt
        assert eval(call, {"lib": lib}) == expected


def test_a_part_of_an_object_is_found_by_the_object(lib: Any) -> None:
    more, both, left = lib.More(), lib.Both(), lib.Left()
    for o in (left, both, more, left):  # where the base lies differs from class to class
        o.root = 100 + id(o) % 50
        assert lib.read(o) == o.root
    seen = lib.as_base(more)
    del more
    gc.collect()
    assert (type(seen).__name__, seen.more, seen.base) == ("More", 5, 6)


def test_private_bases_are_not_exposed(lib: Any) -> None:
    with pytest.raises(sb.ArgumentError):
        lib.name(lib.Private())
    with pytest.raises(AttributeError):
        lib.Private().root  # noqa: B018


def test_taken_objects(lib: Any) -> None:
    o = lib.Both()
    assert lib.take(o) == 40
    with pytest.raises(ValueError, match="is gone"):
        o.root  # noqa: B018
    with pytest.raises(sb.IntentError):
        lib.name(o)
