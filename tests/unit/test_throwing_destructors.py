"""A destructor that throws never ends the process: where nobody can catch it, Python is told, as of a ``__del__``."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import samebytes as sb

SOURCE = r"""
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
namespace ns {
struct Bad {
  int n;
  explicit Bad(int i) : n(i) {}
  Bad(const Bad& o) : n(o.n) { if (n < 0) throw std::invalid_argument("no copy"); }
  Bad(Bad&& o) : n(std::exchange(o.n, 0)) {}
  ~Bad() noexcept(false) { if (n > 0) throw std::out_of_range("bad " + std::to_string(n)); }
  int get() const { return n; }
};
class Holds { Bad bad; std::string text; public: explicit Holds(int n) : bad(n), text("text") {} };
struct Base { virtual ~Base() noexcept(false) {} };
struct Derived : Base { ~Derived() noexcept(false) override { throw 3; } };
template <char C> struct Quoted { Quoted() {} ~Quoted() noexcept(false) { throw std::bad_alloc(); } };
struct Given {
  int n;
  explicit Given(int i) : n(i) {}
  Given(const Given&) = delete;
  ~Given() noexcept(false) { if (n) throw std::invalid_argument("given " + std::to_string(n)); }
};
struct Pool {
  Pool() {}
  ~Pool() {}
  static void* operator new(decltype(sizeof 0)) { throw std::logic_error("the pool is closed"); }
  static void operator delete(void*) {}
};
}
inline ns::Bad give(int n) { return ns::Bad(n); }
inline int take(ns::Bad bad) { return bad.n; }
inline int quiet(ns::Bad bad) noexcept { return std::exchange(bad.n, 0); }
inline std::pair<ns::Bad, int> pair(int n) { return {ns::Bad(n), 2}; }
inline std::tuple<int, ns::Bad> tuple(int n) { return std::tuple<int, ns::Bad>(2, n); }
inline std::pair<int, double> plain(int n) noexcept { return {n, 2}; }
inline ns::Quoted<'"'> quoted() { return {}; }
inline const int* inside(const std::pair<ns::Bad, int>& p) { static int n; n = p.second; return &n; }
inline int own(std::unique_ptr<ns::Given> p) { return std::exchange(p->n, 0); }
inline int close(std::unique_ptr<ns::Pool> p) { return p ? 1 : 0; }
struct Calls {
  int n;
  void (*f)();
  Calls(int i, void (*g)()) : n(i), f(g) {}
  ~Calls() noexcept(false) { f(); throw n; }
};
"""
UNKNOWN = "a C++ exception that is not a std::exception: of type int: "

Row = tuple[Callable[[Any], Any], Any, list[tuple[type, str, str]]]
BAD = (IndexError, "bad 3", "the destructor of ns::Bad")
# What is done, what it gives, and what Python is told.
ROWS: dict[str, Row] = {
    "an object": (lambda lib: lib.ns.Bad(3).get(), 3, [BAD]),
    "a result": (lambda lib: lib.give(3).get(), 3, [BAD]),
    "a part": (
        lambda lib: bool(lib.ns.Holds(4)),
        True,
        [(IndexError, "bad 4", "the destructor of ns::Holds")],
    ),
    "anything thrown": (
        lambda lib: bool(lib.ns.Derived()),
        True,
        [(RuntimeError, UNKNOWN + "3", "the destructor of ns::Derived")],
    ),
    "a name in quotes": (
        lambda lib: bool(lib.quoted()),
        True,
        [(MemoryError, "std::bad_alloc", "the destructor of ns::Quoted<'\"'>")],
    ),
    "one that C++ may own": (
        lambda lib: bool(lib.ns.Given(2)),
        True,
        [(ValueError, "given 2", "the destructor of ns::Given")],
    ),
    "one that C++ owns": (lambda lib: lib.own(lib.ns.Given(2)), 2, []),
    "in a pair": (lambda lib: lib.pair(5)[1], 2, [(IndexError, "bad 5", "the destructor of a result")]),
    "in a tuple": (lambda lib: lib.tuple(5)[0], 2, [(IndexError, "bad 5", "the destructor of a result")]),
    "an argument that is kept": (
        lambda lib: bool(lib.inside((lib.ns.Bad(3), 2))),
        True,
        [(IndexError, "bad 3", "the destructor of an argument"), BAD],
    ),
    "a copy for the call": (lambda lib: lib.take(lib.ns.Bad(3)), IndexError("bad 3"), [BAD]),
    "a copy that fails": (lambda lib: lib.take(lib.ns.Bad(-1)), ValueError("no copy"), []),
    "a copy that fails, for a noexcept function": (
        lambda lib: lib.quiet(lib.ns.Bad(-1)),
        ValueError("no copy"),
        [],
    ),
    "operator new": (lambda lib: lib.ns.Pool(), RuntimeError("the pool is closed"), []),
}


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, std="c++17", name="throwing", target="host")


@pytest.fixture
def told() -> Iterator[list[tuple[type, str, Any]]]:
    """What ``sys.unraisablehook`` was told: the class and text of the exception, and where it came from."""
    found: list[tuple[type, str, Any]] = []
    before = sys.unraisablehook
    sys.unraisablehook = lambda one: found.append((one.exc_type, str(one.exc_value), one.object))
    yield found
    sys.unraisablehook = before


@pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
@pytest.mark.parametrize("name", ROWS)
def test_python_is_told(lib: Any, told: list[Any], name: str) -> None:
    act, expected, said = ROWS[name]
    try:
        given = act(lib)
    except Exception as error:
        given = error
    gc.collect()
    assert told == said
    assert (type(given), str(given)) == (type(expected), str(expected))


def test_an_error_on_its_way_stays(lib: Any, told: list[Any]) -> None:
    """The exception that drops an object is not lost to what its destructor throws, nor to what that calls."""

    def fail() -> None:
        held = lib.ns.Bad(3)
        raise KeyError(held.get())

    with pytest.raises(KeyError, match="3"):
        fail()
    gc.collect()
    assert told == [BAD]


def test_callables_that_fail_in_destructors(lib: Any, told: list[Any]) -> None:
    def fail() -> None:
        raise KeyError("called")

    made = lib.Calls(7, fail)
    del made
    gc.collect()
    assert (RuntimeError, UNKNOWN + "7", "the destructor of Calls") in told
    assert any(kind is KeyError for kind, _, _ in told)


def test_without_exceptions() -> None:
    """A library that is compiled without exceptions has objects, too."""
    source = "struct A { int n; explicit A(int i) : n(i) {} ~A() {} };"
    assert sb.compile(source, flags=["-fno-exceptions"]).A(3).n == 3


@pytest.mark.full
@pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
def test_in_compiled_code(told: list[Any]) -> None:
    numba = pytest.importorskip("numba")
    made = sb.compile(SOURCE, std="c++17", name="throwing_numba", target="numba")

    @numba.njit(nogil=True)
    def drop(n: int) -> int:
        return made.ns.Bad(n).get()

    @numba.njit
    def copy(n: int) -> int:
        return made.quiet(made.ns.Bad(n))

    @numba.njit
    def noexcept(n: int) -> Any:
        return made.plain(n)

    assert (drop(3), told) == (3, [BAD])
    with pytest.raises(ValueError, match="no copy"):
        copy(-1)
    assert noexcept(4) == (4, 2.0)
