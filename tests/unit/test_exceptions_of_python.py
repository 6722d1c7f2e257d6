"""Exceptions of C++'s classes that Python makes: in callbacks and overrides C++ catches them by their class."""

from __future__ import annotations

import copy
import gc
import pickle
import traceback
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # each class that overrides is compiled

SOURCE = r"""
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
inline int& balance() { static int n = 0; return n; }
inline int alive() { return balance(); }
struct MyError : std::runtime_error {
  int code;
  MyError(const std::string& text, int n) : std::runtime_error(text), code(n) { ++balance(); }
  MyError(const MyError& o) : std::runtime_error(o), code(o.code) { ++balance(); }
  ~MyError() override { --balance(); }
};
struct Derived : MyError {
  std::vector<int> more{1, 2};
  Derived() : MyError("derived", 9) {}
};
struct Place : std::out_of_range { using std::out_of_range::out_of_range; };
struct Moved : std::exception { std::unique_ptr<int> p; Moved() {} Moved(Moved&&) = default; };
struct Plain { int n; };
using Text = std::function<std::string(const std::string&)>;
// What a program sees of what a callable throws.
inline std::string seen(Text f) {
  try {
    return f("x");
  } catch (const Derived& e) {
    return "Derived " + std::to_string(e.code) + " " + std::to_string(e.more.size()) + " " + e.what();
  } catch (const MyError& e) {
    return "MyError " + std::to_string(e.code) + " " + e.what();
  } catch (const std::out_of_range& e) {
    return std::string("out_of_range ") + e.what();
  } catch (const std::runtime_error& e) {
    return "runtime_error";
  }
}
inline std::string passes(Text f) { return f("x"); }
inline std::string rethrown(Text f) {
  try { return f("x"); } catch (const MyError& e) { throw; }
}
inline std::string nested(Text f) {
  try { return f("x"); } catch (const MyError& e) { std::throw_with_nested(Place("around")); }
}
inline std::string twice(Text f) {
  try { f("1"); } catch (const MyError&) {}
  return f("2");
}
inline std::string quiet(Text f) noexcept { return f("x"); }
inline void raise_cxx() { throw Derived(); }
struct Base {
  virtual ~Base() {}
  virtual std::string name() const { return "base"; }
  std::string ask() const {
    try { return name(); } catch (const MyError& e) { return "code " + std::to_string(e.code); }
  }
};
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="python_throws")


def raising(error: Any) -> Any:
    def callback(text: str) -> str:
        raise error

    return callback


# What Python raises, and what C++'s `catch` finds.
ROWS = [
    (lambda lib: lib.MyError.exception("bad", 5), "MyError 5 bad"),
    (lambda lib: lib.MyError.exception(text="bad", n=6), "MyError 6 bad"),
    (lambda lib: lib.Derived.exception(), "Derived 9 2 derived"),
    (lambda lib: lib.Place.exception("there"), "out_of_range there"),
    (lambda lib: copy.copy(lib.MyError.exception("bad", 5)), "MyError 5 bad"),
    (lambda lib: type("Mine", (lib.MyError.exception,), {})("mine", 7), "MyError 7 mine"),
]


@pytest.mark.parametrize("row", range(len(ROWS)))
def test_cxx_catches_the_class(lib: Any, row: int) -> None:
    make, answer = ROWS[row]
    assert lib.seen(raising(make(lib))) == answer


def test_what_cxx_threw_goes_back_as_itself(lib: Any) -> None:
    def again(text: str) -> str:
        lib.raise_cxx()
        return text

    assert lib.seen(again) == "Derived 9 2 derived"


def test_an_exception_of_pythons_alone_stays_one(lib: Any) -> None:
    with pytest.raises(KeyError):
        lib.seen(raising(KeyError("x")))


@pytest.mark.parametrize("function", ["passes", "rethrown"])
def test_what_passes_through_cxx_is_the_same_exception(lib: Any, function: str) -> None:
    error = lib.MyError.exception("bad", 5)
    with pytest.raises(lib.MyError.exception) as caught:
        getattr(lib, function)(raising(error))
    assert caught.value is error
    assert "callback" in [frame.name for frame in traceback.extract_tb(error.__traceback__)]


def test_a_nested_one_is_the_cause(lib: Any) -> None:
    error = lib.MyError.exception("bad", 5)
    with pytest.raises(lib.Place.exception) as caught:
        lib.nested(raising(error))
    assert caught.value.__cause__ is error


def test_one_that_cxx_handled_is_over(lib: Any) -> None:
    def first(text: str) -> str:
        if text == "1":
            raise lib.MyError.exception("bad", 5)
        return "went on"

    assert lib.twice(first) == "went on"


def test_through_what_may_not_throw_it_is_raised_at_the_end(lib: Any) -> None:
    error = lib.MyError.exception("bad", 5)
    with pytest.raises(lib.MyError.exception) as caught:
        lib.quiet(raising(error))
    assert caught.value is error


def test_overrides(lib: Any) -> None:
    def name(self: Any) -> str:
        raise lib.MyError.exception("bad", 8)

    assert type("Python", (lib.Base,), {"name": name})().ask() == "code 8"


def test_it_is_an_exception_as_those_that_cxx_threw(lib: Any) -> None:
    error = lib.MyError.exception("bad", 5)
    assert (str(error), error.args, error.code, error.cxx_type) == ("bad", ("bad",), 5, "MyError")
    assert isinstance(error, RuntimeError)
    assert isinstance(error.cxx, lib.MyError)
    assert error.__traceback__ is None
    with pytest.raises(lib.MyError.exception):
        raise error
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (RuntimeError, "bad")
    deep = copy.deepcopy(error)
    assert (deep.code, deep.cxx is error.cxx) == (5, False)


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda lib: lib.MyError.exception("x"), sb.ArgumentError, "MyError"),
        (lambda lib: lib.Moved.exception(), TypeError, "makes no exceptions"),
        (lambda lib: lib.Plain.exception(3), TypeError, "makes no exceptions"),
    ],
)
def test_what_cannot_be_made_says_why(lib: Any, make: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        make(lib)


def test_objects_end(lib: Any) -> None:
    gc.collect()
    before = lib.alive()
    for _ in range(3):
        lib.seen(raising(lib.MyError.exception("bad", 5)))
        lib.twice(lambda text: lib.passes(raising(lib.MyError.exception("bad", 5))) if text == "1" else text)
    gc.collect()
    assert lib.alive() == before
