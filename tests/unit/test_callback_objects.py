"""Objects that callbacks get and keep: what C++ gives by value or shares is Python's, too, for as long as it likes."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from remaining import remaining

import samebytes as sb

pytestmark = pytest.mark.full  # each class that overrides is compiled

SOURCE = r"""
#include <array>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <variant>
#include <vector>
inline int& alive() { static int n = 0; return n; }
inline int count() { return alive(); }
struct R { double x, y; };
struct H {
  std::string text = "a text that lies on the heap of C++, not in the object itself"; int n = 7;
  H() { ++alive(); } H(const H& o) : text(o.text), n(o.n) { ++alive(); }
  virtual ~H() { text = ""; n = -1; --alive(); }
  virtual int get() const { return n + static_cast<int>(text.size()); }
};
struct D : H { int get() const override { return 1000; } };
struct Only { std::unique_ptr<H> h{new H}; Only() {} Only(Only&&) = default; ~Only() {}
  int get() const { return h ? h->get() : -1; } };
struct Wrong { Wrong() {} Wrong(const Wrong&) { throw std::runtime_error("no copy"); } ~Wrong() {} };
#define SP std::shared_ptr<H>
#define UP std::unique_ptr<H>
template <class T> using F = std::function<void(T)>;
inline SP made() { return std::make_shared<H>(); }
inline void shared(F<SP> f) { f(made()); }
inline void shared_ref(F<const SP&> f) { f(made()); }
inline void shared_moved(F<SP&&> f) { f(made()); }
inline void shared_const(F<std::shared_ptr<const H>> f) { f(made()); }
inline void shared_derived(F<SP> f) { f(std::make_shared<D>()); }
inline void shared_record(F<std::shared_ptr<R>> f) { f(std::make_shared<R>(R{1, 2})); }
inline void optional(F<std::optional<SP>> f) { f(made()); }
inline void vector(F<const std::vector<SP>&> f) { f({made()}); }
inline void tuple(F<std::tuple<int, SP>> f) { f({1, made()}); }
inline void map(F<std::map<int, SP>> f) { f({{1, made()}}); }
inline void variant(F<std::variant<int, SP>> f) { f(made()); }
inline void pointers(F<std::vector<UP>> f) { std::vector<UP> v; v.push_back(std::make_unique<H>()); f(std::move(v)); }
inline void value(F<H> f) { f(H()); }
inline void constant(F<const H> f) { f(H()); }
inline void only(F<Only> f) { f(Only()); }
inline void only_moved(F<Only&&> f) { f(Only()); }
inline void moved(F<H&&> f) { f(H()); }
inline int moved_derived(F<H&&> f) { D d; f(std::move(d)); return static_cast<int>(d.text.size()); }
inline void objects(F<const std::vector<H>&> f) { f(std::vector<H>(1)); }
inline void in_thread(F<SP> f) { std::thread t([&] { f(made()); }); t.join(); }
inline void record_moved(F<R&&> f) { f(R{1, 2}); }
inline void record_pointer(void (*f)(R&&)) { f(R{1, 2}); }
inline void numbers(F<std::vector<double>> f) { f({1, 2, 3}); }
inline void numbers_ref(F<const std::vector<double>&> f) { f({1, 2, 3}); }
inline void pair(F<std::pair<std::vector<int>, SP>> f) { f({{4, 5}, made()}); }
inline void array(F<std::array<double, 2>> f) { f({1, 2}); }
inline void none(F<SP> f) { f(nullptr); }
inline void lent(F<const UP&> f) { f(std::make_unique<H>()); }
inline void lent_list(F<const std::vector<UP>&> f) { std::vector<UP> v; v.push_back(std::make_unique<H>()); f(v); }
inline int changed(F<H&> f) { H h; f(h); return h.n; }
inline long uses(F<SP> f) { auto s = made(); f(s); return s.use_count(); }
using Seconds = std::chrono::duration<double>;
inline void unread(std::function<void(SP, Seconds, SP)> f) { f(made(), Seconds(1e300), made()); }
inline bool wrong(std::function<void(SP, Wrong, SP)> f) {
  Wrong w; try { f(made(), w, made()); } catch (const std::runtime_error&) { return true; } return false; }
inline int use(SP s) { return s->get(); }
inline int take(UP u) { return u->get(); }
inline void deep(F<SP> f) { f(made()); }
struct Bus { F<SP> heard; ~Bus() {} void say() { heard(made()); } };
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, flags=["-std=c++17"])


@pytest.fixture(autouse=True)
def _nothing_is_left(lib: Any) -> Iterator[None]:
    yield
    assert remaining(lib.count, 0) == 0


def kept(lib: Any, name: str) -> Any:
    got: list[Any] = []
    getattr(lib, name)(got.append)
    return got[0]


def inner(value: Any) -> Any:
    while isinstance(value, list | tuple | dict):
        value = value[len(value) - 1] if not isinstance(value, dict) else value[1]
    return value


OBJECTS = {
    **dict.fromkeys(("shared", "shared_ref", "shared_moved", "shared_const", "optional", "vector", "tuple"), 68),
    **dict.fromkeys(("map", "variant", "pointers", "value", "constant", "only", "only_moved", "moved", "objects"), 68),
    **dict.fromkeys(("in_thread", "pair"), 68),
    "shared_derived": 1000,
}  # fmt: skip


@pytest.mark.parametrize("name", OBJECTS)
def test_an_object_lives_as_long_as_python_has_it(lib: Any, name: str) -> None:
    value = kept(lib, name)
    assert lib.count() == 1
    found = inner(value)
    assert found.get() == OBJECTS[name]
    del value
    assert (found.get(), lib.count()) == (OBJECTS[name], 1)
    del found
    gc.collect()
    assert lib.count() == 0


COPIES: dict[str, Any] = {
    "shared_record": (1.0, 2.0), "record_moved": (1.0, 2.0), "record_pointer": (1.0, 2.0),
    "numbers": [1.0, 2.0, 3.0],
    "numbers_ref": [1.0, 2.0, 3.0], "array": [1.0, 2.0], "none": None,
}  # fmt: skip


@pytest.mark.parametrize("name", COPIES)
def test_bytes_do_not_change_behind_python(lib: Any, name: str) -> None:
    values = [kept(lib, name) for _ in range(50)]
    for value in values:
        got = (value.x, value.y) if hasattr(value, "x") else value if value is None else list(value)
        assert got == COPIES[name] or tuple(got) == tuple(COPIES[name])


def test_numbers_are_an_array_of_their_own(lib: Any) -> None:
    array = kept(lib, "numbers")
    array += 1
    assert isinstance(array, np.ndarray)
    assert array.tolist() == [2.0, 3.0, 4.0]


def test_numbers_by_reference_to_const_are_not_written(lib: Any) -> None:
    array = kept(lib, "numbers_ref")
    with pytest.raises(ValueError, match="read-only"):
        array += 1
    assert array.tolist() == [1.0, 2.0, 3.0]


def test_a_share_goes_back_and_ends(lib: Any) -> None:
    got: list[Any] = []
    assert lib.uses(got.append) == 2
    assert lib.uses(lambda s: None) == 1
    obj = got.pop()
    assert lib.use(obj) == 68
    sb.delete(obj)
    assert lib.count() == 0
    with pytest.raises(sb.IntentError, match="ended it"):
        obj.get()


def test_const_stays_const(lib: Any) -> None:
    with pytest.raises(sb.Error, match="const"):
        lib.use(kept(lib, "shared_const"))


def test_what_python_owns_can_be_given_away(lib: Any) -> None:
    obj = kept(lib, "pointers")[0]
    assert lib.take(obj) == 68
    with pytest.raises(sb.IntentError, match="gone"):
        obj.get()
    assert lib.count() == 0


@pytest.mark.parametrize("name", ["lent", "lent_list"])
def test_what_cpp_lends_is_not_pythons_to_give(lib: Any, name: str) -> None:
    seen: list[Any] = []

    def callback(value: Any) -> None:
        obj = inner(value)
        seen.append(obj.get())
        for end in (lib.take, sb.delete):
            with pytest.raises(sb.IntentError, match="not Python's"):
                end(obj)

    getattr(lib, name)(callback)
    assert (seen, lib.count()) == ([68], 0)


def test_a_derived_object_is_not_cut(lib: Any) -> None:
    seen: list[Any] = []
    assert lib.moved_derived(lambda d: seen.append(d.get())) == 61
    assert seen == [1000]


def test_a_reference_is_the_very_object(lib: Any) -> None:
    assert lib.changed(lambda h: setattr(h, "n", 5)) == 5


def test_what_is_not_read_is_not_left(lib: Any) -> None:
    with pytest.raises(sb.RangeError):
        lib.unread(lambda *values: None)
    assert lib.count() == 0
    assert lib.wrong(lambda *values: None)
    assert lib.count() == 0

    def deeper(s: Any) -> None:
        lib.deep(deeper)

    with pytest.raises(RecursionError):
        lib.deep(deeper)
    gc.collect()
    assert lib.count() == 0


def test_a_member_gives_shares_too(lib: Any) -> None:
    bus, got = lib.Bus(), []
    bus.heard = got.append
    bus.say()
    bus.say()
    assert [h.get() for h in got] == [68, 68]
    got.clear()
    assert lib.count() == 0
