"""Mirror torch: PyTorch's dtypes, which are numbers only; reading them does not import PyTorch."""

from __future__ import annotations

from typing import Any

from ...errors import MissingDependency
from ...types import SCALARS, Scalar, Type
from .. import compute
from ..dialects import Dialect
from .base import Mirror, refused, unreadable

# Ours: PyTorch's.
_OTHER = {"float8e4m3": "float8_e4m3fn", "float8e5m2": "float8_e5m2"}
_NAMES = {name: _OTHER.get(name, name) for name in SCALARS if name != "char"}
_BY_NAME = {f"torch.{theirs}": SCALARS[ours] for ours, theirs in _NAMES.items()}


def make(type_: Type, dialect: Dialect) -> Any:
    """The dtype of a number."""
    if not isinstance(type_, Scalar) or type_.name not in _NAMES:
        raise refused("torch", type_, "PyTorch's dtypes are numbers")
    own = SCALARS[type_.name].dtype.alignment
    if compute(type_, dialect).align != own:
        raise refused("torch", type_, f"PyTorch aligns it to {own} bytes")
    try:
        import torch
    except ImportError:
        raise MissingDependency("PyTorch is not installed: pip install torch") from None
    return getattr(torch, _NAMES[type_.name])


def measure(dtype: Any) -> tuple[int, int, tuple[tuple[str, int], ...]]:
    """Size and alignment; a number has no fields."""
    return dtype.itemsize, SCALARS[_BY_NAME[str(dtype)].name].dtype.alignment, ()


def read(hint: Any) -> Type | None:
    """The type of a ``torch.dtype``, by its name."""
    if type(hint).__name__ != "dtype":
        return None
    found = _BY_NAME.get(str(hint))
    if found is None:
        raise unreadable(hint, "it is quantized, or a number that C++ here does not know")
    return found


MIRROR = Mirror("torch", ("torch",), make, read, measure)
