"""OpenCV: its functions take NumPy's arrays and give them, or write to them where they lie; its points are records."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

WHERE = {"include_dirs": "/usr/include/opencv4"}
PROGRAM = r"""
#include <opencv2/imgproc.hpp>
int main() {
  cv::Mat m(4, 5, CV_8UC3), smooth;
  for (int i = 0; i < 60; ++i) m.data[i] = i * i % 251;
  cv::blur(m, smooth, cv::Size(3, 3));
  for (int i = 0; i < 60; ++i) tell(smooth.data[i]);
  tell(cv::norm(m));
  cv::flip(m, m, 1);
  for (int i = 0; i < 60; ++i) tell(m.data[i]);
}
"""


@pytest.fixture(scope="module")
def cv(needs: Any) -> Any:
    needs("opencv4/opencv2/imgproc.hpp", "libopencv-imgproc-dev", "opencv_core", "opencv_imgproc")
    return sb.compile(
        "#include <opencv2/imgproc.hpp>\n",
        libraries=["opencv_core", "opencv_imgproc"],
        expose=["cv::blur", "cv::flip", "cv::norm", "cv::multiply", "cv::Size_", "cv::noArray"],
        arg_intent={"cv::blur": {"dst": "out_return"}, "cv::multiply": {"dst": "out_return"}},
        **WHERE,
    ).cv


def test_an_image(cv: Any, agree: Any) -> None:
    image = (np.arange(60) ** 2 % 251).astype("uint8").reshape(4, 5, 3)
    size = cv.Size_["int"](3, 3)
    smooth = cv.blur(image, size)
    assert (smooth.shape, smooth.dtype) == (image.shape, image.dtype)
    assert np.array_equal(cv.blur(image[::-1], size), smooth[::-1])  # strided, and copied
    assert np.array_equal(cv.blur(image[..., 1], size), smooth[..., 1])  # of one channel: two dimensions
    norm = cv.norm(image)
    assert norm == pytest.approx(np.linalg.norm(image))
    cv.flip(image, image, 1)
    flags = ["-I/usr/include/opencv4", "-lopencv_imgproc", "-lopencv_core"]
    agree([*smooth.ravel().tolist(), norm, *image.ravel().tolist()], PROGRAM, *flags)


def test_where_it_is_written(cv: Any) -> None:
    a = np.arange(24.0).reshape(4, 6)
    cv.flip(a[1:3, 1:4], a[1:3, 1:4], 1)  # rows with gaps
    assert a[1].tolist() == [6, 9, 8, 7, 10, 11]
    with pytest.raises(ValueError, match="of another shape or of other elements"):
        cv.flip(a, np.zeros((2, 2)), 1)
    with pytest.raises(sb.ArrayError, match="would be lost"):
        cv.flip(a, a[:, ::2], 1)
    with pytest.raises(sb.ArrayError, match="one of uint8, int8"):
        cv.norm(a.astype("int64"))
    with pytest.raises(RuntimeError, match="arithm"):
        cv.multiply(a, np.zeros((2, 2)))
    assert cv.noArray().size == 0


def test_the_whole_of_core(needs: Any) -> None:
    """More classes than are read at once: those that are named are, and no other."""
    needs("opencv4/opencv2/core.hpp", "libopencv-core-dev", "opencv_core")
    whole = sb.bind("opencv2/core.hpp", libraries=["opencv_core"], **WHERE)
    assert {row.name for row in whole.__model__.later} >= {"Vec3b", "Matx33d", "Point3d", "Mat1b"}
    assert {"Vec3b", "Mat1b", "Point", "norm", "Mat"} <= {*dir(whole.cv)}
    assert whole.cv.Point(3, 4).dot(whole.cv.Point(1, 2)) == 11


@pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
def test_where_all_of_it_is_exposed_its_classes_are_given(needs: Any) -> None:
    needs("opencv4/opencv2/imgproc.hpp", "libopencv-imgproc-dev", "opencv_core", "opencv_imgproc")
    cv: Any = sb.bind(
        "opencv2/imgproc.hpp", libraries=["opencv_core", "opencv_imgproc"], expose=["*/opencv2/*"], **WHERE
    ).cv
    image, out = np.zeros((8, 8), np.uint8), np.zeros((8, 8), np.uint8)
    image[4, 4] = 90
    given, taken = cv.Mat(8, 8, 0, image), cv.Mat(8, 8, 0, out)
    cv.blur(given, taken, cv.Size(3, 3))
    assert (out[3:6, 3:6] == 10).all()
    cv.blur(cv._InputArray(given), taken, cv.Size(1, 1))
    assert (out == image).all()
