"""The code of a library whose shims are built when they are first needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any

from ..call.later import Built, Later
from ..errors import BindError, Error
from ..forks import Lock
from ..make.batches import Batch, batch
from ..make.files import USED
from ..make.grouping import Groups
from ..make.request import Request
from ..model.intents import suggest
from ..model.module import Module
from ..model.names import describe
from ..model.owner import Owner
from ..model.symbols import ADDRESSES
from ..model.verdicts import Verdict
from ..toolchain.cache import Entry, steady_path
from .backends import Loaded, backend_for
from .library import Library, leave_out
from .mentioned import mentioned

# What programs have used is loaded as it was built; of more batches than so many one is built.
_MOST = 8
# So many groups that a program mentions are built together with the one that it needs.
_TOGETHER = 8
# One thread builds at a time, and may need what that needs: a class's constructor for a default argument.
_BUILDING = Lock()


class Batches(Loaded):
    """Libraries that are built and loaded as their shims are needed.

    Parameters
    ----------
    request : Request
    home : str
        Where the build stands that read the header.
    module : Module
    """

    def __init__(self, request: Request, home: str, module: Module) -> None:
        self._request, self._home, self._groups = request, home, Groups(module)
        self._module = module
        self._libraries: list[Loaded] = []
        self._have: set[Owner] = set()
        self._built: set[str] = set()
        self._batches: list[list[str]] = []  # the groups of each that is loaded
        self._unit: tuple[str, ...] = ()
        self._noted: Any = None  # what the cache has of programs' uses, as far as this one knows
        self._others: dict[str, list[list[str]]] = {"batches": [], "unit": []}
        self._failed: dict[Owner, str] = {}
        self._own: dict[int, int] = {}
        self._verdicts: dict[str, Verdict] = {}
        self._filled: list[tuple[str, int, int, int]] = []
        self._waiting: list[tuple[frozenset[Owner], Callable[[], None]]] = []
        self._library: Library | None = None

    # --- what there is by now

    def begin(self, library: Library) -> None:
        """Load what programs have used; what fails from now on joins what the library says it has not."""
        object.__setattr__(library, "__build__", self._build_named)
        self._library = library
        noted = self._noted = Entry(self._home).noted(USED)
        if not isinstance(noted, dict):
            return
        sets = [names for each in _lists(noted.get("batches")) if (names := self._known(each))]
        if len(sets) > _MOST:
            sets = [sorted({name for names in sets for name in names})]
        # What cannot be had any more, who calls it is told.
        with _BUILDING, suppress(Error):
            for names in sets:
                self._add(names)
            if unit := self._known(noted.get("unit")):
                self._add_unit(unit)

    def _known(self, names: Any) -> list[str]:
        return list(filter(self._groups.has, names)) if isinstance(names, list) else []

    def verdict(self, symbol: str) -> Verdict | None:
        return self._verdicts.get(symbol, self._verdicts.get(""))

    def has(self, symbol: str) -> bool:
        return any(library.has(symbol) for library in self._libraries)

    def later(self, symbol: str) -> Later | None:
        owner = self._groups.owner(symbol)
        known = partial(self._shim, owner, symbol)
        return None if owner in self._have else Later(known, partial(self._build_shim, owner, symbol))

    def when(self, symbols: Sequence[str], do: Callable[[], None]) -> None:
        owners = frozenset(map(self._groups.owner, symbols))
        if owners <= self._have:
            do()
        else:
            self._waiting.append((owners, do))

    def _shim(self, owner: Owner, symbol: str) -> Built | None:
        if owner not in self._have:
            return None
        function = self._own.get(int(owner.key), 0) if owner.kind == "function" else 0
        return Built(self._find(symbol), function, self.verdict(symbol))

    def _build_shim(self, owner: Owner, symbol: str) -> Built:
        self._need(owner)
        found = self._shim(owner, symbol)
        assert found is not None
        return found

    # --- as of any library

    def address(self, symbol: str) -> int:
        self._need(self._groups.owner(symbol))
        return self._find(symbol)

    def table(self, symbol: str, count: int) -> tuple[int, ...]:
        return tuple(self._own.get(n, 0) for n in range(count))

    def slots(self, symbol: str, count: int) -> Callable[[int, int], None]:
        def fill(index: int, value: int) -> None:
            self._filled.append((symbol, count, index, value))
            for library in self._libraries:
                _fill(library, symbol, count, index, value)

        return fill

    def call(self, symbol: str, arguments: Sequence[bytearray]) -> None:
        self._need(self._groups.owner(symbol))
        self._of(symbol).call(symbol, arguments)

    def _find(self, symbol: str) -> int:
        return self._of(symbol).address(symbol)

    def _of(self, symbol: str) -> Loaded:
        return next((one for one in self._libraries if one.has(symbol)), self._libraries[0])

    # --- building

    def _build_named(self, *names: str) -> None:
        """``lib.build(*names)``: what the names mean, or without any all that is bound.

        Raises
        ------
        BindError
            If a name is unknown, or what it alone means could not be built.
        """
        owners = [owner for name in names for owner in self._owners(name)]
        with _BUILDING:
            asked = map(self._groups.group, owners) if names else self._groups.names
            if left := [name for name in dict.fromkeys(asked) if name not in self._built]:
                self._get(left)
        self._refuse(owners)

    def _owners(self, name: str) -> list[Owner]:
        """The functions, variables and members of a class that a name means, in C++'s or Python's words."""
        if not isinstance(name, str):
            raise BindError(f"build() takes the names of functions, variables and classes, got {name!r}")
        wanted = name.replace(".", "::")

        def is_meant(qualified: str) -> bool:
            return qualified == wanted or qualified.endswith(f"::{wanted}")

        functions = [
            Owner("function", n)
            for n, f in enumerate(self._module.functions)
            if is_meant(f.qualified) or (f.owner and is_meant(f.owner))
        ]
        named = enumerate(self._module.variables)
        found = functions + [Owner("variable", n) for n, v in named if is_meant(v.qualified)]
        if not found and not any(is_meant(r.name) for r in self._module.records):
            known = [f.qualified.replace("::", ".") for f in self._module.functions]
            raise BindError(f"build(): {self._request.name} has no {name!r}.{suggest(name, known)}")
        return found

    def _refuse(self, owners: Iterable[Owner]) -> None:
        """Raise for the first of some functions that could not be built."""
        for owner in owners:
            if owner in self._failed:
                raise BindError(f"{self._said(owner)} is not bound: {self._failed[owner]}")

    def _said(self, owner: Owner) -> str:
        key = owner.key
        if owner.kind == "function":
            return describe(self._module.functions[key])  # type: ignore[index]
        return self._module.variables[key].qualified if owner.kind == "variable" else str(key)  # type: ignore[index]

    def _need(self, owner: Owner) -> None:
        if owner in self._have:
            return
        with _BUILDING:
            if owner not in self._have and owner not in self._failed:
                group = self._groups.group(owner)
                others = (g for g in self._groups.named(mentioned()) if g != group and g not in self._built)
                self._get([group], islice(others, _TOGETHER))
        self._refuse([owner])

    def _get(self, names: list[str], others: Iterable[str] = ()) -> None:
        """Build some groups, with others if these do no harm, and remember that a program used them."""
        more = [*names, *others]
        if not (self._add(more) or (more != names and self._add(names))):
            self._add_unit([name for name in self._groups.names if name not in self._built])
        Entry(self._home).renew(USED, self._used)

    def _used(self, noted: Any) -> dict[str, list[Any]]:
        """What programs have used by now: this one, and others that have written it since this one read it."""
        if isinstance(noted, dict) and noted != self._noted:
            self._others["batches"] += map(self._known, _lists(noted.get("batches")))
            self._others["unit"].append(self._known(noted.get("unit")))
        seen = {*self._built}
        batches = [*map(list, self._batches), *_unseen(self._others["batches"], seen)]
        unit = [*self._unit, *(name for names in _unseen(self._others["unit"], seen) for name in names)]
        used = self._noted = {"batches": batches, "unit": unit}
        return used

    def _add(self, names: list[str]) -> bool:
        """Build and load some groups; False: they have to be one unit with all that is not built."""
        found = batch(self._request, self._home, self._groups, names)
        if not found.file:
            return False
        self._load(found, names)
        self._batches.append(names)
        return True

    def _add_unit(self, names: list[str]) -> None:
        self._load(batch(self._request, self._home, self._groups, names, whole=True), names)
        self._unit = tuple(sorted(names))

    def _load(self, found: Batch, names: Iterable[str]) -> None:
        library = backend_for(self._request.dialect).load(steady_path(found.file))
        for symbol, count, index, value in self._filled:
            _fill(library, symbol, count, index, value)
        if found.numbers:
            self._own.update(zip(found.numbers, library.table(ADDRESSES, len(found.numbers)), strict=True))
        self._libraries.append(library)
        self._verdicts.update((v.symbol, v) for v in found.verdicts)
        self._failed.update(found.failed)
        have = self._have | found.owners
        # What depends on them is done before anybody sees that they are there.
        ready = [do for owners, do in self._waiting if owners <= have]
        self._waiting = [(owners, do) for owners, do in self._waiting if not owners <= have]
        self._have = have
        for do in ready:
            do()
        self._built.update(names)
        if self._library is not None:
            for told in (self._library, self._library.__linker__.home):
                leave_out(told, found.skipped)


def _lists(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _unseen(lists: Iterable[list[str]], seen: set[str]) -> Iterator[list[str]]:
    """What is in each of some lists and in none before, where that is anything."""
    for names in lists:
        if new := [name for name in names if name not in seen]:
            seen.update(new)
            yield new


def _fill(library: Loaded, symbol: str, count: int, index: int, value: int) -> None:
    if library.has(symbol):
        library.slots(symbol, count)(index, value)
