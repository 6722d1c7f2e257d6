"""Views that the compiled core makes by itself say what Python's say, object by object."""

from __future__ import annotations

import array
import gc
import inspect
import mmap
import pickle
import sys
import threading
import weakref

import ml_dtypes
import numpy as np
import pytest
from case_ids import plain
from tests.tables import each

import samebytes as sb
from samebytes.arrays.protocols import protocols_of
from samebytes.arrays.view import HOST, ArrayView, Device
from samebytes.errors import ArrayError, ArrayIndexError, ProtocolError

FACTS = (
    "type", "dtype_name", "ptr", "shape", "byte_strides", "itemsize", "device", "readonly", "protocol", "stream",
    "dtype", "ndim", "size", "contiguous", "fortran_contiguous", "divisible", "_strides", "_element",
)  # fmt: skip


def facts(view: ArrayView) -> dict[str, object]:
    return {name: getattr(view, name) for name in FACTS}


def in_python(obj: object) -> ArrayView:
    """The view that the first protocol of the object's class describes."""
    for protocol in protocols_of(type(obj)):
        try:
            return protocol.describe(obj, None)
        except Exception:
            continue
    raise AssertionError("no protocol")


def frozen(x: np.ndarray) -> np.ndarray:
    x.flags.writeable = False
    return x


X = np.arange(120, dtype="i4").reshape(4, 5, 6)
ARRAYS = [
    X, X[1:, ::-2], X.T, X[1, 2, 3, ...], X[:0], X[:, :0, ::2], np.broadcast_to(X, (2, 4, 5, 6)), frozen(np.ones(3)),
    np.broadcast_arrays(np.zeros(1), np.zeros(3))[0], np.zeros(17, "u1")[1:].view("f8"),
    np.zeros((1,) * 9 + (3,), "c16"), np.zeros(4, "f8").view([("a", "f4"), ("b", "f4")])["b"], np.zeros(2, ">f4"),
    np.zeros(2, "U3"), np.zeros(2, "M8[s]"), np.zeros(3, np.longdouble),
    np.zeros(2, np.dtype("f4", metadata={"x": 1})), np.zeros(2, "i4,f8"),
    *[np.zeros(3, d) for d in "?bBhHiIlLqQefdFD"],
    *[np.zeros(3, d) for d in (ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.int4)],
]  # fmt: skip
BUFFERS = [
    bytearray(5), b"bytes", memoryview(X), memoryview(X[::-1, ::2]), memoryview(frozen(np.ones((2, 3)))),
    array.array("d", [1, 2]), mmap.mmap(-1, 16), memoryview(b""), memoryview(bytearray(8)).cast("f"),
]  # fmt: skip


@each("obj", ARRAYS + BUFFERS)
def test_the_core_says_what_python_says(obj):
    expected = facts(in_python(obj))
    for _ in range(3):
        made = sb.view(obj)
        assert type(made) is ArrayView
        assert facts(made) == expected
        assert facts(sb.view(obj, stream=None)) == expected


class Producer:
    """Speaks DLPack for another view."""

    def __init__(self, view: ArrayView) -> None:
        self.view, self.asked = view, 0

    def __dlpack__(self, **how: object) -> object:
        self.asked += 1
        return self.view.__dlpack__(**how)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.view.__dlpack_device__()


class Legacy(Producer):
    """Knows no keyword."""

    def __dlpack__(self) -> object:
        self.asked += 1
        return self.view.__dlpack__()


def at(device: int, number: int = 0, **more: object) -> ArrayView:
    return sb.view(X).derive(device=Device(device, number), **more)


SHOWN = [
    sb.view(x) for x in ARRAYS[:9] + ARRAYS[18:] if x.dtype != np.longdouble and not x.dtype.metadata
] + [at(2), at(2, 3), at(3), at(10), at(13), at(14), at(15, 40)]  # fmt: skip


@pytest.mark.parametrize("shown", [v for v in SHOWN if v._element], ids=plain)
@each("make", [Producer, Legacy])
def test_dlpack_producers(make, shown):
    if make is Legacy and shown.readonly:
        return
    expected = facts(in_python(make(shown)))
    for _ in range(3):
        obj = make(shown)
        assert facts(sb.view(obj)) == expected
        assert obj.asked <= 2


def test_a_dlpack_producers_memory_is_held_and_given_back():
    for make in (Producer, Legacy):
        for _ in range(3):
            array = np.arange(6.0).view(type("Watched", (np.ndarray,), {}))
            alive = weakref.ref(array)
            seen = sb.view(make(sb.view(array)))
            del array
            gc.collect()
            assert alive() is not None
            part = seen[1:]
            del seen
            assert part[0] == 1
            del part
            gc.collect()
            assert alive() is None


def test_a_dlpack_producer_may_refuse():
    class Fickle(Producer):
        error: type[BaseException] | None = None

        def __dlpack__(self, **how: object) -> object:
            if self.error:
                raise self.error("not now")
            return super().__dlpack__(**how)

    obj = Fickle(sb.view(X))
    assert sb.view(obj).ptr == sb.view(obj).ptr == sb.view(X).ptr
    for error, raised in (
        (BufferError, ProtocolError),
        (ValueError, ProtocolError),
        (KeyboardInterrupt,) * 2,
    ):
        Fickle.error = error
        with pytest.raises(raised):
            sb.view(obj)
    for nonsense in (None, 3, X.__dlpack__, sb.view(X)._capsule):
        Fickle.__dlpack__ = lambda self, given=nonsense, **how: given
        with pytest.raises(ProtocolError, match="unusable DLPack capsule"):
            sb.view(obj)
    used = X.__dlpack__()
    np_from = sb.view(X).__dlpack__()
    Fickle.__dlpack__ = lambda self, **how: used
    assert sb.view(obj).ptr == sb.view(X).ptr  # the test holds the capsule, too
    with pytest.raises(ProtocolError, match="already consumed"):
        sb.view(obj)
    del np_from


class Shown:
    """Shows itself by a dict of its own."""

    def __init__(self, protocol: str, **facts: object) -> None:
        setattr(self, protocol, {"version": 3} | facts)


WHOLE = {"shape": (2, 3), "typestr": "<f4", "data": (4096, False)}
DICTS = [
    WHOLE, WHOLE | {"strides": None}, WHOLE | {"strides": (4, 8)}, WHOLE | {"strides": (-4, 40)}, WHOLE | {"shape": ()},
    WHOLE | {"shape": (0, 3), "data": (0, True)}, WHOLE | {"data": (4096, True)}, WHOLE | {"typestr": "|u1"},
    WHOLE | {"stream": 1}, WHOLE | {"stream": None}, WHOLE | {"mask": None}, WHOLE | {"shape": [2, 3]},
    WHOLE | {"typestr": "<V4", "descr": [("a", "<i4")]}, WHOLE | {"typestr": ">f4"}, WHOLE | {"stream": 1 << 40},
    WHOLE | {"descr": [("", "<f4")]}, WHOLE | {"data": [4096, 0]}, WHOLE | {"extra": 1},
]  # fmt: skip
BROKEN = [
    WHOLE | {"shape": (2, -3)}, WHOLE | {"shape": (1 << 40, 1 << 40)}, WHOLE | {"shape": (1 << 70,)},
    WHOLE | {"mask": 1}, WHOLE | {"strides": (4,)}, WHOLE | {"data": (-1, False)}, WHOLE | {"data": (0, False)},
    WHOLE | {"typestr": "<q"}, WHOLE | {"shape": (True, 2)}, WHOLE | {"data": (1 << 64, False)}, {"shape": (2,)},
    WHOLE | {"strides": (1 << 62, 1 << 62)}, WHOLE | {"data": (-4096, False)},
]  # fmt: skip
ON_CUDA = [WHOLE | {"stream": 0}, WHOLE | {"stream": True}, WHOLE | {"version": 1}, WHOLE | {"stream": -1}]
CUDA, PLAIN = "__cuda_array_interface__", "__array_interface__"


@pytest.mark.parametrize("protocol", [CUDA, PLAIN])
def test_dicts(protocol):
    for _ in range(3):
        for given in DICTS:
            obj = Shown(protocol, **given)
            assert facts(sb.view(obj)) == facts(in_python(obj)), given
            assert sb.view(obj).owner is obj
        for given in BROKEN + (ON_CUDA if protocol == CUDA else []):
            with pytest.raises(ProtocolError):
                sb.view(Shown(protocol, **given))


def test_each_object_is_asked_for_its_dict():
    class Both(bytearray):
        pass

    both = Both(8)
    assert sb.view(both).protocol == sb.view(both).protocol == "buffer"
    both.__array_interface__ = WHOLE | {"version": 3}
    assert sb.view(both).protocol == PLAIN
    both.__cuda_array_interface__ = WHOLE | {"version": 3}
    assert sb.view(both).protocol == CUDA
    assert sb.view(both).device == Device(2)
    both.device = 5
    assert sb.view(both).device == Device(2, 5)
    del both.__cuda_array_interface__, both.__array_interface__
    assert sb.view(both).protocol == "buffer"


def test_facts_of_an_object_are_its_own():
    """Nothing but the element type is remembered."""
    x = np.zeros((2, 3), "f4")
    assert not sb.view(x).readonly
    x.flags.writeable = False
    assert sb.view(x).readonly
    assert sb.view(x).shape == (2, 3)
    assert sb.view(np.zeros(7, "f4")).shape == (7,)
    locked = sb.view(bytearray(3))
    assert not locked.readonly
    assert sb.view(memoryview(locked.owner and b"xyz")).readonly


def test_a_view_is_its_own_view():
    v = sb.view(X)
    assert sb.view(v) is v
    assert sb.view(obj=X).ptr == v.ptr
    with pytest.raises(TypeError):
        sb.view()
    with pytest.raises(TypeError):
        sb.view(X, 1)
    with pytest.raises(ProtocolError, match="int shows no array"):
        sb.view(3)


def test_masked_arrays_and_subclasses_are_pythons():
    with pytest.raises(ProtocolError, match="masked"):
        sb.view(np.ma.array([1.0], mask=[True]))
    owner = np.ones(3).view(type("Sub", (np.ndarray,), {}))
    assert sb.view(owner).owner is owner


def test_view_shows_its_words():
    assert str(inspect.signature(sb.view)) == "(obj, *, stream=None, dialect=None)"
    assert "without copying" in sb.view.__doc__
    assert pickle.loads(pickle.dumps(sb.view)) is sb.view


SCALARS = [np.dtype(d) for d in "?bBhHiIlLefdFD"] + [np.dtype(ml_dtypes.bfloat16)]


@pytest.mark.parametrize("dtype", SCALARS, ids=str)
def test_elements_are_numpys_scalars(dtype):
    x = np.array([0, 1, 2, 3], "u1").astype(dtype)
    v = sb.view(x)
    for i in (0, 1, -1, 3, np.int8(2)):
        for _ in range(2):
            assert type(v[i]) is type(x[i])
            assert v[i] == x[i]
    if dtype.kind == "b":
        assert v[0] is np.False_
        assert v[1] is np.True_
    assert list(v) == list(x)
    assert (v[1:][0], v[::-1][0], v[..., 1].shape) == (x[1], x[-1], ())


def test_what_python_must_say():
    v = sb.view(X)
    assert v[np.int64(1), np.uint8(2)].shape == (6,)
    assert v[slice(np.int64(1), None)].shape == (3, 5, 6)
    for key in (4, -5, 1 << 70, (0, 0, 0, 0), (..., ...), True, np.True_, 1.0, slice(0, 1, 0)):
        with pytest.raises(ArrayIndexError):
            v[key]
    with pytest.raises(ArrayError, match="64 dimensions"):
        v[(None,) * 62]
    with pytest.raises(TypeError, match="without dimensions"):
        len(v[0, 0, 0, ...])
    assert [w.shape for w in v] == [(5, 6)] * 4
    empty = sb.view(np.zeros((0, 3)))
    assert list(empty) == []
    assert empty[:, 1].shape == (0,)
    assert empty[None, ..., 2].size == 0


def test_parts_hold_their_memory():
    class Watched(np.ndarray):
        pass

    x = np.arange(6.0).view(Watched)
    alive = weakref.ref(x)
    part = sb.view(x).T[1:][::-1]
    del x
    gc.collect()
    assert alive() is not None
    assert part.device is HOST
    del part
    gc.collect()
    assert alive() is None


def test_reference_counts_return():
    x, data = np.zeros((2, 3)), bytearray(8)
    kept = [x, x.dtype, ArrayView, HOST, type(sb.view(x).type), data]
    use = lambda: (sb.view(x)[0].T[::2][1], sb.view(x).T.shape, sb.view(data)[2], sb.view(data)[1:])  # noqa: E731
    use()
    before = [sys.getrefcount(o) for o in kept]
    for _ in range(300):
        use()
    after = [sys.getrefcount(o) for o in kept]
    assert all(abs(a - b) < 5 for a, b in zip(after, before, strict=True)), (before, after)
    data.append(1)  # no lock is left behind


def test_a_buffer_is_locked_while_a_part_lives():
    data = bytearray(8)
    sb.view(data)
    part = sb.view(data)[2:]
    with pytest.raises(BufferError):
        data.append(1)
    del part
    data.append(1)


def test_cycles_through_views_are_collected():
    class Producer(bytearray):
        pass

    producer = Producer(8)
    alive = weakref.ref(producer)
    producer.view = sb.view(producer)
    producer.part = producer.view[1:].T
    del producer
    gc.collect()
    assert alive() is None


def test_subclasses_may_hold_more():
    class Named(ArrayView):
        pass

    v = sb.view(X)
    named = Named(v.type, "x", v.ptr, (2,), (4,), 4, HOST, False, "test", X)
    named.name = named
    alive = weakref.ref(named)
    assert sb.view(named) is named
    del named
    gc.collect()
    assert alive() is None


def test_threads_learn_together():
    made = [np.zeros(2, np.dtype((np.void, n + 1))) for n in range(20)] + ARRAYS * 5
    results: list[list[dict[str, object]]] = []
    barrier = threading.Barrier(4)

    def run() -> None:
        barrier.wait()
        results.append([facts(sb.view(x)) for x in made])

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(found == results[0] for found in results)


@pytest.fixture(scope="module")
def lib():
    return sb.compile(
        "#include <samebytes/array.hpp>\n"
        "float total(samebytes::array<const float, 2> x) {\n"
        "  float sum = 0;\n"
        "  for (long i = 0; i < x.shape[0]; ++i) for (long j = 0; j < x.shape[1]; ++j) sum += x(i, j);\n"
        "  return sum;\n"
        "}\n"
        "void fill(float* x) { x[0] = 9; }\n"
    )


PRODUCERS = [
    lambda x: Producer(sb.view(x)), lambda x: Legacy(sb.view(x)),
    lambda x: Shown(PLAIN, **x.__array_interface__, owner=x),
]  # fmt: skip


@pytest.mark.parametrize("make", PRODUCERS, ids=["dlpack", "legacy", "dict"])
def test_producers_are_arguments(lib, make):
    """What the core reads for a call is checked as anything else, and given back after it."""
    for _ in range(3):
        x = np.arange(6, dtype="f4").reshape(2, 3)
        assert lib.total(make(x)) == 15
        assert lib.total(make(x[::-1, ::2])) == 10
        lib.fill(make(x))
        assert x[0, 0] == 9
        for wrong, words in ((x.astype("f8"), "float64"), (x[0], r"\[3\]"), (frozen(x.copy()), None)):
            if words:
                with pytest.raises(ArrayError, match=words):
                    lib.total(make(wrong))
            elif make is not PRODUCERS[1]:
                assert lib.total(make(wrong)) == 24
                with pytest.raises(ArrayError, match="writable"):
                    lib.fill(make(wrong))
        array = np.ones((2, 3), "f4").view(type("Watched", (np.ndarray,), {}))
        alive = weakref.ref(array)
        assert lib.total(make(array)) == 6
        del array
        gc.collect()
        assert alive() is None
    with pytest.raises(ArrayError, match="CUDA"):
        lib.total(Producer(sb.view(x).derive(device=Device(2))))
