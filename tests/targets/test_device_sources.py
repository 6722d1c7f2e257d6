"""Sources beside a header of device code: compiled by NVRTC, linked into kernels of numba.cuda, run as PTX."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import samebytes as sb
from samebytes.tools.cli import main

pytest.importorskip("numba.cuda.core", reason="numba-cuda is not installed")
import ptx
from numba import types
from numba.cuda.cudadrv import driver

import machine

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(not driver._have_nvjitlink(), reason="nvJitLink is not installed (nvidia-nvjitlink)"),
]

HEADER = """
#pragma once
struct Point { int x; __device__ int twice() const; __device__ explicit Point(int x); };
__device__ float add(float x);
__device__ int own(int x);
__device__ Point operator+(const Point& a, const Point& b);
template <class T> __device__ T both(T x) { return x + T(own(1)); }
"""
# Each has names of its own that the other has, too.
SOURCES = {
    "first.cu": '#include "points.hpp"\n#include "inner.hpp"\nstatic __device__ int hidden() { return 3; }\n'
    "__device__ float add(float x) { return x + INNER + MORE + hidden(); }\n",
    "second.cpp": '#include "points.hpp"\nnamespace { __device__ int hidden() { return 5; } }\n'
    "__device__ int own(int x) { return x + hidden(); }\n"
    "__device__ Point::Point(int x) : x(x) {}\n__device__ int Point::twice() const { return 2 * x; }\n"
    "__device__ Point operator+(const Point& a, const Point& b) { return Point(a.x + b.x); }\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "points.hpp").write_text(HEADER)
    (tmp_path / "inner.hpp").write_text("#define INNER 1\n")
    for name, text in SOURCES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def bound(folder: Path, **options: Any) -> Any:
    sources = [folder / name for name in SOURCES]
    return sb.bind(folder / "points.hpp", sources=sources, target="numba_cuda", defines=["MORE=2"], **options)


def results(kernel: Any, count: int) -> list[float]:
    text = ptx.linked(kernel, types.float64[::1])
    assert ptx.calls(text) == []
    return list(machine.doubles(text))[:count]


def test_kernels_call_what_the_sources_define(folder: Path) -> None:
    lib = bound(folder, instantiate=["both<double>"])

    def kernel(out: Any) -> None:
        point = lib.Point(4)
        out[0] = lib.add(1.0)
        out[1] = lib.own(2)
        out[2] = lib.both(0.5) + lib.both(1)
        out[3] = point.twice() + (point + point).x

    assert results(kernel, 4) == [7, 7, 13.5, 16]


def test_a_source_that_includes_something_else_is_compiled_again(folder: Path) -> None:
    for inner, expected in ((1, 7), (10, 16)):
        (folder / "inner.hpp").write_text(f"#define INNER {inner}\n")
        lib = bound(folder)

        def kernel(out: Any) -> None:
            out[0] = lib.add(1.0)  # noqa: B023  # compiled at once

        assert results(kernel, 1) == [expected]


def test_libraries_that_share_a_source_have_it_once(folder: Path) -> None:
    other = folder / "other.hpp"
    other.write_text('#include "points.hpp"\n__device__ inline int more(int x) { return own(x) + 1; }\n')
    one = bound(folder)
    sources = [folder / name for name in SOURCES]
    two = sb.bind(other, sources=sources, target="numba_cuda", defines=["MORE=2"])

    def kernel(out: Any) -> None:
        out[0] = one.own(1)
        out[1] = two.more(1)

    assert results(kernel, 2) == [6, 7]


def test_what_the_compiler_refuses_is_said_with_its_place(folder: Path) -> None:
    (folder / "second.cpp").write_text(
        '#include "points.hpp"\n__device__ int own(int x) { return nothing; }\n'
    )
    with pytest.raises(
        sb.CompileError, match=r"second\.cpp\(2\): error: identifier \"nothing\" is undefined"
    ):
        bound(folder)


def test_a_package_has_the_units_of_the_sources(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = [word for name in SOURCES for word in ("--source", str(folder / name))]
    out = folder / "out"
    out.mkdir()
    command = [
        "bind",
        str(folder / "points.hpp"),
        "--target",
        "numba_cuda",
        "-D",
        "MORE=2",
        "-o",
        str(out),
        *said,
    ]
    done = CliRunner().invoke(main, [*command, "--name", "points_of_device"])
    assert done.exit_code == 0, done.output
    for name in (*SOURCES, "points.hpp", "inner.hpp"):
        (folder / name).unlink()
    monkeypatch.syspath_prepend(str(out))
    lib = importlib.import_module("points_of_device")

    def kernel(out: Any) -> None:
        out[0] = lib.add(1.0)
        out[1] = lib.own(2)

    assert results(kernel, 2) == [7, 7]
    sys.modules.pop("points_of_device")
    next((out / "points_of_device").glob("device_*_2.ptx")).unlink()
    with pytest.raises(
        sb.BindError, match=r"device_\w+_2\.ptx, the device code of these declarations, is not beside"
    ):
        importlib.import_module("points_of_device")
