"""What holds for memory of every library and kind; test_memory.py, the SYCL cases and the GPU script run it."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import samebytes as sb

D = sb.DeviceArray
X = np.arange(24, dtype="f4").reshape(2, 3, 4)
KEYS = (
    np.s_[:], np.s_[1], np.s_[..., 2], np.s_[:, ::2], np.s_[::-1, :, ::-2], np.s_[0, 1], np.s_[:, None, 1:2],
    np.s_[1:1],
)  # fmt: skip
DTYPES = (
    "?", "i1", "u8", "f2", "f8", "c8", "c16", sb.bfloat16, sb.float8e5m2, sb.float32x4, sb.int16x3,
    np.dtype([("a", "i2"), ("b", "f8", (2,))]), np.dtype([("a", "i1"), ("b", "f8")], align=True),
)  # fmt: skip


def round_trips(how: dict[str, Any]) -> None:
    made = D.from_host(X, **how)
    assert (made.shape, made.strides, made.dtype) == (X.shape, (12, 4, 1), X.dtype)
    assert np.array_equal(made.copy_to_host(), X)
    room = np.zeros_like(X)
    assert made.copy_to_host(room) is room
    assert np.array_equal(room, X)


def slices_mean_what_numpy_means(how: dict[str, Any]) -> None:
    made = D.from_host(X, **how)
    for key in KEYS:
        part, expected = made[key], X[key]
        assert (part.shape, part.byte_strides) == (expected.shape, expected.strides) or not expected.size
        assert np.array_equal(part.copy_to_host(), expected), key
        assert np.array_equal(part.copy().copy_to_host(), expected), key
    assert np.array_equal(made.T.copy_to_host(), X.T)
    assert np.array_equal(made.reshape(6, 4)[1].copy_to_host(), X.reshape(6, 4)[1])


def parts_are_written_and_nothing_beside_them(how: dict[str, Any]) -> None:
    for key in KEYS:
        made, expected = D.from_host(X, **how), X.copy()
        expected[key] = -expected[key] - 1
        made[key].copy_from_host(expected[key])
        assert np.array_equal(made.copy_to_host(), expected), key
        made[key] = 7
        expected[key] = 7
        assert np.array_equal(made.copy_to_host(), expected), key


def every_dtype_travels(how: dict[str, Any]) -> None:
    for dtype in DTYPES:
        made = D.zeros((3, 2), dtype, **how)
        host = made.copy_to_host()
        assert not host.view(np.uint8).any()
        host.view(np.uint8)[...] = np.resize(np.arange(7, dtype=np.uint8), host.view(np.uint8).shape)
        if host.dtype == np.bool_:
            host[...] = True
        made.copy_from_host(host)
        assert made.copy_to_host().tobytes() == host.tobytes(), dtype


def orders_strides_and_alignment(how: dict[str, Any]) -> None:
    for align in (1, 64, 4096):
        made = D.empty((2, 3), "f8", order="F", align=align, **how)
        assert int(made) % max(align, 8) == 0
        assert made.strides == (1, 2)
    spread = D.zeros((3, 2), "i4", strides=(-4, 2), **how)
    assert spread.strides == (-4, 2)
    spread.copy_from_host([[1, 2], [3, 4], [5, 6]])
    assert spread.copy_to_host().tolist() == [[1, 2], [3, 4], [5, 6]]
    for shape in ((), (0, 3), 0):
        assert D.zeros(shape, "f4", **how).copy_to_host().shape == np.zeros(shape).shape


def wrong_data_is_refused(how: dict[str, Any]) -> None:
    made = D.zeros(3, "f4", **how)
    for wrong in (np.zeros(3), np.zeros(4, "f4"), np.zeros((3, 1), "f4"), np.zeros(3, ">f4")):
        with pytest.raises(sb.ArrayError, match="expected"):
            made.copy_from_host(wrong)
    for out in (np.zeros(3), np.frombuffer(bytes(12), "f4")):
        with pytest.raises(sb.ArrayError, match="out"):
            made.copy_to_host(out)
    made.configure(read_only=True)
    with pytest.raises(sb.ArrayError, match="read-only"):
        made.copy_from_host(np.zeros(3, "f4"))
    assert not made.copy_to_host().any()


def memory_lives_as_long_as_any_part(how: dict[str, Any]) -> None:
    made = D.from_host(X, **how)
    part = made[1][::2]
    shown, pointer = sb.view(part), sb.Pointer(made)
    del made
    gc.collect()
    assert np.array_equal(part.copy_to_host(), X[1][::2])
    del part
    gc.collect()
    assert np.array_equal(D(shown).copy_to_host(), X[1][::2])
    assert int(pointer) == shown.ptr - X[1].ctypes.data + X.ctypes.data


def configuring_keeps_the_memory(how: dict[str, Any]) -> None:
    made = D.from_host(np.arange(8, dtype="f4"), **how)
    alive = weakref.ref(made._array)
    made.configure(shape=(2, 4), typestr="u4")
    assert alive() is not None
    assert np.array_equal(made.copy_to_host(), np.arange(8, dtype="f4").view("u4").reshape(2, 4))
    made.__init__(None)  # type: ignore[misc]
    gc.collect()
    assert alive() is None


CONTRACT: tuple[Callable[[dict[str, Any]], None], ...] = (
    round_trips, slices_mean_what_numpy_means, parts_are_written_and_nothing_beside_them, every_dtype_travels,
    orders_strides_and_alignment, wrong_data_is_refused, memory_lives_as_long_as_any_part,
    configuring_keeps_the_memory,
)  # fmt: skip
