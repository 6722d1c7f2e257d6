"""align(t, n) and Atomic: layout as member and alone, spelling, values, refusals."""

import pytest

import samebytes as sb
from samebytes.types import SCALARS, Aligned, CArray, Enum, Field, Pointer, Struct, as_type

pytestmark = pytest.mark.full  # compilers of several dialects are asked


@sb.struct
class Cell:
    id: sb.int8
    v: sb.align(sb.float32x3, 16)
    w: sb.align(sb.float64, 4)
    after: sb.int8


def test_a_member_keeps_its_size():
    found = sb.layout(Cell)
    assert [(f.name, f.offset, f.size, f.align) for f in found.fields] == [
        ("id", 0, 1, 1), ("v", 16, 12, 16), ("w", 32, 8, 8), ("after", 40, 1, 1),
    ]  # fmt: skip
    assert (found.size, found.align) == (48, 16)


def test_alone_the_size_is_rounded_up():
    assert (sb.sizeof(sb.align(sb.float32x3, 16)), sb.alignof(sb.align(sb.float32x3, 16))) == (16, 16)
    assert (sb.sizeof(sb.align(sb.float64, 4)), sb.alignof(sb.align(sb.float64, 4))) == (8, 8)
    assert sb.sizeof(sb.carray[sb.align(sb.int8, 4), 3]) == 12


def test_the_larger_of_two_alignments_counts():
    assert sb.align(sb.align(sb.int8, 8), 2) == sb.align(sb.align(sb.int8, 2), 8) == sb.align(sb.int8, 8)


def test_an_aligned_class_makes_values():
    wide = sb.align(Cell, 64)
    cell = wide(1, (1, 2, 3), 4.5, 6)
    assert type(cell) is Cell
    assert sb.unpack(sb.pack(cell, wide), wide) == cell
    assert (len(sb.pack(cell, wide)), len(sb.pack(cell))) == (64, 48)
    with pytest.raises(TypeError, match="not made of a class"):
        sb.align(sb.carray[sb.int8, 2], 4)()


def test_defaults_and_replace():
    @sb.struct
    class WithDefault:
        a: sb.align(sb.float32x3, 16) = (1, 2, 3)
        b: sb.Atomic(int, align=16) = 4

    assert WithDefault().a == sb.float32x3(1, 2, 3)
    assert WithDefault().replace(b=9).b == 9


ATOMICS = [
    sb.Atomic(bool), sb.Atomic(sb.int16), sb.Atomic(int), sb.Atomic(sb.float64), sb.Atomic(sb.complex64),
    sb.Atomic(sb.complex128), sb.Atomic(sb.float32x3), sb.Atomic(sb.float64x4), sb.Atomic(sb.pointer[sb.float32]),
    sb.Atomic(tuple[sb.int8, sb.int16, sb.int8]), sb.Atomic(Enum("Color", SCALARS["uint16"], (("red", 0),))),
    sb.Atomic(int, align=16), sb.Atomic(sb.align(int, 32)),
]  # fmt: skip


def test_atomics_alone():
    found = [sb.layout(t) for t in ATOMICS]
    assert [(f.size, f.align) for f in found] == [
        (1, 1), (2, 2), (4, 4), (8, 8), (8, 8), (16, 16), (12, 4), (32, 16), (8, 8), (6, 2), (2, 2), (16, 16),
        (32, 32),
    ]  # fmt: skip


def test_the_compiler_confirms():
    fields = [
        *ATOMICS,
        sb.align(sb.int8, 8),
        sb.carray[sb.align(sb.int16, 8), 2],
        Pointer(Aligned(SCALARS["int8"], 4)),
    ]
    members = tuple(
        Field(f"f{i}", as_type(t)) for i, t in enumerate([*fields, sb.array[sb.align(sb.float32, 8), 2]])
    )
    sb.prove(Struct("Everything", (*members, Field("cell", as_type(Cell)))))
    for alone in fields:
        sb.prove(alone)


def test_values_of_an_atomic_are_those_of_its_type():
    assert sb.pack(-2, sb.Atomic(sb.int16)) == sb.pack(-2, sb.int16)
    assert sb.unpack(sb.pack(-2, sb.Atomic(sb.int16, align=8)), sb.Atomic(sb.int16, align=8)) == -2
    pair = sb.carray[sb.align(sb.float32, 16), 2]
    assert sb.unpack(sb.pack((1, 2), pair), pair) == (1.0, 2.0)


def test_spelling():
    @sb.struct
    class Lock:
        line: sb.Atomic(int, align=16)
        wide: sb.align(sb.float64, 4)

    text = sb.declare(Lock)
    assert "  alignas(16) std::atomic<std::int32_t> line;\n" in text
    assert "  alignas(8) double wide;\n" in text  # the effective alignment


@pytest.mark.parametrize("n", [0, -4, 3, 24, 2.0, "16", True, None, 2**40])
def test_no_power_of_two(n):
    with pytest.raises(ValueError, match="align="):
        sb.align(int, n)
    if n is not None:
        with pytest.raises(ValueError, match="align="):
            sb.Atomic(int, align=n)
        with pytest.raises(ValueError, match="align="):
            sb.struct(align=n)


@pytest.mark.parametrize("T", [None, sb.array[int, 1], sb.carray[int, 2], sb.Atomic(int)])
def test_what_cannot_be_atomic(T):  # noqa: N803
    with pytest.raises(TypeError, match="cannot be atomic"):
        sb.Atomic(T)


def test_wrong_values():
    with pytest.raises(sb.RangeError, match="int16"):
        sb.pack(2**15, sb.Atomic(sb.int16))
    with pytest.raises(sb.ArgumentError, match="'w': expected float64"):
        Cell(1, (1, 2, 3), "4", 5)
    assert CArray(Aligned(SCALARS["int8"], 4), (3,)) == as_type(sb.carray[sb.align(sb.int8, 4), 3])
