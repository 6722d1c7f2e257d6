"""declare() and prove(): text that a compiler accepts exactly if Python is right."""

import re
from dataclasses import replace

import numpy as np
import pytest

from samebytes.errors import CompileError, LayoutError
from samebytes.layouts import FieldLayout, Layout, compute
from samebytes.layouts.dialects import declare, find_dialect
from samebytes.layouts.dialects.declaration import definitions
from samebytes.layouts.oracle import find_judge, prove
from samebytes.types import (
    CHAR,
    SCALARS,
    Array,
    CArray,
    Const,
    Enum,
    Field,
    Named,
    Pointer,
    Struct,
    Vector,
)
from samebytes.values.struct import struct
from samebytes.values.vector import vector

pytestmark = pytest.mark.full  # compilers of several dialects are asked

S = SCALARS
INNER = Struct("ns::Inner", (Field("c", CHAR), Field("z", S["complex128"])))
RICH = Struct(
    "Rich",
    (
        Field("flag", S["bool"]),
        Field("inner", INNER),
        Field("v", CArray(Vector(S["float32"], 3), (2,))),
        Field("h", S["bfloat16"]),
        Field("color", Enum("ns::Color", S["uint8"], (("red", 0), ("green", 7)), scoped=True)),
        Field("name", Pointer(Const(CHAR))),
        Field("next", Pointer(Named("ns::Node"))),
        Field("dem", Array(Const(S["int16"]), 2)),
        Field("m", CArray(Pointer(S["float64"]), (2, 3))),
    ),
    align=32,
)


def compiles(text):
    find_judge("gxx").disputed(text, [])


def test_declaration_compiles_and_says_all():
    text = declare(RICH)
    compiles(text)
    assert text.index("struct Inner") < text.index("struct alignas(32) Rich")
    for field in RICH.fields:
        assert f"offsetof(Rich, {field.name}) ==" in text
        assert f"decltype(Rich::{field.name})" in text


def _break_number(line):
    return re.sub(r"== (\d+)\)", lambda m: f"== {int(m[1]) + 1})", line)


def _break_type(line):
    return re.sub(r"(decltype\([\w:]+\)), .*>::value", r"\1, struct Nothing>::value", line)


def test_every_single_assertion_fails_when_python_is_wrong():
    head, *asserts = re.split(r"^(?=static_assert)", declare(RICH), flags=re.M)
    broken = [_break_number(_break_type(line)) for line in asserts]
    assert all(a != b for a, b in zip(asserts, broken, strict=True))
    with pytest.raises(CompileError) as error:
        compiles(head + "".join(broken))
    assert error.value.output.count("error: static assertion failed") == len(asserts)


@pytest.mark.parametrize(
    "change",
    [
        lambda f: replace(f, type=S["uint16"]) if f.name == "h" else f,
        lambda f: replace(f, type=S["int8"]) if f.name == "flag" else f,
        lambda f: replace(f, type=CArray(Vector(S["float32"], 4), (2,))) if f.name == "v" else f,
        lambda f: replace(f, type=Pointer(CHAR)) if f.name == "name" else f,
    ],
    ids=["same size, other type", "bool is not int8", "other size", "const is part of the type"],
)
def test_a_field_of_another_type_is_refused_by_the_compiler(change):
    """The C++ side keeps its definition, Python's assumption changes."""
    assumed = replace(RICH, fields=tuple(map(change, RICH.fields)))
    checks = declare(assumed)[len(definitions(assumed, find_dialect("cxx"))) :]
    with pytest.raises(CompileError, match="static assertion failed"):
        compiles(definitions(RICH, find_dialect("cxx")) + checks)


def test_order_of_equal_fields_is_seen():
    one = Struct("P", (Field("x", S["int32"]), Field("y", S["int32"])))
    other = Struct("P", one.fields[::-1])
    checks = declare(other)[len(definitions(other, find_dialect("cxx"))) :]
    with pytest.raises(CompileError, match="static assertion failed"):
        compiles(definitions(one, find_dialect("cxx")) + checks)


def test_prove_agrees():
    prove(RICH)
    prove(vector(np.float32, 3))
    prove(CArray(RICH, (2,)))


def test_prove_shows_both_numbers(monkeypatch):
    def wrong(type_, table):
        right = compute(type_, table)
        if type_ != INNER:
            return right
        moved = tuple(replace(f, offset=f.offset * 2) for f in right.fields)
        return Layout(40, right.align, moved)

    monkeypatch.setattr("samebytes.layouts.dialects.declaration.compute", wrong)
    with pytest.raises(LayoutError) as error:
        prove(INNER)
    assert "sizeof(ns::Inner) is 24; Python assumes 40" in str(error.value)
    assert "offsetof(ns::Inner, z) is 8; Python assumes 16" in str(error.value)


def test_python_structs():
    @struct(align=16)
    class Point:
        x: int
        y: np.float64
        v: vector(np.int8, 3)

    text = declare(Point)
    compiles(text)
    assert "struct alignas(16) Point" in text
    prove(Point)


@pytest.mark.parametrize(
    ("type_", "says"),
    [
        (Struct("P", (Field("template", S["int8"]),)), "'template' is a C\\+\\+ keyword"),
        (Struct("P", (Field("a", S["int8"]),), complete=False), "members that Python does not see"),
        (
            Struct(
                "P",
                (
                    Field("a", Struct("Q", (Field("x", S["int8"]),))),
                    Field("b", Struct("Q", (Field("y", S["int8"]),))),
                ),
            ),
            "two different types are named Q",
        ),
    ],
)
def test_what_cannot_be_declared(type_, says):
    with pytest.raises(LayoutError, match=says):
        declare(type_)


def test_layouts_are_plain_data():
    assert FieldLayout("x", S["int8"], 0, 1, 1) == FieldLayout("x", S["int8"], 0, 1, 1)
