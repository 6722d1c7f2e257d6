"""Device arrays: memory with a shape and a type, and rows of it as arguments."""

import numpy as np

import samebytes as sb

hip = sb.bind("hip/hip_runtime_api.h", library="libamdhip64.so", style="c_api")


def check(results):
    """What a function gave besides its status."""
    status, *rest = results
    if int(status) != 0:
        raise RuntimeError(f"{type(status).__name__}: {status}")
    return rest[0] if len(rest) == 1 else tuple(rest)


host = np.arange(4 * 6, dtype="float32").reshape(4, 6)
memory = check(hip.hipMalloc(host.nbytes))
print("bytes:", memory.size, memory.itemsize, memory.shape)
matrix = memory.configure(typestr="float32", shape=host.shape)
print("matrix:", matrix.size, matrix.itemsize, matrix.shape, np.dtype(matrix.typestr))
to_device, to_host = hip.hipMemcpyKind.hipMemcpyHostToDevice, hip.hipMemcpyKind.hipMemcpyDeviceToHost
check(hip.hipMemcpy(matrix, host, host.nbytes, to_device))

for number in range(matrix.shape[0]):
    row = matrix[number, :]
    assert int(row) - int(matrix) == number * row.size * row.itemsize
    back = np.empty(row.size, "float32")
    check(hip.hipMemcpy(back, row, row.size * row.itemsize, to_host))
    print("row", number, back.tolist())

halves = host[1:3] / 2
check(hip.hipMemcpy(dst=matrix[1:3, :], src=halves, sizeBytes=halves.nbytes, kind=to_device))
check(hip.hipMemset(matrix[3, :], 0, 6 * 4))
check(hip.hipMemcpy(host, matrix, host.nbytes, to_host))
print(host.tolist())

interface = matrix.__cuda_array_interface__
print(interface["data"][0] == int(matrix), tuple(interface["shape"]))
print(np.dtype(interface["typestr"]))
check(hip.hipFree(matrix))
