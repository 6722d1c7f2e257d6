"""What C++ refuses though clang read it: bodies of templates for some arguments, and names that only clang sees."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from .applying import describe
from .errors import CompileError, first_sentence
from .headers.model import Module, Skipped
from .layout import walk
from .signature import Location, Signature
from .types import Enum, Struct, Type

_PLACE = re.compile(r"shims\.cpp:(\d+)")
_SHIM = re.compile(r"samebytes_[fpn](\d+)_")


def without_refused(module: Module, error: CompileError, text: str) -> Module | None:
    """The module without the members that the compiler refused; None where other code is to blame.

    C++ compiles such a body only where it is called, and many classes have members for some arguments alone.

    Parameters
    ----------
    text : str
        The shims that the error is about.
    """
    lines = text.split("\n")
    numbers = {_shim_at(lines, int(place)) for place in _PLACE.findall(error.output)} - {None}
    named = zip(module.numbers or range(len(module.functions)), module.functions, strict=True)
    gone = [f for number, f in named if number in numbers]
    if not gone or not all("<" in f.owner and not f.instance for f in gone):
        return None
    reason = f"C++ refuses it for these arguments: {first_sentence(error)}"
    skipped = [Skipped(describe(f), "function", reason, f.location or Location("", 0)) for f in gone]
    rest = tuple(f for f in module.functions if f not in gone)
    return replace(module, functions=rest, skipped=(*module.skipped, *skipped))


def _shim_at(lines: list[str], place: int) -> int | None:
    """The number of the shim that a line belongs to."""
    found = (_SHIM.search(line) for line in reversed(lines[:place]))
    return next((int(shim[1]) for shim in found if shim), None)


_UNKNOWN = "the compiler does not know it: only clang, which read the header, sees it"
_NOWHERE = Location("", 0)


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
    places = refused(texts)
    if not places:
        return None
    gone = {t.name for n, t in enumerate(types) if n in places}
    unknown = {id(f) for n, f in enumerate(free, len(types)) if n in places}
    while holders := {
        r.name
        for r in module.records
        if r.name not in gone
        and any(_needs(f.type, gone) for f in r.fields) | bool(gone & {b.name for b in r.bases})
    }:
        gone |= holders
    skipped = [Skipped(t.name, "struct", _UNKNOWN, _NOWHERE) for t in types if t.name in gone]
    kept = []
    for function in module.functions:
        if reason := _UNKNOWN if id(function) in unknown else _lost(function, gone):
            skipped.append(Skipped(describe(function), "function", reason, function.location or _NOWHERE))
        else:
            kept.append(function)
    return replace(
        module,
        functions=tuple(kept),
        records=tuple(r for r in module.records if r.name not in gone),
        enums=tuple(e for e in module.enums if e.name not in gone),
        variables=tuple(v for v in module.variables if not _needs(v.type, gone)),
        aliases=tuple(a for a in module.aliases if not _needs(a.type, gone)),
        instances=tuple(i for i in module.instances if i.target not in gone),
        skipped=(*module.skipped, *skipped),
    )


def _needs(type_: Type, gone: set[str]) -> bool:
    return any(getattr(part, "name", "") in gone for part in walk(type_))


def _lost(function: Signature, gone: set[str]) -> str:
    """Why a function cannot be called without some types; empty where it can."""
    if function.owner in gone:
        return f"its class {function.owner} is not bound: {_UNKNOWN}"
    types = (*(p.type for p in function.parameters), function.result)
    return f"it needs a type that is not bound: {_UNKNOWN}" if any(_needs(t, gone) for t in types) else ""
