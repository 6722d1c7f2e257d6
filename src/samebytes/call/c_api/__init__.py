"""What the functions of C APIs give: tuples or checked statuses, handles, memory; and libraries opened on first use."""

from .allocating import check_memory
from .api import PLAIN, Api, Pending
from .handles import Handle, handle_class
from .lookup import Symbols, symbols
from .status import finisher

__all__ = [
    "PLAIN", "Api", "Handle", "Pending", "Symbols", "check_memory", "finisher", "handle_class", "symbols",
]  # fmt: skip
