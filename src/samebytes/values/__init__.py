"""Objects that are their bytes: vectors, immutable structs, mutable records, and enumerations."""

from ..later import later

__getattr__ = later(
    __name__,
    "array_views",
    "attributes",
    "beginning",
    "building",
    "constructing",
    "copied",
    "counted",
    "enum",
    "handle",
    "joining",
    "overriding",
    "pointed",
    "record",
    "record_type",
    "thrown",
    "times",
    "unicode",
    "vector",
)

from . import vector
from .codecs import read_vectors_as

read_vectors_as(lambda type_: vector.vector_class(type_))
