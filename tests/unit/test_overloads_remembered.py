"""Overloaded calls, constructors and methods are chosen once for arguments of a kind, then natively."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import samebytes as sb
from samebytes.call import binding

pytestmark = pytest.mark.full  # large builds; test_chosen_overloads.py is the quick one

SOURCE = """
#include <optional>
#include <span>
#include <string>
#include <vector>
enum class E { a, b };
struct P { int a; double b; };
struct Item {
  std::string s;
  Item(const std::string& s) : s(s) {}
  Item(std::span<const double> v) : s(v.size(), '+') {}
  Item(int n) : s(n, '-') {}
  void set(int n) { s.assign(n, '*'); }
  void set(const std::string& t) { s = t; }
  void set(std::span<const double> v) { s.assign(v.size(), '/'); }
  std::string get() const { return s; }
};
int pointer(const float*, int) { return 4; }
int pointer(const double*, int) { return 8; }
int text(const std::string&) { return 1; }
int text(const std::vector<double>&) { return 2; }
int text(std::optional<double>) { return 3; }
int item(const Item&) { return 1; }
int item(std::span<const float>) { return 2; }
int item(double) { return 3; }
int record(P) { return 1; }
int record(const double*) { return 2; }
int kind(E) { return 1; }
int kind(int) { return 2; }
int kind(const double*) { return 3; }
int place(const P*) { return 1; }
int place(double) { return 2; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, std="c++20")


class Shows:
    """An array by __array_interface__ alone."""

    def __init__(self, array: Any) -> None:
        self.array = array

    @property
    def __array_interface__(self) -> Any:
        return self.array.__array_interface__


CALLS: dict[str, tuple[Any, Any]] = {
    "array of floats": (lambda lib: lib.pointer(np.zeros(2, "f4"), 2), 4),
    "array of doubles": (lambda lib: lib.pointer(np.zeros(2), 2), 8),
    "view": (lambda lib: lib.pointer(sb.view(np.zeros(2)), 2), 8),
    "array by its interface": (lambda lib: lib.pointer(Shows(np.zeros(2, "f4")), 2), 4),
    "buffer": (lambda lib: lib.pointer(memoryview(np.zeros(2)), 2), 8),
    "text": (lambda lib: lib.text("x"), 1),
    "array for a vector": (lambda lib: lib.text(np.zeros(2)), 2),
    "number for an optional": (lambda lib: lib.text(1.0), 3),
    "NumPy's number": (lambda lib: lib.item(np.float64(1)), 3),
    "NumPy's whole number": (lambda lib: lib.kind(np.int32(1)), 2),
    "object of a class": (lambda lib: lib.item(lib.Item("x")), 1),
    "array beside a class": (lambda lib: lib.item(np.zeros(2, "f4")), 2),
    "text that makes an object": (lambda lib: lib.item("x"), 1),
    "array that makes an object": (lambda lib: lib.item(np.zeros(2)), 1),
    "array beside a record": (lambda lib: lib.record(np.zeros(2)), 2),
    "member": (lambda lib: lib.kind(lib.E.b), 1),
    "whole number beside members": (lambda lib: lib.kind(7), 2),
    "pointer": (lambda lib: lib.kind(sb.Pointer()), 3),
    "constructor of a text": (lambda lib: lib.Item("abc").get(), "abc"),
    "constructor of an array": (lambda lib: lib.Item(np.zeros(2)).get(), "++"),
    "constructor of a number": (lambda lib: lib.Item(3).get(), "---"),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_choice_is_made_once(lib: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    call, expected = CALLS[name]
    assert [call(lib) for _ in range(3)] == [expected] * 3  # a class is learnt, then its objects' choice
    monkeypatch.setattr(binding.overloads, "choose", None)
    assert call(lib) == expected


def test_methods_choose_once(lib: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    item, given = lib.Item("x"), {"**": 2, "abc": "abc", "///": np.zeros(3)}
    for value in given.values():
        item.set(value)
    monkeypatch.setattr(binding.overloads, "choose", None)
    for expected, value in given.items():
        item.set(value)
        assert item.get() == expected


def test_one_value_for_a_pointer_to_const_is_no_array(lib: Any) -> None:
    assert (lib.place((1, 2.0)), lib.place(2.0)) == (1, 2)


def test_calls_by_name_are_completed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lib = sb.compile("int digits(int a, int b = 2, int c = 3) { return 100 * a + 10 * b + c; }")
    assert (lib.digits(1, c=5), lib.digits(c=5, a=1)) == (125, 125)
    monkeypatch.setattr(binding.arguments, "completed", None)
    assert (lib.digits(4, c=6), lib.digits(c=7, a=8)) == (426, 827)
    monkeypatch.undo()
    with pytest.raises(sb.ArgumentError, match="twice"):
        lib.digits(1, a=1)
