"""What bound functions are called, where they say they are, and that they are found there again."""

import inspect
import pickle

import pytest

import samebytes as sb

SOURCE = """
int f(int x) { return x; }
namespace ns {
int g(int x) { return x; }
namespace inner { int h(int x) { return x; } }
struct T {
  int b;
  int m(int x) const { return b + x; }
  static int s(int x) { return x; }
  bool operator==(const T& o) const { return b == o.b; }
  int operator[](int i) const { return b + i; }
  struct Nested {
    int n;
    int get() const { return n; }
    static int st() { return 1; }
    int operator[](int i) const { return n + i; }
  };
};
template <class U> struct V { U a; U get() const { return a; } static int st(int x) { return x; } };
template <class U> U twice(U x) { return 2 * x; }
}
using W = ns::V<ns::T>;
inline W make() { return {}; }
"""

# A function, its name, where it is (None: in the library), and its parameters.
NAMES = [
    ("lib.f", "f", None, "(x)"),
    ("lib.ns.g", "g", "ns", "(x)"),
    ("lib.ns.inner.h", "h", "ns.inner", "(x)"),
    ("lib.ns.T.m", "m", "T", "(self, /, x)"),
    ("lib.ns.T.s", "s", "T", "(x)"),
    ("lib.ns.T.__eq__", "__eq__", "T", "(self, /, o)"),
    ("lib.ns.T.__getitem__", "__getitem__", "T", "(self, /, i)"),
    ("lib.ns.T.Nested.get", "get", "T.Nested", "(self, /)"),
    ("lib.ns.T.Nested.st", "st", "T.Nested", "()"),
    ("lib.ns.T.Nested.__getitem__", "__getitem__", "T.Nested", "(self, /, i)"),
    ("lib.W.get", "get", "V<ns::T>", "(self, /)"),
    ("lib.W.st", "st", "V<ns::T>", "(x)"),
    ("lib.ns.twice['int']", "twice", "ns", "(x)"),
]


@pytest.fixture(scope="module")
def lib():
    return sb.compile(SOURCE)


@pytest.mark.parametrize(("expression", "name", "place", "parameters"), NAMES)
def test_names(lib, expression, name, place, parameters):
    function = eval(expression, {"lib": lib})
    assert (function.__name__, function.__module__) == (name, lib.__name__)
    assert function.__qualname__ == f"{place or lib.__name__}.{name}"
    assert str(inspect.signature(function)) == parameters
    if not name.startswith("__"):
        assert pickle.loads(pickle.dumps(function)) is function


def test_bound_methods_are_named_as_their_functions(lib):
    assert lib.ns.T(b=1).m.__qualname__ == "T.m"
    assert repr(lib.ns.T(b=1).m) == "<bound method T.m of T(b=1)>"


def test_reprs_say_where_a_function_is(lib):
    assert repr(lib.f).startswith(f"<built-in method f of {lib.__name__} object at 0x")
    assert repr(lib.ns.g).startswith("<built-in method g of ns object at 0x")
    assert repr(lib.ns.T.m) == f"<method m of {lib.__name__}>"


def test_operators_are_not_pickled(lib):
    """C++'s operator may be several functions; an object of the class has them."""
    with pytest.raises(TypeError, match="function __eq__ cannot be pickled"):
        pickle.dumps(lib.ns.T.__eq__)


def test_functions_of_a_namespace_share_a_class(lib):
    assert type(lib.ns.T.m.__plan__) is type(lib.ns.T.s.__self__)
    assert type(lib.f.__self__) is not type(lib.ns.g.__self__)


def test_functions_that_nobody_named_are_among_the_variables_of_a_library() -> None:
    names = dict(vars(sb.compile("int one() { return 1; } namespace n { int two() { return 2; } }")))
    assert (names["one"](), vars(names["n"])["two"]()) == (1, 2)
