"""Adapters: what C functions and launches take in place of raw addresses (HIP Python, "Adapter Types")."""

from ..addresses.adapting import ADAPTERS
from .device_array import DeviceArray
from .launch_extra import KernelParams, LaunchExtra
from .lists import LISTS

ADAPTERS.update({cls.__name__: cls for cls in (DeviceArray, KernelParams, LaunchExtra, *LISTS)})
