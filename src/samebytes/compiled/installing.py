"""Makes a library known to one of Numba's compilers."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import replace
from typing import Any

from numba import types
from numba.core.compiler_lock import global_compiler_lock

from .._native import Pointer, Shown, is_copy
from ..call.candidate import AMBIGUOUS, Candidate, unbound_candidates
from ..call.variables import MemoryVariable
from ..emit.shims.direct import direct_symbol, may_fail, release_symbol
from ..frozen import frozen
from ..loading.library import Library
from ..loading.linking.unbound_candidates import with_known
from ..loading.templates.library import FunctionTemplate
from ..model.signature import Signature
from ..model.symbols import ambiguous_arities, arities, variable_symbol
from ..types import Handle, Struct
from ..types.naming import python_names
from ..values.conversion.memory import beyond_host
from ..values.enum import EnumerationType
from ..values.record import StructRecord
from ..values.vector import VectorValue
from .arguments.aggregates import register_aggregates
from .arithmetic.fixed import register_fixed
from .arithmetic.nulls import register_nulls
from .arithmetic.operators import add_operators, is_operator, register_operators
from .arithmetic.vectors import register_vectors
from .boxing import register_boxing, type_of
from .calls.choosing import Direct
from .calls.deducing import deduced
from .calls.instances import MethodInstances
from .calls.overloads import Overloads, StaticOfObject
from .classes.array_methods import register_array_methods
from .classes.atomics import register_atomics
from .classes.constructors import FieldsConstructor
from .classes.declared import instance_type, is_declared, known_class, register_elements
from .classes.declared_operators import register_declared_operators
from .classes.fields import METHODS, register_fields
from .classes.members import VARIABLES, Static, register_members
from .classes.pointed import register_pointed
from .classes.refused import register_refused
from .compiler import NumbaCompiler, numba_compiler
from .datamodel.equivalents import enum_number, numba_type, struct_type
from .datamodel.kinds import AddressType, CallableType, RecordType, SharedType, StructType
from .datamodel.models import register_models
from .kernels.launching import register_launching
from .kernels.linking import linking
from .lowering.frames import register_frames
from .lowering.handles import DESTROYERS
from .rewriting.checks import register_checks
from .rewriting.structs import register_rewriting
from .rewriting.unused import register_unused

# Every bound function, for signatures to be shown; libraries are never unloaded.
_bound: dict[Any, Overloads] = {}
_prepared: set[NumbaCompiler] = set()


def overloads_of(function: Any) -> Overloads | None:
    """What compiled code knows of a bound function; None if it was not bound for it."""
    return _bound.get(function)


def prepare(compiler: NumbaCompiler) -> None:
    """Teach a compiler, once, what all libraries share."""
    with global_compiler_lock:
        if compiler not in _prepared:
            _prepared.add(compiler)  # before: Numba, which looks for extensions meanwhile, asks for it again
            _prepare(compiler)


def _prepare(compiler: NumbaCompiler) -> None:
    # Numba puts intrinsics into the first collection that a compiler knows: that must be its own.
    compiler.lowering.refresh()
    register_models(compiler)
    register_aggregates()
    register_fields(compiler)
    register_fixed(compiler)
    register_vectors(compiler)
    typeof = compiler.typeof.typeof_impl

    @typeof.register(FunctionTemplate)
    def typeof_template(value: Any, context: Any) -> Any:
        return CallableType(deduced(compiler, value, overloads_of))

    @typeof.register(EnumerationType)
    def typeof_enumeration(value: Any, context: Any) -> Any:
        return types.IntEnumClass(value, enum_number(value.__samebytes_type__))

    @typeof.register(Pointer)
    def typeof_address(value: Any, context: Any) -> Any:
        known = isinstance(value, Shown) and value._array is not None  # an array, which is what to pass
        return None if known else AddressType(type(value), value._const_levels)

    @typeof.register(VectorValue)
    def typeof_vector(value: Any, context: Any) -> Any:
        return numba_type(type(value).__samebytes_type__, compiler.dialect)

    @typeof.register(StructRecord)
    def typeof_record(value: Any, context: Any) -> Any:
        struct = type(value).__samebytes_type__
        _check_memory(compiler, struct)
        held = struct_type(struct, compiler.dialect, struct.python)
        # Kernels take them by value, as in C++; a copy of what C++ has is a value, which nothing is written to.
        return held if compiler.cuda or is_copy(value) else RecordType(held)

    register_members(compiler)
    register_atomics(compiler)
    register_elements(compiler)
    register_pointed(compiler)
    register_array_methods(compiler)
    compiler.install()
    register_operators(compiler)
    register_declared_operators(compiler)
    register_nulls(compiler)
    register_rewriting(compiler, overloads_of)
    if compiler.cuda:
        register_launching()
    else:
        register_boxing(compiler)
        register_refused(compiler)
        register_frames()
        register_checks()
        register_unused()


def class_type(target: str, value: Any) -> Any:
    """Numba's type of a class that Python declares, or of a vector class; None for others."""
    compiler = numba_compiler(target)
    prepare(compiler)
    if is_declared(value):
        known_class(compiler, value)
    try:
        return compiler.typing._lookup_global(value)
    except TypeError:
        return None


def _check_memory(compiler: NumbaCompiler, struct: Struct) -> None:
    """Raise where code of the host would follow addresses into a device's memory."""
    if not compiler.cuda and (words := beyond_host(struct)):
        raise compiler.errors.TypingError(f"{struct.short_name} is no argument of code on the host: {words}")


def value_type(target: str, value: Any) -> Any:
    """Numba's type of a value of such a class."""
    compiler = numba_compiler(target)
    prepare(compiler)
    if isinstance(value, VectorValue):
        return numba_type(type(value).__samebytes_type__, compiler.dialect)
    if not is_declared(type(value)):
        return None
    cls: Any = type(value)
    _check_memory(compiler, cls.__samebytes_type__)
    # One whose arrays are in a device's memory is in kernels what the class itself is.
    found = instance_type(compiler, getattr(cls, "__samebytes_host__", cls))
    if compiler.cuda and isinstance(found, SharedType):
        raise compiler.errors.TypingError(
            f"{type(value).__name__} has atomics, and a kernel's argument is a copy: pass an array of one"
        )
    return found


@frozen(slots=False)
class Installer:
    """One library, one compiler; the attributes are the parameters of :func:`samebytes.compiled.install`."""

    compiler: NumbaCompiler
    library: Library
    dialect: str
    signature: Callable[[Signature], Signature]
    address: Callable[[str], int] | None
    device: tuple[Callable[..., bytes], ...]
    tag: str = ""

    def install(self) -> None:
        """Register everything."""
        prepare(self.compiler)
        link = linking(self.device) if self.device else None
        sets = self.library.__model__.overload_sets
        found = {name: overloads for name, overloads in sets.items() if overloads[0][1].kind != "macro"}
        constructors: dict[str, Overloads] = {}
        for name, overloads in found.items():
            made = self._overloads(overloads, link)
            kind, owner = overloads[0][1].kind, overloads[0][1].owner
            if kind == "constructor":
                constructors[owner] = made
            elif kind == "method" and owner in self.library.__records__:
                self._method(owner, made, self._instance(owner, made) if overloads[0][1].instance else made)
            elif name in self.library.__bound__:
                self.compiler.typing.insert_global(self.library.__bound__[name], CallableType(made))
            if kind == "static" and owner in self.library.__records__:
                self._method(owner, made, StaticOfObject(self.compiler, made))
            if is_operator(made):
                add_operators(made, lambda struct: struct_type(struct, self.dialect, struct.python))
            if name in self.library.__bound__:
                _bound[self.library.__bound__[name]] = made
        self._unbound_operators(sets)
        self._variables()
        self._destroyers()
        for name, record in self.library.__records__.items():
            self._class(record, constructors.get(name))
            self._inherit(record)

    def _unbound_operators(self, bound: Container[str]) -> None:
        """Make operators known of which no overload of the name is bound: deleted ones, which refuse their operands."""
        for overload in self.library.__model__.unbound:
            signature = overload.signature
            if not is_operator(signature) or signature.key in bound:
                continue
            linked = with_known(self.signature(signature))
            one = Direct(linked, len(linked.parameters), 0, unbound=overload.reason)
            made = Overloads(self.compiler, signature.name, [], self.dialect, unbound=[one])
            add_operators(made, lambda struct: struct_type(struct, self.dialect, struct.python))

    def _method(self, owner: str, overloads: Overloads, made: Any) -> None:
        """Make a method known under its Python name."""
        name = python_names([overloads.name])[overloads.name]
        METHODS.setdefault(self._struct(self.library.__records__[owner]), {})[name] = made

    def _instance(self, owner: str, made: Overloads) -> MethodInstances:
        """The methods of a template's name, with one more."""
        name = python_names([made.name])[made.name]
        known = METHODS.get(self._struct(self.library.__records__[owner]), {}).get(name)
        if not isinstance(known, MethodInstances):
            known = MethodInstances(self.compiler, name, known)
        known.instances.append(made)
        return known

    def _variables(self) -> None:
        for index, variable in enumerate(self.library.__model__.variables):
            held = self.library.__bound__.get(variable.qualified)
            if self.address is None or not isinstance(held, MemoryVariable) or held.type is None:
                continue
            told = variable.thread_local
            address = self.address(variable_symbol(index)) if told else held.address()
            VARIABLES[held] = Static(held.type, address, told)

    def _destroyers(self) -> None:
        for index, struct in enumerate(self.library.__model__.records):
            if self.address is not None and isinstance(struct, Handle) and struct.destructible:
                record = self.library.__records__[struct.name]
                DESTROYERS[self._struct(record)] = self.address(release_symbol(index))

    def _inherit(self, record: Any) -> None:
        """The methods that Python, too, finds in the bases of a class."""
        own = METHODS.setdefault(self._struct(record), {})
        for base in record.__mro__[1:]:
            struct = getattr(base, "__samebytes_type__", None)
            for name, made in METHODS.get(self._struct(base), {}).items() if struct is not None else ():
                if getattr(record, name, None) is getattr(base, name, self):
                    own.setdefault(name, made)

    def _struct(self, record: Any) -> StructType:
        struct: Struct = record.__samebytes_type__
        return struct_type(struct, self.dialect, struct.python)

    def _class(self, record: Any, constructors: Overloads | None) -> None:
        if constructors is None and self.compiler.typing._lookup_global(record) is not None:
            return  # of the library whose template this instantiates
        type_ = self._struct(record)
        if isinstance(type_.struct, Handle):
            if self.compiler.cuda:
                return
            record._numba_type_ = property(lambda value: type_of(value, self.dialect))
        elif not self.compiler.cuda:
            record._numba_type_ = RecordType(type_)
        blank = constructors is not None and all(
            d.signature.implicit and not d.signature.parameters for d in constructors.directs
        )
        # As for Python: an aggregate whose members have initial values is made of its fields.
        roles = (None, constructors) if blank and type_.struct.complete else (constructors, None)
        made = FieldsConstructor(self.compiler, type_, record, constructors=roles[0], blank=roles[1])
        made.register()
        if self.compiler.typing._lookup_global(record) is not None:
            self.compiler.typing._remove_global(record)  # known so far without constructors
        self.compiler.typing.insert_global(record, CallableType(made))

    def _overloads(self, overloads: list[tuple[int, Signature]], link: Any) -> Overloads:
        whole = tuple(s for _, s in overloads)
        directs = [
            self._direct(index, signature, given)
            for index, signature in overloads
            for given in arities(signature, whole)
        ]
        bound = Overloads(
            self.compiler, whole[0].name, directs, self.dialect, link, self.library.__model__.origin,
            tuple(self._unbound(whole, directs)),
        )  # fmt: skip
        bound.register()
        return bound

    def _unbound(self, whole: tuple[Signature, ...], directs: Sequence[Direct]) -> Iterator[Direct]:
        """What C++ considers beside the overloads of a name and is not bound, for as many arguments."""
        for signature in whole:
            for given in ambiguous_arities(signature, whole):
                yield Direct(self.signature(signature), given, 0, unbound=AMBIGUOUS)
        bound = [Candidate(d.signature, d.given, 0) for d in directs]
        for overload in self.library.__model__.unbound:
            if overload.signature.key == whole[0].key:
                linked = replace(overload, signature=with_known(self.signature(overload.signature)))
                for one in unbound_candidates(linked, bound):
                    yield Direct(one.signature, one.given, 0, unbound=one.unbound)

    def _direct(self, index: int, signature: Signature, given: int) -> Direct:
        symbol = direct_symbol(f"{self.tag}_{index}" if self.tag else index, given)
        linked = self.signature(signature)
        if self.address is None:
            return Direct(linked, given, symbol)
        fails = may_fail(signature, given, self.library.__model__.language)
        message = self.address("samebytes_message") if fails else 0
        return Direct(linked, given, self.address(symbol), message, fails)
