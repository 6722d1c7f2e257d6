"""OpenCV: its functions on NumPy's arrays in place, its points as records, what its matrices lack."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import samebytes as sb

SOURCE = r"""
#include <opencv2/core.hpp>
#include <samebytes/array.hpp>
inline cv::Mat view(samebytes::array<double, 2> a) {
  return cv::Mat(a.shape[0], a.shape[1], CV_64F, a.data, a.strides[0] * sizeof(double));
}
inline double norm(samebytes::array<double, 2> a) { return cv::norm(view(a)); }
inline void flip(samebytes::array<double, 2> a) { cv::Mat m = view(a); cv::flip(m, m, 1); }
inline cv::Point2f middle(cv::Point2f a, cv::Point2f b) { return (a + b) * 0.5f; }
inline cv::Point2f at(float x, float y) { return {x, y}; }
inline cv::Mat eye(int n) { return cv::Mat::eye(n, n, CV_64F); }
inline void refuse() { cv::Mat a(2, 3, CV_64F), b(2, 3, CV_64F), c = a * b; }
"""


@pytest.fixture(scope="module")
def lib(needs: Any) -> Any:
    needs("opencv4/opencv2/core.hpp", "libopencv-core-dev", "opencv_core")
    return sb.compile(SOURCE, include_dirs="/usr/include/opencv4", libraries=["opencv_core"])


def test_arrays(lib: Any) -> None:
    a = np.arange(6.0).reshape(2, 3)
    assert lib.norm(a) == pytest.approx(np.linalg.norm(a))
    lib.flip(a)
    assert a.tolist() == [[2, 1, 0], [5, 4, 3]]
    assert tuple(lib.middle(lib.at(0, 0), lib.at(2, 4))) == (1.0, 2.0)
    with pytest.raises(sb.ArgumentError, match=r"expose=\['cv::Point_'\]"):
        lib.middle(
            (0, 0), (2, 4)
        )  # its constructors, which alone make one, are in a header that is not exposed
    with pytest.raises(RuntimeError, match="Assertion failed"):
        lib.refuse()


def test_a_matrix_says_what_binds_its_functions(lib: Any) -> None:
    eye = lib.eye(2)
    assert (eye.rows, eye.cols, eye.dims) == (2, 2, 2)
    with pytest.raises(AttributeError, match=r"expose=\['cv::Mat'\]"):
        eye.total()


def test_the_whole_of_core(needs: Any) -> None:
    """More classes than are read at once: those that are named are, and no other."""
    needs("opencv4/opencv2/core.hpp", "libopencv-core-dev", "opencv_core")
    whole = sb.bind("opencv2/core.hpp", include_dirs="/usr/include/opencv4", libraries=["opencv_core"])
    assert {row.name for row in whole.__model__.later} >= {"Vec3b", "Matx33d", "Point3d", "Mat1b"}
    assert {"Vec3b", "Mat1b", "Point", "norm", "Mat"} <= {*dir(whole.cv)}
    assert whole.cv.Point(3, 4).dot(whole.cv.Point(1, 2)) == 11
