"""What every dialect must be: complete, consistent, and confirmed by its compiler."""

import re

import pytest
from tests.tables import each

from samebytes.errors import LayoutError, MissingDependency
from samebytes.layouts import compute
from samebytes.layouts.dialects import dialect_names, find_dialect, layout
from samebytes.layouts.oracle import answers, prove, questions
from samebytes.types import (
    ELEMENTS,
    SCALARS,
    Argument,
    Array,
    CArray,
    Const,
    Field,
    Function,
    Pointer,
    Struct,
    Vector,
)

DIALECTS = dialect_names()
# The large headers of device compilers are read for each question.
COMPILED = [name if name == "cxx" else pytest.param(name, marks=pytest.mark.full) for name in DIALECTS]
NUMBERS = [SCALARS[name] for name in SCALARS]
VECTORS = [Vector(SCALARS[e], n) for e in ELEMENTS for n in (1, 2, 3, 4)]


@pytest.mark.parametrize("name", DIALECTS)
def test_file_constant_and_name_agree(name):
    assert find_dialect(name).name == name


@pytest.mark.parametrize("name", DIALECTS)
def test_parents_end(name):
    seen, dialect = [], find_dialect(name)
    while dialect is not None:
        assert dialect not in seen
        seen.append(dialect)
        dialect = dialect.parent


@pytest.mark.parametrize("name", DIALECTS)
@each("type_", NUMBERS + VECTORS)
def test_every_number_and_vector_is_there(name, type_):
    found = layout(type_, name)
    assert found.size % found.align == 0
    assert found.align & (found.align - 1) == 0
    for field in found.fields:
        assert field.offset + field.size <= found.size
        assert field.offset % field.align == 0


@pytest.mark.parametrize("name", DIALECTS)
def test_pointers_are_addresses_of_this_machine(name):
    assert layout(Pointer(SCALARS["int8"]), name).size == 8


@pytest.mark.parametrize("name", DIALECTS)
def test_spelling_declares_and_names(name):
    dialect = find_dialect(name)
    f4 = dialect.spell(SCALARS["float32"])
    cases = {
        CArray(SCALARS["float32"], (3, 4)): (f"{f4} v[3][4]", f"{f4}[3][4]"),
        Pointer(Const(SCALARS["float32"])): (f"const {f4}* v", f"const {f4}*"),
        Const(Pointer(SCALARS["float32"])): (f"{f4}* const v", f"{f4}* const"),
        Pointer(CArray(SCALARS["float32"], (3,))): (f"{f4} (*v)[3]", f"{f4} (*)[3]"),
        Pointer(Function(SCALARS["float32"], (Argument(SCALARS["float32"], "lvalue_ref"),))): (
            f"{f4} (*v)({f4}&)",
            f"{f4} (*)({f4}&)",
        ),
        CArray(Pointer(SCALARS["float32"]), (2,)): (f"{f4}* v[2]", f"{f4}*[2]"),
    }
    for type_, spellings in cases.items():
        assert (dialect.spell(type_, "v"), dialect.spell(type_)) == spellings


@pytest.mark.parametrize("name", COMPILED)
def test_the_compiler_confirms_the_whole_table(name):
    dialect = find_dialect(name)
    fields = tuple(
        Field(f"f{i}", t) for i, t in enumerate([*NUMBERS, *VECTORS, Array(SCALARS["float32"], 2)])
    )
    try:
        prove(Struct("Everything", fields), name)
    except MissingDependency as error:
        pytest.skip(str(error))
    assert compute(Struct("Everything", fields), dialect).size > 0


@pytest.mark.parametrize("name", COMPILED)
def test_no_wrong_table_survives(name):
    """Any size or alignment that differs by a factor of two is found out by the questions."""
    dialect = find_dialect(name)
    includes = {i for t in [*NUMBERS, *VECTORS] if (i := dialect.include(t))}
    asked = [q for t in [*NUMBERS, *VECTORS] for q in questions(t, dialect)]
    try:
        found, _ = answers("\n".join(f"#include {i}" for i in includes), [q.expression for q in asked], name)
    except MissingDependency as error:
        pytest.skip(str(error))
    assert all(q.expected == a and 2 * q.expected != a for q, a in zip(asked, found, strict=True))


def test_every_spelling_is_a_type_name():
    for name in DIALECTS:
        for native in find_dialect(name).natives.values():
            assert re.fullmatch(r"[\w:<>*, ]+", native.spelling)


def test_unknown_type_of_a_dialect():
    with pytest.raises(LayoutError, match="dialect cxx has no quaternion"):
        find_dialect("cxx").native("quaternion")
