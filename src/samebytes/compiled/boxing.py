"""Records, vectors and objects of C++ between Python and code that Numba compiles for the CPU."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from .. import _native
from ..errors import Mismatch, value_error
from ..types import Handle, Type
from ..values.conversion.handles import check_present
from ..values.handle import CxxHandle
from ..values.vector import vector_class
from .compiler import NumbaCompiler
from .datamodel.equivalents import struct_type
from .datamodel.kinds import HandleType, RecordType, StructType, VectorType
from .datamodel.models import ADDRESS
from .lowering.site import Site

_SIZE = 16  # where an object has its size, which is 0 where it is gone
_DATA = 24  # where an object keeps the address of its bytes: behind reference count, class and size


def register_boxing(compiler: NumbaCompiler) -> None:
    """Teach the compiler to take records, vectors and objects from Python and to give them back."""
    _register_values(compiler)
    _register_objects(compiler)


def _register_values(compiler: NumbaCompiler) -> None:
    box, unbox, native = compiler.pythonapi.box, compiler.pythonapi.unbox, compiler.pythonapi.NativeValue

    @unbox(RecordType)
    def unbox_record(typ: RecordType, obj: Any, c: Any) -> Any:
        site = Site(compiler, c.context, c.builder)
        data = _payload(site, obj)
        owner = c.pyapi.nrt_meminfo_new_from_pyobject(data, obj)
        return native(site.make_record(typ, data, owner))

    @box(RecordType)
    def box_record(typ: RecordType, value: Any, c: Any) -> Any:
        site = Site(compiler, c.context, c.builder)
        made = _record(typ.dtype, site.record_data(typ, value), c)
        c.context.nrt.decref(c.builder, typ, value)
        return made

    @box(StructType)
    def box_struct(typ: StructType, value: Any, c: Any) -> Any:
        return _record(typ, Site(compiler, c.context, c.builder).spill(typ, value), c)

    @unbox(VectorType)
    def unbox_vector(typ: VectorType, obj: Any, c: Any) -> Any:
        site = Site(compiler, c.context, c.builder)
        return native(site.load_vector(typ, _payload(site, obj)))

    @box(VectorType)
    def box_vector(typ: VectorType, value: Any, c: Any) -> Any:
        data = Site(compiler, c.context, c.builder).spill_vector(typ, value)
        return _from_bytes(vector_class(typ.vector), data, typ.vector.size * typ.vector.element.size, c)


def _payload(site: Site, obj: Any) -> Any:
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


# --- objects of C++


def _register_objects(compiler: NumbaCompiler) -> None:
    box, unbox, native = compiler.pythonapi.box, compiler.pythonapi.unbox, compiler.pythonapi.NativeValue

    @compiler.typeof.typeof_impl.register(CxxHandle)
    def typeof_handle(value: Any, context: Any) -> Any:
        return type_of(value, compiler.dialect)

    @unbox(HandleType)
    def unbox_handle(typ: HandleType, obj: Any, c: Any) -> Any:
        site = Site(compiler, c.context, c.builder)
        data = _payload(site, obj)
        size = c.builder.load(site.at(site.shift(obj, _SIZE), ir.IntType(64)))
        gone = c.builder.icmp_unsigned("==", size, ir.IntType(64)(0))
        owner = cgutils.alloca_once_value(c.builder, cgutils.get_null_value(cgutils.voidptr_t))
        with c.builder.if_else(gone, likely=False) as (then, otherwise):
            with then:
                address = c.context.add_dynamic_addr(c.builder, id(_refuse_gone), info="gone")
                refuse = c.builder.bitcast(address, c.pyapi.pyobj)
                c.pyapi.call_function_objargs(refuse, (obj,))
            with otherwise:
                c.builder.store(c.pyapi.nrt_meminfo_new_from_pyobject(data, obj), owner)
                _note(c, _native.PIN, "pin", obj)
        made = site.make_record(typ, data, c.builder.load(owner))
        return native(made, is_error=gone, cleanup=lambda: _note(c, _native.UNPIN, "unpin", obj))

    @box(HandleType)
    def box_handle(typ: HandleType, value: Any, c: Any) -> Any:
        site, word = Site(compiler, c.context, c.builder), ir.IntType(64)
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


def _note(c: Any, address: int, name: str, obj: Any) -> None:
    """Have the core know that compiled code uses an object, or no longer does: it may run without the GIL."""
    kind = ir.FunctionType(ir.VoidType(), [c.pyapi.pyobj]).as_pointer()
    function = c.context.add_dynamic_addr(c.builder, address, info=name)
    c.builder.call(c.builder.bitcast(function, kind), [obj])


def _boxed(cls: Any, address: int, owner: int, const: bool) -> Any:
    """The Python object of an object that compiled code returns, whose reference to the owner it takes over."""
    from numba.core.runtime import nrt

    holder = nrt.MemInfo(owner) if owner else None
    if holder is not None and not memoryview(holder).nbytes:
        holder = holder.parent  # an object of Python's, which ends only after what lies inside of it
    return cls._view(address, holder, const)


def _refuse_gone(value: Any) -> None:
    """Raise the error for an object that is gone."""
    try:
        check_present(str(type(value).__samebytes_type__), value)
    except Mismatch as mismatch:
        raise value_error("compiled code", mismatch) from None
    raise ReferenceError(
        f"the C++ object of this {type(value).__name__} was destroyed with its cycle of references"
    )


def type_of(value: Any, dialect: str) -> HandleType:
    """Numba's type of an object of C++."""
    struct: Type = type(value).__samebytes_type__
    assert isinstance(struct, Handle)
    return HandleType(struct_type(struct, dialect, struct.python), bool(value._const))
