"""Classes that Python declares with ``@struct``, in compiled code: construction, fields, methods, ``replace``."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import FunctionType
from typing import Any

from llvmlite import ir
from numba import types

from ...errors import ArgumentError, Error, plain_error
from ...types import Enum, Pointer, Scalar, Struct, Vector, unqualified
from ...values.conversion.packing import pack
from ...values.conversion.structs import address_of
from ...values.struct_value import StructValue
from ..arguments.objects import mirrors_struct
from ..calls.shaping import named_arguments, present
from ..compiler import NumbaCompiler
from ..datamodel.equivalents import struct_type
from ..datamodel.kinds import CallableType, RecordType, SharedType, StructType
from ..lowering.memory import places
from ..lowering.site import Call, Site
from ..lowering.storing import write_field
from .class_methods import ClassMethod, Compiled, ThroughObject, class_functions, register_method
from .constructors import FieldsConstructor
from .fields import DECLARED, METHODS, PROPERTIES

_SELF = "self_"
# Classes that are known to a compiler, or are about to be.
_BEGUN: set[tuple[str, Any]] = set()


def instance_type(compiler: NumbaCompiler, cls: Any) -> Any:
    """Numba's type of the instances of a class: a value, or where it has atomics a place."""
    struct = known_class(compiler, cls)
    return SharedType(struct) if struct.shared else struct


@cache
def known_class(compiler: NumbaCompiler, cls: Any) -> StructType:
    """A class's type, once the compiler knows what the class can do."""
    described: Struct = cls.__samebytes_type__
    struct = struct_type(described, compiler.dialect, described.python)
    _BEGUN.add((compiler.name, cls))
    for part in described.parts:
        inner = unqualified(getattr(unqualified(part), "type", part))
        if isinstance(inner, Pointer):
            inner = unqualified(inner.target)
        python = inner.python if isinstance(inner, Struct) else None
        if is_declared(python) and (compiler.name, python) not in _BEGUN:  # a pointer may lead to its own
            known_class(compiler, python)
    methods = METHODS.setdefault(struct, {})
    for name, function in _functions(cls).items():
        methods[name] = DeclaredMethod(compiler, struct, name, function)
    methods["replace"] = Replacement(compiler, struct)
    constructor = FieldsConstructor(compiler, struct, cls, as_record=False)
    for name, (function, given) in class_functions(cls).items():
        made = ClassMethod(compiler, struct, name, function, constructor=constructor if given else None)
        methods[name] = ThroughObject(made)
    for method in methods.values():
        method.register()
    PROPERTIES[struct] = {
        name: DeclaredMethod(compiler, struct, name, function)
        for name, function in _functions(cls, property).items()
    }
    constructor.register()
    compiler.typing.insert_global(cls, CallableType(constructor))
    return struct


def _functions(cls: Any, kind: Any = FunctionType) -> dict[str, FunctionType]:
    """The methods, or the properties, that a class was written with."""
    found: dict[str, FunctionType] = {}
    for base in reversed(cls.underlying.__mro__[:-1]):
        for name, member in vars(base).items():
            held = getattr(member, "underlying", member)  # of @func
            if isinstance(held, kind):
                plain = getattr(held, "fget", held)
                found[name] = getattr(plain, "underlying", plain)
    return found


@dataclass(eq=False, repr=False)
class DeclaredMethod(Compiled):
    """A method of a class; the first argument of its function is the object."""

    @property
    def this(self) -> Any:
        """The type of the object."""
        return SharedType(self.struct) if self.struct.shared else self.struct

    def _check(self, given: Any) -> None:
        element = isinstance(given, types.Record) and mirrors_struct(given, self.struct.struct)
        if not element and given not in (self.this, RecordType(self.struct), self.struct):
            raise self.compiler.errors.TypingError(f"{self} expects a {self.struct}, got {given}")

    def type_call(self, args: tuple[Any, ...], kws: Mapping[str, Any], bound: bool = False) -> Any:
        """Numba's signature of a call, whose first argument is the object."""
        if not args:
            raise self.compiler.errors.TypingError(f"{self} lacks its object")
        self._check(args[0])
        found = self.compiler.typing.resolve_function_type(self.kind, (self.this, *args[1:]), dict(kws))
        rest, pysig = found.args[1:], found.pysig
        if not bound:
            made = self.compiler.templates.signature(found.return_type, args[0], *rest)
            return made.replace(pysig=pysig)
        if pysig is not None:
            pysig = pysig.replace(parameters=list(pysig.parameters.values())[1:])
        made = self.compiler.templates.signature(found.return_type, *rest, recvr=args[0])
        return made.replace(pysig=pysig)

    def lower_call(self, site: Site, signature: Any, args: Sequence[Any]) -> Any:
        """The machine code of a call."""
        given = tuple(signature.args)
        if signature.recvr is not None:
            given = (signature.recvr, *given)
        inner = self.compiler.templates.signature(signature.return_type, self.this, *given[1:])
        function = site.context.get_function(self.kind, inner)
        return function(site.builder, [self._object(site, given[0], args[0]), *args[1:]])

    def _object(self, site: Site, kind: Any, value: Any) -> Any:
        if kind == self.this:
            return value
        if isinstance(kind, types.Record):
            data = site.builder.bitcast(value, site.at(value, site.compiler.cgutils.int8_t).type)
        else:
            data = site.record_data(kind, value)
        if isinstance(self.this, SharedType):
            return site.make_record(self.this, data, site.no_owner)
        return site.load(self.struct, data, 1 if isinstance(kind, types.Record) else None)

    def register(self) -> None:
        """Tell the compiler how calls are lowered."""
        register_method(self)


@dataclass(eq=False, repr=False)
class Replacement:
    """``x.replace(field=value)``: a changed copy."""

    compiler: NumbaCompiler
    struct: StructType
    directs: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return f"{self.struct.struct.short_name}.replace()"

    __repr__ = __str__

    def type_call(self, args: tuple[Any, ...], kws: Mapping[str, Any], bound: bool = False) -> Any:
        """Numba's signature of a call, whose first argument is the object."""
        try:
            if self.struct.shared:
                raise plain_error(ArgumentError, str(self)[:-2], "would copy atomics, which threads share")
            if len(args) != 1:
                raise plain_error(ArgumentError, str(self)[:-2], "takes fields by name")
            for name in kws:
                if name not in places(self.struct):
                    raise plain_error(ArgumentError, str(self)[:-2], f"has no field {name!r}")
            self._maker.fits(kws)
        except Error as error:
            raise self.compiler.errors.TypingError(str(error)) from None
        names = tuple(places(self.struct))
        if bound:
            whole, pysig = named_arguments(names, kws)
            made = self.compiler.templates.signature(self.struct, *whole, recvr=args[0])
        else:
            whole, pysig = named_arguments((_SELF, *names), {_SELF: args[0], **kws})
            made = self.compiler.templates.signature(self.struct, *whole)
        return made.replace(pysig=pysig)

    @property
    def _maker(self) -> FieldsConstructor:
        return FieldsConstructor(self.compiler, self.struct, self.struct.struct.python, as_record=False)

    def lower_call(self, site: Site, signature: Any, args: Sequence[Any]) -> Any:
        """The machine code of a call."""
        given = tuple(signature.args)
        if signature.recvr is not None:
            given = (signature.recvr, *given)
        kind, named = given[0], present(tuple(places(self.struct)), given[1:], args[1:])
        if isinstance(kind, types.Record):
            data = site.stack(self.struct.layout.size, self.struct.layout.align)
            site.copy(data, args[0], self.struct.layout.size)
        else:
            data = site.spill(self.struct, site.context.cast(site.builder, args[0], kind, self.struct))
        for name, fitted in self._maker.fits({name: kind for name, (kind, _) in named.items()}).items():
            call = Call(site.compiler, site.context, site.builder, f"{self}, field {name!r}")
            place = places(self.struct)[name]
            lowered = fitted.lower(call, named[name][1])
            write_field(call, self.struct, place, call.shift(data, place.offset), lowered)
        return site.load(self.struct, data)

    def register(self) -> None:
        """Tell the compiler how calls are lowered."""
        register_method(self)


def is_declared(value: Any) -> bool:
    """Whether an object is a class that Python declared with ``@struct``."""
    return inspect.isclass(value) and hasattr(value, "underlying") and hasattr(value, "__samebytes_type__")


def _know_those_with(compiler: NumbaCompiler, name: str) -> None:
    """Make known the classes that have a method of a name: the element of an array says nothing of its class."""
    classes: list[Any] = StructValue.__subclasses__()
    for cls in classes:  # in the order of their definitions
        if is_declared(cls) and callable(inspect.getattr_static(cls, name, None)):
            known_class(compiler, cls)


def register_elements(compiler: NumbaCompiler) -> None:
    """Teach a compiler ``array[i] = x`` of a struct that Python declares."""
    templates = compiler.templates
    DECLARED[compiler.name] = lambda name: _know_those_with(compiler, name)

    class Element(templates.AbstractTemplate):  # type: ignore[name-defined,misc]
        key = operator.setitem

        def generic(self, args: Any, kws: Any) -> Any:
            array, index, value = args
            if not isinstance(array, types.Array) or not isinstance(value, StructType):
                return None
            if not value.immutable or not array.mutable or not isinstance(array.dtype, types.Record):
                return None
            found = compiler.arraydecl.get_array_index_type(array, index)
            if found is None or isinstance(found.result, types.Array):
                return None
            if not mirrors_struct(found.result, value.struct):
                return None
            return templates.signature(types.none, array, found.index, found.result)

    compiler.augment(operator.setitem, Element)
    _register_constants(compiler)
    for key in (operator.eq, operator.ne):
        _register_comparison(compiler, key)

    @compiler.registry.lower_cast(StructType, types.Record)
    def as_element(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
        data = Site(compiler, context, builder).spill(fromty, value)
        return builder.bitcast(data, context.get_value_type(toty))


# What compiled functions name, and have at its address.
_NAMED: list[Any] = []


def _register_constants(compiler: NumbaCompiler) -> None:
    """Teach a compiler what a function names: of a value its bytes, of what has atomics the very struct."""
    constant = compiler.registry.lower_constant

    @constant(StructType)
    def value_of(context: Any, builder: Any, typ: StructType, value: Any) -> Any:
        site, content = Site(compiler, context, builder), pack(value, typ.struct, dialect=typ.dialect)
        place = site.stack(len(content), max(typ.layout.align, 8))
        form = ir.ArrayType(ir.IntType(8), len(content))
        builder.store(ir.Constant(form, bytearray(content)), site.at(place, form), align=1)
        return site.load(typ, place)

    if compiler.cuda:
        return

    @constant(SharedType)
    def place_of(context: Any, builder: Any, typ: SharedType, value: Any) -> Any:
        _NAMED.append(value)
        site = Site(compiler, context, builder)
        data = context.add_dynamic_addr(builder, address_of(value), info=str(typ))
        return site.make_record(typ, data, site.no_owner)


@cache
def _equality(compiler: NumbaCompiler, struct: StructType) -> Any:
    """What compares two values field by field; None where some field is no number, vector, tuple or such a struct."""
    kinds = (unqualified(place.type) for place in struct.layout.fields)
    if struct.shared or not all(isinstance(kind, Scalar | Enum | Vector | Struct) for kind in kinds):
        return None
    pairs = " and ".join(f"a.{name} == b.{name}" for name in places(struct)) or "True"
    scope: dict[str, Any] = {}
    exec(f"def equal(a, b):\n    return {pairs}\n", scope)
    return compiler.dispatcher(scope["equal"])


def _register_comparison(compiler: NumbaCompiler, key: Any) -> None:
    """``==`` and ``!=`` of values of one class."""

    class Comparison(compiler.templates.AbstractTemplate):  # type: ignore[name-defined,misc]
        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) != 2 or args[0] != args[1] or not isinstance(args[0], StructType):
                return None
            if not args[0].immutable or (made := _equality(compiler, args[0])) is None:
                return None
            compiler.typing.resolve_function_type(compiler.typing.resolve_value_type(made), args, {})
            return compiler.templates.signature(types.boolean, *args)

        def get_impl_key(self, signature: Any) -> Any:
            return Comparison

    Comparison.key = key
    compiler.augment(key, Comparison)

    @compiler.registry.lower(Comparison, types.VarArg(types.Any))
    def compare(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = compiler.typing.resolve_value_type(_equality(compiler, signature.args[0]))
        inner = compiler.typing.resolve_function_type(kind, tuple(signature.args), {})
        found = context.get_function(kind, inner)(builder, args)
        return found if key is operator.eq else builder.not_(found)
