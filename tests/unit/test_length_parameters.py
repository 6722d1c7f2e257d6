"""Which parameter measures which: a table of declarations as real libraries have them, and what callbacks get then."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb
from samebytes.types import Function, Pointer

# (what declares such a callback, its parameters, the texts that have a length: the rest end with a NUL)
CALLBACKS = [
    ("expat XML_CharacterDataHandler", "void *userData, const char *s, int len", {"s": ["len"]}),
    ("expat XML_ProcessingInstructionHandler", "void *userData, const char *target, const char *data", {}),
    (
        "expat XML_EntityDeclHandler",
        "void *userData, const char *entityName, int is_parameter_entity, const char *value, int value_length, "
        "const char *base, const char *systemId",
        {"value": ["value_length"]},
    ),
    ("http_parser http_data_cb", "void *parser, const char *at, size_t length", {"at": ["length"]}),
    (
        "libgit2 git_transport_message_cb",
        "const char *str, int len, void *payload",
        {"str": ["len"]},
    ),
    ("libgit2 git_checkout_progress_cb", "const char *path, size_t completed, size_t total, void *payload", {}),
    ("fwrite, as a callback", "const char *ptr, size_t size, size_t nmemb, void *user", {"ptr": ["size", "nmemb"]}),
    ("libpq PQnoticeProcessor", "void *arg, const char *message", {}),
    ("sqlite3 xAuth", "void *, int, const char *, const char *, const char *, const char *", {}),
    ("sqlite3 update hook", "void *, int op, const char *db, const char *table, long long rowid", {}),
    ("sqlite3 xCompare, with text", "void *, int nA, const char *a, int nB, const char *b",
     {"a": ["nA"], "b": ["nB"]}),
    ("sqlite3 collation, with text", "void *, int nKey1, const char *pKey1, int nKey2, const char *pKey2",
     {"pKey1": ["nKey1"], "pKey2": ["nKey2"]}),
    ("a directory's entries", "const char *path, size_t size", {}),
    ("a name and how often it was met", "const char *name, int count", {}),
    ("two texts, two lengths", "const char *key, const char *value, int key_len, int value_len",
     {"key": ["key_len"], "value": ["value_len"]}),
    ("lengths before", "size_t name_len, const char *name, unsigned data_len, const char *data",
     {"name": ["name_len"], "data": ["data_len"]}),
    ("the nearest text", "const char *format, const char *text, unsigned long n", {"text": ["n"]}),
    ("a number that is none", "const char *text, int line", {}),
    ("a number of its own", "const char *text, int flags, int len", {}),
    ("by its prefix", "const char *pszText, int other, int cbText", {"pszText": ["cbText"]}),
    ("no number", "const char *text, double length", {}),
    ("a place for a length", "const char *text, size_t *length", {}),
]  # fmt: skip


def _names(parameters: str) -> list[str]:
    return [p.strip().split()[-1].lstrip("*") for p in parameters.split(",")]


@pytest.mark.parametrize(
    ("parameters", "texts"), [row[1:] for row in CALLBACKS], ids=[row[0] for row in CALLBACKS]
)
def test_which_number_measures_a_text(parameters: str, texts: dict[str, list[str]]) -> None:
    described = sb.as_type(f"void (*)({parameters})")
    assert isinstance(described, Pointer)
    assert isinstance(described.pointee, Function)
    names = _names(parameters)
    found = {
        names[i]: [names[j] for j in argument.measured]
        for i, argument in enumerate(described.pointee.arguments)
        if argument.measured
    }
    assert found == texts


SOURCE = r"""
#include <cstddef>
#include <functional>
#include <string>
typedef void (*piece)(void *user, const char *s, int len);
typedef void (*line)(void *user, const char *s, int lineno);
typedef void lump(const char *data, size_t n);
typedef void (*outer)(void (*inner)(const char *s, int len));
struct Handlers { void (*on_text)(const char *s, size_t size); piece on_piece; piece more[2]; };
inline void by_typedef(piece f, int n) { f(nullptr, "ab\0cdEVIL", n); }
inline void same_type(line f) { f(nullptr, "whole", 2); }
inline void inline_type(void (*f)(const char *z, long zlen)) { f("ab\0EVIL", 3); }
inline void function_type(lump *f) { f("xyEVIL", 2); }
inline void null(piece f) { f(nullptr, nullptr, 4); }
inline void product(size_t (*f)(const char *at, size_t size, size_t nmemb)) { f("abcdefEVIL", 2, 3); }
inline void unnamed(void (*f)(const char *, int)) { f("text", 2); }
inline void of_field(const Handlers *h) { h->on_text("abEVIL", 2); h->on_piece(nullptr, "cEVIL", 1); }
inline void function_object(std::function<void(const char *s, int len)> f) { f("fnEVIL", 2); }
inline std::string object_result(std::function<std::string(const char *s, int len)> f) { return f("obEVIL", 2); }
inline void nested(outer f) { f([](const char *s, int len) { }); }
extern piece hook;
inline void run_hook() { hook(nullptr, "hookEVIL", 4); }
piece hook;
inline void over(void (*f)(const char *s, int len), int n) { f("overEVIL", n); }
"""


@pytest.fixture(scope="module")
def lib() -> sb.Library:
    return sb.compile(SOURCE)


ROWS: list[tuple[str, tuple[Any, ...], list[Any]]] = [
    ("by_typedef", (5,), [None, b"ab\0cd", 5]),
    ("by_typedef", (0,), [None, b"", 0]),
    ("by_typedef", (-1,), [None, b"ab", -1]),
    ("same_type", (), [None, "whole", 2]),
    ("inline_type", (), [b"ab\0", 3]),
    ("function_type", (), [b"xy", 2]),
    ("null", (), [None, None, 4]),
    ("product", (), [b"abcdef", 2, 3]),
    ("unnamed", (), ["text", 2]),
    ("function_object", (), [b"fn", 2]),
    ("object_result", (), [b"ob", 2]),
    ("over", (4,), [b"over", 4]),
]


@pytest.mark.parametrize(("name", "args", "shown"), ROWS, ids=[f"{r[0]}{r[1]}" for r in ROWS])
def test_what_a_callback_gets(lib: Any, name: str, args: tuple[Any, ...], shown: list[Any]) -> None:
    got: list[Any] = []
    result: Any = 0 if name == "product" else "" if name == "object_result" else None

    def take(*values: Any) -> Any:
        got.extend(v or None if isinstance(v, sb.Pointer) else v for v in values)
        return result

    getattr(lib, name)(take, *args)
    assert got == shown


def test_fields_variables_and_classes(lib: Any) -> None:
    got: list[Any] = []
    lib.of_field(lib.Handlers(on_text=lambda *v: got.append(v), on_piece=lambda user, *v: got.append(v)))
    lib.hook = lambda user, *v: got.append(v)
    lib.run_hook()
    lib.by_typedef(lib.piece(lambda user, *v: got.append(v)), 2)
    assert got == [(b"ab", 2), (b"c", 1), (b"hook", 4), (b"ab", 2)]


def test_the_type_of_a_callback_decides(lib: Any) -> None:
    """Where a header's names mislead, the user says the type."""
    got: list[Any] = []
    for written in ("const char *s, int len", "const char *, int", "const void *, int"):
        lib.over(sb.callback(lambda text, n: got.append(text), f"void(*)({written})"), 4)
    assert got[:2] == [b"over", "overEVIL"]
    assert isinstance(got[2], sb.Pointer)
