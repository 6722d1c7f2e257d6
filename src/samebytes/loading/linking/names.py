"""Which classes and constants a module has, and by which names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ... import _native
from ...model.module import Constant, Module
from ...model.symbols import ITERATION
from ...types import CArray, Enum, Named, Pointer, Struct, Type
from .. import type_names
from .linker import Linker, function_of


def classes(module: Module, linker: Linker, functions: Mapping[str, object]) -> Iterator[tuple[str, Any]]:
    """Records, enumerations and constants by their names."""
    hidden = {*functions, *(v.qualified for v in module.variables), *(c.qualified for c in module.constants)}
    for struct in module.records:
        if struct.name.startswith(ITERATION):
            continue
        # Where a function or a variable hides a struct's tag (`stat`, `timezone`), that has the name, as in C++.
        name = f"{struct.name}_" if struct.name in hidden else struct.name
        yield name, linker.records[struct.name]
    for enum in linker.enums.values():
        yield from _enum_names(enum)
    for constant in module.constants:
        yield constant.qualified, _constant(constant, linker)


def aliases(module: Module, linker: Linker) -> Iterator[tuple[str, Any]]:
    """Classes of handles, and second names of classes."""
    yield from linker.handles.items()
    for alias in module.aliases:
        if (handle := _handle_of(linker, alias.type)) is not None:
            yield alias.qualified, handle
            continue
        if (aimed := function_of(alias.type)) is not None:
            yield alias.qualified, linker.function(aimed).python
            continue
        meant = _only_element(alias.type) or alias.target
        target = linker.records.get(meant) or getattr(linker.enums.get(meant), "python", None)
        if target is None:
            target = type_names.named_type(alias, linker.link(alias.type))
        yield alias.qualified, target


def _only_element(type_: Type) -> str:
    """The record of which a type is an array of one, C's way to pass it by address: ``typedef struct … mpz_t[1]``."""
    element = type_.element if isinstance(type_, CArray) and type_.shape == (1,) else None
    return element.name if isinstance(element, Struct) else ""


def _constant(constant: Constant, linker: Linker) -> Any:
    """A constant's value; of an enumeration, the member; of a pointer, an object of its class."""
    if constant.type is not None:
        aimed = function_of(constant.type)
        made = linker.function(aimed).python if aimed is not None else _handle_of(linker, constant.type)
        return (made or _native.Pointer)(constant.value)
    enum = linker.enums.get(constant.enum)
    return constant.value if enum is None or enum.python is None else enum.python(constant.value)


def _enum_names(enum: Enum) -> Iterator[tuple[str, Any]]:
    """An unscoped enum's values are visible beside it, as in C++."""
    anonymous = not enum.short_name or enum.short_name.startswith("(")
    if not anonymous:
        yield enum.name, enum.python
    if not enum.scoped:
        scope = enum.name.rpartition("::")[0]
        for name, value in enum.members:
            member = value if anonymous or enum.python is None else enum.python(value)
            yield f"{scope}::{name}" if scope else name, member


def _handle_of(linker: Linker, type_: Type) -> Any:
    """The class of handles that a pointer type is; None for other types."""
    target = type_.target if isinstance(type_, Pointer) else None
    return linker.handles.get(target.name) if isinstance(target, Named) else None
