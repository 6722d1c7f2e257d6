"""Of a header's declarations those that a program has used, and what they need: for packages that hold no more."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..layouts import walk_all
from ..model.module import UNUSED_KIND, Module, Skipped
from ..model.names import describe
from ..model.owner import Owner
from ..model.signature import Signature
from ..types import Struct
from ..types.naming import split_name
from .grouping import Groups


def only_used(module: Module, used: Iterable[str]) -> Module:
    """The module of some names alone: functions, variables, and classes with their members, bases and operators.

    Parameters
    ----------
    module : Module
    used : iterable of str
        Names as Python says them, ``"ns.f"``.

    Notes
    -----
    A class that what is used gives, takes or holds has all its members, as a program may use them by its objects.
    Constants and enumerations are all there: they need no code. All else says in ``__skipped__`` that it is left out.
    """
    said, renamed = {name.replace(".", "::") for name in used}, dict(module.renamed)

    def is_used(qualified: str) -> bool:
        parts = split_name(qualified)
        name = "::".join(renamed.get("::".join(parts[: i + 1]), part) for i, part in enumerate(parts))
        # Python's keywords have a ``_``.
        return name in said or f"{name}_" in said

    groups = Groups(module)
    meant = {alias.target for alias in module.aliases if is_used(alias.qualified)}
    meant |= {target for name, target in module.repeated if is_used(name)}
    owners = {
        Owner("function", n) for n, f in enumerate(module.functions)
        if not f.owner and (is_used(f.qualified) or f.qualified in meant or f.instance)
    }  # fmt: skip
    owners |= {Owner("variable", n) for n, v in enumerate(module.variables) if is_used(v.qualified)}
    classes = {r.name for r in module.records if is_used(r.name) or r.name in meant}
    while True:
        named = {
            Owner("function", n) for n, f in enumerate(module.functions)
            if f.owner in classes or (_is_operator(f) and not classes.isdisjoint(_operands(f)))
        }  # fmt: skip
        part = groups.part(owners | named)
        found = classes | {record.name for record in part.records}
        if found == classes:
            break
        classes = found
    records = tuple(r for r in module.records if r.name in classes)
    kept = {id(f) for f in part.functions} | {id(v) for v in part.variables}
    left = [
        Skipped(describe(f), UNUSED_KIND, _REASON, f.location)
        for f in module.functions if id(f) not in kept and f.location is not None and not f.implicit
    ]  # fmt: skip
    left += [
        Skipped(v.qualified, UNUSED_KIND, _REASON, v.location)
        for v in module.variables if id(v) not in kept and v.location is not None
    ]  # fmt: skip
    return replace(
        module,
        functions=part.functions,
        variables=part.variables,
        records=records,
        aliases=tuple(a for a in module.aliases if _is_there(a.type, classes)),
        unread=tuple(u for u in module.unread if u.name in classes),
        templates=tuple(t for t in module.templates if not t.owner or t.owner in classes),
        skipped=(*module.skipped, *left),
    )


_REASON = "the program of --used-by does not use it"


def _is_operator(function: Signature) -> bool:
    return not function.owner and function.name.startswith("operator")


def _operands(function: Signature) -> set[str]:
    return {getattr(t, "name", "") for t in walk_all(p.type for p in function.parameters)}


def _is_there(type_: object, classes: set[str]) -> bool:
    return all(t.name in classes for t in walk_all([type_]) if isinstance(t, Struct))  # type: ignore[list-item]
