"""Binding ROCm's C APIs: header and library are all that is to be said; without ROCm, one sentence."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb
from samebytes.toolchain.rocm_api import is_rocm, rocm_defines, rocm_includes, rocm_library

HEADER = """
#if defined(__HIP_PLATFORM_AMD__) == defined(__HIP_PLATFORM_NVIDIA__)
#error one of them
#endif
typedef enum { hipSuccess, hipErrorInvalidValue } hipError_t;
typedef struct { int major; } hipProp_tR2;
#define hipProp_t hipProp_tR2
#define hipGetProp hipGetPropR2
#ifdef __HIP_PLATFORM_AMD__
hipError_t hipGetVersion(int* version);
hipError_t hipGetPropR2(hipProp_t* prop, int device);
#endif
"""
SOURCE = """
int hipGetVersion(int* version) { return *version = 7, 0; }
int hipGetPropR2(int* prop, int device) { return *prop = 90 + device, 0; }
"""


@pytest.fixture
def rocm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "include" / "hip").mkdir(parents=True)
    (tmp_path / "include" / "hip" / "hip_small_api.h").write_text(HEADER)
    (tmp_path / "lib").mkdir()
    (tmp_path / "hip.c").write_text(SOURCE)
    library = tmp_path / "lib" / "libhipsmall64.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, tmp_path / "hip.c"], check=True)
    monkeypatch.setenv("ROCM_PATH", str(tmp_path))
    return tmp_path


def bound(**options: Any) -> Any:
    return sb.bind("hip/hip_small_api.h", library="libhipsmall64.so", style="c_api", **options)


@pytest.mark.parametrize(
    ("name", "is_its"),
    [
        ("hip/hip_runtime_api.h", True), ("hip/hiprtc.h", True), ("hipblas/hipblas.h", True),
        ("/opt/rocm/include/rccl/rccl.h", True), ("rocblas/rocblas.h", True), ("libamdhip64.so", True),
        ("libhiprtc.so.7", True), ("librccl.so", True), ("hip.h", False), ("sqlite3.h", False),
        ("chip/chip.h", False),
        ("rocket/rocket.h", False), ("/tmp/rocm0/rocm.h", False), ("hipster/hip.h", False),
        ("libm.so.6", False), ("libchip.so", False),
    ],
)  # fmt: skip
def test_names(name: str, is_its: bool) -> None:
    assert is_rocm(name) is is_its


@pytest.mark.parametrize(
    ("said", "defined"),
    [
        ([], ("__HIP_PLATFORM_AMD__",)), (["NDEBUG"], ("__HIP_PLATFORM_AMD__",)),
        (["__HIP_PLATFORM_NVIDIA__"], ()), (["-D__HIP_PLATFORM_AMD__=1"], ()),
        (["-D", "__HIP_PLATFORM_NVIDIA__=1"], ()),
    ],
)  # fmt: skip
def test_the_platform_is_amds_unless_said(said: list[str], defined: tuple[str, ...]) -> None:
    assert rocm_defines("hip/hip_runtime_api.h", said) == defined
    assert rocm_defines("zlib.h", said) == ()


def test_header_and_library_are_found(rocm: Path) -> None:
    assert rocm_includes("hip/hip_small_api.h") == (str(rocm / "include"),)
    assert rocm_library("libhipsmall64.so") == str(rocm / "lib" / "libhipsmall64.so")
    assert rocm_library("libhipother64.so") == "libhipother64.so"
    hip = bound()
    assert hip.hipGetVersion() == (hip.hipSuccess, 7)


def test_a_header_by_its_path_is_of_the_rocm_that_it_lies_in(rocm: Path, tmp_path_factory: Any) -> None:
    there = rocm / "include" / "hip" / "hip_small_api.h"
    elsewhere = tmp_path_factory.mktemp("other") / "hip" / "hip_small_api.h"
    elsewhere.parent.mkdir()
    elsewhere.write_text(HEADER)
    assert rocm_includes(str(there)) == (str(rocm / "include"),)
    assert rocm_includes(str(elsewhere)) == ()
    assert sb.bind(elsewhere, library="libhipsmall64.so", style="c_api").hipGetVersion()[1] == 7


def test_the_other_platform_can_be_chosen(rocm: Path) -> None:
    assert not hasattr(bound(defines=["__HIP_PLATFORM_NVIDIA__"]), "hipGetVersion")


def test_intents_by_the_name_that_a_macro_gives(rocm: Path) -> None:
    """As HIP 6 and newer rename what has changed: scripts name hipGetDeviceProperties all the same."""
    hip = bound(arg_intent={"hipGetProp": {"prop": "out_return"}})
    status, properties = hip.hipGetProp(1)
    assert (status, properties.major, type(properties)) == (hip.hipSuccess, 91, hip.hipProp_t)


def test_without_rocm_it_is_one_sentence(rocm: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (rocm / "lib" / "libhipsmall64.so").unlink()
    words = r"^hipGetVersion\(\) is in libhipsmall64.so, which cannot be opened: [^\n]*it is ROCm's: .*ROCM_PATH[^\n]*$"
    with pytest.raises(sb.MissingDependency, match=words):
        bound().hipGetVersion()
    monkeypatch.delenv("ROCM_PATH")
    with pytest.raises(
        sb.BindError, match=r"no header 'hip/hip_small_api.h' [^\n]*; it is ROCm's: install [^\n]*$"
    ):
        bound()
