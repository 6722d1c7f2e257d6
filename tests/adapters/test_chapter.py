"""HIP Python's chapter "Adapter Types": each numbered statement of statements.toml."""

from __future__ import annotations

import ctypes
import gc
import weakref

import numpy as np
import pytest
from tests.tables import each

import samebytes as sb

ADAPTERS = (
    sb.DeviceArray, sb.ListOfBytes, sb.ListOfPointer, sb.ListOfInt, sb.ListOfUnsigned, sb.ListOfLong,
    sb.ListOfUnsignedLong, sb.ListOfInt64, sb.ListOfUInt64, sb.LaunchExtra, sb.KernelParams,
)  # fmt: skip


class Shows:
    """An object with some of the protocols: each gives another address."""

    def __init__(self, **addresses):
        self.addresses = addresses

    def __getattr__(self, name):
        if name not in self.addresses:
            raise AttributeError(name)
        facts = {"shape": (2, 3), "typestr": "<f4", "data": (self.addresses[name], False), "version": 3}
        if name == "__sycl_usm_array_interface__":
            facts |= {"version": 1, "syclobj": "cpu"}
        return facts


CAI, SUAI, HOST = "__cuda_array_interface__", "__sycl_usm_array_interface__", "__array_interface__"


class Buffer(bytearray):
    """A buffer that can be watched."""


def locked(buffer):
    try:
        buffer.append(0)
        buffer.pop()
    except BufferError:
        return True
    return False


# --- Pointer


@pytest.mark.statement("P.1")
def test_none_is_null():
    for null in (sb.Pointer(), sb.Pointer(None)):
        assert (int(null), bool(null), null.is_ptr_null, repr(null)) == (0, False, True, "Pointer(None)")


@pytest.mark.statement("P.2", "P.3")
def test_copies_of_pointers():
    buffer = Buffer(8)
    first = sb.Pointer(buffer)
    second = sb.Pointer(first)
    assert (int(second), second == first, hash(second) == hash(first)) == (int(first), True, True)
    first.__init__(None)
    assert locked(buffer), "the copy holds it, too"
    del second
    assert not locked(buffer)


@pytest.mark.statement("P.4")
def test_ints_are_addresses():
    assert [int(sb.Pointer(n)) for n in (0, 7, 2**64 - 1)] == [0, 7, 2**64 - 1]
    for wrong in (-1, 2**64):
        with pytest.raises(sb.RangeError, match=f"got {wrong}"):
            sb.Pointer(wrong)


@pytest.mark.statement("P.5")
def test_c_void_p_gives_its_value():
    assert int(sb.Pointer(ctypes.c_void_p(77))) == 77
    assert not sb.Pointer(ctypes.c_void_p())
    assert sb.Pointer(5).as_c_void_p().value == 5


@pytest.mark.statement("P.6", "P.11")
@pytest.mark.parametrize("protocol", [CAI, SUAI, HOST])
def test_dicts_give_their_address(protocol):
    producer = Shows(**{protocol: 4096})
    alive = weakref.ref(producer)
    pointer = sb.Pointer(producer)
    del producer
    assert int(pointer) == 4096
    assert alive() is not None
    del pointer
    gc.collect()
    assert alive() is None


@pytest.mark.statement("P.11")
def test_dlpack_gives_its_address():
    x = np.arange(3.0)

    class ByDLPack:
        __dlpack__ = staticmethod(lambda **how: x.__dlpack__(**how))
        __dlpack_device__ = staticmethod(x.__dlpack_device__)

    assert int(sb.Pointer(ByDLPack())) == x.ctypes.data


@pytest.mark.statement("P.7", "P.8")
@pytest.mark.parametrize("make", [sb.Pointer, sb.ListOfPointer, sb.LaunchExtra, sb.DeviceArray])
def test_buffers_are_held_until_the_pointer_dies(make):
    buffer = Buffer(b"12345678")
    pointer = make(buffer)
    assert ctypes.string_at(int(pointer), 8) == b"12345678"
    assert locked(buffer)
    del pointer
    gc.collect()
    assert not locked(buffer)


ORDER = [
    (Shows(**{CAI: 1, SUAI: 2, HOST: 3}), 1),
    (Shows(**{SUAI: 2, HOST: 3}), 2),
    (Shows(**{HOST: 3}), 3),
    (
        type("Both", (bytearray, Shows), {"__init__": lambda self, **a: Shows.__init__(self, **a)})(
            **{CAI: 9}
        ),
        9,
    ),
    (type("Number", (int,), {CAI: property(lambda self: {"data": (1, False)})})(8), 8),
    (type("Mine", (sb.Pointer,), {CAI: property(lambda self: {"data": (1, False)})})(6), 6),
]


@pytest.mark.statement("P.9", "H.1")
@pytest.mark.parametrize(("obj", "address"), ORDER)
def test_the_order_of_checks(obj, address):
    assert int(sb.Pointer(obj)) == address


@pytest.mark.statement("P.10")
def test_a_scalar_that_goes_in_and_out(library):
    number = ctypes.c_int(3)
    library.double_it(ctypes.addressof(number))
    assert number.value == 6
    library.double_it(sb.Pointer(number))
    assert number.value == 12


# --- DeviceArray


@pytest.mark.statement("D.1", "D.6", "H.29")
def test_cai_objects_give_address_shape_and_type():
    d = sb.DeviceArray(Shows(**{CAI: 4096}))
    assert (int(d), d.shape, d.typestr, d.itemsize, d.rank, d.size) == (4096, (2, 3), "<f4", 4, 2, 6)
    facts = d.__cuda_array_interface__
    assert (facts["data"], facts["shape"], facts["typestr"], facts["version"]) == (
        (4096, False),
        (2, 3),
        "<f4",
        3,
    )
    again = sb.DeviceArray(d)
    assert (int(again), again.shape) == (4096, (2, 3))


@pytest.mark.statement("D.2", "D.3", "D.4", "D.5")
@pytest.mark.parametrize("obj", [None, sb.Pointer(64), 64, ctypes.c_void_p(64)])
def test_an_address_alone_has_no_shape_and_type(obj):
    d = sb.DeviceArray(obj)
    assert int(d) == (0 if obj is None else 64)
    for ask in (lambda: d.shape, lambda: d.typestr, lambda: d[0], lambda: len(d), lambda: d.copy_to_host()):
        with pytest.raises(sb.ArrayError, match="an address alone"):
            ask()
    assert not hasattr(d, CAI)
    with pytest.raises(BufferError, match="an address alone"):
        memoryview(d)
    with pytest.raises(sb.ProtocolError, match="an address alone"):
        sb.view(d)


@pytest.mark.statement("D.7", "H.1")
@pytest.mark.parametrize(("obj", "address"), ORDER)
def test_the_order_of_checks_of_device_arrays(obj, address):
    assert int(sb.DeviceArray(obj)) == address


@pytest.mark.statement("D.8")
def test_configure_changes_the_description():
    x = np.arange(6, dtype="f4")
    d = sb.DeviceArray(x)
    assert d.configure(shape=(2, 3)) is d
    assert d[1].copy_to_host().tolist() == [3, 4, 5]
    assert d.configure(typestr="int32").typestr == "<i4"
    assert d.configure(typestr="|u1", shape=24).size == 24
    assert d.configure(itemsize=8, shape=3).typestr == "|V8"
    assert d.configure(typestr="float32", shape=(2, 3), strides=(4, 8)).T.copy_to_host().tolist() == [
        [0, 1], [2, 3], [4, 5],
    ]  # fmt: skip
    assert d.configure(read_only=True).is_read_only
    there = sb.DeviceArray(4096, device="cuda:1").configure(shape=3, typestr="f4", stream=7, _force=True)
    assert there.__cuda_array_interface__["stream"] == there.stream_as_int == 7
    assert (there.device.type, there.device.id) == (2, 1)


@pytest.mark.statement("D.9")
def test_force_is_needed_where_nobody_counts_the_bytes():
    d = sb.DeviceArray(4096)
    with pytest.raises(sb.ArrayError, match="_force=True"):
        d.configure(shape=3, typestr="f4")
    assert d.configure(shape=3, typestr="f4", _force=True).shape == (3,)
    with pytest.raises(sb.ArrayError, match="_force=True"):
        d.configure(shape=4)
    assert d.configure(shape=4, _force=True).shape == (4,)


@pytest.mark.statement("D.10", "X.2")
def test_adapters_are_taken_where_pointers_are(library):
    x = np.zeros(3, "i4")
    for made in (sb.DeviceArray(x), sb.Pointer(x), sb.ListOfInt(x), sb.ListOfPointer(x), x.ctypes.data):
        library.put(made, 3, 5)
        assert x.tolist() == [5, 5, 5]
        x[...] = 0


@pytest.mark.statement("D.11")
def test_parts_of_device_arrays():
    x = np.arange(24, dtype="f4").reshape(2, 3, 4)
    d = sb.DeviceArray(x)
    for key in (np.s_[1], np.s_[:, 1:], np.s_[1, ::-1, ::2], np.s_[..., 0]):
        part = d[key]
        assert isinstance(part, sb.DeviceArray)
        assert int(part) == x[key].ctypes.data
        assert np.array_equal(part.copy_to_host(), x[key])


# --- lists


@pytest.mark.statement("L.1")
@pytest.mark.parametrize("sequence", [list, tuple])
def test_lists_and_tuples_become_c_arrays(sequence):
    made = sb.ListOfInt(sequence([1, -2, 3]))
    assert list((ctypes.c_int * 3).from_address(int(made))) == made.to_list() == [1, -2, 3]
    assert (len(made), made[1], made[1:], made.to_tuple()) == (3, -2, [-2, 3], (1, -2, 3))
    array = weakref.ref(made.owner[0])
    del made
    gc.collect()
    assert array() is None
    assert len(sb.ListOfInt([])) == 0


@pytest.mark.statement("L.2")
def test_lists_of_bytes():
    made = sb.ListOfBytes([b"one", None, b"three"])
    gc.collect()
    assert list((ctypes.c_char_p * 3).from_address(int(made))) == [b"one", None, b"three"]
    for wrong in ("text", 5, bytearray(3)):
        with pytest.raises(sb.ArgumentError, match=r"ListOfBytes\(\): \[1\]: expected bytes"):
            sb.ListOfBytes([b"x", wrong])


@pytest.mark.statement("L.3")
def test_lists_of_pointers():
    buffer, x = Buffer(8), np.zeros(3)
    made = sb.ListOfPointer([None, 7, buffer, x, sb.Pointer(9), ctypes.c_void_p(11)])
    words = list((ctypes.c_size_t * 6).from_address(int(made)))
    assert [words[0], words[1], *words[3:]] == [0, 7, x.ctypes.data, 9, 11]
    assert [int(p) for p in made] == words
    assert locked(buffer)
    del made
    gc.collect()
    assert not locked(buffer)
    with pytest.raises(sb.ArgumentError, match=r"\[1\]: expected None, a Pointer"):
        sb.ListOfPointer([None, {}])


RANGES = [
    (sb.ListOfInt, ctypes.c_int), (sb.ListOfUnsigned, ctypes.c_uint), (sb.ListOfLong, ctypes.c_long),
    (sb.ListOfUnsignedLong, ctypes.c_ulong), (sb.ListOfInt64, ctypes.c_int64), (sb.ListOfUInt64, ctypes.c_uint64),
]  # fmt: skip


@pytest.mark.statement("L.4", "H.18", "H.20", "H.31")
@pytest.mark.parametrize(("cls", "element"), RANGES, ids=lambda x: x.__name__)
def test_lists_of_integers(cls, element):
    signed, bits = element(-1).value < 0, 8 * ctypes.sizeof(element)
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    values = [low, high, 5, np.int8(5), np.uint64(5), ctypes.c_short(5), True]
    assert list((element * 7).from_address(int(made := cls(values)))) == [low, high, 5, 5, 5, 5, 1], made
    for wrong in (low - 1, high + 1, 2**bits, 2**65):
        with pytest.raises(
            sb.RangeError, match=rf"{cls.__name__}\(\): \[2\]: expected an integer from {low} to {high}"
        ):
            cls([0, 0, wrong])
    for wrong in (1.0, "1", None, b"1", [1], np.float32(1), ctypes.c_float(1)):
        with pytest.raises(sb.ArgumentError, match=r"\[0\]: expected an integer"):
            cls([wrong])


@pytest.mark.statement("L.5", "H.19")
@pytest.mark.parametrize(("cls", "element"), RANGES, ids=lambda x: x.__name__)
def test_anything_else_is_an_address(cls, element):
    x = np.arange(3, dtype=element)
    for obj, address in (
        (None, 0),
        (64, 64),
        (sb.Pointer(64), 64),
        (ctypes.c_void_p(8), 8),
        (x, x.ctypes.data),
    ):
        made = cls(obj)
        assert int(made) == address
        with pytest.raises(sb.ArgumentError, match="how many"):
            len(made)
    for wrong in (np.zeros(3), np.zeros(3, "i2"), bytearray(8)):
        with pytest.raises(sb.ArrayError, match="expected elements of"):
            cls(wrong)


@pytest.mark.statement("L.6", "L.7")
def test_functions_take_lists(library):
    assert library.letters([b"one", b"three"], 2) == 8
    assert library.letters((b"one",), 1) == 3
    assert library.total([1, 2, 3], 3) == 6
    assert library.total_unsigned([2**32 - 1], 1) == 2**32 - 1
    assert library.total_unsigned_long((2**63, 5), 2) == 2**63 + 5
    with pytest.raises(sb.RangeError, match=r"total\(\) argument 1 'values.*2147483648"):
        library.total([2**31], 1)


@pytest.mark.statement("L.8")
def test_launch_extra_is_made_as_lists_are():
    x = np.zeros(3, "f4")
    extra = sb.LaunchExtra([ctypes.c_int(7), sb.DeviceArray(x), sb.Pointer(5), None])
    assert extra.offsets == (0, 8, 16, 24)
    assert extra.data == (7).to_bytes(8, "little") + b"".join(
        n.to_bytes(8, "little") for n in (x.ctypes.data, 5, 0)
    )
    assert int(sb.LaunchExtra(extra)) == int(extra)
    assert int(sb.LaunchExtra(4096)) == 4096


# --- all adapters


@pytest.mark.statement("X.1")
@pytest.mark.parametrize("cls", ADAPTERS)
def test_all_are_pointers(cls):
    assert issubclass(cls, sb.Pointer)
    assert sb.Pointer.fromObj(made := cls(64)) is made


@pytest.mark.statement("X.2")
@pytest.mark.parametrize("cls", ADAPTERS)
@each("source", ADAPTERS)
def test_any_adapter_is_made_of_any_other(cls, source):
    assert int(cls(source(64))) == 64
    assert int(cls.fromObj(source(64))) == 64
    assert cls.fromObj(made := cls(64)) is made


KINDS = {
    sb.ListOfUnsigned: "u4", sb.ListOfLong: "i8", sb.ListOfInt64: "i8", sb.ListOfUnsignedLong: "u8",
    sb.ListOfUInt64: "u8",
}  # fmt: skip


@pytest.mark.statement("X.3", "X.4", "X.7")
@pytest.mark.parametrize("cls", [sb.Pointer, *ADAPTERS])
def test_all_can_be_derived_from(cls, library):
    class Mine(cls):
        def __init__(self, numbers):
            super().__init__(np.array(numbers, "i4").view(KINDS.get(cls, "i4")))

    mine = Mine([3, 4])
    gc.collect()
    assert list((ctypes.c_int * 2).from_address(int(mine))) == [3, 4]
    assert library.address_of(mine) == int(mine)
    assert repr(mine).startswith("Mine(")


@pytest.mark.statement("X.5")
@pytest.mark.parametrize("cls", ADAPTERS)
def test_int_is_the_address(cls):
    made = cls(0xBEEF)
    assert (int(made), hex(made), made.__index__(), made.address) == (0xBEEF, "0xbeef", 0xBEEF, 0xBEEF)
    assert ctypes.c_void_p.from_address(int(made.createRef())).value == 0xBEEF


@pytest.mark.statement("X.6")
def test_an_int_is_an_address_for_every_adapter(library):
    x = np.arange(4, dtype="i4")
    assert library.total(x.ctypes.data, 4) == 6
    assert library.address_of(12345) == 12345
    names = (ctypes.c_char_p * 1)(b"four")
    assert library.letters(ctypes.addressof(names), 1) == 4
