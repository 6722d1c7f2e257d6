"""``texts=``: pointers to constant bytes of a typedef, or what a function returns, are text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb

HEADER = r"""
#include <stddef.h>
#include <string.h>
typedef unsigned char xchar;
typedef const xchar *xtext;
typedef unsigned char byte_t;
typedef enum { OK } st;
static const unsigned char WORDS[] = "w\xC3\xB6rter";
static inline const xchar *word(void) { return WORDS; }
static inline xtext word_by_name(void) { return WORDS; }
static inline const unsigned char *column(int i) { return i ? WORDS : 0; }
static inline size_t length(const xchar *text) { return text ? strlen((const char *)text) : 0; }
static inline size_t length_by_name(xtext text) { return strlen((const char *)text); }
static inline st get(const xchar **text) { return *text = WORDS, OK; }
static inline st get_part(const xchar **text, int *text_len) { return *text = WORDS, *text_len = 3, OK; }
static inline int sum(const byte_t *data, int n) { int s = 0; while (n--) s += *data++; return s; }
static inline int fill(xchar *room) { return room[0] = 'X'; }
"""
TEXTS = ("xchar", "column")
# A function, its arguments, and its results in the style of C APIs.
ROWS: tuple[tuple[str, tuple[Any, ...], Any], ...] = (
    ("word", (), "wörter"),
    ("word_by_name", (), "wörter"),
    ("column", (1,), "wörter"),
    ("column", (0,), None),
    ("length", ("wört",), 5),
    ("length", (b"abc",), 3),
    ("length", (None,), 0),
    ("length_by_name", ("abc",), 3),
    ("get", (), (0, "wörter")),
    ("get_part", (), (0, b"w\xc3\xb6", 3)),
    ("sum", (np.array([1, 2], np.uint8), 2), 3),
)


@pytest.fixture(scope="module")
def header(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("named") / "named_texts.h"
    path.write_text(HEADER)
    return path


@pytest.mark.parametrize(("name", "args", "results"), ROWS, ids=[f"{r[0]}{len(r[1])}" for r in ROWS])
def test_bytes_that_are_text(header: Path, name: str, args: tuple[Any, ...], results: Any) -> None:
    lib: Any = sb.bind(header, style="c_api", texts=TEXTS)
    for _ in range(2):
        assert getattr(lib, name)(*args) == results


def test_in_every_style(header: Path) -> None:
    lib: Any = sb.bind(header, language="c", texts=["xchar"], name="plain_texts")
    assert (lib.word(), lib.length("abc")) == ("wörter", 3)
    assert isinstance(lib.column(1), sb.Pointer)
    configured: Any = sb.bind(header, language="c", config={"Texts": ["column"]}, name="configured_texts")
    assert configured.column(1) == "wörter"


def test_bytes_that_c_fills_stay_a_buffer(header: Path) -> None:
    lib: Any = sb.bind(header, style="c_api", texts=TEXTS)
    room = bytearray(b"abc")
    assert lib.fill(room) == ord("X")
    assert room == b"Xbc"
    with pytest.raises(sb.ArgumentError, match="NUL"):
        lib.length("a\0b")


def test_without_it_they_are_bytes(header: Path) -> None:
    lib: Any = sb.bind(header, style="c_api", name="bytes_alone")
    assert isinstance(lib.word()[0], sb.Pointer)
    with pytest.raises(sb.ArgumentError):
        lib.length("abc")


WRONG = (("xchr", "Did you mean 'xchar'?"), ("sum", "neither a typedef"), ("fill", "neither a typedef"))


@pytest.mark.parametrize(("name", "words"), WRONG, ids=[w[0] for w in WRONG])
def test_names_that_mean_nothing(header: Path, name: str, words: str) -> None:
    with pytest.raises(sb.BindError, match=re.escape(f"texts= names {name!r}") + ".*" + re.escape(words)):
        sb.bind(header, style="c_api", texts=[name])
