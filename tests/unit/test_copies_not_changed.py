"""An object that Python has as a copy of what C++ keeps refuses to be changed: what was written there would be lost."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

CODE = r"""
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>
struct In { int k = 1; };
struct Dot { int x = 1; int a[2] = {1, 2}; In in; In ins[2]; void set(int v) { x = v; } int get() const { return x; } };
struct Text {
  int x = 1;
  std::string s = "a";
  Dot dot;
  void set(int v) { x = v; }
  int get() const { return x; }
};
template <class T> struct All {
  std::optional<T> maybe{T()};
  std::vector<T> list{3};
  std::map<std::string, T> map{{"a", T()}};
  std::pair<int, T> pair;
  std::tuple<T, int> tuple;
  std::variant<int, T> choice{T()};
  std::list<T> linked{2};
  std::vector<std::vector<T>> rows{{T()}};
  std::vector<std::optional<T>> perhaps{T()};
  const std::vector<T> fixed{2};
  std::vector<T>& by_reference() { return list; }
  std::vector<T>* by_pointer() { return &list; }
  std::optional<T>& optional() { return maybe; }
  std::pair<int, T>& both() { return pair; }
  std::vector<T> own() const { return list; }
  std::optional<T> own_maybe() const { return maybe; }
  T real, reals[2];
  std::vector<T*> pointers{&real};
  std::shared_ptr<T> shared = std::make_shared<T>();
  std::vector<std::shared_ptr<T>> many{shared};
  int sum() const {
    return maybe->x + list[0].x + map.at("a").x + pair.second.x + std::get<0>(tuple).x + std::get<1>(choice).x +
           linked.front().x + rows[0][0].x + perhaps[0]->x + fixed[0].x;
  }
  int real_sum() const { return real.x + reals[0].x + shared->x; }
  const All& itself() const { return *this; }
  All() {}
  All(const All&) = delete;
};
using Dots = All<Dot>;
using Texts = All<Text>;
inline std::vector<Dot> dots{2};
inline std::optional<Text> text{Text()};
inline void change(Dot& d) { d.x = 5; }
inline void change_at(Dot* d) { d->x = 5; }
inline void change_text(Text& t) { t.x = 5; }
inline int seen(const Dot& d) { return d.x; }
inline int first(const std::vector<Dot>& v) { return v.at(0).x; }
inline const char* which(Dot&) { return "mutable"; }
inline const char* which(const Dot&) { return "const"; }
"""
# Where a copy comes from.
COPIES = {
    "optional": "a.maybe", "vector": "a.list[0]", "map": "a.map['a']", "pair": "a.pair[1]", "tuple": "a.tuple[0]",
    "variant": "a.choice", "list": "a.linked[0]", "nested": "a.rows[0][0]", "optional in a vector": "a.perhaps[0]",
    "result by reference": "a.by_reference()[0]", "result by pointer": "a.by_pointer()[0]",
    "optional by reference": "a.optional()", "pair by reference": "a.both()[1]", "loop": "next(iter(a.list))",
    "of a list of one's own": "list(a.list)[0]",
}  # fmt: skip
# What is C++'s object itself, or Python's own.
OTHERS = {
    "member": "a.real", "element": "a.reals[0]", "pointer": "a.pointers[0]", "shared": "a.shared",
    "shared in a vector": "a.many[0]",
}  # fmt: skip
OWN = {
    "by value": "a.own()[0]", "optional by value": "a.own_maybe()", "copied": "copy.copy(a.list[0])",
    "deeply copied": "copy.deepcopy(a.list[0])", "of a deep copy": "copy.deepcopy(a.list)[0]",
}  # fmt: skip


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(CODE)


def reach(a: Any, code: str) -> Any:
    return eval(code, {"a": a, "copy": copy})


@pytest.mark.parametrize("cls", ["Dots", "Texts"])
@pytest.mark.parametrize("code", COPIES.values(), ids=COPIES)
def test_a_copy_is_not_changed(lib: Any, cls: str, code: str) -> None:
    a = getattr(lib, cls)()
    before, part = a.sum(), reach(a, code)
    with pytest.raises(
        AttributeError, match=r"'x' of \w+ cannot be changed. It is a copy .* copy.copy\(x\) makes"
    ):
        part.x = 5
    assert (part.x, part.get(), a.sum()) == (1, 1, before)


@pytest.mark.parametrize("cls", ["Dots", "Texts"])
@pytest.mark.parametrize("code", OTHERS.values(), ids=OTHERS)
def test_an_object_is_changed(lib: Any, cls: str, code: str) -> None:
    a = getattr(lib, cls)()
    reach(a, code).x = 5
    reach(a, code).set(reach(a, code).x + 1)
    assert a.real_sum() == 3 + 5


@pytest.mark.parametrize("cls", ["Dots", "Texts"])
@pytest.mark.parametrize("code", OWN.values(), ids=OWN)
def test_what_is_pythons_own_is_changed(lib: Any, cls: str, code: str) -> None:
    part = reach(getattr(lib, cls)(), code)
    part.x = 5
    part.set(part.get() + 1)
    assert part.x == 6


WRITES = [
    ("part.in_.k = 5", AttributeError), ("part.ins[1].k = 5", AttributeError), ("part.a[0] = 5", ValueError),
    ("part.a = (5, 5)", AttributeError), ("np.asarray(part)['x'] = 5", ValueError), ("part['x'] = 5", AttributeError),
    ("memoryview(part).cast('B')[0] = 5", TypeError), ("part.x += 5", AttributeError),
    ("lib.change(part)", sb.IntentError), ("lib.change_at(part)", sb.IntentError),
]  # fmt: skip


@pytest.mark.parametrize(("write", "error"), WRITES)
@pytest.mark.parametrize("of", ["lib.Dots().list[0]", "lib.dots[1]", "lib.Dots().maybe"])
def test_no_part_of_a_copy_is_written(lib: Any, of: str, write: str, error: type[Exception]) -> None:
    part = eval(of, {"lib": lib})
    before = bytes(part)
    with pytest.raises(error):
        exec(write, {"part": part, "lib": lib, "np": np})
    assert bytes(part) == before


@pytest.mark.parametrize(("write", "error"), [("t.s = 'b'", sb.IntentError), ("t.dot.x = 5", AttributeError),
                                              ("lib.change_text(t)", sb.IntentError)])  # fmt: skip
def test_no_part_of_a_copied_object_is_written(lib: Any, write: str, error: type[Exception]) -> None:
    t = lib.text
    with pytest.raises(error):
        exec(write, {"t": t, "lib": lib})
    assert (lib.text.s, lib.text.dot.x, lib.text.x) == ("a", 1, 1)


def test_a_struct_in_a_const_object_is_not_written(lib: Any) -> None:
    texts = lib.Texts()
    fixed = texts.itself()
    with pytest.raises(AttributeError, match="cannot be changed"):
        fixed.real.dot.x = 5
    assert texts.real.dot.x == 1
    texts.real.dot.x = 5
    assert fixed.real.dot.x == 5


def test_a_copy_is_read_passed_and_assigned(lib: Any) -> None:
    a = lib.Dots()
    part = a.list[0]
    with pytest.raises(sb.IntentError, match="It is a copy"):
        lib.which(part)  # C++ calls the one that may change it
    assert (lib.seen(part), lib.first([part]), lib.first(a.list), lib.which(a.fixed[0]), lib.which(a.real)) == (
        1, 1, 1, "const", "mutable",
    )  # fmt: skip
    mine = copy.copy(part)
    mine.x = 7
    a.list = [mine, *a.list[1:]]
    a.maybe = mine
    assert (a.list[0].x, a.maybe.x, part.x) == (7, 7, 1)
    a.real = part
    a.real.x += 1
    assert (a.real.x, part.x, part == lib.Dot()) == (2, 1, True)


SLOPPY = r"""
#include <string>
#include <vector>
struct Dot {
  int x = 1;
  int get() { return x; }
  int set(int v) { x = v; return x; }
  int both() { return 2; }
  int both() const { return 3; }
  int twice(int k) { return k * x; }
  int twice(double) { return -1; }
  Dot& self() { return *this; }
  bool operator==(const Dot& o) { return x == o.x; }
  int operator[](int i) { return x + i; }
  Dot& operator+=(int k) { x += k; return *this; }
  template <class T> T as(T t) { return x + t; }
};
struct Text : Dot { std::string s; };
struct Line { std::vector<Dot> dots{2}; std::vector<Text> texts{2}; };
"""


@pytest.mark.parametrize("of", ["dots", "texts"])
@pytest.mark.parametrize(
    ("call", "expected"),
    [("get()", 1), ("set(5)", 5), ("twice(3)", 3), ("twice(1.5)", -1), ("self().x", 1), ("as_(2)", 3)],
)
def test_a_method_that_may_only_read_is_called_and_said_to_lose_what_it_writes(
    of: str, call: str, expected: int
) -> None:
    lib = sb.compile(SLOPPY, name=f"sloppy_{of}_{call[:-1].translate({ord(c): '_' for c in '().'})}")
    line = lib.Line()
    with pytest.warns(sb.BindWarning, match=r"is not const, and its object is a copy"):
        assert eval(f"line.{of}[0].{call}", {"line": line}) == expected
    assert line.dots[0].x == line.texts[0].x == 1


@pytest.mark.parametrize("of", ["dots", "texts"])
def test_operators_on_copies(of: str) -> None:
    lib = sb.compile(SLOPPY, name=f"sloppy_{of}")  # each says it once
    line = lib.Line()
    one = getattr(line, of)[0]
    with pytest.warns(sb.BindWarning, match="is a copy"):
        assert one.both() == 2  # as C++ calls it with what it has
    with pytest.raises(sb.IntentError, match="It is a copy"):
        one += 1
    with pytest.warns(sb.BindWarning, match="is a copy"):
        assert (one == lib.Dot(), one[4]) == (True, 5)


ARRAYS = """
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>
struct P { int x; }; using A2 = std::array<P, 2>;
struct H {
  A2 a{{{1}, {1}}}; std::vector<A2> va{a}; std::map<int, A2> ma{{1, a}}; std::optional<A2> oa{a};
  std::pair<A2, int> pa{a, 1}; std::array<A2, 2> aa{{a, a}}; std::shared_ptr<A2> sa = std::make_shared<A2>(a);
  ~H() {} A2& ref() { return a; }
};
"""


def test_arrays_of_structs_lose_no_write() -> None:
    lib = sb.compile(ARRAYS)
    h = lib.H()
    h.a[0].x = h.aa[1][0].x = 9
    assert (h.a[0].x, h.aa[1][0].x) == (9, 9)
    for copy_ in (h.va[0], h.ma[1], h.oa, h.pa[0], h.sa, h.ref()):
        with pytest.raises(AttributeError, match="It is a copy of what C\\+\\+ has"):
            copy_[0].x = 9
