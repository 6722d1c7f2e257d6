"""Whether what was read without the header's other declarations is what it would be with them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from ...layouts import walk_all
from ...model.curation import CONSTANTS
from ...model.module import Module
from ...model.plain import stands_alone
from ...model.signature import Signature
from ...types import Callback, Function, Object, Stream, Struct, Type
from .listing import Listing

# What Python has to know of other declarations for: classes that it shows, and streams, whose code has a state.
_TIED = (Object, Stream)
# Of an instantiation also what the header's typedefs name, which are read along with names alone.
_TIED_INSTANCE = (*_TIED, Callback, Function)


def tied(
    module: Module, names: Collection[str], known: Listing, unsure: Collection[str] = (), *, provisional: bool
) -> set[str]:
    """Those of some names that were read whose meaning may be a matter of what the header declares beside them.

    Parameters
    ----------
    module : Module
        What was read.
    names : collection of str
        What was asked for; empty of an instantiation, to which all belongs.
    known : Listing
        What the header declares.
    unsure : collection of str
        Records of which others say whether they are bound.
    provisional : bool
        Whether questions are left: then only classes tell.

    Returns
    -------
    set of str
        All of them, where it does not show whose it is; of an instantiation ``""``.
    """
    every = set(names) or {""}
    if CONSTANTS in every:
        return set() if provisional or module.constants else every
    records = {record.name for record in module.records}
    shared = {r.name for r in module.records if not names or not _stands(r, known)}.union(unsure)
    shared |= {f.owner for f in module.functions if f.owner and not f.implicit}
    missed = [s.name.partition("(")[0] for s in module.skipped]
    shared |= records.intersection(name.rpartition("::")[0] for name in missed)

    def binds(types: Iterable[Type]) -> bool:
        """Whether some types are a matter of other declarations."""
        for t in walk_all(types):
            if isinstance(t, _TIED if names else _TIED_INSTANCE) or getattr(t, "name", None) in shared:
                return True
            if isinstance(t, Struct) and t.name not in records:
                return True
        return False

    left = [r for r in module.records if r.name not in shared]
    while more := {r.name for r in left if binds(f.type for f in r.fields)}:
        shared |= more
        left = [r for r in left if r.name not in more]
    found = shared & every
    called = [*module.functions, *(u.signature for u in module.unbound)]
    found |= _whose(every, (f.qualified for f in called if not f.owner and binds(_types(f))))
    aliases = [
        a for a in module.aliases if every.intersection(_outward(a.qualified))
    ]  # others name a pointer
    found |= _whose(every, (a.qualified for a in aliases if binds([a.type])))
    if shared and not found:  # what cannot be had, or not yet, has brought them
        found = every.intersection(missed) or every
    if provisional:
        return found
    found |= _whose(
        every,
        (
            t.qualified
            for t in module.templates
            if t.kind != "function" or t.owner or not t.name.isidentifier()
        ),
    )
    found |= _whose(every, (i.target for i in module.instances if i.kind != "function"))
    found |= _whose(every, (name for name in missed if name.rpartition("::")[0] not in shared))
    if any((module.variables, module.unread, module.later, module.opaque, module.prelude, module.constants)):
        return every
    return found | every.difference(*(_outward(name) for name in _bound(module)))


def _stands(record: Struct, known: Listing) -> bool:
    """Whether a record is what it is without the header's other declarations."""
    of_c = known.language == "c"
    listed = record.name in known.names or record.name in known.marked
    # In C what other headers declare, and what has no name, is nothing but itself.
    return (listed or (of_c and record.name not in known.every)) and stands_alone(record, of_c=of_c)


def _types(function: Signature) -> tuple[Type, ...]:
    return (function.result, *(p.type for p in function.parameters))


def _whose(names: set[str], declared: Iterable[str]) -> set[str]:
    """To which of some names declarations belong: their own, or one around them; all of them for what has none."""
    found: set[str] = set()
    for name in declared:
        own = names.intersection(_outward(name))
        if not own:
            return set(names)
        found |= own
    return found


def _outward(qualified: str) -> Iterator[str]:
    """A name and those of what is around it, and the empty one."""
    while qualified:
        yield qualified
        qualified = qualified.rpartition("::")[0]
    yield ""


def _bound(module: Module) -> Iterator[str]:
    """What can be asked for of what was read."""
    yield from (f.qualified for f in module.functions if not f.owner)
    yield from (r.name for r in module.records)
    yield from (e.name for e in module.enums)
    yield from (a.qualified for a in module.aliases)
    yield from (t.qualified for t in module.templates)
    yield from (i.target for i in module.instances)


def only_constants(module: Module) -> Module:
    """Of what may be constants those that are: numbers and texts of no enumeration with a name."""
    constants = tuple(c for c in module.constants if not c.enum and c.type is None)
    return Module(module.language, constants=constants, included=module.included)
