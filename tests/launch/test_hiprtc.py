"""HIP's run-time compiler: its interface with a real Clang behind it, and Debian's own, where that is installed."""

import subprocess
from pathlib import Path

import numpy as np
import pytest
from device import REDUCTION

import samebytes as sb
from samebytes.make.hip_kernels import DEVICE
from samebytes.toolchain import hiprtc
from samebytes.toolchain.headers import INCLUDE
from samebytes.toolchain.rocm import DEVICE_FLAGS, device_libraries, find_hip_clang, rocm_headers

pytestmark = pytest.mark.full

SOURCE = (
    """
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
struct View { float* data; int n; };
__constant__ float factor;
__global__ void scaled(View v, __half h, char c) { if (threadIdx.x < v.n) v.data[threadIdx.x] *= factor + c; }
template <class T> __global__ void filled(T* p, T v) { *p = v; }
"""
    + REDUCTION
)
DEBIANS = Path("/usr/lib/x86_64-linux-gnu/libamdhip64.so.5")  # which has hiprtc in it


@pytest.fixture(scope="session", autouse=True)
def _compiler():
    """No NVRTC is needed here."""


@pytest.fixture(scope="module")
def ours(_hip, tmp_path_factory):
    """The tests' library, in a folder as ROCM_PATH names it."""
    home = tmp_path_factory.mktemp("rocm")
    (home / "lib").mkdir()
    here, library = Path(__file__).parent / "hiprtc.cpp", home / "lib" / "libhiprtc.so"
    subprocess.run(["g++", "-std=c++17", "-shared", "-fPIC", "-O1", "-o", library, here], check=True)
    return home


@pytest.fixture
def rtc(ours, monkeypatch):
    include, found = rocm_headers()[0], device_libraries("gfx90a")
    libraries = f"--rocm-device-lib-path={found}" if found else "-nogpulib"
    own = [f"-include {include}/hip/{name}" for name in ("hip_runtime.h", "hip_fp16.h")]
    if not found:  # what older headers call of ROCm's device libraries, which a real one has with it
        own.append(f"-include {INCLUDE}/{DEVICE}")
    command = [*find_hip_clang().command, *DEVICE_FLAGS, libraries, "-D__HIP_PLATFORM_AMD__=1", *own]
    monkeypatch.setenv("HIPRTC_OF_TESTS", " ".join(command))
    monkeypatch.setenv(hiprtc.VARIABLE, str(ours / "lib" / "libhiprtc.so"))
    return ours


def test_its_kernels_run(rtc, hip):
    lib = hip.knows(
        sb.compile(SOURCE, dialect="hip", name="by_hiprtc", instantiate=["filled<float>"]), SOURCE
    )
    x, out = hip.array(np.arange(4, dtype="f4")), hip.array(np.zeros(2, "f4"))
    lib.factor = 2.5
    lib.scaled[1, 4](lib.View(x, 3), 0.5, b"\1")
    assert x.array.tolist() == [0, 3.5, 7, 3]
    lib.sums[2, 2](x, out)
    assert out.array.tolist() == [3.5, 10]
    lib.filled[sb.float32][1, 1](x, 9)
    assert x.array[0] == 9


def test_it_is_chosen_where_it_is(rtc, ours, monkeypatch):
    path = str(ours / "lib" / "libhiprtc.so")
    for said, clang, rocm, expected in (
        (None, None, ours, path), (None, "clang++-19", ours, None), ("", None, ours, None),
        (path, "clang++", None, path), (None, None, "/nonexistent", None),
    ):  # fmt: skip
        for name, value in ((hiprtc.VARIABLE, said), ("HIP_CLANG", clang), ("ROCM_PATH", rocm)):
            monkeypatch.delenv(name, raising=False) if value is None else monkeypatch.setenv(name, str(value))
        monkeypatch.setattr(hiprtc, "_SYSTEM", ())
        found = hiprtc.find_hiprtc()
        assert (found and found.path) == expected


def test_errors_show_the_compilers_words_and_the_users_line(rtc):
    with pytest.raises(sb.CompileError, match=r"(?s)source\.hip:2:.*use of undeclared identifier 'nowhere'"):
        sb.compile("__global__ void k(int* p) {\n*p = nowhere; }", dialect="hip", arch="gfx90a")


def test_one_that_is_none_is_named(rtc, monkeypatch, tmp_path):
    monkeypatch.setenv(hiprtc.VARIABLE, str(tmp_path / "none.so"))
    with pytest.raises(
        sb.MissingDependency, match=r"\$SAMEBYTES_HIPRTC names .*none\.so, which is not there"
    ):
        sb.compile("__global__ void k() {}", dialect="hip", arch="gfx90a")
    (tmp_path / "none.so").write_bytes(b"no library")
    with pytest.raises(
        sb.MissingDependency, match=r"none\.so does not load .*SAMEBYTES_HIPRTC= has Clang compile"
    ):
        sb.compile("__global__ void k() {}", dialect="hip", arch="gfx90a")


def test_one_that_ends_its_process_is_told(rtc, monkeypatch, tmp_path):
    """Several LLVMs in one process may end it; ours goes on."""
    source, library = tmp_path / "ends.cpp", tmp_path / "libends.so"
    source.write_text(
        '#include <cstdlib>\nextern "C" int hiprtcCreateProgram() { std::abort(); }\n'
        'extern "C" const char* hiprtcGetErrorString(int) { return ""; }\n'
    )
    subprocess.run(["g++", "-shared", "-fPIC", "-o", library, source], check=True)
    monkeypatch.setenv(hiprtc.VARIABLE, str(library))
    with pytest.raises(sb.MissingDependency, match=r"libends\.so ended its process with status -6"):
        sb.compile("__global__ void k() {}", dialect="hip", arch="gfx90a")


def test_debians_compiles_too(hip, monkeypatch):
    if not DEBIANS.is_file():
        pytest.skip("HIP's runtime is not installed: apt install libamdhip64-dev")
    monkeypatch.setenv(hiprtc.VARIABLE, str(DEBIANS))
    lib = sb.compile(SOURCE, dialect="hip", arch="gfx90a", name="by_debians", instantiate=["filled<float>"])
    code = Path(lib.__file__).read_bytes()
    places = sb.kernel_arguments(code, next(f.symbol for f in lib.__model__.functions if f.name == "scaled"))
    assert [(place.offset, place.size) for place in places] == [(0, 16), (16, 2), (18, 1)]


def test_a_header_of_the_host_that_it_lacks_is_explained(rtc, monkeypatch):
    said = "source.hip:1:10: fatal error: 'vector' file not found"
    monkeypatch.setenv("HIPRTC_OF_TESTS", f'sh -c "echo \\"{said}\\"; exit 1" --')
    with pytest.raises(
        sb.CompileError, match=r"(?s)'vector' file not found.*\$HIP_CLANG names a Clang, which has"
    ):
        sb.compile("#include <vector>\n__global__ void k() {}", dialect="hip", arch="gfx90a")
