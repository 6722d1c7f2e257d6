"""Python's accesses to members exclude each other, by the GIL; methods and calls run side by side, as in C++."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

import samebytes as sb

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
class Job {
public:
  std::atomic<bool> running{false};
  volatile bool stop = false;
  std::atomic<bool> ended{false};
  std::atomic<long> steps{0};
  std::atomic<double> share{0.5};
  std::string name;
  bool is_running() const { return running; }
  int run(double most) {
    running = true;
    auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(most);
    while (!stop && !ended && std::chrono::steady_clock::now() < end) ++steps;
    return stop || ended;
  }
};
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
