"""Functions of the host that take SYCL's objects, which dpctl has: run by test_sycl_kernels.py in a child."""

from __future__ import annotations

import gc
import sys

import numpy as np
import pytest

import samebytes as sb
from samebytes.toolchain.sycl import sycl_headers, sycl_runtime

dpctl = pytest.importorskip("dpctl")
SOURCE = """
#include <sycl/sycl.hpp>
#include <string>
void fill(sycl::queue& q, float* x, float value, int n) { q.fill(x, value, n).wait(); }
void fill_by(sycl::queue* q, float* x, float value, int n) {
  if (q) q->fill(x, value, n).wait();
}
bool is_cpu(sycl::queue q) { return q.get_device().is_cpu(); }
bool same(const sycl::queue& a, sycl::queue b) { return a == b; }
std::string name(const sycl::device& d) { return d.get_info<sycl::info::device::name>(); }
int devices(sycl::context c) { return c.get_devices().size(); }
void settle(sycl::event& e) { e.wait(); }
bool taken(sycl::queue&& q) { auto mine = std::move(q); return true; }
struct queue { int n; };
int own(queue q) { return q.n; }
"""


@pytest.fixture(scope="module")
def lib():
    include, libraries = sycl_headers()[0], sycl_runtime()[0]
    return sb.compile(
        SOURCE, include_dirs=[include], library_dirs=[libraries], libraries=["sycl"], name="host"
    )


@pytest.fixture
def queue():
    return dpctl.SyclQueue("cpu")


def test_a_queue_is_dpctls_own(lib, queue):
    x = sb.DeviceArray.from_host(np.zeros(5, "f4"), device=queue, kind="shared")
    lib.fill(queue, x, 2, 5)
    assert np.asarray(x).tolist() == [2] * 5
    lib.fill_by(queue, x, 3, 4)
    lib.fill_by(None, x, 4, 4)
    assert np.asarray(x).tolist() == [3, 3, 3, 3, 2]
    assert lib.is_cpu(queue) is True
    assert lib.same(queue, queue) is True
    assert lib.same(queue, dpctl.SyclQueue("cpu")) is False


def test_devices_contexts_and_events(lib, queue):
    assert lib.name(queue.sycl_device) == queue.sycl_device.name
    assert lib.devices(queue.sycl_context) == len(queue.sycl_context.get_devices())
    lib.settle(queue.submit_barrier())


def test_a_call_keeps_no_queue(lib, queue):
    before = sys.getrefcount(queue)
    assert lib.is_cpu(queue)
    assert lib.same(queue, queue)
    gc.collect()
    assert sys.getrefcount(queue) == before


def test_dpctl_keeps_what_it_has(lib, queue):
    with pytest.raises(
        sb.IntentError, match="dpctl keeps it, so that C\\+\\+ may copy it and not move from it"
    ):
        lib.taken(queue)


@pytest.mark.parametrize("wrong", ["cpu", None, 3])
def test_another_object_is_none(lib, queue, wrong):
    with pytest.raises(sb.ArgumentError, match=r"expected an object of sycl::queue|means sycl::queue::queue"):
        lib.is_cpu(wrong)
    for other in (queue.sycl_device, queue.sycl_context):
        with pytest.raises(
            sb.ArgumentError, match=r"expected an object of sycl::queue|means sycl::queue::queue"
        ):
            lib.fill(other, None, 1, 0)
    with pytest.raises(sb.Error):
        lib.own(queue)
