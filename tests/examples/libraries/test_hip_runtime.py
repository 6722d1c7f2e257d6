"""HIP's runtime API bound from its own header, run on a fake runtime: what HIP Python's documentation shows works."""

from __future__ import annotations

import ctypes
import math
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb

sys.path.insert(0, str(Path(__file__).parents[2] / "unit"))
from launch_signatures import CASES, PREAMBLE, Floats3

pytestmark = pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
DEFINES = ["__HIP_PLATFORM_AMD__", "__HIP_PLATFORM_HCC__"]
FAKE = Path(__file__).with_name("fake_hip.c")


class Fake:
    """What the fake runtime tells of itself."""

    def __init__(self, library: Path) -> None:
        self.library = ctypes.CDLL(str(library))

    def seen(self) -> bytes:
        out = (ctypes.c_ubyte * 4096)()
        return bytes(out[: self.library.fake_seen(out)])

    def dims(self) -> list[int]:
        out = (ctypes.c_uint * 7)()
        self.library.fake_dims(out)
        return list(out)

    def places(self, offsets: Any, sizes: Any) -> None:
        n = len(offsets)
        self.library.fake_places(n, (ctypes.c_size_t * n)(*offsets), (ctypes.c_size_t * n)(*sizes))

    def allocated(self) -> int:
        return int(self.library.fake_allocated())


@pytest.fixture(scope="module")
def library(needs: Callable[[str, str], None], tmp_path_factory: pytest.TempPathFactory) -> Path:
    needs("hip/hip_runtime_api.h", "libamdhip64-dev")
    made = tmp_path_factory.mktemp("hip") / "libamdhip64.so"
    options = ["-shared", "-fPIC", "-w", *(f"-D{name}" for name in DEFINES)]
    subprocess.run(["gcc", *options, "-o", made, FAKE], check=True)
    return made


@pytest.fixture(scope="module")
def hip(library: Path) -> Any:
    return sb.bind("hip/hip_runtime_api.h", library=library, style="c_api", defines=DEFINES)


@pytest.fixture
def fake(library: Path) -> Fake:
    return Fake(library)


def checked(hip: Any, results: tuple[Any, ...]) -> Any:
    """What follows the status, as scripts for HIP Python take it."""
    status, *rest = results
    assert isinstance(status, hip.hipError_t)
    if status != hip.hipError_t.hipSuccess:
        raise RuntimeError(str(status))
    return rest[0] if len(rest) == 1 else tuple(rest)


@pytest.fixture(scope="module")
def kernel(hip: Any) -> Any:
    module = checked(hip, hip.hipModuleLoadData(b"\x7fELF" + bytes(60)))
    return checked(hip, hip.hipModuleGetFunction(module, b"scale"))


ALLOCATORS = (
    ("hipMalloc", (), ""),
    ("hipExtMallocWithFlags", (0,), ""),
    ("hipMallocManaged", (1,), "shared"),
    ("hipMallocAsync", (None,), ""),
    ("hipMallocFromPoolAsync", (None, None), ""),
)


class TestAllocation:
    @pytest.mark.parametrize(("name", "more", "usm"), ALLOCATORS)
    def test_bytes_of_a_device(self, hip: Any, fake: Fake, name: str, more: Any, usm: str) -> None:
        before = fake.allocated()
        status, array = getattr(hip, name)(40, *more)
        assert status == hip.hipError_t.hipSuccess
        assert type(array) is sb.DeviceArray
        assert (array.shape, array.typestr, array.device) == ((40,), "|u1", sb.view(array).device)
        assert (array.device.type, array.device.id, array.device.usm) == (10, 0, usm)
        assert fake.allocated() == before + 1
        assert hip.hipFree(array) == (hip.hipError_t.hipSuccess,)
        assert fake.allocated() == before

    @pytest.mark.parametrize(("name", "more", "usm"), ALLOCATORS)
    def test_no_memory_and_no_bytes(self, hip: Any, name: str, more: Any, usm: str) -> None:
        status, array = getattr(hip, name)(1 << 50, *more)
        assert status == hip.hipError_t.hipErrorOutOfMemory
        assert type(array) is sb.DeviceArray
        assert not array
        assert int(getattr(hip, name)(0, *more)[1]) == 0

    def test_by_keyword(self, hip: Any) -> None:
        array = checked(hip, hip.hipMalloc(size=np.int64(24)))
        assert array.shape == (24,)
        hip.hipFree(array)
        array = checked(hip, hip.hipExtMallocWithFlags(flags=0, sizeBytes=8))
        assert array.shape == (8,)
        hip.hipFree(array)

    def test_the_current_device(self, hip: Any) -> None:
        try:
            assert hip.hipSetDevice(1) == (hip.hipError_t.hipSuccess,)
            array = checked(hip, hip.hipMalloc(8))
        finally:
            hip.hipSetDevice(0)
        assert array.device.id == 1
        hip.hipFree(array)

    def test_checked(self, library: Path) -> None:
        hip = sb.bind("hip/hip_runtime_api.h", library=library, style="c_api", defines=DEFINES, check=True)
        array = hip.hipMalloc(8)
        assert array.shape == (8,)
        assert hip.hipFree(array) is None
        with pytest.raises(sb.StatusError, match=r"hipMalloc\(\) returned hipErrorOutOfMemory \(2\)"):
            hip.hipMalloc(1 << 50)

    def test_other_outputs_stay_handles(self, hip: Any) -> None:
        assert type(checked(hip, hip.hipStreamCreate())) is hip.hipStream_t


class TestWorkflows:
    """Device arrays and launches as HIP Python's documentation does them, in a script's own words."""

    def test_rows_of_a_device_array(self, hip: Any, fake: Fake) -> None:
        host = np.arange(6 * 5, dtype=np.float32).reshape(6, 5)
        before = fake.allocated()
        device = checked(hip, hip.hipMalloc(host.nbytes)).configure(typestr="float32", shape=(6, 5))
        to_device, to_host = hip.hipMemcpyKind.hipMemcpyHostToDevice, hip.hipMemcpyKind.hipMemcpyDeviceToHost
        checked(hip, hip.hipMemcpy(device, host, host.nbytes, to_device))
        for number in range(device.shape[0]):
            part, back = device[number, :], np.empty(5, np.float32)
            assert (part.size, part.itemsize, part.shape) == (5, 4, (5,))
            checked(hip, hip.hipMemcpy(back, part, part.size * part.itemsize, to_host))
            assert back.tolist() == host[number].tolist()
        doubled = host * 2
        checked(hip, hip.hipMemcpy(device[2], doubled[2], 20, to_device))
        everything = np.zeros_like(host)
        checked(hip, hip.hipMemcpyAsync(dst=everything, src=device, sizeBytes=120, kind=to_host, stream=None))
        assert everything[2].tolist() == doubled[2].tolist()
        assert everything[3].tolist() == host[3].tolist()
        checked(hip, hip.hipFree(device))
        assert fake.allocated() == before

    def test_rows_with_gaps_are_refused(self, hip: Any) -> None:
        device = checked(hip, hip.hipMalloc(24)).configure(typestr="f4", shape=(2, 3))
        with pytest.raises(sb.ArrayError, match=r"hipMemcpy\(\) argument 2 'src'.*contiguous"):
            hip.hipMemcpy(np.zeros(2, np.float32), device[:, 1], 8, hip.hipMemcpyKind.hipMemcpyDeviceToHost)
        hip.hipFree(device)

    def test_device_properties(self, hip: Any) -> None:
        properties = hip.hipDeviceProp_t()
        checked(hip, hip.hipGetDeviceProperties(properties, 0))
        assert properties.warpSize == 64
        assert properties.maxGridSize[0] == 2147483647
        assert checked(hip, hip.hipGetDeviceCount()) == 2
        warp = hip.hipDeviceAttribute_t.hipDeviceAttributeWarpSize
        assert checked(hip, hip.hipDeviceGetAttribute(warp, 0)) == 64

    def test_a_launch_without_arguments(self, hip: Any, fake: Fake, kernel: Any) -> None:
        stream = checked(hip, hip.hipStreamCreate())
        block, grid = hip.dim3(x=32), hip.dim3(math.ceil(100 / 32))
        launched = hip.hipModuleLaunchKernel(
            kernel, *grid, *block, sharedMemBytes=128, stream=stream, kernelParams=None, extra=None
        )
        checked(hip, launched)
        checked(hip, hip.hipStreamSynchronize(stream))
        checked(hip, hip.hipStreamDestroy(stream))
        assert fake.dims() == [4, 1, 1, 32, 1, 1, 128]
        assert fake.seen() == b""

    @pytest.mark.parametrize("sequence", [list, tuple])
    def test_a_launch_with_arguments(self, hip: Any, fake: Fake, kernel: Any, sequence: Any) -> None:
        values = checked(hip, hip.hipMalloc(400)).configure(typestr="float32", shape=(100,))
        block = hip.dim3(x=32)
        grid = hip.dim3(math.ceil(100 / block.x))
        arguments = sequence([values, ctypes.c_float(1.5), ctypes.c_int(100), ctypes.c_short(5)])
        launched = hip.hipModuleLaunchKernel(
            kernel,
            gridDimX=grid.x, gridDimY=grid.y, gridDimZ=grid.z,
            blockDimX=block.x, blockDimY=block.y, blockDimZ=block.z,
            sharedMemBytes=0, stream=None, kernelParams=None, extra=arguments,
        )  # fmt: skip
        checked(hip, launched)
        expected = int(values).to_bytes(8, "little") + np.float32(1.5).tobytes()
        assert fake.seen() == expected + (100).to_bytes(4, "little") + (5).to_bytes(2, "little")
        hip.hipFree(values)

    def test_dim3(self, hip: Any) -> None:
        assert [*hip.dim3()] == [1, 1, 1]
        assert [*hip.dim3(2, z=4)] == [2, 1, 4]
        with pytest.raises(sb.ArgumentError, match="expected uint32"):
            hip.dim3(1.5)


@pytest.mark.parametrize("n", range(len(CASES)))
def test_extra_and_params_reach_the_launch(n: int, hip: Any, fake: Fake, kernel: Any) -> None:
    """Lists as the bound function takes them; what its adapter made of them is what C++ would lay out."""
    case = CASES[n]
    known = sb.LaunchExtra(case.args)
    checked(hip, hip.hipModuleLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, None, None, list(case.args)))
    assert fake.seen() == known.data
    fake.places(known.offsets, known.sizes)
    checked(hip, hip.hipModuleLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, None, list(case.args), None))
    for offset, size in zip(known.offsets, known.sizes, strict=True):
        assert fake.seen()[offset : offset + size] == known.data[offset : offset + size]


@pytest.mark.full
def test_what_reaches_the_launch_is_where_clang_reads_it(
    hip: Any, fake: Fake, kernel: Any, tmp_path: Path
) -> None:
    """Each argument's bytes, at the offset and of the size that the code object's metadata states."""
    pytest.importorskip("elftools", reason="pyelftools reads code objects")
    pytest.importorskip("msgpack", reason="msgpack reads AMD's metadata")
    clang = shutil.which("clang++-19")
    if clang is None:
        pytest.skip("clang++-19 compiles the kernels")
    kernels = "\n".join(
        f'extern "C" __attribute__((global)) void k{n}('
        + ", ".join(f"{spelling} a{k}" for k, spelling in enumerate(case.cxx))
        + ") {}"
        for n, case in enumerate(CASES)
    )
    (tmp_path / "k.hip").write_text(PREAMBLE + kernels)
    only_device = ["--cuda-device-only", "-nogpulib", "-nogpuinc", "--offload-arch=gfx90a", "-O2"]
    subprocess.run(
        [clang, "-x", "hip", *only_device, "-S", tmp_path / "k.hip", "-o", tmp_path / "k.s"], check=True
    )
    amd = ["-x", "assembler", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx90a"]
    subprocess.run([clang, *amd, "-c", tmp_path / "k.s", "-o", tmp_path / "k.o"], check=True)
    assert len(CASES) >= 30
    for n, case in enumerate(CASES):
        checked(hip, hip.hipModuleLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, None, None, case.args))
        seen, places = fake.seen(), sb.kernel_arguments(tmp_path / "k.o", f"k{n}")
        assert len(seen) == places[-1].offset + places[-1].size
        for argument, place in zip(case.args, places, strict=True):
            alone = sb.LaunchExtra([argument]).data
            assert seen[place.offset : place.offset + place.size] == alone


def test_a_wrong_argument_is_words(hip: Any, kernel: Any) -> None:
    with pytest.raises(sb.ArgumentError, match=r"hipModuleLaunchKernel\(\) argument 11 'extra'.*2"):
        hip.hipModuleLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, None, None, [Floats3(1, 2, 3), 1.5])
