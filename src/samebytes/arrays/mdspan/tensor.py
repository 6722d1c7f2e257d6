"""DLPack's tensor as plain numbers, and how any array object becomes one."""

from __future__ import annotations

import ctypes
from typing import Any

from ... import _native
from ...errors import ProtocolError
from ...frozen import frozen
from ...types import as_type
from ..protocols import view
from ..view import HOST, ArrayView, Device
from .elements import DLType, dlpack_of, words_of

_VERSIONED, _UNVERSIONED = b"dltensor_versioned", b"dltensor"

# ml_dtypes' formats of one byte that DLPack names and we only store; NumPy holds each number in a byte.
_SMALL = {
    name: (_native.DLPACK_CODES[name], bits, 1)
    for name, bits in (
        ("float8_e8m0fnu", 8),
        ("float6_e2m3fn", 6),
        ("float6_e3m2fn", 6),
        ("float4_e2m1fn", 4),
    )
}
_NO_TYPE: DLType = (_native.DLPACK_CODES["opaque"], 0, 0)


@frozen(eq=False)
class DLTensor:
    """What DLPack's ``DLTensor`` says, field by field and unchecked.

    Attributes
    ----------
    data : int
        Address; 0 is NULL.
    shape, strides : tuple of int or None
        Elements; None is NULL.
    dtype : tuple of int
        Code, bits and lanes.
    byte_offset : int
        Bytes from ``data`` to the element with all indices 0.
    device : Device
    ndim : int
        As the producer says; by default the length of ``shape``.
    readonly : bool
        Whether the producer forbids writing (a flag of managed tensors).
    padded : bool or None
        Whether numbers of 4 or 6 bits take a byte each; None where nobody says, and C++'s storage is assumed.
    version : tuple of int
        The DLPack version that the producer follows.
    owner : object
        Keeps the memory alive.
    words : str
        The producer, as messages show it.
    dtype_name : str
        The element type in words, where DLPack has no name for it.
    overlaps : bool
        Whether elements of the producer's share bytes, or may: what is written to one would change others.
    """

    data: int
    shape: tuple[int, ...] | None
    strides: tuple[int, ...] | None
    dtype: DLType
    byte_offset: int = 0
    device: Device = HOST
    ndim: int = -2
    readonly: bool = False
    padded: bool | None = None
    version: tuple[int, int] = _native.DLPACK_VERSION
    owner: Any = None
    words: str = "a DLTensor"
    dtype_name: str = ""
    overlaps: bool = False

    def __post_init__(self) -> None:
        if self.ndim == -2:
            object.__setattr__(self, "ndim", len(self.shape or ()))

    def __str__(self) -> str:
        shape = "NULL" if self.shape is None else "[" + ", ".join(map(str, self.shape)) + "]"
        only = "read-only " if self.readonly else ""
        return f"{only}{self.dtype_name or words_of(self.dtype)}{shape} in {self.device} ({self.words})"


def tensor_of(obj: Any, *, apart: bool = False) -> DLTensor:
    """The tensor that an object shows: a DLTensor itself, else whatever its protocol says.

    Parameters
    ----------
    apart : bool
        Whether the address and the byte offset of a DLPack producer are wanted as it gave them: a view has them
        added up.

    Raises
    ------
    ProtocolError
        If the object shows no array, or breaks the protocol that it speaks.
    """
    if isinstance(obj, DLTensor):
        return obj
    seen = view(obj)
    small = (seen._element or _NO_TYPE)[1] < 8
    return _peek(obj, seen) if seen.protocol == "DLPack" and (apart or small) else _from_view(obj, seen)


def _name(obj: Any) -> str:
    kind = type(obj)
    module = kind.__module__.partition(".")[0]
    return kind.__qualname__ if module == "builtins" else f"{module}.{kind.__qualname__}"


def _from_view(obj: Any, seen: ArrayView) -> DLTensor:
    dtype = dlpack_of(seen.type) if seen.type is not None else None
    small = _SMALL.get(getattr(seen.dtype, "name", ""))
    strides = seen.strides if seen.itemsize else ()
    return DLTensor(
        seen.ptr, seen.shape, strides, dtype or small or seen._element or _NO_TYPE, device=seen.device,
        readonly=seen.readonly, overlaps=seen._overlap is not False,
        padded=True if small else None, owner=seen, words=f"{_name(obj)}, via {seen.protocol}",
        dtype_name=seen.dtype_name,
    )  # fmt: skip


class CTensor(ctypes.Structure):
    """DLPack's structure as it lies in memory."""

    _fields_ = (
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )  # fmt: skip


class _Managed(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", CTensor),
    )  # fmt: skip


# Prototypes, not attributes of ctypes.pythonapi: whoever sets argtypes there sets them for the whole process.
_capsule_name = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.py_object)(("PyCapsule_GetName", ctypes.pythonapi))
_capsule_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


def _peek(obj: Any, seen: ArrayView) -> DLTensor:
    """Read the capsule without consuming it: its destructor then runs the deleter, and it is the owner.

    A view has data and byte_offset added up already, and no lanes.
    """
    try:
        capsule = obj.__dlpack__(max_version=_native.DLPACK_VERSION)
    except TypeError:
        capsule = obj.__dlpack__()
    name = _capsule_name(capsule)
    address = _capsule_pointer(capsule, name) or 0
    flags, version = 0, (0, 8)
    if name not in (_VERSIONED, _UNVERSIONED):
        raise ProtocolError(f"{_name(obj)} gave a capsule that is no DLPack tensor, or was consumed before")
    if name == _VERSIONED:
        managed = _Managed.from_address(address)
        raw, flags, version = managed.tensor, managed.flags, (managed.major, managed.minor)
    else:
        raw = CTensor.from_address(address)
    address = ((raw.data or 0) + raw.byte_offset) % (1 << 64)
    if version[0] > 1 or raw.ndim != seen.ndim or address != seen.ptr:
        raise ProtocolError(f"{_name(obj)} shows another array each time it is asked")
    return DLTensor(
        raw.data or 0, _numbers(raw.shape, raw.ndim), _numbers(raw.strides, raw.ndim),
        (raw.code, raw.bits, raw.lanes), raw.byte_offset, Device(raw.device_type, raw.device_id), raw.ndim,
        bool(flags & _native.DLPACK_READ_ONLY) or seen.readonly,
        bool(flags & _native.DLPACK_SUBBYTE_PADDED), version, (capsule, seen),
        f"{_name(obj)}, via DLPack", overlaps=seen._overlap is not False,
    )  # fmt: skip


def _numbers(pointer: Any, count: int) -> tuple[int, ...] | None:
    if not pointer:
        return None if count else ()
    return tuple(pointer[i] for i in range(max(count, 0)))


def to_view(tensor: DLTensor, type_: Any, itemsize: int) -> ArrayView:
    """The view of a tensor that was checked."""
    shape, strides = tensor.shape or (), tensor.strides or ()
    return ArrayView(
        type=as_type(type_) if type_ is not None else None, dtype_name=words_of(tensor.dtype),
        ptr=(tensor.data + tensor.byte_offset) % (1 << 64), shape=shape,
        byte_strides=tuple(s * itemsize for s in strides), itemsize=itemsize, device=tensor.device,
        readonly=tensor.readonly, protocol="mdspan", owner=tensor.owner, element=tensor.dtype,
    )  # fmt: skip
