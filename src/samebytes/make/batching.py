"""Builds some groups of a header's shims: in rounds, until what is left of them compiles and links."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..emit.shims import GENERATORS, Piece, joined
from ..errors import CompileError
from ..model.module import Module, Skipped
from ..model.names import describe
from ..model.owner import Owner
from ..model.signature import Location
from ..model.symbols import derived_classes, dynamic_symbol
from ..read.curating.undefined import without
from ..toolchain.cache import Inputs
from ..toolchain.driver import UndefinedSymbols
from ..toolchain.objects import Needs
from ..toolchain.sharing import is_unit
from ..types import Handle
from .compiling import LARGE, LARGE_OPTIMISED, SEPARATE, compile_texts
from .files import BATCH, LIBRARY, MODEL
from .grouping import Groups
from .isolation import Isolation
from .joining import link_lazily, users_of
from .model_data import encode
from .request import Request
from .units import OPTIMISED, prologue
from .verdicts import verdicts


class _Unit(Exception):
    """Code reaches what each file would have for itself."""


class Building:
    """One build of some groups: in rounds, as long as something of them is refused or missing."""

    def __init__(self, request: Request, home: str, groups: Groups, work: Path, whole: bool) -> None:
        self._request = replace(request, beside=request.beside or os.path.join(home, LIBRARY))
        self._groups, self._module, self._work, self._whole = groups, groups.module, work, whole
        self._main = Path(request.main or "")
        self._isolation = Isolation(self._request, self._main, work)
        self._failed: dict[Owner, str] = {}
        self._skipped: list[Skipped] = []
        self._gone: set[Owner] = set()  # records, what ends them, and types that the compiler refuses
        self._typeless: set[str] = set()
        self._stuck = 0  # rounds in which nothing was learned

    def make(self, names: Sequence[str]) -> Inputs:
        owners = {*self._groups.members(names)}
        try:
            part, needed, used = self._built(owners)
        except _Unit:
            return self._store(self._groups.part(()), set(), [], unit=True)
        part = replace(part, verdicts=verdicts(part, self._work / LIBRARY))
        return self._store(part, needed, used, unit=False)

    def _store(self, part: Module, needed: set[Owner], used: list[str], *, unit: bool) -> Inputs:
        said = {
            "unit": unit,
            "numbers": part.numbers,
            "owners": sorted(needed, key=repr),
            "failed": sorted(self._failed.items(), key=repr),
        }
        (self._work / BATCH).write_text(json.dumps(said))
        told = Module(part.language, skipped=tuple(self._skipped), verdicts=part.verdicts)
        (self._work / MODEL).write_bytes(encode(told))
        return Inputs((*self._module.included, str(self._main), *self._request.archives(), *used))

    def _built(self, owners: set[Owner]) -> tuple[Module, set[Owner], list[str]]:
        """The library of what is left of some functions and variables."""
        many = self._whole and len(owners) > LARGE
        optimised = LARGE_OPTIMISED[self._module.language] if many else OPTIMISED
        while True:
            owners -= self._failed.keys()
            part = self._groups.part(owners)
            needed = {*self._groups.needed(owners, part)} - self._gone - self._failed.keys()
            text = prologue(self._request, self._main, self._module)
            pieces = GENERATORS[self._module.language].pieces(self._module, text, needed, part)
            shims = joined([p for p in pieces if not self._is_typeless(p)])
            try:
                made = compile_texts(
                    self._request, [shims.text], part, self._work, optimised,
                    () if self._whole else SEPARATE, self._examine,
                )  # fmt: skip
            except CompileError as error:
                self._take_out(self._isolation.less(self._module, error, shims), owners, error)
                continue
            if made.hidden and self._lacks(made.told(self._module), owners):
                continue
            try:
                link_lazily(self._request, part, made.objects, self._work / LIBRARY, frozenset())
            except UndefinedSymbols as error:
                numbered = replace(self._module, numbers=tuple(range(len(self._module.functions))))
                rest = without(numbered, error.symbols, users_of(Needs(made.objects), error.symbols))
                if rest is None:
                    raise
                self._take_out(rest, owners, error)
                continue
            return part, needed, made.used

    def _examine(self, objects: Sequence[Path]) -> None:
        if not self._whole and any(map(is_unit, objects)):
            raise _Unit

    def _is_typeless(self, piece: Piece) -> bool:
        """Whether it tells of objects what nobody can tell: their class has no name that a library knows."""
        if piece.owner is None or piece.owner.kind != "record" or not self._typeless:
            return False
        number = int(piece.owner.key)
        record = self._module.records[number]
        kin = {record.name, *(d.name for d in derived_classes(self._module).get(record.name, ()))}
        return f" {dynamic_symbol(number)}(" in piece.text and not kin.isdisjoint(self._typeless)

    def _take_out(self, less: Module, owners: Collection[Owner], error: CompileError) -> None:
        """Go on without what a compiler or linker refused.

        What the compiler does not know at all is asked once, of the whole header: that may be none of these groups.
        """
        self._stuck = 0 if self._lacks(less, owners) else self._stuck + 1
        if self._stuck > 1:
            raise error

    def _lacks(self, less: Module, owners: Collection[Owner]) -> bool:
        """Whether a module lacks something of some groups that has not been known; it is known from now on."""
        module, before = self._module, len(self._failed) + len(self._gone) + len(self._typeless)
        new = less.skipped[len(module.skipped) :]
        why: dict[tuple[str, Location | None], str] = {(s.name, s.location): s.reason for s in new}
        left = {_identity(f) for f in less.functions}
        for number, function in enumerate(module.functions):
            if _identity(function) not in left:
                reason = why.get((describe(function), function.location), "C++ refuses it")
                self._fail(Owner("function", number), reason, owners)
        known = {v.qualified for v in less.variables}
        for number, variable in enumerate(module.variables):
            if variable.qualified not in known:
                reason = why.get((variable.qualified, variable.location), "C++ refuses it")
                self._fail(Owner("variable", number), reason, owners)
        records, enums = {r.name: r for r in less.records}, {e.name for e in less.enums}
        for number, record in enumerate(module.records):
            now = records.get(record.name)
            if now is None:
                self._gone |= {Owner("record", number), Owner("ending", number)}
            elif isinstance(record, Handle) and isinstance(now, Handle):
                if record.destructible and not now.destructible:
                    self._gone.add(Owner("ending", number))
                if record.polymorphic and not now.polymorphic:
                    self._typeless.add(record.name)
        self._gone |= {Owner("enum", n) for n, e in enumerate(module.enums) if e.name not in enums}
        callable_ = {f.spelling for f in less.function_types}
        for type_ in module.function_types:
            if type_.spelling not in callable_:
                self._failed.setdefault(Owner("type", type_.spelling), "C++ refuses calls through it")
        shown = {describe(module.functions[o.key]) for o in owners if o.kind == "function"}  # type: ignore[index]
        shown |= {module.variables[o.key].qualified for o in owners if o.kind == "variable"}  # type: ignore[index]
        self._skipped += [
            s for s in new if s not in self._skipped and (s.name in shown or s.kind in ("struct", "enum"))
        ]
        return len(self._failed) + len(self._gone) + len(self._typeless) > before

    def _fail(self, owner: Owner, reason: str, owners: Collection[Owner]) -> None:
        if owner in owners:
            self._failed.setdefault(owner, reason)


def _identity(function: Any) -> tuple[Any, ...]:
    types = tuple(p.spelling for p in function.parameters)
    return function.key, function.kind, types, function.qualifiers, function.location
