"""Vectors: the specification's interface, arithmetic as NumPy's, and the bytes behind them."""

import copy
import itertools
import operator
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import each

import samebytes as sb
from samebytes.errors import ArgumentError, RangeError
from samebytes.types import ELEMENTS, SCALARS, Vector, as_type
from samebytes.values.vector import vector, vector_class

ALL = [Vector(SCALARS[e], n) for e in ELEMENTS for n in (1, 2, 3, 4)]
F4 = vector(np.float32, 4)
F3 = vector(np.float32, 3)
I3 = vector(np.int32, 3)


def test_there_are_56_and_each_is_one_class():
    assert len(ALL) == 56
    assert len({vector_class(kind) for kind in ALL}) == 56
    assert vector(np.dtype("f4"), 4) is F4
    assert as_type(F4) == Vector(SCALARS["float32"], 4)


@each("kind", ALL)
def test_interface(kind):
    cls, scalar = vector_class(kind), kind.element.numpy
    v = cls(*range(kind.size))
    array = np.arange(kind.size).astype(kind.element.dtype)
    assert len(v) == v.size == kind.size
    assert v.dtype == kind.element.dtype
    assert list(v) == list(range(kind.size))
    assert all(type(item) is scalar for item in v)
    assert [type(getattr(v, c)) for c in "xyzw"[: kind.size]] == [scalar] * kind.size
    assert [v[i] for i in range(kind.size)] == [getattr(v, c) for c in "xyzw"[: kind.size]]
    assert not any(hasattr(v, c) for c in "xyzw"[kind.size :])
    assert bytes(v) == array.tobytes()
    seen = np.asarray(v)
    assert seen.dtype.type is scalar
    assert (seen == array).all()
    assert (np.array(v, np.float64) == array.astype(np.float64)).all()
    assert pickle.loads(pickle.dumps(v)) == v == copy.copy(v) == copy.deepcopy(v)
    assert eval(repr(v), {cls.__name__: cls}) == v
    assert repr(v).startswith(f"{kind}(")
    assert cls.__match_args__ == tuple("xyzw"[: kind.size])


@each("kind", ALL)
def test_the_buffer_has_the_elements_format(kind):
    v = vector_class(kind)(*range(kind.size))
    if kind.element.name in ("bfloat16", "float8e4m3", "float8e5m2"):
        with pytest.raises(BufferError, match=r"no format for \S+; use bytes\(v\)"):
            memoryview(v)
        return
    view = memoryview(v)
    assert (view.shape, view.itemsize, view.readonly) == ((kind.size,), kind.element.size, True)
    assert np.asarray(view).dtype.type is kind.element.numpy
    assert np.asarray(view).tolist() == list(range(kind.size))


def test_indices():
    v = F3(1, 2, 3)
    assert v[np.int64(2)] == 3
    for bad in (3, -1, 10**30):
        with pytest.raises(IndexError, match="float32x3 index"):
            v[bad]
    with pytest.raises(TypeError):
        v[0:2]
    with pytest.raises(TypeError, match=r"immutable: v.replace\(y=\.\.\.\)"):
        v[1] = 5


def test_immutable():
    v = F3(1, 2, 3)
    with pytest.raises(AttributeError, match=r"immutable: v.replace\(x=\.\.\.\)"):
        v.x = 1
    with pytest.raises(AttributeError):
        del v.x
    with pytest.raises(AttributeError):
        v.speed = 1
    assert v.replace(y=9) == F3(1, 9, 3)
    assert v == F3(1, 2, 3)
    with pytest.raises(ArgumentError, match="has no element 'w'"):
        v.replace(w=1)


def test_construction_errors_name_the_element():
    with pytest.raises(ArgumentError, match=r"float32x3\(\) got 2 arguments"):
        F3(1, 2)
    with pytest.raises(ArgumentError, match="by position"):
        F3(x=1, y=2, z=3)
    with pytest.raises(ArgumentError, match="argument 2 'y': expected float32, got 'a'") as error:
        F3(1, "a", 1e300)
    assert [m.name for m in error.value.mismatches] == ["y", "z"]
    with pytest.raises(RangeError, match="argument 1 'x': expected int32"):
        I3(2**31, 0, 0)


@pytest.mark.parametrize(("element", "size"), [(bool, 2), (complex, 2), (np.float32, 5), (np.float32, 0)])
def test_vectors_that_are_not(element, size):
    with pytest.raises(TypeError, match="no vector of"):
        vector(element, size)


def test_equality_and_hash_by_element():
    assert F3(1, 2, 3) == F3(1, 2, 3)
    assert hash(F3(0.0, 2, 3)) == hash(F3(-0.0, 2, 3))
    assert F3(1, 2, 3) != F3(1, 2, 4)
    assert F3(1, 2, 3) != I3(1, 2, 3)
    assert F3(1, 2, 3) != (1, 2, 3)
    assert F3(np.nan, 0, 0) != F3(np.nan, 0, 0)
    assert len({F3(1, 2, 3), F3(1, 2, 3)}) == 1


def test_matching():
    match F3(1, 2, 3):
        case F3(x, y, z=z):
            assert (x, y, z) == (1, 2, 3)


BINARY = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod]


@pytest.mark.parametrize("element", ELEMENTS)
@each("operation", BINARY)
def test_arithmetic_is_numpys(element, operation):
    dtype = SCALARS[element].dtype
    cls = vector(dtype, 3)
    a, b = np.array([7, 3, 5], dtype), np.array([2, 4, 3], dtype)
    expected = operation(a, b)
    found = operation(cls(*a), cls(*b))
    assert type(found) is vector(expected.dtype, 3)
    assert bytes(found) == expected.tobytes()
    assert operation(cls(*a), b[0]) == vector_class(found.__samebytes_type__)(*operation(a, b[0]))
    assert operation(b[0], cls(*a)) == vector_class(found.__samebytes_type__)(*operation(b[0], a))


@pytest.mark.parametrize("element", [e for e in ELEMENTS if "float" in e])
def test_python_numbers_take_the_vectors_format(element):
    cls = vector(SCALARS[element].dtype, 2)
    assert 2 * cls(1, 2) + 0.5 == cls(2.5, 4.5)
    assert type(cls(1, 2) / 2) is cls
    assert 4 / cls(1, 2) == cls(4, 2)
    assert -cls(1, 2) == cls(-1, -2)
    assert abs(cls(-1, 2)) == cls(1, 2)
    assert cls(2, 4) ** 2 == cls(4, 16)


def test_promotion_follows_numpy():
    assert type(F3(1, 2, 3) * np.float64(2)) is vector(np.float64, 3)
    assert type(np.float64(2) * F3(1, 2, 3)) is vector(np.float64, 3)
    assert type(I3(1, 2, 3) / 2) is vector(np.float64, 3)
    assert type(F3(1, 2, 3) + vector(np.float64, 3)(1, 2, 3)) is vector(np.float64, 3)
    with pytest.raises(OverflowError):
        vector(np.int8, 2)(1, 2) + 300
    assert I3(1, 2, 3) << 1 == I3(2, 4, 6)
    assert ~I3(1, 2, 3) & 3 == I3(2, 1, 0)


@pytest.mark.parametrize(
    "other", [1j, "a", None, vector(np.float32, 2)(1, 2), [1, 2, 3], np.zeros(3, np.float32)], ids=repr
)
def test_what_does_not_combine(other):
    for operation in (operator.add, operator.lt):
        with pytest.raises(TypeError):
            operation(F3(1, 2, 3), other)
        with pytest.raises(TypeError):
            operation(other, F3(1, 2, 3))


def test_comparisons_give_one_answer_per_element():
    found = F3(1, 2, 3) < F3(2, 2, 2)
    assert found.tolist() == [True, False, False]
    assert (F3(1, 2, 3) >= 2).tolist() == [False, True, True]
    with pytest.raises(ValueError, match="ambiguous"):
        bool(found)


@given(st.lists(st.floats(width=32, allow_nan=False), min_size=4, max_size=4))
def test_round_trip(items):
    v = F4(*items)
    assert [float(i) for i in v] == items
    assert bytes(v) == np.array(items, np.float32).tobytes()


def test_stacking():
    assert np.array([F3(1, 2, 3), F3(4, 5, 6)]).tolist() == [[1, 2, 3], [4, 5, 6]]


def test_arithmetic_has_the_result_that_result_type_says():
    for own, other in itertools.product(ELEMENTS, repeat=2):
        a, b = (sb.vector(getattr(sb, name), 2)(1, 2) for name in (own, other))
        try:
            expected = sb.as_type(sb.result_type(a, b)).name
        except sb.ArgumentError:
            continue
        assert type(a + b) is sb.vector(getattr(sb, expected), 2), (own, other)


def test_an_8_bit_float_and_an_integer_have_none():
    with pytest.raises(sb.ArgumentError, match="no result is defined for vectors of int8 and float8e4m3"):
        sb.int8x2(1, 2) + sb.float8e4m3x2(1, 2)
    with pytest.raises(sb.ArgumentError, match="float8e5m2 and uint32"):
        np.uint32(1) * sb.float8e5m2x2(1, 2)
    assert sb.float8e4m3x2(1, 2) * 2 == sb.float8e4m3x2(2, 4)


@pytest.mark.parametrize("operation", [operator.add, operator.mul, operator.lt])
@pytest.mark.parametrize("other", [np.arange(3.0), np.ones((2, 3), "f4")])
def test_arrays_are_told_from_vectors(operation, other):
    vector = sb.float32x3(1, 2, 3)
    for operands in ((vector, other), (other, vector)):
        with pytest.raises(TypeError, match=r"make no vector: np\.asarray\(\) of the float32x3 computes"):
            operation(*operands)
    assert (operation(np.asarray(vector), other) == operation(np.array([1, 2, 3], "f4"), other)).all()


def test_numbers_of_formats_that_no_vector_has():
    for other in (np.complex64(1j), np.longdouble(1)):
        with pytest.raises(TypeError, match=f"float32x3 and a {other.dtype} make no vector"):
            sb.float32x3(1, 2, 3) + other
    with pytest.raises(TypeError, match=r"another format on each machine; x\.astype\(float\) rounds it"):
        sb.layout(np.longdouble)
