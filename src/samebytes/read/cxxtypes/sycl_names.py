"""What SYCL's headers say by name: numbers and vectors, and the property that makes a function a kernel."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ...later import later_pattern
from ...types import ELEMENTS, SCALARS, Type, Vector
from ..clang.libclang import Cursor
from .devices import spaces_of

_SAID = "sycl "
_ND_RANGE = later_pattern(r"\bnd_range_kernel\s*<\s*([123])\s*>")
_SINGLE = later_pattern(r"\bsingle_task_kernel\b")


def kernel_dimensions(cursors: Sequence[Cursor]) -> int:
    """The dimensions of a kernel's range, 0 of a single task; -1 where its property does not say it by a number."""
    for said in sorted(spaces_of(cursors)):
        if said.startswith(_SAID):
            found = _ND_RANGE.search(said)
            return int(found[1]) if found else 0 if _SINGLE.search(said) else -1
    return -1


def without_version(name: str) -> str:
    """A name without the inline namespace of DPC++."""
    return name.replace("sycl::_V1::", "sycl::")


@cache
def _known() -> dict[str, Type]:
    spelled = {
        "int8": ("signed char",), "int16": ("short",), "int32": ("int",), "int64": ("long", "long long"),
        "uint8": ("unsigned char",), "uint16": ("unsigned short",), "uint32": ("unsigned int",),
        "uint64": ("unsigned long", "unsigned long long"), "float32": ("float",), "float64": ("double",),
        "float16": ("sycl::detail::half_impl::half",), "bfloat16": ("sycl::ext::oneapi::bfloat16",),
    }  # fmt: skip
    found: dict[str, Type] = {s: SCALARS[name] for name in ("float16", "bfloat16") for s in spelled[name]}
    for name in ELEMENTS:
        for spelling in spelled.get(name, ()):
            for size in (1, 2, 3, 4):
                found[f"sycl::vec<{spelling}, {size}>"] = Vector(SCALARS[name], size)
    return found


def known_sycl_type(name: str) -> Type | None:
    """The vector or small number that SYCL's headers call by this name."""
    return _known().get(without_version(name))
