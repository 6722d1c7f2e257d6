"""NumPy's scalars and enumerators have C++ types: where C++ finds overloads equally good for one, it is no choice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.tables import each

import samebytes as sb

CODE = """
inline int k(unsigned char) { return 1; }  inline int k(double) { return 2; }
enum E : short { EA = 1 };  inline int e(long) { return 1; }  inline int e(unsigned) { return 2; }
inline int u(unsigned) { return 1; }  inline int u(long long) { return 2; }
struct A { int v = 1; int operator+(int) const { return 1; } int operator+(double) const { return 2; } };
inline int p(int) { return 1; }  inline int p(long) { return 2; }  inline int p(double) { return 3; }
"""


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(CODE, name="sized_numbers")


@each("text", ["k(np.int32(1))", "e(EA)", "u(np.int32(1))", "A() + np.int64(1)", "p(np.uint64(1))"])
def test_equally_good_overloads_are_no_choice(lib: Any, text: str) -> None:
    with pytest.raises(sb.ArgumentError, match="ambiguous"):
        eval(text, {"np": np} | {name: getattr(lib, name) for name in dir(lib)})


@each(
    "text, answer",
    [
        ("k(np.uint8(1))", 1), ("k(np.float64(1))", 2), ("k(np.float32(1))", 2), ("k(1)", 1), ("e(1)", 1),
        ("u(np.uint32(1))", 1), ("A() + np.int32(1)", 1), ("A() + np.int8(1)", 1), ("A() + np.float32(1)", 2),
        ("p(np.int8(1))", 1), ("p(EA)", 1), ("p(np.int64(1))", 2), ("p(np.float32(1))", 3),
    ],
)  # fmt: skip
def test_what_cxx_chooses_answers(lib: Any, text: str, answer: int) -> None:
    assert eval(text, {"np": np} | {name: getattr(lib, name) for name in dir(lib)}) == answer
