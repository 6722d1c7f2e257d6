"""ArrayView: one description of any array, whoever owns it, that speaks every array protocol."""

from .core import ArrayView, c_strides
from .device import DEVICES, HOST, HOST_READABLE, Device
from .dtypes import dtype_of, numpy_type, numpy_words
from .sycl import Usm

__all__ = [
    "DEVICES",
    "HOST",
    "HOST_READABLE",
    "ArrayView",
    "Device",
    "Usm",
    "c_strides",
    "dtype_of",
    "numpy_type",
    "numpy_words",
]
