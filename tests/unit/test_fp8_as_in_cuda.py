"""Floats of Python as 8-bit floats: the bytes that CUDA's constructors from double make of them, NaNs included."""

from __future__ import annotations

import random
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

# The bits of a double, and the bytes of __nv_fp8_e5m2 and __nv_fp8_e4m3 (cuda_fp8.hpp of CUDA 13.0 and 13.5).
FACTS = [
    (0x7FF8 << 48, 0x7E, 0x7F), (0xFFF8 << 48, 0xFE, 0xFF), (0x7FFC << 48, 0x7F, 0x7F), (0xFFFC << 48, 0xFF, 0xFF),
    (0x7FF << 52 | 1, 0x7E, 0x7F), (0x7FF4 << 48, 0x7F, 0x7F), (2**64 - 1, 0xFF, 0xFF),
    (0x7FF << 52, 0x7B, 0x7E), (0xFFF << 52, 0xFB, 0xFE), (0x8000 << 48, 0x80, 0x80),
]  # fmt: skip
FORMATS = (sb.float8e5m2, sb.float8e4m3)

PROGRAM = """
#include <cuda_fp8.h>
#include <cstdio>
#include <cstring>
int main() {
  unsigned long long bits; double value;
  while (std::scanf("%llx", &bits) == 1) {
    std::memcpy(&value, &bits, 8);
    std::printf("%d %d\\n", __nv_fp8_e5m2(value).__x, __nv_fp8_e4m3(value).__x);
  }
}
"""


def _packed(bits: int) -> list[int]:
    (value,) = struct.unpack("d", struct.pack("Q", bits))
    return [sb.pack(value, kind)[0] for kind in FORMATS]


@pytest.mark.parametrize(("bits", "e5m2", "e4m3"), FACTS, ids=[hex(row[0]) for row in FACTS])
def test_facts(bits: int, e5m2: int, e4m3: int) -> None:
    assert _packed(bits) == [e5m2, e4m3]
    (value,) = struct.unpack("d", struct.pack("Q", bits))
    assert sb.pack((value, value), sb.float8e5m2x2) == bytes([e5m2] * 2)


def _headers() -> Any:
    found = [Path(p) for p in ("/usr/local/cuda/include", "/usr/local/cuda-13.0/include")]
    try:
        import nvidia

        found += [Path(folder) / "cu13/include" for folder in nvidia.__path__]
    except ImportError:
        pass
    return next(
        (f for f in found if (f / "cuda_fp8.h").exists() and (f / "cuda_runtime_api.h").exists()), None
    )


@pytest.mark.full
@pytest.mark.skipif(not shutil.which("g++"), reason="needs g++")
def test_cudas_own_header_agrees(tmp_path: Path) -> None:
    if (headers := _headers()) is None:
        pytest.skip("cuda_fp8.h is not here: pip install 'samebytes[cuda]'")
    (tmp_path / "fp8.cpp").write_text(PROGRAM)
    subprocess.run(["g++", f"-I{headers}", "-o", tmp_path / "fp8", tmp_path / "fp8.cpp"], check=True)
    draw = random.Random(8)
    near = [
        (1023 + draw.randint(-20, 20) << 52) | draw.getrandbits(52) | draw.getrandbits(1) << 63
        for _ in range(4000)
    ]
    ties = [(1023 + e << 52) | (m << 48) for e in range(-20, 18) for m in range(16)]
    nans = [(0x7FF << 52) | draw.getrandbits(52) | draw.getrandbits(1) << 63 for _ in range(500)]
    every = [row[0] for row in FACTS] + near + ties + nans + [draw.getrandbits(64) for _ in range(2000)]
    text = "\n".join(f"{bits:x}" for bits in every)
    said = subprocess.run([tmp_path / "fp8"], input=text, capture_output=True, text=True, check=True).stdout
    rows = [[int(word) for word in line.split()] for line in said.splitlines()]
    assert [_packed(bits) for bits in every] == rows
