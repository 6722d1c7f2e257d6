"""What clang is asked about templates and instances beside the header itself."""

from ...later import later

__getattr__ = later(__name__, "instance_members", "natural_calls")
