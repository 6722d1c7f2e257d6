"""What a header declares for clang alone is skipped with the reason; a layout that differs stays an error."""

from __future__ import annotations

import pytest

import samebytes as sb

SOURCE = """
namespace lib {
#ifdef __clang__
struct Hidden { int n; int twice() const { return 2 * n; } };
struct Holder { Hidden h; };
using Nickname = Hidden;
enum Shade { dark };
inline int hidden(const Hidden& h) { return h.n; }
inline Shade shade() { return dark; }
inline int alone(int n) { return n; }
#endif
struct Seen { int n; };
inline int seen(Seen s) { return s.n; }
}
"""
DIFFERS = """
struct Seen {
  int n;
#ifdef __clang__
  int more;
#endif
};
inline int seen(Seen s) { return s.n; }
"""


def test_what_only_clang_sees_is_skipped() -> None:
    with pytest.warns(sb.BindWarning):
        library = sb.compile(SOURCE)
    assert library.lib.seen((3,)) == 3
    reasons = {s.name.partition("(")[0]: s.reason for s in library.__skipped__}
    expected = {"Hidden", "Holder", "Shade", "hidden", "shade", "alone", "Hidden::twice"}
    assert {f"lib::{name}" for name in expected} <= set(reasons)
    assert all("only clang" in reason for reason in reasons.values())


def test_a_layout_that_differs_stays_an_error() -> None:
    with pytest.raises(sb.CompileError):
        sb.compile(DIFFERS)


# What the compiler knows and still refuses to call or to name, by the place where it says so.
REFUSED = """
#pragma once
template <class T, T v> struct constant { static const T value = v; static int count; };
template <class T, T v> const T constant<T, v>::value;
template <> struct constant<bool, true> { static const bool value = true; static int count; };
template <> struct constant<int, 7> { static const int value; static int count; };
const bool constant<bool, true>::value;
const int constant<int, 7>::value = 7;
int constant<bool, true>::count = 3;
int constant<int, 7>::count = 4;
#ifdef __clang__
extern int only_clang;
inline auto ends(int n) { return n; }
#else
template <class T> int broken(T n) { return n.nothing; }
inline auto ends(int n) -> decltype(n + 0L) { return n; }
#endif
extern int everywhere;
int everywhere = 5;
inline int twice(int n) { return 2 * n; }
"""


def test_what_cannot_be_bound_ends_nothing() -> None:
    with pytest.warns(sb.BindWarning):
        library = sb.compile(REFUSED)
    assert (library.twice(4), library.everywhere) == (8, 5)
    skipped = {s.name.partition("(")[0]: s for s in library.__skipped__}
    assert set(skipped) == {"only_clang", "ends"}
    assert "only clang" in skipped["only_clang"].reason
    assert "C++ refuses it: " in skipped["ends"].reason
    assert all(s.location.line > 0 for s in skipped.values())
