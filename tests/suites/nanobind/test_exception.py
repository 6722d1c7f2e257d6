"""nanobind's test_exception.py in our words: the standard exceptions, one's own, and Python's through C++."""

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
struct Silent : std::exception {};
struct Spoken : std::exception { const char* what() const noexcept override { return "spoken"; } };
struct OutOfHere : std::out_of_range { using std::out_of_range::out_of_range; };
inline void fail(const std::string& how) {
  if (how == "exception") throw Silent();
  if (how == "bad_alloc") throw std::bad_alloc();
  if (how == "runtime_error") throw std::runtime_error("a runtime_error");
  if (how == "domain_error") throw std::domain_error("a domain_error");
  if (how == "invalid_argument") throw std::invalid_argument("a invalid_argument");
  if (how == "length_error") throw std::length_error("a length_error");
  if (how == "out_of_range") throw std::out_of_range("a out_of_range");
  if (how == "range_error") throw std::range_error("a range_error");
  if (how == "overflow_error") throw std::overflow_error("a overflow_error");
  if (how == "Spoken") throw Spoken();
  if (how == "OutOfHere") throw OutOfHere("out of here");
}
inline int wrapped(const std::function<int(int)>& f) {
  try {
    return f(123);
  } catch (const std::exception&) {
    std::throw_with_nested(std::runtime_error("the call with 123 failed"));
  }
}
inline std::string what(const std::function<void()>& f) {
  try { f(); } catch (const std::exception& e) { return e.what(); }
  return "";
}
"""

STANDARD = [
    ("exception", RuntimeError), ("bad_alloc", MemoryError), ("runtime_error", RuntimeError),
    ("domain_error", RuntimeError), ("invalid_argument", ValueError), ("length_error", RuntimeError),
    ("out_of_range", IndexError), ("range_error", RuntimeError), ("overflow_error", OverflowError),
]  # fmt: skip


@pytest.fixture(scope="module")
def lib():
    return sb.compile(SOURCE, std="c++17", name="nb_exception")


@pytest.mark.behaviour("test01_base")
@pytest.mark.behaviour("test02_bad_alloc")
@pytest.mark.behaviour("test03_runtime_error")
@pytest.mark.behaviour("test04_domain_error")
@pytest.mark.behaviour("test05_invalid_argument")
@pytest.mark.behaviour("test06_length")
@pytest.mark.behaviour("test07_out_of_range")
@pytest.mark.behaviour("test08_range_error")
@pytest.mark.behaviour("test09_overflow_error")
@pytest.mark.parametrize(("how", "kind"), STANDARD)
def test_the_standard_exceptions_are_pythons(lib, how, kind):
    with pytest.raises(kind) as caught:
        lib.fail(how)
    if how not in ("exception", "bad_alloc"):
        assert str(caught.value) == f"a {how}"


@pytest.mark.behaviour("test17_raise_my_error_1")
@pytest.mark.behaviour("test18_raise_my_error_2")
def test_ones_own_are_what_they_derive_from(lib):
    with pytest.raises(RuntimeError) as caught:
        lib.fail("Spoken")
    assert "spoken" in str(caught.value)
    with pytest.raises(IndexError) as caught:
        lib.fail("OutOfHere")
    assert str(caught.value) == "out of here"


@pytest.mark.behaviour("test20_nested")
def test_an_exception_with_a_cause(lib):
    with pytest.raises((RuntimeError, ZeroDivisionError)) as caught:
        lib.wrapped(lambda x: x // 0)
    shown = [caught.value, caught.value.__cause__, caught.value.__context__]
    assert any(isinstance(e, ZeroDivisionError) for e in shown)
    assert lib.wrapped(lambda x: x + 1) == 124


@pytest.mark.behaviour("test21_what")
@pytest.mark.behaviour("test22_what_bad_str")
def test_cpp_reads_what_python_raised(lib):
    class Unspeakable(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no words")

    def good() -> None:
        raise ValueError("in words")

    def bad() -> None:
        raise Unspeakable

    for function, kind in ((good, ValueError), (bad, Unspeakable)):
        try:
            words = lib.what(function)
        except kind:  # C++ may not swallow what a callback raised
            continue
        assert kind.__name__ in words or "in words" in words
