"""Virtual operators, and virtual functions that return references or smart pointers, that Python's classes override."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

SOURCE = r"""
#include <functional>
#include <memory>
#include <string>
struct Text {
  static inline int alive = 0;
  std::string value;
  Text(std::string v = "hi") : value(v) { ++alive; }
  Text(const Text& t) : value(t.value) { ++alive; }
  ~Text() { --alive; }
};
struct Pair { int a, b; };
struct Base {
  int a = 1;
  Text text;
  Pair pair{3, 4};
  explicit Base(int n = 1) : a(n) {}
  virtual ~Base() {}
  virtual int operator()(int x) const { return a + x; }
  virtual int operator()(int x, int y) const { return a + x + y; }
  virtual bool operator==(const Base& o) const { return a == o.a; }
  virtual int operator+(int x) const { return a + x; }
  virtual int operator-(int x) const { return a - x; }
  virtual int operator-() const { return -a; }
  virtual Base& operator+=(int x) { a += x; return *this; }
  virtual int operator[](unsigned i) const { return a * int(i); }
  virtual bool operator!() const { return !a; }
  virtual operator int() const { return a; }
  virtual Text& ref() { return text; }
  virtual const Text& cref() const { return text; }
  virtual Pair& pref() { return pair; }
  virtual int& num() { return a; }
  virtual const std::string& word() const { return text.value; }
  virtual std::unique_ptr<Base> make(int n) const { return std::make_unique<Base>(n); }
};
struct Pure {
  virtual ~Pure() {}
  virtual int operator()(int) const = 0;
  virtual bool operator<(const Pure&) const = 0;
};
inline int operator+(const Base& b, const std::string& s) { return b.a + 1000 * int(s.size()); }
inline int call(const Base& b, int x) { return b(x); }
inline int call2(const Base& b, int x) { return b(x, x); }
inline bool eq(const Base& b, const Base& c) { return b == c; }
inline int add(const Base& b, int x) { return b + x; }
inline int add_text(const Base& b) { return b + std::string("ab"); }
inline int neg(const Base& b) { return -b; }
inline int sub(const Base& b, int x) { return b - x; }
inline int iadd(Base& b, int x) { return (b += x).a; }
inline int at(const Base& b, unsigned x) { return b[x]; }
inline std::string texts(Base& b) { return b.ref().value + b.cref().value; }
inline int pair(Base& b) { return b.pref().a; }
inline int alive_at_ref(Base& b) { Text& t = b.ref(); return Text::alive + 0 * int(t.value.size()); }
inline void set(Base& b) { b.ref().value = "set"; b.pref().a = 77; }
inline int made(const Base& b, int n) { return (*b.make(n))(0); }
inline std::unique_ptr<Base> give(const Base& b, int n) { return b.make(n); }
inline int call_pure(const Pure& p) { return p(1) + 100 * (p < p); }
inline int alive_at(std::function<std::reference_wrapper<Text>()> f) {
  Text& t = f();
  return Text::alive + 0 * int(t.value.size());
}
struct Holds { std::function<std::unique_ptr<Base>(int)> make; int run(int n) { return make(n)->a; } };
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="overriding_operators")


@pytest.fixture(scope="module")
def mine(lib: Any) -> Any:
    class Mine(lib.Base):  # type: ignore[misc,name-defined]
        def __init__(self, *args: Any) -> None:
            self.own, self.two = lib.Text("mine"), lib.Pair(8, 9)

        def __call__(self, *args: int) -> int:
            return 100 + super().__call__(*args)

        def __eq__(self, other: object) -> Any:
            found = super().__eq__(other)
            return found if found is NotImplemented else not found

        __hash__ = None

        def __add__(self, x: Any) -> Any:
            found = super().__add__(x)
            return found if found is NotImplemented else found + 200

        def __sub__(self, x: int) -> int:
            return super().__sub__(x) + 300

        def __neg__(self) -> int:
            return super().__neg__() * 10

        def __iadd__(self, x: int) -> Any:
            super().__iadd__(2 * x)
            return self

        def __getitem__(self, i: int) -> int:
            return super().__getitem__(i) + 1

        def ref(self) -> Any:
            return self.own

        def cref(self) -> Any:
            return self.own

        def pref(self) -> Any:
            return self.two

        def make(self, n: int) -> Any:
            return Mine(n) if n else super().make(7)

    return Mine


# What C++ answers for an object of 5; C++'s own, and with Python's operators.
ANSWERS = {
    "call": (lambda lib, o: lib.call(o, 1), 6, 106),
    "call of two": (lambda lib, o: lib.call2(o, 1), 7, 107),
    "==": (lambda lib, o: (lib.eq(o, lib.Base(5)), lib.eq(lib.Base(5), o)), (True, True), (False, True)),
    "+": (lambda lib, o: lib.add(o, 1), 6, 206),
    "+ beside it": (lambda lib, o: lib.add_text(o), 2005, 2005),
    "binary -": (lambda lib, o: lib.sub(o, 1), 4, 304),
    "unary -": (lambda lib, o: lib.neg(o), -5, -50),
    "[]": (lambda lib, o: lib.at(o, 2), 10, 11),
    "references": (lambda lib, o: (lib.texts(o), lib.pair(o)), ("hihi", 3), ("minemine", 8)),
    "made": (lambda lib, o: (lib.made(o, 4), lib.made(o, 0)), (4, 0), (104, 7)),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_cpp_asks_python(lib: Any, mine: Any, name: str) -> None:
    ask, own, pythons = ANSWERS[name]
    assert ask(lib, lib.Base(5)) == own
    assert ask(lib, mine(5)) == pythons
    assert ask(lib, type("Plain", (lib.Base,), {"num_": 1, "ref": lambda self: lib.Base.ref(self)})(5)) == own


def test_python_asks_both(lib: Any, mine: Any) -> None:
    one = mine(5)
    assert (one(1), one + 1, one + "ab", one - 1, -one, one[2]) == (106, 206, 2205, 304, -50, 11)
    assert (one == mine(5), one == "text") == (False, False)
    assert lib.iadd(one, 1) == 7
    one += 1
    assert (type(one), one.a) == (mine, 9)
    with pytest.raises(TypeError):
        one + None


def test_operators_that_are_not_overridden_are_the_class_s(lib: Any) -> None:
    one = type("Mine", (lib.Base,), {"__call__": lambda self, x: 0})(5)
    assert (one + 1, one + "ab", one - 1, -one, one[2], int(one)) == (6, 2005, 4, -5, 10, 5)
    assert (one == lib.Base(5), one == "text") == (True, False)
    with pytest.raises(TypeError, match="no overload that fits"):
        one + None


def test_references_are_the_very_objects(lib: Any, mine: Any) -> None:
    one = mine(5)
    lib.set(one)
    assert (one.own.value, one.two.a, one.text.value, one.pair.a) == ("set", 77, "hi", 3)
    for wrong in (None, 3, lib.Pair(1, 2)):
        bad = type("Bad", (lib.Base,), {"ref": lambda self, wrong=wrong: wrong})()
        with pytest.raises(
            sb.ArgumentError, match=r"callback ref\(\) returned .*: expected an object of Text"
        ):
            lib.texts(bad)


def test_what_a_reference_means_lives_until_the_next_call(lib: Any) -> None:
    one = type("Mine", (lib.Base,), {"ref": lambda self: lib.Text("temporary")})()
    before = lib.Text.alive
    assert lib.alive_at_ref(one) == before + 1
    assert lib.texts(one) == "temporaryhi"
    before = lib.Text.alive
    assert lib.alive_at(lambda: lib.Text("temporary")) == before + 1


def test_what_a_unique_ptr_gives_is_python_s_again(lib: Any, mine: Any) -> None:
    given = lib.give(mine(5), 3)
    assert (type(given), given.a, lib.call(given, 0)) == (mine, 3, 103)
    holds = lib.Holds()
    holds.make = lambda n: lib.Base(n + 1)
    assert (holds.run(1), holds.run(2)) == (2, 3)


def test_pure_operators(lib: Any) -> None:
    half = type("Half", (lib.Pure,), {"__call__": lambda self, x: x + 5})
    with pytest.raises(TypeError, match=r"as it lacks Pure::operator<\(\)"):
        half()
    whole = type("Whole", (half,), {"__lt__": lambda self, other: True})
    assert lib.call_pure(whole()) == 106
    asks = type("Asks", (whole,), {"__call__": lambda self, x: super(whole, self).__call__(x)})
    assert lib.call_pure(asks()) == 106
    none = type(
        "None_", (lib.Pure,), {"__lt__": whole.__lt__, "__call__": lambda s, x: lib.Pure.__call__(s, x)}
    )
    with pytest.raises(TypeError, match="pure or private"):
        lib.call_pure(none())


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("num", r"what a Python callable returns is gone when C\+\+ looks at a reference"),
        ("__int__", "it is a conversion"),
    ],
)
def test_refused_when_the_class_is_made(lib: Any, name: str, words: str) -> None:
    with pytest.raises(TypeError, match=rf"overrides Base::.*, which is virtual, .*: {words}"):
        type("Mine", (lib.Base,), {name: lambda self: 3})


def test_names_that_no_virtual_operator_has_are_python_s(lib: Any) -> None:
    one = type("Mine", (lib.Base,), {"__radd__": lambda self, x: "mine", "__gt__": lambda self, o: True})(5)
    assert (1 + one, one > 3) == ("mine", True)


ITERATED = """
#include <vector>
struct Row {
  std::vector<int> cells{1, 2, 3}; virtual ~Row() {} auto begin() { return cells.begin(); }
  auto end() { return cells.end(); } auto begin() const { return cells.begin(); }
  auto end() const { return cells.end(); } virtual int cost() const { return 1; }
};
struct Named { virtual ~Named() {} virtual int name() const { return 2; } };
"""


@pytest.mark.parametrize("bases", [("Row",), ("Row", "Named")])
def test_elements_of_python_s_objects(bases: tuple[str, ...]) -> None:
    lib: Any = sb.compile(ITERATED)
    mine = type("Mine", tuple(getattr(lib, name) for name in bases), {"cost": lambda self: 5})
    one: Any = mine()
    assert (list(one), next(iter(one)), 2 in one, 7 in one) == ([1, 2, 3], 1, True, False)
    one.cells = [4]
    assert [*one] == [4]
