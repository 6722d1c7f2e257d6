"""What C++ refuses though clang read it: bodies of templates for some arguments, and names that only clang sees."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from ..emit.shims import GENERATORS
from ..errors import CompileError, first_sentence
from ..layouts import walk
from ..model.module import Module, Skipped
from ..model.names import describe
from ..model.signature import Location, Signature
from ..types import Enum, Struct, Type

_PLACE = re.compile(r"shims\.cpp:(\d+)")
_SHIM = re.compile(r"samebytes_[fpn](\d+)_")
_NOWHERE = Location("", 0)
# How the assertions of shim.hpp begin.
_DISPROVED = "samebytes: the "
_REFUSED = "C++ refuses it: {}"
_REFUSED_HERE = "C++ refuses it for these arguments: {}"
_UNKNOWN = "the compiler does not know it: only clang, which read the header, sees it"


def without_refused(module: Module, error: CompileError, text: str) -> Module | None:
    """The module without the members that the compiler refused; None where other code is to blame.

    C++ compiles such a body only where it is called, and many classes have members for some arguments alone.

    Parameters
    ----------
    text : str
        The shims that the error is about.
    """
    gone = _blamed(module, error, text)
    if not gone or not all("<" in f.owner and not f.instance for f in gone):
        return None
    reason = _REFUSED_HERE.format(first_sentence(error))
    return _without(module, reason, set(), set(map(id, gone)))


def without_blamed(module: Module, error: CompileError, text: str) -> Module | None:
    """The module without every declaration whose shim or assertion the compiler refused, whatever the reason.

    What was asked for by its template arguments stays: that it cannot be had is the answer. None where nothing of
    the module is to blame, and where the compiler lays something out differently: then nothing can be trusted.

    Parameters
    ----------
    text : str
        The shims that the error is about.
    """
    reason = _REFUSED.format(first_sentence(error))
    functions = _blamed(module, error, text)
    if any(f.instance for f in functions) or _DISPROVED in error.output:
        return None
    blamed = {_line(text, int(place)) for place in _PLACE.findall(error.output)}
    generator = GENERATORS[module.language]
    facts = {s.name: generator.struct_facts(s) for s in module.records}
    facts |= {e.name: generator.enum_facts(e) for e in module.enums}
    types = {name for name, lines in facts.items() if not blamed.isdisjoint(_lines(lines))}
    declared = set(map(id, functions))
    for number, variable in enumerate(module.variables):
        if not blamed.isdisjoint(_lines([generator.variable(number, variable)])):
            declared.add(id(variable))
    return _without(module, reason, types, declared) if types or declared else None


def _blamed(module: Module, error: CompileError, text: str) -> list[Signature]:
    """The functions in whose shims the compiler found errors."""
    lines = text.split("\n")
    numbers = {_shim_at(lines, int(place)) for place in _PLACE.findall(error.output)} - {None}
    named = zip(module.numbers or range(len(module.functions)), module.functions, strict=True)
    return [f for number, f in named if number in numbers]


def _shim_at(lines: list[str], place: int) -> int | None:
    """The number of the shim that a line belongs to."""
    found = (_SHIM.search(line) for line in reversed(lines[:place]))
    return next((int(shim[1]) for shim in found if shim), None)


def _line(text: str, place: int) -> str:
    lines = text.split("\n")
    return lines[place - 1] if 0 < place <= len(lines) else ""


def _lines(texts: Iterable[str]) -> set[str]:
    return {line for text in texts for line in text.split("\n")} - {"", "}"}


def without_unknown(module: Module, refused: Callable[[Sequence[str]], set[int]]) -> Module | None:
    """The module without what the compiler has no declaration of, and what needs it; None if it knows everything.

    Parameters
    ----------
    refused : callable
        The places of those of some declarations that the compiler refuses.
    """
    types: list[Struct | Enum] = [*module.records, *module.enums]
    free = [f for f in module.functions if f.kind == "function" and not f.expression and not f.instance]
    texts = [f"using samebytes_known = {t.spelling or t.name};" for t in types]
    texts += [f"using ::{f.qualified};" for f in free]
    texts += [f"using samebytes_known = decltype(::{v.qualified});" for v in module.variables]
    places = refused(texts)
    if not places:
        return None
    gone = {t.name for n, t in enumerate(types) if n in places}
    others = (*free, *module.variables)
    return _without(module, _UNKNOWN, gone, {id(o) for n, o in enumerate(others, len(types)) if n in places})


def _without(module: Module, reason: str, types: set[str], declared: set[int]) -> Module:
    """The module without types, by name, functions and variables, by identity, and all that needs those types."""
    gone = set(types)
    while holders := {
        r.name
        for r in module.records
        if r.name not in gone
        and any(_needs(f.type, gone) for f in r.fields) | bool(gone & {b.name for b in r.bases})
    }:
        gone |= holders
    lacking = f"it needs a type that is not bound: {reason}"
    skipped = [
        Skipped(t.name, kind, reason if t.name in types else lacking, _place(module, t.name))
        for kind, listed in (("struct", module.records), ("enum", module.enums))
        for t in listed
        if t.name in gone
    ]
    functions, variables, aliases = [], [], []
    for function in module.functions:
        why = reason if id(function) in declared else _lost(function, gone, reason)
        if why:
            skipped.append(Skipped(describe(function), "function", why, function.location or _NOWHERE))
        else:
            functions.append(function)
    for variable in module.variables:
        if id(variable) in declared or _needs(variable.type, gone):
            why = reason if id(variable) in declared else lacking
            skipped.append(Skipped(variable.qualified, "variable", why, variable.location or _NOWHERE))
        else:
            variables.append(variable)
    for alias in module.aliases:
        if _needs(alias.type, gone):
            skipped.append(Skipped(alias.qualified, "typedef", lacking, alias.location))
        else:
            aliases.append(alias)
    return replace(
        module,
        functions=tuple(functions),
        records=tuple(r for r in module.records if r.name not in gone),
        enums=tuple(e for e in module.enums if e.name not in gone),
        variables=tuple(variables),
        aliases=tuple(aliases),
        instances=tuple(i for i in module.instances if i.target not in gone),
        skipped=(*module.skipped, *skipped),
    )


def _place(module: Module, name: str) -> Location:
    """Where a class is, as far as its members tell; else the header."""
    members = (f.location for f in module.functions if f.owner == name and f.location)
    return next(members, Location(next(iter(module.included), ""), 0))


def _needs(type_: Type, gone: set[str]) -> bool:
    return any(getattr(part, "name", "") in gone for part in walk(type_))


def _lost(function: Signature, gone: set[str], reason: str) -> str:
    """Why a function cannot be called without some types; empty where it can."""
    if function.owner in gone:
        return f"its class {function.owner} is not bound: {reason}"
    types = (*(p.type for p in function.parameters), function.result)
    return f"it needs a type that is not bound: {reason}" if any(_needs(t, gone) for t in types) else ""
