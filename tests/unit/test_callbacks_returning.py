"""Callbacks that return structs: every way in which C returns one, against the compiler's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import samebytes as sb
from samebytes.call.callbacks import closure, plans

pytestmark = pytest.mark.full  # to read and to compile it takes seconds

TYPES = {
    "I4": ("int a;", (5,)),
    "F4": ("float a;", (1.5,)),
    "I8": ("int a; short b; signed char c;", (1, -2, -3)),
    "F8": ("float a, b;", (1.5, -2.5)),
    "Mixed8": ("float a; int b;", (1.5, -2)),
    "II": ("long a, b;", (1 << 40, -2)),
    "DD": ("double a, b;", (1.25, -2.5)),
    "ID": ("long a; double b;", (-3, 0.5)),
    "DI": ("double a; int b; char c;", (0.5, -3, 7)),
    "F3": ("float a, b, c;", (1.0, 2.0, 3.0)),
    "Array": ("short a[5];", ((1, -2, 3, -4, 5),)),
    "Big": ("double a, b, c;", (1.0, 2.0, 3.0)),
    "Bytes": ("unsigned char a[17];", (tuple(range(17)),)),
}


@pytest.fixture(scope="module", params=["the core's", "ctypes'"])
def lib(request: pytest.FixtureRequest) -> Iterator[Any]:
    parts = ["#include <complex>\n"]
    for name, (members, _) in TYPES.items():
        parts.append(
            f"struct {name} {{ {members} }};\n"
            f'inline {name} ask_{name}({name} (*f)(double, int, const char*), double x) {{ return f(x, 3, "text"); }}\n'
            f"inline {name} twice_{name}({name} (*f)({name}), {name} v) {{ f(v); return f(v); }}\n"
        )
    parts.append(
        "inline std::complex<double> turn(std::complex<double> (*f)(std::complex<double>)) { return f({1, 2}); }\n"
        "struct __attribute__((packed)) Packed { char a; double b; };\n"
        "inline Packed packed(Packed (*f)(Packed)) { return f(Packed{1, 2.5}); }\n"
        "inline DD many(DD (*f)(int, int, int, int, int, int, int)) { return f(1, 2, 3, 4, 5, 6, 7); }\n"
        "inline Big many_big(Big (*f)(int, int, int, int, int, int, int, Big))"
        " { return f(1, 2, 3, 4, 5, 6, 7, Big{1, 2, 3}); }\n"
    )
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "ctypes'":
            patch.setattr(closure, "callback_plan", lambda function, find: None)
        yield sb.compile("".join(parts), name=f"returning_{request.param[:-1].split()[-1]}")


@pytest.mark.parametrize("name", TYPES)
def test_a_struct_comes_back(lib: Any, name: str) -> None:
    cls, fields = getattr(lib, name), TYPES[name][1]
    value, seen = cls(*fields), []
    found = getattr(lib, f"ask_{name}")(lambda x, n, text: (seen.append((x, n, text)), value)[1], 2.5)
    assert found == value
    assert seen == [(2.5, 3, "text")]
    assert (
        getattr(lib, f"ask_{name}")(lambda x, n, text: fields, 2.5) == value
    )  # a tuple of the fields serves, too
    assert getattr(lib, f"twice_{name}")(lambda v: v, value) == value


@pytest.mark.parametrize("name", TYPES)
def test_an_exception_leaves_zeros(lib: Any, name: str) -> None:
    with pytest.raises(ZeroDivisionError):
        getattr(lib, f"ask_{name}")(lambda x, n, text: 1 / 0, 2.5)
    with pytest.raises(sb.ArgumentError, match="returned what C\\+\\+ does not take"):
        getattr(lib, f"ask_{name}")(lambda x, n, text: "no", 2.5)


def test_complex_numbers(lib: Any) -> None:
    assert lib.turn(lambda z: z * 1j) == -2 + 1j


def test_what_ctypes_lays_out_otherwise(lib: Any) -> None:
    """The core passes what lies as C says; ctypes, where the core has no C function left, says that it cannot."""
    if closure.callback_plan is plans.callback_plan:
        assert lib.packed(lambda p: lib.Packed(p.a + 1, p.b * 2)) == lib.Packed(2, 5.0)
        return
    with pytest.raises(sb.ArgumentError, match="ctypes does not lay Packed out as C does"):
        lib.packed(lambda p: p)


def test_arguments_on_the_stack(lib: Any) -> None:
    assert lib.many_big(lambda *a: a[-1]) == lib.Big(1, 2, 3)
    if closure.callback_plan is plans.callback_plan:
        assert lib.many(lambda *a: (1.0, sum(a))) == lib.DD(1.0, 28.0)
        return
    with pytest.raises(sb.ArgumentError, match="two registers, and takes more arguments than registers hold"):
        lib.many(lambda *a: (1.0, 2.0))
