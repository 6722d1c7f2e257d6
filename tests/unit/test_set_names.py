"""Setting a name of a library or a class: a variable of C++, or refused in words; nothing that C++ never reads."""

import pytest

import samebytes as sb

SOURCE = """
#include <memory>
inline int counter = 1;
const int K = 4;
namespace inner { inline double value = 1; inline void g() {} }
inline void f() {}
enum E { e1 };
template <class T> T t(T x) { return x; }
struct S { inline static int count = 1; static const int k = 3; int a = 0; static void m() {} };
struct H { ~H() {} inline static int count = 1; static const int k = 3; int a = 0; };
struct D : H { };
struct Owned { int v = 1; ~Owned() {} };
inline std::unique_ptr<Owned> owned;
inline long double wide = 2;
struct A {
  static inline std::unique_ptr<Owned> owned; static inline long double wide = 2;
  int x = 1; static int fn() { return 1; } int m() { return 2; }
};
struct P { int v, w; };
struct Q { P* p; int n; };
inline P p; inline P ps[2]; inline Q q; inline Q qs[2];
struct V { static inline P p; };
"""
REFUSED = {
    "lib.countr = 2": "has no variable 'countr'. Did you mean 'counter'?",
    "lib.other = 2": "has no variable 'other'.",
    "lib.inner.valu = 2": "'inner' has no variable 'valu'. Did you mean 'value'?",
    "lib.f = 2": "'f' of 'set_names' is bound to C++ and cannot be replaced",
    "lib.K = 2": "'K' of 'set_names' is bound to C++ and cannot be replaced",
    "lib.S = 2": "'S' of 'set_names' is bound to C++ and cannot be replaced",
    "lib.S.coun = 2": "S has no static member 'coun'. Did you mean 'count'?",
    "lib.H.coun = 2": "H has no static member 'coun'. Did you mean 'count'?",
    "lib.D.coun = 2": "D has no static member 'coun'. Did you mean 'count'?",
    "lib.S.k = 2": "S.k is const in C++",
    "lib.D.k = 2": "D.k is const in C++",
    "lib.S().b = 2": "'S' object has no attribute 'b'",
    "lib.H().b = 2": "'H' object has no attribute 'b'",
    "lib.owned = lib.Owned()": "'owned' is declared in 'set_names' and not bound: owned",
    "lib.wide = 2": "'wide' is declared in 'set_names' and not bound: wide",
    "lib.A.owned = lib.Owned()": "its objects can only be moved",
    "lib.A.wide = 5.0": "'wide' is declared in 'A' and not bound: A::wide",
    "lib.A.x = 7": "A.x is what each object has, and no variable of the class",
    "lib.A.fn = 7": "A.fn is a function or class of C++'s, and no variable of the class",
    "lib.A.m = 7": "A.m is a function or class of C++'s, and no variable of the class",
    "del lib.counter": "'counter' of 'set_names' is bound to C++ and cannot be deleted",
    "del lib.S.count": "S.count is bound to C++ and cannot be deleted",
    "del lib.H.k": "H.k is bound to C++ and cannot be deleted",
}
SET = ["lib.counter", "lib.inner.value", "lib.S.count", "lib.H.count", "lib.D.count"]


@pytest.fixture(scope="module")
def lib():
    return sb.compile(SOURCE, name="set_names")


@pytest.mark.parametrize("statement", REFUSED)
def test_a_name_that_is_no_variable(lib, statement):
    with pytest.raises(AttributeError) as raised:
        exec(statement, {"lib": lib})
    assert REFUSED[statement] in str(raised.value)


@pytest.mark.parametrize("name", SET)
def test_a_variable(lib, name):
    exec(f"{name} = 7", {"lib": lib})
    assert eval(name, {"lib": lib}) == 7


@pytest.mark.parametrize(
    ("place", "name", "value", "shown"),
    [
        ("lib", "p", "lib.P(5, 6)", "P(v=5, w=6)"),
        ("lib", "p", "(7, 8)", "P(v=7, w=8)"),
        ("lib", "p", "lib.p", "P(v=7, w=8)"),
        ("lib.V", "p", "lib.P(5, 6)", "P(v=5, w=6)"),
        ("lib", "ps", "[lib.P(5, 6), (1, 2)]", "(P(v=5, w=6), P(v=1, w=2))"),
        ("lib", "q", "lib.Q(p=None, n=3)", "Q(p=Pointer(None), n=3)"),
    ],
)
def test_a_variable_that_is_a_record(lib, place, name, value, shown):
    setattr(eval(place), name, eval(value))
    assert repr(getattr(eval(place), name)) == shown


@pytest.mark.parametrize(
    ("name", "value"), [("q", "lib.Q(p=lib.P(1, 2), n=3)"), ("qs", "[(lib.P(1, 2), 3)] * 2")]
)
def test_a_record_with_the_address_of_an_object_that_nothing_would_keep(lib, name, value):
    with pytest.raises(sb.ArgumentError, match="Nothing would keep it alive"):
        setattr(lib, name, eval(value))


def test_methods_may_be_added(lib):
    lib.S.twice = lambda self: 2 * self.a
    lib.S.double = property(lambda self: 2 * self.a)
    lib.D.made = classmethod(lambda cls: cls())
    assert (lib.S(3).twice(), lib.S(3).double, type(lib.D.made())) == (6, 6, lib.D)
    del lib.S.twice
    assert not hasattr(lib.S, "twice")


def test_a_class_of_python_s_has_values_of_its_own(lib):
    class Mine(lib.H):
        colour = "red"

    Mine.size = 3
    assert (Mine.colour, Mine.size, Mine().size) == ("red", 3, 3)
