"""Kernels without a GPU: compiled by Numba, linked by nvJitLink to PTX, and the constants that they store."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from typing import Any

CC = (8, 0)
_FORMATS = {"f32": "<f", "f64": "<d"}
_MOVE = re.compile(r"^mov\.\w+ (%\w+), (\S+)$")
_STORE = re.compile(r"^st\.global(?:\.v[24])?\.(\w)(\d+) \[%\w+(?:\+(-?\d+))?\], (.+)$")


def linked(kernel: Callable[..., None], *arguments: Any) -> str:
    """The PTX of a kernel and of all that it calls, after link-time optimisation."""
    from cuda.core import Linker, LinkerOptions, ObjectCode
    from numba import cuda, types

    codes, _ = cuda.compile_all(
        kernel, types.void(*arguments), device=False, abi="numba", cc=CC, output="ltoir"
    )
    objects = [
        c if isinstance(c, ObjectCode) else ObjectCode.from_ltoir(c if isinstance(c, bytes) else c.data)
        for c in codes
    ]
    options = LinkerOptions(arch=f"sm_{CC[0]}{CC[1]}", link_time_optimization=True, ptx=True)
    text: str = Linker(*objects, options=options).link("ptx").code.decode()
    return text.rstrip("\0")


def calls(ptx: str) -> list[str]:
    """The calls that are left."""
    return [line.strip() for line in ptx.splitlines() if re.match(r"\s*call", line)]


def stored(ptx: str) -> list[bytes]:
    """The constants that a kernel stores, in the order of their addresses; the compiler has computed them.

    A register that holds no constant is an error: then the compiler did not.
    """
    registers: dict[str, str] = {}
    found: dict[int, bytes] = {}
    for line in (" ".join(line.split()).rstrip(";") for line in ptx.splitlines()):
        if move := _MOVE.match(line):
            registers[move[1]] = move[2]
        elif store := _STORE.match(line):
            size, offset = int(store[2]) // 8, int(store[3] or 0)
            for i, value in enumerate(v.strip() for v in store[4].strip("{}").split(",")):
                found[offset + i * size] = _bytes(registers.get(value, value), size)
    return [found[offset] for offset in sorted(found)]


def _bytes(constant: str, size: int) -> bytes:
    if constant.startswith(("0f", "0d")):
        return bytes.fromhex(constant[2:])[::-1]
    return (int(constant, 0) & ((1 << (8 * size)) - 1)).to_bytes(size, "little")


def numbers(ptx: str, form: str) -> list[Any]:
    """The same as numbers of a format of ``struct``."""
    return [struct.unpack(f"<{form}", data)[0] for data in stored(ptx)]
