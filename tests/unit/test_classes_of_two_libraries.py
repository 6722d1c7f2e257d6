"""Objects of another library's class of the same name: taken in every form where the classes are one, else in none."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from tests.tables import each

import samebytes as sb
from samebytes.layouts.namesakes import class_difference
from samebytes.types import SCALARS, Base, Extent, Field, Handle, Struct

pytestmark = pytest.mark.full  # it builds a library for each class

# A class of plain bytes, and one whose objects C++ copies and ends by code; each has a private member.
_BEFORE = """
struct Inner { int a = 1; };
struct Far { int a = 1; };
enum Level : int { low = 1, high = 2 };
struct Base { int b = 5; };
"""
PLAIN = """
class Rec : public Base {
 public:
  int x = 1; double y = 2; Inner inner; Level level = low; Far* far = nullptr; int few : 3, more : 5; int row[3] = {};
  int value() const { return x + z; }
  Rec() : few(1), more(2) {}
 private:
  int z = 40;
};
"""
OBJECT = """
#include <string>
class Rec : public Base {
 public:
  int x = 1; double y = 2; Inner inner; Level level = low; Far* far = nullptr; int few : 3, more : 5; int row[3] = {};
  int value() const { return x + z; }
  Rec() : few(1), more(2) {}
  virtual ~Rec() {}
  virtual int first(int n) const { return n; }
  virtual int second(int n) const { return 2 * n; }
 private:
  int z = 40; std::string name = "rec";
};
"""
_FORMS = """
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>
inline int of(const Rec& r) { return r.value(); }
inline int by_value(Rec r) { return of(r); }
inline int by_pointer(Rec* r) { return of(*r); }
inline int by_const_pointer(const Rec* r) { return of(*r); }
inline int by_reference(Rec& r) { return of(r); }
inline int by_const_reference(const Rec& r) { return of(r); }
inline int by_rvalue(Rec&& r) { return of(r); }
inline int by_shared(std::shared_ptr<Rec> r) { return of(*r); }
inline int by_unique(std::unique_ptr<Rec> r) { return of(*r); }
inline int by_vector(const std::vector<Rec>& r) { return of(r.at(0)); }
inline int by_pointers(const std::vector<const Rec*>& r) { return of(*r.at(0)); }
inline int by_shared_pointers(const std::vector<std::shared_ptr<Rec>>& r) { return of(*r.at(0)); }
inline int by_deque(std::deque<Rec> r) { return of(r.at(0)); }
inline int by_array(const std::array<Rec, 1>& r) { return of(r[0]); }
inline int by_map(const std::map<std::string, Rec>& r) { return of(r.at("a")); }
inline int by_optional(std::optional<Rec> r) { return of(*r); }
inline int by_optional_pointer(std::optional<Rec*> r) { return of(**r); }
inline int by_nested(const std::vector<std::map<int, std::pair<Rec, int>>>& r) { return of(r[0].at(1).first); }
inline int by_pair(const std::pair<int, Rec>& r) { return of(r.second); }
inline int by_tuple(std::tuple<int, Rec> r) { return of(std::get<1>(r)); }
inline int by_variant(const std::variant<int, Rec>& r) { return of(std::get<1>(r)); }
inline int by_wrapper(std::reference_wrapper<const Rec> r) { return of(r); }
inline int by_base(const Base& b) { return b.b + 36; }
struct Holder {
  Holder() {}
  explicit Holder(const Rec& r) : value(r) {}
  Rec value; const Rec* pointer = nullptr; std::vector<Rec> all; std::shared_ptr<Rec> shared;
  int held() const { return of(value); }
  int pointed() const { return of(*pointer); }
  int first() const { return of(all.at(0)); }
  int common() const { return of(*shared); }
  int take(const Rec& r) { return of(r); }
};
struct Boxed { Boxed(const Rec& r) : n(of(r)) {} int n; };
inline int implicitly(Boxed b) { return b.n; }
inline int called(const std::function<Rec()>& f) { return of(f()); }
inline int called_for_pointer(const std::function<const Rec*()>& f) { auto p = f(); return p ? of(*p) : -1; }
inline int called_for_shared(const std::function<std::shared_ptr<Rec>()>& f) { auto p = f(); return p ? of(*p) : -1; }
inline std::function<int(const Rec&)> callable() { return [](const Rec& r) { return of(r); }; }
inline std::function<int(Rec)> callable_by_value() { return [](Rec r) { return of(r); }; }
struct Source {
  virtual ~Source() {}
  virtual Rec give() const { return Rec(); }
  virtual int take(const Rec& r) const { return of(r); }
};
inline int given(const Source& s) { return of(s.give()); }
template <class T> int deduced(const T& r) { return of(r); }
template <class T> struct Of { int take(const T& r) const { return of(r); } T value; };
using OfRec = Of<Rec>;
inline int operator+(const Rec& a, int b) { return of(a) + b; }
inline int operator-(const Rec& a, const Rec& b) { return of(a) - of(b); }
inline Rec variable;
inline int in_variable() { return of(variable); }
inline int overloaded(const Rec& r) { return of(r); }
inline int overloaded(const std::string&) { return -1; }
"""
_UNION = """
union Either { int n; Rec rec; Either() : n(0) {} };
inline int in_union(const Either& e) { return of(e.rec); }
"""

Form = Callable[[Any, Any], Any]


def _set(owner: Any, name: str, value: Any, then: str) -> Any:
    setattr(owner, name, value)
    return getattr(owner, then)()


def _source(lib: Any, obj: Any) -> Any:
    class Mine(lib.Source):  # type: ignore[misc, name-defined]
        def give(self) -> Any:
            return obj

    return lib.given(Mine())


def _union(lib: Any, obj: Any) -> Any:
    made = lib.Either()
    made.rec = obj
    return lib.in_union(made)


def _derived(lib: Any, obj: Any) -> Any:
    class Mine(type(obj)):  # type: ignore[misc]
        pass

    return lib.by_const_reference(Mine())


def _by_name(names: str, form: Callable[[Any, Any], Any]) -> dict[str, Form]:
    def called(name: str) -> Form:
        return lambda lib, r: form(getattr(lib, name), r)

    return {name: called(name) for name in names.split()}


FORMS: dict[str, Form] = {
    **_by_name("by_value by_pointer by_const_pointer by_reference by_const_reference", lambda f, r: f(r)),
    **_by_name(
        "by_rvalue by_shared by_optional by_optional_pointer by_variant by_wrapper", lambda f, r: f(r)
    ),
    **_by_name("implicitly deduced overloaded", lambda f, r: f(r)),
    **_by_name("by_vector by_pointers by_shared_pointers by_deque by_array", lambda f, r: f([r])),
    "by_map": lambda lib, r: lib.by_map({"a": r}),
    "by_pair": lambda lib, r: lib.by_pair((1, r)),
    "by_tuple": lambda lib, r: lib.by_tuple((1, r)),
    "by keyword": lambda lib, r: lib.by_value(r=r),
    "nested": lambda lib, r: lib.by_nested([{1: (r, 1)}]),
    "constructor": lambda lib, r: lib.Holder(r).held(),
    "pointer field": lambda lib, r: _set(lib.Holder(), "pointer", r, "pointed"),
    "field of a list": lambda lib, r: _set(lib.Holder(), "all", [r], "first"),
    "shared field": lambda lib, r: _set(lib.Holder(), "shared", r, "common"),
    "method": lambda lib, r: lib.Holder().take(r),
    "copy": lambda lib, r: lib.Rec(r).value(),
    "result of a callable": lambda lib, r: lib.called(lambda: r),
    "pointer of a callable": lambda lib, r: lib.called_for_pointer(lambda: r),
    "shared by a callable": lambda lib, r: lib.called_for_shared(lambda: r),
    "argument of a callable": lambda lib, r: lib.callable()(r),
    "value for a callable": lambda lib, r: lib.callable_by_value()(r),
    "virtual result": _source,
    "virtual argument": lambda lib, r: lib.Source().take(r),
    "class template": lambda lib, r: lib.OfRec().take(r),
    "operator": lambda lib, r: lib.Rec() - r,
    "a class of Python's": _derived,
}
# C++ alone assigns and copies objects that are no bytes, and takes over those alone that its own library made.
PLAIN_FORMS: dict[str, Form] = {
    **_by_name("by_unique", lambda f, r: f(r)),
    **_by_name("by_const_pointer", lambda f, r: f([r])),
    "field": lambda lib, r: _set(lib.Holder(), "value", r, "held"),
    "variable": lambda lib, r: _set(lib, "variable", r, "in_variable"),
    "union": _union,
}

# What changes a class, by its name: the text, and what stands there instead.
CHANGED = {
    "a member's type": ("int x = 1;", "float x = 1;"),
    "a member's sign": ("int x = 1;", "unsigned x = 1;"),
    "a member's name": ("double y = 2;", "double w = 2;"),
    "the order": ("int x = 1; double y = 2;", "double y = 2; int x = 1;"),
    "one more member": ("int x = 1;", "int x = 1; int also = 0;"),
    "one less member": ("double y = 2;", ""),
    "a private member's type": ("int z = 40;", "float z = 40;"),
    "a private member's name": ("int z = 40;", "int a = 0, z = 40;"),
    "the alignment": ("class Rec :", "class alignas(32) Rec :"),
    "an array's length": ("int row[3] = {};", "int row[4] = {};"),
    "bit-fields": ("int few : 3, more : 5;", "int few : 4, more : 4;"),
    "no base": (": public Base", ""),
    "another base": ("struct Base { int b = 5; };", "struct Base { float b = 5; };"),
    "one more base": (": public Base", ": public Base, public Far"),
    "a virtual base": (": public Base", ": public virtual Base"),
    "a member's class": ("struct Inner { int a = 1; };", "struct Inner { float a = 1; };"),
    "a class behind a pointer": ("struct Far { int a = 1; };", "struct Far { int a = 1, b = 2; };"),
    "an enumeration": ("low = 1, high = 2", "low = 2, high = 1"),
    "an enumeration's type": ("enum Level : int {", "enum Level : unsigned {"),
    "a pointer": ("Far* far", "Inner* far"),
    "const": ("int x = 1;", "const int x = 1;"),
}
CHANGED_OBJECT = {
    "one more virtual function": (
        "virtual int first",
        "virtual int zeroth() const { return 0; } virtual int first",
    ),
    "the order of virtual functions": (
        "virtual int first(int n) const { return n; }\n  virtual int second(int n) const { return 2 * n; }",
        "virtual int second(int n) const { return 2 * n; }\n  virtual int first(int n) const { return n; }",
    ),
    "a virtual function's type": ("virtual int first(int n)", "virtual int first(long n)"),
    "a virtual function's result": ("virtual int first(int n)", "virtual long first(int n)"),
    "no virtual destructor": ("virtual ~Rec() {}", "~Rec() {}"),
    "no virtual function": ("virtual int second", "int second"),
    "a private text": ('std::string name = "rec"', 'std::wstring name = L"rec"'),
    "no private text": ('std::string name = "rec";', "char name[32] = {};"),
}
# What leaves it as it is.
SAME = {
    "all alike": ("", ""),
    "a comment": ("int x = 1;", "int /* counts */ x = 1;  // a comment\n"),
    "one more function": (
        "int value() const",
        "int twice() const { return 2 * x; }\n  static int none() { return 0; }\n  int value() const",
    ),
    "a typedef": ("int x = 1;", "using number = int; number x = 1;"),
    "a static member": ("int x = 1;", "static constexpr int most = 3; int x = 1;"),
    "what is only declared": ("struct Far { int a = 1; };", "struct Far;"),
}


def _forms_of(text: str) -> list[tuple[str, Form]]:
    return [*FORMS.items(), *(PLAIN_FORMS.items() if text == PLAIN else ())]


@cache
def _forms(text: str) -> Any:
    """The library that takes the objects."""
    more = _UNION if text == PLAIN else ""
    return sb.compile(_BEFORE + text + _FORMS + more, std="c++17")


def _objects(text: str, old: str, new: str) -> Any:
    whole = _BEFORE + text
    assert old in whole
    return sb.compile(whole.replace(old, new, 1) + "inline int unit() { return 0; }\n", std="c++17")


# A library of each: members of objects are compared as those of plain bytes are, so that each third shows it.
PAIRS = [
    *((PLAIN, name, *change) for name, change in CHANGED.items()),
    *((OBJECT, name, *change) for name, change in [*CHANGED.items()][::3]),
    *((OBJECT, name, *change) for name, change in CHANGED_OBJECT.items()),
]


@each("text, name, old, new", PAIRS)
def test_another_class_is_taken_in_no_form(text: str, name: str, old: str, new: str) -> None:
    other, lib = _objects(text, old, new), _forms(text)
    for form, use in _forms_of(text):
        with pytest.raises(sb.Error) as caught:
            use(lib, other.Rec())
        assert "is named Rec, too, but it is another library's: " in str(caught.value), (
            f"{form}: {caught.value}"
        )


@each(
    "text, name, old, new", [(text, name, *same) for text in (PLAIN, OBJECT) for name, same in SAME.items()]
)
def test_the_same_class_is_taken_in_every_form(text: str, name: str, old: str, new: str) -> None:
    other, lib = _objects(text, old, new), _forms(text)
    for form, use in _forms_of(text):
        assert use(lib, other.Rec()) == (0 if form == "operator" else 41), form
    assert lib.by_base(other.Rec()) == 41


def test_a_base_is_compared_like_any_class() -> None:
    other = _objects(PLAIN, "struct Base { int b = 5; };", "struct Base { float b = 5; };")
    with pytest.raises(
        sb.ArgumentError, match="Its base is named Base, too, but it is another library's: its b is"
    ):
        _forms(PLAIN).by_base(other.Rec())


def test_an_object_that_cannot_be_taken_over_says_why() -> None:
    other, lib = _objects(OBJECT, "", ""), _forms(OBJECT)
    with pytest.raises(
        sb.IntentError, match=r"inside of Python's object: Rec\(x\), a copy, can be taken over"
    ):
        lib.by_unique(other.Rec())
    assert lib.by_unique(lib.Rec(other.Rec())) == 41


def test_a_list_of_objects_is_no_array() -> None:
    lib = _forms(OBJECT)
    with pytest.raises(sb.ArgumentError, match="Python makes no array of them: pass one"):
        lib.by_const_pointer([lib.Rec()])


@each("z", ["int", "float"])
def test_objects_of_packages(z: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder, name = tmp_path_factory.mktemp("packages"), f"rec_of_{z}"
    text = _BEFORE + OBJECT.replace("int z = 40;", f"{z} z = 40;")
    (folder / "rec.hpp").write_text(f"#pragma once\n{text}\ninline int unit() {{ return 0; }}\n")
    command = [sys.executable, "-m", "samebytes", "bind", str(folder / "rec.hpp"), "--name", name]
    subprocess.run([*command, "-o", str(folder)], check=True, capture_output=True)
    sys.path.insert(0, str(folder))
    try:
        package, lib = importlib.import_module(name), _forms(OBJECT)
    finally:
        sys.path.remove(str(folder))
    if z == "int":
        assert (lib.by_pointer(package.Rec()), lib.by_vector([package.Rec()])) == (41, 41)
        return
    for take in (lib.by_pointer, lib.by_value, lib.by_shared):
        with pytest.raises(sb.ArgumentError, match="another library's: its z is float"):
            take(package.Rec())


_X = Field("x", SCALARS["int32"], 0)
_KNOWN = {"fixed": Extent(8, 4), "spelling": "Rec"}
_TWO = Struct("Rec", (_X, Field("y", SCALARS["int32"], 4)), **_KNOWN)


@each(
    "got, words",
    [
        (replace(_TWO), ""),
        (
            replace(_TWO, fields=(_X, Field("y", SCALARS["float32"], 4))),
            "its y is float32 at byte 4, expected int32",
        ),
        (replace(_TWO, fields=(_X,)), "it has no y (int32 at byte 4)"),
        (
            replace(_TWO, fields=(*_TWO.fields, Field("z", SCALARS["int8"], 8))),
            "it also has z (int8 at byte 8)",
        ),
        (replace(_TWO, fixed=Extent(16, 4)), "its size is 16 B, expected 8 B"),
        (replace(_TWO, fixed=Extent(8, 8)), "its alignment is 8 B, expected 4 B"),
        (replace(_TWO, bases=(Base("Other", 0),)), "it also has base Other (at byte 0)"),
        (Handle("Rec", _TWO.fields, **_KNOWN), "C++ copies or ends its objects by code of its own"),
    ],
)
def test_what_is_compared_of_packages_that_say_no_more(got: Struct, words: str) -> None:
    """Those that an earlier samebytes wrote know their fields alone."""
    assert class_difference(_TWO, got).startswith(words)
    assert bool(class_difference(_TWO, got)) == bool(words)


_COMPILED = """
inline int by_value(Rec r) { return r.value(); }
inline int by_pointer(Rec* r) { return r->value(); }
inline int by_const_pointer(const Rec* r) { return r->value(); }
inline int by_reference(Rec& r) { return r.value(); }
inline int by_const_reference(const Rec& r) { return r.value(); }
"""


@each("text", [PLAIN, OBJECT])
def test_compiled_code_compares_too(text: str) -> None:
    numba = pytest.importorskip("numba")
    lib = sb.compile(_BEFORE + text + _COMPILED, target="numba")
    same = sb.compile(_BEFORE + text + "inline int unit() { return 0; }", target="numba")
    changed = text.replace("int z = 40;", "float z = 40;")
    other = sb.compile(_BEFORE + changed + "inline int unit() { return 0; }", target="numba")
    for name in ("by_value", "by_pointer", "by_const_pointer", "by_reference", "by_const_reference"):
        function = getattr(lib, name)

        @numba.njit
        def call(rec: Any, function: Any = function) -> Any:
            return function(rec)

        assert (call(lib.Rec()), call(same.Rec())) == (41, 41)
        with pytest.raises(
            numba.TypingError, match="is named Rec, too, but it is another library's: its z is float"
        ):
            call(other.Rec())


_NODES = "struct Node {{ {} Node* next; int v; }};\nstruct B;\nstruct A {{ B* b; int n; }};\nstruct B {{ A* a; {} }};\n"
_TAKE = """
inline int second(const Node* n) { return n->next ? n->next->v : -1; }
inline int of_a(const A& a) { return a.n; }
inline int of_b(B* b) { return b->a ? b->a->n : -1; }
"""


def test_classes_that_point_to_each_other() -> None:
    text = _NODES.format("", "int m;")
    lib, same = sb.compile(text + _TAKE), sb.compile(text)
    first, second = lib.Node(v=1), same.Node(v=2)
    first.next = second
    assert lib.second(first) == 2
    held = lib.A(n=3)
    assert (lib.of_a(same.A(n=4)), lib.of_b(same.B(a=same.A(n=5))), lib.of_b(lib.B(a=held))) == (4, 5, 3)
    other = sb.compile(_NODES.format("int before;", "float m;"))
    node = other.Node(v=2)
    for use in (
        lambda: setattr(first, "next", node),
        lambda: lib.Node(next=node),
        lambda: lib.second(node),
        lambda: lib.of_a(other.A(n=4)),
        lambda: lib.of_b(other.B()),
        lambda: setattr(held, "b", other.B()),
    ):
        with pytest.raises(sb.Error, match="too, but it is another library's: "):
            use()


NESTED = """
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>
struct Other {{ {} }};
template <class T> struct Ref {{ T* t = nullptr; }};
struct S0 {{ std::map<std::string, std::optional<Other>> v; int k = 1; }};
struct S1 {{ std::vector<std::pair<int, Other>> v; int k = 2; }};
struct S2 {{ std::vector<std::vector<Other*>> v; int k = 3; }};
struct S3 {{ Ref<Ref<Other>> v; }};
struct S4 {{ std::vector<std::unique_ptr<Other>> v; int k = 5; }};
struct S5 {{ std::vector<std::function<Other()>> v; int k = 6; }};
inline int r0(const S0& s) {{ return 1; }} inline int r1(const S1& s) {{ return 1; }}
inline int r2(const S2& s) {{ return 1; }} inline int r3(const S3& s) {{ return 1; }}
inline int r4(const S4& s) {{ return 1; }} inline int r5(const S5& s) {{ return 1; }}
"""


def test_what_nested_templates_lead_to_is_compared() -> None:
    one, same, other = (sb.compile(NESTED.format(f) + end) for f, end in (
        ("int a; int b;", ""), ("int a; int b;", "inline int more() { return 1; }"), ("int b; int a;", ""),
    ))  # fmt: skip
    for n in range(6):
        given = getattr(one, f"S{n}")()
        assert getattr(same, f"r{n}")(given) == 1
        with pytest.raises(sb.ArgumentError, match="another library's"):
            getattr(other, f"r{n}")(given)


def test_a_class_of_another_library_is_no_argument_of_a_template() -> None:
    one = sb.compile("struct Big { int x; }; struct Same { int x; };")
    other = sb.compile(
        "struct Big { int x, y, z; }; struct Same { int x; };"
        "template <class T> int size() { return sizeof(T); } template <class T> struct Box { T t; };"
        "namespace n { template <class T> int inner() { return sizeof(T); } }"
        "struct Host { template <class T> int member() { return sizeof(T); } };"
    )
    templates = (other.size, other.Box, other.n.inner, other.Host().member)
    for template in templates:
        with pytest.raises(
            sb.ArgumentError, match="named Big, too, but it is another library's: it has no y"
        ):
            template[one.Big]
    assert (other.size[other.Big](), other.size[one.Same](), other.n.inner[other.Big]()) == (12, 4, 12)
