"""Views that C++ calls mdspan: the struct that libcu++ makes of address, extents, strides and offset."""

from __future__ import annotations

from collections.abc import Callable

from ..frozen import frozen
from .array import CArray
from .base import Type
from .pointer import Pointer
from .scalar import SCALARS
from .struct import Field, Struct

# Which numbers each layout keeps beside the address and the extents.
MDSPAN_LAYOUTS: dict[str, tuple[str, ...]] = {
    "right": (),
    "left": (),
    "stride": ("strides",),
    "relaxed": ("strides", "offset"),
}


@frozen(slots=False)
class Mdspan(Struct):
    """``cuda::std::mdspan<T, cuda::std::dims<rank, int64_t>, layout>`` as libcu++ lays it out.

    Attributes
    ----------
    dtype : Type
        The element type, with its const.
    rank : int
    layout : str
        ``"right"``, ``"left"``, ``"stride"`` or ``"relaxed"`` (libcu++'s ``layout_stride_relaxed``).
    """

    dtype: Type = SCALARS["float32"]
    rank: int = 0
    layout: str = "stride"

    @property
    def parts(self) -> tuple[Type, ...]:
        return (self.dtype, *(f.type for f in self.fields))

    def with_parts(self, change: Callable[[Type], Type]) -> Mdspan:
        """The mdspan of a changed element type, from which all its fields follow."""
        dtype = change(self.dtype)
        return self if dtype is self.dtype else Mdspan.of(dtype, self.rank, self.layout)

    @classmethod
    def of(cls, dtype: Type, rank: int, layout: str) -> Mdspan:
        """The mdspan of an element type; ``{T* data; int64_t extents[rank], strides[rank], offset}``."""
        numbers = CArray(SCALARS["int64"], (rank,))
        held = ("extents", *MDSPAN_LAYOUTS[layout])
        fields = [Field("data", Pointer(dtype))]
        fields += [Field(name, numbers) for name in held if name != "offset" and rank]
        fields += [Field("offset", SCALARS["int64"])] if "offset" in held else []
        return cls(f"mdspan[{dtype}, {rank}, {layout}]", tuple(fields), dtype=dtype, rank=rank, layout=layout)
