"""Equal declarations in several libraries of one process: compiled code takes each library's own classes."""

from __future__ import annotations

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
