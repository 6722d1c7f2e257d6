"""pythonize(): names, properties, with, len(), repr(), hidden members; live, by configurations, and in packages."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # it takes long

SHAPES = """
#include <string>
namespace geo {
/// What all shapes are.
struct Shape {
  virtual ~Shape() {}
  int getId() const { return 7; }
  virtual int getArea() const { return 1; }
  int width() const { return w; }
  void setWidth(int v) { w = v; }
  int getURLName() const { return 5; }
  void setURLName(int) {}
  int get_depth() const { return 9; }
  int getScaled(int by) const { return w * by; }
  static int getCount() { return 1; }
  bool isOpen() const { return opened; }
  void open() { opened = true; }
  void close() { opened = false; }
  int count() const { return 3; }
  std::string text() const { return "<shape>"; }
  int internal() const { return 13; }
  int w = 2;
  bool opened = false;
};
struct Box : Shape {
  int getId() const { return 8; }
  int getArea() const override { return 12; }
  int width() const { return w * 10; }
  int internal() const { return 14; }
};
struct Other { int x; int getX() const { return x; } };
template <class T> struct Stack {
  Stack() {}
  ~Stack() {}
  int count() const { return n; }
  void push(T x) { v[n++] = x; }
  T getTop() const { return v[n - 1]; }
  T v[8];
  int n = 0;
};
inline int area(const Shape& s) { return s.getArea(); }
}
"""


@pytest.fixture
def geo() -> Any:
    """The library, with classes that no other test has changed."""
    geo.made += 1  # type: ignore[attr-defined]
    return sb.compile(SHAPES, name=f"geo{geo.made}").geo  # type: ignore[attr-defined]


geo.made = 0  # type: ignore[attr-defined]


@pytest.fixture
def plain() -> Any:
    """The library that no test changes."""
    return sb.compile(SHAPES, name="geo_plain").geo


WORDS: dict[str, Any] = {
    "rename": {"getId": "ident", "getArea": "area"},
    "property": {"width": ["width", "setWidth"], "depth": "get_depth"},
    "context": ["open", "close"],
    "len": "count",
    "repr": "Shape({width} wide, {ident})",
    "doc": "A shape of Python's.",
    "hide": ["internal", "setWidth"],
}


def check_shape(cls: Any, box: Any, area: Any) -> None:
    """What the words are to do, of the class and of one that derives from it."""
    for kind, ident, width, of in ((cls, 7, 2, 1), (box, 8, 20, 12)):
        shape = kind()
        assert (shape.ident(), shape.width, shape.depth, shape.area(), len(shape)) == (ident, width, 9, of, 3)
        assert repr(shape) == f"Shape({width} wide, {ident})"
        shape.width = 4
        assert shape.w == 4
        with pytest.raises(AttributeError):
            shape.depth = 3
        with shape as same:
            assert same is shape
            assert shape.isOpen()
        assert not shape.isOpen()
        for name, words in (("internal", "is hidden"), ("setWidth", "is hidden"), ("getId", "is 'ident'")):
            with pytest.raises(AttributeError, match=words):
                getattr(shape, name)
            assert not hasattr(kind, name)
            assert name not in dir(kind)
    assert cls.__doc__ == "A shape of Python's."
    assert {"ident", "width", "depth", "area"} <= set(dir(box))

    for name in ("area", "getArea"):
        mine = type("Mine", (cls,), {name: lambda self: 40})
        assert (mine().area(), mine().getArea(), area(mine())) == (40, 40, 40)
        assert len(mine()) == 3

    class Wide(cls):  # type: ignore[misc]
        def width(self) -> int:
            return 50

        def area(self) -> int:
            return int(super().area()) + 1

    assert area(Wide()) == 2
    Wide.area = lambda self: 60
    assert (area(Wide()), Wide().getArea()) == (60, 60)


def test_all_words(geo: Any) -> None:
    assert sb.pythonize(geo.Shape, **WORDS) is geo.Shape
    check_shape(geo.Shape, geo.Box, geo.area)


def test_classes_that_python_derived_before(geo: Any) -> None:
    mine = type("Mine", (geo.Shape,), {"getArea": lambda self: 40, "getId": lambda self: 41})
    sb.pythonize(geo.Shape, rename={"getArea": "area"}, property={"id": "getId"})
    assert (mine().area(), mine().id, geo.area(mine())) == (40, 41, 40)


def test_by_a_configuration() -> None:
    lib = sb.compile(
        SHAPES, name="geo_config", config={"Pythonize": {"geo::Shape": WORDS, "geo.Stack": {"len": "count"}}}
    )
    check_shape(lib.geo.Shape, lib.geo.Box, lib.geo.area)
    stack = lib.geo.Stack[int]()
    stack.push(4)
    assert len(stack) == 1


def test_properties_by_rule(geo: Any) -> None:
    sb.pythonize(geo.Shape, property=True)
    shape = geo.Shape()
    assert (shape.id, shape.area, shape.depth, shape.urlName) == (7, 1, 9, 5)
    shape.urlName = 4
    with pytest.raises(AttributeError):
        shape.id = 4
    assert not {"scaled", "count_", "Count"} & set(dir(geo.Shape))
    assert geo.Box().area == 12
    assert geo.Box().id == 8


def test_templates_now_and_later(geo: Any) -> None:
    early = geo.Stack[int]
    sb.pythonize(geo.Stack, len="count", property={"top": "getTop"}, hide="n")
    for cls, value in ((early, 4), (geo.Stack["double"], 2.5)):
        stack = cls()
        stack.push(value)
        assert (len(stack), stack.top) == (1, value)
        with pytest.raises(AttributeError, match="hidden"):
            _ = stack.n


def test_records(geo: Any) -> None:
    sb.pythonize(geo.Other, rename={"getX": "get"}, repr="<{x}>")
    assert repr(geo.Other(3)) == "<3>"
    assert geo.Other(3).get() == 3


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no word": ({"renam": {"a": "b"}}, r"pythonize\(Shape\): there is no word 'renam'; .*Did you mean 'rename'\?"),
    "nothing": ({}, "nothing is said; known: rename"),
    "another kind": ({"len": 3}, "len is the name of a method, got 3"),
    "no pairs": ({"rename": ["a"]}, r"rename is new names by C\+\+'s, \{'getArea': 'area'\}, got \['a'\]"),
    "no method": ({"len": "cound"}, r"len: Shape has no member 'cound'\. Did you mean 'count'\?"),
    "a field": ({"len": "w"}, "len: 'w' of Shape is no method; it needs one that takes no argument"),
    "arguments": ({"property": {"s": "getScaled"}}, "no form of Shape.getScaled is called on an object with no"),
    "static": ({"property": {"number": "getCount"}}, "no form of Shape.getCount is called on an object"),
    "no setter": ({"property": {"id": ["getId", "getArea"]}}, "no form of Shape.getArea .* with one argument"),
    "taken": ({"rename": {"getId": "count"}}, "Shape has 'count' already"),
    "no name": ({"rename": {"getId": "class"}}, "'class' is no name for a member"),
    "a field's name": ({"rename": {"w": "wide"}}, "'w' of Shape is no method; its name is C"),
    "hidden is not there": ({"hide": ["w", "getIt"]}, "hide: Shape has no member 'getIt'. Did you mean 'getId'"),
    "format": ({"repr": "{w"}, "is no format"),
    "in a format": ({"repr": "{wide}"}, "repr: Shape has no member 'wide'"),
    "with": ({"context": ["open"]}, "context is the method that ends a with statement"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_refused_and_changes_nothing(plain: Any, name: str) -> None:
    words, message = REFUSED[name]
    plain.Shape.__samebytes_linker__.make_methods()  # as pythonize() has, before it looks at what the classes hold
    before = dict(vars(plain.Shape))
    with pytest.raises(sb.BindError, match=message):
        sb.pythonize(plain.Shape, **({"rename": {"getURLName": "url"}} | words if words else words))
    assert dict(vars(plain.Shape)) == before


def test_what_was_refused_is_not_tried_again(geo: Any) -> None:
    with pytest.raises(sb.BindError):
        sb.pythonize(geo.Shape, len="cound")
    sb.pythonize(geo.Shape, len="count")
    assert len(geo.Shape()) == 3


@pytest.mark.parametrize("target", [int, 3, lambda lib: lib.area, lambda lib: lib])
def test_only_classes(plain: Any, target: Any) -> None:
    given = target(plain) if inspect.isfunction(target) else target
    with pytest.raises(TypeError, match=r"pythonize\(\) takes a class or a class template of a library"):
        sb.pythonize(given, len="count")


CONFIGURED: dict[str, tuple[Any, str]] = {
    "class": ({"geo::Shap": {"len": "count"}}, "geo::Shap: there is no class 'geo::Shap'. Did you mean 'geo::Shape'"),
    "word": ({"geo::Shape": {"leng": "count"}}, "Pythonize: geo::Shape: there is no word 'leng'"),
    "method": ({"geo::Shape": {"len": "cound"}}, "Pythonize: geo::Shape: len: Shape has no member 'cound'"),
    "kind": ({"geo::Shape": 3}, "Pythonize: geo::Shape is a mapping, got 3"),
}  # fmt: skip


@pytest.mark.parametrize("name", CONFIGURED)
def test_configurations_are_refused_in_words(name: str) -> None:
    said, message = CONFIGURED[name]
    with pytest.raises(sb.BindError, match=message):
        sb.compile(SHAPES, config={"Pythonize": said})


def test_one_of_several_that_lacks_it_is_warned_of() -> None:
    with pytest.warns(
        sb.BindWarning, match=r"geo::Other stays as it is: Pythonize: geo::\*: len: Other has no member"
    ):
        lib = sb.compile(SHAPES, name="geo_warned", config={"Pythonize": {"geo::*": {"len": "count"}}})
    assert len(lib.geo.Box()) == 3


def test_explain_and_help(geo: Any) -> None:
    lib = sb.compile(SHAPES, name="geo_explained", config={"Pythonize": {"geo::Shape": WORDS}})
    shown = str(sb.explain(lib, "geo::Shape"))
    for line in (
        "ident: C++'s getId",
        "width: property of width, setWidth",
        "with: open, close",
        "len(): count",
        "internal: hidden",
    ):
        assert line in shown
    doc = inspect.getdoc(lib.geo.Shape.width)
    assert doc is not None
    assert "width" in doc
    assert lib.geo.Shape.ident.__doc__ == sb.compile(
        SHAPES, name="geo_plain"
    ).geo.Shape.getId.__doc__.replace("geo_plain", "geo_explained")


STUB = """
import geo
shape = geo.geo.Shape()
width: int = shape.width
shape.width = 3
area: int = shape.area() + len(shape) + shape.ident()
with shape as one:
    other: geo.geo.Shape = one
"""


def test_in_packages_and_their_stubs(tmp_path: Path) -> None:
    (tmp_path / "geo.hpp").write_text(SHAPES)
    lines = "\n".join(f"    {word}: {value!r}" for word, value in WORDS.items())
    (tmp_path / "geo.yaml").write_text(f"Entry Point: geo.hpp\nPythonize:\n  geo::Shape:\n{lines}\n")
    command = [sys.executable, "-m", "samebytes", "bind", "-c", "geo.yaml", "-o", "out"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    stub = (tmp_path / "out/geo/__init__.pyi").read_text()
    for words in (
        "def ident(self)",
        "@property\n        def width(self) -> int:",
        "@width.setter",
        "def __len__(self) -> int",
    ):
        assert words in stub, words
    assert not any(
        f"def {name}(" in stub.partition("class Box")[0] for name in ("getId", "internal", "setWidth")
    )
    program = "import geo\ns = geo.geo.Box(); print(s.ident(), s.width, len(s), repr(s), hasattr(s, 'getId'))"
    found = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path / "out", capture_output=True, text=True, check=True
    )
    assert found.stdout == "8 20 3 Shape(20 wide, 8) False\n"
    (tmp_path / "out/use.py").write_text(STUB)
    mypy = pytest.importorskip("mypy.api", reason="mypy is not installed")
    said, _, code = mypy.run(
        [str(tmp_path / "out/use.py"), "--no-incremental", "--cache-dir", str(tmp_path / "mypy")]
    )
    assert code == 0, said
