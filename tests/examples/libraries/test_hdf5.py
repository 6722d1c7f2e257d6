"""HDF5 from its own header: macros that are calls in a header of five lines, arrays on disk in another byte order."""

from __future__ import annotations

import ctypes.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

# H5T_NATIVE_DOUBLE is (H5open(), H5T_NATIVE_DOUBLE_g): a call, and a variable of the library.
HEADER = """
#include <hdf5.h>
static inline hid_t native_double(void) { return H5T_NATIVE_DOUBLE; }
static inline hid_t big_endian_double(void) { return H5T_IEEE_F64BE; }
static inline unsigned truncate(void) { return H5F_ACC_TRUNC; }
"""


@pytest.fixture(scope="module")
def h5(needs: Callable[[str, str], None], tmp_path_factory: pytest.TempPathFactory) -> Any:
    needs("hdf5/serial/hdf5.h", "libhdf5-dev")
    library = ctypes.util.find_library("hdf5_serial")
    if library is None:
        pytest.skip("libhdf5_serial is not there: apt install libhdf5-103")
    header: Path = tmp_path_factory.mktemp("hdf5") / "own_hdf5.h"
    header.write_text(HEADER)
    return sb.bind(
        header, library=library, style="c_api", language="c", include_dirs=["/usr/include/hdf5/serial"],
        expose=["*/hdf5/*"], arg_intent={"H5Literate": {"idx": "in"}},
    )  # fmt: skip


@pytest.fixture
def file(h5: Any, tmp_path: Path) -> Any:
    made = h5.H5Fcreate(str(tmp_path / "x.h5"), h5.truncate()[0], 0, 0)[0]
    yield made
    assert h5.H5Fclose(made) == (0,)


def test_an_array(h5: Any, file: int, tmp_path: Path) -> None:
    x = np.arange(12.0).reshape(3, 4)
    space = h5.H5Screate_simple(2, np.array(x.shape, np.uint64), None)[0]
    data = h5.H5Dcreate2(file, "x", h5.big_endian_double()[0], space, 0, 0, 0)[0]
    assert h5.H5Dwrite(data, h5.native_double()[0], 0, 0, 0, x) == (0,)
    assert h5.H5Fflush(file, h5.H5F_SCOPE_GLOBAL) == (0,)
    assert x.astype(">f8").tobytes() in (tmp_path / "x.h5").read_bytes()

    found, extents = np.zeros_like(x), np.zeros(2, np.uint64)
    assert h5.H5Sget_simple_extent_dims(h5.H5Dget_space(data)[0], extents, None) == (2,)
    assert extents.tolist() == [3, 4]
    assert h5.H5Dread(data, h5.native_double()[0], 0, 0, 0, found) == (0,)
    assert np.array_equal(found, x)
    assert h5.H5Dclose(data) == (0,)


def test_names_one_by_one(h5: Any, file: int) -> None:
    for name in ("b", "a", "c"):
        assert h5.H5Gclose(h5.H5Gcreate2(file, name, 0, 0, 0)[0]) == (0,)
    seen = []

    def visit(group: int, name: str, info: Any, data: Any) -> int:
        seen.append((name, info.type))
        return 0

    assert h5.H5Literate(file, h5.H5_INDEX_NAME, h5.H5_ITER_INC, None, visit, None) == (0,)
    assert seen == [(name, h5.H5L_TYPE_HARD) for name in "abc"]


def test_errors_are_told_to_python(h5: Any, file: int) -> None:
    told = []

    def report(stack: int, data: Any) -> int:
        told.append(stack)
        return 0

    kept = h5.H5E_auto2_t(report)
    assert h5.H5Eset_auto2(0, kept, None) == (0,)
    try:
        assert h5.H5Dopen2(file, "none", 0) == (-1,)
    finally:
        h5.H5Eset_auto2(0, None, None)
    assert len(told) == 1


def test_variables(h5: Any) -> None:
    h5.H5open()
    assert h5.H5T_NATIVE_DOUBLE_g == h5.native_double()[0] > 0
