"""Cases with real USM memory, run by test_usm.py in a process whose only SYCL device is Intel's OpenCL on the CPU."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import numpy as np
import pytest

import samebytes as sb
from samebytes.errors import ArrayError, ProtocolError

dpctl = pytest.importorskip("dpctl")
from dpctl import memory as usm  # noqa: E402

KINDS = {"device": usm.MemoryUSMDevice, "shared": usm.MemoryUSMShared, "host": usm.MemoryUSMHost}
NUMBERS = np.arange(24, dtype="f4")


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.fixture
def memory(kind):
    made = KINDS[kind](NUMBERS.nbytes, queue=dpctl.SyclQueue("cpu"))
    made.copy_from_host(NUMBERS.view("u1"))
    return made


def taken(shown):
    """What dpctl takes from a view, as the numbers that it reads there."""
    found = usm.as_usm_memory(shown)
    return found, np.frombuffer(found.copy_to_host(), "f4")


def test_the_device_is_real():
    assert [d.filter_string for d in dpctl.get_devices()] == ["opencl:cpu:0"]


def test_in_and_out_is_the_same_memory(memory, kind):
    seen = sb.view(memory)
    assert (seen.ptr, seen.shape, seen.protocol) == (memory._pointer, (96,), "__sycl_usm_array_interface__")
    assert (seen.device.type, seen.device.usm, seen.readonly) == (14, kind, False)
    found, numbers = taken(seen)
    assert (found._pointer, found.get_usm_type(), found.nbytes) == (memory._pointer, kind, 96)
    assert found.sycl_context == memory.sycl_context
    assert np.array_equal(numbers, NUMBERS)
    found.copy_from_host(np.full(96, 7, "u1"))
    assert bytes(memory) == b"\7" * 96


def test_only_shared_and_host_memory_is_read_on_the_host(memory, kind):
    seen = sb.view(memory).view("f4")
    if kind == "device":
        with pytest.raises(ArrayError, match="USM-device"):
            np.asarray(seen)
        with pytest.raises(BufferError, match="host memory only"):
            memoryview(seen)
        assert not hasattr(seen, "__array_interface__")
        return
    array = np.asarray(seen)
    assert np.array_equal(array, NUMBERS)
    array[5] = -1
    assert np.frombuffer(memory.copy_to_host(), "f4")[5] == -1
    assert memoryview(seen)[5] == -1


PARTS = {
    "whole": np.s_[:], "from 3": np.s_[3:], "every third": np.s_[::3], "reversed": np.s_[::-1],
    "reversed by 2 from 20": np.s_[20::-2], "one": np.s_[7:8],
}  # fmt: skip


@pytest.mark.parametrize("part", PARTS)
def test_parts_show_dpctl_the_bytes_that_numpy_would(memory, part):
    key = PARTS[part]
    shown = sb.view(memory).view("f4")[key]
    low, high = np.lib.array_utils.byte_bounds(NUMBERS[key])
    found, numbers = taken(shown)
    start = (low - NUMBERS.ctypes.data) // 4
    assert found._pointer == memory._pointer + 4 * start
    assert np.array_equal(numbers, NUMBERS[start : start + (high - low) // 4])
    facts = shown.__sycl_usm_array_interface__
    assert facts["offset"] * 4 + facts["data"][0] == shown.ptr
    assert facts["strides"] == tuple(s // 4 for s in NUMBERS[key].strides)


class Shown:
    """Any producer: the dict, and nothing else."""

    def __init__(self, memory, syclobj):
        self.memory = memory
        self.__sycl_usm_array_interface__ = {
            "shape": (24,), "typestr": "|f4", "data": (memory._pointer, False), "syclobj": syclobj, "version": 1,
        }  # fmt: skip


class ByCapsule:
    def __init__(self, inner):
        self._get_capsule = inner._get_capsule


SYCLOBJ = {
    "filter string": lambda q: q.sycl_device.filter_string,
    "SyclContext": lambda q: q.sycl_context,
    "SyclContextRef": lambda q: q.sycl_context._get_capsule(),
    "SyclQueue": lambda q: q,
    "SyclQueueRef": lambda q: q._get_capsule(),
    "object of a context": lambda q: ByCapsule(q.sycl_context),
    "object of a queue": lambda q: ByCapsule(q),
}


@pytest.mark.parametrize("name", SYCLOBJ)
def test_every_kind_of_syclobj_can_be_taken_again_and_again(memory, kind, name):
    seen = sb.view(Shown(memory, SYCLOBJ[name](memory.sycl_queue)))
    if name in ("filter string", "SyclContext", "SyclQueue"):
        assert seen.device.usm == kind, "the context knows the kind, whoever shows the memory"
    for shown in (seen, seen, seen[:], sb.view(seen)):
        found, numbers = taken(shown)
        assert (found._pointer, found.get_usm_type()) == (memory._pointer, kind)
        assert found.sycl_context == memory.sycl_context
        assert np.array_equal(numbers, NUMBERS)


def test_describing_uses_up_no_capsule(memory):
    capsule = memory.sycl_queue._get_capsule()
    seen = sb.view(Shown(memory, capsule))
    assert usm.as_usm_memory(Shown(memory, capsule))._pointer == seen.ptr  # its single use
    with pytest.raises(ProtocolError, match="syclobj"):
        sb.view(Shown(memory, capsule))


def test_the_bounds_are_those_of_the_real_allocation(memory):
    shown = Shown(memory, memory.sycl_queue)
    shown._pointer, shown.nbytes = memory._pointer, memory.nbytes
    assert sb.view(shown).size == 24
    for wrong in ({"offset": 1}, {"offset": -1}, {"strides": (2,)}, {"shape": (25,)}):
        shown.__sycl_usm_array_interface__ |= {"offset": 0, "strides": (1,), "shape": (24,)} | wrong
        with pytest.raises(ProtocolError, match="outside"):
            sb.view(shown)


def test_views_and_consumers_hold_the_memory(memory):
    before = sys.getrefcount(memory)
    part = sb.view(memory).view("f4")[3:5]
    found = usm.as_usm_memory(part)
    del part
    assert sys.getrefcount(memory) > before
    assert np.array_equal(np.frombuffer(found.copy_to_host(), "f4"), NUMBERS[3:5])
    del found
    gc.collect()
    assert sys.getrefcount(memory) == before


@pytest.fixture(scope="module")
def library():
    return sb.compile("""
        #include <samebytes/array.hpp>
        double total(samebytes::array<const float, 1> x) {
          double sum = 0;
          for (int i = 0; i < x.extent(0); ++i) sum += x(i);
          return sum;
        }
        void fill(float* x, int n) { for (int i = 0; i < n; ++i) x[i] = 2.5f; }
    """)


def test_compiled_code_takes_what_the_host_may_read(library, memory, kind):
    seen = sb.view(memory).view("f4")
    if kind == "device":
        with pytest.raises(ArrayError, match=r"total\(\).*USM-device"):
            library.total(seen)
        return
    assert library.total(seen) == NUMBERS.sum()
    assert library.total(seen[::-2]) == NUMBERS[::-2].sum()
    library.fill(seen, 24)
    assert np.array_equal(np.frombuffer(memory.copy_to_host(), "f4"), np.full(24, 2.5, "f4"))


def test_dlpack_says_oneapi(memory):
    seen = sb.view(memory).view("f4")
    assert seen.__dlpack_device__() == (14, 0)
    with pytest.raises(BufferError, match="stream"):
        seen.__dlpack__(stream=5)
    with pytest.raises(BufferError, match="copy to there"):
        seen.__dlpack__(dl_device=(1, 0))


@pytest.mark.parametrize("part", PARTS)
def test_dlpack_to_another_library_and_back(memory, part):
    tvm_ffi = pytest.importorskip("tvm_ffi")
    seen = sb.view(memory).view("f4")[PARTS[part]]
    back = sb.view(tvm_ffi.from_dlpack(seen))
    assert (back.ptr, back.shape, back.device.type) == (seen.ptr, seen.shape, 14)
    assert back.strides == seen.strides or back.size == 1


class OnlyDLPack:
    """A producer whose capsule alone says what it is, as torch's XPU tensors are."""

    def __init__(self, shown):
        self.__dlpack__, self.__dlpack_device__ = shown.__dlpack__, shown.__dlpack_device__


def test_without_its_context_usm_memory_is_not_shown_by_suai(memory):
    held = OnlyDLPack(sb.view(memory))
    OnlyDLPack.__dlpack__ = lambda self, **how: vars(self)["__dlpack__"](**how)
    back = sb.view(held)
    assert (back.ptr, back.device.type, back.device.is_host) == (memory._pointer, 14, False)
    with pytest.raises(AttributeError, match="known context"):
        _ = back.__sycl_usm_array_interface__


# --- memory of our own

sys.path.append(str(Path(__file__).parents[1] / "contract"))
from memory_contract import CONTRACT  # noqa: E402


@pytest.mark.parametrize("holds", CONTRACT, ids=lambda f: f.__name__)
@pytest.mark.parametrize("device", ["sycl", "sycl:cpu", "sycl:opencl:cpu:0"])
def test_the_contract_of_memories(holds, device, kind):
    holds({"device": device, "kind": kind})


def test_our_usm_arrays_are_dpctls(kind):
    queue = dpctl.SyclQueue("cpu")
    made = sb.DeviceArray.from_host(NUMBERS, device=queue, kind=kind)
    found, numbers = taken(made[4:])
    assert (found.get_usm_type(), found.sycl_context) == (kind, queue.sycl_context)
    assert np.array_equal(numbers, NUMBERS[4:])
    assert made.copy().device.usm == kind
    copied = usm.as_usm_memory(made.copy())
    assert copied.sycl_context == queue.sycl_context
    del made
    gc.collect()
    assert np.array_equal(np.frombuffer(found.copy_to_host(), "f4"), NUMBERS[4:])


def test_no_such_sycl_device_is_said():
    with pytest.raises(sb.AllocationError, match="no:such:0"):
        sb.DeviceArray.empty(3, device="sycl:no:such:0")
