"""Macros that stand in the way of shims, and come back where they are evaluated themselves."""

from __future__ import annotations

from collections.abc import Iterable

from ...model.module import Module


def hidden_names(module: Module) -> set[str]:
    """The names of functions, variables and fields: a macro would stand in for them in all that shims say."""
    named = {f.qualified for f in module.functions if f.kind != "macro"} | {
        v.qualified for v in module.variables
    }
    fields = {field.name for record in module.records for field in record.members}
    return {name for name in named if name.isidentifier()} | fields


def hidden_macros(module: Module) -> list[str]:
    """The macros with such names whose values are bound, as libxml2's, which are fields of its state, too.

    And those that would stand in for what samebytes's own headers say.
    """
    macros = {f.name for f in module.functions if f.kind == "macro"}
    return sorted({*(macros & hidden_names(module) if macros else ()), *module.clashing})


def set_aside(names: Iterable[str]) -> list[str]:
    """What takes macros away, to bring them back later."""
    return [f'#pragma push_macro("{name}")\n#undef {name}' for name in names]


def with_macros(names: Iterable[str], shim: str) -> str:
    """A shim that finds all macros as the header left them."""
    names = list(names)
    back = (f'#pragma pop_macro("{name}")' for name in names)
    return "\n".join([*back, shim, *set_aside(names)])
