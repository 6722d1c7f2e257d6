"""Texts that go in with a length beside them: bytes may have NULs there, and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

SOURCE = """
#include <stddef.h>
static inline int sum(const char *s, int n) { int k = 0; for (int i = 0; i < n; ++i) k += s[i]; return k; }
static inline int unpack(const char *src, char *dst, int compressedSize, int dstCapacity) {
  for (int i = 0; i < compressedSize && i < dstCapacity; ++i) dst[i] = src[i];
  return compressedSize;
}
static inline int buffer(size_t length, const char *data) { return length ? data[length - 1] : 0; }
static inline int plain(const char *s, int flag) { return s ? s[0] + flag : -1; }
"""
LENGTHS = {"sum": ((), (3,)), "buffer": ((3,), ())}


@pytest.fixture(
    scope="module", params=[{}, {"style": "c_api"}, {"language": "c++"}], ids=["c", "c_api", "cxx"]
)
def lib(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    header = tmp_path_factory.mktemp("sizes") / "sizes.h"
    header.write_text(SOURCE)
    return sb.bind(header, name="sizes", **{"language": "c", **request.param})


def _one(result: Any) -> Any:
    return result[0] if isinstance(result, tuple) else result


@pytest.mark.parametrize("name", LENGTHS)
def test_bytes_with_nuls_where_a_length_goes_in(lib: Any, name: str) -> None:
    before, behind = LENGTHS[name]
    for _ in range(2):
        assert _one(getattr(lib, name)(*before, b"\0\0a", *behind)) == ord("a")


def test_a_length_further_away(lib: Any) -> None:
    room = bytearray(4)
    assert _one(lib.unpack(b"a\0b", room, 3, 4)) == 3
    assert room == b"a\0b\0"


@pytest.mark.parametrize(("name", "given"), [("plain", b"a\0b"), ("sum", "a\0b")])
def test_text_with_nuls_elsewhere(lib: Any, name: str, given: Any) -> None:
    with pytest.raises(sb.ArgumentError, match=r"NUL character; sb.Pointer"):
        getattr(lib, name)(given, 3)
    assert _one(lib.plain(sb.Pointer(b"a\0b", readonly=True), 1)) == ord("b")


def test_text_for_bytes_says_what_to_do() -> None:
    lib: Any = sb.compile("int first(const unsigned char* s) { return s[0]; }", language="c")
    with pytest.raises(sb.ArgumentError, match=r"x\.encode\(\) makes bytes of it"):
        lib.first("abc")
    assert lib.first(b"abc") == ord("a")
    room: Any = sb.compile("char first(char* s) { return s[0]; }", language="c")
    with pytest.raises(sb.ArgumentError, match=r"bytearray\(x\.encode\(\) \+ bytes\(1\)\)"):
        room.first("abc")
    assert room.first(bytearray(b"abc\0")) in ("a", ord("a"))
