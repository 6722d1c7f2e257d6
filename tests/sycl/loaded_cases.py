"""Kernels of SYCL in packages and in SPIR-V of others, run by test_sycl_kernels.py as kernel_cases.py is."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import samebytes as sb
from samebytes.toolchain import spirv
from samebytes.tools.cli import main

pytest.importorskip("dpctl")

PACKED = """
#include <sycl/sycl.hpp>
namespace e = sycl::ext::oneapi::experimental;
#define KERNEL SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((e::nd_range_kernel<1>)) SYCL_EXTERNAL
struct View { float* data; int n; };
/// y += a x
KERNEL void axpy(float a, const float* x, View y) {
  const auto i = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_id(0);
  if (i < y.n) y.data[i] += a * x[i];
}
template <class T> KERNEL void filled(T* p, T v) { *p = v; }
"""


def test_a_package_of_kernels(tmp_path, monkeypatch):
    (tmp_path / "carried_sycl.cpp").write_text(PACKED)
    words = ["bind", str(tmp_path / "carried_sycl.cpp"), "-o", str(tmp_path), "--dialect", "sycl"]
    done = CliRunner().invoke(main, [*words, "--arch", "sm_90"])
    assert "--arch is for --dialect cuda: kernels of SYCL are SPIR-V" in done.output
    done = CliRunner().invoke(main, [*words, "--instantiate", "filled<float>"])
    assert done.exit_code == 0, done.output
    assert [path.suffix for path in (tmp_path / "carried_sycl").glob("kernels_*")] == [".spirv"]
    monkeypatch.syspath_prepend(str(tmp_path))
    import carried_sycl

    x, y = (sb.DeviceArray.from_host(np.arange(4, dtype="f4"), device="sycl") for _ in range(2))
    carried_sycl.axpy[4](2, x, carried_sycl.View(y, 3))
    assert y.copy_to_host().tolist() == [0, 3, 6, 3]
    carried_sycl.filled[sb.float32][1](y, 5)
    assert y.copy_to_host()[0] == 5
    assert pickle.loads(pickle.dumps(carried_sycl.axpy)) is carried_sycl.axpy
    script = "import carried_sycl as c; print(c.axpy, c.View); c.axpy[1]"
    alone = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=tmp_path,
        env={"PATH": "", "ONEAPI_DEVICE_SELECTOR": "cuda:*"},
    )  # fmt: skip
    assert alone.stdout == "<kernel carried_sycl.axpy> <class 'carried_sycl.View'>\n"
    assert "MissingDependency: SYCL has no device here" in alone.stderr


HEADER = """
#include <sycl/sycl.hpp>
namespace e = sycl::ext::oneapi::experimental;
#define KERNEL SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((e::nd_range_kernel<1>)) SYCL_EXTERNAL
struct Pair { float x; double y; };
extern "C" KERNEL void scaled(float by, float* x, Pair more);
KERNEL void absent(float* x);
"""
BODY = """
extern "C" KERNEL void scaled(float by, float* x, Pair more) {
  const auto i = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_id(0);
  x[i] = x[i] * by + more.x + more.y;
}
"""


@pytest.mark.filterwarnings("ignore:.*its compiled code has no such name")
def test_spirv_of_others_is_loaded_and_compared(tmp_path):
    code, header = tmp_path / "k.spv", tmp_path / "k.hpp"
    (module,) = spirv.unpacked(Path(sb.compile(HEADER + BODY, dialect="sycl").__file__).read_bytes())
    code.write_bytes(module)
    header.write_text(HEADER)
    lib = sb.load(code, header, name="of_others")
    x = sb.DeviceArray.from_host(np.arange(3, dtype="f4"), device="sycl")
    lib.scaled[3](2, x, lib.Pair(1, 0.5))
    assert x.copy_to_host().tolist() == [1.5, 3.5, 5.5]
    assert "absent" not in dir(lib)
    assert pickle.loads(pickle.dumps(lib.scaled)) is lib.scaled
    header.write_text(HEADER.replace("float by", "double by"))
    words = r"'by' \(double\) has 8 bytes by value, and in its compiled code 4 bytes by value"
    with pytest.raises(sb.LayoutError, match=words):
        sb.load(code, header)
    assert len(module) > 200
    with pytest.raises(sb.BindError, match="the SPIR-V is damaged"):
        spirv.kernels(module[:200])
