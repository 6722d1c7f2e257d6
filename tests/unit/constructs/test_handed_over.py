"""Objects that functions hand over as raw pointers: Python owns them as ``"owned"`` says, and ends them once."""

from __future__ import annotations

import gc
from typing import Any

import pytest
from tests.tables import warns_at_first

import samebytes as sb

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

SOURCE = r"""
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
inline int& alive() { static int n = 0; return n; }
inline int count() { return alive(); }
inline int& calls() { static int n = 0; return n; }
inline int called() { return calls(); }
struct Shape { virtual ~Shape() {} virtual int area() const = 0; };
struct Square : Shape { int side; explicit Square(int s) : side(s) { ++alive(); } ~Square() { --alive(); }
  int area() const override { return side * side; } };
struct Plain { int k = 3; Plain() { ++alive(); } ~Plain() { --alive(); } };
struct Point { int x; };
struct Open { virtual int f() const { return 1; } };
class Counted { ~Counted() { --alive(); } public: Counted() { ++alive(); }
  int get() const { return 6; } void Release() { ++calls(); delete this; }
  static void kill(Counted* c) { c->Release(); } void twice(int n) {} };
struct Pooled { int p = 2; Pooled() { ++alive(); } ~Pooled() { --alive(); }
  static void* operator new(std::size_t n) { ++calls(); return ::operator new(n); }
  static void operator delete(void* p) { --calls(); ::operator delete(p); } };

inline Shape* make(int side = 5) { return side ? new Square(side) : nullptr; }
inline Shape* make(const std::string& side) { return new Square(std::stoi(side)); }
inline const Shape* make_const() { return new Square(2); }
inline Plain* make_plain() { return new Plain; }
inline Plain* make_ended() { return new Plain; }
inline void end_plain(Plain* p) { ++calls(); delete p; }
inline int end_any(void* p, int why = 0) { ++calls(); delete static_cast<Plain*>(p); return why; }
inline void end_two(Plain* p, Plain* q) {}
inline Point* make_point() { return new Point{4}; }
inline Point* make_malloced() { auto* p = static_cast<Point*>(std::malloc(sizeof(Point))); p->x = 8; return p; }
inline Open* make_open() { return new Open; }
inline Counted* make_counted() { return new Counted; }
inline Counted* make_killed() { return new Counted; }
inline Pooled* make_pooled() { return new Pooled; }
inline int open(const std::string& name, Shape** out) {
  if (name == "raises") throw std::runtime_error("not opened");
  *out = name == "missing" ? nullptr : new Square(7);
  return name == "missing"; }
inline int open_reference(Shape*& out, int side = 3) { out = new Square(side); return 0; }
inline void open_two(Plain** a, Plain** b) { *a = new Plain; *b = new Plain; }
struct Factory { int k = 2; Factory() {} ~Factory() {} Shape* made() const { return new Square(k); }
  static Plain* plain() { return new Plain; } bool put(Shape** place) { *place = new Square(9); return true; } };
template <class T> T* make_any() { return new T; }
inline int take(std::unique_ptr<Shape> s) { return s->area(); }
inline int share(std::shared_ptr<Shape> s) { return s->area(); }
inline int take_plain(std::unique_ptr<Plain> p) { return p->k; }
inline int look(const Shape* s) { return s ? s->area() : -1; }
inline int* numbers() { return new int[3]; }
"""

INTENTS: dict[str, dict[Any, Any]] = {
    "make(int)": {"return": "owned"},
    "make(const std::basic_string<char> &)": {"return": sb.owned},
    "make_const": {"return": {"intent": "owned"}},
    "make_plain": {"return": sb.owned()},
    "make_ended": {"return": sb.owned("end_plain")},
    "make_point": {"return": "owned"},
    "make_malloced": {"return": sb.owned("free")},
    "make_counted": {"return": sb.owned("Release")},
    "make_killed": {"return": {"intent": "owned", "deleter": "Counted::kill"}},
    "make_pooled": {"return": sb.owned("delete")},
    "open": {"out": "owned"},
    "open_reference": {0: "owned"},
    "open_two": {"a": "owned", "b": sb.owned("end_any")},
    "Factory.made": {"return": "owned"},
    "Factory::plain": {"return": "owned"},
    "Factory.put": {"place": "owned"},
    "make_any": {"return": "owned"},
}


@pytest.fixture(scope="module")
def lib() -> Any:
    with warns_at_first(sb.BindWarning, match="Counted"):
        return sb.compile(SOURCE, arg_intent=INTENTS)


ROWS: list[tuple[str, Any, int]] = [
    ("lib.make().area()", 25, 0),
    ("lib.make(3).side", 3, 0),
    ("lib.make('4').area()", 16, 0),
    ("lib.make(0)", None, 0),
    ("lib.make_const().area()", 4, 0),
    ("lib.make_plain().k", 3, 0),
    ("lib.make_ended().k", 3, 1),
    ("lib.make_point().x", 4, 0),
    ("lib.make_malloced().x", 8, 0),
    ("lib.make_counted().get()", 6, 1),
    ("lib.make_killed().get()", 6, 1),
    ("lib.make_pooled().p", 2, 0),
    ("lib.open('a')[1].area()", 49, 0),
    ("lib.open('missing')", (1, None), 0),
    ("lib.open_reference()[1].area()", 9, 0),
    ("lib.open_reference(4)[1].area()", 16, 0),
    ("[p.k for p in lib.open_two()]", [3, 3], 1),
    ("lib.Factory().made().area()", 4, 0),
    ("lib.Factory.plain().k", 3, 0),
    ("lib.Factory().put()[1].area()", 81, 0),
    ("lib.make_any[lib.Plain]().k", 3, 0),
    ("lib.take(lib.make(3))", 9, 0),
    ("lib.take(lib.open('a')[1])", 49, 0),
    ("lib.share(lib.make(3))", 9, 0),
    ("lib.look(lib.make(3))", 9, 0),
    ("sb.delete(lib.make(3))", None, 0),
    ("sb.delete(lib.make_ended())", None, 1),
    ("sb.delete(lib.make_counted())", None, 1),
    ("sb.delete(lib.open('a')[1])", None, 0),
]


@pytest.mark.parametrize(("call", "expected", "calls"), ROWS, ids=[row[0] for row in ROWS])
def test_it_ends_once(lib: Any, call: str, expected: Any, calls: int) -> None:
    gc.collect()
    before = lib.called()
    assert eval(call, {"lib": lib, "sb": sb}) == expected
    gc.collect()
    assert (lib.count(), lib.called() - before) == (0, calls)


def test_it_is_its_own_class_and_python_owns_it(lib: Any) -> None:
    square = lib.make(3)
    assert type(square) is lib.Square
    assert lib.count() == 1
    sb.delete(square)
    assert lib.count() == 0
    with pytest.raises(sb.IntentError, match=r"It is gone: sb\.delete"):
        square.area()


def test_a_call_that_raises_hands_nothing_over(lib: Any) -> None:
    with pytest.raises(RuntimeError, match="not opened"):
        lib.open("raises")
    assert lib.count() == 0


def test_another_deleter_is_not_cpps_delete(lib: Any) -> None:
    with pytest.raises(sb.IntentError, match="not Python's to give"):
        lib.take_plain(lib.make_ended())
    gc.collect()
    assert lib.count() == 0


def test_signatures_show_it(lib: Any) -> None:
    assert "-> Shape | None" in lib.make.__doc__
    assert lib.open.__doc__.startswith("open(name: str) -> tuple[int32, Shape | None]")


SMALL = """
struct Shape { virtual ~Shape() {} virtual int area() const = 0; };
struct Plain { ~Plain() {} };
struct Open { virtual int f() const { return 1; } };
class Counted { ~Counted() {} public: void Release() {} void twice(int n) {} };
inline int count() { return 0; }
inline int* numbers() { return nullptr; }
inline Shape* make() { return nullptr; }
inline Plain* make_plain() { return nullptr; }
inline Counted* make_counted() { return nullptr; }
inline Open* make_open() { return nullptr; }
inline void end_plain(Plain* p) {}
inline void end_two(Plain* p, Plain* q) {}
inline int look(const Shape* s, int n) { return 0; }
"""

REFUSED: dict[str, tuple[dict[str, dict[Any, Any]], str]] = {
    "no pointer": (
        {"count": {"return": "owned"}},
        r"count\(\): 'return' is 'owned' needs a pointer to an object, and",
    ),
    "numbers": ({"numbers": {"return": "owned"}}, "points to int32, which is no object of a class"),
    "a private destructor": (
        {"make_counted": {"return": "owned"}},
        "destructor of Counted is not public; name the",
    ),
    "no virtual destructor": (
        {"make_open": {"return": "owned"}},
        "virtual functions without a virtual destructor",
    ),
    "an unknown deleter": ({"make": {"return": sb.owned("end_plan")}}, "'end_plan', which is not bound"),
    "two arguments": ({"make_plain": {"return": sb.owned("end_two")}}, "which does not take one"),
    "a method with arguments": ({"make_counted": {"return": sb.owned("twice")}}, "which does not take one"),
    "another's method": ({"make_plain": {"return": sb.owned("Release")}}, "which does not take one"),
    "another intent": ({"make": {"return": "out_return"}}, "the only intent of 'return' is 'owned'"),
    "no place": ({"look": {"n": "owned"}}, r"needs a place where C\+\+ puts a pointer, T\*\* or T\*&"),
    "an argument that something else ends": (
        {"look": {"s": sb.owned("end_plain")}},
        r"'end_plain': C\+\+ ends what const Shape \* takes over",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_no_declaration_can_mean(case: str) -> None:
    intents, words = REFUSED[case]
    with pytest.raises(sb.IntentError, match=words):
        sb.compile(SMALL, arg_intent=intents)


@pytest.mark.parametrize("spec", [{"intent": "owned", "deleter": 3}, {"intent": "owned", "free": "f"}])
def test_options_that_are_none(spec: Any) -> None:
    with pytest.raises(sb.IntentError, match="the only option of 'owned' is deleter"):
        sb.compile(SMALL, arg_intent={"make": {"return": spec}})


def test_arrays_of_objects_are_refused() -> None:
    with pytest.raises(
        sb.IntentError, match=r"new T\[\] cannot be owned: how many there are is nowhere said"
    ):
        sb.owned("delete[]")


def test_in_c_allocations_say_it() -> None:
    source = "struct node { int n; }; struct node* make(void) { return 0; }"
    with pytest.raises(sb.IntentError, match="allocations="):
        sb.compile(source, language="c", arg_intent={"make": {"return": "owned"}})
