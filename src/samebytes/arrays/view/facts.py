"""What every view knows, and its operations ask: the core's facts, strides in elements, and views with others."""

from __future__ import annotations

from typing import Any, Self, TypeVar

from ... import _native
from ...errors import ArrayError
from ...types import Type
from .device import Device

_FACTS = (
    "type", "dtype_name", "ptr", "shape", "byte_strides", "itemsize", "device", "readonly", "protocol", "owner",
    "stream", "dtype",
)  # fmt: skip


class Facts(_native.View):
    """The part of :class:`ArrayView` that its operations, which stand in files of their own, may use."""

    __slots__ = ()

    type: Type | None
    device: Device

    @property
    def strides(self) -> tuple[int, ...]:
        """Strides in elements; 0 where nothing constrains a stride that does not divide.

        Raises
        ------
        ArrayError
            If a stride in bytes is no multiple of the element's size.
        """
        found: tuple[int, ...] | None = self._strides
        if found is None:
            raise ArrayError(
                f"strides: {self.byte_strides} bytes are no multiples of the {self.itemsize}-byte element; "
                "byte_strides has them as they are"
            )
        return found

    def derive(self, **changes: Any) -> Self:
        """A view of the same memory with some facts changed; it holds the same owner."""
        facts: dict[str, Any] = {name: getattr(self, name) for name in _FACTS}
        try:
            return type(self)(**(facts | {"element": self._element} | changes))
        except (ValueError, OverflowError) as error:
            raise ArrayError(f"no such view of {self!r}: {error}") from None


# A view, and what is derived of it: of the same class.
Shown = TypeVar("Shown", bound=Facts)
