"""C APIs in HIP Python's style: outputs come back after the status, and adapters stand for addresses."""

from ...later import later

__getattr__ = later(__name__, "allocations")
