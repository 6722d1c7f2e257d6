"""The demo's picture: elevation as colour, light as brightness, drawn as a map."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .relief import Relief

# Elevation tints from valley to ridge, after the Imhof school of relief maps.
TINTS = ["#5d7f66", "#86a078", "#b9bd8c", "#dccf9f", "#d3b383", "#b98f6b", "#a07a66", "#d9cdc6", "#f7f3ee"]
INK, PAPER = "#37322d", "#faf7f1"


def tint(elevation: npt.NDArray[Any], light: npt.NDArray[np.float32]) -> npt.NDArray[Any]:
    """Elevation tints under the light.

    Parameters
    ----------
    elevation : array of shape (rows, columns)
    light : array of shape (rows, columns)
        0 for darkness, 1 for full light.

    Returns
    -------
    array of shape (rows, columns, 3)
        Red, green and blue, each 0 to 1.
    """
    from matplotlib.colors import LinearSegmentedColormap

    low, high = np.percentile(elevation, [0.5, 99.8])
    colour = LinearSegmentedColormap.from_list("relief", TINTS)((elevation - low) / (high - low))[..., :3]
    level = light / np.median(light)
    shadow = np.array([0.15, 0.16, 0.28])  # shadows turn blue, as they do under a sky
    dark = 0.84 * np.clip(1 - level, 0, 1)[..., None] ** 0.95
    bright = np.clip(level - 1, 0, 1)[..., None]
    shaded = colour * (1 - dark) + shadow * dark + (1 - colour) * bright * 0.75
    return np.asarray(np.clip(shaded, 0, 1))


def write(path: Path, relief: Relief, light: npt.NDArray[np.float32]) -> None:
    """Write the map of `relief` under `light` to the PNG file `path`."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LinearSegmentedColormap, Normalize
    from matplotlib.figure import Figure

    rows, columns = relief.elevation.shape
    wide, high = columns * relief.width, rows * relief.height  # metres
    figure = Figure(figsize=(9.0, 9.0 * 0.92 * high / wide + 1.42), dpi=160, facecolor=PAPER)
    FigureCanvasAgg(figure)
    inch = 1 / figure.get_figheight()
    axes = figure.add_axes((0.04, 0.66 * inch, 0.92, 1 - 1.42 * inch))
    axes.imshow(
        tint(relief.elevation, light), extent=(0, wide, 0, high), interpolation="lanczos", aspect="equal"
    )
    axes.set(xticks=[], yticks=[])
    axes.spines[:].set_color(INK)

    figure.text(0.04, 1 - 0.28 * inch, relief.title, color=INK, size=17, family="serif", va="center")
    figure.text(0.04, 1 - 0.53 * inch, relief.subtitle, color=INK, size=8.5, va="center", alpha=0.75)
    figure.text(0.96, 1 - 0.53 * inch, "shaded by C++, called through samebytes", color=INK, size=8.5,
                va="center", ha="right", alpha=0.75)  # fmt: skip

    bar = 5000  # metres
    scale = figure.add_axes((0.04, 0.30 * inch, 0.92 * bar / wide, 0.07 * inch))
    scale.imshow(
        [[0, 1, 0, 1, 0]], cmap=LinearSegmentedColormap.from_list("bar", [INK, PAPER]), aspect="auto"
    )
    scale.set(xticks=[], yticks=[])
    figure.text(0.04 + 0.92 * bar / wide + 0.01, 0.33 * inch, "5 km", color=INK, size=8.5, va="center")

    key = figure.add_axes((0.66, 0.30 * inch, 0.30, 0.09 * inch))
    limits = Normalize(*np.percentile(relief.elevation, [0.5, 99.8]))
    figure.colorbar(
        ScalarMappable(limits, LinearSegmentedColormap.from_list("relief", TINTS)),
        key,
        orientation="horizontal",
    ).outline.set_visible(False)
    key.tick_params(labelsize=7.5, colors=INK, length=2)
    figure.text(0.65, 0.33 * inch, "elevation in m", color=INK, size=8.5, va="center", ha="right")
    figure.savefig(path, format="png", facecolor=PAPER)
