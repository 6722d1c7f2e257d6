"""Multidimensional views as libcu++ makes them of DLPack tensors: from any array, checked in the same order."""

from __future__ import annotations

from .conversions import to_device_mdspan, to_host_mdspan, to_managed_mdspan
from .tensor import DLTensor
from .views import Mdspan

__all__ = ["DLTensor", "Mdspan", "to_device_mdspan", "to_host_mdspan", "to_managed_mdspan"]
