"""Options that mean nothing to who calls are refused in words; the table of them has every option of bind()."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.options import ASKED, OPTIONS, Plain, write_header
from tests.tables import each

import samebytes as sb
from samebytes.make import options
from samebytes.make.applicability import CALLERS, PACKAGE, UNUSED, unused
from samebytes.toolchain.cuda import find_nvrtc
from samebytes.tools.cli import main

# A value of each option that is refused somewhere.
GIVEN: dict[str, Any] = {
    "arch": "sm_90", "language": "c", "libraries": ["m"], "library_dirs": ["."], "sources": [__file__],
    "library": "libm.so.6", "sanitize": "address", "holders": ["Holder"],
    "arg_intent": {"doubled": {"out": "out_return"}}, "owns": {"made": None}, "keeps": {"doubled": [0, 1]},
    "counts": {"plain::at": "n"}, "types": {"plain": Plain}, "stub": "x.pyi", "nogil": True, "style": "c_api",
    "check": True, "allocations": {"made": {"pointer": "p", "size": "n", "memory": "host"}}, "texts": ["octet"],
    "eager": True, "unchecked_formats": ["doubled"],
}  # fmt: skip
PYTHONIZE = {"plain": {}}


def test_every_option_is_decided_for_every_caller() -> None:
    """A new option needs a row in the table, or a proof in tests/options.py that it is heeded, for each caller."""
    assert [*inspect.signature(sb.bind).parameters][1:] == [*options.OPTIONS] == [*OPTIONS]
    assert {*ASKED, "package"} == {*CALLERS}
    assert {*UNUSED} - {"Pythonize"} == {*GIVEN} <= {*OPTIONS}
    for rows in UNUSED.values():
        callers = [caller for row in rows for caller in row.callers]
        assert len(callers) == len({*callers})
        assert {*callers} <= {*CALLERS}


CELLS = [(o, c) for o in UNUSED for c in ASKED if unused(o, c) and not (o == "style" and "style" in ASKED[c])]


@each("cell", CELLS)
def test_what_means_nothing_is_refused(cell: tuple[str, str], tmp_path: Path) -> None:
    option, caller = cell
    why = unused(option, caller)
    given = {"config": {"Pythonize": PYTHONIZE}} if option == "Pythonize" else {option: GIVEN[option]}
    header = write_header(tmp_path, caller)
    asked = {**ASKED[caller], **given}
    said = "language='c'" if option == "language" else f"{option}="
    words = f"{said} is not for {CALLERS[caller]}: {why}"
    with pytest.raises(sb.BindError) as error:
        sb.bind(header, **asked)
    assert str(error.value) == words
    if {*asked} <= {*options.OF_COMPILE}:
        with pytest.raises(sb.BindError) as error:
            sb.compile(header.read_text(), **asked)
        assert str(error.value) == words
    key = options.OPTIONS[option].key if option in options.OPTIONS else ""
    if key and option not in ("language", "sources"):
        with pytest.raises(sb.BindError) as error:
            sb.bind(header, **ASKED[caller], config={key: GIVEN[option]})
        assert str(error.value) == words


@each("cell", [(o, v) for o, option in options.OPTIONS.items() for v in ([option.default],)])
def test_a_default_is_refused_nowhere(cell: tuple[str, list[Any]]) -> None:
    option, (default,) = cell
    assert not options.OPTIONS[option].is_given(default)
    assert not options.OPTIONS[option].is_given([] if default == () else default)


PAIRS = (
    ({"target": "numba", "dialect": "cuda"}, "target='numba' is not for dialect='cuda'"),
    ({"target": "numba", "dialect": "sycl"}, "target='numba' is not for dialect='sycl'"),
    ({"target": "numba_cuda", "dialect": "hip"}, "target='numba_cuda' is not for dialect='hip'"),
    ({"target": "numba_cuda", "dialect": "sycl"}, "target='numba_cuda' is not for dialect='sycl'"),
    ({"target": "numba_cuda", "dialect": "opencl"}, "target='numba_cuda' is not for dialect='opencl'"),
    ({"target": "nobody", "dialect": "cuda"}, "target is 'host', 'numba', 'numba_cuda', got 'nobody'"),
    (
        {"target": "numba_cuda", "flags": ["-fmad=false"]},
        r"flags=\['-fmad=false'\] is not for target='numba_cuda'",
    ),
    ({"target": "numba_cuda", "flags": ["-lm"]}, r"flags=\['-lm'\] is not for target='numba_cuda'"),
    ({"target": "numba_cuda", "flags": ["-Wl,-z,now"]}, "flags=.* is not for target='numba_cuda'"),
    ({"target": "numba_cuda", "flags": ["-std=c++20"]}, r"flags=.*: std='c\+\+20' says it"),
)


@each("row", PAIRS)
def test_what_does_not_go_together_is_refused(row: tuple[dict[str, Any], str], tmp_path: Path) -> None:
    given, words = row
    with pytest.raises(sb.BindError, match=words):
        sb.compile("int f();", **given)


SUFFIXES = {
    **dict.fromkeys(
        ("host", "numba", "c_api"), (".cu", ".hip", ".o", ".a", ".so", ".txt", ".ii", ".s", ".hpp", "")
    ),
    "numba_cuda": (".c", ".S", ".o", ".ptx", ".cubin", ".ltoir", ".txt", ""),
}


def _has_nvrtc() -> bool:
    try:
        find_nvrtc()
    except sb.MissingDependency:
        return False
    return True


# What kernels of numba-cuda are asked is read by NVRTC's parser.
needs_nvrtc = pytest.mark.skipif(not _has_nvrtc(), reason="NVRTC is not installed")
DEVICE = "numba_cuda"


@needs_nvrtc
def test_sources_of_kernels_that_no_compiler_takes_are_refused(tmp_path: Path) -> None:
    _refuse_sources(DEVICE, tmp_path)


@each("caller", [caller for caller in SUFFIXES if caller != DEVICE])
def test_sources_that_no_compiler_takes_are_refused(caller: str, tmp_path: Path) -> None:
    _refuse_sources(caller, tmp_path)


def _refuse_sources(caller: str, tmp_path: Path) -> None:
    header = write_header(tmp_path, caller)
    for suffix in SUFFIXES[caller]:
        path = tmp_path / f"source{suffix}"
        path.write_text("")
        with pytest.raises(sb.BindError, match=f"source{suffix} is no source that is compiled for") as error:
            sb.bind(header, **ASKED[caller], sources=[path])
        assert ("libraries= links" in str(error.value)) == (
            suffix in (".o", ".a", ".so") and caller != "numba_cuda"
        )


# What the command line says of packages, and of which header.
OF_PACKAGES = (
    ("host", ("--arch", "sm_80"), "--arch is not for --target host"),
    ("numba", ("--arch", "sm_80"), "--arch is not for --target numba"),
    ("host", ("--check",), "--check is not for --target host"),
    ("numba_c_api", ("--check",), "--check is not for --target numba with --style c_api"),
    ("numba_cuda", ("--gil",), "--no-gil is not for --target numba_cuda: its functions run on the device"),
    ("numba_cuda", ("--check",), "--check is not for --target numba_cuda"),
    ("cuda", ("--no-gil",), "--no-gil is not for --dialect cuda: each launch releases the GIL"),
    ("sycl", ("--arch", "sm_80"), "--arch is not for --dialect sycl"),
)


@needs_nvrtc
@each("row", [row for row in OF_PACKAGES if row[0] == DEVICE])
def test_packages_of_kernels_refuse_what_means_nothing(
    row: tuple[str, tuple[str, ...], str], tmp_path: Path
) -> None:
    _refuse_of_package(row, tmp_path)


@each("row", [row for row in OF_PACKAGES if row[0] != DEVICE])
def test_packages_refuse_what_means_nothing(row: tuple[str, tuple[str, ...], str], tmp_path: Path) -> None:
    _refuse_of_package(row, tmp_path)


def _refuse_of_package(row: tuple[str, tuple[str, ...], str], tmp_path: Path) -> None:
    caller, said, words = row
    header = write_header(tmp_path, caller)
    spelled = [f"--{name}={value}" for name, value in ASKED[caller].items() if name != "arch"]
    done = CliRunner().invoke(main, ["bind", str(header), "-o", str(tmp_path), *spelled, *said])
    assert done.exit_code == 1
    assert words in " ".join(done.output.split())


def test_packages_have_some_options_otherwise() -> None:
    assert not unused("arch", "numba_cuda", PACKAGE.__eq__)
    assert unused("arch", "host", PACKAGE.__eq__)
    assert {option for option in UNUSED if unused(option, "package")} == {"types", "stub", "nogil", "eager"}
