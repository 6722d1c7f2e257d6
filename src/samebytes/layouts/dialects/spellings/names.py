"""The names by which the dialects, their toolkits and the specification call a type."""

from __future__ import annotations

from functools import cache

from ....types import SCALARS, SPELLED, Aligned, Tuple, Type, Vector

# CUDA 13's vectors of 32 bytes, which say their alignment; the bare name has 16.
_WIDE = {"double": "float64", "long": "int64", "ulong": "uint64", "longlong": "int64", "ulonglong": "uint64"}

# Names that no dialect's table spells.
_NAMES = {
    "size_t": "uint64", "ptrdiff_t": "int64", "ssize_t": "int64", "intptr_t": "int64", "uintptr_t": "uint64",
    "byte": "uint8", "half": "float16", "_Float16": "float16", "__bf16": "bfloat16", "nv_half": "float16",
    "nv_bfloat16": "bfloat16", "hip_bfloat16": "bfloat16",
    "float16_t": "float16", "bfloat16_t": "bfloat16", "float32_t": "float32", "float64_t": "float64",
    "cuComplex": "cuFloatComplex", "hipComplex": "hipFloatComplex",
    "uchar": "uint8", "ushort": "uint16", "uint": "uint32", "ulong": "uint64",
    "intmax_t": "int64", "uintmax_t": "uint64",
    **dict.fromkeys(("__half_raw", "__fp16"), "float16"),
    **dict.fromkeys(("half2", "nv_half2", "__half2_raw"), "float16x2"),
    **dict.fromkeys(("__nv_bfloat16_raw", "__hip_bfloat16", "__hip_bfloat16_raw"), "bfloat16"),
    **dict.fromkeys(("nv_bfloat162", "__nv_bfloat162_raw", "__hip_bfloat162"), "bfloat16x2"),
    **{f"{word}4_16a": f"{kind}x4" for word, kind in _WIDE.items()},
    # The specification's own names, which no toolkit has ("Vector Types").
    **{f"__half{n}": f"float16x{n}" for n in (1, 3, 4)},
    **{f"__nvbfloat16{n}": f"bfloat16x{n}" for n in (1, 2, 3, 4)},
    **{f"__nv_fp8x{n}_{kind}": f"float8{kind}x{n}" for n in (1, 3) for kind in ("e4m3", "e5m2")},
    **{f"{u}long{n}": f"{u and 'u'}int64x{n}" for u in ("", "u") for n in (1, 2, 3, 4)},
}  # fmt: skip


@cache
def known_names() -> dict[str, str]:
    """Every name of the dialects' tables without its namespaces, and ours."""
    from .. import dialect_names, find_dialect

    found: dict[str, str] = {}
    for dialect in dialect_names():
        for name, native in find_dialect(dialect).natives.items():
            if "<" not in native.spelling and name != "pointer":
                found.setdefault(native.spelling.rpartition("::")[2], name)
    # One element is the number itself where a language has no struct for it.
    scalars = {
        spelling: name.removesuffix("x1")
        for spelling, name in found.items()
        if name.removesuffix("x1") in SCALARS
    }
    structs = {spelling: name for spelling, name in found.items() if spelling[-1:] == "1"}
    return {**found, **_NAMES, **scalars, **structs, **{name: name for name in (*SCALARS, *_OTHERS)}}


# What is no number and no vector alone.
_OTHERS: dict[str, Type] = {
    "dim3": Tuple.of([SCALARS["uint32"]] * 3),
    **{f"{word}4_32a": Aligned(Vector(SCALARS[kind], 4), 32) for word, kind in _WIDE.items()},
    **SPELLED,
}


def described(name: str) -> Type:
    """The type that one of our names means: ``"float32"``, ``"float32x4"``, ``"dim3"``."""
    found = SCALARS.get(name) or _OTHERS.get(name)
    element, _, size = name.rpartition("x")
    return found or Vector(SCALARS[element], int(size))
