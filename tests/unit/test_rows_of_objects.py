"""A ``T**`` of a class is indexed to its objects: as a result, in a member and in a variable, in C and in C++."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tables import each

import samebytes as sb

SOURCE = """
struct Node { int v; struct Node** kids; const struct Node* const* fixed; };
static struct Node a = {1, 0, 0}, b = {2, 0, 0};
static struct Node* all[3] = {&a, &b, 0};
static struct Node** table = all;
static inline struct Node** nodes(void) { return all; }
static inline struct Node* root(void) { a.kids = all; a.fixed = (const struct Node* const*)all; return &a; }
static inline int second(struct Node** p) { return p[1]->v; }
"""
CLASS = """
struct Base { int v = 7; virtual ~Base() {} };
struct Derived : Base { int w = 8; };
inline Base** bases() { static Base a; static Derived b; static Base* all[] = {&a, &b, nullptr}; return all; }
"""


@pytest.fixture(scope="module", params=["c", "c++"])
def lib(request: pytest.FixtureRequest) -> Any:
    return sb.compile(SOURCE + (CLASS if request.param == "c++" else ""), language=request.param)


@each(
    "read, expected",
    [
        (lambda lib: lib.nodes()[1].v, 2),
        (lambda lib: lib.nodes()[2], None),
        (lambda lib: lib.table[0].v, 1),
        (lambda lib: lib.root().kids[1].v, 2),
        (lambda lib: lib.root().fixed[1].v, 2),
        (lambda lib: lib.second(lib.nodes()), 2),
        (lambda lib: lib.second(lib.root().kids), 2),
        (lambda lib: lib.second([lib.Node(1), lib.Node(5)]), 5),
        (lambda lib: bool(lib.Node().kids), False),
        (lambda lib: isinstance(lib.nodes(), sb.Pointer), True),
    ],
)
def test_objects_are_found_by_index(lib: Any, read: Any, expected: Any) -> None:
    assert read(lib) == expected


def test_an_object_is_the_one_that_cxx_has(lib: Any) -> None:
    lib.nodes()[0].v = 9
    assert lib.root().v == lib.table[0].v == 9
    lib.nodes()[0].v = 1


def test_what_python_assigns_is_there(lib: Any) -> None:
    node, kids = lib.Node(), [lib.Node(3), lib.Node(4)]
    node.kids = kids
    assert [node.kids[0].v, lib.second(node.kids)] == [3, 4]
    node.kids = lib.nodes()
    assert node.kids[1].v == 2


def test_objects_are_of_their_own_class(lib: Any) -> None:
    if not hasattr(lib, "bases"):
        return
    assert (type(lib.bases()[1]), lib.bases()[1].w, lib.bases()[2]) == (lib.Derived, 8, None)


@each(
    "use, words",
    [
        (lambda lib: lib.nodes()[-1], "C++ counts from the first element"),
        (lambda lib: len(lib.nodes()), "C++ does not say how many elements are there"),
        (lambda lib: lib.Node().kids[0], "there is nothing behind a null pointer"),
        (lambda lib: lib.root().fixed.__setitem__(0, None), "is const in C++ and cannot be set"),
    ],
)
def test_refused(lib: Any, use: Any, words: str) -> None:
    with pytest.raises((TypeError, IndexError, AttributeError)) as caught:
        use(lib)
    assert words in str(caught.value)
