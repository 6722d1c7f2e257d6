"""Each construct in the tables beside this file is bound without a warning, and called with the right result."""

from __future__ import annotations

import importlib
import sys
import textwrap
import warnings
from pathlib import Path
from typing import Any

import pytest

import samebytes as sb

HERE = Path(__file__).parent
sys.path.append(str(HERE))  # importlib's import mode adds nothing itself
ROWS = [row for table in sorted(HERE.glob("*_rows.py")) for row in importlib.import_module(table.stem).ROWS]


def evaluate(lines: str, names: dict[str, Any]) -> Any:
    *statements, last = textwrap.dedent(lines).strip().split("\n")
    exec("\n".join(statements), names)
    return eval(last, names)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_construct(row: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", sb.BindWarning)
        lib = sb.compile(row.cxx, **row.options)
    assert lib.__skipped__ == ()
    names = {"lib": lib, "sb": sb}
    if isinstance(row.expected, tuple) and row.expected and isinstance(row.expected[0], type):
        error, words = row.expected
        with pytest.raises(error) as raised:
            evaluate(row.python, names)
        assert str(raised.value).startswith(words)
    else:
        found = evaluate(row.python, names)
        assert found == row.expected
        assert type(found) is type(row.expected)


def test_names_are_unique() -> None:
    names = [row.name for row in ROWS]
    assert sorted(set(names)) == sorted(names)
