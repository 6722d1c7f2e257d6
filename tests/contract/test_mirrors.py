"""What every mirror must do: lie exactly as the layout says, field by field, or refuse with the reason."""

import random

import pytest
from tests.tables import each

import samebytes as sb
from samebytes.errors import LayoutError, MissingDependency
from samebytes.layouts import leaves
from samebytes.layouts.dialects import dialect_names, find_dialect, layout
from samebytes.layouts.mirrors import find_mirror, mirror, mirror_names
from samebytes.types import (
    ELEMENTS,
    SCALARS,
    Array,
    CArray,
    Enum,
    Field,
    Pointer,
    Struct,
    Vector,
    align,
    as_type,
    atomic,
)

DIALECTS = dialect_names()
MIRRORS = mirror_names()

NUMBERS = [SCALARS[name] for name in SCALARS]
VECTORS = [Vector(SCALARS[e], n) for e in ELEMENTS for n in (1, 2, 3, 4)]
TRICKY = Struct(
    "Tricky",
    (
        Field("c", SCALARS["int8"]),
        Field("z", SCALARS["complex64"]),
        Field("v", Vector(SCALARS["float64"], 3)),
        Field("t", as_type(tuple[sb.int8, sb.float32x4, sb.int16])),
        Field("m", CArray(Vector(SCALARS["int16"], 3), (2, 3))),
        Field("last", SCALARS["bool"]),
    ),
)
COMPOSED = [
    TRICKY,
    Struct("Wide", (Field("x", SCALARS["float32"]),), align=64),
    Struct(
        "Holder",
        (Field("w", Struct("Wide", (Field("x", SCALARS["float32"]),), align=64)), Field("t", TRICKY)),
    ),
    Struct("Apart", (Field("a", align(SCALARS["int8"], 16)), Field("b", atomic(int, align=8)))),
    as_type(tuple[bool, sb.float64, sb.float16]),
    as_type(tuple[int, tuple[sb.int8, sb.int32x3]]),
    Enum("Color", SCALARS["uint16"], (("red", 0),)),
    CArray(SCALARS["float64"], (2, 3)),
    CArray(align(SCALARS["int8"], 4), (3,)),
    align(SCALARS["float32"], 16),
    align(Vector(SCALARS["float32"], 3), 16),
    atomic(sb.complex64),
    Pointer(SCALARS["float32"]),
    Array(SCALARS["float32"], 2),
    Struct("Pointing", (Field("n", SCALARS["int8"]), Field("p", Pointer(SCALARS["float32"])))),
    as_type(None),
]


def made(name, type_, dialect):
    try:
        return mirror(type_, name, dialect)
    except MissingDependency as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("name", MIRRORS)
def test_file_constant_and_name_agree(name):
    assert find_mirror(name).name == name
    assert name in find_mirror(name).modules


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", MIRRORS)
@each("type_", NUMBERS + VECTORS + COMPOSED)
def test_exactly_or_not_at_all(name, dialect, type_):
    try:
        found = made(name, type_, dialect)
    except LayoutError as error:
        reason = str(error)
        assert reason.startswith(f"{name} has no type that lies as ")
        return
    size, alignment, fields = find_mirror(name).measure(found)
    facts = layout(type_, dialect)
    assert (size, alignment) == (facts.size, facts.align)
    if len(fields) == len(facts.fields):
        assert fields == tuple((f.name, f.offset) for f in facts.fields)


@pytest.mark.parametrize("name", MIRRORS)
@each("type_", NUMBERS + VECTORS + COMPOSED)
def test_read_back_it_is_the_same_bytes(name, type_):
    try:
        found = made(name, type_, "cxx")
    except LayoutError:
        return
    again = as_type(found)
    facts, read = layout(type_), layout(again)
    assert (read.size, read.align) == (facts.size, facts.align)
    cxx = find_dialect("cxx")
    assert [*leaves(again, cxx)] == [*leaves(type_, cxx)]


@pytest.mark.parametrize("name", MIRRORS)
def test_random_structs(name):
    """Where a mirror says yes, its library's own numbers are the layout's, in every dialect; some it does take."""
    generator, taken = random.Random(7), 0
    for index in range(150):
        type_ = _random_struct(generator, f"R{index}")
        for dialect in DIALECTS:
            try:
                found = made(name, type_, dialect)
            except LayoutError:
                continue
            size, alignment, fields = find_mirror(name).measure(found)
            facts = layout(type_, dialect)
            assert (size, alignment) == (facts.size, facts.align)
            assert fields == tuple((f.name, f.offset) for f in facts.fields)
            taken += 1
    assert taken > 40 or name == "torch"


def _random_struct(generator, name):
    fields = []
    for index in range(generator.randint(1, 5)):
        kind = generator.choice("nnnvca")
        number = SCALARS[
            generator.choice(["int8", "int16", "int32", "float64", "float32", "complex64", "bool"])
        ]
        if kind == "v":
            number = Vector(
                SCALARS[generator.choice(["int8", "int16", "float32", "float64"])], generator.randint(1, 4)
            )
        elif kind == "c":
            number = CArray(number, (generator.randint(1, 3),))
        elif kind == "a":
            number = align(number, generator.choice([1, 2, 4, 8, 16]))
        fields.append(Field(f"f{index}", number))
    return Struct(name, tuple(fields), align=generator.choice([None, None, 8, 32]))


def test_the_compiler_lays_numpys_records_out_alike():
    """as_type(dtype) declares a struct with NumPy's own offsets, and the compiler confirms them."""
    records = [as_type(mirror(t)) for t in COMPOSED[:6] if as_type(t) is not None]
    sb.prove(Struct("Records", tuple(Field(f"r{i}", t) for i, t in enumerate(records))))


def test_unknown_mirror():
    with pytest.raises(LayoutError, match="no mirror 'pandas': there are ctypes, numba, numpy, torch"):
        mirror(int, "pandas")
