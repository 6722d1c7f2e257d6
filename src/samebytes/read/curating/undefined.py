"""What a header declares and no library defines: taken out of the module, with the reason."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from ...later import later_pattern
from ...model.module import Module, Skipped, Variable, unbound_beside
from ...model.names import describe
from ...model.signature import Location, Signature
from ...toolchain import demangling
from ...types import Handle, Struct, Type, unqualified

_UNDEFINED = "it is declared, but no source or library given defines it (sources=, libraries=)"
# Of a header that may be C's, and does not say so to C++.
_UNDEFINED_AS_CXX = f"{_UNDEFINED}. If it is a function of C, say language='c'"
_UNDESTROYED = (
    "the destructor of {} is declared, but no source or library given defines it (sources=, libraries=)"
)
_DESTROYER_USES = (
    "the destructor of {} uses {}, which no source or library given defines (sources=, libraries=)"
)
_USES = "it is compiled here, and uses {}, which no source or library given defines (sources=, libraries=)"
_SHIM = later_pattern(r"samebytes_[fd](\d+)_")
# What destroys objects of a class, for Python and for compiled code.
_TELLS = later_pattern(r"samebytes_dynamic(\d+)$")
_DESTROYS = later_pattern(r"samebytes_(?:destroy|release|room|unroom)(\d+)$")


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

    uses = uses or {}
    places = {int(found[1]): uses[user] for user in uses if (found := _DESTROYS.match(user))}
    objects = {
        r.name: _DESTROYER_USES.format(r.name, demangling.demangled(places[n]))
        if n in places
        else _UNDESTROYED.format(r.name)
        for n, r in enumerate(module.records)
        if _is_undestroyed(r, named, n in places)
    }
    typeless = {r.name for r in module.records if _is_typeless(r, named)}
    gone = {
        n: _undefined(f) if is_missing(f) else objects[makes_object(f, objects)]
        for n, f in enumerate(module.functions)
        if is_missing(f) or makes_object(f, objects)
    }
    lost = [v for v in module.variables if is_missing(v)]
    if not gone and not lost and not objects and not typeless:
        # Of a template's class no name is known here: then nobody asks what objects of its bases really are.
        tells = {int(found[1]) for user in uses if (found := _TELLS.match(user))}
        typeless = {r.name for n, r in enumerate(module.records) if n in tells and _is_polymorphic(r)}
    if not gone and not lost and not objects and not typeless:
        gone = {n: _USES.format(demangling.demangled(symbol)) for n, symbol in _users(module, uses).items()}
        if not gone:
            return None
    skipped = [_skipped(module.functions[n], reason) for n, reason in gone.items()]
    skipped += [Skipped(v.qualified, "variable", _UNDEFINED, v.location or Location("", 0)) for v in lost]
    kept = [n for n in range(len(module.functions)) if n not in gone]
    functions = tuple(module.functions[n] for n in kept)
    unbound = unbound_beside(functions, ((module.functions[n], reason) for n, reason in gone.items()))
    return replace(
        module,
        functions=functions,
        unbound=(*module.unbound, *unbound),
        numbers=tuple(module.numbers[n] for n in kept) if module.numbers else (),
        records=tuple(_kept(r, objects, typeless) for r in module.records),
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
    kind = "macro" if signature.kind == "macro" else "function"
    return Skipped(describe(signature), kind, reason, signature.location or Location("", 0))


def makes_object(signature: Signature, objects: Collection[str]) -> str:
    """The class among ``objects`` of which a call makes an object; empty if there is none."""
    made = [] if signature.result_passing == "lvalue_ref" else [signature.result]
    held: list[Type] = [*made, *(p.type for p in signature.parameters if p.passing == "value")]
    return next((t.name for t in map(unqualified, held) if isinstance(t, Handle) and t.name in objects), "")


def _kept(record: Struct, objects: Collection[str], typeless: Collection[str]) -> Struct:
    """The class as one whose objects only C++ destroys, or of which nobody can tell whether an object is of it."""
    if isinstance(record, Handle) and record.name in objects:
        record = replace(record, destructible=False)
    if isinstance(record, Handle) and record.name in typeless:
        record = replace(record, polymorphic=False)
    return record


def _undefined(function: Signature) -> str:
    """What is said of a function that nothing defines: C's functions have other symbols than C++'s."""
    header = function.location.file if function.location else ""
    mangled = symbol_of(function).startswith("_Z") and "::" not in function.qualified
    return _UNDEFINED_AS_CXX if mangled and header.endswith(".h") else _UNDEFINED


def _is_undestroyed(record: Struct, named: frozenset[str], needs: bool) -> bool:
    """Whether a destructor or virtual functions are named, or an inline destructor needs what is."""
    if not isinstance(record, Handle) or not record.destructible:
        return False
    mangled, shown = _names(record)
    parts = record.name.split("::")
    short = "".join(f"{len(p)}{p}" for p in parts)
    destructors = {f"_ZN{short}D{i}Ev" for i in range(3)} | {f"{record.name}::~{parts[-1]}()"}
    return needs or not named.isdisjoint(mangled | shown | destructors)


def _is_polymorphic(record: Struct) -> bool:
    return isinstance(record, Handle) and record.polymorphic


def _is_typeless(record: Struct, named: frozenset[str]) -> bool:
    """Whether what tells of an object that it is of a class is named."""
    mangled, shown = _names(record)
    return _is_polymorphic(record) and not named.isdisjoint(mangled | shown)


def _names(record: Struct) -> tuple[set[str], set[str]]:
    """A class's virtual functions and type information, as linkers name them (Itanium C++ ABI, 5.1)."""
    parts = record.name.split("::")
    short = "".join(f"{len(p)}{p}" for p in parts)
    nested = short if len(parts) == 1 else f"N{short}E"
    return (
        {f"_ZTV{nested}", f"_ZTI{nested}"},
        {f"vtable for {record.name}", f"typeinfo for {record.name}"},
    )
