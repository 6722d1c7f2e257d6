"""Numba's types for values of C++: structs as values and as records, vectors; and the types of everything else."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from numba import types
from numba.core.typeconv import Conversion

from ..dialects import find_dialect
from ..errors import ArgumentError, LayoutError, Mismatch
from ..layout import Layout, compute
from ..mirrors import mirror
from ..types import (
    SCALARS,
    VOID,
    CArray,
    Converted,
    Enum,
    Handle,
    Held,
    Pointer,
    Product,
    Scalar,
    Struct,
    Type,
    Vector,
    unqualified,
)

# Larger structs never travel in registers: a call returns a record.
LARGEST_VALUE = 128
_SMALL = frozenset({"float16", "bfloat16", "float8e4m3", "float8e5m2"})
_NAMES = {"bool": "boolean", "char": "int8"}


class StructType(types.Type):  # type: ignore[misc]
    """A C++ struct as a value: its bytes, which never change.

    Attributes
    ----------
    struct : Struct
        With the class of its Python objects.
    dialect : str
        Whose layout.
    """

    mutable = False

    def __init__(self, struct: Struct, dialect: str) -> None:
        self.struct = struct
        self.dialect = dialect
        super().__init__(name=struct.name.replace("::", "."))

    @property
    def key(self) -> Any:
        return self.struct, self.dialect, self.struct.python

    @property
    def layout(self) -> Layout:
        """Size, alignment and fields."""
        return compute(self.struct, find_dialect(self.dialect))

    def unify(self, typingctx: Any, other: Any) -> Any:
        """Where a value and a record meet, both are values: what writes to them is a record throughout (rewriting)."""
        return self if isinstance(other, RecordType) and other.dtype == self else None


class RecordType(types.Type):  # type: ignore[misc]
    """A C++ struct as an object: what Python's record is, a place whose fields can be written.

    Attributes
    ----------
    dtype : StructType
    """

    mutable = True

    def __init__(self, dtype: StructType) -> None:
        self.dtype = dtype
        super().__init__(name=f"record({dtype.name})")

    @property
    def key(self) -> Any:
        return self.dtype

    def unify(self, typingctx: Any, other: Any) -> Any:
        """As for the value."""
        return self.dtype if other == self.dtype else None

    def can_convert_to(self, typingctx: Any, other: Any) -> Any:
        """A record is read where a value is meant."""
        return Conversion.safe if other == self.dtype else None


class HandleType(RecordType):
    """An object that only C++ makes, copies and destroys; compiled code holds it by its address.

    Attributes
    ----------
    const : bool
        Whether C++ gave it as const.
    """

    def __init__(self, dtype: StructType, const: bool = False) -> None:
        self.const = const
        super().__init__(dtype)
        self.name = f"{'const ' * const}{dtype.name}"

    @property
    def key(self) -> Any:
        return self.dtype, self.const

    def unify(self, typingctx: Any, other: Any) -> Any:
        """Only with itself."""
        return self if other == self else None

    def can_convert_to(self, typingctx: Any, other: Any) -> Any:
        """It has no value form."""
        return None


class VectorType(types.Type):  # type: ignore[misc]
    """One to four numbers, ``float32x4``; immutable."""

    mutable = False

    def __init__(self, vector: Vector) -> None:
        self.vector = vector
        super().__init__(name=str(vector))

    @property
    def key(self) -> Any:
        return self.vector

    @property
    def element(self) -> Any:
        """Numba's type of an element; small floating formats exist on GPUs only."""
        return scalar_type(self.vector.element, "cuda" if self.vector.element.name in _SMALL else "cxx")


class NamespaceType(types.Opaque):  # type: ignore[misc]
    """A namespace of a library, or the library.

    Attributes
    ----------
    space : Namespace
    """

    def __init__(self, space: Any) -> None:
        self.space = space
        super().__init__(name=f"namespace {space.__name__}")

    @property
    def key(self) -> Any:
        return id(self.space)


class ElementType(types.Record):  # type: ignore[misc]
    """An element of an array of structs whose class is known: an array inside a struct, a variable.

    Attributes
    ----------
    struct : StructType
    """

    def __init__(self, struct: StructType, record: Any) -> None:
        self.struct = struct
        rows = [
            (name, {"type": f.type, "offset": f.offset, "alignment": f.alignment, "title": f.title})
            for name, f in record.fields.items()
        ]
        super().__init__(rows, record.size, record.aligned)

    @property
    def key(self) -> Any:
        return self.struct, self.name


class CallableType(types.Callable, types.Opaque):  # type: ignore[misc]
    """A function, a class or a method of a library.

    Attributes
    ----------
    bound : object
        ``bound.type_call(arguments, keywords)`` types a call; the object itself is the key of its machine code.
    """

    def __init__(self, bound: Any) -> None:
        self.bound = bound
        super().__init__(name=str(bound))

    @property
    def key(self) -> Any:
        return self.bound

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        """Numba's signature of a call; TypingError if there is none."""
        return self.bound.type_call(tuple(args), dict(kws))

    def get_call_signatures(self) -> Any:
        """No fixed ones."""
        return (), True

    def get_impl_key(self, sig: Any) -> Any:
        """The key of the machine code."""
        return self.bound


class MethodType(types.BoundFunction):  # type: ignore[misc]
    """A method with its object.

    Attributes
    ----------
    this : type
        Of the object.
    """

    def __init__(self, bound: Any, this: Any) -> None:
        self.bound = bound
        self.this = this
        self.typing_key = bound
        self.template = None
        types.Type.__init__(self, f"{bound} of {this}")

    @property
    def key(self) -> Any:
        return self.bound, self.this

    def copy(self, this: Any) -> Any:
        """The same method of another object."""
        return type(self)(self.bound, this)

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        """Numba's signature of a call; TypingError if there is none."""
        return self.bound.type_call((self.this, *args), dict(kws), bound=True)

    def get_call_signatures(self) -> Any:
        """No fixed ones."""
        return (), True

    def get_impl_key(self, sig: Any) -> Any:
        """The key of the machine code."""
        return self.bound


def scalar_type(scalar: Scalar, dialect: str = "cxx") -> Any:
    """Numba's number of the same format.

    Raises
    ------
    Mismatch
        If Numba has none.
    """
    if dialect == "cuda" and scalar.name in _SMALL:
        return _small(scalar.name)
    if scalar.name in ("float16", "bfloat16"):
        return types.float32  # which holds all of them: see ``halves``
    found = getattr(types, _NAMES.get(scalar.name, scalar.name), None)
    if not isinstance(found, types.Boolean | types.Number) or scalar.name in _SMALL:
        raise Mismatch(ArgumentError, "a number that Numba knows", str(scalar), "")
    return found


def _small(name: str) -> Any:
    from numba.cuda import types as device
    from numba.cuda._internal import cuda_fp8

    return {
        "float16": device.float16, "bfloat16": device.bfloat16,
        "float8e4m3": cuda_fp8._type_fp8_e4m3, "float8e5m2": cuda_fp8._type_fp8_e5m2,
    }[name]  # fmt: skip


def _vector(type_: Vector, dialect: str) -> Any:
    if dialect == "cuda":
        from numba.cuda.vector_types import vector_types

        if str(type_) in vector_types:
            return vector_types[str(type_)]
    elif type_.element.name in _SMALL:
        raise Mismatch(ArgumentError, "a vector of numbers that Numba knows", str(type_), "")
    return vector_type(type_)


def vector_of(kind: Any) -> Vector | None:
    """The vector that one of Numba's types is, ours or that of numba-cuda; None for others."""
    if isinstance(kind, VectorType):
        return kind.vector
    if not hasattr(kind, "num_elements") or not hasattr(kind, "base_type"):
        return None
    return Vector(SCALARS[kind.name.rpartition("x")[0]], kind.num_elements)


def element_of(kind: Any) -> Any:
    """Numba's type of a vector's elements."""
    return kind.element if isinstance(kind, VectorType) else kind.base_type


def _enum(type_: Enum, dialect: str) -> Any:
    if type_.python is None:
        return scalar_type(type_.underlying, dialect)
    return types.IntEnumMember(type_.python, enum_number(type_))


def enum_number(type_: Enum) -> Any:
    """The number that Numba takes an enumerator for."""
    wide = type_.underlying.kind == "uint" and type_.underlying.size == 8
    return types.uint64 if wide else types.int64


def _pointer(type_: Pointer, dialect: str) -> Any:
    small = isinstance(type_.target, Scalar) and type_.target.name in _SMALL and dialect != "cuda"
    if type_.target == VOID or small or isinstance(type_.target, Handle):
        return types.voidptr
    try:
        return types.CPointer(numba_type(type_.target, dialect))
    except (Mismatch, KeyError):
        return types.voidptr


def _carray(type_: CArray, dialect: str) -> Any:
    made = numba_type(type_.element, dialect)
    for extent in reversed(type_.shape):
        made = types.UniTuple(made, extent)
    return made


def _product(type_: Product, dialect: str) -> Any:
    return types.Tuple([numba_type(t, dialect) for t in type_.elements])


def _handle(type_: Handle, dialect: str) -> Any:
    if dialect == "cuda":
        raise Mismatch(ArgumentError, "a type that compiled code has", str(type_), "")
    return HandleType(struct_type(type_, dialect, type_.python))


def _no_held(type_: Held) -> Any:
    raise Mismatch(
        ArgumentError, "a type that compiled code has", f"{type_}, which points into an argument", ""
    )


def _held(type_: Held, dialect: str) -> Any:
    if not isinstance(type_.type, Product):
        return numba_type(type_.type, dialect) if isinstance(type_.type, Converted) else _no_held(type_)
    return numba_type(type_.type, dialect)


@cache
def struct_type(struct: Struct, dialect: str, python: Any) -> StructType:
    """The one type of a struct; ``python`` tells apart the structs of different libraries."""
    return StructType(struct, dialect)


@cache
def vector_type(vector: Vector) -> VectorType:
    """The one type of a vector."""
    return VectorType(vector)


_RULES: dict[type[Type], Callable[[Any, str], Any]] = {
    Scalar: scalar_type,
    Enum: _enum,
    Pointer: _pointer,
    Struct: lambda type_, dialect: struct_type(type_, dialect, type_.python),
    Vector: _vector,
    CArray: _carray,
    Product: _product,
    Handle: _handle,
    Held: _held,
}


def numba_type(type_: Type, dialect: str) -> Any:
    """Numba's type of a value of C++.

    Raises
    ------
    Mismatch
        If compiled code has no such values.
    """
    if type_ == VOID:
        return types.void
    bare = unqualified(type_)
    rule = _RULES.get(type(bare))
    if rule is None:
        words = bare.words if isinstance(bare, Converted) else str(bare)
        raise Mismatch(ArgumentError, "a type that compiled code has", words, "")
    return rule(bare, dialect)


@cache
def mirrored(struct: StructType) -> Any:
    """Numba's own record with the struct's layout, as elements of structured arrays are; None if there is none."""
    try:
        return mirror(struct.struct, "numba", struct.dialect)
    except LayoutError:
        return None


def element_type(struct: StructType) -> Any:
    """The elements of an array of a struct; None where Numba has no record with the struct's layout."""
    record = mirrored(struct)
    return ElementType(struct, record) if record is not None else None


def is_mirror(record: Any, struct: StructType) -> bool:
    """Whether Numba's record lies in memory as the struct does."""
    found = mirrored(struct)
    return found is not None and (found == record or _same_fields(found, record))


def _same_fields(one: Any, other: Any) -> bool:
    rows = [[(n, f.offset, f.type) for n, f in r.fields.items()] for r in (one, other)]
    return rows[0] == rows[1] and one.size == other.size and bool(other.aligned)
