"""What cppyy's test_cpp11features.py is about: smart pointers, moves, lists, lambdas, functions, times."""

from __future__ import annotations

import gc
import re
from datetime import UTC, datetime, timedelta

import pytest

import samebytes as sb

from ..both import Both

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

CODE = r"""
#include <chrono>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>
class Lamp {
public:
  static inline int alive = 0;
  Lamp() { ++alive; }
  Lamp(const Lamp&) { ++alive; }
  virtual ~Lamp() { --alive; }
  virtual int watts() { return 17; }
};
class Bulb : public Lamp { public: int w; Bulb(int n) : w(n) {} int watts() override { return w + 76; } };
inline std::shared_ptr<Lamp> shared() { return std::make_shared<Lamp>(); }
inline std::unique_ptr<Lamp> unique() { return std::make_unique<Lamp>(); }
inline std::shared_ptr<Lamp> no_shared() { return nullptr; }
inline std::unique_ptr<Lamp> no_unique() { return nullptr; }
inline Lamp* no_lamp() { return nullptr; }
inline Lamp by_value() { return Lamp(); }
inline int look(std::shared_ptr<Lamp> p) { return p->watts(); }
inline int look_moved(std::shared_ptr<Lamp>&& p) { return p->watts(); }
inline int eat(std::unique_ptr<Lamp> p) { return p->watts(); }
inline int eat_moved(std::unique_ptr<Lamp>&& p) { auto q = std::move(p); return q->watts(); }
inline int left_alone(std::unique_ptr<Lamp>&& p) { return p->watts(); }
inline bool is_null(const Lamp* p) { return !p; }
struct Room {
  std::shared_ptr<Lamp> a;
  std::unique_ptr<Lamp> b;
  void share(std::shared_ptr<Lamp> p) { a = p; }
  void own(std::unique_ptr<Lamp> p) { b = std::move(p); }
};
inline std::shared_ptr<Lamp> called(std::function<std::shared_ptr<Lamp>()> f) { return f(); }
inline int called_for_watts(std::shared_ptr<Lamp> (*f)()) { return f()->watts(); }

struct Moved {
  static inline int alive = 0, moves = 0;
  int v;
  Moved(int n = 0) : v(n) { ++alive; }
  Moved(const Moved& o) : v(o.v) { ++alive; }
  Moved(Moved&& o) : v(std::exchange(o.v, -1)) { ++alive; ++moves; }
  Moved& operator=(const Moved& o) { v = o.v; return *this; }
  Moved& operator=(Moved&& o) { v = std::exchange(o.v, -1); ++moves; return *this; }
  ~Moved() { --alive; }
};
struct FromMoved { int v; FromMoved(const Moved& m) : v(m.v) {} FromMoved(FromMoved&& o) : v(o.v) {} };
inline int taken(Moved&& m) { Moved own(std::move(m)); return own.v; }
inline int converted(FromMoved&& m) { return m.v; }

struct Datum { int v; Datum(int n = 0) : v(n) {} };
struct Virtual { int v; Virtual(int n = 0) : v(n) {} virtual ~Virtual() {} };
template <class T> class Listed {
  std::vector<T> of;
public:
  Listed(std::initializer_list<T> l) : of(l) {}
  const T& operator[](int i) { return of.at(i); }
  int size() { return static_cast<int>(of.size()); }
};
using ListedData = Listed<Datum>;
using ListedVirtuals = Listed<Virtual>;
using ListedInts = Listed<int>;
inline std::vector<std::string> words(const std::initializer_list<std::string>& l) {
  return std::vector<std::string>{l}; }

inline auto add_40 = [](int a) { return 40 + a; };
inline auto made_lambda() { return [](int b) { return 42 + b; }; }
inline auto closure(int a) { return [a](int b) { return 42 + a + b; }; }
inline int applied(const std::function<int(int)>& f, int n) { return f(n); }
inline int doubled(int n) { return 2 * n; }
inline std::function<int(int)> adder(int a) { return [a](int b) { return a + b; }; }
struct Weight { Weight(int n) : g(n) {} int g; };
inline std::function<int(const Weight&)> weigher() { return [](const Weight& w) { return w.g; }; }
namespace other { struct Weight { Weight(int n) : g(n) {} int g; };
inline std::function<int(const Weight&)> weigher() { return [](const Weight& w) { return w.g + 1; }; } }
inline int weighed(const std::function<int(const Weight&)>& f, int g) { return f(Weight(g)); }

enum Sign { MINUS = -1, PLUS = 1 };
inline int sign_or(std::optional<Sign> s) { return s ? *s : 7; }
inline std::optional<Sign> sign_of(int n) { if (!n) return std::nullopt; return n < 0 ? MINUS : PLUS; }

using Time = std::chrono::time_point<std::chrono::system_clock, std::chrono::nanoseconds>;
inline Time later(Time t, std::chrono::seconds s) { return t + s; }
inline std::chrono::seconds between(Time a, Time b) {
  return std::chrono::duration_cast<std::chrono::seconds>(b - a); }

struct Hashed { int v = 0; bool operator==(const Hashed& o) const { return v == o.v; } };
struct Unhashed { int v = 0; };
template <> struct std::hash<Hashed> { size_t operator()(const Hashed& h) const { return 17 + h.v; } };

template <class T> std::unique_ptr<T> back(std::unique_ptr<T> p) { return p; }
template <class T> std::unique_ptr<T> back_moved(std::unique_ptr<T>&& p) { return std::move(p); }
class Private { std::unique_ptr<double> x; public: virtual ~Private() {} double y = 66; };
struct A { int a; A(int n) : a(n) {} virtual ~A() {} };
inline std::unique_ptr<A> make_a() { return std::make_unique<A>(37); }
class Consumer {
  std::unique_ptr<A> of;
public:
  Consumer(std::unique_ptr<A>& p) : of(std::move(p)) { p.reset(); }
  const A& get() const { return *of; }
  const std::unique_ptr<A>& pget() const { return of; }
};
"""
BOTH = Both(
    {
        "watts": {"look(Bulb(24))": "look(std::make_shared<Bulb>(24))", "look(Lamp())": "look(shared())",
                  "look_moved(Bulb(24))": "look_moved(std::make_shared<Bulb>(24))", "eat(Bulb(24))":
                  "eat(std::make_unique<Bulb>(24))", "eat_moved(Bulb(24))": "eat_moved(std::make_unique<Bulb>(24))",
                  "eat_moved(unique())": "eat_moved(unique())", "look(shared())": "look(shared())", "look(by_value())":
                  "look(std::make_shared<Lamp>(by_value()))"},
        "lists": {"ListedInts([1, 2, 3])[2]": "ListedInts({1, 2, 3})[2]", "words(['x'])": 'words({"x"})',
                  "words(['x', 'y'])": 'words({"x", "y"})', "ListedInts([]).size()": "ListedInts({}).size()"},
        "optional": {"sign_or(None)": "sign_or(std::nullopt)", "sign_or(MINUS)": "sign_or(MINUS)",
                     "sign_or(sign_of(3))": "sign_or(sign_of(3))", "sign_of(-3)": "sign_of(-3)",
                     "sign_of(0)": "sign_of(0)"},
    }
)  # fmt: skip


@pytest.fixture(scope="module")
def lib():
    return sb.compile(CODE + BOTH.code, std="c++17")


@pytest.fixture
def counted(lib):
    """Nothing that a test makes is left."""
    gc.collect()
    assert lib.Lamp.alive == 0
    yield lib
    gc.collect()
    assert lib.Lamp.alive == 0


@pytest.mark.behaviour("test01_smart_ptr")
def test_results_in_smart_pointers(counted):
    for make in (counted.shared, counted.unique):
        one = make()
        assert one
        two = make()
        assert (bool(two), counted.Lamp.alive) == (True, 2)
        del two
        gc.collect()
        assert (counted.Lamp.alive, one.watts()) == (1, 17)
        del one


@pytest.mark.behaviour("test02_smart_ptr_construction", "test03_smart_ptr_memory_handling")
def test_smart_pointers_take_what_python_made(counted):
    class Named(counted.Lamp):
        pass

    for kind in (counted.Lamp, Named, lambda: counted.Bulb(1)):
        room = counted.Room()
        shared, owned = kind(), kind()
        assert counted.Lamp.alive == 2
        room.share(shared)
        del shared
        assert (counted.Lamp.alive, room.a.watts()) == (2, kind().watts())
        room.own(owned)
        assert (counted.Lamp.alive, room.b.watts()) == (2, kind().watts())
        if kind is Named:  # C++'s now, and may be used as long as C++ has it
            assert owned.watts() == room.b.watts()
        else:
            with pytest.raises(sb.IntentError, match="a std::unique_ptr took it over in an earlier call"):
                owned.watts()
        del room, owned
        gc.collect()
        assert counted.Lamp.alive == 0


@pytest.mark.behaviour("test04_shared_ptr_passing", "test05_unique_ptr_passing", "test14_shared_ptr_passing")
def test_smart_pointers_to_a_base(counted):
    BOTH.check(counted, "watts")
    kept = counted.Bulb(24)
    for look in (counted.look, counted.look_moved, counted.left_alone):
        assert look(kept) == 100
    assert kept.watts() == 100
    assert counted.eat_moved(kept) == 100
    with pytest.raises(sb.IntentError, match="a std::unique_ptr took it over in an earlier call"):
        kept.watts()


@pytest.mark.behaviour("test06_nullptr")
def test_null_is_none(lib):
    assert [f() for f in (lib.no_lamp, lib.no_shared, lib.no_unique)] == [None, None, None]
    assert lib.is_null(None)
    assert not lib.is_null(lib.Lamp())


@pytest.mark.behaviour("test07_move")
def test_moves(lib):
    def moves():
        gc.collect()
        return lib.Moved.moves - before, lib.Moved.alive - alive

    before, alive = lib.Moved.moves, lib.Moved.alive
    one = lib.Moved(5)
    two = lib.Moved(one)
    assert (one.v, two.v, moves()) == (5, 5, (0, 2))
    assert (lib.taken(one), one.v, moves()) == (5, -1, (1, 2))
    assert (lib.taken(lib.Moved(6)), moves()) == (6, (2, 2))
    assert (lib.converted(two), two.v, moves()) == (5, 5, (2, 2))
    del one, two
    assert moves() == (2, 0)


@pytest.mark.behaviour("test08_initializer_list")
def test_initializer_lists(lib):
    BOTH.check(lib, "lists")
    for kind, listed in ((lib.Datum, lib.ListedData), (lib.Virtual, lib.ListedVirtuals)):
        made = listed([kind(i) for i in range(10)])
        assert [made[i].v for i in range(made.size())] == list(range(10))
    with pytest.raises(TypeError, match="float"):
        lib.ListedInts([1.0, 2.0])


@pytest.mark.behaviour("test09_lambda_calls", refused=True)
def test_lambdas(lib):
    for name, words in (("add_40", "its type has no name that C++ could spell"), ("made_lambda", "lambda"),
                        ("closure", "lambda")):  # fmt: skip
        with pytest.raises(AttributeError, match=f"{name}.* not bound.*{re.escape(words)}"):
            getattr(lib, name)
    assert lib.applied(lib.doubled, 4) == lib.applied(lambda n: 2 * n, 4) == 8


@pytest.mark.behaviour("test10_optional")
def test_optional(lib):
    BOTH.check(lib, "optional")


@pytest.mark.behaviour("test11_chrono")
def test_times_and_durations(lib):
    at, step = datetime(2026, 11, 23, 6, tzinfo=UTC), timedelta(seconds=1)
    assert (lib.later(at, step), lib.later(at, -step)) == (at + step, at - step)
    assert lib.between(at, at + 90 * step) == 90 * step


@pytest.mark.behaviour("test12_stdfunction")
def test_std_function(lib):
    assert lib.weighed(lambda w: w.g * 2, 21) == 42
    assert [lib.adder(n)(10) for n in (1, -2)] == [11, 8]
    assert (lib.weigher()(lib.Weight(21)), lib.other.weigher()(lib.other.Weight(21))) == (21, 22)
    assert lib.weighed(lib.weigher(), 21) == 21


@pytest.mark.behaviour("test13_stdhash")
def test_std_hash(lib):
    for _ in range(3):
        assert hash(lib.Hashed()) == 17
        assert hash(lib.Hashed(3)) == 20


@pytest.mark.behaviour("test15_unique_ptr_template_deduction", "test16_unique_ptr_moves", refused=True)
def test_unique_pointers_through_templates(lib):
    for f in (lib.back, lib.back_moved):
        made = lib.A(42)
        with pytest.raises(sb.ArgumentError, match=r"could not match 'std::unique_ptr<T>' against 'A'"):
            f(made)
        again = f["A"](made)
        assert again.a == 42
        with pytest.raises(ValueError, match=r"'a' is gone: C\+\+ has taken over this object"):
            made.a  # noqa: B018
        assert f[lib.A](again).a == 42


@pytest.mark.behaviour("test17_unique_ptr_data")
def test_a_member_that_cannot_be_copied(lib):
    class Derived(lib.Private):
        pass

    assert Derived().y == 66.0
    with pytest.raises(sb.ArgumentError, match="cannot copy"):
        Derived().__copy__()


@pytest.mark.behaviour("test18_unique_ptr_identity", refused=True)
def test_what_a_unique_pointer_owns_is_one_object(lib):
    x = lib.make_a()
    assert x.a == 37
    consumer = lib.Consumer(x)
    with pytest.raises(ValueError, match=r"'a' is gone: C\+\+ has taken over this object"):
        x.a  # noqa: B018
    assert consumer.get().a == 37
    with pytest.raises(
        AttributeError, match=r"'pget' .* not bound.* it refers to objects that can only be moved"
    ):
        consumer.pget()


@pytest.mark.behaviour("test19_smartptr_from_callback", refused=True)
def test_a_callback_returns_a_smart_pointer(counted):
    assert counted.called(counted.shared).watts() == 17
    assert counted.called(lambda: counted.Bulb(24)).watts() == 100
    with pytest.raises(
        sb.ArgumentError, match=r"No Python callable can stand for it: it is not trivially copyable"
    ):
        counted.called_for_watts(lambda: counted.Bulb(24))
