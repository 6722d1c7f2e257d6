"""What one row of the tables of constructs holds."""

from __future__ import annotations

from typing import Any, NamedTuple


class Row(NamedTuple):
    """A construct of C++, bound and called.

    Attributes
    ----------
    name : str
    cxx : str
        The header.
    python : str
        An expression with ``lib`` and ``sb``, or statements and, in the last line, an expression.
    expected : object
        Its value; an exception class, with the beginning of its words, where the call must fail.
    options : dict
        For ``sb.compile``.
    """

    name: str
    cxx: str
    python: str
    expected: Any
    options: dict[str, Any] = {}  # noqa: RUF012
