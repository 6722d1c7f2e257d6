"""``expose=``: patterns of files and of names; one that means nothing is a warning that names the nearest."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import samebytes as sb


@pytest.fixture(scope="module")
def headers(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("patterns")
    other = tmp_path_factory.mktemp("other")  # another library, whose root the header does not lie under
    (other / "deep").mkdir()
    (other / "deep" / "parts.h").write_text(
        "inline int part(int x) { return x; }\n"
        "namespace ns { inline int inner(int x) { return x; } struct S { int a; }; }\n"
        "#define PARTS 3\n"
    )
    (folder / "whole.h").write_text('#include "deep/parts.h"\ninline int whole(int x) { return x; }\n')
    return folder / "whole.h", other


# The pattern, what is bound besides, and what the warning says; None: there is none.
ROWS = [
    ("parts.h", ["part", "ns", "PARTS"], None),
    ("*/deep/*", ["part", "ns"], None),
    ("part", ["part"], None),
    ("ns::*", ["ns"], None),
    ("ns::S", ["ns"], None),
    ("PARTS", ["PARTS"], None),
    ("whole.h", [], None),
    ("whole", [], None),
    ("part.h", [], "Did you mean 'parts.h'?"),
    ("deep/parts.h", [], "Did you mean 'parts.h'?"),
    ("ns::iner", [], "Did you mean 'ns::inner'?"),
    ("*.hpp", [], "matches no file and no declaration."),
    ("nothing_like_it", [], "matches no file and no declaration."),
]


@pytest.mark.parametrize(("pattern", "bound", "words"), ROWS)
def test_patterns(headers: tuple[Path, Path], pattern: str, bound: list[str], words: str | None) -> None:
    header, other = headers
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        lib = sb.bind(header, expose=["whole", pattern], include_dirs=[other], name="patterns")
    assert lib.whole(3) == 3
    names = set(dir(lib)) & {"part", "ns", "PARTS"}
    assert set(bound) <= names
    said = [str(w.message) for w in caught if "matches no file" in str(w.message)]
    assert len(said) == (words is not None)
    if words is not None:
        assert f"expose={pattern!r} matches no file and no declaration." in said[0]
        assert words in said[0]
        assert not names
