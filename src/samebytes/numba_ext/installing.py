"""Makes a library known to one of Numba's compilers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

from numba import types

from ..generate.shims import arities
from ..generate.shims.direct import direct_symbol, may_fail
from ..library import Library, Namespace
from ..signature import Signature
from ..types import Struct
from ..values.record import StructRecord
from ..values.vector import VectorValue
from .boxing import register_boxing
from .calls import Direct, Overloads
from .classes import FieldsConstructor
from .fields import register_fields
from .kinds import CallableType, RecordType, struct_type, vector_type
from .models import register_models
from .vectors import register_vectors
from .world import World

# Every bound function, for signatures to be shown.
_bound: WeakKeyDictionary[Any, Overloads] = WeakKeyDictionary()


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

    @typeof.register(VectorValue)
    def typeof_vector(value: Any, context: Any) -> Any:
        return vector_type(type(value).__samebytes_type__)

    @typeof.register(StructRecord)
    def typeof_record(value: Any, context: Any) -> Any:
        struct = type(value).__samebytes_type__
        return RecordType(struct_type(struct, "cuda" if world.cuda else "cxx", struct.python))

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

    def install(self) -> None:
        """Register everything."""
        prepare(self.world)
        for record in self.library.__records__.values():
            self._class(record)
        found: dict[str, list[tuple[int, Signature]]] = {}
        for index, signature in enumerate(self.library.__model__.functions):
            found.setdefault(signature.qualified, []).append((index, signature))
        for name, overloads in found.items():
            self._function(name, overloads)

    def _class(self, record: Any) -> None:
        struct: Struct = record.__samebytes_type__
        type_ = struct_type(struct, self.dialect, struct.python)
        if not self.world.cuda:
            record._numba_type_ = RecordType(type_)
        made = FieldsConstructor(self.world, type_)
        made.register()
        self.world.typing.insert_global(record, CallableType(made))

    def _function(self, name: str, overloads: list[tuple[int, Signature]]) -> None:
        whole = tuple(s for _, s in overloads)
        directs = [
            self._direct(index, signature, given)
            for index, signature in overloads
            for given in arities(signature, whole)
        ]
        bound = Overloads(self.world, whole[0].name, directs, self.dialect)
        bound.register()
        function = self.library.__bound__[name]
        self.world.typing.insert_global(function, CallableType(bound))
        _bound[function] = bound

    def _direct(self, index: int, signature: Signature, given: int) -> Direct:
        symbol = direct_symbol(index, given)
        linked = self.signature(signature)
        if self.address is None:
            return Direct(linked, given, symbol)
        fails = may_fail(signature, given, self.library.__model__.language)
        message = self.address("samebytes_message") if fails else 0
        return Direct(linked, given, self.address(symbol), message, fails)
