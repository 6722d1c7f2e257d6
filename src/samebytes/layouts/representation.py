"""The specification's tables: the C++ type, size and alignment of each Python type, in every dialect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from ..errors import LayoutError
from ..types import BUILTINS, ELEMENTS, SCALARS
from .dialects import Dialect, Native, dialect_names, find_dialect

_PYTHON = {
    "None": "pointer",
    **{python.__name__: scalar.name for python, scalar in BUILTINS.items()},
    **{name: name for name in SCALARS if name not in ("bool", "char")},
    **{f"{name}x{size}": f"{name}x{size}" for name in ELEMENTS for size in (1, 2, 3, 4)},
}


class Representation(Mapping[str, Mapping[str, Native]]):
    """Python types' names, each with its row by dialect: ``table["float32x3"]["cuda"].spelling``.

    Printed, by Python, by rich or in a notebook, it is a table of ``spelling size/alignment`` in bytes.
    """

    def __init__(self, rows: Mapping[str, Mapping[str, Native]]) -> None:
        self._rows = rows

    def __getitem__(self, name: str) -> Mapping[str, Native]:
        return self._rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def dialects(self) -> tuple[str, ...]:
        """The columns."""
        return tuple(dict.fromkeys(dialect for row in self._rows.values() for dialect in row))

    def _lines(self) -> Iterator[tuple[str, ...]]:
        yield ("Python", *self.dialects)
        for name, row in self._rows.items():
            yield (name, *(_words(row[d]) if d in row else "" for d in self.dialects))

    def __str__(self) -> str:
        lines = list(self._lines())
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in lines
        )

    __repr__ = __str__

    def __rich__(self) -> Any:
        from rich.table import Table
        from rich.text import Text

        head, *lines = self._lines()
        made = Table(box=None)
        for title in head:
            made.add_column(title, header_style="bold", no_wrap=True)
        for line in lines:
            made.add_row(*map(Text, line))
        return made

    def _repr_html_(self) -> str:
        head, *lines = self._lines()
        rows = [f"<tr>{''.join(f'<th>{escape(cell)}</th>' for cell in head)}</tr>"]
        rows += [f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in line)}</tr>" for line in lines]
        return f"<table>{''.join(rows)}</table>"


def _words(native: Native) -> str:
    return f"{native.spelling} {native.size}/{native.align}"


def machine_representation() -> Representation:
    """What ``None``, the builtin and fixed-format numbers, and the vectors are in C++.

    The tables of the specification's chapter "Heterogeneous Types and Objects", measured: for each Python
    type and dialect the C++ spelling, and size and alignment in bytes.
    """
    dialects = [find_dialect(name) for name in dialect_names()]
    return Representation({python: _row(dialects, name) for python, name in _PYTHON.items()})


def _row(dialects: list[Dialect], name: str) -> dict[str, Native]:
    row = {}
    for dialect in dialects:
        try:
            row[dialect.name] = dialect.native(name)
        except LayoutError:  # the language has no such type
            continue
    return row
