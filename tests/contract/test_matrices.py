"""What every library of matrices must do with arrays: in, out, written through, or refused in words."""

from __future__ import annotations

import gc
from ctypes.util import find_library
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import samebytes as sb
from samebytes.read.cxxtypes import matrices
from samebytes.toolchain.compilers import find_compiler, system_includes

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

# Of each class: what goes in comes back, what C++ makes comes out, what it writes to is seen, what it remakes is not.
FUNCTIONS = """
inline ARRAY same(const ARRAY& a) { return a; }
inline ARRAY moved(ARRAY a) { return a; }
inline void first(REFERENCE a) { FIRST = 7; }
inline void fill(ARRAY& a) { a = made(); }
inline std::vector<ARRAY> several(std::vector<ARRAY> a) { return a; }
struct Keeps { ARRAY kept; };
"""


class Case(NamedTuple):
    """One class of a library."""

    header: str  # without which it is not installed
    package: str
    include: str
    array: str
    reference: str  # the parameter that is written through
    first: str  # its first element
    made: str  # an array of the numbers 0 to 5
    order: str
    rank: int = 2
    dtype: str = "float64"
    options: dict[str, Any] = {}  # noqa: RUF012 - never changed


EIGEN = {"include_dirs": "/usr/include/eigen3"}
OPENCV = {"include_dirs": "/usr/include/opencv4", "libraries": ["opencv_core"]}
FILL = "for (int i = 0; i < 6; ++i) a"
CASES = {
    "eigen": Case(
        "eigen3/Eigen/Core", "libeigen3-dev", "Eigen/Core", "Eigen::MatrixXd", "Eigen::Ref<ARRAY>", "a(0, 0)",
        f"ARRAY a(2, 3); {FILL}(i / 3, i % 3) = i;", "F", options=EIGEN,
    ),
    "arma": Case(
        "armadillo", "libarmadillo-dev", "armadillo", "arma::cube", "ARRAY&", "a(0, 0, 0)",
        f"ARRAY a(1, 2, 3); {FILL}(0, i / 3, i % 3) = i;", "F", 3, options={"libraries": ["armadillo"]},
    ),
    "cv": Case(
        "opencv4/opencv2/core.hpp", "libopencv-core-dev", "opencv2/core.hpp", "cv::Mat", "ARRAY&",
        "a.at<double>(0, 0)", f"ARRAY a(2, 3, CV_64F); {FILL}.at<double>(i / 3, i % 3) = i;", "C", options=OPENCV,
    ),
    "xt": Case(
        "xtensor/xarray.hpp", "libxtensor-dev", "xtensor/xarray.hpp", "xt::xarray<double>", "ARRAY&", "a(0, 0)",
        f"ARRAY a = xt::zeros<double>({{2, 3}}); {FILL}(i / 3, i % 3) = i;", "C",
    ),
}  # fmt: skip
X = np.arange(6.0)


@pytest.fixture(scope="module", params=CASES)
def bound(request: pytest.FixtureRequest) -> tuple[Case, Any]:
    case = CASES[request.param]
    if not any((Path(place) / case.header).exists() for place in system_includes(find_compiler("c++"))):
        pytest.skip(f"<{case.header}> is not installed: apt install {case.package}")
    if missing := [name for name in case.options.get("libraries", ()) if not find_library(name)]:
        pytest.skip(f"{missing} not found: apt install {case.package}")
    made = f"inline ARRAY made() {{ {case.made} return a; }}"
    text = (made + FUNCTIONS).replace("REFERENCE", case.reference).replace("FIRST", case.first)
    source = f"#include <{case.include}>\n#include <vector>\n{text.replace('ARRAY', case.array)}"
    return case, sb.compile(source, arg_intent={"fill": {"a": "out_return"}}, **case.options)


def shaped(case: Case) -> np.ndarray[Any, Any]:
    return X.reshape((1, 2, 3)[-case.rank :])


def test_every_file_has_a_case() -> None:
    assert {*CASES} == {*matrices._LIBRARIES.names()}


def test_what_goes_in_comes_back(bound: Any) -> None:
    case, lib = bound
    x = shaped(case)
    wide = np.zeros((4, 6, 8)[-case.rank :])
    for given in (x, np.asfortranarray(x), x[..., ::-1], x[:, ::-1], wide[..., ::2], x[:0]):
        for f in (lib.same, lib.moved):
            found = f(given)
            assert np.array_equal(found, given) or (given.size == 0 and found.size == 0)
            assert found.flags.writeable
    with pytest.raises(AttributeError):
        lib.moved.nothing  # noqa: B018 - a function, and no object of the class


def test_results_own_their_memory_in_the_order_of_cxx(bound: Any) -> None:
    case, lib = bound
    kept = [lib.made() for _ in range(5)] + [lib.same(np.ones_like(shaped(case)))]
    kept[0][...] = 3
    gc.collect()
    assert all(np.array_equal(m, shaped(case)) for m in kept[1:5])
    assert kept[5].sum() == 6
    assert kept[0].flags.f_contiguous if case.order == "F" else kept[0].flags.c_contiguous
    assert np.array_equal(lib.fill(), shaped(case))


def test_what_cxx_writes_is_seen(bound: Any) -> None:
    case, lib = bound
    a = np.array(shaped(case) + 1, order=case.order)
    lib.first(a)
    assert a.flat[0] == 7
    assert a.sum() == 21 + 6
    fixed = a.copy(order="K")
    fixed.flags.writeable = False
    with pytest.raises(sb.ArrayError, match="read-only"):
        lib.first(fixed)


def test_members_and_containers(bound: Any) -> None:
    case, lib = bound
    x = shaped(case)
    assert [m.tolist() for m in lib.several([x, x + 1])] == [x.tolist(), (x + 1).tolist()]
    keeps = lib.Keeps()
    keeps.kept = x
    assert np.array_equal(keeps.kept, x)
    assert not keeps.kept.flags.writeable


def test_what_does_not_fit_is_refused_in_words(bound: Any) -> None:
    case, lib = bound
    x = shaped(case)
    wrong = x.astype("int64")
    with pytest.raises(sb.ArrayError, match=r"float64"):
        lib.same(wrong)
    with pytest.raises(sb.ArgumentError):
        lib.same("abc")
    with pytest.raises(sb.ArgumentError):
        lib.same(None)
    if case.array != "xt::xarray<double>":  # which takes any rank
        with pytest.raises(sb.ArrayError, match="dimensions"):
            lib.same(x[0] if case.rank == 2 else x[0, 0])


def test_what_lies_otherwise_is_not_written_to(bound: Any) -> None:
    case, lib = bound
    a = np.zeros((4, 6, 8)[-case.rank :], order=case.order)
    strided = a[..., ::2] if case.order == "C" else a[::2]
    if case.array == "xt::xarray<double>":  # a copy, which is written back
        lib.first(strided)
        assert a.sum() == 7
        return
    with pytest.raises(sb.ArrayError, match="what C\\+\\+ wrote to a copy would be lost"):
        lib.first(strided)
    assert a.sum() == 0
