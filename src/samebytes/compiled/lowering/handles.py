"""Objects that only C++ makes, copies and destroys, in code that Numba compiles for the CPU; and what C++ refers to.

Compiled code holds such an object by its address and by what keeps it alive: the object of Python's, or memory of its
own whose release destroys the object.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import cfunc, types
from numba.extending import intrinsic

from ...types import Handle
from ..datamodel.kinds import HandleType, RecordType, StructType
from ..datamodel.models import ADDRESS
from .site import Site

_FLAG = 8  # bytes behind an object, which say whether it is there
_LARGEST_ALIGN = 16  # what Numba's own allocator gives

# Where Numba's owners (NRT_MemInfo) have what releases their memory, its address and its bytes.
_RELEASER, _DATA, _SIZE = 16, 24, 32
# ... how many references there are to one, the bytes, and their address.
OWNER_WORDS = 0, _SIZE, _DATA

# What releases objects of a class: addresses of functions of its library.
DESTROYERS: dict[StructType, int] = {}


Place = tuple[Any, Callable[[], Any], Callable[[], None]]


def reference_place(site: Site, kind: RecordType, owners: list[Any]) -> Place:
    """Storage for the address of what a call refers to, and what makes the value of it after the call.

    Parameters
    ----------
    owners : list of (type, value)
        The call's objects and records: the reference may point into one.
    """
    place = site.stack(8, 8)
    return place, lambda: _view(site, kind, site.builder.load(site.at(place, ADDRESS)), owners), lambda: None


def handle_place(site: Site, kind: HandleType) -> Place:
    """Storage for an object that a call gives, what makes the value of it afterwards, and what frees it otherwise."""
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

    # Nothing says yet that an object is there, so this frees the memory alone.
    return data, finish, lambda: site.release(kind, site.make_record(kind, data, owner))


def _view(site: Site, kind: RecordType, address: Any, owners: list[Any]) -> Any:
    if site.compiler.cuda or not owners:
        return site.make_record(kind, address, site.no_owner)
    for held, value in owners:
        site.context.nrt.incref(site.builder, held, value)
    parts = [site.record_owner(held, value) for held, value in owners]
    return site.make_record(kind, address, parts[0] if len(parts) == 1 else _together(site, parts))


def _together(site: Site, owners: list[Any]) -> Any:
    """One owner that stands for several, whose references it takes over."""
    drop = site.context.add_dynamic_addr(site.builder, _releaser().address, info="samebytes owners")
    made = site.context.nrt.meminfo_alloc_dtor(site.builder, site.size(8 * len(owners)), drop)
    data = site.context.nrt.meminfo_data(site.builder, made)
    for i, owner in enumerate(owners):
        site.builder.store(owner, site.at(site.shift(data, 8 * i), owner.type))
    return made


def owners_of(owner: int) -> list[int] | None:
    """The owners that one stands for, borrowed, from its address; None if it stands for itself."""
    # Where Numba's own allocator has no Python object, its second word is what releases the memory.
    if ctypes.c_void_p.from_address(owner + _RELEASER).value != _releaser().address:
        return None
    count = ctypes.c_size_t.from_address(owner + _SIZE).value // 8
    data = ctypes.c_void_p.from_address(owner + _DATA).value or 0
    return list((ctypes.c_size_t * count).from_address(data))


@cache
def _releaser() -> Any:
    """A C function that releases each of the owners in memory of ours; it lives as long as the process."""

    @intrinsic
    def release(typing: Any, data: Any, index: Any) -> Any:
        def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kind = types.MemInfoPointer(types.uint8)
            table = builder.bitcast(args[0], context.get_value_type(kind).as_pointer())
            context.nrt.decref(builder, kind, builder.load(builder.gep(table, [args[1]])))
            return context.get_dummy_value()

        return types.void(types.voidptr, types.intp), write

    @cfunc(types.void(types.voidptr, types.uint64, types.voidptr))
    def release_all(data: Any, size: int, unused: Any) -> None:
        for i in range(np.intp(size) // 8):
            release(data, i)

    return release_all


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
