"""Finding CUDA, HIP and SYCL: wheels, toolkits, what chooses between them, and the sentence when there is nothing."""

import pytest

from samebytes.errors import MissingDependency
from samebytes.toolchain import cuda, rocm, sycl
from samebytes.toolchain.compilers import named_compiler
from samebytes.toolchain.cuda import find_nvrtc


def touch(path, text=""):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.fixture(autouse=True)
def nothing_here(monkeypatch):
    """A machine without any of them; nothing that was found before is remembered."""
    found = (cuda.find_nvrtc, cuda.find_nvcc, cuda.cuda_headers, rocm.rocm_headers, sycl.sycl_headers)
    for function in (*found, sycl.sycl_runtime):
        function.cache_clear()
    for name in ("CUDA_HOME", "CUDA_PATH", "HIP_CLANG", "ROCM_PATH", "CMPLR_ROOT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(cuda, "_roots", list)
    monkeypatch.setattr(cuda, "_toolkits", list)
    monkeypatch.setattr(cuda, "_wheels", list)
    monkeypatch.setattr(rocm, "_folders", list)
    monkeypatch.setattr(sycl, "_prefixes", list)
    yield
    for function in (*found, sycl.sycl_runtime):
        function.cache_clear()


def test_nvrtc_of_one_folder_for_all_wheels(tmp_path, monkeypatch):
    root = tmp_path / "cu13"
    library = touch(root / "lib" / "libnvrtc.so.13")
    touch(root / "include" / "cuda_fp8.h")
    touch(root / "include" / "cccl" / "cuda" / "std" / "cstdint")
    monkeypatch.setattr(cuda, "_roots", lambda: [root])
    found = find_nvrtc()
    assert found.path == str(library)
    assert found.includes == (str(root / "include"), str(root / "include" / "cccl"))


def test_nvrtc_of_a_folder_for_each_wheel(tmp_path, monkeypatch):
    library = touch(tmp_path / "cuda_nvrtc" / "lib" / "libnvrtc.so.12")
    touch(tmp_path / "cuda_runtime" / "include" / "cuda_fp8.h")
    touch(tmp_path / "cuda_cccl" / "include" / "cuda" / "std" / "cstdint")
    monkeypatch.setattr(cuda, "_roots", lambda: sorted(tmp_path.iterdir(), reverse=True))
    found = find_nvrtc()
    assert found.path == str(library)
    assert found.includes == tuple(str(tmp_path / w / "include") for w in ("cuda_runtime", "cuda_cccl"))


def test_a_library_that_is_none(tmp_path):
    broken = cuda.Nvrtc(str(touch(tmp_path / "libnvrtc.so", "no library")), ())
    with pytest.raises(MissingDependency, match="does not load"):
        _ = broken.version


@pytest.mark.parametrize(
    ("find", "says"),
    [
        (cuda.find_nvrtc, r"NVRTC was not found: pip install 'samebytes\[cuda\]'"),
        (cuda.cuda_headers, r"CUDA's headers were not found: pip install 'samebytes\[cuda\]'"),
        (rocm.rocm_headers, "ROCm's headers were not found: install ROCm or Debian's libamdhip64-dev"),
        (sycl.sycl_headers, r"DPC\+\+'s headers were not found: pip install 'samebytes\[sycl\]'"),
        (sycl.sycl_runtime, r"DPC\+\+'s run-time compiler was not found: pip install 'samebytes\[sycl\]'"),
        (lambda: named_compiler(("no-such-c++",), "c++", "install one"), "none of no-such-c.* was found: install one"),
    ],
)  # fmt: skip
def test_what_is_missing_is_one_sentence(find, says):
    with pytest.raises(MissingDependency, match=says) as error:
        find()
    assert "\n" not in str(error.value)


def test_rocm_headers_without_half_precision_are_passed_over(tmp_path, monkeypatch):
    text = "#define HIP_VERSION_MAJOR 6\n#define HIP_VERSION_MINOR 2\n#define HIP_VERSION_PATCH 41134\n"
    for name in ("bare", "whole"):
        touch(tmp_path / name / "hip" / "hip_version.h", text)
    touch(tmp_path / "whole" / "hip" / "hip_fp16.h")
    monkeypatch.setattr(rocm, "_folders", lambda: [tmp_path / "bare", tmp_path / "whole"])
    assert rocm.rocm_headers() == (str(tmp_path / "whole"), "ROCm 6.2.41134")


def test_a_chosen_clang_that_does_not_run(monkeypatch):
    monkeypatch.setenv("HIP_CLANG", "/nowhere/clang++")
    with pytest.raises(MissingDependency, match="none of /nowhere/clang"):
        rocm.find_hip_clang()


def test_sycl_of_a_prefix(tmp_path, monkeypatch):
    touch(tmp_path / "include" / "sycl" / "version.hpp", "#define __SYCL_COMPILER_VERSION 20260930\n")
    for name in ("libsycl.so", "libsycl-jit.so", "libintelocl.so"):
        touch(tmp_path / "lib" / name)
    monkeypatch.setattr(sycl, "_prefixes", lambda: [tmp_path])
    assert sycl.sycl_headers() == (str(tmp_path / "include"), "DPC++ 20260930")
    folder, environment = sycl.sycl_runtime()
    assert folder == str(tmp_path / "lib")
    assert environment["OCL_ICD_FILENAMES"] == f"{folder}/libintelocl.so"
