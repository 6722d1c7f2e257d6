"""Classes of ``std`` that are neither converted nor bytes are objects, with the members that g++ says they have."""

from __future__ import annotations

import copy
import gc
from typing import Any

import numpy as np
import pytest

import samebytes as sb

from ..tables import each

pytestmark = pytest.mark.full  # it compiles twenty classes of std

# What gives and takes such objects; under the name of each row's function g++ answers it.
SOURCE = r"""
#include <any>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <filesystem>
#include <functional>
#include <future>
#include <locale>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <regex>
#include <string>
#include <system_error>
#include <thread>
#include <tuple>
#include <typeindex>
#include <typeinfo>
#include <vector>
inline std::future<int> later(int n) {
  return std::async(std::launch::deferred, [n] { if (n < 0) throw std::out_of_range("negative"); return n; });
}
inline int await(std::future<int>& f) { return f.get(); }
inline int await_moved(std::future<int> f) { return f.get(); }
inline void fulfil(std::promise<int>& p, int n) { p.set_value(n); }
inline std::packaged_task<int(int)> task() { return std::packaged_task<int(int)>([](int x) { return x + 1; }); }
inline bool match(const std::regex& r, const std::string& s) { return std::regex_match(s, r); }
inline std::optional<std::regex> maybe(bool b) { return b ? std::optional(std::regex("a")) : std::nullopt; }
inline std::error_code code(int n) { return {n, std::generic_category()}; }
inline int value_of(std::error_code c) { return c.value(); }
inline const std::error_category& generic() { return std::generic_category(); }
inline bool is_generic(const std::error_category& c) { return c == std::generic_category(); }
inline std::exception_ptr keep() { return std::make_exception_ptr(std::out_of_range("an exception")); }
inline void again(std::exception_ptr p) { std::rethrow_exception(p); }
inline const std::type_info& info() { return typeid(int); }
inline std::type_index index() { return typeid(double); }
inline std::thread::id id() { return std::this_thread::get_id(); }
inline std::thread start(int* p) { return std::thread([p] { *p = 3; }); }
inline std::any any(int n) { return n; }
inline int of_any(const std::any& a) { return std::any_cast<int>(a); }
inline std::vector<std::any> anys() { return {1, std::any()}; }
inline std::map<std::string, std::any> any_map() { return {{"a", 8}}; }
inline void lock(std::mutex* m) { m->lock(); }
inline std::unique_lock<std::mutex> hold(std::mutex& m) { return std::unique_lock<std::mutex>(m); }
inline unsigned draw(std::mt19937& g) { return static_cast<unsigned>(g()); }
inline int roll(std::uniform_int_distribution<int>& d, std::mt19937& g) { return d(g); }
inline std::filesystem::directory_entry entry() { return std::filesystem::directory_entry("/tmp"); }
struct Object { int n = 4; ~Object() {} };
inline std::shared_ptr<Object> object() { return std::make_shared<Object>(); }
inline std::weak_ptr<Object> weak(std::shared_ptr<Object> p) { return p; }
inline int count(std::atomic<int>& a) { return ++a; }
inline int count_moved(std::atomic<int> a) { return ++a; }
struct Holder { std::mutex lock; std::regex pattern{"b+"}; std::any value = 5; int n = 2; };
inline std::locale locale() { return std::locale::classic(); }
inline int with_id(const std::function<bool(const std::thread::id&)>& f) { return f(std::this_thread::get_id()); }
inline bool search(const std::string& s, std::smatch& m) { return std::regex_search(s, m, std::regex("a")); }
inline std::unique_ptr<int, void (*)(int*)> deleted() { return {new int(3), [](int* p) { delete p; }}; }
"""
# Python, and the same in C++, where it is a number, a text or a truth.
ROWS = (
    ("lib.later(3).get()", "later(3).get()"),
    ("lib.later(3).valid()", "later(3).valid()"),
    ("(f := lib.later(3), f.wait(), f.get())[2]", "3"),
    ("lib.later(3).share().get()", "later(3).share().get()"),
    ("lib.await_(lib.later(4))", "4"),
    ('(p := lib.std.promise["int"](), f := p.get_future(), lib.fulfil(p, 6), f.get())[3]', "6"),
    ("(t := lib.task(), f := t.get_future(), t(4), f.get())[3]", "5"),
    ('lib.match(lib.std.regex("a+"), "aaa")', 'match(std::regex("a+"), "aaa")'),
    ('lib.match(lib.std.basic_regex["char"]("a+"), "ab")', 'match(std::regex("a+"), "ab")'),
    ('lib.std.regex("(a)(b)").mark_count()', 'std::regex("(a)(b)").mark_count()'),
    ('lib.maybe(True).mark_count(), lib.maybe(False)', ""),
    ("lib.code(2).value()", "code(2).value()"),
    ("lib.code(2).message()", "code(2).message()"),
    ("lib.code(2).category().name()", "std::string(code(2).category().name())"),
    ("lib.value_of(lib.std.error_code(5, lib.generic()))", "5"),
    ("bool(lib.code(0))", "bool(code(0))"),
    ("lib.code(2) == lib.code(2)", "code(2) == code(2)"),
    ("lib.is_generic(lib.generic())", "true"),
    ("bool(lib.keep())", "bool(keep())"),
    ("bool(lib.std.exception_ptr())", "bool(std::exception_ptr())"),
    ("lib.info().name()", "std::string(info().name())"),
    ("lib.index().name()", "std::string(index().name())"),
    ("lib.id() == lib.id()", "true"),
    ("(n := np.zeros(1, np.int32), t := lib.start(n), t.joinable(), t.join(), int(n[0]), t.joinable())[4]", "3"),
    ("lib.any(3).has_value()", "any(3).has_value()"),
    ("lib.of_any(lib.any(3))", "3"),
    ("lib.any(3).type() == lib.info()", "any(3).type() == info()"),
    ("[a.has_value() for a in lib.anys()] == [True, False]", "true"),
    ('lib.of_any(lib.any_map()["a"])', "8"),
    ("(m := lib.std.mutex(), lib.lock(m), m.try_lock(), m.unlock())[2]", "false"),
    ("(m := lib.std.mutex(), l := lib.hold(m), l.owns_lock(), m.try_lock())[2:] == (True, False)", "true"),
    ("lib.draw(lib.std.mt19937(42))", "[] { std::mt19937 g(42); return draw(g); }()"),
    ("(g := lib.std.mt19937(42), lib.draw(g), g())[2]", "[] { std::mt19937 g(42); g(); return g(); }()"),
    ('lib.roll(lib.std.uniform_int_distribution["int"](3, 3), lib.std.mt19937(1))', "3"),
    ("str(lib.entry().path())", "entry().path().string()"),
    ("lib.entry().is_directory()", "entry().is_directory()"),
    ("(o := lib.object(), lib.weak(o).expired())[1]", "weak(object()).expired()"),
    ("(o := lib.object(), w := lib.weak(o), w.lock().n)[2]", "4"),
    ('lib.count(lib.std.atomic["int"](5))', "6"),
    ("(h := lib.Holder(), lib.match(h.pattern, 'bb'))[1]", "true"),
    ("(h := lib.Holder(), h.value.has_value(), h.lock.try_lock())[1:] == (True, True)", "true"),
    ("lib.locale().name()", "locale().name()"),
    ("lib.with_id(lambda i: i == lib.id())", "1"),
)  # fmt: skip


CLASSES = [
    "std::future<int>", "std::shared_future<int>", "std::promise<int>", "std::packaged_task<int(int)>", "std::regex",
    "std::error_code", "std::error_category", "std::exception_ptr", "std::type_info", "std::type_index",
    "std::thread::id", "std::thread", "std::any", "std::mutex", "std::unique_lock<std::mutex>", "std::mt19937",
    "std::uniform_int_distribution<int>", "std::filesystem::directory_entry", "std::weak_ptr<Object>",
    "std::atomic<int>", "std::locale",
]  # fmt: skip


@pytest.fixture(scope="module")
def lib() -> Any:
    asked = (f"inline auto answer_{n}() {{ return {cxx}; }}\n" for n, (_, cxx) in enumerate(ROWS) if cxx)
    # In one build: otherwise each class that is asked for a member is one of its own (test_std_objects.py).
    return sb.compile(SOURCE + "".join(asked), std="c++20", instantiate=CLASSES)


@each("number, expression", [(n, python) for n, (python, _) in enumerate(ROWS)])
def test_an_object_answers_as_in_cxx(lib: Any, number: int, expression: str) -> None:
    found = eval(expression, {"lib": lib, "np": np})
    answer = getattr(lib, f"answer_{number}", None)
    assert found == (answer() if answer else (0, None))


def test_errors_are_those_of_cxx(lib: Any) -> None:
    with pytest.raises(IndexError, match="negative"):
        lib.later(-1).get()
    with pytest.raises(IndexError, match="an exception"):
        lib.again(lib.keep())
    with pytest.raises(RuntimeError, match=r"Mismatched '\(' and '\)'"):
        lib.std.regex("(a")
    future = lib.later(1)
    assert future.get() == 1
    with pytest.raises(RuntimeError) as error:
        future.get()
    assert (error.value.cxx_category, error.value.cxx_type) == ("future", "std::future_error")


def test_copies_are_those_of_cxx(lib: Any) -> None:
    pattern = lib.std.regex("a+")
    again = copy.copy(pattern)
    del pattern
    gc.collect()
    assert lib.match(again, "aa")
    for one in (lib.later(3), lib.std.mutex()):
        with pytest.raises(TypeError, match="cannot copy: C\\+\\+ only moves such objects, or not even that"):
            copy.copy(one)


def test_what_an_object_refers_to_lives_on(lib: Any) -> None:
    for lock in (lib.hold(lib.std.mutex()), lib.std.unique_lock["std::mutex"](lib.std.mutex())):
        gc.collect()
        lock.unlock()
        lock.lock()
        assert lock.owns_lock()


REFUSED = {
    "await_moved": "it can only be moved, and Python keeps its object: take it by reference",
    "count_moved": "it can only be moved, and Python keeps its object: take it by reference",
    "search": r"it points into the text that was searched.*a function that searches and gives a std::string",
    "deleted": r"a std::unique_ptr with a deleter of its own crosses if it owns an object of a class",
}


@each("name", REFUSED)
def test_what_is_refused_says_the_cause(lib: Any, name: str) -> None:
    with pytest.raises(AttributeError, match=REFUSED[name]):
        getattr(lib, name)


def test_only_what_is_mentioned_is_there(lib: Any) -> None:
    assert not hasattr(lib.std, "random_device")
    assert not hasattr(lib.std, "string")
    assert "std::regex" not in {s.name for s in lib.__skipped__ if not s.is_quiet}
