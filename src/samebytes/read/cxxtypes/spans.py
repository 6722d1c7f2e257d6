"""Parameters that are views: every library's spans and mdspans, known by name, read from template arguments."""

from __future__ import annotations

import re
from dataclasses import replace

from ...later import later_pattern
from ...types import SCALARS, Const, Span, Type
from ..clang.kinds import Kind
from ..clang.libclang import ClangType, passing_of, type_kind
from .cxxtypes import CannotCross, Types, is_const
from .type_names import plain_name
from .views import view_class
from .views.base import DYNAMIC, ViewClass

_MDSPANS = frozenset(
    {
        "std::mdspan", "cuda::std::mdspan", "cuda::host_mdspan", "hip::std::mdspan", "Kokkos::mdspan",
        "std::experimental::mdspan",
    }
)  # fmt: skip
_LAYOUTS = {
    "layout_right": "right",
    "layout_left": "left",
    "layout_stride": "stride",
    "layout_stride_relaxed": "relaxed",
}
_DEFAULT = later_pattern(r"((cuda::|hip::)?std::(experimental::)?|Kokkos::)?(__\w+::)*default_accessor<.*>")
# Whose objects kernels take, by dialect: where their numbers lie is asserted beside the source.
_BY_VALUE = {
    "cuda": frozenset({"cuda::std::mdspan"}),
    "hip": _MDSPANS - {"cuda::std::mdspan", "cuda::host_mdspan"},
}
_INLINE = later_pattern(r"::__\w+(?=::)")


def span_parameter(type_: ClangType, types: Types) -> tuple[Type, str] | None:
    """Type and passing of a canonical parameter type that is a span; None if it is none.

    Raises
    ------
    CannotCross
        With the reason.
    """
    passing, target = passing_of(type_)
    if type_kind(target) != Kind.RECORD or target.get_num_template_arguments() < 1:
        return None
    name = _INLINE.sub("", plain_name(target.spelling))
    template = name.partition("<")[0]
    view = view_class(template)
    if view is None and template not in _MDSPANS:
        return None
    if passing == "lvalue_ref" and not is_const(target):
        raise CannotCross("a span that C++ would change has no counterpart in Python; take it by value")
    span = _span(view, target, name, types) if view else _mdspan(target, template, types)
    return (Const(span) if passing == "lvalue_ref" else span), passing


def _spelling(type_: ClangType, types: Types) -> str:
    return re.sub(r"^const ", "", types.spelling(type_))


def _span(view: ViewClass, type_: ClangType, name: str, types: Types) -> Span:
    element = type_.get_template_argument_type(view.element)
    dtype = types.qualified_value(element)
    span = view.span(_spelling(type_, types), dtype, types.spelling(element))
    return replace(span, index=_counted(type_, name, types, 2 if span.extents == (None,) else 1))


def _counted(type_: ClangType, name: str, types: Types, numbers: int) -> Type | None:
    """In what libcu++'s span counts, where it is an address and behind it, unless C++ fixes it, the count."""
    fields = list(type_.get_fields())
    if not name.startswith("cuda::std::span<") or len(fields) != numbers:
        return None
    places = [(field.get_field_offsetof(), field.type.get_canonical().kind.name) for field in fields]
    if places != [(0, "POINTER"), (64, "ULONG")][:numbers]:
        return None
    return types.value(fields[-1].type) if numbers == 2 else SCALARS["uint64"]


def _mdspan(type_: ClangType, template: str, types: Types) -> Span:
    dtype = types.qualified_value(type_.get_template_argument_type(0))
    of_extents = type_.get_template_argument_type(1).get_canonical()
    extents = of_extents.spelling
    layout = type_.get_template_argument_type(2).get_canonical().spelling
    known = _LAYOUTS.get(layout.rpartition("::")[2])
    if known is None:
        raise CannotCross(f"its layout {layout} is none of {', '.join(_LAYOUTS)}")
    numbers = tuple(_extent(n) for n in re.findall(r", (\d+)[uUlL]*", extents))
    accessor = type_.get_template_argument_type(3).get_canonical().spelling
    request = types.unit.request
    # As before for the host, which makes them of descriptors.
    taken = _BY_VALUE.get(request.dialect if request.kernels else "cuda", frozenset())
    plain = template in taken and _DEFAULT.fullmatch(accessor) is not None
    index = types.value(of_extents.get_template_argument_type(0)) if plain else None
    return Span(
        dtype, len(numbers), spelling=_spelling(type_, types), layout=known, extents=numbers, index=index
    )


def _extent(digits: str) -> int | None:
    return None if int(digits) == DYNAMIC else int(digits)
