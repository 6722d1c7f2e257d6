"""Variables that are objects of classes, and arrays of these: each is shown where it lies, const as C++ has it."""

from __future__ import annotations

import gc
from typing import Any

import pytest

import samebytes as sb

CODE = r"""
#include <string>
struct Dot { int x; };
class Name {
  std::string text;
public:
  int number = 1;
  explicit Name(std::string text = "none") : text(text) {}
  Name(const Name&) = default;
  Name(Name&& other) : text(other.text) { other.text = "left"; }
  ~Name() { text = "gone"; number = -1; }
  const std::string& get() const { return text; }
  void set(const std::string& other) { text = other; }
  virtual int kind() const { return 1; }
};
struct Full : Name { Full() : Name("full") {} int kind() const override { return 2; } };

Name name("variable");
const Name fixed("fixed");
Full full;
Name& reference = full;
thread_local Name own("own");
inline Name shared("shared");
struct Place { static Name member; static inline const Name always{"always"}; static Dot dots[2]; };
Name Place::member("member");
Dot Place::dots[2] = {{1}, {2}};

Name names[2] = {Name("a"), Name("b")};
Name grid[2][2];
const Name steady[2];
Dot dots[3] = {{1}, {2}, {3}};
Dot board[2][2] = {{{1}, {2}}, {{3}, {4}}};
const Dot still[2] = {{1}, {2}};

inline std::string said() { return name.get() + full.get() + Place::member.get() + names[1].get() + grid[1][0].get(); }
inline int sum() { return dots[0].x + 10 * board[1][0].x + 100 * Place::dots[1].x; }
inline void change(Name& n) { n.set("changed"); }
inline std::string moved(Name&& n) { Name other = std::move(n); return other.get(); }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(CODE, std="c++17")


READ = {
    "name": (lambda lib: lib.name, "variable"),
    "fixed": (lambda lib: lib.fixed, "fixed"),
    "full": (lambda lib: lib.full, "full"),
    "reference": (lambda lib: lib.reference, "full"),
    "own": (lambda lib: lib.own, "own"),
    "shared": (lambda lib: lib.shared, "shared"),
    "member": (lambda lib: lib.Place.member, "member"),
    "always": (lambda lib: lib.Place.always, "always"),
    "element": (lambda lib: lib.names[1], "b"),
    "element of rows": (lambda lib: lib.grid[1][0], "none"),
    "const element": (lambda lib: lib.steady[0], "none"),
}
CONST = ("fixed", "always", "const element")


@pytest.mark.parametrize("one", READ)
def test_it_is_read_where_it_lies(lib: Any, one: str) -> None:
    read, text = READ[one]
    found = read(lib)
    assert (found.get(), found.number) == (text, 1)
    assert found.__samebytes_address__ == read(lib).__samebytes_address__
    assert found.__samebytes_const__ is (one in CONST)


@pytest.mark.parametrize("one", [one for one in READ if one not in CONST])
def test_what_is_changed_is_the_variable(lib: Any, one: str) -> None:
    read, text = READ[one]
    read(lib).set("new")
    lib.change(read(lib)) if one == "member" else read(lib).set("newer")
    assert read(lib).get() == ("changed" if one == "member" else "newer")
    read(lib).set(text)
    assert read(lib).get() == text


@pytest.mark.parametrize("one", CONST)
def test_what_is_const_cannot_be_changed(lib: Any, one: str) -> None:
    read, text = READ[one]
    with pytest.raises(sb.IntentError, match=r"C\+\+ gave it as const"):
        read(lib).set("new")
    with pytest.raises(AttributeError, match=r"C\+\+ gave the object as const"):
        read(lib).number = 7
    assert (read(lib).get(), read(lib).number) == (text, 1)


def test_cxx_sees_what_was_changed(lib: Any) -> None:
    before = lib.said()
    lib.grid[1][0].set("!")
    assert lib.said() == before.removesuffix("none") + "!"
    lib.grid[1][0].set("none")


def test_it_is_of_the_class_that_it_really_is(lib: Any) -> None:
    assert type(lib.full) is type(lib.reference) is lib.Full
    assert type(lib.name) is lib.Name
    assert lib.reference.kind() == 2


def test_cxx_owns_it(lib: Any) -> None:
    with pytest.raises(sb.IntentError, match="delete"):
        sb.delete(lib.name)
    found = lib.name
    del found
    gc.collect()
    assert lib.name.get() == "variable"
    assert lib.moved(lib.name) == "variable"
    assert lib.name.get() == "left"
    lib.name.set("variable")


@pytest.mark.parametrize("one", ["name", "names", "grid"])
def test_no_object_is_assigned(lib: Any, one: str) -> None:
    with pytest.raises(AttributeError, match=rf"'{one}' is .*C\+\+ objects?: only"):
        setattr(lib, one, lib.own if one == "name" else getattr(lib, one))
    with pytest.raises(AttributeError, match=r"'member' is a C\+\+ object: only its methods change it"):
        lib.Place.member = lib.Name("x")
    assert lib.Place.member.get() == "member"


def test_elements_that_are_records_are_those_of_the_array(lib: Any) -> None:
    lib.dots[0].x, lib.board[1][0].x, lib.Place.dots[1].x = 5, 6, 7
    assert lib.sum() == 5 + 60 + 700
    assert [d.x for d in lib.dots] == [5, 2, 3]
    lib.dots = [(1,), (2,), (3,)]
    assert [d.x for d in lib.dots] == [1, 2, 3]


def test_elements_of_a_const_array_are_copies(lib: Any) -> None:
    with pytest.raises(AttributeError, match="gave it as const"):
        lib.still[0].x = 5
    assert [d.x for d in lib.still] == [1, 2]
    with pytest.raises(AttributeError, match="const"):
        lib.still = [(1,), (2,)]
