"""Names that Python finds otherwise than C++, or not at all: each is said, and what had the name first keeps it."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import samebytes as sb

SOURCE = """
inline int import(int a) { return a; } namespace import_ { inline int f() { return 2; } }
struct S { int pass = 2; int pass_ = 3; int is = 5;
  int lambda() { return 1; } int lambda_() { return 2; } int is_() { return 4; } };
struct zone { int a; }; inline int zone = 7;
enum __kinds { first_kind = 5, __other }; inline int __hidden() { return 1; } struct __Rec { int a; };
struct Own { int __dict__ = 3; int __init__ = 4; };
struct T { int g = 1; int __m() { return 1; } static inline int __s = 2; };
namespace __inner { inline int q() { return 1; } }
namespace vague { struct V { int a[2]; int (&many())[2] { return a; } }; inline int (&some(V& v))[2] { return v.a; } }
using Rec = __Rec; inline Rec rec() { return {6}; }
template <class T> struct Fin final { T v; T f() { return v; } T g(int) { return 1; } T g(double) { return 2; }
  template <class Q> struct In { Q q; }; };
inline Fin<int> fin() { return {3}; }
"""


@pytest.fixture(scope="module")
def said() -> tuple[Any, str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", sb.BindWarning)
        lib = sb.compile(SOURCE, name="said", flags=["-w"])
    return lib, "\n".join(str(w.message) for w in caught)


def test_fields_that_python_calls_so_have_a_name(said: tuple[Any, str]) -> None:
    own = said[0].Own()
    assert (own.__dict___, own.__init___, [*own.keys()]) == (3, 4, ["__dict___", "__init___"])


def test_clashes_are_said_and_both_work(said: tuple[Any, str]) -> None:
    lib, words = said
    assert (lib.import_.f(), lib.import__(4)) == (2, 4)
    assert "import is 'import__' in Python, where 'import_' is another name of C++" in words
    with pytest.raises(AttributeError, match="Did you mean 'import__'"):
        getattr(lib, "import")
    s = lib.S()
    assert (s.pass_, s.pass__, s.is_, s.lambda_(), s.lambda__()) == (3, 2, 5, 2, 1)
    for sentence in (
        "S::pass is 'pass__'",
        "S::lambda is 'lambda__'",
        "S::is_ has no name in Python: 'is_' is a field's",
    ):
        assert sentence in words


def test_what_is_not_bound_is_declared_where_it_is(said: tuple[Any, str]) -> None:
    lib, _ = said
    for name, owner in (("some", "vague"), ("many", "vague::V")):
        assert any(s.name.partition("(")[0] == f"{owner}::{name}" for s in lib.__skipped__)
        with pytest.raises(AttributeError, match=f"'{name}' is declared in '{owner}' and not bound"):
            getattr(lib.vague, name)


def test_a_variable_hides_a_struct_as_in_c(said: tuple[Any, str]) -> None:
    lib, _ = said
    assert lib.zone == 7
    assert lib.zone_(3).a == 3


def test_reserved_names_are_skipped_with_the_reason(said: tuple[Any, str]) -> None:
    lib, words = said
    found = {s.name for s in lib.__skipped__ if s.kind == "reserved name"}
    assert found == {"__hidden", "T::__m", "T::__s", "__inner"}
    assert "reserved" not in words  # they are for nobody, so nobody is warned
    assert "__hidden" not in words
    assert (lib.first_kind, lib.rec().a, lib.Rec(2).a) == (5, 6, 2)


def test_overloads_of_a_final_instantiation_are_those_that_cpp_chooses(said: tuple[Any, str]) -> None:
    lib, _ = said
    assert lib.fin().f() == 3
    assert type(lib.fin()).In[int](4).q == 4
    assert (lib.fin().g(1), lib.fin().g(1.5)) == (1, 2)


def test_all_that_is_exposed_is_counted(said: tuple[Any, str]) -> None:
    model = said[0].__model__
    parts = (model.functions, model.records, model.enums, model.constants, model.variables, model.aliases)
    parts = (*parts, model.templates, model.skipped)
    assert model.exposed == sum(map(len, parts))


SPACES = """
namespace from { inline int far(int x) { return x; } struct S { int n; }; inline int v = 2; }
namespace outer { namespace in { inline int far(int x) { return 2 * x; } } using in::far; }
"""


@pytest.mark.parametrize(
    "used", ["", "using from::far; using from::S; using from::v; inline int one() { return 1; }"]
)
def test_namespaces_that_python_finds_by_other_names(used: str) -> None:
    """Also where nothing stands beside them, and where a using-declaration takes names from them."""
    lib = sb.compile(SPACES + used)
    assert (lib.from_.far(3), lib.outer.in_.far(3), lib.outer.far(3)) == (3, 6, 6)
    if used:
        assert (lib.far(3), lib.S(4).n, lib.v) == (3, 4, 2)


def test_classes_that_others_hide_have_a_name_that_is_nobody_else_s() -> None:
    source = """
struct S { int v = 1; }; inline int S(int x) { return x + 1; } inline int S_(int x) { return x + 9; }
struct W { struct T { int t = 2; }; int T = 3; enum E { first }; int E = 4; int E_ = 5; };
enum level { low = 6 }; inline int level() { return 7; }
"""
    with pytest.warns(sb.BindWarning, match="S is 'S__' in Python, where 'S_' is another name of C"):
        lib = sb.compile(source)
    assert (lib.S(1), lib.S_(1), lib.S__().v) == (2, 10, 1)
    w = lib.W()
    assert (w.T, w.E, w.E_, lib.W.T_().t, lib.W.E__(0)) == (3, 4, 5, 2, 0)
    assert (lib.level(), lib.level_(6), lib.low) == (7, 6, 6)
    assert "W::E is 'E__' in Python, where 'E_' is another name of C++" in lib.__clashes__


def test_members_without_a_type_s_name_clash_with_nothing() -> None:
    lib = sb.compile("""
struct W { struct { int x = 1; } pos; int pos_ = 4; struct T { int t = 2; int g() const { return t; } }; int T = 3; };
""")
    assert lib.__clashes__ == ()
    w = lib.W()
    assert (w.pos.x, w.pos_, w.T, lib.W.T_().g()) == (1, 4, 3, 2)


def test_a_hidden_class_is_asked_about_by_its_own_name() -> None:
    """Initial values, destructors and copies are C++'s, whatever has the name of the class."""
    lib = sb.compile("""
#include <string>
struct Zero { int v = 1; int w = 2; }; inline int Zero(int x) { return x; }
struct Owner { int v = 3; std::string s = "q"; ~Owner() {} int f() const { return v; } }; int Owner = 5;
inline struct Owner made() { return {}; }
inline int look(const struct Owner& o) { return o.v; }
namespace n { struct In { int v = 4; }; inline int In() { return 6; } }
""")
    assert (lib.Zero_().v, lib.Zero_(w=7).v, lib.Zero(8)) == (1, 1, 8)
    assert (lib.Owner_().v, lib.made().s, lib.made().f(), lib.look(lib.Owner_()), lib.Owner) == (
        3,
        "q",
        3,
        3,
        5,
    )
    assert (lib.n.In_().v, lib.n.In_() == lib.n.In_(), lib.n.In()) == (4, True, 6)


RENAMED = """
namespace n {
struct Mat { int v; explicit Mat(int v) : v(v) {} ~Mat() {} };
struct _In { int k; _In(const Mat& m) : k(m.v) {} ~_In() {} int kind() const { return k; } static const int of = 3; };
typedef const _In& In; inline int read(In i) { return i.kind(); }
class _Box { public: int side = 3; _Box() {} _Box(int s); int area() const { return side * side; } };
inline _Box::_Box(int s) : side(s) {}
using Box = _Box; inline Box box() { return {}; }
struct _Plain { int a; int twice() const { return 2 * a; } _Plain(int); }; inline _Plain::_Plain(int x) : a(x) {}
inline _Plain plain(int x) { return _Plain(x); }
}
"""


@pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
def test_classes_that_a_typedef_names_for_users_are_classes_like_others() -> None:
    n: Any = sb.compile(RENAMED).n
    assert (n.read(n.Mat(4)), n.read(n._In(n.Mat(5))), n._In.of) == (4, 5, 3)
    assert (n.box().area(), n.Box(2).area(), n._Box is n.Box) == (9, 4, True)
    assert (n.plain(4).a, hasattr(n.plain(4), "twice")) == (4, False)  # nobody names it for users
