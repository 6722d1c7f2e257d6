"""Which devices are there, and what they can: properties by record, attributes by number."""

import samebytes as sb

hip = sb.bind("hip/hip_runtime_api.h", library="libamdhip64.so", style="c_api")


def check(results):
    """What a function gave besides its status."""
    status, *rest = results
    if int(status) != 0:
        raise RuntimeError(f"{type(status).__name__}: {status}")
    return rest[0] if len(rest) == 1 else tuple(rest)


for device in range(check(hip.hipGetDeviceCount())):
    properties = hip.hipDeviceProp_t()
    check(hip.hipGetDeviceProperties(properties, device))
    print(
        device,
        properties.name.decode(),
        properties.gcnArchName.decode(),
        properties.totalGlobalMem >> 30,
        "GiB",
    )
    print("  threads in a wave:", properties.warpSize, "in a block:", properties.maxThreadsPerBlock)
    print("  block:", *properties.maxThreadsDim, "grid:", *properties.maxGridSize)
    assert {"name", "warpSize", "maxGridSize"} <= set(hip.hipDeviceProp_t.PROPERTIES())

    attributes = hip.hipDeviceAttribute_t
    for attribute, name in (
        (attributes.hipDeviceAttributeMaxBlockDimX, "maxThreadsDim"),
        (attributes.hipDeviceAttributeMaxGridDimX, "maxGridSize"),
    ):
        value = check(hip.hipDeviceGetAttribute(attribute, device))
        print(f"  {attribute.name}: {value}")
        assert [value] == list(getattr(properties, name))[:1]
    wave = check(hip.hipDeviceGetAttribute(attributes.hipDeviceAttributeWarpSize, device))
    assert wave == properties.warpSize

status, *_ = hip.hipSetDevice(10_000)
print(status.name, isinstance(status, hip.hipError_t), status == hip.hipError_t.hipErrorInvalidDevice)
