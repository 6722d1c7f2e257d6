"""Elements that are pointers to objects: Python gets the objects, whatever gives the pointer."""

from __future__ import annotations

import gc
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

SOURCE = """
#include <list>
#include <set>
#include <vector>
struct Plain { int v; };
struct Owned { int v; ~Owned() {} };
struct Shape { int v; Shape(int n) : v(n) {} virtual ~Shape() {} };
struct Round : Shape { int r = 7; Round() : Shape(1) {} };
template <class N> struct Nodes {
  N a{1}, b{2};
  std::vector<N*> all{&a, nullptr, &b, &a};
  Nodes() = default;
  Nodes(const Nodes&) = delete;
  auto begin() { return all.begin(); }
  auto end() { return all.end(); }
  int sum() const { return a.v + b.v; }
};
template <class N> struct Fixed {
  N a{3};
  std::list<N*> all{&a};
  Fixed() = default;
  Fixed(const Fixed&) = delete;
  auto begin() const { return all.begin(); }
  auto end() const { return all.end(); }
};
template <class N> struct Given {
  N a{4};
  struct iterator {
    N* at;
    int n;
    N* operator*() const { return at; }
    iterator& operator++() { ++n; return *this; }
    bool operator!=(const iterator& other) const { return n != other.n; }
  };
  iterator begin() { return {&a, 0}; }
  iterator end() { return {&a, 3}; }
};
struct Readers {
  Owned a{5};
  std::set<const Owned*> all{&a};
  Readers() = default;
  Readers(const Readers&) = delete;
  auto begin() const { return all.begin(); }
  auto end() const { return all.end(); }
};
struct Shapes {
  Round round;
  std::vector<Shape*> all{&round};
  Shapes() = default;
  Shapes(const Shapes&) = delete;
  auto begin() { return all.begin(); }
  auto end() { return all.end(); }
};
struct PlainNodes : Nodes<Plain> {}; struct OwnedNodes : Nodes<Owned> {};
struct PlainFixed : Fixed<Plain> {}; struct OwnedFixed : Fixed<Owned> {};
struct PlainGiven : Given<Plain> {}; struct OwnedGiven : Given<Owned> {};
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE)


@pytest.mark.parametrize(
    ("cls", "values"),
    [
        ("PlainNodes", [1, None, 2, 1]),
        ("OwnedNodes", [1, None, 2, 1]),
        ("PlainFixed", [3]),
        ("OwnedFixed", [3]),
        ("PlainGiven", [4, 4, 4]),
        ("OwnedGiven", [4, 4, 4]),
        ("Readers", [5]),
        ("Shapes", [1]),
    ],
)
def test_elements_are_the_objects(lib: Any, cls: str, values: list[int | None]) -> None:
    assert [node if node is None else node.v for node in getattr(lib, cls)()] == values


@pytest.mark.parametrize("cls", ["PlainNodes", "OwnedNodes"])
def test_they_are_c_s_own_and_keep_what_they_lie_in(lib: Any, cls: str) -> None:
    nodes = getattr(lib, cls)()
    for node in nodes:
        if node is not None:
            node.v += 10
    assert nodes.sum() == 33  # one of them is there twice
    first = next(iter(getattr(lib, cls)()))
    assert first.v == 1


def test_they_are_of_the_class_that_they_really_are_and_as_const_as_cxx_says(lib: Any) -> None:
    (shape,) = lib.Shapes()
    assert type(shape) is lib.Round
    assert shape.r == 7
    (reader,) = lib.Readers()
    with pytest.raises(AttributeError, match="const"):
        reader.v = 1


OWNING = """
#include <map>
#include <memory>
#include <string>
#include <vector>
struct Plain { int v = 1; };
struct Owned { int v; Owned(int n) : v(n) {} virtual ~Owned() {} };
struct Round : Owned { int r = 7; Round() : Owned(1) {} };
struct End { void operator()(Owned* o) const { delete o; } };
template <class P> struct Holds {
  std::vector<P> all;
  Holds() = default;
  Holds(const Holds&) = delete;
  auto begin() const { return all.begin(); }
  auto end() const { return all.end(); }
  std::size_t size() const { return all.size(); }
};
struct Some : Holds<std::unique_ptr<Owned>> {
  Some() {
    all.push_back(std::make_unique<Round>()), all.push_back(nullptr);
    all.push_back(std::make_unique<Owned>(2));
  }
  int sum() const { return all[0]->v + all[2]->v; }
};
struct Fixed : Holds<std::unique_ptr<const Owned>> { Fixed() { all.push_back(std::make_unique<Owned>(3)); } };
struct Ended : Holds<std::unique_ptr<Owned, End>> { Ended() { all.emplace_back(new Owned(4)); } };
struct Plains : Holds<std::unique_ptr<Plain>> { Plains() { all.push_back(std::make_unique<Plain>()); } };
struct Shared : Holds<std::shared_ptr<Owned>> { Shared() { all.push_back(std::make_shared<Owned>(5)); } };
struct Array : Holds<std::unique_ptr<Plain[]>> {};
struct Mapped {
  std::map<std::string, std::unique_ptr<Owned>> all;
  Mapped() = default;
  Mapped(const Mapped&) = delete;
  auto begin() const { return all.begin(); }
  auto end() const { return all.end(); }
};
struct Changing {
  std::vector<std::unique_ptr<Owned>> all;
  Changing() = default;
  Changing(const Changing&) = delete;
  auto begin() { return all.begin(); }
  auto end() { return all.end(); }
  void add(int n) { all.push_back(std::make_unique<Owned>(n)); }
};
"""


@pytest.fixture(scope="module")
def owning() -> Any:
    return sb.compile(OWNING, name="owning")


@pytest.mark.parametrize(
    ("cls", "values"),
    [("Some", [1, None, 2]), ("Fixed", [3]), ("Ended", [4]), ("Plains", [1]), ("Shared", [5])],
)
def test_what_unique_pointers_own_is_iterated(owning: Any, cls: str, values: list[int | None]) -> None:
    made = getattr(owning, cls)()
    assert [one if one is None else one.v for one in made] == values
    assert len(made) == len(values)


def test_the_objects_are_cxx_s_own(owning: Any) -> None:
    some = owning.Some()
    first, none, last = some
    assert (type(first), first.r, none, type(last)) == (owning.Round, 7, None, owning.Owned)
    last.v = 20
    assert some.sum() == 21
    del some
    gc.collect()
    assert (first.v, last.v) == (1, 20)
    (plain,) = plains = owning.Plains()
    plain.v = 6
    assert [one.v for one in plains] == [6]
    (fixed,) = owning.Fixed()
    with pytest.raises(AttributeError, match="const"):
        fixed.v = 1


def test_a_change_ends_the_loop(owning: Any) -> None:
    changing = owning.Changing()
    for n in range(3):
        changing.add(n)
    loop = iter(changing)
    changing.add(next(loop).v)
    with pytest.raises(RuntimeError, match="may change it"):
        next(loop)


@pytest.mark.parametrize("cls", ["Mapped", "Array"])
def test_what_python_cannot_follow_says_why(owning: Any, cls: str) -> None:
    with pytest.raises(TypeError, match=r"is not iterable: .*Python cannot follow"):
        list(getattr(owning, cls)())
