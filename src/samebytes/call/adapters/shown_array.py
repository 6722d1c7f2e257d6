"""An array behind an address: its attributes, its parts, other shapes of it, and its protocols."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

import numpy as np

from ... import _native
from ...arrays.view import ArrayView, Device
from ...errors import ArrayError
from ...types import Type
from . import configuring, transfer
from .method_errors import names_method

HIP = Device(_native.DEVICE_ROCM)  # where addresses alone are, as in HIP Python's chapter


class ShownArray(_native.Shown):
    """What can be asked of an array where its address, and mostly a view of it, are known.

    Attributes
    ----------
    shape : tuple of int
        Elements.
    strides, byte_strides : tuple of int
        Elements; bytes.
    itemsize, nbytes : int
        Bytes of one element, of all.
    dtype : numpy.dtype or None
        NumPy's name of the element type; None where it has none.
    type : Type or None
        The element type.
    """

    _at = HIP
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    byte_strides: tuple[int, ...]
    itemsize: int
    dtype: np.dtype[Any] | None
    type: Type | None
    dtype_name: str
    ndim: int
    size: int
    nbytes: int
    contiguous: bool
    readonly: bool
    stream: int | None

    @classmethod
    def _of(cls, seen: ArrayView) -> Self:
        made = cls._showing(seen)
        if seen.device is not made._at:
            made._at = seen.device
        return made

    def _view(self) -> ArrayView:
        seen = self._array
        if not isinstance(seen, ArrayView):
            raise ArrayError(
                f"{self!r} is an address alone: configure(shape=…, typestr=…, _force=True) says which array is there"
            )
        return seen

    def __len__(self) -> int:
        return len(self._view())

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key: Any) -> Any:
        """A part, with the meaning of NumPy's basic indices; it shares the memory and keeps it alive.

        A full index into memory that the host may read gives the value.
        """
        found = self._view()[key]
        return self._of(found) if isinstance(found, ArrayView) else found

    @names_method("[...] = x")
    def __setitem__(self, key: Any, value: Any) -> None:
        """Copy from the host into a part."""
        part = self._view()[key if isinstance(key, tuple) else (key,)] if not isinstance(key, str) else None
        seen = part if isinstance(part, ArrayView) else transfer.part(self._view(), key)
        transfer.from_host(seen, value, broadcast=True)

    def reshape(self, *shape: Any) -> Self:
        """The same elements in C order under another shape."""
        return self._of(self._view().reshape(*shape))

    def transpose(self, *axes: int) -> Self:
        """The array with its dimensions permuted; reversed where no axes are given."""
        return self._of(self._view().transpose(*axes))

    def view(self, dtype: Any) -> Self:
        """The same bytes as elements of another type."""
        return self._of(self._view().view(dtype))

    @property
    def T(self) -> Self:  # noqa: N802
        """The array with its dimensions reversed."""
        return self.transpose()

    @property
    def device(self) -> Device:
        """Where the memory is."""
        return self._array.device if isinstance(self._array, ArrayView) else self._at

    @property
    def typestr(self) -> str:
        """The element type as the CUDA Array Interface writes it."""
        return configuring.typestr_of(self._view())

    @property
    def rank(self) -> int:
        """The number of dimensions, as HIP Python calls it."""
        return self._view().ndim

    @property
    def is_read_only(self) -> bool:
        """Whether the memory must not be written, as HIP Python calls it."""
        return self._view().readonly

    @property
    def stream_as_int(self) -> int:
        """The stream on which the data is ready, as HIP Python calls it; 0: it is ready."""
        return self._view().stream or 0

    def __repr__(self) -> str:
        seen = self._array
        if not isinstance(seen, ArrayView):
            return f"{type(self).__name__}({hex(self) if self else None})"
        return f"{type(self).__name__}({repr(seen)[1:-1]})"

    # --- protocols

    def __dlpack__(self, **how: Any) -> Any:
        return self._view().__dlpack__(**how)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._view().__dlpack_device__()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return self._view().__array__(dtype, copy)


def _shared(name: str, kind: str = "attribute") -> property:
    def get(self: ShownArray) -> Any:
        seen = self._array
        if seen is None and kind == "protocol":
            raise AttributeError(f"{name}: {self!r} is an address alone")
        return getattr(self._view(), name)

    return property(get, doc=f"``ArrayView.{name}`` of the array.")


_ATTRIBUTES = (
    "shape", "strides", "byte_strides", "itemsize", "dtype", "type", "dtype_name", "ndim", "size", "nbytes",
    "contiguous", "readonly", "stream",
)  # fmt: skip
_PROTOCOLS = ("__cuda_array_interface__", "__sycl_usm_array_interface__", "__array_interface__")

for _name in _ATTRIBUTES:
    setattr(ShownArray, _name, _shared(_name))
for _name in _PROTOCOLS:
    setattr(ShownArray, _name, _shared(_name, "protocol"))
