"""Two libraries of one name in one process: the dynamic linker takes the first for both, so the second is refused."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import samebytes as sb
from samebytes.toolchain.compilers import find_compiler

Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path, request: pytest.FixtureRequest) -> Make:
    """Builds a shared library in a folder, whose function gives a number, under a name that only this test has."""
    name = f"namesake{abs(hash(request.node.name))}"

    def build(folder: str, answer: int, *, soname: str = "") -> Path:
        root = tmp_path / folder
        root.mkdir(exist_ok=True)
        (root / "own.hpp").write_text(f"int answer();\n// {folder} {answer}\n")
        (root / "own.cpp").write_text(f"int answer() {{ return {answer}; }}\n")
        file = root / f"lib{name}.so"
        flags = (f"-Wl,-soname,{soname}",) if soname else ()
        command = [*find_compiler("c++").command, "-shared", "-fPIC", "own.cpp", "-o", "new.so", *flags]
        subprocess.run(command, cwd=root, check=True)
        os.replace(root / "new.so", root / soname if soname else file)
        if soname and not file.is_symlink():
            file.symlink_to(soname)
        return file

    return build


def by_path(file: Path) -> int:
    return int(sb.bind(file.parent / "own.hpp", libraries=str(file)).answer())


def by_name(file: Path) -> int:
    name = file.stem.removeprefix("lib")
    return int(sb.bind(file.parent / "own.hpp", libraries=name, library_dirs=file.parent).answer())


def test_the_second_of_a_name_is_refused(make: Make) -> None:
    first, second, copy = make("a", 1), make("b", 2), make("c", 1)
    assert by_name(first) == 1
    with pytest.raises(sb.BindError, match=f"needs {second}, and this process has {first} under the name"):
        by_name(second)
    assert by_name(copy) == 1  # it has the bytes of the first


def test_its_advice_is_right(make: Make) -> None:
    first, second = make("a", 1), make("b", 2)
    assert by_name(first) == 1
    other = second.with_name(second.name.replace("lib", "libother"))
    second.rename(other)
    assert by_name(other) == 2


def test_a_name_that_a_library_gives_itself(make: Make) -> None:
    first, second = make("a", 1, soname="libnamesakes_own.so"), make("b", 2, soname="libnamesakes_own.so")
    assert by_path(first) == 1
    with pytest.raises(sb.BindError, match="-Wl,-soname"):
        by_path(second)


def test_a_name_with_a_version_is_a_promise(make: Make) -> None:
    """As of CUDA's runtime, which wheels and the system have: whichever is there will do."""
    first, second = make("a", 1, soname="libnamesakes.so.1"), make("b", 1, soname="libnamesakes.so.1")
    assert (by_path(first), by_path(second)) == (1, 1)
    make("a", 3, soname="libnamesakes.so.1")
    with pytest.raises(sb.BindError, match="was built again"):
        by_path(first)


def test_a_library_that_is_built_again(make: Make) -> None:
    file = make("a", 1)
    assert by_name(file) == 1
    make("a", 1)
    assert by_name(file) == 1
    make("a", 3)
    with pytest.raises(sb.BindError, match="was built again after this process loaded it"):
        by_name(file)
