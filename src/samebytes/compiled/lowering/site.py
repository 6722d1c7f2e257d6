"""Where machine code is being written: bytes, structs and records at addresses."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from ...frozen import frozen
from ..attempts import leave_failed
from ..compiler import NumbaCompiler
from ..datamodel.kinds import RecordType, StructType
from ..datamodel.models import ADDRESS, BYTE, WORD, words


def is_aligned(builder: Any, address: Any, align: int) -> Any:
    """Whether an address is a multiple of an alignment, in bytes."""
    number = builder.ptrtoint(address, WORD)
    low = builder.and_(number, number.type(align - 1))
    return builder.icmp_unsigned("==", low, low.type(0))


@frozen(slots=False)
class Site:
    """Where machine code is being written.

    Attributes
    ----------
    context : object
        The compiler's knowledge, as it is for the function at hand.
    builder : llvmlite.ir.IRBuilder
    """

    compiler: NumbaCompiler
    context: Any
    builder: Any

    def proxy(self, type_: Any, value: Any = None) -> Any:
        """A value of several members, to read them or to set them."""
        made = self.compiler.cgutils.create_struct_proxy(type_)
        return (
            made(self.context, self.builder, value=value)
            if value is not None
            else made(self.context, self.builder)
        )

    def shift(self, data: Any, offset: int) -> Any:
        """The address some bytes further."""
        base = self.builder.bitcast(data, ADDRESS)
        return self.builder.gep(base, [ir.IntType(64)(offset)]) if offset else base

    def at(self, data: Any, form: Any) -> Any:
        """An address, typed by what lies there."""
        return self.builder.bitcast(data, form.as_pointer())

    def stack(self, size: int, align: int) -> Any:
        """Bytes on the stack of the function, the same ones each time."""
        with self.builder.goto_entry_block():
            place = self.builder.alloca(ir.ArrayType(BYTE, max(size, 1)))
            place.align = align
        return self.builder.bitcast(place, ADDRESS)

    def size(self, number: int) -> Any:
        """A number of bytes or elements."""
        return self.compiler.cgutils.intp_t(number)

    # --- structs

    def load(self, struct: StructType, data: Any, align: int | None = None) -> Any:
        """A struct's value from the address of its bytes."""
        return self.builder.load(self.at(data, words(struct)), align=align or struct.layout.align)

    def spill(self, struct: StructType, value: Any) -> Any:
        """The address of a copy of a value's bytes on the stack."""
        layout = struct.layout
        place = self.stack(layout.size, layout.align)
        if value.type.element != WORD or self.compiler.cuda:
            self.builder.store(value, self.at(place, value.type), align=layout.align)
            return place
        # C++ copies a struct in pieces of 16 bytes: a processor waits where it reads two stores as one.
        for i in range(0, value.type.count - 1, 2):
            pair = ir.Constant(ir.VectorType(WORD, 2), ir.Undefined)
            for half in (0, 1):
                pair = self.builder.insert_element(
                    pair, self.builder.extract_value(value, i + half), ir.IntType(32)(half)
                )
            self.builder.store(pair, self.at(self.shift(place, 8 * i), pair.type), align=8)
        if value.type.count % 2:
            last = self.builder.extract_value(value, value.type.count - 1)
            self.builder.store(last, self.at(self.shift(place, 8 * (value.type.count - 1)), WORD), align=8)
        return place

    # --- records: an address, and on the CPU what keeps it alive

    def record_data(self, type_: RecordType, value: Any) -> Any:
        """The address of a record's bytes."""
        return self.proxy(type_, value).data

    def record_owner(self, type_: RecordType, value: Any) -> Any:
        """What keeps a record alive; None for GPUs, where records lie on the stack."""
        return None if self.compiler.cuda else self.proxy(type_, value).meminfo

    @property
    def no_owner(self) -> Any:
        """What stands for the owner of memory that lives as long as its library."""
        if self.compiler.cuda:
            return None
        return self.context.get_constant_null(self.compiler.types.MemInfoPointer(self.compiler.types.uint8))

    def make_record(self, type_: RecordType, data: Any, owner: Any) -> Any:
        """A record from the address of its bytes and what keeps them alive."""
        made = self.proxy(type_)
        made.data = self.builder.bitcast(data, ADDRESS)
        if owner is not None:
            made.meminfo = owner
        return made._getvalue()

    def new_record(self, type_: RecordType) -> Any:
        """A record whose bytes are undefined: on the heap, counted; for GPUs on the stack."""
        layout = type_.dtype.layout
        if self.compiler.cuda:
            return self.make_record(type_, self.stack(layout.size, layout.align), None)
        nrt = self.context.nrt
        align = self.compiler.cgutils.int32_t(max(layout.align, 16))
        owner = nrt.meminfo_alloc_aligned(self.builder, self.size(layout.size), align)
        return self.make_record(type_, nrt.meminfo_data(self.builder, owner), owner)

    def release(self, type_: Any, value: Any) -> None:
        """Give up a value that an operation has and that no variable will."""
        if not self.compiler.cuda:
            self.context.nrt.decref(self.builder, type_, value)

    def copied(self, type_: RecordType, data: Any) -> Any:
        """A new record with the bytes at an address."""
        made = self.new_record(type_)
        self.copy(self.record_data(type_, made), data, type_.dtype.layout.size)
        return made

    def copy(self, to: Any, data: Any, size: int) -> None:
        """Copy bytes."""
        self.compiler.cgutils.raw_memcpy(self.builder, to, data, self.size(size), 1)

    def zero(self, data: Any, size: int) -> None:
        """Set bytes to zero."""
        self.compiler.cgutils.memset(self.builder, data, self.size(size), 0)

    def aligned_address(self, data: Any, layout: Any) -> Any:
        """The address of bytes that C++ reads as an object: of a copy where they are not aligned."""
        place = self.compiler.cgutils.alloca_once_value(self.builder, self.builder.bitcast(data, ADDRESS))
        wrong = self.builder.not_(is_aligned(self.builder, data, layout.align))
        with self.builder.if_then(wrong, likely=False):
            copy = self.stack(layout.size, layout.align)
            self.copy(copy, data, layout.size)
            self.builder.store(copy, place)
        return self.builder.load(place)

    # --- numbers

    def spill_number(self, kind: Any, value: Any) -> Any:
        """The address of a copy of a number on the stack, for formats that do not travel by value."""
        form = self.context.get_data_type(kind)
        size = self.context.get_abi_sizeof(form)
        place = self.stack(size, size)
        self.context.pack_value(self.builder, kind, value, self.at(place, form), size)
        return place


@frozen(slots=False)
class Call(Site):
    """Where a call is being written, and how an argument of it is named in messages."""

    subject: str = ""

    def require(self, condition: Any, error: type[Exception], sentence: str) -> None:
        """Raise at run time unless a condition holds; a GPU, which cannot raise, stops the kernel."""
        wrong = self.builder.not_(condition)
        with self.builder.if_then(wrong, likely=False):
            if self.compiler.cuda:
                trap = self.builder.module.declare_intrinsic(
                    "llvm.trap", (), ir.FunctionType(ir.VoidType(), ())
                )
                self.builder.call(trap, ())
            else:
                text = (f"{self.subject}: {sentence}",)
                self.context.call_conv.set_static_user_exc(self.builder, error, text)
                leave_failed(self.context, self.builder)
