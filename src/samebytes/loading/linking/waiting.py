"""The classes of a library's records: those of values are made when somebody names one, or a type needs it."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from threading import get_ident, local
from typing import Any

from ...call.c_api.api import making
from ...later import at_first_use
from ...layouts import walk_all
from ...model.module import Module
from ...model.signature import Signature
from ...model.symbols import HASH, TEXT
from ...types import CArray, Const, Named, Pointer, Scalar, Struct, unqualified
from ...types.naming import python_names

plain: Any = at_first_use("samebytes.model.plain")  # most libraries have no records


class Classes(Mapping[str, Any]):
    """Classes by the qualified C++ names of their records, in the order of these; who asks for one has it made.

    A class is made, and then completed, which may ask for others, and for the class itself: these are made meanwhile,
    and completed after it. Other threads wait until all are whole.

    Parameters
    ----------
    make : callable
        Makes the class of a record whose fields need no class that waits.
    complete : callable
        Gives a class that is made what else it has.
    """

    def __init__(self, make: Callable[[Struct], Any], complete: Callable[[Any], None]) -> None:
        self._make = make
        self._complete = complete
        self._known: dict[str, Any] = {}  # None: it waits
        self._waiting: dict[str, tuple[int, Struct]] = {}
        # What is made just now, and by which thread: in a fork's child none goes on.
        self._begun: dict[str, int] = {}
        self._partly: dict[str, Any] = {}  # what is made, and neither whole nor shown to other threads
        self._open: dict[str, None] = {}  # those of them that are not completed
        # Whether this thread completes them; by its number another would in a fork's child.
        self._thread = local()

    def wait(self, struct: Struct) -> None:
        """Have the class of a record made when it is asked for."""
        self._waiting[struct.name] = len(self._known), struct
        self._known[struct.name] = None

    def add(self, name: str, cls: Any) -> None:
        """Add a class that is made."""
        self._known[name] = cls

    def told(self, words: Container[str]) -> list[str]:
        """Those that wait, and of which something is to be said by now."""
        return [name for name in self._waiting if _is_among(name, words)]

    @property
    def made(self) -> dict[str, Any]:
        """The classes that are there so far."""
        return {name: cls for name, cls in tuple(self._known.items()) if cls is not None}

    def waits(self, name: str) -> bool:
        """Whether a record has no class yet, and gets one when somebody asks for it."""
        return name in self._waiting

    def ready(self, name: str) -> None:
        """Have the class of a name made, unless this very thread makes it just now."""
        if name in self._waiting:
            with making:
                if name in self._waiting and self._begun.get(name) != get_ident():
                    self._make_ready(name)

    def make_all(self) -> None:
        """Have the classes of all names made."""
        for name in tuple(self._waiting):
            self.ready(name)

    def _make_ready(self, name: str) -> None:
        if getattr(self._thread, "completes", False):
            self._make_with_needed(name)
            return
        self._thread.completes = True
        try:
            self._make_with_needed(name)
            while self._open:
                one = next(iter(self._open))
                self._complete(self._partly[one])
                del self._open[one]
            self._show()
        finally:
            self._thread.completes = False

    def _make_with_needed(self, name: str) -> None:
        """Make a class, and before it those that its fields need: one after the other, as chains may be long."""
        for struct in self._needed(name):
            if struct.name in self._partly:
                continue  # completing it failed, or goes on
            self._begun[struct.name] = get_ident()
            try:
                self._partly[struct.name] = self._make(struct)
                self._open[struct.name] = None
            finally:
                self._begun.pop(struct.name, None)

    def _show(self) -> None:
        """Have other threads see what is whole."""
        self._known.update(self._partly)
        for name in self._partly:
            del self._waiting[name]
        self._partly.clear()

    def _needed(self, name: str) -> list[Struct]:
        found: dict[str, tuple[int, Struct]] = {}
        names = [name]
        while names:
            name = names.pop()
            if name in self._waiting and name not in found:
                found[name] = self._waiting[name]
                names += mentioned(found[name][1])
        return [struct for _, struct in sorted(found.values(), key=lambda item: item[0])]

    def get(self, name: str, default: Any = None) -> Any:
        """The class of a name."""
        return self[name] if name in self._known else default

    def __getitem__(self, name: str) -> Any:
        found = self._known[name]
        if found is None:
            self.ready(name)
            found = self._known[name]
        return self._partly.get(name) if found is None else found  # of the thread that completes it

    def __contains__(self, name: object) -> bool:
        return name in self._known

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._known))  # making one, another thread may extend the library

    def __len__(self) -> int:
        return len(self._known)


def mentioned(struct: Struct) -> Iterator[str]:
    """The records that the fields of a record hold or point to."""
    for field in struct.fields:
        for type_ in (field.type, field.taken):
            while isinstance(type_, CArray | Const | Pointer):
                (type_,) = type_.parts
            if isinstance(type_, Struct | Named):
                yield type_.name


def _is_among(name: str, words: Container[str]) -> bool:
    return name in words or name.rpartition("::")[2] in words


def plain_records(module: Module) -> set[str]:
    """The names of the records whose classes are made when they are named, whatever else the header declares.

    They are values without bases, whose members are fields, constructors, functions and operators. Nothing derives
    from them or lies in them, no function outside is an operator of theirs, and nothing else is to be said of them.
    What stands before a record may be of its fields, as all that a class needs is made before it.
    """
    own: dict[str, list[Signature]] = {}
    for function in module.functions:
        if function.owner:
            own.setdefault(function.owner, []).append(function)
    told = _told(module, {owner for owner, functions in own.items() if not all(map(_is_own, functions))})
    told.update(_operands(module))
    renamed = tuple(f"{name}::" for name, _ in module.renamed)
    every = {struct.name for struct in module.records}
    later = set(every)
    found: set[str] = set()
    for struct in module.records:
        later.discard(struct.name)
        name = struct.name
        inside = name.rpartition("::")[0] in every  # a class has what lies in it
        if (
            plain.is_alone(struct)
            and not inside
            and not name.startswith(renamed)
            and not _is_among(name, told)
            and later.isdisjoint(mentioned(struct))
            and _keeps_names(struct, own.get(name, ()))
        ):
            found.add(name)
    return found


def _is_own(function: Signature) -> bool:
    """Whether a member is a matter of its class alone: of what it gives, or takes, others may have to know."""
    if function.instance or function.kind not in ("constructor", "method", "static"):
        return False
    name = function.name
    if name.startswith("operator "):
        return isinstance(unqualified(function.result), Scalar)
    return name in (HASH, TEXT) or not name.startswith(("operator.", "operator[]"))


def _keeps_names(struct: Struct, functions: Sequence[Signature]) -> bool:
    """Whether Python finds the members of a record by their names, or these with a ``_`` where they are Python's."""
    names = python_names(dict.fromkeys(f.name for f in functions if f.kind != "constructor"))
    fields = {*python_names(f.name for f in struct.members).values()}
    return all(python in (name, f"{name}_") and python not in fields for name, python in names.items())


def _operands(module: Module) -> Iterator[str]:
    """The records that operators outside of classes take: these get them."""
    for function in module.functions:
        if function.name.startswith("operator") and function.kind != "method":
            types = walk_all(p.type for p in function.parameters)
            yield from (type_.name for type_ in types if isinstance(type_, Struct | Named))


def told_of(module: Module) -> set[str]:
    """The words of what keeps records from waiting: owners, scopes, bases, and what is said not to be bound."""
    return _told(module, {function.owner for function in module.functions})


def _told(module: Module, owners: set[str]) -> set[str]:
    own = {function.owner for function in module.functions}
    kinds: tuple[Iterable[Any], ...] = (
        module.constants, module.variables, module.aliases, module.templates, module.later,
    )  # fmt: skip
    named = {name.rpartition("::")[0] for name in _qualified(module, kinds)}
    scopes = {function.qualified.rpartition("::")[0] for function in module.functions}
    told = owners | named | (scopes - own)
    told.update(template.owner for template in module.templates)
    told.update(base.name for record in module.records for base in record.bases)
    told.update(unread.name for unread in module.unread)
    told.update(instance.target for instance in module.instances)
    told.update(word for name, _ in module.renamed for word in (name, name.rpartition("::")[0]))
    told.update(word for skipped in module.skipped for word in re.findall(r"\w+", skipped.name))
    return told


def _qualified(module: Module, kinds: Iterable[Iterable[Any]]) -> Iterator[str]:
    """Every name of some kinds, of types, and of what has a second one."""
    for kind in kinds:
        yield from (declared.qualified for declared in kind)
    yield from (record.name for record in module.records)
    yield from (enum.name for enum in module.enums)
    yield from (name for pair in module.repeated for name in pair)
