"""Macros that are constant pointers: each is an object of its type, at the address that the compiler gives it."""

from __future__ import annotations

import ctypes.util
import warnings
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

TYPES = """
#include <stddef.h>
#include <stdint.h>
typedef struct T_s *T;
typedef void (*dtor)(void *);
typedef struct rec { int a; } rec;
"""
# Name, text, and the class of what Python gets.
MACROS = [
    ("TRANSIENT", "((dtor)-1)", "dtor"),
    ("WRITTEN_OUT", "((void (*)(void *))-1)", "dtor"),
    ("STATIC", "((dtor)0)", "dtor"),
    ("SIG_LIKE", "((void (*)(int))1)", "FunctionPointer"),
    ("FAILED", "((void *)-1)", "Pointer"),
    ("NUL", "NULL", "Pointer"),
    ("NO_HANDLE", "((T)0)", "T_s"),
    ("BAD_HANDLE", "((T)(intptr_t)-2)", "T_s"),
    ("ADDRESS", "((unsigned char *)0x40000000UL)", "Pointer"),
    ("NARROWED", "((void *)(uintptr_t)(unsigned char)300)", "Pointer"),
    ("BY_SUM", "((void *)(0x1000 + 16))", "Pointer"),
    ("RECORD", "((rec *)8)", "Pointer"),
    ("TWICE", "FAILED", "Pointer"),
    ("CONST", "((const int *)64)", "Pointer"),
]
# What is no constant pointer stays what it was.
OTHERS = {
    "WORDS": ('"abc" "def"', "abcdef"),
    "CAST_TEXT": ('((const char *)"zz")', "zz"),
    "NUMBER": ("((short)-1)", -1),
}


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = Path(tmp_path_factory.mktemp("macros")) / "macros.h"
    texts = {name: text for name, text, _ in MACROS} | {name: text for name, (text, _) in OTHERS.items()}
    defined = "\n".join(f"#define {name} {text}" for name, text in texts.items())
    asked = "\n".join(
        f"static inline uintptr_t of_{n}(void) {{ return (uintptr_t){n}; }}" for n, _, _ in MACROS
    )
    path.write_text(
        f"{TYPES}\n{defined}\n#define CALLED called\n{asked}\nstatic inline int called(void) {{ return 7; }}\n"
        "static inline int is_transient(dtor f) { return f == TRANSIENT; }\n"
        "static inline int is_bad(T t) { return t == BAD_HANDLE; }\n"
    )
    return sb.bind(path, style="c_api")


@pytest.mark.parametrize(("name", "kind"), [(n, k) for n, _, k in MACROS], ids=[n for n, _, _ in MACROS])
def test_value_and_class(lib: Any, name: str, kind: str) -> None:
    made = getattr(lib, name)
    assert int(made) == getattr(lib, f"of_{name}")()
    assert type(made).__name__ == kind
    assert name not in "".join(map(str, lib.__skipped__))


def test_they_are_arguments(lib: Any) -> None:
    assert lib.is_transient(lib.TRANSIENT) == 1
    assert lib.is_transient(lib.STATIC) == 0
    assert lib.is_bad(lib.BAD_HANDLE) == 1
    with pytest.raises(sb.ArgumentError):
        lib.is_transient(lib.SIG_LIKE)


@pytest.mark.parametrize("name", OTHERS)
def test_other_constants(lib: Any, name: str) -> None:
    assert getattr(lib, name) == OTHERS[name][1]


def test_a_function_by_another_name_stays_one(lib: Any) -> None:
    assert lib.CALLED() == 7


@pytest.mark.skipif(
    not Path("/usr/include/sqlite3.h").exists() or ctypes.util.find_library("sqlite3") is None,
    reason="libsqlite3-dev is not installed",
)
def test_sqlite() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sb.BindWarning)  # those with a va_list, as far as the compiler tells
        lib: Any = sb.bind("sqlite3.h", library="libsqlite3.so.0", style="c_api")
    assert int(lib.SQLITE_TRANSIENT) == 2**64 - 1
    assert not lib.SQLITE_STATIC
    _, db = lib.sqlite3_open(":memory:")
    _, statement = lib.sqlite3_prepare_v2(db, "select ?1 || '!'", -1, None)
    assert lib.sqlite3_bind_text(statement, 1, "kept", -1, lib.SQLITE_TRANSIENT) == 0
    lib.sqlite3_step(statement)
    assert lib.sqlite3_column_text(statement, 0)[0] is not None
    lib.sqlite3_finalize(statement)
    lib.sqlite3_close(db)
