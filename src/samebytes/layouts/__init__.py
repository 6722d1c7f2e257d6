"""Size, alignment and offsets of any type in any dialect, and what follows from them."""

from .differences import difference
from .model import Fact, FieldLayout, Layout, Table
from .parts import walk
from .pieces import leaves, moves, overlapping, repack, without_padding
from .rules import as_member, compute, round_up

__all__ = [
    "Fact",
    "FieldLayout",
    "Layout",
    "Table",
    "as_member",
    "compute",
    "difference",
    "leaves",
    "moves",
    "overlapping",
    "repack",
    "round_up",
    "walk",
    "without_padding",
]
