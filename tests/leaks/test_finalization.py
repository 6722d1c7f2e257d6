"""The ends of things: long chains, cycles, finalizers that interfere, the interpreter's own end."""

from __future__ import annotations

import concurrent.futures
import gc
import subprocess
import sys
import textwrap
import weakref
from typing import Any

import numpy as np
import pytest

import samebytes as sb

SOURCE = """
class Timer {
  int (*f)(int);
public:
  int ticks = 3;
  explicit Timer(int (*g)(int)) : f(g) {}
  ~Timer() { f(-1); }
  int tick(int x) { return f(x); }
};
inline int tick(Timer& t) { return t.tick(1); }
inline int ticks(const Timer* t) { return t->ticks; }
inline int over(const Timer& t) { return t.ticks; }
inline int over(int x) { return x; }
class Reader { const double& x; public: explicit Reader(const double& y) : x(y) {} double read() const { return x; }
               ~Reader() {} };
struct R { const double* p; };
struct Outer { int n; R r; };
struct Node { Node* next; double v; };
inline double at(const double* p) { return *p; }
inline int pair(const double*, const double*) { return 1; }
inline int pair(const float*, const double*) { return 2; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, name="ends")


def run(script: str, *args: str) -> str:
    """What a script prints, in a process of its own that ends well and says nothing else."""
    command = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(script), *args]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout[-500:] + done.stderr[-3000:]
    return done.stdout


def test_long_chains_are_dropped_without_recursion() -> None:
    run("""
        import samebytes as sb, numpy as np

        class Producer:
            def __init__(self, v): self.v = v
            def __dlpack__(self, **k): return self.v.__dlpack__(**k)
            def __dlpack_device__(self): return self.v.__dlpack_device__()

        p, v, d = sb.Pointer(1), sb.view(bytearray(8)), sb.view(np.arange(4.0))
        for _ in range(30_000):
            p, v, d = sb.Pointer(1, p), sb.view(memoryview(v)), sb.view(Producer(d))
        lib = sb.compile("struct Node { Node* next; }; inline int f(Node* n) { return 0; }", name="chain")
        n = lib.Node()
        for _ in range(30_000):
            m = lib.Node()
            m.next, n = n, m
        del m, n, p, v, d
    """)


class TestObjectsThatKeepTheirArguments:
    def test_a_callback_lives_as_long_as_the_object(self, lib: Any) -> None:
        seen: list[int] = []
        timer = lib.Timer(lambda x: seen.append(x) or x + 1)
        gc.collect()
        assert timer.tick(4) == 5
        del timer
        assert seen == [4, -1]

    def test_so_does_a_number_given_by_reference(self, lib: Any) -> None:
        readers = [lib.Reader(float(n)) for n in range(100)]
        assert [r.read() for r in readers] == [float(n) for n in range(100)]

    @pytest.mark.parametrize("own", ["the callable", "a C function"])
    def test_a_cycle_is_collected_before_what_it_calls(self, lib: Any, own: str) -> None:
        seen: list[int] = []

        class App:
            def __init__(self) -> None:
                tick = self.on_tick
                self.timer = lib.Timer(sb.callback(tick, "int(*)(int)") if own == "a C function" else tick)

            def on_tick(self, x: int) -> int:
                seen.append(x)
                return x

        apps = [weakref.ref(App()) for _ in range(20)]
        gc.collect()
        assert [app() for app in apps] == [None] * 20
        assert seen == [-1] * 20

    def test_an_object_that_is_gone_says_so(self, lib: Any) -> None:
        found: list[Any] = []

        class App:
            def __init__(self) -> None:
                self.timer = lib.Timer(self.on_tick)

            def on_tick(self, x: int) -> int:
                return x

            def __del__(self) -> None:
                found.append(self.timer)

        App()
        gc.collect()
        (timer,) = found
        assert timer.__samebytes_destroyed__
        for use in (lambda: timer.tick(1), lambda: lib.tick(timer)):
            with pytest.raises(sb.ArgumentError, match="destroyed with the cycle of references"):
                use()
        for use in (lambda: lib.ticks(timer), lambda: lib.over(timer)):
            with pytest.raises(sb.ArgumentError):
                use()
        with pytest.raises(ReferenceError, match="Timer was destroyed"):
            print(timer.ticks)

    def test_a_class_with_a_finalizer_is_collected_in_a_cycle(self, lib: Any) -> None:
        ticked: list[int] = []

        class Own(lib.Timer):  # type: ignore[misc,name-defined]
            __slots__ = ()

            def __del__(self) -> None:
                ticked.append(self.tick(7))

        class App:
            def __init__(self) -> None:
                self.timer = Own(self.on_tick)

            def on_tick(self, x: int) -> int:
                return x

        app = App()
        timer = weakref.ref(app)
        del app
        gc.collect()
        assert (ticked, timer()) == ([7], None)


def test_results_in_a_cycle_are_collected() -> None:
    lib = sb.compile(
        "#include <vector>\nstruct P { const double* p; };\n"
        "inline std::vector<P> all(const double* p) { return {{p}, {p}}; }",
        name="held",
    )

    class Owner(np.ndarray):
        """An array with attributes."""

    seen = []
    for _ in range(10):
        array = np.zeros(3).view(Owner)
        holder = sb.Pointer(array)
        array.results = lib.all(holder)
        seen.append(weakref.ref(array))
        del array, holder
    gc.collect()
    assert not [ref for ref in seen if ref() is not None]


def test_finalizers_that_interfere(lib: Any) -> None:
    """Garbage is collected while a record with pointers is copied: each copy keeps what it points to."""

    class Spoiled(np.ndarray):
        def __del__(self) -> None:
            self.fill(-1.0)

    def array(value: float) -> Any:
        made = Spoiled(600)
        made.fill(value)
        return np.asarray(made)

    record, outer = lib.R(), lib.Outer()
    record.p = array(1.0)

    class Garbage:
        def __init__(self) -> None:
            self.me = self

        def __del__(self) -> None:
            record.p = array(2.0)

    before = gc.get_threshold()
    try:
        for number in range(400):
            gc.disable()
            Garbage()
            gc.set_threshold(number % 23 + 1)
            gc.enable()
            outer.r = record
            gc.disable()
            record.p = array(1.0)
            assert lib.at(outer.r.p) in (1.0, 2.0)
    finally:
        gc.set_threshold(*before)
        gc.enable()


def test_arguments_that_change_while_an_overload_is_chosen(lib: Any) -> None:
    for number in range(100):
        array = np.zeros(3, np.dtype("f8", metadata={"number": number}))

        class Changing:
            def __init__(self, other: Any) -> None:
                self.other = other

            @property
            def __array_interface__(self) -> Any:
                self.other.dtype = np.dtype("f8")
                return ONES.__array_interface__

        assert lib.pair(array, Changing(array)) == 1


ONES = np.ones(3)


def test_classes_that_come_and_go() -> None:
    """The core remembers how objects of a class show their memory; a program that makes classes does not grow."""
    printed = run("""
        import gc, weakref, numpy as np, samebytes as sb
        x, seen = np.arange(3.0), []
        for _ in range(6000):
            made = type("Made", (), {"__array_interface__": x.__array_interface__})
            assert sb.view(made()).size == 3
            seen.append(weakref.ref(made))
        del made
        gc.collect()
        print(sum(ref() is not None for ref in seen))
    """)
    assert int(printed) <= 4096


ALL_ALIVE = """
import atexit, ctypes, sys, threading, time
import numpy as np, samebytes as sb
lib = sb.compile(sys.argv[1], name="ends")

class App:
    def __init__(self):
        self.timer, self.record = lib.Timer(self.on_tick), lib.R(np.ones(3))
        self.view, self.pointer = sb.view(bytearray(8)), sb.Pointer(np.ones(3))
        self.array = sb.DeviceArray.empty(4)[1:]
        self.extra = sb.LaunchExtra([ctypes.c_int(1), self.array])
        self.capsule = self.view.__dlpack__()
        self.callback = sb.callback(self.on_tick, "int(*)(int)")
    def on_tick(self, x): return x

kept = [App() for _ in range(3)]
sys.kept = App()  # outlives the module
ctypes.pythonapi.Py_IncRef(ctypes.py_object(App()))  # outlives the interpreter
atexit.register(lambda: kept[0].timer.tick(1))

def work():
    while True:
        App().timer.tick(1)

if sys.argv[2] == "True":
    for _ in range(4):
        threading.Thread(target=work, daemon=True).start()
    time.sleep(0.3)
"""


def test_the_interpreter_ends_with_all_alive() -> None:
    run(ALL_ALIVE, SOURCE, "False")


@pytest.mark.full
@pytest.mark.parametrize("times", [12])
def test_it_ends_while_threads_run(times: int) -> None:
    """Where each thread is stopped is chance."""
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda _: run(ALL_ALIVE, SOURCE, "True"), range(times)))


@pytest.mark.parametrize("how", ["a C function", "a std::function"])
def test_the_interpreter_ends_while_cxx_that_may_not_throw_calls_python(how: str) -> None:
    """Python before 3.14 ends the other threads by unwinding their stacks; not through what C++ has there."""
    script = """
        import sys, threading, time
        import samebytes as sb
        lib = sb.compile(sys.argv[1], name="without_end")
        ways = {
            "a C function": lambda: lib.forever(lambda x: x + 1),
            "a std::function": lambda: lib.forever_called(lambda x: x + 1),
        }
        for _ in range(4):
            threading.Thread(target=ways[sys.argv[2]], daemon=True).start()
        while lib.calls() < 1000:
            time.sleep(0.001)
    """
    source = """
        #include <atomic>
        #include <functional>
        std::atomic<int> called{0};
        inline int calls() { return called; }
        inline void forever(int (*f)(int)) noexcept { for (;;) called += f(1) - 1; }
        inline void forever_called(const std::function<int(int)>& f) noexcept { for (;;) called += f(1) - 1; }
    """
    run(script, source, how)
