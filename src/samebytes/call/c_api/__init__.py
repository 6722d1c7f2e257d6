"""What the functions of C APIs give: tuples or checked statuses, handles, memory; and libraries opened on first use."""

from ...later import later

__getattr__ = later(__name__, "allocating", "opaque_pointers", "status")
