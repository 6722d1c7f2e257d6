"""Templates that compile for some arguments alone: what is asked about them takes nothing else away."""

from __future__ import annotations

import pytest

import samebytes as sb

# Whether an Endless can be copied, no compiler finds out; a Strict<char> is an error, a Strict<double> is none.
SOURCE = """
template <int N> struct chain { enum { value = chain<N + 1>::value }; };
template <class T> struct Endless {
  Endless() {}
  template <class U, int = chain<sizeof(U)>::value> Endless(U&&) {}
  int n = 7;
};
template <class T> struct Strict {
  static_assert(sizeof(T) > 4, "too small");
  T value;
  double twice() const { return 2 * value; }
};
inline int count(const Endless<int>& e) { return e.n; }
inline int number(const Endless<long>& e) { return e.n; }
inline double get(Strict<double> s) { return s.value; }
inline void* small(Strict<char>* p) { return p; }
inline int twice(int n) { return 2 * n; }
"""


@pytest.fixture(scope="module")
def library() -> sb.Library:
    with pytest.warns(sb.BindWarning):
        return sb.compile(SOURCE)


def test_everything_else_works(library: sb.Library) -> None:
    assert library.twice(4) == 8
    assert library.get((2.5,)) == 2.5
    assert getattr(library, "Strict<double>")(3.0).twice() == 6.0


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("count(const Endless<int> &)", "does not compile: recursive template instantiation exceeded"),
        ("number(const Endless<long> &)", "does not compile: recursive template instantiation exceeded"),
        ("small(Strict<char> *)", "too small"),
    ],
)
def test_what_does_not_compile_says_so(library: sb.Library, name: str, words: str) -> None:
    reasons = {s.name: s.reason for s in library.__skipped__}
    assert words in reasons[name]
    assert len(reasons) == 3
