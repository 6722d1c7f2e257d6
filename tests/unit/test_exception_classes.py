"""Exceptions by type: each class of C++ has an exception class of Python's, which keeps the object that was thrown."""

from __future__ import annotations

import copy
import gc
import pickle
import subprocess
import sys
import threading
import weakref
from contextlib import suppress
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

SOURCE = r"""
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
namespace ns {
inline int& balance() { static int n = 0; return n; }
struct Counted {
  Counted() { ++balance(); }
  Counted(const Counted&) { ++balance(); }
  ~Counted() { --balance(); }
};
struct MyError : std::runtime_error {
  int code;
  std::string place;
  Counted counted;
  MyError(const std::string& text, int n, std::string where = "here")
      : std::runtime_error(text), code(n), place(where) {}
  int twice() const { return 2 * code; }
  virtual std::string kind() const { return "mine"; }
  enum Level { low, high };
  struct Inner { int deep = 7; };
};
struct Derived : MyError {
  double weight = 2.5;
  using MyError::MyError;
  std::string kind() const override { return "derived"; }
};
}
struct Argument : std::invalid_argument { using std::invalid_argument::invalid_argument; };
struct Place : std::out_of_range { using std::out_of_range::out_of_range; };
struct Memory : std::bad_alloc { int asked = 8; };
struct Much : std::overflow_error { using std::overflow_error::overflow_error; };
struct Logic : std::logic_error { using std::logic_error::logic_error; };
struct Top : std::exception { int top = 1; };
struct Left : virtual Top { int left = 2; };
struct Right : virtual Top { int right = 3; };
struct Both : Left, Right { int both = 4; };
class Secret : Top { public: int shown = 5; };
struct One : std::invalid_argument { int one = 1; One() : std::invalid_argument("one") {} };
struct Other { int other = 2; virtual ~Other() {} };
struct Mixed : Other, One { int mixed = 3; };
struct Another : std::out_of_range { int n = 3; Another() : std::out_of_range("another") {} };
struct Twice : One, Another {};
struct Code { int number; };
struct Moved : std::exception { std::unique_ptr<int> p{new int(6)}; Moved() {} Moved(Moved&&) = default;
  int get() const { return *p; } };
template <class T> struct Of : std::exception { T value; explicit Of(T v) : value(v) {} };
struct exception_like { int exception = 9; };
inline void of_int(Of<int>) {}
inline int alive() { return ns::balance(); }
inline void throw_one(int which) {
  switch (which) {
    case 0: throw ns::MyError("mine", 3);
    case 1: throw ns::Derived("more", 4, "there");
    case 2: throw Argument("argument");
    case 3: throw Place("place");
    case 4: throw Memory();
    case 5: throw Much("much");
    case 6: throw Logic("logic");
    case 7: throw Both();
    case 8: throw Mixed();
    case 9: throw Code{11};
    case 10: throw Moved();
    case 11: throw Of<int>(12);
    case 12: { struct Local : ns::Derived { Local() : Derived("local", 13) {} }; throw Local(); }
    case 13: throw Secret();
    case 14: throw Twice();
  }
}
inline void hold() {
  try { throw ns::MyError("inner", 1); } catch (...) { std::throw_with_nested(Argument("outer")); }
}
inline void again(std::function<void()> f) { f(); }
inline bool catches(std::function<void()> f) { try { f(); } catch (const ns::MyError&) { return true; } return false; }
inline int code(const ns::MyError& e) { return e.code; }
inline void set(ns::MyError& e, int n) { e.code = n; }
struct Entries {
  int n;
  std::string text;
  explicit Entries(int i) : n(i) { if (i < 0) throw ns::MyError("entry", 21); }
  ~Entries() {}
  void method() const { throw ns::MyError("entry", 21); }
  static void none() { throw ns::MyError("entry", 21); }
  int operator+(int) const { throw ns::MyError("entry", 21); }
  int operator[](int) const { throw ns::MyError("entry", 21); }
  bool operator==(const Entries&) const { throw ns::MyError("entry", 21); }
  explicit operator bool() const { throw ns::MyError("entry", 21); }
  operator std::string() const { throw ns::MyError("entry", 21); }
  const int* begin() const { throw ns::MyError("entry", 21); }
  const int* end() const { return nullptr; }
};
struct Bad { Bad() {} Bad(const Bad&) { throw ns::MyError("entry", 21); } Bad& operator=(const Bad&) {
  throw ns::MyError("entry", 21); } ~Bad() {} };
struct Unreadable { Unreadable() {} ~Unreadable() {}
  operator ns::Derived() const { throw ns::MyError("entry", 21); } };
inline std::string text_of(const ns::Derived& d) { return d.place; }
inline void takes(Bad) {}
template <class T> T later(T x) { throw ns::MyError("entry", 21); return x; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, std="c++17", name="by_type")


def raised(call: Any, *args: Any) -> Any:
    with pytest.raises(Exception) as error:
        call(*args)
    return error.value


# What is thrown -> the class of C++ in whose exception class it is caught, the built-in one, and its members.
THROWN: dict[int, tuple[str, type, dict[str, Any]]] = {
    0: ("ns.MyError", RuntimeError, {"code": 3, "place": "here"}),
    1: ("ns.Derived", RuntimeError, {"code": 4, "place": "there", "weight": 2.5}),
    2: ("Argument", ValueError, {}),
    3: ("Place", IndexError, {}),
    4: ("Memory", MemoryError, {"asked": 8}),
    5: ("Much", OverflowError, {}),
    6: ("Logic", RuntimeError, {}),
    7: ("Both", RuntimeError, {"top": 1, "left": 2, "right": 3, "both": 4}),
    8: ("Mixed", ValueError, {"one": 1, "other": 2, "mixed": 3}),
    9: ("Code", RuntimeError, {"number": 11}),
    10: ("Moved", RuntimeError, {}),
    11: ("Of<int>", RuntimeError, {"value": 12}),
    12: ("ns.Derived", RuntimeError, {"code": 13, "weight": 2.5}),
    13: ("Secret", RuntimeError, {"shown": 5}),
}


def class_of(lib: Any, name: str) -> Any:
    for part in name.split("."):
        lib = lib.Of[int] if part == "Of<int>" else getattr(lib, part)
    return lib


@pytest.mark.parametrize("which", THROWN)
def test_it_is_caught_by_its_class_and_has_its_members(lib: Any, which: int) -> None:
    name, builtin, members = THROWN[which]
    cls = class_of(lib, name)
    with pytest.raises(cls.exception) as caught:
        lib.throw_one(which)
    error = caught.value
    assert isinstance(error, builtin)
    assert isinstance(error.cxx, cls)
    assert type(error).__name__ == cls.__name__
    assert {m: getattr(error, m) for m in members} == members
    assert {m: getattr(error.cxx, m) for m in members} == members


HIERARCHY = [
    ("ns.Derived", "ns.MyError"),
    ("Both", "Left"),
    ("Both", "Right"),
    ("Both", "Top"),
    ("Mixed", "Other"),
]


@pytest.mark.parametrize(("derived", "base"), HIERARCHY)
def test_classes_derive_as_in_cxx(lib: Any, derived: str, base: str) -> None:
    one, two = class_of(lib, derived).exception, class_of(lib, base).exception
    assert issubclass(one, two)
    assert not issubclass(two, one)
    assert one is class_of(lib, derived).exception


@pytest.mark.parametrize("which", [which for which in THROWN if which != 9])
def test_classes_derive_from_the_built_in_one(lib: Any, which: int) -> None:
    name, builtin, _ = THROWN[which]
    made = class_of(lib, name).exception
    assert issubclass(made, builtin) == (
        name != "Secret"
    )  # which C++ does not catch as a std::exception either
    assert issubclass(made, (RuntimeError, ValueError, IndexError, MemoryError, OverflowError)) == (
        name != "Secret"
    )


def test_a_class_of_no_exceptions_is_one_all_the_same(lib: Any) -> None:
    assert lib.Code.exception.__mro__[1:4] == (lib.Other.exception.__mro__[1], Exception, BaseException)
    assert lib.Twice.exception.__mro__[1:3] == (lib.One.exception, lib.Another.exception)
    assert isinstance(raised(lib.throw_one, 14), (lib.Twice.exception, RuntimeError))


def test_a_base_catches_it(lib: Any) -> None:
    for which, base in (
        (1, lib.ns.MyError),
        (7, lib.Top),
        (8, lib.One),
        (8, lib.Other),
        (12, lib.ns.MyError),
    ):
        assert isinstance(raised(lib.throw_one, which), base.exception)
    assert not isinstance(raised(lib.throw_one, 13), lib.Top.exception)  # a private base
    assert not isinstance(raised(lib.throw_one, 0), lib.ns.Derived.exception)


def test_methods_run_on_the_object(lib: Any) -> None:
    error = raised(lib.throw_one, 1)
    assert (error.twice(), error.kind()) == (8, "derived")
    lib.set(error.cxx, 50)
    assert (error.code, lib.code(error.cxx)) == (50, 50)
    assert raised(lib.throw_one, 10).get() == 6  # C++ cannot copy it
    assert {"code", "twice", "args"} <= set(dir(error))
    with pytest.raises(AttributeError, match="coed"):
        error.coed  # noqa: B018


ENTRIES = {
    "constructor": lambda lib: lib.Entries(-1),
    "method": lambda lib: lib.Entries(1).method(),
    "static": lambda lib: lib.Entries.none(),
    "operator": lambda lib: lib.Entries(1) + 1,
    "item": lambda lib: lib.Entries(1)[0],
    "equality": lambda lib: lib.Entries(1) == lib.Entries(1),
    "truth": lambda lib: bool(lib.Entries(1)),
    "str": lambda lib: str(lib.Entries(1)),
    "iteration": lambda lib: list(lib.Entries(1)),
    "argument": lambda lib: lib.takes(lib.Bad()),
    "copy": lambda lib: copy.copy(lib.Bad()),
    "conversion": lambda lib: lib.text_of(lib.Unreadable()),
    "template": lambda lib: lib.later(1.5),
    "through Python": lambda lib: lib.again(lambda: lib.Entries(-1)),
}


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_way_into_cxx(lib: Any, entry: str) -> None:
    error = raised(ENTRIES[entry], lib)
    assert isinstance(error, lib.ns.MyError.exception)
    assert (str(error), error.code) == ("entry", 21)


@pytest.mark.parametrize("nogil", [True, False])
def test_with_and_without_the_gil(nogil: bool) -> None:
    other = sb.compile(SOURCE, std="c++17", nogil=nogil)
    assert raised(other.throw_one, 1).weight == 2.5


def test_a_cause_has_its_class_too(lib: Any) -> None:
    error = raised(lib.hold)
    assert isinstance(error, lib.Argument.exception)
    assert isinstance(error.__cause__, lib.ns.MyError.exception)
    assert error.__cause__.code == 1


def test_it_goes_through_cxx_as_itself(lib: Any) -> None:
    inner = []

    def fails() -> None:
        try:
            lib.throw_one(1)
        except lib.ns.MyError.exception as error:
            inner.append(error)
            raise

    assert raised(lib.again, fails) is inner[0]


def test_objects_live_as_long_as_their_errors(lib: Any) -> None:
    gc.collect()
    before = lib.alive()
    error = raised(lib.throw_one, 0)
    view = error.cxx
    assert lib.alive() == before + 1
    gone = weakref.ref(error)
    del error
    gc.collect()
    assert gone() is None
    assert (view.code, lib.alive()) == (3, before + 1)
    with pytest.raises(sb.IntentError):
        sb.delete(view)
    del view
    gc.collect()
    assert lib.alive() == before


def test_copies(lib: Any) -> None:
    error = raised(lib.throw_one, 0)
    error.mine = [1]
    for again, same in ((copy.copy(error), True), (copy.deepcopy(error), False)):
        assert (type(again), str(again)) == (type(error), "mine")
        assert (again.code, again.cxx_type, again.mine) == (3, "ns::MyError", [1])
        assert (again.cxx is error.cxx) == same


def test_a_pickle_has_its_words(lib: Any) -> None:
    again = pickle.loads(pickle.dumps(raised(lib.throw_one, 1)))
    assert (type(again), str(again), again.cxx_type) == (RuntimeError, "more", "ns::Derived")


def test_python_makes_none_of_what_is_no_std_exception(lib: Any) -> None:
    with pytest.raises(TypeError, match=r"Code\.exception makes no exceptions"):
        lib.Code.exception(3)


def test_a_member_of_that_name_comes_first(lib: Any) -> None:
    assert not isinstance(lib.exception_like.exception, type)
    assert lib.exception_like().exception == 9


def test_in_threads(lib: Any) -> None:
    codes: list[int] = []

    def work() -> None:
        for _ in range(200):
            codes.append(raised(lib.throw_one, 1).code)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert codes == [4] * 800


def test_nothing_stays_behind(lib: Any) -> None:
    from measure import in_use

    def many() -> int:
        for _ in range(10_000):
            for which in (0, 1, 7, 9):
                with suppress(RuntimeError):
                    lib.throw_one(which)
        return sum(in_use())

    many()
    assert many() - many() == pytest.approx(0, abs=50_000)
    assert lib.alive() == 0


BUSY = """
import threading, time
import samebytes as sb
lib = sb.compile('''
#include <stdexcept>
struct My : std::out_of_range { int code = 4; My() : std::out_of_range("x") {} };
inline void f() { throw My(); }
''')
errors = []
try:
    lib.f()
except lib.My.exception as error:
    errors += [error, error.cxx]
def work():
    while True:
        try:
            lib.f()
        except IndexError as error:
            errors[0] = error
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.2)
"""


def test_python_ends_while_threads_raise() -> None:
    for _ in range(3):
        ran = subprocess.run([sys.executable, "-c", BUSY], capture_output=True, text=True, check=False)
        assert (ran.returncode, ran.stderr) == (0, "")
