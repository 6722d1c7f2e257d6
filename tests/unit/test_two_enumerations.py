"""Operators between two different enumerations, scoped and nested ones among them, beside g++.

Where an operator or a template is declared for one of them, Python makes up no answer that C++ does not have.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import samebytes as sb

from ..of_gcc import REFUSED, answers

pytestmark = pytest.mark.full  # templates that are compiled one by one

BEGIN = """enum En { e5 = 5 }; enum class Sc { s6 = 6 };
struct Box { enum Ne { n7 = 7 }; enum class Ns { t8 = 8 }; };
inline int& last_() { static int v = 0; return v; } inline int last() { return last_(); }
inline void reset() { last_() = 0; }
"""
BODY = "{ last_() = 1; return 0; }"
ENUMERATORS = {"En": "e5", "Sc": "Sc::s6", "Box::Ne": "Box::n7", "Box::Ns": "Box::Ns::t8"}
SIGNS = ("<", ">=", "==", "+")
# What is declared, and the enumerations that it is declared for.
DECLARED = {
    "a template with a scoped one on the left": (
        "template <class T> {type} operator{sign}(const Sc&, const T&)", {"Sc"},
    ),
    "a template with one on the right": ("template <class T> {type} operator{sign}(T, En)", {"En"}),
    "a template with a nested one": ("template <class T> {type} operator{sign}(Box::Ns, T)", {"Box::Ns"}),
    "an operator of two": ("inline {type} operator{sign}(Sc, Box::Ne)", {"Sc", "Box::Ne"}),
    "an operator of a number": ("inline {type} operator{sign}(Box::Ns, int)", {"Box::Ns"}),
}  # fmt: skip


def _found(lib: sb.Library, sign: str, x: object, y: object) -> str:
    lib.reset()
    try:
        answer = int(eval(f"x {sign} y", {"x": x, "y": y}))
    except TypeError as error:
        return str(error)
    return f"{lib.last()} {answer}"


@pytest.mark.parametrize("std", ["gnu++17", "gnu++20"])
@pytest.mark.parametrize("form", DECLARED)
def test_it_is_what_cpp_has_or_refused(form: str, std: str, tmp_path: Path) -> None:
    text, declared_for = DECLARED[form]
    types = {sign: "bool" if sign in ("==", "!=") else "int" for sign in SIGNS}
    program = BEGIN + "".join(f"{text.format(type=types[s], sign=s)} {BODY}\n" for s in SIGNS)
    asked = [(s, a, b) for s in SIGNS for a in ENUMERATORS for b in ENUMERATORS if a != b]
    statements = [
        f'{{ reset(); int v = {ENUMERATORS[a]} {s} {ENUMERATORS[b]}; std::printf("%d %d\\n", last(), v); }}'
        for s, a, b in asked
    ]
    lib = sb.compile(program, std=std)
    values = {"En": lib.e5, "Sc": lib.Sc.s6, "Box::Ne": lib.Box.n7, "Box::Ns": lib.Box.Ns.t8}
    for one, cxx in zip(asked, answers(program, statements, std, tmp_path), strict=True):
        sign, a, b = one
        found = _found(lib, sign, values[a], values[b])
        if cxx != REFUSED:
            assert found == cxx, one
        elif {a, b} & declared_for and sign != "==":  # objects are equal or not
            assert "C++ has no such operator" in found, one


def test_a_template_that_is_declared_for_none_leaves_numbers() -> None:
    lib = sb.compile(
        BEGIN + "struct K {}; template <class T> int operator<(const K&, const T&) { return 0; }"
    )
    assert lib.e5 < lib.Sc.s6
    assert not lib.Box.Ns.t8 < lib.Sc.s6
