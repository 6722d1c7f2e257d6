"""What a dialect is: a language whose compiler decides layout and spelling, as tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from ...errors import LayoutError
from ...frozen import frozen
from ...types import (
    SPELLED,
    VOID,
    Aligned,
    Array,
    Atomic,
    ByKind,
    CArray,
    Const,
    Converted,
    Enum,
    Extent,
    Function,
    Handle,
    Held,
    Mdspan,
    Named,
    Pointer,
    Scalar,
    Span,
    Struct,
    Tuple,
    Type,
    Vector,
    Void,
    subclasses,
)
from .. import compute

_STORAGE = "<samebytes/storage.hpp>"


@frozen
class Native:
    """What one scalar, vector or pointer is in a language.

    Attributes
    ----------
    spelling : str
        The C++ type.
    size, align : int
        Bytes.
    include : str
        The header that declares it, with its brackets; empty for built-in types.
    """

    spelling: str
    size: int
    align: int
    include: str = ""


def _complex(spelling: str, size: int) -> Native:
    # The standard library's has its parts' alignment; libcu++'s, Thrust's and the toolkits' are aligned as a whole.
    whole = not spelling.startswith("std::")
    return Native(spelling, size, size if whole else size // 2, _COMPLEX[spelling.partition("<")[0]])


_COMPLEX = {
    "std::complex": "<complex>", "cuda::std::complex": "<cuda/std/complex>", "hip::std::complex": "<hip/std/complex>",
    "thrust::complex": "<thrust/complex.h>", "cuFloatComplex": "<cuComplex.h>", "cuDoubleComplex": "<cuComplex.h>",
    "hipFloatComplex": "<hip/hip_complex.h>", "hipDoubleComplex": "<hip/hip_complex.h>",
}  # fmt: skip

# What is the same in every dialect.
_SPELLED = {spelling: _complex(spelling, number.size) for spelling, number in SPELLED.items()}


@frozen(slots=False, eq=False)
class Dialect:
    """One language.

    Attributes
    ----------
    name : str
    natives : mapping of str to Native
        By the specification's names (``"float32"``, ``"float32x4"``), ``"char"``, and ``"pointer"``.
    descriptor : str
        The template of array descriptors; empty: the parent's.
    descriptor_include : str
    support : tuple of str
        The headers of what assertions need; empty: the parent's, also for the two that follow.
    offsetof : str
        The macro that gives a member's offset in bytes.
    same : str
        A constant expression, true where both types put into its braces are one.
    atomics : mapping of str to (str, str)
        Template and header of atomic numbers and pointers by their names (``"int32"``, ``"pointer"``), as far as
        the language has them and they lie as ``layout(Atomic)`` says; ``"*"``: of all types. All else is
        storage, ``samebytes::atomic<T>``. Not inherited.
    parent : Dialect or None
        Where names that are not in ``natives`` are looked up.
    apart : frozenset of str
        The numbers of C++, by their spellings, that devices and the host lay out differently.
    """

    name: str
    natives: Mapping[str, Native]
    descriptor: str = ""
    descriptor_include: str = ""
    support: tuple[str, ...] = ()
    offsetof: str = ""
    same: str = ""
    parent: Dialect | None = field(default=None, repr=False)
    atomics: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    apart: frozenset[str] = frozenset()

    def native(self, name: str) -> Native:
        """The table's row for a name, here or in the parent.

        Raises
        ------
        LayoutError
            If the language has no such type.
        """
        if name in _SPELLED:
            return _SPELLED[name]
        dialect: Dialect | None = self
        while dialect is not None:
            if name in dialect.natives:
                return dialect.natives[name]
            dialect = dialect.parent
        raise LayoutError(f"dialect {self.name} has no {name}")

    def extent(self, name: str) -> Extent:
        """Size and alignment in bytes of a named native type."""
        row = self.native(name)
        return Extent(row.size, row.align)

    def array_template(self) -> tuple[str, str]:
        """The array descriptor's template and the header that declares it."""
        if self.descriptor or self.parent is None:
            return self.descriptor, self.descriptor_include
        return self.parent.array_template()

    def atomic_template(self, type_: Type) -> tuple[str, str]:
        """The template of an atomic ``type_`` and the header that declares it."""
        if isinstance(type_, Enum):
            type_ = type_.underlying
        name = "pointer" if isinstance(type_, Pointer) else str(type_)
        return self.atomics.get(name) or self.atomics.get("*") or ("samebytes::atomic", _STORAGE)

    def assertions(self) -> tuple[tuple[str, ...], str, str]:
        """``support``, ``offsetof`` and ``same``, here or in the parent."""
        if self.support or self.parent is None:
            return self.support, self.offsetof, self.same
        return self.parent.assertions()

    def spell(self, type_: Type, name: str = "") -> str:
        """C++ for a declaration of ``name``, or the bare type where ``name`` is empty.

        >>> dialect.spell(as_type(carray[float32, 3]), "v")
        'float v[3]'
        """
        return _SPELLINGS[type(type_)](self, type_, name)

    def include(self, type_: Type) -> str:
        """The header that one type, apart from its parts, needs; empty if none."""
        find = _INCLUDES.get(type(type_))
        return find(self, type_) if find else ""


def _join(spelling: str, name: str) -> str:
    return spelling + name if name.startswith("[") or not name else f"{spelling} {name}"


def _pointer(dialect: Dialect, type_: Pointer, name: str) -> str:
    if isinstance(type_.target, CArray | Function):
        return dialect.spell(type_.pointee, f"(*{name})")
    return _join(dialect.spell(type_.pointee) + "*", name)


def _const(dialect: Dialect, type_: Const, name: str) -> str:
    if isinstance(type_.type, Pointer):
        return dialect.spell(type_.type, _join("const", name))
    return "const " + dialect.spell(type_.type, name)


def _carray(dialect: Dialect, type_: CArray, name: str) -> str:
    return dialect.spell(type_.element, name + "".join(f"[{n}]" for n in type_.shape))


def _function(dialect: Dialect, type_: Function, name: str) -> str:
    if type_.barred and "(*)" in type_.spelling:  # `definitions` sees to it that its names are known
        return type_.spelling.replace("(*)", name, 1)
    if type_.barred:
        raise LayoutError(f"{type_} cannot be spelled: {type_.barred}")
    arguments = ", ".join(
        a.spelling or dialect.spell(a.type) + _REFERENCES[a.passing] for a in type_.arguments
    )
    result = type_.result_spelling or dialect.spell(type_.result) + _REFERENCES[type_.result_passing]
    return f"{result} {name}({arguments})"


_REFERENCES = {"value": "", "lvalue_ref": "&", "rvalue_ref": "&&"}


def _array(dialect: Dialect, type_: Array, name: str) -> str:
    return _join(f"{dialect.array_template()[0]}<{dialect.spell(type_.dtype)}, {type_.ndim}>", name)


def _aligned(dialect: Dialect, type_: Aligned, name: str) -> str:
    return _join(f"samebytes::aligned<{_whole(dialect, type_.type)}, {compute(type_, dialect).align}>", name)


def _atomic(dialect: Dialect, type_: Atomic, name: str) -> str:
    template, _ = dialect.atomic_template(type_.type)
    return _join(f"{template}<{dialect.spell(type_.type)}>", name)


def _whole(dialect: Dialect, type_: Type) -> str:
    # None is a value as void*, though no object in C++ is of type void.
    return dialect.spell(Pointer(VOID) if type_ == VOID else type_)


_SPELLINGS: ByKind[Callable[[Dialect, Any, str], str]] = ByKind(
    "layouts: how C++ declares a type",
    {
        Void: lambda dialect, type_, name: _join("void", name),
        Scalar: lambda dialect, type_, name: _join(dialect.native(type_.row).spelling, name),
        Vector: lambda dialect, type_, name: _join(dialect.native(str(type_)).spelling, name),
        Struct: lambda dialect, type_, name: _join(type_.spelling or type_.name, name),
        Tuple: lambda dialect, type_, name: _join(type_.name, name),
        Aligned: _aligned,
        Atomic: _atomic,
        Enum: lambda dialect, type_, name: _join(type_.spelling or type_.name, name),
        Named: lambda dialect, type_, name: _join(type_.name, name),
        Pointer: _pointer,
        Const: _const,
        CArray: _carray,
        Function: _function,
        Array: _array,
        Span: lambda dialect, type_, name: _join(type_.spelling, name),
    },
    without={
        "it is its C++ class, which the shim writes": (Converted, *subclasses(Converted)),
        "it is spelled by its class, which only a library knows": (Handle, Mdspan),
        "it is a result in a shim, and nothing that C++ declares": (Held,),
    },
)

_INCLUDES: ByKind[Callable[[Dialect, Any], str]] = ByKind(
    "layouts: the header that a type needs",
    {
        Scalar: lambda dialect, type_: dialect.native(str(type_)).include,
        Vector: lambda dialect, type_: dialect.native(str(type_)).include,
        Array: lambda dialect, type_: dialect.array_template()[1],
        Atomic: lambda dialect, type_: dialect.atomic_template(type_.type)[1],
        Aligned: lambda dialect, type_: _STORAGE,
    },
    others="what it is made of says its own",
)
