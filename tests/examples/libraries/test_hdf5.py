"""HDF5 from its own header: macros that are calls, arrays on disk in another byte order."""

from __future__ import annotations

import ctypes.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]


@pytest.fixture(scope="module")
def h5(needs: Callable[[str, str], None]) -> Any:
    needs("hdf5/serial/hdf5.h", "libhdf5-dev")
    library = ctypes.util.find_library("hdf5_serial")
    if library is None:
        pytest.skip("libhdf5_serial is not there: apt install libhdf5-103")
    return sb.bind(
        "hdf5.h", library=library, style="c_api", include_dirs=["/usr/include/hdf5/serial"],
        arg_intent={"H5Literate": {"idx": "in"}},
    )  # fmt: skip


@pytest.fixture
def file(h5: Any, tmp_path: Path) -> Any:
    made = h5.H5Fcreate(str(tmp_path / "x.h5"), h5.H5F_ACC_TRUNC, 0, 0)
    yield made
    assert h5.H5Fclose(made) == 0


def test_an_array(h5: Any, file: int, tmp_path: Path) -> None:
    x = np.arange(12.0).reshape(3, 4)
    space = h5.H5Screate_simple(2, np.array(x.shape, np.uint64), None)
    data = h5.H5Dcreate2(file, "x", h5.H5T_IEEE_F64BE, space, 0, 0, 0)
    assert h5.H5Dwrite(data, h5.H5T_NATIVE_DOUBLE, 0, 0, 0, x) == 0
    assert h5.H5Fflush(file, h5.H5F_SCOPE_GLOBAL) == 0
    assert x.astype(">f8").tobytes() in (tmp_path / "x.h5").read_bytes()

    found, extents = np.zeros_like(x), np.zeros(2, np.uint64)
    assert h5.H5Sget_simple_extent_dims(h5.H5Dget_space(data), extents, None) == 2
    assert extents.tolist() == [3, 4]
    assert h5.H5Dread(data, h5.H5T_NATIVE_DOUBLE, 0, 0, 0, found) == 0
    assert np.array_equal(found, x)
    assert h5.H5Dclose(data) == 0


def test_names_one_by_one(h5: Any, file: int) -> None:
    for name in ("b", "a", "c"):
        assert h5.H5Gclose(h5.H5Gcreate2(file, name, 0, 0, 0)) == 0
    seen = []

    def visit(group: int, name: str, info: Any, data: Any) -> int:
        seen.append((name, info.type))
        return 0

    assert h5.H5Literate(file, h5.H5_INDEX_NAME, h5.H5_ITER_INC, None, visit, None) == 0
    assert seen == [(name, h5.H5L_TYPE_HARD) for name in "abc"]


def test_errors_are_told_to_python(h5: Any, file: int) -> None:
    told = []

    def report(stack: int, data: Any) -> int:
        told.append(stack)
        return 0

    kept = h5.H5E_auto2_t(report)
    assert h5.H5Eset_auto2(0, kept, None) == 0
    try:
        assert h5.H5Dopen2(file, "none", 0) == -1
    finally:
        h5.H5Eset_auto2(0, None, None)
    assert len(told) == 1


def test_an_error_of_ones_own(h5: Any) -> None:
    text = "%d of %s"
    where = (h5.H5E_DEFAULT, "file.c", "f", 7, h5.H5E_ERR_CLS, h5.H5E_DATASET, h5.H5E_CANTGET)
    assert h5.H5Epush2(*where, text, 3, "five") == 0
    with pytest.raises(sb.ArgumentError, match="for %d"):
        h5.H5Epush2(*where, text, 3.5, "five")
    seen = []

    def look(n: int, error: Any, data: Any) -> int:
        seen.append((error.desc, error.line, error.maj_num))
        return 0

    assert h5.H5Ewalk2(h5.H5E_DEFAULT, h5.H5E_WALK_UPWARD, look, None) == 0
    assert ("3 of five", 7, h5.H5E_DATASET) in seen
    assert h5.H5Eclear2(h5.H5E_DEFAULT) == 0


def test_macros_that_are_calls(h5: Any) -> None:
    assert h5.H5T_NATIVE_INT != h5.H5T_NATIVE_DOUBLE
    sizes = {h5.H5T_NATIVE_INT: 4, h5.H5T_NATIVE_DOUBLE: 8, h5.H5T_STD_I16BE: 2, h5.H5T_C_S1: 1}
    assert {t: h5.H5Tget_size(t) for t in sizes} == sizes
    assert h5.H5P_FILE_CREATE > 0
    with pytest.raises(AttributeError, match="'H5T_NATIVE_INT' is a macro, which C evaluates each time"):
        h5.H5T_NATIVE_INT = 5


def test_variables(h5: Any) -> None:
    h5.H5open()
    assert h5.H5T_NATIVE_DOUBLE_g == h5.H5T_NATIVE_DOUBLE > 0
