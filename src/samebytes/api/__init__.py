"""What users call: compile and bind, from what they write to a loaded library."""

from ..later import later

__getattr__ = later(__name__, "requests")
