"""Device code: where a function runs, and the types that CUDA's compiler knows by name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from ...later import later_pattern
from ...layouts.dialects import find_dialect
from ...types import ELEMENTS, SCALARS, Type, Vector
from ..clang.kinds import Decl
from ..clang.libclang import Cursor, children, kind_of
from ..clang.parse import ParsedUnit

_ANNOTATION = 406
_SIZES = (1, 2, 3, 4)


def spaces_of(cursors: Sequence[Cursor]) -> set[str]:
    """The annotations of all declarations of a function: cuda_parser.hpp makes them of ``__device__`` and its kin."""
    return {child.spelling for c in cursors for child in children(c) if kind_of(child) == _ANNOTATION}


# Why a function is not bound where kernels are, and a kernel where functions of the host are.
CALLED_BY_KERNELS = "it is no kernel, and kernels alone are launched"
OF_THE_DEVICE = "it runs on the device alone"
NOT_OF_THE_HOST = "it is a kernel, which a device runs: dialect='cuda' compiles and launches kernels"
_WORD = later_pattern(rb"\b__global__\b")
_COMMENTS = later_pattern(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)


def runs_elsewhere(cursors: Sequence[Cursor], *, kernels: bool = False) -> str | None:
    """Why device code cannot call a function, or with ``kernels`` why the host cannot launch it; None if it can."""
    spaces = spaces_of(cursors)
    if kernels:
        return None if "global" in spaces else CALLED_BY_KERNELS
    if "global" in spaces:
        return "it is a kernel, which the host launches and device code does not call"
    if "device" not in spaces and not _implicit(cursors) and not _made_anywhere(cursors, spaces):
        return "it runs on the host alone: it is not declared __device__"
    return None


def leaves_host(cursors: Sequence[Cursor]) -> str | None:
    """Why the host cannot call a function of CUDA's source; None if it can."""
    spaces = spaces_of(cursors)
    if "global" in spaces:
        return NOT_OF_THE_HOST
    return OF_THE_DEVICE if "device" in spaces and "host" not in spaces else None


def is_managed(cursors: Sequence[Cursor]) -> bool:
    """Whether a variable lies in memory that the host and the device share."""
    return "managed" in spaces_of(cursors)


def is_kernel(cursors: Sequence[Cursor], unit: ParsedUnit) -> bool:
    """Whether a function among the host's is a kernel: the parser says it, or where CUDA's headers were, the text."""
    if unit.knows_kernels and "global" in spaces_of(cursors):
        return True
    return unit.includes_cuda and any(_WORD.search(_head(c, unit)) for c in cursors)


def _head(cursor: Cursor, unit: ParsedUnit) -> bytes:
    """The text of a declaration up to its name."""
    place = cursor.location
    if place.file is None:
        return b""
    before = _COMMENTS.sub(b"", unit.text(place.file.name)[: place.offset])
    lines = re.split(rb"[;{}]", before)[-1].splitlines()
    return b"\n".join(line for line in lines if not line.lstrip().startswith(b"#"))


def _implicit(cursors: Sequence[Cursor]) -> bool:
    """Whether the compiler writes the function, for wherever it is needed."""
    return any(
        c.is_default_method() or (c.is_default_constructor() and not c.is_definition()) for c in cursors
    )


def _made_anywhere(cursors: Sequence[Cursor], spaces: set[str]) -> bool:
    """Whether a constructor says nothing of where it runs: CUDA's run-time compiler has it run on devices, too."""
    return not spaces and all(kind_of(c) == Decl.CONSTRUCTOR for c in cursors)


@cache
def _known_hip() -> dict[str, Type]:
    table = find_dialect("hip")
    found: dict[str, Type] = {table.native(n).spelling: SCALARS[n] for n in _SMALL}
    for name, spellings in _OF_ROCM.items():
        element, _, count = name.partition("x")
        made = Vector(SCALARS[element], int(count)) if count else SCALARS[element]
        found |= dict.fromkeys(spellings, made)
    for name in ELEMENTS:
        for size in _SIZES:
            spelling = table.native(f"{name}x{size}").spelling
            if size > 1 and spelling.startswith("samebytes::"):
                found[spelling] = Vector(SCALARS[name], size)
            elif re.fullmatch(r"[a-z]+\d", spelling):
                found[spelling] = Vector(SCALARS[name], size)
                # Of ROCm's headers they are instances of one template.
                for element in _ELEMENT_WORDS.get(spelling[:-1], (spelling[:-1],)):
                    found[f"HIP_vector_type<{element}, {size}>"] = Vector(SCALARS[name], size)
    found["__half2"] = Vector(SCALARS["float16"], 2)
    return found


_SMALL = ("float16", "bfloat16", "float8e4m3", "float8e5m2")
# What ROCm's headers of one version or another call them; __hip_fp8_e4m3_fnuz is another format, which Python's is not.
_OF_ROCM = {
    "bfloat16": ("hip_bfloat16", "__hip_bfloat16"), "bfloat16x2": ("__hip_bfloat162",),
    "float8e4m3": ("__hip_fp8_e4m3",), "float8e4m3x2": ("__hip_fp8x2_e4m3",), "float8e4m3x4": ("__hip_fp8x4_e4m3",),
    "float8e5m2": ("__hip_fp8_e5m2",), "float8e5m2x2": ("__hip_fp8x2_e5m2",), "float8e5m2x4": ("__hip_fp8x4_e5m2",),
}  # fmt: skip
# The first word of a vector's name in full.
_ELEMENT_WORDS = {
    "char": ("char", "signed char"), "uchar": ("unsigned char",), "ushort": ("unsigned short",),
    "uint": ("unsigned int",), "longlong": ("long long",), "ulonglong": ("unsigned long long",),
}  # fmt: skip


def known_hip_type(name: str) -> Type | None:
    """The vector or half that HIP's headers call by this name."""
    return _known_hip().get(re.sub(r"(\d)U?>$", r"\1>", name))


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
