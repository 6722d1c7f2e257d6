"""Inline functions of a header that need what no library defines: they alone are missing, with the reason."""

from __future__ import annotations

import pytest

import samebytes as sb

SOURCE = """
extern "C" { extern int missing_number; int missing_call(int); struct Absent; extern struct Absent absent_object; }
inline int reads() { return missing_number; }
inline int calls(int n) { return missing_call(n); }
inline void* takes() { return &absent_object; }
struct S { int n; int method() { return missing_number + n; } int fine() { return n; } };
inline int fine(int n) { return n + 1; }
"""


@pytest.fixture(scope="module")
def library() -> sb.Library:
    with pytest.warns(sb.BindWarning):
        return sb.compile(SOURCE)


def test_the_rest_works(library: sb.Library) -> None:
    assert (library.fine(2), library.S(4).fine()) == (3, 4)


@pytest.mark.parametrize(
    ("name", "needs"),
    [
        ("reads()", "missing_number"),
        ("calls(int)", "missing_call"),
        ("takes()", "absent_object"),
        ("S::method()", "missing_number"),
    ],
)
def test_what_is_missing_is_said(library: sb.Library, name: str, needs: str) -> None:
    reasons = {s.name: s.reason for s in library.__skipped__}
    assert reasons[name] == (
        f"it is compiled here, and uses {needs}, which no source or library given defines (sources=, libraries=)"
    )


@pytest.mark.parametrize("name", ["missing_number", "missing_call(int)"])
def test_what_is_only_declared_says_so(library: sb.Library, name: str) -> None:
    reasons = {s.name: s.reason for s in library.__skipped__}
    assert "is declared, but no source or library given defines it" in reasons[name]
