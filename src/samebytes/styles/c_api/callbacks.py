"""Functions that a C API calls: pointers that they return are taken as parameters are, an int as an address."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...model.module import Module
from ...model.signature import Signature
from ...types import Argument, ByKind, CArray, Const, Function, Pointer, Type, unqualified


def adapt_callbacks(module: Module) -> Module:
    """The module, all of whose function types return what their adapter takes."""
    return replace(
        module,
        functions=tuple(map(_of_signature, module.functions)),
        records=tuple(replace(r, fields=tuple(map(_typed, r.fields))) for r in module.records),
        aliases=tuple(map(_typed, module.aliases)),
        variables=tuple(map(_typed, module.variables)),
    )


def _of_signature(signature: Signature) -> Signature:
    parameters = tuple(map(_typed, signature.parameters))
    return replace(signature, parameters=parameters, result=_adapted(signature.result))


def _typed(part: Any) -> Any:
    """A parameter, a field, an alias or a variable, with its type."""
    type_ = _adapted(part.type)
    return part if type_ is part.type else replace(part, type=type_)


def _adapted(type_: Type) -> Type:
    rule = _RULES.get(type(type_))
    return rule(type_) if rule else type_


def _inside(name: str) -> Callable[[Any], Type]:
    def rule(type_: Any) -> Type:
        inner = _adapted(getattr(type_, name))
        same: bool = inner is getattr(type_, name)
        found: Type = type_ if same else replace(type_, **{name: inner})
        return found

    return rule


def _function(function: Function) -> Function:
    arguments = tuple(map(_argument, function.arguments))
    result = _adapted(function.result)
    bare = unqualified(result)
    if isinstance(bare, Pointer) and not bare.is_string and not bare.adapter:
        result = replace(bare, adapter="Pointer")
    same = result is function.result and all(
        a is b for a, b in zip(arguments, function.arguments, strict=True)
    )
    return function if same else replace(function, result=result, arguments=arguments)


def _argument(argument: Argument) -> Argument:
    type_ = _adapted(argument.type)
    return argument if type_ is argument.type else replace(argument, type=type_)


_RULES: ByKind[Callable[[Any], Type]] = ByKind(
    "styles: where pointers get adapters in a type",
    {
        Pointer: _inside("pointee"),
        Const: _inside("type"),
        CArray: _inside("element"),
        Function: _function,
    },
    others="none is inside that C could ask about",
)
