"""Records as arguments of kernels that Python launches: their bytes, by value, as CUDA C++ passes them."""

from __future__ import annotations

import ctypes
from functools import cache
from importlib import import_module
from typing import Any

from ...call.addresses.device_pointers import check_memory
from ...errors import ArgumentError, Mismatch, value_error, value_words
from ...layouts import has_pointers
from ...types import ANY_DEVICE, SCALARS, VOID, Pointer, in_memory
from ...values.conversion.packing import pack
from ..datamodel.equivalents import vector_of
from ..datamodel.kinds import AddressType, StructType


class ByValue:
    """The bytes of one parameter.

    Attributes
    ----------
    data : ctypes array
    """

    def __init__(self, data: bytes) -> None:
        self.data = (ctypes.c_char * len(data)).from_buffer_copy(data)


@cache
def register_launching() -> None:
    """Have numba-cuda take records and vectors where a kernel is launched; its own arguments go its own way."""
    from numba.cuda import dispatcher

    kernel: Any = dispatcher._Kernel
    prepare, launch = kernel._prepare_args, dispatcher.launch
    bfloat16 = SCALARS["bfloat16"].numpy

    def prepare_args(self: Any, ty: Any, val: Any, stream: Any, retr: Any, kernelargs: list[Any]) -> None:
        if isinstance(ty, StructType):
            kernelargs.append(ByValue(_bytes(ty, val)))
        elif vector_of(ty) is not None:
            kernelargs.extend(_elements(ty, val))
        elif isinstance(ty, AddressType):
            kernelargs.append(ctypes.c_void_p(_address_there(val)))
        elif type(val) is bfloat16:  # Numba types one, and launches none
            kernelargs.append(ctypes.c_uint16.from_buffer_copy(val))
        else:
            prepare(self, ty, val, stream, retr, kernelargs)

    def launch_with(stream: Any, config: Any, compiled: Any, *arguments: Any) -> Any:
        if not any(isinstance(a, ByValue) for a in arguments):
            return launch(stream, config, compiled, *arguments)
        return _launch(stream, config, compiled, arguments)

    kernel._prepare_args = prepare_args
    dispatcher.launch = launch_with


def _bytes(ty: StructType, value: Any) -> bytes:
    own = getattr(type(value), "__samebytes_type__", None)
    if own is None or own.name != ty.struct.name:
        raise ArgumentError(
            f"expected {ty.struct.short_name} as a kernel's argument, got {value_words(value)}"
        )
    return pack(value, in_memory(ty.struct, _memory(ty)), dialect=ty.dialect)


def _address_there(pointer: Any) -> int:
    """The address of a Pointer, which does not lead into the host's memory as far as is known."""
    type_ = Pointer(VOID, memory=_device("cuda"))
    try:
        check_memory(type_, pointer, "an address in the device's memory")
    except Mismatch as mismatch:
        raise value_error("a kernel's argument", mismatch) from None
    return int(pointer.address)


def _memory(ty: StructType) -> str:
    """The memory that addresses in a struct have to lead into; empty where it has none."""
    return _device(ty.dialect) if has_pointers(ty.struct) else ""


def _device(dialect: str) -> str:
    """The memory that a kernel's addresses have to lead into: that of the device in use, where there is one."""
    cuda: Any = import_module("numba.cuda")
    device = cuda.current_context().device.id if cuda.is_available() else ANY_DEVICE
    return f"{dialect}:{device}"


def _elements(ty: Any, value: Any) -> list[Any]:
    """The elements of a vector: numba-cuda's kernels take each as a parameter of its own."""
    vector = vector_of(ty)
    assert vector is not None
    return [getattr(value, name) for name in "xyzw"[: vector.size]]


def _launch(stream: Any, config: Any, compiled: Any, arguments: tuple[Any, ...]) -> None:
    """Launch by addresses of all arguments, which is how a driver takes those of any size."""
    driver: Any = import_module("cuda.bindings.driver")
    holder: Any = import_module("cuda.core._kernel_arg_handler").ParamHolder
    held = [a.data if isinstance(a, ByValue) else holder((a,)) for a in arguments]
    table = (ctypes.c_void_p * len(held))(*map(_address, held))
    function, queue = driver.CUfunction(int(compiled.handle)), driver.CUstream(int(stream.handle))
    given = (function, *config.grid, *config.block, config.shmem_size, queue, ctypes.addressof(table))
    if _cooperative(config):
        (status,) = driver.cuLaunchCooperativeKernel(*given)
    else:
        (status,) = driver.cuLaunchKernel(*given, 0)
    if status != driver.CUresult.CUDA_SUCCESS:
        raise RuntimeError(f"CUDA did not start the kernel: {status.name}")


def _cooperative(config: Any) -> bool:
    return bool(getattr(config, "is_cooperative", getattr(config, "cooperative_launch", False)))


def _address(held: Any) -> int:
    """Where an argument's bytes lie."""
    if isinstance(held, ctypes.Array):
        return ctypes.addressof(held)
    return ctypes.c_void_p.from_address(held.ptr).value or 0
