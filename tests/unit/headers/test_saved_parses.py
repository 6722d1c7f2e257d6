"""A header is parsed once: questions are asked behind the parse that is saved, and the answers are the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest

from samebytes.model.module import Module
from samebytes.read.clang import saving

pytestmark = pytest.mark.full  # a header is parsed in several ways

SOURCE = """
#include <string>
#include <vector>
#define LIMIT (1 << 4)
#define STATE (*state())
#define REFUSED broken_name(1)
/// What a box says.
template <class T> struct Box { T value; bool operator==(const Box& o) const { return value == o.value; }
  T half() const { return value / 2; } static int made; private: int hidden; public: int shown = LIMIT; };
template <int N> struct Level : Level<N - 1> { int level() const { return N; } };
template <> struct Level<0> { int floor() const { return 0; } };
template <class T> struct Strict { static_assert(sizeof(T) > 4, "too small"); T value; };
using Doubles = Box<double>;
struct Tower : Level<6> { std::vector<Doubles> all; virtual ~Tower() {} };
int* state();
inline Doubles twice(const Doubles& d) { return d; }
inline int missing(Unknown u) { return 1; }
inline double get(Strict<double> s) { return s.value; }
inline void* small(Strict<char>* p) { return p; }
inline std::vector<std::string> words(const Tower& t, std::string more = "a") { return {more}; }
"""


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Of each parse, whether it began behind the saved one."""
    found, parse = list[bool](), saving.parse

    def noted(*given: Any, **options: Any) -> Any:
        found.append(options.get("saved") is not None)
        return parse(*given, **options)

    monkeypatch.setattr(saving, "parse", noted)
    return found


def test_the_answers_are_those_of_whole_parses(
    read: Callable[..., Module], made: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    behind = read(SOURCE)
    assert made == [False] + [True] * (len(made) - 1)
    assert len(made) > 3
    made.clear()
    saving.forget()
    monkeypatch.setattr(saving.Parses, "_stored", lambda self, make: None)  # what the cache has of it
    monkeypatch.setattr(saving, "save", lambda *given: None)
    whole = read(SOURCE)
    assert not any(made)
    for field in fields(Module):
        assert getattr(behind, field.name) == getattr(whole, field.name), field.name
    assert {f.qualified for f in whole.functions} >= {"twice", "words", "Level<6>::level", "Level<0>::floor"}


def test_what_clang_does_not_take_is_parsed_whole(
    read: Callable[..., Module], made: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    save = saving.save

    def spoilt(unit: Any, path: str) -> Any:
        saved = save(unit, path)
        with open(path, "wb") as file:
            file.write(b"no parse")
        return saved

    monkeypatch.setattr(saving, "save", spoilt)
    module = read("template <class T> struct W { T t; };\nint f(W<int> w);\n")
    assert [f.name for f in module.functions] == ["f"]
    assert made.count(True) == 1


DEEP = """
template <class D, int N> struct Level;
template <class D> struct Top : Level<D, 6> {};
template <class D> struct Level<D, 0> { int floor() const { return 0; } };
"""
DEEP += "\n".join(
    f"template <class D> struct Level<D, {n}> : Level<D, {n - 1}> {{ int m{n}() const; }};"
    for n in range(1, 7)
)


def test_bases_of_partial_specializations_are_followed_to_the_end(
    read: Callable[..., Module], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which form of a template a base is made of is known once it is complete; each level is asked once."""
    asked, parse = list[tuple[str, ...]](), saving.parse

    def noted(request: Any, lines: tuple[str, ...] = (), **options: Any) -> Any:
        asked.append(lines)
        return parse(request, lines, **options)

    monkeypatch.setattr(saving, "parse", noted)
    module = read(
        f"{DEEP}\ntemplate <class T> struct Box {{ Top<T> top() const; }};\nint f(const Box<int>& o);\n"
    )
    bases = [base.name for record in module.records for base in record.bases]
    assert bases == [f"Level<int, {n}>" for n in range(7)]
    of_bases = ["samebytes_question" not in "".join(lines) for lines in asked]
    levels = next(n for n, only in enumerate(of_bases[5:]) if not only)
    assert levels == 6  # one after the other, with nothing else asked again between them
