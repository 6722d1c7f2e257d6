"""C APIs in HIP Python's style: outputs come back after the status, and adapters stand for addresses."""

from .api import PLAIN, Api, Pending
from .handles import Handle, handle_class
from .lookup import Symbols, symbols
from .rules import apply_style

__all__ = ["PLAIN", "Api", "Handle", "Pending", "Symbols", "apply_style", "handle_class", "symbols"]
