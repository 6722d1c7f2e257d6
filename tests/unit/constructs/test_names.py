"""Names that C++ must be told exactly: specializations by their arguments, types that are closed, va_list, K&R's C."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tables import warns_at_first

import samebytes as sb

SPECIALIZED = """
#include <string>
namespace fm {
using u64 = unsigned long;
enum class kind { a, b };
struct bytes { int n; };
template <class T> struct form { T t; int get() const { return 1; } };
template <> struct form<bytes> { double x; int get() const { return 2; } static int made() { return 20; } };
template <> struct form<u64> { float x; int get() const { return 3; }
  struct inner { int y; }; inner in() const { return {7}; } };
template <kind K> struct of_kind { int z; };
template <> struct of_kind<kind::b> { double z; };
template <class T, int N> struct row { T v[N]; };
template <> struct row<bytes, 2> { int w[4]; };
template <bool B> struct flag { int no; };
template <> struct flag<true> { double yes; };
template <template <class> class F> struct meta { int n; };
template <> struct meta<form> { double n; };
inline double first(form<bytes> f) { return f.x; }
inline double second(const row<form<bytes>, 2>& r) { return r.v[1].x; }
inline form<u64> make() { return {2.5f}; }
inline double kinds(of_kind<kind::b> k, flag<true> f) { return k.z + f.yes; }
inline form<bytes>* where(form<bytes>* f) { return f; }
}
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    with warns_at_first(sb.BindWarning, match="meta"):
        return sb.compile(SPECIALIZED, name="specialized")


class TestSpecializations:
    """Clang says ``form<bytes>`` as it stands in namespace ``fm``; elsewhere nobody knows ``bytes``."""

    def test_their_arguments_are_written_out(self, lib: Any) -> None:
        names = {name for name in lib.__records__ if name.endswith(">")}
        assert names == {
            "fm::form<fm::bytes>", "fm::form<unsigned long>", "fm::of_kind<(fm::kind)1>", "fm::row<fm::bytes, 2>",
            "fm::flag<true>", "fm::row<fm::form<fm::bytes>, 2>",
        }  # fmt: skip

    def test_they_are_classes_with_methods(self, lib: Any) -> None:
        form = lib.fm.form["fm::bytes"](3.0)
        assert (form.get(), type(form).made(), lib.fm.first(form)) == (2, 20, 3.0)
        assert lib.fm.where(form) is form
        made = lib.fm.make()
        assert (made.get(), made.x, made.in_().y) == (3, 2.5, 7)
        assert type(made) is lib.fm.form["unsigned long"]

    def test_inside_one_another(self, lib: Any) -> None:
        assert lib.fm.second((((1.0,), (2.0,)),)) == 2.0

    def test_arguments_that_are_values(self, lib: Any) -> None:
        assert lib.fm.kinds((1.5,), (2.0,)) == 3.5

    def test_what_clang_does_not_tell_is_left_out(self, lib: Any) -> None:
        reason = next(s.reason for s in lib.__skipped__ if "meta" in s.name)
        assert "as only its own namespace reads them" in reason


CLOSED = """
class A { struct P { int x; }; protected: enum E { one }; public:
  P get() const { return {3}; } P* at() { return nullptr; } int take(P p) { return p.x; } E which() { return one; }
  int open() { return 1; } };
template <class T> class B { struct P { T x; }; P held; public: P get() const { return held; }
  T open() { return held.x = 2; } };
inline B<int> make() { return {}; }
"""


def test_types_that_are_not_public_leave_the_rest_alone() -> None:
    with pytest.warns(sb.BindWarning):
        lib = sb.compile(CLOSED)
    reasons = {s.name: s.reason for s in lib.__skipped__}
    assert set(reasons) == {"A::get() const", "A::at()", "A::take(P)", "A::which()", "B<int>::get() const"}
    assert all("is no public name of" in reason for reason in reasons.values())
    assert (lib.A().open(), lib.make().open()) == (1, 2)


VARIADIC = """
#include <stdarg.h>
typedef int (*handler)(void*, const char*, va_list);
typedef int plain(const char*, va_list);
static handler kept;
void set(handler h) { kept = h; }
handler get(void) { return kept; }
void take(plain* p) { }
struct S { handler h; int n; };
int with_(struct S s) { return s.n; }
int print(const char* f, va_list ap) { return 0; }
"""


@pytest.mark.parametrize("language", ["c", "c++"])
def test_functions_that_take_a_va_list_pass_by_address(language: str) -> None:
    with pytest.warns(sb.BindWarning):
        lib = sb.compile(VARIADIC, language=language)
    assert [s.name.partition("(")[0] for s in lib.__skipped__] == ["print"]
    lib.set(None)
    assert not lib.get()
    assert lib.with_((None, 3)) == 3
    with pytest.raises(sb.ArgumentError, match="va_list cannot be made from Python objects"):
        lib.set(lambda *args: 0)


def test_functions_declared_by_a_type() -> None:
    """OpenSSL declares functions by typedefs of function types."""
    lib = sb.compile(
        "typedef int op(int, int); op add; int add(int a, int b) { return a + b; }", language="c"
    )
    assert lib.add(2, 3) == 5


@pytest.mark.parametrize(("guard", "bound"), [("", False), ("#ifdef __cplusplus\n#endif\n", True)])
def test_an_empty_parameter_list_is_none_where_cxx_reads_the_header(
    tmp_path: Any, guard: str, bound: bool
) -> None:
    """HIP declares ``hipProfilerStart()``; what both languages read has no parameters in C++."""
    header = tmp_path / "start.h"
    header.write_text(
        f"{guard}static inline int start() {{ return 4; }}\nstatic inline int one(void) {{ return 1; }}\n"
    )
    if bound:
        assert sb.bind(header, language="c").start() == 4
        return
    with pytest.warns(sb.BindWarning, match="write \\(void\\)"):
        lib = sb.bind(header, language="c")
    assert not hasattr(lib, "start")


def test_names_that_python_keeps_take_nobody_elses() -> None:
    lib = sb.compile("""
        namespace k {
        template <class T> struct pass { T x; };
        struct pass_ { template <class T> struct from { T y; }; int n; };
        template <class T> T from_(T x) { return x; }
        template <class T> T from(T x) { return -x; }
        }""")
    assert lib.k.pass_(3).n == 3
    assert lib.k.pass__["int"](4).x == 4
    assert lib.k.pass_.from_["int"](5).y == 5
    assert (lib.k.from_(6), lib.k.from__(6)) == (6, -6)


HIDDEN = """
struct Tag { int v; int m() const { return v + 1; } }; inline int Tag(int a) { return a + 1; }
inline struct Tag tag() { return {3}; } inline int of_tag(const struct Tag& t) { return t.v; }
namespace n { struct U { int v; int m() const { return v; } static int s() { return 9; } }; inline int U() { return 1; }
inline int take(const struct U& u) { return u.v; } inline struct U u() { return {5}; } }
inline auto local() { struct L { int v = 3; }; return L{}; }
#ifdef __clang__
struct Parsed { int v; };
#endif
"""


@pytest.fixture(scope="module")
def hidden() -> Any:
    with warns_at_first(sb.BindWarning):
        return sb.compile(HIDDEN, name="hidden_names")


class TestHidden:
    """A function hides a class of its name, which C++ then calls ``struct Tag``; a local class has no name at all."""

    @pytest.mark.parametrize(
        ("expression", "expected"),
        [
            ("lib.Tag(3)", 4), ("lib.of_tag(lib.tag())", 3), ("lib.tag().m()", 4), ("lib.Tag_(7).v", 7),
            ("lib.n.U()", 1), ("lib.n.take(lib.n.u())", 5), ("lib.n.u().m()", 5), ("type(lib.n.u()).s()", 9),
        ],
    )  # fmt: skip
    def test_both_are_there(self, hidden: Any, expression: str, expected: int) -> None:
        assert eval(expression, {"lib": hidden}) == expected

    def test_what_is_lost_is_said_with_its_place(self, hidden: Any) -> None:
        skipped = {s.name: (s.reason, s.location.file) for s in hidden.__skipped__}
        local = "its result (L): its class is local to a function, where no other code can name it"
        unknown = "the compiler does not know it: only clang, which read the header, sees it"
        assert skipped == {"local()": (local, "source.cpp"), "Parsed": (unknown, "source.cpp")}
