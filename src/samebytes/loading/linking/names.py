"""Which classes and constants a module has, and by which names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from ... import _native
from ...call.c_api.api import PendingClass
from ...model.module import Constant, Module
from ...model.symbols import ITERATION
from ...types import CArray, Enum, Named, Pointer, Struct, Type
from ...types.naming import is_unnamed
from .. import type_names
from .linker import Linker, function_of


def classes(module: Module, linker: Linker, functions: Mapping[str, object]) -> Iterator[tuple[str, Any]]:
    """Records, enumerations and constants by their names."""
    said = behind_others(module, functions)
    for struct in module.records:
        if not struct.name.startswith(ITERATION):
            yield said.get(struct.name, struct.name), _record(struct.name, linker)
    for enum in linker.enums.values():
        yield from _enum_names(enum, said)
    for constant in module.constants:
        yield constant.qualified, _constant(constant, linker)


def behind_others(module: Module, functions: Mapping[str, object]) -> dict[str, str]:
    """The names by which Python finds classes and enumerations that something of the same name hides.

    A function, a variable or a field has the name, as in C++ (`stat`, `timezone`); the class has one with a ``_``
    behind it, or more, so that it is nobody else's.
    """
    fields = {f"{record.name}::{field.name}" for record in module.records for field in record.fields}
    hidden = fields.union(
        functions, (v.qualified for v in module.variables), (c.qualified for c in module.constants)
    )
    kinds: tuple[Struct | Enum, ...] = (*module.records, *module.enums)
    types = [type_.name for type_ in kinds if not is_unnamed(type_.spelling)]
    taken = hidden.union(types, (alias.qualified for alias in module.aliases))
    found: dict[str, str] = {}
    for name in types:
        if name in hidden:
            found[name] = f"{name}_"
            while found[name] in taken:
                found[name] += "_"
            taken.add(found[name])
    return found


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
        if linker.records.waits(meant) and alias.qualified.rpartition("::")[0] not in linker.records:
            yield alias.qualified, _record(meant, linker)
            continue
        target = linker.records.get(meant) or getattr(linker.enums.get(meant), "python", None)
        if target is None:
            target = type_names.named_type(alias, linker.link(alias.type))
        yield alias.qualified, target


def _record(name: str, linker: Linker) -> Any:
    """The class of a record, or what makes it when it is first asked for."""
    records = linker.records
    return PendingClass(partial(records.__getitem__, name)) if records.waits(name) else records[name]


def _only_element(type_: Type) -> str:
    """The record of which a type is an array of one, C's way to pass it by address: ``typedef struct … mpz_t[1]``."""
    element = type_.element if isinstance(type_, CArray) and type_.shape == (1,) else None
    return element.name if isinstance(element, Struct) else ""


def _constant(constant: Constant, linker: Linker) -> Any:
    """A constant's value; of an enumeration, the member; of a pointer, an object of its class."""
    if constant.type is not None:
        aimed = function_of(constant.type)
        made = linker.function(aimed).python if aimed is not None else _handle_of(linker, constant.type)
        if made is None and isinstance(constant.type, Pointer) and isinstance(constant.value, int):
            return _native.Pointer._behind(constant.value, None, constant.type.levels[0])
        return (made or _native.Pointer)(constant.value)
    enum = linker.enums.get(constant.enum)
    return constant.value if enum is None or enum.python is None else enum.python(constant.value)


def _enum_names(enum: Enum, said: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    """An unscoped enum's values are visible beside it, as in C++."""
    anonymous = not enum.short_name or enum.short_name.startswith("(")
    if not anonymous:
        yield said.get(enum.name, enum.name), enum.python
    if not enum.scoped:
        scope = enum.name.rpartition("::")[0]
        for name, value in enum.members:
            member = value if anonymous or enum.python is None else enum.python(value)
            yield f"{scope}::{name}" if scope else name, member


def _handle_of(linker: Linker, type_: Type) -> Any:
    """The class of handles that a pointer type is; None for other types."""
    target = type_.target if isinstance(type_, Pointer) else None
    return linker.handles.get(target.name) if isinstance(target, Named) else None
