"""An object with ``begin()`` and ``end()`` iterates what C++ iterates, and has a length where ``size()`` says one."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import samebytes as sb
from samebytes.tools.cli import main

pytestmark = pytest.mark.full  # it takes long

SOURCE = Path(__file__).with_name("iteration.hpp")


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE.read_text(), name="iteration", std="c++17")


LISTS: list[tuple[str, list[Any]]] = [
    ("Count", [0, 1, 2]),
    ("Inherits", [0, 1, 2]),
    ("Handled", [0, 1, 2]),
    ("Hidden", [1, 2, 3]),
    ("Sentinel", [1, 4, 9, 16]),
    ("Loose", [7, 8]),
    ("Proxy", [100, 101]),
    ("ns.Free", [1.5, 2.5]),
]


def made(lib: Any, name: str) -> Any:
    for part in name.split("."):
        lib = getattr(lib, part)
    return lib()


@pytest.mark.parametrize(("name", "expected"), LISTS, ids=[name for name, _ in LISTS])
def test_what_cxx_iterates(lib: Any, name: str, expected: list[Any]) -> None:
    thing = made(lib, name)
    assert [list(thing), [*thing], list(iter(thing))] == [expected] * 3
    first = iter(thing)
    assert iter(first) is first
    assert [next(first) for _ in expected] == expected
    assert [next(first, "end"), next(first, "end")] == ["end", "end"]
    assert [(a, b) for a in thing for b in thing] == [(a, b) for a in expected for b in expected]


def test_fields_are_no_elements(lib: Any) -> None:
    assert list(lib.Fields(1, 2, 3)) == [1, 2, 3]
    assert dict(lib.Count()) == {"lo": 0, "hi": 3}
    assert list(lib.Half(5)) == [5]
    assert list(lib.Count(4, 6)) == list(lib.Count(4, 6).value) == [4, 5]


@pytest.mark.parametrize("name", ["Row", "RowHandle", "Private", "PrivateOver", "Uneven", "Opaque"])
def test_nothing_else_is_iterated(lib: Any, name: str) -> None:
    for use in (iter, list, lambda x: [*x], lambda x: 3 in x):
        with pytest.raises(TypeError, match="iterable"):
            use(made(lib, name))


def test_why_is_said(lib: Any) -> None:
    reasons = {s.name: s.reason for s in lib.__skipped__}
    assert "pointer to a member" in reasons["Opaque::operator.begin() and end()"]


def test_elements_are_the_objects(lib: Any) -> None:
    for kind in (lib.Elements, lib.Plains):
        whole = kind()
        for n in (1, 2):
            whole.add(n)
        for element in whole:
            element.v += 10
        assert ([e.v for e in whole], whole.first(), len(whole)) == ([11, 12], 11, 2)
    shelf = lib.Shelf()
    shelf.plains.add(5)
    shelf.elements.add(6)
    assert (shelf.plains.first(), next(iter(shelf.looked())).twice()) == (5, 12)
    for const in (shelf.seen(), shelf.looked()):
        with pytest.raises(AttributeError, match="const"):
            next(iter(const)).v = 99


def test_what_is_iterated_lives_as_long_as_iterator_and_elements(lib: Any) -> None:
    whole, gone = lib.Elements(), lib.Elements.ended
    whole.add(5)
    before = gone()
    iterator = iter(whole)
    with pytest.raises(sb.IntentError, match="iteration"):
        sb.delete(whole)
    del whole
    gc.collect()
    element = next(iterator)
    del iterator
    gc.collect()
    assert (gone() - before, element.v) == (0, 5)
    del element
    gc.collect()
    assert gone() - before == 1


WRITES = {
    "a method": lambda lib, chain: chain.drop(),
    "a function": lambda lib, chain: lib.clear(chain),
    "by its address": lambda lib, chain: lib.clear_by_address(chain),
}


@pytest.mark.parametrize("how", WRITES)
def test_a_container_that_may_have_changed_is_refused(lib: Any, how: str) -> None:
    chain = lib.Chain()
    first, second = iter(chain), iter(lib.Chain())
    assert next(first) == next(second) == 1
    WRITES[how](lib, chain)
    with pytest.raises(RuntimeError, match="may change it"):
        next(first)
    assert (list(first), list(second), list(chain)) == ([], [2, 3], [])


def test_so_is_one_whose_part_may_have(lib: Any) -> None:
    owner = lib.Owner()
    first = iter(owner.chain)
    next(first)
    lib.clear(owner.chain)
    with pytest.raises(RuntimeError, match="may change it"):
        next(first)


def test_looking_at_it_changes_nothing(lib: Any) -> None:
    chain, other = lib.Chain(), lib.Chain()
    seen = []
    for x in chain:
        other.drop()
        seen.append((x, chain.count(), lib.look(chain), list(chain)))
    assert seen == [(x, 3, 3, [1, 2, 3]) for x in (1, 2, 3)]


def test_elements_side_by_side_that_stay_where_they_are_go_on(lib: Any) -> None:
    whole = lib.Plains()
    for n in range(3):
        whole.add(n)
    seen = []
    for x in whole:
        whole.touch()
        seen.append(x.v)
    assert seen == [0, 1, 2]
    first = iter(whole)
    next(first)
    for n in range(100):
        whole.add(n)
    with pytest.raises(RuntimeError, match="may change it"):
        next(first)


@pytest.mark.parametrize("name", ["Stash", "Once"])
def test_elements_in_one_place_are_copied(lib: Any, name: str) -> None:
    elements = list(getattr(lib, name)())
    assert [(e.v, e.twice()) for e in elements] == [(1, 2), (2, 4), (3, 6)]


def test_or_refused_where_cxx_does_not_say_so(lib: Any) -> None:
    iterator = iter(lib.Untold())
    assert next(iterator).v == 1
    with pytest.raises(RuntimeError, match="in the same place"):
        next(iterator)


THROWN = [
    ("ThrowsAt", [0], IndexError, r"\*"),
    ("ThrowsOn", [0, 1], ValueError, r"\+\+"),
    ("ThrowsCompare", [0], RuntimeError, "!="),
]


@pytest.mark.parametrize(("name", "before", "error", "words"), THROWN, ids=[row[0] for row in THROWN])
def test_exceptions_of_cxx_are_raised(
    lib: Any, name: str, before: list[int], error: type[Exception], words: str
) -> None:
    iterator = iter(getattr(lib, name)())
    assert [next(iterator) for _ in before] == before
    with pytest.raises(error, match=words):
        next(iterator)
    assert list(iterator) == []
    with pytest.raises(OverflowError, match="begin"):
        iter(lib.ThrowsBegin())


def test_exceptions_of_callbacks_are_raised(lib: Any) -> None:
    def f(n: int) -> int:
        if n == 2:
            raise KeyError("two")
        return 10 * n

    called = lib.Called(f, 4)
    iterator = iter(called)
    assert [next(iterator), next(iterator)] == [0, 10]
    with pytest.raises(KeyError, match="two"):
        next(iterator)
    nested = lib.Called(lambda n: next(again), 4)
    again = iter(nested)
    with pytest.raises(RuntimeError, match="already making a step"):
        next(again)


@pytest.mark.parametrize(
    "name",
    ["SizeBool", "SizeDouble", "SizeEnum", "SizeMutable", "SizeDefault", "SizePrivate", "SizeOnly", "Count"],
)
def test_there_is_no_length(lib: Any, name: str) -> None:
    with pytest.raises(TypeError, match=r"has no len\(\)"):
        len(made(lib, name))
    assert bool(made(lib, name)) is True


def test_length(lib: Any) -> None:
    assert (len(lib.Hidden()), len(lib.Plains()), len(lib.SizeBoth())) == (3, 0, 0)
    assert bool(lib.Plains()) is bool(lib.SizeBoth()) is True
    with pytest.raises(ValueError, match="should return >= 0"):
        len(lib.SizeNegative())
    with pytest.raises(OverflowError):
        len(lib.SizeHuge())
    assert bool(lib.SizeNegative()) is True


PACKED = """
#pragma once
struct Spot { int x; };
class Spots {
  Spot spots[2] = {{1}, {2}};
 public:
  Spot* begin() { return spots; }
  Spot* end() { return spots + 2; }
  const Spot* begin() const { return spots; }
  const Spot* end() const { return spots + 2; }
  int size() const { return 2; }
  bool operator!() const { return spots[0].x == 0; }
};
struct Count { int n; struct it { int p; int operator*() const { return p; } it& operator++() { return ++p, *this; }
  bool operator!=(const it& o) const { return p != o.p; } };
  it begin() const { return {0}; } it end() const { return {n}; } };
"""


def test_a_package(tmp_path: Path) -> None:
    (tmp_path / "spots.hpp").write_text(PACKED)
    done = CliRunner().invoke(main, ["bind", str(tmp_path / "spots.hpp"), "-o", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    code = (
        "import spots\n"
        "s = spots.Spots()\n"
        "for spot in s: spot.x *= 10\n"
        "print([p.x for p in s], len(s), bool(s), list(spots.Count(3)))\n"
        "for n in s: n.x = 0\n"
        "print(bool(s), len(s))"
    )
    command = [sys.executable, "-W", "error", "-c", code]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path / "out")
    assert ran.stdout == "[10, 20] 2 True [0, 1, 2]\nFalse 2\n", ran.stderr
    stub = (tmp_path / "out" / "spots" / "__init__.pyi").read_text()
    counted, whole = stub.split("class Count")[1], stub.split("class Spots")[1].split("class Count")[0]
    assert "def __iter__(self) -> Iterator[int]: ..." in counted
    assert "def __len__" not in counted
    lines = ["__iter__(self) -> Iterator[Spot]", "__len__(self) -> int", "__bool__(self) -> bool"]
    for line in lines:
        assert f"    def {line}: ..." in whole
    assert "iteration" not in stub.replace(str(tmp_path), "")


def test_without_exceptions_nothing_says_where_it_ends() -> None:
    source = "struct D { int a; const int* begin() const { return &a; } const int* end() const { return &a + 1; } };"
    with pytest.warns(sb.BindWarning, match="exceptions are off"):
        lib = sb.compile(source, flags=["-fno-exceptions"])
    with pytest.raises(TypeError, match="is not iterable"):
        list(lib.D())


@pytest.mark.parametrize("give", ["c_void", "c_vector"])
def test_a_write_through_a_pointer_ends_the_iteration(give: str) -> None:
    lib = sb.compile(
        """
#include <list>
#include <vector>
struct Bag { std::list<int> l{1, 2, 3}; auto begin() { return l.begin(); } auto end() { return l.end(); } };
inline void c_void(void* b) { static_cast<Bag*>(b)->l.clear(); }
inline void c_vector(std::vector<Bag*> v) { for (Bag* b : v) b->l.clear(); }
"""
    )
    bag = lib.Bag()
    it = iter(bag)
    next(it)
    getattr(lib, give)([bag] if give == "c_vector" else bag)
    with pytest.raises(RuntimeError):
        list(it)
