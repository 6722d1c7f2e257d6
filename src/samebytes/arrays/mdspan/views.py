"""The view itself: libcu++'s mdspan with its mapping, as a Python object that knows its machine image."""

from __future__ import annotations

import struct
from functools import cache
from math import prod
from typing import Any, ClassVar

from ... import _native
from ...errors import ArgumentError, Mismatch, value_words
from ...types import Mdspan as MdspanType
from ...types import Type
from ...values.conversion import Packed
from ..view import ArrayView, Device
from .checks import Want, address, c_order, f_order
from .elements import Element
from .tensor import DLTensor, to_view


class Mdspan:
    """A non-owning view in the eyes of C++ (ISO C++ [views.multidim]); in Python it keeps its array alive.

    Attributes
    ----------
    extents, strides : tuple of int
        Elements.
    data_handle : int
        The address that the mdspan holds.
    offset : int
        Elements from there to the element with all indices 0; 0 except in layout ``"relaxed"``.
    device : Device
    readonly : bool
    owner : object
    """

    __slots__ = ("_owner", "data_handle", "device", "element", "extents", "offset", "readonly", "strides")
    __samebytes_type__: ClassVar[Type]
    layout: ClassVar[str]
    rank: ClassVar[int]
    place: ClassVar[str]

    extents: tuple[int, ...]
    strides: tuple[int, ...]
    data_handle: int
    offset: int
    device: Device
    readonly: bool
    element: Element
    _owner: Any

    def __init__(self) -> None:
        raise TypeError("an mdspan is made by to_host_mdspan, to_device_mdspan or to_managed_mdspan")

    @property
    def size(self) -> int:
        """The number of elements; unlike C++'s it never wraps."""
        return prod(self.extents)

    @property
    def owner(self) -> Any:
        """What keeps the memory alive."""
        return self._owner

    @property
    def required_span_size(self) -> int:
        """Elements from ``data_handle`` to the last one that an index can reach, plus one; 0 without elements."""
        if 0 in self.extents:
            return 0
        reach = sum((n - 1) * s for n, s in zip(self.extents, self.strides, strict=True) if s > 0)
        return self.offset + 1 + reach

    @property
    def is_unique(self) -> bool:
        """What the C++ mapping answers: false for layout ``"relaxed"``, which does not look."""
        return self.layout != "relaxed"

    @property
    def is_exhaustive(self) -> bool:
        """What the C++ mapping answers: whether the elements fill their span; false for ``"relaxed"``."""
        return self.layout != "relaxed" and (
            self.layout in ("right", "left") or self.required_span_size == self.size
        )

    @property
    def is_strided(self) -> bool:
        """Whether strides alone tell where an element is: no offset is added."""
        return self.offset == 0

    def extent(self, dimension: int) -> int:
        """The number of indices in one dimension."""
        return self.extents[dimension]

    def stride(self, dimension: int) -> int:
        """Elements between neighbours in one dimension."""
        return self.strides[dimension]

    def mapping(self, *indices: int) -> int:
        """Elements from ``data_handle`` to the element with these indices.

        Raises
        ------
        ArgumentError
            If their number is not the rank.
        IndexError
            If one is out of range.
        """
        if len(indices) != self.rank:
            raise ArgumentError(f"mapping() takes {self.rank} indices, got {len(indices)}")
        for d, (i, n) in enumerate(zip(indices, self.extents, strict=True)):
            if not 0 <= i < n:
                raise IndexError(f"index {i} is out of range for dimension {d} with extent {n}")
        return self.offset + sum(i * s for i, s in zip(indices, self.strides, strict=True))

    def to_dlpack(self) -> DLTensor:
        """The tensor that shows the same elements; the mapping's offset becomes ``byte_offset``.

        libcu++'s ``to_dlpack_tensor`` loses that offset. Without elements the address is NULL, as DLPack wants.
        """
        empty = 0 in self.extents
        return DLTensor(
            0 if empty else self.data_handle, self.extents, self.strides, self.element.dlpack,
            0 if empty else self.offset * self.element.size % (1 << 64), self.device, self.rank, self.readonly,
            owner=self, words=repr(self),
        )  # fmt: skip

    def view(self) -> ArrayView:
        """The same elements as an :class:`~samebytes.arrays.view.ArrayView`."""
        return to_view(self.to_dlpack(), self.element.type, self.element.size)

    def __dlpack__(self, **how: Any) -> Any:
        """A DLPack capsule of the same elements; it keeps them alive."""
        return self.view().__dlpack__(**how)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device.type, self.device.id

    def __repr__(self) -> str:
        offset = f", offset={self.offset}" if self.layout == "relaxed" else ""
        kind = str(self.__samebytes_type__)
        return f"{self.place}_{kind}(extents={self.extents}, strides={self.strides}{offset})"


@cache
def _class(type_: MdspanType, place: str) -> type[Mdspan]:
    body = {
        "__slots__": (), "__samebytes_type__": type_, "layout": type_.layout, "rank": type_.rank, "place": place,
        "__module__": __name__,
    }  # fmt: skip
    return type(f"{place}_{type_}", (Mdspan,), body)


def make(tensor: DLTensor, want: Want) -> Mdspan:
    """The view of a tensor that passed the checks."""
    shape = (tensor.shape or ())[: want.rank]
    strides = _strides(tensor, want, shape)
    data, offset = address(tensor, want.layout), 0
    if want.layout == "relaxed":
        size = want.element.size
        offset = tensor.byte_offset // size
        below = 0 if 0 in shape else -sum((n - 1) * s for n, s in zip(shape, strides, strict=True) if s < 0)
        if below > offset:  # the mapping's precondition: no index lies below the handle
            data, offset = (data - (below - offset) * size) % (1 << 64), below
    made = object.__new__(_class(MdspanType.of(want.element.qualified, want.rank, want.layout), want.place))
    made.extents, made.strides, made.data_handle, made.offset = shape, strides, data, offset
    made.device, made.readonly, made.element = (
        tensor.device,
        tensor.readonly or want.element.const,
        want.element,
    )
    made._owner = tensor if tensor.owner is None else tensor.owner
    _tell_autograd(made)
    return made


def _tell_autograd(made: Mdspan) -> None:
    """C++ may write to the tensor behind it, from now on and in each call that gets it."""
    if not made.readonly:
        _native.raise_version(made.owner)


def _strides(tensor: DLTensor, want: Want, shape: tuple[int, ...]) -> tuple[int, ...]:
    if want.layout in ("right", "left"):
        return (c_order if want.layout == "right" else f_order)(shape)
    given = c_order(shape) if tensor.strides is None else tensor.strides
    if want.layout == "relaxed":
        return given
    # layout_stride wants positive numbers also where a stride is never used.
    dense = c_order(tuple(max(n, 1) for n in shape))
    return tuple(s if s > 0 else d for s, d in zip(given, dense, strict=True))


def mdspan_rule(type_: MdspanType, value: Any, dialect: str) -> Packed:
    if not isinstance(value, Mdspan) or value.__samebytes_type__ != type_:
        raise Mismatch(
            ArgumentError, str(type_), value_words(value), "to_host_mdspan() and its like make one"
        )
    numbers = [*value.extents]
    numbers += value.strides if type_.layout in ("stride", "relaxed") else ()
    numbers += [_signed(value.offset)] if type_.layout == "relaxed" else []
    _tell_autograd(value)
    return Packed(struct.pack(f"=Q{len(numbers)}q", value.data_handle, *numbers), (value,))


def _signed(number: int) -> int:
    return number - (1 << 64) if number >= 1 << 63 else number
