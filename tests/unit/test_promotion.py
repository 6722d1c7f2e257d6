"""Result types: the standard's table typed in as data, NumPy's answers, our formats, and Python's weak numbers."""

from __future__ import annotations

from itertools import combinations_with_replacement, permutations, product

import numpy as np
import pytest
from case_ids import plain
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import each

import samebytes as sb
from samebytes.layouts.promotion import STANDARD, TABLE
from samebytes.types import SCALARS

# Python Array API standard v2023.12, "Type Promotion Rules": its five tables, row by row.
TABLES = """
    b1 | b1
    b1 | b1

    i1 i2 i4 i8
    i1 | i1 i2 i4 i8
    i2 | i2 i2 i4 i8
    i4 | i4 i4 i4 i8
    i8 | i8 i8 i8 i8

    u1 u2 u4 u8
    u1 | u1 u2 u4 u8
    u2 | u2 u2 u4 u8
    u4 | u4 u4 u4 u8
    u8 | u8 u8 u8 u8

    u1 u2 u4
    i1 | i2 i4 i8
    i2 | i2 i4 i8
    i4 | i4 i4 i8
    i8 | i8 i8 i8

    f4 f8 c8 c16
    f4 | f4 f8 c8 c16
    f8 | f8 f8 c16 c16
    c8 | c8 c16 c8 c16
    c16 | c16 c16 c16 c16
"""
COLUMNS = "b1 i1 i2 i4 i8 u1 u2 u4 u8 f4 f8 c8 c16"
CODES = {np.dtype(code).name: code for code in COLUMNS.split()}
OURS = ("float16", "bfloat16", "float8e4m3", "float8e5m2")


def typed_in() -> dict[frozenset[str], str]:
    found: dict[frozenset[str], str] = {frozenset({"b1"}): "b1"}
    for block in TABLES.strip().split("\n\n")[1:]:
        head, *rows = block.strip().splitlines()
        for row in rows:
            name, _, results = row.partition("|")
            for column, result in zip(head.split(), results.split(), strict=True):
                assert found.setdefault(frozenset({name.strip(), column}), result) == result
    return found


DEFINED = typed_in()
PAIRS = list(combinations_with_replacement(CODES, 2))


def of(name: str) -> type:
    return SCALARS[name].numpy  # type: ignore[no-any-return]


@pytest.mark.requirement("P.1")
def test_the_table_has_all_pairs_of_the_standard() -> None:
    assert len(PAIRS) == len(STANDARD) == 91
    assert len(DEFINED) == sum(result is not None for result in STANDARD.values()) == 43
    assert len(TABLE) == 153


@pytest.mark.requirement("P.1")
@each(("a", "b"), PAIRS)
def test_pair(a: str, b: str) -> None:
    expected = DEFINED.get(frozenset({CODES[a], CODES[b]}))
    for left, right in ((a, b), (b, a)):
        if expected:
            result = sb.result_type(of(left), of(right))
            assert np.dtype(result) == np.dtype(expected) == np.result_type(of(left), of(right))
        else:
            with pytest.raises(TypeError, match=r"not defined for .*promotion=\"numpy\""):
                sb.result_type(of(left), of(right))
            with_numpy = sb.result_type(of(left), of(right), promotion="numpy")
            assert np.dtype(with_numpy) == np.result_type(of(left), of(right))


# --- formats that the standard does not have ---


def values(name: str) -> np.ndarray:
    """All finite values of a format of at most 16 bits, as float64."""
    size = SCALARS[name].size
    with np.errstate(invalid="ignore"):
        found = np.arange(256**size, dtype=f"u{size}").view(of(name)).astype(np.float64)
    return found[np.isfinite(found)]


def holds(name: str, found: np.ndarray) -> bool:
    if name in ("complex64", "float32", "complex128", "float64"):
        return True
    with np.errstate(over="ignore"):
        return bool((found.astype(of(name)).astype(np.float64) == found).all())


@each(("a", "b"), [pair for pair in TABLE if set(pair) & set(OURS)])
def test_our_formats_lose_no_value(a: str, b: str) -> None:
    small = [name for name in (a, b) if name in OURS]
    others = set(SCALARS) - set(OURS) - {"float32", "float64", "complex64", "complex128"}
    result = TABLE[a, b]
    if {a, b} == {"float8e4m3", "float8e5m2"} or {a, b} & others:
        assert result is None
        with pytest.raises(TypeError, match="not defined"):
            sb.result_type(of(a), of(b))
        return
    assert sb.result_type(of(b), of(a)) is of(result or "")
    assert all(holds(result or "", values(name)) for name in small)


@pytest.mark.parametrize(
    ("operands", "result"),
    [
        (("float16", "bfloat16"), "float32"),
        (("float8e4m3", "bfloat16"), "bfloat16"),
        (("float8e5m2", "float16"), "float16"),
        (("float8e4m3", "float8e5m2", "bfloat16"), "bfloat16"),
        (("float8e4m3", "float8e5m2", "float32"), "float32"),
        (("float16", "complex64"), "complex64"),
        (("bfloat16", "float64"), "float64"),
    ],
)
def test_our_formats(operands: tuple[str, ...], result: str) -> None:
    for order in permutations(operands):
        assert sb.result_type(*map(of, order)) is of(result)


@given(st.lists(st.sampled_from(sorted(set(SCALARS) - {"char"})), min_size=1, max_size=4), st.randoms())
def test_order_and_repetition_do_not_matter(names: list[str], random: object) -> None:
    def answer(operands: list[str]) -> object:
        try:
            return sb.result_type(*map(of, operands))
        except TypeError:
            return None

    shuffled = [*names, names[0]]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert answer(shuffled) is answer(names)


# --- Python's own numbers ---

TAKES = {  # the standard, "Mixing arrays with Python scalars"
    bool: ("bool",),
    int: ("int", "uint", "float", "complex"),
    float: ("float", "complex"),
    complex: ("complex",),
}


@pytest.mark.requirement("P.2")
@each(("python", "name"), list(product(TAKES, [name for name in SCALARS if name != "char"])))
def test_python_numbers_are_weak(python: type, name: str) -> None:
    fits = SCALARS[name].kind in TAKES[python]
    for operand in (python, python(1)):
        if fits:
            assert sb.result_type(operand, of(name)) is sb.result_type(of(name), operand) is of(name)
            if name not in OURS:
                assert np.result_type(python(1), of(name)) == np.dtype(of(name))
        else:
            with pytest.raises(TypeError, match=f"Python's {python.__name__} and {name}"):
                sb.result_type(operand, of(name))
            if name in CODES:
                found = sb.result_type(operand, of(name), promotion="numpy")
                assert np.dtype(found) == np.result_type(python(1), of(name))


@pytest.mark.requirement("P.2")
@pytest.mark.parametrize(
    ("operands", "result"),
    [((True,), np.bool_), ((1,), sb.int32), ((1.0,), sb.float32), ((1j,), sb.complex64), ((int, 2.0), sb.float32),
     ((True, 1), sb.int32), ((1, 2j, 0.5), sb.complex64), ((bool, bool), np.bool_)],
)  # fmt: skip
def test_python_numbers_among_themselves(operands: tuple[object, ...], result: type) -> None:
    assert sb.result_type(*operands) is result


@pytest.mark.parametrize(
    ("value", "name"), [(128, "int8"), (-1, "uint8"), (256, "uint8"), (2**63, "int64"), (-1, "uint64")]
)
def test_an_int_must_fit_the_format_it_takes(value: int, name: str) -> None:
    with pytest.raises(sb.RangeError, match=f"{value} does not fit {name}"):
        sb.result_type(value, of(name))


def test_an_int_alone_must_fit_int32() -> None:
    with pytest.raises(OverflowError):
        sb.result_type(2**31)


# --- what may be an operand ---


@pytest.mark.requirement("P.1")
@pytest.mark.parametrize(
    "operand",
    [sb.float32, np.dtype("f4"), np.float32(1), np.zeros(3, "f4"), np.zeros((), "f4"), sb.array[sb.float32, 2],
     sb.array[sb.const[sb.float32], 1], sb.carray[sb.float32, 3], sb.float32x3, sb.float32x3(1, 2, 3), float, 1.5],
    ids=repr,
)  # fmt: skip
def test_operands(operand: object) -> None:
    assert sb.result_type(operand, sb.float32) is sb.float32
    assert sb.result_type(operand, sb.complex128) is sb.complex128


def test_numpys_float64_is_not_pythons_float() -> None:
    assert sb.result_type(np.float64(1), sb.float32) is sb.float64


@pytest.mark.parametrize(
    "operand", [sb.pointer[sb.float32], None, "nothing of the kind", object()], ids=plain
)
def test_no_number(operand: object) -> None:
    with pytest.raises(TypeError):
        sb.result_type(operand, sb.float32)


def test_no_operand_and_no_such_promotion() -> None:
    with pytest.raises(TypeError, match="at least one"):
        sb.result_type()
    with pytest.raises(ValueError, match=r"result_type\(\): promotion is .* got 'torch'"):
        sb.result_type(int, promotion="torch")


def test_numpy_knows_no_result_either() -> None:
    with pytest.raises(TypeError, match="not defined"):
        sb.result_type(sb.float8e4m3, sb.float8e5m2, promotion="numpy")
