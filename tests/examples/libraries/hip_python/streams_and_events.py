"""Streams and events: copies that follow one another, and the time that they took."""

import array

import samebytes as sb

hip = sb.bind("hip/hip_runtime_api.h", library="libamdhip64.so", style="c_api")


def check(results):
    """What a function gave besides its status."""
    status, *rest = results
    if int(status) != 0:
        raise RuntimeError(f"{type(status).__name__}: {status}")
    return rest[0] if len(rest) == 1 else tuple(rest)


numbers = array.array("i", range(100))
size = numbers.itemsize * len(numbers)
stream = check(hip.hipStreamCreate())
start, stop = check(hip.hipEventCreate()), check(hip.hipEventCreate())
device = check(hip.hipMalloc(size))

check(hip.hipEventRecord(start, stream))
check(hip.hipMemcpyAsync(device, numbers, size, hip.hipMemcpyKind.hipMemcpyHostToDevice, stream))
check(hip.hipMemsetAsync(device, 0, size // 2, stream))
check(hip.hipMemcpyAsync(numbers, device, size, hip.hipMemcpyKind.hipMemcpyDeviceToHost, stream))
check(hip.hipEventRecord(stop, stream))
check(hip.hipStreamSynchronize(stream))
check(hip.hipEventSynchronize(stop))
milliseconds = check(hip.hipEventElapsedTime(start, stop))
print("a time:", type(milliseconds).__name__, milliseconds >= 0)
print(numbers[:3].tolist(), numbers[49:52].tolist(), sum(numbers))

check(hip.hipFree(device))
check(hip.hipEventDestroy(start))
check(hip.hipEventDestroy(stop))
check(hip.hipStreamDestroy(stream))
