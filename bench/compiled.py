"""A bound call in @njit beside the same call from C++: `python bench/compiled.py [--markdown FILE]`.

Both loops call functions of another file, so that neither compiler sees their bodies.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np

import samebytes as sb

TARGET = 2.0  # ns that a call from compiled Python may cost more
LOOPS, REPEATS = 2_000_000, 25

HEADER = """
#pragma once
struct Sun { double azimuth, altitude, power; };
struct Counter { long n; void add(long by); };
double a1(double x) noexcept;
double a1_may_throw(double x);
float a2(int i, float x) noexcept;
double b1(const double* p, long n) noexcept;
double d_in(Sun s) noexcept;
double d_ref(const Sun& s);
Sun d_out(double x) noexcept;
"""
BODIES = """
#include "calls.hpp"
void Counter::add(long by) { n += by; }
double a1(double x) noexcept { return x + 1; }
double a1_may_throw(double x) { if (x < 0) throw 1; return x + 1; }
float a2(int i, float x) noexcept { return x + i; }
double b1(const double* p, long n) noexcept { return p[0] + n; }
double d_in(Sun s) noexcept { return s.azimuth + s.power; }
double d_ref(const Sun& s) { return s.azimuth + s.power; }
Sun d_out(double x) noexcept { return {x, x, 1}; }
"""
# What each loop does in C++ and in Python, `x` being the number that is carried from turn to turn.
CASES = (
    ("double → double, noexcept", "x = a1(x)", "x = lib.a1(x)"),
    ("double → double, may throw", "x = a1_may_throw(x)", "x = lib.a1_may_throw(x)"),
    ("(int, float) → float", "x = a2(3, (float)x)", "x = lib.a2(3, np.float32(x))"),
    ("array and length", "x = b1(p, 1)", "x = lib.b1(p, 1)"),
    ("struct by value", "x = d_in(Sun{1, 2, x})", "x = lib.d_in(lib.Sun(1.0, 2.0, x))"),
    ("struct by reference, may throw", "s.power = x; x = d_ref(s)", "s.power = x; x = lib.d_ref(s)"),
    ("struct returned", "x = d_out(x).azimuth", "x = lib.d_out(x).azimuth"),
    ("method that changes its object", "c.add(1)", "c.add(1)"),
)  # fmt: skip


def in_cxx() -> str:
    loops = [
        f"double loop{i}(long n, const double* p) {{ double x = 0; Sun s{{1, 2, 3}}; Counter c{{0}};"
        f" for (long i = 0; i < n; ++i) {{ {cxx}; }} return x + s.power + c.n; }}"
        for i, (_, cxx, _) in enumerate(CASES)
    ]
    return "\n".join(['#include "calls.hpp"', *loops])


def in_python(lib: Any, statement: str) -> Callable[..., float]:
    text = (
        "def loop(n, p):\n    x = 0.0\n    s = lib.Sun(1.0, 2.0, 3.0)\n    c = lib.Counter(0)\n"
        f"    for i in range(n):\n        {statement}\n    return x + s.power + c.n\n"
    )
    scope: dict[str, Any] = {"lib": lib, "np": np}
    exec(text, scope)
    return numba.njit(scope["loop"])  # type: ignore[no-any-return]


def nanoseconds(call: Callable[..., float], *arguments: Any) -> float:
    """Of one turn of a loop: the least of many runs, as another process only ever adds."""
    call(*arguments)
    least = float("inf")
    for _ in range(REPEATS):
        start = time.perf_counter_ns()
        call(*arguments)
        least = min(least, time.perf_counter_ns() - start)
    return least / LOOPS


def measure(folder: Path) -> list[tuple[str, float, float]]:
    """Every case with its nanoseconds in C++ and in @njit."""
    (folder / "calls.hpp").write_text(HEADER)
    (folder / "calls.cpp").write_text(BODIES)
    (folder / "loops.hpp").write_text(
        "\n".join(f"double loop{i}(long n, const double* p);" for i in range(len(CASES)))
    )
    (folder / "loops.cpp").write_text(in_cxx())
    lib = sb.bind(folder / "calls.hpp", sources=[folder / "calls.cpp"], target="numba", name="calls")
    cxx = sb.bind(folder / "loops.hpp", sources=[folder / "loops.cpp", folder / "calls.cpp"], name="loops")
    p = np.ones(4)
    return [
        (name, nanoseconds(getattr(cxx, f"loop{i}"), LOOPS, p), nanoseconds(in_python(lib, text), LOOPS, p))
        for i, (name, _, text) in enumerate(CASES)
    ]


def table(rows: list[tuple[str, float, float]]) -> str:
    lines = ["| ns per call | C++ | @njit | more |", "|---|---|---|---|"]
    for name, cxx, compiled in rows:
        verdict = "✓" if compiled - cxx <= TARGET else "✗"
        lines.append(f"| {name} | {cxx:.2f} | {compiled:.2f} | {compiled - cxx:+.2f} {verdict} |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--markdown", type=Path, help="write the table to this file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(Path(folder))
    print(table(rows))
    if options.markdown:
        options.markdown.write_text(table(rows) + "\n")
    return int(any(compiled - cxx > TARGET for _, cxx, compiled in rows))


if __name__ == "__main__":
    raise SystemExit(main())
