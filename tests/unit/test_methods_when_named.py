"""Methods are made when a class or an object is first asked for them, and are those made at once."""

from __future__ import annotations

import inspect
import pickle
import threading
from typing import Any

import pytest

import samebytes as sb
from samebytes.api import registry
from samebytes.call.c_api.api import PendingMethod

pytestmark = pytest.mark.full  # each class that overrides is compiled

SOURCE = """
#include <map>
#include <string>
struct Base {
  int x = 1;
  virtual ~Base() = default;
  int get() const { return x; }
  int add(int y) const { return x + y; }
  double add(double y) const { return x + y; }
  static int twice(int y) { return 2 * y; }
  virtual int asked() const { return 10; }
};
inline int ask(const Base& b) { return b.asked(); }
struct Derived : Base {
  using Base::add;
  std::string add(const std::string& s) const { return s + "!"; }
  int get() const { return 100 + x; }
  int asked() const override { return 20; }
};
struct Map {
  std::map<int, int> held{{1, 2}};
  auto begin() const { return held.begin(); }
  auto end() const { return held.end(); }
  int keys() const { return 7; }
  bool contains(int k) const { return held.count(k); }
  int operator[](int k) const { return held.at(k); }
};
namespace n { struct Inner { int f() const { return 3; } struct f_ { int z; }; }; }
"""


@pytest.fixture
def lib() -> Any:
    """A library of its own, of which nothing was asked."""
    registry.LIBRARIES.clear()
    return sb.compile(SOURCE, name="methods")


def pending(cls: type) -> set[str]:
    return {name for name, value in vars(cls).items() if isinstance(value, PendingMethod)}


def test_what_is_asked_for_is_made(lib: Any) -> None:
    assert pending(lib.Base) == {"get", "add", "twice", "asked"}
    one = lib.Base()
    assert pending(lib.Base) == {"get", "add", "twice", "asked"}
    assert one.get() == 1
    assert lib.Base.twice(4) == one.twice(4) == 8
    assert pending(lib.Base) == {"add", "asked"}
    assert lib.Base.get is vars(lib.Base)["get"]
    assert lib.Base.get.__qualname__ == "Base.get"


# Each asked of a library of which nothing else was asked.
ROWS = {
    "lib.Derived().get()": 101,
    "lib.Base.get(lib.Derived())": 1,
    "super(lib.Derived, lib.Derived()).get()": 1,
    "lib.Derived().add(1)": 2,
    "lib.Derived().add(0.5)": 1.5,
    "lib.Derived().add('a')": "a!",
    "lib.Derived.twice(3)": 6,
    "lib.ask(lib.Derived())": 20,
    "lib.Map().keys()": 7,
    "lib.n.Inner().f()": 3,
    "getattr(lib.Base, 'get')(lib.Base())": 1,
    "pickle.loads(pickle.dumps(lib.Base.get))(lib.Base())": 1,
    "str(inspect.signature(lib.Base.get))": "(self, /)",
    "'twice' in dir(lib.Base) and 'get' in dir(lib.Derived())": True,
    "[k.kind for k in inspect.classify_class_attrs(lib.Base) if k.name == 'asked']": ["method"],
    "hasattr(lib.Base, 'got')": False,
}


@pytest.mark.parametrize("asked", ROWS)
def test_a_row(lib: Any, asked: str) -> None:
    assert eval(asked, {"lib": lib, "pickle": pickle, "inspect": inspect}) == ROWS[asked]


def test_a_class_of_python_s_overrides_and_asks_its_base(lib: Any) -> None:
    class Mine(lib.Base):  # type: ignore[misc]
        def asked(self) -> int:
            return int(super().asked()) + 1

        def get(self) -> int:
            return int(super().get()) + 1

    assert lib.ask(Mine()) == 11
    assert Mine().get() == 2
    assert Mine().add(1) == 2


def test_what_a_program_puts_there_stays(lib: Any) -> None:
    of_cxx = vars(lib.Base)["get"]
    lib.Base.get = lambda self: 5
    assert lib.Base().get() == 5
    assert of_cxx.make()(lib.Base()) == 1  # which does not take its place
    assert lib.Base().get() == 5
    assert lib.Derived().get() == 101


def test_words_of_python_s_find_them(lib: Any) -> None:
    sb.pythonize(lib.Base, rename={"get": "value"}, hide=["twice"])
    assert lib.Base().value() == 1
    assert lib.Derived().value() == 101
    assert not hasattr(lib.Base, "twice")
    assert not pending(lib.Derived)


def test_threads_get_one(lib: Any) -> None:
    start, got = threading.Barrier(8), []

    def ask() -> None:
        start.wait()
        got.append(lib.Base.add)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 8
    assert len({id(one) for one in got}) == 1
