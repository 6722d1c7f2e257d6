"""hipBLAS on device arrays: scalars by their address, rows of a matrix as vectors."""

import ctypes

import numpy as np

import samebytes as sb

hip = sb.bind("hip/hip_runtime_api.h", library="libamdhip64.so", style="c_api")
hipblas = sb.bind("hipblas/hipblas.h", library="libhipblas.so", style="c_api")


def check(results):
    """What a function gave besides its status."""
    status, *rest = results
    if int(status) != 0:
        raise RuntimeError(f"{type(status).__name__}: {status}")
    return rest[0] if len(rest) == 1 else tuple(rest)


matrix = np.ones((3, 20), "float32")
y = np.arange(20, dtype="float32")
device = check(hip.hipMalloc(matrix.nbytes)).configure(typestr="float32", shape=matrix.shape)
y_device = check(hip.hipMalloc(y.nbytes))
check(hip.hipMemcpy(device, matrix, matrix.nbytes, hip.hipMemcpyKind.hipMemcpyHostToDevice))
check(hip.hipMemcpy(y_device, y, y.nbytes, hip.hipMemcpyKind.hipMemcpyHostToDevice))

handle = check(hipblas.hipblasCreate())
for number in range(3):
    row, alpha = device[number, :], ctypes.c_float(number)
    check(hipblas.hipblasSscal(handle, row.size, ctypes.addressof(alpha), row, 1))
alpha = ctypes.c_float(0.5)
check(hipblas.hipblasSaxpy(handle, 20, ctypes.addressof(alpha), device[2, :], 1, y_device, 1))
dot = np.zeros(1, "float32")
check(hipblas.hipblasSdot(handle, 20, device[1, :], 1, y_device, 1, dot))
check(hipblas.hipblasDestroy(handle))

check(hip.hipMemcpy(matrix, device, matrix.nbytes, hip.hipMemcpyKind.hipMemcpyDeviceToHost))
check(hip.hipMemcpy(y, y_device, y.nbytes, hip.hipMemcpyKind.hipMemcpyDeviceToHost))
print(matrix[:, 0].tolist(), y.tolist() == [i + 1 for i in range(20)], dot.tolist())
check(hip.hipFree(device))
check(hip.hipFree(y_device))
