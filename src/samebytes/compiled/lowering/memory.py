"""Places in memory in compiled code: where fields lie, what reading one gives, and C arrays as views of NumPy."""

from __future__ import annotations

from typing import Any

from numba import types

from ...errors import ArgumentError, Mismatch
from ...layouts import FieldLayout
from ...types import Array, Atomic, CArray, Enum, Handle, Struct, Tuple, Type, Vector, unqualified
from ...types.naming import python_names
from ...values.building import other_names
from ..datamodel.equivalents import array_element, element_type, numba_type, struct_type
from ..datamodel.kinds import AtomicType, HandleType, RecordType, SharedType, StructType, has_atomics
from .descriptors import descriptor_type
from .halves import is_half
from .reading import given_type
from .site import Site


def places(struct: StructType) -> dict[str, FieldLayout]:
    """Where each field lies, by all its names in Python."""
    found = struct.layout.fields
    names = python_names(f.name for f in found)
    own = {names[f.name]: f for f in found}
    return own | {name: own[field] for name, field in further_names(struct).items()}


def further_names(struct: StructType) -> dict[str, str]:
    """The field that each other name of a field means."""
    return other_names(struct.struct) if isinstance(struct.struct, Struct) else {}


def is_constant(struct: StructType, place: FieldLayout) -> bool:
    """Whether C++ declares a field const."""
    return any(f.name == place.name and f.constant for f in struct.struct.members)


def alignment(struct: StructType, place: FieldLayout) -> int:
    """What is known of a field's address: the struct's alignment and the field's offset."""
    align = struct.layout.align
    while place.offset % align:
        align //= 2
    return align


def read_type(type_: Type, dialect: str, *, writable: bool) -> Any:
    """What reading a place gives: an object itself, a struct that can be written to a record, an array a view.

    Raises
    ------
    Mismatch
        If compiled code has no such values.
    """
    bare = unqualified(type_)
    if isinstance(bare, CArray) and not is_copied(bare, dialect, writable=writable):
        return array_type(bare, dialect, writable=writable)
    if isinstance(bare, Handle):
        return HandleType(numba_type(bare, dialect).dtype, const=not writable)
    if isinstance(bare, Array):
        return descriptor_type(bare, dialect)
    if isinstance(bare, Atomic):
        return AtomicType(bare)
    if isinstance(bare, Struct) and not isinstance(bare, Tuple):
        struct = struct_type(bare, dialect, bare.python)
        if struct.shared:
            return SharedType(struct)
        if struct.immutable:
            return struct
    if isinstance(bare, Struct) and writable and not isinstance(bare, Tuple):
        return RecordType(struct_type(bare, dialect, bare.python))
    return given_type(bare, dialect)


def is_copied(type_: CArray, dialect: str, *, writable: bool) -> bool:
    """Whether a C array is read as a tuple: Numba has no arrays of these numbers, and nothing writes to them."""
    element = unqualified(type_.element)
    element = element.element if isinstance(element, Vector) else element
    return not writable and is_half(element, dialect)


def is_place(type_: Type, *, writable: bool) -> bool:
    """Whether reading gives an object where it lies, and no copy; for what is no C array."""
    bare = unqualified(type_)
    if isinstance(bare, Struct) and has_atomics(bare):
        return True
    plain = isinstance(bare, Struct) and not isinstance(bare, Tuple)
    return isinstance(bare, Handle | Atomic) or (plain and writable)


def array_type(type_: CArray, dialect: str, *, writable: bool) -> Any:
    """Numba's type of the view of a C array."""
    element, rank = unqualified(type_.element), len(type_.shape)
    if isinstance(element, Enum):
        element = element.underlying
    if isinstance(element, Vector):
        element, rank = element.element, rank + 1
    dtype = array_element(element, dialect)
    if isinstance(dtype, HandleType):  # it is known by its address, which is not what lies there
        raise Mismatch(ArgumentError, "an array of what Numba has records for", str(type_), "")
    if isinstance(dtype, StructType):
        dtype = element_type(dtype)
        if dtype is None:
            raise Mismatch(ArgumentError, "an array of what Numba has records for", str(type_), "")
        if not writable:  # Numba lets every function write to the fields of a record in a read-only array
            raise Mismatch(ArgumentError, "an array whose structs may be written", f"const {type_}", "")
    return types.Array(dtype, rank, "C", readonly=not writable)


def array_at(site: Site, kind: Any, type_: CArray, data: Any, owner: Any) -> Any:
    """A NumPy view of a C array at an address."""
    form = site.context.get_data_type(kind.dtype)
    size = kind.dtype.size if isinstance(kind.dtype, types.Record) else site.context.get_abi_sizeof(form)
    element = unqualified(type_.element)
    shape = [*type_.shape, *((element.size,) if isinstance(element, Vector) else ())]
    strides = [size] * len(shape)
    for i in range(len(shape) - 2, -1, -1):
        strides[i] = strides[i + 1] * shape[i + 1]
    made = site.context.make_array(kind)(site.context, site.builder)
    site.compiler.arrays.populate_array(
        made, data=site.at(data, form), shape=[site.size(n) for n in shape],
        strides=[site.size(n) for n in strides], itemsize=site.size(size), meminfo=owner,
    )  # fmt: skip
    return made._getvalue()
