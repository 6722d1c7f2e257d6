"""Records, vectors and objects of C++ between Python and code that Numba compiles for the CPU."""

from __future__ import annotations

import ctypes
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.boxing import box_enum
from numba.core.runtime import nrt

from .. import _native
from ..errors import Mismatch, value_error
from ..layouts import compute
from ..layouts.dialects import find_dialect
from ..types import Handle, Type
from ..values.conversion.handles import check_present
from ..values.conversion.structs import address_of
from ..values.enum import EnumerationType
from ..values.handle import CxxHandle
from ..values.vector import vector_class
from .compiler import NumbaCompiler
from .datamodel.equivalents import struct_type
from .datamodel.kinds import AddressType, HandleType, RecordType, SharedType, StructType, VectorType
from .datamodel.models import ADDRESS
from .lowering.handles import OWNER_WORDS, owners_of
from .lowering.site import Site
from .lowering.vectors import load_vector, spill_vector

_ADDRESS = 16  # where a Pointer has its address
_SIZE = 16  # where an object has its size, which is 0 where it is gone
_DATA = 24  # where an object keeps the address of its bytes: behind reference count, class and size
_OWNER = 32  # ... and what it lies inside of, or null


def register_boxing(compiler: NumbaCompiler) -> None:
    """Teach the compiler to take records, vectors and objects from Python and to give them back."""
    _register_values(compiler)
    _register_objects(compiler)


def _register_values(compiler: NumbaCompiler) -> None:
    box, unbox, native = compiler.pythonapi.box, compiler.pythonapi.unbox, compiler.pythonapi.NativeValue

    @box(types.IntEnumMember)
    def box_enumerator(typ: Any, value: Any, c: Any) -> Any:
        cls = typ.instance_class
        if not isinstance(cls, EnumerationType):
            return box_enum(typ, value, c)
        # Numba pickles a class by its members, of which operators of C++'s are none that it could.
        made = c.context.add_dynamic_addr(c.builder, id(cls), info=cls.__name__)
        number = c.box(typ.dtype, value)
        found = c.pyapi.call_function_objargs(c.builder.bitcast(made, c.pyapi.pyobj), (number,))
        c.pyapi.decref(number)
        return found

    @unbox(RecordType)
    def unbox_record(typ: RecordType, obj: Any, c: Any) -> Any:
        site = Site(compiler, c.context, c.builder)
        data = _payload(site, obj)
        owner = c.pyapi.nrt_meminfo_new_from_pyobject(data, obj)
        # A record with memory of its own ends with its last name; one inside of another object with that.
        holder = c.builder.load(site.at(site.shift(obj, _OWNER), ADDRESS))
        inside = c.builder.icmp_unsigned("!=", holder, ADDRESS(None))
        pinned = cgutils.alloca_once_value(c.builder, ir.IntType(1)(0))
        used = c.builder.or_(inside, _anything_iterated(c))
        c.builder.store(used, pinned)
        with c.builder.if_then(used, likely=False):
            _note(c, _native.PIN, "pin", obj)

        def unpin() -> None:
            with c.builder.if_then(c.builder.load(pinned), likely=False):
                _note(c, _native.UNPIN, "unpin", obj)
            with c.builder.if_then(_anything_iterated(c), likely=False):
                _note(c, _native.NOTE_CHANGED, "changed", obj)

        return native(site.make_record(typ, data, owner), cleanup=unpin)

    @box(RecordType)
    def box_record(typ: RecordType, value: Any, c: Any) -> Any:
        site = Site(compiler, c.context, c.builder)
        made = cgutils.alloca_once(c.builder, c.pyapi.pyobj)
        with c.builder.if_else(_is_alone(site, typ, value)) as (then, otherwise):
            with then:
                c.builder.store(_record(typ.dtype, site.record_data(typ, value), c), made)
                c.context.nrt.decref(c.builder, typ, value)
            with otherwise:
                c.builder.store(_boxed_as(_boxed_record, site, typ, value, (), c), made)
        return c.builder.load(made)

    @box(StructType)
    def box_struct(typ: StructType, value: Any, c: Any) -> Any:
        return _record(typ, Site(compiler, c.context, c.builder).spill(typ, value), c)

    @unbox(StructType)
    def unbox_struct(typ: StructType, obj: Any, c: Any) -> Any:
        site = Site(compiler, c.context, c.builder)
        _keep_nothing(c, typ.struct.python)
        return native(site.load(typ, _payload(site, obj)))

    @unbox(SharedType)
    def unbox_shared(typ: SharedType, obj: Any, c: Any) -> Any:
        site = Site(compiler, c.context, c.builder)
        data = _payload(site, obj)
        _keep_nothing(c, type(typ))
        return native(site.make_record(typ, data, c.pyapi.nrt_meminfo_new_from_pyobject(data, obj)))

    @box(SharedType)
    def box_shared(typ: SharedType, value: Any, c: Any) -> Any:
        return _boxed_as(_boxed_shared, Site(compiler, c.context, c.builder), typ, value, (), c)

    @unbox(AddressType)
    def unbox_address(typ: AddressType, obj: Any, c: Any) -> Any:
        site = Site(compiler, c.context, c.builder)
        return native(c.builder.load(site.at(site.shift(obj, _ADDRESS), ADDRESS)))

    @box(AddressType)
    def box_address(typ: AddressType, value: Any, c: Any) -> Any:
        raise compiler.errors.TypingError(
            f"compiled code returns no {typ}: an address does not keep what is there, return what it is the address of"
        )

    @unbox(VectorType)
    def unbox_vector(typ: VectorType, obj: Any, c: Any) -> Any:
        site = Site(compiler, c.context, c.builder)
        _keep_nothing(c, vector_class(typ.vector))
        return native(load_vector(site, typ, _payload(site, obj)))

    @box(VectorType)
    def box_vector(typ: VectorType, value: Any, c: Any) -> Any:
        data = spill_vector(Site(compiler, c.context, c.builder), typ, value)
        return _from_bytes(vector_class(typ.vector), data, typ.vector.size * typ.vector.element.size, c)


def _keep_nothing(c: Any, cls: Any) -> None:
    """Have Numba say that it keeps no such code on disk (``cache=True``): classes are of this process, and not pickled.

    The address has to be used, or LLVM removes it before Numba looks for addresses.
    """
    address = c.context.add_dynamic_addr(c.builder, id(cls), info=cls.__name__)
    used = ir.FunctionType(ir.VoidType(), (address.type,))
    c.builder.asm(used, "", "r", (address,), side_effect=True)


def _payload(site: Site, obj: Any) -> Any:
    """The address of the bytes of an object of Python's."""
    return site.builder.load(site.at(site.shift(obj, _DATA), ADDRESS))


def _record(struct: StructType, data: Any, c: Any) -> Any:
    return _from_bytes(struct.struct.python, data, struct.layout.size, c)


def _from_bytes(cls: Any, data: Any, size: int, c: Any) -> Any:
    # The class lives as long as its library, which is never unloaded.
    address = c.context.add_dynamic_addr(c.builder, id(cls), info=cls.__name__)
    make = c.pyapi.object_getattr_string(
        c.builder.bitcast(address, c.pyapi.pyobj), "__samebytes_from_buffer__"
    )
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
        const = c.pyapi.bool_from_bool(ir.IntType(1)(int(typ.const)))
        made = _boxed_as(_boxed, Site(compiler, c.context, c.builder), typ, value, (const,), c)
        c.pyapi.decref(const)
        return made


def _anything_iterated(c: Any) -> Any:
    """Whether Python iterates any object of C++'s, and this one's bytes perhaps."""
    address = c.context.add_dynamic_addr(c.builder, _native.ITERATIONS, info="iterations")
    first = c.builder.load(c.builder.bitcast(address, ADDRESS.as_pointer()))
    return c.builder.icmp_unsigned("!=", first, ADDRESS(None))


def _note(c: Any, address: int, name: str, obj: Any) -> None:
    """Have the core know that compiled code uses an object, or no longer does: it may run without the GIL."""
    kind = ir.FunctionType(ir.VoidType(), [c.pyapi.pyobj]).as_pointer()
    function = c.context.add_dynamic_addr(c.builder, address, info=name)
    c.builder.call(c.builder.bitcast(function, kind), [obj])


def _boxed_as(make: Any, site: Site, typ: RecordType, value: Any, further: tuple[Any, ...], c: Any) -> Any:
    """What ``make(class, address, owner, ...)`` gives, which takes over the reference to the owner."""
    address, owner = (
        c.pyapi.long_from_longlong(site.builder.ptrtoint(part, ir.IntType(64)))
        for part in (site.record_data(typ, value), site.record_owner(typ, value))
    )
    cls, function = (
        c.builder.bitcast(c.context.add_dynamic_addr(c.builder, id(held), info="boxed"), c.pyapi.pyobj)
        for held in (typ.dtype.struct.python, make)
    )
    made = c.pyapi.call_function_objargs(function, (cls, address, owner, *further))
    for held in (address, owner):
        c.pyapi.decref(held)
    return made


def _is_alone(site: Site, typ: RecordType, value: Any) -> Any:
    """Whether a record is all that lies in memory of compiled code's own, and no other name is for it."""
    builder, word = site.builder, ir.IntType(64)
    data, owner = site.record_data(typ, value), site.record_owner(typ, value)
    found = cgutils.alloca_once_value(builder, ir.IntType(1)(0))
    with builder.if_then(builder.icmp_unsigned("!=", owner, owner.type(None))):
        count, size, whole = (builder.load(site.at(site.shift(owner, at), word)) for at in OWNER_WORDS)
        own = builder.icmp_unsigned("==", count, word(1))
        own = builder.and_(own, builder.icmp_unsigned("!=", size, word(0)))
        own = builder.and_(own, builder.icmp_unsigned("==", whole, builder.ptrtoint(data, word)))
        builder.store(own, found)
    return builder.load(found)


def _boxed(cls: Any, address: int, owner: int, const: bool) -> Any:
    """The Python object of an object that compiled code returns, whose reference to the owner it takes over."""
    return cls.__samebytes_view__(address, _owner(owner), const)


def _boxed_record(cls: Any, address: int, owner: int) -> Any:
    """The very record that compiled code was given, or a view of what lies there."""
    found = _owner(owner)
    given = type(found) is cls and address_of(found) == address
    return found if given else cls.__samebytes_view__(address, found)


def _boxed_shared(cls: Any, address: int, owner: int) -> Any:
    """The very struct that compiled code was given; of one that lies elsewhere its bytes of this moment."""
    found = _owner(owner)
    if type(found) is cls and address_of(found) == address:
        return found
    return cls.__samebytes_from_buffer__(
        ctypes.string_at(address, compute(cls.__samebytes_type__, find_dialect("cxx")).size)
    )


def _owner(owner: int) -> Any:
    """What keeps an object that compiled code returns: objects of Python's, or memory of compiled code's own."""
    if not owner:
        return None
    holder = nrt.MemInfo(owner)
    if not memoryview(holder).nbytes:
        return holder.parent  # an object of Python's, which ends only after what lies inside of it
    if (parts := owners_of(owner)) is None:
        return holder
    found = []
    for part in parts:
        shared = nrt.MemInfo(part)
        shared.acquire()  # a reference goes with it, and another one with what is made of it now
        shared.acquire()
        found.append(_owner(part))
    return tuple(found)


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
    return HandleType(struct_type(struct, dialect, struct.python), bool(value.__samebytes_const__))
