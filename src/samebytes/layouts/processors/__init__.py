"""Where C passes the values of a call: one file for each processor's calling convention."""

from __future__ import annotations

import platform
from functools import cache

from ...plugins import Plugins
from .base import (
    DOUBLE,
    GENERAL,
    INTEGER,
    PADDING,
    REAL,
    SMALLEST_FLOAT,
    WORD,
    Placing,
    Processor,
    Registers,
    Shape,
)

_PROCESSORS: Plugins[Processor] = Plugins(__name__, "PROCESSOR")


def processor() -> Processor | None:
    """The convention of this machine; None where no file describes it."""
    return _named(platform.machine())


@cache
def _named(machine: str) -> Processor | None:
    return next((p for p in _PROCESSORS.all() if machine in p.machines), None)


__all__ = [
    "DOUBLE",
    "GENERAL",
    "INTEGER",
    "PADDING",
    "REAL",
    "SMALLEST_FLOAT",
    "WORD",
    "Placing",
    "Processor",
    "Registers",
    "Shape",
    "processor",
]
