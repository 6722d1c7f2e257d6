"""Pointers to objects in containers, fields, variables and arrays: they are the objects."""

from __future__ import annotations

import gc
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

CODE = r"""
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

struct Plain {
  int x = 1;
  Plain* next = nullptr;
  const Plain* seen = nullptr;
  Plain* two[2] = {nullptr, nullptr};
  void* any = nullptr;
};
struct Base { int b = 3; Base* parent = nullptr; virtual ~Base() {} virtual int id() { return 1; } };
struct Derived : Base { int id() override { return 2; } };
struct Scene {
  std::unique_ptr<Base> one{new Derived}, other{new Base};
  Plain plain;
  std::vector<Base*> list{one.get(), other.get(), nullptr};
  std::map<std::string, Base*> map{{"a", one.get()}};
  std::map<Base*, int> keys{{one.get(), 1}};
  std::set<Base*> set{one.get()};
  std::vector<std::vector<Base*>> nested{{one.get()}};
  std::optional<Base*> maybe{one.get()};
  std::variant<int, Base*> choice{one.get()};
  std::vector<const Base*> constant{one.get()};
  std::vector<Plain*> plains{&plain};
  std::vector<const Plain*> constant_plains{&plain};
  Base* pointer = one.get();
  const Base* constant_pointer = one.get();
  Base* null = nullptr;
  Base* array[2][1] = {{nullptr}, {other.get()}};
  std::array<Base*, 2> standard_array{{one.get(), nullptr}};
  std::vector<Base*> copied() const { return list; }
  const std::vector<Base*>& referred() const { return list; }
  std::vector<Base*>* pointed() { return &list; }
  std::pair<Base*, int> paired() { return {one.get(), 7}; }
  static inline int ended = 0;
  ~Scene() { ++ended; }
};
inline Derived hidden;
inline Plain hidden_plain;
inline Base* variable = &hidden;
inline Base* nothing = nullptr;
inline const Base* constant_variable = &hidden;
inline Plain* plain_variable = &hidden_plain;
inline Base* variables[2] = {&hidden, nullptr};
inline std::vector<Base*> variable_list{&hidden};
inline int ids(const std::vector<Base*>& all) {
  int n = 0;
  for (auto* b : all) n = 10 * n + (b ? b->id() : 0);
  return n;
}
using Told = void(std::vector<Base*>, const std::map<std::string, Base*>&, std::pair<Base*, int>, std::optional<Base*>);
inline void tell(Scene& s, std::function<Told> f) { f(s.list, s.map, s.paired(), s.maybe); }
struct Watcher {
  virtual ~Watcher() {}
  virtual void see(const std::vector<Base*>& all, std::vector<Watcher*> others) = 0;
};
inline void watch(const Scene& s, Watcher& w) { w.see(s.list, {&w, nullptr}); }
"""


@pytest.fixture(scope="module")
def lib() -> ModuleType:
    return sb.compile(CODE)


# From the library and a scene to the objects, and the ids of these: 0 for None.
PLACES: dict[str, tuple[Callable[[Any, Any], Any], list[int]]] = {
    "vector": (lambda lib, s: s.list, [2, 1, 0]),
    "values of a map": (lambda lib, s: s.map.values(), [2]),
    "vector in a vector": (lambda lib, s: s.nested[0], [2]),
    "optional": (lambda lib, s: [s.maybe], [2]),
    "variant": (lambda lib, s: [s.choice], [2]),
    "field": (lambda lib, s: [s.pointer, s.null], [2, 0]),
    "array": (lambda lib, s: [s.array[0][0], s.array[1][0]], [0, 1]),
    "std::array": (lambda lib, s: s.standard_array, [2, 0]),
    "result": (lambda lib, s: s.copied(), [2, 1, 0]),
    "result by reference": (lambda lib, s: s.referred(), [2, 1, 0]),
    "result by pointer": (lambda lib, s: s.pointed(), [2, 1, 0]),
    "pair": (lambda lib, s: s.paired()[:1], [2]),
    "variable": (lambda lib, s: [lib.variable, lib.nothing], [2, 0]),
    "variables": (lambda lib, s: lib.variables, [2, 0]),
    "vector as a variable": (lambda lib, s: lib.variable_list, [2]),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_pointer_is_the_object_of_its_real_class(lib: ModuleType, place: str) -> None:
    read, ids = PLACES[place]
    found = list(read(lib, lib.Scene()))
    assert [0 if one is None else one.id() for one in found] == ids
    kinds = {0: type(None), 1: lib.Base, 2: lib.Derived}
    assert [type(one) for one in found] == [kinds[n] for n in ids]


def told(lib: Any, scene: Any) -> list[Any]:
    seen: list[Any] = []
    lib.tell(scene, lambda all_, by_name, pair, maybe: seen.extend([*all_, by_name["a"], pair[0], maybe]))
    return seen


def watched(lib: Any, scene: Any) -> list[Any]:
    seen: list[Any] = []
    watcher = type("Mine", (lib.Watcher,), {"see": lambda self, all_, others: seen.append((all_, others))})()
    lib.watch(scene, watcher)
    ((objects, (first, second)),) = seen
    assert (first, second) == (watcher, None)
    return list(objects)


@pytest.mark.parametrize(("told", "ids"), [(told, [2, 1, 0, 2, 2, 2]), (watched, [2, 1, 0])])
def test_callables_and_overrides_get_the_objects(lib: ModuleType, told: Any, ids: list[int]) -> None:
    scene = lib.Scene()
    found = told(lib, scene)
    kinds = {0: type(None), 1: lib.Base, 2: lib.Derived}
    assert [type(one) for one in found] == [kinds[n] for n in ids]
    assert [0 if one is None else one.id() for one in found] == ids


def test_records_are_views_of_what_is_there(lib: ModuleType) -> None:
    scene = lib.Scene()
    scene.plains[0].x = 5
    assert scene.plain.x == 5
    lib.plain_variable.x = 6
    assert lib.plain_variable.x == 6


CONSTANT = {
    "vector": lambda lib, s: s.constant[0],
    "field": lambda lib, s: s.constant_pointer,
    "variable": lambda lib, s: lib.constant_variable,
}


@pytest.mark.parametrize("place", CONSTANT)
def test_what_is_const_stays_const(lib: ModuleType, place: str) -> None:
    found = CONSTANT[place](lib, lib.Scene())
    assert found.b == 3
    with pytest.raises(sb.IntentError, match=r"that C\+\+ may change"):
        found.id()


def test_constant_records_are_objects_that_cannot_be_written(lib: ModuleType) -> None:
    scene = lib.Scene()
    shown = scene.constant_plains[0]
    assert (type(shown), shown.x) == (lib.Plain, 1)
    scene.plain.x = 2
    assert shown.x == 2
    with pytest.raises(AttributeError, match="const"):
        shown.x = 3


def test_keys_stay_addresses(lib: ModuleType) -> None:
    scene = lib.Scene()
    assert all(isinstance(one, sb.Pointer) for one in (*scene.set, *scene.keys))


def test_what_is_set_is_what_is_read(lib: ModuleType) -> None:
    one, other, child = lib.Plain(), lib.Plain(), lib.Derived()
    one.next = other
    one.two = (other, None)
    assert one.next is other
    assert one.two[0] is other
    assert one.two[1] is None
    one.next.x = 8
    assert other.x == 8
    one.next = None
    assert one.next is None
    base = lib.Base()
    base.parent = child
    assert base.parent is child
    assert base.parent.id() == 2
    assert isinstance(one.any, sb.Pointer)


def test_a_field_keeps_the_object_that_it_was_given(lib: ModuleType) -> None:
    base = lib.Base()
    base.parent = lib.Derived()
    gc.collect()
    assert base.parent.id() == 2


def test_elements_go_back_to_c_plus_plus(lib: ModuleType) -> None:
    scene = lib.Scene()
    assert lib.ids(scene.list) == 210
    assert lib.ids([scene.list[1], None, scene.pointer, lib.variable]) == 1022
    assert scene.list[0] == scene.pointer


@pytest.mark.parametrize(
    "read", [lambda s: s.list, lambda s: s.map, lambda s: s.pointer, lambda s: s.copied()]
)
def test_an_object_keeps_where_it_lies(lib: ModuleType, read: Callable[[Any], Any]) -> None:
    ended = lib.Scene.ended
    found = read(lib.Scene())
    gc.collect()
    assert lib.Scene.ended == ended
    del found
    gc.collect()
    assert lib.Scene.ended == ended + 1


ARRAYS = r"""
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>
struct Bytes { int v = 5; };
struct Object { int v = 5; std::string s; ~Object() {} };
template <class T> struct Holder {
  using one = std::array<T*, 1>;
  T it; one member{&it};
  one result() { return {&it}; } one& reference() { return member; } const one& constant() { return member; }
  std::vector<one> list() { return {{&it}}; } std::map<int, one> map() { return {{0, {&it}}}; }
  std::optional<one> maybe() { return one{&it}; } std::pair<one, int> pair() { return {one{&it}, 1}; }
  std::array<one, 1> nested() { return {one{&it}}; }
  std::function<one()> callable() { return [this] { return one{&it}; }; }
  void out(one* x) { *x = {&it}; }
  void call(void (*f)(one)) { f({&it}); } void call_it(const std::function<void(one)>& f) { f({&it}); }
  std::array<const T*, 2> seen() { return {&it, nullptr}; }
  Holder() {} Holder(const Holder&) = delete;
};
template struct Holder<Bytes>; template struct Holder<Object>;
inline Holder<Bytes>& bytes() { static Holder<Bytes> h; return h; }
inline Holder<Object>& object() { static Holder<Object> h; return h; }
inline std::array<Object*, 1> same(Object* x) { return {x}; }
"""


def _given(call: Any) -> Any:
    found: list[Any] = []
    call(found.append)
    return found[0]


@pytest.fixture(scope="module")
def arrays() -> Any:
    return sb.compile(
        ARRAYS,
        arg_intent={"Holder<Bytes>::out": {"x": "out_return"}, "Holder<Object>::out": {"x": "out_return"}},
    )


@pytest.mark.parametrize("name", ["bytes", "object"])
@pytest.mark.parametrize(
    "read",
    [
        lambda h: h.member[0], lambda h: h.result()[0], lambda h: h.reference()[0], lambda h: h.constant()[0],
        lambda h: h.list()[0][0], lambda h: h.map()[0][0], lambda h: h.maybe()[0], lambda h: h.pair()[0][0],
        lambda h: h.nested()[0][0], lambda h: h.callable()()[0], lambda h: h.out()[0],
        lambda h: _given(h.call)[0], lambda h: _given(h.call_it)[0],
    ],
)  # fmt: skip
def test_pointers_in_a_standard_array_are_the_objects(arrays: Any, name: str, read: Any) -> None:
    h = getattr(arrays, name)()
    one = read(h)
    one.v = 7
    assert (type(one), h.it.v) == (type(h.it), 7)
    one.v = 5


@pytest.mark.parametrize("name", ["bytes", "object"])
def test_those_to_const_are_const(arrays: Any, name: str) -> None:
    seen, null = getattr(arrays, name)().seen()
    with pytest.raises(AttributeError, match=r"C\+\+ gave (it|the object) as const"):
        seen.v = 7
    assert (seen.v, null) == (5, None)


def test_such_an_argument_lives_as_long_as_the_result(arrays: Any) -> None:
    o = arrays.Object()
    o.v = 8
    (one,) = arrays.same(o)
    del o
    gc.collect()
    assert one.v == 8
