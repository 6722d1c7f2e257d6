"""Static and class methods of classes that Python declares, in compiled code; and how any method becomes known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from inspect import Parameter
from types import FunctionType
from typing import Any

from numba import types

from ..compiler import NumbaCompiler
from ..datamodel.kinds import CallableType, StructType
from ..lowering.site import Site


def class_functions(cls: Any) -> dict[str, tuple[FunctionType, bool]]:
    """The static and class methods that a class was written with, and whether each is given the class."""
    found: dict[str, tuple[FunctionType, bool]] = {}
    for base in reversed(cls.underlying.__mro__[:-1]):
        for name, member in vars(base).items():
            if isinstance(member, staticmethod | classmethod):
                plain = getattr(member.__func__, "underlying", member.__func__)  # of @func
                if isinstance(plain, FunctionType):
                    found[name] = plain, isinstance(member, classmethod)
            else:
                found.pop(name, None)
    return found


@dataclass(eq=False, repr=False)
class Compiled:
    """A function that a class was written with, compiled for the types that it is called with."""

    compiler: NumbaCompiler
    struct: StructType
    name: str
    function: FunctionType
    directs: tuple[Any, ...] = ()
    _dispatcher: Any = field(default=None)

    def __str__(self) -> str:
        return f"{self.struct.struct.short_name}.{self.name}()"

    __repr__ = __str__

    @property
    def kind(self) -> Any:
        """Numba's type of the function."""
        if self._dispatcher is None:  # whose type keeps it only weakly
            self._dispatcher = self.compiler.dispatcher(self.function)
        return self.compiler.typing.resolve_value_type(self._dispatcher)


@dataclass(eq=False, repr=False)
class ClassMethod(Compiled):
    """A function that is called through a class or its objects.

    Attributes
    ----------
    constructor : object
        What the class is to the compiler, where the function is given it; None for static methods.
    """

    constructor: Any = None

    @property
    def _first(self) -> tuple[Any, ...]:
        return (CallableType(self.constructor),) if self.constructor is not None else ()

    def type_call(self, args: tuple[Any, ...], kws: Mapping[str, Any]) -> Any:
        """Numba's signature of a call through the class."""
        first = self._first
        found = self.compiler.typing.resolve_function_type(self.kind, (*first, *args), dict(kws))
        made = self.compiler.templates.signature(found.return_type, *found.args[len(first) :])
        if (pysig := found.pysig) is not None:
            pysig = pysig.replace(parameters=list(pysig.parameters.values())[len(first) :])
        return made.replace(pysig=pysig)

    def lower_call(self, site: Site, signature: Any, args: Sequence[Any]) -> Any:
        """The machine code of a call through the class."""
        inner = self.compiler.templates.signature(signature.return_type, *self._first, *signature.args)
        function = site.context.get_function(self.kind, inner)
        return function(site.builder, [*(site.context.get_dummy_value() for _ in self._first), *args])

    def register(self) -> None:
        """Tell the compiler how calls are lowered."""
        register_method(self)


@dataclass(eq=False, repr=False)
class ThroughObject:
    """The same function, called through an object, which it is not given."""

    of_class: ClassMethod
    directs: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return str(self.of_class)

    __repr__ = __str__

    @property
    def compiler(self) -> NumbaCompiler:
        """Numba's compiler."""
        return self.of_class.compiler

    def type_call(self, args: tuple[Any, ...], kws: Mapping[str, Any], bound: bool = False) -> Any:
        """Numba's signature of a call, whose first argument is the object."""
        found = self.of_class.type_call(args[1:], kws)
        if bound:
            return found.replace(recvr=args[0])
        made = self.compiler.templates.signature(found.return_type, args[0], *found.args)
        if (pysig := found.pysig) is not None:
            this = Parameter("self_", Parameter.POSITIONAL_ONLY)
            pysig = pysig.replace(parameters=[this, *pysig.parameters.values()])
        return made.replace(pysig=pysig)

    def lower_call(self, site: Site, signature: Any, args: Sequence[Any]) -> Any:
        """The machine code of a call."""
        given = signature.args if signature.recvr is not None else signature.args[1:]
        inner = self.compiler.templates.signature(signature.return_type, *given)
        return self.of_class.lower_call(site, inner, args[1:])

    def register(self) -> None:
        """Tell the compiler how calls are lowered."""
        self.of_class.register()
        register_method(self)


def register_method(made: Any) -> None:
    """Tell the compiler how calls of a method are lowered."""

    @made.compiler.registry.lower(made, types.VarArg(types.Any))
    def lower(context: Any, builder: Any, signature: Any, args: Sequence[Any]) -> Any:
        return made.lower_call(Site(made.compiler, context, builder), signature, args)

    made.compiler.install()
