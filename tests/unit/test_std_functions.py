"""std::function made of Python callables: any signature, kept as long as C++ has it, exceptions through C++."""

from __future__ import annotations

import gc
import threading
import traceback
import weakref
from typing import Any

import numpy as np
import pytest
from tests.tables import warns_at_first

import samebytes as sb

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

SOURCE = r"""
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
struct P { double x, y; };
struct Big { double a[5]; };
struct H { std::string s = "h"; H() {} H(std::string t) : s(t) {} ~H() {} void set(std::string t) { s = t; } };
inline std::string text(std::function<std::string(const std::string&, int)> f) { return f("abc", 3) + "."; }
inline double point(std::function<P(P)> f) { P p = f(P{1, 2}); return p.x + 10 * p.y; }
inline double big(const std::function<Big(const Big&)>& f) { return f(Big{{1, 2, 3, 4, 5}}).a[4]; }
inline double seen(std::function<std::string(P&)> f) { P p{1, 2}; f(p); return p.x; }
inline std::string object(std::function<H(const H&)> f) { return f(H("in")).s; }
inline std::string changed(std::function<std::string(H&)> f) { H h; f(h); return h.s; }
inline double sum(std::function<std::vector<double>(const std::vector<double>&)> f) {
  double s = 0; for (double x : f({1, 2})) s += x; return s; }
inline int table(std::function<std::map<std::string, int>(std::optional<int>)> f) {
  return f(5)["a"] + (f(std::nullopt).empty() ? 100 : 0); }
inline bool empty(std::function<std::string()> f) { return !f; }
inline std::string echo(const std::string& s, int n) { return s + std::to_string(n); }
inline std::string caught(std::function<std::string()> f) {
  try { return f(); } catch (const std::exception& e) { return std::string("caught: ") + e.what(); } }
inline int steps() { static int n = 0; return n; }
inline std::string after(std::function<std::string()> f) { auto s = f(); return s + " after"; }
inline std::string in_thread(std::function<std::string()> f) {
  std::string s; std::thread t([&] { s = f(); }); t.join(); return s; }
inline std::function<std::string(int)>& kept() { static std::function<std::string(int)> f; return f; }
inline void keep(std::function<std::string(int)> f) { kept() = std::move(f); }
inline std::string fire(int x) { return kept() ? kept()(x) : "none"; }
struct Button { std::function<void(int)> clicked; std::function<std::string(const std::string&)> label; ~Button() {}
  void click(int n) { if (clicked) clicked(n); } std::string show() const { return label ? label("b") : ""; } };
inline int all(std::vector<std::function<int(std::string)>> fs) {
  int s = 0; for (auto& f : fs) s += f("abcd"); return s; }
inline int shares(std::function<int(std::shared_ptr<H>)> f) { return f(std::make_shared<H>("shared")); }
inline std::string quiet(std::function<std::string(int)> f) noexcept { return f(0) + f(1) + "quiet"; }
inline int loud(std::function<int()> f) { try { return f(); } catch (...) { return -1; } }
inline int both(std::function<int()> f) noexcept { return f() + 10; }
struct Calls { std::function<int()> f; Calls() {} ~Calls() { if (f) last() = f(); }
  static int& last() { static int n = 0; return n; } int call() noexcept { return f() + 1; } };
inline int last() { return Calls::last(); }
inline std::function<int(int)> result() { return {}; }
inline void reference(std::function<const std::string&()> f) {}
using OfH = std::function<std::string(std::unique_ptr<H>)>;
inline std::string moves(OfH f) { return f(std::unique_ptr<H>(new H("moved"))) + "."; }
inline std::function<int()> variable;
inline const std::vector<std::function<int(std::string)>> variables;
struct Static { static inline std::function<int()> variable; };
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    with warns_at_first(sb.BindWarning):
        return sb.compile(SOURCE)


ROWS: list[tuple[str, object]] = [
    ("lib.text(lambda s, n: s * n)", "abcabcabc."),
    ("lib.text(lib.echo)", "abc3."),
    ("lib.point(lambda p: lib.P(p.y, p.x))", 12.0),
    ("lib.point(lambda p: (p.y, p.x))", 12.0),
    ("lib.big(lambda b: b)", 5.0),
    ("lib.seen(lambda p: (setattr(p, 'x', 7.0), '')[1])", 7.0),
    ("lib.object(lambda h: lib.H(h.s + '!'))", "in!"),
    ("lib.object(lambda h: h)", "in"),
    ("lib.changed(lambda h: (h.set('new'), '')[1])", "new"),
    ("lib.sum(lambda v: v * 2)", 6.0),
    ("lib.sum(lambda v: [x + 1 for x in v])", 5.0),
    ("lib.table(lambda x: {'a': x} if x else {})", 105),
    ("lib.empty(None)", True),
    ("lib.empty(lambda: '')", False),
    ("lib.all([len, lambda s: 10])", 14),
    ("lib.shares(lambda h: len(h.s))", 6),
    ("lib.in_thread(lambda: 'there')", "there"),
]


@pytest.mark.parametrize(("call", "expected"), ROWS, ids=[call for call, _ in ROWS])
def test_a_row(lib: Any, call: str, expected: object) -> None:
    assert eval(call, {"lib": lib, "np": np}) == expected


def test_an_exception_goes_through_cpp(lib: Any) -> None:
    def broken() -> str:
        raise KeyError("here")

    with pytest.raises(KeyError, match="here") as raised:
        lib.after(broken)
    assert "broken" in "".join(traceback.format_tb(raised.value.__traceback__))
    with pytest.raises(KeyError):
        lib.caught(broken)  # what C++ makes of it does not hide it
    assert lib.caught(lambda: "fine") == "fine"
    with pytest.raises(KeyboardInterrupt):
        lib.after(lambda: (_ for _ in ()).throw(KeyboardInterrupt()))


def test_results_that_do_not_fit(lib: Any) -> None:
    with pytest.raises(
        sb.ArgumentError, match=r"callback <lambda>\(\) returned what C\+\+ does not take: expected text"
    ):
        lib.text(lambda s, n: 3)
    with pytest.raises(sb.ArgumentError, match="It takes"):
        lib.text(lambda s: s)
    with pytest.raises(sb.ArgumentError, match="expected a callable or None"):
        lib.text(3)


def test_cpp_keeps_the_callable(lib: Any) -> None:
    class Greeting:
        def __call__(self, x: int) -> str:
            return f"hello {x}"

    greeting = Greeting()
    seen = weakref.ref(greeting)
    lib.keep(greeting)
    del greeting
    gc.collect()
    assert lib.fire(3) == "hello 3"
    lib.keep(None)
    gc.collect()
    assert seen() is None
    assert lib.fire(1) == "none"


def test_a_kept_callable_fails_in_the_call_that_runs_it(lib: Any) -> None:
    lib.keep(lambda x: str(1 // x))
    assert lib.fire(1) == "1"
    with pytest.raises(ZeroDivisionError):
        lib.fire(0)
    threads = [threading.Thread(target=lib.fire, args=(1,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lib.keep(None)


def failing() -> int:
    raise KeyError("here")


def test_nothing_is_thrown_through_a_function_that_may_not_throw(lib: Any) -> None:
    with pytest.raises(ZeroDivisionError):
        lib.quiet(lambda x: str(1 // x))
    assert lib.quiet(str) == "01quiet"
    with pytest.raises(KeyError) as raised:
        lib.both(failing)
    assert len(raised.value.__notes__) == 1  # of how C++ went on, and of no other callable
    calls = lib.Calls()
    calls.f = failing
    with pytest.raises(KeyError):
        calls.call()
    calls.f = None

    # A call from a callback decides for itself, and the outer one again afterwards.
    def inner() -> int:
        with pytest.raises(KeyError):
            lib.loud(failing)
        return failing()

    with pytest.raises(KeyError):
        lib.both(inner)
    with pytest.raises(KeyError):
        lib.loud(lambda: lib.both(failing))


def test_nothing_is_thrown_through_a_destructor(lib: Any) -> None:
    def dropping() -> int:
        calls = lib.Calls()
        calls.f = failing
        del calls
        return 7

    assert lib.last() == 0
    with pytest.raises(KeyError):
        lib.loud(dropping)
    calls = lib.Calls()
    calls.f = lambda: 3
    del calls
    assert lib.last() == 3


def test_in_another_thread_cpp_goes_on_with_nothing(lib: Any) -> None:
    def broken() -> str:
        raise KeyError("there")

    with pytest.raises(KeyError, match="there"):
        lib.in_thread(broken)


def test_members(lib: Any) -> None:
    clicks: list[int] = []
    button = lib.Button()
    button.clicked = clicks.append
    button.label = lambda s: s.upper()
    gc.collect()
    button.click(3)
    assert (clicks, button.show()) == ([3], "B")
    button.clicked = None
    button.click(4)
    assert clicks == [3]
    assert not button.clicked
    assert button.label("c") == "C"


SKIPPED = {
    "reference": "gone when C++ looks at a reference to it",
    "variable": "a std::function as a variable does not cross; a function that takes one can set it",
    "variables": "a std::function as a variable does not cross",
    "Static::variable": "a std::function as a variable does not cross",
}


def test_an_object_that_a_unique_pointer_brings(lib: Any) -> None:
    kept: list[Any] = []
    assert lib.moves(lambda h: kept.append(h) or h.s) == "moved."
    assert kept.pop().s == "moved"


@pytest.mark.parametrize("name", SKIPPED)
def test_what_is_not_bound(lib: Any, name: str) -> None:
    reasons = [str(s) for s in lib.__skipped__ if s.name.partition("(")[0] == name]
    assert len(reasons) == 1
    assert SKIPPED[name] in reasons[0]


OBJECTS = """
#include <functional>
#include <string>
struct P { double x, y; };
class Ev { std::string s = "event"; public: const std::string& text() const { return s; } };
template <class... A> struct Kept { std::function<int(A...)> f; void keep(std::function<int(A...)> g) { f = g; }
  int drop() { f = nullptr; return 0; } };
using ConstReference = Kept<const Ev&>; using Reference = Kept<Ev&>;
using Value = Kept<P>; using Record = Kept<const P&>;
using Changed = Kept<int, P&>;
inline int run(ConstReference& k) { return k.f(Ev()); }
inline int run(Reference& k) { Ev e; return k.f(e); }
inline int run(Value& k) { return k.f(P{1, 2}); }
inline int run(Record& k) { return k.f(P{1, 2}); }
inline int run(Changed& k) { P p{1, 2}; return k.f(5, p) + p.x; }
inline double at_once(std::function<double(P)> f) { return f(P{1, 2}); }
"""


class TestObjects:
    @pytest.fixture(scope="class")
    def lib(self) -> Any:
        return sb.compile(OBJECTS)

    @pytest.mark.parametrize("kind", ["ConstReference", "Reference", "Value", "Record", "Changed"])
    def test_what_takes_objects_is_kept_as_long_as_cxx_has_it(self, lib: Any, kind: str) -> None:
        def called(*given: Any) -> int:
            if kind == "Changed":
                given[-1].x = 30
            return len(given[-1].text()) if "Reference" in kind else int(given[-1].y)

        class Call:
            def __call__(self, *given: Any) -> int:
                return called(*given)

        call, keeper = Call(), getattr(lib, kind)()
        gone = weakref.ref(call)
        keeper.keep(call)
        del call
        gc.collect()
        assert lib.run(keeper) == {"Changed": 32}.get(kind, 5 if "Reference" in kind else 2)
        keeper.drop()
        gc.collect()
        assert gone() is None

    def test_functions_of_ctypes_are_called_by_cxx(self, lib: Any) -> None:
        import ctypes

        class P(ctypes.Structure):
            _fields_ = (("x", ctypes.c_double), ("y", ctypes.c_double))

        take = ctypes.CFUNCTYPE(ctypes.c_double, P)(lambda p: p.x + p.y)
        assert lib.at_once(take) == 3
        with pytest.raises(sb.ArgumentError, match="std::function<double"):
            lib.at_once(ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int)(float))
