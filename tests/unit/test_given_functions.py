"""A std::function that C++ gives (a result, a member, an argument of an override) is an object that Python calls."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

SOURCE = r"""
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
struct Item { std::string s = "i"; Item() {} Item(std::string t) : s(t) {} ~Item() {} };
using Number = std::function<int(int)>;
inline Number adder(int n) { return [n](int x) { return x + n; }; }
inline Number nothing() { return {}; }
inline int called(const Number& f, int x) { return f ? f(x) : -1; }
inline std::function<std::string(const std::string&, int)> repeater() {
  return [](const std::string& s, int n) { std::string all; while (n-- > 0) all += s; return all; }; }
inline std::function<std::vector<double>(std::vector<double>, double)> scaler() {
  return [](std::vector<double> v, double k) { for (double& x : v) x *= k; return v; }; }
inline std::function<Item(const Item&, std::shared_ptr<Item>)> joiner() {
  return [](const Item& a, std::shared_ptr<Item> b) { return Item(a.s + (b ? b->s : "-")); }; }
inline std::function<void(Item&)> changer() { return [](Item& i) { i.s += "!"; }; }
inline std::function<void()> thrower() { return [] { throw std::out_of_range("far"); }; }
inline std::function<std::function<double(double)>(double)> curried() {
  return [](double k) { return [k](double x) { return k * x; }; }; }
inline std::function<int(int)> composed(Number f, Number g) { return [=](int x) { return f(g(x)); }; }
inline int met(const std::function<int(Number)>& f, int k) { return f([k](int x) { return x * k; }); }
struct Hooks {
  Number on = [](int x) { return -x; };
  const Number fixed = adder(100);
  const Number& get() const { return on; }
  int run(int x) const { return on ? on(x) : -1; }
};
struct Visitor {
  virtual ~Visitor() {}
  virtual int visit(Number f) { return f(1); }
  virtual int words(const std::function<int(const std::string&)>& f) = 0;
  int go() { return visit(adder(1)); }
  int go_words() { return words([](const std::string& s) { return static_cast<int>(s.size()); }); }
};
inline std::vector<Number> several() { return {adder(1)}; }
"""

lib = pytest.fixture(scope="module")(lambda: sb.compile(SOURCE))

# What Python writes, and what C++ says to the same.
ANSWERS = {
    "lib.adder(3)(4)": "adder(3)(4)",
    "lib.called(lib.adder(-9), 2)": "called(adder(-9), 2)",
    "lib.called(lib.nothing(), 2)": "called(nothing(), 2)",
    "lib.called(lib.Hooks().on, 2)": "called(Hooks().on, 2)",
    "len(lib.repeater()('ab', 3))": 'repeater()("ab", 3).size()',
    "int(lib.scaler()([1, 2.5], 4)[1])": "static_cast<int>(scaler()({1, 2.5}, 4)[1])",
    "int(lib.curried()(2)(3.5))": "static_cast<int>(curried()(2)(3.5))",
    "lib.composed(lib.adder(1), lambda x: 2 * x)(5)": "composed(adder(1), [](int x) { return 2 * x; })(5)",
    "lib.met(lambda f: f(6) + 1, 7)": "met([](Number f) { return f(6) + 1; }, 7)",
    "lib.Hooks().fixed(1) + lib.Hooks().get()(5)": "Hooks().fixed(1) + Hooks().get()(5)",
    "int(bool(lib.nothing())) + 2 * bool(lib.adder(1))": "!!nothing() + 2 * !!adder(1)",
}


def test_answers_are_those_of_cxx(lib: Any) -> None:
    told = "inline std::vector<int> answers() { return {%s}; }"
    cxx = ", ".join(f"static_cast<int>({text})" for text in ANSWERS.values())
    assert [eval(text, {"lib": lib}) for text in ANSWERS] == sb.compile(
        SOURCE + told % cxx
    ).answers().tolist()


def test_objects_go_in_and_come_out(lib: Any) -> None:
    item = lib.Item("a")
    assert lib.joiner()(item, lib.Item("b")).s == "ab"
    assert lib.joiner()(item, None).s == "a-"
    lib.changer()(item)
    assert item.s == "a!"


def test_exceptions_are_raised_as_of_any_function(lib: Any) -> None:
    with pytest.raises(IndexError, match="far"):
        lib.thrower()()
    with pytest.raises(RuntimeError, match="bad_function_call"):
        lib.nothing()(1)
    with pytest.raises(sb.ArgumentError, match="argument 1 'arg0': expected int32"):
        lib.adder(1)("text")


def test_a_member_is_a_copy_and_is_set_as_before(lib: Any) -> None:
    hooks = lib.Hooks()
    before = hooks.on
    hooks.on = lambda x: 100 + x
    assert (before(1), hooks.on(1), hooks.get()(1), hooks.run(1)) == (-1, 101, 101, 101)
    hooks.on = lib.nothing()
    assert not hooks.on
    assert hooks.run(1) == -1
    hooks.on = None
    assert not hooks.on


def test_what_it_keeps_ends_with_it(lib: Any) -> None:
    class Call:
        def __call__(self, x: int) -> int:
            return x + 1

    call = Call()
    gone, made = weakref.ref(call), lib.composed(call, call)
    del call
    gc.collect()
    assert made(1) == 3
    assert gone() is not None
    del made
    gc.collect()
    assert gone() is None


def test_what_a_callable_got_by_value_may_be_kept(lib: Any) -> None:
    got: list[Any] = []
    lib.met(lambda f: got.append(f) or 0, 5)
    assert got[0](8) == 40


def test_an_override_gets_one(lib: Any) -> None:
    class Mine(lib.Visitor):  # type: ignore[misc, name-defined]
        def visit(self, f: Any) -> int:
            return 10 * f(2) + super().visit(f)

        def words(self, f: Any) -> int:
            return f("four") if f else -1

    assert (Mine().go(), Mine().go_words()) == (32, 4)


def test_containers_of_them_say_why_they_do_not_come(lib: Any) -> None:
    with pytest.raises(AttributeError, match="no std::function out of a container"):
        lib.several  # noqa: B018
