"""Vectors in compiled code: making them, and their elements."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from numba import types

from ...emit.shims.direct import MACHINE
from ...errors import Error, Mismatch, arity_error, call_error
from ...types import COMPONENTS, SCALARS, Vector
from ...types.vector import ELEMENTS
from ...values.vector import vector_class
from ..arguments.fit import Fit
from ..arguments.numbers import fit_number
from ..calls.shaping import named_arguments, present
from ..compiler import NumbaCompiler
from ..datamodel.equivalents import (
    concrete_classes,
    element_of,
    item_of,
    numba_type,
    vector_classes,
    vector_of,
)
from ..datamodel.kinds import CallableType, MethodType
from ..lowering.halves import is_rounded, read_half
from ..lowering.registers import narrowed
from ..lowering.site import Call, Site
from ..lowering.vectors import load_vector
from .elementwise import register_arithmetic
from .vector_elements import is_element, register_vector_elements


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
        if len(args) == 1 and not kws and is_element(args[0], self.vector, self.compiler.dialect):
            return self.compiler.templates.signature(self.type, *args)
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
                fits.append(fit_element(self.type, argument, self.compiler.dialect))
            except Mismatch as mismatch:
                mismatch.index, mismatch.name = position, COMPONENTS[position]
                mismatches.append(mismatch)
        if mismatches:
            raise call_error(name, mismatches)
        return fits

    def lower(self, site: Site, given: Sequence[Any], args: Sequence[Any]) -> Any:
        """The machine code of a call."""
        if len(args) == 1 and isinstance(given[0], types.Record):
            return load_vector(site, self.type, site.at(args[0], site.compiler.cgutils.int8_t))
        made = site.proxy(self.type)
        for name, fitted, value in zip(COMPONENTS, self._fits(given), args, strict=False):
            call = Call(site.compiler, site.context, site.builder, f"{self.vector}() argument '{name}'")
            setattr(made, name, _element(site, self.type, fitted.lower(call, value)))
        return made._getvalue()


def fit_element(kind: Any, argument: Any, dialect: str) -> Fit:
    """How an argument serves an element of a vector.

    Raises
    ------
    Mismatch
        If it does not.
    """
    vector = vector_of(kind)
    assert vector is not None
    return fit_number(vector.element, argument, "", "cxx" if is_rounded(kind) else dialect)


def _element(site: Site, kind: Any, lowered: Any) -> Any:
    """An argument in its register form, or behind its address, as an element of a vector."""
    vector = vector_of(kind)
    assert vector is not None
    if is_rounded(kind):
        return read_half(site, vector.element, lowered, None)
    return narrowed(site, vector.element, lowered) if vector.element.name in MACHINE else lowered


def register_vectors(compiler: NumbaCompiler) -> None:
    """Teach a compiler the vector classes."""
    for element in ELEMENTS:
        for size in (1, 2, 3, 4):
            _register_class(compiler, Vector(SCALARS[element], size))
    _register_attributes(compiler)
    register_arithmetic(compiler)
    _register_items(compiler)
    register_vector_elements(compiler)
    compiler.install()


def _register_class(compiler: NumbaCompiler, vector: Vector) -> None:
    made = VectorConstructor(compiler, vector, numba_type(vector, compiler.dialect))

    @compiler.registry.lower(made, types.VarArg(types.Any))
    def lower(context: Any, builder: Any, signature: Any, args: Sequence[Any]) -> Any:
        return made.lower(Site(compiler, context, builder), signature.args, args)

    compiler.typing.insert_global(vector_class(vector), CallableType(made))


def _register_attributes(compiler: NumbaCompiler) -> None:
    for kind in vector_classes(compiler):
        _register_attributes_of(compiler, kind)


def _register_attributes_of(compiler: NumbaCompiler, cls: Any) -> None:
    class Elements(compiler.templates.AttributeTemplate):  # type: ignore[name-defined,misc]
        key = cls

        def generic_resolve(self, typ: Any, attr: str) -> Any:
            vector = vector_of(typ)
            if vector is None:
                return None
            if attr == "size":
                return types.intp
            if attr == "dtype":
                return types.DType(item_of(typ) if is_rounded(typ) else element_of(typ))
            if attr == "replace":
                return MethodType(_replacement(compiler, typ), typ)
            return item_of(typ) if attr in COMPONENTS[: vector.size] else None

    for kind in concrete_classes(cls):  # first: numba-cuda's own has the plain numbers
        compiler.typing._attributes[kind].insert(0, Elements(compiler.typing))

    def read(context: Any, builder: Any, typ: Any, value: Any, attr: str) -> Any:
        vector = vector_of(typ)
        assert vector is not None
        if attr == "size":
            return context.get_constant(types.intp, vector.size)
        if attr == "dtype":
            return context.get_dummy_value()
        return getattr(Site(compiler, context, builder).proxy(typ, value), attr)

    compiler.registry.lower_getattr_generic(cls)(read)


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
                return templates.signature(item_of(args[0]), args[0], types.intp)
            return None

    class Assigned(templates.AbstractTemplate):  # type: ignore[name-defined,misc]
        key = operator.setitem

        def generic(self, args: Any, kws: Any) -> Any:
            if vector_of(args[0]) is None:
                return None
            raise compiler.errors.TypingError(
                f"{args[0]} is immutable: v.replace(x=...) makes a changed copy"
            )

    for template in (Length, Item, Assigned):
        compiler.augment(template.key, template)
    for key in (operator.eq, operator.ne):
        _register_comparison(compiler, key)
    for kind in vector_classes(compiler):
        _make_iterable(kind)
        compiler.registry.lower("getiter", kind)(_lower_iteration(compiler))

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


def _register_comparison(compiler: NumbaCompiler, key: Any) -> None:
    """``==`` and ``!=`` of vectors of one type: of all elements, as in Python."""

    class Comparison(compiler.templates.AbstractTemplate):  # type: ignore[name-defined,misc]
        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) == 2 and args[0] == args[1] and vector_of(args[0]) is not None:
                return compiler.templates.signature(types.boolean, *args)
            return None

    Comparison.key = key
    compiler.augment(key, Comparison)

    def compare(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        site, kind = Site(compiler, context, builder), signature.args[0]
        inner = context.typing_context.resolve_function_type(operator.eq, (element_of(kind),) * 2, {})
        same = context.get_function(context.typing_context.resolve_value_type(operator.eq), inner)
        whole = None
        for name in COMPONENTS[: vector_of(kind).size]:  # type: ignore[union-attr]
            pair = [
                context.cast(builder, getattr(site.proxy(kind, value), name), element_of(kind), wanted)
                for value, wanted in zip(args, inner.args, strict=True)
            ]
            found = same(builder, pair)
            whole = found if whole is None else builder.and_(whole, found)
        return whole if key is operator.eq else builder.not_(whole)

    for kind in vector_classes(compiler):
        compiler.registry.lower(key, kind, kind)(compare)


def _make_iterable(cls: Any) -> None:
    """Have Numba take numba-cuda's vectors for what can be iterated, as it takes ours."""
    if not issubclass(cls, types.IterableType):
        types.IterableType.register(cls)
        cls.iterator_type = property(
            lambda kind: types.UniTupleIter(types.UniTuple(item_of(kind), kind.num_elements))
        )


def _lower_iteration(compiler: NumbaCompiler) -> Any:
    """A vector is iterated as the tuple of its elements is."""

    def iterate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        (kind,) = signature.args
        whole = signature.return_type.container
        held = Site(compiler, context, builder).proxy(kind, args[0])
        items = [getattr(held, name) for name in COMPONENTS[: len(whole)]]
        made = context.make_tuple(builder, whole, items)
        inner = compiler.templates.signature(signature.return_type, whole)
        return context.get_function("getiter", inner)(builder, (made,))

    return iterate


@dataclass(eq=False, repr=False)
class VectorReplacement:
    """``v.replace(x=value)``: a changed copy."""

    compiler: NumbaCompiler
    kind: Any
    directs: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return f"{self.kind}.replace()"

    __repr__ = __str__

    @property
    def _names(self) -> tuple[str, ...]:
        vector = vector_of(self.kind)
        assert vector is not None
        return COMPONENTS[: vector.size]

    def _fit(self, kind: Any) -> Fit:
        return fit_element(self.kind, kind, self.compiler.dialect)

    def type_call(self, args: tuple[Any, ...], kws: Mapping[str, Any], bound: bool = False) -> Any:
        """Numba's signature of a call, whose first argument is the vector."""
        if len(args) != 1 or (unknown := [name for name in kws if name not in self._names]):
            what = f"has no element {unknown[0]!r}" if len(args) == 1 else "takes elements by name"
            raise self.compiler.errors.TypingError(f"{self.kind}.replace {what}")
        for name, kind in kws.items():
            try:
                self._fit(kind)
            except Mismatch as mismatch:
                raise self.compiler.errors.TypingError(f"{self} argument '{name}': {mismatch}") from None
        whole, pysig = named_arguments(self._names, kws)
        return self.compiler.templates.signature(self.kind, *whole, recvr=args[0]).replace(pysig=pysig)

    def register(self) -> None:
        """Tell the compiler how calls are lowered."""

        @self.compiler.registry.lower(self, types.VarArg(types.Any))
        def lower(context: Any, builder: Any, signature: Any, args: Sequence[Any]) -> Any:
            given = tuple(signature.args)[0 if signature.recvr is not None else 1 :]
            made = Site(self.compiler, context, builder).proxy(self.kind, args[0])
            for name, (kind, value) in present(self._names, given, args[1:]).items():
                call = Call(self.compiler, context, builder, f"{self} argument '{name}'")
                setattr(made, name, _element(call, self.kind, self._fit(kind).lower(call, value)))
            return made._getvalue()

        self.compiler.install()


@cache
def _replacement(compiler: NumbaCompiler, kind: Any) -> VectorReplacement:
    made = VectorReplacement(compiler, kind)
    made.register()
    return made
