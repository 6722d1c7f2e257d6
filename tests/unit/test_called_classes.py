"""A call of a bound class goes to its constructor at once, and yet means what a call of any Python class means."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

import samebytes as sb

SOURCE = """
#include <string>
struct Item {
  std::string text;
  int n;
  explicit Item(const std::string& text, int n = 3) : text(text), n(n) {}
  int size() const { return static_cast<int>(text.size()) + n; }
};
struct Plain { int x; Plain() : x(1) {} Plain(int x) : x(x) {} };
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(source=SOURCE, nogil=False)


@pytest.mark.parametrize(
    ("args", "kwargs", "size"),
    [(("abc",), {}, 6), (("abc", 1), {}, 4), ((), {"text": "abc"}, 6), (("abc",), {"n": 2}, 5)],
)
def test_every_way_of_calling(lib: Any, args: Any, kwargs: Any, size: int) -> None:
    assert lib.Item(*args, **kwargs).size() == size
    assert partial(lib.Item, *args)(**kwargs).size() == size
    assert type.__call__(lib.Item, *args, **kwargs).size() == size
    assert lib.Item.__call__(*args, **kwargs).size() == size


def test_overloads(lib: Any) -> None:
    assert (lib.Plain().x, lib.Plain(5).x) == (1, 5)


@pytest.mark.parametrize("args", [(), (1,), ("a", 2, 3), ("a", "b")])
def test_what_does_not_fit(lib: Any, args: Any) -> None:
    with pytest.raises(sb.ArgumentError, match=r"Item\(\)"):
        lib.Item(*args)


def test_derived_in_python(lib: Any) -> None:
    class Louder(lib.Item):
        __slots__ = ()

        def __new__(cls, text: str) -> Any:
            return super().__new__(cls, text + "!!")

    class Later(lib.Item):
        __slots__ = ()

        def __init__(self, *args: Any) -> None:
            seen.append(args)

    seen: list[Any] = []
    assert Louder("x").size() == 6
    assert Later("x").size() == 4
    assert seen == [("x",)]


def test_what_python_code_changes_later(lib: Any) -> None:
    seen = []
    lib.Item.__init__ = lambda self, *args: seen.append(args)
    try:
        lib.Item("first")
    finally:
        del lib.Item.__init__
    lib.Item("second")
    assert seen == [("first",)]
