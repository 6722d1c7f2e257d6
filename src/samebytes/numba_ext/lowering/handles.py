"""Objects that only C++ makes, copies and destroys, in code that Numba compiles for the CPU.

Compiled code holds such an object by its address and by what keeps it alive: the object of Python's, or memory of its
own whose release destroys the object.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from ...errors import ArgumentError, Mismatch
from ...signature import Parameter, Signature
from ...types import Handle, Type
from ...values.handle import CxxHandle
from ..arguments.numbers import Fit
from ..arguments.objects import base_rank, object_address
from ..arguments.rules import RULES
from ..boxing import payload
from ..compiler import World
from ..datamodel.equivalents import struct_type
from ..datamodel.kinds import HandleType, StructType
from ..datamodel.models import ADDRESS, Site

_FLAG = 8  # bytes behind an object, which say whether it is there
_LARGEST_ALIGN = 16  # what Numba's own allocator gives

# What releases objects of a class: addresses of functions of its library.
DESTROYERS: dict[StructType, int] = {}


def _object(type_: Handle, argument: Any, dialect: str, parameter: Parameter | None) -> Fit:
    found = object_address(type_, argument)
    if found is None:
        advice = "" if type_.abstract else f"{type_.short_name}(...) makes one"
        raise Mismatch(ArgumentError, f"an object of {type_.short_name}", str(argument), advice)
    return Fit(base_rank(type_, argument), found)


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


def _boxed(cls: Any, address: int, owner: int, const: bool) -> Any:
    """The Python object of an object that compiled code returns, whose reference to the owner it takes over."""
    from numba.core.runtime import nrt

    return cls._view(address, nrt.MemInfo(owner) if owner else None, const)


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


def register_handles(world: World) -> None:
    """Teach the compiler objects of C++."""
    box, unbox, native = world.pythonapi.box, world.pythonapi.unbox, world.pythonapi.NativeValue
    RULES[Handle] = _object

    @world.typeof.typeof_impl.register(CxxHandle)
    def typeof_handle(value: Any, context: Any) -> Any:
        return type_of(value, world.dialect)

    @unbox(HandleType)
    def unbox_handle(typ: HandleType, obj: Any, c: Any) -> Any:
        site = Site(world, c.context, c.builder)
        data = payload(site, obj)
        return native(site.make_record(typ, data, c.pyapi.nrt_meminfo_new_from_pyobject(data, obj)))

    @box(HandleType)
    def box_handle(typ: HandleType, value: Any, c: Any) -> Any:
        site, word = Site(world, c.context, c.builder), ir.IntType(64)
        address, owner = (
            c.pyapi.long_from_longlong(site.builder.ptrtoint(part, word))
            for part in (site.record_data(typ, value), site.record_owner(typ, value))
        )
        cls, make = (
            c.builder.bitcast(c.context.add_dynamic_addr(c.builder, id(held), info="handle"), c.pyapi.pyobj)
            for held in (typ.dtype.struct.python, _boxed)
        )
        const = c.pyapi.bool_from_bool(ir.IntType(1)(int(typ.const)))
        made = c.pyapi.call_function_objargs(make, (cls, address, owner, const))
        for held in (address, owner, const):
            c.pyapi.decref(held)
        return made


def type_of(value: Any, dialect: str) -> HandleType:
    """Numba's type of an object of C++."""
    struct: Type = type(value).__samebytes_type__
    assert isinstance(struct, Handle)
    return HandleType(struct_type(struct, dialect, struct.python), bool(value._const))
