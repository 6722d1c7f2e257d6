"""``int(x)``, ``float(x)`` and truth of objects with conversions for const objects and for others: those of g++."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

from ..of_gcc import REFUSED, answers

pytestmark = pytest.mark.full  # hundreds of classes, which g++ compiles, too

BEGIN = """enum En { e6 = 66 };
inline int& last_() { static int v = 0; return v; } inline int last() { return last_(); }
inline void reset() { last_() = 0; }
"""
VALUES = {
    "int": "11", "double": "22.5", "bool": "true", "long": "33", "float": "44.5f", "long long": "55", "En": "e6",
}  # fmt: skip
PAIRS = [*permutations(VALUES, 2)]
# What Python makes, and the types that it may stand for.
CASTS: dict[str, tuple[Callable[[Any], Any], tuple[str, ...]]] = {
    "int": (int, ("int", "long", "long long")), "float": (float, ("double", "float")), "bool": (bool, ("bool",)),
}  # fmt: skip


def _classes() -> Iterator[str]:
    """Of each pair a class, one that derives from it, and one that adds the second conversion to its base's."""
    for i, (const, other) in enumerate(PAIRS):
        for j, explicit in enumerate(("", "explicit ")):
            first = f"{explicit}operator {const}() const {{ last_() = 1; return {VALUES[const]}; }}"
            second = f"operator {other}() {{ last_() = 2; return {VALUES[other]}; }}"
            n = f"{i}_{j}"
            yield f"struct A{n} {{ {first} {second} }}; struct D{n} : A{n} {{}};\n"
            yield f"struct B{n} {{ {first} }}; struct E{n} : B{n} {{ {second} }};\n"
            yield f"inline const A{n}& c{n}() {{ static A{n} v; return v; }}\n"


def _answer(lib: sb.Library, made: str, cast: str) -> str:
    obj = getattr(lib, made)()
    lib.reset()
    try:
        number = CASTS[cast][0](obj)
    except (sb.Error, TypeError) as error:
        return str(error)
    return f"{lib.last()} {number:g}"


def test_a_conversion_for_objects_that_are_not_const_goes_first(tmp_path: Path) -> None:
    program = BEGIN + "".join(_classes())
    asked = [
        (f"{kind}{i}_{j}", cast)
        for i in range(len(PAIRS))
        for j in range(2)
        for kind in "ADEc"
        for cast in CASTS
    ]
    every = [(made, cast, type_) for made, cast in asked for type_ in CASTS[cast][1]]
    statements = [
        f"{{ {'auto&' if made[0] == 'c' else 'auto'} x = {made}(); reset(); "
        f'double v = static_cast<{type_}>(x); std::printf("%d %g\\n", last(), v); }}'
        for made, _, type_ in every
    ]
    told: dict[tuple[str, str], set[str]] = {}
    for (made, cast, _), cxx in zip(every, answers(program, statements, "gnu++17", tmp_path), strict=True):
        told.setdefault((made, cast), set()).add(cxx)
    lib = sb.compile(program)
    right = 0
    for (made, cast), cxx in told.items():
        python = _answer(lib, made, cast)
        assert python in cxx or not python[0].isdigit(), (made, cast, PAIRS[int(made[1:].partition("_")[0])])
        right += python in cxx and python != REFUSED
    assert right > 900


def test_what_c_plus_plus_finds_ambiguous_is_refused() -> None:
    lib = sb.compile(
        "struct A { operator int() { return 1; } operator float() { return 2; }"
        "  operator long() const { return 3; } };"
        "inline const A& shown() { static A a; return a; }"
    )
    assert int(lib.shown()) == 3
    for cast in (int, bool):
        with pytest.raises(sb.ArgumentError, match="operator float"):
            cast(lib.A())


def test_several_integers_stay_ambiguous_where_const_does_not_choose() -> None:
    """Python has one class for integers of each width: C++ chooses by the width that it converts to."""
    lib = sb.compile(
        "struct A { operator int() { return 1; } operator long() { return 2; } operator double() { return 3.5; } };"
        "struct B { operator int() { return 1; } operator long() { return 2; } operator double() const { return 3; } };"
        "struct C { operator int() const { return 1; } operator long() { return 2; } };"
    )
    for cls in (lib.A, lib.B):
        with pytest.raises(sb.ArgumentError, match=r"ambiguous.*\n.*operator int\(\).*\n.*operator long\(\)"):
            int(cls())
    assert (float(lib.A()), int(lib.C())) == (3.5, 2)


def test_a_text_that_is_not_const_says_the_truth() -> None:
    lib = sb.compile(
        'struct A { operator const char*() { return ""; } explicit operator bool() const { return false; } };'
        "struct B { operator const char*() { return nullptr; } explicit operator bool() const { return true; } };"
    )
    assert bool(lib.A())
    assert not lib.B()
