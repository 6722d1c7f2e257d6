"""Spellings of libcu++'s atomics: as large and as aligned as CUDA's compilers say, or refused in words."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb
from samebytes.layouts.oracle import judges

# Sizes and alignments in bytes as CUDA's headers say (libcu++ of CUDA 13.3, with g++ 12.2, nvcc 13.0 and NVRTC 13.5).
FACTS = {
    "bool": (4, 4), "char": (4, 4), "signed char": (4, 4), "unsigned char": (4, 4), "short": (4, 4),
    "unsigned short": (4, 4), "int": (4, 4), "unsigned": (4, 4), "long long": (8, 8), "float": (4, 4), "double": (8, 8),
    "void*": (8, 8), "float2": (8, 8), "int4": (32, 16), "float3": (16, 4), "char2": (4, 4), "short2": (4, 4),
    "uchar3": (4, 4),
}  # fmt: skip
NAMES = ("cuda::std::atomic", "cuda::atomic")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("element", FACTS)
def test_as_large_as_in_cuda_or_refused(element: str, name: str) -> None:
    spelled, plain = f"{name}<{element}>", sb.as_type(element)
    if (sb.sizeof(plain, "cuda"), sb.alignof(sb.Atomic(plain), "cuda")) != FACTS[element]:
        with pytest.raises(TypeError, match=r"libcu\+\+ does not keep an atomic .* in its \d+ bytes"):
            sb.as_type(spelled)
        return
    made: Any = sb.as_type(spelled)
    assert (sb.sizeof(made, "cuda"), sb.alignof(made, "cuda")) == FACTS[element]


def test_those_of_the_host_are_as_they_were() -> None:
    for element, size in (("bool", 1), ("unsigned char", 1), ("short", 2), ("int", 4)):
        assert sb.sizeof(sb.as_type(f"std::atomic<{element}>")) == size
        assert sb.sizeof(sb.as_type(f"samebytes::atomic<{element}>"), "cuda") == size
    for dialect in ("cuda", "hip"):
        assert sb.sizeof(sb.Atomic(sb.uint8), dialect) == 1


@pytest.mark.full
def test_compilers_say_so() -> None:
    asked = [
        (f"{question}({name}<{element}>)", facts[i])
        for name in NAMES for element, facts in FACTS.items() for i, question in enumerate(("sizeof", "alignof"))
    ]  # fmt: skip
    found = 0
    for judge in judges("cuda"):
        try:
            judge.find()
        except sb.MissingDependency:
            continue
        assert judge.disputed("#include <cuda/std/atomic>\n#include <cuda/atomic>\n", asked) == {}
        found += 1
    if not found:
        pytest.skip("CUDA's headers are not here: pip install 'samebytes[cuda]'")
