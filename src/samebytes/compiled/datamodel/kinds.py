"""Our own types in Numba: structs as values and as records, vectors, namespaces, and what can be called."""

from __future__ import annotations

import operator
from typing import Any

from numba import types
from numba.core.typeconv import Conversion

from ...layouts import Layout, compute
from ...layouts.dialects import find_dialect
from ...types import Atomic, CArray, Struct, Type, Vector, unqualified
from ...values.struct_value import StructValue

_IN_PLACE = tuple(
    name for name in vars(operator) if name.startswith("__i") and f"__{name[3:]}" in vars(operator)
)
# Larger structs never travel in registers: a call returns a record.
LARGEST_VALUE = 128


def has_atomics(type_: Type) -> bool:
    """Whether a type is, or holds by value, an atomic."""
    bare = unqualified(type_)
    if isinstance(bare, Atomic):
        return True
    held = bare.parts if isinstance(bare, Struct | CArray) or hasattr(bare, "align") else ()
    return any(map(has_atomics, held))


class StructType(types.Type):  # type: ignore[misc]
    """A C++ struct as a value: its bytes, which never change.

    Attributes
    ----------
    struct : Struct
        With the class of its Python objects.
    dialect : str
        Whose layout.
    """

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

    @property
    def immutable(self) -> bool:
        """Whether Python declares it (``@struct``): nothing writes to its fields, in compiled code either."""
        return isinstance(self.struct.python, type) and issubclass(self.struct.python, StructValue)

    @property
    def mutable(self) -> bool:
        """Whether ``a += b`` is an operation of its own: Numba takes that of ``a + b`` for what it knows immutable."""
        return self.immutable and any(hasattr(self.struct.python, name) for name in _IN_PLACE)

    @property
    def shared(self) -> bool:
        """Whether it has atomics, which are what they are only at one place."""
        return self.immutable and has_atomics(self.struct)

    def unify(self, typingctx: Any, other: Any) -> Any:
        """Not with a record, of which it would be a copy: where they meet both are made records (rewriting)."""
        return self if other == self else None


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
        return self if other == self else None

    def can_convert_to(self, typingctx: Any, other: Any) -> Any:
        """A record is read where a value is meant; not where another way has a value of the same name."""
        return Conversion.unsafe if other == self.dtype else None


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


class SharedType(RecordType):
    """A struct of Python's that has atomics, at the place where threads share it; its other fields never change."""

    def __init__(self, dtype: StructType) -> None:
        super().__init__(dtype)
        self.name = f"shared({dtype.name})"

    def can_convert_to(self, typingctx: Any, other: Any) -> Any:
        """A copy of it would be another object."""
        return None


class AtomicType(types.Type):  # type: ignore[misc]
    """A value that threads read and write atomically, at its place.

    Attributes
    ----------
    atomic : Atomic
    """

    mutable = True

    def __init__(self, atomic: Atomic) -> None:
        self.atomic = atomic
        super().__init__(name=str(atomic))

    @property
    def key(self) -> Any:
        return self.atomic


class ConstPointerType(types.CPointer):  # type: ignore[misc]
    """``const T*``: it is read, and nothing is written through it."""

    mutable = False

    def __init__(self, dtype: Any) -> None:
        super().__init__(dtype)
        self.name = f"const {dtype}*"

    def _lies_there(self, other: Any) -> bool:
        return type(other) is types.CPointer and other.key == self.key

    def unify(self, typingctx: Any, other: Any) -> Any:
        """Where one way has a pointer that is not const, it is const."""
        return self if self._lies_there(other) else None

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        """Any pointer may be taken for const."""
        return Conversion.safe if self._lies_there(other) else None

    def can_convert_to(self, typingctx: Any, other: Any) -> Any:
        """A signature that somebody wrote down says what it takes: Numba has no other word for it."""
        return Conversion.unsafe if self._lies_there(other) else None


class AddressType(types.RawPointer):  # type: ignore[misc]
    """An address that Python has, ``sb.Pointer``: what it points to is said by nothing but its class.

    Attributes
    ----------
    cls : type
        Of the object.
    levels : int
        Where C++ gave what is behind the address as const, as of :class:`samebytes.types.Pointer`.
    """

    def __init__(self, cls: type, levels: int) -> None:
        self.cls, self.levels = cls, levels
        super().__init__(name=f"{'const ' * bool(levels)}{cls.__name__}")

    @property
    def key(self) -> Any:
        return self.cls, self.levels


class VectorType(types.IterableType):  # type: ignore[misc]
    """One to four numbers, ``float32x4``; immutable.

    Attributes
    ----------
    element, item : type
        Numba's type of its elements, and what reading one gives.
    rounded : bool
        Whether its elements are float32 here, each rounded to the format: floats of 8 bits, and of 16 on CPUs.
    """

    mutable = False

    def __init__(self, vector: Vector, element: Any, item: Any, rounded: bool) -> None:
        self.vector = vector
        self.element = element
        self.item = item
        self.rounded = rounded
        super().__init__(name=str(vector))

    @property
    def key(self) -> Any:
        return self.vector, self.rounded

    @property
    def iterator_type(self) -> Any:
        """That of the tuple of its elements."""
        return types.UniTupleIter(types.UniTuple(self.item, self.vector.size))


class FloatLiteral(types.Literal, types.Float):  # type: ignore[misc]
    """A float that the function's text has beside an operator: a vector keeps its format where it meets one."""

    is_internal = True  # as Numba's own: it fuses operations on arrays

    def __init__(self, value: float) -> None:
        self._literal_init(value)
        types.Number.__init__(self, f"Literal[float]({value!r})")
        self.bitwidth = types.float64.bitwidth

    @property
    def literal_type(self) -> Any:
        """What it is to everybody else."""
        return types.float64

    def can_convert_to(self, typingctx: Any, other: Any) -> Any:
        """As Numba's literal integers."""
        found = typingctx.can_convert(types.float64, other)
        return max(found, Conversion.promote) if found is not None else None


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
