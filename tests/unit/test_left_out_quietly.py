"""What is left out without a warning: macros with parameters, names of other headers; each says why."""

import math
import warnings

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

LIBRARY = """
namespace deep {
inline int f(int x) { return x + 1; } inline int over(int) { return 1; } inline int over(double) { return 2; }
struct P { int a; }; struct Ahead { int a; }; enum class Hue : int { red };
struct Unused { int a; }; template <class T> T twice(T x) { return 2 * x; }
enum Color { red, green }; inline int counter = 3;
}
"""
HEADER = """
#include <library/deep.hpp>
#include <cmath>
namespace deep { struct Ahead; enum class Hue : int; struct P; }
namespace api { using deep::f; using deep::over; using deep::twice; using deep::counter; using deep::Unused;
  using deep::P; using std::sin; inline int of(P p) { return p.a; } }
template <class T> struct Tied { T v = 3; friend T untied(const Tied& t) { return t.v; }
  friend int also(Tied) { return 1; } friend bool operator==(const Tied& a, const Tied& b) { return a.v == b.v; } };
inline int also(int x) { return x; }
inline int of_tied(Tied<int> t) { return untied(t); }
#define SQUARE(x) ((x) * (x))
#define SQUARED SQUARE(3)
#define NAMED(x) x
inline int NAMED(NAMED)(int x) { return x; }
"""
UNEXPOSED = {"f": "deep::f", "over": "deep::over", "twice": "deep::twice", "counter": "deep::counter",
             "Unused": "deep::Unused", "sin": "std::sin"}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("headers")
    (made / "system" / "library").mkdir(parents=True)
    (made / "system" / "library" / "deep.hpp").write_text(LIBRARY)
    (made / "api.hpp").write_text(HEADER)
    return made


def bind(folder, *names):
    system = str(folder / "system")
    return sb.bind(str(folder / "api.hpp"), flags=["-isystem", system], expose=["api.hpp", *names])


@pytest.fixture(scope="module")
def lib(folder):
    with warnings.catch_warnings():
        warnings.simplefilter("error", sb.BindWarning)
        return bind(folder)


@pytest.mark.parametrize("name", UNEXPOSED)
def test_a_name_of_a_header_that_is_not_exposed(lib, folder, name):
    header = "cmath" if name == "sin" else "deep.hpp"
    with pytest.raises(
        AttributeError, match=f"{header} is not exposed: expose=..{UNEXPOSED[name]}'. names it"
    ):
        getattr(lib.api, name)


@pytest.mark.parametrize("name", ["Ahead", "Hue"])
def test_a_class_that_is_only_declared_ahead(lib, folder, name):
    with pytest.raises(AttributeError, match=f"deep.hpp is not exposed: expose=..deep::{name}'. names it"):
        getattr(lib.deep, name)
    assert getattr(bind(folder, f"deep::{name}").deep, name).__name__ == name


def test_one_that_a_signature_has_is_bound(lib):
    assert lib.deep.P(3).a == 3


def test_the_advice_is_followed(folder):
    named = bind(folder, *UNEXPOSED.values()).api
    assert (named.f(1), named.over(1.5), named.twice(4), named.counter) == (2, 2, 8, 3)
    assert (named.Unused(5).a, named.sin(1.5)) == (5, math.sin(1.5))


def test_exposing_a_using_declaration_exposes_what_it_names(tmp_path):
    """``std::sin`` is C's for double, and an overload for each other type; ``std::tm`` is C's structure."""
    (tmp_path / "api.hpp").write_text("#include <cmath>\n#include <ctime>\ninline int one() { return 1; }\n")
    std = sb.bind(tmp_path / "api.hpp", expose=["api.hpp", "std::sin", "std::tm", "std::mktime"]).std
    assert (std.sin(1.5), std.sin(1)) == (math.sin(1.5), math.sin(1.0))
    assert std.tm(tm_year=100).tm_year == 100
    assert not hasattr(std, "cos")


def test_a_friend_that_a_class_template_defines(lib):
    with pytest.raises(AttributeError, match=r"as a friend, .* a function that calls it can be bound"):
        lib.untied(lib.Tied["int"]())
    assert lib.of_tied(lib.Tied["int"]()) == lib.also(3) == 3
    assert lib.Tied["int"]() == lib.Tied["int"]()


def test_what_a_signature_has_is_bound(lib):
    assert lib.api.of(lib.api.P(4)) == 4
    assert not any(s.name == "api::P" for s in lib.__skipped__)


def test_macros_with_parameters(lib):
    with pytest.raises(
        AttributeError, match="it is a macro with parameters, which have no types: a function"
    ):
        lib.SQUARE(3)
    assert lib.SQUARED == 9
    assert lib.NAMED(3) == 3  # a function of the name is no macro to Python
    assert [s.name for s in lib.__skipped__ if s.kind == "macro with parameters"] == ["SQUARE"]


def test_all_that_is_exposed_is_counted(lib):
    model = lib.__model__
    parts = (model.functions, model.records, model.enums, model.constants, model.variables, model.aliases)
    assert model.exposed == sum(map(len, (*parts, model.templates, model.skipped)))
