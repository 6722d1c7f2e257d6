"""The chapter's vectors, requirement by requirement."""

from __future__ import annotations

import numpy as np
import pytest
from tests.tables import each

import samebytes as device

ELEMENTS = [
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float8e4m3", "float8e5m2", "float16", "bfloat16", "float32", "float64",
]  # fmt: skip
NAMES = [f"{element}x{size}" for element in ELEMENTS for size in (1, 2, 3, 4)]

# Table "Vector Types", with N for the size. The toolkits have no __nv_fp8xN for 1 and 3, no __halfN for 1, 3, 4.
CUDA = {
    "int8": "charN", "int16": "shortN", "int32": "intN", "int64": "longlongN",
    "uint8": "ucharN", "uint16": "ushortN", "uint32": "uintN", "uint64": "ulonglongN",
    "float8e4m3": "__nv_fp8xN_e4m3", "float8e5m2": "__nv_fp8xN_e5m2",
    "float16": "__halfN", "bfloat16": "__nv_bfloat16N", "float32": "floatN", "float64": "doubleN",
}  # fmt: skip
# Aligned as a whole with 2 and 4 elements, to 16 bytes at most; else as one element.
ALIGNED = {1: [1, 2, 1, 4], 2: [2, 4, 2, 8], 4: [4, 8, 4, 16], 8: [8, 16, 8, 16]}


def parts(name):
    element, _, size = name.rpartition("x")
    return getattr(device, name), getattr(device, element), int(size)


def sample(name):
    vector, _, size = parts(name)
    return vector(*range(1, size + 1))


@pytest.mark.requirement("V.1")
def test_all_are_defined():
    classes = {getattr(device, name) for name in NAMES}
    assert len(classes) == 56
    assert {cls.__name__ for cls in classes} == set(NAMES)


@each("name", NAMES)
class TestInterface:
    @pytest.mark.requirement("V.2", "H.1")
    def test_immutable(self, name):
        v, before = sample(name), bytes(sample(name))
        with pytest.raises(AttributeError, match=r"replace\(x="):
            v.x = 9
        with pytest.raises(AttributeError):
            v.anything = 9
        assert bytes(v) == before

    @pytest.mark.requirement("V.2")
    def test_modifying_returns_a_new_object(self, name):
        v = sample(name)
        changed = v.replace(x=3)
        assert type(changed) is type(v)
        assert float(changed.x) == 3
        assert v == sample(name)
        assert type(v + v) is type(v)
        assert [float(e) for e in v + v] == [2.0 * float(e) for e in v]

    @pytest.mark.requirement("V.3")
    def test_size(self, name):
        assert sample(name).size == len(sample(name)) == int(name[-1])

    @pytest.mark.requirement("V.4")
    def test_dtype(self, name):
        assert sample(name).dtype == np.dtype(parts(name)[1])

    @pytest.mark.requirement("V.5")
    def test_made_from_arguments(self, name):
        vector, element, size = parts(name)
        from_elements = vector(*(element(i) for i in range(1, size + 1)))
        assert from_elements == sample(name)
        with pytest.raises(TypeError, match="argument 1 'x'"):
            vector(*["1"] * size)

    @pytest.mark.requirement("V.6")
    def test_as_many_arguments_as_elements(self, name):
        vector, _, size = parts(name)
        for count in {0, 1, 2, 3, 4, 5} - {size}:
            with pytest.raises(TypeError, match=rf"got {count} argument"):
                vector(*[1] * count)

    @pytest.mark.requirement("V.7")
    def test_getitem(self, name):
        v, (_, element, size) = sample(name), parts(name)
        for i in range(size):
            assert isinstance(v[i], element)
            assert float(v[i]) == i + 1
        for i in (size, size + 1, -1):
            with pytest.raises(IndexError):
                v[i]

    @pytest.mark.requirement("V.8")
    def test_setitem_names_replace(self, name):
        v = sample(name)
        with pytest.raises(TypeError, match=r"immutable: v\.replace\(x="):
            v[0] = 2

    @pytest.mark.requirement("V.9")
    def test_iter(self, name):
        assert [float(e) for e in sample(name)] == [float(i) for i in range(1, int(name[-1]) + 1)]

    @pytest.mark.requirement("V.10")
    def test_components(self, name):
        v, size = sample(name), int(name[-1])
        for i, component in enumerate("xyzw"):
            assert hasattr(v, component) is (i < size)
            if i < size:
                assert float(getattr(v, component)) == i + 1

    @pytest.mark.requirement("V.11")
    def test_representation(self, name):
        vector, element, size = parts(name)
        row = device.machine_representation()[name]["cuda"]
        width = np.dtype(element).itemsize
        assert (row.size, row.align) == (size * width, ALIGNED[width][size - 1])
        named = CUDA[element.__name__ if element.__name__ in CUDA else name.rpartition("x")[0]]
        # CUDA's own type, or ours where it has none or deprecates it; one of a narrow type is the number.
        own = named.replace("N", str(size)), named.replace("xN", "").replace("N", "")
        assert row.spelling in own or row.spelling == f"samebytes::cuda::{name}"
        data = b"".join(element(i).tobytes() for i in range(1, size + 1))
        assert device.pack(sample(name), dialect="cuda") == data
        assert device.unpack(data, vector, dialect="cuda") == sample(name)
