"""xtensor: xarray, whose rank is known at run time, and xtensor; both own their elements."""

from __future__ import annotations

from ....types import NdArray
from ...clang.libclang import ClangType
from ...spellings import split_outside
from ..standard import argument, template_name
from .base import Inside, Library, element_of


def _container(spelling: str, type_: ClangType, inside: Inside) -> NdArray | None:
    """By the class of the elements' memory, ``uvector<double>``, whose first argument is the number."""
    element = element_of(argument(type_, 0), inside)
    if element is None:
        return None
    if template_name(spelling) == "xt::xarray_container":
        return NdArray(spelling, (element,), order="", header="xt")
    parts = split_outside(spelling.partition("<")[2].rpartition(">")[0], ",")
    rank = int(parts[1].strip().rstrip("uUlL"))
    return NdArray(spelling, (element,), rank, rank, "", header="xt") if rank <= NdArray.MOST else None


def _base(spelling: str, type_: ClangType, inside: Inside) -> NdArray | None:
    """The base of all expressions, ``xexpression<E>``: the array itself is the argument."""
    found = argument(type_, 0)
    name = str(found.spelling).removeprefix("const ")
    return _container(name, found, inside) if template_name(name) in _CONTAINERS else None


_CONTAINERS = ("xt::xarray_container", "xt::xtensor_container")
LIBRARY = Library(
    "xt",
    {**dict.fromkeys(_CONTAINERS, _container), "xt::xexpression": _base},
    deduced=("xt::xarray<{0}> &",) * NdArray.MOST,
)
