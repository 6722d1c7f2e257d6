"""Formats are checked where an attribute or the function's own name says so, and can be left alone."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

HEADER = r"""
#include <stdarg.h>
#include <stdio.h>
static int own_printf(char *to, const char *text, ...) {
  va_list more; va_start(more, text); int n = vsprintf(to, text, more); va_end(more); return n;
}
static int told(char *to, const char *text, ...) __attribute__((format(printf, 2, 3)));
static int told(char *to, const char *text, ...) {
  va_list more; va_start(more, text); int n = vsprintf(to, text, more); va_end(more); return n;
}
/* Its letters are its own: "s" is a text, "i" a number. */
static int pack(int *total, const char *fmt, ...) {
  va_list more; va_start(more, fmt);
  for (*total = 0; *fmt; ++fmt) *total += *fmt == 'i' ? va_arg(more, int) : (int)sizeof(va_arg(more, char *));
  va_end(more); return 0;
}
"""


@pytest.fixture
def header(tmp_path: Path) -> Path:
    path = tmp_path / "unchecked.h"
    path.write_text(HEADER)
    return path


def test_a_name_of_a_parameter_says_nothing(header: Path) -> None:
    lib: Any = sb.bind(header, language="c")
    total = ctypes.c_int()
    assert lib.pack(total, "is", 5, "x") == 0
    assert total.value == 13


@pytest.mark.parametrize("function", ["own_printf", "told"])
def test_what_says_printf_is_checked(header: Path, function: str) -> None:
    lib: Any = sb.bind(header, language="c")
    room = ctypes.create_string_buffer(99)
    assert getattr(lib, function)(room, "%d", 7) == 1
    with pytest.raises(sb.ArgumentError, match="for %d"):
        getattr(lib, function)(room, "%d", "x")


@pytest.mark.parametrize("said", [True, ["told"]], ids=["all", "one"])
def test_a_check_can_be_left_out(header: Path, said: Any) -> None:
    lib: Any = sb.bind(header, language="c", unchecked_formats=said)
    room = ctypes.create_string_buffer(99)
    assert lib.told(room, "%d", 7, 8) == 1  # one more than the format asks for, which C ignores
    checked = said is not True
    if checked:
        with pytest.raises(sb.ArgumentError):
            lib.own_printf(room, "%d", 7, 8)
    else:
        assert lib.own_printf(room, "%d", 7, 8) == 1


def test_a_configuration_says_it_too(header: Path) -> None:
    lib: Any = sb.bind(header, language="c", config={"Unchecked Formats": ["told"]})
    assert lib.told(ctypes.create_string_buffer(9), "%d", 7, 8) == 1


def test_an_unknown_name_is_refused(header: Path) -> None:
    with pytest.raises(sb.BindError, match=r"unchecked_formats= names 'tolt'.*Did you mean 'told'"):
        sb.bind(header, language="c", unchecked_formats=["tolt"])


LISTS = r"""
static inline int many(const char *const *names) { int n = 0; while (names[n]) ++n; return n; }
static inline int places(void **items) { int n = 0; while (items[n]) ++n; return n; }
"""


@pytest.mark.parametrize("count", [0, 1, 2, 7, 300])
def test_lists_of_pointers_end_with_a_null(tmp_path: Path, count: int) -> None:
    (tmp_path / "ending.h").write_text(LISTS)
    lib: Any = sb.bind(tmp_path / "ending.h", style="c_api")
    for _ in range(3):
        assert lib.many([b"x"] * count) == count
        assert lib.many((b"x",) * count) == count
        assert lib.places([16] * count) == count
