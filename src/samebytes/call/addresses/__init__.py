"""Arguments that are addresses: arrays and pointers."""

from ...later import later

__getattr__ = later(
    __name__,
    "arrays",
    "device_pointers",
    "foreign",
    "matrices",
    "ndarrays",
    "places",
    "sequences",
    "sparse",
    "spans",
    "tensors",
)
