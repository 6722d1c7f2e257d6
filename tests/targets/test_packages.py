"""Packages for Numba's targets: the same header and configuration, no libclang and no compiler where they are used."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import numpy as np
import ptx
import pytest
from click.testing import CliRunner

import samebytes as sb
from samebytes.tools.cli import main

pytestmark = pytest.mark.full

HERE = Path(__file__).parent


def write(out: Path, target: str, *more: str) -> Path:
    arguments = [
        "bind",
        str(HERE / "stats.hpp"),
        "-c",
        str(HERE / "stats.yaml"),
        "-o",
        str(out),
        "--name",
        "stats",
    ]
    done = CliRunner().invoke(main, [*arguments, "--target", target, *more])
    assert done.exit_code == 0, done.output
    return out / "stats"


CPU = """
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("clang", "yaml", "ziglang"):
            raise ImportError(name)
sys.meta_path.insert(0, Hidden())
sys.path.insert(0, {place!r})
import numba, stats

@numba.njit
def run(n):
    state, total = stats.RunningStats(0, 0.0, 0.0), 0.0
    for i in range(n):
        _known, score = stats.stats_update_and_get_zscore(state, i)
        total += score
    return total, state.count, stats.stats_get_matrix_3x4()[5]

print(run(4), stats.stats_get_matrix_3x4()[5], stats.RunningStats(1, 2, 3).count)
"""


def test_code_that_numba_compiles_for_the_cpu(tmp_path):
    pytest.importorskip("numba", reason="Numba is not installed")
    write(tmp_path, "numba")
    done = subprocess.run(
        [sys.executable, "-c", CPU.format(place=str(tmp_path))], capture_output=True, text=True, check=False,
        cwd="/", env={"PATH": "", "HOME": "/nonexistent", "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    assert done.stdout.strip() == "(3.0, 4, 11.0) 11.0 1", done.stderr


@pytest.fixture
def cuda():
    pytest.importorskip("numba.cuda.core", reason="numba-cuda is not installed")
    pytest.importorskip("cuda.core", reason="cuda-core is not installed")
    from numba import cuda
    from numba.cuda.cudadrv import driver

    if not driver._have_nvjitlink():
        pytest.skip("nvJitLink is not installed (nvidia-nvjitlink)")
    return cuda


@pytest.fixture
def package(tmp_path, monkeypatch, cuda):
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "stats", raising=False)
    monkeypatch.delitem(sys.modules, "stats._declarations", raising=False)
    home = write(tmp_path, "numba_cuda")
    import stats

    yield home, stats
    sys.modules.pop("stats", None)


def test_kernels_are_linked_with_what_the_package_carries(package, cuda):
    """Code for sm_75 serves sm_80: it inlines away, and its results are constants."""
    from numba import types

    _home, stats = package

    def kernel(out):
        state = stats.RunningStats()
        stats.stats_update(state, 2.0)
        stats.stats_update(state, 4.0)
        _known, score = stats.stats_update_and_get_zscore(state, 6.0)
        out[0] = score
        out[1] = state.count
        out[2] = stats.stats_get_matrix_3x4()[7]
        out[3] = stats.stats_get_vectors()[2].w

    text = ptx.linked(kernel, types.float32[::1])
    assert ptx.calls(text) == []
    assert ptx.numbers(text, "f") == [2, 3, 13, 2.75]
    assert "device path" in str(stats.__explain__("stats_update"))


def test_a_device_package_is_the_same_bytes_each_time(package, tmp_path, monkeypatch):
    home, _ = package
    monkeypatch.setenv("SAMEBYTES_CACHE_DIR", str(tmp_path / "cache"))
    again = write(tmp_path / "second", "numba_cuda")
    names = sorted(p.name for p in again.iterdir())
    assert names == sorted(p.name for p in home.iterdir() if p.is_file())
    for name in names:
        content = (again / name).read_bytes()
        assert content == (home / name).read_bytes(), name
        assert str(tmp_path).encode() not in content, name
        assert str(HERE.parents[1]).encode() not in content, name


def test_the_architecture(tmp_path, cuda):
    home = write(tmp_path, "numba_cuda", "--arch", "sm_90")
    (code,) = home.glob("*.ptx")
    assert ".target sm_90" in code.read_text()
    done = CliRunner().invoke(
        main, ["bind", str(HERE / "stats.hpp"), "-o", str(tmp_path), "--target", "numba_cuda", "--arch", "90"]
    )
    assert done.exit_code == 1
    assert "GPU Arch is sm_ and a number" in done.output


def test_device_code_that_is_not_there(package):
    home, _ = package
    (code,) = home.glob("*.ltoir")
    code.unlink()
    sys.modules.pop("stats")
    with pytest.raises(sb.BindError, match="the device code of these declarations, is not beside"):
        importlib.import_module("stats")


def test_values_cross_as_records(package):
    _, stats = package
    record = stats.RunningStats(1, 2.0, 3.0)
    assert np.zeros(2, stats.RunningStats.dtype).shape == (2,)
    assert record.value.sum == 2.0
