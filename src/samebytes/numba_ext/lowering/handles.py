"""Objects that only C++ makes, copies and destroys, in code that Numba compiles for the CPU.

Compiled code holds such an object by its address and by what keeps it alive: the object of Python's, or memory of its
own whose release destroys the object.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from ...signature import Signature
from ...types import Handle
from ..datamodel.kinds import HandleType, StructType
from ..datamodel.models import ADDRESS
from .site import Site

_FLAG = 8  # bytes behind an object, which say whether it is there
_LARGEST_ALIGN = 16  # what Numba's own allocator gives

# What releases objects of a class: addresses of functions of its library.
DESTROYERS: dict[StructType, int] = {}


def handle_place(site: Site, signature: Signature, kind: HandleType, owners: list[Any]) -> tuple[Any, Any]:
    """Storage for an object that a call gives, and what makes the value of it after the call.

    Parameters
    ----------
    owners : list of (type, value)
        The call's objects: a reference that it returns may point into one.
    """
    if signature.result_passing == "lvalue_ref":
        place = site.stack(8, 8)
        return place, lambda: _view(site, kind, site.builder.load(site.at(place, ADDRESS)), owners)
    layout = kind.dtype.layout
    # The library's own function: memory may outlive the code that asked for it.
    drop = site.context.add_dynamic_addr(site.builder, DESTROYERS[kind.dtype], info="samebytes release")
    owner = site.context.nrt.meminfo_alloc_dtor(site.builder, site.size(layout.size + _FLAG), drop)
    data = site.context.nrt.meminfo_data(site.builder, owner)
    site.zero(data, layout.size + _FLAG)

    def finish() -> Any:
        flag = site.at(site.shift(data, layout.size), ir.IntType(8))
        site.builder.store(ir.IntType(8)(1), flag, align=1)
        return site.make_record(kind, data, owner)

    return data, finish


def _view(site: Site, kind: HandleType, address: Any, owners: list[Any]) -> Any:
    if not owners:
        return site.make_record(kind, address, site.no_owner)
    held, value = owners[0]
    site.context.nrt.incref(site.builder, held, value)
    return site.make_record(kind, address, site.record_owner(held, value))


def refuse(kind: HandleType) -> str | None:
    """Why compiled code cannot make objects of a class; None if it can."""
    struct = kind.dtype.struct
    assert isinstance(struct, Handle)
    if struct.abstract:
        return "it is abstract: C++ makes only objects of classes derived from it"
    if kind.dtype not in DESTROYERS:
        return "its destructor is not public, so only C++ makes and destroys one"
    if kind.dtype.layout.align > _LARGEST_ALIGN:
        return f"it asks for an alignment of {kind.dtype.layout.align} bytes: make it in Python and pass it"
    return None
