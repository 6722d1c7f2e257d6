"""Jacobi's method: two kernels in turn, many launches on a stream, and a solution that NumPy confirms."""

import ctypes

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


source = b"""
extern "C" __global__ void sweep(const double *a, const double *b, const double *x, int n, double *next) {
  int row = threadIdx.x + blockIdx.x * blockDim.x;
  if (row >= n) return;
  double rest = b[row];
  for (int k = 0; k < n; ++k) if (k != row) rest -= a[row * n + k] * x[k];
  next[row] = rest / a[row * n + row];
}
"""
program = check(hiprtc.hiprtcCreateProgram(source, b"jacobi", 0, [], []))
check(hiprtc.hiprtcCompileProgram(program, 0, []))
code = bytearray(check(hiprtc.hiprtcGetCodeSize(program)))
check(hiprtc.hiprtcGetCode(program, code))
check(hiprtc.hiprtcDestroyProgram(program.createRef()))
module = check(hip.hipModuleLoadData(code))
sweep = check(hip.hipModuleGetFunction(module, b"sweep"))
n = 48
random = np.random.default_rng(0)
a, b = random.random((n, n)) + 2 * n * np.eye(n), random.random(n)

x = np.zeros(n)
memories = []
for array in (a, b, x, x):
    memories.append(check(hip.hipMalloc(array.nbytes)))
    check(hip.hipMemcpy(memories[-1], array, array.nbytes, hip.hipMemcpyKind.hipMemcpyHostToDevice))
a_device, b_device, old, new = memories
stream = check(hip.hipStreamCreate())
block, grid = hip.dim3(16), hip.dim3(n // 16)
for _ in range(40):
    arguments = [a_device, b_device, old, ctypes.c_int(n), new]
    check(hip.hipModuleLaunchKernel(sweep, *grid, *block, 0, stream, None, arguments))
    old, new = new, old
check(hip.hipStreamSynchronize(stream))
check(hip.hipMemcpy(x, old, x.nbytes, hip.hipMemcpyKind.hipMemcpyDeviceToHost))
print(np.allclose(a @ x, b, atol=1e-12), round(float(x.sum()), 12))

for memory in memories:
    check(hip.hipFree(memory))
check(hip.hipStreamDestroy(stream))
check(hip.hipModuleUnload(module))
