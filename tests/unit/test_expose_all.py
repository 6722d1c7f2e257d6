"""What ``expose=`` means is never what samebytes itself writes beside a header to read it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

HEADER = """
#define WORDS ((const char *)0)
#define NUMBER 5
static inline int twice(int x) { return 2 * x; }
"""


@pytest.mark.parametrize("pattern", ["*/alone/*", "*"])
def test_patterns_that_take_in_the_folder_of_the_header(tmp_path: Path, pattern: str) -> None:
    folder = tmp_path / "alone"
    folder.mkdir()
    (folder / "words.h").write_text(HEADER)
    lib: Any = sb.bind(folder / "words.h", language="c", expose=[pattern], name="exposed_words")
    assert lib.twice(lib.NUMBER) == 10
    assert not [name for name in dir(lib) if name.startswith("samebytes")]
