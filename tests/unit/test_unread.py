"""Large headers: what a name means is read when it is asked for, and is what it is with the whole header read."""

from __future__ import annotations

import inspect
import io
import os
import pickle
import random
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb
from samebytes.api import requests
from samebytes.api.recipes import LIBRARIES, UNREAD
from samebytes.api.unread import MOST
from samebytes.layouts import walk_all
from samebytes.loading.library import Library, Namespace
from samebytes.loading.linking.linker import function_of
from samebytes.make import naming
from samebytes.make.builder import _asked
from samebytes.make.compiling import LARGE
from samebytes.make.options import OPTIONS, completed
from samebytes.model.curation import CONSTANTS
from samebytes.model.module import Module
from samebytes.read.exposed.listing import NotAlone
from samebytes.read.header import list_header, read_header
from samebytes.toolchain.compilers import find_compiler
from samebytes.types import Function, Named

pytestmark = [
    pytest.mark.full,  # large headers, each read in several ways
    pytest.mark.optimised,  # what stands alone depends on what the optimiser leaves
    pytest.mark.skipif(
        "Free Software Foundation" not in find_compiler("c++").identity,
        reason="names are read one by one where the compiler is GCC",
    ),
    pytest.mark.filterwarnings("ignore::samebytes.errors.BindWarning"),  # of what the whole header has
]


@pytest.fixture(autouse=True)
def nothing_is_mentioned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each name by itself: what a program mentions besides is test_mentioned's."""
    for room in ("api.unread", "loading.batches"):
        monkeypatch.setattr(f"samebytes.{room}.mentioned", set)


FILLED = "".join(f"inline int filler{n}(int x) {{ return x + {n}; }}\n" for n in range(LARGE + 1))
HEADER = """
#pragma once
#include <functional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>
#define LIMIT 40
#define TITLE "names"
#define CALLED over
enum { FIRST = 3, SECOND };
enum Colour { RED, GREEN = 7 };
enum class Kind { small, large };
typedef enum _marked { MARKED = 4, LEFT } marked_t;
inline int marked(marked_t m) { return m; }
typedef struct _tagged { int v; struct _tagged* next; } tagged_t;
inline tagged_t* tagged(int v) { return new tagged_t{v, nullptr}; }
inline int first_of(const tagged_t* t) { return t->v; }
template <class T> tagged_t* tagged_by(T v) { return new tagged_t{int(v), nullptr}; }
constexpr double ratio = 0.5;
inline int counter = 0;
struct Plain { int a; double b; };
struct Inside { Plain one; Colour colour = GREEN; };
using Other = Plain;
typedef double Number;
struct Base { int x; };
struct Derived : Base { int y; };
struct Shape { virtual ~Shape() {} virtual int sides() const { return 0; } };
struct Square : Shape { int sides() const override { return 4; } };
inline Shape* shape() { static Square one; return &one; }
class Held { std::string text_; public: explicit Held(std::string t) : text_(t) {}
  std::string text() const { return text_; } };
struct Refused : std::runtime_error { int code; explicit Refused(int c) : runtime_error("refused"), code(c) {} };
inline int refuses(int code) { throw Refused(code); }
inline int far() { throw std::out_of_range("far"); }
inline double sum(const Plain& p) { return p.a + p.b; }
inline Plain plain(int a, double b = 2) { return {a, b}; }
inline void raise_a(Plain& p) { ++p.a; }
inline int over(int) { return 1; }
inline int over(double) { return 2; }
inline int over(const std::string&) { return 3; }
inline std::vector<int> numbers(int n) { return std::vector<int>(n, 7); }
inline double total(const std::vector<double>& v) { double s = 0; for (double x : v) s += x; return s; }
inline int apply(int (*f)(int), int x) { return f(x); }
typedef int (*Step)(int x);
typedef int (*Other_step)(int x);
struct Table { Step step; void* data; };
inline int twofold(Step f, int x) { return 2 * f(x); }
inline int tabled(Table t, int x) { return t.step(x); }
inline int threefold(int x) { return x + 3; }
inline Table table(int) { return {threefold, nullptr}; }
struct Linked { int value; Linked* next; };
inline Linked linked(int x) { return {x, new Linked{x + 1, nullptr}}; }
inline double made(const std::function<double(double)>& f, double x) { return f(x); }
inline void say(std::ostream& to, int x) { to << x; }
struct Way { int n; int steps() const { return n; } };
inline Way way(int n) { return {n}; }
struct Farther { int n; Way* next; };
inline Farther farther(int n) { return {n, new Way{n + 1}}; }
inline int bump() { return ++counter; }
inline int next() { static int n = 0; return ++n; }
static int quiet = 0;
static inline int louder() { return ++quiet; }
static inline int loud() { return quiet; }
inline int of_base(const Base& b) { return b.x; }
inline Kind kind(int n) { return n > 9 ? Kind::large : Kind::small; }
inline int colour(Colour c) { return c; }
inline std::string held(const Held& h) { return h.text(); }
template <class T> T least(T a, T b) { return a < b ? a : b; }
template <class T> Plain plain_of(T a) { return {int(a), 1}; }
inline int lambda(int x) { return x; }
inline int absent(int);
namespace outer {
inline int f(int x) { return x + 1; }
struct Pair { int a, b; };
namespace inner { inline int g(int x) { return x + 2; } inline Pair pair(int x) { return {x, x}; } }
inline namespace v2 { inline int h() { return 5; } }
using ::sum;
}
namespace alias = outer::inner;
"""


def header(folder: Path, text: str = HEADER, name: str = "names.hpp") -> Path:
    path = folder / name
    path.write_text(text + FILLED)
    return path


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return header(tmp_path_factory.mktemp("names"))


@pytest.fixture(scope="module")
def eager(path: Path) -> Any:
    return sb.bind(path, name="names", eager=True)


def fresh(path: Path) -> Any:
    """A library of the header as a new process has it: what is built is in the cache, and nothing is loaded."""
    for known in (LIBRARIES, UNREAD):
        for key in [k for k in known if (k[0] if isinstance(k, tuple) else k).request.main == str(path)]:
            del known[key]
    return sb.bind(path, name="names")


def is_read(lib: Any) -> bool:
    return type(lib) is Library


# What is asked, what it gives, whether it is read alone.
ASKED = [
    ("lib.filler7(1)", 8, True),
    ("lib.over(1), lib.over(1.0), lib.over('x')", (1, 2, 3), True),
    ("lib.over.overload('double')(1)", 2, True),
    ("lib.plain(3).b", 2.0, True),
    ("lib.sum((1, 2.5))", 3.5, True),
    ("lib.sum(lib.Plain(1, 2.5))", 3.5, True),
    ("lib.sum(lib.plain(1))", 3.0, True),
    ("lib.Inside().colour == lib.GREEN", True, True),
    ("lib.Other is lib.Plain", True, True),
    ("lib.total([1, 2.5])", 3.5, True),
    ("list(lib.numbers(2))", [7, 7], True),
    ("lib.colour(lib.Colour.GREEN), lib.RED == 0", (7, True), True),
    ("lib.kind(10) is lib.Kind.large", True, True),
    ("lib.MARKED == 4, lib.marked(lib.LEFT), lib.marked_t.LEFT is lib.LEFT", (True, 5, True), True),
    ("lib.least(2, 1), lib.least[float](2, 1.5)", (1, 1.5), True),
    ("lib.LIMIT, lib.TITLE, lib.FIRST, lib.SECOND, lib.ratio", (40, "names", 3, 4, 0.5), True),
    ("lib.outer.f(1), lib.outer.inner.g(1), lib.outer.h()", (2, 3, 5), True),
    ("lib.outer.inner.pair(1).b, lib.outer.Pair(1, 2).a", (1, 1), True),
    ("lib.plain_of(3.5).a", 3, False),
    ("lib.tagged(5).v", 5, True),
    ("lib.first_of((4, None))", 4, True),
    ("lib.tagged_by(5.5).v", 5, False),
    ("lib.outer.sum((1, 2.0))", 3.0, False),
    ("lib.alias.g(1)", 3, False),
    ("lib.lambda_(1)", 1, False),
    ("lib.CALLED(1)", 1, False),
    ("lib.apply(lambda x: x + 1, 2)", 3, True),
    (
        "lib.twofold(lambda x: x + 1, 2), lib.Step(lambda x: x + 2)(1), lib.Step.__name__",
        (6, 3, "Step"),
        True,
    ),
    ("lib.tabled(lib.Table(lambda x: x + 1, None), 2)", 3, True),
    ("lib.table(3).step(4)", 7, True),
    ("lib.linked(1).next.value", 2, True),
    ("lib.made(lambda x: x * 2.5, 2)", 5.0, True),
    ("(f := io.StringIO(), lib.say(f, 4), f.getvalue())[-1]", "4", False),
    ("lib.way(3).steps()", 3, False),
    ("lib.farther(3).next.steps()", 4, False),
    ("lib.of_base(lib.Derived())", 0, False),
    ("type(lib.shape()) is lib.Square", True, False),
    ("lib.held(lib.Held('x'))", "x", False),
    ("lib.counter, lib.bump(), lib.counter", (0, 1, 1), False),
    ("lib.next(), lib.next()", (1, 2), False),
    ("lib.louder(), lib.loud()", (1, 1), False),
]


@pytest.mark.parametrize(("asked", "gives", "alone"), ASKED)
def test_what_a_name_means(path: Path, asked: str, gives: object, alone: bool) -> None:
    lib = fresh(path)
    assert not is_read(lib)
    assert eval(asked, {"lib": lib, "io": io}) == gives
    assert is_read(lib) is not alone


def test_all_that_was_named_stays_what_it_was(path: Path, eager: Any) -> None:
    lib = fresh(path)
    made = lib.plain(3)
    handed = [
        lib.plain, lib.Plain, lib.outer, lib.outer.inner, lib.outer.inner.g, lib.least, lib.Colour, lib.LIMIT,
    ]  # fmt: skip
    with pytest.warns(sb.BindWarning, match="absent"):
        names = dir(lib)
    assert is_read(lib)
    assert type(lib.outer) is Namespace
    assert names == dir(eager)
    again = [
        lib.plain, lib.Plain, lib.outer, lib.outer.inner, lib.outer.inner.g, lib.least, lib.Colour, lib.LIMIT,
    ]  # fmt: skip
    assert all(a is b for a, b in zip(handed, again, strict=True))
    assert type(made) is lib.Plain is type(lib.plain(1))
    assert lib.sum(made) == 5
    assert lib.outer.inner.pair(2).a == 2
    assert lib.least(3, 1) == 1
    assert [s.name for s in lib.__skipped__] == [s.name for s in eager.__skipped__]
    for name in ("plain", "sum", "over", "kind", "filler9"):
        assert inspect.signature(getattr(lib, name)) == inspect.signature(getattr(eager, name))
    assert str(lib.__explain__("sum")) == str(eager.__explain__("sum"))


def test_exceptions_are_of_their_own_classes(path: Path) -> None:
    lib = fresh(path)
    with pytest.raises(IndexError, match="far"):
        lib.far()
    assert not is_read(lib)
    with pytest.raises(RuntimeError, match="refused") as caught:
        lib.refuses(4)
    assert caught.value.code == 4  # type: ignore[attr-defined]
    assert type(caught.value.cxx) is lib.Refused  # type: ignore[attr-defined]


@pytest.mark.parametrize("asked", ["lib.nothing", "lib.absent", "lib.outer.nothing", "lib.least(1, 'x')"])
def test_what_is_not_there_is_refused_in_the_same_words(path: Path, eager: Any, asked: str) -> None:
    lib, said = fresh(path), []
    for one in (lib, eager):
        with pytest.raises((AttributeError, TypeError)) as caught:
            eval(asked, {"lib": one})
        said.append(str(caught.value))
    assert said[0] == said[1]


def test_of_many_names_the_whole_header_is_read(path: Path) -> None:
    lib = fresh(path)
    for n in range(MOST):
        assert getattr(lib, f"filler{n}")(1) == n + 1
    assert not is_read(lib)
    assert lib.filler100(1) == 101
    assert is_read(lib)


SAVED = """
import pickle, sys, warnings
import samebytes as sb
warnings.simplefilter("ignore")
f, cls, one, g, least = pickle.load(open(sys.argv[1], "rb"))
assert f(1) == 8 and cls(1, 2.0).b == 2.0 and one.a == 4 and g(1) == 3 and least(2, 1) == 1 and type(one) is cls
"""


def test_pickles(path: Path, tmp_path: Path) -> None:
    lib = fresh(path)
    given = (lib.filler7, lib.Plain, lib.plain(4), lib.outer.inner.g, lib.least)
    data = pickle.dumps(given)
    back = pickle.loads(data)
    assert back[0](1) == 8
    assert back[1] is lib.Plain is type(back[2])
    (tmp_path / "saved").write_bytes(data)
    subprocess.run([sys.executable, "-c", SAVED, str(tmp_path / "saved")], check=True)


def test_threads_and_forks_ask_at_the_same_time(path: Path) -> None:
    lib, start, got = fresh(path), threading.Barrier(6), []

    def ask(n: int) -> None:
        start.wait()
        if n == 5:
            dir(lib)
        got.append((getattr(lib, f"filler{n}")(1) - n, lib.Plain, lib.outer))

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    child = os.fork()
    if not child:
        os._exit(0 if lib.filler3(1) == 4 and lib.sum(lib.Plain(1, 2)) == 3 else 1)
    for thread in threads:
        thread.join()
    assert {number for number, _, _ in got} == {1}
    assert len({id(cls) for _, cls, _ in got}) == len({id(space) for _, _, space in got}) == 1
    assert os.waitpid(child, 0)[1] == 0


def test_a_header_that_changed_is_not_read(tmp_path: Path) -> None:
    path = header(
        tmp_path,
        text="#pragma once\nstruct Plain { int a; double b; };\n"
        "inline Plain plain(int a, double b) { return {a, b}; }\n"
        "inline double sum(const Plain& p) { return p.a + p.b; }\n",
        name="changing.hpp",
    )
    untouched = fresh(path)
    lib = fresh(path)
    assert lib.plain(1, 2).a == 1
    path.write_text(path.read_text().replace("struct Plain { int a;", "struct Plain { short extra; int a;"))
    with pytest.raises(sb.BindError, match="has changed since it was bound"):
        lib.sum((1, 2.0))
    with pytest.raises(sb.BindError, match="has changed since it was bound"):
        dir(untouched)
    assert sb.bind(path, name="names").plain(0, 3).extra == 0


WARM = """
import sys
import samebytes as sb
lib = sb.bind(sys.argv[1], name="names")
assert lib.plain(3).b == 2 and lib.LIMIT == 40 and lib.least(2, 1) == 1 and lib.sum((1, 2)) == 3
print("clang.cindex" in sys.modules, "samebytes.read.reading" in sys.modules)
"""


def test_a_second_program_reads_and_builds_nothing(path: Path) -> None:
    said = [
        subprocess.run(
            [sys.executable, "-c", WARM, str(path)], check=True, capture_output=True, text=True
        ).stdout
        for _ in range(2)
    ]
    assert said[-1] == "False False\n"


def _placed(item: Any) -> str:
    """All of a declaration: a file has one name, however it was included."""
    place = getattr(item, "location", None)
    return repr(
        item if place is None else replace(item, location=replace(place, file=os.path.realpath(place.file)))
    )


def _of(items: Iterable[Any], key: str, name: str) -> list[str]:
    return sorted(_placed(item) for item in items if getattr(item, key) == name)


TOGETHER = 15


def compare(main: Path, options: dict[str, Any], most: int) -> tuple[int, list[str]]:
    """Read the names of a header alone, some together, and whole: how many can be, and which are not the same."""
    request = requests.header_request(main, completed("bind", OPTIONS, options))
    file = Path(request.main or "")
    shared = {**_asked(request), "expose": request.expose}
    found = list_header(file, **shared)
    assert found is not None
    names = [n for n in dict.fromkeys(naming._stored(found).values()) if n != CONSTANTS]
    random.Random(5).shuffle(names)
    batches = [(name,) for name in (CONSTANTS, *names[:most])]
    batches += [tuple(names[n : n + TOGETHER]) for n in range(0, most, TOGETHER)]
    alone: dict[tuple[str, ...], Module] = {}
    stand: set[str] = set()
    for batch in batches:
        part = naming.named(request, batch)
        with suppress(sb.BindError):
            while len(batch) == 1 or part.names:
                try:
                    read = read_header(file, **shared, names=part.names, apart=True, alone=True)
                except NotAlone as lost:
                    # As for one that asks for another of them first.
                    part = replace(part, names=tuple(n for n in part.names if n not in lost.names))
                    if len(batch) == 1 or not lost.names:
                        raise
                    continue
                alone[part.names] = read
                break
        if len(batch) == 1 and batch in alone:
            stand.add(*batch)
        elif len(batch) > 1:
            assert stand.issuperset(part.names)
            assert len(stand.intersection(batch).difference(part.names)) <= 1  # beside what it mentions
    whole = read_header(file, **shared, patient=True)
    kinds = (
        ("functions", "qualified"), ("records", "name"), ("enums", "name"), ("templates", "qualified"),
        ("aliases", "qualified"), ("constants", "qualified"),
    )  # fmt: skip
    wrong = [
        f"{asked}: {getattr(item, key)}"
        for asked, module in alone.items()
        for kind, key in kinds
        for item in getattr(module, kind)
        if _of(getattr(module, kind), key, getattr(item, key))
        != _of(getattr(whole, kind), key, getattr(item, key))
    ]
    for asked, module in alone.items():
        wrong += [f"{asked}: {what}" for what in absent(module, whole)]
    return len(stand), wrong


def absent(module: Module, whole: Module) -> Iterator[str]:
    """What the whole header gives to what was read of it, and the part that was read does not have."""
    records = {record.name for record in module.records}
    types = walk_all(
        [
            *(t for f in module.functions for t in (f.result, *(p.type for p in f.parameters))),
            *(field.type for record in module.records for field in record.fields),
            *(alias.type for alias in module.aliases),
        ]
    )
    yield from {t.name for t in types if isinstance(t, Named)} & {r.name for r in whole.records} - records
    mine = {(f.owner, str(f)) for f in module.functions}
    yield from (str(f) for f in whole.functions if f.owner in records and (f.owner, str(f)) not in mine)
    for function in (t for t in types if isinstance(t, Function)):
        called = [
            [a.qualified for a in part.aliases if function_of(a.type) == function][:1]
            for part in (module, whole)
        ]
        if called[0] != called[1]:
            yield f"{function.spelling}: {called}"


def test_what_is_read_alone_is_what_the_whole_header_says(path: Path) -> None:
    count, wrong = compare(path, {}, 60)
    assert count > 40
    assert not wrong


def test_headers_that_use_intrinsics(tmp_path: Path) -> None:
    """GCC declares _mm_prefetch in its own way, which clang has built in."""
    path = tmp_path / "intrinsics.hpp"
    path.write_text(
        f"#pragma once\n#include <xmmintrin.h>\n{FILLED}"
        "inline float first(__m128 x) { return _mm_cvtss_f32(x); }\ninline void ahead(const int* p)"
        " { _mm_prefetch(p, _MM_HINT_T0); }\n"
    )
    lib: Any = sb.bind(path)
    assert lib.filler3(1) == 4
    assert type(lib) is not Library
    with pytest.raises(AttributeError, match="vector type does not cross"):
        lib.first(1.0)


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "options", "least"),
    [
        ("sqlite3.h", {}, 40),
        ("gsl/gsl_sf.h", {}, 40),
        ("curl/curl.h", {}, 10),
        ("X11/Xlib.h", {}, 10),
        ("hdf5.h", {}, 5),
        ("glm/glm.hpp", {"expose": ["*/glm/*"]}, 5),
        ("opencv2/imgproc.hpp", {"include_dirs": "/usr/include/opencv4", "expose": ["*/opencv2/*"]}, 10),
    ],
)
def test_libraries(name: str, options: dict[str, Any], least: int) -> None:
    try:
        count, wrong = compare(Path(name), options, 120)
    except sb.BindError as error:
        pytest.skip(str(error))
    assert count >= least
    assert not wrong
