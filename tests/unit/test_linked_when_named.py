"""Classes of plain records are made when somebody names one, or a type needs it, and are those made at once."""

from __future__ import annotations

import functools
import gc
import os
import pickle
import random
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb
from samebytes.api import registry
from samebytes.api.recipes import Recipe
from samebytes.loading.linking import linker
from samebytes.make.request import Request

SOURCE = """
#include <string>
struct Plain { int a; double b; float c[3]; };
struct Holder { Plain p; Plain* q; Plain grid[2][2]; };
struct Node { int value; Node* next; };
struct Ahead; struct Behind { Ahead* a; int n; }; struct Ahead { Behind* b; int n; };
namespace n { struct Inside { short s; }; using Other = Inside; using ::Plain; }
using Named = Plain;
typedef struct { int x; } Unnamed;
union Either { int i; float f; };
enum Color { red, green };
struct Colored { Color color; const char* text; void* anything; };
struct Bits { unsigned low : 3; unsigned high : 5; };
struct Set { int a = 7; };
struct Called { int (*f)(int); };
struct Base { int x; };
struct Derived : Base { int y; };
struct Far { int f; };
struct Outer { struct Inner { int z; }; Inner i; struct Beside { int w; }; typedef Far Local; };
struct Method { int x; int twice() const { return 2 * x; } };
struct Compared { int x; };
inline bool operator==(const Compared& a, const Compared& b) { return a.x == b.x; }
struct Missed { int x; };
inline void missed(Missed, long double*) {}
struct Varied { int x; };
inline Varied varied{3};
inline double sum(const Plain& p) { return p.a + p.b; }
inline Holder held(Colored c) { return {{1, 2, {3, 4, 5}}, nullptr, {}}; }
template <class T> T least(T a, T b) { return a < b ? a : b; }
inline bool operator<(const Colored& a, const Colored& b) { return a.color < b.color; }
"""
PLAIN = ["Plain", "Holder", "Node", "n::Inside", "Unnamed", "Either", "Set", "Method"]
AT_ONCE = [
    "Ahead",
    "Bits",
    "Called",
    "Base",
    "Derived",
    "Outer",
    "Outer::Inner",
    "Outer::Beside",
    "Missed",
]
C_SOURCE = """
typedef struct point { double x, y; } point;
typedef struct { point from, to; int style; } segment;
struct list { struct list *next; segment *data; };
typedef struct opaque opaque;
double length(const segment *s);
inline static double first(struct list *l) { return l->data ? l->data->from.x : -1; }
"""


def made(lib: Any) -> set[str]:
    return set(lib.__linker__.records.made)


@functools.cache
def built(source: str = SOURCE, **options: str) -> Any:
    return sb.compile(source, **options)


def fresh(source: str = SOURCE, **options: str) -> Any:
    """A library of which nothing is named yet, from a build that is made once."""
    lib = built(source, **options)
    return registry._load(lib.__home__[1], lib.__model__, lib.__file__)


def test_names_are_there_and_classes_are_not() -> None:
    lib = fresh()
    assert made(lib).isdisjoint(PLAIN)
    assert made(lib).issuperset(AT_ONCE)
    assert {"Plain", "Holder", "Named", "Unnamed", "Either", "n"} <= set(dir(lib))
    assert "Inside" in dir(lib.n)
    assert made(lib).isdisjoint(PLAIN)
    assert "Plain" in lib.__records__
    assert len(lib.__records__) == len(lib.__model__.records)
    assert made(lib).isdisjoint(PLAIN)
    assert lib.Plain(1, 2, [3, 4, 5]).c[2] == 5
    assert made(lib) & set(PLAIN) == {"Plain"}


def test_what_needs_a_class_makes_it() -> None:
    lib = fresh()
    assert "Compared" in made(lib)
    assert lib.Compared(1) == lib.Compared(1)
    assert not {"Plain", "Holder"} & made(lib)
    got = lib.held(lib.Colored(lib.green, None, None))
    assert type(got) is lib.Holder
    assert type(got.p) is lib.Plain
    assert got.p.c[1] == 4
    assert "Node" not in made(lib)
    node = lib.Node(1, None)
    assert lib.Node(2, node).next.value == 1
    assert lib.Node(2, node).next == node
    assert type(lib.varied) is lib.Varied
    assert lib.varied.x == 3


@pytest.mark.parametrize("first", ["alias", "record"])
def test_other_names_mean_the_same_class(first: str) -> None:
    lib = fresh()
    names: list[Callable[[], Any]] = [lambda: lib.Named, lambda: lib.n.Plain, lambda: lib.Plain]
    assert len({id(name()) for name in (names if first == "alias" else names[::-1])}) == 1
    assert lib.n.Other is lib.n.Inside
    assert lib.Outer.Local is lib.Far
    assert type(lib.Outer.Beside(3)) is lib.Outer.Beside
    assert lib.n.Inside.__qualname__ == "Inside"
    with pytest.raises(AttributeError, match="cannot be replaced"):
        lib.Node = 3


def facts(cls: Any) -> dict[str, Any]:
    """What can be told of a class without what differs from one library to another."""
    own = {name: type(value).__name__ for name, value in vars(cls).items()}
    struct = cls.__samebytes_type__
    return {
        "own": own, "name": cls.__qualname__, "doc": cls.__doc__, "match": cls.__match_args__, "struct": repr(struct),
        "python": struct.python is cls, "fields": [repr(f) for f in struct.fields],
        "bases": [base.__qualname__ for base in cls.__mro__],
        "signature": str(cls.__signature__), "hash": repr(cls.__hash__).partition(" at ")[0],
        "true": bool(cls()) if struct.complete else None, "dtype": str(getattr(cls, "dtype", None)),
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("source", "options"), [(SOURCE, {}), (C_SOURCE, {"language": "c"})], ids=["c++", "c"]
)
def test_the_classes_are_those_made_at_once(
    source: str, options: dict[str, str], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as inside:
        inside.setattr(linker, "plain_records", lambda module: set())
        whole = fresh(source, **options)
    lib = fresh(source, **options)
    names = list(lib.__records__)
    assert names == list(whole.__records__)
    assert sorted(dir(lib)) == sorted(dir(whole))
    assert len(made(lib)) < len(names)
    random.Random(seed).shuffle(names)
    for name in names:
        assert facts(lib.__records__[name]) == facts(whole.__records__[name]), name
    assert lib.__clashes__ == whole.__clashes__
    assert lib.__skipped__ == whole.__skipped__


def test_who_asks_for_all_has_all() -> None:
    names = {record.name for record in built().__model__.records}
    asks: list[Callable[[Any], object]] = [
        lambda lib: (vars(lib), vars(lib.n)), lambda lib: lib.__explain__(), lambda lib: list(lib.__records__.values()),
        lambda lib: sb.pythonize(lib.Plain, doc="a plain one"),
    ]  # fmt: skip
    for ask in asks:
        lib = fresh()
        ask(lib)
        assert made(lib) == names


CHAIN = """
import sys
import samebytes as sb
many = int(sys.argv[1])
lib = sb.compile("struct S0 { int x; };\\n" + "".join(
    f"struct S{i} {{ S{i - 1}* p; int x; }};\\n" for i in range(1, many)
))
sys.setrecursionlimit(many // 3)
last = getattr(lib, f"S{many - 1}")
assert last(getattr(lib, f"S{many - 2}")(None, 5), 1).p.x == 5
"""


@pytest.mark.parametrize("many", [450, pytest.param(1500, marks=pytest.mark.full)])
def test_long_chains_need_no_stack(many: int) -> None:
    """A chain of three times as many classes as Python may have calls within each other."""
    done = subprocess.run(
        [sys.executable, "-c", CHAIN, str(many)], capture_output=True, text=True, check=False
    )
    assert not done.returncode, done.stderr


def test_threads_get_one_class() -> None:
    for _ in range(8):
        lib = fresh()
        start, seen = threading.Barrier(8), []

        def ask(number: int, lib: Any = lib, start: Any = start, seen: Any = seen) -> None:
            start.wait()
            holder = lib.Holder if number % 2 else type(lib.held(lib.Colored()))
            seen.append((holder, lib.Plain, type(holder().p)))

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(set(seen)) == 1
        assert seen[0][1] is seen[0][2]
        assert len(seen) == 8


def test_templates_and_what_is_built_later_find_the_classes() -> None:
    lib = sb.compile(SOURCE, name="later")
    assert "Plain" not in made(lib)
    least = lib.least(lib.Colored(lib.green, None, None), lib.Colored(lib.red, None, None))
    assert type(least) is lib.Colored
    assert least.color == lib.red
    again = pickle.loads(pickle.dumps(lib.Plain(1, 2, [3, 4, 5])))
    assert type(again) is lib.Plain
    assert again.c[2] == 5
    assert pickle.loads(pickle.dumps(lib.Node)) is lib.Node


def test_a_class_stays_for_as_long_as_its_library() -> None:
    lib = fresh()
    place = id(lib.Plain)
    gc.collect()
    assert id(lib.Plain) == place
    assert lib.__records__["Plain"] is lib.Plain


# What a fresh process says of a library whose names are linked when one is first asked for.
UNLINKED = """
import copy, os, pickle, threading, warnings
import samebytes as sb
from samebytes.loading.library import Library, Unlinked
from samebytes.toolchain.cache import default_cache

with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    lib = sb.compile({source!r}, name="waits")
assert type(lib) is Unlinked and isinstance(lib, Library)
[warning] = said
assert "1 of 35 declarations are not bound" in str(warning.message) and warning.filename == __file__
assert sb.compile({source!r}, name="waits") is lib
"""
SAYS = {
    "repr": "assert repr(lib).startswith('<samebytes library \\'waits\\': ')",
    "dir": "assert {'Plain', 'Holder', 'held'} <= {*dir(lib)}",
    "vars": "assert {'held', 'n'} <= {*vars(lib)}",
    "absent": "assert not hasattr(lib, 'Held')",
    "assigned": (
        "try: lib.held = 1\n"
        "except AttributeError as error: assert 'cannot be replaced' in str(error)\n"
        "else: raise SystemExit('replaced')"
    ),
    "copied": "assert copy.copy(lib) is copy.deepcopy(lib) is lib",
    "pickled": "assert pickle.loads(pickle.dumps(lib)) is lib",
    "a class": "assert lib.Plain(1, 2, [3, 4, 5]).c[2] == 5",
    "skipped": "assert [s.name for s in lib.__skipped__] == ['missed(Missed, long double *)']",
    "the cache is emptied": (
        "import shutil; shutil.rmtree(default_cache().root); assert lib.Plain(1, 2, [3, 4, 5]).c[2] == 5"
    ),
    "threads": (
        "ready, found = threading.Barrier(8), []\n"
        "def name(): ready.wait(); found.append((lib.Plain(1, 2, [3, 4, 5]).c[1], dir(lib)))\n"
        "threads = [threading.Thread(target=name) for _ in range(8)]\n"
        "for thread in threads: thread.start()\n"
        "for thread in threads: thread.join()\n"
        "assert len(found) == 8 and all(one == found[0] for one in found)"
    ),
    # The child has the library as the thread that links it left it, which is not there.
    "a fork while a thread links": (
        "from samebytes.api import registry\n"
        "begun, go, named = threading.Event(), threading.Event(), registry._named\n"
        "def slowly(*args): begun.set(); go.wait(); named(*args)\n"
        "registry._named = slowly\n"
        "thread = threading.Thread(target=lambda: lib.held); thread.start(); begun.wait()\n"
        "if not (child := os.fork()):\n"
        "    registry._named = named\n"
        "    try: os._exit(0 if lib.Plain(1, 2, [3, 4, 5]).c[2] == 5 else 2)\n"
        "    finally: os._exit(1)\n"
        "ended = os.waitpid(child, 0)[1]\n"
        "go.set(); thread.join(); assert lib.Plain(1, 2, [3, 4, 5]).c[2] == 5 and ended == 0"
    ),
    "an error while it links": (
        "from samebytes.api import registry\n"
        "named = registry._named\n"
        "def fails(*args): named(*args); raise MemoryError\n"
        "registry._named = fails\n"
        "try: lib.held\n"
        "except MemoryError: pass\n"
        "registry._named = named\n"
        "assert lib.Plain(1, 2, [3, 4, 5]).c[2] == 5"
    ),
}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with the one build."""
    cache = tmp_path_factory.mktemp("cache", numbered=True)
    cache.chmod(0o700)
    program = f"import samebytes as sb; sb.compile({SOURCE!r}, name='waits')"
    given = {**os.environ, "SAMEBYTES_CACHE_DIR": str(cache), "PYTHONWARNINGS": "ignore"}
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120, env=given)
    return cache


QUICK = ("a class",)


@pytest.mark.parametrize(
    "says", [name if name in QUICK else pytest.param(name, marks=pytest.mark.full) for name in SAYS]
)
def test_a_build_that_was_loaded_before_is_linked_when_a_name_is_asked_for(
    says: str, filled: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"  # one of the tests empties it
    shutil.copytree(filled, cache)
    script = tmp_path / "waits.py"
    script.write_text(UNLINKED.format(source=SOURCE) + SAYS[says])
    given = {**os.environ, "SAMEBYTES_CACHE_DIR": str(cache)}
    subprocess.run([sys.executable, script], check=True, timeout=60, env=given)


def test_what_is_compared_with_the_model_is_linked_at_once() -> None:
    for _ in range(2):
        with pytest.raises(sb.BindError, match="no_such"):
            sb.compile("int held(int x) { return x; }", nogil=["no_such"])
    plain = Request("r")
    assert Recipe(plain, (), "auto").is_plain
    assert not Recipe(plain, (), frozenset({"held"})).is_plain
    assert not Recipe(plain, (), "auto", frozenset({"held"})).is_plain
    assert not Recipe(plain, (("P", int),), "auto").is_plain
    chosen: list[dict[str, Any]] = [
        {"style": "c_api"}, {"library": "libm.so.6"}, {"instances": (("f<int>",),)}, {"target": "numba"},
        {"dialect": "cuda"}, {"pythonic": "{}"}, {"sanitize": "address"},
    ]  # fmt: skip
    for options in chosen:
        assert not Recipe(Request("r", **options), (), "auto").is_plain
