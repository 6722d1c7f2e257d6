"""Flags go to those whose they are: the parser, the compiler, the linker; pkg= asks pkg-config for them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb
from samebytes.toolchain.compilers import find_compiler
from samebytes.toolchain.flags import SortedFlags, sort_flags

pytestmark = pytest.mark.full  # it takes long

SORTED: dict[str, tuple[str, SortedFlags]] = {
    "nothing": ("", SortedFlags()),
    "compiler": ("-Wall -D N=4 -DM -include x.h", SortedFlags(("-Wall", "-D", "N=4", "-DM", "-include", "x.h"))),
    "libraries": ("-lz -l m -L/a -L /b", SortedFlags((), (), ("z", "m"), ("/a", "/b"))),
    "linker": (
        "-Wl,--as-needed -Xlinker -x -rdynamic -u f -z now",
        SortedFlags((), ("-Wl,--as-needed", "-Xlinker", "-x", "-rdynamic", "-u", "f", "-z", "now")),
    ),
    "both": (
        "-fopenmp -pthread -march=native -flto=auto -isysroot /s",
        SortedFlags(*[("-fopenmp", "-pthread", "-march=native", "-flto=auto", "-isysroot", "/s")] * 2),
    ),
    "the process's arithmetic": (
        "-Ofast -ffast-math -funsafe-math-optimizations -mpc64",
        SortedFlags(("-Ofast", "-ffast-math", "-funsafe-math-optimizations", "-mpc64")),
    ),
    "a value that looks like a flag": ("-D -lz -include -L/x", SortedFlags(("-D", "-lz", "-include", "-L/x"))),
    "the last has no value": ("-fno-exceptions -D", SortedFlags(("-fno-exceptions", "-D"))),
    "includes stay": ("-I/i -I /j", SortedFlags(("-I/i", "-I", "/j"))),
}  # fmt: skip

OPENMP = r"""
#include <omp.h>
inline int threads() { int n = 0;
#pragma omp parallel num_threads(3) reduction(+:n)
  n += 1;
  return n; }
inline int version() { return _OPENMP; }
"""
ZLIB = 'extern "C" const char* zlibVersion();\ninline const char* version() { return zlibVersion(); }'


@pytest.mark.parametrize("name", SORTED)
def test_each_flag_has_its_takers(name: str) -> None:
    text, expected = SORTED[name]
    assert sort_flags(text.split()) == expected


def test_includes_are_told_apart_where_it_is_asked() -> None:
    assert sort_flags(["-I/i", "-DX", "-I", "/j"], includes=True) == SortedFlags(
        ("-DX",), include_dirs=("/i", "/j")
    )


def gomp() -> None:
    if "GCC" not in find_compiler("c++").identity and "g++" not in find_compiler("c++").identity:
        pytest.skip("the compiler is not GCC, which brings its own OpenMP")


def test_openmp_runs_in_parallel() -> None:
    gomp()
    lib = sb.compile(OPENMP, flags=["-fopenmp"])
    assert (lib.threads(), lib.version()) == (3, 201511)


def test_openmp_by_a_configuration_on_the_command_line_and_in_a_package(tmp_path: Path) -> None:
    gomp()
    (tmp_path / "par.hpp").write_text(OPENMP)
    (tmp_path / "par.yaml").write_text("Entry Point: par.hpp\nCompiler Flags: [-fopenmp]\n")
    assert sb.bind(config=tmp_path / "par.yaml").threads() == 3
    program = "import par; print(par.threads())"
    for given in (["par.hpp", "--flag=-fopenmp"], ["--config", "par.yaml"]):
        out = tmp_path / f"out of {given[0]}"
        done = subprocess.run(
            [sys.executable, "-m", "samebytes", "bind", *given, "--name", "par", "-o", str(out)],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        found = subprocess.run(
            [sys.executable, "-c", program], cwd=out, capture_output=True, text=True, check=True
        )
        assert found.stdout == "3\n"


def own_library(folder: Path) -> None:
    """A shared library ``libown.so``, a header of it, and what pkg-config is told."""
    (folder / "lib").mkdir()
    (folder / "include" / "own").mkdir(parents=True)
    (folder / "include" / "own" / "own.hpp").write_text("int answer();\nint scale();\n")
    (folder / "own.cpp").write_text("int answer() { return 42; }\nint scale() { return SCALE; }\n")
    command = [
        *find_compiler("c++").command,
        "-shared",
        "-fPIC",
        "-DSCALE=7",
        "own.cpp",
        "-o",
        "lib/libown.so",
    ]
    subprocess.run(command, cwd=folder, check=True)
    (folder / "own.pc").write_text(
        f"Name: own\nDescription: of a test\nVersion: 2.1\nCflags: -I{folder}/include -DOWN=3 -I{folder}/absent\n"
        f"Libs: -L{folder}/lib -lown -pthread -Wl,--as-needed\n"
    )


USE = "#include <own/own.hpp>\ninline int three() { return OWN; }\ninline int all() { return answer() + scale(); }"


FAST = """
import math, sys
import samebytes as sb
lib = sb.compile("inline double half(double x) { return x / 2; }", flags=[sys.argv[1]])
assert lib.half(4.0) == 2
print(math.ulp(0.0) > 0, float("1e-310") * 0.5 > 0)
"""


@pytest.mark.parametrize("flag", ["-Ofast", "-ffast-math", "-funsafe-math-optimizations", "-O3"])
def test_no_flag_changes_how_the_process_computes(flag: str) -> None:
    """GCC links code that flushes subnormal numbers to zero into what is linked with such flags."""
    done = subprocess.run([sys.executable, "-c", FAST, flag], capture_output=True, text=True, check=True)
    assert done.stdout == "True True\n"


def test_libraries_among_the_flags(tmp_path: Path) -> None:
    own_library(tmp_path)
    flags = [f"-I{tmp_path}/include", "-DOWN=3", f"-L{tmp_path}/lib", "-lown", "-Wl,--as-needed"]
    lib = sb.compile(USE, flags=flags)
    assert (lib.three(), lib.all()) == (3, 49)
    with pytest.warns(sb.BindWarning, match="which no source or library given defines"):
        assert sb.compile(USE, flags=flags[:2]).three() == 3
    with pytest.raises(sb.BindError, match=r"flags: .*/absent does not exist"):
        sb.compile(USE, flags=[f"-L{tmp_path}/absent"])


@pytest.mark.parametrize("given", [{"flags": ["-lnone-such"]}, {"libraries": ["none-such"]}])
def test_a_library_that_is_not_there_is_named(given: dict[str, Any]) -> None:
    with pytest.raises(sb.CompileError, match=r"^the linker finds no library 'none-such' \(library_dirs="):
        sb.compile("inline int f() { return 1; }", **given)


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    try:
        subprocess.run(["pkg-config", "--version"], check=True, capture_output=True)
    except OSError:
        pytest.skip("pkg-config is not installed")
    own_library(tmp_path)
    monkeypatch.setenv("PKG_CONFIG_PATH", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("given", [{"pkg": "own"}, {"pkg": ["own >= 2"]}, {"config": {"Packages": ["own"]}}])
def test_a_package_of_pkg_config(packages: Path, given: dict[str, Any]) -> None:
    lib = sb.compile(USE, **given)
    assert (lib.three(), lib.all()) == (3, 49)


def test_a_header_is_found_in_the_package(packages: Path) -> None:
    assert sb.bind("own/own.hpp", pkg=["own"]).answer() == 42
    command = [
        sys.executable,
        "-m",
        "samebytes",
        "bind",
        "own/own.hpp",
        "--pkg",
        "own",
        "-o",
        str(packages / "out"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    program = "import own; print(own.answer(), own.scale())"
    found = subprocess.run(
        [sys.executable, "-c", program], cwd=packages / "out", capture_output=True, text=True, check=True
    )
    assert found.stdout == "42 7\n"


@pytest.mark.parametrize(
    ("pkg", "words"),
    [
        (["owm"], "Did you mean 'own'"),
        (["own > 2.1"], r"version '2\.1'"),
        (["own", "owm"], "owm"),
        (["--version"], "is no package's name"),
        ([" "], "is no package's name"),
        ([5], "must be strings"),
    ],
)
def test_a_package_that_is_not_there_is_refused(packages: Path, pkg: list[Any], words: str) -> None:
    with pytest.raises(sb.BindError, match=words):
        sb.compile(USE, pkg=pkg)


def test_without_pkg_config_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PKG_CONFIG", os.devnull + "/none")
    with pytest.raises(sb.MissingDependency, match="apt install pkg-config"):
        sb.compile("int f();", pkg=["own"])
