"""Where everything in the picture of a layout goes: boxes and labels, in pixels, for whoever paints them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ...frozen import frozen
from .cells import Cell, amount, count

WIDTH = 896  # pixels of a full line
COLUMNS, BIT_COLUMNS = 16, 8  # bytes to a line; of a type with bit-fields
LEAF, HEAD, RULER, GAP = 50, 22, 16, 14
LEFT, TOP, MARGIN = 52, 66, 18
ADVANCE = 0.6  # width of a monospaced letter by its size

# kind: fill, stroke, text
COLOURS = {
    "bool": ("#f3d9fa", "#ae3ec9", "#702083"),
    "int": ("#d0ebff", "#339af0", "#1057a0"),
    "uint": ("#c5f6fa", "#15aabf", "#0b5f6c"),
    "float": ("#d3f9d8", "#40c057", "#1e6b2e"),
    "complex": ("#fff3bf", "#fab005", "#8a5a00"),
    "pointer": ("#ffe3e3", "#fa5252", "#a11d1d"),
    "other": ("#e9ecef", "#868e96", "#343a40"),
    "padding": ("#ffffff", "#ced4da", "#868e96"),
    "unseen": ("#f1f3f5", "#adb5bd", "#868e96"),
}
INK, FAINT, PAPER, EDGE = "#212529", "#868e96", "#ffffff", "#dee2e6"


@frozen
class Box:
    """A rectangle; ``title`` is what a pointer resting on it reads."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    stroke: str
    hatched: bool = False
    radius: float = 3
    title: str = ""


@frozen
class Label:
    """One line of text; ``y`` is its baseline, ``anchor`` is ``"start"``, ``"middle"`` or ``"end"``."""

    x: float
    y: float
    text: str
    size: float
    colour: str
    bold: bool = False
    anchor: str = "middle"
    upright: bool = False  # reads from below to above


@dataclass(slots=True)
class Drawing:
    """A picture's extent in pixels, and its shapes from back to front."""

    title: str
    bit: float  # the width of a bit
    width: float = 0
    height: float = 0
    boxes: list[Box] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)


def draw(root: Cell, dialect: str) -> Drawing:
    """The picture of a type: lines of sixteen bytes, each with a ruler, nested types above their parts."""
    widest = BIT_COLUMNS if any(leaf.bit_field for leaf in root.leaves()) else COLUMNS
    columns = min(widest, root.size)
    picture = Drawing(f"{root.type} in dialect {dialect}", bit=WIDTH / widest / 8)
    y: float = TOP
    for first, skipped in _lines(root, 8 * columns):
        if skipped:
            text = f"… {skipped * columns} more bytes like these"
            picture.labels.append(Label(LEFT, y + 4, text, 11, FAINT, anchor="start"))
            y += 26
            continue
        y = _line(picture, root, first, first + 8 * columns, y) + GAP
    facts = _facts(root, dialect)
    picture.width = max(
        LEFT + columns * 8 * picture.bit + MARGIN,
        LEFT + max(ADVANCE * 17 * len(root.type), ADVANCE * 12 * len(facts)) + MARGIN,
    )
    y = _legend(picture, root, y + 4)
    picture.height = y + MARGIN
    paper = Box(0.5, 0.5, picture.width - 1, picture.height - 1, PAPER, EDGE, radius=8)
    picture.boxes.insert(0, paper)
    picture.labels += [
        Label(LEFT, 30, root.type, 17, INK, bold=True, anchor="start"),
        Label(LEFT, 49, facts, 12, FAINT, anchor="start"),
    ]
    return picture


def _facts(root: Cell, dialect: str) -> str:
    padding = sum(cell.length for cell in root.leaves() if cell.kind == "padding")
    lost = f", {amount(padding)} of padding" if padding else ""
    return f"{dialect}: {amount(root.length)}, aligned to {root.align}{lost}"


def _lines(root: Cell, step: int) -> Iterator[tuple[int, int]]:
    """The first bit of each line to paint, with 0; of lines that all look alike, with their number."""
    alike = {}
    for leaf in root.leaves():
        # All but the first and the last of the lines that the leaf fills.
        start, lines = -(-leaf.start // step) + 1, leaf.end // step - -(-leaf.start // step) - 2
        if lines > 1:
            alike[start * step] = lines
    first = 0
    while first < root.length:
        skipped = alike.get(first, 0)
        yield first, skipped
        first += max(skipped, 1) * step


def _line(picture: Drawing, root: Cell, first: int, last: int, y: float) -> float:
    """Paint the bits from ``first`` to ``last``; return where the line ends."""
    top = y + RULER
    tops = root.parts or (root,)
    bottom = top + (_depth(tops, first, last) - 1) * HEAD + LEAF
    picture.labels.append(Label(LEFT - 10, bottom - LEAF / 2 + 4, f"+{first // 8}", 12, FAINT, anchor="end"))
    numbered = -1.0
    for cell in _within(root.leaves(), first, last):
        x = LEFT + max(cell.start - first, 0) * picture.bit
        byte = cell.start // 8
        room = ADVANCE * 10 * len(str(byte)) + 6
        if cell.start >= first and cell.start % 8 == 0 and x >= numbered:
            picture.labels.append(Label(x + 2, top - 4, str(byte), 10, FAINT, anchor="start"))
            numbered = x + room
    for cell in _within(tops, first, last):
        _cell(picture, cell, cell.name, first, last, top, bottom)
    return bottom


def _within(found: Iterator[Cell] | tuple[Cell, ...], first: int, last: int) -> Iterator[Cell]:
    return (cell for cell in found if cell.start < last and first < cell.end)


def _depth(found: tuple[Cell, ...], first: int, last: int) -> int:
    return max((1 + _depth(cell.parts, first, last) for cell in _within(found, first, last)), default=0)


def _cell(picture: Drawing, cell: Cell, path: str, first: int, last: int, top: float, bottom: float) -> None:
    left, right = (
        LEFT + (bit - first) * picture.bit for bit in (max(cell.start, first), min(cell.end, last))
    )
    height = HEAD if cell.parts else bottom - top
    fill, stroke, ink = COLOURS["other" if cell.parts else cell.kind]
    box = Box(
        left + 1, top + 1, right - left - 2, height - 2, fill, stroke, cell.gap, title=_title(cell, path)
    )
    picture.boxes.append(box)
    name = cell.name if cell.start >= first else f"…{cell.name}"
    if cell.parts:
        _head(picture, name, cell.type, left, right, top, ink)
    else:
        _leaf(picture, cell, name, left, right, (top + bottom) / 2, ink)
    for part in _within(cell.parts, first, last):
        joined = path + part.name if part.name.startswith("[") else f"{path}.{part.name}"
        _cell(picture, part, joined, first, last, top + HEAD, bottom)


def _title(cell: Cell, path: str) -> str:
    where = f"byte {cell.start // 8}" + (
        f", bit {cell.start % 8}" if cell.start % 8 or cell.bit_field else ""
    )
    align = f", aligned to {cell.align}" if cell.align else ""
    kind = f": {cell.type}" if cell.type else ""
    return f"{path}{kind} at {where}, {amount(cell.length)}{align}"


def _head(picture: Drawing, name: str, kind: str, left: float, right: float, top: float, ink: str) -> None:
    whole = f"{name}: {kind}"
    text = whole if _width(whole, 11) <= right - left - 8 else _cut(name, 11, right - left - 8)
    picture.labels.append(Label((left + right) / 2, top + HEAD / 2 + 4, text, 11, ink))


def _leaf(picture: Drawing, cell: Cell, name: str, left: float, right: float, y: float, ink: str) -> None:
    room, x = right - left - 6, (left + right) / 2
    if cell.gap:
        if _width(name, 10) <= room:
            picture.labels.append(Label(x, y + 3, name, 10, ink))
        return
    below = count(cell.length, "bit") if cell.bit_field else cell.type
    if not name:  # the type itself is a leaf
        name, below = below, amount(cell.length)
    if _width(name, 9) > room and room < 20:
        text = _cut(name, 10, LEAF - 6)
        picture.labels.append(Label(x + 3.5, y, text, 10, ink, bold=True, upright=True))
        return
    size = next((size for size in (13, 12, 11, 10, 9) if _width(name, size) <= room), 9)
    two = _width(below, 10) <= room or _width(below, 8) <= room
    picture.labels.append(Label(x, y - 2 if two else y + 4, _cut(name, size, room), size, ink, bold=True))
    if two:
        picture.labels.append(Label(x, y + 13, below, 10 if _width(below, 10) <= room else 8, ink))


def _width(text: str, size: float) -> float:
    return ADVANCE * size * len(text)


def _cut(text: str, size: float, room: float) -> str:
    letters = int(room / (ADVANCE * size))
    return text if len(text) <= letters else text[: letters - 1] + "…" if letters > 1 else ""


def _legend(picture: Drawing, root: Cell, y: float) -> float:
    """One patch per kind that the picture has, left to right and line by line."""
    present = {leaf.kind for leaf in root.leaves()}
    x = float(LEFT)
    for kind, (fill, stroke, _) in COLOURS.items():
        if kind not in present:
            continue
        room = 20 + _width(kind, 11) + 16
        if x + room > picture.width and x > LEFT:
            x, y = LEFT, y + 20
        picture.boxes.append(Box(x, y, 14, 12, fill, stroke, kind in ("padding", "unseen"), radius=2))
        picture.labels.append(Label(x + 20, y + 10, kind, 11, FAINT, anchor="start"))
        x += room
    return y + 12
