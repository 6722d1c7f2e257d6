"""What stands for an address is one rule: Pointer and the arguments of launches agree about every object."""

import array
import ctypes
import pickle
import struct

import numpy as np
import pytest
from tests.tables import each

import samebytes as sb

CAI, SUAI, HOST = "__cuda_array_interface__", "__sycl_usm_array_interface__", "__array_interface__"


class Shows:
    """An object that shows its arrays by dictionaries, each at another address."""

    def __init__(self, readonly=False, **addresses):
        self.readonly = readonly
        self.addresses = addresses

    def __getattr__(self, name):
        if name not in self.addresses:
            raise AttributeError(name)
        facts = {
            "shape": (2, 3),
            "typestr": "<f4",
            "data": (self.addresses[name], self.readonly),
            "version": 3,
        }
        return facts | ({"version": 1, "syclobj": "cpu"} if name == SUAI else {})


class Both(bytearray, Shows):
    """A buffer that shows other arrays, too."""

    def __init__(self, **addresses):
        bytearray.__init__(self, b"12345678")
        Shows.__init__(self, **addresses)


class ByDLPack:
    def __init__(self):
        self.array = np.arange(3.0)

    def __dlpack__(self, **how):
        return self.array.__dlpack__(**how)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class BufferAndDLPack(bytearray, ByDLPack):
    def __init__(self):
        bytearray.__init__(self, b"12345678")
        ByDLPack.__init__(self)


class Number:
    def __index__(self):
        return 4096


class Mine(sb.Pointer):
    pass


class Wide(ctypes.Structure):
    _fields_ = (("x", ctypes.c_double),)


class Either(ctypes.Union):
    _fields_ = (("n", ctypes.c_int), ("x", ctypes.c_double))


class Packed(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("c", ctypes.c_char), ("x", ctypes.c_double))


class Bits(ctypes.Structure):
    _fields_ = (("low", ctypes.c_int, 3), ("high", ctypes.c_int, 5))


class Places(ctypes.Structure):
    _fields_ = (("p", ctypes.c_void_p), ("s", ctypes.c_char_p), ("f", ctypes.CFUNCTYPE(None)))


@ctypes.CFUNCTYPE(None)
def nothing():
    pass


def place(buffer):
    return ctypes.addressof(ctypes.c_char.from_buffer(buffer))


# Objects that are an address for a Pointer, for a kernel whose types are not declared, and for a declared void*.
ADDRESSES = [
    None, 0, 5, 2**64 - 1, np.int64(5), Number(), sb.Pointer(64), Mine(64), ctypes.c_void_p(64), ctypes.c_void_p(),
    ctypes.pointer(ctypes.c_int(3)), ctypes.byref(ctypes.c_int(3)), nothing, sb.ListOfInt([1, 2]),
    sb.LaunchExtra([None]), sb.DeviceArray(np.zeros(3)), sb.DeviceArray(64), Shows(**{CAI: 1, SUAI: 2, HOST: 3}),
    Shows(**{SUAI: 2, HOST: 3}), Shows(**{HOST: 3}), Both(**{CAI: 1}), Both(**{SUAI: 2, HOST: 3}), ByDLPack(),
    BufferAndDLPack(), bytearray(b"12"), memoryview(bytearray(b"12")), array.array("i", [1]), np.zeros((2, 3)),
    np.zeros(3, np.float16), np.zeros(2, [("a", "i1"), ("b", "f8")]), np.zeros(0), np.zeros(2, "M8[s]"),
]  # fmt: skip
# Those that a kernel without declared types takes by value, or does not take.
OBJECTS = [
    (ctypes.c_int * 3)(), Wide(1.0), Either(), (Either * 2)(), Packed(), Bits(), Places(), (Places * 2)(),
    (ctypes.c_void_p * 2)(), ((ctypes.c_char_p * 2) * 3)(), (ctypes.POINTER(ctypes.c_int) * 2)(),
    (ctypes.CFUNCTYPE(None) * 2)(), ctypes.create_unicode_buffer(3),
]  # fmt: skip
MEMORY = [*OBJECTS, np.array(3.0)]
READ_ONLY = [
    b"12",
    memoryview(b"12"),
    np.broadcast_to(np.float64(1), (1,)),
    Shows(readonly=True, **{CAI: 64}),
    Shows(readonly=True, **{HOST: 64}),
]
REFUSED = [
    True, False, "text", np.float64(1), 1.5, object(), (1, 2), -1, 2**64, np.zeros((3, 4))[:, 1],
    np.zeros((3, 4), order="F"), np.ma.masked_array([1.0], mask=[True]), Shows(**{CAI: -1}), Shows(**{CAI: "here"}),
]  # fmt: skip


def bytes_of(obj, types=None):
    extra = sb.LaunchExtra([obj], types)
    assert extra.sizes == (8,)
    return struct.unpack("=Q", extra.data)[0]


@pytest.mark.parametrize("obj", ADDRESSES, ids=lambda obj: type(obj).__name__)
def test_launches_take_the_address_that_a_pointer_takes(obj):
    address = int(sb.Pointer(obj))
    assert bytes_of(obj, ["void*"]) == bytes_of(obj, ["const void*"]) == address
    if not isinstance(obj, np.generic):  # NumPy's scalars go by value
        assert bytes_of(obj) == address


@pytest.mark.parametrize("obj", MEMORY, ids=lambda obj: type(obj).__name__)
def test_declared_pointers_take_memory_that_goes_by_value_otherwise(obj):
    assert bytes_of(obj, ["void*"]) == int(sb.Pointer(obj))


@pytest.mark.statement("P.7")
@pytest.mark.parametrize("obj", OBJECTS, ids=lambda obj: type(obj).__name__)
@each("make", [sb.Pointer, sb.DeviceArray, sb.ListOfPointer, sb.ListOfBytes, sb.KernelParams])
def test_objects_of_ctypes_are_their_memory_whatever_they_hold(make, obj, library):
    assert int(make(obj)) == ctypes.addressof(obj)
    assert library.address_of(obj) == ctypes.addressof(obj)
    assert sb.view(obj).nbytes == ctypes.sizeof(obj)


@pytest.mark.parametrize("obj", READ_ONLY, ids=lambda obj: type(obj).__name__)
def test_read_only_memory_is_for_pointers_to_const(obj):
    assert bytes_of(obj, ["const void*"]) == int(sb.Pointer(obj, readonly=True))
    for make in (sb.Pointer, bytes_of, lambda o: bytes_of(o, ["void*"])):
        with pytest.raises(sb.ArrayError, match="read-only"):
            make(obj)


@pytest.mark.parametrize("obj", REFUSED, ids=lambda obj: type(obj).__name__)
def test_launches_refuse_what_a_pointer_refuses(obj):
    with pytest.raises(sb.Error) as ours:
        sb.Pointer(obj)
    with pytest.raises(sb.Error) as theirs:
        bytes_of(obj, ["void*"])
    (one,), (other,) = ours.value.mismatches, theirs.value.mismatches
    assert type(ours.value) is type(theirs.value)
    assert (one.error, one.got) == (other.error, other.got)


def test_buffers_come_before_what_the_chapter_does_not_name():
    for both in (Both(**{SUAI: 2, HOST: 3}), BufferAndDLPack()):
        assert int(sb.Pointer(both)) == bytes_of(both) == place(both)


@pytest.mark.parametrize("make", [sb.LaunchExtra, sb.KernelParams, sb.ListOfPointer])
@pytest.mark.parametrize("kind", [sb.Pointer, sb.DeviceArray, sb.ListOfPointer])
def test_what_is_made_of_a_pointer_keeps_where_it_was(make, kind):
    memory = bytearray(b"12345678")
    pointer = kind(memory)
    made = make([pointer])
    pointer.__init__(None)
    with pytest.raises(BufferError):
        memory.append(0)
    words = ctypes.c_size_t.from_address(int(made)) if make is sb.ListOfPointer else made.data
    assert int.from_bytes(bytes(words), "little") == place(memory)
    copy = sb.Pointer(made)
    made.__init__(None)
    with pytest.raises(BufferError):
        memory.append(0)
    del made, copy
    memory.append(0)


# --- errors of others


class Bug(TypeError):
    pass


def fails(*args, **kwargs):
    raise Bug("a bug in its own code")


class Iterates(list):
    __iter__ = fails


class Counts:
    __index__ = fails


class Overflows:
    def __index__(self):
        raise OverflowError("a bug, too")


class Property:
    __cuda_array_interface__ = property(fails)


class Capsule(ByDLPack):
    __dlpack__ = fails


class Mapping(dict):
    __getitem__ = fails


class Entry:
    __array_interface__ = Mapping(shape=(1,), typestr="<f4", data=(64, False), version=3)


def calls(obj):
    return {
        "Pointer": lambda lib: sb.Pointer(obj),
        "LaunchExtra": lambda lib: sb.LaunchExtra([obj]),
        "a function": lambda lib: lib.address_of(obj),
        "a list parameter": lambda lib: lib.total(obj, 1),
    }


@pytest.mark.parametrize(
    "make", [lambda: Iterates([1]), Counts, Overflows], ids=["list", "index", "overflow"]
)
def test_errors_of_a_users_class_come_through(make, library):
    """They are bugs, and no refusals of arguments."""
    tried = calls(make())
    wanted = ["a list parameter"] if isinstance(make(), list) else ["Pointer", "LaunchExtra"]
    for name in wanted:
        with pytest.raises((Bug, OverflowError)) as caught:
            tried[name](library)
        assert not isinstance(caught.value, sb.Error)
        assert caught.traceback[-1].name in ("fails", "__index__")


@pytest.mark.parametrize("make", [Property, Capsule, Entry])
def test_refusals_show_the_error_that_caused_them(make, library):
    for name, call in calls(make()).items():
        with pytest.raises(sb.Error) as caught:
            call(library)
        assert isinstance(caught.value.__cause__, Bug), name
        tail = caught.value.__cause__.__traceback__
        while tail.tb_next:
            tail = tail.tb_next
        assert tail.tb_frame.f_code is fails.__code__, name


# Objects of public classes, and how messages name those.
NAMED = (
    (sb.Pointer(5), "samebytes.Pointer"),
    (sb.ListOfInt([1]), "samebytes.ListOfInt"),
)


@pytest.mark.parametrize(("pointer", "name"), NAMED, ids=[name for _, name in NAMED])
def test_messages_name_public_classes_as_users_know_them(pointer, name):
    lib = sb.compile("inline int f(int n) { return n; }")
    with pytest.raises(sb.ArgumentError, match=rf"got .* \({name}\)"):
        lib.f(pointer)


def test_the_class_is_found_by_its_name():
    assert (sb.Pointer.__module__, sb.Pointer.__qualname__) == ("samebytes", "Pointer")
    assert pickle.loads(pickle.dumps(sb.Pointer)) is sb.Pointer
