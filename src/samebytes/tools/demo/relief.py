"""The demo's elevation data and the NumPy formula that the C++ code is measured against."""

from __future__ import annotations

from math import cos, radians, sin
from typing import Any

import numpy as np
import numpy.typing as npt

from ...errors import MissingDependency
from ...frozen import frozen

METRES_PER_DEGREE = 111_200.0  # along a meridian


@frozen
class Relief:
    """An elevation model.

    Attributes
    ----------
    elevation : array of int16, shape (rows, columns)
        Metres above the sea; row 0 is the northern edge.
    width, height : float
        One cell on the ground, in metres, west to east and north to south.
    """

    elevation: npt.NDArray[np.int16]
    width: float
    height: float
    title: str
    subtitle: str


def load() -> Relief:
    """The Jacksboro fault in Tennessee, a sample that ships inside Matplotlib.

    Raises
    ------
    MissingDependency
        If Matplotlib is not installed.
    """
    try:
        from matplotlib.cbook import get_sample_data
    except ImportError:
        raise MissingDependency(
            "The demo takes its elevation data from Matplotlib: pip install 'samebytes[demo]'."
        ) from None
    sample: Any = get_sample_data("jacksboro_fault_dem.npz")
    with sample as data:
        elevation = np.ascontiguousarray(data["elevation"], dtype=np.int16)
        north, south = sorted((float(data["ymin"]), float(data["ymax"])), reverse=True)
        step = float(data["dx"])
    rows, columns = elevation.shape
    return Relief(
        elevation,
        width=step * METRES_PER_DEGREE * cos(radians((north + south) / 2)),
        height=step * METRES_PER_DEGREE,
        title="Jacksboro Fault, Tennessee",
        subtitle=f"{rows} × {columns} cells of 3 arc seconds, from Matplotlib's sample data",
    )


def hillshade(
    dem: npt.NDArray[np.int16], azimuth: float, altitude: float, cell: float
) -> npt.NDArray[np.float32]:
    """Horn's method in NumPy, with the operations of hillshade.cpp in the same order."""
    grid = np.pad(dem.astype(np.int32), 1, mode="edge")
    nw, n, ne = grid[:-2, :-2], grid[:-2, 1:-1], grid[:-2, 2:]
    w, e = grid[1:-1, :-2], grid[1:-1, 2:]
    sw, s, se = grid[2:, :-2], grid[2:, 1:-1], grid[2:, 2:]
    per_cell = 1 / (8 * cell)
    p = ((ne + 2 * e + se) - (nw + 2 * w + sw)) * per_cell
    q = ((sw + 2 * s + se) - (nw + 2 * n + ne)) * per_cell
    a, b = azimuth * (np.pi / 180), altitude * (np.pi / 180)
    east, north, up = sin(a) * cos(b), cos(a) * cos(b), sin(b)
    light = (up + q * north - p * east) / np.sqrt(1 + p * p + q * q)
    return np.asarray(np.maximum(light, 0.0), np.float32)
