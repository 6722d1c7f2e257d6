"""Multidimensional views as libcu++ makes them of DLPack tensors: from any array, checked in the same order."""

from ...later import later

__getattr__ = later(__name__, "checks", "conversions", "tensor", "views")
