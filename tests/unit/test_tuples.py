"""Tuples as standard-layout structs: types, bytes, refusals, and what the compiler says."""

import pytest

import samebytes as sb
from samebytes.types import VOID, Tuple, as_type

# The measured examples: types, size, alignment, offsets in dialect cxx (the first four are the same in cuda).
MEASURED = [
    ((int, int, int), 12, 4, (0, 4, 8)),
    ((bool, sb.float64, sb.float16), 24, 8, (0, 8, 16)),
    ((sb.int8, sb.float32x3, sb.int16), 20, 4, (0, 4, 16)),
    ((sb.int8, sb.float32x4, sb.int16), 48, 16, (0, 16, 32)),
    ((sb.int8, sb.complex64, sb.int16), 16, 4, (0, 4, 12)),
    ((int, (sb.int8, None), sb.int8), 32, 8, (0, 8, 24)),
]


def nested(hints):
    return Tuple.of(nested(h) if isinstance(h, tuple) else as_type(h) for h in hints)


@pytest.mark.parametrize(("hints", "size", "align", "offsets"), MEASURED)
def test_layout_as_measured(hints, size, align, offsets):
    found = sb.layout(nested(hints))
    assert (found.size, found.align, found.offsets) == (size, align, offsets)
    assert [f.name for f in found.fields] == [f"__{i}" for i in range(len(hints))]


def test_the_compiler_confirms_the_tuples():
    sb.prove(Tuple.of(nested(hints) for hints, *_ in MEASURED))


def test_hints():
    assert as_type(tuple[int, float]) == Tuple.of((as_type(int), as_type(float)))
    assert as_type(tuple[int, tuple[bool, None]]).elements[1].elements[1] == VOID
    assert str(as_type(tuple[int, sb.float32x3])) == "tuple[int32, float32x3]"
    assert as_type(tuple[int, int]).name == as_type(tuple[sb.int32, sb.int32]).name


@pytest.mark.parametrize("hint", [tuple, tuple[()], tuple[int, ...], tuple[int, str]])
def test_hints_without_a_representation(hint):
    with pytest.raises(TypeError):
        as_type(hint)


@pytest.mark.parametrize(
    ("value", "hexadecimal"),
    [
        ((8, 8, 8), "08000000" * 3),
        ((1, 2.5), "01000000" + "00002040"),
        ((True, 1j), "01000000" + "00000000" + "0000803f"),
        ((None, -1), "00" * 8 + "ffffffff" + "00" * 4),
        ((sb.int8(1), (sb.int16(2), sb.int8(3))), "0100" + "0200" + "0300"),
        ((sb.float32x2(1, 2),), "0000803f" + "00000040"),
    ],
)
def test_a_plain_tuple_has_the_type_of_its_values(value, hexadecimal):
    assert sb.pack(value).hex() == hexadecimal


def test_values_read_as_tuples():
    hint = tuple[int, tuple[sb.float64, None], sb.float32x2]
    data = sb.pack((1, (2.5, None), (3, 4)), hint)
    assert sb.unpack(data, hint) == (1, (2.5, None), sb.float32x2(3, 4))
    assert sb.pack(sb.unpack(data, hint), hint) == data


@pytest.mark.parametrize(
    ("value", "hint", "error", "says"),
    [
        ((), None, TypeError, "empty tuple"),
        ((2**31,), None, sb.RangeError, "__0: expected int32"),
        ((1, (2, 1e300)), None, sb.RangeError, "__1.__1: expected float32"),
        ((1, "x"), None, TypeError, "no machine representation"),
        ((1,), tuple[int, int], sb.ArgumentError, "2 fields"),
        ((1, 2.5), tuple[int, int], sb.ArgumentError, "__1: expected int32"),
        ((None, 0), tuple[None, None], sb.ArgumentError, "__1: expected None"),
        ((sb.Pointer(16),), tuple[None], sb.ArgumentError, "__0: expected None"),
        (5, tuple[int, int], sb.ArgumentError, "expected tuple"),
    ],
)
def test_refused(value, hint, error, says):
    with pytest.raises(error, match=says.replace("[", r"\[")):
        sb.pack(value, hint)


def test_declaration():
    text = sb.declare(tuple[int, tuple[bool, None]])
    assert "  std::int32_t __0;\n" in text
    assert "  void* __1;\n" in text
