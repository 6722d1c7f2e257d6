"""Vectors in compiled code: making them, and their elements."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numba import types

from ...emit.shims.direct import MACHINE
from ...errors import Error, Mismatch, arity_error, call_error
from ...types import COMPONENTS, SCALARS, Vector
from ...values.vector import vector_class
from ..arguments.fit import Fit
from ..arguments.numbers import fit_number
from ..compiler import NumbaCompiler
from ..datamodel.equivalents import element_of, numba_type, vector_classes, vector_of
from ..datamodel.kinds import CallableType, VectorType
from ..lowering.registers import narrowed
from ..lowering.site import Call, Site
from .elementwise import register_arithmetic

_ELEMENTS = tuple(
    name for name, scalar in SCALARS.items()
    if scalar.kind in ("int", "uint", "float") and name != "char"
    and (scalar.kind != "float" or name in ("float32", "float64"))
)  # fmt: skip


_SMALL = ("float16", "bfloat16")


@dataclass(eq=False, repr=False)
class VectorConstructor:
    """``float32x4(x, y, z, w)``."""

    compiler: NumbaCompiler
    vector: Vector
    type: Any

    def __str__(self) -> str:
        return str(self.vector)

    __repr__ = __str__

    def type_call(self, args: tuple[Any, ...], kws: Mapping[str, Any]) -> Any:
        """Numba's signature of a call."""
        try:
            self._fits(args, kws)
        except Error as error:
            raise self.compiler.errors.TypingError(str(error)) from None
        return self.compiler.templates.signature(self.type, *args)

    def _fits(self, args: Sequence[Any], kws: Mapping[str, Any] = {}) -> list[Fit]:
        vector, name = self.vector, str(self.vector)
        if len(args) != vector.size or kws:
            raise arity_error(name, [f"{name}({', '.join(COMPONENTS[: vector.size])})"], len(args) + len(kws))
        fits, mismatches = [], []
        for position, argument in enumerate(args):
            try:
                fits.append(fit_number(vector.element, argument, "", self.compiler.dialect))
            except Mismatch as mismatch:
                mismatch.index, mismatch.name = position, COMPONENTS[position]
                mismatches.append(mismatch)
        if mismatches:
            raise call_error(name, mismatches)
        return fits

    def lower(self, site: Site, given: Sequence[Any], args: Sequence[Any]) -> Any:
        """The machine code of a call."""
        made = site.proxy(self.type)
        for name, fitted, value in zip(COMPONENTS, self._fits(given), args, strict=False):
            call = Call(site.compiler, site.context, site.builder, f"{self.vector}() argument '{name}'")
            lowered = fitted.lower(call, value)
            whole = self.vector.element.name in MACHINE
            setattr(made, name, narrowed(site, self.vector.element, lowered) if whole else lowered)
        return made._getvalue()


def register_vectors(compiler: NumbaCompiler) -> None:
    """Teach a compiler the vector classes."""
    for element in (*_ELEMENTS, *(_SMALL if compiler.cuda else ())):
        for size in (1, 2, 3, 4):
            _register_class(compiler, Vector(SCALARS[element], size))
    _register_attributes(compiler)
    register_arithmetic(compiler)
    _register_items(compiler)
    compiler.install()


def _register_class(compiler: NumbaCompiler, vector: Vector) -> None:
    made = VectorConstructor(compiler, vector, numba_type(vector, compiler.dialect))

    @compiler.registry.lower(made, types.VarArg(types.Any))
    def lower(context: Any, builder: Any, signature: Any, args: Sequence[Any]) -> Any:
        return made.lower(Site(compiler, context, builder), signature.args, args)

    compiler.typing.insert_global(vector_class(vector), CallableType(made))


def _register_attributes(compiler: NumbaCompiler) -> None:
    class Elements(compiler.templates.AttributeTemplate):  # type: ignore[name-defined,misc]
        key = VectorType

        def generic_resolve(self, typ: VectorType, attr: str) -> Any:
            if attr == "size":
                return types.intp
            return element_of(typ) if attr in COMPONENTS[: typ.vector.size] else None

    compiler.typing.insert_attributes(Elements(compiler.typing))

    @compiler.registry.lower_getattr_generic(VectorType)
    def read(context: Any, builder: Any, typ: VectorType, value: Any, attr: str) -> Any:
        if attr == "size":
            return context.get_constant(types.intp, typ.vector.size)
        return getattr(Site(compiler, context, builder).proxy(typ, value), attr)


def _register_items(compiler: NumbaCompiler) -> None:
    templates = compiler.templates

    class Length(templates.AbstractTemplate):  # type: ignore[name-defined,misc]
        key = len

        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) == 1 and vector_of(args[0]) is not None:
                return templates.signature(types.intp, args[0])
            return None

    class Item(templates.AbstractTemplate):  # type: ignore[name-defined,misc]
        key = operator.getitem

        def generic(self, args: Any, kws: Any) -> Any:
            if vector_of(args[0]) is not None and isinstance(args[1], types.Integer):
                return templates.signature(element_of(args[0]), args[0], types.intp)
            return None

    for template in (Length, Item):
        compiler.augment(template.key, template)

    def length(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.get_constant(types.intp, vector_of(signature.args[0]).size)  # type: ignore[union-attr]

    def item(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        typ = signature.args[0]
        vector = vector_of(typ)
        assert vector is not None
        call = Call(compiler, context, builder, f"{vector}[i]")
        inside = builder.icmp_unsigned("<", args[1], args[1].type(vector.size))
        call.require(inside, IndexError, f"expected an index of 0 to {vector.size - 1}")
        held = call.proxy(typ, args[0])
        found = getattr(held, COMPONENTS[0])
        for i, part in enumerate(COMPONENTS[1 : vector.size], 1):
            found = builder.select(
                builder.icmp_unsigned("==", args[1], args[1].type(i)), getattr(held, part), found
            )
        return found

    for kind in vector_classes(compiler):
        compiler.registry.lower(len, kind)(length)
        compiler.registry.lower(operator.getitem, kind, types.Integer)(item)
