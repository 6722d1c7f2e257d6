"""Bytes that are text because the user says so: of a typedef, ``xmlChar``, or what a function returns."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any

from ...errors import BindError
from ...model.intents import suggest
from ...model.module import Module
from ...model.signature import Signature
from ...types import CHAR, Const, Pointer, Scalar, Type


def name_texts(module: Module, texts: Collection[str], *, all_: bool = True) -> Module:
    """The module, whose functions' pointers to constant bytes of these names are text, as ``const char*`` is.

    Parameters
    ----------
    all_ : bool
        Whether the header has to know every name.

    Raises
    ------
    BindError
        If a name is neither a typedef of bytes that a function uses, nor a function that returns such a pointer.
    """
    if not texts:
        return module
    known = {name for f in module.functions for name in _names(f)}
    for name in texts:
        if name not in known and all_:
            raise BindError(
                f"texts= names {name!r}, which is neither a typedef of bytes to which functions have const pointers, "
                f"nor a function that returns const unsigned char*.{suggest(name, sorted(known))}"
            )
    return replace(module, functions=tuple(_told(f, texts) for f in module.functions))


def _names(signature: Signature) -> Iterator[str]:
    if isinstance(signature.result, Pointer) and _is_bytes(signature.result):
        yield signature.name
    for type_ in (signature.result, *(p.type for p in signature.parameters)):
        while isinstance(type_, Pointer):
            if type_.alias and type_.const:
                yield type_.alias
            type_ = type_.target


def _told(signature: Signature, texts: Collection[str]) -> Signature:
    parameters = tuple(_typed(p, texts) for p in signature.parameters)
    result = _text(signature.result, texts)
    if signature.name in texts and isinstance(result, Pointer) and _is_bytes(result):
        result = replace(result, pointee=Const(CHAR))
    return replace(signature, parameters=parameters, result=result)


def _typed(parameter: Any, texts: Collection[str]) -> Any:
    type_ = _text(parameter.type, texts)
    return parameter if type_ is parameter.type else replace(parameter, type=type_)


def _text(type_: Type, texts: Collection[str]) -> Type:
    if isinstance(type_, Const):
        inner = _text(type_.type, texts)
        return type_ if inner is type_.type else Const(inner)
    if not isinstance(type_, Pointer):
        return type_
    if type_.alias in texts and _is_bytes(type_):
        return replace(type_, pointee=Const(CHAR))
    inner = _text(type_.pointee, texts) if isinstance(type_.target, Pointer) else type_.pointee
    return type_ if inner is type_.pointee else replace(type_, pointee=inner)


def _is_bytes(pointer: Pointer) -> bool:
    return pointer.const and isinstance(pointer.target, Scalar) and pointer.target.size == 1
