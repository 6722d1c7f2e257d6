"""Whose layout the arguments of a launch have, and that offsets do not matter where each has its own pointer."""

from __future__ import annotations

import ctypes
import re

import pytest

import samebytes as sb

# __global__ void k(char, Wide, char) with struct alignas(64) Wide { float x; }, as their compilers record it.
CUDA = tuple(sb.ArgumentPlace(o, s, dialect="cuda") for o, s in ((0, 1), (64, 64), (128, 1)))
MOVED = tuple(sb.ArgumentPlace(o, s, dialect="cuda") for o, s in ((0, 1), (16, 64), (80, 1)))
HIP = tuple(sb.ArgumentPlace(o, s, dialect="hip") for o, s in ((0, 1), (64, 64), (128, 1)))


@sb.struct(align=64)
class Wide:
    x: sb.float32


ARGUMENTS = [ctypes.c_char(b"a"), Wide(1.5), ctypes.c_char(b"b")]


@pytest.mark.parametrize("kernel", [CUDA, MOVED, HIP], ids=["cuda", "elsewhere", "hip"])
def test_offsets_do_not_matter_to_pointers(kernel: tuple[sb.ArgumentPlace, ...]) -> None:
    params = sb.KernelParams(ARGUMENTS, kernel=kernel)
    table = (ctypes.c_void_p * 3).from_address(int(params))
    assert table[1] % 64 == 0
    assert ctypes.c_float.from_address(table[1]).value == 1.5
    assert ctypes.string_at(table[2], 1) == b"b"


def test_offsets_matter_in_a_block() -> None:
    assert sb.LaunchExtra(ARGUMENTS, kernel=HIP).offsets == (0, 64, 128)
    with pytest.raises(
        sb.ArgumentError, match=r"argument 2: expected 64 bytes at offset 16 .*at offset 64 \(dialect"
    ):
        sb.LaunchExtra(ARGUMENTS, kernel=MOVED)


def test_sizes_matter_to_both() -> None:
    wrong = (CUDA[0], sb.ArgumentPlace(64, 32, dialect="cuda"), CUDA[2])
    sentence = "argument 2: expected 32 bytes (the kernel's metadata), got 64 bytes (dialect cuda)"
    with pytest.raises(sb.ArgumentError, match=re.escape(sentence)):
        sb.KernelParams(ARGUMENTS, kernel=wrong)
    with pytest.raises(sb.ArgumentError, match="got 3 arguments; the kernel's metadata lists 2"):
        sb.KernelParams(ARGUMENTS, kernel=CUDA[:2])


def test_the_kernel_says_whose_it_is() -> None:
    for kind in (sb.KernelParams, sb.LaunchExtra):
        with pytest.raises(sb.ArgumentError, match="got dialect='hip', but the kernel was compiled for cuda"):
            kind(ARGUMENTS, kernel=CUDA, dialect="hip")
        kind(ARGUMENTS, kernel=CUDA)
        kind(ARGUMENTS, kernel=CUDA, dialect="cuda")
        kind(ARGUMENTS)


def test_what_cuda_and_hip_lay_out_differently_needs_a_dialect(monkeypatch: pytest.MonkeyPatch) -> None:
    """No type of today does: one that will is refused, not guessed."""
    from samebytes.call.adapters import launch_arguments

    original = launch_arguments.compute
    monkeypatch.setattr(
        launch_arguments,
        "compute",
        lambda type_, table: original(
            sb.as_type(sb.float64) if table.name == "cuda" and type_ == sb.as_type(sb.float32) else type_,
            table,
        ),
    )
    given = [sb.float32(1)]
    with pytest.raises(
        sb.ArgumentError, match="alike, or dialect='cuda' or 'hip', got float32, of 8 in cuda and 4 in hip"
    ):
        sb.KernelParams(given)
    sb.KernelParams(given, dialect="hip")
    sb.LaunchExtra(given)
