"""The examples of the specification's chapter "Heterogeneous Types and Objects", as the chapter writes them."""

import pytest

import samebytes as device


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


LAYOUTS = {
    point: (12, 4, {"x": 0, "y": 4, "z": 8}),
    complex: (16, 16, {"real": 0, "imag": 4}),
    ticket_mutex: (32, 16, {"line": 0, "current": 16}),
}


@pytest.mark.parametrize("dialect", ["cxx", "cuda", "hip", "sycl"])
@pytest.mark.parametrize("cls", LAYOUTS, ids=lambda cls: cls.__name__)
def test_layouts(cls, dialect):
    found = device.layout(cls, dialect=dialect)
    assert (found.size, found.align, {f.name: f.offset for f in found.fields}) == LAYOUTS[cls]


@pytest.mark.parametrize("cls", LAYOUTS, ids=lambda cls: cls.__name__)
def test_the_compiler_confirms(cls):
    device.prove(cls)


def test_cuda_declarations():
    assert "struct point {\n  cuda::std::int32_t x;\n" in device.declare(point, dialect="cuda")
    assert "struct alignas(16) complex {\n  float real;\n  float imag;\n};" in device.declare(
        complex, dialect="cuda"
    )
    assert "alignas(16) cuda::std::atomic<cuda::std::int32_t> line;" in device.declare(
        ticket_mutex, dialect="cuda"
    )


def test_structs_are_immutable_values():
    p = point(1, 2, 3)
    assert p.replace(z=4) == point(1, 2, z=4)
    with pytest.raises(AttributeError, match=r"point is immutable: \.replace\(x=\.\.\.\)"):
        p.x = 5
    with pytest.raises(AttributeError):
        p.colour = 5
    assert point.underlying.__name__ == "point"
    assert not hasattr(point.underlying, "replace")


def test_the_tuple_of_the_chapter():
    assert device.pack((8, 8, 8), dialect="cuda") == device.pack(point(8, 8, 8), dialect="cuda")
    found = device.layout(tuple[int, int, int], dialect="cuda")
    assert (found.size, found.align, found.offsets) == (12, 4, (0, 4, 8))


def test_values_of_the_mutex():
    assert device.pack(ticket_mutex(1, 2)).hex() == "01000000" + "00" * 12 + "02000000" + "00" * 12


def test_none_is_a_null_pointer():
    assert device.pack(None, dialect="cuda") == bytes(8)
