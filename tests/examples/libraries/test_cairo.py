"""Cairo from its own headers: pictures in memory of NumPy's, a PNG told to Python, paths that are arrays of unions."""

from __future__ import annotations

import ctypes.util
import struct
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]


@pytest.fixture(scope="module")
def cairo(needs: Callable[[str, str], None]) -> Any:
    needs("cairo/cairo.h", "libcairo2-dev")
    library = ctypes.util.find_library("cairo")
    if library is None:
        pytest.skip("libcairo is not there: apt install libcairo2")
    return sb.bind("cairo.h", library=library, style="c_api", include_dirs="/usr/include/cairo")


@pytest.fixture
def pixels() -> Any:
    """Blue, green, red and alpha of 8 rows of 16."""
    return np.zeros((8, 16, 4), np.uint8)


@pytest.fixture
def surface(cairo: Any, pixels: Any) -> Any:
    made = cairo.cairo_image_surface_create_for_data(pixels, cairo.CAIRO_FORMAT_ARGB32, 16, 8, 64)
    yield made
    cairo.cairo_surface_destroy(made)


@pytest.fixture
def context(cairo: Any, surface: Any) -> Any:
    made = cairo.cairo_create(surface)
    yield made
    cairo.cairo_destroy(made)


def drawn(cairo: Any, surface: Any, context: Any) -> None:
    cairo.cairo_set_source_rgb(context, 1, 0, 0)
    cairo.cairo_rectangle(context, 2, 1, 5, 4)
    cairo.cairo_fill(context)
    cairo.cairo_surface_flush(surface)


def test_a_rectangle(cairo: Any, surface: Any, context: Any, pixels: Any) -> None:
    drawn(cairo, surface, context)
    expected = np.zeros_like(pixels)
    expected[1:5, 2:7] = (0, 0, 255, 255)
    assert (pixels == expected).all()
    assert cairo.cairo_status(context) == (cairo.CAIRO_STATUS_SUCCESS,)


def chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 8
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at : at + 8])
        yield kind, png[at + 8 : at + 8 + size]
        at += 12 + size


def test_a_png_told_to_python(cairo: Any, surface: Any, context: Any) -> None:
    drawn(cairo, surface, context)
    png = bytearray()

    def write(closure: Any, data: Any, length: int) -> int:
        png.extend(data if isinstance(data, bytes) else ctypes.string_at(int(data), length))
        return 0

    assert cairo.cairo_surface_write_to_png_stream(surface, write, None) == (cairo.CAIRO_STATUS_SUCCESS,)
    found = dict(chunks(bytes(png)))
    assert struct.unpack(">2I2B", found[b"IHDR"][:10]) == (16, 8, 8, 6)
    rows = np.frombuffer(zlib.decompress(found[b"IDAT"]), np.uint8).reshape(8, 65)
    assert rows.shape == (8, 1 + 16 * 4)
    with pytest.raises(ZeroDivisionError):
        cairo.cairo_surface_write_to_png_stream(surface, lambda closure, data, length: 1 // 0, None)


def test_a_path(cairo: Any, context: Any) -> None:
    """An array of unions: a header, and as many points as it says."""
    cairo.cairo_move_to(context, 1, 2)
    cairo.cairo_curve_to(context, 1, 2, 3, 4, 5, 6)
    path = cairo.cairo_copy_path(context)
    seen, at = [], 0
    union, size = cairo.cairo_path_data_t, cairo.cairo_path_data_t.c_sizeof()
    while at < path.num_data:
        parts = [union.fromObj(int(path.data) + (at + i) * size) for i in range(4)]
        header = parts[0].header
        seen.append((header.type.name, [(p.point.x, p.point.y) for p in parts[1 : header.length]]))
        at += header.length
    assert seen[:2] == [
        ("CAIRO_PATH_MOVE_TO", [(1, 2)]),
        ("CAIRO_PATH_CURVE_TO", [(1, 2), (3, 4), (5, 6)]),
    ]
    cairo.cairo_path_destroy(path)


def test_matrices(cairo: Any) -> None:
    matrix, inverse = cairo.cairo_matrix_t(), cairo.cairo_matrix_t()
    cairo.cairo_matrix_init_rotate(matrix, np.pi / 6)
    cairo.cairo_matrix_translate(matrix, 3, 4)
    a = np.array([[matrix.xx, matrix.xy, matrix.x0], [matrix.yx, matrix.yy, matrix.y0], [0, 0, 1]])
    inverse = matrix.replace()
    assert cairo.cairo_matrix_invert(inverse) == (cairo.CAIRO_STATUS_SUCCESS,)
    b = np.array([[inverse.xx, inverse.xy, inverse.x0], [inverse.yx, inverse.yy, inverse.y0], [0, 0, 1]])
    assert np.allclose(a @ b, np.eye(3))


def test_what_is_wrong_is_refused(cairo: Any, surface: Any, context: Any) -> None:
    with pytest.raises(sb.ArgumentError, match="_cairo handle"):
        cairo.cairo_fill(surface)
    with pytest.raises(sb.ArrayError, match="cairo_set_dash"):
        cairo.cairo_set_dash(context, np.array([8, 4]), 2, 0)
    with pytest.raises(sb.Error, match="cairo_move_to"):
        cairo.cairo_move_to(context, "1", 2)
    closed = cairo.cairo_image_surface_create(cairo.CAIRO_FORMAT_ARGB32, -1, 5)
    assert cairo.cairo_surface_status(closed) == (cairo.CAIRO_STATUS_INVALID_SIZE,)
