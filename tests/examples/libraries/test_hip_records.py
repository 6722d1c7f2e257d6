"""HIP's records from its own header, without a GPU: sizes, alignments and offsets are those of g++."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

pytestmark = [
    pytest.mark.full,  # it takes long
    pytest.mark.filterwarnings("ignore::samebytes.BindWarning"),
]


VECTOR = re.compile(r"(u?(char|short|int|long|longlong)|float|double)[1-4]")


@pytest.fixture(scope="module")
def hip(needs: Callable[[str, str], None]) -> Any:
    needs("hip/hip_runtime_api.h", "libamdhip64-dev")
    return sb.bind(
        "hip/hip_runtime_api.h",
        library="libamdhip64.so",
        style="c_api",
        defines=["__HIP_PLATFORM_AMD__", "__HIP_PLATFORM_HCC__"],
    )


def test_every_record_lies_as_in_cxx(hip: Any, tmp_path: Path) -> None:
    """g++ reads the header as C++ and prints what it makes of each record and field; Python read it as C."""
    records = list(hip.__records__.values())
    assert len(records) >= 100
    lines = []
    for index, cls in enumerate(records):
        described = cls.__samebytes_type__
        lines.append(
            f'std::printf("{index} %zu %zu\\n", sizeof({described.spelling}), alignof({described.spelling}));'
        )
        lines += [
            f'std::printf("{index}.{f.name} %zu\\n", offsetof({described.spelling}, {f.name}));'
            for f in described.fields
            if not f.bit_width
        ]
    source = tmp_path / "measure.cpp"
    source.write_text(
        "#include <cstddef>\n#include <cstdio>\n#include <hip/hip_runtime_api.h>\nint main() {\n"
        + "\n".join(lines)
        + "\n}\n"
    )
    flags = ["-w", "-D__HIP_PLATFORM_AMD__", "-D__HIP_PLATFORM_HCC__"]
    subprocess.run(["g++", *flags, str(source), "-o", str(tmp_path / "measure")], check=True)
    said = subprocess.run([tmp_path / "measure"], capture_output=True, text=True, check=True).stdout
    real = {key: tuple(map(int, numbers)) for key, *numbers in map(str.split, said.splitlines())}
    assert len(real) > 500
    for index, cls in enumerate(records):
        layout = sb.layout(cls)
        size, align = real[str(index)]
        assert size == cls.c_sizeof()
        if VECTOR.fullmatch(cls.__name__):
            continue  # HIP's vectors are plain structs in C; C++ gives them accessors, and aligns them as a whole
        assert align == layout.align, cls.__name__
        for place in layout.fields:
            if not place.bit_width:
                assert real[f"{index}.{place.name}"] == (place.offset,), f"{cls.__name__}.{place.name}"


def test_records(hip: Any) -> None:
    block = hip.dim3(x=32)
    assert (block.x, block.y, block.z, hip.dim3(7).x) == (32, 1, 1, 7)
    with pytest.raises(sb.ArgumentError, match="expected uint32"):
        hip.dim3(1.5)
    properties = hip.hipDeviceProp_t()
    properties.maxGridSize[:] = (1, 2, 3)
    assert properties.maxGridSize.tolist() == [1, 2, 3]
    assert {"name", "maxGridSize", "warpSize"} <= set(properties.keys())
    with pytest.raises(sb.ArrayError, match="read-only"):
        hip.dim3.fromObj(b"\0" * 12)


def test_constants(hip: Any) -> None:
    assert hip.hipSuccess == 0
    assert hip.hipMemcpyDeviceToHost.name == "hipMemcpyDeviceToHost"
    assert hip.hipHostMallocPortable == 1
    assert hip.hipError_t(123456).name is None


def test_a_missing_library_is_one_sentence(hip: Any) -> None:
    missing = sb.bind(
        "hip/hip_runtime_api.h",
        library="libamdhip64.so.no",
        style="c_api",
        defines=["__HIP_PLATFORM_AMD__", "__HIP_PLATFORM_HCC__"],
    )
    with pytest.raises(sb.MissingDependency, match=r"hipGetDeviceCount\(\) is in libamdhip64.so.no, which"):
        missing.hipGetDeviceCount()


HIPRTC = r"""
#include <hip/hiprtc.h>
#include <stdlib.h>
#include <string.h>
static char said[256];
static void say(const char** texts, int n) { for (int i = 0; i < n; ++i) strcat(strcat(said, texts[i]), "|"); }
hiprtcResult hiprtcCreateProgram(hiprtcProgram* prog, const char* src, const char* name, int n, const char** headers,
                                 const char** names) {
  *prog = calloc(1, 1), *said = 0;
  return say(headers, n), say(names, n), HIPRTC_SUCCESS;
}
hiprtcResult hiprtcCompileProgram(hiprtcProgram prog, int n, const char** options) {
  return say(options, n), HIPRTC_SUCCESS;
}
hiprtcResult hiprtcDestroyProgram(hiprtcProgram* prog) { return free(*prog), HIPRTC_SUCCESS; }
const char* hiprtcGetErrorString(hiprtcResult result) { return said; }
"""


@pytest.mark.statement("L.9")
def test_hiprtc_takes_lists_of_bytes(needs: Callable[[str, str], None], tmp_path: Path) -> None:
    needs("hip/hiprtc.h", "libamdhip64-dev")
    (tmp_path / "hiprtc.c").write_text(HIPRTC)
    flags = ["-w", "-shared", "-fPIC", "-D__HIP_PLATFORM_AMD__", "-D__HIP_PLATFORM_HCC__"]
    subprocess.run(["gcc", *flags, "-o", tmp_path / "libhiprtc.so", tmp_path / "hiprtc.c"], check=True)
    hiprtc = sb.bind(
        "hip/hiprtc.h",
        library=tmp_path / "libhiprtc.so",
        style="c_api",
        defines=["__HIP_PLATFORM_AMD__", "__HIP_PLATFORM_HCC__"],
    )
    status, program = hiprtc.hiprtcCreateProgram(b"source", b"name", 2, [b"one", b"two"], (b"1.h", b"2.h"))
    assert status == hiprtc.HIPRTC_SUCCESS
    assert hiprtc.hiprtcCompileProgram(program, 1, [b"--offload-arch=gfx90a"]) == (hiprtc.HIPRTC_SUCCESS,)
    assert hiprtc.hiprtcGetErrorString(status) == ("one|two|1.h|2.h|--offload-arch=gfx90a|",)
    with pytest.raises(sb.ArgumentError, match=r"argument 3 'options\[1\]': expected bytes"):
        hiprtc.hiprtcCompileProgram(program, 2, [b"-O3", "-g"])
    hiprtc.hiprtcDestroyProgram(program.createRef())
