"""Links a library's objects, with jumps where functions are looked up in a library that is opened later."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from ..emit.lazy import pointed, slot_names
from ..model.module import Module
from ..read.curating.undefined import symbol_of
from ..toolchain.compilers import find_compiler
from ..toolchain.driver import UndefinedSymbols, link_library
from ..toolchain.objects import Needs
from . import families, portable
from .old_abi import check_abi
from .request import Request
from .units import jumps, report
from .weak import check_weak

SHIM = re.compile(r"samebytes_f(\d+)_")


class Later(Exception):
    """Variables are needed that may lie in a library which is opened later; or some have no macros of their names.

    Attributes
    ----------
    functions : set of str
        Of those without macros: what are functions, although nothing calls them by their names.
    """

    def __init__(self, names: set[str], barred: set[str], functions: Collection[str] = ()) -> None:
        self.names, self.barred, self.functions = names, barred, {*functions}


def _link(request: Request, module: Module, objects: Iterable[Path], library: Path) -> None:
    """Link the library, and look for what it leaves to others without a word."""
    objects = [*objects]
    _linked(request, module, objects, library)
    check_weak(module, library, lambda more, target: _linked(request, module, [*objects, *more], target))


def _linked(request: Request, module: Module, objects: Iterable[Path], library: Path) -> None:
    own = portable.link_flags(request) if request.portable else request.link_flags()
    flags = (*report(request, find_compiler(module.language)), *own)
    flags = (*families.link_flags(request, module, library.parent), *flags)
    first = families.first_library(request)
    link_library(
        [*objects, *([first] if first else [])], library, linker=find_compiler("c++"), link_flags=flags
    )


def link_lazily(
    request: Request, module: Module, objects: Sequence[Path], library: Path, barred: frozenset[str] | None
) -> Module:
    """Link, where ``library=`` is given with jumps to what nothing defines; the module that says which these are.

    ``barred`` are the variables that cannot be looked up later; None: none can.

    Raises
    ------
    UndefinedSymbols
        If more is missing than can be looked up later.
    Later
        If variables are: their slots must be known when the header is compiled.
    BindError
        If a library defines them by another ABI.
    """
    needs: Needs | None = None
    if module.pointed:
        needs = Needs(objects)
        if functions := _functions(module, needs):
            raise Later(set(), functions, functions)
    while True:
        try:
            _link(request, module, [*objects, *jumps(module, library.parent)], library)
            return _told(module, needs or Needs(objects)) if module.lazy else module
        except UndefinedSymbols as error:
            check_abi(request, module, error.symbols)
            if request.library is None:
                raise
            needs = needs or Needs(objects)
            functions = needs.called | {*map(symbol_of, module.functions)}
            missing = {pointed(symbol): symbol for symbol in error.symbols}
            later = [
                name for name, symbol in missing.items() if symbol in functions or name in module.pointed
            ]
            # A header that defines such a macro itself declares the variable by its name alone.
            plain = {name for name in module.pointed if missing.get(name) == name}
            data = {name for name in missing if name.isidentifier()} - functions - {*module.pointed}
            if barred is not None and module.language == "c" and (plain or data - barred):
                raise Later(data - barred, plain) from None
            if not later:
                raise
            module = replace(module, lazy=tuple(dict.fromkeys((*module.lazy, *later))))


def _functions(module: Module, needs: Needs) -> set[str]:
    """What was taken for a variable and is a function: its declaration, with the macro, defined a pointer to one.

    Code that only takes the address of a function shows nothing else of what it is.
    """
    variables = {*map(symbol_of, module.variables)}
    made = {*slot_names(module.pointed)} & {*needs.functions()}
    return {pointed(name) for name in made} - variables


def _told(module: Module, needs: Needs) -> Module:
    """The module whose functions say what they need of the library that is opened later."""
    lazy = {*module.lazy}
    found: dict[int, set[str]] = {}
    for name in needs.functions():
        if shim := SHIM.match(name):
            found.setdefault(int(shim[1]), set()).update(lazy.intersection(map(pointed, needs.of(name))))
    numbers = module.numbers or range(len(module.functions))
    functions = tuple(
        replace(f, uses=tuple(sorted(found.get(number, set()) - {symbol_of(f)})))
        for number, f in zip(numbers, module.functions, strict=True)
    )
    return replace(module, functions=functions)


def users_of(needs: Needs, missing: Iterable[str]) -> dict[str, str]:
    """By function of some objects that needs what is missing: one of the symbols."""
    names = {*missing}
    found = ((function, needs.of(function) & names) for function in needs.functions())
    return {function: min(symbols) for function, symbols in found if symbols}
