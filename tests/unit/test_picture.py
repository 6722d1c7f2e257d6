"""Pictures and tables of layouts: no bit is left out, nothing overlaps, SVG is well-formed, PNG is a PNG."""

from __future__ import annotations

import io
import re
import sys
import types
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

import samebytes as sb
from samebytes.errors import MissingDependency
from samebytes.layouts import picture
from samebytes.layouts.dialects import find_dialect
from samebytes.layouts.picture import png
from samebytes.layouts.picture.cells import Cell, cells
from samebytes.layouts.picture.drawing import Box, Label
from samebytes.layouts.picture.table import table
from samebytes.tools import cli
from samebytes.types import SCALARS, CArray, Extent, Field, Pointer, Struct, Type, Vector, as_type

CXX = find_dialect("cxx")


@sb.struct
class Inner:
    a: sb.int8
    b: sb.float64


@sb.struct
class Outer:
    ok: bool
    inner: Inner
    grid: sb.carray[sb.int16, 2, 3]
    far: sb.pointer[sb.float32]
    many: sb.carray[sb.uint8, 100]


BITS = Struct(
    "Bits",
    (
        Field("a", SCALARS["uint32"], 0, 0, 3),
        Field("b", SCALARS["uint32"], 0, 3, 7),
        Field("c", SCALARS["uint8"], 4),
        Field("flag", SCALARS["bool"], 13, 0, 1),
    ),
    fixed=Extent(16, 8),
)
HIDDEN = Struct("Hidden", (Field("seen", SCALARS["int32"], 8),), fixed=Extent(16, 8), complete=False)

_NUMBERS = st.sampled_from([SCALARS[name] for name in SCALARS])
_LEAVES = _NUMBERS | st.sampled_from(
    [Vector(SCALARS["float32"], 3), Vector(SCALARS["int8"], 3), Pointer(SCALARS["int8"])]
)


def _struct(parts: list[Type]) -> Type:
    return Struct("S", tuple(Field(f"f{i}", part) for i, part in enumerate(parts)))


TYPES = st.recursive(
    _LEAVES,
    lambda inner: (
        st.builds(_struct, st.lists(inner, min_size=1, max_size=4))
        | st.builds(CArray, inner, st.lists(st.integers(1, 4), min_size=1, max_size=2).map(tuple))
    ),
    max_leaves=6,
)


def check(cell: Cell) -> None:
    """Parts follow one another without gaps, and fill the whole."""
    end = cell.start
    for part in cell.parts:
        assert part.start == end
        assert part.length > 0
        check(part)
        end = part.end
    assert not cell.parts or end == cell.end


@settings(max_examples=40, deadline=None)
@given(TYPES)
def test_cells_leave_no_bit_out(type_: Type) -> None:
    root = cells(type_, CXX)
    check(root)
    assert (root.start, root.size, root.align) == (0, sb.sizeof(type_), sb.alignof(type_))


@pytest.mark.parametrize("type_", [BITS, HIDDEN], ids=str)
def test_cells_of_what_only_a_header_can_say(type_: Struct) -> None:
    check(cells(type_, CXX))


def test_bit_fields_and_their_padding() -> None:
    found = [(c.name, c.start, c.length) for c in cells(BITS, CXX).leaves()]
    assert found == [
        ("a", 0, 3), ("b", 3, 7), ("padding", 10, 22), ("c", 32, 8), ("padding", 40, 64), ("flag", 104, 1),
        ("padding", 105, 23),
    ]  # fmt: skip


def test_bytes_that_python_does_not_see_are_not_called_padding() -> None:
    assert [c.kind for c in cells(HIDDEN, CXX).leaves()] == ["unseen", "int", "unseen"]


@pytest.mark.parametrize(
    ("type_", "kinds"),
    [
        (sb.Atomic(int), ["int"]),
        (sb.Atomic(sb.float32, align=16), ["float", "padding"]),
        (sb.align(sb.int8, 4), ["int", "padding"]),
        (tuple[sb.int8, sb.int32], ["int", "padding", "int"]),
        (sb.array[sb.float32, 1], ["pointer", "uint", "uint"]),
        (None, ["pointer"]),
    ],
    ids=str,
)
def test_kinds(type_: object, kinds: list[str]) -> None:
    root = cells(as_type(type_), CXX)
    check(root)
    assert [c.kind for c in root.leaves()] == kinds


def inside(inner: Box | Label, outer: Box) -> bool:
    return outer.x <= inner.x <= outer.x + outer.width and outer.y <= inner.y <= outer.y + outer.height


@settings(max_examples=40, deadline=None)
@given(TYPES)
def test_drawings_stay_on_the_paper(type_: Type) -> None:
    made = picture.drawing(type_)
    paper, *boxes = made.boxes
    for box in boxes:
        assert box.width > 0
        assert box.height > 0
        assert paper.x <= box.x
        assert box.x + box.width <= paper.x + paper.width
        assert box.y + box.height <= paper.height
    assert all(inside(label, paper) for label in made.labels)


@settings(max_examples=40, deadline=None)
@given(TYPES)
def test_no_box_covers_another(type_: Type) -> None:
    boxes = picture.drawing(type_).boxes[1:]
    for i, a in enumerate(boxes):
        for b in boxes[i + 1 :]:
            apart_x = a.x + a.width <= b.x or b.x + b.width <= a.x
            apart_y = a.y + a.height <= b.y or b.y + b.height <= a.y
            assert apart_x or apart_y, (a, b)


@pytest.mark.parametrize(
    ("length", "skipped", "lines"),
    [
        (20, [], ["0", "16"]),
        (48, [], ["0", "16", "32"]),
        (64, ["32"], ["0", "48"]),
        (100, ["64"], ["0", "80", "96"]),
        (10**10, ["9999999968"], ["0", "9999999984"]),
    ],
)
def test_long_arrays_are_cut_short(length: int, skipped: list[str], lines: list[str]) -> None:
    text = picture.svg(sb.carray[sb.uint8, length])
    assert re.findall(r"… (\d+) more bytes like these", text) == skipped
    assert re.findall(r">\+(\d+)<", text) == lines


@pytest.mark.parametrize(
    "type_", [Outer, BITS, HIDDEN, sb.float32x3, sb.float64, sb.array[sb.float32, 0]], ids=str
)
@pytest.mark.parametrize("dialect", ["cxx", "cuda"])
def test_svg_is_well_formed(type_: object, dialect: str) -> None:
    root = ElementTree.fromstring(picture.svg(type_, dialect))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    title = root.find("{http://www.w3.org/2000/svg}title")
    assert title is not None
    assert (title.text or "").endswith(f"in dialect {dialect}")


def test_svg_names_what_it_shows() -> None:
    text = picture.svg(Outer)
    assert "inner: Inner" in text
    assert ">padding<" in text
    assert "<title>inner.b: float64 at byte 16, 8 bytes, aligned to 8</title>" in text
    assert "<title>grid[1, 2]: int16 at byte 34, 2 bytes, aligned to 2</title>" in text


def test_svg_says_what_a_name_says() -> None:
    assert "&lt;T&gt;" in picture.svg(Struct("ns::A<T>", (Field("x", SCALARS["int8"]),)))


def test_png(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture.write_png(Outer, tmp_path / "o.png", "cuda")
    assert (tmp_path / "o.png").read_bytes().startswith(b"\x89PNG")


def test_png_without_matplotlib_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingDependency, match="pip install matplotlib, or write an SVG"):
        png.write(picture.drawing(Outer), tmp_path / "o.png")


# --- the table and the command ---


def printed(type_: object, dialect: str = "cxx") -> list[list[str]]:
    console = Console(file=io.StringIO(), width=200)
    console.print(table(type_, dialect))
    return [line.split() for line in console.file.getvalue().splitlines()]  # type: ignore[attr-defined]


def test_table_shows_padding_and_parts() -> None:
    rows = printed(Outer)
    assert rows[2] == ["0", "152", "8", "Outer"]
    assert ["1", "7", "padding"] in rows
    assert ["8", "16", "8", "inner", "Inner"] in rows
    assert ["16", "8", "8", "b", "float64"] in rows


def test_table_says_bits() -> None:
    rows = printed(BITS)
    assert ["0", "bit", "3", "7", "bits", "b", "uint32"] in rows
    assert ["13", "bit", "0", "1", "bit", "flag", "bool"] in rows


def command(*args: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli.main, ["layout", *args])
    return result.exit_code, result.output


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> str:
    made = types.ModuleType("a_users_module")
    made.Outer, made.shapes, made.number = Outer, types.SimpleNamespace(Inner=Inner), 5  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, made.__name__, made)
    return made.__name__


def test_command(module: str, tmp_path: Path) -> None:
    code, text = command(f"{module}:shapes.Inner", "--dialect", "cuda", "--svg", str(tmp_path / "i.svg"))
    assert code == 0, text
    assert "Inner in dialect cuda" in text
    assert (tmp_path / "i.svg").read_text() == picture.svg(Inner, "cuda")


def test_command_writes_png(module: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    code, _ = command(f"{module}:Outer", "--png", str(tmp_path / "o.png"))
    assert code == 0
    assert (tmp_path / "o.png").stat().st_size > 5000


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Outer", "'Outer' is not of the form module:Type"),
        ("no_such_module:T", "no module 'no_such_module'"),
        ("{}:Nothing", "has no 'Nothing'"),
        ("{}:number", "5 has no machine representation"),
    ],
)
def test_command_says_what_it_did_not_find(module: str, name: str, words: str) -> None:
    code, text = command(name.format(module))
    assert code == 1
    assert words in text
    assert "Traceback" not in text


def test_command_finds_modules_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "module_of_this_folder.py").write_text("import samebytes as sb\nT = sb.int32x2\n")
    monkeypatch.chdir(tmp_path)
    code, text = command("module_of_this_folder:T")
    assert code == 0, text
    assert "int32x2 in dialect cxx" in text


# --- notebooks ---


def as_a_notebook_does(found: object) -> str | None:
    """IPython's rule: of a class, only a method that is bound to the class counts."""
    method = getattr(found, "_repr_html_", None)
    if isinstance(found, type) and not isinstance(method, types.MethodType):
        return None
    return method() if method else None


@pytest.mark.parametrize("cls", [Inner, sb.float32x3], ids=str)
def test_notebooks_show_a_class(cls: type) -> None:
    assert as_a_notebook_does(cls) == picture.svg(cls)


def test_notebooks_show_an_instance() -> None:
    html = as_a_notebook_does(Inner(1, 0.5))
    assert html == f"<div><code>Inner(a=1, b=0.5)</code></div>{picture.svg(Inner)}"


def test_notebooks_show_records() -> None:
    lib = sb.compile("struct P { int x; double y; }; double f(P p) { return p.y; }")
    assert "P in dialect cxx" in (as_a_notebook_does(lib.P) or "")
    assert "P(x=1, y=2.0)" in (as_a_notebook_does(lib.P(1, 2.0)) or "")
