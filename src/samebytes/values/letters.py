"""PEP 3118 formats of dtypes: ``<f``, ``Zd``, ``(2,3)e``, ``T{<i:a:4x<d:b:}``."""

from __future__ import annotations

from typing import Any

import numpy as np

_LETTERS = {
    "?1": "?", "b1": "?", "i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q",
    "f2": "e", "f4": "f", "f8": "d", "c8": "Zf", "c16": "Zd",
}  # fmt: skip


def write(dtype: np.dtype[Any]) -> str:
    """The format of a dtype, with byte orders and padding written out; KeyError where there is none."""
    if dtype.subdtype:
        base, shape = dtype.base, dtype.shape  # NumPy reads no array of arrays, and its base is no array
        while base.subdtype:
            base, shape = base.base, shape + base.shape
        return f"({','.join(map(str, shape))}){write(base)}"
    if dtype.fields is not None:
        return "T{" + _members(dtype) + "}"
    if dtype.kind in "SV" and dtype.isbuiltin != 2:
        return f"{dtype.itemsize}{'s' if dtype.kind == 'S' else 'x'}"
    if dtype.isbuiltin == 2:
        raise KeyError(dtype)  # one of ml_dtypes
    if dtype.kind == "U":
        return f"{'>' if not dtype.isnative else '<'}{dtype.itemsize // 4}w"
    order = "" if dtype.itemsize == 1 else "<" if dtype.isnative else ">"
    return order + _LETTERS[f"{dtype.kind}{dtype.itemsize}"]


def _members(dtype: np.dtype[Any]) -> str:
    parts, at = [], 0
    fields = [] if dtype.fields is None else [(name, *place[:2]) for name, place in dtype.fields.items()]
    for name, inner, offset in sorted(fields, key=lambda f: f[2]):
        if offset < at or ":" in name:
            raise ValueError(name)  # overlapping fields, or a name that no format can hold
        parts.append(("" if offset == at else f"{offset - at}x") + f"{write(inner)}:{name}:")
        at = offset + inner.itemsize
    return "".join(parts) + ("" if dtype.itemsize == at else f"{dtype.itemsize - at}x")
