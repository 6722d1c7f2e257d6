"""Texts in records that a number beside them measures are so many bytes: nothing behind them is read."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

HEADER = r"""
#include <stddef.h>
typedef struct { const char *data; size_t size; } view_t;
typedef struct { int key_len; int other; const char *key, *value; unsigned value_len; } pair_t;
typedef struct { const char *word; int count; const char *name; int n; const char *text; int maxlen; } plain_t;
typedef union { const char *data; size_t size; } either_t;
typedef struct { view_t first; view_t more[2]; } nested_t;
static const char BYTES[] = "ab\0cdMORE";
static inline view_t look(size_t n) { view_t v = {BYTES, n}; return v; }
static inline void fill(view_t *v, size_t n) { v->data = BYTES; v->size = n; }
static inline nested_t nest(void) { nested_t n = {{BYTES, 1}, {{BYTES, 2}, {BYTES, 4}}}; return n; }
static inline int sum(const view_t *v) { int s = 0; for (size_t i = 0; i < v->size; ++i) s += v->data[i]; return s; }
static inline pair_t pair(void) { pair_t p = {3, 0, BYTES, BYTES + 3, 2}; return p; }
static inline plain_t plain(void) { plain_t p = {"word", 99, "name", 99, "text", 99}; return p; }
static inline view_t none(void) { view_t v = {0, 7}; return v; }
"""
STYLES: tuple[dict[str, Any], ...] = ({"style": "c_api"}, {}, {"language": "c++"})


@pytest.fixture(scope="module", params=STYLES, ids=["c_api", "c", "c++"])
def lib(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Any:
    path = tmp_path_factory.mktemp("measured") / "measured.h"
    path.write_text(HEADER)
    return sb.bind(path, **{"language": "c", **request.param})


def _one(result: Any) -> Any:
    return result[0] if isinstance(result, tuple) else result


@pytest.mark.parametrize(("n", "data"), [(0, b""), (2, b"ab"), (4, b"ab\0c"), (9, b"ab\0cdMORE")])
def test_so_many_bytes(lib: Any, n: int, data: bytes) -> None:
    for made in (_one(lib.look(n)), lib.view_t()):
        lib.fill(made, n)
        assert (made.data, made.size, made["data"]) == (data, n, data)
        assert made.value.data == data
        assert repr(made) == f"view_t(data={data!r}, size={n})"
        assert copy.copy(made).data == data
        assert made == copy.copy(made)


def test_which_texts_are_measured(lib: Any) -> None:
    pair, plain = _one(lib.pair()), _one(lib.plain())
    assert (pair.key, pair.value) == (b"ab\0", b"cd")
    assert (plain.word, plain.name, plain.text) == ("word", "name", "text")
    assert _one(lib.none()).data is None


def test_nested(lib: Any) -> None:
    nested = _one(lib.nest())
    assert nested.first.data == b"a"
    assert [v.data for v in nested.more] == [b"ab", b"ab\0c"]
    assert nested.value.first.data == b"a"


def test_fields_that_share_their_bytes_measure_nothing(lib: Any) -> None:
    assert lib.either_t(size=0).data is None


def test_what_is_set_is_measured_by_what_is_set(lib: Any) -> None:
    view = lib.view_t()
    view.data = b"a\0b"
    assert (view.data, view.size) == (b"", 0)  # its size is the user's to set
    view.size = 3
    assert (view.data, _one(lib.sum(view))) == (b"a\0b", ord("a") + ord("b"))
    view.data = "ÿ"
    view.size = 2
    assert view.data == "ÿ".encode()
    made = lib.view_t(data=b"x\0y", size=3)
    assert (made.data, made.replace(size=1).data) == (b"x\0y", b"x")
    made.data = None
    assert made.data is None


def test_no_more_is_read_than_was_set(lib: Any) -> None:
    for text in (b"ab", "ab", b"a\0", b"", "", "ÿ\U0001f600"):
        view = lib.view_t(text, 1000)
        whole = (text.encode() if isinstance(text, str) else text) + b"\0"
        assert view.data == view.value.data == whole
        assert view == copy.copy(view)
        view.data = text
        assert view.data == whole


def test_objects_of_cxx() -> None:
    lib: Any = sb.compile("""
    #include <cstddef>
    struct Text { const char *data = "ab\\0cMORE"; std::size_t size = 4; ~Text() {} int count() const { return 1; } };
    """)
    it = lib.Text()
    assert (it.data, it.size) == (b"ab\0c", 4)
    it.data = b"x\0y"
    assert it.data == b"x\0y\0"  # no more than was set
    it.size = 3
    assert it.data == b"x\0y"


def test_an_address_is_believed(lib: Any) -> None:
    held = bytearray(b"held\0more")
    view = lib.view_t()
    view.data, view.size = sb.Pointer(held), 9
    assert view.data == bytes(held)
    other = lib.view_t()
    other.data, other.size = view.data, 4
    assert other.data == b"held"


def test_a_pointer_is_not_pickled(lib: Any) -> None:
    with pytest.raises((sb.Error, TypeError)):
        pickle.dumps(lib.view_t(b"ab", 2))


def test_stubs_say_bytes(lib: Any, tmp_path: Path) -> None:
    from samebytes.loading.stubs import stub_text

    text = stub_text(lib, "measured.h")
    assert "data: bytes | None" in text
    assert "word: str | None" in text
