"""What a Python callable raises that C++ calls from @njit: raised where the call stands, whatever entered C++."""

from __future__ import annotations

import gc
import sys
from typing import Any

import pytest

import samebytes as sb

numba = pytest.importorskip("numba", reason="Numba is not installed")
njit = numba.njit
pytestmark = pytest.mark.full

SOURCE = """
#include <functional>
struct Plain {  // travels as its bytes
  double (*f)(double);
  double call(double x) { return f(x); }
  double quiet(double x) noexcept { return f(x); }
  double caught(double x) { try { return f(x); } catch (...) { return -1; } }
  double operator()(double x) { return f(x); }
  double operator[](int i) { return f(i); }
  Plain operator+(double x) { f(x); return *this; }
  Plain& operator+=(double x) { f(x); return *this; }
  Plain& self() { f(1); return *this; }
  double operator-() { return f(1); }
  bool operator==(const Plain&) const { return f(1) > 0; }
  bool operator<(const Plain&) const { return f(1) > 0; }
  bool operator>(const Plain&) const { return f(1) > 0; }
  explicit operator bool() const { return f(1) > 0; }
  explicit operator double() const { return f(1); }
};
inline int& alive() { static int n = 0; return n; }
inline int count() { return alive(); }
class Object {
  std::function<double(double)> f;
 public:
  explicit Object(std::function<double(double)> g) : f(g) { ++alive(); }
  Object(const Object& other) : f(other.f) { f(3); ++alive(); }
  ~Object() { --alive(); }
  double call(double x) { return f(x); }
  double quiet(double x) noexcept { return f(x); }
  double caught(double x) { try { return f(x); } catch (...) { return -1; } }
  static double call_static(const Object& o) { return o.f(2); }
  double operator()(double x) { return f(x); }
  double operator[](int i) { return f(i); }
  double operator+(double x) { return f(x); }
  Object& operator+=(double x) { f(x); return *this; }
  Object& self() { f(1); return *this; }
  Object made() noexcept(false) { try { f(1); } catch (...) {} return Object([](double x) { return x; }); }
  double operator-() { return f(1); }
  bool operator==(const Object&) const { return f(1) > 0; }
  bool operator<(const Object&) const { return f(1) > 0; }
  bool operator>(const Object&) const { return f(1) > 0; }
  explicit operator bool() const { return f(1) > 0; }
  explicit operator double() const { return f(1); }
};
struct Box { double x; explicit Box(Object& o) : x(o(1)) {} };
struct Crate { Object held; explicit Crate(const Object& o) : held(o) {} };
inline double taken(Object o) { return 1; }
inline double operator*(const Object& o, double x) { Object copy(o); return x; }
inline bool more(const Object& o, double& out) { out = 3; const_cast<Object&>(o)(1); return true; }
"""
USES = {
    "a method": "return x.call(1.0)",
    "a method that throws nothing": "return x.quiet(1.0)",
    "C++ that catches": "return x.caught(1.0)",
    "()": "return x(1.0)",
    "[]": "return x[1]",
    "+": "y = x + 1.0\nreturn 1",
    "+=": "x += 1.0\nreturn 1",
    "-": "return -x",
    "==": "return x == x",
    "!=": "return x != x",
    "<": "return x < x",
    ">": "return x > x",
    "bool()": "return bool(x)",
    "if": "return 1 if x else 2",
    "float()": "return float(x)",
    "a reference": "x.self()\nreturn 1",
}
OBJECTS_USES = {
    "a static method": "return lib.Object.call_static(x)",
    "a free operator": "return x * 1.0",
    "a copy for a parameter": "return lib.taken(x)",
    "a constructor": "return lib.Box(x).x",
    "a member that is copied": "lib.Crate(x)\nreturn 1",
    "a result that C++ makes all the same": "x.made()\nreturn 1",
    "an output": "return lib.more(x)",
}
CASES = [*(("Plain", use) for use in USES), *(("Object", use) for use in (*USES, *OBJECTS_USES))]


class Raised(Exception):
    """What the callable raises."""


class Callable:
    """Raises from now on, once it is told so."""

    def __init__(self) -> None:
        self.raises = False

    def __call__(self, x: float) -> float:
        if self.raises:
            raise Raised(x)
        return x


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, target="numba", name="callables", arg_intent={"more": {"out": "out_return"}})


def given(lib: Any, cls: str) -> tuple[Callable, Any]:
    function = Callable()
    taken = sb.callback(function, "double(*)(double)") if cls == "Plain" else function
    return function, getattr(lib, cls)(taken)


def compiled(lib: Any, body: str, **options: Any) -> Any:
    text = "def use(x):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    scope: dict[str, Any] = {"lib": lib}
    exec(text, scope)
    return njit(**options)(scope["use"])


@pytest.mark.parametrize(("cls", "use"), CASES)
def test_it_is_raised_by_the_entry(lib: Any, cls: str, use: str, capfd: pytest.CaptureFixture[str]) -> None:
    function, x = given(lib, cls)
    body = (USES | OBJECTS_USES)[use]
    call = compiled(lib, body)
    call(x)
    gc.collect()
    before = lib.count()
    function.raises = True
    for _ in range(3):
        with pytest.raises(Raised) as raised:
            call(x)
        assert type(raised.value) is Raised
    function.raises = False
    call(x)
    gc.collect()
    assert lib.count() == before
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("cls", ["Plain", "Object"])
def test_try_catches_it_and_nothing_is_left(lib: Any, cls: str, capfd: pytest.CaptureFixture[str]) -> None:
    function, x = given(lib, cls)
    here = compiled(lib, "try:\n    return x.call(1.0)\nexcept Exception:\n    return -1.0")
    inner = compiled(lib, "return x.call(1.0)")

    @njit
    def outer(x: Any) -> float:
        try:
            return inner(x)
        except Exception:
            return -2.0

    assert (here(x), outer(x)) == (1, 1)
    function.raises = True
    assert (here(x), outer(x)) == (-1, -2)
    function.raises = False
    assert (here(x), outer(x), inner(x)) == (1, 1, 1)
    assert capfd.readouterr().err == ""


def test_code_behind_does_not_run(lib: Any) -> None:
    function, x = given(lib, "Object")
    import numpy as np

    @njit
    def use(x: Any, out: Any) -> None:
        for i in range(10):
            out[i] = x.call(1.0 * i)

    out = np.full(10, -1.0)
    function.raises = True
    with pytest.raises(Raised, match=r"0\.0"):
        use(x, out)
    assert out.tolist() == [-1.0] * 10


def test_without_the_gil_and_with_notes(lib: Any) -> None:
    function, x = given(lib, "Object")
    function.raises = True
    call = compiled(lib, "return x.call(1.0)", nogil=True)
    with pytest.raises(Raised) as raised:
        call(x)
    error = raised.value
    assert error.args == (1.0,)
    assert error.__traceback__ is not None
    del raised
    gc.collect()
    assert sys.getrefcount(error) == 2


def test_a_call_inside_of_a_call(lib: Any) -> None:
    """Host code calls C++, that Python, that @njit, that C++, that a callable: each raises where it stands."""
    function, x = given(lib, "Object")
    call = compiled(lib, "return x.call(1.0)")
    seen: list[str] = []

    def between(value: float) -> float:
        try:
            return float(call(x))
        except Raised:
            seen.append("raised")
            return 4.0

    outer = lib.Object(between)
    assert outer.call(2.0) == 1.0
    function.raises = True
    assert outer.call(2.0) == 4.0
    assert seen == ["raised"]
