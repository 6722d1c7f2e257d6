"""Text of wide characters, in and out: what C++ sees is what g++ makes of the same literal, and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # large builds; test_streams.py is the quick one

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
inline wchar_t* writable() { static wchar_t text[4] = L"abc"; return text; }
inline const wchar_t* wide_literal() { return L"%(text)s"; }
inline const char16_t* two_literal(bool null) { return null ? nullptr : u"%(text)s"; }
inline const char32_t* four_literal() { return U"%(text)s"; }
inline const char8_t* eight_literal() { return u8"%(text)s"; }
inline const char16_t* broken() { static const char16_t s[] = {0x41, 0xd83c, 0}; return s; }
inline std::vector<const wchar_t*> several() { return {L"a", nullptr, L"bc"}; }
struct Entry { const wchar_t* wide = L"w%(text)s"; const char16_t* two = nullptr; const char8_t* eight = u8"e"; };
inline std::vector<long> read(const Entry& e) { return units(e.wide); }
struct Kept { virtual ~Kept() = default; const char32_t* name = U"kept"; long first() const { return long(name[0]); } };
inline const wchar_t* title = L"title";
inline const wchar_t* ask(const wchar_t* (*f)(const char16_t*)) { return f(u"%(text)s"); }
struct Named { virtual ~Named() = default; virtual const wchar_t* name(const char32_t*) const { return L"base"; } };
inline std::vector<long> name_of(const Named& n) { return units(n.name(U"%(text)s")); }
"""
TEXT = "z\u00df\u6c34\U0001f34c"


@pytest.fixture(scope="module")
def lib() -> Any:
    escaped = TEXT.encode("ascii", "backslashreplace").decode().replace("\\xdf", "\\u00df")
    return sb.compile(SOURCE % {"text": escaped}, std="gnu++20")


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


def test_results_are_the_text_of_the_literal(lib: Any) -> None:
    told = [lib.wide_literal(), lib.two_literal(False), lib.four_literal(), lib.eight_literal()]
    assert told == [TEXT] * 4
    assert lib.two_literal(True) is None
    assert (lib.broken(), lib.several()) == ("A\ud83c", ["a", None, "bc"])
    assert lib.back("abc" * 1000, 2999) == "c"
    assert lib.title == "title"
    assert isinstance(lib.writable(), sb.Pointer)  # memory that C++ lets be written


def test_fields_are_text_and_keep_what_they_are_set_to(lib: Any) -> None:
    entry = lib.Entry()
    assert (entry.wide, entry.two, entry.eight) == ("w" + TEXT, None, "e")
    entry.wide = TEXT * 100
    assert (lib.read(entry).tolist(), entry.wide) == (list(map(ord, TEXT * 100)), TEXT * 100)
    assert repr(lib.Entry(wide="a\U0001f34c", two="ab")) == "Entry(wide='a\U0001f34c', two='ab', eight='e')"
    entry.wide = None
    assert (lib.read(entry).size, entry.wide) == (0, None)
    with pytest.raises(sb.ArgumentError, match=r"Entry.two: expected text without NUL"):
        entry.two = "a\0"
    kept = lib.Kept()
    assert kept.name == "kept"
    kept.name = "\u6c34" + "x" * 1000
    assert kept.first() == 0x6C34


def test_callbacks_take_and_give_it(lib: Any) -> None:
    got = []

    def back(text: str) -> str:
        got.append(text)
        return text + "!"

    assert (lib.ask(back), got) == (TEXT + "!", [TEXT])


@pytest.mark.full  # it compiles the class between
def test_overrides_take_and_give_it(lib: Any) -> None:
    class Mine(lib.Named):  # type: ignore[misc]
        def name(self, text: str) -> str:
            return text + "?"

    assert bytes(lib.name_of(Mine()).astype("<u4")).decode("utf-32-le") == TEXT + "?"


def test_what_is_no_such_text_is_refused(lib: Any) -> None:
    with pytest.raises(sb.ArgumentError, match=r"text without NUL \(const wchar_t\*\)"):
        lib.wide("a\0b")
    with pytest.raises(sb.ArgumentError, match="expected contiguous int32"):
        lib.writes("text")  # C++ may write there
    with pytest.raises(sb.ArgumentError, match="expected contiguous uint16"):
        lib.two(1.5)
