"""pybind11's test_virtual_functions.py in our words: Python overrides virtual functions of C++."""

from __future__ import annotations

import gc
import threading

import pytest

import samebytes as sb

pytestmark = pytest.mark.full

SOURCE = r"""
#include <functional>
#include <memory>
#include <string>
#include <thread>
class Machine {
  int state;
  const std::string first{"default1"}, second{"default2"};
public:
  explicit Machine(int s) : state(s) {}
  virtual ~Machine() = default;
  virtual int run(int v) { return state + v + int(name().size()); }
  virtual bool ready() { return true; }
  virtual const std::string& name() { return first; }
  virtual const std::string* other_name() { return &second; }
};
class Idle { public: virtual ~Idle() = default; virtual std::string work() const = 0; int twice() const { return 2; } };
inline int run(Machine* m, int v) { return m->run(v); }
inline std::string work(const Idle* i) { return i->work(); }

struct Moved {
  std::unique_ptr<int> p;
  Moved(int a, int b) : p(new int(a * b)) {}
  Moved(Moved&&) = default;
  int value() const { return *p; }
};
struct Factory { virtual ~Factory() = default; virtual Moved make(int a, int b) { return Moved(a, b); } };
inline int made(Factory& f, int a, int b) { return f.make(a, b).value(); }

struct Number { int value; explicit Number(int v) : value(v) {} ~Number() {} };
using Visitor = std::function<void(const Number&)>;
struct Adder {
  virtual ~Adder() = default;
  virtual void operator()(const Number& a, const Number& b, const Visitor& f) const { f(Number(a.value + b.value)); }
};
inline void add3(const Number& a, const Number& b, const Number& c, const Adder& add, const Visitor& f) {
  add(a, b, [&](const Number& ab) { add(ab, c, f); });
}

struct Text { std::string value = "hi"; };
class Refers {
  Text text;
  std::string s;
public:
  explicit Refers(std::string s) : s(s) {}
  virtual ~Refers() = default;
  virtual const std::string& str_ref() { return s; }
  virtual std::string str_value() { return s; }
  virtual Text text_value() { return text; }
  virtual Text& text_ref() { return text; }
};

class A {
public:
  virtual ~A() = default;
  virtual int unlucky() const { return 7; }
  virtual std::string say(unsigned n) const { std::string s; for (; n; --n) s += "hi"; return s; }
  std::string all() const { return say(1) + " " + std::to_string(unlucky()); }
};
class B : public A {
public:
  int unlucky() const override { return 13; }
  std::string say(unsigned n) const override { return "B says hi " + std::to_string(n) + " times"; }
  virtual double lucky() const { return 7.0; }
};
class C : public B {
public:
  int unlucky() const override { return 4444; }
  double lucky() const override { return 888; }
};
class D : public C {};
template <class T> class Over : public T { public: int unlucky() const override { return T::unlucky() + 1; } };
inline int ask_unlucky(const A& a) { return a.unlucky(); }
inline Over<D> make_over() { return {}; }

inline void from_thread(const std::function<void()>& f) { std::thread t([&] { f(); }); t.join(); }
class Told {
  std::function<int(int)> f;
public:
  explicit Told(std::function<int(int)> f) : f(f) {}
  virtual ~Told() = default;
  virtual int go(int n) const { return f ? f(n) : n; }
};
inline int go(const Told& t, int n) { return t.go(n); }
"""


@pytest.fixture(scope="module")
def lib():
    return sb.compile(SOURCE)


@pytest.mark.behaviour(
    "test_override", "test_alias_delay_initialization1", "test_alias_delay_initialization2"
)
def test_overriding(lib):
    class Mine(lib.Machine):
        def run(self, v):
            return super().run(v) + 1

        def ready(self):
            return False

    one = Mine(10)
    assert (lib.run(one, 20), one.run(20), one.ready()) == (39, 39, False)
    named = type("Mine", (lib.Machine,), {"name": lambda self: "mine"})(10)
    assert lib.run(named, 20) == 10 + 20 + len("mine")
    one = type("Mine", (lib.Machine,), {"faster": lambda self, v: self.run(10 * v)})(10)
    assert (lib.run(one, 20), one.run(20), one.faster(2)) == (38, 38, 38)
    assert (one.name(), one.other_name()) == ("default1", "default2")


@pytest.mark.behaviour("test_dispatch_issue")
def test_an_abstract_class_is_filled_in(lib):
    mine = type("Mine", (lib.Idle,), {"work": lambda self: "Yay"})
    assert lib.work(mine()) == "Yay"
    with pytest.raises(TypeError, match="pure or private"):
        lib.work(type("Asks", (mine,), {"work": lambda self: lib.Idle.work(self)})())
    with pytest.raises(sb.ArgumentError, match="abstract"):
        type("Mine", (lib.Idle,), {})()


@pytest.mark.behaviour("test_move_support")
def test_virtual_functions_that_make_objects(lib):
    kept = lib.Moved(4, 5)
    for method, answer in (
        (lambda self, a, b: lib.Moved(a * a, b * b), 36),
        (lambda self, a, b: lib.Factory.make(self, b, 10), 30),
        (lambda self, a, b: kept, 20),
    ):
        assert lib.made(type("Mine", (lib.Factory,), {"make": method})(), 2, 3) == answer
    factory = lib.Factory()
    assert lib.made(factory, 2, 3) == factory.make(2, 3).value() == 6


@pytest.mark.behaviour("test_recursive_dispatch_issue")
def test_the_operator_of_a_call(lib):
    class Mine(lib.Adder):
        def __call__(self, a, b, visitor):
            visitor(lib.Number(10 * a.value + b.value))

    seen = []
    lib.add3(*map(lib.Number, (1, 2, 3)), Mine(), lambda n: seen.append(n.value))
    assert seen == [123]
    seen.clear()
    numbers = [lib.Number(n) for n in (1, 2, 3)]
    lib.add3(*numbers, lib.Adder(), lambda n: seen.append(n.value))
    lib.Adder()(numbers[0], numbers[1], lambda n: seen.append(n.value))
    assert seen == [6, 3]


@pytest.mark.behaviour("test_override_ref")
def test_references_that_virtual_functions_return(lib):
    one = lib.Refers("asdf")
    assert (one.str_value(), one.str_ref(), one.text_value().value) == ("asdf", "asdf", "hi")
    text = one.text_ref()
    text.value = "bye"
    assert one.text_value().value == "bye"
    del one
    gc.collect()
    assert text.value == "bye"


# What each class of C++ answers: say(3), unlucky(), lucky(), all().
ANSWERS = {
    "A": ("hihihi", 7, None, "hi 7"),
    "B": ("B says hi 3 times", 13, 7.0, "B says hi 1 times 13"),
    "C": ("B says hi 3 times", 4444, 888.0, "B says hi 1 times 4444"),
    "D": ("B says hi 3 times", 4444, 888.0, "B says hi 1 times 4444"),
}


@pytest.mark.behaviour("test_inherited_virtuals")
@pytest.mark.parametrize("name", ANSWERS)
def test_inherited_virtual_functions(lib, name):
    cls = getattr(lib, name)
    for made in (cls(), type("Mine", (cls,), {})()):
        lucky = made.lucky() if hasattr(made, "lucky") else None
        assert (made.say(3), made.unlucky(), lucky, made.all()) == ANSWERS[name]
        assert lib.ask_unlucky(made) == ANSWERS[name][1]
    for method in ("unlucky", "say", *(["lucky"] if name != "A" else [])):
        answer = "mine" if method == "say" else 99
        mine = type("Mine", (cls,), {method: lambda self, *args, answer=answer: answer})()
        assert getattr(mine, method)(*((1,) if method == "say" else ())) == answer
        say, unlucky = made.say(1), made.unlucky()
        said = f"{'mine' if method == 'say' else say} {99 if method == 'unlucky' else unlucky}"
        assert mine.all() == said


@pytest.mark.behaviour("test_inherited_virtuals")
def test_a_template_that_overrides(lib):
    one = lib.make_over()
    assert (one.unlucky(), lib.ask_unlucky(one), one.all()) == (4445, 4445, "B says hi 1 times 4445")
    assert isinstance(one, lib.D)


@pytest.mark.behaviour("test_issue_1454")
def test_python_in_a_thread_of_cxx(lib):
    seen = []
    lib.from_thread(lambda: seen.append(threading.get_ident()))
    lib.from_thread(lambda: lib.from_thread(lambda: seen.append(threading.get_ident())))
    assert len(seen) == 2
    assert threading.get_ident() not in seen


@pytest.mark.behaviour("test_python_override")
def test_classes_that_are_made_and_gone(lib):
    for n in range(100):
        assert lib.ask_unlucky(type("Test", (lib.A,), {"unlucky": lambda self: 42})()) == 42
        assert lib.ask_unlucky(type("Test", (lib.A,), {"n": n})()) == 7
    assert lib.go(lib.Told(lambda n: 2 * n), 21) == 42
