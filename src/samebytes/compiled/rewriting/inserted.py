"""What rewriting puts into functions: conversions between values and records, methods called by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numba import types

from ...emit.shims.direct import MACHINE
from ...errors import Mismatch, call_error
from ...types import Array, CArray, Scalar, unqualified
from ..arguments.fit import Fit
from ..arguments.rules import fit_type
from ..calls.overloads import Overloads
from ..classes.elements import structs_of
from ..classes.fields import METHODS
from ..compiler import NumbaCompiler
from ..datamodel.equivalents import scalar_type
from ..datamodel.kinds import CallableType, RecordType, SharedType, StructType
from ..lowering.memory import places
from ..lowering.registers import narrowed
from ..lowering.site import Call, Site


@dataclass(eq=False, repr=False)
class Inserted:
    """A callee that no program names."""

    compiler: NumbaCompiler
    name: str

    def __str__(self) -> str:
        return f"{self.name}()"

    __repr__ = __str__

    def type_call(self, args: tuple[Any, ...], kws: Mapping[str, Any]) -> Any:
        """Numba's signature of a call."""
        raise NotImplementedError

    def lower(self, site: Site, signature: Any, args: Sequence[Any]) -> Any:
        """The machine code of a call."""
        raise NotImplementedError

    def register(self) -> None:
        """Tell the compiler of it."""

        @self.compiler.registry.lower(self, types.VarArg(types.Any))
        def lower(context: Any, builder: Any, signature: Any, args: Sequence[Any]) -> Any:
            return self.lower(Site(self.compiler, context, builder), signature, args)

        self.compiler.install()
        self.compiler.typing.insert_global(self, CallableType(self))


class Converted(Inserted):
    """``own(x)`` makes a record of a value, ``value(x)`` a value of a record; everything else stays what it is."""

    def _result(self, kind: Any) -> Any:
        if self.name == "own":
            return RecordType(kind) if isinstance(kind, StructType) and not kind.immutable else kind
        return kind.dtype if isinstance(kind, RecordType) and not isinstance(kind, SharedType) else kind

    def type_call(self, args: tuple[Any, ...], kws: Mapping[str, Any]) -> Any:
        """Numba's signature of a call."""
        return self.compiler.templates.signature(self._result(args[0]), args[0])

    def lower(self, site: Site, signature: Any, args: Sequence[Any]) -> Any:
        """The machine code of a call."""
        kind, result = signature.args[0], signature.return_type
        if kind == result:
            if site.context.enable_nrt:
                site.context.nrt.incref(site.builder, kind, args[0])
            return args[0]
        if isinstance(result, RecordType):
            return site.copied(result, site.spill(kind, args[0]))
        return site.load(result, site.record_data(kind, args[0]))


class ElementWrite(Inserted):
    """``element(owner, value)``: a value for an element of the array that a field is, by the rule of fields."""

    def _fit(self, owner: Any, value: Any) -> tuple[StructType, Scalar, Fit] | None:
        """The number that it becomes; None where Numba's own way of writing it is right."""
        if not isinstance(value, types.Number | types.Boolean):
            return None
        for struct in self._structs(owner):
            place = places(struct).get(self.name)
            array = unqualified(place.type) if place is not None else None
            element = unqualified(array.element) if isinstance(array, CArray | Array) else None
            if not isinstance(element, Scalar) or element.name not in MACHINE:
                continue
            try:
                return struct, element, fit_type(element, value, self.compiler.dialect)
            except Mismatch as mismatch:
                mismatch.index, mismatch.name = 0, self.name
                error = call_error(f"{struct.struct.short_name}.{self.name}[...] = x, in", [mismatch])
                raise self.compiler.errors.TypingError(str(error)) from None
        return None

    def _structs(self, owner: Any) -> Sequence[StructType]:
        if isinstance(owner, types.Record):
            return structs_of(self.compiler, owner)
        held = owner.dtype if isinstance(owner, RecordType) else owner
        return [held] if isinstance(held, StructType) else []

    def type_call(self, args: tuple[Any, ...], kws: Mapping[str, Any]) -> Any:
        """Numba's signature of a call."""
        found = self._fit(*args)
        result = args[1] if found is None else scalar_type(found[1], self.compiler.dialect)
        return self.compiler.templates.signature(result, *args)

    def lower(self, site: Site, signature: Any, args: Sequence[Any]) -> Any:
        """The machine code of a call."""
        found = self._fit(*signature.args)
        if found is None:
            if site.context.enable_nrt:
                site.context.nrt.incref(site.builder, signature.args[1], args[1])
            return args[1]
        struct, element, fitted = found
        call = Call(site.compiler, site.context, site.builder, f"{struct.struct.short_name}.{self.name}[...]")
        return narrowed(call, element, fitted.lower(call, args[1]))


class UnboundMethod(Inserted):
    """A method of structs by its name, whose object is its first argument."""

    def _overloads(self, kind: Any) -> Overloads:
        found: Overloads | None = METHODS.get(getattr(kind, "dtype", kind), {}).get(self.name)
        if found is None:
            raise self.compiler.errors.TypingError(f"{kind} has no method {self.name!r}")
        return found

    def type_call(self, args: tuple[Any, ...], kws: Mapping[str, Any]) -> Any:
        """Numba's signature of a call."""
        return self._overloads(args[0]).type_call(args, kws)

    def lower(self, site: Site, signature: Any, args: Sequence[Any]) -> Any:
        """The machine code of a call."""
        given = tuple(signature.args)
        found: Any = self._overloads(given[0])
        if hasattr(found, "lower_call"):
            return found.lower_call(site, signature, args)
        return found.lower(site, given, args)
