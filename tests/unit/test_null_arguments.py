"""Parameters that a header declares never null: what would be a crash in C is refused."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

import samebytes as sb

SOURCE = """
#define NEVER(...) __attribute__((__nonnull__(__VA_ARGS__)))
typedef struct { int x; } box;
typedef struct hidden_s *hidden;
static int calls;
int text(const char *s, int k) NEVER(1);
int text(const char *s, int k) { calls++; return s[k]; }
NEVER(1, 3) static inline int both(int *a, int *free, const box *b) { return a[0] + b->x + !free; }
__attribute__((nonnull)) static inline int all(int n, const double *a, const char *s) { return n + a[0] + s[0]; }
static inline int one(const unsigned char *a __attribute__((nonnull)), void *b) { return a[0] + !b; }
static inline int three(int a[3], box *b) NEVER(1);
static inline int three(int a[3], box *b) { return a[2] + !b; }
static inline int call(int (*f)(int), int x) NEVER(1);
static inline int call(int (*f)(int), int x) { return f(x); }
static inline int handle(hidden h) NEVER(1);
static inline int handle(hidden h) { return h != 0; }
static inline int any(const char *s) { return s ? s[0] : -1; }
"""
STYLES: dict[str, dict[str, Any]] = {
    "plain": {},
    "c_api": {"style": "c_api", "arg_intent": {"both": {"a": "in", "free": "in"}}},
    "cxx": {"language": "c++"},
}
ONE = np.ones(1, np.int32)
NULL = sb.Pointer(None)
# function, arguments that it takes, the index of one that is never null
CASES: dict[str, tuple[str, tuple[Any, ...], int]] = {
    "text": ("text", ("abc", 1), 0),
    "an array": ("both", (ONE, None, (4,)), 0),
    "a record": ("both", (ONE, None, (4,)), 2),
    "all, an array": ("all", (1, np.ones(1), "a"), 1),
    "all, a text": ("all", (1, np.ones(1), "a"), 2),
    "said at the parameter": ("one", (b"a", None), 0),
    "of a declared extent": ("three", (np.arange(3, dtype="i4"), None), 0),
    "a callback": ("call", (lambda x: x + 1, 2), 0),
    "a handle": ("handle", (sb.Pointer(8),), 0),
}


@pytest.fixture(scope="module", params=STYLES)
def lib(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    header = tmp_path_factory.mktemp("nulls") / "nulls.h"
    header.write_text(SOURCE)
    return sb.bind(header, name="nulls", **{"language": "c", **STYLES[request.param]})


def _given(lib: Any, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(lib.box(*a) if isinstance(a, tuple) else a for a in arguments)


@pytest.mark.parametrize("case", CASES)
def test_null_is_refused_where_it_is_declared_never_to_come(lib: Any, case: str) -> None:
    name, arguments, index = CASES[case]
    given = _given(lib, arguments)
    function = getattr(lib, name)
    function(*given)
    for null in (None, NULL) if case == "a callback" else (None, NULL, ctypes.c_void_p(None)):
        wrong = [*given]
        wrong[index] = null
        with pytest.raises(sb.ArgumentError, match=rf"{name}\(\) argument {index + 1} .*never null"):
            function(*wrong)
    function(*given)  # not learnt


def test_zero_is_no_address_either(lib: Any, request: pytest.FixtureRequest) -> None:
    if "c_api" not in request.node.name:
        assert lib.one(0, None) == 1  # one value, for a pointer to const
        return
    with pytest.raises(sb.ArgumentError, match=r"one\(\) argument 1"):
        lib.one(0, None)


def test_null_is_taken_elsewhere(lib: Any) -> None:
    result = lib.any(None)
    assert result == -1
    assert lib.three(np.arange(3, dtype="i4"), None) == 3


def test_extents_are_checked_as_before(lib: Any) -> None:
    with pytest.raises(sb.ArrayError, match="3 are declared"):
        lib.three(np.arange(2, dtype="i4"), None)


def test_glibc() -> None:
    libc: Any = sb.bind("string.h")
    assert libc.strlen("abc") == 3
    with pytest.raises(sb.ArgumentError, match=r"strlen\(\) argument 1 .*never null"):
        libc.strlen(None)
