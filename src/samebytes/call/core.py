"""What the core asks of Python about arrays and addresses; it is loaded before the core reads the first of them."""

from .._native import Pointer
from ..arrays import protocols as protocols
from ..arrays import view as view
from .adapters import pointer_rule as pointer_rule
from .addresses import invalidated as invalidated
from .addresses import write_back as write_back

__all__ = ["Pointer"]
