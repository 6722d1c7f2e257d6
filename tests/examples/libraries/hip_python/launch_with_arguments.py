"""A launch with arguments: each lies where C++ has it, whatever its size."""

import ctypes
import math

import numpy as np

import samebytes as sb

hip = sb.bind("hip/hip_runtime_api.h", library="libamdhip64.so", style="c_api")
hiprtc = sb.bind("hip/hiprtc.h", library="libhiprtc.so", style="c_api")


def check(results):
    """What a function gave besides its status."""
    status, *rest = results
    if int(status) != 0:
        raise RuntimeError(f"{type(status).__name__}: {status}")
    return rest[0] if len(rest) == 1 else tuple(rest)


properties = hip.hipDeviceProp_t()
check(hip.hipGetDeviceProperties(properties, 0))
source = b"""
extern "C" __global__ void mix(char sign, double scale, short step, const float *x, int n, float *y) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) y[i] = sign * scale * x[i * step % n];
}
"""
program = check(hiprtc.hiprtcCreateProgram(source, b"launch_with_arguments", 0, [], []))
check(hiprtc.hiprtcCompileProgram(program, 1, [b"--offload-arch=" + properties.gcnArchName]))
code = bytearray(check(hiprtc.hiprtcGetCodeSize(program)))
check(hiprtc.hiprtcGetCode(program, code))
check(hiprtc.hiprtcDestroyProgram(program.createRef()))
module = check(hip.hipModuleLoadData(code))
kernel = check(hip.hipModuleGetFunction(module, b"mix"))

n, step, scale = 100, 7, 1.25
x = np.linspace(0, 1, n, dtype="float32")
x_device, y_device = check(hip.hipMalloc(x.nbytes)), check(hip.hipMalloc(x.nbytes))
check(hip.hipMemcpy(x_device, x, x.nbytes, hip.hipMemcpyKind.hipMemcpyHostToDevice))
block = hip.dim3(x=32)
grid = hip.dim3(math.ceil(n / block.x))
print("grid", *grid, "block", *block)
arguments = (
    ctypes.c_char(b"\xff"), ctypes.c_double(scale), ctypes.c_short(step), x_device, ctypes.c_int(n), y_device
)  # fmt: skip
check(
    hip.hipModuleLaunchKernel(
        kernel, *grid, *block, sharedMemBytes=0, stream=None, kernelParams=None, extra=arguments
    )
)
y = np.empty_like(x)
check(hip.hipMemcpy(y, y_device, y.nbytes, hip.hipMemcpyKind.hipMemcpyDeviceToHost))
print(np.allclose(y, -scale * x[np.arange(n) * step % n]), y[:3].tolist())

check(hip.hipFree(x_device))
check(hip.hipFree(y_device))
check(hip.hipModuleUnload(module))
