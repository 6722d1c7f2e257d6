"""What does not compile is left out with the compiler's words, and the rest is built; the user's own is an error."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import samebytes as sb
from samebytes.emit.shims import Owner, Shims
from samebytes.make import isolating
from samebytes.toolchain import driver
from samebytes.tools.cli import main

# Each namespace: what compiles only as long as nobody uses it, and what works beside it.
SOURCE = """
inline int works() { return 1; }
namespace copies {  // an implicit copy that cannot be; g++ names the class, and not who copies
template <class T> struct Arr {
  Arr() {}
  Arr(const Arr&) { resize(1); }
  void resize(int, const T& = T()) {}
};
struct P { P(const void*) {} };
class Use { Arr<P> m; };
struct Outer { Use use; Outer() {} int n() const { return 3; } };
inline Use use() { return {}; }
inline int first(Use) { return 1; }
inline int second(Use, int) { return 2; }
inline int third(Outer) { return 3; }
inline int by_reference(const Outer& o) { return o.n(); }
}
namespace endings {  // an end that only Python needs
template <class T> struct Held { T* p = nullptr; ~Held() { p->nothing(); } };
struct Plain { int a; };
class Endless { public: Held<Plain> held; int n() const { return 6; } };
inline int given(const Endless& e) { return e.n(); }
inline int taken(Endless e) { return e.n(); }
}
namespace traps {  // what is written for other arguments
template <class T> struct Box {
  T value{};
  int large() const { static_assert(sizeof(T) > 4, "too small for this"); return 1; }
  T half() const { return value / 2; }
  int named() const { return T::name; }
  T get() const { return value; }
};
using ints = Box<int>;
template <class T> struct Tied { void tie(const T& t = T()) {} int n() const { return 7; } };
using tied = Tied<copies::P>;
}
namespace statements {  // what only a call shows
struct Pinned { Pinned() {} Pinned(const Pinned&) = delete; int n = 8; };
template <class T> struct Twice { T t; Twice() {} Twice(const Twice& o) : t(o.t) {} int n() const { return t.n; } };
using pinned = Twice<Pinned>;
inline int one(pinned) { return 1; }
inline int two(pinned) { return 2; }
inline int three(int, pinned) { return 3; }
inline int four(const pinned& p) { return p.n(); }
inline int through(void (*f)(pinned)) { return f ? 9 : 10; }
}
"""
# Who goes, and of which words the reason has some: g++'s or clang's.
GONE = {
    "copies::Use::Use(const copies::Use &)": ("no matching function", "no matching constructor"),
    "copies::Outer::Outer(const copies::Outer &)": ("no matching function", "no matching constructor"),
    "copies::first(copies::Use)": ("no matching function", "no matching constructor"),
    "copies::second(copies::Use, int)": ("no matching function", "no matching constructor"),
    "copies::third(copies::Outer)": ("no matching function", "no matching constructor"),
    "endings::Endless::Endless()": ("nothing",),
    "endings::Endless::Endless(const endings::Endless &)": ("nothing",),
    "endings::taken(endings::Endless)": ("nothing",),
    "endings::Held<endings::Plain>::Held<endings::Plain>()": ("destroy objects of endings::Held",),
    "traps::Box<int>::large()": ("too small for this",),
    "traps::Box<int>::named()": ("'name' is not a member", "has no members"),
    "statements::one(statements::Twice<statements::Pinned>)": ("deleted",),
    "statements::two(statements::Twice<statements::Pinned>)": ("deleted",),
    "statements::three(int, statements::Twice<statements::Pinned>)": ("deleted",),
}
WORKS = {
    "works()": 1,
    "copies.by_reference(copies.Outer())": 3,
    "traps.ints().get()": 0,
    "traps.ints().half()": 0,
    "traps.tied().n()": 7,
    "statements.four(statements.pinned())": 8,
    "statements.through(None)": 10,
}

# The end of what a function gives: with the standard library, which takes the compiler its time.
DELETERS = """
#include <memory>
namespace deleters {  // the end of what a function gives
class Kept { ~Kept() {} public: int n() { return 4; } };
struct Giver { std::unique_ptr<Kept> give(); std::unique_ptr<int> plain() { return std::make_unique<int>(5); } };
inline Kept& kept() { static char room[sizeof(Kept)]; return *reinterpret_cast<Kept*>(room); }
}
"""


def _check(library: sb.Library, works: dict[str, int], gone: dict[str, tuple[str, ...]]) -> None:
    spaces = {name: getattr(library, name) for name in dir(library) if not name.startswith("_")}
    assert {text: eval(text, spaces) for text in works} == works
    reasons = {s.name: s.reason for s in library.__skipped__}
    for name, words in gone.items():
        assert "C++ refuses" in reasons[name]
        assert any(word in reasons[name] for word in words), reasons[name]


@pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
def test_the_rest_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    source = """
    template <class T> struct Arr { Arr() {} Arr(const Arr&) { T t; } };
    struct P { P(const void*) {} };
    class Use { Arr<P> m; };
    template <class T> struct Box { int large() const { static_assert(sizeof(T) > 4, "too small"); return 1; } };
    using ints = Box<int>;
    inline int taken(Use) { return 1; }
    inline int works(const Use&, const ints&) { return 1; }
    """
    gone = {
        "taken(Use)": ("P::P()", "constructor"),
        "Use::Use(const Use &)": ("P::P()", "constructor"),
        "Box<int>::large()": ("too small",),
    }
    _check(sb.compile(source), {"works(Use(), ints())": 1}, gone)
    # Another start finds what this one built, and asks no compiler.
    monkeypatch.setattr(driver, "run", None)
    assert sb.compile(source).works.__name__ == "works"


@pytest.mark.full
def test_a_package(tmp_path: Path) -> None:
    (tmp_path / "parts.hpp").write_text(f"#pragma once\n{SOURCE}")
    done = CliRunner().invoke(main, ["bind", str(tmp_path / "parts.hpp"), "-o", str(tmp_path)])
    assert done.exit_code == 0, done.output
    check = "import parts; assert parts.works() == 1 and parts.copies.by_reference(parts.copies.Outer()) == 3"
    subprocess.run([sys.executable, "-c", check], cwd=tmp_path, check=True)


@pytest.mark.full
@pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
@pytest.mark.parametrize("compiler", ["c++", "clang++-19", "zig"])
def test_with_each_compiler(compiler: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if compiler == "zig":
        pytest.importorskip("ziglang", reason="zig is not installed: pip install 'samebytes[compiler]'")
        compiler = f"{sys.executable} -m ziglang c++ -mcpu=baseline"
    elif not shutil.which(compiler):
        pytest.skip(f"{compiler} is not installed")
    monkeypatch.setenv("CXX", compiler)
    monkeypatch.setenv("SAMEBYTES_CACHE_DIR", str(tmp_path))
    works = {**WORKS, "deleters.kept().n()": 4, "deleters.Giver().plain()": 5}
    _check(sb.compile(SOURCE + DELETERS), works, {**GONE, "deleters::Giver::give()": ("private",)})


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("inline int broken() { return nothing; } inline int f() { return 1; }", "nothing"),
        ("template <class T> T make() { return T(0, 0); } inline int f() { return make<int>(); }", "f"),
        ("class G { ~G(); };\ninline void f(G* g) { delete g; }", "private"),
    ],
)
def test_what_the_user_wrote_is_an_error(source: str, words: str) -> None:
    with pytest.raises(sb.CompileError, match=words) as caught:
        sb.compile(source)
    assert "source.cpp" in str(caught.value)


def _judged(bad: set[int], asked: list[int]):
    def judge(owners):
        asked.append(len(owners))
        if bad.isdisjoint(owner.key for owner in owners):
            return None
        return sb.CompileError("no", "source.cpp:1:1: error: no such thing\n"), Shims("", ())

    return judge


@pytest.mark.parametrize("bad", [set(), {0}, {99}, {7, 8}, {0, 50, 99}, set(range(100))], ids=len)
@pytest.mark.parametrize("first", [0, 10])
def test_trials_find_each_within_bounds(bad: set[int], first: int) -> None:
    asked: list[int] = []
    owners = [Owner("function", n) for n in range(100)]
    found = isolating.Trials(_judged(bad, asked)).refused(owners, owners[:first])
    assert bad <= {owner.key for owner in found}
    if len(bad) < 5:  # within the bounds: these and no others
        assert {owner.key for owner in found} == bad
        assert set(found.values()) <= {"no such thing"}
    assert len(asked) <= isolating._MOST_TRIALS + 20
    if len(bad) == 100:
        assert any("one of" in words for words in found.values())


# Messages about a file whose fourth and fifth lines are for functions 0 and 1.
SHIMS = Shims("\n" * 5, (None, None, None, Owner("function", 0), Owner("function", 1), None))
MESSAGES = {
    "g++: from where comes first": (
        "In file included from shims.cpp:4:\na.hpp: In instantiation of 'T f()':\nshims.cpp:5:3:   required from here\n"
        "a.hpp:2:9: error: no x\na.hpp:1:1: note: candidate\n",
        {1: "no x"},
    ),
    "clang: from where comes last": (
        "a.hpp:2:9: error: no x\nshims.cpp:5:3: note: in instantiation of 'f' requested here\n"
        "a.hpp:3:9: error: no y\nshims.cpp:4:3: note: in implicit copy constructor for 'U' first required here\n",
        {1: "no x", 0: "no y"},
    ),
    "the line itself": ("/tmp/w/shims.cpp:4:70: error: cannot convert\n", {0: "cannot convert"}),
    "no shim": ("a.hpp:2:9: error: no x\na.hpp:4:1: note: shims.cpp:4:1\n", {}),
    "the user's own file of that name": ("/other/myshims.cpp:4:1: error: no x\n", {}),
}


@pytest.mark.parametrize("case", MESSAGES)
def test_whom_messages_blame(case: str) -> None:
    output, expected = MESSAGES[case]
    found = isolating.blamed(sb.CompileError("no", output), SHIMS)
    assert {owner.key: words for owner, words in found.items()} == expected
