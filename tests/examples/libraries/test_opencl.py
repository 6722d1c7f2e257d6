"""OpenCL's C API from its own headers, used for real: platform, context, buffers, a kernel built and run, read back."""

from __future__ import annotations

import ctypes.util
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = [
    pytest.mark.full,  # a library that few machines have
    pytest.mark.filterwarnings("ignore::samebytes.BindWarning"),
]

KERNEL = """
typedef struct { float scale; int offset; } parameters;
kernel void shift(global const float* x, global float* y, parameters p, int n) {
  int i = get_global_id(0);
  if (i < n) y[i] = p.scale * x[i] + p.offset;
}
"""
MANY = sb.out_array_return(length="num_entries")
EVENTS = {
    name: {"event": "in"}
    for name in (
        "clEnqueueNDRangeKernel",
        "clEnqueueReadBuffer",
        "clEnqueueWriteBuffer",
        "clEnqueueFillBuffer",
    )
}


@pytest.fixture(scope="module")
def cl(needs: Callable[[str, str], None]) -> Any:
    needs("CL/cl.h", "opencl-headers")
    library = ctypes.util.find_library("OpenCL")
    if library is None:
        pytest.skip("libOpenCL is not there: apt install ocl-icd-libopencl1 pocl-opencl-icd")
    return sb.bind(
        "CL/cl.h",
        library=library,
        style="c_api",
        defines=["CL_TARGET_OPENCL_VERSION=120"],
        arg_intent={"clGetPlatformIDs": {"platforms": MANY}, "clGetDeviceIDs": {"devices": MANY}, **EVENTS},
    )


@pytest.fixture(scope="module")
def device(cl: Any) -> Any:
    status, platforms, count = cl.clGetPlatformIDs(1)
    if status or not count:
        pytest.skip("no OpenCL platform: apt install pocl-opencl-icd")
    status, devices, _ = cl.clGetDeviceIDs(platforms[0], cl.CL_DEVICE_TYPE_ALL, 1)
    assert status == cl.CL_SUCCESS
    return devices[0]


@pytest.fixture(scope="module")
def context(cl: Any, device: Any) -> Any:
    made, status = cl.clCreateContext(None, 1, [device], None, None)
    assert status == cl.CL_SUCCESS
    yield made
    assert cl.clReleaseContext(made) == cl.CL_SUCCESS


@pytest.fixture(scope="module")
def queue(cl: Any, context: Any, device: Any) -> Any:
    made, status = cl.clCreateCommandQueue(context, device, 0)
    assert status == cl.CL_SUCCESS
    yield made
    assert cl.clReleaseCommandQueue(made) == cl.CL_SUCCESS


def build(cl: Any, context: Any, device: Any, source: str) -> Any:
    program, status = cl.clCreateProgramWithSource(context, 1, [source.encode()], None)
    assert status == cl.CL_SUCCESS
    return program, cl.clBuildProgram(program, 1, [device], "", None, None)


def test_names(cl: Any, device: Any) -> None:
    name = np.zeros(256, np.uint8)
    status, size = cl.clGetDeviceInfo(device, cl.CL_DEVICE_NAME, name.size, name)
    assert status == cl.CL_SUCCESS
    assert name[: size - 1].tobytes().decode().isprintable()
    units = np.zeros(1, np.uint32)
    assert cl.clGetDeviceInfo(device, cl.CL_DEVICE_MAX_COMPUTE_UNITS, 4, units) == (cl.CL_SUCCESS, 4)
    assert units[0] > 0


def test_a_kernel_runs(cl: Any, context: Any, device: Any, queue: Any) -> None:
    x = np.arange(1000, dtype=np.float32)
    program, status = build(cl, context, device, KERNEL)
    assert status == cl.CL_SUCCESS
    kernel, status = cl.clCreateKernel(program, "shift")
    assert status == cl.CL_SUCCESS
    copied = cl.CL_MEM_READ_ONLY | cl.CL_MEM_COPY_HOST_PTR
    source, status = cl.clCreateBuffer(context, copied, x.nbytes, x)
    assert status == cl.CL_SUCCESS
    target, status = cl.clCreateBuffer(context, cl.CL_MEM_WRITE_ONLY, x.nbytes, None)
    assert status == cl.CL_SUCCESS
    handles = np.array([int(source), int(target)], np.uint64)
    packed = np.array([(2.5, 7)], [("scale", "f4"), ("offset", "i4")])
    for index, value in enumerate((handles[:1], handles[1:], packed, np.array([x.size], np.int32))):
        assert cl.clSetKernelArg(kernel, index, value.nbytes, value) == cl.CL_SUCCESS
    whole = np.array([1024], np.uint64)
    assert cl.clEnqueueNDRangeKernel(queue, kernel, 1, None, whole, None, 0, None, None) == cl.CL_SUCCESS
    y = np.zeros_like(x)
    assert cl.clEnqueueReadBuffer(queue, target, cl.CL_TRUE, 0, y.nbytes, y, 0, None, None) == cl.CL_SUCCESS
    assert y == pytest.approx(2.5 * x + 7)
    for release, handle in (
        (cl.clReleaseMemObject, source),
        (cl.clReleaseMemObject, target),
        (cl.clReleaseKernel, kernel),
        (cl.clReleaseProgram, program),
    ):
        assert release(handle) == cl.CL_SUCCESS


def test_what_the_compiler_says(cl: Any, context: Any, device: Any) -> None:
    program, status = build(cl, context, device, "kernel void broken( {")
    assert status == cl.CL_BUILD_PROGRAM_FAILURE
    log = np.zeros(10000, np.uint8)
    status, size = cl.clGetProgramBuildInfo(program, device, cl.CL_PROGRAM_BUILD_LOG, log.size, log)
    assert status == cl.CL_SUCCESS
    assert "error" in log[:size].tobytes().decode()


def test_a_callback_when_a_buffer_dies(cl: Any, context: Any) -> None:
    died: list[int] = []
    buffer, _ = cl.clCreateBuffer(context, cl.CL_MEM_READ_WRITE, 64, None)
    done = sb.callback(lambda memory, data: died.append(int(memory)), "void(*)(void*, void*)")
    assert cl.clSetMemObjectDestructorCallback(buffer, done, None) == cl.CL_SUCCESS
    address = int(buffer)
    assert cl.clReleaseMemObject(buffer) == cl.CL_SUCCESS
    assert died == [address]


def test_handles_are_apart(cl: Any, context: Any, queue: Any) -> None:
    assert type(context).__name__ == "_cl_context"
    with pytest.raises(sb.ArgumentError, match="expected a _cl_context handle"):
        cl.clCreateBuffer(queue, cl.CL_MEM_READ_WRITE, 64, None)
    assert cl.clReleaseContext(None) == cl.CL_INVALID_CONTEXT
