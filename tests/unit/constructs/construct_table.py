"""What one row of a table of constructs is: C++, a call in Python, and the result that it must have."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any

import numpy as np

import samebytes as sb


@dataclass(frozen=True)
class Row:
    """One construct.

    Attributes
    ----------
    name : str
    cxx : str
        Declarations; they go into a namespace of their own.
    expression : str
        Python; ``f`` is that namespace, ``lib`` the library, ``np`` NumPy, ``datetime`` the module.
    expected : object
        The value, an exception class, or ``skipped: words`` for what must not be bound.
    """

    name: str
    cxx: str
    expression: str
    expected: Any


def source(includes: str, rows: list[Row]) -> str:
    """All rows as one source: a build for all of them."""
    parts = [f"namespace row{i} {{\n{row.cxx}\n}}" for i, row in enumerate(rows)]
    return "\n".join([includes, *parts, ""])


def same(found: Any, expected: Any) -> bool:
    """Equality that also compares arrays by dtype and elements, and types of plain values."""
    if isinstance(expected, np.ndarray):
        return found.dtype == expected.dtype and np.array_equal(found, expected)
    if isinstance(expected, tuple | list):
        return (
            type(found) is type(expected) and len(found) == len(expected) and all(map(same, found, expected))
        )
    return type(found) is type(expected) and bool(found == expected)


def check(lib: Any, index: int, row: Row) -> None:
    """Evaluate one row against a library built of them all."""
    space = getattr(lib, f"row{index}", None)
    scope = {"f": space, "lib": lib, "np": np, "sb": sb, "datetime": datetime}
    if isinstance(row.expected, str) and row.expected.startswith("skipped: "):
        reasons = [str(s) for s in lib.__skipped__ if s.name.startswith(f"row{index}::")]
        assert any(row.expected.removeprefix("skipped: ") in reason for reason in reasons), reasons
    elif isinstance(row.expected, type) and issubclass(row.expected, Exception):
        try:
            found = eval(row.expression, scope)
        except row.expected:
            return
        raise AssertionError(f"{row.expression} gave {found!r}, expected {row.expected.__name__}")
    else:
        found = eval(row.expression, scope)
        assert same(found, row.expected), f"{row.expression} gave {found!r}, expected {row.expected!r}"
