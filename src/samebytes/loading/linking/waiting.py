"""The classes of a library's records: those of plain records are made when somebody names one, or a type needs it."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from threading import get_ident
from typing import Any

from ...call.c_api.api import making
from ...model.module import Module
from ...types import MISSING, CArray, Const, Enum, Named, Pointer, Scalar, Struct, Type

# What the fields of plain records are made of. Others give classes to more than the record, as functions do.
_PLAIN = (Scalar, CArray, Const, Pointer, Named, Enum, Struct)


class Classes(Mapping[str, Any]):
    """Classes by the qualified C++ names of their records, in the order of these; who asks for one has it made.

    Parameters
    ----------
    make : callable
        Makes the class of a record whose fields need no class that waits.
    """

    def __init__(self, make: Callable[[Struct], Any]) -> None:
        self._make = make
        self._known: dict[str, Any] = {}  # None: it waits
        self._waiting: dict[str, tuple[int, Struct]] = {}
        self._begun: dict[
            str, int
        ] = {}  # what is made just now, and by which thread: in a fork's child none goes on

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
                    self._make_with_needed(name)

    def make_all(self) -> None:
        """Have the classes of all names made."""
        for name in tuple(self._waiting):
            self.ready(name)

    def _make_with_needed(self, name: str) -> None:
        """Make a class, and before it those that its fields need: one after the other, as chains may be long."""
        for struct in self._needed(name):
            self._begun[struct.name] = get_ident()
            try:
                self._known[struct.name] = self._make(struct)
                del self._waiting[struct.name]
            finally:
                self._begun.pop(struct.name, None)

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
        return found

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
    """The names of the records whose classes have nothing but fields, whatever else the header declares.

    They have no bases and no members, nothing derives from them or lies in them, and nothing is to be said of them.
    What stands before a record may be of its fields, as all that a class needs is made before it.
    """
    told = told_of(module)
    every = {struct.name for struct in module.records}
    later = set(every)
    found: set[str] = set()
    for struct in module.records:
        later.discard(struct.name)
        name = struct.name
        inside = name.rpartition("::")[0] in every  # a class has what lies in it
        if (
            _is_plain(struct)
            and not inside
            and not _is_among(name, told)
            and later.isdisjoint(mentioned(struct))
        ):
            found.add(name)
    return found


def _is_plain(struct: Struct) -> bool:
    alone = type(struct) is Struct and not (struct.bases or struct.hidden or struct.friends or struct.range)
    named = struct.name.replace("::", "").isidentifier() and not struct.name.startswith("std::")
    written = struct.spelling.partition("(")[0] not in _UNNAMED
    return alone and named and written and all(map(_is_plain_field, struct.fields))


_UNNAMED = ("decltype", "__typeof__", "std::remove_all_extents<decltype")


def _is_plain_field(field: Any) -> bool:
    return (
        field.default is MISSING
        and not field.bit_width
        and _is_plain_type(field.type)
        and field.taken is None
    )


def _is_plain_type(type_: Type) -> bool:
    while isinstance(type_, CArray | Const | Pointer):
        (type_,) = type_.parts
    return type(type_) in _PLAIN


def told_of(module: Module) -> set[str]:
    """The words of what keeps records from being plain: owners, scopes, bases, and what is said not to be bound."""
    told = {name.rpartition("::")[0] for name in _qualified(module)}
    told.update(function.owner for function in module.functions)
    told.update(template.owner for template in module.templates)
    told.update(base.name for record in module.records for base in record.bases)
    told.update(unread.name for unread in module.unread)
    told.update(instance.target for instance in module.instances)
    told.update(word for skipped in module.skipped for word in re.findall(r"\w+", skipped.name))
    return told


def _qualified(module: Module) -> Iterator[str]:
    """Every name that stands somewhere."""
    kinds: tuple[Iterable[Any], ...] = (
        module.functions, module.constants, module.variables, module.aliases, module.templates, module.later,
    )  # fmt: skip
    for kind in kinds:
        yield from (declared.qualified for declared in kind)
    yield from (record.name for record in module.records)
    yield from (enum.name for enum in module.enums)
    yield from (name for pair in module.repeated for name in pair)
