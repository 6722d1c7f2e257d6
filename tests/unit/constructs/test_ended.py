"""Objects that end before their Python object: by sb.delete, by with, or in a call that took them and raised."""

from __future__ import annotations

import copy
import threading
from typing import Any

import pytest
from remaining import remaining
from tests.tables import warns_at_first

import samebytes as sb

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

SOURCE = r"""
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
inline int& alive() { static int n = 0; return n; }
inline int count() { return alive(); }
struct P { double x; };
struct V {
  int v; P p{2}; std::string name = "v"; std::function<int()> asked;
  explicit V(int v = 1) : v(v) { ++alive(); }
  V(const V& o) : v(o.v) { ++alive(); }
  virtual ~V() { --alive(); }
  virtual int get() const { return v; }
  V& self() { return *this; }
  bool operator==(const V& o) const { return v == o.v; }
  bool operator<(const V& o) const { return v < o.v; }
  int operator+(int k) const { return v + k; }
  int* place() { return &v; }
  void run(const std::function<void()>& f) { f(); }
};
struct D : V { int d = 4; D() {} int get() const override { return 40; } };
struct Virtual : virtual V { Virtual() {} };
class Plain { int k = 5; public: Plain() { ++alive(); } ~Plain() { --alive(); } int get() const { return k; } };
struct alignas(64) Wide { int k = 6; Wide() { ++alive(); } Wide(const Wide&) { ++alive(); } ~Wide() { --alive(); }
  int get() const { return k; } };
struct Holder { V inner; V& at() { return inner; } std::unique_ptr<D> made() { return std::make_unique<D>(); } };
struct Refers { const V& v; explicit Refers(const V& v) : v(v) { ++alive(); } ~Refers() { --alive(); }
  int get() const { return v.v; } };
struct Throws { ~Throws() noexcept(false) { throw std::runtime_error("not quietly"); } };

inline int boom(std::unique_ptr<V> v, int k) { throw std::runtime_error("no luck"); }
inline int boom(std::unique_ptr<V> v, std::string) { throw std::out_of_range("far"); }
inline int boom_all(std::vector<std::unique_ptr<V>> v) { throw std::out_of_range("far"); }
inline int boom_named(std::map<int, std::unique_ptr<V>> v) { throw std::bad_alloc(); }
inline int boom_shared(std::shared_ptr<V> v) { throw std::runtime_error("no luck"); }
inline int boom_look(const std::unique_ptr<V>& v) { throw std::runtime_error("no luck"); }
inline std::unique_ptr<V>& place() { static std::unique_ptr<V> p; return p; }
inline int boom_kept(std::unique_ptr<V> v) { place() = std::move(v); throw std::runtime_error("kept it"); }
inline void clear() { place() = nullptr; }
struct K { explicit K(std::unique_ptr<V> v) { throw std::invalid_argument("K"); } ~K() {} };
struct M { void put(std::unique_ptr<V> v) { throw std::length_error("full"); } ~M() {} };
inline int calling(const V& v, const std::function<void()>& f) { f(); return v.v; }
inline int take(std::unique_ptr<V> v) { return v->get(); }
inline int at(V* v) { return v ? v->v : -1; }
inline int any(const void* p) { return p ? 1 : -1; }
inline int by_value(V v) { return v.v; }
inline int by_reference(const V& v) { return v.v; }
inline int sum(const std::vector<V>& v) { return static_cast<int>(v.size()); }
inline std::unique_ptr<V> make() { return std::make_unique<D>(); }
inline V make_value() { return V(9); }
inline std::shared_ptr<V> share() { static std::shared_ptr<V> s = std::make_shared<V>(7); return s; }
inline std::shared_ptr<V>& shared_place() { static std::shared_ptr<V> s; return s; }
inline void hold(std::shared_ptr<V> v) { shared_place() = v; }
inline int shared_count() { auto s = share(); return static_cast<int>(s.use_count()) - 1; }
inline V& borrowed() { static Plain keep; static std::unique_ptr<V> v(new V(8)); return *v; }
inline std::vector<V> several() { return std::vector<V>(3); }
using Owners = std::vector<std::unique_ptr<V>>;
inline Owners owners() {
  Owners r; r.push_back(std::make_unique<V>(1)); r.push_back(std::make_unique<D>()); return r; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    with warns_at_first(sb.BindWarning, match="place"):
        made = sb.compile(SOURCE)
    made.borrowed(), made.share()
    return made


@pytest.fixture(autouse=True)
def _nothing_is_left(lib: Any) -> Any:
    before = remaining(lib.count, 0)
    yield
    lib.hold(None)
    lib.clear()
    assert remaining(lib.count, before) == before


OWNED = ["V", "D", "Virtual", "Plain", "Wide", "make", "make_value"]


@pytest.mark.parametrize("name", OWNED)
@pytest.mark.parametrize("way", ["delete", "with"])
def test_it_ends_now(lib: Any, name: str, way: str) -> None:
    before = lib.count()
    obj = getattr(lib, name)()
    if way == "delete":
        sb.delete(obj)
    else:
        with obj as same:
            assert same is obj
            assert obj.get()
    assert lib.count() == before
    with pytest.raises(
        sb.IntentError, match=r"It is gone: sb.delete\(\) or the end of a with statement ended it"
    ):
        obj.get()
    with pytest.raises(sb.IntentError, match=r"It is gone already: sb\.delete"):
        sb.delete(obj)
    with pytest.raises(sb.IntentError, match="It is gone already"), obj:
        pass


USES = [
    "obj.get()", "obj.v", "obj.name", "obj.p", "obj.self()", "lib.at(obj)", "lib.any(obj)", "lib.by_value(obj)",
    "lib.by_reference(obj)", "lib.sum([obj])", "lib.take(obj)", "lib.hold(obj)", "lib.Refers(obj)", "copy.copy(obj)",
    "setattr(obj, 'v', 2)", "setattr(obj, 'name', 'x')", "setattr(obj, 'asked', lambda: 1)", "lib.V(obj)",
    "lib.boom_look(obj)", "obj.place()", "lib.V.get(obj)", "obj == lib.V()", "lib.V() == obj", "obj != lib.V()",
    "obj < lib.V()", "lib.V() < obj", "obj + 1",
]  # fmt: skip


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("name", ["V", "D", "Virtual"])
def test_later_uses_say_it(lib: Any, use: str, name: str) -> None:
    obj = getattr(lib, name)()
    sb.delete(obj)
    with pytest.raises((sb.Error, ValueError), match=r"is gone: sb\.delete"):
        eval(use, {"obj": obj, "lib": lib, "copy": copy})


def test_what_stays_possible(lib: Any) -> None:
    obj, other = lib.Plain(), lib.Plain()
    sb.delete(obj)
    assert "Plain at 0x0" in repr(obj)
    assert obj != other
    assert isinstance(hash(obj), int)
    with lib.V() as opened:
        sb.delete(opened)  # as a file may be closed inside of its with statement


REFUSED = {
    "lib.borrowed()": (sb.IntentError, "It is not Python's: C\\+\\+ or another object owns it"),
    "lib.several()[0]": (sb.IntentError, "It is not Python's"),
    "lib.Holder().inner": (sb.IntentError, "It is not Python's"),
    "lib.Holder().at()": (sb.IntentError, "It is not Python's"),
    "lib.P(1)": (sb.ArgumentError, "records are bytes"),
    "3": (sb.ArgumentError, "Only what has a destructor"),
    "None": (sb.ArgumentError, "Only what has a destructor"),
    "lib.V": (sb.ArgumentError, "Only what has a destructor"),
    "lib.V().place()": (sb.ArgumentError, "pointers own nothing"),
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_not_pythons_to_end(lib: Any, text: str) -> None:
    error, words = REFUSED[text]
    with pytest.raises(error, match=words):
        sb.delete(eval(text, {"lib": lib}))


def test_with_refuses_before_its_block(lib: Any) -> None:
    with pytest.raises(sb.IntentError, match="not Python's"), lib.borrowed():
        pytest.fail("the block ran")


REFERRED = {
    "a member": lambda lib, v: v.p,
    "a record": lambda lib, v: memoryview(v.p),
    "a pointer": lambda lib, v: v.place(),
    "an object made with it": lambda lib, v: lib.Refers(v),
}


@pytest.mark.parametrize("what", REFERRED)
def test_while_something_refers_to_it(lib: Any, what: str) -> None:
    obj = lib.V()
    inside = REFERRED[what](lib, obj)
    with pytest.raises(sb.IntentError, match=r"lie inside of it or refer to it .*: drop them first"):
        sb.delete(obj)
    assert obj.get() == 1
    del inside
    sb.delete(obj)


def test_what_came_from_it_comes_first(lib: Any) -> None:
    holder = lib.Holder()
    made = holder.made()
    with pytest.raises(sb.IntentError, match="refer to it"):
        sb.delete(holder)
    sb.delete(made)  # the variable may stay
    sb.delete(holder)


def test_shared_objects_lose_pythons_share(lib: Any) -> None:
    before = lib.shared_count()
    obj = lib.share()
    assert lib.shared_count() == before + 1
    sb.delete(obj)
    assert lib.shared_count() == before
    with pytest.raises(sb.IntentError, match="is gone"):
        obj.get()
    assert lib.share().get() == 7
    mine = lib.V()
    lib.hold(mine)
    with pytest.raises(sb.IntentError, match="C\\+\\+ shares it"):
        sb.delete(mine)
    lib.hold(None)
    sb.delete(mine)


def test_one_of_a_container(lib: Any) -> None:
    first, second = lib.owners()
    before = lib.count()
    sb.delete(first)
    assert lib.count() == before - 1
    assert second.get() == 40


def test_a_cycle_with_a_callable_ends(lib: Any) -> None:
    obj = lib.V()
    obj.asked = lambda: obj.v
    sb.delete(obj)


def test_a_destructor_that_throws(lib: Any, monkeypatch: Any) -> None:
    seen: list[Any] = []
    monkeypatch.setattr("sys.unraisablehook", lambda info: seen.append(info.exc_value))
    obj = lib.Throws()
    sb.delete(obj)
    assert [str(error) for error in seen] == ["not quietly"]


def test_threads_that_end_one_object(lib: Any) -> None:
    for _ in range(200):
        obj, ended, start = lib.V(), [], threading.Barrier(4)

        def end(obj: Any = obj, ended: list[int] = ended, start: Any = start) -> None:
            start.wait()
            try:
                sb.delete(obj)
                ended.append(1)
            except sb.IntentError:
                pass

        threads = [threading.Thread(target=end) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert ended == [1]


def test_a_class_with_such_methods_of_its_own(lib: Any) -> None:
    class Session(lib.V):  # type: ignore[misc, name-defined]
        __slots__ = ()

        def __exit__(self, *error: object) -> None:
            self.v = 5

    with Session() as session:
        pass
    assert session.get() == 5  # its own __exit__ ran, and ended nothing


# --- calls that took an object, and raised

LOSSES: dict[str, tuple[type[BaseException], str]] = {
    "lib.boom(v, 2)": (RuntimeError, "boom"),
    "lib.boom(v=v, k=2)": (RuntimeError, "boom"),
    "lib.boom(v, 'x')": (IndexError, "boom"),
    "lib.boom_all([v])": (IndexError, "boom_all"),
    "lib.boom_named({1: v})": (MemoryError, "boom_named"),
    "lib.K(v)": (ValueError, "K"),
    "lib.M().put(v)": (RuntimeError, "M.put"),
    "lib.boom_kept(v)": (RuntimeError, "boom_kept"),
}


@pytest.mark.parametrize("call", LOSSES)
def test_the_error_says_what_it_cost(lib: Any, call: str) -> None:
    kind, function = LOSSES[call]
    v = lib.D()
    with pytest.raises(kind) as caught:
        eval(call, {"lib": lib, "v": v})
    note = f"C++ had taken over what was given to {function}() before it raised; gone: D"
    assert caught.value.__notes__ == [note]
    with pytest.raises(
        sb.IntentError, match=rf"It is gone: it was given to {function}\(\), which raised {kind.__name__}"
    ):
        v.get()
    with pytest.raises(sb.IntentError, match=r"It is gone already: it was given to"):
        sb.delete(v)
    with pytest.raises(ValueError, match="'d' is gone: it was given to"):
        v.d  # noqa: B018


@pytest.mark.parametrize("call", ["lib.boom_shared(v)", "lib.boom_look(v)"])
def test_what_was_not_taken_is_there(lib: Any, call: str) -> None:
    v = lib.D()
    with pytest.raises(RuntimeError) as caught:
        eval(call, {"lib": lib, "v": v})
    assert not hasattr(caught.value, "__notes__")
    assert v.get() == 40


def test_what_an_earlier_call_took_is_not_this_calls_loss(lib: Any) -> None:
    v = lib.V()
    lib.take(v)
    with pytest.raises(sb.IntentError, match="a std::unique_ptr took it over in an earlier call"):
        lib.at(v)


def _within(lib: Any, obj: Any) -> None:
    with pytest.raises(sb.IntentError, match="A call that is running uses it"):
        sb.delete(obj)


def test_while_a_call_uses_it(lib: Any) -> None:
    obj = lib.V()
    assert lib.calling(obj, lambda: _within(lib, obj)) == 1
    obj.run(lambda: _within(lib, obj))
    holder = lib.Holder()
    holder.inner.run(lambda: _within(lib, holder))
    sb.delete(obj)
    sb.delete(holder)


def test_while_a_call_of_another_thread_uses_it(lib: Any) -> None:
    obj, begun, ended = lib.V(), threading.Event(), threading.Event()

    def wait() -> None:
        begun.set()
        assert ended.wait(10)

    thread = threading.Thread(target=obj.run, args=(wait,))
    thread.start()
    assert begun.wait(10)
    _within(lib, obj)
    ended.set()
    thread.join()
    sb.delete(obj)


BASES = """
#include <memory>
struct A { int a = 1; virtual ~A() {} };
struct B { int b = 2; virtual ~B() {} int get() const { return b; } };
struct V { int v = 3; virtual ~V() {} };
struct C : A, B, virtual V {};
inline std::unique_ptr<C> make() { return std::make_unique<C>(); }
inline int take(std::unique_ptr<C> c) { return c->a; }
inline int read(const C& c) { return c.a; }
inline int read_a(const A& a) { return a.a; }
inline int read_b(const B& b) { return b.b; }
inline int read_v(const V& v) { return v.v; }
inline int at_b(const B* b) { return b ? b->b : -1; }
"""


@pytest.fixture(scope="module")
def bases() -> Any:
    return sb.compile(BASES)


@pytest.mark.parametrize("ends", ["lib.take(obj)", "sb.delete(obj)"])
@pytest.mark.parametrize(
    "use",
    ["lib.read(obj)", "lib.read_a(obj)", "lib.read_b(obj)", "lib.read_v(obj)", "lib.at_b(obj)", "obj.get()"],
)
def test_no_base_of_what_is_gone_is_there(bases: Any, ends: str, use: str) -> None:
    """Wherever the base lies inside of it; also where the core knows the class as one that it takes."""
    obj, names = bases.make(), {"lib": bases, "sb": sb}
    assert eval(use, names, {"obj": obj}) in (1, 2, 3)
    eval(ends, names, {"obj": obj})
    with pytest.raises(sb.IntentError, match="It is gone"):
        eval(use, names, {"obj": obj})
