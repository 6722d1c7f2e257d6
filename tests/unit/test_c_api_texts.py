"""Texts that come out with their length are so many bytes: nothing behind them is read."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
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


# What a user chose in plain style, its arguments and its results; C++ by reference, too.
PLAIN: tuple[tuple[str, dict[str, str], tuple[Any, ...], Any], ...] = (
    ("iter_key", {"klen": "out_return"}, (4,), (b"ab\0c", 4)),
    ("iter_key", {"klen": "out_return"}, (0,), (None, 0)),
    ("GetValue", {"value": "out_return", "value_len": "out_return"}, (3,), (0, b"ab\0", 3)),
    ("GetName", {"name": "out_return"}, (), (0, "abc")),
    ("with_error", {"error": "out_return"}, (4,), ("whole", 4)),
)


@pytest.mark.parametrize(("name", "intents", "args", "results"), PLAIN, ids=[f"{r[0]}{r[2]}" for r in PLAIN])
@pytest.mark.parametrize("language", ["c", "c++"])
def test_as_declared(
    header: Path, language: str, name: str, intents: dict[str, str], args: tuple[Any, ...], results: Any
) -> None:
    lib: Any = sb.bind(header, language=language, arg_intent={name: intents})
    for _ in range(2):
        assert getattr(lib, name)(*args) == results


def test_references() -> None:
    source = 'inline void view(const char *&text, int &text_len) { text = "ab\\0cMORE"; text_len = 4; }'
    lib: Any = sb.compile(source, arg_intent={"view": {"text": "out_return", "text_len": "out_return"}})
    assert lib.view() == (b"ab\0c", 4)


def test_overloads_read_up_to_a_nul() -> None:
    source = """
    inline const char *name(int, int *len) { *len = 2; return "whole"; }
    inline const char *name(double, int *len) { *len = 2; return "whole"; }
    """
    lib: Any = sb.compile(source, arg_intent={"name": {"len": "out_return"}})
    assert lib.name(1) == lib.name(1.0) == ("whole", 2)


# What a call gives for the place of a length, and what comes of it: so many bytes; up to the NUL where nobody knows.
PLACES: tuple[tuple[str, Any, Any], ...] = (
    ("an array", np.zeros(1, np.uint64), b"ab\0"),
    ("ctypes", ctypes.c_size_t(), b"ab\0"),
    ("an sb.Pointer", sb.Pointer(np.zeros(1, np.uint64)), b"ab\0"),
    ("nothing", None, b"ab"),
)
PLAIN_HEADER = r"""
#include <stddef.h>
static const char *iter_key(int h, size_t *klen) { if (klen) *klen = h; return h ? "ab\0cdMORE" : 0; }
static const char *value(int h, size_t *n) { if (n) *n = h; return h ? "ab\0cdMORE" : 0; }
static const char *text(int h, int *error) { if (error) *error = h; return "whole"; }
"""


@pytest.mark.parametrize(("place", "expected"), [p[1:] for p in PLACES], ids=[p[0] for p in PLACES])
@pytest.mark.parametrize("function", ["iter_key", "value"])
@pytest.mark.parametrize("language", ["c", "c++"])
def test_the_length_lies_where_the_caller_said(
    tmp_path: Path, language: str, function: str, place: Any, expected: Any
) -> None:
    (tmp_path / "plain_texts.h").write_text(PLAIN_HEADER)
    lib: Any = sb.bind(tmp_path / "plain_texts.h", language=language)
    for _ in range(2):
        assert getattr(lib, function)(3, place) == expected
    assert getattr(lib, function)(0, place) is None
    assert lib.text(1, None) == "whole"
    assert lib.text(1, np.zeros(1, np.int32)) == "whole"


def test_a_length_that_goes_in_is_read_there(header: Path) -> None:
    lib: Any = sb.bind(header, style="c_api", arg_intent={"iter_key": {"klen": "inout_ptr"}}, name="texts_in")
    length = np.zeros(1, np.uint64)
    assert lib.iter_key(3, length) == b"ab\0"
    assert length[0] == 3
