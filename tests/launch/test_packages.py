"""Packages of kernels, and what the command line says of them; their kernels run through the tests' driver."""

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import samebytes as sb
from samebytes.launch.code import Image
from samebytes.tools.cli import main

pytestmark = pytest.mark.full

SOURCE = """
struct View { float* data; int n; };
/// y += a x
__global__ void axpy(float a, const float* x, float* y, int n = 2) {
  for (int i = 0; i < n; ++i) y[i] += a * x[i];
}
namespace ns { __global__ void scale(View v, float s) { for (int i = 0; i < v.n; ++i) v.data[i] *= s; } }
__global__ void over(float* p) { *p = 1; }
__global__ void over(int* p) { *p = 2; }
template <class T> __global__ void filled(T* p, T v) { *p = v; }
__constant__ float table[2];
__global__ void tabled(float* p, int i) { *p = table[i]; }
"""
# Where machine code and PTX of an architecture run (CUDA C++ Programming Guide, "Compute Capability Compatibility").
RUNS = (
    ("sm_80", "cubin", ("sm_80", "sm_86", "sm_89")), ("sm_86", "cubin", ("sm_86", "sm_89")),
    ("sm_90", "cubin", ("sm_90",)), ("sm_90a", "cubin", ("sm_90",)), ("sm_100f", "cubin", ("sm_100", "sm_103")),
    ("sm_100", "cubin", ("sm_100", "sm_103")), ("sm_120", "cubin", ("sm_120",)),
    ("sm_75", "ptx", ("sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_103", "sm_120")),
    ("sm_90", "ptx", ("sm_90", "sm_100", "sm_103", "sm_120")), ("sm_90a", "ptx", ("sm_90",)),
)  # fmt: skip
CODE = {"cubin": b"\x7fELF", "ptx": b".version 9.0\n.target sm_75\n"}


def run(*words):
    return CliRunner().invoke(main, [*map(str, words)])


def write(folder, *words, source=SOURCE, name="carried"):
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.cu").write_text(source)
    return run("bind", folder / f"{name}.cu", "-o", folder, "--dialect", "cuda", *words)


@pytest.fixture
def package(tmp_path, monkeypatch, fake):
    done = write(tmp_path, "--arch", "sm_90", "--arch", "sm_80", "--instantiate", "filled<float>")
    assert done.exit_code == 0, done.output
    monkeypatch.syspath_prepend(str(tmp_path))
    import carried

    (text,) = (tmp_path / "carried").glob("*.ptx")
    fake.runs(text.read_text())
    yield carried
    for name in ("carried", "carried._declarations"):
        sys.modules.pop(name, None)


def test_its_kernels_run(package, fake):
    x, y = fake.array(np.array([1, 2], np.float32)), fake.array(np.ones(2, np.float32))
    package.axpy[1, 1](3, x, y)
    package.ns.scale[1, 1](package.View(y, 2), 2)
    assert y.array.tolist() == [8, 14]
    for dtype, value in ((np.float32, 1), (np.int32, 2)):
        out = fake.array(np.zeros(1, dtype))
        package.over[1, 1](out)
        assert out.array[0] == value
    package.filled[sb.float32][1, 1](y, 5)
    package.table = [6, 7]
    package.tabled[1, 1](x, 1)
    assert (y.array[0], x.array[0], package.table.tolist()) == (5, 7, [6, 7])
    with pytest.raises(sb.ArrayError, match="in host memory"):
        package.axpy[1, 1](3, np.ones(2, np.float32), y)


def test_what_it_is_without(package):
    with pytest.raises(sb.ArgumentError, match="written without it, and builds nothing"):
        package.filled[sb.int32]


def test_it_says_what_it_has(package, tmp_path):
    stub = (tmp_path / "carried" / "__init__.pyi").read_text()
    assert "axpy: Kernel\n" in stub
    assert "y += a x" in stub
    assert "filled: KernelTemplate" in stub
    assert "launch path" in str(package.__explain__("axpy"))
    assert pickle.loads(pickle.dumps(package.axpy)) is package.axpy
    assert pickle.loads(pickle.dumps(package.over)) is package.over


def test_it_holds_code_for_each_architecture_and_is_the_same_bytes_each_time(package, tmp_path):
    home = tmp_path / "carried"
    files = {path.name.partition("_sm_")[2]: path for path in home.iterdir() if "_sm_" in path.name}
    assert files.keys() == {"80.cubin", "90.cubin", "80.ptx"}
    assert files["90.cubin"].read_bytes() != files["80.cubin"].read_bytes()
    again = tmp_path / "again"
    assert write(again, "--arch", "sm_80", "--arch", "sm_90", "--instantiate", "filled<float>").exit_code == 0
    for path in home.glob("[!_]*.*"):
        assert (again / "carried" / path.name).read_bytes() == path.read_bytes()
        assert str(tmp_path).encode() not in path.read_bytes()
    write(tmp_path, "--arch", "sm_120")
    assert {path.name.partition("_sm_")[2] for path in home.glob("kernels_*")} == {"120.cubin", "120.ptx"}


def test_it_needs_no_driver_until_something_is_launched_and_no_compiler(package, tmp_path):
    script = "import carried; print(carried.axpy, carried.View); carried.axpy[1, 1]"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=tmp_path,
        env={"PATH": "", "HOME": "/nonexistent", "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    assert done.stdout == "<kernel carried.axpy> <class 'carried.View'>\n"
    assert "MissingDependency: kernels are launched by NVIDIA's driver" in done.stderr


def test_files_that_do_not_belong_together_are_refused(package, tmp_path, monkeypatch):
    home = tmp_path / "carried"
    codes = [*home.glob("kernels_*")]
    for name in ("carried", "carried._declarations"):
        sys.modules.pop(name, None)
    (taken,) = home.glob("*_sm_80.cubin")
    other = sb.compile("__global__ void k() {}", dialect="cuda", arch="sm_80")
    whole = taken.read_bytes()
    taken.write_bytes(Path(other.__file__).read_bytes())
    with pytest.raises(sb.LayoutError, match=r"axpy\(\) is not in the compiled code for sm_80"):
        import carried
    taken.write_bytes(whole)
    for path in codes:
        path.rename(path.with_name(f"other_{path.name}"))
    with pytest.raises(
        sb.BindError, match=r"the code of its kernels, kernels_\w+_sm_\*\.cubin, is not beside"
    ):
        import carried  # noqa: F401


@pytest.mark.parametrize("row", range(len(RUNS)))
def test_which_code_runs_where(row):
    architecture, kind, devices = RUNS[row]
    image = Image(CODE[kind], architecture)
    every = ("sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_103", "sm_120")
    assert tuple(device for device in every if image.rank(device)) == devices


def test_the_nearest_code_is_taken():
    machine = [Image(CODE["cubin"], name) for name in ("sm_80", "sm_86", "sm_90", "sm_90a")]
    images = [Image(CODE["ptx"], "sm_75"), *machine, Image(CODE["ptx"], "sm_80")]
    for device, expected in (("sm_89", 2), ("sm_80", 1), ("sm_90", 4), ("sm_120", 5), ("sm_75", 0)):
        assert max(images, key=lambda image: image.rank(device)) is images[expected]


def test_one_package_has_one_form(tmp_path):
    source = (
        "#if __CUDA_ARCH__ >= 900\n__global__ void k(int a) {}\n#else\n__global__ void k(float a) {}\n#endif"
    )
    done = write(tmp_path, "--arch", "sm_80", "--arch", "sm_90", source=source)
    assert done.exit_code == 1
    assert "declares other kernels for sm_90 than for sm_80" in done.output


def test_the_command_line_explains_kernels(tmp_path):
    (tmp_path / "k.cu").write_text(SOURCE)
    done = run("explain", tmp_path / "k.cu", "--dialect", "cuda", "--arch", "sm_90")
    assert done.exit_code == 0, done.output
    assert (
        "axpy(a: float32, x: pointer[const[float32]], y: pointer[float32], n: int32 = 2) -> None"
        in done.output
    )
    assert "launch path: the driver launches it" in done.output
    one = run("explain", tmp_path / "k.cu", "axpy", "--dialect", "cuda", "--arch", "sm_90", "--json")
    assert '"launch"' in one.output
    assert "scale" not in one.output
    for words, expected in (
        (("--arch", "hopper", "--dialect", "cuda"), "arch is the name of an architecture, 'sm_90'"),
        (("--arch", "sm_90"), "--arch is not for --target host: it is for kernels of --dialect cuda"),
        (("--dialect", "cuda", "--arch", "sm_90", "-l", "m"), "-l is not for --dialect cuda"),
    ):
        done = run("explain", tmp_path / "k.cu", *words)
        assert done.exit_code == 1
        assert expected in done.output


def test_code_that_others_compiled_is_packed(tmp_path, fake):
    made = sb.compile(SOURCE, dialect="cuda", arch="sm_80")
    (tmp_path / "k.hpp").write_text("__global__ void over(float* p);")
    done = run("bind", tmp_path / "k.hpp", "-o", tmp_path, "--dialect", "cuda", "--arch", "sm_80",
               "--library", made.__file__, "--name", "over_again")  # fmt: skip
    assert done.exit_code == 0, done.output
    assert [path.suffix for path in (tmp_path / "over_again").glob("kernels_*")] == [".cubin"]
