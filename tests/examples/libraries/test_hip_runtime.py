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
sys.path.append(str(Path(__file__).parent))
from fetched_hip import INCLUDE, missing
from launch_bytes import said_by_gxx
from launch_signatures import CASES, PREAMBLE, Floats3

pytestmark = [
    pytest.mark.full,  # a library that few machines have
    pytest.mark.filterwarnings("ignore::samebytes.BindWarning"),
]
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


@pytest.fixture(scope="module", params=["Debian", pytest.param("ROCm 7.1", marks=pytest.mark.full)])
def include_dirs(request: pytest.FixtureRequest, needs: Callable[[str, str], None]) -> list[Path]:
    """Whose header is bound."""
    if request.param == "Debian":
        needs("hip/hip_runtime_api.h", "libamdhip64-dev")
        return []
    if not INCLUDE.exists():
        pytest.skip(missing("ROCm 7.1's header"))
    return [INCLUDE]


@pytest.fixture(scope="module")
def library(include_dirs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("hip") / "libamdhip64.so"
    options = [
        "-shared",
        "-fPIC",
        "-w",
        *(f"-D{name}" for name in DEFINES),
        *(f"-I{d}" for d in include_dirs),
    ]
    subprocess.run(["gcc", *options, "-o", made, FAKE], check=True)
    return made


@pytest.fixture(scope="module")
def hip(library: Path, include_dirs: list[Path]) -> Any:
    return sb.bind(
        "hip/hip_runtime_api.h", library=library, style="c_api", defines=DEFINES, include_dirs=include_dirs
    )


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
    @pytest.mark.statement("D.12")
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

    def test_checked(self, library: Path, include_dirs: list[Path]) -> None:
        hip = sb.bind(
            "hip/hip_runtime_api.h", library=library, style="c_api", defines=DEFINES, check=True,
            include_dirs=include_dirs,
        )  # fmt: skip
        array = hip.hipMalloc(8)
        assert array.shape == (8,)
        assert hip.hipFree(array) is None
        with pytest.raises(sb.StatusError, match=r"hipMalloc\(\) returned hipErrorOutOfMemory \(2\)"):
            hip.hipMalloc(1 << 50)

    @pytest.mark.statement("D.14")
    @pytest.mark.parametrize(("name", "pool"), [("hipMallocAsync", ()), ("hipMallocFromPoolAsync", (None,))])
    def test_memory_of_a_stream_says_it(self, hip: Any, name: str, pool: Any) -> None:
        """``configure(stream=…)``: the array is there after the work that its stream has been given so far."""
        stream = checked(hip, hip.hipStreamCreate())
        array = checked(hip, getattr(hip, name)(40, *pool, stream))
        assert array.stream == array[3:].stream == array.stream_as_int == int(stream)
        assert array.__cuda_array_interface__["stream"] == int(stream)
        assert array.configure(typestr="f4", shape=10).stream == int(stream)
        assert hip.hipFreeAsync(array, stream) == (hip.hipError_t.hipSuccess,)
        default = checked(hip, getattr(hip, name)(40, *pool, None))
        assert default.stream == 0
        assert checked(hip, hip.hipMalloc(40)).stream is None
        hip.hipStreamDestroy(stream)

    def test_other_outputs_stay_handles(self, hip: Any) -> None:
        assert type(checked(hip, hip.hipStreamCreate())) is hip.hipStream_t


class TestWorkflows:
    """Device arrays and launches as HIP Python's documentation does them, in a script's own words."""

    @pytest.mark.statement("D.11", "D.13")
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

    @pytest.mark.statement("L.10", "W.3")
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

    @pytest.mark.statement("W.3")
    def test_dim3(self, hip: Any) -> None:
        assert [*hip.dim3()] == [1, 1, 1]
        assert [*hip.dim3(2, z=4)] == [2, 1, 4]
        with pytest.raises(sb.ArgumentError, match="expected uint32"):
            hip.dim3(1.5)


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> list[list[tuple[int, bytes]]]:
    return said_by_gxx(tmp_path_factory.mktemp("said"))


def launched(hip: Any, fake: Fake, kernel: Any, args: Any, places: list[tuple[int, int]], way: str) -> bytes:
    """What reaches the kernel: as one buffer, or gathered from the pointers as a driver does that knows the places."""
    fake.places(*zip(*places, strict=True))
    given = {"kernelParams": None, "extra": None, way: list(args)}
    checked(hip, hip.hipModuleLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, None, **given))
    return fake.seen()


WAYS = ("extra", "kernelParams")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("n", range(len(CASES)))
def test_arguments_reach_the_launch_as_gxx_has_them(
    n: int, way: str, hip: Any, fake: Fake, kernel: Any, said: list[list[tuple[int, bytes]]]
) -> None:
    places = [(offset, len(data)) for offset, data in said[n]]
    seen = launched(hip, fake, kernel, CASES[n].args, places, way)
    assert len(seen) == sum(places[-1])
    assert [(offset, seen[offset : offset + len(data)]) for offset, data in said[n]] == said[n]


@pytest.fixture(scope="module")
def code_object(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All kernels as Clang compiles them for gfx90a."""
    pytest.importorskip("elftools", reason="pyelftools reads code objects")
    pytest.importorskip("msgpack", reason="msgpack reads AMD's metadata")
    clang = shutil.which("clang++-19")
    if clang is None:
        pytest.skip("clang++-19 compiles the kernels")
    folder = tmp_path_factory.mktemp("code")
    kernels = "\n".join(
        f'extern "C" __attribute__((global)) void k{n}('
        + ", ".join(f"{spelling} a{k}" for k, spelling in enumerate(case.cxx))
        + ") {}"
        for n, case in enumerate(CASES)
    )
    (folder / "k.hip").write_text(PREAMBLE + kernels)
    only_device = ["--cuda-device-only", "-nogpulib", "-nogpuinc", "--offload-arch=gfx90a", "-O2"]
    subprocess.run(
        [clang, "-x", "hip", *only_device, "-S", folder / "k.hip", "-o", folder / "k.s"], check=True
    )
    amd = ["-x", "assembler", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx90a"]
    subprocess.run([clang, *amd, "-c", folder / "k.s", "-o", folder / "k.o"], check=True)
    return folder / "k.o"


@pytest.mark.full
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("n", range(len(CASES)))
def test_what_reaches_the_launch_is_where_clang_reads_it(
    n: int,
    way: str,
    hip: Any,
    fake: Fake,
    kernel: Any,
    code_object: Path,
    said: list[list[tuple[int, bytes]]],
) -> None:
    """Each argument's bytes as g++ has them, at the offset and of the size that the code object's metadata states."""
    assert len(CASES) >= 30
    places = [(place.offset, place.size) for place in sb.kernel_arguments(code_object, f"k{n}")]
    seen = launched(hip, fake, kernel, CASES[n].args, places, way)
    assert len(seen) == sum(places[-1])
    assert [seen[offset : offset + size] for offset, size in places] == [data for _, data in said[n]]


def test_a_wrong_argument_is_words(hip: Any, kernel: Any) -> None:
    with pytest.raises(sb.ArgumentError, match=r"hipModuleLaunchKernel\(\) argument 11 'extra'.*2"):
        hip.hipModuleLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, None, None, [Floats3(1, 2, 3), 1.5])
