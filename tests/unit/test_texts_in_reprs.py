"""What a repr shows of texts: those of a record whose memory is gone are not read."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

SOURCE = """
#include <stddef.h>
typedef struct { int number; const char *name; const char *data; size_t data_len; const char *words[2]; } line;
struct outer { line inner; };
static inline line *wild(void) {
  static line l = {5, (const char *)24, (const char *)~7ul, 9, {"ok", (const char *)4097}};
  return &l;
}
"""


@pytest.fixture(scope="module", params=[{}, {"style": "c_api"}], ids=["plain", "c_api"])
def lib(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    header = tmp_path_factory.mktemp("reprs") / "lines.h"
    header.write_text(SOURCE)
    return sb.bind(header, language="c", name="lines", **request.param)


def test_texts_that_are_not_there(lib: Any) -> None:
    found = lib.wild()
    text = repr(found[0] if isinstance(found, tuple) else found)
    assert text.startswith(
        "line(number=5, name=<text at 0x18, which cannot be read>, data=<text at 0xfffffffffffffff8"
    )
    assert text.endswith("words=('ok', <text at 0x1001, which cannot be read>))")


def test_texts_that_are_there(lib: Any) -> None:
    made = lib.line(name="grüß", words=["a", None])
    assert repr(made).startswith("line(number=0, name='grüß', data=None, ")
    assert repr(made).endswith("words=('a', None))")
    assert repr(lib.line(name="x" * 5000)).count("x") == 4096
    assert "name='x'" in repr(lib.outer(inner=lib.line(name="x")))
    assert "name='x'" in repr(made.replace(name="x"))


def test_texts_with_their_lengths(lib: Any) -> None:
    made = lib.line(data="ab", data_len=2)
    assert f"data={made.data!r}, data_len=2" in repr(made)
