"""Templates that compile for some arguments alone: what is asked about them takes nothing else away."""

from __future__ import annotations

import pytest

import samebytes as sb
from samebytes.read import header
from samebytes.read.header import read_header

pytestmark = pytest.mark.full  # templates that are compiled one by one

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
struct Node { int n; };
inline int moved(Node& node, int by) { return node.n += by; }
template <class... U, class... T> int later(int (*f)(U...), T&&... args) { return f(static_cast<T&&>(args)...); }
struct Later { template <class... U, class... T> static int run(int (*f)(U...), T&&... args) {
  return f(static_cast<T&&>(args)...); } };
template <class T> int broken(int n) { return T::nothing + n; }
template <class... T> int broken_pack(T... args) { return (0 + ... + T::nothing); }
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


@pytest.mark.parametrize("given", ["Node&", ("Node&", int)])
@pytest.mark.parametrize("name", ["later", "Later.run"])
def test_a_call_gives_a_second_pack_what_the_named_one_needs(
    library: sb.Library, name: str, given: object
) -> None:
    template = library.Later.run if name == "Later.run" else library.later
    node = library.Node(40)
    assert template[given](library.moved, node, 2) == node.n == 42
    with pytest.raises(
        sb.ArgumentError, match=r"\(int \(\*\)\(Node &, int\)\): C\+\+ refuses it: too few arguments"
    ):
        template[given](library.moved)
    with pytest.raises(
        sb.ArgumentError, match=r"its C\+\+ type cannot be told from <function .*\(function\)$"
    ):
        template[given](lambda node, by: 3, node, 2)


def test_a_body_that_does_not_compile_is_refused_in_words(library: sb.Library) -> None:
    for template, words in (
        (library.broken, "broken[int]: C++ refuses it: 'nothing'"),
        (library.broken_pack, "broken_pack(int): C++ refuses it"),
    ):
        with pytest.raises(sb.ArgumentError) as caught:
            template[int](3)
        assert str(caught.value).startswith(words)


def test_what_is_deeper_than_anybody_reads_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    source = (
        "template <int N> struct Chain { Chain<N - 1> next() const { return {}; } };\n"
        "template <> struct Chain<0> {};\ninline Chain<5> top() { return {}; }\n"
    )
    assert not read_header(None, source=source).skipped
    monkeypatch.setattr(header, "_ROUNDS", 2)
    (skipped,) = [row for row in read_header(None, source=source).skipped if row.kind == "header"]
    assert "more than 2 deep" in str(skipped)
