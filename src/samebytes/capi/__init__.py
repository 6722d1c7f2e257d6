"""C APIs in HIP Python's style: outputs come back after the status, and adapters stand for addresses."""

from .allocations import Allocation, chosen, parse_allocations
from .api import PLAIN, Api, Pending
from .handles import Handle, handle_class
from .lookup import Symbols, symbols
from .rules import EVERY, apply_style
from .texts import measure_texts
from .texts_by_name import name_texts

__all__ = [
    "EVERY", "PLAIN", "Allocation", "Api", "Handle", "Pending", "Symbols", "apply_style", "chosen", "handle_class",
    "measure_texts", "name_texts", "parse_allocations", "symbols",
]  # fmt: skip
