"""Run by test_virtual_calls.py with a core of its own: virtual calls from threads of C++'s and of Python's."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any

CORE, CALLS, THREADS = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
sys.path.insert(0, str(Path(__file__).parent))
import own_core  # noqa: E402

own_core.load(CORE)
from measure import in_use  # noqa: E402

import samebytes as sb  # noqa: E402

lib = sb.compile(
    """
    #include <string>
    #include <thread>
    #include <vector>
    struct Node { int x = 0; Node() {} Node(const Node& o) : x(o.x) {} };
    struct Base {
      virtual ~Base() = default;
      virtual int whole(int x) = 0;
      virtual std::string text(const std::string& s) { return s; }
      virtual const Node& node(const Node& n) { return n; }
      virtual Node& own(Node& n) { return n; }
    };
    inline long calls(Base& b, int n) {
      long sum = 0;
      Node node;
      const std::string said = "longer than what lies in a string itself";
      for (int i = 0; i < n; i += 4) {
        sum += b.whole(i) + b.text(said).size();
        node.x = i;
        sum += b.node(node).x;  // which lives until the next such call
        sum += b.own(node).x;
      }
      return sum;
    }
    inline long in_threads(const std::vector<Base*>& objects, int n) {
      std::vector<long> sums(objects.size());
      std::vector<std::thread> threads;
      for (std::size_t i = 0; i < objects.size(); ++i)
        threads.emplace_back([&, i] { sums[i] = calls(*objects[i], n); });
      for (auto& thread : threads) thread.join();
      long sum = 0;
      for (long one : sums) sum += one;
      return sum;
    }
    """,
    name="virtual_calls", nogil=True, flags=["-pthread", "-fsanitize=address,undefined"], libraries=["asan", "ubsan"],
)  # fmt: skip


class Derived(lib.Base):  # type: ignore[misc]
    """Has attributes of its own, a method of its class and one of its own in its place."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: dict[str, int] = {"": 0}

    def whole(self, x: int) -> int:
        return x

    def text(self, s: str) -> str:
        return s + "!"

    def node(self, n: Any) -> Any:
        return super().node(n)


def run(objects: list[Any], calls: int) -> int:
    """All calls from as many threads of C++'s, then of Python's, as there are objects; their sum."""
    each = calls // len(objects) // 2
    sums = [lib.in_threads(objects, each)]
    threads = [threading.Thread(target=lambda o=o: sums.append(lib.calls(o, each))) for o in objects]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(sums)


objects = [Derived() for _ in range(THREADS)]
objects[0].text = lambda s: s + "!"
run(objects, CALLS // 10)
before = in_use()[1]
total = run(objects, CALLS)
print("bytes:", in_use()[1] - before)
print("sum:", total)
