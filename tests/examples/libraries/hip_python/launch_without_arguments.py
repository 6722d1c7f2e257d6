"""A kernel that is compiled while the script runs, and launched without arguments."""

import samebytes as sb

hip = sb.bind("hip/hip_runtime_api.h", library="libamdhip64.so", style="c_api")
hiprtc = sb.bind("hip/hiprtc.h", library="libhiprtc.so", style="c_api")


def check(results):
    """What a function gave besides its status."""
    status, *rest = results
    if int(status) != 0:
        raise RuntimeError(f"{type(status).__name__}: {status}")
    return rest[0] if len(rest) == 1 else tuple(rest)


def compiled(source, *options):
    """A module with the kernels of a source, for the device that is current."""
    program = check(hiprtc.hiprtcCreateProgram(source, b"kernels", 0, [], []))
    (status,) = hiprtc.hiprtcCompileProgram(program, len(options), list(options))
    if status != hiprtc.hiprtcResult.HIPRTC_SUCCESS:
        log = bytearray(check(hiprtc.hiprtcGetProgramLogSize(program)))
        check(hiprtc.hiprtcGetProgramLog(program, log))
        raise RuntimeError(log.decode())
    code = bytearray(check(hiprtc.hiprtcGetCodeSize(program)))
    check(hiprtc.hiprtcGetCode(program, code))
    check(hiprtc.hiprtcDestroyProgram(program.createRef()))
    return check(hip.hipModuleLoadData(code))


module = compiled(b"""
extern "C" __global__ void tell() {
  if (threadIdx.x == 0) printf("block %d of %d\\n", (int)blockIdx.x, (int)gridDim.x);
}
""")
kernel = check(hip.hipModuleGetFunction(module, b"tell"))
check(
    hip.hipModuleLaunchKernel(
        kernel, *(1, 1, 1), *(32, 1, 1), sharedMemBytes=0, stream=None, kernelParams=None, extra=None
    )
)
check(hip.hipDeviceSynchronize())
check(hip.hipModuleUnload(module))

try:
    compiled(b'extern "C" __global__ void wrong() { undeclared = 1; }')
except RuntimeError as log:
    print("the compiler said so:", "undeclared" in str(log))
status, _ = hip.hipModuleGetFunction(compiled(b'extern "C" __global__ void one() {}'), b"two")
print(status.name)
