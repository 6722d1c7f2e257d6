"""Each header of the corpus yields exactly the model beside it, and g++ confirms every fact of that model.

``SAMEBYTES_BLESS=1`` writes the models anew; read the difference before you commit it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from samebytes.model.module import Module

pytestmark = pytest.mark.full  # it takes long

CORPUS = Path(__file__).parents[2] / "golden" / "headers"
HEADERS = sorted(p for p in CORPUS.iterdir() if p.suffix in (".h", ".hpp"))


def _directive(text: str, name: str) -> str:
    first = text.partition("\n")[0]
    return first.partition(f"{name}:")[2].partition(";")[0].strip()


@pytest.mark.parametrize("header", HEADERS, ids=lambda p: p.name)
def test_corpus(
    header: Path,
    read_header: Callable[..., Module],
    text_of: Callable[[Module], str],
    count: Callable[[Module], int],
    judge: Callable[..., None],
) -> None:
    text = header.read_text()
    flags = tuple(_directive(text, "flags").split())
    module = read_header(header, language=_directive(text, "language") or None, flags=flags)
    shown = text_of(module)
    expected = header.with_suffix(header.suffix + ".model")
    if os.environ.get("SAMEBYTES_BLESS"):
        expected.write_text(shown)
    assert shown == expected.read_text()
    assert module.exposed == count(module)
    if _directive(text, "judge") != "no":
        judge(module, header, flags)
