"""The arguments of one kernel launch as bytes: by value what has a machine representation, else an address."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from ... import _native
from ...arrays.view import ArrayView
from ...errors import ArgumentError, LayoutError, Mismatch, call_error, plain_error, value_words
from ...frozen import frozen
from ...layouts import compute, walk, without_padding
from ...layouts.ctypes_classes import C_ADDRESSES, C_NUMBER, C_OBJECT
from ...layouts.dialects import find_dialect, layout
from ...layouts.dialects.base import Dialect
from ...options import check_dialect, check_options
from ...toolchain.kernel_metadata import ArgumentPlace
from ...types import SCALARS, VOID, CArray, Pointer, Type, as_type, unqualified
from ...values.conversion import Packed, convert
from ...values.conversion.numbers import of_itself
from ...values.conversion.packing import type_of
from ...values.conversion.structured import same_layout
from ..addresses.pointers import c_pointer
from .pointer_rule import Use, address

_ADDRESS = struct.Struct("=Q")
_POINTER = Pointer(VOID)
_EXPECTED = "a value with a machine representation, or what a Pointer can be made of"
_KERNEL = Use(
    _EXPECTED,
    "pass a contiguous array, or an sb.array descriptor with types=",
    "The kernel may write through it: declare a pointer to const, or pass a writable array",
)


@frozen
class LaunchArgument:
    """One packed argument.

    Attributes
    ----------
    offset, size, align : int
        Bytes.
    data : bytes
        ``size`` bytes, padding zeroed.
    owners : tuple
        What must live until the kernel has run.
    """

    offset: int
    size: int
    align: int
    data: bytes
    owners: tuple[Any, ...]


@cache
def _teach_core() -> None:
    """Tell the core which classes are numbers, and of how many bytes, so that it packs them by itself."""
    table = find_dialect("hip")
    plain = [cls for cls in C_NUMBER.__subclasses__() if not issubclass(cls, C_ADDRESSES)]
    for cls in (
        *plain,
        *(scalar.numpy for scalar in SCALARS.values() if issubclass(scalar.numpy, np.generic)),
    ):
        try:
            facts = compute(as_type(cls), table)
        except TypeError:  # of no type of C++'s
            continue
        boxed = issubclass(cls, np.generic)
        if facts.size == (np.dtype(cls).itemsize if boxed else ctypes.sizeof(cls)):
            _native.set_launch_number(cls, facts.size, facts.align, boxed)


def pack_launch(
    function: str, args: Sequence[Any], types: Sequence[Any] | None, kernel: Sequence[ArgumentPlace] | None,
    dialect: str | None, *, block: bool,
) -> tuple[LaunchArgument, ...]:  # fmt: skip
    """Pack all arguments, each at its natural C++ offset.

    Parameters
    ----------
    dialect : str or None
        None: that of ``kernel``, else HIP's.
    block : bool
        Whether the kernel gets them as one block, in which offsets matter.

    Raises
    ------
    ArgumentError, RangeError
        Of the first argument that does not fit; the message names them all.
    """
    _teach_core()
    args = tuple(args)  # a list may change while arguments are looked at, which may run any code
    check_options(function, ArgumentError, launch_types=types, kernel=kernel)
    dialect, said = _dialect(function, dialect, kernel)
    if types is not None and len(types) != len(args):
        raise plain_error(ArgumentError, function, f"got {len(args)} arguments for {len(types)} types")
    packed: list[LaunchArgument] = []
    wrong: list[Mismatch] = []
    end, table = 0, find_dialect(dialect)
    for index, value in enumerate(args):
        try:
            type_, converted = (
                _declared(types[index], value, dialect) if types else _recognised(value, dialect)
            )
            facts = compute(type_, table)
            if not (block or said):
                _check_agreed(type_)
        except (Mismatch, LayoutError) as error:
            wrong.append(_mismatch(error, index, value))
            continue
        offset = -(-end // facts.align) * facts.align
        data = without_padding(converted.data, type_, table)
        packed.append(LaunchArgument(offset, facts.size, facts.align, data, converted.owners))
        end = offset + facts.size
    if wrong:
        raise call_error(function, wrong)
    if kernel is not None:
        _check(function, packed, kernel, dialect, block=block)
    return tuple(packed)


def _mismatch(error: Mismatch | LayoutError, index: int, value: Any) -> Mismatch:
    """What is wrong with one argument; a type without a layout on the device is its value's fault."""
    if isinstance(error, LayoutError):
        error = Mismatch(ArgumentError, _EXPECTED, value_words(value), str(error))
    error.index = index
    return error


def _dialect(function: str, dialect: str | None, kernel: Sequence[ArgumentPlace] | None) -> tuple[str, bool]:
    """Whose layouts arguments have, and whether the caller or the kernel said so."""
    found = next((place.dialect for place in kernel or () if place.dialect), None)
    if dialect is None:
        return found or "hip", found is not None
    check_dialect(function, dialect)
    if found is not None and found != dialect:
        raise plain_error(
            ArgumentError, function, f"got dialect={dialect!r}, but the kernel was compiled for {found}"
        )
    return dialect, True


def _check_agreed(type_: Type) -> None:
    """Refuse what CUDA and HIP lay out differently.

    Raises
    ------
    Mismatch
        If they do.
    """
    seen = [[_outline(part, find_dialect(name)) for part in walk(type_)] for name in ("cuda", "hip")]
    if seen[0] != seen[1]:
        sizes = " and ".join(
            f"{compute(type_, find_dialect(name)).size} in {name}" for name in ("cuda", "hip")
        )
        expected = "an argument that CUDA and HIP lay out alike, or dialect='cuda' or 'hip'"
        raise Mismatch(ArgumentError, expected, f"{type_}, of {sizes} bytes")


def _outline(type_: Type, table: Dialect) -> Any:
    """What of a layout matters in memory: the size, and where fields lie."""
    try:
        found = compute(type_, table)
    except LayoutError:
        return None
    return found.size, tuple((f.offset, f.size) for f in found.fields)


def _check(
    function: str,
    packed: Sequence[LaunchArgument],
    kernel: Sequence[ArgumentPlace],
    dialect: str,
    *,
    block: bool,
) -> None:
    """Compare with what the kernel's compiler recorded."""
    if len(packed) != len(kernel):
        sentence = f"got {len(packed)} arguments; the kernel's metadata lists {len(kernel)}"
        raise plain_error(ArgumentError, function, sentence)
    for index, (ours, theirs) in enumerate(zip(packed, kernel, strict=True)):
        if ours.size == theirs.size and (ours.offset == theirs.offset or not block):
            continue
        name = f" '{theirs.name}'" if theirs.name else ""
        there, here = (f" at offset {place.offset}" if block else "" for place in (theirs, ours))
        raise plain_error(
            ArgumentError,
            function,
            f"argument {index + 1}{name}: expected {theirs.size} bytes{there} (the kernel's metadata), got {ours.size} "
            f"bytes{here} (dialect {dialect}). Declare the kernel's types with types=",
        )


def _declared(hint: Any, value: Any, dialect: str) -> tuple[Type, Packed]:
    try:
        type_ = as_type(hint)
    except TypeError as error:
        raise Mismatch(ArgumentError, "a parameter type", value_words(hint), _reason(error)) from None
    if type_ == VOID:
        raise Mismatch(ArgumentError, "a parameter type", str(type_))
    if isinstance(type_, CArray):
        raise Mismatch(
            ArgumentError, "a parameter type", str(type_), "C++ passes no array by value: declare a pointer"
        )
    if isinstance(type_, Pointer):
        return type_, _pointed(type_, value)
    if isinstance(value, C_OBJECT):
        given, packed = _ctypes(value, dialect)
        if not same_layout(type_, given, dialect):
            raise Mismatch(ArgumentError, str(type_), value_words(value))
        return type_, packed
    return type_, convert(type_, value, dialect)


def _pointed(type_: Pointer, value: Any) -> Packed:
    """What a declared pointer takes; nobody says whether a ctypes number is an address or lies at one."""
    if isinstance(value, C_ADDRESSES):
        return c_pointer(type_, value)
    if isinstance(value, C_NUMBER) and not isinstance(value, C_ADDRESSES):
        advice = "Pointer(x) is its address, x.value the address that it holds"
        raise Mismatch(ArgumentError, str(type_), value_words(value), advice)
    return _address(value, type_)


def _recognised(value: Any, dialect: str) -> tuple[Type, Packed]:
    """What an argument is where nothing is declared."""
    for kinds, rule in _RULES:
        if isinstance(value, kinds):
            return rule(value, dialect)
    return _POINTER, _address(value)


def _ctypes(value: Any, dialect: str) -> tuple[Type, Packed]:
    try:
        type_ = as_type(type(value))
    except TypeError as error:
        raise Mismatch(ArgumentError, _EXPECTED, value_words(value), _reason(error)) from None
    if isinstance(type_, CArray):
        advice = (
            "C++ passes no array by value: put it into a Structure, or pass sb.Pointer(array) or the address"
        )
        raise Mismatch(ArgumentError, _EXPECTED, value_words(value), advice)
    size = ctypes.sizeof(value)
    if layout(type_, dialect).size != size:
        raise Mismatch(
            ArgumentError, _EXPECTED, value_words(value), f"ctypes lays it out otherwise than {dialect}"
        )
    return type_, Packed(ctypes.string_at(ctypes.addressof(value), size), (value,))


def _reason(error: Exception) -> str:
    return str(error).partition(" has no machine representation: ")[2] or str(error)


def _by_value(value: Any, dialect: str) -> tuple[Type, Packed]:
    try:
        type_ = type_of(value)
    except TypeError as error:
        raise Mismatch(ArgumentError, _EXPECTED, value_words(value), _reason(error)) from None
    try:
        return type_, convert(type_, value, dialect)
    except Mismatch as mismatch:
        raise of_itself(mismatch) from None


def _refused(advice: str) -> Callable[[Any, str], tuple[Type, Packed]]:
    def rule(value: Any, dialect: str) -> tuple[Type, Packed]:
        raise Mismatch(ArgumentError, _EXPECTED, value_words(value), advice)

    return rule


def _no_place(value: np.ndarray[Any, Any], dialect: str) -> tuple[Type, Packed]:
    if value.ndim:
        return _POINTER, _address(value)
    raise Mismatch(
        ArgumentError,
        _EXPECTED,
        value_words(value),
        "x[()] is its value, x.reshape(1) an array with an address",
    )


# In order: bool is an int, np.float64 a float.
_RULES: tuple[tuple[Any, Callable[[Any, str], tuple[Type, Packed]]], ...] = (
    (C_ADDRESSES, lambda value, dialect: (_POINTER, _address(value))),
    (C_OBJECT, _ctypes),
    ((np.generic, _native.Value, _native.Record), _by_value),
    (np.ndarray, _no_place),
    (bool, _refused("Say what it is: ctypes.c_bool(x), or types= of the kernel")),
    ((float, complex), _refused("Say how wide it is: sb.float32(x), sb.float64(x), or types= of the kernel")),
    (str, _refused("A kernel reads no Python text")),
)


def _address(value: Any, type_: Pointer = _POINTER) -> Packed:
    """What a ``Pointer`` can be made of, as an address; where its elements are known, they are the declared ones."""
    where, owner = address(value, _KERNEL, type_.const)
    seen = owner if isinstance(owner, ArrayView) else getattr(value, "_array", None)
    if isinstance(seen, ArrayView):
        _check_elements(seen, value, type_)
    if not type_.const:
        _native.raise_version(owner)  # the kernel may write to a tensor that autograd needs
    return Packed(_ADDRESS.pack(where), () if owner is None else (owner,))


def _check_elements(seen: ArrayView, value: Any, type_: Pointer) -> None:
    if type_.target != VOID and (seen.type is None or not same_layout(type_.target, unqualified(seen.type))):
        raise Mismatch(ArgumentError, str(type_), f"{seen.type}[] ({type(value).__qualname__})")
