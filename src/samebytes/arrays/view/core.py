"""The class ArrayView: facts from the compiled core, operations without a copy, and every protocol's methods."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _native
from ...errors import ArrayError
from . import dlpack, interfaces, shaping
from .device import HOST
from .elements import element, field
from .facts import Facts
from .formats import format_of
from .indexing import Key, place


class ArrayView(Facts):
    """What an array object says about the memory that it shows. Immutable; nothing is ever copied.

    Specification: "Arrays" (CUDA Python device specification). ``__dlpack__``, ``__cuda_array_interface__``,
    ``__sycl_usm_array_interface__``, ``__array_interface__`` and the buffer protocol hand it on.

    An index selects a part, as NumPy's basic indices do: integers, slices, ``...``, ``None``, or a field's name. A full
    index into host memory gives the value (a number, a struct value, a view of a record); anything else gives a view
    that shares the memory.

    Attributes
    ----------
    type : Type or None
        The element type; None where the elements have no machine representation of ours.
    dtype_name : str
        The element type in words, also where ``type`` is None.
    ptr : int
        Address of the element with all indices 0.
    shape : tuple of int
        Elements.
    byte_strides : tuple of int
        Bytes between neighbours in each dimension.
    itemsize : int
        Bytes of one element.
    device : Device
    readonly : bool
    protocol : str
        How the description was obtained.
    owner : object
        Keeps the memory alive and, for a buffer, locked.
    stream : int or None
        The stream on which the data is ready, as its protocol numbers streams; None: it is ready.
    dtype : numpy.dtype or None
        The producer's own dtype, where it has NumPy's.
    ndim, size : int
        Dimensions, and elements.
    T : ArrayView
        The view with its dimensions reversed.
    contiguous, divisible : bool
        Whether the elements lie in C order without gaps; whether every stride that counts is a whole number of
        elements. Extents of 0 and 1 put no constraint on their stride.
    """

    __slots__ = ()

    __dlpack_c_exchange_api__ = _native.exchange_api()

    @property
    def nbytes(self) -> int:
        """Bytes of all elements, without gaps."""
        return self.size * self.itemsize

    def _identity(self) -> tuple[Any, ...]:
        return self.type, self.dtype_name, self.ptr, self.shape, self.byte_strides, self.device, self.readonly

    def __eq__(self, other: object) -> bool:
        """Whether both show the same memory in the same way."""
        return self._identity() == other._identity() if isinstance(other, ArrayView) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._identity())

    def __repr__(self) -> str:
        only = "read-only " if self.readonly else ""
        return f"<{only}{self.dtype_name}{list(self.shape)} in {self.device} at {self.ptr:#x}>"

    # --- without a copy

    def _getitem(self, key: Key) -> Any:
        """What the core asks for parts that are out of the ordinary, for values it has not met, and for refusals."""
        if isinstance(key, str):
            return field(self, key)
        offset, shape, strides, whole = place(key, self.shape, self.byte_strides)
        part = self.derive(ptr=self.ptr + offset, shape=shape, byte_strides=strides)
        return element(part) if whole and self.device.is_host else part

    def transpose(self, *axes: int) -> ArrayView:
        """The view with its dimensions permuted; reversed where no axes are given."""
        return shaping.transpose(self, axes)

    def reshape(self, *shape: int | tuple[int, ...]) -> ArrayView:
        """The same elements in C order under another shape; one extent may be -1.

        Raises
        ------
        ArrayError
            If the number of elements differs, or the strides would need a copy.
        """
        return shaping.reshape(self, shape)

    def view(self, dtype: Any) -> ArrayView:
        """The same bytes as elements of another type: a scalar, a NumPy dtype, an ``@sb.struct`` class …

        Raises
        ------
        ArrayError
            If a structured dtype's fields are not those of the struct, or sizes differ and the last dimension has gaps.
        """
        return shaping.reinterpret(self, dtype)

    def astype(self, dtype: Any, *, copy: bool = False) -> ArrayView:
        """This view, if its elements are of that type already.

        Raises
        ------
        ArrayError
            Where elements would have to be converted or copied: a view allocates nothing.
        """
        return shaping.astype(self, dtype, copy)

    # --- protocols

    def _dlpack(
        self, *, stream: int | None = None, max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None, copy: bool | None = None,
    ) -> Any:  # fmt: skip
        """What ``__dlpack__`` asks where streams, devices or copies come in, and for refusals."""
        return dlpack.capsule(self, stream, max_version, dl_device, copy)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return interfaces.cuda(self)

    @property
    def __sycl_usm_array_interface__(self) -> dict[str, Any]:
        return interfaces.sycl(self)

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return interfaces.host(self)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        """A NumPy array of this memory, also where no other protocol has a word for the dtype (bfloat16 …)."""
        array = interfaces.as_numpy(self)
        if dtype is not None and array.dtype != np.dtype(dtype):
            if copy is False:
                raise ArrayError(f"{self.dtype_name} elements cannot become {np.dtype(dtype)} without a copy")
            return array.astype(dtype)
        return array.copy() if copy else array

    def _buffer_format(self) -> bytes:
        """What the compiled core asks where one letter does not say it."""
        return format_of(self)


_native.set_array_view(ArrayView, HOST)
_native.set_route(ArrayView, "view")


def c_strides(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    """The strides in bytes of a C-ordered array without gaps."""
    strides, step = [], itemsize
    for extent in reversed(shape):
        strides.append(step)
        step *= extent
    return tuple(reversed(strides))
