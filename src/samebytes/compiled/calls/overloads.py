"""Bound functions in compiled code: which overload a call means, its type, and its machine code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from numba import types

from ...errors import Error, Mismatch
from ..compiler import NumbaCompiler
from ..lowering.site import Site
from .choosing import Direct, ResolvedOverload, choose
from .emitting import Emitter
from .results import return_type
from .shaping import python_signature


@dataclass(eq=False, repr=False)
class Overloads:
    """All overloads of one name, for one of Numba's compilers.

    Attributes
    ----------
    link : callable, optional
        For GPUs: has the shims linked where a call stands.
    origin : str
        What its code is made of (``Module.origin``).
    unbound : sequence of Direct
        What C++ considers beside them and is not bound.
    """

    compiler: NumbaCompiler
    name: str
    directs: Sequence[Direct]
    dialect: str
    link: Any = None
    origin: str = ""
    unbound: Sequence[Direct] = ()
    _chosen: dict[tuple[Any, ...], ResolvedOverload] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.name}()"

    __repr__ = __str__

    def resolve(self, args: tuple[Any, ...], kws: Mapping[str, Any]) -> ResolvedOverload:
        """The overload for arguments of these types; an error in the words of a host call."""
        return choose(self.name, self.directs, self.dialect, args, kws, self.unbound)

    def joined(self, other: Overloads) -> Overloads:
        """All overloads of both, which have one name."""
        unbound = (*self.unbound, *other.unbound)
        made = replace(self, directs=(*self.directs, *other.directs), unbound=unbound, _chosen={})
        made.register()
        return made

    # --- Numba's side

    def type_call(self, args: tuple[Any, ...], kws: Mapping[str, Any], bound: bool = False) -> Any:
        """Numba's signature of a call.

        Parameters
        ----------
        bound : bool
            Whether the first of ``args`` is the object of a method.
        """
        try:
            choice = self.resolve(args, kws)
            result = return_type(choice.direct.signature, self.dialect)
        except Mismatch as mismatch:
            text = f"{self.name}() cannot be called by compiled code: {mismatch}"
            raise self.compiler.errors.TypingError(text) from None
        except Error as error:
            raise self.compiler.errors.TypingError(str(error)) from None
        self._chosen[choice.arguments] = choice
        given = choice.arguments[1:] if bound else choice.arguments
        names = choice.direct.names[1:] if bound else choice.direct.names
        made = self.compiler.templates.signature(result, *given, recvr=choice.arguments[0] if bound else None)
        return made.replace(pysig=python_signature(names, choice.defaults))

    def register(self) -> None:
        """Tell the compiler how calls are lowered."""
        register_calls(self)

    def lower(self, site: Site, given: tuple[Any, ...], args: Sequence[Any], keeps: bool = True) -> Any:
        """The machine code of a call with arguments of these types; see :meth:`Emitter.emit`."""
        choice = self._chosen.get(given) or self.resolve(given, {})
        return Emitter(site, self.name, choice.direct, self.dialect, self.link).emit(choice, args, keeps)


def register_calls(callee: Any) -> None:
    """Tell a compiler how calls of an object with a method ``lower(site, types, values)`` are lowered."""

    @callee.compiler.registry.lower(callee, types.VarArg(types.Any))
    def lower(context: Any, builder: Any, signature: Any, args: Sequence[Any]) -> Any:
        given = tuple(signature.args)
        if signature.recvr is not None:
            given = (signature.recvr, *given)
        return callee.lower(Site(callee.compiler, context, builder), given, args)

    callee.compiler.install()


@dataclass(eq=False, repr=False)
class StaticOfObject:
    """A static method that is called on an object, which C++ is not given."""

    compiler: NumbaCompiler
    overloads: Overloads

    skipped = 1  # arguments of a call before those of C++

    def __post_init__(self) -> None:
        @self.compiler.registry.lower(self, types.VarArg(types.Any))
        def lower(context: Any, builder: Any, signature: Any, args: Sequence[Any]) -> Any:
            given = tuple(signature.args)
            if signature.recvr is None:
                given = given[1:]
            return self.lower(Site(self.compiler, context, builder), (None, *given), args)

        self.compiler.install()

    def __str__(self) -> str:
        return str(self.overloads)

    __repr__ = __str__

    @property
    def directs(self) -> Sequence[Direct]:
        """Those of the method."""
        return self.overloads.directs

    def type_call(self, args: tuple[Any, ...], kws: Mapping[str, Any], bound: bool = False) -> Any:
        """Numba's signature of a call, whose first argument is the object."""
        found = self.overloads.type_call(args[1:], kws)
        if bound:
            return found.replace(recvr=args[0])
        names = tuple(found.pysig.parameters)
        made = self.compiler.templates.signature(found.return_type, args[0], *found.args)
        return made.replace(pysig=python_signature(("self", *names)))

    def lower(self, site: Site, given: tuple[Any, ...], args: Sequence[Any]) -> Any:
        """The machine code of a call."""
        return self.overloads.lower(site, given[1:], args[1:])
