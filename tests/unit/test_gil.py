"""The choice whether a call keeps the GIL: what may wait never does, in whatever way it waits; what cannot does."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import samebytes as sb
from samebytes.make import builds
from samebytes.toolchain.code import decoding
from samebytes.toolchain.code.presence import MISSING, can_decode

pytestmark = [
    pytest.mark.optimised,  # what the optimiser leaves of a function decides
    pytest.mark.filterwarnings("ignore::samebytes.errors.BindWarning"),
]
reads_code = pytest.mark.skipif(not can_decode(), reason="Capstone is not installed")

WAITING = r"""
#include <atomic>
#include <condition_variable>
#include <csetjmp>
#include <csignal>
#include <exception>
#include <mutex>
#include <thread>
#include <sys/mman.h>
#include <unistd.h>

static std::mutex mutex;
static std::condition_variable changed;
static std::atomic<int> flag;
static volatile int plain;
static bool ready;
static int pipe_ends[2];

// What the other thread does, which has the GIL for it.
void set() { flag = 1; plain = 1; { std::lock_guard<std::mutex> hold(mutex); ready = true; } changed.notify_all();
  if (pipe_ends[1] && write(pipe_ends[1], "x", 1) != 1) std::terminate(); }
void lock() { mutex.lock(); }
void unlock() { mutex.unlock(); }
void prepare_pipe() { if (pipe(pipe_ends)) std::terminate(); }

static void wait() { while (!flag.load()) {} }
static int waiting(int x) { wait(); return x; }
static int (*chosen)(int) = waiting;
struct Locking { Locking() { mutex.lock(); mutex.unlock(); } };
struct Waiting : std::exception { const char* what() const noexcept override { wait(); return "waited"; } };
struct Ending : std::exception { ~Ending() { wait(); } };
struct Cleaning { ~Cleaning() { wait(); } };
static void throws(int x) { if (x < 100) throw x; }

int on_mutex(int x) { std::lock_guard<std::mutex> hold(mutex); return x; }
int on_condition(int x) {
  std::unique_lock<std::mutex> hold(mutex); changed.wait(hold, [] { return ready; }); return x; }
int on_atomic(int x) { while (!flag.load(std::memory_order_acquire)) {} return x; }
int on_volatile(int x) { while (!plain) {} return x; }
__attribute__((noinline)) int recursing(int x) { return plain ? x : recursing(x) + plain * 0; }
__attribute__((noinline)) int back(int x);
__attribute__((noinline)) int there(int x) { return plain ? x : back(x); }
__attribute__((noinline)) int back(int x) { return plain ? x : there(x); }
int retrying(int x) { again: if (plain) return x; try { throws(x); } catch (...) { goto again; } return 0; }
int jumping(int x) { void* to[] = {&&again, &&done}; again: goto *to[plain]; done: return x; }
int through_pointer(int x) { return chosen(x); }
int through_library(int x) { char c; return read(pipe_ends[0], &c, 1) == 1 ? x : 0; }
int initialising(int x) { static int value = waiting(0); return value + x; }
int throwing_locker(int x) { try { if (x < 100) throw Locking(); } catch (const Locking&) {} return x; }
int throwing_waiter(int x) { if (x < 100) throw Waiting(); return x; }
int throwing_ender(int x) { if (x < 100) throw Ending(); return x; }
int catching(int x) { try { throws(x); } catch (int) { wait(); } return x; }
int unwinding(int x) { try { Cleaning cleaning; throws(x); } catch (int) {} return x; }
int calling(int (*f)(int), int x) { int y = 0; std::thread other([&] { y = f(x); }); other.join(); return y; }

// Signals whose handlers wait.
static sigjmp_buf out;
static void handler(int) { wait(); }
static void leaving(int) { wait(); siglongjmp(out, 1); }
int raising(int x) { std::signal(SIGUSR1, handler); std::raise(SIGUSR1); return x; }
void prepare_division() { std::signal(SIGFPE, leaving); }
int dividing(int x, int y) { return x / y; }
bool divided(int x, int y) { if (sigsetjmp(out, 1)) return true; return dividing(x, y) == 0; }
void prepare_trap() { std::signal(SIGILL, leaving); }

// Memory that another thread provides: a fault there waits for it, as one of userfaultfd would.
struct Pair { long a, b; long total() const { return a + b; } };
static Pair* page;
static void provide(int) { wait(); mprotect(page, 4096, PROT_READ | PROT_WRITE); }
void prepare_page() {
  page = static_cast<Pair*>(mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  std::signal(SIGSEGV, provide);
}
Pair& there_page() { return *page; }
long* numbers() { return &page->a; }
long behind_pointer(const long* p) { return *p; }
long of_reference(const Pair& p) { return p.a + p.b; }
"""

# By name: the call that waits, and what is called before.
WAITS: dict[str, tuple[str, str]] = {
    name: ("", f"lib.{name}(7)")
    for name in (
        "on_condition", "on_atomic", "on_volatile", "recursing", "there", "retrying", "jumping", "through_pointer",
        "initialising", "throwing_waiter", "throwing_ender", "catching", "unwinding", "raising",
    )
} | {
    "on_mutex": ("lock", "lib.on_mutex(7)"),
    "throwing_locker": ("lock", "lib.throwing_locker(7)"),
    "through_library": ("prepare_pipe", "lib.through_library(7)"),
    "calling": ("", "lib.calling(lambda x: time.sleep(0.5) or x, 7)"),
    "dividing": ("prepare_division", "lib.divided(7, 0)"),
    "behind_pointer": ("prepare_page", "lib.behind_pointer(lib.numbers())"),
    "of_reference": ("prepare_page", "lib.of_reference(lib.there_page())"),
    "total": ("prepare_page", "lib.there_page().total()"),
}  # fmt: skip

PROGRAM = """
import json, os, sys, threading, time
import samebytes as sb
from pathlib import Path
source, nogil, waits = Path(sys.argv[1]), {"auto": "auto", "False": False}[sys.argv[2]], json.loads(sys.argv[3])
lib = sb.compile(source, name="waiting", nogil=nogil)
dir(lib)  # its names are linked now, and not while a call is awaited

def child(prepared, call):
    if prepared:
        getattr(lib, prepared)()
    began, said = threading.Event(), []

    def run():
        began.set()
        try:
            eval(call)
        except Exception:
            pass  # an exception that Python had is gone
        said.append("the call ended")

    print("the call begins", flush=True)
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    began.wait()
    time.sleep(0.2)  # the call waits by now
    said.append("python runs")
    lib.unlock() if prepared == "lock" else lib.set()
    thread.join(20)
    print(*said, sep=", ", flush=True)
    os._exit(0)

children = {}
for name, (prepared, call) in waits.items():
    read, write = os.pipe()
    if not (pid := os.fork()):
        os.dup2(write, 1)
        child(prepared, call)
    os.close(write)
    children[name] = pid, read
if nogil == "auto":
    said = {name: os.read(read, 16).decode() + open(read).read() for name, (_, read) in children.items()}
    print(json.dumps(said))
else:  # it would wait for ever
    (pid, read), = children.values()
    begun = os.read(read, 16).decode()
    time.sleep(1)
    os.set_blocking(read, False)
    try:
        rest = os.read(read, 100).decode()
    except BlockingIOError:
        rest = ""
    os.kill(pid, 9)
    print(json.dumps({"said": begun + rest}))
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file, compiled once: every child finds the build."""
    file = tmp_path_factory.mktemp("gil") / "waiting.cpp"
    file.write_text(WAITING)
    sb.compile(file, name="waiting")
    return file


def run(source: Path, nogil: str, *names: str) -> dict[str, str]:
    """What each call says that waits, in a process of its own; all wait at the same time."""
    waits = json.dumps({name: WAITS[name] for name in names})
    command = [sys.executable, "-W", "ignore", "-c", PROGRAM, str(source), nogil, waits]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert not done.returncode, done.stderr
    said: dict[str, str] = json.loads(done.stdout)
    return said


@pytest.mark.full
def test_no_call_that_waits_keeps_python_waiting(source: Path) -> None:
    right = "the call begins\npython runs, the call ended\n"
    assert run(source, "auto", *WAITS) == dict.fromkeys(WAITS, right)


def test_what_waits_with_the_gil_keeps_python_waiting(source: Path) -> None:
    """The same program, where the user says so: it is one that would show it."""
    assert run(source, "False", "on_volatile") == {"said": "the call begins\n"}


def words(lib: sb.Library, name: str) -> str:
    (facts,) = sb.explain(lib, name).functions
    return facts.gil


@reads_code
def test_whose_memory_an_object_lies_in_is_asked_in_each_call(source: Path) -> None:
    """These functions keep the GIL for Python's own objects, and release it for those in other memory."""
    lib = sb.compile(source, name="waiting")
    assert words(lib, "of_reference").startswith("keeps the GIL")
    assert words(lib, "Pair.total").startswith("keeps the GIL")
    assert lib.of_reference(lib.Pair(2, 3)) == lib.Pair(2, 3).total() == lib.of_reference((2, 3)) == 5


LIBRARY = """
#include <cmath>
#include <stdexcept>
#include <vector>
struct Pair { double a, b; double total() const { return a + b; } };
double plus(double x) { return x + 1; }
double sine(double x) { return std::sin(x); }
double sum(const Pair& p) { return p.a + p.b; }
int checked(int x) { if (x < 0) throw std::invalid_argument("negative"); return x; }
double first(const double* p) { return *p; }
int counts(int n) { int s = 0; for (int i = 0; i < n; ++i) s ^= i * n; return s; }
void fill(Pair& p, double x) { p.a = x; p.b = x; }
class Account { int n_ = 0; std::vector<int> v_; public: int n() const { return n_; } void add(int by) { n_ += by; } };
"""


KEPT = dict.fromkeys(("plus", "sum", "fill", "Account.n", "Account.add", "Pair.total"), "no loop, no call")
KEPT["checked"] = "no loop, 1 call inside the library"
RELEASED = {
    "sine": "it calls sin, of another library",
    "first": "at an address that it computes, or was given",
    "counts": "it has a loop",
}


@pytest.fixture(scope="module")
def library() -> sb.Library:
    return sb.compile(LIBRARY, name="choices")


@reads_code
@pytest.mark.parametrize(("name", "why"), KEPT.items())
def test_kept_by_default(library: sb.Library, name: str, why: str) -> None:
    assert words(library, name).startswith("keeps the GIL: ")
    assert why in words(library, name)


@reads_code
@pytest.mark.parametrize(("name", "why"), RELEASED.items())
def test_released_by_default(library: sb.Library, name: str, why: str) -> None:
    assert words(library, name).startswith("releases the GIL: ")
    assert why in words(library, name)


@reads_code
def test_the_words(library: sb.Library) -> None:
    said = words(library, "plus")
    count = said.removeprefix("keeps the GIL: ").partition(" ")[0]
    assert said == f"keeps the GIL: {count} instructions, no loop, no call"
    assert 3 <= int(count) <= 20
    assert said in str(sb.explain(library, "plus"))


@reads_code
def test_what_keeps_it_takes_the_shortest_path(library: sb.Library) -> None:
    paths = {f.name: f.path for f in sb.explain(library).functions}
    assert paths["plus"] == paths["sum"] == "shortest"
    assert paths["sine"] == "short"


@pytest.mark.parametrize("nogil", [True, False])
def test_what_is_said_counts(nogil: bool) -> None:
    lib = sb.compile(LIBRARY, name="choices", nogil=nogil)
    verb = "releases" if nogil else "keeps"
    assert {words(lib, name) for name in (*KEPT, *RELEASED)} == {f"{verb} the GIL: nogil={nogil}"}
    assert lib.plus(2.0) == 3
    assert lib.sum((1, 2)) == 3


def test_names_are_of_those_that_release() -> None:
    lib = sb.compile(LIBRARY, name="choices", nogil=["plus"])
    assert words(lib, "plus") == "releases the GIL: nogil=True"
    assert words(lib, "sine") == "keeps the GIL: nogil=False"


@pytest.mark.parametrize("nogil", ["auto", True, False])
def test_the_results_are_the_same(nogil: bool | str) -> None:
    lib = sb.compile(LIBRARY, name="choices", nogil=nogil)
    pair, account = lib.Pair(1, 2), lib.Account()
    lib.fill(pair, 4)
    account.add(3)
    account.add(4)
    assert (lib.sum(pair), pair.total(), lib.sum((5, 6)), account.n()) == (8, 8, 11, 7)
    with pytest.raises(ValueError, match="negative"):
        lib.checked(-1)


def test_without_what_reads_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every call releases the GIL, and explain() says what to install."""
    monkeypatch.setattr(decoding, "can_decode", lambda: False)
    monkeypatch.setattr(builds, "can_decode", lambda: False)
    lib = sb.compile(LIBRARY, name="unread")
    assert words(lib, "plus") == f"releases the GIL: {MISSING}"
    assert lib.plus(2.0) == 3


@reads_code
def test_the_code_of_what_calls_another_library_is_not_decoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "outside.h").write_text("double tan(double x);\n")
    monkeypatch.setattr(decoding.Decoder, "__call__", None)
    lib = sb.bind(tmp_path / "outside.h", libraries=["m"], language="c")
    assert lib.tan(0.0) == 0
    assert "releases the GIL: it calls tan, of another library" in str(sb.explain(lib.tan))


@reads_code
def test_it_is_stored_with_the_build(library: sb.Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build that the cache has reads no code."""
    (recipe, _) = library.__home__[1]
    monkeypatch.setattr(decoding.Decoder, "__init__", None)
    assert builds.build(recipe.request).module.verdicts == library.__model__.verdicts
    assert any(verdict.reason == "" for verdict in library.__model__.verdicts)
