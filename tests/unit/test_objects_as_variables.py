"""Variables that are C++ objects: Python sees the object itself, and their bytes are C++'s alone."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

CODE = r"""
#include <memory>
#include <string>
struct Thing {
  std::string name{"thing"};
  int n = 1;
  std::string shout() const { return name + "!"; }
};
class Owner {
  std::unique_ptr<int> number{new int(3)};
public:
  Owner() = default;
  Owner(Owner&&) = default;
  Owner& operator=(Owner&&) = default;
  int get() const { return *number; }
};
Thing variable;
const Thing constant{};
Thing array[2];
const Thing constants[2]{};
Thing table[2][2];
thread_local Thing local;
Owner owner;
struct Scene { static Thing shared; static const Thing fixed; };
Thing Scene::shared;
const Thing Scene::fixed{};
std::string names() {
  return variable.name + constant.name + array[1].name + constants[1].name + table[1][0].name + Scene::shared.name;
}
int number() { return owner.get(); }
"""


@pytest.fixture
def lib() -> Any:
    return sb.compile(CODE, name="objects_as_variables")


VARIABLES = {
    "a variable": lambda lib: lib.variable,
    "an element": lambda lib: lib.array[1],
    "an element of rows": lambda lib: lib.table[1][0],
    "a static member": lambda lib: lib.Scene.shared,
    "of a thread": lambda lib: lib.local,
}
CONSTANTS = {
    "a constant": lambda lib: lib.constant,
    "an element": lambda lib: lib.constants[1],
    "a static member": lambda lib: lib.Scene.fixed,
}


@pytest.mark.parametrize("of", VARIABLES.values(), ids=VARIABLES)
def test_a_variable_is_the_object_itself(lib: Any, of: Any) -> None:
    of(lib).name = "new"
    of(lib).n = 5
    assert (of(lib).shout(), of(lib).n, of(lib) == of(lib)) == ("new!", 5, True)
    if of is not VARIABLES["of a thread"]:
        assert "new" in lib.names()
    of(lib).name, of(lib).n = "thing", 1


@pytest.mark.parametrize("of", CONSTANTS.values(), ids=CONSTANTS)
def test_a_constant_is_const(lib: Any, of: Any) -> None:
    with pytest.raises(sb.IntentError, match=r"C\+\+ gave it as const"):
        of(lib).name = "new"
    with pytest.raises(AttributeError, match=r"C\+\+ gave the object as const"):
        of(lib).n = 5
    assert (of(lib).shout(), of(lib).n, lib.names()) == ("thing!", 1, "thing" * 6)


@pytest.mark.parametrize("name", ["owner", "variable", "array", "table", "local"])
def test_no_bytes_are_written_over_an_object(lib: Any, name: str) -> None:
    other = lib.Owner() if name == "owner" else lib.Thing()
    with pytest.raises(AttributeError, match=f"'{name}' is an? (array of )?C\\+\\+ objects?: only"):
        setattr(lib, name, other)
    assert (lib.number(), lib.names()) == (3, "thing" * 6)
