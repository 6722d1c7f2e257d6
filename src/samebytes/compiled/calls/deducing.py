"""Templates in compiled code: ``f.Vec[float, 3]`` with constants, and calls whose template arguments C++ deduces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from numba import types

from ...errors import ArgumentError, Error, Mismatch, plain_error
from ...loading.templates.library import FunctionTemplate
from ...loading.templates.spelled import spell_type
from ...types import SCALARS, Enum, Scalar, Type
from ..compiler import NumbaCompiler
from ..datamodel.equivalents import scalar_type, vector_of
from ..datamodel.kinds import CallableType, ConstPointerType, RecordType, StructType
from ..lowering.halves import is_half
from ..lowering.site import Site
from .overloads import Overloads

# The overloads of every bound function, for all compilers: what an instantiation means.
Known = Callable[[Any], Overloads | None]


@dataclass(eq=False, repr=False)
class Deduced:
    """A function template in compiled code: each call deduces its template arguments, as C++ does.

    Attributes
    ----------
    known : callable
        The overloads of a bound function.
    """

    compiler: NumbaCompiler
    template: FunctionTemplate
    known: Known
    _chosen: dict[tuple[Any, ...], Overloads] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The template's."""
        return self.template.__name__

    def __str__(self) -> str:
        return f"{self.name}()"

    __repr__ = __str__

    def overloads(self, args: tuple[Any, ...]) -> Overloads:
        """The instantiation that a call with arguments of these types means.

        Raises
        ------
        Error
            If C++ knows none, or an argument has no C++ type.
        """
        if args not in self._chosen:
            function = self.template.deduce_types(
                [spellings(self.compiler, self.name, i, a) for i, a in enumerate(args)]
            )
            found = self.known(function)
            if found is None:
                raise plain_error(
                    ArgumentError, self.name, "means a function that is not bound for this compiler"
                )
            self._chosen[args] = found
        return self._chosen[args]

    def type_call(self, args: tuple[Any, ...], kws: Mapping[str, Any]) -> Any:
        """Numba's signature of a call."""
        try:
            if kws:
                args = self.template.positional(args, kws)
            return self.overloads(args).type_call(args, {})
        except Error as error:
            raise self.compiler.errors.TypingError(str(error)) from None

    def register(self) -> None:
        """Tell the compiler how calls are lowered."""

        @self.compiler.registry.lower(self, types.VarArg(types.Any))
        def lower(context: Any, builder: Any, signature: Any, args: Sequence[Any]) -> Any:
            given = tuple(signature.args)
            return self.overloads(given).lower(Site(self.compiler, context, builder), given, args)

        self.compiler.install()
        self.compiler.typing.insert_global(self.template, CallableType(self))


@cache
def deduced(compiler: NumbaCompiler, template: FunctionTemplate, known: Known) -> Deduced:
    """The one form of a template for a compiler."""
    made = Deduced(compiler, template, known)
    made.register()
    return made


# --- what C++ would call the types of compiled code

# What a parameter takes once its type is named, though several C++ types may be meant.
_NAMEABLE = (
    types.StringLiteral, types.BaseTuple, types.Record, types.Array, types.CPointer, types.RawPointer,
    types.FunctionType, types.ExternalFunctionPointer,
)  # fmt: skip


def spellings(compiler: NumbaCompiler, name: str, index: int, kind: Any) -> tuple[str, ...]:
    """The C++ types that an argument of a template's call may have, the likeliest first.

    Raises
    ------
    ArgumentError
        If there is none.
    """
    for classes, rule in _RULES:
        if isinstance(kind, classes) and (found := rule(kind, compiler.dialect)):
            return found
    vector = vector_of(kind)
    if vector is not None:
        word = spell_type(vector, compiler.dialect)
        return (word, f"const {word} &")
    if not isinstance(kind, _NAMEABLE):
        words = f"argument {index + 1}: compiled code cannot pass {kind} to C++"
        raise plain_error(ArgumentError, name, f"cannot be deduced: {words}")
    words = f"argument {index + 1}: compiled code cannot tell the C++ type of {kind}; name the template's arguments"
    raise plain_error(ArgumentError, name, f"cannot be deduced: {words}: {name}[...](x)")


@cache
def _scalars(dialect: str) -> dict[Any, Scalar]:
    found: dict[Any, Scalar] = {}
    for scalar in SCALARS.values():
        if is_half(scalar, dialect):
            continue  # compiled code has it as a float32, which is that itself
        try:
            found.setdefault(scalar_type(scalar, dialect), scalar)
        except (Mismatch, ImportError):
            continue
    return found


def _word(kind: Any, dialect: str) -> str | None:
    """The C++ type of a number, or of an element of an array."""
    if isinstance(kind, StructType):
        return spell_type(kind.struct, dialect)
    vector = vector_of(kind)
    found: Type | None = vector or _scalars(dialect).get(kind)
    return spell_type(found, dialect) if found is not None else None


def _number(kind: Any, dialect: str) -> tuple[str, ...]:
    word = _word(types.unliteral(kind), dialect)
    return (word, f"{word} &") if word else ()


def _literal(kind: Any, dialect: str) -> tuple[str, ...]:
    small = -(2**31) <= kind.literal_value < 2**31
    return ("int", "long") if small else ("long", "unsigned long")


def _struct(kind: Any, dialect: str) -> tuple[str, ...]:
    record = isinstance(kind, RecordType)
    word = spell_type((kind.dtype if record else kind).struct, dialect)
    return (f"{word} &", f"{word} *", word) if record else (word, f"const {word} &")


def _enum(kind: Any, dialect: str) -> tuple[str, ...]:
    own = getattr(kind.instance_class, "__samebytes_type__", None)
    return (spell_type(own, dialect),) if isinstance(own, Enum) else ("long",)


def _array(kind: Any, dialect: str) -> tuple[str, ...]:
    word = _word(kind.dtype, dialect)
    if word is None:
        return ()
    return (f"{'' if kind.mutable else 'const '}{word} *",)


def _pointer(kind: Any, dialect: str) -> tuple[str, ...]:
    word = "void" if kind == types.voidptr else _word(getattr(kind, "dtype", None), dialect)
    return (f"{'const ' * isinstance(kind, ConstPointerType)}{word} *",) if word else ()


_RULES: tuple[tuple[Any, Callable[[Any, str], tuple[str, ...]]], ...] = (
    (types.IntegerLiteral, _literal),
    (types.IntEnumMember, _enum),
    ((RecordType, StructType), _struct),
    (types.Array, _array),
    ((types.CPointer, types.RawPointer), _pointer),
    (types.NoneType, lambda kind, dialect: ("decltype(nullptr)",)),
    ((types.Boolean, types.Number), _number),
)
