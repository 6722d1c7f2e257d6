"""Equal declarations in several libraries of one process: compiled code takes each library's own classes."""

from __future__ import annotations

import numpy as np
import pytest

import samebytes as sb

numba = pytest.importorskip("numba", reason="Numba is not installed")
pytestmark = pytest.mark.full


def test_the_same_declarations_in_two_libraries() -> None:
    """Also one for kernels: each library's fields have the methods of its own classes."""
    source = """
    struct Point { double x, y; D double scaled() const { return x * SCALE; } };
    struct Line { Point from; };
    D Line made() { return {{3, 4}}; }
    """
    sb.compile(source, target="numba_cuda", name="device", defines=["SCALE=9", "D=__device__"])
    for scale in (1, 2):
        lib = sb.compile(source, target="numba", name=f"scaled{scale}", defines=[f"SCALE={scale}", "D="])

        @numba.njit
        def use(lib=lib):
            first = lib.made().from_
            return lib.made().from_.scaled(), first.scaled()

        assert use() == (3 * scale, 3 * scale)


ELEMENTS = """
struct {0} {{ double {0}_x, {0}_y;
  double scaled() const {{ return SCALE * {0}_x + {0}_y; }}
  int counted() const {{ {1} return ++count; }} }};
"""


@pytest.mark.parametrize(
    ("struct", "state", "scales", "same"),
    [
        ("Alike", "int count = 0;", (2, 2), True),
        ("Unlike", "int count = 0;", (2, 3), False),
        ("Counting", "static int count = 0;", (2, 2), False),
    ],
)
def test_methods_of_elements(struct: str, state: str, scales: tuple[int, int], same: bool) -> None:
    """Elements of plain arrays know no class: their method is meant where every library has the same code for it."""
    source = ELEMENTS.format(struct, state)
    libraries = [
        sb.compile(source, target="numba", name=f"{struct}{n}", defines=[f"SCALE={scale}"])
        for n, scale in enumerate(scales)
    ]
    items = np.array([(1.0, 2.0), (3.0, 4.0)], dtype=getattr(libraries[0], struct).dtype)

    @numba.njit
    def total(items):
        found = 0.0
        for item in items:
            found += item.scaled()
        return found

    if same:
        assert total(items) == 2 * 4 + 6
        return
    words = (
        rf"{struct}0\.{struct} or {struct}1\.{struct}, which have the same fields: call it through the class"
    )
    with pytest.raises(numba.TypingError, match=words):
        total(items)
    own = getattr(libraries[1], struct)

    @numba.njit
    def chosen(items):
        found = 0.0
        for item in items:
            found += own.scaled(item)
        return found

    assert chosen(items) == scales[1] * 4 + 6


def test_enumerators_of_another_library() -> None:
    source = """
    enum class Color {{ red, green{0} }};
    struct Dot {{ int x; Color color; }};
    inline int number(Color c) {{ return int(c); }}
    inline int number_of(Dot dot) {{ return dot.x + int(dot.color); }}
    inline int over(int) {{ return 1; }}
    inline int over(Color) {{ return 2; }}
    """
    texts = {"colors1": "", "colors2": "", "colors3": " = 3"}
    one, two, other = (
        sb.compile(source.format(text), target="numba", name=name, defines=[name])
        for name, text in texts.items()
    )
    number, number_of, over, Dot = two.number, two.number_of, two.over, two.Dot  # noqa: N806

    @numba.njit
    def use(color):
        dot = Dot(1, color)
        dot.color = color
        return number(color), number_of(dot), over(color)

    assert use(one.Color.green) == use(two.Color.green) == (1, 2, 2)
    calls = (numba.njit(lambda c: number(c)), numba.njit(lambda c: over(c)), numba.njit(lambda c: Dot(1, c)))
    for call in calls:
        with pytest.raises(numba.TypingError, match="named Color, too, but its green is 3, expected 1"):
            call(other.Color.green)
