"""Macros that are other names, ``#define PART ns::Part``: each is what it names, or says why not."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import pytest
from tests.tables import each

import samebytes as sb
from samebytes.read.declarations.macro_texts import is_name, qualified, written

HEADER = """
#pragma once
#include <cstddef>
#include <map>
#include <string>
namespace ns {
struct Part { int a; static int count; int method() const { return 1; } static int s() { return 5; }
  struct Inner { int z; }; enum Kind { k1, k2 }; };
inline int Part::count = 4;
inline int f(int x) { return x + 1; }
int only(int);
inline int over(int) { return 1; } inline int over(double) { return 2; }
enum class E { a, b = 7 };
inline int var = 11; constexpr int value = 12;
template <class A, class B = int> struct Box { A t; };
template <class T> T twice(T x) { return 2 * x; }
template <class T> using Rows = std::map<int, T>;
template <class T> constexpr int sz = sizeof(T);
using Alias = Part; typedef int (*Fn)(int);
namespace deep { inline int g() { return 9; } struct Q { int q; }; }
namespace al = ns;
inline namespace v1 { struct New { int i; }; inline int newer() { return 3; } }
struct priv { private: struct In { int z; }; };
}
namespace api { using ns::only; using ns::f; }
"""
# What a macro is, in Python; of a text that has no value its words in __skipped__.
SAME = {
    "ns::Part": "lib.ns.Part", "::ns::Part": "lib.ns.Part", "const ns::Part": "lib.ns.Part",
    "struct ns::Part": "lib.ns.Part", "ns::Part::Inner": "lib.ns.Part.Inner", "ns::Part::Kind": "lib.ns.Part.Kind",
    "ns": "lib.ns", "ns::deep": "lib.ns.deep", "ns::al": "lib.ns", "ns::al::Part": "lib.ns.Part",
    "ns::f": "lib.ns.f", "ns::over": "lib.ns.over", "ns::E": "lib.ns.E", "ns::Alias": "lib.ns.Part",
    "ns::Box": "lib.ns.Box", "ns::Box<int, double>": "lib.ns.Box['int', 'double']", "ns::twice": "lib.ns.twice",
    "ns::Rows": "lib.ns.Rows", "ns::New": "lib.ns.New", "ns::v1::New": "lib.ns.New", "ns::newer": "lib.ns.newer",
    "std::size_t": "np.uint64", "decltype(ns::var)": "np.int32", "ns::Fn": "lib.ns.Fn",
}  # fmt: skip
EQUAL = {
    "ns::var": 11, "ns::value": 12, "(ns::value)": 12, "ns::E::b": 7, "ns::Part::k2": 1, "ns::sz<int>": 4,
    "ns::Part::count": 4, "ns::f(3)": 4,
}  # fmt: skip
LISTED = {
    "ns::twice<int>": "it is ns::twice<int>", "ns::Part::s": "it is ns::Part::s",
    "&ns::Part::a": "a pointer to a member", "&ns::Part::method": "a pointer to a member",
    "ns::nothing": "no member named 'nothing'", "nowhere::x": "undeclared identifier", "ns::priv::In": "ns::priv::In",
    "ns::only": "it is ns::only, which is not bound", "std": "it is std",
    "ns::Part&": "a reference", "std::vector": "no member named 'vector'",
}  # fmt: skip
# No declaration of its own: keywords, attributes, statements, unfinished parts. Each is listed, without a warning.
QUIET = ["", "1, 2", "void", "missing word",
         "inline", "static inline", "[[nodiscard]]", "__attribute__((packed))", "const", "using namespace ns",
         "throw", "ns::", "struct", "auto", "int a, int b", "namespace ns {", "}", "extern \"C\""]  # fmt: skip
TEXTS = [*SAME, *EQUAL, *LISTED, *QUIET]
NAMES = {text: f"M{n}" for n, text in enumerate(TEXTS)}


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path: Path = tmp_path_factory.mktemp("names") / "names.hpp"
    further = [
        "#define PREFIX ns",
        "#define AGAIN PREFIX::Part",
        "#define CALL PREFIX::f",
        "#define OWN own_t",
    ]
    lines = [f"#define {name} {text}" for text, name in NAMES.items()]
    path.write_text(HEADER + "\n".join([*lines, *further, "using own_t = unsigned;"]) + "\n")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sb.BindWarning)
        return sb.bind(path)


@pytest.mark.full  # templates are compiled
@each(("text", "same"), [*SAME.items()])
def test_one_is_what_it_names(lib: Any, text: str, same: str) -> None:
    assert getattr(lib, NAMES[text]) is eval(same, {"lib": lib, "np": pytest.importorskip("numpy")})


@pytest.mark.full
def test_names_through_other_macros(lib: Any) -> None:
    assert lib.AGAIN is lib.ns.Part
    assert lib.CALL is lib.ns.f
    assert lib.OWN is lib.own_t


@pytest.mark.full
@each(("text", "value"), [*EQUAL.items()])
def test_a_value_is_a_value(lib: Any, text: str, value: int) -> None:
    assert getattr(lib, NAMES[text]) == value


@pytest.mark.full
@each(("text", "words"), [*LISTED.items()])
def test_what_is_not_there_says_why(lib: Any, text: str, words: str) -> None:
    (said,) = [s for s in lib.__skipped__ if s.name == NAMES[text]]
    assert words in said.reason
    with pytest.raises(AttributeError, match=re.escape(words)):
        getattr(lib, NAMES[text])


@pytest.mark.full
def test_each_is_at_one_place(lib: Any) -> None:
    said = [s.name for s in lib.__skipped__]
    assert not {NAMES[t] for t in (*SAME, *EQUAL)}.intersection(said)
    assert {NAMES[t] for t in QUIET} <= {*said}
    assert len(said) == len({*said})
    assert not {NAMES[t] for t in QUIET}.intersection(dir(lib))


@pytest.mark.full
def test_a_second_name_of_what_is_not_defined_says_so(lib: Any) -> None:
    with pytest.raises(
        AttributeError, match="it is ns::only, which is not bound: it is declared, but no source"
    ):
        lib.api.only(1)
    assert lib.api.f is lib.ns.f


@each(
    ("text", "is_one", "name"),
    [
        ("ns::Part", True, "ns::Part"),
        (":: ns :: Part", True, "ns::Part"),
        ("Part", True, ""),
        ("std::map<int, std::vector<int>>", True, ""),
        ("decltype(x)", True, ""),
        ("struct S *", True, ""),
        ("unsigned U", True, ""),
        ("int (*)(int)", True, ""),
        ("static inline", False, ""),
        ("return x", False, ""),
        ("a + b", False, ""),
        ("ns::", False, ""),
        ("1", False, ""),
    ],
)
def test_texts_that_read_like_names(text: str, is_one: bool, name: str) -> None:
    assert (is_name(text.encode()), qualified(text.encode())) == (is_one, name)


def test_spaces() -> None:
    assert (
        written(["ns", "::", "Two", "<", "unsigned", "int", ",", "B", "*", ">"])
        == "ns::Two<unsigned int, B*>"
    )
