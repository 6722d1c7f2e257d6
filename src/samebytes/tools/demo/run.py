"""Runs the demo: compile, call with each array library, compare bytes and times, draw."""

from __future__ import annotations

import hashlib
import timeit
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

import samebytes as sb

from ...frozen import frozen
from . import picture, relief

SOURCE = Path(__file__).with_name("hillshade.cpp")
# The light of relief maps: from the north-west, halfway up. The cells are 74 m by 93 m; saying 30 m
# exaggerates the heights almost threefold.
SUN = (315.0, 45.0, 30.0)

Arrays = tuple[Any, Any]


def _numpy(dem: npt.NDArray[np.int16]) -> Arrays:
    return dem, np.empty(dem.shape, np.float32)


def _torch(dem: npt.NDArray[np.int16]) -> Arrays:
    import torch

    return torch.from_numpy(dem.copy()), torch.empty(dem.shape, dtype=torch.float32)


def _jax(dem: npt.NDArray[np.int16]) -> Arrays:
    import jax

    return jax.device_put(dem, jax.devices("cpu")[0]), np.empty(dem.shape, np.float32)


@frozen
class Library:
    """An array library: its package, what the call is given, and how to make that."""

    name: str
    package: str
    given: str
    arrays: Callable[[npt.NDArray[np.int16]], Arrays]


LIBRARIES = (
    Library("NumPy", "numpy", "NumPy arrays", _numpy),
    Library("PyTorch", "torch", "PyTorch tensors", _torch),
    Library("JAX", "jax", "a JAX array, into a NumPy array", _jax),
)

VERDICTS = {
    True: "[green]The same bytes[/] from every library, and with the sun as a plain tuple.",
    False: "[red]The results differ[/], which must not be: please report it.",
}


@frozen
class Measured:
    """One way to shade: the median time of a call in milliseconds, and the result's digest."""

    time: float
    digest: str


def _milliseconds(call: Callable[[], object]) -> float:
    return 1e3 * median(timeit.repeat(call, number=1, repeat=15))


def _digest(array: object) -> str:
    return hashlib.sha256(np.ascontiguousarray(np.asarray(array)).tobytes()).hexdigest()


def _measure(
    library: Library, shade: Callable[..., object], dem: npt.NDArray[np.int16], sun: object
) -> Measured:
    source, result = library.arrays(dem)
    time = _milliseconds(partial(shade, source, sun, result))
    return Measured(time, _digest(result))


def _table(formula: Measured, found: dict[str, Measured]) -> Table:
    table = Table(title="hillshade(dem, sun, out)", title_justify="left", title_style="bold")
    table.add_column("called with")
    table.add_column("time", justify="right")
    table.add_column("speed-up", justify="right")
    table.add_column("SHA-256 of the result")

    def add(given: str, row: Measured) -> None:
        table.add_row(given, f"{row.time:.2f} ms", f"{formula.time / row.time:.1f} x", row.digest[:16])

    add("the formula in NumPy", formula)
    for library in LIBRARIES:
        if library.name in found:
            add(library.given, found[library.name])
        else:
            table.add_row(f"no {library.name}: pip install {library.package}", style="dim")
    return table


def run(out: Path, console: Console) -> bool:
    """Run the demo.

    Parameters
    ----------
    out : Path
        The PNG file to write.
    console : rich.console.Console
        Where progress and results go.

    Returns
    -------
    bool
        Whether every library's result was the same bytes.

    Raises
    ------
    MissingDependency
        If Matplotlib or a C++ compiler is missing.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    data = relief.load()
    dem = data.elevation
    console.print(f"[bold]{data.title}[/]: {dem.shape[0]} x {dem.shape[1]} elevations, {dem.dtype}")

    start = perf_counter()
    with console.status(f"compiling {SOURCE.name}"):
        lib = sb.compile(SOURCE)
    console.print(f"{SOURCE.name} read, compiled and loaded in {perf_counter() - start:.2f} s")

    with console.status("timing the NumPy formula"):
        expected = relief.hillshade(dem, *SUN)
        formula = Measured(_milliseconds(partial(relief.hillshade, dem, *SUN)), _digest(expected))
    found = {}
    for library in LIBRARIES:
        if find_spec(library.package) is not None:
            with console.status(f"calling with {library.name}"):
                found[library.name] = _measure(library, lib.hillshade, dem, lib.Sun(*SUN))
    console.print(_table(formula, found))

    light = np.empty(dem.shape, np.float32)
    lib.hillshade(dem, SUN, light)  # a plain tuple serves as the struct
    same = {_digest(light)} == {measured.digest for measured in found.values()}
    console.print(VERDICTS[same])
    difference = float(np.abs(light - expected).max())
    console.print(f"Largest difference from the NumPy formula: {difference:.1g}", highlight=False)
    with console.status("drawing"):
        picture.write(out, data, light)
    console.print(f"The map is in [bold]{out}[/]")
    return same
