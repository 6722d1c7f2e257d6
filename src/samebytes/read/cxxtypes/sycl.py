"""Memory of a work-group, which kernels of SYCL take as a parameter."""

from __future__ import annotations

from ...types import Pointer, Type
from ..clang.kinds import Kind
from ..clang.libclang import ClangType, element_type, type_kind
from .cxxtypes import CannotCross, Types, template_number
from .sycl_names import without_version
from .type_names import plain_name

_ACCESSOR = "sycl::local_accessor"
_MEMORY = "sycl::ext::oneapi::experimental::work_group_memory"
_FIXED = "its size is fixed: work_group_memory<T[]> is launched, and work_group_static needs no launch"


def local_parameter(type_: ClangType, types: Types) -> tuple[Type, str] | None:
    """Memory of a work-group, of which a launch says how much it is; None if a parameter is none.

    Raises
    ------
    CannotCross
        If its size is no matter of a launch.
    """
    if types.unit.request.dialect != "sycl" or type_kind(type_) != Kind.RECORD:
        return None
    template = without_version(plain_name(type_.spelling)).partition("<")[0]
    if template not in (_ACCESSOR, _MEMORY):
        return None
    element = type_.get_template_argument_type(0).get_canonical()
    if template == _ACCESSOR and (template_number(type_) or 1) != 1:
        raise CannotCross("a local accessor of one dimension is launched, and others are not yet")
    if template == _MEMORY:
        if type_kind(element) != Kind.INCOMPLETE_ARRAY:
            raise CannotCross(_FIXED)
        element = element_type(element)
    return Pointer(types.value(element), memory="local"), "value"
