"""Pointers to records in a library of C: what Python sees of them, and for how long."""

from __future__ import annotations

import gc
from typing import Any

import pytest

import samebytes as sb

SOURCE = """
#include <stdlib.h>
typedef struct box_s { int width, height; } box_t;
typedef struct node_s {
  int value;
  struct node_s *next;
  box_t *box;
  const box_t *seen;
  struct hidden_s *hidden;
  union { box_t *one; long number; } either;
  box_t *several[2];
} node_t;
struct face_s { node_t *glyph; };
static box_t page = {3, 4};
static node_t last = {2, 0, &page, &page}, first = {1, &last, 0, &page};
int find(node_t **found) { *found = &first; return 0; }
int miss(node_t **found) { *found = 0; return 1; }
const box_t *look(void) { return &page; }
int look_for(const box_t **result) { *result = &page; return 0; }
int page_width(void) { return page.width; }
struct late_s;
typedef struct { int (*told)(const box_t *, struct late_s *, struct hidden_s *); } told_t;
typedef struct late_s { int y; } late_t;
int tell(const told_t *t) { late_t late = {7}; return t->told(&page, &late, 0); }
int length(const node_t *n) { int k = 0; while (n) k++, n = n->next; return k; }
"""
STYLES: dict[str, dict[str, Any]] = {"plain": {}, "c_api": {"style": "c_api"}}


@pytest.fixture(scope="module", params=STYLES)
def lib(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    header = tmp_path_factory.mktemp("pointed") / "nodes.h"
    header.write_text(SOURCE)
    intents = {
        "find": {"found": "out_return"},
        "miss": {"found": "out_return"},
        "look_for": {"result": "out_return"},
    }
    return sb.bind(header, language="c", arg_intent=intents, name="nodes", **STYLES[request.param])


@pytest.fixture
def first(lib: Any) -> Any:
    status, found = lib.find()
    assert status == 0
    return found


def _one(result: Any) -> Any:
    return result[0] if isinstance(result, tuple) else result


def test_outputs_are_the_records(lib: Any, first: Any) -> None:
    assert type(first) is lib.node_t
    assert first.value == 1
    assert lib.miss() == (1, None)
    assert lib.look_for()[1].height == 4


def test_results_that_are_const_are_the_records(lib: Any) -> None:
    page = _one(lib.look())
    assert type(page) is lib.box_t
    assert (page.width, page.height) == (3, 4)


def test_fields_are_the_records(lib: Any, first: Any) -> None:
    last = first.next
    assert type(last) is lib.node_t
    assert last.value == 2
    assert last.next is None
    assert first.box is None
    assert type(last.box) is lib.box_t
    assert last.box.width == first.seen.width == 3
    assert first["next"].value == dict(first)["next"].value == 2
    assert int(last.box) == int(first.seen)


def test_what_is_written_is_written_there(lib: Any, first: Any) -> None:
    first.next.box.width += 10
    assert _one(lib.page_width()) == 13
    first.next.box.width -= 10


def test_a_list_is_walked(lib: Any) -> None:
    three = lib.node_t(value=3)
    two = lib.node_t(value=2, next=three)
    one = lib.node_t(value=1, next=two)
    values, node = [], one
    while node:
        values.append(node.value)
        node = node.next
    assert values == [1, 2, 3]
    assert _one(lib.length(one)) == 3


def test_what_was_assigned_is_the_same_object_and_lives(lib: Any) -> None:
    class Named(lib.node_t):  # type: ignore[misc,name-defined]
        pass

    inner = Named(value=7)
    outer = lib.node_t(next=inner)
    assert outer.next is inner
    box = lib.box_t(5, 6)
    outer.box = box
    del inner, box
    gc.collect()
    shown = outer.box
    del outer
    gc.collect()
    assert (shown.width, shown.height) == (5, 6)
    again = lib.node_t()
    again.next = again
    assert again.next is again
    assert "next=Pointer(0x" in repr(again)


def test_null_and_addresses(lib: Any, first: Any) -> None:
    node = lib.node_t(next=first)
    node.next = None
    assert node.next is None
    node.box = sb.Pointer(int(first.seen))
    assert node.box.width == 3
    with pytest.raises(sb.Error, match=r"node_s.box: expected"):
        node.box = 1.5


def test_pointers_to_what_is_only_named_stay_as_they_are(lib: Any, first: Any) -> None:
    assert isinstance(first.hidden, sb.Pointer)
    assert not first.hidden
    assert all(isinstance(p, sb.Pointer) for p in first.several)


def test_unions_and_values(lib: Any) -> None:
    node = lib.node_t(box=lib.box_t(1, 2))
    node.either.number = 0
    assert node.either.one is None
    assert isinstance(node.__samebytes_value__.box, sb.Pointer)
    assert node == node != node.replace()  # it holds a union
    assert repr(node).count("Pointer(0x") == 1


def test_callbacks_of_fields_get_records(lib: Any) -> None:
    """Also of records that are declared later."""
    seen: list[Any] = []
    told = lib.told_t(told=lambda *given: seen.extend(given) or given[1].y)
    assert _one(lib.tell(told)) == 7
    assert [type(one) for one in seen[:2]] == [lib.box_t, lib.late_t]
    assert isinstance(seen[2], sb.Pointer)
    assert seen[0].height == 4


def test_a_pointer_to_a_constant_is_an_object_that_cannot_be_written() -> None:
    made: Any = sb.compile(
        "struct B { int x; }; struct N { B* b; const B* c; }; inline B g{4}; const B* f() { return &g; }"
    )
    shown = made.f()
    assert shown.x == 4
    with pytest.raises(AttributeError, match="const"):
        shown.x = 5
    assert made.N().b is made.N().c is None


def test_a_handle_is_no_record(tmp_path: Any) -> None:
    header = tmp_path / "kinds.h"
    header.write_text(
        "typedef struct hidden_s *hidden; typedef struct { int x; } box;\n"
        "static inline hidden make(void) { return (hidden)8; }\n"
        "static inline int opened(box *b) { return b->x; }\n"
    )
    lib: Any = sb.bind(header, style="c_api", name="kinds")
    handle = lib.make()
    with pytest.raises(sb.ArgumentError, match=r"opened\(\) argument 1 'b': expected a record box.*hidden_s"):
        lib.opened(handle)
    with pytest.raises(sb.ArgumentError, match=r"opened"):
        lib.opened(handle)
    box = lib.box(3)
    assert lib.opened(box) == lib.opened(int(box)) == lib.opened(sb.Pointer(int(box))) == 3
