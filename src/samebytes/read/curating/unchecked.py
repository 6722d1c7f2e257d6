"""Functions with ``...`` whose further arguments are held to no format, because a user or a library's file says so."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ...errors import BindError
from ...model.intents import EVERY, suggest
from ...model.module import Module


def leave_unchecked(module: Module, names: Collection[str], *, all_: bool = True) -> Module:
    """The module, whose functions of these names take further arguments by their Python values alone.

    Parameters
    ----------
    names : collection of str
        ``"*"`` means every function.
    all_ : bool
        Whether the header has to know every name.

    Raises
    ------
    BindError
        If a name is no function with ``...``.
    """
    if not names:
        return module
    known = {f.name for f in module.functions if f.variadic}
    for name in names:
        if all_ and name != EVERY and name not in known:
            raise BindError(
                f"unchecked_formats= names {name!r}, which is no function with '...'.{suggest(name, sorted(known))}"
            )
    functions = tuple(
        replace(f, family="", family_at=-1) if f.family and (EVERY in names or f.name in names) else f
        for f in module.functions
    )
    return replace(module, functions=functions)
