"""Random small programs for @njit that make, pass, change and lose objects of C++ among exceptions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

SOURCE = r"""
#include <atomic>
#include <stdexcept>
inline std::atomic<long>& alive() { static std::atomic<long> n{0}; return n; }
inline std::atomic<long>& wrong() { static std::atomic<long> n{0}; return n; }
inline long count() { return alive(); }
inline long errors() { return wrong(); }
inline void odd(int k, const char* what) { if (k % 3 == 2) throw std::runtime_error(what); }
struct Box {
  int* p;
  explicit Box(int k) { if (k % 5 == 4) throw std::invalid_argument("constructor"); p = new int(k % 1000); ++alive(); }
  Box(const Box& o) : p(new int(*o.p)) { ++alive(); }
  ~Box() { if (!p) { ++wrong(); return; } delete p; p = nullptr; --alive(); }
  int get() const { return *p; }
  int may(int k) const { odd(k, "method"); return *p + k; }
  Box& add(int k) { odd(k, "add"); *p = (*p + k) % 1000; return *this; }
  Box& operator+=(int k) { odd(k, "iadd"); *p = (*p + k) % 1000; return *this; }
  Box operator-=(int k) { odd(k, "isub"); *p = (*p - k) % 1000; return *this; }
  void operator*=(int k) { odd(k, "imul"); *p = *p * k % 1000; }
  Box operator+(const Box& o) const { odd(*p, "plus"); return Box(*p + *o.p); }
  Box operator-() const { odd(*p, "neg"); return Box(1000 - *p); }
  bool operator<(const Box& o) const { odd(*p + *o.p, "less"); return *p < *o.p; }
  explicit operator bool() const { odd(*p, "bool"); return *p > 3; }
  operator double() const { odd(*p, "double"); return *p; }
  int operator[](int k) const { odd(k, "item"); return *p + k; }
  static Box made(int k) { return Box(k + 1); }
};
inline Box make(int k, int by = 1) { return Box(k * by); }
inline Box& operator^=(Box& a, const Box& b) { odd(*b.p, "ixor"); *a.p ^= *b.p; return a; }
inline Box& larger(Box& a, Box& b) { return *a.p > *b.p ? a : b; }
inline int taken(Box a, int k) { odd(k, "taken"); return *a.p - k; }
inline unsigned char narrow(unsigned char k) { return k; }
"""

HELPERS = """
def h0(b, k):
    c = lib.Box(k)
    c += b.get()
    return c

def h1(b, k):
    c = lib.make(k, by=2)
    try:
        return b.may(k) + c.get()
    except Exception:
        return c.may(k + 1)

def h2(b, k):
    c = lib.Box.made(k)
    if k % 4 == 3:
        raise ValueError("helper")
    return lib.larger(b, c)

def h3(b, k):
    found = [b, lib.make(k)]
    for i in range(3):
        found.append(lib.Box(k + i))
    return found[k % 5].get()
"""

_EFFECTS = (
    "{a} = lib.Box({k})", "{a} = lib.make({k})", "{a} = lib.Box.made({k})", "{a} = {b}", "{a} = {b} + {c}",
    "{a} = -{b}", "{a} += {k}", "{a} -= {k}", "{a} *= {k}", "{a} ^= {b}", "{a} = lib.Box({b})",
    "{a} = lib.larger({b}, lib.Box({k}))", "{a} = lib.larger(lib.make({k}), {b}).add({k})", "{a}.add({k}).add(1)",
    "t += {a}.get()", "t += {a}.may({k})", "t += lib.taken({a}, {k})", "t += lib.narrow(n * 70 - 20)",
    "t += {a}[{k}]", "t += int(float({a}))", "t += 1 if {a} < {b} else 2", "{a} = h0({b}, {k})", "t += h1({a}, {k})",
    "{a} = h2({b}, {k})", "t += h3({a}, {k})", "t += len([{a}, lib.Box({k})])",
    "x = ({a}, lib.make({k})); t += x[1].get()",
    "t += T[{k} % 5]", "{a} = inner({b}, {k})",
)  # fmt: skip


class Program:
    """One program.

    Parameters
    ----------
    seed : int
        The same seed gives the same program.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._names = 0
        body = list(self._block(1, 4, loop=False))
        self.text = "\n".join([
            "def program(n):",
            "    def inner(b, k):",
            "        c = lib.Box(k)",
            "        if c:",
            "            c ^= b",
            "        return c + b",
            "    t = 0",
            "    a = lib.Box(1); b = lib.Box(n % 4); c = lib.make(3)",
            *body,
            "    return t + a.get() * 3 + b.get() * 5 + c.get() * 7",
        ])  # fmt: skip

    def _number(self) -> str:
        return self._random.choice(("n", "t", "(n + t)", "(t % 7)", *map(str, range(7))))

    def _effect(self) -> str:
        a, b, c = (self._random.choice("abc") for _ in range(3))
        return self._random.choice(_EFFECTS).format(a=a, b=b, c=c, k=self._number())

    def _block(self, depth: int, left: int, *, loop: bool) -> Iterator[str]:
        pad = "    " * depth
        for _ in range(self._random.randint(1, 4)):
            kind = self._random.random()
            if left == 0 or kind < 0.5:
                yield pad + self._effect()
            elif kind < 0.75:
                yield pad + "try:"
                yield from self._block(depth + 1, left - 1, loop=loop)
                yield pad + "except Exception:"
                yield pad + "    t += 1"
                yield from self._block(depth + 1, left - 1, loop=loop)
            elif kind < 0.87:
                self._names += 1
                yield f"{pad}for i{self._names} in range({self._random.randint(1, 4)}):"
                yield f"{pad}    t += i{self._names}"
                yield from self._block(depth + 1, left - 1, loop=True)
            else:
                condition = self._random.choice(
                    ("t % 2 == 0", f"t > {self._number()}", "a < b", "b", "not c")
                )
                yield f"{pad}if {condition}:"
                yield from self._block(depth + 1, left - 1, loop=loop)
                if loop and self._random.random() < 0.3:
                    yield pad + "    " + self._random.choice(("break", "continue"))
                elif self._random.random() < 0.15:
                    yield pad + "    raise ValueError('raised')"
                elif self._random.random() < 0.15:
                    yield pad + "    return t"

    def function(self, lib: Any, compiled: Any = None) -> Any:
        """The function, and with ``compiled`` (Numba's njit) each of its helpers compiled."""
        space: dict[str, Any] = {"lib": lib, "T": np.array([1, 2, 3])}
        exec(HELPERS, space)
        if compiled is not None:
            space |= {name: compiled(space[name]) for name in ("h0", "h1", "h2", "h3")}
        exec(self.text, space)
        return space["program"] if compiled is None else compiled(space["program"])


def outcome(function: Any, n: int) -> Any:
    """What a call gives, or raises; in Numba every exception that leaves an ``except`` is another."""
    try:
        return function(n)
    except Exception as error:
        return (
            "raised"
            if "RERAISE" in str(error)
            else (type(error).__name__, str(error).partition(": expected")[0])
        )


def agree(one: Any, other: Any) -> bool:
    """Whether two outcomes are the same."""
    return one == other or ("raised" in (one, other) and isinstance(one, tuple))
