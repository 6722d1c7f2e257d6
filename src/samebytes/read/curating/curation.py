"""What a configuration leaves out of a module, and the prefixes that it removes from names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from ...errors import BindError
from ...layouts import walk
from ...model.curation import Curation
from ...model.intents import suggest
from ...model.module import Module, Skipped, unbound_beside
from ...model.names import describe
from ...model.signature import Location, Signature
from ...types import Enum, Struct, Type

_NOWHERE = Location("", 0)


def curate(module: Module, curation: Curation) -> Module:
    """The module without what is left out; each part of that is in ``skipped``, with the configuration as the reason.

    Raises
    ------
    BindError
        If a name that is to be left out does not exist.
    """
    _check(
        curation.functions, "Function", {n for f in module.functions for n in (f.name, f.qualified)}, module
    )
    _check(curation.structs, "Struct", {n for r in module.records for n in (r.short_name, r.name)}, module)
    gone = {r.name for r in module.records if {r.name, r.short_name} & {*curation.structs}}
    holders = {r.name: held for r in module.records if r.name not in gone and (held := _holds(r, gone))}
    reasons: list[Callable[[Signature], str]] = [
        lambda f: "Exclude leaves it out" if {f.name, f.qualified} & {*curation.functions} else "",
        lambda f: (
            f"its name begins with {curation.skip_prefix} (Skip Prefix)"
            if curation.skip_prefix and f.name.startswith(curation.skip_prefix)
            else ""
        ),
        lambda f: _uses(f, {*gone, *holders}),
    ]
    kept, skipped, lost = [], [], []
    for signature in module.functions:
        reason = next(filter(None, (rule(signature) for rule in reasons)), "")
        if reason:
            place = signature.location or _NOWHERE
            skipped.append(Skipped(describe(signature), "function", reason, place))
            lost.append((signature, reason))
        else:
            kept.append(signature)
    for record in module.records:
        if record.name in gone:
            skipped.append(Skipped(record.name, "struct", "Exclude leaves it out", _NOWHERE))
        elif record.name in holders:
            reason = f"its field {holders[record.name]!r} needs a struct that Exclude leaves out"
            skipped.append(Skipped(record.name, "struct", reason, _NOWHERE))
    records = tuple(r for r in module.records if r.name not in gone and r.name not in holders)
    return replace(
        module, functions=tuple(kept), records=records, skipped=(*module.skipped, *skipped),
        unbound=(*module.unbound, *unbound_beside(kept, lost)),
    )  # fmt: skip


def _check(names: Iterable[str], kind: str, known: set[str], module: Module) -> None:
    unbound = {s.name.partition("(")[0] for s in module.skipped}
    known |= unbound | {name.rpartition("::")[2] for name in unbound}
    for name in names:
        if name not in known:
            shown = ", ".join(sorted(known)[:8]) + (", …" if len(known) > 8 else "")
            raise BindError(
                f"Exclude: {kind} names an unknown {kind.lower()} {name!r}; known: {shown or '(none)'}."
                f"{suggest(name, sorted(known))}"
            )


def _names(type_: Type) -> set[str]:
    return {part.name for part in walk(type_) if isinstance(part, Struct)}


def _holds(record: Struct, gone: set[str]) -> str:
    """The first field that holds a struct that is left out."""
    return next((f.name for f in record.fields if _names(f.type) & gone), "")


def _uses(signature: Signature, gone: set[str]) -> str:
    if not gone:
        return ""
    if signature.owner in gone:
        return f"Exclude leaves its class {signature.owner} out"
    parts = [(f"parameter {p.name!r}", p.type) for p in signature.parameters]
    for what, type_ in (*parts, ("result", signature.result)):
        if found := sorted(_names(type_) & gone):
            return f"its {what} needs {found[0]}, which Exclude leaves out"
    return ""


# --- names


def rename(module: Module, curation: Curation) -> Module:
    """The module with prefixes removed from the names that Python sees; C++ keeps its own.

    Raises
    ------
    BindError
        If two things of one scope get the same name.
    """
    prefixes = dict(curation.prefixes)
    if not prefixes:
        return module
    functions, records, enums = (prefixes.get(kind, ()) for kind in ("Function", "Struct", "Enum"))
    made = {t.qualified for t in module.templates}  # their instantiations have no name of their own
    renamed = {
        f.qualified: _short(f.name, functions) for f in module.functions
        if not f.owner and f.qualified.partition("<")[0] not in made
    }  # fmt: skip
    renamed.update({t.qualified: _short(t.name, functions + records) for t in module.templates})
    renamed.update({r.name: _short(r.short_name, records) for r in module.records if "<" not in r.name})
    renamed.update({e.name: _short(e.short_name, enums) for e in module.enums})
    _check_distinct(renamed)
    return replace(
        module,
        functions=tuple(replace(f, name=renamed.get(f.qualified, f.name)) for f in module.functions),
        enums=tuple(_members(e, enums) for e in module.enums),
        renamed=tuple((q, n) for q, n in renamed.items() if n != q.rpartition("::")[2]),
    )


def _short(name: str, prefixes: Iterable[str]) -> str:
    for prefix in sorted(prefixes, key=len, reverse=True):
        rest = name.removeprefix(prefix)
        if rest != name and rest.isidentifier():
            return rest
    return name


def _members(enum: Enum, prefixes: Iterable[str]) -> Enum:
    first: dict[str, str] = {}
    for member, _ in enum.members:
        short = _short(member, prefixes)
        if (other := first.setdefault(short, member)) != member:
            raise BindError(
                f"API Prefix Removal: Enum gives {other} and {member} of {enum.name} the same name {short!r}"
            )
    members = tuple((_short(name, prefixes), value) for name, value in enum.members)
    return replace(enum, members=members, declared=() if members == enum.members else tuple(enum.enumerators))


def _check_distinct(renamed: dict[str, str]) -> None:
    seen: dict[tuple[str, str], str] = {}
    for qualified, name in renamed.items():
        first = seen.setdefault((qualified.rpartition("::")[0], name), qualified)
        if first != qualified:
            raise BindError(f"API Prefix Removal gives {first} and {qualified} the same name {name!r}")
