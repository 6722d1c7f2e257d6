"""What a class of views is: which of its template arguments say what, and how C++ makes an object of an array."""

from __future__ import annotations

from ....errors import BindError
from ....frozen import frozen
from ....types import Span, Type
from ...spellings import split_outside

DYNAMIC = (1 << 64) - 1  # std::dynamic_extent, as clang shows it
_LAYOUTS = ("right", "left", "stride", "relaxed")


@frozen
class ViewClass:
    """A class template whose objects show an array that another owns.

    What is asked of the array (element type, rank, order, extents, writability, memory) follows from this record by
    :class:`samebytes.types.ArrayRule`, on every target.

    Attributes
    ----------
    template : str
        Its qualified name, ``absl::Span``.
    extents : tuple of (int or None)
        For each dimension the template argument that fixes it, from zero; None: the array's own extent counts.
    element : int
        The template argument that is the element type, with its const.
    layout : str
        As of :class:`samebytes.types.Span`: ``"right"`` (C order), ``"left"``, ``"stride"`` or ``"relaxed"``.
    make : str
        How C++ makes an object, with ``{type}``, ``{data}``, ``{shape[0]}``, ``{strides[0]}`` (in elements) and so on.
        Empty: it has the members and the constructor of ``std::span``.
    """

    template: str
    extents: tuple[int | None, ...] = (1,)
    element: int = 0
    layout: str = "right"
    make: str = ""

    def __post_init__(self) -> None:
        if self.layout not in _LAYOUTS:
            raise BindError(f"{self.template}: layout {self.layout!r} is none of {', '.join(_LAYOUTS)}")
        if not self.make and (len(self.extents), self.layout) != (1, "right"):
            raise BindError(f"{self.template}: only `make` says how C++ makes an object that is no span")

    def span(self, spelling: str, element: Type, cxx: str) -> Span:
        """The type of a parameter of this class.

        Parameters
        ----------
        spelling : str
            The class, ``absl::Span<const float>``.
        element : Type
        cxx : str
            As C++ spells the element, with its const.
        """
        parts = split_outside(spelling.partition("<")[2].rpartition(">")[0], ",")
        extents = tuple(_number(parts, place) for place in self.extents)
        make = self._lambda(spelling, cxx) if self.make else ""
        return Span(
            element, len(extents), spelling=spelling, layout=self.layout, extents=extents, make=make
        )  # fmt: skip

    def _lambda(self, spelling: str, cxx: str) -> str:
        dims = range(len(self.extents))
        made = self.make.format(
            type=spelling, data="samebytes_data", shape=[f"samebytes_shape[{d}]" for d in dims],
            strides=[f"samebytes_strides[{d}]" for d in dims],
        )  # fmt: skip
        counts = "const long* samebytes_shape, const long* samebytes_strides"  # std::int64_t has no name on devices
        unused = "(void)samebytes_shape; (void)samebytes_strides;"
        return f"+[]({cxx}* samebytes_data, {counts}) -> {spelling} {{ {unused} return {made}; }}"


def _number(parts: list[str], place: int | None) -> int | None:
    """The extent that a template argument fixes."""
    if place is None or place >= len(parts):
        return None
    digits = parts[place].strip().rstrip("uUlL")
    return int(digits) if digits.isdigit() and int(digits) != DYNAMIC else None
