"""Python's own tools on every kind of object that a library gives: they work, or refuse in words."""

from __future__ import annotations

import copy
import doctest
import functools
import importlib
import inspect
import multiprocessing
import pickle
import pydoc
import typing
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from click.testing import CliRunner

import samebytes as sb
from samebytes.tools.cli import main

pytestmark = pytest.mark.full  # every tool of Python's on every kind of object, of a library and of a package

SOURCE = """
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <variant>
#include <vector>
namespace geo {
/// A point.
struct P { double x = 1.5, y = 0; };
struct Node { int n; Node* next = nullptr; };
enum class Colour : unsigned char { red = 3, green };
enum Old { A, B = -7 };
union U { int i; float f; };
class Date { int d; public: Date(int d = 1) : d(d) {} int day() const { return d; } };
struct Mixed { int a; Mixed(int a, int h) : a(a), h(h) {} private: int h; };
class Shape { public: virtual ~Shape() {} virtual double area() const = 0; };
class Square : public Shape {
    double a;
public:
    explicit Square(double a = 2) : a(a) {}
    double area() const override { return a * a; }
    int w = 3;
    static int count() { return 1; }
};
/// Holds one.
template <class T> struct Box { T v; Box(T v = T()) : v(v) {} T get() const { return v; } };
/// Doubles.
template <class T> T twice(T t) { return t + t; }
template <class T, class U> T to(U u) { return T(u); }
inline std::map<std::string, int> mapping() { return {{"a", 1}}; }
inline std::variant<int, std::string> variant() { return 1; }
inline std::optional<int> maybe() { return {}; }
inline std::tuple<int, float> pair() { return {1, 2}; }
inline std::vector<double> numbers() { return {1, 2}; }
inline void* raw() { return nullptr; }
inline std::unique_ptr<Shape> make() { return std::make_unique<Square>(3.0); }
inline double sum(const double* p, int n, bool flag = true, double scale = -0.0) { return n; }
inline int over(int a) { return a; }
inline double over(double a, int from = 3) { return a; }
inline double odd(double self, int lambda, int import_ = 2) { return self; }
inline int written(const char* fmt, ...) { return 0; }
inline int mixed(int args, ...) { return 0; }
inline int grösse(int größe, int y = 2) { return y; }
inline double edges(double a = INFINITY, double b = -INFINITY, double c = NAN) { return c; }
inline int text(const char* s = "é\\"\\n\\\\") { return 0; }
inline int widely(const char* fmt, int größe, ...) { return 0; }
inline int call(std::function<int(int)> f) { return f(1); }
inline int twice2(int i) { return 2 * i; }
inline int (*pick(int))(int) { return &twice2; }
typedef double (*step_t)(double);
inline int counter = 3;
inline void boom() { throw std::runtime_error("bad"); }
namespace inner { inline int f() { return 1; } struct Q { int a; }; }
struct Outer {
    struct In { int q; };
    In in;
    int operator()(int a) const { return a; }
    Outer& operator+=(int k) { in.q += k; return *this; }
};
}
extern "C" { typedef struct opaque_t opaque_t; inline opaque_t* opened() { static int x; return (opaque_t*)&x; } }
"""


INSTANCES = ("geo::Box<int>", "geo::twice<int>")


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("packages")
    (folder / "looked_into.hpp").write_text(f"#pragma once\n{SOURCE}")
    asked = [word for name in INSTANCES for word in ("--instantiate", name)]
    done = CliRunner().invoke(main, ["bind", str(folder / "looked_into.hpp"), "-o", str(folder), *asked])
    assert done.exit_code == 0, done.output
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        yield importlib.import_module("looked_into")


def objects(lib: Any, *, package: bool = False) -> dict[str, Any]:
    """One of each kind; a package instantiates nothing further."""
    geo = lib.geo
    with pytest.raises(Exception, match="bad") as raised:
        geo.boom()
    derived = type("Derived", (geo.P,), {})
    return {
        "library": lib, "namespace": geo, "inner namespace": geo.inner,
        "record class": geo.P, "record": geo.P(), "value": geo.P().value, "value class": type(geo.P().value),
        "derived class": derived, "derived": derived(),
        "record with a pointer": geo.Node(1), "record of a record": geo.Outer(), "nested class": geo.Outer.In,
        "private class": geo.Date, "private": geo.Date(4), "mixed class": geo.Mixed, "mixed": geo.Mixed(1, 2),
        "union class": geo.U, "union": geo.U(), "handle class": geo.Square, "handle": geo.Square(2.0),
        "abstract class": geo.Shape, "owned": geo.make(), "opaque": lib.opened(), "opaque class": type(lib.opened()),
        "enumeration": geo.Colour, "enumerator": geo.Colour.red, "old enumeration": geo.Old, "old enumerator": geo.B,
        "function": geo.sum, "overloads": geo.over, "odd names": geo.odd, "variadic": geo.written,
        "method": geo.Square.area, "bound method": geo.Square(2.0).area, "static method": geo.Square.count,
        "field": vars(geo.P)["x"], "handle's field": vars(geo.Square)["w"],
        "class template": geo.Box, "class of a template": geo.Box[int], "object of a template": geo.Box[int](3),
        "function template": geo.twice, "function of a template": geo.twice[int],
        "part": geo.twice if package else geo.to[int],
        "function pointer": geo.pick(1), "function pointer class": type(geo.pick(1)), "named class": geo.step_t,
        "pointer": geo.raw(),
        "mapping": geo.mapping(), "variant": geo.variant(), "maybe": geo.maybe(), "tuple": geo.pair(),
        "array": geo.numbers(), "exception": raised.value, "skipped": lib.__skipped__,
        "model": None if package else lib.__model__,
        "view": sb.view(geo.numbers()),
    }  # fmt: skip


TOOLS: dict[str, Callable[[Any], Any]] = {
    "help": pydoc.render_doc,
    "plain help": functools.partial(pydoc.render_doc, renderer=pydoc.plaintext),
    "getdoc": inspect.getdoc,
    "getmembers": inspect.getmembers,
    "getmodule": inspect.getmodule,
    "signature": lambda o: inspect.signature(o) if callable(o) else None,
    "classify": lambda o: inspect.classify_class_attrs(o) if isinstance(o, type) else None,
    "hints": lambda o: typing.get_type_hints(o) if isinstance(o, type) else None,
    "wraps": lambda o: functools.wraps(o)(lambda: None) if callable(o) else None,
    "doctest": lambda o: doctest.DocTestFinder().find(o, "x"),
    "repr": repr,
    "str": str,
    "format": format,
    "dir": lambda o: [getattr(o, name, None) for name in dir(o)],
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda o: pickle.loads(pickle.dumps(o)),
    "==": lambda o: o == o,
    "!=": lambda o: o != object(),
    "in": lambda o: o in [o],
    "hash": hash,
    "weakref": weakref.ref,
}
NO_WEAK = "cannot create weak reference to"
UNHASHABLE = {"record", "derived", "record with a pointer", "record of a record", "private", "mixed", "union",
              "object of a template", "mapping", "array"}  # fmt: skip
# Tool -> the kinds that refuse it -> a part of the words. What changes has no hash; addresses mean nothing elsewhere.
REFUSED: dict[str, dict[str, str]] = {
    "hash": dict.fromkeys(UNHASHABLE, "unhashable type"),
    # Its operator() is C++'s; Python 3.13 says "has invalid signature" for "no signature found".
    "signature": {"record of a record": "signature"},
    "copy": {
        "field": "cannot pickle",
        "handle's field": "cannot pickle",
        "owned": "cannot copy",
        "opaque": "",
        "view": "cannot pickle",
    },
    "deepcopy": {
        "field": "cannot pickle",
        "handle's field": "cannot pickle",
        "owned": "cannot copy",
        "opaque": "",
        "view": "cannot pickle",
    },
    "pickle": {
        "record with a pointer": "it holds addresses of this process",
        "handle": "it is a C++ object and no bytes",
        "owned": "it is a C++ object and no bytes",
        "opaque": "cannot pickle",
        "function pointer": "it is an address of this process",
        "function pointer class": r"no library has a name for it; a typedef in the header gives it one",
        "pointer": "cannot pickle",
        "field": "cannot pickle",
        "handle's field": "cannot pickle",
        "derived": "",
        "derived class": "",  # as any class of a function
        "value class": "",
        "view": "cannot pickle",
        "bound method": "it is a C++ object and no bytes",
    },
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("packaged", [False, True], ids=["library", "package"])
def test_tools(lib: Any, package: Any, tool: str, packaged: bool) -> None:
    refused = REFUSED.get(tool, {})
    for kind, found in objects(package if packaged else lib, package=packaged).items():
        try:
            TOOLS[tool](found)
        except (TypeError, ValueError, pickle.PicklingError, AttributeError) as error:
            words = str(error)
            if tool == "weakref" and NO_WEAK in words:
                continue
            if kind == "array" and tool in ("in", "getmembers", "dir"):  # NumPy's own words
                continue
        else:
            continue
        assert kind in refused, (kind, words)
        assert words
        assert refused[kind] in words, kind


def test_what_copies_and_pickles_are(lib: Any, package: Any) -> None:
    one = (
        "library", "namespace", "inner namespace", "record class", "enumeration", "enumerator", "function", "overloads",
        "variadic", "named class", "class template", "function template", "class of a template",
        "function of a template",
    )  # fmt: skip
    found = objects(lib)
    for kind in one:
        assert copy.copy(found[kind]) is found[kind], kind
        assert copy.deepcopy(found[kind]) is found[kind], kind
        again = pickle.loads(pickle.dumps(found[kind]))
        assert again is found[kind] or again == found[kind], kind
    assert pickle.loads(pickle.dumps(found["part"]))(2.5) == 2
    assert pickle.loads(pickle.dumps(package)) is copy.copy(package) is copy.deepcopy(package) is package
    mixed = lib.geo.Mixed(1, 2)  # equal to itself alone, as Python does not see all of it
    again = pickle.loads(pickle.dumps(mixed))
    assert type(again) is type(mixed)
    assert bytes(again) == bytes(mixed) == bytes(lib.geo.Mixed(1, 2))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("P", "(x=Ellipsis, y=Ellipsis)"),
        ("Date", "(d=1)"),
        ("Mixed", "(a, h)"),
        ("Square", "(a=2.0)"),
        ("over", "(*args, **kwargs)"),
        ("twice", "(*args, **kwargs)"),
        ("sum", "(p, n, flag=True, scale=-0.0)"),
        ("Outer", "(in_=Ellipsis)"),
        ("odd", "(self, lambda_, import_=2)"),
        ("edges", "(a=inf, b=-inf, c=Ellipsis)"),
        ("text", "(s='é\"\\n\\\\')"),
        ("grösse", "(*args, **kwargs)"),  # inspect reads ASCII alone
        ("written", "(fmt, *args)"),
        ("mixed", "(*args, **kwargs)"),
        ("widely", "(*args, **kwargs)"),
    ],
)
def test_signatures(lib: Any, path: str, expected: str) -> None:
    assert str(inspect.signature(getattr(lib.geo, path))) == expected


@pytest.mark.parametrize(
    ("path", "expected"), [("written", "(fmt, *args)"), ("edges", "(a=1e999, b=-1e999, c=...)")]
)
def test_texts_of_signatures(lib: Any, path: str, expected: str) -> None:
    assert getattr(lib.geo, path).__text_signature__ == expected


@sb.struct
class Declared:
    x: sb.float32
    y: sb.float32 = 2.0


def test_signatures_of_our_classes(lib: Any) -> None:
    assert str(inspect.signature(Declared)) == "(x, y=Ellipsis)"
    assert str(inspect.signature(sb.float32x3)) == "(*args, **kwargs)"
    assert str(inspect.signature(type(lib.geo.P().value))) == "(x, y)"
    for tool in TOOLS.values():
        tool(Declared)
        if tool is not weakref.ref:
            tool(Declared(1.0))


def test_a_class_with_a_constructor_of_python(lib: Any) -> None:
    class Own(lib.geo.P):
        def __init__(self, one: int, *, two: int = 2) -> None: ...

    class Plain(lib.geo.P):
        pass

    assert str(inspect.signature(Own)) == "(one: 'int', *, two: 'int' = 2) -> 'None'"
    assert inspect.signature(Plain) == inspect.signature(lib.geo.P)


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        ("Date()", "Date(…)"),
        ("Mixed(1, 2)", "Mixed(a=1, …)"),
        ("P()", "P(x=1.5, y=0.0)"),
        ("Date(3)", "Date(…)"),
    ],
)
def test_private_fields_are_said(lib: Any, make: str, expected: str) -> None:
    assert repr(eval(make, {}, vars(lib.geo))) == expected


PUBLIC = [name for name in sb.__all__ if isinstance(getattr(sb, name), type)]


@pytest.mark.parametrize("name", ["float32x3", "bool4", *PUBLIC])
def test_our_own_classes(name: str) -> None:
    cls = getattr(sb, name, None)
    if cls is None:
        pytest.skip(f"no {name} here")
    for tool in (
        "help",
        "getdoc",
        "getmembers",
        "classify",
        "repr",
        "copy",
        "deepcopy",
        "pickle",
        "hash",
        "wraps",
        "dir",
    ):
        TOOLS[tool](cls)


class Dataset:
    """What a loader sends to its workers: it holds a library, and what comes of it."""

    def __init__(self, lib: Any) -> None:
        self.lib, self.space, self.double = lib, lib.geo, lib.geo.twice
        self.point, self.colour, self.sum = lib.geo.P(2.0, 3.0), lib.geo.Colour.green, lib.geo.over

    def __len__(self) -> int:
        return 3

    def __getitem__(self, index: int) -> tuple[Any, ...]:
        self.lib.geo.counter = index
        return (
            self.double(index), self.space.counter, self.point.x, self.colour is self.lib.geo.Colour.green,
            self.sum(index), self.space is self.lib.geo,
        )  # fmt: skip


def _items(dataset: Dataset, indices: list[int]) -> list[tuple[Any, ...]]:
    return [dataset[i] for i in indices]


@pytest.mark.parametrize("method", ["spawn", "forkserver", "fork"])
def test_a_dataset_in_workers(lib: Any, method: str) -> None:
    with multiprocessing.get_context(method).Pool(2) as pool:
        found = pool.starmap(_items, [(Dataset(lib), [0, 1]), (Dataset(lib), [2])])
    assert found == [[(0, 0, 2.0, True, 0, True), (2, 1, 2.0, True, 1, True)], [(4, 2, 2.0, True, 2, True)]]


def test_a_library_that_nothing_makes_again() -> None:
    from samebytes.loading.library import Library
    from samebytes.model.module import Module

    with pytest.raises(TypeError, match="cannot pickle 'x': nothing says how it is made again"):
        pickle.dumps(Library("x", Module("c"), "nowhere"))
