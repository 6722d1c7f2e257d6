"""Python values into the bytes of a known type: the one arbiter of what fits, rounds, or is refused."""

from ...later import later

__getattr__ = later(
    __name__,
    "carrays",
    "converted",
    "enums",
    "handles",
    "memory",
    "numbers",
    "packing",
    "plain",
    "structs",
    "structured",
    "tracing",
    claim="handles",
    conflict="handles",
    convert_field="structs",
    convert_handle="handles",
    dtype_fits="structured",
    pack="packing",
    pack_fields="structs",
    put_field="structs",
    same_layout="structured",
    type_of="packing",
    unpack="packing",
)

from ...types import (
    Aligned,
    Array,
    Atomic,
    Bits,
    CArray,
    Choice,
    Const,
    Container,
    Dictionary,
    Duration,
    Enum,
    FilePath,
    Handle,
    Instant,
    Maybe,
    Named,
    Nothing,
    Object,
    Owner,
    Pointer,
    Product,
    Scalar,
    Struct,
    Target,
    Text,
    Tuple,
    Vector,
    Void,
)
from . import carrays, converted, enums, handles, numbers, plain, structs
from .base import RULES, Packed, convert

RULES.wait(carrays, {CArray: "convert_carray"})
RULES.wait(enums, {Enum: "convert_enum"})
RULES.wait(handles, {Handle: "convert_handle", Object: "convert_object", Owner: "convert_owner"})
RULES.wait(numbers, {Scalar: "convert_number"})
RULES.wait(structs, {Struct: "convert_struct", Tuple: "convert_struct", Vector: "convert_vector"})
RULES.wait(
    plain,
    {
        Aligned: "convert_aligned",
        Array: "refuse_unknown",
        Atomic: "convert_inner",
        Const: "convert_inner",
        Named: "refuse_unknown",
        Pointer: "convert_pointer",
        Void: "convert_void",
    },
)
RULES.wait(
    converted,
    {
        Bits: "convert_bits",
        Choice: "convert_choice",
        Container: "convert_sequence",
        Dictionary: "convert_mapping",
        Duration: "convert_duration",
        FilePath: "convert_path",
        Instant: "convert_instant",
        Maybe: "convert_maybe",
        Nothing: "convert_nothing",
        Product: "convert_product",
        Target: "convert_maybe",
        Text: "convert_text",
    },
)

__all__ = ["RULES", "Packed", "convert"]
