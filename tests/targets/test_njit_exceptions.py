"""Exceptions in @njit: each object of C++ ends exactly once, whatever fails, and programs do what Python does."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

sys.path.append(str(Path(__file__).parent))  # importlib's import mode adds nothing itself
from njit_programs import SOURCE, Program, agree, outcome

numba = pytest.importorskip("numba", reason="Numba is not installed")
njit = numba.njit
pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE, target="numba", name="boxes")


BODIES = {
    "constructor": "try:\n  return lib.Box(n).get()\nexcept Exception:\n  return -1",
    "factory": "try:\n  return lib.make(n).get()\nexcept Exception:\n  return -1",
    "static method": "try:\n  return lib.Box.made(n).get()\nexcept Exception:\n  return -1",
    "operators": (
        "a = lib.Box(n + 1)\ntry:\n  return (a + a).get() + (-a).get()\nexcept Exception:\n  return -1"
    ),
    "conversions": (
        "a = lib.Box(1)\na += n\ntry:\n  return int(float(a)) + (1 if a else 2)\nexcept Exception:\n"
        "  return -1"
    ),
    "condition of a loop": (
        "a = lib.Box(1)\nt = 0\ntry:\n  while a:\n    a += 3\n    t += 1\n    if t > n: break\n"
        "except Exception:\n  return -t\nreturn t"
    ),
    "items and comparisons": (
        "a = lib.Box(1)\nb = lib.Box(3)\ntry:\n  return a[n] + (1 if a < b else 2)\n"
        "except Exception:\n  return -1"
    ),
    "copies of an argument": "a = lib.Box(1)\ntry:\n  return lib.taken(a, n)\nexcept Exception:\n  return -1",
    "our own check": (
        "a = lib.Box(1)\ntry:\n  return lib.narrow(n * 100) + a.get()\nexcept Exception:\n  return -1"
    ),
    "our own check, uncaught": "a = lib.Box(1)\nb = lib.make(3)\nreturn lib.narrow(n * 100) + a.get()",
    "uncaught": "a = lib.Box(1)\nb = [lib.Box(2), lib.make(3)]\nreturn a.may(n) + b[1].may(n)",
    "raised by Python": "a = lib.Box(1)\nif n > 1:\n  raise ValueError('mine')\nreturn a.get()",
    "raised by Numba": "a = lib.Box(1)\nassert n != 2\nx = {0: 5, 1: 6, 3: 2}[n]\nreturn x + a.get()",
    "raised by Numba, caught": (
        "a = [lib.Box(1)]\ntry:\n  return a[n].get() + 6 // n\nexcept Exception:\n  return -1"
    ),
    "in a function that is called": (
        "a = lib.Box(1)\nb = h0(a, n)\nreturn b.get() + h1(a, n) + h2(b, n).get()"
    ),
    "in-place operators": "a = lib.Box(1)\nb = lib.Box(3)\na += n\na -= n\na *= n\na ^= b\nreturn a.get()",
    "in-place operators, caught": (
        "a = lib.Box(1)\nb = a\nfor i in range(n):\n  try:\n    a += i\n    a ^= b\n    a -= i\n"
        "  except Exception:\n    b = lib.Box(7)\nreturn a.get() * 100 + b.get()"
    ),
    "chains": "return lib.Box(1).add(n).add(3).get()",
    "references that keep two": (
        "a = lib.larger(lib.Box(n), lib.Box(n + 1))\nb = lib.Box(0)\nreturn a.get() + b.get()"
    ),
    "nested in a loop": (
        "t = 0\nfor i in range(6):\n  try:\n    try:\n      t += lib.Box(1).may(-i * n)\n"
        "    except Exception:\n      t += 10\n      t += lib.make(i).get()\n  except Exception:\n"
        "    t += 100\nreturn t"
    ),
    "a try in what a try calls": (
        "a = lib.Box(1)\nt = 0\nfor i in range(6):\n  try:\n    t += h1(a, i) + a.may(i * n)\n"
        "  except Exception:\n    t += 100\nreturn t"
    ),
    "inlined": (
        "def inner(k):\n  a = lib.Box(k)\n  while a.get() < 3:\n    a += 3\n  return a.may(k)\ntry:\n"
        "  return inner(n)\nexcept Exception:\n  return -1"
    ),
    "raised where it is inlined": (
        "def inner(k):\n  a = lib.Box(1)\n  if k > 1: raise ValueError('inner')\n  return a.get()\n"
        "try:\n  return inner(n)\nexcept Exception:\n  return -1"
    ),
    "operators that nobody uses": (
        "def inner(k):\n  return k + 1\na = lib.Box(n)\n-a\na[n]\na < a\nreturn inner(n)"
    ),
    "in tuples and lists": (
        "a = (lib.Box(1), lib.make(3))\nb = [a[0]]\nb.append(lib.Box(n))\nb.pop()\nreturn a[1].may(n)"
    ),
    "names that change": (
        "a = lib.Box(1)\nfor i in range(5):\n  try:\n    a = lib.Box(i + n)\n"
        "    if a.get() == 2: continue\n    if a.get() == 6: break\n  except Exception:\n"
        "    a = lib.make(7)\nreturn a.get()"
    ),
}


def _program(body: str) -> Program:
    made = Program(0)
    made.text = "def program(n):\n" + "\n".join("  " + line for line in body.splitlines())
    return made


def _compare(lib: Any, program: Program) -> None:
    plain, compiled = program.function(lib), program.function(lib, njit)
    for n in range(6):
        expected, found = outcome(plain, n), outcome(compiled, n)
        assert agree(expected, found), (n, expected, found, program.text)
        gc.collect()
        assert (lib.count(), lib.errors()) == (0, 0), (n, program.text)


@pytest.mark.parametrize("name", BODIES)
def test_objects_end_once_and_values_are_pythons(lib: Any, name: str) -> None:
    _compare(lib, _program(BODIES[name]))


@pytest.mark.parametrize("seed", [s for s in range(200, 300) if len(Program(s).text) < 900][:12])
def test_random_programs(lib: Any, seed: int) -> None:
    _compare(lib, Program(seed))


def test_generators_that_fail_have_ended(lib: Any) -> None:
    @njit
    def numbers(n: int) -> Any:
        a = lib.Box(1)
        for i in range(4):
            b = lib.Box(i)
            yield a.get() + b.get()
            a.may(n + i)

    @njit
    def total(n: int) -> int:
        t, c = 0, lib.Box(2)
        for x in numbers(n):
            t += x
        return t + c.get()

    assert total(-3) == 12
    with pytest.raises(RuntimeError, match="method"):
        total(0)
    gc.collect()
    assert (lib.count(), lib.errors()) == (0, 0)


@njit
def _plain(n: int) -> int:
    if n < 0:
        raise ValueError("negative")
    return n


def test_nested_blocks_in_loops_hold_without_objects_too(lib: Any) -> None:
    """Numba loses count of them: https://github.com/numba/numba, `set_try_status`."""

    def total(n: int) -> int:
        t = 0
        for i in range(5):
            try:
                try:
                    t += _plain(-i)
                except Exception:
                    t += 10
                    t += _plain(n)
            except Exception:
                t += 100
        return t

    assert (njit(total)(1), njit(total)(-1)) == (44, 440)


def test_large_records_are_given_back(lib: Any) -> None:
    """Memory, not objects: of a call that fails, of fields on top of initial values, of what += returns."""
    from numba.core.runtime import _nrt_python, rtsys

    source = """#include <stdexcept>
    struct Big { double v[40] = {1}; double w = 2; };
    inline Big big(int k) { if (k < 0) throw std::runtime_error("big"); Big b; b.w = k; return b; }
    inline Big operator+=(Big& b, int k) { b.w += k; return b; }"""
    large = sb.compile(source, target="numba", name="large")

    @njit
    def use(n: int) -> float:
        b = large.big(3)
        b += 2
        c = large.Big(w=4.0)
        try:
            return b.w + c.w + large.big(n).w
        except Exception:
            return b.w + c.w

    @njit
    def fail(n: int) -> float:
        b = large.big(3)
        b.w = 1.0
        return b.w + large.big(n).w

    assert (use(1), use(-1)) == (10.0, 9.0)
    _nrt_python.memsys_enable_stats()
    before = rtsys.get_allocation_stats()
    for n in (1, -1) * 10:
        use(n)
    for _ in range(10):
        with pytest.raises(RuntimeError, match="big"):
            fail(-1)
    after = rtsys.get_allocation_stats()
    assert after.mi_alloc - before.mi_alloc == after.mi_free - before.mi_free


@sb.struct
class Pair:
    x: sb.float64
    y: sb.float64 = 2.0

    def moved(self, dx=1.0, dy=2.0):
        return Pair(self.x + dx, self.y + dy)


def weighed(a, b=2, c=3):
    return a + 10 * b + 100 * c


def test_keywords_inside_of_try() -> None:
    """Numba forgets their names there: they were taken by position, of functions of everybody."""
    weigh = njit(weighed)

    @njit
    def names(p, fails):
        try:
            first = weigh(c=7, a=1), Pair(y=3.0, x=p.x).y, p.replace(y=5.0).y
            if fails:
                raise ValueError("so")
        except Exception:
            return weigh(1, c=4), p.moved(dy=1.0).y, sb.float64x2(1, 2).replace(y=9).y
        return first

    pair = Pair(1.0)
    assert names(pair, False) == (721, 3, 5)
    assert names(pair, True) == (421, 3, 9)
