"""Sizes, alignments and offsets of dialect cxx: against recorded facts, NumPy and the compiler."""

import numpy as np
import pytest

from samebytes.errors import LayoutError
from samebytes.layouts import compute, difference, leaves, moves, repack
from samebytes.layouts.dialects import alignof, find_dialect, layout, sizeof
from samebytes.layouts.oracle import answers, questions
from samebytes.types import (
    ELEMENTS,
    SCALARS,
    Array,
    CArray,
    Const,
    Enum,
    Extent,
    Field,
    Named,
    Pointer,
    Struct,
    Vector,
    unqualified,
)

S = SCALARS

# CUDA's size and alignment of each vector: the same as ours, measured with nvcc 12.9 to 13.5.
CUDA_VECTORS = {
    "int8": ("1/1", "2/2", "3/1", "4/4"),
    "int16": ("2/2", "4/4", "6/2", "8/8"),
    "int32": ("4/4", "8/8", "12/4", "16/16"),
    "int64": ("8/8", "16/16", "24/8", "32/16"),
    "uint8": ("1/1", "2/2", "3/1", "4/4"),
    "uint16": ("2/2", "4/4", "6/2", "8/8"),
    "uint32": ("4/4", "8/8", "12/4", "16/16"),
    "uint64": ("8/8", "16/16", "24/8", "32/16"),
    "float16": ("2/2", "4/4", "6/2", "8/8"),
    "bfloat16": ("2/2", "4/4", "6/2", "8/8"),
    "float8e4m3": ("1/1", "2/2", "3/1", "4/4"),
    "float8e5m2": ("1/1", "2/2", "3/1", "4/4"),
    "float32": ("4/4", "8/8", "12/4", "16/16"),
    "float64": ("8/8", "16/16", "24/8", "32/16"),
}


def struct(*types, align=None, name="s"):
    return Struct(name, tuple(Field(f"f{i}", t) for i, t in enumerate(types)), align=align)


@pytest.mark.parametrize("element", ELEMENTS)
def test_vectors_have_cudas_layout(element):
    found = tuple(f"{f.size}/{f.align}" for n in (1, 2, 3, 4) for f in [layout(Vector(S[element], n))])
    assert found == CUDA_VECTORS[element]


# Measured with g++ (facts of the project): type, size, alignment, offsets
STRUCTS = [
    (struct(S["int32"], S["int32"], S["int32"]), 12, 4, (0, 4, 8)),
    (struct(S["bool"], S["float64"], S["float16"]), 24, 8, (0, 8, 16)),
    (struct(S["char"], Vector(S["float32"], 3), S["int16"]), 20, 4, (0, 4, 16)),
    (struct(S["char"], Vector(S["float32"], 4), S["int16"]), 48, 16, (0, 16, 32)),
    (struct(S["float32"], S["complex64"], S["int8"], S["complex128"]), 32, 8, (0, 4, 12, 16)),
    (struct(S["float32"], S["float32"], align=16), 16, 16, (0, 4)),
    (struct(struct(S["int32"], align=16), struct(S["int32"], align=16)), 32, 16, (0, 16)),
    (struct(S["int8"], CArray(S["int16"], (3, 2)), S["int8"]), 16, 2, (0, 2, 14)),
]


@pytest.mark.parametrize(("type_", "size", "align", "offsets"), STRUCTS, ids=lambda v: str(v)[:30])
def test_structs(type_, size, align, offsets):
    found = layout(type_)
    assert (found.size, found.align, found.offsets) == (size, align, offsets)


OTHERS = [
    (None, 8, 8),  # void*, as None crosses
    (Pointer(Named("incomplete")), 8, 8),
    (Const(S["float64"]), 8, 8),
    (CArray(S["float32"], (3, 4)), 48, 4),
    (Array(S["float32"], 0), 8, 8),
    (Array(S["float32"], 1), 24, 8),
    (Array(S["float32"], 2), 40, 8),
    (Array(S["float32"], 4), 72, 8),
    (Enum("E", S["uint16"], (("A", 1),)), 2, 2),
    (int, 4, 4),
    (float, 4, 4),
    (complex, 8, 4),
    (np.dtype("f8"), 8, 8),
]


@pytest.mark.parametrize(("type_", "size", "align"), OTHERS, ids=str)
def test_other_types(type_, size, align):
    assert (sizeof(type_), alignof(type_)) == (size, align)


def test_descriptor_has_fields_in_the_specifications_order():
    assert [(f.name, f.offset) for f in layout(Array(S["int8"], 3)).fields] == [
        ("data", 0), ("shape", 8), ("strides", 32),
    ]  # fmt: skip


@pytest.mark.parametrize("name", [n for n in SCALARS if n != "char"])
def test_numpy_aligns_numbers_alike(name):
    found = layout(struct(S["int8"], S[name], S["int8"]))
    expected = np.dtype([("a", "i1"), ("b", S[name].dtype), ("c", "i1")], align=True)
    assert (found.size, found.align) == (expected.itemsize, expected.alignment)
    assert found.offsets == tuple(expected.fields[k][1] for k in expected.names)


def test_the_compiler_agrees_on_every_number_and_vector():
    cxx = find_dialect("cxx")
    types = [S[n] for n in SCALARS] + [Vector(S[e], n) for e in ELEMENTS for n in (1, 2, 3, 4)]
    asked = [q for t in types for q in questions(t, cxx)]
    preamble = "#include <complex>\n#include <samebytes/vector.hpp>"
    found, _ = answers(preamble, [q.expression for q in asked])
    assert found == [q.expected for q in asked]


def test_vector_header_needs_nothing_but_cstdint():
    answers("#include <samebytes/vector.hpp>", ["sizeof(samebytes::float32x3)"])


@pytest.mark.parametrize(
    ("type_", "says"),
    [
        (Named("Node"), "known by name only"),
        (struct(), "no fields"),
        (Struct("s", (Field("b", S["int32"], bit_width=3),)), "s.b: only a C\\+\\+ compiler"),
        (Struct("s", (Field("b", S["int32"], 6),), fixed=Extent(8, 4)), "s.b at byte 6 is outside 8 bytes"),
        (Struct("s", (Field("b", S["int32"]),), fixed=Extent(8, 4)), "s.b at byte None"),
    ],
    ids=str,
)
def test_what_has_no_layout(type_, says):
    with pytest.raises(LayoutError, match=says):
        layout(type_)


def test_unknown_dialect_lists_those_there_are():
    with pytest.raises(LayoutError, match=r"no dialect 'fortran': there are .*cxx"):
        layout(int, dialect="fortran")


def test_fixed_layout_is_taken_as_it_is():
    packed = Struct("p", (Field("c", S["int8"], 0), Field("d", S["float64"], 1)), fixed=Extent(9, 1))
    assert layout(packed).offsets == (0, 1)
    assert (sizeof(packed), alignof(packed)) == (9, 1)


class _Wide:
    """cxx, but complex numbers aligned as CUDA's."""

    name = "wide"
    apart = frozenset()

    def extent(self, name):
        extent = find_dialect("cxx").extent(name)
        return Extent(extent.size, extent.size) if name.startswith("complex") else extent


def test_repacking_moves_every_number_and_zeroes_padding():
    type_ = struct(S["float32"], S["complex64"], CArray(struct(S["int8"], S["complex128"], name="t"), (2,)))
    cxx, wide = find_dialect("cxx"), _Wide()
    data = bytes(range(1, compute(type_, cxx).size + 1))
    there = repack(data, type_, cxx, wide)
    assert len(there) == compute(type_, wide).size == 80
    back = repack(there, type_, wide, cxx)
    kept = {i for offset, size in leaves(type_, cxx) for i in range(offset, offset + size)}
    assert back == bytes(b if i in kept else 0 for i, b in enumerate(data))
    assert moves(struct(S["int8"], S["int32"]), cxx, wide) is None


def test_difference_ignores_struct_names_and_enum_names():
    a = struct(S["int32"], Const(S["char"]), Enum("E", S["uint8"], ()), name="a")
    b = struct(S["int32"], S["int8"], S["uint8"], name="b")
    assert difference(a, b, find_dialect("cxx")) == ""
    assert unqualified(a) == a


@pytest.mark.parametrize(
    ("got", "says"),
    [
        (struct(S["int32"], S["float32"], name="b"), ".f1 is float32, expected int32"),
        (struct(S["int32"], name="b"), "it has the fields f0, expected f0, f1"),
        (struct(S["int32"], S["int32"], align=16), "it has 16 bytes, expected 8"),
        (struct(S["int64"], S["int32"]), ".f0 is int64, expected int32"),
        (struct(S["int32"], Vector(S["int8"], 4)), ".f1 is int8x4, expected int32"),
    ],
)
def test_difference_names_the_place(got, says):
    assert says in difference(struct(S["int32"], S["int32"]), got, find_dialect("cxx"))
