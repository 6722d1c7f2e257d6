"""A program: each form in which C++ calls a callable that raises, times each signature; what C++ saw, as JSON."""

from __future__ import annotations

import json
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import samebytes as sb

# By signature: the result, the argument, what C++ gives, and what stands for the result after an error.
SIGNATURES: dict[str, tuple[str, str, str, Any, str]] = {
    "numbers": ("int", "int", "1", 7, "7"),
    "reals": ("double", "double", "1.5", 2.5, "2.5"),
    "void": ("void", "int", "1", None, ""),
    "text": ("const char*", "const char*", '"a"', "chosen", "chosen"),
    "struct": ("Pair", "Pair", "Pair{1, 2}", (3, 4), "3 4"),
    "large": ("Large", "const Large&", "Large{}", ((1, 2, 3, 4),), "1 4"),
    "reference": ("int", "const Pair&", "Pair{1, 2}", 7, "7"),
    "string": ("std::string", "const std::string&", "std::string(1, 'a')", "chosen", "chosen"),
    "container": ("std::vector<int>", "std::vector<int>", "std::vector<int>(2)", [5, 6], "5 6"),
}
POINTERLESS = ("string", "container")  # no C function has such values

# By form: its C++, and what comes of an exception. `run` calls three times, with something to end around it.
FORMS: dict[str, tuple[str, str]] = {
    "a value": ("int N(Fn f) { return run(f); }", "thrown"),
    "a const reference": ("int N(const Fn& f) { return run(f); }", "thrown"),
    "a member": ("struct H_N { Fn f; int call() const { return run(f); } };", "thrown"),
    "later": ("inline Fn g_N; inline void keep_N(Fn f) { g_N = f; } int N() { return run(g_N); }", "thrown"),
    "a constructor": ("struct C_N { Fn f; explicit C_N(Fn g) : f(g) { run(f); } };", "thrown"),
    "caught": ("int N(Fn f) { try { return run(f); } catch (const std::exception&) { return -1; } }", "thrown"),
    "noexcept": ("int N(Fn f) noexcept { return run(f); }", "value"),
    "noexcept between": (
        "__attribute__((noinline)) int b_N(const Fn& f) noexcept { return run(f); }"
        "int N(Fn f) { Guard g; return b_N(f); }",
        "value",
    ),
    "noexcept inline": (
        "inline int b_N(const Fn& f) noexcept { Guard g; return run(f); } int N(Fn f) { Guard g; return b_N(f); }",
        "value",
    ),
    "noexcept that catches some": (
        "__attribute__((noinline)) int b_N(const Fn& f) noexcept { try { return run(f); } catch (const Other&) { "
        "return 1; } } int N(Fn f) { return b_N(f); }",
        "value",
    ),
    "a destructor": ("struct D_N { const Fn& f; ~D_N() { run(f); } }; int N(Fn f) { D_N d{f}; return 1; }", "value"),
    "a destructor while unwinding": (
        "struct U_N { const Fn& f; ~U_N() noexcept(false) { run(f); } };"
        "int N(Fn f) { U_N d{f}; throw std::logic_error(\"own\"); }",
        "value",
    ),
    "a thread": ("int N(Fn f) { std::thread t([&] { run(f); }); t.join(); return 1; }", "value"),
    "a thread that waits": (
        "int N(Fn f) { return std::async(std::launch::async, [&] { return run(f); }).get(); }", "value"),
}  # fmt: skip
# Of C functions alone: Fp is the pointer's type.
POINTER_FORMS: dict[str, tuple[str, str]] = {
    "a pointer": ("int N(R (*f)(A)) { return run(f); }", "thrown"),
    "a typedef": ("int N(Fp f) { return run(f); }", "thrown"),
    "a template": ("template <class F> int t_N(F f) { return run(f); } int N(Fp f) { return t_N(f); }", "thrown"),
    "a field": ("struct P_N { Fp f; int call() const { return run(f); } };", "thrown"),
    "a pointer, later": ("inline Fp p_N; inline void keep_N(Fp f) { p_N = f; } int N() { return run(p_N); }", "thrown"),
    "a lambda around it": ("int N(Fp f) { Fn g = [f](A a) -> R { return f(a); }; return run(g); }", "thrown"),
    "a noexcept type": ("int N(R (*f)(A) noexcept) { return run(f); }", "value"),
    "a noexcept typedef": ("using T_N = R (*)(A) noexcept; int N(T_N f) { return run(f); }", "value"),
    "a C function": ('extern "C" int N(Fp f) { return run(f); }', "value"),
    "a C function between": (
        'extern "C" __attribute__((noinline)) int N_b(Fp f) { f(ARG); f(ARG); f(ARG); went_on += 3; return 1; }'
        "int N(Fp f) { return N_b(f); }",
        "value",
    ),
    "noexcept, a pointer": ("int N(Fp f) noexcept { return run(f); }", "value"),
    "noexcept between, a pointer": (
        "__attribute__((noinline)) int b_N(Fp f) noexcept { return run(f); } int N(Fp f) { return b_N(f); }", "value"),
    "a thread, a pointer": ("int N(Fp f) { std::thread t([&] { run(f); }); t.join(); return 1; }", "value"),
}  # fmt: skip

HEAD = r"""
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <future>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
struct Pair { int a; int b; };
struct Large { double v[4]; };
struct Other {};
inline int went_on = 0, ended = 0;
inline std::string last;
struct Guard { std::vector<int> v = std::vector<int>(3); ~Guard() { ++ended; } };
inline void show(int r) { last = std::to_string(r); }
inline void show(double r) { std::ostringstream s; s << r; last = s.str(); }
inline void show(const char* r) { last = r ? r : "null"; }
inline void show(const Pair& r) { last = std::to_string(r.a) + " " + std::to_string(r.b); }
inline void show(const Large& r) { last = std::to_string(int(r.v[0])) + " " + std::to_string(int(r.v[3])); }
inline void show(const std::string& r) { last = r; }
inline void show(const std::vector<int>& r) {
  last.clear();
  for (int x : r) last += (last.empty() ? "" : " ") + std::to_string(x);
}
std::string shown() { std::string s = last; last.clear(); return s; }
int steps() { int n = went_on; went_on = 0; return n; }
int ends() { int n = ended; ended = 0; return n; }
template <class F> int sort(F f) {
  Guard g;
  std::vector<int> v{3, 1, 2};
  std::sort(v.begin(), v.end(), f);
  return ++went_on;
}
int sorted(const std::function<bool(int, int)>& f) { return sort(f); }
int sorted_by(bool (*f)(int, int)) { return sort(f); }
int sorted_by_c(int (*f)(const void*, const void*)) {
  Guard g;
  int v[]{3, 1, 2};
  std::qsort(v, 3, sizeof(int), f);
  return ++went_on;
}
int until(const std::function<int(int)>& ready) { int i = 0; while (!ready(i)) ++i; return i; }
"""
RUN = """
namespace %(space)s {
using R = %(R)s; using A = %(A)s; using Fn = std::function<R(A)>; using Fp = R (*)(A);
template <class F> int run(const F& f) { Guard g; for (int i = 0; i < 3; ++i) { %(call)s; ++went_on; } return 1; }
"""


def source() -> str:
    parts = [HEAD]
    for name, (result, argument, given, _, _) in SIGNATURES.items():
        call = f"f({given})" if result == "void" else f"show(f({given}))"
        parts.append(RUN % {"space": f"of_{name}", "R": result, "A": argument, "call": call})
        for form, n, text, _ in forms(name):
            parts.append(f"// {form}\n{spelled(text, n, given)}\n")
        parts.append("}\n")
    return "".join(parts)


def spelled(text: str, n: str, given: str) -> str:
    return re.sub(r"\bN\b|(?<=_)N\b|\bN(?=_)", n, text).replace("ARG", given)


def forms(signature: str) -> Iterator[tuple[str, str, str, str]]:
    """Each form of a signature: its words, its name in C++, its C++, and what comes of an exception."""
    all_ = FORMS if signature in POINTERLESS else {**FORMS, **POINTER_FORMS}
    for i, (form, (text, outcome)) in enumerate(all_.items()):
        yield form, f"{signature}_{i}", text, outcome


def calls_of(space: Any, form: str, n: str) -> Callable[[Any], Any]:
    """How Python has C++ call a callable by a form."""
    if form == "a member":
        return lambda f: member(getattr(space, f"H_{n}")(), f)
    if form == "a field":
        return lambda f: getattr(space, f"P_{n}")(f=f).call()
    if form == "a constructor":
        return getattr(space, f"C_{n}")
    if form in ("later", "a pointer, later"):
        keep, call = getattr(space, f"keep_{n}"), getattr(space, n)
        return lambda f: later(keep, call, f if form == "later" else space.Fp(f))
    return getattr(space, n)


def member(holder: Any, f: Any) -> Any:
    holder.f = f
    try:
        return holder.call()
    finally:
        holder.f = None


def later(keep: Any, call: Any, f: Any) -> Any:
    keep(f)
    try:
        return call()
    finally:
        keep(None)


class Raising:
    """A callable that raises, and counts."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, *_: Any) -> Any:
        self.count += 1
        raise KeyError("the callable's")


def seen(lib: Any, call: Callable[[Any], Any], *given: Any) -> dict[str, Any]:
    """What came of one call: of Python, and of C++."""
    f = Raising()
    try:
        outcome = repr(call(sb.callback(f, on_error=given[0]) if given else f))
    except KeyError as error:
        outcome = "KeyError"
        notes = [n for n in getattr(error, "__notes__", ()) if n.startswith("C++ went on with a value: ")]
    except Exception as error:
        outcome, notes = f"{type(error).__name__}: {error}", []
    return {
        "outcome": outcome, "count": f.count, "steps": lib.steps(), "ends": lib.ends(), "shown": lib.shown(),
        "notes": notes,
    }  # fmt: skip


def main() -> None:
    warnings.simplefilter("ignore")
    lib = sb.compile(source(), name="raising_callbacks")
    unraised: list[str] = []
    sys.unraisablehook = lambda found: unraised.append(type(found.exc_value).__name__)
    for signature, (_, _, _, chosen, _) in SIGNATURES.items():
        space = getattr(lib, f"of_{signature}")
        for form, n, _, _ in forms(signature):
            call = calls_of(space, form, n)
            plain, with_value = seen(lib, call), seen(lib, call, chosen)
            print(json.dumps([signature, form, plain, with_value, len(unraised)]), flush=True)
            unraised.clear()
    for name in ("sorted", "sorted_by", "sorted_by_c", "until"):
        print(json.dumps(["alone", name, seen(lib, getattr(lib, name)), None, 0]), flush=True)


if __name__ == "__main__":
    main()
