"""The contract of memories: all of them, CUDA's and HIP's by stand-ins of the same interface."""

from __future__ import annotations

import gc
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import samebytes as sb
from samebytes.arrays.memory import memories

sys.path.append(str(Path(__file__).parent))  # importlib's import mode adds nothing itself
from memory_contract import CONTRACT, D
from memory_fakes import Heap, cuda, hip

KINDS = [(m.name, kind) for m in memories().values() if m.name != "sycl" for kind in m.kinds]


@pytest.fixture
def heap(monkeypatch):
    made = Heap()
    for name, library in (("cuda", cuda(made)), ("hip", hip(made))):
        monkeypatch.setattr(memories()[name], "library", partial(getattr, SimpleNamespace(it=library), "it"))
    yield made
    gc.collect()
    assert not made.given, "memory was not given back"


def test_every_file_is_a_memory():
    assert set(memories()) == {"cpu", "cuda", "hip", "sycl"}


@pytest.mark.parametrize("holds", CONTRACT, ids=lambda f: f.__name__)
@pytest.mark.parametrize(("name", "kind"), KINDS)
def test_contract(heap, name, kind, holds):
    holds({"device": name, "kind": kind})


@pytest.mark.parametrize(("name", "kind"), [k for k in KINDS if k[0] != "cpu"])
def test_memory_is_given_back_once(heap, name, kind):
    made = D.empty(100, "f4", device=f"{name}:1", kind=kind)
    first = next(iter(heap.given))
    part = made[10:20]
    assert made.device.id == 1
    del made
    gc.collect()
    assert not heap.taken
    capsule = part.__dlpack__(max_version=(1, 3))
    del part
    gc.collect()
    assert not heap.taken
    del capsule
    gc.collect()
    assert heap.taken == [first]


@pytest.mark.parametrize(("name", "kind"), [k for k in KINDS if k[0] != "cpu"])
@pytest.mark.parametrize("align", [1, 64, 256, 512, 4096])
def test_an_aligned_block_lies_inside_what_was_granted(heap, name, kind, align):
    """The library grants 256 bytes' alignment: each block that needs more has room for it, and no other."""
    for nbytes in (1, 100, 4096):
        made = D.empty(nbytes, "u1", device=f"{name}:0", kind=kind, align=align)
        ((start, granted),) = heap.asked.items()
        assert start <= int(made)
        assert int(made) + nbytes <= start + granted
        assert granted == nbytes + (align if align > 256 else 0)
        del made
        gc.collect()


def test_all_work_is_done_when_a_method_returns(heap):
    stream = memories()["cuda"].library().Stream
    made = D.empty(8, "f4", device="cuda")
    assert stream.pending == 0
    made.copy_from_host(np.ones(8, "f4"))
    assert stream.pending == 0
    made.copy()
    assert stream.pending == 0


def test_the_current_device_stays(heap):
    for name in ("cuda", "hip"):
        made = D.from_host(np.ones(3), device=f"{name}:1")
        made.copy().copy_to_host()
    assert memories()["cuda"].library().Device().device_id == 0
    assert memories()["hip"].library().hip.hipGetDevice()[1] == 0


SHOWS = {
    ("cuda", "device"): (2, "__cuda_array_interface__"),
    ("cuda", "shared"): (13, "__cuda_array_interface__"),
    ("cuda", "host"): (3, "__array_interface__"),
    ("hip", "device"): (10, "__cuda_array_interface__"),
    ("hip", "shared"): (10, "__cuda_array_interface__"),
    ("hip", "host"): (11, "__array_interface__"),
    ("cpu", "host"): (1, "__array_interface__"),
}


@pytest.mark.parametrize(("name", "kind"), KINDS)
def test_the_protocols_of_each_memory(heap, name, kind):
    device, interface = SHOWS[name, kind]
    made = D.from_host(np.arange(6, dtype="i4").reshape(2, 3), device=name, kind=kind)[:, 1:]
    assert made.__dlpack_device__() == (device, 0)
    assert getattr(made, interface)["data"] == (int(made), False)
    assert getattr(made, interface)["strides"] == (12, 4)
    back = sb.view(made)
    assert (back.ptr, back.shape, back.device.type) == (int(made), (2, 2), device)
    readable = kind != "device"
    assert back.device.is_host is readable
    if readable:
        assert np.asarray(made).tolist() == memoryview(made).tolist() == [[1, 2], [4, 5]]
        assert made[1, 1] == 5
    else:
        with pytest.raises(BufferError, match="host memory only"):
            memoryview(made)
        with pytest.raises(sb.ArrayError, match="host memory only"):
            np.asarray(made)
        assert made[1, 1].shape == ()
        assert made[1, 1].copy_to_host() == 5


def test_compiled_code_takes_what_the_host_reads(heap):
    lib = sb.compile("float last(const float* x, int n) { return x[n - 1]; }")
    x = np.arange(5, dtype="f4")
    for name, kind in KINDS:
        made = D.from_host(x, device=name, kind=kind)
        if kind == "device":
            with pytest.raises(sb.ArrayError, match="copy it to the host first"):
                lib.last(made, 5)
        else:
            assert lib.last(made, 5) == 4


def test_asarray_copies_only_between_devices(heap):
    x = np.arange(4, dtype="f4")
    host = D.asarray(x)
    assert int(host) == x.ctypes.data
    there = D.asarray(host, device="cuda")
    assert there.device.type == 2
    assert D.asarray(there, device="cuda") is there
    assert D.asarray([1.5, 2], dtype="f8").copy_to_host().tolist() == [1.5, 2]
    assert np.array_equal(D.asarray(there, device="hip").copy_to_host(), x)


REFUSED = [
    (lambda: D.empty(3, device="gpu"), sb.ArgumentError, "'cpu', 'cuda', 'hip', 'sycl'"),
    (lambda: D.empty(3, device=0), sb.ArgumentError, "got 0"),
    (lambda: D.empty(3, device="hip:x"), sb.ArgumentError, "a number"),
    (lambda: D.empty(3, device="hip:1234567890"), sb.ArgumentError, "a number"),
    (lambda: D.empty(3, device="hip:123456789"), sb.AllocationError, "hipErrorInvalidDevice"),
    (lambda: D.empty(3, kind="device"), sb.ArgumentError, "expected one of host"),
    (lambda: D.empty(3, align=3), sb.ArgumentError, "power of two"),
    (lambda: D.empty(3, order="X"), sb.ArgumentError, "'C' or 'F'"),
    (lambda: D.empty((2, -1)), sb.ArrayError, "negative"),
    (lambda: D.empty(1.5), sb.ArrayError, "expected integers"),
    (lambda: D.empty(3, object), sb.ArrayError, "dtype"),
    (lambda: D.empty(3, "O"), sb.ArrayError, "dtype"),
    (lambda: D.empty(3, "nonsense"), sb.ArrayError, "dtype"),
    (lambda: D.empty((3, 3), strides=(1,)), sb.ArrayError, "1 for 2 dimensions"),
    (lambda: D.empty(2**62), sb.ArrayError, "more bytes than memory"),
    (lambda: D.empty(2**46), sb.AllocationError, "the host has no"),
    (lambda: D.empty(3, device="cuda:9"), sb.AllocationError, "use device 9"),
    (lambda: D.empty(3, device="hip:9"), sb.AllocationError, "hipErrorInvalidDevice"),
    (lambda: D.from_host([2**40], "i4"), sb.ArrayError, "out of bounds"),
]


@pytest.mark.parametrize(("make", "error", "words"), REFUSED, ids=lambda x: getattr(x, "__name__", str(x)))
def test_what_cannot_be_is_refused(heap, make, error, words):
    with pytest.raises(error, match=words):
        make()


@pytest.mark.parametrize(
    ("name", "package"), [("cuda", "cuda.core"), ("hip", "hip"), ("sycl", "dpctl.memory")]
)
def test_a_missing_library_is_one_sentence(monkeypatch, name, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(sb.MissingDependency, match=f"'{name}' needs {package}: pip install") as caught:
        D.empty(3, device=name)
    assert "\n" not in str(caught.value)
