"""Records and vectors between Python and code that Numba compiles for the CPU."""

from __future__ import annotations

from typing import Any

from numba import types

from ..values.vector import vector_class
from .compiler import World
from .datamodel.kinds import RecordType, StructType, VectorType
from .datamodel.models import ADDRESS, Site

_DATA = 24  # where an object keeps the address of its bytes: behind reference count, class and size


def register_boxing(world: World) -> None:
    """Teach the compiler to take records and vectors from Python and to give them back."""
    box, unbox, native = world.pythonapi.box, world.pythonapi.unbox, world.pythonapi.NativeValue

    @unbox(RecordType)
    def unbox_record(typ: RecordType, obj: Any, c: Any) -> Any:
        site = Site(world, c.context, c.builder)
        data = payload(site, obj)
        owner = c.pyapi.nrt_meminfo_new_from_pyobject(data, obj)
        return native(site.make_record(typ, data, owner))

    @box(RecordType)
    def box_record(typ: RecordType, value: Any, c: Any) -> Any:
        site = Site(world, c.context, c.builder)
        made = _record(typ.dtype, site.record_data(typ, value), c)
        c.context.nrt.decref(c.builder, typ, value)
        return made

    @box(StructType)
    def box_struct(typ: StructType, value: Any, c: Any) -> Any:
        return _record(typ, Site(world, c.context, c.builder).spill(typ, value), c)

    @unbox(VectorType)
    def unbox_vector(typ: VectorType, obj: Any, c: Any) -> Any:
        site = Site(world, c.context, c.builder)
        return native(site.load_vector(typ, payload(site, obj)))

    @box(VectorType)
    def box_vector(typ: VectorType, value: Any, c: Any) -> Any:
        data = Site(world, c.context, c.builder).spill_vector(typ, value)
        return _from_bytes(vector_class(typ.vector), data, typ.vector.size * typ.vector.element.size, c)


def payload(site: Site, obj: Any) -> Any:
    """The address of the bytes of an object of Python's."""
    return site.builder.load(site.at(site.shift(obj, _DATA), ADDRESS))


def _record(struct: StructType, data: Any, c: Any) -> Any:
    return _from_bytes(struct.struct.python, data, struct.layout.size, c)


def _from_bytes(cls: Any, data: Any, size: int, c: Any) -> Any:
    # The class lives as long as its library, which is never unloaded.
    address = c.context.add_dynamic_addr(c.builder, id(cls), info=cls.__name__)
    make = c.pyapi.object_getattr_string(c.builder.bitcast(address, c.pyapi.pyobj), "_from_buffer")
    held = c.pyapi.bytes_from_string_and_size(data, c.context.get_constant(types.intp, size))
    made = c.pyapi.call_function_objargs(make, (held,))
    c.pyapi.decref(held)
    c.pyapi.decref(make)
    return made
