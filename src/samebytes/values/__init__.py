"""Objects that are their bytes: vectors, immutable structs, mutable records, and enumerations."""

from . import vector as _vector  # noqa: F401  # codecs ask for its classes
