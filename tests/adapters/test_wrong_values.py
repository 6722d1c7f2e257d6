"""Values that do not fit: errors in words, by the name of what was called, and nothing is dropped in silence."""

from __future__ import annotations

import array

import numpy as np
import pytest

import samebytes as sb
from samebytes.errors import Error


def described(**facts: object) -> object:
    """An object with a CUDA Array Interface."""
    return type("Described", (), {"__cuda_array_interface__": facts})()


# An interface that says nothing, one with a negative address, and one with a mask.
BROKEN = {
    "empty": described(),
    "address": described(shape=(2,), typestr="<f4", data=(-64, False), version=3),
    "mask": described(shape=(2,), typestr="<f4", data=(64, False), version=3, mask=np.zeros(2)),
    "masked array": np.ma.zeros(3),
}


@pytest.mark.parametrize("make", [sb.Pointer, sb.DeviceArray, sb.DeviceArray.asarray, sb.ListOfInt])
@pytest.mark.parametrize("producer", BROKEN)
def test_a_broken_protocol_is_an_error_of_the_adapter(make, producer):
    name = getattr(make, "__self__", make).__name__
    with pytest.raises(Error, match=rf"^{name}\(\): expected .*None, a Pointer"):
        make(BROKEN[producer])


@pytest.mark.parametrize("wrong", [1.5, "text", [1], object(), True, -1, 2**64])
def test_errors_name_the_class_that_was_called(wrong):
    class Mine(sb.DeviceArray):
        pass

    for cls in (sb.Pointer, sb.DeviceArray, Mine):
        with pytest.raises(Error, match=rf"^{cls.__name__}\(\): expected"):
            cls(wrong)


@pytest.mark.parametrize("wrong", [1.5, "text", {1}, object(), True, -1, range(2)])
@pytest.mark.parametrize(
    "cls", [sb.ListOfInt, sb.ListOfBytes, sb.ListOfPointer, sb.KernelParams, sb.LaunchExtra]
)
def test_errors_of_lists_say_that_they_take_lists(cls, wrong):
    words = "a list or tuple, None" if wrong != -1 else "an address"
    with pytest.raises(Error, match=rf"^{cls.__name__}\(\): expected {words}"):
        cls(wrong)


# Elements, and values that they can keep.
KEPT = [
    ("i4", [1, -2]),
    ("i4", [True, np.int8(3)]),
    ("i4", array.array("i", [1, 2])),
    ("u8", [2**64 - 1, 0]),
    ("?", [True, np.False_]),
    ("f4", [1, 2.5]),
    ("f4", [float("inf"), 2]),
    ("c8", [1, 2j]),
    ("S2", [b"ab", b"c"]),
    ("U2", ["ab", "c"]),
    ("i4,f4", [(1, 2.5), (3, 4)]),
]
# Elements, and values of which NumPy alone would drop something, or raise an error of its own.
LOST = [
    ("i4", [1.5, 2]),
    ("i4", [1.0, 2]),
    ("i4", [2**31, 0]),
    ("i1", [np.int64(300), 1]),
    ("u1", [-1, 2]),
    ("i4", [float("nan"), 0]),
    ("i4", [[1], [2, 3]]),
    ("i8", ["1", "2"]),
    ("?", [2, 0]),
    ("f4", [1e300, 2]),
    ("f2", [1e6, 1]),
    ("f4", [1j, 2]),
    ("f8", [None, 1]),
    ("f8", [2**2000, 1]),
    ("S2", [b"abc", b"d"]),
    ("U2", ["abc", "d"]),
    ("i4,f4", [(1.5, 2.5), (3, 4)]),
    ("i4,f4", [(1, 2.5, 3), (3, 4, 5)]),
]


@pytest.mark.parametrize(("dtype", "values"), KEPT)
def test_values_that_fit(dtype, values):
    made = sb.DeviceArray.zeros(2, dtype).copy_from_host(values)
    assert made.copy_to_host().tolist() == np.array(values, dtype).tolist()
    assert sb.DeviceArray.from_host(values, dtype).copy_to_host().tolist() == np.array(values, dtype).tolist()


@pytest.mark.parametrize(("dtype", "values"), LOST)
def test_values_that_would_change_are_refused(dtype, values):
    made = sb.DeviceArray.zeros(2, dtype)
    before = bytes(memoryview(made))
    for write in (made.copy_from_host, lambda v: made.__setitem__(slice(None), v)):
        with pytest.raises(sb.ArrayError, match="expected"):
            write(values)
    with pytest.raises(sb.ArrayError, match="expected"):
        sb.DeviceArray.from_host(values, dtype)
    assert bytes(memoryview(made)) == before


def test_shapes_that_do_not_extend_are_refused():
    made = sb.DeviceArray.zeros((2, 2), "i4")
    with pytest.raises(sb.ArrayError, match="or one that extends to it"):
        made[...] = [1, 2, 3]
    with pytest.raises(sb.ArrayError, match="an array on the host"):
        sb.DeviceArray.from_host([[1], [2, 3]])


class Mine(sb.DeviceArray):
    """A subclass, which errors name."""


WHERE = {
    "DeviceArray.empty(): shape: ": lambda: sb.DeviceArray.empty("x"),
    "DeviceArray.zeros(): align: ": lambda: sb.DeviceArray.zeros(3, align=3),
    "DeviceArray.from_host(): order: ": lambda: sb.DeviceArray.from_host([1.5], order="Q"),
    "DeviceArray.asarray(): device: ": lambda: sb.DeviceArray.asarray([1], device="tpu"),
    "DeviceArray.configure(): _force is ": lambda: sb.DeviceArray.empty(3).configure(_force="x"),
    "DeviceArray.copy(): DeviceArray(0x1000) is an address alone": lambda: sb.DeviceArray(0x1000).copy(),
    "DeviceArray.copy_to_host(): out: ": lambda: sb.DeviceArray.empty(3).copy_to_host(5),
    "DeviceArray.copy_from_host(): expected shape (3,)": lambda: sb.DeviceArray.empty(3).copy_from_host(
        [1, 2]
    ),
    "DeviceArray[...] = x: expected int32": lambda: sb.DeviceArray.empty(3, "i4").__setitem__(0, 1.5),
    "Mine.from_host(): expected int32": lambda: Mine.from_host([1.5], "i4"),
}


@pytest.mark.parametrize("beginning", WHERE)
def test_errors_begin_with_the_method_that_was_called(beginning):
    with pytest.raises((sb.ArrayError, sb.ArgumentError)) as caught:
        WHERE[beginning]()
    assert str(caught.value).startswith(beginning)


@pytest.mark.parametrize("strides", [(1.5, 1), 3, "ab"])
def test_strides_are_integers(strides):
    with pytest.raises(sb.ArrayError, match="strides: expected integers"):
        sb.DeviceArray.empty((2, 2), strides=strides)


@pytest.mark.parametrize("itemsize", [0, -1, 1.5, True, 2**31, 2**70])
def test_an_itemsize_is_a_number_of_bytes(itemsize):
    with pytest.raises(sb.ArrayError, match="itemsize: expected a number of bytes"):
        sb.DeviceArray(0x1000).configure(shape=(2,), itemsize=itemsize, _force=True)


@pytest.mark.parametrize(
    "cls", [sb.ListOfInt, sb.ListOfPointer, sb.DeviceArray, sb.KernelParams, sb.LaunchExtra]
)
def test_a_subclass_that_makes_nothing_is_null(cls):
    class Nothing(cls):
        def __init__(self) -> None:
            pass

    made = Nothing()
    assert int(made) == 0
    assert not made
    assert repr(made) == "Nothing(None)"
    for ask in ("offsets", "device"):
        getattr(made, ask, None)
    if issubclass(cls, sb.ListOfInt | sb.ListOfPointer):
        with pytest.raises(sb.ArgumentError, match="nothing says how many"):
            len(made)
