"""nanobind's test_callbacks.py in our words: C++ keeps callables that do not keep themselves alive."""

from __future__ import annotations

import gc
import weakref

import pytest

import samebytes as sb

pytestmark = pytest.mark.full

SOURCE = r"""
#include <algorithm>
#include <vector>
struct Publisher {
  std::vector<void (*)(int)> heard;
  void subscribe(void (*f)(int)) { heard.push_back(f); }
  void unsubscribe(void (*f)(int)) { heard.erase(std::remove(heard.begin(), heard.end(), f), heard.end()); }
  void emit(int x) const { for (auto f : heard) f(x); }
  int count() const { return static_cast<int>(heard.size()); }
};
"""


@pytest.fixture(scope="module")
def lib():
    return sb.compile(SOURCE, name="nb_callbacks")


@pytest.mark.behaviour("test_callbacks")
def test_what_cpp_keeps_runs_as_long_as_python_keeps_it(lib):
    record = []
    one, other = lib.Publisher(), lib.Publisher()
    kept = [sb.callback(lambda x, n=n: record.append(x + n), "void(*)(int)") for n in (10, 20)]
    both = sb.callback(record.append, "void(*)(int)")
    one.subscribe(kept[0])
    other.subscribe(kept[1])
    for publisher in (one, other):
        publisher.subscribe(both)
    one.emit(1)
    other.emit(2)
    assert record == [11, 1, 22, 2]
    one.unsubscribe(both)
    assert one.count() == 1
    one.emit(3)
    assert record[4:] == [13]


@pytest.mark.behaviour("test_callbacks")
def test_what_nobody_keeps_is_an_error_of_the_call_that_runs_it(lib):
    publisher = lib.Publisher()

    class Heard:
        def __call__(self, x):
            raise AssertionError(x)

    heard = Heard()
    gone = weakref.ref(heard)
    made = sb.callback(heard, "void(*)(int)")
    publisher.subscribe(made)
    del heard, made
    gc.collect()
    if gone() is None:  # the publisher does not keep what it was given: C++ would call into nothing
        with pytest.raises(sb.Error, match=r"gone|exists no more|ended"):
            publisher.emit(1)
    else:
        with pytest.raises(AssertionError):
            publisher.emit(1)
