"""Members that count what pointers in classes lead to, and flexible arrays: ``counts={"m*": "mNum*"}``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ...errors import BindError
from ...model.intents import suggest
from ...model.module import Module
from ...types import Enum, Field, FlexibleArray, Named, Pointer, Scalar, Struct, Type, unqualified


def apply_counts(module: Module, pairs: tuple[tuple[str, str], ...], *, alone: bool = False) -> Module:
    """The module, whose named pointers know the members that count what they point to.

    Parameters
    ----------
    pairs : tuple of (str, str)
        Pointers and flexible arrays, as ``Class::member``, or a member of any class, which may have one ``*``, and the
        members that count; there ``*`` is what it was in the pointer's name.
    alone : bool
        Whether the module holds the instantiations of templates and nothing else.

    Raises
    ------
    BindError
        If a class or a member does not exist, is no pointer or no integer, or points to what has no elements.
    """
    records = list(module.records)
    for name, count in pairs:
        owner, _, member = name.rpartition("::")
        wanted = re.compile(re.escape(member).replace(r"\*", "(.+)"))
        met = False
        for i, record in enumerate(records):
            if not isinstance(record, Struct) or (owner and owner not in _line(record, records)):
                continue
            said = dict(_counted(record, wanted, count, name, strict=bool(owner) and "*" not in member))
            met = met or bool(said)
            records[i] = _with_counts(record, said) if said else record
        if not met and not alone:
            raise _unknown(records, name, owner)
    return replace(module, records=tuple(records))


def _with_counts(record: Struct, said: dict[str, str]) -> Struct:
    fields = tuple(replace(f, counted=said.get(f.name, f.counted)) for f in record.fields)
    tail = record.flexible
    return replace(
        record, fields=fields, flexible=tail and replace(tail, counted=said.get(tail.name, tail.counted))
    )


def _line(record: Struct, records: list[Struct]) -> set[str]:
    """The names of a class and of what it derives from, whose members are its own, too."""
    known, line, waiting = {r.name: r for r in records}, set[str](), [record.name]
    while waiting:
        name = waiting.pop()
        if name not in line:
            line.add(name)
            waiting += [base.name for base in known[name].bases] if name in known else []
    return line


def _counted(
    record: Struct, wanted: re.Pattern[str], count: str, name: str, *, strict: bool
) -> Iterator[tuple[str, str]]:
    """The members that are meant, each with the one that counts; ``strict``: say why one is none."""
    fields = {field.name: field for field in record.fields}
    for field in _members(record):
        if (match := wanted.fullmatch(field.name)) is None:
            continue
        counting = count.replace("*", match[1]) if match.groups() else count
        why = _no_pointer(field) or _no_count(fields.get(counting))
        if not why:
            yield field.name, counting
        elif strict:
            at = f"{record.name}::{counting}" if not _no_pointer(field) else f"{record.name}::{field.name}"
            known = [f.name for f in record.fields if not _no_count(f)]
            near = suggest(counting, known) if counting not in fields else ""
            raise BindError(f"counts, {name!r}: {at} {why}.{near}")


def _members(record: Struct) -> tuple[Field | FlexibleArray, ...]:
    return record.fields if record.flexible is None else (*record.fields, record.flexible)


def _no_pointer(field: Field | FlexibleArray) -> str:
    """Why nothing counts what a member leads to; a flexible array's elements are there in any case."""
    if isinstance(field, FlexibleArray):
        return ""
    type_ = unqualified(field.type)
    if not isinstance(type_, Pointer) or type_.memory:
        return f"is no pointer to what the host reads, but {field.type}"
    pointee: Type = unqualified(type_.pointee)
    if not isinstance(pointee, Scalar | Enum | Struct | Named | Pointer):
        return f"points to {pointee}, which says no size of one"
    return ""


def _no_count(field: Field | None) -> str:
    if field is None:
        return "does not exist"
    type_ = unqualified(field.type)
    whole = isinstance(type_, Scalar) and type_.kind in ("int", "uint")
    return "" if whole else f"is no integer, but {field.type}"


def _unknown(records: list[Struct], name: str, owner: str) -> BindError:
    known = sorted(f"{r.name}::{f.name}" for r in records for f in _members(r) if not _no_pointer(f))
    classes = {r.name for r in records}
    what = "an unknown class" if owner and owner not in classes else "what is no pointer that a member counts"
    shown = ", ".join(known[:8]) or "(none)"
    return BindError(f"counts names {what}, {name!r}; pointers are {shown}.{suggest(name, known)}")
