"""What a kernel launch takes: HIP's ``extra`` (one packed buffer) and ``kernelParams`` (an array of pointers)."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, ClassVar

from ... import _native
from ...toolchain.kernel_metadata import ArgumentPlace
from .launch_arguments import LaunchArgument, pack_launch
from .pointer_rule import LISTED, pointing

# hip_runtime_api.h: HIP_LAUNCH_PARAM_BUFFER_POINTER, _BUFFER_SIZE, _END.
_BUFFER_POINTER, _BUFFER_SIZE, _END = 1, 2, 3
_WIDEST = 256  # bytes; the largest alignment that a buffer is given


def _block(arguments: Sequence[LaunchArgument]) -> bytearray:
    block = bytearray(max((a.offset + a.size for a in arguments), default=0))
    for a in arguments:
        block[a.offset : a.offset + a.size] = a.data
    return block


class _Aligned:
    """Bytes in memory that stays where it is, aligned for every argument."""

    def __init__(self, data: bytes | bytearray) -> None:
        self.size = len(data)
        self._room = ctypes.create_string_buffer(len(data) + _WIDEST)
        start = ctypes.addressof(self._room)
        self.address = -(-start // _WIDEST) * _WIDEST
        ctypes.memmove(self.address, bytes(data), len(data))


class _Launch(_native.Pointer):
    """What both share: the packed arguments, kept alive with what they point to."""

    _function: ClassVar[str]  # in words
    _is_block: ClassVar[bool]  # whether the kernel gets one block, in which offsets matter
    arguments: tuple[LaunchArgument, ...] = ()

    def __init__(
        self, args: Any = None, types: Sequence[Any] | None = None, *,
        kernel: Sequence[ArgumentPlace] | None = None, dialect: str | None = None,
    ) -> None:  # fmt: skip
        arguments: tuple[LaunchArgument, ...] = ()
        if args is None or isinstance(args, _native.Pointer):
            super().__init__(args)
        elif not isinstance(args, list | tuple):
            super().__init__(*pointing(args, adapter=type(self).__name__, use=LISTED))
        else:
            arguments = pack_launch(self._function, args, types, kernel, dialect, block=self._is_block)
            block = _Aligned(_block(arguments))
            table, *owners = self._table(arguments, block)
            held = [owner for argument in arguments for owner in argument.owners]
            super().__init__(ctypes.addressof(table), (table, block, *owners, *held, arguments))
        self.arguments = arguments

    def _table(self, arguments: Sequence[LaunchArgument], block: _Aligned) -> tuple[Any, ...]:
        """The array of pointers that the launch takes, and what else it points to."""
        raise NotImplementedError

    @property
    def offsets(self) -> tuple[int, ...]:
        """Bytes from the start of the block of arguments."""
        return tuple(a.offset for a in self.arguments)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Bytes of each argument."""
        return tuple(a.size for a in self.arguments)

    @property
    def data(self) -> bytes:
        """The whole block: every argument at its offset, zeros between."""
        return bytes(_block(self.arguments))


class LaunchExtra(_Launch):
    """The ``extra`` argument of ``hipModuleLaunchKernel`` (HIP Python, "Helper type for hipModuleLaunchKernel").

    Parameters
    ----------
    args : list or tuple, or what a :class:`Pointer` can be made of
        The kernel's arguments, packed where C++ has them. By value go ctypes objects, NumPy scalars and records,
        vectors, ``@struct`` values and records of a bound library; the address of arrays, ``Pointer``\\ s, ints
        (an address) and None. Anything else (an existing ``extra`` array) is taken by its address.
    types : sequence of types, optional
        The kernel's parameter types, as for :func:`samebytes.as_type`; then Python numbers can be given, too.
    kernel : sequence of ArgumentPlace, optional
        Where the kernel reads its arguments, from :func:`samebytes.kernel_arguments`.
    dialect : str, optional
        Whose layout; that of the kernel's compiler where ``kernel`` says it, else ``"hip"``.

    Raises
    ------
    ArgumentError, RangeError
        If an argument has no known representation, does not fit its type, or lies elsewhere than the kernel says.

    Notes
    -----
    Offsets are those of a C++ struct of the parameters (Clang's kernel metadata agrees); padding is zero. On CUDA
    use :class:`KernelParams`: there, offsets of parameters aligned above 16 bytes depend on the architecture.
    """

    _function = "LaunchExtra"
    _is_block = True

    def _table(self, arguments: Sequence[LaunchArgument], block: _Aligned) -> tuple[Any, ...]:
        size = ctypes.c_size_t(block.size)
        parts = (_BUFFER_POINTER, block.address, _BUFFER_SIZE, ctypes.addressof(size), _END)
        return (ctypes.c_void_p * 5)(*parts), size


class KernelParams(_Launch):
    """The ``kernelParams`` argument of a launch: an array of pointers, one to each argument.

    As ``cuLaunchKernel`` (CUDA Driver API) and ``hipModuleLaunchKernel`` (HIP) take it. Parameters, errors and rules
    are those of :class:`LaunchExtra`, but for two: offsets do not matter, so that ``kernel`` says sizes alone; and
    where neither ``dialect`` nor ``kernel`` says whose kernel it is, arguments that CUDA and HIP lay out differently
    are refused.
    """

    _function = "KernelParams"
    _is_block = False

    def _table(self, arguments: Sequence[LaunchArgument], block: _Aligned) -> tuple[Any, ...]:
        addresses = [block.address + a.offset for a in arguments]
        return ((ctypes.c_void_p * (len(arguments) + 1))(*addresses),)
