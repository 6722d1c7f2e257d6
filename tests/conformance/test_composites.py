"""The chapter's tuples and user-defined types, requirement by requirement, with its three examples."""

from __future__ import annotations

import struct

import pytest

import samebytes as device
from samebytes.layouts.dialects import dialect_names


@device.struct
class point:  # noqa: N801
    x: int
    y: int
    z: int


@device.struct(align=16)
class complex:  # noqa: N801
    real: float
    imag: float


@device.struct
class ticket_mutex:  # noqa: N801
    line: device.Atomic(int, align=16)
    current: device.Atomic(int, align=16)


@device.struct
class Mixed:
    flag: bool
    where: device.float32x4
    pair: tuple[int, device.float64]
    inner: complex
    z: device.complex64


STAND_ALONE = [bool, device.float32x4, tuple[int, device.float64], complex, device.complex64]


def offsets(type_, dialect="cuda"):
    return list(device.layout(type_, dialect).offsets)


def follows(types, dialect):
    """The offsets of a standard-layout class's members by the rule of C++: each at its own alignment."""
    end, found = 0, []
    for type_ in types:
        align = device.alignof(type_, dialect)
        found.append(-(-end // align) * align)
        end = found[-1] + device.sizeof(type_, dialect)
    return found


class TestTuples:
    @pytest.mark.requirement("T.1")
    @pytest.mark.parametrize(
        "value",
        [(1,), (True, 2.5), (1, (2.5, True)), (device.float32x3(1, 2, 3), None), (point(1, 2, 3), 1j)],
        ids=str,
    )
    def test_of_heterogeneous_elements(self, value):
        assert isinstance(device.pack(value, dialect="cuda"), bytes)

    @pytest.mark.requirement("T.1")
    @pytest.mark.parametrize("value", [(), (object(),), (1, [2])], ids=["empty", "object", "list"])
    def test_of_anything_else(self, value):
        with pytest.raises(TypeError):
            device.pack(value, dialect="cuda")

    @pytest.mark.requirement("T.2")
    def test_members_from_first_to_last(self):
        kind = tuple[bool, device.float64, device.float16]
        assert offsets(kind) == [0, 8, 16]
        assert (device.sizeof(kind, "cuda"), device.alignof(kind, "cuda")) == (24, 8)
        text = device.declare(kind, "cuda")
        assert text.index("bool __0;") < text.index("double __1;") < text.index("__half __2;")
        device.prove(kind)

    @pytest.mark.requirement("T.3")
    @pytest.mark.parametrize("dialect", dialect_names())
    def test_members_are_as_alone(self, dialect):
        whole = device.layout(tuple[tuple(STAND_ALONE)], dialect)
        assert [(f.size, f.align) for f in whole.fields] == [
            (device.sizeof(t, dialect), device.alignof(t, dialect)) for t in STAND_ALONE
        ]
        assert list(whole.offsets) == follows(STAND_ALONE, dialect)

    @pytest.mark.requirement("T.4")
    def test_example(self):
        assert device.pack((8, 8, 8), dialect="cuda") == struct.pack("<3i", 8, 8, 8)
        kind = tuple[int, int, int]
        text = device.declare(kind, "cuda")
        for i in range(3):
            assert f"cuda::std::int32_t __{i};" in text
        assert (device.sizeof(kind, "cuda"), device.alignof(kind, "cuda")) == (12, 4)


class TestStructs:
    @pytest.mark.requirement("S.1")
    def test_heterogeneous(self):
        lib = device.compile("struct point { int x, y, z; }; int sum(point p) { return p.x + p.y + p.z; }")
        assert isinstance(point, type)
        assert isinstance(point(1, 2, 3), point)
        assert lib.sum(point(1, 2, 3)) == 6

    @pytest.mark.requirement("S.2")
    @pytest.mark.parametrize("hint", [str, object, list[int], "no_such_name", tuple[int, ...]], ids=str)
    def test_hints_are_heterogeneous(self, hint):
        with pytest.raises(TypeError, match="struct Bad, field 'wrong'"):
            device.struct(type("Bad", (), {"__annotations__": {"right": int, "wrong": hint}}))

    @pytest.mark.requirement("S.3")
    @pytest.mark.parametrize(
        ("arguments", "error"),
        [
            ((1, 2, 3.5), TypeError),
            ((True, 2, 3), TypeError),
            ((1, 2, 2**31), OverflowError),
            ((1, None, 3), TypeError),
        ],
        ids=str,
    )
    def test_attributes_match_their_hints(self, arguments, error):
        with pytest.raises(error, match=r"point\(\)"):
            point(*arguments)

    @pytest.mark.requirement("S.4", "H.1")
    def test_no_new_attributes(self):
        with pytest.raises(AttributeError):
            point(1, 2, 3).w = 4
        assert not hasattr(point(1, 2, 3), "__dict__")

    @pytest.mark.requirement("S.5")
    def test_immutable(self):
        p = point(1, 2, 3)
        with pytest.raises(AttributeError, match=r"immutable: \.replace\(x="):
            p.x = 5
        assert p.replace(x=5) == point(5, 2, 3)
        assert p == point(1, 2, 3)
        assert hash(p) == hash(point(1, 2, 3))

    @pytest.mark.requirement("S.6")
    def test_members_in_lexical_order(self):
        names = [field.name for field in device.layout(Mixed, "cuda").fields]
        assert names == ["flag", "where", "pair", "inner", "z"]
        device.prove(Mixed)

    @pytest.mark.requirement("S.7")
    @pytest.mark.parametrize("dialect", dialect_names())
    def test_members_are_as_alone(self, dialect):
        whole = device.layout(Mixed, dialect)
        assert list(whole.offsets) == follows(STAND_ALONE, dialect)
        assert [(f.size, f.align) for f in whole.fields] == [
            (device.sizeof(t, dialect), device.alignof(t, dialect)) for t in STAND_ALONE
        ]

    @pytest.mark.requirement("S.8")
    @pytest.mark.parametrize("align", [1, 2, 4, 8, 16, 32, 64, 4096])
    def test_align(self, align):
        @device.struct(align=align)
        class Aligned:
            a: device.float32
            b: device.int8

        assert device.alignof(Aligned, "cuda") == max(align, 4)
        assert device.sizeof(Aligned, "cuda") == max(align, 8)
        device.prove(Aligned)

    @pytest.mark.requirement("S.8")
    def test_default_alignment(self):
        assert device.alignof(point, "cuda") == 4
        assert device.alignof(device.struct()(point.underlying), "cuda") == 4

    @pytest.mark.requirement("S.8")
    @pytest.mark.parametrize("align", [0, -8, 3, 24, 2.0, "16", True])
    def test_no_alignment(self, align):
        with pytest.raises(ValueError, match="power of two"):
            device.struct(align=align)

    @pytest.mark.requirement("S.9")
    def test_underlying(self):
        class Plain:
            x: int

        made = device.struct(Plain)
        assert made.underlying is Plain
        assert made is not Plain

    @pytest.mark.requirement("S.10")
    @pytest.mark.parametrize(
        "of", [int, device.float32x3, point, tuple[int, int], device.pointer[device.int8]], ids=str
    )
    @pytest.mark.parametrize("n", [1, 4, 16, 64])
    def test_align_function(self, of, n):
        aligned = device.align(of, n)
        own = device.alignof(of, "cuda")
        assert device.alignof(aligned, "cuda") == max(n, own)
        assert device.sizeof(aligned, "cuda") % max(n, own) == 0
        # As a member it is the type itself, further apart.
        pair = device.layout(tuple[device.int8, aligned, device.int8], "cuda")
        assert pair.offsets == (0, max(n, own), max(n, own) + device.sizeof(of, "cuda"))

    @pytest.mark.requirement("S.10")
    def test_align_is_equivalent(self):
        aligned = device.align(point, 32)
        assert aligned(1, 2, 3) == point(1, 2, 3)
        assert device.pack(point(1, 2, 3), aligned) == device.pack(point(1, 2, 3)) + bytes(20)


class TestExamples:
    @pytest.mark.requirement("S.11")
    def test_point(self):
        assert offsets(point) == [0, 4, 8]
        assert device.pack(point(1, 2, 3), dialect="cuda") == struct.pack("<3i", 1, 2, 3)
        text = device.declare(point, "cuda")
        members = "".join(f"  cuda::std::int32_t {name};\n" for name in "xyz")
        assert f"struct point {{\n{members}}};" in text

    @pytest.mark.requirement("S.12")
    def test_complex(self):
        assert (device.sizeof(complex, "cuda"), device.alignof(complex, "cuda")) == (16, 16)
        assert offsets(complex) == [0, 4]
        assert device.pack(complex(1, 2), dialect="cuda") == struct.pack("<2f", 1, 2) + bytes(8)
        assert "struct alignas(16) complex {\n  float real;\n  float imag;\n};" in device.declare(
            complex, "cuda"
        )

    @pytest.mark.requirement("S.13")
    def test_ticket_mutex(self):
        assert (device.sizeof(ticket_mutex, "cuda"), device.alignof(ticket_mutex, "cuda")) == (32, 16)
        assert offsets(ticket_mutex) == [0, 16]
        assert device.pack(ticket_mutex(1, 2), dialect="cuda") == struct.pack("<i12xi12x", 1, 2)
        device.prove(ticket_mutex)
