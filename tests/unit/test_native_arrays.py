"""How the compiled core reads NumPy arrays and buffers."""

from __future__ import annotations

import array
import ctypes
import gc
import struct
import sys
import threading
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import pytest
from case_ids import plain
from measure import in_use
from numpy.lib.stride_tricks import as_strided

from samebytes import _native

_native.set_route(np.ndarray, "numpy")
for exporter in (memoryview, bytearray, bytes, array.array):
    _native.set_route(exporter, "buffer")

F64 = np.dtype("d")

# name -> (NumPy dtype, DLPack type, alignment in bytes)
ELEMENTS: dict[str, tuple[Any, tuple[int, int, int], int]] = {
    "bool": (np.dtype("?"), (6, 8, 1), 1),
    **{f"int{8 * n}": (np.dtype(f"i{n}"), (0, 8 * n, 1), n) for n in (1, 2, 4, 8)},
    **{f"uint{8 * n}": (np.dtype(f"u{n}"), (1, 8 * n, 1), n) for n in (1, 2, 4, 8)},
    "float16": (np.dtype("e"), (2, 16, 1), 2),
    "float32": (np.dtype("f"), (2, 32, 1), 4),
    "float64": (np.dtype("d"), (2, 64, 1), 8),
    "complex64": (np.dtype("F"), (5, 64, 1), 4),
    "complex128": (np.dtype("D"), (5, 128, 1), 8),
    "bfloat16": (np.dtype(ml_dtypes.bfloat16), (4, 16, 1), 2),
    "float8e4m3": (np.dtype(ml_dtypes.float8_e4m3fn), (10, 8, 1), 1),
    "float8e5m2": (np.dtype(ml_dtypes.float8_e5m2), (12, 8, 1), 1),
}


class Read(NamedTuple):
    """What the callee would see; strides in elements."""

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


def array_codec(name: str = "float64", ndim: int = 1, const: bool = False) -> _native.Codec:
    """The codec of an array descriptor."""
    dtype, dl, align = ELEMENTS[name]
    element = _native.Codec(name, size=dtype.itemsize, align=align)
    return _native.Codec(
        "array", size=8 + 16 * ndim, align=8, element=element, dtype=dtype, dl=dl, ndim=ndim, const=const
    )


def struct_codec(dtype: np.dtype[Any], align: int, ndim: int = 1) -> _native.Codec:
    """The codec of an array of structs without a DLPack type."""
    element = _native.Codec("struct", size=dtype.itemsize, align=align)
    return _native.Codec("array", size=8 + 16 * ndim, align=8, element=element, dtype=dtype, ndim=ndim)


def pointer_codec(name: str = "float64", const: bool = False) -> _native.Codec:
    """The codec of a pointer to contiguous elements."""
    dtype, dl, align = ELEMENTS[name]
    element = _native.Codec(name, size=dtype.itemsize, align=align)
    return _native.Codec("pointer", size=8, align=8, element=element, dtype=dtype, dl=dl, const=const)


def read(obj: object, codec: _native.Codec) -> Read | None:
    """Pack `obj` and split the descriptor; None if the core leaves it to Python."""
    raw = codec.pack(obj)
    if raw is None:
        return None
    ndim = (len(raw) - 8) // 16
    words = struct.unpack(f"=Q{2 * ndim}q", raw)
    return Read(words[0], words[1 : 1 + ndim], words[1 + ndim :])


def readonly(a: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    a.flags.writeable = False
    return a


def at_offset(offset: int, dtype: str = "d", count: int = 4) -> np.ndarray[Any, Any]:
    """An array whose address is `offset` bytes past a multiple of 64."""
    store = np.zeros(64 + 64 + count * np.dtype(dtype).itemsize, "u1")
    start = -store.ctypes.data % 64 + offset
    return store[start : start + count * np.dtype(dtype).itemsize].view(dtype)


@pytest.mark.parametrize(
    ("a", "shape", "strides"),
    [
        (np.zeros(5), (5,), (1,)),
        (np.zeros(10)[::2], (5,), (2,)),
        (np.zeros(10)[::-3], (4,), (-3,)),
        (np.zeros((3, 4)), (3, 4), (4, 1)),
        (np.zeros((3, 4)).T, (4, 3), (1, 4)),
        (np.zeros((6, 8))[::-2, 1::3], (3, 3), (-16, 3)),
        (np.zeros((2, 3, 4, 5)), (2, 3, 4, 5), (60, 20, 5, 1)),
        (np.zeros(()), (), ()),
        (np.zeros((0, 3)), (0, 3), None),
        (as_strided(np.zeros(5), (4, 2), (8, 8)), (4, 2), (1, 1)),
        (as_strided(np.zeros(9), (1, 4), (3, 8)), (1, 4), (0, 1)),  # 3 bytes is no whole element, nor used
        (as_strided(np.zeros(9), (0, 4), (3, 5)), (0, 4), (0, 0)),
        (np.zeros((1,) * 64), (1,) * 64, None),
    ],
    ids=str,
)
def test_ndarray_extents(
    a: np.ndarray[Any, Any], shape: tuple[int, ...], strides: tuple[int, ...] | None
) -> None:
    found = read(a, array_codec(ndim=a.ndim, const=True))
    assert found is not None
    assert found[:2] == (a.ctypes.data, shape)
    overlapping = shape == (4, 2) and a.strides == (8, 8)
    assert read(a, array_codec(ndim=a.ndim)) == (None if overlapping else found)
    assert strides is None or found.strides == strides


@pytest.mark.parametrize("name", ELEMENTS)
def test_every_element_type(name: str) -> None:
    dtype = ELEMENTS[name][0]
    a = np.zeros((3, 4), dtype)[::-1]
    assert read(a, array_codec(name, 2)) == Read(a.ctypes.data, (3, 4), (-4, 1))
    for other in ELEMENTS:
        if other != name:
            assert read(a, array_codec(other, 2)) is None


@pytest.mark.parametrize(
    "obj",
    [
        np.zeros(3, "f"),
        np.zeros(3, ">d"),
        np.zeros(3, "O"),
        np.zeros((3, 3)),
        np.zeros(()),
        readonly(np.zeros(3)),
        np.broadcast_to(np.zeros(1), (3,)),
        np.broadcast_arrays(np.zeros(1), np.zeros(3))[0],
        at_offset(4),
        as_strided(np.zeros(9), (3,), (12,)),
        np.float64(1),
        [1.0, 2.0],
        None,
        1.0,
        np.ma.masked_array(np.zeros(3)),
        np.zeros(3).view(type("Sub", (np.ndarray,), {})),
    ],
    ids=lambda o: type(o).__name__,
)
def test_left_to_python(obj: object) -> None:
    assert read(obj, array_codec()) is None


def test_const_takes_readonly() -> None:
    const = array_codec(const=True)
    for a in (readonly(np.zeros(3)), np.broadcast_to(np.zeros(1), (3,)), np.zeros(3)):
        assert read(a, const) == Read(a.ctypes.data, (3,), (a.strides[0] // 8,))


def test_complex_is_aligned_to_its_parts() -> None:
    a = at_offset(8, "D")
    assert read(a, array_codec("complex128")) == Read(a.ctypes.data, (4,), (1,))
    assert read(at_offset(4, "D"), array_codec("complex128")) is None


def test_itemsize_that_is_no_power_of_two() -> None:
    dtype = np.dtype([("x", "f"), ("y", "f"), ("z", "f")])
    codec = struct_codec(dtype, 4, 2)
    a = np.zeros((4, 6), dtype)[::2, ::-1]
    assert read(a, codec) == Read(a.ctypes.data, (2, 6), (12, -1))
    assert read(as_strided(np.zeros((8, 8), dtype), (2, 2), (16, 12)), codec) is None
    assert read(as_strided(np.zeros((8, 8), dtype), (1, 2), (16, 12)), codec)[2] == (0, 1)


def test_accepted_dtypes() -> None:
    dtype, twin = np.dtype([("x", "f8")]), np.dtype([("x", "f8")])
    assert dtype is not twin
    codec = struct_codec(dtype, 8)
    a = np.zeros(3, twin)
    assert read(a, codec) is None
    before = sys.getrefcount(twin)
    assert codec.accept_dtype(twin) is None
    codec.accept_dtype(twin)
    assert sys.getrefcount(twin) == before + 1
    assert read(a, codec) == Read(a.ctypes.data, (3,), (1,))
    for _ in range(100):  # a program that makes a dtype per call
        codec.accept_dtype(np.dtype([("x", "f8")]))
    assert read(a, codec) is not None
    del codec
    gc.collect()
    assert sys.getrefcount(twin) == before


@pytest.mark.parametrize(
    ("a", "accepted"),
    [
        (np.zeros(5), True),
        (np.zeros((3, 4, 5)), True),
        (np.zeros(()), True),
        (np.zeros((0, 3)), True),
        (np.zeros((4, 1, 3))[:, ::-1], True),
        (as_strided(np.zeros(9), (1, 4), (3, 8)), True),
        (np.zeros(10)[::2], False),
        (np.zeros(10)[::-1], False),
        (np.zeros((3, 4)).T, False),
        (readonly(np.zeros(3)), False),
        (at_offset(4), False),
    ],
    ids=str,
)
def test_pointers_want_c_order(a: np.ndarray[Any, Any], accepted: bool) -> None:
    assert read(a, pointer_codec()) == (Read(a.ctypes.data, (), ()) if accepted else None)


def test_readonly_route() -> None:
    class Frozen(np.ndarray[Any, Any]):
        pass

    a = np.zeros(3).view(Frozen)
    assert read(a, array_codec()) is None
    _native.set_route(Frozen, "numpy", readonly=True)
    codec, const = array_codec(), array_codec(const=True)
    assert read(a, codec) is None
    assert read(a, const) == Read(a.ctypes.data, (3,), (1,))
    _native.set_route(Frozen, "numpy")  # caches that know the type see the change
    assert read(a, codec) == Read(a.ctypes.data, (3,), (1,))
    _native.set_route(Frozen, "python", readonly=True)
    assert read(a, codec) is None
    assert read(a, const) is None


BUFFERS = [
    ("float64", array.array("d", [1, 2])),
    ("float32", array.array("f", [1, 2])),
    ("int8", array.array("b", [1, 2])),
    ("uint8", array.array("B", [1, 2])),
    ("int16", array.array("h", [1, 2])),
    ("uint16", array.array("H", [1, 2])),
    ("int32", array.array("i", [1, 2])),
    ("uint32", array.array("I", [1, 2])),
    ("int64", array.array("l", [1, 2])),
    ("uint64", array.array("L", [1, 2])),
    ("int64", array.array("q", [1, 2])),
    ("uint64", array.array("Q", [1, 2])),
    ("uint8", bytearray(2)),
    ("bool", memoryview(np.zeros(2, "?"))),
    ("float16", memoryview(np.zeros(2, "e"))),
    ("complex64", memoryview(np.zeros(2, "F"))),
    ("complex128", memoryview(np.zeros(2, "D"))),
    ("float32", memoryview((ctypes.c_float * 2)())),  # "<f"
    ("int64", memoryview((ctypes.c_int64 * 2)())),  # "<l", eight bytes despite its name
    ("int64", memoryview(bytearray(16)).cast("n")),
    ("uint64", memoryview(bytearray(16)).cast("@N")),
]


@pytest.mark.parametrize(
    ("name", "obj"), BUFFERS, ids=lambda v: v if isinstance(v, str) else type(v).__name__
)
def test_buffer_formats(name: str, obj: Any) -> None:
    address = np.frombuffer(obj, "u1").ctypes.data if not isinstance(obj, memoryview) else address_of(obj)
    expected = None if isinstance(obj, memoryview) and obj.format == "<l" else Read(address, (2,), (1,))
    assert read(obj, array_codec(name)) == expected
    for other, (_, dl, _) in ELEMENTS.items():
        if dl != ELEMENTS[name][1]:
            assert read(obj, array_codec(other)) is None


def address_of(view: memoryview) -> int:
    return _native.describe_buffer(view)[0]  # type: ignore[no-any-return]


def test_buffer_extents() -> None:
    a = np.arange(24.0).reshape(4, 6)[::-2, ::3]
    assert read(memoryview(a), array_codec(ndim=2)) == Read(a.ctypes.data, (2, 2), (-12, 3))
    assert read(memoryview(a), pointer_codec()) is None
    assert read(memoryview(a.copy()), pointer_codec()) is not None
    assert read(memoryview(np.zeros(())), array_codec(ndim=0)) is not None
    assert read(memoryview(np.zeros((0, 3))), array_codec(ndim=2)) is not None


@pytest.mark.parametrize(
    "obj",
    [
        bytes(8),
        memoryview(bytes(8)),
        memoryview(np.zeros(2, ">i2")),
        memoryview(bytearray(8)).cast("c"),
        memoryview(np.zeros(2, [("x", "u1")])),
        memoryview(np.zeros(2, "S1")),
        memoryview(bytearray(8)).cast("B", (2, 4)),
    ],
    ids=plain,
)
def test_buffers_left_to_python(obj: object) -> None:
    assert read(obj, array_codec("uint8")) is None


def test_const_takes_bytes() -> None:
    assert read(b"abc", array_codec("uint8", const=True)) is not None
    assert read(memoryview(b"abc"), pointer_codec("uint8", const=True)) is not None


def test_released_memoryview() -> None:
    view = memoryview(bytearray(8))
    view.release()
    assert read(view, array_codec("uint8")) is None


@pytest.mark.skipif(sys.version_info < (3, 12), reason="__buffer__ is Python 3.12's")
def test_exporters_own_exceptions_pass() -> None:
    class Interrupted:
        def __buffer__(self, flags: int) -> memoryview:
            raise KeyboardInterrupt

    _native.set_route(Interrupted, "buffer")
    with pytest.raises(KeyboardInterrupt):
        array_codec().pack(Interrupted())


def test_locks_end_with_the_call() -> None:
    data = bytearray(16)
    assert read(data, array_codec("uint8")) is not None
    assert read(data, array_codec("uint16")) is None
    data.append(1)  # raises BufferError while locked


def test_one_call_locks_any_number() -> None:
    pointers = _native.Codec("carray", size=80, align=8, element=pointer_codec("uint8"), count=10)
    data = [bytearray([i]) for i in range(10)]
    addresses = [np.frombuffer(d, "u1").ctypes.data for d in data]
    before = [sys.getrefcount(d) for d in data]
    assert struct.unpack("=10Q", pointers.pack(tuple(data))) == tuple(addresses)
    assert pointers.pack((*data[:9], 1.5)) is None
    assert pointers.pack((*data[:7], memoryview(b"ab"), *data[8:])) is None
    assert [sys.getrefcount(d) for d in data] == before
    for d in data:
        d.append(1)


def test_describe_ndarray() -> None:
    a = np.zeros((4, 6), "i2")[::2, ::-1]
    found = _native.describe_ndarray(a)
    assert found[:8] == (a.ctypes.data, (2, 6), (24, -2), a.dtype, 2, 1, 0, False)
    assert found[8] is a
    assert _native.describe_ndarray(readonly(np.zeros(3)))[7] is True
    assert _native.describe_ndarray(np.broadcast_arrays(np.zeros(1), np.zeros(3))[0])[7] is True
    assert _native.describe_ndarray(np.zeros(()))[1:3] == ((), ())
    with pytest.raises(TypeError, match="list"):
        _native.describe_ndarray([])


def test_describe_buffer_locks_while_its_owner_lives() -> None:
    data = bytearray(6)
    found = _native.describe_buffer(data)
    assert found[1:8] == ((6,), (1,), "B", 1, 1, 0, False)
    with pytest.raises(BufferError):
        data.append(1)
    del found
    data.append(1)
    a = np.zeros((2, 3), "F")[:, ::2]
    assert _native.describe_buffer(a)[:8] == (a.ctypes.data, (2, 2), (24, 16), "Zf", 8, 1, 0, False)
    assert _native.describe_buffer(b"ab")[7] is True
    with pytest.raises(TypeError):
        _native.describe_buffer(3)


@pytest.mark.parametrize(
    ("args", "error"),
    [
        ((int, "nonsense"), ValueError),
        ((int, "numpy"), ValueError),
        ((int, "buffer"), ValueError),
        ((int, "exchange"), AttributeError),
        ((3, "python"), TypeError),
    ],
)
def test_routes_that_cannot_be(args: tuple[Any, ...], error: type[Exception]) -> None:
    with pytest.raises(error):
        _native.set_route(*args)


def test_many_types() -> None:
    types = [type(f"T{i}", (np.ndarray,), {}) for i in range(500)]
    for t in types:
        _native.set_route(t, "numpy")
    codec = array_codec()
    a = np.zeros(3)
    assert all(read(a.view(t), codec) is not None for t in types)
    assert read(a, codec) is not None


def test_no_references_are_kept() -> None:
    codec, pointer = array_codec(ndim=2), pointer_codec()
    good, bad, view = np.zeros((3, 4)), np.zeros((3, 4), "f"), memoryview(np.zeros((3, 4)))
    before = [sys.getrefcount(o) for o in (good, bad, view, F64, np.ndarray, bad.dtype)]
    for _ in range(1000):
        for obj in (good, bad, view):
            codec.pack(obj)
            pointer.pack(obj)
            _native.describe_buffer(obj)
        _native.describe_ndarray(good)
    del obj
    assert [sys.getrefcount(o) for o in (good, bad, view, F64, np.ndarray, bad.dtype)] == before


def test_no_memory_grows() -> None:
    codec, a, view = array_codec(), np.zeros(3), memoryview(np.zeros(3))
    for rounds in (1000, 500_000):
        blocks, size = in_use()
        for _ in range(rounds):
            codec.pack(a)
            codec.pack(view)
    more = in_use()
    assert (more[0] - blocks < 1000, more[1] - size < 100_000) == (True, True)


def test_threads_share_one_cache() -> None:
    codec = array_codec("uint8", const=True)
    objects = [np.zeros(3, "u1"), memoryview(bytearray(3)), bytearray(3), b"abc", [1], "x"]
    expected = [read(o, codec) is not None for o in objects]
    wrong: list[int] = []

    def work(start: int) -> None:
        for i in range(20_000):
            k = (start + i) % len(objects)
            if (codec.pack(objects[k]) is not None) != expected[k]:
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert expected == [True] * 4 + [False] * 2
    assert not wrong
