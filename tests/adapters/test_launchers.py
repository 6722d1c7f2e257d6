"""What launchers do otherwise with kernel arguments: ours is right (rows K.… of defects.toml)."""

from __future__ import annotations

import ctypes

import ml_dtypes
import numpy as np
import pytest

import samebytes as sb


class Pair(ctypes.Structure):
    _fields_ = (("n", ctypes.c_int), ("x", ctypes.c_float))


@pytest.mark.statement("K.1")
@pytest.mark.parametrize(
    ("kind", "data"), [("float", np.float32(1.5).tobytes()), ("double", np.float64(1.5).tobytes())]
)
def test_a_float_has_the_declared_width(kind, data):
    assert sb.LaunchExtra([1.5], types=[kind]).data == data
    with pytest.raises(sb.ArgumentError, match=r"Say how wide it is: sb\.float32\(x\), sb\.float64\(x\)"):
        sb.LaunchExtra([1.5])


@pytest.mark.statement("K.2", "K.3", "K.5", "K.6")
@pytest.mark.parametrize(
    ("argument", "data"),
    [
        (np.array([(1, 2.5)], np.dtype("i4,f8", align=True))[0], b"\1" + bytes(7) + np.float64(2.5).tobytes()),
        (Pair(1, 2), b"\1\0\0\0" + np.float32(2).tobytes()),
        (None, bytes(8)),
        (ml_dtypes.bfloat16(1), b"\x80\x3f"),
        (np.float16(1), b"\0\x3c"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("cls", [sb.LaunchExtra, sb.KernelParams])
def test_values_go_by_value(cls, argument, data):
    made = cls([argument])
    if cls is sb.LaunchExtra:
        assert made.data == data
    else:
        pointer = ctypes.c_void_p.from_address(int(made)).value
        assert ctypes.string_at(pointer, len(data)) == data


@sb.struct(align=256)
class Wide:
    x: sb.int32


@pytest.mark.parametrize("cls", [sb.LaunchExtra, sb.KernelParams])
def test_arguments_lie_aligned_in_memory(cls):
    made = [cls([ctypes.c_char(b"a"), Wide(n)]) for n in range(8)]
    for launch in made:
        words = (ctypes.c_size_t * 2).from_address(int(launch))
        second = words[1] if cls is sb.KernelParams else words[1] + launch.offsets[1]
        assert second % 256 == 0
    assert made[0].offsets == (0, 256)


@pytest.mark.statement("K.4")
def test_tuples_stand_for_declared_vectors():
    assert sb.LaunchExtra([(1, 2, 3)], types=["int3"]).data == np.array([1, 2, 3], "i4").tobytes()
    with pytest.raises(sb.ArgumentError):
        sb.LaunchExtra([(1, 2, 3)])


@pytest.mark.statement("K.7")
def test_an_int_has_the_declared_width_or_is_an_address():
    for kind, size in (("signed char", 1), ("short", 2), ("int", 4), ("long long", 8)):
        assert sb.LaunchExtra([7], types=[kind]).data == (7).to_bytes(size, "little")
    with pytest.raises(sb.RangeError, match="got 300"):
        sb.LaunchExtra([300], types=["signed char"])
    assert sb.LaunchExtra([2**63]).data == (2**63).to_bytes(8, "little")


@pytest.mark.statement("K.8")
@pytest.mark.parametrize("cls", [sb.LaunchExtra, sb.KernelParams])
def test_views_with_gaps_are_refused(cls):
    with pytest.raises(sb.ArrayError, match="contiguous"):
        cls([np.zeros((4, 4))[:, 1]])


@pytest.mark.statement("K.11")
def test_numbers_are_of_the_declared_kind_and_count():
    with pytest.raises(sb.ArgumentError, match=r"expected int32.*got c_float"):
        sb.LaunchExtra([ctypes.c_float(1)], types=["int"])
    with pytest.raises(sb.ArgumentError, match="got 1 arguments for 2 types"):
        sb.LaunchExtra([ctypes.c_int(1)], types=["int", "int"])
