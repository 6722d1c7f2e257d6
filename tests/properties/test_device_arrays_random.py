"""Random parts and descriptions of device arrays: NumPy's meaning of an index, and ``configure``'s all or nothing."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import samebytes as sb

DTYPES = ("f4", "i8", "u1", "?", "c16", "f2", "i2,f8")


def _array(of: random.Random) -> np.ndarray[Any, Any]:
    """Any order of dimensions, gaps, negative strides, extents of 0 and 1."""
    shape = [of.choice([0, 1, 2, 3, 5]) for _ in range(of.randint(0, 4))]
    room = np.arange(int(np.prod([2 * n for n in shape]))).astype("i8")
    whole = np.zeros(room.size, of.choice(DTYPES))
    if whole.dtype.fields is None:
        whole[...] = room % 2 if whole.dtype == bool else room % 100
    steps = tuple(slice(None, None, of.choice([2, -2])) for _ in shape)
    found = whole.reshape([2 * n for n in shape])[(*steps, ...)]
    return np.transpose(found, of.sample(range(len(shape)), len(shape)))


def _key(of: random.Random, shape: tuple[int, ...]) -> Any:
    def one(n: int) -> Any:
        bounds = [None, *range(-n - 2, n + 3)]
        part = slice(of.choice(bounds), of.choice(bounds), of.choice([None, 1, 2, -1, -3, 100, -100]))
        return of.choice([part, part, None, of.randint(-n - 1, n)])

    key = [one(n) for n in shape[: of.randint(0, len(shape))]]
    if of.random() < 0.4:
        key.insert(of.randint(0, len(key)), ...)
    return key[0] if len(key) == 1 and of.random() < 0.5 else tuple(key)


def _said(act: Any) -> Any:
    try:
        return act()
    except IndexError:
        return IndexError


@pytest.mark.parametrize("seed", range(20))
def test_parts_are_those_of_numpy(seed: int) -> None:
    of = random.Random(seed)
    for _ in range(150):
        array = _array(of)
        key = _key(of, array.shape)
        there, here = _said(lambda: array[key]), _said(lambda: sb.DeviceArray(array)[key])  # noqa: B023
        if not isinstance(there, np.ndarray):
            assert here is there or here == there or array.dtype.fields, (array.shape, array.strides, key)
            assert not isinstance(here, sb.DeviceArray)
            continue
        assert isinstance(here, sb.DeviceArray)
        assert (here.shape, here.dtype) == (there.shape, there.dtype)
        back = np.asarray(here)
        assert np.array_equal(here.copy_to_host(), there)
        assert np.array_equal(back, there)
        if there.size:
            wide = [(n, s) for n, s in zip(here.shape, here.byte_strides, strict=True) if n > 1]
            assert wide == [(n, s) for n, s in zip(there.shape, there.strides, strict=True) if n > 1]
            assert int(here) == there.ctypes.data == back.ctypes.data


SAID: dict[str, tuple[Any, ...]] = {
    "shape": ((), (6,), (3, 2), 24, (0,), (-1,), "ab", 1.5, (2**63,), (2**40, 2**40), (2, 3.0), object()),
    "typestr": ("f4", ">f4", "u1", "?", "f8", "i2", "O", "V0", "", "zork", 5, "i4,f4", "(2,)f4", "M8[s]"),
    "strides": ((), (4,), (12, 4), (4, 8), (-4,), (0, 0), "x", (4.0,), 4, (2**63,), (2**70,), (-12, -4)),
    "itemsize": (1, 4, 8, 0, -1, True, 2.0, "4", 2**31),
    "read_only": (True, False, 1, "no"),
    "stream": (None, 0, 1, -1, True, "x", 1.5, 2**64),
    "_force": (True, False),
}


@pytest.mark.parametrize("seed", range(10))
def test_configure_says_all_or_nothing(seed: int) -> None:
    of = random.Random(seed)
    memory = np.arange(6, dtype="f4").reshape(2, 3)
    low, high = memory.ctypes.data, memory.ctypes.data + memory.nbytes
    taken = 0
    for _ in range(300):
        made = of.choice([sb.DeviceArray(memory), sb.DeviceArray(memory)[:, ::2], sb.DeviceArray(4096)])
        said = {name: of.choice(values) for name, values in SAID.items() if of.random() < 0.4}
        facts = (int(made), repr(made), made.owner, made._array)
        try:
            made.configure(**said)
        except sb.ArrayError:
            assert (int(made), repr(made), made.owner, made._array) == facts, said
            continue
        taken += 1
        assert int(made) == facts[0]
        if not said.get("_force") and made.size:
            reach = [(n - 1) * s for n, s in zip(made.shape, made.byte_strides, strict=True)]
            first = int(made) + sum(r for r in reach if r < 0)
            assert low <= first, said
            assert int(made) + sum(r for r in reach if r > 0) + made.itemsize <= high, said
    assert taken > 10
