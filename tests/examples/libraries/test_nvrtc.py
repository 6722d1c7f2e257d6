"""NVRTC and nvJitLink from their own headers, in their wheels: CUDA C++ to PTX to a linked cubin, without a GPU."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]

SOURCE = "template <class T> __global__ void scale(T f, T* x) { x[threadIdx.x] *= f; }"
WHEELS = "python -m pip install nvidia-cuda-nvrtc nvidia-nvjitlink"


def bound(header: str, pattern: str, **options: Any) -> Any:
    """The API of a header in one of NVIDIA's wheels."""
    package = importlib.util.find_spec("nvidia")
    folders = [Path(p) for p in package.submodule_search_locations or ()] if package else []
    headers = [h for f in folders for h in sorted(f.rglob(header))]
    libraries = [lib for f in folders for lib in sorted(f.rglob(pattern))]
    if not headers or not libraries:
        pytest.skip(f"{header} and {pattern} are not there: {WHEELS}")
    return sb.bind(headers[-1], library=libraries[-1], style="c_api", language="c", **options)


@pytest.fixture(scope="module")
def rtc() -> Any:
    return bound("nvrtc.h", "libnvrtc.so.*", check=True)


@pytest.fixture(scope="module")
def linker() -> Any:
    return bound("nvJitLink.h", "libnvJitLink.so.*")


def ptx_of(rtc: Any, program: Any) -> bytes:
    code = bytearray(rtc.nvrtcGetPTXSize(program))
    rtc.nvrtcGetPTX(program, code)
    return bytes(code)


def test_architectures(rtc: Any) -> None:
    major, minor = rtc.nvrtcVersion()
    assert major >= 11
    assert minor >= 0
    found = np.zeros(rtc.nvrtcGetNumSupportedArchs(), np.int32)
    rtc.nvrtcGetSupportedArchs(found)
    assert found.tolist() == sorted(found)
    assert 90 in found


def test_a_template_by_its_lowered_name(rtc: Any) -> None:
    program = rtc.nvrtcCreateProgram(SOURCE, "scale.cu", 0, None, None)
    rtc.nvrtcAddNameExpression(program, "scale<float>")
    rtc.nvrtcCompileProgram(program, 2, [b"--gpu-architecture=compute_90", b"--std=c++17"])
    name = rtc.nvrtcGetLoweredName(program, "scale<float>")
    assert name == "_Z5scaleIfEvT_PS0_"
    assert f".entry {name}(".encode() in ptx_of(rtc, program)
    rtc.nvrtcDestroyProgram(program.createRef())
    assert not program


def test_a_header_from_memory_and_the_log(rtc: Any) -> None:
    headers, names = [b"#define BROKEN {"], [b"broken.h"]
    source = '#include "broken.h"\n__device__ void f() BROKEN'
    program = rtc.nvrtcCreateProgram(source, "b.cu", 1, headers, names)
    with pytest.raises(sb.StatusError, match="NVRTC_ERROR_COMPILATION") as caught:
        rtc.nvrtcCompileProgram(program, 0, None)
    assert rtc.nvrtcGetErrorString(caught.value.status) == "NVRTC_ERROR_COMPILATION"
    log = bytearray(rtc.nvrtcGetProgramLogSize(program))
    rtc.nvrtcGetProgramLog(program, log)
    assert b'error: expected a "}"' in log
    with pytest.raises(sb.ArgumentError, match=r"handle\.createRef\(\) is where it lies"):
        rtc.nvrtcDestroyProgram(program)
    rtc.nvrtcDestroyProgram(program.createRef())


def test_two_units_are_linked(rtc: Any, linker: Any) -> None:
    """nvJitLink's functions are inline ones that call others by the header's version."""
    units = (
        "__device__ int seven() { return 7; }",
        'extern __device__ int seven(); extern "C" __global__ void answer(int* x) { *x = 6 * seven(); }',
    )
    status, handle = linker.nvJitLinkCreate(1, [b"-arch=sm_90"])
    assert status == linker.NVJITLINK_SUCCESS
    for number, unit in enumerate(units):
        program = rtc.nvrtcCreateProgram(unit, f"unit{number}.cu", 0, None, None)
        rtc.nvrtcCompileProgram(
            program, 2, [b"--gpu-architecture=compute_90", b"--relocatable-device-code=true"]
        )
        code = ptx_of(rtc, program)
        added = linker.nvJitLinkAddData(handle, linker.NVJITLINK_INPUT_PTX, code, len(code), f"unit{number}")
        assert added == (linker.NVJITLINK_SUCCESS,)
    assert linker.nvJitLinkComplete(handle) == (linker.NVJITLINK_SUCCESS,)
    status, size = linker.nvJitLinkGetLinkedCubinSize(handle)
    cubin = bytearray(size)
    assert linker.nvJitLinkGetLinkedCubin(handle, cubin) == (linker.NVJITLINK_SUCCESS,)
    assert cubin.startswith(b"\x7fELF")
    assert b"answer" in cubin
    assert linker.nvJitLinkDestroy(handle.createRef()) == (linker.NVJITLINK_SUCCESS,)
