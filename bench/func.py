"""Compiled Python beside the same C++, callbacks and a step of bodies: `python bench/func.py [--markdown FILE]`.

`@sb.func(interop=True)` and a C++ function of another file, given to the same loop through the same pointer: loops of
C++'s, libc's qsort, and where they are installed GSL's integrator and NLopt.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np

import samebytes as sb

LOOPS, REPEATS = 500_000, 150

HEADER = r"""
#include <algorithm>
#include <cmath>
#include <functional>
#include <samebytes/vector.hpp>
using Vec = samebytes::float32x3;
inline Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec operator*(Vec a, float b) { return {a.x * b, a.y * b, a.z * b}; }
inline float dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
struct Body { Vec at, v; float mass; };
inline void step(Body* b, long n, float dt) {
  for (long i = 0; i < n; ++i) {
    Vec f{0, 0, 0};
    for (long j = 0; j < n; ++j) {
      Vec d = b[j].at - b[i].at;
      float r = dot(d, d) + 0.01f;
      f = f + d * (b[j].mass / (r * std::sqrt(r)));
    }
    b[i].v = b[i].v + f * dt;
  }
  for (long i = 0; i < n; ++i) b[i].at = b[i].at + b[i].v * dt;
}
struct Item { double key; int id; };
inline double square(double x) { return x * x; }
inline double wave(double x) { return std::exp(-x * x) + x; }
inline bool less(const Item& a, const Item& b) { return a.key < b.key; }
inline int compare(const void* a, const void* b) {
  int x = *static_cast<const int*>(a), y = *static_cast<const int*>(b);
  return (x > y) - (x < y);
}
inline double bell(double x, void* factor) { return std::exp(-*static_cast<double*>(factor) * x * x); }
inline double valley(unsigned n, const double* x, double*, void*) {
  double f = 0;
  for (unsigned i = 0; i + 1 < n; ++i) {
    double a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
    f += 100 * a * a + b * b;
  }
  return f;
}
inline double sum(double (*f)(double), long n) {
  double s = 0; for (long i = 0; i < n; ++i) s += f(s * 1e-9); return s;
}
inline double sum_std(const std::function<double(double)>& f, long n) {
  double s = 0; for (long i = 0; i < n; ++i) s += f(s * 1e-9); return s;
}
inline void order(Item* a, long n, bool (*f)(const Item&, const Item&)) { std::sort(a, a + n, f); }
"""


@sb.func(interop=True)
def square(x):  # type: ignore[no-untyped-def]
    return x * x


@sb.func(interop=True)
def wave(x):  # type: ignore[no-untyped-def]
    return np.exp(-x * x) + x


@sb.func(interop=True)
def less(a, b):  # type: ignore[no-untyped-def]
    return a.key < b.key


@sb.func(interop=True)
def compare(a: sb.pointer[sb.const[sb.int32]], b: sb.pointer[sb.const[sb.int32]]) -> int:
    return (a[0] > b[0]) - (a[0] < b[0])


@sb.func(interop=True)
def bell(x, factor: sb.pointer[sb.float64]):  # type: ignore[no-untyped-def]
    return np.exp(-factor[0] * x * x)


@sb.func(interop=True)
def valley(n, x, gradient, data):  # type: ignore[no-untyped-def]
    f = 0.0
    for i in range(n - 1):
        a, b = x[i + 1] - x[i] * x[i], 1 - x[i]
        f += 100 * a * a + b * b
    return f


@sb.struct
class Body:
    at: sb.float32x3
    v: sb.float32x3
    mass: float

    def pushed(self, f, dt):  # type: ignore[no-untyped-def]
        return self.replace(v=self.v + f * dt)

    def moved(self, dt):  # type: ignore[no-untyped-def]
        return self.replace(at=self.at + self.v * dt)


@sb.func
def dot(a, b):  # type: ignore[no-untyped-def]
    return a.x * b.x + a.y * b.y + a.z * b.z


@numba.njit  # type: ignore[untyped-decorator]
def step(bodies, dt):  # type: ignore[no-untyped-def]
    for i in range(bodies.size):
        body, f = Body(bodies[i]), sb.float32x3(0, 0, 0)
        for j in range(bodies.size):
            other = Body(bodies[j])
            d = other.at - body.at
            r = dot(d, d) + np.float32(0.01)
            f = f + d * (other.mass / (r * np.sqrt(r)))
        bodies[i] = body.pushed(f, dt)
    for i in range(bodies.size):
        bodies[i] = Body(bodies[i]).moved(dt)


def bodies() -> Any:
    made, random = np.zeros(1000, Body.dtype), np.random.default_rng(1)
    for field in ("at", "v"):
        for part in "xyz":
            made[field][part] = random.random(made.size)
    made["mass"] = random.random(made.size)
    return made


Row = tuple[str, Callable[[Any], Any], Any, Any]


def of_c_libraries(lib: Any) -> Iterator[Row]:
    """What is timed, a call with a function, the function, and the same in C++; each call's results are compared."""
    libc, numbers = (
        sb.bind("stdlib.h", expose="qsort"),
        np.random.default_rng(1).integers(-(2**31), 2**31, LOOPS // 20),
    )
    numbers = numbers.astype(np.int32)

    def sort(f: Any) -> Any:
        libc.qsort(found := numbers.copy(), numbers.size, 4, f)
        return found.tobytes()

    yield "qsort of libc", sort, compare, lib.compare
    if Path("/usr/include/gsl/gsl_integration.h").exists():
        outs = {"gsl_integration_qag": {"result": "out_return", "abserr": "out_return"}}
        gsl = sb.bind("gsl/gsl_integration.h", libraries=["gsl", "gslcblas"], arg_intent=outs)
        factor, work = np.array([2.0]), gsl.gsl_integration_workspace_alloc(1000)

        def integrate(f: Any) -> Any:
            given = gsl.gsl_function(f, factor)
            return [gsl.gsl_integration_qag(given, -50, 50, 0, 1e-12, 1000, 6, work) for _ in range(100)]

        yield "GSL's gsl_integration_qag of exp(-k * x * x)", integrate, bell, lib.bell
    if Path("/usr/include/nlopt.h").exists():
        nlopt = sb.bind("nlopt.h", libraries=["nlopt"])

        def minimize(f: Any) -> Any:
            search = nlopt.nlopt_create(nlopt.NLOPT_LN_NELDERMEAD, 10)
            nlopt.nlopt_set_min_objective(search, f, None)
            nlopt.nlopt_set_maxeval(search, 5000)
            status = nlopt.nlopt_optimize(search, found := np.full(10, -1.2), np.zeros(1))
            nlopt.nlopt_destroy(search)
            return status, found.tobytes()

        yield "NLopt's Nelder-Mead, 5,000 values of Rosenbrock's valley", minimize, valley, lib.valley


def milliseconds(*calls: Callable[[], Any]) -> list[float]:
    """Of each call: the least of many runs, side by side, as another process only ever adds."""
    best = [float("inf")] * len(calls)
    for _ in range(REPEATS):
        for i, call in enumerate(calls):
            start = time.perf_counter()
            call()
            best[i] = min(best[i], 1e3 * (time.perf_counter() - start))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--markdown", type=Path)
    wanted = parser.parse_args().markdown
    warnings.simplefilter("ignore", sb.BindWarning)  # of long double in libc and GSL
    lib = sb.compile(HEADER, target="numba", name="callers")
    items = np.zeros(LOOPS // 20, lib.Item.dtype)
    items["key"] = np.random.default_rng(1).random(items.size)
    rows: list[Row] = [
        ("x * x, by function pointer", lambda f: lib.sum(f, LOOPS), square, lib.square),
        ("x * x, by std::function", lambda f: lib.sum_std(f, LOOPS), square, lib.square),
        ("exp(-x * x) + x", lambda f: lib.sum(f, LOOPS // 10), wave, lib.wave),
        ("std::sort with a comparator", lambda f: lib.order(items.copy(), items.size, f), less, lib.less),
        *of_c_libraries(lib),
    ]
    lines = ["| callback | C++ (ms) | `@sb.func(interop=True)` (ms) | ratio |", "|---|---|---|---|"]
    for title, call, own, theirs in rows:
        assert call(own) == call(theirs), title
        cxx, python = milliseconds(lambda: call(theirs), lambda: call(own))  # noqa: B023
        lines.append(f"| {title} | {cxx:.2f} | {python:.2f} | {python / cxx:.2f} |")
    own, dt = bodies(), np.float32(0.01)
    theirs = own.copy().view(lib.Body.dtype)
    cxx, python = milliseconds(lambda: lib.step(theirs, theirs.size, dt), lambda: step(own, dt))
    assert own.tobytes() == theirs.tobytes()
    lines.append(f"| a step of 1,000 bodies, in `@njit` | {cxx:.2f} | {python:.2f} | {python / cxx:.2f} |")
    text = "\n".join(lines) + "\n"
    print(text)
    if wanted:
        wanted.write_text(text)


if __name__ == "__main__":
    main()
