"""Text of Python's for wide characters that C++ only reads: what C++ sees is what g++ makes of the same literal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import samebytes as sb

SOURCE = r"""
#include <string>
#include <vector>
template <class C> std::vector<long> units(const C* s) {
  std::vector<long> all; for (; s && *s; ++s) all.push_back(static_cast<long>(*s)); return all; }
inline std::vector<long> wide(const wchar_t* s) { return units(s); }
inline std::vector<long> two(const char16_t* s) { return units(s); }
inline std::vector<long> four(const char32_t* const s) { return units(s); }
inline std::vector<std::vector<long>> literals() {
  return {units(L"%(text)s"), units(u"%(text)s"), units(U"%(text)s")}; }
inline int kind(const char*) { return 1; }
inline int kind(const wchar_t*) { return 2; }
inline int kind(double) { return 3; }
struct Label {
  std::wstring text; explicit Label(const wchar_t* s, int n = 1) { while (n-- > 0) text += s; }
  bool equals(const wchar_t* s) const { return text == s; }
  const wchar_t* show() const { return text.c_str(); }
};
inline const char16_t* back(const char16_t* s, int n) { return s + n; }
inline int writes(wchar_t* s) { return s != nullptr; }
"""
TEXT = "z\u00df\u6c34\U0001f34c"


@pytest.fixture(scope="module")
def lib() -> Any:
    escaped = TEXT.encode("ascii", "backslashreplace").decode().replace("\\xdf", "\\u00df")
    return sb.compile(SOURCE % {"text": escaped})


def test_units_are_those_of_the_same_literal(lib: Any) -> None:
    told = [lib.wide(TEXT).tolist(), lib.two(TEXT).tolist(), lib.four(TEXT).tolist()]
    assert told == [list(units) for units in lib.literals()]
    assert [len(lib.wide(x)) for x in ("", None, np.array([65, 0], np.int32))] == [0, 0, 1]


def test_it_is_text_for_methods_constructors_and_by_name(lib: Any) -> None:
    label = lib.Label(TEXT, n=2)
    assert label.equals(s=2 * TEXT)
    assert not label.equals(TEXT)


def test_an_overload_for_narrow_text_comes_first(lib: Any) -> None:
    assert (lib.kind("a"), lib.kind(1.5), sb.overload(lib.kind, "const wchar_t*")("a")) == (1, 3, 2)


def test_what_comes_back_keeps_it(lib: Any) -> None:
    import ctypes

    pointer = lib.back("abc" * 1000, 2999)
    assert ctypes.string_at(int(pointer), 4) == b"c\0\0\0"


def test_what_is_no_such_text_is_refused(lib: Any) -> None:
    with pytest.raises(sb.ArgumentError, match=r"text without NUL \(const wchar_t\*\)"):
        lib.wide("a\0b")
    with pytest.raises(sb.ArgumentError, match="expected contiguous int32"):
        lib.writes("text")  # C++ may write there
    with pytest.raises(sb.ArgumentError, match="expected contiguous uint16"):
        lib.two(1.5)
