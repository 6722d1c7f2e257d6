"""What a callable raises is raised by whatever let C++ call it: functions, operators, conversions, constructors."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # programs of their own

SOURCE = """
#include <functional>
#include <string>
#include <vector>
struct Plain {  // travels as its bytes
  double (*f)(double);
  double call(double x) { return f(x); }
  double operator()(double x) { return f(x); }
  double operator[](int i) { return f(i); }
  Plain operator+(double x) { f(x); return *this; }
  Plain& operator+=(double x) { f(x); return *this; }
  double operator-() { return f(1); }
  bool operator==(const Plain&) const { return f(1) > 0; }
  bool operator<(const Plain&) const { return f(1) > 0; }
  explicit operator bool() const { return f(1) > 0; }
  explicit operator double() const { return f(1); }
};
class Object {
  std::function<double(double)> f;
 public:
  std::string text;
  explicit Object(std::function<double(double)> g) : f(g) { f(0); }
  Object(const Object& other) : f(other.f) { f(3); }
  Object& operator=(const Object& other) { f = other.f; f(4); return *this; }
  double call(double x) { return f(x); }
  static double call_static(const Object& o) { return o.f(2); }
  double operator()(double x) { return f(x); }
  double operator[](int i) { return f(i); }
  double operator+(double x) { return f(x); }
  Object& operator+=(double x) { f(x); return *this; }
  double operator-() { return f(1); }
  bool operator==(const Object&) const { return f(1) > 0; }
  bool operator<(const Object&) const { return f(1) > 0; }
  explicit operator bool() const { return f(1) > 0; }
  explicit operator double() const { return f(1); }
};
struct Made { double x; Made(double (*f)(double)) : x(f(1)) {} };
struct Box { int n = 0; Object object; explicit Box(const Object& o) : object(o) {} };
inline double taken(Object o) { return 1; }
inline double taken_all(std::vector<Object> all) { return all.size(); }
inline double operator*(const Object& o, double x) { Object copy(o); return x; }
inline double operator*(double x, const Object& o) { Object copy(o); return x; }
template <class T> double each(T& t) { return t(1) + t(2); }
inline double (*function(double (*f)(double)))(double) { return f; }
"""

USES = {
    "a method": "x.call(1.0)",
    "()": "x(1.0)",
    "[]": "x[1]",
    "+": "x + 1.0",
    "+=": "x.__iadd__(1.0)",
    "-": "-x",
    "==": "x == x",
    "!=": "x != x",
    "<": "x < x",
    ">": "max(x, x)",
    "bool()": "bool(x)",
    "if": "1 if x else 2",
    "float()": "float(x)",
    "a template": "lib.each(x)",
}
OBJECTS_USES = {
    "a static method": "lib.Object.call_static(x)",
    "a free operator": "x * 1.0",
    "a free operator, reflected": "1.0 * x",
    "a copy for a parameter": "lib.taken(x)",
    "copies for a vector": "lib.taken_all([x])",
    "a copy": "lib.Object(x)",
    "a member that is copied": "lib.Box(x)",
}


class Raised(Exception):
    """What the callable raises."""


class Callable:
    """Raises from now on, once it is told so."""

    def __init__(self) -> None:
        self.raises = False

    def __call__(self, x: float) -> float:
        if self.raises:
            raise Raised
        return x


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="entries")


@pytest.mark.parametrize(
    ("cls", "use"),
    [
        *((cls, use) for cls in ("Plain", "Object") for use in USES),
        *(("Object", use) for use in OBJECTS_USES),
    ],
)
def test_what_a_callable_raises_is_raised_by_the_entry(
    lib: Any, cls: str, use: str, capfd: pytest.CaptureFixture[str]
) -> None:
    function = Callable()
    given = sb.callback(function, "double(*)(double)") if cls == "Plain" else function
    x = getattr(lib, cls)(given)
    names = {"lib": lib, "x": x}
    expression = (USES | OBJECTS_USES)[use]
    eval(expression, names)
    function.raises = True
    with pytest.raises(Raised):
        eval(expression, names)
    function.raises = False
    eval(expression, names)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("make", ["Made", "Object"])
def test_a_constructor(lib: Any, make: str) -> None:
    function = Callable()
    getattr(lib, make)(function)
    function.raises = True
    with pytest.raises(Raised):
        getattr(lib, make)(function)


def test_a_pointer_to_a_function(lib: Any) -> None:
    function = Callable()
    pointer = lib.function(sb.callback(function, "double(*)(double)"))
    assert pointer(3) == 3
    function.raises = True
    with pytest.raises(Raised):
        pointer(3)


def test_a_library_whose_signatures_say_nothing_of_callables() -> None:
    """It is loaded before there is any, and gets the address of one as a number."""
    script = '''
        import samebytes as sb
        lib = sb.compile("""
            #include <cstdint>
            static double (*kept)(double);
            void keep(std::uintptr_t address) { kept = reinterpret_cast<double (*)(double)>(address); }
            double once(double x) { return kept(x); }
            double both(double x) { return kept(x); }
            double both(double x, double y) { return kept(x + y); }
            struct Pair { double a, b; double sum(double c) const { return kept(a + b + c); }
                          Pair operator-() const { return {kept(a), kept(b)}; } };
        """, name="silent")
        class Raised(Exception): pass
        raises = False
        def function(x):
            if raises: raise Raised
            return x
        made = sb.callback(function, "double(*)(double)")
        lib.keep(int(made))
        pair = lib.Pair(1, 2)
        uses = [lambda: lib.once(1.0), lambda: lib.both(0.0, 1.0), lambda: lib.both(1.0), lambda: pair.sum(-2),
                lambda: (-pair).a]
        assert [use() for use in uses] == [1.0] * 5
        raises = True
        for use in uses:
            try: use()
            except Raised: print("raised")
    '''
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=False
    )
    assert (done.stdout.split(), done.stderr) == (["raised"] * 5, "")
