"""What comes to refer to others keeps them: as ``keeps=`` says it, and as clang's attributes in a header do."""

from __future__ import annotations

import ctypes
import gc
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb
from samebytes.make.config import load
from samebytes.make.options import OPTIONS
from samebytes.make.request import normal_request

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

SOURCE = Path(__file__).with_name("keepers.hpp")
SELF = ["self", 0]
KEEPS: dict[str, Any] = {
    "List.add": SELF,
    "List.also": SELF,
    "List.each": SELF,
    "List.fails": SELF,
    "List.name": SELF,
    "List.data": SELF,
    "List::follow": ["self", "l"],
    "attach": ["list", "o"],
    "Hook.add": SELF,
    "Slip.set": [SELF],
    "id_said": ["return", 0],
    "Cell.hold": SELF,
}


@pytest.fixture(scope="module")
def lib() -> Any:
    configured = {"Keeps": {"Slip.set": KEEPS["Slip.set"]}}
    said = {name: row for name, row in KEEPS.items() if name != "Slip.set"}
    return sb.compile(SOURCE.read_text(), name="keepers", std="c++17", keeps=said, config=configured)


def settled(made: Any) -> Any:
    """The same, when all that nobody keeps is gone and its memory is used otherwise."""
    gc.collect()
    others = [("another" * 9 + str(n)).encode() for n in range(500)]
    assert len(others) == 500
    return made


def listed(lib: Any, act: Callable[[Any], Any]) -> Any:
    """A new list, after something was done to it."""
    made = lib.List()
    act(made)
    return settled(made)


def fail(lib: Any, made: Any) -> None:
    with pytest.raises(RuntimeError, match="after it"):
        made.fails(lib.Obj(7))


def text() -> str:
    return "".join(["a text "] * 9)


ROWS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "a pointer": (lambda lib: listed(lib, lambda x: x.add(lib.Obj(7))).sum(), 7),
    "several": (lambda lib: listed(lib, lambda x: [x.add(lib.Obj(n)) for n in (1, 2, 3)]).sum(), 6),
    "a reference, chained": (lambda lib: settled(lib.List().also(lib.Obj(7)).also(lib.Obj(8))).sum(), 15),
    "objects in a list": (lambda lib: listed(lib, lambda x: x.each([lib.Obj(7), lib.Obj(8)])).sum(), 15),
    "before it threw": (lambda lib: listed(lib, lambda x: fail(lib, x)).sum(), 7),
    "lifetime_capture_by(this)": (lambda lib: listed(lib, lambda x: x.captures(lib.Obj(7))).sum(), 7),
    "lifetime_capture_by(list)": (lambda lib: listed(lib, lambda x: lib.adopt(lib.Obj(7), x)).sum(), 7),
    "text that a call makes": (lambda lib: listed(lib, lambda x: x.name(text())).called(), text()),
    "an array": (lambda lib: listed(lib, lambda x: x.data(np.full(9, 2.5))).first(), 2.5),
    "another argument": (lambda lib: listed(lib, lambda x: lib.attach(x, lib.Obj(7))).sum(), 7),
    "a copy, too": (lambda lib: settled(lib.List(listed(lib, lambda x: x.add(lib.Obj(7))))).sum(), 7),
    "C++'s own object": (lambda lib: (lib.common().add(lib.Obj(7)), settled(lib.common()).sum())[1], 7),
    "a record": (lambda lib: settled(slipped(lib)).get(), 7),
    "a copied record": (lambda lib: settled(slipped(lib).__copy__()).get(), 7),
    "a result that hides an address": (lambda lib: lib.read(settled(lib.id_said(lib.Obj(7)))), 7),
    "lifetimebound": (lambda lib: lib.read(settled(lib.id_of(lib.Obj(7)))), 7),
    "lifetimebound of a method": (lambda lib: lib.read(settled(lib.Maker(7).id())), 7),
    "its macro": (lambda lib: lib.read(settled(lib.Maker(7).other())), 7),
    "lifetimebound of a constructor": (lambda lib: settled(lib.Window(lib.Window(lib.Window(7)))).get(), 7),
    "a template's class": (lambda lib: settled(celled(lib)).get(), 7),
    "a number": (lambda lib: lib.plain(7), 7),
}


def slipped(lib: Any) -> Any:
    made = lib.Slip()
    made.set(lib.Obj(7))
    return made


def celled(lib: Any) -> Any:
    made = lib.Cell[lib.Obj]()
    made.hold(lib.Obj(7))
    return made


SLOW = {"a template's class"}  # it is compiled on its own


@pytest.mark.parametrize("row", [pytest.param(r, marks=pytest.mark.full) if r in SLOW else r for r in ROWS])
def test_what_refers_to_an_argument_keeps_it(lib: Any, row: str) -> None:
    ask, answer = ROWS[row]
    assert ask(lib) == answer


def test_a_view_has_what_it_lies_in_keep_it(lib: Any) -> None:
    bank = lib.Bank()
    bank.inner().add(lib.Obj(7))
    assert settled(bank.inner()).sum() == 7


def test_it_ends_with_what_keeps_it(lib: Any) -> None:
    alive, made, obj = lib.Obj.alive(), lib.List(), lib.Obj(7)
    for _ in range(3):
        made.add(obj)
    assert len(made.__samebytes_kept__) == 1  # again and again is once
    with pytest.raises(sb.IntentError, match="refer"):
        sb.delete(obj)
    del obj
    assert lib.Obj.alive() == alive + 1
    del made
    assert lib.Obj.alive() == alive


def test_a_pointer_keeps_the_object_and_not_only_what_that_keeps(lib: Any) -> None:
    pointer = settled(lib.Heap(lib.Obj(7)).at())
    assert [type(owner) for owner in pointer.owner] == [lib.Heap]
    assert ctypes.c_int.from_address(int(pointer)).value == 5


@pytest.mark.full
def test_what_is_overridden_keeps_it_where_cxx_has_its_own_called(lib: Any) -> None:
    class Mine(lib.Hook):  # type: ignore[misc,name-defined]
        def add(self, x: Any) -> None:
            super().add(x)

    for act in (Mine.add, lib.Hook.add):
        made = Mine()
        act(made, lib.Obj(7))
        assert settled(made).get() == 7


def test_cycles_are_collected(lib: Any) -> None:
    one, other = lib.List(), lib.List()
    one.follow(other)
    other.follow(one)
    alive = lib.Obj.alive()
    one.add(lib.Obj(7))
    assert lib.Obj.alive() == alive + 1
    del one, other
    gc.collect()
    assert lib.Obj.alive() == alive


def test_explain_says_it(lib: Any) -> None:
    for name, words in {"attach": "list keeps o", "id_of": "the result keeps o"}.items():
        assert words in str(sb.explain(lib, name))
    assert "self keeps o" in str(sb.explain(lib.List.add))
    assert "keeps a" not in str(sb.explain(lib, "plain"))


SMALL = """
struct Obj { int n; };
struct List { const Obj* o; void add(const Obj* x) { o = x; } const char* called() { return ""; }
  void name(const char*) {} };
inline void attach(List& list, const Obj& o) { list.o = &o; }
inline List& common() { static List list; return list; }
inline int plain(int a) { return a; }
template <class T> struct Cell { const T* at; void hold(const T& x) { at = &x; } };
"""
REFUSED: dict[str, tuple[Any, type[Exception], str]] = {
    "an unknown function": (
        {"List.ad": SELF},
        sb.BindError,
        r"keeps names an unknown function, 'List.ad'.*add",
    ),
    "an unknown member": ({"Cell.hol": SELF}, sb.BindError, r"Cell.*hol"),
    "an unknown parameter": (
        {"List.add": ["self", "y"]},
        sb.BindError,
        r"keeps names an unknown parameter 'y'",
    ),
    "no object": ({"attach": ["self", 0]}, sb.BindError, r"keeps names an unknown parameter 'self'"),
    "a number": ({"plain": ["return", 0]}, sb.IntentError, r"'a' is int, which C\+\+ copies"),
    "a result that is a copy": (
        {"List.called": ["return", "self"]},
        sb.IntentError,
        r"is a copy that refers",
    ),
    "a result that is kept": ({"common": ["return", "return"]}, sb.IntentError, r"'return' comes first"),
    "itself": ({"List.add": ["self", "self"]}, sb.IntentError, r"'self' cannot keep itself"),
    "text that would keep": ({"List.name": [0, "self"]}, sb.IntentError, r"only an object of a class keeps"),
}


@pytest.mark.parametrize("row", REFUSED)
def test_what_cannot_be_meant_is_refused(row: str) -> None:
    keeps, kind, words = REFUSED[row]
    with pytest.raises(kind, match=words):
        sb.compile(SMALL, keeps=keeps)


@pytest.mark.parametrize(
    "keeps", [{"f": "self"}, {"f": ["self"]}, {"f": [["self", 0], 1]}, {"f": ["self", 1.5]}]
)
def test_what_is_no_row_is_refused(keeps: Any) -> None:
    given = {name: option.default for name, option in OPTIONS.items()} | {"keeps": keeps}
    with pytest.raises(sb.BindError, match=r"keeps maps functions' names to a list"):
        normal_request("x", given)


def test_python_adds_to_a_configuration() -> None:
    config = load({"Keeps": {"f": ["self", 0], "g": [["self", "x"]]}})
    found = config.added_to({"keeps": {"f": ["return", 0]}, "arg_intent": None})["keeps"]
    assert found == {"f": ["return", 0], "g": [["self", "x"]]}
    with pytest.raises(sb.BindError, match="is a list"):
        load({"Keeps": {"f": "self"}})


# The same in C++: what is kept is needed, as a program without it reads memory that is freed.
PROGRAM = """
#include <memory>
#include <cstdlib>
int main(int, char** argv) {
  const int row = std::atoi(argv[1]);
  auto obj = std::make_unique<Obj>(7);
  List list;
  Slip slip;
  Id id{};
  if (row == 0) list.add(obj.get());
  if (row == 1) attach(list, *obj);
  if (row == 2) slip.set(obj.get());
  if (row == 3) id = id_of(*obj);
  if (row == 4) list.captures(*obj);
  if (argv[2][0] == 'd') obj.reset();
  return row < 2 || row == 4 ? list.sum() : row == 2 ? slip.get() : read(id);
}
"""


@pytest.mark.full
def test_a_program_that_drops_them_reads_freed_memory(tmp_path: Path) -> None:
    source = tmp_path / "main.cpp"
    source.write_text(SOURCE.read_text().replace("all().count(this) ? n : -1", "n") + PROGRAM)
    flags = ["-std=c++17", "-fsanitize=address", "-w"]
    subprocess.run(["g++", *flags, str(source), "-o", str(tmp_path / "main")], check=True)
    for row in range(5):
        ran = {
            how: subprocess.run([str(tmp_path / "main"), str(row), how], capture_output=True, text=True)
            for how in ("keep", "drop")
        }
        assert ran["keep"].returncode == 7
        assert "heap-use-after-free" in ran["drop"].stderr
