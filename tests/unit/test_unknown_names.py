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
