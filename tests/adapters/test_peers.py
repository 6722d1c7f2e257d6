"""What HIP Python 6.2, 7.2 and 10.0 do otherwise: ours is right (statements H.…)."""

from __future__ import annotations

import ctypes
import gc
import weakref

import numpy as np
import pytest

import samebytes as sb

P, D = sb.Pointer, sb.DeviceArray
LISTS = (sb.ListOfInt, sb.ListOfPointer, sb.ListOfBytes)


@pytest.mark.statement("H.2")
@pytest.mark.parametrize("cls", [P, D, sb.ListOfInt, sb.ListOfPointer])
@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int64, np.uint64])
def test_numpy_integers_are_integers(cls, kind):
    assert int(cls(kind(9))) == 9
    if cls is not sb.ListOfInt:
        with pytest.raises(sb.ArgumentError, match="array of one element"):
            cls(np.float64(9))


@pytest.mark.statement("H.3", "H.4", "H.24", "H.25")
@pytest.mark.parametrize("cls", [P, D, sb.ListOfInt, sb.ListOfBytes])
def test_ctypes_pointers_give_their_target(cls):
    number = (ctypes.c_int * 4)(1, 2, 3, 4)
    text = ctypes.create_string_buffer(b"text")
    function = ctypes.CFUNCTYPE(None)(lambda: None)
    targets = {
        ctypes.addressof(number): (
            ctypes.pointer(number), ctypes.byref(number), ctypes.cast(number, ctypes.POINTER(ctypes.c_int)),
            ctypes.cast(number, ctypes.c_void_p),
        ),
        ctypes.addressof(number) + 8: (ctypes.byref(number, 8),),
        ctypes.addressof(text): (ctypes.cast(text, ctypes.c_char_p),),
        ctypes.cast(function, ctypes.c_void_p).value: (function,),
    }  # fmt: skip
    for address, pointers in targets.items():
        for pointer in pointers:
            assert int(cls(pointer)) == address
    assert not cls(ctypes.POINTER(ctypes.c_int)())


@pytest.mark.statement("H.3")
def test_what_a_ctypes_pointer_keeps_is_kept():
    number = ctypes.c_int(5)
    pointer = P(ctypes.pointer(number))
    alive = weakref.ref(number)
    del number
    gc.collect()
    assert alive() is not None
    assert ctypes.c_int.from_address(int(pointer)).value == 5


LOCKED = np.zeros(3)
LOCKED.flags.writeable = False


@pytest.mark.statement("H.5")
@pytest.mark.parametrize("obj", [b"bytes", memoryview(b"bytes"), LOCKED, sb.view(LOCKED)])
def test_read_only_memory_is_refused(obj):
    with pytest.raises(sb.ArrayError, match=r"expected writable memory, got read-only .*readonly=True"):
        P(obj)
    said = P(obj, readonly=True)
    assert int(said)


@pytest.mark.statement("H.5")
def test_a_read_only_device_array_is_no_pointer_to_write_through():
    d = D(LOCKED)
    assert d.is_read_only
    with pytest.raises(sb.ArrayError, match="read-only"):
        d.copy_from_host([1, 2, 3])
    assert memoryview(d).readonly
    assert not np.asarray(d).flags.writeable


@pytest.mark.statement("H.6")
@pytest.mark.parametrize(
    ("array", "words"),
    [
        (np.zeros((2, 3), order="F"), "Fortran's order"),
        (np.zeros((4, 4))[::2], "strides"),
        (np.zeros(4)[::-1], "strides"),
        (memoryview(bytearray(8))[::2], "strides"),
    ],
)
def test_only_contiguous_arrays_are_an_address(array, words):
    with pytest.raises(sb.ArrayError, match=f"(?s)C-contiguous.*{words}.*contiguous copy"):
        P(array)
    assert int(P(np.zeros((3, 1), order="F"))), "one column is in both orders"


@pytest.mark.statement("H.7")
@pytest.mark.parametrize("cls", [P, sb.ListOfInt, sb.LaunchExtra])
def test_negative_offsets_are_refused_in_words(cls):
    with pytest.raises(IndexError, match=r"\[-1\]: the offset in bytes must not be negative"):
        cls(64)[-1]
    with pytest.raises(IndexError, match="nothing behind a null pointer"):
        cls(0)[1]
    with pytest.raises(IndexError, match="beyond the last address"):
        cls(2**64 - 8)[8]
    assert (int(cls(64)[8]), int(cls(2**64 - 8)[7])) == (72, 2**64 - 1)


@pytest.mark.statement("H.7")
def test_an_offset_holds_what_its_pointer_holds():
    buffer = bytearray(b"12345678")
    part = P(buffer)[4]
    gc.collect()
    with pytest.raises(BufferError):
        buffer.append(0)
    assert ctypes.string_at(int(part), 4) == b"5678"


@pytest.mark.statement("H.8")
def test_one_address_is_not_iterated_over():
    with pytest.raises(TypeError, match="has no elements to iterate over"):
        list(P(64))
    assert 3 in sb.ListOfInt([1, 3])
    assert len(list(D(np.zeros((4, 2))))) == 4


@pytest.mark.statement("H.9")
@pytest.mark.parametrize("cls", [P, D, sb.ListOfInt64, sb.ListOfPointer])
def test_a_new_init_releases_the_buffer_once(cls):
    x, y = (np.arange(3, dtype="i8").view(type("Watched", (np.ndarray,), {})) for _ in range(2))
    first, second = weakref.ref(x), weakref.ref(y)
    pointer = cls(x)
    at = x.ctypes.data
    del x
    gc.collect()
    assert int(pointer) == at
    assert first() is not None
    pointer.__init__(y)
    gc.collect()
    assert first() is None
    del y
    gc.collect()
    assert second() is not None
    pointer.__init__(None)
    gc.collect()
    assert second() is None
    assert not pointer


@pytest.mark.statement("H.9")
@pytest.mark.parametrize(
    ("cls", "obj"),
    [(P, np.zeros(3)), (D, np.zeros(3)), (sb.ListOfInt, [1, 2]), (sb.ListOfPointer, [None, np.zeros(3)]),
     (sb.ListOfBytes, [b"x"]), (sb.LaunchExtra, [ctypes.c_int(1)]), (sb.KernelParams, [ctypes.c_int(1), None])],
)  # fmt: skip
def test_a_refused_init_changes_nothing(cls, obj):
    def facts():
        shown = [getattr(made, name, None) for name in ("shape", "typestr", "device", "offsets", "data")]
        return (
            int(made),
            repr(made),
            made.owner,
            list(made) if isinstance(obj, list) and cls in LISTS else shown,
        )

    made = cls(obj)
    before = facts()
    for wrong in ("text", -1, np.zeros(6)[::2] if cls is not D else 1.5, [object()], {}):
        with pytest.raises(sb.Error):
            made.__init__(wrong)
        assert facts() == before


@pytest.mark.statement("H.10")
def test_parts_keep_their_parent_alive():
    array = np.arange(24.0).reshape(2, 3, 4).view(type("Watched", (np.ndarray,), {}))
    alive = weakref.ref(array)
    part = D(array)[1][::2, 1]
    del array
    gc.collect()
    assert alive() is not None
    assert part.copy_to_host().tolist() == [13, 21]
    del part
    gc.collect()
    assert alive() is None


@pytest.mark.statement("H.11", "H.12")
def test_parts_have_the_right_shape_and_elements():
    x = np.arange(24, dtype="f4").reshape(2, 3, 4)
    d = D(x)
    assert d[1].shape == (3, 4)
    assert d[1][1].copy_to_host().tolist() == x[1, 1].tolist()
    assert d[1][1][1] == x[1, 1, 1]
    there = D(4096).configure(shape=(2, 3, 4), typestr="f4", _force=True)
    assert (int(there[1][1]), there[1][1].shape) == (4096 + 48 + 16, (4,))
    assert (int(there[1, 1, 1]), there[1, 1, 1].shape) == (4096 + 48 + 16 + 4, ())
    with pytest.raises(IndexError, match="out of range"):
        d[2]


class Shown:
    def __init__(self, typestr, shape):
        self.__cuda_array_interface__ = {
            "shape": shape,
            "typestr": typestr,
            "data": (4096, False),
            "version": 3,
        }


@pytest.mark.statement("H.13", "H.14", "H.27", "H.28")
@pytest.mark.parametrize(("typestr", "size"), [("|u1", 1), ("|b1", 1), ("<f2", 2), ("<c16", 16), ("|i1", 1)])
@pytest.mark.parametrize("shape", [(), (3,), (0,), (2, 3)])
def test_types_and_shapes_are_taken(typestr, size, shape):
    d = D(Shown(typestr, shape))
    assert (d.itemsize, d.typestr, d.shape, d.rank) == (size, typestr, shape, len(shape))
    assert d.__cuda_array_interface__["typestr"] == typestr
    assert D(0x100).configure(shape=shape, typestr="?", _force=True).itemsize == 1


@pytest.mark.statement("H.15")
@pytest.mark.parametrize("dtype", ["f4", "?", "i2", "c8", "V3"])
def test_numpy_arrays_keep_their_type(dtype):
    x = np.zeros((2, 2), dtype)
    d = D(x)
    assert (d.dtype, d.shape, int(d), d.device.type) == (x.dtype, (2, 2), x.ctypes.data, 1)
    assert d.copy_to_host().dtype == x.dtype


REFUSED = [
    {"shape": (3, 5)}, {"shape": (-1, 6)}, {"shape": "abc"}, {"typestr": "nonsense"}, {"typestr": "f8"},
    {"typestr": "O"}, {"itemsize": 3}, {"itemsize": 0}, {"typestr": "f4", "itemsize": 8}, {"strides": (4,)},
    {"strides": (24, 8)}, {"strides": "ab"}, {"stream": -1}, {"stream": "x"}, {"stream": True}, {"stream": 1},
    {"read_only": "no"},
]  # fmt: skip


@pytest.mark.statement("H.16", "H.17", "H.30")
@pytest.mark.parametrize("said", REFUSED, ids=str)
def test_configure_changes_nothing_if_it_refuses_anything(said):
    d = D(np.arange(6, dtype="f4").reshape(2, 3))
    before = (d.shape, d.typestr, d.strides, d.stream_as_int, d.is_read_only, int(d))
    with pytest.raises(sb.Error, match=f"{[*said][-1]}: |bytes that are there|are there; _force") as caught:
        d.configure(**{"shape": (3, 2)} | said if "shape" not in said else said | {"read_only": True})
    assert isinstance(caught.value, sb.ArrayError)
    assert (d.shape, d.typestr, d.strides, d.stream_as_int, d.is_read_only, int(d)) == before


@pytest.mark.statement("D.8")
@pytest.mark.parametrize("make", [D, lambda array: D(P(array))])
def test_configure_keeps_the_memory(make):
    array = np.arange(6, dtype="f4").view(type("Watched", (np.ndarray,), {}))
    alive, d = weakref.ref(array), make(array)
    assert d.configure(shape=(3, 2), typestr="f4", _force=True) is d
    part = d[1]
    del array, d
    gc.collect()
    assert alive() is not None
    del part
    gc.collect()
    assert alive() is None


@pytest.mark.statement("H.16")
def test_configure_takes_strides():
    d = D(np.arange(12, dtype="f4")).configure(shape=(3, 2), strides=(16, 4))
    assert d.copy_to_host().tolist() == [[0, 1], [4, 5], [8, 9]]
    assert d.__array_interface__["strides"] == (16, 4)


@pytest.mark.statement("H.21", "H.32", "H.33", "H.34", "H.35")
@pytest.mark.parametrize(
    ("args", "offsets"),
    [
        (("c_char", "three"), (0, 1)),
        (("c_int", "floats", "c_int"), (0, 4, 16)),
        (("c_longlong", "seven"), (0, 8)),
        (("c_longlong", "c_longlong", "five"), (0, 8, 16)),
        (("c_char", "c_short", "c_char", "c_double"), (0, 2, 4, 8)),
    ],
)
def test_launch_arguments_lie_where_cxx_has_them(args, offsets):
    def record(name, fields):
        return type(name, (ctypes.Structure,), {"_fields_": fields})()

    made = {
        "three": lambda: record("Three", [("a", ctypes.c_char * 3)]),
        "floats": lambda: record("Floats", [(n, ctypes.c_float) for n in "xyz"]),
        "seven": lambda: record("Seven", [("a", ctypes.c_char * 7)]),
        "five": lambda: record("Five", [("a", ctypes.c_char * 5)]),
    }
    values = [made[a]() if a in made else getattr(ctypes, a)(0) for a in args]
    extra = sb.LaunchExtra(values)
    assert extra.offsets == offsets
    assert len(extra.data) == offsets[-1] + ctypes.sizeof(values[-1])
    assert sb.LaunchExtra([ctypes.c_int(0), sb.float32x4(1, 2, 3, 4), ctypes.c_char(b"a")]).offsets == (
        0,
        16,
        32,
    )


@pytest.mark.statement("H.22", "H.23", "H.42")
def test_numpy_values_go_by_value_and_padding_is_zero():
    kind = np.dtype([("a", "i1"), ("b", "f8")], align=True)
    record = np.full(16, 0xFF, "u1").view(kind)[0]
    extra = sb.LaunchExtra([np.int8(1), record, np.float32(2)])
    assert extra.offsets == (0, 8, 24)
    assert extra.data[:8] == b"\1" + bytes(7)
    assert extra.data[8:24] == b"\xff" + bytes(7) + b"\xff" * 8
    assert extra.data[24:] == np.float32(2).tobytes()
