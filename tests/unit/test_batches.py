"""Large headers: what is bound is compiled when it is first called, in batches, and is what it is with eager=True."""

from __future__ import annotations

import gc
import inspect
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb
from samebytes.loading import batches
from samebytes.loading.batches import USED, Batches
from samebytes.make.batching import SEPARATE
from samebytes.make.compiling import LARGE
from samebytes.toolchain.cache import Entry
from samebytes.toolchain.compilers import find_compiler
from samebytes.toolchain.driver import CompileCommand, compile_object
from samebytes.toolchain.sharing import is_unit

pytestmark = [
    pytest.mark.full,  # large headers, and programs of their own
    pytest.mark.skipif(
        "Free Software Foundation" not in find_compiler("c++").identity,
        reason="shims are built when they are needed where the compiler is GCC",
    ),
]


@pytest.fixture(autouse=True)
def nothing_is_mentioned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each name by itself: what a program mentions besides is test_mentioned's."""
    for room in ("api.unread", "loading.batches"):
        monkeypatch.setattr(f"samebytes.{room}.mentioned", set)


# Enough that a header is a large one, and that what stands before and behind is not built together.
FILLED = "".join(f"inline int filler{n}(int x) {{ return x + {n}; }}\n" for n in range(LARGE + 1))

VALUES = """
#pragma once
#include <string>
#include <vector>
#include <stdexcept>
struct Plain { int a; double b; };
struct Bits { unsigned low : 3; unsigned high : 5; };
inline int ended = 0;
struct Held { std::string text; explicit Held(const std::string& t) : text(t) {} ~Held() { ++ended; }
  std::string twice() const { return text + text; } int size() const { return (int)text.size(); } };
struct Shape { virtual ~Shape() { ++ended; } virtual double area() const { return 0; } };
struct Square : Shape { double side = 3; double area() const override { return side * side; } };
inline Shape* shape() { static Square s; return &s; }
inline double sum(const Plain& p) { return p.a + p.b; }
inline Plain plain(int a, double b = 2) { return {a, b}; }
inline int over(int) { return 1; }
inline int over(double) { return 2; }
inline unsigned high(Bits b) { return b.high; }
inline std::vector<int> numbers(int n) { return std::vector<int>(n, 7); }
inline void raises() { throw std::out_of_range("far"); }
inline int apply(int (*f)(int), int x) { return f(x); }
using Pointer = int (*)(int);
inline int negated(int x) { return -x; }
inline Pointer pointer() { return negated; }
template <class T> T least(T a, T b) { return a < b ? a : b; }
inline int counted = 0;
inline int count() { return ++counted; }
template <class T> struct One { static inline int n = 0; };
inline int next() { return ++One<int>::n; }
int missing(int x);
"""
BEHIND = """
inline int counted_now() { return counted; }
inline int now() { return One<int>::n; }
inline int behind(int x) { return 2 * x; }
#define TWICE(x) (2 * (x))
#define FIVE (2 + TWICE(1) + 1)
"""
# What code reads of a header: whether another library of the same header would have its own.
STATES = {
    "static": ("static int n = 0;", "n", True),
    "anonymous namespace": ("namespace { int n = 0; }", "n", True),
    "of an anonymous class": ("namespace { struct A { static int n; }; int A::n = 1; }", "A::n", True),
    "of a function": ("static int& f() { static int n = 0; return n; }", "f()", True),
    "not inline": ("int n = 0;", "n", True),
    "a function that is not inline": ("int* f() { static int n = 0; return &n; }", "*f()", True),
    "a function that is not inline, without state": ("int f() { return 1; }", "f()", True),
    "thread_local": ("static thread_local int n = 0;", "n", True),
    "inline thread_local": ("inline thread_local int n = 0;", "n", True),
    "made when the program begins": ("#include <cstdlib>\nstatic const int n = std::rand();", "n", True),
    "table that is not const": ("static int t[] = {1, 2, 3};", "t[i]", True),
    "inline": ("inline int n = 0;", "n", False),
    "of an inline function": ("inline int& f() { static int n = 0; return n; }", "f()", False),
    "of a template": ("template <class T> struct A { static inline int n = 0; };", "A<int>::n", False),
    "static functions": ("static int f(int i) { return i * 3; }", "f(i)", False),
    "const": ("static const int n = 3; namespace { const int t[] = {1, 2, 3}; }", "n + t[i]", False),
    "pointers that are const": ('static const char* const t[] = {"a", "b"};', "*t[i]", False),
    "virtual functions": ("struct A { virtual int f() { return 1; } }; inline A a;", "a.f()", False),
    "streams": ("#include <iostream>\n", "(int)std::cout.width()", False),
}


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The groups of each batch that is asked for."""
    found: list[tuple[str, ...]] = []

    def batch(request: Any, home: str, groups: Any, names: Sequence[str], **options: bool) -> Any:
        found.append(tuple(names))
        return batch_of(request, home, groups, names, **options)

    batch_of = batches.batch
    monkeypatch.setattr(batches, "batch", batch)
    return found


def header(folder: Path, before: str, behind: str = "", *, c: bool = False) -> Path:
    path = folder / ("values.h" if c else "values.hpp")
    path.write_text(before + (FILLED.replace("inline", "static inline") if c else FILLED) + behind)
    return path


@pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
def test_calling_builds(tmp_path: Path, built: list[tuple[str, ...]]) -> None:
    path = header(tmp_path, VALUES, BEHIND)
    lib = sb.bind(path, flags=["-O0"])
    eager = sb.bind(path, eager=True, name="eager", flags=["-O0"])
    # Names, help and signatures start no compiler.
    assert {n for n in dir(lib) if not n.startswith("_")} == {
        n for n in dir(eager) if not n.startswith("_")
    } | {"missing"}
    names = [n for n in dir(eager) if not n.startswith("_") and callable(getattr(eager, n, None))]
    for name in names:
        assert inspect.getdoc(getattr(lib, name)) == inspect.getdoc(getattr(eager, name)), name
        if "filler" not in name and not isinstance(getattr(lib, name), type):
            one, other = (inspect.signature(getattr(some, name)) for some in (lib, eager))
            assert str(one) == str(other).replace("eager.", "values."), name
    assert "at the first call" in str(lib.__explain__("count"))
    assert lib.Plain(1, 2.0).b == 2.0
    assert not built

    assert (lib.count(), lib.count(), lib.counted, lib.next()) == (1, 2, 2, 1)
    assert len(built) == 2  # the functions, and the variable
    assert "at the first call" not in str(lib.__explain__("count"))
    assert (lib.sum(lib.plain(1)), lib.over(1), lib.over(1.5)) == (3.0, 1, 2)
    assert (lib.high(lib.Bits(low=1, high=9)), list(lib.numbers(2))) == (9, [7, 7])
    with pytest.raises(IndexError, match="far"):
        lib.raises()
    assert (lib.apply(lambda x: x + 1, 2), lib.apply(lib.filler3, 2)) == (3, 5)
    assert lib.pointer()(4) == -4
    before = lib.ended
    held = lib.Held("ab")
    assert (held.twice(), held.size()) == ("abab", 2)
    del held
    assert lib.ended == before + 1
    shape = lib.shape()
    assert (type(shape).__name__, shape.area()) == ("Square", 9.0)
    assert lib.least(2, 1) == 1
    # Inline variables and statics of templates are one, though the functions are not built together.
    number = len(built)
    assert (lib.counted_now(), lib.now(), lib.behind(4)) == (2, 1, 8)
    assert len(built) == number + 1
    assert lib.FIVE == eager.FIVE == 5
    lib.counted = 7
    assert lib.counted_now() == 7

    with pytest.raises(sb.BindError, match=r"missing\(int\) is not bound: .*no source or library"):
        lib.missing(1)
    lib.build()
    assert set(lib.__skipped__) == set(eager.__skipped__)
    number = len(built)
    assert all(getattr(lib, f"filler{n}")(1) == n + 1 for n in range(LARGE))
    assert len(built) == number


@pytest.mark.parametrize("state", STATES)
def test_what_each_library_would_have_for_itself(tmp_path: Path, state: str) -> None:
    before, value, expected = STATES[state]
    flags = ("-O3", "-std=c++17", "-fPIC", "-fvisibility=default", "-fno-semantic-interposition", *SEPARATE)
    source, target = tmp_path / "state.cpp", tmp_path / "state.o"
    source.write_text(f'{before}\nextern "C" int samebytes_read(int i) {{ return {value}; }}\n')
    compile_object(CompileCommand(source, find_compiler("c++"), flags), target)
    assert is_unit(target) == expected


@pytest.mark.parametrize("c", [False, True])
def test_state_is_one(tmp_path: Path, c: bool) -> None:
    inline, empty = ("static", "void") if c else ("inline", "")
    before = f"static int n = 0;\n{inline} int put({empty}) {{ return ++n; }}\n"
    path = header(tmp_path, before, f"{inline} int got({empty}) {{ return n; }}\n", c=c)
    lib = sb.bind(path, name="values")
    assert (lib.filler0(1), lib.got(), lib.put(), lib.put(), lib.got()) == (1, 0, 1, 2, 2)
    assert (lib.filler9(1), lib.filler200(1)) == (10, 201)


CALLED = """
import gc, sys
import samebytes as sb
lib = sb.bind(sys.argv[1], name="values", flags=["-O1"])
dir(lib)
print(*(l.has("samebytes_f0_1") for l in gc.get_objects() if type(l).__name__ == "HostLibrary"))
assert lib.behind(2) == 4 and lib.filler0(3) == 3
print("samebytes.make.batching" in sys.modules, lib.__explain__("behind"))
"""


def test_what_was_used_is_loaded_at_once(tmp_path: Path) -> None:
    path = header(tmp_path, "", BEHIND.partition("inline int behind")[1] + "(int x) { return 2 * x; }\n")
    first, second = (
        subprocess.run([sys.executable, "-c", CALLED, path], capture_output=True, text=True, check=True)
        for _ in range(2)
    )
    assert first.stdout.startswith("\nTrue ")
    assert second.stdout.startswith("True\nFalse ")  # one library: the program mentions both
    assert "keeps the GIL" in second.stdout


def test_what_programs_use_at_the_same_time_is_noted(tmp_path: Path) -> None:
    path = header(tmp_path, "")
    lib = sb.bind(path, name="values")
    assert lib.__model__  # the whole header is read: what is named alone is built alone
    assert lib.filler0(1) == 1
    other = "import sys, samebytes as sb; l = sb.bind(sys.argv[1], name='values'); dir(l); assert l.filler40(1) == 41"
    subprocess.run([sys.executable, "-c", other, path], check=True)
    assert lib.filler200(1) == 201
    home = next(o._home for o in gc.get_objects() if isinstance(o, Batches) and o._library is lib)
    assert len({name for names in Entry(home).noted(USED)["batches"] for name in names}) == 3


def test_threads_processes_and_forks_call_first(tmp_path: Path) -> None:
    path = header(tmp_path, "")
    others = [subprocess.Popen([sys.executable, "-c", FIRST, path]) for _ in range(2)]
    lib = sb.bind(path, name="values")
    got: list[int] = []
    start = threading.Barrier(6)

    def call(n: int) -> None:
        start.wait()
        got.append(getattr(lib, f"filler{n * 40}")(1) - n * 40)

    threads = [threading.Thread(target=call, args=(n,)) for n in (0, 0, 0, 1, 1, 2)]
    for thread in threads:
        thread.start()
    child = os.fork()
    if not child:
        os._exit(0 if lib.filler0(1) == 1 and lib.filler200(1) == 201 else 1)
    for thread in threads:
        thread.join()
    assert got == [1] * 6
    assert os.waitpid(child, 0)[1] == 0
    assert [other.wait() for other in others] == [0, 0]


FIRST = """
import sys
import samebytes as sb
lib = sb.bind(sys.argv[1], name="values")
assert [getattr(lib, f"filler{n}")(1) for n in (0, 40, 200)] == [1, 41, 201]
"""


def test_building_by_name(tmp_path: Path, built: list[tuple[str, ...]]) -> None:
    before = (
        "struct C { int n = 0; int up() { return ++n; } };\nnamespace a { inline int f() { return 1; } }\n"
    )
    lib = sb.bind(header(tmp_path, before, "inline int build(int x) { return x; }\n"))
    lib.__build__("C", "a.f", "filler3")
    number = len(built)
    c = lib.C()
    assert (c.up(), lib.a.f(), lib.filler3(1), len(built)) == (1, 1, 4, number)
    assert lib.build(3) == 3  # the header's
    with pytest.raises(sb.BindError, match=r"has no 'filer3'\. Did you mean 'filler3'"):
        lib.__build__("filer3")


def test_a_variable_that_nothing_defines_is_absent(tmp_path: Path) -> None:
    lib = sb.bind(header(tmp_path, "extern int nowhere;\nextern int __in_no_place;\n"))
    assert not hasattr(lib, "nowhere")
    with pytest.raises(AttributeError, match="nowhere is not bound: it is declared, but no source"):
        lib.nowhere  # noqa: B018
    with pytest.raises(AttributeError, match="C\\+\\+ keeps its name"):
        getattr(lib, "__in_no_place")


def test_a_header_that_changed_is_not_built(tmp_path: Path) -> None:
    path = header(tmp_path, "")
    lib = sb.bind(path)
    assert lib.filler0(1) == 1
    path.write_text(path.read_text().replace("x + 200", "x + 7"))
    with pytest.raises(sb.BindError, match="has changed since it was bound"):
        lib.filler200(1)
    assert sb.bind(path).filler200(1) == 8


MEMBERS = "".join(f"  int m{n}() const {{ return int(value) + {n}; }}\n" for n in range(70))
MADE = f"""
#pragma once
#include <string>
template <class T> struct Below {{ T value{{}}; static inline int made = 0; Below() {{ ++made; }}
  int below() const {{ return int(value) - 1; }}
  virtual ~Below() {{ --made; }} virtual int kind() const {{ return 1; }} }};
template <class T> struct Wide : Below<T> {{
  using Below<T>::value;
  Wide() = default;
  explicit Wide(T v) {{ value = v; }}
{MEMBERS}  T refused() const {{ return value.nothing; }}
  std::string text() const {{ return std::to_string(int(value)); }}
  Wide operator+(const Wide& o) const {{ return Wide(value + o.value); }}
  bool operator==(const Wide& o) const {{ return value == o.value; }}
  int kind() const override {{ return 2; }} }};
template <class T> int count() {{ return Below<T>::made; }}
"""


@pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
def test_members_of_what_a_template_makes_are_built_when_they_are_called(
    tmp_path: Path, built: list[tuple[str, ...]]
) -> None:
    path = tmp_path / "made.hpp"
    path.write_text(MADE)
    lib: Any = sb.bind(path, flags=["-O0"])
    eager: Any = sb.bind(path, eager=True, name="eager", flags=["-O0"])
    wide, whole = lib.Wide[int], eager.Wide[int]
    public = {name for name in dir(whole) if not name.startswith("_")}
    assert {name for name in dir(wide) if not name.startswith("_")} - {"refused"} == public - {"refused"}
    assert not built
    three = wide(3)
    assert (three.value, three.m7(), len(built)) == (3, 10, 2)
    assert (three.m7(), len(built)) == (10, 2)
    # What its bases have is one with it, and with other instantiations, whichever file it is in.
    assert (three.below(), three.kind(), three.text(), lib.count[int]()) == (2, 2, "3", 1)
    assert (three + wide(4)) == wide(7)
    del three
    gc.collect()
    assert lib.count[int]() == 0
    with pytest.raises(sb.Error, match=r"refused.*nothing"):
        wide(1).refused()
    assert any("refused" in skipped.name for skipped in lib.__skipped__)
    lib.build()
    number = len(built)
    assert all(getattr(wide(2), f"m{n}")() == n + 2 for n in range(70))
    assert len(built) == number
    assert {*map(str, lib.__skipped__)} == {*map(str, eager.__skipped__)}
