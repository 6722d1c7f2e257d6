"""Each construct of the tables beside this file is bound without a warning, and called with the right result.

A table is text: `== name`, C++, `>>` Python, and `=>` the value of the last line or the error and its first words.
"""

from __future__ import annotations

import ast
import builtins
import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

TABLES = sorted(Path(__file__).parent.glob("*.txt"))
BLOCK = re.compile(r"^(==|@@) (.*)\n((?:(?!==|@@).*\n)*)", re.MULTILINE)


@dataclass(frozen=True)
class Construct:
    """One row; ``options`` are words in brackets after the name: ``warns``, ``c++20``."""

    name: str
    cxx: str
    python: tuple[str, ...]
    expected: str
    options: tuple[str, ...]


def read(table: Path) -> list[Construct]:
    found, shared = [], dict[str, str]()
    for kind, head, body in BLOCK.findall(table.read_text() + "\n"):
        body = re.sub(r"^@(\w+)$", lambda name: shared[name[1]], body, flags=re.MULTILINE)
        if kind == "@@":
            shared[head] = body
            continue
        name, *options = re.split(r" \[|\]", head)
        lines = body.rstrip().split("\n")
        cxx = "\n".join(line for line in lines if not line.startswith((">> ", "=> ")))
        python = tuple(line[3:] for line in lines if line.startswith(">> "))
        found.append(
            Construct(name, cxx, python, lines[-1].removeprefix("=> "), tuple(filter(None, options)))
        )
    return found


CONSTRUCTS = [construct for table in TABLES for construct in read(table)]


def evaluate(lines: tuple[str, ...], names: dict[str, Any]) -> Any:
    exec("\n".join(lines[:-1]), names)
    return eval(lines[-1], names)


@pytest.mark.parametrize("row", CONSTRUCTS, ids=lambda row: row.name)
def test_construct(row: Construct) -> None:
    warns = "warns" in row.options
    std = next((word for word in row.options if word.startswith("c++")), None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore" if warns else "error", sb.BindWarning)
        lib = sb.compile(row.cxx, std=std)
    assert bool(lib.__skipped__) == warns, lib.__skipped__
    names = {"lib": lib, "sb": sb}
    if row.expected.startswith("!"):
        error, _, words = row.expected[1:].partition(": ")
        with pytest.raises(getattr(sb, error, None) or getattr(builtins, error)) as raised:
            evaluate(row.python, names)
        assert str(raised.value).startswith(words)
    else:
        found, expected = evaluate(row.python, names), ast.literal_eval(row.expected)
        assert found == expected
        assert type(found) is type(expected)


def test_names_are_unique() -> None:
    names = [row.name for row in CONSTRUCTS]
    assert sorted(set(names)) == sorted(names)


class TestNamedObjectsAndTemporaries:
    """C++ moves what has no name; an object of Python's has one."""

    @pytest.fixture
    def lib(self) -> Any:
        return sb.compile(
            """
            #include <string>
            #include <utility>
            struct Text { std::string s; Text(std::string x) : s(x) {} };
            struct Pair { int a, b; };
            inline int put(Text&& t) { Text taken(std::move(t)); return 2; }
            inline int put(const Text& t) { return 1; }
            inline int of(const Pair&) { return 1; }
            inline int of(Pair&&) { return 2; }
            inline int word(const std::string&) { return 1; }
            inline int word(std::string&&) { return 2; }
            struct Box {
              std::string s = "full";
              std::string take() && { return std::move(s); }
              std::string take() const & { return s; }
              int kind() & { return 1; }
              int kind() const & { return 2; }
              int kind() && { return 3; }
              int last() && { return 4; }
            };
            """
        )

    def test_an_object_is_not_emptied(self, lib: Any) -> None:
        text = lib.Text("a long text that is not kept in place")
        assert (lib.put(text), text.s) == (1, "a long text that is not kept in place")
        box = lib.Box()
        assert (box.take(), box.s) == ("full", "full")

    def test_a_temporary_is_moved(self, lib: Any) -> None:
        assert (lib.of(lib.Pair(1, 2)), lib.of((1, 2)), lib.word("x")) == (1, 2, 2)

    def test_qualified_methods(self, lib: Any) -> None:
        assert (lib.Box().kind(), lib.Box().last()) == (1, 4)


def test_different_is_the_opposite_of_equal_where_cxx_says_nothing_else() -> None:
    """As in C++20: ``!=`` was identity for a class that has ``==`` alone."""
    lib = sb.compile("""
        struct Handle { int v; Handle(int v) : v(v) {} ~Handle() {} Handle(const Handle&) = default;
          bool operator==(const Handle& o) const { return v / 2 == o.v / 2; } };
        struct Record { int v; bool operator==(const Record& o) const { return v / 2 == o.v / 2; } };
        struct Own { int v; bool operator==(const Own&) const { return true; }
          bool operator!=(const Own&) const { return true; } };
    """)
    for make in (lib.Handle, lib.Record):
        one, same, other = make(2), make(3), make(4)
        assert (one == same, one != same, one == other, one != other) == (True, False, False, True)
        assert (one == "x", one != "x") == (False, True)
    assert (lib.Own(1) == lib.Own(2), lib.Own(1) != lib.Own(2)) == (True, True)
