"""FreeType from its own headers: records behind records, lists of them, bit flags, outlines decomposed by Python."""

from __future__ import annotations

import ctypes
import ctypes.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

FONT = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")


@pytest.fixture(scope="module")
def ft(needs: Callable[[str, str], None], tmp_path_factory: pytest.TempPathFactory) -> Any:
    needs("freetype2/freetype/freetype.h", "libfreetype-dev")
    library = ctypes.util.find_library("freetype")
    if library is None or not FONT.exists():
        pytest.skip("libfreetype or DejaVu Sans is not there: apt install libfreetype6 fonts-dejavu-core")
    header = tmp_path_factory.mktemp("freetype") / "own_freetype.h"
    header.write_text("#include <freetype/freetype.h>\n#include <freetype/ftoutln.h>\n")
    return sb.bind(
        header, library=library, style="c_api", language="c", check=["FT_Init_FreeType", "FT_New_Face"],
        include_dirs="/usr/include/freetype2", expose=["*/freetype/*"],
    )  # fmt: skip


@pytest.fixture
def face(ft: Any) -> Any:
    library = ft.FT_Init_FreeType()
    yield ft.FT_New_Face(library, str(FONT), 0)
    ft.FT_Done_FreeType(library)


def test_a_face(ft: Any, face: Any) -> None:
    assert ctypes.string_at(int(face.family_name)) == b"DejaVu Sans"
    assert face.face_flags & ft.FT_FACE_FLAG_SCALABLE
    assert not face.style_flags & ft.FT_STYLE_FLAG_BOLD
    assert face.bbox.xMin < 0 < face.bbox.xMax
    assert face.charmap.encoding == ft.FT_ENCODING_UNICODE
    assert int(face.charmap.face) == int(face)
    assert ft.FT_Get_Char_Index(face, ord("A")) != 0


def test_a_glyph_as_a_picture(ft: Any, face: Any) -> None:
    """An H is two stems with a bar: what is dark says so."""
    assert ft.FT_Set_Pixel_Sizes(face, 0, 64) == 0
    assert ft.FT_Load_Char(face, ord("H"), ft.FT_LOAD_RENDER) == 0
    bitmap = face.glyph.bitmap
    assert bitmap.pixel_mode == ft.FT_PIXEL_MODE_GRAY
    size = bitmap.rows * bitmap.pitch
    pixels = np.frombuffer(ctypes.string_at(int(bitmap.buffer), size), np.uint8).reshape(bitmap.rows, -1)
    dark = pixels[:, : bitmap.width] > 127
    assert dark[:, 3].all()
    assert dark[:, -4].all()
    middle = dark[:, bitmap.width // 2]
    assert 0 < middle.sum() < bitmap.rows / 4
    assert face.glyph.metrics.height == bitmap.rows << 6
    assert face.glyph.advance.x == face.glyph.metrics.horiAdvance
    assert face.size.metrics.y_ppem == 64


def test_an_outline_told_to_python(ft: Any, face: Any) -> None:
    """The contours of an H have one point for each corner: the area by Gauss's formula is that of FreeType's pixels."""
    assert ft.FT_Load_Char(face, ord("H"), ft.FT_LOAD_NO_SCALE) == 0
    outline = face.glyph.outline
    assert (outline.n_contours, outline.n_points) == (1, 12)
    points: list[tuple[int, int]] = []
    told = ft.FT_Outline_Funcs(
        move_to=lambda to, user: points.append((to.x, to.y)) or 0,
        line_to=lambda to, user: points.append((to.x, to.y)) or 0,
    )
    assert ft.FT_Outline_Decompose(outline, told, None) == 0
    memory = (ctypes.c_char * (outline.n_points * ft.FT_Vector.c_sizeof())).from_address(int(outline.points))
    assert points[:12] == np.frombuffer(memory, ft.FT_Vector.dtype).tolist()
    x, y = np.array(points).T
    box = ft.FT_BBox()
    ft.FT_Outline_Get_CBox(outline, box)
    assert (box.xMin, box.yMin, box.xMax, box.yMax) == (x.min(), y.min(), x.max(), y.max())
    area = abs(np.dot(x[:-1], y[1:]) - np.dot(x[1:], y[:-1])) / 2
    stem, bar = x[x > x.min()].min() - x.min(), (box.xMax - box.xMin) * (box.yMax - box.yMin)
    assert 2 * stem * (box.yMax - box.yMin) < area < bar


def test_what_is_wrong_is_refused(ft: Any, face: Any) -> None:
    with pytest.raises(sb.StatusError, match="FT_New_Face"):
        ft.FT_New_Face(ft.FT_Init_FreeType(), "/nowhere.ttf", 0)
    with pytest.raises(sb.Error, match=r"FT_Load_Char\(\) argument 1 'face'"):
        ft.FT_Load_Char(face.glyph.bitmap, 65, 0)
    with pytest.raises(sb.ArgumentError, match="FT_FaceRec"):
        ft.FT_Set_Pixel_Sizes(ft.FT_Init_FreeType(), 0, 64)
