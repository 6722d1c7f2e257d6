"""Objects that C++ makes keep what they refer to: arguments and what was made of them, also inside containers."""

from __future__ import annotations

import ctypes
import gc
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

SOURCE = Path(__file__).with_name("kept_arguments.hpp")
FORMS = [
    "plain",
    "vector",
    "optional",
    "pair",
    "tuple",
    "map",
    "variant",
    "array",
    "nested",
    "deep",
    "unique",
    "shared",
]


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE.read_text(), name="kept", std="c++17")


def text() -> str:
    """A text of its own, longer than those that a std::string has inside of itself."""
    return "".join(["a text "] * 9)


def settled(made: Any) -> Any:
    """The same, when all that nobody keeps is gone and its memory is used otherwise."""
    gc.collect()
    others = [("another" * 9 + str(n)).encode() for n in range(500)]
    assert len(others) == 500
    return made


def inside(made: Any) -> Any:
    """The object at the bottom of containers."""
    while isinstance(made, dict | list | tuple):
        parts = made.values() if isinstance(made, dict) else made
        made = next(part for part in parts if not isinstance(part, int))
    return made


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", ["seen", "kept"])
def test_an_object_keeps_the_argument_that_it_refers_to(lib: Any, kind: str, form: str) -> None:
    element = settled(inside(getattr(lib, f"{kind}_{form}")(lib.Obj(7))))
    assert element.get() == 7


@pytest.mark.parametrize("form", FORMS)
def test_and_the_text_that_it_shows(lib: Any, form: str) -> None:
    element = settled(inside(getattr(lib, f"shown_{form}")(text())))
    assert element.get() == text()


@pytest.mark.parametrize("form", FORMS)
def test_a_copy_keeps_what_it_refers_to(lib: Any, form: str) -> None:
    element = lib.Seen(lib.Obj(8))
    for _ in range(3):
        element = settled(inside(getattr(lib, f"copied_{form}")(element)))
    assert element.get() == 8


MADE = {
    "reference": lambda lib, up: lib.Node(up, 2),
    "pointer": lambda lib, up: lib.Node(2, up),
    "method": lambda lib, up: up.child(2),
    "function": lambda lib, up: lib.under(up, 2),
}


@pytest.mark.parametrize("how", MADE)
def test_an_object_of_the_own_class_is_kept(lib: Any, how: str) -> None:
    node = lib.Node(1)
    for _ in range(5):
        node = MADE[how](lib, node)
    copy = settled(lib.Node(node))
    del node
    assert (settled(copy).above(), copy.depth(), lib.Node(copy).depth()) == (2, 5, 5)


def test_what_refers_to_nothing_of_its_kind_makes_no_chain(lib: Any) -> None:
    total, one = lib.Number(0), lib.Number(1)
    for _ in range(100):
        total = total + one
    assert total.get() == 100
    assert not [x for x in gc.get_referents(total) if isinstance(x, lib.Number)]


@pytest.mark.parametrize("kind", ["row", "pair", "optional", "vector", "rows"])
def test_pointers_that_a_call_gives_keep_what_was_made_of_an_argument(lib: Any, kind: str) -> None:
    made = [getattr(lib, f"{kind}_of")(range(n, n + 500)) for n in range(50)]
    pointers = [(getattr(p, "p", p)) for p in map(inside, settled(made))]
    assert [ctypes.c_int.from_address(int(p)).value for p in pointers] == [*range(50)]


@pytest.mark.parametrize(
    "kind", ["TextRef", "TextPointer", "TextDerived", "text_ref", "text_pointer", "Texts.derived", "Texts.[]"]
)
def test_an_object_keeps_what_was_made_of_an_argument(lib: Any, kind: str) -> None:
    make = lib.Texts().__getitem__ if kind == "Texts.[]" else attrgetter(kind)(lib)
    made = [make(text() + str(n)) for n in range(50)]
    assert [m.get() for m in settled(made)] == [text() + str(n) for n in range(50)]
    assert settled(lib.ListRef([text()])).get() == text()
    with pytest.raises(RuntimeError, match="a text"):
        lib.Throws(text())
