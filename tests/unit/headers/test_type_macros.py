"""Macros whose text is a type are second names of it, as typedefs are; other words are no declarations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.tables import each

import samebytes as sb

HEADER = """
#ifndef TYPES_H
#define TYPES_H
typedef unsigned u32;
#define ALIAS u32
#define U32 unsigned
#define ULONG unsigned long int
#define BYTE unsigned char
#define CFG struct cfg
#define ORDER enum order
#define PCFG struct cfg *
#define TEXT const char *
#define HANDLE void *
#define TEXTS TEXT const *
#define GONE struct cfg
#undef GONE
#define AHEAD struct ahead
#define STORAGE extern
#define CONST const
#define INLINE static inline
#define NOTHING void
#define INFINITE (1.0 / 0.0)
enum order { FIRST, SECOND };
struct cfg { int a; };
struct ahead;
static inline U32 sum(CFG c, ORDER o, TEXT t) { return c.a + o + (t[0] - '0'); }
#endif
"""
NUMBERS = {"ALIAS": np.uint32, "U32": np.uint32, "ULONG": np.uint64, "BYTE": np.uint8}
NAMED = {"PCFG": "pointer[cfg]", "TEXT": "pointer[const[char]]", "HANDLE": "pointer[void]"}
NONE = ("GONE", "STORAGE", "CONST", "INLINE", "NOTHING")


@pytest.fixture(scope="module", params=["c", "c++"])
def lib(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    header: Path = tmp_path_factory.mktemp("types") / "types.h"
    header.write_text(HEADER)
    return sb.bind(header, language=request.param)


def test_they_are_types(lib: Any) -> None:
    assert {name: getattr(lib, name) for name in NUMBERS} == NUMBERS
    assert (type(lib.CFG(1)), type(lib.SECOND)) == (lib.CFG, lib.ORDER)
    assert {name: str(getattr(lib, name)).partition(": ")[2].rstrip(">") for name in NAMED} == NAMED
    assert lib.sum(lib.CFG(3), lib.ORDER.SECOND, "2") == 6


@each("name", NONE)
def test_words_that_are_no_type_are_no_names(lib: Any, name: str) -> None:
    assert not hasattr(lib, name)
    assert (name in {skipped.name for skipped in lib.__skipped__}) == (name != "GONE")  # which is undefined


def test_what_is_declared_ahead_says_so(lib: Any) -> None:
    with pytest.raises(AttributeError, match="only its name is declared"):
        _ = lib.AHEAD


def test_what_no_constant_is_has_its_value(lib: Any) -> None:
    assert float("inf") == lib.INFINITE
