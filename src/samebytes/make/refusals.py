"""A module without what C++ refuses though clang read it: a declaration goes, and what needs it, with the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import partial
from typing import Any

from ..emit.shims import Owner
from ..layouts import walk
from ..model.module import Module, Skipped, unbound_beside
from ..model.names import describe
from ..model.signature import Location, Signature
from ..model.symbols import ITERATION
from ..read.curating.undefined import makes_object
from ..types import Enum, Function, Handle, Struct, Type

_NOWHERE = Location("", 0)
_REFUSED = "C++ refuses it: {}"
_REFUSED_HERE = "C++ refuses it for these arguments: {}"
_UNENDED = "C++ refuses to destroy objects of {}: {}"
_UNKNOWN = "the compiler does not know it: only clang, which read the header, sees it"


def without_refused(module: Module, refused: Mapping[Owner, str]) -> Module:
    """The module without every declaration whose shim or assertion the compiler refused.

    C++ compiles the body of a template's member only where it is called, an implicit copy or an end only where it is
    needed, so many classes have what no program has ever used.

    Parameters
    ----------
    refused : mapping of Owner to str
        The compiler's first error about each.
    """
    by_kind: dict[str, dict[Any, str]] = {}
    for owner, words in refused.items():
        by_kind.setdefault(owner.kind, {})[owner.key] = words
    named: dict[str, Callable[[Any], str]] = {
        "record": lambda n: module.records[n].name,
        "enum": lambda n: module.enums[n].name,
    }
    types = {name(n): _REFUSED.format(w) for k, name in named.items() for n, w in by_kind.get(k, {}).items()}
    declared = {
        id(listed[n]): _why(listed[n], words)
        for kind, listed in (("function", module.functions), ("variable", module.variables))
        for n, words in by_kind.get(kind, {}).items()
    }
    endless = {module.records[n].name: words for n, words in by_kind.get("ending", {}).items()}
    for function in module.functions if endless else ():
        if name := makes_object(function, endless):
            declared.setdefault(id(function), _UNENDED.format(name, endless[name]))
    spelled = {spelling: _REFUSED.format(words) for spelling, words in by_kind.get("type", {}).items()}
    less = _without(module, types, declared, spelled)
    if endless:
        less = replace(less, records=tuple(_unended(r) if r.name in endless else r for r in less.records))
    return _barred(less, spelled) if spelled else less


def _why(declared: Any, words: str) -> str:
    """Why a function or a variable is not bound; the members of a template are other classes' members, too."""
    template = isinstance(declared, Signature) and "<" in declared.owner
    return (_REFUSED_HERE if template else _REFUSED).format(words)


def _unended(record: Struct) -> Struct:
    return replace(record, destructible=False) if isinstance(record, Handle) else record


def _barred(module: Module, spelled: Mapping[str, str]) -> Module:
    """The module in which nobody calls through pointers to some functions."""
    return _changed(module, partial(_uncallable, spelled), {})  # type: ignore[no-any-return]


def _uncallable(spelled: Mapping[str, str], part: Any) -> Any:
    if isinstance(part, Function) and part.spelling in spelled and not part.barred:
        return replace(part, barred=spelled[part.spelling])
    return part


def _changed(value: Any, change: Callable[[Any], Any], known: dict[int, tuple[Any, Any]]) -> Any:
    """Data in which each part is what ``change`` makes of it; what holds no such part stays the same object."""
    if id(value) in known:
        return known[id(value)][1]
    new = value
    if isinstance(value, tuple):
        parts = tuple(_changed(v, change, known) for v in value)
        if any(a is not b for a, b in zip(parts, value, strict=True)):
            new = parts
    elif is_dataclass(value) and not isinstance(value, type):
        found = {f.name: getattr(value, f.name) for f in fields(value) if f.init}
        others = {name: _changed(v, change, known) for name, v in found.items()}
        if differing := {name: v for name, v in others.items() if v is not found[name]}:
            new = replace(value, **differing)
    new = change(new)
    known[id(value)] = (value, new)  # the key is the object's address: it has to stay
    return new


def without_unknown(module: Module, refused: Callable[[Sequence[str]], set[int]]) -> Module | None:
    """The module without what the compiler has no declaration of, and what needs it; None if it knows everything.

    Parameters
    ----------
    refused : callable
        The places of those of some declarations that the compiler refuses.
    """
    # Our own classes are declared by what the shims include, and the compiler is asked without it.
    records = [r for r in module.records if not r.name.startswith(ITERATION)]
    types: list[Struct | Enum] = [*records, *module.enums]
    free = [f for f in module.functions if f.kind == "function" and not f.expression and not f.instance]
    texts = [f"using samebytes_known = {_known_by(t)};" for t in types]
    texts += [f"using ::{f.qualified};" for f in free]
    texts += [f"using samebytes_known = decltype(::{v.qualified});" for v in module.variables]
    places = refused(texts)
    if not places:
        return None
    gone = {t.name: _UNKNOWN for n, t in enumerate(types) if n in places}
    others = (*free, *module.variables)
    return _without(module, gone, {id(o): _UNKNOWN for n, o in enumerate(others, len(types)) if n in places})


def _known_by(type_: Struct | Enum) -> str:
    """What the compiler knows of a type, before any shim: of an iteration, what is iterated."""
    spelling = type_.spelling or type_.name
    return spelling.removeprefix(ITERATION)[:-1] if spelling.startswith(ITERATION) else spelling


def _without(
    module: Module, types: Mapping[str, str], declared: Mapping[int, str], spelled: Mapping[str, str] = {}
) -> Module:
    """The module without types, by name, functions and variables, by identity, and all that needs those types.

    Each mapping gives the reasons; ``spelled`` are types that are not bound, but for pointers to functions.
    """
    gone = {**spelled, **types}
    while holders := {
        r.name: why for r in module.records if r.name not in gone and (why := _lost_part(r, gone))
    }:
        gone |= holders
    skipped = [
        Skipped(t.name, kind, types.get(t.name) or _lacking(gone[t.name]), _place(module, t.name))
        for kind, listed in (("struct", module.records), ("enum", module.enums))
        for t in listed
        if t.name in gone
    ]

    lost: list[tuple[Signature, str]] = []

    def left(listed: Sequence[Any], kind: str, needed: Callable[[Any], str]) -> Iterator[Any]:
        for one in listed:
            if why := declared.get(id(one)) or needed(one):
                name = describe(one) if isinstance(one, Signature) else one.qualified
                skipped.append(Skipped(name, kind, why, one.location or _NOWHERE))
                if isinstance(one, Signature):
                    lost.append((one, why))
            else:
                yield one

    def of_type(one: Any) -> str:
        why = _needs(one.type, gone)
        return _lacking(why) if why else ""

    functions = tuple(left(module.functions, "function", lambda f: _lost(f, gone)))
    return replace(
        module,
        functions=functions,
        unbound=(*module.unbound, *unbound_beside(functions, lost)),
        records=tuple(r for r in module.records if r.name not in gone),
        enums=tuple(e for e in module.enums if e.name not in gone),
        variables=tuple(left(module.variables, "variable", of_type)),
        aliases=tuple(left(module.aliases, "typedef", of_type)),
        instances=tuple(i for i in module.instances if i.target not in gone),
        skipped=(*module.skipped, *skipped),
    )


def _lacking(reason: str) -> str:
    return f"it needs a type that is not bound: {reason}"


def _place(module: Module, name: str) -> Location:
    """Where a class is, as far as its members tell; else the header."""
    members = (f.location for f in module.functions if f.owner == name and f.location)
    return next(members, Location(next(iter(module.included), ""), 0))


def _needs(type_: Type, gone: Mapping[str, str]) -> str:
    """The reason why a part of a type is not bound; empty where all are."""
    for part in walk(type_):
        names = (
            getattr(part, "name", ""),
            "" if isinstance(part, Function) else getattr(part, "spelling", ""),
        )
        for name in names:
            if name in gone:
                return gone[name]
    return ""


def _lost_part(record: Struct, gone: Mapping[str, str]) -> str:
    bases = (gone[b.name] for b in record.bases if b.name in gone)
    return next(bases, "") or next(filter(None, (_needs(f.type, gone) for f in record.fields)), "")


def _lost(function: Signature, gone: Mapping[str, str]) -> str:
    """Why a function cannot be called without some types; empty where it can."""
    if function.owner in gone:
        return f"its class {function.owner} is not bound: {gone[function.owner]}"
    types = (*(p.type for p in function.parameters), function.result)
    why = next(filter(None, (_needs(t, gone) for t in types)), "")
    return _lacking(why) if why else ""
