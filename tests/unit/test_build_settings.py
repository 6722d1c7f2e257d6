"""Settings that others state: CMake's packages, a project's compilation database, prefixes and conda's environments."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb
from samebytes.toolchain.cmake import _program
from samebytes.toolchain.compilers import find_compiler

pytestmark = pytest.mark.full  # it takes long

USE = "#include <own/own.hpp>\ninline int three() { return OWN; }\ninline int all() { return answer() + scale(); }"
CONFIG = """
set(own_VERSION 2.1)
if("lines" IN_LIST own_FIND_COMPONENTS)
  set(own_FOUND FALSE)
endif()
add_library(own::own SHARED IMPORTED)
get_filename_component(here "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set_target_properties(own::own PROPERTIES
  IMPORTED_LOCATION "${here}/lib/libown.so"
  INTERFACE_INCLUDE_DIRECTORIES "${here}/include"
  INTERFACE_COMPILE_DEFINITIONS "OWN=3;TEXT=\\"a b\\""
  INTERFACE_COMPILE_FEATURES cxx_std_20
  INTERFACE_LINK_LIBRARIES "-pthread")
add_library(own_plain INTERFACE IMPORTED)
set_target_properties(own_plain PROPERTIES INTERFACE_LINK_LIBRARIES own::own)
"""
VERSION = """
set(PACKAGE_VERSION 2.1)
if(NOT PACKAGE_FIND_VERSION VERSION_GREATER 2.1)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
"""


@pytest.fixture
def prefix(tmp_path: Path) -> Path:
    """An installation prefix: a shared library, its header, and what CMake and pkg-config are told."""
    root = tmp_path / "prefix"
    for inner in ("lib/cmake/own", "lib/pkgconfig", "include/own"):
        (root / inner).mkdir(parents=True)
    (root / "include/own/own.hpp").write_text("int answer();\nint scale();\n")
    (tmp_path / "own.cpp").write_text("int answer() { return 42; }\nint scale() { return 7; }\n")
    command = [
        *find_compiler("c++").command,
        "-shared",
        "-fPIC",
        "own.cpp",
        "-o",
        str(root / "lib/libown.so"),
    ]
    subprocess.run(command, cwd=tmp_path, check=True)
    (root / "lib/cmake/own/ownConfig.cmake").write_text(CONFIG)
    (root / "lib/cmake/own/ownConfigVersion.cmake").write_text(VERSION)
    (root / "lib/pkgconfig/own.pc").write_text(
        f"Name: own\nDescription: of a test\nVersion: 2.1\nCflags: -I{root}/include -DOWN=3\nLibs: -L{root}/lib -lown\n"
    )
    return root


@pytest.fixture
def cmake(prefix: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    if _program() is None:
        pytest.skip("CMake is not installed")
    monkeypatch.setenv("CMAKE_PREFIX_PATH", str(prefix))
    return prefix


@pytest.mark.parametrize(
    "given",
    [
        {"cmake": "own::own"},
        {"cmake": ["own::own >= 2"]},
        {"cmake": ["own own_plain"]},
        {"config": {"CMake Packages": ["own::own"]}},
    ],
    ids=str,
)
def test_a_target_of_cmake(cmake: Path, given: dict[str, Any]) -> None:
    lib = sb.compile(
        f"{USE}\ninline long std_() {{ return __cplusplus; }}\ninline auto text() {{ return TEXT; }}", **given
    )
    assert (lib.three(), lib.all(), lib.text()) == (3, 49, "a b")
    assert lib.std_() >= 202002  # a feature that the target asks of those who use it


def test_flags_of_the_environment_are_not_the_package_s(cmake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXXFLAGS", "-DOWN=9")
    assert sb.compile(USE, cmake="own::own").three() == 3


@pytest.mark.parametrize(
    ("cmake_", "words"),
    [
        (["owm::own"], r"no package 'owm'\. Did you mean 'own'\?.*CMAKE_PREFIX_PATH"),
        (["own::owm"], r"own 2\.1 has no target 'own::owm'; it has own::own.*Did you mean 'own::own'\?"),
        (["own::lines"], r"CMake finds own 2\.1, without what 'own::lines' is of"),
        (["own::own >= 3"], r"from 3 on, and CMake finds version 2\.1"),
        (["own"], "'own' is no target's name; a target is named as CMake does"),
        (["own::own) message("], "is no target's name"),
        ([""], "is no target's name"),
        ([5], "must be strings"),
    ],
    ids=str,
)
def test_a_target_that_is_not_there_is_refused(cmake: Path, cmake_: list[Any], words: str) -> None:
    with pytest.raises(sb.BindError, match=words):
        sb.compile(USE, cmake=cmake_)


def test_without_cmake_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CMAKE", os.devnull + "/none")
    with pytest.raises(sb.MissingDependency, match="apt install cmake"):
        sb.compile("int f();", cmake=["own::own"])


def bind_command(folder: Path, *words: str) -> str:
    """What a package says that ``samebytes bind`` writes."""
    command = [sys.executable, "-m", "samebytes", "bind", "own/own.hpp", *words, "-o", str(folder / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stderr
    program = "import own; print(own.answer(), own.scale())"
    found = subprocess.run(
        [sys.executable, "-c", program], cwd=folder / "out", capture_output=True, text=True, check=True
    )
    return found.stdout


def test_cmake_by_the_command_line(cmake: Path, tmp_path: Path) -> None:
    assert bind_command(tmp_path, "--cmake", "own::own") == "42 7\n"


def test_prefixes(prefix: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sb.bind("own/own.hpp", prefixes=prefix, libraries="own").answer() == 42
    assert bind_command(tmp_path, "--prefix", str(prefix), "-l", "own") == "42 7\n"
    monkeypatch.setenv("CONDA_PREFIX", str(prefix))
    with pytest.raises(sb.BindError, match="no conda environment is active"):
        sb.bind("own/own.hpp", prefixes="conda", libraries="own")
    (prefix / "conda-meta").mkdir()
    assert sb.bind("own/own.hpp", prefixes="conda", libraries="own").scale() == 7
    assert sb.bind("own/own.hpp", config={"Prefixes": "conda", "Libraries": "own"}).scale() == 7
    with pytest.raises(sb.BindError, match="prefixes='conda' has one"):
        sb.bind("own/own.hpp")


@pytest.mark.parametrize("option", ["pkg", "cmake"])
def test_prefixes_are_where_packages_are(prefix: Path, option: str) -> None:
    if (shutil.which("pkg-config") if option == "pkg" else _program()) is None:
        pytest.skip(f"{option}: the program is not installed")
    given: dict[str, Any] = {"pkg": {"pkg": "own"}, "cmake": {"cmake": "own::own"}}[option]
    assert sb.compile(USE, prefixes=[prefix], **given).all() == 49


@pytest.mark.parametrize(
    ("inner", "words"),
    [("absent", "is no folder"), ("include", "neither a folder include nor lib; .*prefix' may be meant")],
)
def test_what_is_no_prefix_is_refused(prefix: Path, inner: str, words: str) -> None:
    with pytest.raises(sb.BindError, match=words):
        sb.compile("int f();", prefixes=prefix / inner)


HEADER = """#include "width.hpp"
inline int width() { return WIDTH * SCALE; }
inline long std_() { return __cplusplus; }
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of three sources, the last of which is compiled unlike the others."""
    for inner in ("src", "inc", "build", "other"):
        (tmp_path / inner).mkdir()
    (tmp_path / "inc/width.hpp").write_text("#define WIDTH 6\n")
    for name in ("shape", "line"):
        (tmp_path / f"src/{name}.cpp").write_text("int f() { return 1; }\n")
        (tmp_path / f"src/{name}.hpp").write_text(HEADER)
    (tmp_path / "src/loose.hpp").write_text(HEADER)
    (tmp_path / "other/far.cpp").write_text("int g() { return 1; }\n")
    (tmp_path / "other/near.hpp").write_text(HEADER)
    common = "-I../inc -std=gnu++20 -Werror -O2 -MD -MF x.d -o x.o"
    entries = [
        entry("../src/shape.cpp", f"ccache g++ -DSCALE=2 {common} -c ../src/shape.cpp"),
        entry("../src/line.cpp", ["/usr/bin/c++", "-D", "SCALE=3", *common.split(), "-c", "../src/line.cpp"]),
        entry("../other/far.cpp", f"g++ -DSCALE=5 {common} -c ../other/far.cpp"),
    ]
    (tmp_path / "build/compile_commands.json").write_text(json.dumps(entries))
    (tmp_path / "project.yaml").write_text("Entry Point: src/shape.hpp\nCompile Commands: build\n")
    return tmp_path


def entry(file: str, command: str | list[str]) -> dict[str, Any]:
    return {"directory": ".", "file": file, "command" if isinstance(command, str) else "arguments": command}


@pytest.mark.parametrize(
    ("header", "where", "width"),
    [
        ("src/shape.hpp", "build", 12),
        ("src/shape.hpp", "build/compile_commands.json", 12),
        ("src/line.hpp", "build", 18),
        ("other/near.hpp", "build", 30),
        ("src/loose.hpp", "build#far.cpp", 30),
        ("src/loose.hpp", "build#src/line.cpp", 18),
    ],
)
def test_the_flags_of_a_project_s_build(project: Path, header: str, where: str, width: int) -> None:
    lib = sb.bind(project / header, compile_commands=project / where)
    assert (lib.width(), lib.std_()) == (width, 202002)


def test_flags_that_are_given_count(project: Path) -> None:
    given = {"compile_commands": project / "build", "flags": ["-USCALE", "-DSCALE=1"], "std": "c++17"}
    lib = sb.bind(project / "src/shape.hpp", **given)
    assert (lib.width(), lib.std_()) == (6, 201703)


def test_a_source_and_a_configuration(project: Path) -> None:
    (project / "src/shape.cpp").write_text(HEADER.replace("inline ", ""))
    assert sb.compile(project / "src/shape.cpp", compile_commands=project / "build").width() == 12
    assert sb.bind(config=project / "project.yaml").width() == 12
    command = [sys.executable, "-m", "samebytes", "explain", "src/line.hpp", "--compile-commands", "build"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "width" in done.stdout


DATABASES: dict[str, tuple[str, str]] = {
    "absent": ("", "does not exist; CMake writes one with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON"),
    "no JSON": ("[", "is no JSON"),
    "no list": ("{}", "is no list of compilations"),
    "no command": (
        '[{"directory": ".", "file": "a.cpp"}]',
        "entry 0 lacks its directory, its file, or its command",
    ),
    "another driver": (
        '[{"directory": ".", "file": "a.cpp", "command": "clang-cl /c a.cpp"}]',
        "whose flags are not those of g",
    ),
}


@pytest.mark.parametrize("name", DATABASES)
def test_what_is_no_database_is_refused(tmp_path: Path, name: str) -> None:
    text, words = DATABASES[name]
    if text:
        (tmp_path / "compile_commands.json").write_text(text)
    with pytest.raises(sb.BindError, match=words):
        sb.compile("int f();", compile_commands=tmp_path)


@pytest.mark.parametrize(
    ("where", "words"),
    [
        (
            "build",
            r"no entry for .*loose.hpp, and compiles .* with different flags .*compile_commands='.*#\w+\.cpp'",
        ),
        ("build#lime.cpp", "Did you mean 'line.cpp'"),
    ],
)
def test_which_source_is_meant_is_asked(project: Path, where: str, words: str) -> None:
    with pytest.raises(sb.BindError, match=words):
        sb.bind(project / "src/loose.hpp", compile_commands=f"{project}/{where}")
