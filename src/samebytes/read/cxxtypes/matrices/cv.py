"""OpenCV: Mat, whose elements and channels are known at run time, and what stands for it in OpenCV's own functions."""

from __future__ import annotations

from ....types import SCALARS, NdArray
from ...clang.libclang import ClangType
from .base import Inside, Library

# In the order of OpenCV's depths, CV_8U first: a descriptor says one by its place.
_DEPTHS = tuple(
    SCALARS[name] for name in ("uint8", "int8", "uint16", "int16", "int32", "float32", "float64", "float16")
)


def _mat(*, writes: bool) -> NdArray:
    return NdArray("cv::Mat", _DEPTHS, least=2, most=3, writes=writes, header="cv")


def _reads(spelling: str, type_: ClangType, inside: Inside) -> NdArray:
    return _mat(writes=False)


def _writes(spelling: str, type_: ClangType, inside: Inside) -> NdArray:
    return _mat(writes=True)


LIBRARY = Library(
    "cv",
    {
        "cv::Mat": _reads,
        "cv::_InputArray": _reads,
        "cv::_OutputArray": _writes,
        "cv::_InputOutputArray": _writes,
    },
)
