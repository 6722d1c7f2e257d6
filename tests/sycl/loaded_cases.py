"""Kernels of SYCL in packages and in SPIR-V of others, run by test_sycl_kernels.py as kernel_cases.py is."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner

import samebytes as sb
from samebytes.toolchain import spirv
from samebytes.tools.cli import main

pytest.importorskip("dpctl")

HEADER = """
#include <sycl/sycl.hpp>
namespace e = sycl::ext::oneapi::experimental;
#define KERNEL SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((e::nd_range_kernel<1>)) SYCL_EXTERNAL
struct View { float* data; int n; };
struct Pair { float x; double y; };
/// y += a x
KERNEL void axpy(float a, const float* x, View y);
extern "C" KERNEL void moved(float* x, Pair by);
"""
SOURCE = (
    HEADER
    + """
inline auto at() { return sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_id(0); }
KERNEL void axpy(float a, const float* x, View y) { if (at() < y.n) y.data[at()] += a * x[at()]; }
extern "C" KERNEL void moved(float* x, Pair by) { x[at()] += by.x + by.y; }
template <class T> KERNEL void filled(T* p, T v) { *p = v; }
"""
)


def bind(folder, *words):
    file = folder / "carried_sycl.cpp"
    file.write_text(SOURCE)
    return CliRunner().invoke(main, ["bind", str(file), "-o", str(folder), "--dialect", "sycl", *words])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("packages")
    done = bind(made, "--instantiate", "filled<float>")
    assert done.exit_code == 0, done.output
    return made


def arrays():
    return (sb.DeviceArray.from_host(np.arange(4, dtype="f4"), device="sycl") for _ in range(2))


def test_a_package_of_kernels(folder, monkeypatch):
    assert [path.suffix for path in (folder / "carried_sycl").glob("kernels_*")] == [".spirv"]
    monkeypatch.syspath_prepend(str(folder))
    import carried_sycl

    x, y = arrays()
    carried_sycl.axpy[4](2, x, carried_sycl.View(y, 3))
    assert y.copy_to_host().tolist() == [0, 3, 6, 3]
    carried_sycl.filled[sb.float32][1](y, 5)
    assert y.copy_to_host()[0] == 5
    assert pickle.loads(pickle.dumps(carried_sycl.axpy)) is carried_sycl.axpy
    script = "import carried_sycl as c; print(c.axpy, c.View); c.axpy[1]"
    alone = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=folder,
        env={"PATH": "", "ONEAPI_DEVICE_SELECTOR": "cuda:*"},
    )  # fmt: skip
    assert alone.stdout == "<kernel carried_sycl.axpy> <class 'carried_sycl.View'>\n"
    assert "MissingDependency: SYCL has no device here" in alone.stderr


def test_architectures_are_none_of_spirv(tmp_path):
    done = bind(tmp_path, "--arch", "sm_90")
    assert done.exit_code == 1
    assert "--arch is not for --dialect sycl: kernels of SYCL are SPIR-V" in done.output


@pytest.mark.filterwarnings("ignore::samebytes.BindWarning")
def test_spirv_of_others_is_loaded_and_compared(folder, tmp_path):
    code, header = tmp_path / "k.spv", tmp_path / "k.hpp"
    (packed,) = (folder / "carried_sycl").glob("*.spirv")
    module = next(m for m in spirv.unpacked(packed.read_bytes()) if "moved" in str(spirv.kernels(m)))
    code.write_bytes(module)
    header.write_text(HEADER)
    lib = sb.load(code, header, name="of_others")
    x, _ = arrays()
    lib.moved[3](x, lib.Pair(1, 0.5))
    assert x.copy_to_host().tolist() == [1.5, 2.5, 3.5, 3]
    assert "axpy" not in dir(lib)  # which lies in a module of its own
    assert pickle.loads(pickle.dumps(lib.moved)) is lib.moved
    with pytest.raises(sb.BindError, match="the SPIR-V is damaged"):
        spirv.kernels(module[:200])
