"""Paints a drawing as PNG, with Matplotlib."""

from __future__ import annotations

from pathlib import Path

from ...errors import MissingDependency
from .drawing import Drawing

_PER_INCH = 72  # a drawing's pixel is a point
_SCALE = 2  # pixels of the file to one of the drawing
_ALIGN = {"start": "left", "middle": "center", "end": "right"}


def write(picture: Drawing, path: Path) -> None:
    """Write the file.

    Raises
    ------
    MissingDependency
        If Matplotlib is not installed.
    """
    try:
        import matplotlib
        from matplotlib.figure import Figure
        from matplotlib.patches import FancyBboxPatch
    except ImportError:
        raise MissingDependency(
            "A PNG of a layout is painted by Matplotlib: pip install matplotlib, or write an SVG."
        ) from None
    size = picture.width / _PER_INCH, picture.height / _PER_INCH
    figure = Figure(figsize=size, dpi=_SCALE * _PER_INCH)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, picture.width), ylim=(picture.height, 0))
    axes.set_axis_off()
    for box in picture.boxes:
        patch = FancyBboxPatch(
            (box.x, box.y), box.width, box.height, f"round,pad=0,rounding_size={box.radius}",
            facecolor=box.fill, edgecolor=box.stroke, hatch="////" if box.hatched else None, linewidth=1,
        )  # fmt: skip
        axes.add_patch(patch)
    for label in picture.labels:
        axes.text(
            label.x, label.y, label.text, size=label.size, color=label.colour, ha=_ALIGN[label.anchor], va="baseline",
            weight="bold" if label.bold else "normal", family="DejaVu Sans Mono", parse_math=False,
            rotation=90 if label.upright else 0, rotation_mode="anchor",
        )  # fmt: skip
    with matplotlib.rc_context({"hatch.linewidth": 1.6}):
        figure.savefig(path, format="png")
