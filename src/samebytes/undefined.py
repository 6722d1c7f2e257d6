"""What a header declares and no library defines: taken out of the module, with the reason."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from .applying import describe
from .headers.model import Module, Skipped, Variable
from .signature import Location, Signature
from .types import Handle, Struct, Type, unqualified

_UNDEFINED = "it is declared, but no source or library given defines it (sources=, libraries=)"
_UNDESTROYED = (
    "the destructor of {} is declared, but no source or library given defines it (sources=, libraries=)"
)


_USES = "it is compiled here, and uses {}, which no source or library given defines (sources=, libraries=)"
_SHIM = re.compile(r"samebytes_[a-z]+(\d+)_")


def symbol_of(declared: Signature | Variable) -> str:
    """The linker's name of a function or a variable."""
    return declared.symbol or declared.qualified


def without(module: Module, named: frozenset[str], uses: Mapping[str, str] | None = None) -> Module | None:
    """The module without what the linker did not find; None if that explains nothing.

    Parameters
    ----------
    named : frozenset of str
        Symbols, or (zig's linker) C++ names.
    uses : mapping of str to str
        By function whose code needs one of them: the first it needs.
    """
    spelled = {name.partition("(")[0] for name in named}

    def is_missing(declared: Signature | Variable) -> bool:
        return symbol_of(declared) in named or declared.qualified in spelled

    objects = {r.name for r in module.records if _is_undestroyed(r, named)}
    gone = {
        n: _UNDEFINED if is_missing(f) else _UNDESTROYED.format(_held(f, objects))
        for n, f in enumerate(module.functions)
        if is_missing(f) or _held(f, objects)
    }
    lost = [v for v in module.variables if is_missing(v)]
    if not gone and not lost and not objects:
        gone = {n: _USES.format(symbol) for n, symbol in _users(module, uses or {}).items()}
        if not gone:
            return None
    skipped = [_skipped(module.functions[n], reason) for n, reason in gone.items()]
    skipped += [Skipped(v.qualified, "variable", _UNDEFINED, v.location or Location("", 0)) for v in lost]
    kept = [n for n in range(len(module.functions)) if n not in gone]
    return replace(
        module,
        functions=tuple(module.functions[n] for n in kept),
        numbers=tuple(module.numbers[n] for n in kept) if module.numbers else (),
        records=tuple(_kept(r) if r.name in objects else r for r in module.records),
        variables=tuple(v for v in module.variables if not is_missing(v)),
        skipped=(*module.skipped, *skipped),
    )


def _users(module: Module, uses: Mapping[str, str]) -> dict[int, str]:
    """The functions whose own code, or whose shims, need what is not there."""
    places = {number: n for n, number in enumerate(module.numbers or range(len(module.functions)))}
    found = {n: uses[symbol_of(f)] for n, f in enumerate(module.functions) if symbol_of(f) in uses}
    for user, symbol in uses.items():
        shim = _SHIM.match(user)
        if shim and int(shim[1]) in places:
            found.setdefault(places[int(shim[1])], symbol)
    return found


def _skipped(signature: Signature, reason: str) -> Skipped:
    return Skipped(describe(signature), "function", reason, signature.location or Location("", 0))


def _held(signature: Signature, objects: set[str]) -> str:
    """The class among ``objects`` of which a call makes an object; empty if there is none."""
    made = [] if signature.result_passing == "lvalue_ref" else [signature.result]
    held: list[Type] = [*made, *(p.type for p in signature.parameters if p.passing == "value")]
    return next((t.name for t in map(unqualified, held) if isinstance(t, Handle) and t.name in objects), "")


def _kept(record: Struct) -> Struct:
    """The class as one whose objects only C++ destroys."""
    assert isinstance(record, Handle)
    return replace(record, destructible=False)


def _is_undestroyed(record: Struct, named: frozenset[str]) -> bool:
    """Whether a destructor or virtual functions are named (Itanium C++ ABI, 5.1)."""
    if not isinstance(record, Handle) or not record.destructible:
        return False
    parts = record.name.split("::")
    short = "".join(f"{len(p)}{p}" for p in parts)
    nested = short if len(parts) == 1 else f"N{short}E"
    mangled = {f"_ZN{short}D{i}Ev" for i in range(3)} | {f"_ZTV{nested}", f"_ZTI{nested}"}
    shown = {f"{record.name}::~{parts[-1]}()", f"vtable for {record.name}", f"typeinfo for {record.name}"}
    return not named.isdisjoint(mangled | shown)
