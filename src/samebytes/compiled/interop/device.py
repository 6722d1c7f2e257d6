"""Python functions as device functions that CUDA C++ calls: a symbol with C's convention, as LTO-IR or PTX."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from numba import types

from ...errors import ArgumentError, Mismatch
from ...layouts.dialects import find_dialect
from ...types import VOID, Function, Pointer, Scalar, Type, unqualified
from ..compiler import NumbaCompiler
from ..datamodel.equivalents import numba_type

OUTPUTS = ("ltoir", "ptx")


def device_type(type_: Type) -> Any:
    """Numba's type of what passes alike in CUDA C++ and in numba-cuda.

    Raises
    ------
    Mismatch
        For anything but addresses and numbers of 4 and 8 bytes.
    """
    if type_ == VOID:
        return types.void
    number = isinstance(type_, Scalar) and type_.size in (4, 8) and type_.kind in ("int", "uint", "float")
    if not number and not isinstance(type_, Pointer):
        raise Mismatch(ArgumentError, "addresses and numbers of 4 and 8 bytes", str(type_), "")
    return numba_type(type_, "cuda")


def device_code(
    compiler: NumbaCompiler, function: Any, declared: Function, name: str, cc: Sequence[int], output: str
) -> bytes:
    """The code of a device function under its name.

    Raises
    ------
    Mismatch
        If what the function gives is not of the type that it declares.
    """
    from numba import cuda

    arguments = tuple(device_type(a.type) for a in declared.arguments)
    result = device_type(declared.result)
    options: dict[str, Any] = {"cc": tuple(cc), "device": True, "abi": "c", "abi_info": {"abi_name": name}}
    code, found = cuda.compile(function, arguments, output=output, **options)
    if found != result:
        _check_result(found, result, declared.result)
        code, _ = cuda.compile(function, result(*arguments), output=output, **options)
    return code.encode() if isinstance(code, str) else bytes(code)


def _check_result(found: Any, wanted: Any, type_: Type) -> None:
    """A float is rounded as C++ rounds it; an integer goes to nothing narrower, for a GPU cannot raise."""
    floats = isinstance(found, types.Float) and isinstance(wanted, types.Float)
    integers = isinstance(found, types.Integer | types.Boolean) and isinstance(wanted, types.Integer)
    if floats or (integers and _holds(wanted, found)):
        return
    advice = f"np.{type_}(x) says that it fits" if isinstance(found, types.Integer) else ""
    raise Mismatch(ArgumentError, f"a result that is {type_}", str(found), advice)


def _holds(wanted: Any, found: Any) -> bool:
    if isinstance(found, types.Boolean):
        return False
    return bool(wanted.minval <= found.minval and found.maxval <= wanted.maxval)


def declaration(declared: Function, name: str, parameters: Sequence[str], dialect: str) -> str:
    """The function as C++ declares it."""
    spell = find_dialect(dialect).spell
    given = ", ".join(
        spell(a.type, parameter) for a, parameter in zip(declared.arguments, parameters, strict=True)
    )
    result = "void" if declared.result == VOID else spell(declared.result)
    headers = dict.fromkeys(_headers(dialect, (declared.result, *(a.type for a in declared.arguments))))
    return "".join([*headers, f'extern "C" __device__ {result} {name}({given});\n'])


def _headers(dialect: str, parts: Sequence[Type]) -> Iterator[str]:
    """What the types' names need."""
    for part in parts:
        bare = unqualified(part)
        yield from _headers(dialect, bare.parts)
        if isinstance(bare, Scalar) and (header := find_dialect(dialect).include(bare)):
            yield f"#include {header}\n"
