"""pybind11's test_exceptions.py in our words: exceptions of C++ in Python, and Python's through C++."""

from __future__ import annotations

import pytest

import samebytes as sb

pytestmark = pytest.mark.full

SOURCE = r"""
#include <exception>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

struct Spoilt : std::exception {
  std::string text;
  explicit Spoilt(const char* t) : text(t) {}
  const char* what() const noexcept override { return text.c_str(); }
};
struct Refusal : std::logic_error { using std::logic_error::logic_error; };
struct HardRefusal : Refusal { using Refusal::Refusal; };
struct Code { int number; };
inline void fail(const std::string& how) {
  if (how == "runtime") throw std::runtime_error("it ran out");
  if (how == "argument") throw std::invalid_argument("no such value");
  if (how == "range") throw std::out_of_range("no such place");
  if (how == "overflow") throw std::overflow_error("too much");
  if (how == "memory") throw std::bad_alloc();
  if (how == "logic") throw std::logic_error("no such logic");
  if (how == "system") throw std::system_error(ENOENT, std::generic_category(), "reading");
  if (how == "own") throw Spoilt("it is spoilt");
  if (how == "derived") throw HardRefusal("refused for good");
  if (how == "code") throw Code{3};
  if (how == "number") throw 42;
  if (how == "text") throw "a text alone";
  if (how == "string") throw std::string("a string alone");
}
inline void fail_text(const char* how) { fail(how); }
inline void nested(int depth) {
  try {
    if (depth) nested(depth - 1);
    throw std::runtime_error("inner");
  } catch (const std::exception&) {
    std::throw_with_nested(std::invalid_argument("outer " + std::to_string(depth)));
  }
}

struct OnExit { std::function<void()> f; ~OnExit() { f(); } };
inline void leave(std::function<void()> f) { OnExit one{f}; throw std::runtime_error("left"); }
inline int stay(std::function<void()> f) { OnExit one{f}; return 3; }
inline std::string what(std::function<void()> f) {
  try { f(); } catch (const std::exception& e) { return e.what(); }
  return "";
}
inline std::string caught;
inline void catch_refusals(std::function<void()> f) {
  try { f(); } catch (const Refusal& e) { caught = e.what(); }
}
inline void catch_own(void (*f)(const char*), const char* how) {
  try { f(how); } catch (const Refusal& e) { caught = e.what(); }
}
inline int both(std::function<int()> f, std::function<int()> g) {
  int n = 0;
  try { n += f(); } catch (...) {}
  return n + g();
}
inline int ask(std::function<int()> f) { return f(); }
inline int ask_pointer(int (*f)()) { return f(); }
inline bool flip(bool b) { return !b; }
"""
OTHER = r"""
#include <stdexcept>
#include <string>
struct Absence : std::out_of_range { using std::out_of_range::out_of_range; };
inline void fail(const std::string& how) {
  if (how == "own") throw Absence("the other's");
  throw std::invalid_argument("the other's argument");
}
inline void fail_text(const char* how) { fail(how); }
inline void through(void (*f)(const char*), const char* how) { f(how); }
"""


@pytest.fixture(scope="module")
def lib():
    return sb.compile(SOURCE)


@pytest.fixture(scope="module")
def other():
    return sb.compile(OTHER)


@pytest.mark.behaviour("test_std_exception")
def test_what_cxx_says_is_what_python_says(lib):
    with pytest.raises(RuntimeError) as error:
        lib.fail("runtime")
    assert str(error.value) == "it ran out"
    assert lib.fail("") is None


# What is thrown -> the exception of Python, and its words.
STANDARD = {
    "argument": (ValueError, "no such value"),
    "range": (IndexError, "no such place"),
    "overflow": (OverflowError, "too much"),
    "memory": (MemoryError, "std::bad_alloc"),
    "logic": (RuntimeError, "no such logic"),
    "system": (FileNotFoundError, "[Errno 2] reading: No such file or directory"),
}


@pytest.mark.behaviour("test_custom")
@pytest.mark.parametrize("how", STANDARD)
def test_classes_of_the_standard_library(lib, how):
    expected, words = STANDARD[how]
    with pytest.raises(expected) as error:
        lib.fail(how)
    assert (type(error.value), str(error.value)) == (expected, words)


# A library's own, and its class, if it has one. What is no std::exception says its value or at least its type.
OWN = {
    "own": ("Spoilt", "it is spoilt"),
    "derived": ("HardRefusal", "refused for good"),
    "code": ("Code", "a C++ exception that is not a std::exception: of type Code"),
    "number": ("", "a C++ exception that is not a std::exception: of type int: 42"),
    "text": ("", "a text alone"),
    "string": ("", "a string alone"),
}


@pytest.mark.behaviour("test_custom")
@pytest.mark.parametrize("how", OWN)
def test_classes_of_a_library_are_runtime_errors_with_its_words(lib, how):
    name, words = OWN[how]
    with pytest.raises(getattr(lib, name).exception if name else RuntimeError) as error:
        lib.fail(how)
    assert (isinstance(error.value, RuntimeError), str(error.value)) == (True, words)
    assert name or type(error.value) is RuntimeError
    assert not isinstance(lib.Spoilt("x"), BaseException)  # objects of such classes are C++'s, as all others


@pytest.mark.behaviour("test_cross_module_exceptions")
def test_exceptions_of_one_library_pass_through_another(lib, other):
    for f in (other.fail_text, lib.fail_text, lambda how: other.fail(how)):
        with pytest.raises(ValueError, match=r"the other's argument|no such value"):
            other.through(f, "argument")
    with pytest.raises(IndexError, match="the other's"):
        lib.catch_own(other.fail_text, "own")
    with pytest.raises(RuntimeError, match="it is spoilt"):
        other.through(lib.fail_text, "own")
    lib.catch_own(lib.fail_text, "derived")
    assert lib.caught == "refused for good"


@pytest.mark.behaviour("test_python_call_in_catch")
def test_python_runs_while_an_exception_passes(lib):
    called = []
    with pytest.raises(RuntimeError, match="left"):
        lib.leave(lambda: called.append(lib.stay(lambda: called.append("inner"))))
    assert called == ["inner", 3]


@pytest.mark.behaviour("test_python_alreadyset_in_destructor")
def test_what_python_raises_in_a_destructor_is_raised_by_the_call(lib):
    def bad():
        raise KeyError("bar")

    for call in (lib.stay, lib.leave):
        with pytest.raises(KeyError, match="bar"):
            call(bad)


@pytest.mark.behaviour("test_nested_throws")
def test_from_python_to_cxx_to_python(lib):
    class Sour(Exception):
        pass

    def sour():
        raise Sour("milk")

    with pytest.raises(Sour, match="milk"):
        lib.catch_refusals(sour)  # C++ does not catch what is not its own

    def careful(f, *args):
        try:
            f(*args)
        except (Sour, RuntimeError) as error:
            seen.append(str(error))

    seen = []
    lib.catch_refusals(lambda: careful(lib.catch_refusals, sour))
    lib.catch_refusals(lambda: careful(lib.fail, "own"))
    assert seen == ["milk", "it is spoilt"]
    with pytest.raises(OverflowError, match="too much"):
        lib.catch_refusals(lambda: careful(lib.fail, "overflow"))


@pytest.mark.behaviour("test_throw_nested_exception")
def test_an_exception_that_holds_another(lib):
    with pytest.raises(ValueError) as error:
        lib.nested(1)
    assert str(error.value) == "outer 1; its cause: outer 0; its cause: inner"


@pytest.mark.behaviour("test_invalid_repr")
def test_an_argument_that_cannot_be_shown(lib):
    class Shy:
        def __repr__(self):
            raise AttributeError("no")

    with pytest.raises(
        sb.ArgumentError, match=r"expected bool, got an object whose repr.. raises AttributeError"
    ):
        lib.flip(Shy())


class Flaky(Exception):
    def __init__(self, where):
        if where == "init":
            raise ValueError("in init")
        self.where = where

    def __str__(self):
        if self.where == "str":
            raise ValueError("in str")
        return "flaky"


# The exceptions of a callable come out as they went in, whatever C++ could read of them.
ODD = {
    "surrogate": RuntimeError("\ud927"),
    "bytes": RuntimeError(b"\x80"),
    "plain": ValueError("plain"),
    "tuple": ValueError("a", "b"),
    "happy": Flaky("happy"),
    "str": Flaky("str"),
    "os": FileNotFoundError(2, "No such file or directory", "this_file"),
}


@pytest.mark.behaviour("test_error_already_set_message_with_unicode_surrogate")
@pytest.mark.behaviour("test_error_already_set_message_with_malformed_utf8")
@pytest.mark.behaviour("test_error_already_set_what_with_happy_exceptions")
@pytest.mark.behaviour("test_flaky_exception_failure_point_str")
@pytest.mark.behaviour("test_pypy_oserror_normalization")
@pytest.mark.parametrize("name", ODD)
def test_an_exception_of_python_passes_unchanged(lib, name):
    def raising():
        raise ODD[name]

    with pytest.raises(type(ODD[name])) as error:
        lib.what(raising)
    assert error.value is ODD[name]


@pytest.mark.behaviour("test_flaky_exception_failure_point_init")
def test_an_exception_that_cannot_be_made(lib):
    def raising():
        raise Flaky("init")

    with pytest.raises(ValueError, match="in init"):
        lib.what(raising)


@pytest.mark.behaviour("test_cross_module_interleaved_error_already_set")
def test_two_errors_of_one_call(lib, other):
    def first():
        raise KeyError("first")

    def second():
        other.fail("argument")

    with pytest.raises(KeyError, match="first") as error:
        lib.both(first, second)
    assert "failed 1 times more, the last time with ValueError" in error.value.__notes__[0]


@pytest.mark.behaviour("test_fn_cast_int_exception")
@pytest.mark.parametrize("name", ["ask", "ask_pointer"])
def test_a_callable_that_returns_the_wrong_thing(lib, name):
    with pytest.raises(
        sb.ArgumentError, match=r"returned what C\+\+ does not take: expected int32 .* got None"
    ):
        getattr(lib, name)(lambda: None)
    assert getattr(lib, name)(lambda: 5) == 5
