"""Packages that were written once are read by each later samebytes: one of each format, as it was written then."""

from __future__ import annotations

import importlib
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import samebytes as sb
from samebytes.api.packaged import FORMAT, OLDEST_FORMAT, load
from samebytes.toolchain.headers import get_include

pytestmark = pytest.mark.full  # wheels are built and installed

PACKAGES = Path(__file__).parents[1] / "golden" / "packages"


@pytest.fixture(scope="module", params=range(OLDEST_FORMAT, FORMAT + 1))
def package(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The package of a format, its library compiled of the C++ that it came with."""
    home = tmp_path_factory.mktemp("formats") / f"shapes_{request.param}"
    shutil.copytree(PACKAGES / f"format_{request.param}", home)
    flags = ["-shared", "-fPIC", "-std=gnu++17", "-fvisibility=hidden", "-w", "-O0"]
    subprocess.run(
        ["g++", *flags, "-iquote", PACKAGES, "-I", get_include(), "shims.cpp", "report.cpp", "-o", "library.so"],
        cwd=home, check=True,
    )  # fmt: skip
    sys.path.insert(0, str(home.parent))
    yield importlib.import_module(home.name).shapes
    sys.path.remove(str(home.parent))


def test_values_and_functions(package: ModuleType) -> None:
    assert package.moved((1.0, 2.0)) == package.Point(2, 2)
    assert (package.corners, package.Colour.green) == (4, 2)
    assert (package.over(3), package.over(3.0)) == (3, -3.0)
    assert package.twice[int](4) == 8
    package.level = 2.5
    assert package.level == 2.5


def test_what_crosses_by_copy(package: ModuleType) -> None:
    assert package.total([1, 2.5]) == 3.5
    assert package.counted(["a", "b", "a"]) == {"a": 2, "b": 1}
    assert (package.maybe(True), package.maybe(False), package.both()) == (1, None, (1, "one"))


def test_callables_arrays_and_exceptions(package: ModuleType) -> None:
    import numpy as np

    assert package.called(lambda x: x * x, 1.5) == 2.25
    values = np.array([1.0, 2.0])
    package.doubled(values, 2)
    assert values.tolist() == [2, 4]
    with pytest.raises(IndexError, match="no such shape"):
        package.failing()


def test_classes(package: ModuleType) -> None:
    shape = package.Shape("a")
    shape += "b"
    assert (shape.name(), shape == package.Shape("ab"), package.Shape.made()) == ("ab", True, 7)
    square = package.Square(3)
    square.side = 2
    assert (package.area_of(square), square.name()) == (4, "square")
    assert isinstance(square, package.Shape)
    assert package.made(5).area() == 25


@pytest.mark.parametrize(
    ("format", "words"),
    [
        (FORMAT + 1, "by a later samebytes, and this one reads formats up to .*pip install --upgrade"),
        (OLDEST_FORMAT - 1, "run `samebytes bind` again"),
    ],
)
def test_other_formats_are_refused_before_anything_is_read(format: int, words: str) -> None:
    with pytest.raises(sb.BindError, match=words):
        load("no_such_package", "/nowhere/__init__.py", format=format, words_of_tomorrow=1)
