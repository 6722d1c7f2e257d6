"""What was read of C++: functions, records and constants, what parameters mean, and what a call stores for each."""

from ..later import later

__getattr__ = later(__name__, "further")
