"""Packages of HIP's kernels: code objects for several devices, of which the one in use gets its own."""

import pickle
import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner

import samebytes as sb
from samebytes.tools.cli import main

pytestmark = pytest.mark.full

SOURCE = """
struct View { float* data; int n; };
/// y += a x
__global__ void axpy(float a, const float* x, float* y, int n = 2) {
  for (int i = 0; i < n; ++i) y[i] += a * x[i];
}
__global__ void scale(View v, float s) { for (int i = 0; i < v.n; ++i) v.data[i] *= s; }
template <class T> __global__ void filled(T* p, T v) { *p = v; }
__constant__ float table[2];
__global__ void tabled(float* p, int i) { *p = table[i]; }
"""


@pytest.fixture(scope="session", autouse=True)
def _compiler():
    """No NVRTC is needed here."""


def write(folder, *words, name="carried_hip"):
    (folder / f"{name}.hip").write_text(SOURCE)
    return CliRunner().invoke(
        main, ["bind", str(folder / f"{name}.hip"), "-o", str(folder), "--dialect", "hip", *words]
    )


@pytest.fixture
def package(tmp_path, monkeypatch, hip):
    done = write(tmp_path, "--arch", "gfx942", "--arch", "gfx90a", "--instantiate", "filled<float>")
    assert done.exit_code == 0, done.output
    monkeypatch.syspath_prepend(str(tmp_path))
    import carried_hip

    yield carried_hip
    for name in ("carried_hip", "carried_hip._declarations"):
        sys.modules.pop(name, None)


def test_its_kernels_run(package, tmp_path, hip):
    home = tmp_path / "carried_hip"
    files = {path.name.rpartition("_")[2]: path for path in home.glob("kernels_*")}
    assert files.keys() == {"gfx90a.hsaco", "gfx942.hsaco"}
    hip.knows(
        sb.load(
            files["gfx90a.hsaco"],
            tmp_path / "carried_hip.hip",
            name="the_same",
            instantiate=["filled<float>"],
        ),
        SOURCE,
    )
    x, y = hip.array(np.array([1, 2], "f4")), hip.array(np.ones(2, "f4"))
    package.axpy[1, 1](3, x, y)
    package.scale[1, 1](package.View(y, 2), 2)
    package.table = [6, 7]
    package.tabled[1, 1](x, 1)
    assert (x.array[0], y.array.tolist(), package.table.tolist()) == (7, [8, 14], [6, 7])
    package.filled[sb.float32][1, 1](y, 5)
    assert y.array[0] == 5
    assert pickle.loads(pickle.dumps(package.axpy)) is package.axpy
    with pytest.raises(sb.ArrayError, match=r"in ROCm device memory.*in host memory"):
        package.axpy[1, 1](3, np.ones(2, "f4"), y)
    with pytest.raises(sb.ArgumentError, match="written without it, and builds nothing"):
        package.filled[sb.int32]


def test_it_needs_no_compiler_and_no_driver_until_something_is_launched(package, tmp_path):
    script = "import carried_hip as c; print(c.axpy, c.View); c.axpy[1, 1]"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=tmp_path,
        env={"PATH": "", "HOME": "/nonexistent", "SAMEBYTES_HIP_DRIVER": "/nonexistent.so"},
    )  # fmt: skip
    assert done.stdout == "<kernel carried_hip.axpy> <class 'carried_hip.View'>\n"
    assert "MissingDependency: kernels are launched by ROCm's runtime" in done.stderr


def test_a_device_without_its_code_is_named(package, tmp_path, hip):
    for path in (tmp_path / "carried_hip").glob("*gfx90a*"):
        path.unlink()
    for name in ("carried_hip", "carried_hip._declarations"):
        sys.modules.pop(name, None)
    import carried_hip

    hip.library.fake_fail_loading(209)
    words = r"the kernels were compiled for gfx942, and the device is gfx90a"
    try:
        with pytest.raises(sb.LaunchError, match=words):
            carried_hip.axpy[1, 1]
    finally:
        hip.library.fake_fail_loading(0)


@pytest.mark.parametrize(
    ("words", "expected"),
    [((), "--arch names: --arch gfx90a --arch gfx942"), (("--arch", "sm_90"), "'gfx90a', got 'sm_90'")],
)
def test_architectures_that_are_none(words, expected, tmp_path):
    done = write(tmp_path, *words)
    assert done.exit_code == 1
    assert expected in done.output
