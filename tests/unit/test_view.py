"""Views: the same parts as NumPy's, no copies, exports that hold their memory, and streams in order."""

from __future__ import annotations

import ctypes
import gc
import subprocess
import sys
import threading
import weakref

import ml_dtypes
import numpy as np
import pytest
from tests.tables import each

import samebytes as sb
from samebytes.arrays.protocols.dlpack import adopt
from samebytes.arrays.view import ArrayView, Device, Usm, streams
from samebytes.arrays.view.formats import BadFormat, read, write
from samebytes.errors import ArrayError, ArrayIndexError, MissingDependency, ProtocolError


@sb.struct
class Point:
    x: int
    y: sb.float64


X = np.arange(120, dtype="i4").reshape(4, 5, 6)
KEYS = [
    (slice(1, 3),), (slice(None, None, -1),), (1,), (..., 2), (None, 1), (1, ..., None),
    (slice(5, 1, -2), -1, slice(2)), (-1, slice(None), slice(None, None, -3)), (slice(9, 2),),
    (..., None, slice(1, None, 2)), (slice(None), 4, 5), (...,),
]  # fmt: skip


def same(view, array):
    assert view.shape == array.shape
    assert view.ptr == array.__array_interface__["data"][0] or not array.size
    used = [
        (a, b)
        for a, b, n in zip(view.byte_strides, array.strides, array.shape, strict=True)
        if n > 1 and array.size
    ]
    assert all(a == b for a, b in used)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("base", [X, X[::-1, ::2], X.T], ids=["plain", "cut", "turned"])
def test_indexing_is_numpys(key, base):
    try:
        expected = base[key]
    except IndexError:
        with pytest.raises(ArrayIndexError):
            sb.view(base)[key]
        return
    same(sb.view(base)[key], expected)


def test_a_full_index_gives_the_value():
    v = sb.view(X)
    assert v[1, 2, 3] == X[1, 2, 3]
    assert isinstance(v[1, 2, 3], np.int32)
    assert isinstance(v[1, 2, 3, ...], ArrayView)
    assert sb.view(np.ones(2, ml_dtypes.bfloat16))[0] == 1
    assert [int(n) for n in v[0, 0]] == list(range(6))
    assert len(v) == 4


@pytest.mark.parametrize(
    "key", [4, -5, (0, 0, 0, 0), 1.0, "field", [1, 2], np.array([1]), True, (..., ...), slice(0, 1, 0)]
)
def test_other_indices_are_refused(key):
    with pytest.raises(IndexError) as raised:
        sb.view(X)[key]
    assert isinstance(raised.value, sb.ArrayError)


@pytest.mark.parametrize(
    "base", [X, X[:, ::2], X[::-1], X.transpose(1, 0, 2), X[:, :1], X[:0], X[1, 2, 3, ...]]
)
@each("shape", [(-1,), (120,), (4, 30), (2, 2, 5, 6), (20, 3, 2), (1, 60, 1), (0, 7), (), (8, -1), (24,)])
def test_reshape_is_numpys(base, shape):
    try:
        expected = base.reshape(shape)
    except ValueError:
        with pytest.raises(ArrayError):
            sb.view(base).reshape(*shape)
        return
    if np.shares_memory(expected, base) or not base.size:
        same(sb.view(base).reshape(shape), expected)
    else:
        with pytest.raises(ArrayError, match="without a copy"):
            sb.view(base).reshape(shape)


def test_transpose():
    same(sb.view(X).T, X.T)
    same(sb.view(X).transpose(2, 0, -2), X.transpose(2, 0, 1))
    with pytest.raises(ArrayError, match=r"transpose\(\): expected each of the 3 dimensions once, .* got"):
        sb.view(X).transpose(0, 0, 1)


def test_view_as_another_type():
    v = sb.view(X)
    assert np.array_equal(np.asarray(v.view(sb.uint8)), X.view("u1"))
    assert np.array_equal(np.asarray(v.view(sb.int64)), X.view("i8"))
    assert v.view("f4").type == sb.as_type(sb.float32)
    with pytest.raises(ArrayError, match=r"view\(\): .* has no gaps, got a stride of"):
        v.T.view(sb.int64)
    with pytest.raises(ArrayError, match="whole number"):
        v[..., :1].view(sb.int64)
    with pytest.raises(ArrayError, match=r"keep their 4 bytes, got a type of 8; reshape\(1\)"):
        v.reshape(-1)[:1].reshape(()).view(sb.int64)
    with pytest.raises(ArrayError, match=r"view\(\): Python objects"):
        sb.view(np.array([None])).view(sb.int64)


def test_astype_never_allocates():
    v = sb.view(X)
    assert v.astype(sb.int32) is v
    for refused in (lambda: v.astype(sb.float32), lambda: v.astype(sb.int32, copy=True)):
        with pytest.raises(ArrayError, match="allocates nothing"):
            refused()


def test_structs():
    x = np.zeros(3, [("x", "i4"), ("pad", "V4"), ("y", "f8")])
    x["y"] = 1, 2, 3
    assert sb.view(x)["y"][2] == 3
    points = sb.view(np.frombuffer(x.tobytes(), "u1")).view(Point)
    assert points[1] == Point(0, 2.0)
    assert isinstance(points[1], Point)
    assert [float(n) for n in points["y"]] == [1, 2, 3]
    with pytest.raises(ArrayIndexError, match="no field 'z'"):
        points["z"]
    with pytest.raises(
        ArrayError, match=r"view\(\): expected fields with the names, types and offsets of Point, got"
    ):
        sb.view(np.zeros(2, [("x", "f4"), ("pad", "V4"), ("y", "f8")])).view(Point)
    inner = np.zeros(2, [("m", "f4", (2, 3))])
    assert sb.view(inner)["m"].shape == (2, 2, 3)
    assert sb.view(memoryview(inner))["m"].byte_strides == (24, 12, 4)


def test_strides_that_nothing_constrains_count_as_zero():
    odd = sb.view(np.zeros(64, "u1"))
    v = odd.derive(type=sb.as_type(sb.float32), itemsize=4, shape=(1, 3), byte_strides=(7, 4), dtype=None)
    assert v.strides == (0, 1)
    assert v.contiguous
    with pytest.raises(ArrayError, match="no multiples"):
        _ = odd.derive(type=sb.as_type(sb.float32), itemsize=4, shape=(2, 3), byte_strides=(7, 4)).strides


FORMATS = [
    "f4",
    ">i2",
    "c8",
    "c16",
    "?",
    "f2",
    [("a", "i1"), ("b", "f8")],
    [("a", [("b", ">i4"), ("c", "f4", (2, 3))])],
    "S5",
    "U3",
]


@pytest.mark.parametrize("dtype", FORMATS, ids=str)
def test_formats_return(dtype):
    for made in (np.dtype(dtype), np.dtype(dtype, align=True)):
        assert read(write(made), made.itemsize) == made
        assert read(memoryview(np.zeros(1, made)).format, made.itemsize) == made
        assert np.asarray(memoryview(sb.view(np.zeros(2, made)))).dtype == made


@pytest.mark.parametrize(
    "text", ["", "T{", "O", "&f", "P", "X{}", "T{i:a:i:a:}", "f}", "<n", "(2", "T{" * 99, "9" * 99 + "f"]
)
def test_broken_formats_are_refused(text):
    with pytest.raises(BadFormat):
        read(text, 4)


# --- lifetime


class Watched(np.ndarray):
    """A NumPy array that can be watched."""


@pytest.mark.parametrize("hand_on", [
    lambda v: v[1:], lambda v: v.T, lambda v: memoryview(v), np.asarray, np.from_dlpack, lambda v: v.__dlpack__(),
    lambda v: v.__dlpack__(max_version=(1, 3)), lambda v: adopt(v[::-1].__dlpack__()), lambda v: sb.view(memoryview(v)),
])  # fmt: skip
def test_memory_lives_as_long_as_what_shows_it(hand_on):
    array = np.arange(6.0).view(Watched)
    alive = weakref.ref(array)
    held = hand_on(sb.view(array))
    del array
    gc.collect()
    assert alive() is not None
    del held
    gc.collect()
    assert alive() is None


def test_a_deleter_runs_in_any_thread_and_after_the_end():
    code = (
        "import ctypes, threading, numpy as np, samebytes as sb\n"
        "capsule = sb.view(np.ones(3)).__dlpack__(max_version=(1, 3))\n"
        "pointer = ctypes.pythonapi.PyCapsule_GetPointer\n"
        "pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]\n"
        "at = pointer(capsule, b'dltensor_versioned')\n"
        "ctypes.pythonapi.PyCapsule_SetName(ctypes.py_object(capsule), ctypes.c_char_p(b'used_dltensor_versioned'))\n"
        "deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(ctypes.c_void_p.from_address(at + 16).value)\n"
        "thread = threading.Thread(target=deleter, args=(at,))  # CFUNCTYPE: without the GIL\n"
        "thread.start(); thread.join()\n"
        "import atexit\n"
        "kept = np.from_dlpack(sb.view(np.ones(3)))\n"
        "import builtins; builtins.kept = [kept, sb.view(kept).__dlpack__(), sb.view(np.ones(2)).__dlpack__()]\n"
        "print('end')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "end\n"), done.stderr


def test_threads_may_share_a_view():
    v = sb.view(np.arange(1000))
    threads = [
        threading.Thread(target=lambda: [np.from_dlpack(v[i::3]).sum() for i in range(200)]) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert v[10] == 10


def test_a_memoryview_in_a_garbage_cycle_is_not_cleared_under_its_view():
    for _ in range(3):
        cycle = [sb.view(memoryview(np.arange(6)))]
        cycle.append(cycle)
        del cycle
        gc.collect()


# --- export


def test_dlpack_follows_the_standard():
    v = sb.view(np.arange(6.0))
    assert "dltensor_versioned" in repr(v.__dlpack__(max_version=(1, 0)))
    assert '"dltensor"' in repr(v.__dlpack__(max_version=(0, 8)))
    assert v.__dlpack_device__() == (1, 0)
    copied = adopt(v.__dlpack__(max_version=(1, 3), copy=True))
    assert copied.ptr != v.ptr
    assert not copied.readonly
    refused = [{"dl_device": (2, 0)}, {"stream": 1}, {"dl_device": (2, 0), "copy": True}]
    for how in refused:
        with pytest.raises(BufferError):
            v.__dlpack__(**how)
    frozen = np.arange(3)
    frozen.flags.writeable = False
    with pytest.raises(BufferError, match="read-only"):
        sb.view(frozen).__dlpack__()
    assert adopt(sb.view(frozen).__dlpack__(max_version=(1, 3))).readonly
    with pytest.raises(BufferError, match="no such element type"):
        sb.view(np.zeros(2, "i4,f4")).__dlpack__()


@pytest.mark.parametrize("code_bits_lanes", [(2, 32, 4), (17, 4, 2), (10, 8, 1), (3, 64, 1), (8, 8, 1)])
def test_every_dlpack_type_travels(code_bits_lanes):
    size = code_bits_lanes[1] * code_bits_lanes[2] // 8
    v = ArrayView(
        None,
        "x",
        4096,
        (2, 3),
        (3 * size, size),
        size,
        Device(2),
        False,
        "test",
        None,
        element=code_bits_lanes,
    )
    seen = adopt(v.__dlpack__())
    assert (seen._element, seen.itemsize, seen.strides) == (code_bits_lanes, size, (3, 1))


def on(device, stream=None, **more):
    x = np.arange(6, dtype="f4")
    return sb.view(x).derive(device=Device(device), stream=stream, **more)


def test_cuda_array_interface_goes_both_ways():
    v = on(2, stream=77)[::-1]
    facts = v.__cuda_array_interface__
    assert facts["version"] == 3
    assert facts["stream"] == 77
    assert facts["strides"] == (-4,)

    class Shown:
        __cuda_array_interface__ = facts

    seen = sb.view(Shown())
    assert (seen.ptr, seen.byte_strides, seen.stream, seen.device) == (v.ptr, (-4,), 77, Device(2))
    assert not hasattr(sb.view(X), "__cuda_array_interface__")
    with pytest.raises(BufferError, match="host memory only"):
        memoryview(v)


class Queue:
    def __init__(self):
        self.capsules = 0

    def _get_capsule(self):
        self.capsules += 1
        return f"capsule {self.capsules}"


def test_suai_shows_the_allocation_and_a_context_that_can_be_asked_again():
    queue = Queue()
    v = on(14, owner=Usm("memory", queue))[::-1]
    facts = v.__sycl_usm_array_interface__
    assert (facts["offset"], facts["strides"], facts["data"][0]) == (5, (-1,), v.ptr - 20)
    assert facts["syclobj"]._get_capsule() == "capsule 1"
    assert facts["syclobj"]._get_capsule() == "capsule 2"

    class Shown:
        __sycl_usm_array_interface__ = facts

    assert sb.view(Shown()).ptr == v.ptr
    assert sb.view(sb.view(Shown()))[1:].__sycl_usm_array_interface__["syclobj"] is facts["syclobj"]


NAMES = {name: ctypes.create_string_buffer(name) for name in (b"SyclContextRef", b"SyclQueueRef", b"x")}


def _capsule(name):
    new = ctypes.PyDLL(None).PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
    return new(1, ctypes.addressof(NAMES[name]), None)


@pytest.mark.parametrize(
    "syclobj", ["gpu", Queue(), _capsule(b"SyclContextRef"), _capsule(b"SyclQueueRef"), 5, _capsule(b"x")]
)
def test_kinds_of_syclobj(syclobj, monkeypatch):
    monkeypatch.setitem(
        sys.modules, "dpctl", None
    )  # as if it were not installed: SYCL stays out of this process

    class Shown:
        __sycl_usm_array_interface__ = {  # noqa: RUF012
            "shape": (2,), "typestr": "|f4", "data": (4096, False), "syclobj": syclobj, "version": 1,
        }  # fmt: skip

    if syclobj == 5 or '"x"' in repr(syclobj):
        with pytest.raises(ProtocolError, match="syclobj"):
            sb.view(Shown())
        return
    seen = sb.view(Shown())
    assert seen.owner.syclobj.raw is syclobj
    if not isinstance(syclobj, Queue):
        with pytest.raises(MissingDependency, match="pip install dpctl"):
            seen.owner.syclobj._get_capsule()


def test_suai_reads_elements_and_checks_bounds():
    class Shown:
        _pointer, nbytes = 4096, 24 * 4
        __sycl_usm_array_interface__ = {  # noqa: RUF012
            "shape": (24,), "typestr": "|f4", "data": (4096, False), "strides": (-1,), "offset": 23, "syclobj": "gpu",
            "version": 1,
        }  # fmt: skip

    assert sb.view(Shown()).ptr == 4096 + 92
    Shown.nbytes -= 1
    with pytest.raises(ProtocolError, match="outside"):
        sb.view(Shown())


def test_only_the_opted_in_protocols_serve_devices():
    with pytest.raises(ProtocolError):
        sb.view(b"bytes", dialect="cuda")
    assert sb.view(np.ones(3), dialect="cuda").protocol == "DLPack"
    assert sb.view(np.ones(3), dialect="cxx").protocol == "NumPy's C struct"


class Recorder:
    def __init__(self):
        self.calls = []

    def wait(self, consumer, producer, device):
        self.calls.append(("wait", consumer, producer, device))

    def finish(self, stream, device):
        self.calls.append(("finish", stream, device))


def test_streams_are_ordered(monkeypatch):
    recorder = Recorder()
    monkeypatch.setattr(streams, "driver", lambda kind: recorder)
    v = on(2, stream=77)
    v.__dlpack__(stream=5)
    v.__dlpack__()
    v.__dlpack__(stream=-1)
    v.__dlpack__(stream=77)
    assert sb.view(v, stream=9).stream == 9
    assert on(10, stream=1).__cuda_array_interface__["stream"] is None
    assert recorder.calls == [("wait", 5, 77, 0), ("wait", 1, 77, 0), ("wait", 9, 77, 0), ("finish", 1, 0)]
    for device, stream in ((2, 0), (10, 1), (10, 2), (2, -2)):
        with pytest.raises(BufferError, match="means nothing"):
            on(device).__dlpack__(stream=stream)


def test_a_producer_that_takes_no_stream_is_ordered_here(monkeypatch):
    """It leaves its memory ready on the device's default stream."""
    recorder = Recorder()
    monkeypatch.setattr(streams, "driver", lambda kind: recorder)

    class Deaf:
        def __dlpack__(self):
            return on(2).__dlpack__()

        def __dlpack_device__(self):
            return 2, 0

    assert sb.view(Deaf(), stream=9).stream == 9
    assert sb.view(Deaf(), stream=-1).stream is None
    assert sb.view(Deaf()).stream == 1
    assert recorder.calls == [("wait", 9, 1, 0)]


def test_views_are_arguments():
    lib = sb.compile(
        "#include <samebytes/array.hpp>\n"
        "double total(samebytes::array<const float, 1> x) { return x[0] + x[1] + x[2]; }"
        "void fill(float* x) { x[0] = 9; }"
    )
    x = np.arange(6, dtype="f4")
    shown = [sb.view(x), sb.view(memoryview(x)), sb.view(x).derive(protocol="DLPack", dtype=None)]
    for v in shown * 3:
        assert lib.total(v[::-2]) == 5 + 3 + 1
    x.flags.writeable = False
    with pytest.raises(ArrayError, match="writable"):
        lib.fill(sb.view(x))
    with pytest.raises(ArrayError, match="CUDA"):
        lib.total(on(2))


def test_views_cannot_be_changed():
    v = sb.view(X)
    for name in ("ptr", "shape", "owner", "new"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(v, name, 1)
