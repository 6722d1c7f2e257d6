"""Which functions are proven to end soon and to wait for nothing, and why others are not."""

from __future__ import annotations

from pathlib import Path

import pytest

import samebytes as sb
from samebytes.make.verdicts import verdict
from samebytes.model.symbols import shim_symbol
from samebytes.model.verdicts import Verdict
from samebytes.toolchain.code import throwing
from samebytes.toolchain.code.bounded import MOST
from samebytes.toolchain.code.image import Image
from samebytes.toolchain.code.presence import can_decode

pytestmark = [
    pytest.mark.optimised,  # what is proven depends on what the optimiser leaves
    pytest.mark.full,  # it takes long
    pytest.mark.skipif(not can_decode(), reason="Capstone is not installed"),
    pytest.mark.filterwarnings("ignore::samebytes.errors.BindWarning"),
]

SOURCE = r"""
#include <array>
#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>
#include <unistd.h>

struct Point {
  double x, y;
  double norm2() const { return x * x + y * y; }
  void scale(double by) { x *= by; y *= by; }
};
struct Four { float at[4]; };
struct Linked { int* next; int own; };
static std::mutex mutex;
static std::atomic<int> flag;
static volatile int plain_flag;
static int counter;
static double table[4] = {1, 2, 3, 4};
static int* remembered;
static int (*chosen)(int) = [](int x) { return x + 1; };
static thread_local int each = 1;

// --- proven
double plus(double x) { return x + 1; }
int mixed(std::int8_t a, std::uint16_t b, bool c, std::int64_t d, float e) { return c ? a * b + int(d) : int(e) | 3; }
double wide(double x) { long double y = x; return double(-y * 2 + 1); }
std::uint32_t bits(std::uint32_t x) { return __builtin_ctz(x | 1) + __builtin_bswap32(x) + (x << 7 | x >> 25); }
double dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }
double dot_of_references(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y; }
Point sum(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
void shift(Point& a, double by) { a.x += by; a.y += by; }
Four scaled(Four f, float by) { f.at[0] *= by, f.at[1] *= by, f.at[2] *= by, f.at[3] *= by; return f; }
int clamped(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
int counts() { return ++counter; }
int counts_atomically() { return flag.fetch_add(1); }
int exchanges(int x) { int due = 1; flag.compare_exchange_strong(due, x); return due; }
double of_table() { return table[2] * 3; }
__attribute__((noinline)) int helper(int x) { return x * 7 + 1; }
int helped(int x) { return helper(x) + helper(x + 1); }
int checked(int x) { if (x < 0) throw std::invalid_argument("negative"); return x * 2; }
int ranged(std::array<int, 3> a) { return a.at(2); }
int throws_number(int x) { if (x < 0) throw x; return x * 2; }
int catches(int x) { try { return throws_number(x); } catch (int e) { return -e; } }
const Point& larger(const Point& a, const Point& b) { return a.x < b.x ? b : a; }
bool same(const Point& a, const Point& b) { return &a == &b; }
const Point& first(const Point& a, const Point& b) { return a; }
std::uintptr_t as_number(const double* p) { return reinterpret_cast<std::uintptr_t>(p); }
class Account {
  int n_ = 0; std::string name_; std::vector<int> items_;
 public:
  int n() const { return n_; }
  void add(int by) { n_ += by; }
  std::size_t items() const { return items_.size(); }
  int first_item() const { return items_[0]; }
  int locked() { std::lock_guard<std::mutex> hold(mutex); return n_; }
  virtual ~Account() {}
  virtual int asked(int x) const { return x; }
  int asks(int x) const { return asked(x) + 1; }
};

// --- loops and recursion
int sums(int n) { int s = 0; for (int i = 0; i < n; ++i) s += i ^ plain_flag; return s; }
int spins_on_atomic(int x) { while (!flag.load(std::memory_order_acquire)) {} return x; }
int spins_on_volatile(int x) { while (!plain_flag) __builtin_ia32_pause(); return x; }
int spins_on_exchange(int x) { while (flag.exchange(x)) {} return x; }
int pauses(int x) { __builtin_ia32_pause(); return x; }
__attribute__((noinline)) int recurses(int n) { return n < 2 ? 1 : recurses(n - 1) * plain_flag + recurses(n - 2); }
int even(int n);
__attribute__((noinline)) int odd(int n) { return n ? even(n - 1) + plain_flag : 0; }
__attribute__((noinline)) int even(int n) { return n ? odd(n - 1) + plain_flag : 1; }
__attribute__((noinline)) int tail(int n, int a) { if (!n) return a; counter ^= n; return tail(n - 1, a * 3); }
int retries(int x) { again: try { return throws_number(x); } catch (...) { x += plain_flag; goto again; } }
int string_instruction(int x) { char a[64]; void* p = a; long n = 64;
  asm volatile("rep stosb" : "+D"(p), "+c"(n) : "a"(x) : "memory"); return a[3]; }
int loop_instruction(int x) { long n = 3; asm volatile("1: addl $1, %0\n loop 1b" : "+r"(x), "+c"(n)); return x; }
template <int N>
__attribute__((always_inline)) inline void run() { plain_flag = N; if constexpr (N > 0) run<N - 1>(); }
__attribute__((noinline)) void quarter() { run<700>(); }
int too_long(int x) { quarter(); quarter(); quarter(); quarter(); quarter(); quarter(); return x; }

// --- what goes elsewhere
double root(double x) { return std::sin(x); }
int prints(int x) { std::puts("x"); return x; }
int allocates(int x) { return *new (std::nothrow) int(x); }
int raises_signal(int x) { std::raise(SIGUSR1); return x; }
int traps(int x) { if (x < 0) __builtin_trap(); return x; }
int divides(int a, int b) { return a / b; }
int by_odd_call(int x) { asm volatile(".byte 0x48\n call puts@PLT" ::: "memory", "rax", "rdi"); return x; }
int asks_system(int x) {
  long r; asm volatile("syscall" : "=a"(r) : "a"(39) : "rcx", "r11", "memory"); return int(r) + x; }
int calls_pointer(int (*f)(int), int x) { return f(x); }
int calls_variable(int x) { return chosen(x) + 1; }
void choose(int (*f)(int)) { chosen = f; }
int calls_function_object(const std::function<int(int)>& f, int x) { return f(x); }
int jumps(int x) {
  switch (x) {
    case 0: return helper(1); case 1: return counter++; case 2: return plain_flag; case 3: return helper(x) ^ 1;
    case 4: counter = 7; return 1; case 5: return x * counter; case 6: return helper(9); case 7: return -counter;
  }
  return 0;
}
int each_threads(int x) { return each += x; }
int waits(int x) { std::lock_guard<std::mutex> hold(mutex); return x; }
int once(int x) { static int value = std::rand(); return value + x; }
int copies(int n) { char a[512], b[512]; std::memset(a, n, 512); std::memcpy(b, a, std::size_t(n)); return b[3]; }

// --- what waits where exceptions go
struct Locking { Locking() { mutex.lock(); } };
struct Waiting : std::exception { const char* what() const noexcept override { mutex.lock(); return "w"; } };
struct Cleaning { ~Cleaning() { mutex.lock(); } };
int throws_locking(int x) { if (x < 0) throw Locking(); return x; }
int throws_waiting(int x) { if (x < 0) throw Waiting(); return x; }
int throws_text(const char* words) { if (counter) throw std::runtime_error(words); return 1; }
int locks_when_caught(int x) { try { return throws_number(x); } catch (...) { mutex.lock(); return 0; } }
int throws_pointer(const char* words) { if (counter) throw words; return 1; }
int rethrows(int x) { if (x) throw; return x; }
int locks_when_unwound(int x) { Cleaning cleaning; int y = throws_number(x); if (y) std::_Exit(1); return y; }

// --- memory that is not samebytes' own
double behind_pointer(const double* p) { return *p; }
double behind_reference(const std::vector<double>& v) { return v[0]; }
int behind_member(Linked l) { return *l.next; }
int behind_variable() { return *remembered; }
void remember(int* p) { remembered = p; }
int behind_number(std::uintptr_t at) { return *reinterpret_cast<int*>(at); }
int behind_offset(Linked& l) { return *reinterpret_cast<int*>(reinterpret_cast<char*>(&l) + l.own); }
double at_index(std::array<double, 4> a, int i) { return a[i & 3]; }
// A jump with a condition, to what never returns: behind it the function goes on.
__attribute__((naked)) int behind_condition(int x, const int* p) {
  asm("testl %edi, %edi\n je _Unwind_Resume@PLT\n movl (%rsi), %eax\n ret"); }
__attribute__((naked)) int goes_elsewhere(int x) { asm("testl %edi, %edi\n je puts@PLT\n movl %edi, %eax\n ret"); }
int bit_in_memory(Linked& l, long bit) { asm volatile("btsq %1, %0" : "+m"(l.next) : "r"(bit) : "memory"); return 0; }
"""

LOOP, SELF, OTHER, COMPUTED = (
    "it has a loop",
    "it calls itself",
    "of another library",
    "an address that it computes",
)
THROWN = "it throws what may be anything"
MEMORY = "memory at an address that it computes, or was given"
PROVEN = [
    "plus", "mixed", "wide", "bits", "dot", "dot_of_references", "sum", "shift", "scaled", "clamped", "counts",
    "counts_atomically", "exchanges", "of_table", "helper", "helped", "checked", "throws_number", "catches", "larger",
    "same", "as_number", "Point::norm2", "Point::scale", "Account::n", "Account::add", "Account::items",
]  # fmt: skip
UNPROVEN = {
    "sums": LOOP, "spins_on_atomic": LOOP, "spins_on_volatile": "", "spins_on_exchange": LOOP, "pauses": "pause",
    "recurses": "", "odd": "", "even": "", "tail": "", "retries": LOOP, "string_instruction": "rep stosb",
    "loop_instruction": "", "too_long": f"more than {MOST} instructions",
    "by_odd_call": "puts, " + OTHER,
    "root": "sin, " + OTHER, "prints": "puts, " + OTHER, "allocates": OTHER, "raises_signal": "raise, " + OTHER,
    "traps": "ud2", "divides": "idiv", "asks_system": "syscall", "calls_pointer": COMPUTED, "calls_variable": COMPUTED,
    "calls_function_object": "", "jumps": COMPUTED, "each_threads": "", "waits": OTHER, "once": "", "copies": "",
    "Account::asked": COMPUTED, "Account::asks": COMPUTED, "Account::locked": OTHER,
    "throws_locking": "", "throws_waiting": THROWN, "throws_text": OTHER, "locks_when_caught": OTHER,
    "locks_when_unwound": OTHER, "throws_pointer": THROWN,
    "rethrows": "__cxa_rethrow, " + OTHER,
    "behind_pointer": MEMORY, "behind_reference": "", "behind_member": MEMORY, "behind_variable": MEMORY,
    "behind_condition": MEMORY, "goes_elsewhere": OTHER, "behind_number": MEMORY,
    "behind_offset": MEMORY, "at_index": "", "bit_in_memory": "bts in memory",
    "Account::first_item": MEMORY,
}  # fmt: skip


@pytest.fixture(
    scope="module", params=["", "-O1", "-fstack-protector-strong -fcf-protection", "-march=x86-64-v3"]
)
def bounds(request: pytest.FixtureRequest) -> dict[str, Verdict]:
    """What is proven of each function, by its name."""
    library = sb.compile(SOURCE, name="bounds", flags=request.param.split())
    module, image = library.__model__, Image(Path(library.__file__))
    return {
        f.qualified: verdict(image, shim_symbol(number, len(f.parameters)))
        for number, f in enumerate(module.functions)
    }


@pytest.mark.parametrize("name", PROVEN)
def test_proven(bounds: dict[str, Verdict], name: str) -> None:
    assert not bounds[name].reason
    assert 2 <= bounds[name].instructions < 100


@pytest.mark.parametrize(("name", "reason"), UNPROVEN.items(), ids=UNPROVEN)
def test_not_proven(bounds: dict[str, Verdict], name: str, reason: str) -> None:
    found = bounds[name].reason
    assert found
    assert reason in found


def test_which_arguments_are_read(bounds: dict[str, Verdict]) -> None:
    """By their places; behind the arguments come the result and the error."""
    assert bounds["dot"].reads == (0, 1, 2)
    assert bounds["shift"].reads == (0, 1)
    assert bounds["larger"].reads == (0, 1, 2)
    assert bounds["same"].reads == (2,)
    assert bounds["Account::n"].reads == (0, 1)
    assert bounds["counts"].reads == (0,)


def test_calls_are_counted(bounds: dict[str, Verdict]) -> None:
    assert bounds["helped"].calls in (2, 3)  # it is inlined into its shim, or not
    assert bounds["plus"].calls == 0


WAITING = [
    "accept", "accept4", "connect", "recv", "recvfrom", "recvmsg", "send", "sendto", "sendmsg", "read", "readv",
    "pread", "write", "writev", "pwrite", "open", "openat", "close", "fsync", "fdatasync", "poll", "ppoll",
    "select", "pselect", "epoll_wait", "sleep", "usleep", "nanosleep", "clock_nanosleep", "pause", "sigwait",
    "sigsuspend", "sigwaitinfo", "raise", "kill", "abort", "wait", "wait3", "wait4", "waitpid", "waitid",
    "system", "popen", "pclose", "fork", "flock", "lockf", "fcntl", "ioctl", "sem_wait", "sem_timedwait",
    "pthread_mutex_lock", "pthread_mutex_timedlock", "pthread_cond_wait", "pthread_cond_timedwait",
    "pthread_join", "pthread_rwlock_rdlock", "pthread_rwlock_wrlock", "pthread_barrier_wait", "pthread_spin_lock",
    "pthread_once", "msgrcv", "msgsnd", "mq_receive", "futex", "syscall", "getline", "fgets", "fread", "fwrite",
    "printf", "puts", "fflush", "getchar", "dlopen", "dlsym", "malloc", "free", "realloc", "calloc", "_Znwm",
    "_ZdlPv", "memcpy", "memset", "memmove", "strlen", "qsort", "bsearch", "__cxa_guard_acquire",
    "__cxa_guard_release", "__cxa_thread_atexit", "__cxa_atexit", "__cxa_rethrow", "__cxa_pure_virtual",
    "__tls_get_addr", "__stack_chk_fail", "_ZSt9terminatev", "_ZNSt6thread4joinEv",
    "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE", "_ZNSt5mutex4lockEv",
    "_ZNSt13runtime_errorC1ERKS_", "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE",
    "_ZSt19__throw_ios_failurePKc_own",
]  # fmt: skip


@pytest.mark.parametrize("name", WAITING)
def test_what_may_wait_is_not_called(name: str) -> None:
    assert not throwing.throws(name)
    assert not throwing.makes_text(name)
    assert not throwing.ends(name)


@pytest.mark.parametrize("name", [
    "__cxa_allocate_exception", "_Unwind_Resume", "_ZSt20__throw_length_errorPKc", "_ZSt17__throw_bad_allocv",
    "_ZSt24__throw_out_of_range_fmtPKcz", "_ZSt25__throw_bad_function_callv", "_ZSt20__throw_system_errori",
])  # fmt: skip
def test_what_throws_is(name: str) -> None:
    assert throwing.throws(name)


@pytest.mark.parametrize(("name", "may"), [
    ("_ZTISt12out_of_range", True), ("_ZTISt9exception", True), ("_ZTIi", True), ("_ZTId", True),
    ("_ZTI4Mine", False), ("_ZTIPKc", False), ("_ZTISt6vectorI4MineSaIS0_EE", False),
    ("_ZTIN2ns12out_of_rangeE", False),
    ("_ZTSSt12out_of_range", False), ("_ZTINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE", False),
])  # fmt: skip
def test_which_classes_may_be_thrown(name: str, may: bool) -> None:
    assert throwing.is_thrown(name) == may


def test_what_is_not_there(tmp_path: Path) -> None:
    library = sb.compile("int f() { return 1; }", name="one")
    assert verdict(Image(Path(library.__file__)), "nothing").reason == "its code is not in the library"
