"""Where samebytes and HIP Python differ: the same lines with both, and what comes of each."""

import ctypes

import numpy as np

import samebytes as sb

hip = sb.bind("hip/hip_runtime_api.h", library="libamdhip64.so", style="c_api")
hiprtc = sb.bind("hip/hiprtc.h", library="libhiprtc.so", style="c_api")

SOURCE = b"""
struct Three { char c[3]; };
extern "C" __global__ void three(int *out, short a, Three b) { *out = a + 10 * b.c[0] + 100 * b.c[2]; }
extern "C" __global__ void number(int *out, float x, int n) { *out = x == 1.5f ? n : -1; }
"""


class Three(ctypes.Structure):
    _fields_ = [("c", ctypes.c_char * 3)]


def memory(size):
    return hip.hipMalloc(size)[1]


def launched(name, *arguments):
    """What a kernel writes to where its first argument points."""
    program = hiprtc.hiprtcCreateProgram(SOURCE, b"k", 0, [], [])[1]
    hiprtc.hiprtcCompileProgram(program, 0, [])
    code = bytearray(hiprtc.hiprtcGetCodeSize(program)[1])
    hiprtc.hiprtcGetCode(program, code)
    kernel = hip.hipModuleGetFunction(hip.hipModuleLoadData(code)[1], name)[1]
    out, result = memory(4), np.zeros(1, np.int32)
    hip.hipModuleLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, None, None, (out, *arguments))
    hip.hipMemcpy(result, out, 4, hip.hipMemcpyKind.hipMemcpyDeviceToHost)
    return int(result[0])


def written(target):
    hip.hipMemcpy(target, np.full(2, 65, np.uint8), 2, hip.hipMemcpyKind.hipMemcpyHostToHost)
    return target


def renamed(properties):
    properties.name = b"mine"
    return properties.name


f4 = memory(96).configure(typestr="float32", shape=(2, 3, 4))
fortran = np.arange(4, dtype=np.uint8).reshape(2, 2, order="F")
ROWS = {
    "a struct in extra": lambda: launched(b"three", ctypes.c_short(1), Three(b"\2\3\4")),
    "a NumPy number in extra": lambda: launched(b"number", np.float32(1.5), ctypes.c_int(4)),
    "part of an array": lambda: f4[1].shape,
    "typestr": lambda: f4.__cuda_array_interface__["typestr"],
    "|u1": lambda: memory(4).configure(typestr="|u1", shape=(2, 2)).shape,
    "strides": lambda: memory(48).configure(typestr="float32", shape=(2, 3), strides=(24, 8)).shape,
    "a fraction in dim3": lambda: hip.dim3(1.5).x,
    "a fraction for int": lambda: hip.hipSetDevice(0.5)[0].name,
    "a read-only destination": lambda: written(bytes(2)),
    "Fortran's order": lambda: (
        hip.hipMemcpy(memory(4), fortran, 4, hip.hipMemcpyKind.hipMemcpyHostToDevice)[0].name
    ),
    "an event as a stream": lambda: hip.hipStreamSynchronize(hip.hipEventCreate()[1])[0].name,
    "text in a record": lambda: renamed(hip.hipDeviceProp_t()),
    "a newer status": lambda: int(hip.hipError_t(12345)),
    "what the library lacks": lambda: hip.hipGetDeviceFlags(),
}
for name, row in ROWS.items():
    try:
        print(f"{name}: {row()!r}")
    except Exception as error:
        print(f"{name}: {type(error).__name__}")
