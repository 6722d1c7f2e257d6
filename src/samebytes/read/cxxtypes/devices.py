"""Device code: where a function runs, and the types that CUDA's compiler knows by name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ...layouts.dialects import find_dialect
from ...types import ELEMENTS, SCALARS, Type, Vector
from ..clang.libclang import Cursor, children, kind_of

_ANNOTATION = 406
_SIZES = (1, 2, 3, 4)


def _spaces(cursors: Sequence[Cursor]) -> set[str]:
    """The annotations of all declarations of a function: cuda_parser.hpp makes them of ``__device__`` and its kin."""
    return {child.spelling for c in cursors for child in children(c) if kind_of(child) == _ANNOTATION}


# Why a function is not bound where kernels are.
CALLED_BY_KERNELS = "it is no kernel, and kernels alone are launched"


def runs_elsewhere(cursors: Sequence[Cursor], *, kernels: bool = False) -> str | None:
    """Why device code cannot call a function, or with ``kernels`` why the host cannot launch it; None if it can."""
    spaces = _spaces(cursors)
    if kernels:
        return None if "global" in spaces else CALLED_BY_KERNELS
    if "global" in spaces:
        return "it is a kernel, which the host launches and device code does not call"
    if "device" not in spaces and not _implicit(cursors):
        return "it runs on the host alone: it is not declared __device__"
    return None


def _implicit(cursors: Sequence[Cursor]) -> bool:
    """Whether the compiler writes the function, for wherever it is needed."""
    return any(
        c.is_default_method() or (c.is_default_constructor() and not c.is_definition()) for c in cursors
    )


@cache
def _known() -> dict[str, Type]:
    table = find_dialect("cuda")
    found: dict[str, Type] = {}
    for name in ELEMENTS:
        for size in _SIZES:
            found.setdefault(table.native(f"{name}x{size}").spelling, Vector(SCALARS[name], size))
    # CUDA 13 has two of each, told apart by their alignment; the old name means 16 bytes.
    for word, element in (("double", "float64"), ("longlong", "int64"), ("ulonglong", "uint64")):
        found[f"{word}4"] = found[f"{word}4_16a"] = Vector(SCALARS[element], 4)
    for name in ("float16", "bfloat16", "float8e4m3", "float8e5m2"):
        found[table.native(name).spelling] = SCALARS[name]
    return found


def known_type(name: str) -> Type | None:
    """The vector or small number that CUDA's headers call by this name."""
    return _known().get(name)
