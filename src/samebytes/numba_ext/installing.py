"""Makes a library known to one of Numba's compilers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from numba import types

from ..generate.shims import arities
from ..generate.shims.direct import direct_symbol, may_fail
from ..library import Library, Namespace
from ..signature import Signature
from ..templates import FunctionTemplate
from ..types import Struct
from ..values.record import StructRecord
from ..values.vector import VectorValue
from .boxing import register_boxing
from .calls import Direct, Overloads
from .classes import FieldsConstructor
from .deducing import deduced
from .fields import METHODS, register_fields
from .kinds import CallableType, RecordType, StructType, numba_type, struct_type
from .linking import linking
from .models import register_models
from .operators import add_operators, is_operator, register_operators
from .rewriting import register_rewriting
from .vectors import register_vectors
from .world import World

# Every bound function, for signatures to be shown; libraries are never unloaded.
_bound: dict[Any, Overloads] = {}


def overloads_of(function: Any) -> Overloads | None:
    """What compiled code knows of a bound function; None if it was not bound for it."""
    return _bound.get(function)


@cache
def prepare(world: World) -> None:
    """Teach a compiler, once, what all libraries share."""
    # Numba puts intrinsics into the first collection that a compiler knows: that must be its own.
    world.lowering.refresh()
    register_models(world)
    register_fields(world)
    register_vectors(world)
    typeof = world.typeof.typeof_impl

    @typeof.register(Namespace)
    def typeof_namespace(value: Any, context: Any) -> Any:
        return types.Module(value)

    @typeof.register(FunctionTemplate)
    def typeof_template(value: Any, context: Any) -> Any:
        return CallableType(deduced(world, value, overloads_of))

    @typeof.register(VectorValue)
    def typeof_vector(value: Any, context: Any) -> Any:
        return numba_type(type(value).__samebytes_type__, world.dialect)

    @typeof.register(StructRecord)
    def typeof_record(value: Any, context: Any) -> Any:
        struct = type(value).__samebytes_type__
        return RecordType(struct_type(struct, world.dialect, struct.python))

    class Members(world.templates.AttributeTemplate):  # type: ignore[name-defined,misc]
        key = CallableType

        def generic_resolve(self, typ: CallableType, attr: str) -> Any:
            """Static methods and nested classes."""
            found = getattr(getattr(typ.bound, "python", None), attr, None)
            kind = world.typing._lookup_global(found) if found is not None else None
            return kind if isinstance(kind, CallableType) else None

    world.typing.insert_attributes(Members(world.typing))

    @world.registry.lower_getattr_generic(CallableType)
    def member(context: Any, builder: Any, typ: Any, value: Any, attr: str) -> Any:
        return context.get_dummy_value()

    world.install()
    register_operators(world)
    register_rewriting(world, overloads_of)
    if not world.cuda:
        register_boxing(world)


@dataclass(frozen=True)
class Installer:
    """One library, one compiler; the attributes are the parameters of :func:`numba_ext.install`."""

    world: World
    library: Library
    dialect: str
    signature: Callable[[Signature], Signature]
    address: Callable[[str], int] | None
    device: Callable[..., bytes] | None
    tag: str = ""

    def install(self) -> None:
        """Register everything."""
        prepare(self.world)
        link = linking(self.device) if self.device else None
        found = self.library.__model__.overload_sets
        constructors: dict[str, Overloads] = {}
        for name, overloads in found.items():
            made = self._overloads(overloads, link)
            kind, owner = overloads[0][1].kind, overloads[0][1].owner
            if kind == "constructor":
                constructors[owner] = made
            elif kind == "method" and owner in self.library.__records__:
                METHODS.setdefault(self._struct(self.library.__records__[owner]), {})[made.name] = made
            elif name in self.library.__bound__:
                self.world.typing.insert_global(self.library.__bound__[name], CallableType(made))
            if is_operator(made):
                add_operators(made, lambda struct: struct_type(struct, self.dialect, struct.python))
            if name in self.library.__bound__:
                _bound[self.library.__bound__[name]] = made
        for name, record in self.library.__records__.items():
            self._class(record, constructors.get(name))
            self._inherit(record)

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
        if constructors is None and self.world.typing._lookup_global(record) is not None:
            return  # of the library whose template this instantiates
        type_ = self._struct(record)
        if not self.world.cuda:
            record._numba_type_ = RecordType(type_)
        made = FieldsConstructor(self.world, type_, record, constructors=constructors)
        made.register()
        if self.world.typing._lookup_global(record) is not None:
            self.world.typing._remove_global(record)  # known so far without constructors
        self.world.typing.insert_global(record, CallableType(made))

    def _overloads(self, overloads: list[tuple[int, Signature]], link: Any) -> Overloads:
        whole = tuple(s for _, s in overloads)
        directs = [
            self._direct(index, signature, given)
            for index, signature in overloads
            for given in arities(signature, whole)
        ]
        bound = Overloads(self.world, whole[0].name, directs, self.dialect, link)
        bound.register()
        return bound

    def _direct(self, index: int, signature: Signature, given: int) -> Direct:
        symbol = direct_symbol(f"{self.tag}_{index}" if self.tag else index, given)
        linked = self.signature(signature)
        if self.address is None:
            return Direct(linked, given, symbol)
        fails = may_fail(signature, given, self.library.__model__.language)
        message = self.address("samebytes_message") if fails else 0
        return Direct(linked, given, self.address(symbol), message, fails)
