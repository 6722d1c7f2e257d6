"""Pointers to const in each form in which C++ gives them, in each form in which it takes pointers, beside g++.

``python -m tests.unit.const_pointers SEED PROGRAMS`` goes through other types by hand. What g++ does not compile for
the const alone must be refused in words; all else must be taken, and C++ must get the very address.
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import samebytes as sb

from ..of_gcc import refused_lines

HEAD = """#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>
struct Plain { int x; };
struct Object { std::string s; ~Object() {} };
struct Opaque;
using Number = std::uintptr_t;
"""
BASES = ("int", "void", "unsigned char", "Plain", "Object", "Opaque")


class Aimed(NamedTuple):
    """What pointers lead to in the end, and whether that and each address on the way are const."""

    base: str
    const: tuple[bool, ...]

    @property
    def spelling(self) -> str:
        first, *others = self.const
        return "K " * first + self.base + "".join("*" + " K" * one for one in others) + "*"

    def drops(self, other: Aimed) -> bool:
        """Whether the other type writes where this one may not, as far as both lead."""
        pairs = zip(reversed(self.const), reversed(other.const), strict=False)
        return any(given and not taken for given, taken in pairs)


class Form(NamedTuple):
    """Declarations of a type ``T`` under the number ``N``, and an expression in C++ and in Python."""

    code: str
    cxx: str
    python: Callable[[Any, int], Any]


def _by(name: str) -> Callable[[Any, int], Any]:
    return lambda lib, n: getattr(lib, f"{name}{n}")


def _heard(name: str) -> Callable[[Any, int], Any]:
    def heard(lib: Any, n: int) -> Any:
        found: list[Any] = []
        _by(name)(lib, n)(found.append)
        return found[0]

    return heard


# vN is the pointer itself.
GIVEN: dict[str, Form] = {
    "result": Form("inline T gN() { return vN; }", "gN()", lambda lib, n: _by("g")(lib, n)()),
    "reference": Form("inline T& grN() { return vN; }", "grN()", lambda lib, n: _by("gr")(lib, n)()),
    "variable": Form("", "vN", lambda lib, n: _by("v")(lib, n)),
    "static": Form("struct GsN { static inline T p = vN; };", "GsN::p", lambda lib, n: _by("Gs")(lib, n).p),
    "field": Form(
        "struct GfN { T p; }; inline GfN gfN() { return {vN}; }", "gfN().p", lambda lib, n: _by("gf")(lib, n)().p
    ),
    "object": Form("struct GoN { T p = vN; ~GoN() {} };", "GoN().p", lambda lib, n: _by("Go")(lib, n)().p),
    "array": Form("struct GaN { T p[1] = {vN}; };", "GaN().p[0]", lambda lib, n: _by("Ga")(lib, n)().p[0]),
    "method": Form("struct GmN { T p() { return vN; } };", "GmN().p()", lambda lib, n: _by("Gm")(lib, n)().p()),
    "vector": Form(
        "inline std::vector<T> gvN() { return {vN}; }", "gvN()[0]", lambda lib, n: _by("gv")(lib, n)()[0]
    ),
    "member": Form(
        "struct GcN { std::vector<T> p{vN}; };", "GcN().p[0]", lambda lib, n: _by("Gc")(lib, n)().p[0]
    ),
    "pair": Form(
        "inline std::pair<int, T> gpN() { return {1, vN}; }", "gpN().second", lambda lib, n: _by("gp")(lib, n)()[1]
    ),
    "optional": Form(
        "inline std::optional<T> gqN() { return vN; }", "*gqN()", lambda lib, n: _by("gq")(lib, n)()
    ),
    "map": Form(
        "inline std::map<int, T> guN() { return {{1, vN}}; }", "guN()[1]", lambda lib, n: _by("gu")(lib, n)()[1]
    ),
    "std::array": Form(
        "inline std::array<T, 1> gyN() { return {vN}; }", "gyN()[0]", lambda lib, n: _by("gy")(lib, n)()[0]
    ),
    "out": Form("inline void outN(T* x) { *x = vN; }", "vN", lambda lib, n: _by("out")(lib, n)()),
    "callback": Form("inline void gbN(void (*f)(T)) { f(vN); }", "vN", _heard("gb")),
    "callable": Form("inline void gkN(const std::function<void(T)>& f) { f(vN); }", "vN", _heard("gk")),
    "std::function": Form(
        "inline std::function<T()> giN() { return [] { return vN; }; }",
        "giN()()", lambda lib, n: _by("gi")(lib, n)()(),
    ),
    "subscript": Form(
        "struct GwN { T operator[](int) { return vN; } };", "GwN()[0]", lambda lib, n: _by("Gw")(lib, n)()[0]
    ),
    "template": Form(
        "template <class X> struct GtN { X p() { return vN; } }; template struct GtN<T>; "
        "inline GtN<T> gtN() { return {}; }", "gtN().p()", lambda lib, n: _by("gt")(lib, n)().p(),
    ),
    "atomic": Form(
        "struct GxN { std::atomic<T> p{vN}; };", "GxN().p.load()", lambda lib, n: _by("Gx")(lib, n)().p
    ),
    "Pointer": Form(
        "inline T gzN() { return vN; }", "gzN()",
        lambda lib, n: sb.Pointer(p) if isinstance(p := _by("gz")(lib, n)(), sb.Pointer) else p,
    ),
}  # fmt: skip


def _set(name: str) -> Callable[[Any, int], Any]:
    """Sets a field of a new object."""

    def taken(lib: Any, n: int) -> Any:
        def take(x: Any) -> int:
            made = _by(name)(lib, n)()
            made.p = x
            return int(_by("is" + name)(lib, n)(made))

        return take

    return taken


def _variable(lib: Any, n: int) -> Any:
    def take(x: Any) -> int:
        setattr(lib, f"ta{n}", x)
        return int(_by("ista")(lib, n)())

    return take


NUMBER = "(Number)x"
# X is the expression that gives.
TAKEN: dict[str, Form] = {
    "parameter": Form(f"inline Number tN(T x) {{ return {NUMBER}; }}", "tN(X);", _by("t")),
    "method": Form(
        f"struct TmN {{ Number p(T x) {{ return {NUMBER}; }} }};", "TmN().p(X);", lambda lib, n: _by("Tm")(lib, n)().p
    ),
    "static": Form(
        f"struct TsN {{ static Number p(T x) {{ return {NUMBER}; }} }};", "TsN::p(X);",
        lambda lib, n: _by("Ts")(lib, n).p,
    ),
    "constructor": Form(
        f"struct TcN {{ Number at; explicit TcN(T x) : at({NUMBER}) {{}} }};",
        "TcN((X));", lambda lib, n: lambda x: _by("Tc")(lib, n)(x).at,
    ),
    "conversion": Form(
        f"struct TvN {{ Number at; TvN(T x) : at({NUMBER}) {{}} }}; inline Number tvN(const TvN& k) {{ return k.at; }}",
        "tvN(X);", _by("tv"),
    ),
    "reference": Form(f"inline Number trN(T const& x) {{ return {NUMBER}; }}", "trN(X);", _by("tr")),
    "field": Form(
        "struct TfN { T p; }; inline Number isTfN(const TfN& x) { return (Number)x.p; }", "TfN().p = X;", _set("Tf")
    ),
    "object": Form(
        "struct ToN { T p = nullptr; ~ToN() {} }; inline Number isToN(const ToN& x) { return (Number)x.p; }",
        "ToN x; x.p = X;", _set("To"),
    ),
    "aggregate": Form(
        "struct TgN { T p; }; inline Number isTgN(const TgN& x) { return (Number)x.p; }", "TgN{X};",
        lambda lib, n: lambda x: _by("isTg")(lib, n)(_by("Tg")(lib, n)(x)),
    ),
    "variable": Form(
        "inline T taN = nullptr; inline Number istaN() { return (Number)taN; }", "taN = X;", _variable
    ),
    "vector": Form(
        "inline Number tlN(const std::vector<T>& x) { return (Number)x[0]; }", "tlN({X});",
        lambda lib, n: lambda x: _by("tl")(lib, n)([x]),
    ),
    "member": Form(
        "struct TbN { std::vector<T> p; }; inline Number isTbN(const TbN& x) { return (Number)x.p[0]; }",
        "TbN().p = {X};",
        lambda lib, n: lambda x: _by("isTb")(lib, n)(_by("Tb")(lib, n)([x])),
    ),
    "pair": Form(
        "inline Number tpN(std::pair<int, T> x) { return (Number)x.second; }", "tpN({1, X});",
        lambda lib, n: lambda x: _by("tp")(lib, n)((1, x)),
    ),
    "optional": Form("inline Number tqN(std::optional<T> x) { return (Number)*x; }", "tqN(X);", _by("tq")),
    "map": Form(
        "inline Number tuN(const std::map<int, T>& x) { return (Number)x.at(1); }", "tuN({{1, X}});",
        lambda lib, n: lambda x: _by("tu")(lib, n)({1: x}),
    ),
    "std::array": Form(
        "inline Number tyN(std::array<T, 1> x) { return (Number)x[0]; }", "std::array<T, 1> a{X};",
        lambda lib, n: lambda x: _by("ty")(lib, n)([x]),
    ),
    "addresses": Form(
        "inline Number tzN(T const* x) { return (Number)*x; }", "T a[1] = {X};",
        lambda lib, n: lambda x: _by("tz")(lib, n)([x]),
    ),
    "callback": Form(
        "inline Number tbN(T (*f)()) { return (Number)f(); }", "tbN([]() -> T { return X; });",
        lambda lib, n: lambda x: _by("tb")(lib, n)(lambda: x),
    ),
    "callable": Form(
        "inline Number tkN(const std::function<T()>& f) { return (Number)f(); }", "tkN([]() -> T { return X; });",
        lambda lib, n: lambda x: _by("tk")(lib, n)(lambda: x),
    ),
    "std::function": Form(
        f"inline std::function<Number(T)> tiN() {{ return [](T x) {{ return {NUMBER}; }}; }}", "tiN()(X);",
        lambda lib, n: _by("ti")(lib, n)(),
    ),
    "overload": Form(
        f"inline Number txN(T x) {{ return {NUMBER}; }} inline Number txN(std::string) {{ return 0; }}", "txN(X);",
        _by("tx"),
    ),
    "operator": Form(
        f"struct TwN {{ Number operator+(T x) {{ return {NUMBER}; }} Number operator[](T x) {{ return {NUMBER}; }} }};",
        "TwN()[X];", lambda lib, n: lambda x: _by("Tw")(lib, n)()[x],
    ),
    "template": Form(
        f"template <class X> struct TtN {{ Number p(X x) {{ return {NUMBER}; }} }}; template struct TtN<T>; "
        "inline TtN<T> ttN() { return {}; }", "ttN().p(X);", lambda lib, n: _by("tt")(lib, n)().p,
    ),
}  # fmt: skip


def types(rng: random.Random, count: int) -> list[Aimed]:
    """As many types, each with a const somewhere, and others to the same or to void."""
    base = rng.choice(BASES)
    found: dict[Aimed, None] = {}
    depths = [1, 1, 2, 2, 2, 3] if base != "void" else [1, 1, 2]
    while len(found) < count:
        depth = rng.choice(depths)
        other = Aimed(rng.choice((base, base, "void")), tuple(rng.random() < 0.5 for _ in range(depth)))
        found[other] = None
    return [*found]


class Program:
    """Types that go into each other, and the lines that g++ is asked."""

    def __init__(self, seed: int, count: int) -> None:
        rng = random.Random(seed)
        self.types = types(rng, count)
        self.rows: list[tuple[int, str, int, str]] = []
        for n, given in enumerate(self.types):
            for m in range(len(self.types)):
                if any(given.const):
                    self.rows += [(n, g, m, t) for g in GIVEN for t in TAKEN if rng.random() < 0.06]

    def text(self, const: str) -> str:
        """The declarations, with or without each const."""
        parts = [HEAD, f"#define K {const}\n", "alignas(64) inline char room[64] = {};\n"]
        for n, type_ in enumerate(self.types):
            spelled = [form.code for form in (*GIVEN.values(), *TAKEN.values())]
            code = "\n".join([f"inline A{n} v{n} = (A{n})(void*)&room[{16 + n % 2 * 16}];", *spelled])
            parts.append(f"using A{n} = {type_.spelling};\n" + _filled(code, n) + "\n")
        return "".join(parts)

    def refused(self, const: str, home: Path) -> set[int]:
        """The numbers of the rows that g++ does not compile."""
        lines = []
        for n, given, m, taken in self.rows:
            cxx = _filled(TAKEN[taken].cxx, m)
            lines.append("{ " + cxx.replace("X", _filled(GIVEN[given].cxx, n)) + " }")
        body = "\n".join(lines)
        text = f'{self.text(const)}int main() {{\n#line 1 "asked"\n{body}\n}}\n'
        return {number - 1 for number in refused_lines(text, "asked", "gnu++17", home)}


def _filled(code: str, n: int) -> str:
    """The code of a form for the type of that number."""
    return re.sub(r"\bT\b", f"A{n}", re.sub(r"\b(\w+)N\b", rf"\g<1>{n}", code))


def compared(seed: int, count: int, home: Path) -> tuple[Counter[str], list[str]]:
    """How often each verdict came in a program of so many types, and what is wrong."""
    program = Program(seed, count)
    refused, mistyped = program.refused("const", home), program.refused("", home)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        intents = {f"out{n}": {"x": "out_return"} for n in range(count)}
        lib = sb.compile(program.text("const"), arg_intent=intents)
        verdicts: Counter[str] = Counter()
        wrong = []
        for i, row in enumerate(program.rows):
            if i not in mistyped:  # else the types alone do not fit
                said = _verdict(lib, program, row, i in refused)
                verdicts[said.partition(":")[0]] += 1
                if said.startswith("wrong"):
                    n, given, m, taken = row
                    types = f"{program.types[n].spelling} to {program.types[m].spelling}"
                    wrong.append(f"seed {seed}: {types}, {given} to {taken}: {said}")
    return verdicts, wrong


def _verdict(lib: Any, program: Program, row: tuple[int, str, int, str], refused: bool) -> str:
    n, given, m, taken = row
    try:
        value = GIVEN[given].python(lib, n)
    except Exception as error:
        return f"wrong: not given: {error!r}"
    drops = program.types[n].drops(program.types[m])
    try:
        got = TAKEN[taken].python(lib, m)(value)
    except sb.Error as error:
        if "an address without an owner" in str(error):
            return "owned"  # a variable keeps nothing alive
        if not refused:
            return f"wrong: refused, and g++ takes it: {error}"
        return "refused" if "C++ gave it as const" in str(error) else f"refused in other words: {error}"
    except Exception as error:
        return f"wrong: {error!r}"
    if refused and drops:
        return "wrong: taken, and g++ refuses it"
    if got != lib.room.__array_interface__["data"][0] + 16 + n % 2 * 16:
        return f"wrong: C++ got {got:#x}"
    # More const below other addresses lets C++ write a constant later (ISO C++ [conv.qual]): Python knows no depth
    # of what has no const.
    return "taken beside g++" if refused else "taken"


if __name__ == "__main__":
    first, programs = map(int, sys.argv[1:])
    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        for one in range(first, first + programs):
            counted, failures = compared(one, 4, Path(place))
            total += counted
            print(*failures, sep="\n", end="\n" * bool(failures), flush=True)
    print(dict(total))
