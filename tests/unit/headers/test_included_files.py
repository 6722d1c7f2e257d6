"""The files that a parse reads are told by their canonical paths, whatever links lead to them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from samebytes.read.clang.parse import ParsedUnit, ParseRequest, parse

NAMES = (
    "a.h",
    "linked.h",
    "inner/b.h",
    "way/b.h",
    "way/../a.h",
    "absent.h",
    "absent/c.h",
    "inner/",
    "inner/..",
    "",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A header that includes others, one of them by a link to it and one through a link to its folder."""
    made = tmp_path_factory.mktemp("included")
    (made / "inner").mkdir()
    (made / "a.h").write_text("int a(void);\n")
    (made / "inner" / "b.h").write_text("int b(void);\n")
    (made / "linked.h").symlink_to("inner/b.h")
    (made / "way").symlink_to("inner")
    (made / "main.h").write_text(
        '#include "way/b.h"\n#include "linked.h"\n#include "way/../a.h"\n#include "a.h"\n'
    )
    return made


def parsed(path: Path, text: str | None = None) -> ParsedUnit:
    return parse(ParseRequest(str(path), text, "c", (), (), ()))


@pytest.mark.parametrize("main", ["main.h", "way/../main.h"])
def test_included(folder: Path, main: str) -> None:
    unit = parsed(folder / main)
    real = [os.path.realpath(found.include.name) for found in unit.tu.get_includes()]
    assert real.count(str(folder / "inner" / "b.h")) == 2
    own = os.path.realpath(folder / main)
    assert unit.included() == (str(folder / main), *dict.fromkeys(path for path in real if path != own))


def test_included_by_a_text(folder: Path) -> None:
    unit = parsed(folder / "main.h", '#include "a.h"\n')
    assert unit.included() == (str(folder / "main.h"), str(folder / "a.h"))


def test_real_paths(folder: Path) -> None:
    unit = parsed(folder / "a.h")
    for name in NAMES:
        path = os.path.join(folder, name)
        assert unit.real_path(path) == os.path.realpath(path)
    assert unit.real_path("here.h") == os.path.realpath("here.h")
