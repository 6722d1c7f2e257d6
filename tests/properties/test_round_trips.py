"""pack(unpack(b)) == b for random types and all their zero-padded bytes; unpack(pack(x)) == x for their values."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import samebytes as sb
from samebytes.layouts import compute, walk, without_padding
from samebytes.layouts.dialects import dialect_names, find_dialect, layout
from samebytes.types import (
    BOOL,
    ELEMENTS,
    SCALARS,
    Aligned,
    Array,
    Atomic,
    CArray,
    Const,
    Enum,
    Field,
    Pointer,
    Struct,
    Tuple,
    Vector,
    as_type,
)
from samebytes.values.struct import struct

DIALECTS = dialect_names()
NUMBERS = [SCALARS[name] for name in SCALARS]
VECTORS = [Vector(SCALARS[name], n) for name in ELEMENTS for n in (1, 2, 3, 4)]
LEAVES = [*NUMBERS, *VECTORS, Pointer(SCALARS["float32"]), as_type(None)]

leaf = st.sampled_from(LEAVES)
alignments = st.sampled_from([1, 2, 4, 8, 16, 32])


@struct
class Named:
    small: sb.int8
    wide: sb.align(sb.float32x3, 16)


def composed(inner):
    held = inner.filter(lambda t: t != as_type(None))
    return st.one_of(
        st.lists(inner, min_size=1, max_size=4).map(Tuple.of),
        st.builds(
            lambda types, align: Struct(
                "S", tuple(Field(f"f{i}", t) for i, t in enumerate(types)), align=align
            ),
            st.lists(inner, min_size=1, max_size=4),
            st.none() | alignments,
        ),
        st.builds(
            lambda t, shape: CArray(t, tuple(shape)),
            held,
            st.lists(st.integers(1, 3), min_size=1, max_size=2),
        ),
        st.builds(Aligned, held, alignments),
        st.sampled_from(LEAVES[:-1]).map(Atomic),
        held.map(lambda t: t if isinstance(t, Const) else Const(t)),
        st.just(as_type(Named)),
        st.integers(0, 3).map(lambda n: Array(SCALARS["float32"], n)),
    )


types = st.recursive(leaf, composed, max_leaves=6)


def raw_bytes(type_, dialect, seed):
    """Random bytes with zero in the padding, in None and in reserved halves of bool, and finite shapes."""
    table = find_dialect(dialect)
    data = np.random.default_rng(seed).integers(0, 256, compute(type_, table).size, np.uint8).tobytes()
    return without_padding(legal(data, type_, table), type_, table)


def legal(data, type_, table, base=0):
    """The bytes with every bool a bool, and None null."""
    out = bytearray(data)
    facts = compute(type_, table)
    if type_ == BOOL:
        out[base] &= 1
    elif type_ == as_type(None):
        out[base : base + 8] = bytes(8)
    elif isinstance(type_, CArray):
        step = compute(type_.element, table).size
        for i in range(type_.count):
            out[:] = legal(bytes(out), type_.element, table, base + i * step)
    elif isinstance(type_, Array):
        for i in range(2 * type_.ndim):
            out[base + 8 + 8 * i : base + 16 + 8 * i] = (i + 1).to_bytes(8, "little")
        out[base : base + 8] = (int.from_bytes(out[base : base + 8], "little") & ~63).to_bytes(8, "little")
    elif isinstance(type_, Const):
        return legal(data, type_.type, table, base)
    else:
        for place in facts.fields:
            out[:] = legal(bytes(out), place.type, table, base + place.offset)
    return bytes(out)


@settings(max_examples=400, deadline=None)
@given(types, st.sampled_from(DIALECTS), st.integers(0, 2**32))
def test_bytes_come_back(type_, dialect, seed):
    data = raw_bytes(type_, dialect, seed)
    value = sb.unpack(data, type_, dialect)
    assert sb.pack(value, type_, dialect) == data


@settings(max_examples=100, deadline=None)
@given(types, st.sampled_from(DIALECTS))
def test_layouts_are_sane(type_, dialect):
    for part in walk(type_):
        facts = layout(part, dialect)
        assert facts.size % facts.align == 0
        end = 0
        for place in facts.fields:
            assert place.offset >= end
            end = place.offset + place.size
        assert end <= facts.size


# --- every bit pattern of the small formats, NaN payloads included ---


LONG = [pytest.param(name, marks=pytest.mark.full) for name in ("float16", "bfloat16")]


@pytest.mark.parametrize("name", [*LONG, "float8e4m3", "float8e5m2"])
def test_every_bit_pattern_of_a_small_format(name):
    type_ = SCALARS[name]
    for bits in range(2 ** (8 * type_.size)):
        data = bits.to_bytes(type_.size, "little")
        assert sb.pack(sb.unpack(data, type_), type_) == data, hex(bits)


@pytest.mark.parametrize("bits", [0x7FC00000, 0x7F800001, 0xFFBFFFFF, 0x7FC12345, 0xFF800000, 0x00000001])
def test_float32_patterns(bits):
    data = bits.to_bytes(4, "little")
    assert sb.pack(sb.unpack(data, sb.float32), sb.float32) == data
    assert sb.pack(sb.unpack(data * 2, sb.complex64), sb.complex64) == data * 2


# --- values ---

VALUES = {
    "bool": st.booleans(),
    **{n: st.integers(*map(int, (np.iinfo(n).min, np.iinfo(n).max))) for n in SCALARS if "int" in n},
    "char": st.integers(-128, 127),
    "float16": st.floats(width=16, allow_nan=False),
    "float32": st.floats(width=32, allow_nan=False),
    "float64": st.floats(allow_nan=False),
    "complex64": st.complex_numbers(width=64, allow_nan=False),
    "complex128": st.complex_numbers(allow_nan=False),
    "bfloat16": st.integers(0, 2**16 - 1).map(lambda b: float(np.uint16(b).view(ml_dtypes.bfloat16))),
    "float8e4m3": st.integers(0, 255).map(lambda b: float(np.uint8(b).view(ml_dtypes.float8_e4m3fn))),
    "float8e5m2": st.integers(0, 255).map(lambda b: float(np.uint8(b).view(ml_dtypes.float8_e5m2))),
}


@settings(max_examples=400, deadline=None)
@given(
    st.sampled_from(NUMBERS).flatmap(lambda t: st.tuples(st.just(t), VALUES[t.name])),
    st.sampled_from(DIALECTS),
)
def test_values_come_back(case, dialect):
    type_, value = case
    if value != value or (type_.name == "float8e5m2" and abs(value) == np.inf):
        return  # NaN equals nothing; an infinite 8-bit float saturates when it comes from a Python float
    assert sb.unpack(sb.pack(value, type_, dialect), type_, dialect) == value
    pair = Tuple.of([SCALARS["int8"], type_])
    assert sb.unpack(sb.pack((1, value), pair, dialect), pair, dialect) == (1, value)


def test_enumerations():
    color = Enum("Color", SCALARS["uint8"], (("red", 0), ("green", 7)))
    for value in (0, 7):
        assert sb.pack(sb.unpack(bytes([value]), color), color) == bytes([value])
