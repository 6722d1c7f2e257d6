"""A std::function of numbers and pointers, which is made of a C function, keeps its callable as long as C++ has it."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # programs of their own

CODE = r"""
#include <functional>
#include <thread>
#include <utility>
#include <vector>
using call = std::function<double(double)>;
inline call stored;
inline void by_value(call f) { stored = std::move(f); }
inline void by_reference(const call& f) { stored = f; }
inline void by_move(call&& f) { stored = std::move(f); }
inline double fire(double x) { return stored ? stored(x) : -1; }
inline double fire_twice(double x) { call own = stored; stored = nullptr; return own(own(x)); }
inline double fire_elsewhere(double x) { double y = 0; std::thread([&] { y = stored(x); }).join(); return y; }
inline void drop_elsewhere() { std::thread([] { stored = nullptr; }).join(); }
inline double half(double x) { return x / 2; }
template <class T> struct Signal {
  std::vector<std::function<void(T)>> slots;
  void connect(std::function<void(T)> f) { slots.push_back(std::move(f)); }
  void fire(T x) { for (auto& f : slots) f(x); }
};
struct Button {
  call f;
  explicit Button(call g) : f(std::move(g)) {}
  void set(call g) { f = std::move(g); }
  double press(double x) const { return f(x); }
};
inline void after(void (*plain)(int), std::function<int(int)> f) { plain(f(1)); }
inline bool empty(call f) { return !f; }
"""
WAYS = ["by_value", "by_reference", "by_move"]


@pytest.fixture(scope="module")
def compiled() -> Any:
    with pytest.warns(sb.BindWarning, match="as a variable"):
        return sb.compile(CODE)


@pytest.fixture
def lib(compiled: Any) -> Any:
    compiled.by_value(None)
    return compiled


class Double:
    def __call__(self, x: float) -> float:
        return 2 * x


@pytest.mark.parametrize("way", WAYS)
def test_it_is_called_after_the_call_and_ends_with_the_last_copy(lib: Any, way: str) -> None:
    call = Double()
    seen = weakref.ref(call)
    getattr(lib, way)(call)
    del call
    gc.collect()
    assert (lib.fire(3), seen() is None) == (6, False)
    assert lib.fire_elsewhere(4) == 8
    assert lib.fire_twice(1) == 4
    gc.collect()
    assert seen() is None
    assert lib.fire(1) == -1


def test_it_ends_in_any_thread(lib: Any) -> None:
    call = Double()
    seen = weakref.ref(call)
    lib.by_value(call)
    del call
    lib.drop_elsewhere()
    assert seen() is None


def test_signals_and_members(lib: Any) -> None:
    signal, got = lib.Signal["double"](), list[Any]()
    signal.connect(got.append)
    signal.connect(lambda x: got.append(-x))
    signal.fire(2.5)
    assert got == [2.5, -2.5]
    button = lib.Button(lambda x: x + 1)
    assert button.press(1) == 2
    button.set(lambda x: x + 2)
    gc.collect()
    assert button.press(1) == 3


@pytest.mark.parametrize(
    "make", [lambda lib: lib.half, lambda lib: sb.callback(Double(), "double(*)(double)")]
)
def test_functions_of_c_plus_plus_and_of_callback(lib: Any, make: Callable[[Any], Any]) -> None:
    lib.by_value(make(lib))
    gc.collect()
    assert lib.fire(2) in (1, 4)


def test_none_is_empty(lib: Any) -> None:
    assert lib.empty(None)
    assert not lib.empty(Double())


def test_its_exception_is_raised_by_the_call_that_runs_it(lib: Any) -> None:
    lib.by_value(lambda x: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        lib.fire(1)
    lib.by_value(None)


def test_what_stays_a_pointer_ends_with_the_call(lib: Any) -> None:
    got = list[int]()
    lib.after(got.append, lambda x: x + 1)
    assert got == [2]


def test_threads_store_and_drop(lib: Any) -> None:
    def work() -> None:
        for k in range(200):
            button = lib.Button(lambda x, k=k: x + k)
            assert button.press(1) == 1 + k

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


PROGRAM = """
import samebytes as sb
lib = sb.compile({code!r})
keep = [lib.Button(lambda x, k=k: x + k) for k in range({count})]
try:
    keep += [lib.Button(lambda x: x) for k in range(5000)]
except sb.ArgumentError as error:
    print("no C function is left" in str(error))
print(sum(b.press(1) == 1 + k for k, b in enumerate(keep[:{count}])))
keep.clear()
print(lib.Button(lambda x: x + 4).press(1))
"""


def test_there_are_so_many_and_then_it_is_said() -> None:
    program = PROGRAM.format(code=CODE, count=2000)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.stdout.split(), done.stderr) == (["True", "2000", "5.0"], "")


def test_the_process_ends_while_c_plus_plus_has_one() -> None:
    program = (
        f"import samebytes as sb\nlib = sb.compile({CODE!r})\nlib.by_value(lambda x: x)\nprint(lib.fire(2))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "2.0\n", "")
