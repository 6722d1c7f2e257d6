"""Python's accesses to members exclude each other, by the GIL; methods and calls run side by side, as in C++."""

from __future__ import annotations

import copy
import threading
import time
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

SOURCE = """
#include <dlfcn.h>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>
inline int& without() { static int n = 0; return n; }  // how often code of a member ran without the GIL
inline int& runs() { static int n = 0; return n; }
inline void note() {
  static auto const held = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "PyGILState_Check"));
  ++runs(); without() += !held();
}
inline int ran() { int n = runs(); runs() = 0; return n; }
inline int ran_without() { int n = without(); without() = 0; return n; }
struct Probe {
  int k = 1;
  Probe() {}
  Probe(const Probe& o) : k(o.k) { note(); }
  Probe& operator=(const Probe& o) { k = o.k; note(); return *this; }
  ~Probe() { note(); }
};
struct Less { bool operator()(const Probe& a, const Probe& b) const { note(); return a.k < b.k; } };
struct Members {
  std::vector<Probe> many; std::optional<Probe> maybe; std::shared_ptr<Probe> shared; std::unique_ptr<Probe> alone;
  std::map<std::string, Probe> named; std::pair<Probe, int> pair; Probe seen;
  static inline std::vector<Probe> common;
  ~Members() {}
};
struct Part { std::vector<Probe> inner; ~Part() {} };
struct Whole : Members { Part part; };
inline std::vector<Probe> everywhere;
inline std::optional<Probe> anywhere;

class Queue {
  std::mutex lock; std::condition_variable ready; std::deque<int> items;
public:
  void push(int x) { { std::lock_guard<std::mutex> l(lock); items.push_back(x); } ready.notify_one(); }
  int pop() {
    std::unique_lock<std::mutex> l(lock);
    ready.wait(l, [this] { return !items.empty(); });
    int x = items.front(); items.pop_front(); return x;
  }
};
enum class Phase : short { rest, work };
struct Two { int a, b; };
class Job {
public:
  std::atomic<bool> running{false};
  volatile bool stop = false;
  std::atomic<bool> ended{false};
  std::atomic<long> steps{0};
  std::atomic<double> share{0.5};
  std::atomic<Phase> phase{Phase::rest};
  std::atomic<int*> place{nullptr};
  std::atomic<const Job*> next{nullptr};
  const std::atomic<short> limit{7};
  volatile std::atomic<unsigned char> level{1};
  std::atomic<Two> two;
  std::string name;
  bool is_running() const { return running; }
  int run(double most) {
    running = true;
    auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(most);
    while (!stop && !ended && std::chrono::steady_clock::now() < end) ++steps;
    return stop || ended;
  }
  bool in_phase(Phase p) const { return phase == p; }
  int at_place() const { return place.load()[0]; }
  static inline std::atomic<int> jobs{5};
};
inline std::atomic<long> total{-4};
inline std::atomic<Phase> latest{Phase::work};
inline std::atomic<bool> quiet{true};
inline std::atomic<short> narrow{-3};
inline std::atomic<int*> where{nullptr};
inline const std::atomic<int> most{9};
inline std::atomic<Two> both;
inline std::atomic_flag flag = ATOMIC_FLAG_INIT;
inline long total_in_cxx() { return total; }
inline void count(int n) { while (n--) ++total; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE)


# Where a member lies, and a value for it; the value's own conversion may run C++, too.
MEMBERS = {
    "many": "[lib.Probe()]",
    "maybe": "lib.Probe()",
    "shared": "lib.Probe()",
    "alone": "lib.Probe()",
    "named": "{'a': lib.Probe()}",
    "pair": "(lib.Probe(), 1)",
    "common": "[lib.Probe()]",
}
PLACES = [
    *((f"lib.Members().{name}", value) for name, value in MEMBERS.items()),
    *((f"lib.Whole().{name}", value) for name, value in MEMBERS.items()),
    ("lib.Whole().part.inner", "[lib.Probe()]"),
    ("lib.Members.common", "[lib.Probe()]"),
    ("lib.everywhere", "[lib.Probe()]"),
    ("lib.anywhere", "lib.Probe()"),
]


@pytest.mark.parametrize(("place", "value"), PLACES)
def test_members_are_read_and_written_with_the_gil(lib: Any, place: str, value: str) -> None:
    path, _, name = place.rpartition(".")
    owner = eval(path, {"lib": lib})
    setattr(owner, name, eval(value, {"lib": lib}))
    lib.ran(), lib.ran_without()
    getattr(owner, name)
    setattr(owner, name, eval(value, {"lib": lib}))
    assert lib.ran_without() == 0
    assert lib.ran() > 0


@pytest.mark.parametrize("nogil", [True, ["Queue::pop", "Job::run"]])
def test_a_producer_pushes_while_a_consumer_waits(nogil: Any) -> None:
    lib = sb.compile(SOURCE, nogil=nogil)
    queue, got = lib.Queue(), []
    consumer = threading.Thread(target=lambda: got.extend(queue.pop() for _ in range(100)))
    consumer.start()
    time.sleep(0.05)  # it waits inside of pop()
    for x in range(100):
        queue.push(x)
    consumer.join(30)
    assert got == list(range(100))


def test_atomic_members_are_the_numbers_that_they_hold(lib: Any) -> None:
    job = lib.Job()
    assert (job.ended, job.steps, job.share) == (False, 0, 0.5)
    job.ended, job.steps, job.share = True, 2**40, -1.5
    assert (job.ended, job.steps, job.share) == (True, 2**40, -1.5)
    with pytest.raises(sb.RangeError, match=r"Job\.steps: expected int64"):
        job.steps = 2**64
    with pytest.raises(sb.ArgumentError, match=r"Job\.ended: expected bool"):
        job.ended = "yes"


def test_atomic_members_are_the_values_that_they_hold(lib: Any) -> None:
    job, numbers = lib.Job(), np.array([3, 4], np.int32)
    assert (job.phase, job.limit, job.level, int(job.place), int(job.next)) == (lib.Phase.rest, 7, 1, 0, 0)
    job.phase, job.level, job.place, job.next = lib.Phase.work, 255, numbers, job
    assert (job.phase, job.level) == (lib.Phase.work, 255)
    assert type(job.phase) is lib.Phase
    assert job.in_phase(lib.Phase.work)
    assert (job.at_place(), int(job.place)) == (3, numbers.ctypes.data)
    with pytest.raises(AttributeError, match=r"Job\.limit is const in C\+\+"):
        job.limit = 8
    with pytest.raises(sb.ArgumentError, match=r"Job\.phase: expected Phase \(rest, work\), got 'x'"):
        job.phase = "x"


def test_atomic_variables_are_the_values_that_they_hold(lib: Any) -> None:
    assert (lib.total, lib.latest, lib.quiet, lib.narrow, int(lib.where)) == (-4, lib.Phase.work, True, -3, 0)
    assert (lib.most, lib.Job.jobs) == (9, 5)
    lib.total, lib.latest, lib.quiet, lib.narrow, lib.Job.jobs = 2**40, lib.Phase.rest, False, -(2**15), 6
    assert (lib.total, lib.total_in_cxx()) == (2**40, 2**40)
    assert (lib.latest, lib.quiet, lib.narrow, lib.Job.jobs) == (lib.Phase.rest, False, -(2**15), 6)
    with pytest.raises(sb.RangeError, match="narrow: expected int16"):
        lib.narrow = 2**15
    with pytest.raises(AttributeError, match="'most' is const in C"):
        lib.most = 1


def test_an_atomic_variable_is_written_at_once(lib: Any) -> None:
    """What is read while C++ counts is a number that it had; its halves carry over together."""
    lib.total = 2**32 - 100_000
    thread = threading.Thread(target=lib.count, args=(200_000,))
    thread.start()
    while thread.is_alive():
        assert 2**32 - 100_000 <= lib.total <= 2**32 + 100_000
    thread.join()
    assert lib.total == 2**32 + 100_000


@pytest.mark.parametrize(
    ("name", "cls"), [("Job.two", "atomic<Two>"), ("both", "atomic<Two>"), ("flag", "atomic_flag")]
)
def test_an_atomic_that_no_instruction_reads_is_an_object(lib: Any, name: str, cls: str) -> None:
    """An atomic of a class, whose bytes Python would read one after the other: C++ reads it."""
    *path, last = name.split(".")
    owner = lib.Job() if path else lib
    found = getattr(owner, last)
    assert type(found) is getattr(lib.std, cls)
    with pytest.raises(TypeError, match="cannot copy"):
        copy.copy(found)


@pytest.mark.parametrize("member", ["stop", "ended"])
def test_a_member_stops_a_method_that_runs(lib: Any, member: str) -> None:
    job, ended = lib.Job(), []
    thread = threading.Thread(target=lambda: ended.append(job.run(30)))
    thread.start()
    while not job.is_running():
        pass
    job.name = "renamed meanwhile"
    assert job.name == "renamed meanwhile"
    setattr(job, member, True)
    thread.join(30)
    assert ended == [1]
    assert job.steps > 0
