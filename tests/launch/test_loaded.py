"""Kernels that others compiled: a cubin or PTX and a header, which must say the same of each parameter."""

import pickle
import shutil
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest

import samebytes as sb
from samebytes.toolchain import ptx
from samebytes.toolchain.fatbin import fatbin_code
from samebytes.toolchain.kernel_metadata import every_kernel

pytestmark = pytest.mark.full

HEADER = """
struct Point { float x; double y; };
extern "C" __global__ void axpy(float a, const float* x, float* y, int n);
__global__ void moved(Point p, char by, double* out);
template <class T> __global__ void one(T* p);
"""
SOURCE = """
#include "k.hpp"
extern "C" __global__ void axpy(float a, const float* x, float* y, int n) {
  int i = threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
__global__ void moved(Point p, char by, double* out) { out[0] = p.x + by; out[1] = p.y + by; }
template <class T> __global__ void one(T* p) { *p = 1; }
template __global__ void one<float>(float*);
"""
FILES = ("k.cubin", "k.ptx")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("loaded")
    (made / "k.hpp").write_text(HEADER)
    (made / "k.cu").write_text(SOURCE)
    compiled = sb.compile(made / "k.cu", dialect="cuda", arch="sm_80", instantiate=["one<float>"])
    shutil.copy(compiled.__file__, made / "k.cubin")
    shutil.copy(Path(compiled.__file__).with_suffix(".ptx"), made / "k.ptx")
    return made


def changed(folder, old, new):
    header = folder / "changed.hpp"
    assert HEADER.count(old) == 1
    header.write_text(HEADER.replace(old, new))
    return header


@pytest.mark.parametrize("file", FILES)
def test_compiled_kernels_are_launched(file, folder, fake):
    lib = sb.load(folder / file, folder / "k.hpp", name="others")
    fake.runs((folder / "k.ptx").read_text())
    x, y = fake.array(np.arange(4, dtype=np.float32)), fake.array(np.ones(4, np.float32))
    lib.axpy[1, 4](2.5, x, y, 3)
    assert y.array.tolist() == [1, 3.5, 6, 1]
    out = fake.array(np.zeros(2))
    lib.moved[1, 1](lib.Point(1.5, 2.25), b"\2", out)
    assert out.array.tolist() == [3.5, 4.25]
    lib.one[sb.float32][1, 1](x)
    assert x.array[0] == 1
    assert pickle.loads(pickle.dumps(lib.axpy)) is lib.axpy
    with pytest.raises(sb.ArgumentError, match="its compiled code has no such name"):
        lib.one[sb.int32]


MUTATIONS = (
    ("float a", "double a", r"axpy\(\) parameter 1 'a' \(double\) has 8 bytes, and in its compiled code 4"),
    ("int n)", "int n, int m)", r"axpy\(\) has 5 parameters, and its compiled code 4"),
    (", int n)", ")", r"axpy\(\) has 3 parameters, and its compiled code 4"),
    ("int n)", "long n)", r"axpy\(\) parameter 4 'n' \(long\) has 8 bytes, and in its compiled code 4"),
    ("double y", "float y", r"moved\(\) parameter 1 'p' \(Point\) has 8 bytes, and in its compiled code 16"),
    (
        "float x; double y",
        "double y; float x; char c[9]",
        r"'p' \(Point\) has 24 bytes, and in its compiled code 16",
    ),
)


@pytest.mark.parametrize("row", range(len(MUTATIONS)))
@pytest.mark.parametrize("file", FILES)
def test_a_header_that_says_otherwise_is_refused(file, row, folder):
    old, new, words = MUTATIONS[row]
    with pytest.raises(sb.LayoutError, match=words):
        sb.load(folder / file, changed(folder, old, new))


def test_another_type_is_another_kernel_by_its_mangled_name(folder):
    with pytest.warns(sb.BindWarning, match="moved.*its compiled code has no such name"):
        lib = sb.load(folder / "k.cubin", changed(folder, "char by", "int by"))
    assert "moved" not in dir(lib)


def test_a_file_that_changes_is_loaded_anew(folder, tmp_path, fake):
    header = tmp_path / "n.hpp"
    header.write_text('extern "C" __global__ void k(int* p);\n')
    out = fake.array(np.zeros(1, np.int32))
    for n in (1, 2):
        source = f'extern "C" __global__ void k(int* p) {{ *p = {n}; }}'
        made = sb.compile(source, dialect="cuda", arch="sm_80")
        shutil.copy(made.__file__, tmp_path / "n.cubin")
        fake.knows(made)
        sb.load(tmp_path / "n.cubin", header).k[1, 1](out)
        assert out.array[0] == n


MODES = ("none", "speed", "size", "default")


@pytest.fixture(scope="module")
def fat(folder):
    """Fat binaries by nvcc, each compressed in another way."""
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        pytest.skip("nvcc is not installed")
    code = ["-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_90,code=[sm_90,compute_90]"]
    for mode in MODES:
        command = [
            nvcc,
            "-fatbin",
            f"--compress-mode={mode}",
            *code,
            folder / "k.cu",
            "-o",
            folder / f"{mode}.fatbin",
        ]
        subprocess.run(command, check=True)
    return folder


@pytest.mark.parametrize("mode", MODES)
def test_a_fat_binary_holds_code_for_each_device(mode, fat, fake):
    header, file = fat / "k.hpp", fat / f"{mode}.fatbin"
    held = fatbin_code(file.read_bytes())
    kinds = [(name, "ptx" if ptx.is_ptx(code) else "cubin") for name, code in held]
    assert kinds == [("sm_80", "cubin"), ("sm_90", "cubin"), ("sm_90", "ptx")]
    assert all("axpy" in every_kernel(code) for _, code in held)
    for arch, expected in (("sm_80", 0), ("sm_86", 0), ("sm_90", 1), ("sm_100", 2)):
        there = sb.load(file, header, arch=arch, name="fat")
        assert Path(there.__file__).read_bytes() == held[expected][1]
    with pytest.raises(
        sb.BindError, match=r"holds code for sm_80, sm_90, sm_90 \(PTX\), none of which runs on sm_75"
    ):
        sb.load(file, header, arch="sm_75")
    lib = sb.load(file, header, name="in_use")  # of the device in use, which is an sm_80
    assert Path(lib.__file__).read_bytes() == held[0][1]
    fake.runs((fat / "k.ptx").read_text())
    x, y = fake.array(np.arange(4, dtype=np.float32)), fake.array(np.ones(4, np.float32))
    lib.axpy[1, 4](2.5, x, y, 3)
    assert y.array.tolist() == [1, 3.5, 6, 1]
    old, new, words = MUTATIONS[0]
    with pytest.raises(sb.LayoutError, match=words):
        sb.load(file, changed(fat, old, new), arch="sm_90")


def test_a_damaged_fat_binary_is_refused(fat, tmp_path):
    whole, damaged = (fat / "speed.fatbin").read_bytes(), tmp_path / "k.fatbin"
    for data in (whole[:-8], whole[:16] + b"\xff" * 64 + whole[80:], whole + bytes(32)):
        damaged.write_bytes(data)
        with pytest.raises(sb.BindError, match="the fat binary is damaged"):
            sb.load(damaged, fat / "k.hpp", arch="sm_90")


HIP_SOURCE = """
extern "C" __global__ void scaled(float* x, float by, int n) { for (int i = 0; i < n; ++i) x[i] *= by; }
__global__ void moved(short by, double* out) { *out += by; }
"""
HIP_HEADER = """
extern "C" __global__ void scaled(float* x, float by, int n);
__global__ void moved(short by, double* out);
"""


@pytest.fixture(scope="module")
def hip_files(_hip, tmp_path_factory):
    """Kernels in a code object, and for two devices in a bundle, as LLVM's page of the Clang Offload Bundler has it."""
    folder = tmp_path_factory.mktemp("loaded_hip")
    (folder / "k.hpp").write_text(HIP_HEADER)
    parts = [("host-x86_64-unknown-linux-gnu-", b"")]
    for arch in ("gfx942", "gfx90a"):
        made = sb.compile(HIP_SOURCE, dialect="hip", arch=arch, name="of_others")
        parts.append((f"hipv4-amdgcn-amd-amdhsa--{arch}", Path(made.__file__).read_bytes()))
    (folder / "k.hsaco").write_bytes(parts[-1][1])
    head, body = b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", len(parts)), b""
    for triple, code in parts:
        head += struct.pack("<QQQ", 4096 + len(body), len(code), len(triple)) + triple.encode()
        body += code
    (folder / "k.fatbin").write_bytes(head.ljust(4096, b"\0") + body)
    return folder


def test_code_for_amds_devices_is_loaded(hip_files, hip, tmp_path):
    alone = sb.load(hip_files / "k.hsaco", hip_files / "k.hpp", name="hsaco")
    bundle = sb.load(hip_files / "k.fatbin", hip_files / "k.hpp", arch="gfx90a", name="fatbin")
    assert Path(bundle.__file__).read_bytes().startswith(b"\x7fELF")
    for lib in (alone, bundle):
        hip.knows(lib, HIP_SOURCE)
        x, out = hip.array(np.arange(3, dtype=np.float32)), hip.array(np.ones(1))
        lib.scaled[1, 1](x, 2, 3)
        lib.moved[1, 1](-3, out)
        assert (x.array.tolist(), out.array[0]) == ([0, 2, 4], -2)
    other = tmp_path / "other.hpp"
    for changed, words in (
        (
            HIP_HEADER.replace("float by", "double by"),
            r"'by' \(double\) has 8 bytes, and in its compiled code 4",
        ),
        (HIP_HEADER.replace(", int n", ""), "has 2 parameters, and its compiled code 3"),
    ):
        other.write_text(changed)
        with pytest.raises(sb.LayoutError, match=words):
            sb.load(hip_files / "k.hsaco", other)
    for file, arch, words in (
        ("k.hsaco", "gfx1100", r"arch='gfx1100': .*k\.hsaco was compiled for gfx90a"),
        ("k.fatbin", None, r"k\.fatbin holds code for gfx942, gfx90a: arch= says for which device"),
        ("k.fatbin", "gfx1030", "was compiled for gfx942, gfx90a"),
    ):
        with pytest.raises(sb.BindError, match=words):
            sb.load(hip_files / file, hip_files / "k.hpp", arch=arch)
    other.write_bytes(b"CCOB" + bytes(20))
    with pytest.raises(sb.BindError, match="the bundle is compressed: clang-offload-bundler"):
        sb.load(other, hip_files / "k.hpp")
    with pytest.raises(sb.BindError, match="neither a code object for AMD's devices nor a bundle"):
        sb.bind(hip_files / "k.hpp", library=hip_files / "k.hpp", dialect="hip")


def test_what_is_no_code_is_refused(folder):
    header = folder / "k.hpp"
    for code, words in (
        (
            folder / "none.cubin",
            "none.cubin does not exist; kernels are in a cubin or in PTX, or in a fat binary",
        ),
        (header, "is neither a cubin nor PTX nor a fat binary; cuobjdump"),
        (Path(sb.compile("int f() { return 1; }").__file__), "is neither a cubin nor PTX nor a fat binary"),
    ):
        with pytest.raises(sb.BindError, match=words):
            sb.load(code, header)
    with pytest.raises(sb.BindError, match=r"arch='sm_90': .*k\.cubin was compiled for sm_80"):
        sb.load(folder / "k.cubin", header, arch="sm_90")
    with pytest.raises(sb.BindError, match=r"load\(\): code is a file of compiled kernels, got 3 \(int\)"):
        sb.load(3, header)
    for name in ("library", "dialect"):
        with pytest.raises(TypeError, match=rf"load\(\) got an unexpected keyword argument '{name}'"):
            sb.load(folder / "k.cubin", header, **{name: "cuda"})
