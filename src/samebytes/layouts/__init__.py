"""Size, alignment and offsets of any type in any dialect, and what follows from them."""

from ..later import later

__getattr__ = later(__name__, "differences", "mirrors", difference="differences")

from ..types import register_reader
from . import mirrors
from .model import Fact, FieldLayout, Layout, Table
from .parts import device_memory, has_pointers, in_device_memory, walk, walk_all
from .pieces import leaves, moves, overlapping, repack, without_padding
from .rules import as_member, compute, round_up

register_reader(lambda hint: None if isinstance(hint, str) else mirrors.read_hint(hint))

__all__ = [
    "Fact",
    "FieldLayout",
    "Layout",
    "Table",
    "as_member",
    "compute",
    "device_memory",
    "has_pointers",
    "in_device_memory",
    "leaves",
    "moves",
    "overlapping",
    "repack",
    "round_up",
    "walk",
    "walk_all",
    "without_padding",
]
