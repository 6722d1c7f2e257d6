"""In style="c_api", texts that come out with their length are so many bytes: nothing behind them is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

HEADER = r"""
#include <stddef.h>
typedef enum { OK, BAD } st;
static st GetValue(const char **value, int other, int *value_len) {
  *value = "ab\0cdMORE"; *value_len = other; return other < 9 ? OK : BAD;
}
static const char *iter_key(int h, size_t *klen) { *klen = h; return h ? "ab\0cdMORE" : 0; }
static st GetPair(const char **key, size_t *key_size, const char **text) {
  *key = "keyMORE"; *key_size = 3; *text = "whole"; return OK;
}
static st GetName(const char **name) { *name = "abc"; return OK; }
static const char *with_error(int h, int *error) { *error = h; return "whole"; }
static const char *negative(int h, int *length) { *length = -1; return "whole"; }
"""
ROWS: list[tuple[str, tuple[int, ...], tuple[Any, ...]]] = [
    ("GetValue", (3,), (0, b"ab\0", 3)),
    ("GetValue", (0,), (0, b"", 0)),
    ("iter_key", (4,), (b"ab\0c", 4)),
    ("iter_key", (0,), (None, 0)),
    ("GetPair", (), (0, b"key", 3, "whole")),
    ("GetName", (), (0, "abc")),
    ("with_error", (4,), ("whole", 4)),
    ("negative", (1,), (b"whole", -1)),
]


@pytest.fixture(scope="module")
def header(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("texts") / "texts.h"
    path.write_text(HEADER)
    return path


@pytest.mark.parametrize(("name", "args", "results"), ROWS, ids=[f"{r[0]}{r[1]}" for r in ROWS])
def test_results(header: Path, name: str, args: tuple[int, ...], results: tuple[Any, ...]) -> None:
    lib = sb.bind(header, style="c_api")
    for _ in range(2):
        assert getattr(lib, name)(*args) == results


def test_beside_checked_statuses(header: Path) -> None:
    lib: Any = sb.bind(header, style="c_api", check=True)
    assert lib.GetValue(3) == (b"ab\0", 3)
    assert lib.GetName() == "abc"
    with pytest.raises(sb.StatusError, match="BAD"):
        lib.GetValue(9)
