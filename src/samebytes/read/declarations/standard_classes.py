"""Classes of ``std`` that are neither converted nor bytes with fields: objects, whose members are read when asked for.

A header says ``#include <regex>`` and means one class of it. So the class is there with its name, and it is
instantiated as any class of a template is: when Python first asks it, or an object of it, for a member.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from ...model.module import Later
from ..clang.kinds import PUBLIC, TYPEDEFS, Decl, Kind
from ..clang.libclang import (
    Cursor,
    children_of,
    declarations_in,
    is_inline_namespace,
    kind_of,
    of_kinds,
    referred,
    template_of,
    type_kind,
)
from ..clang.parse import ParsedUnit
from ..cxxtypes.cxxtypes import CannotCross
from ..cxxtypes.type_names import plain_name
from ..exposed.exposure import Declared, Exposure, is_reserved, is_standard, path_of
from ..exposed.groups import count, grouped
from ..functions.functions import location
from ..questions.inheritance import Inheritance
from ..records.records import Records
from .collected import Collected
from .declarations import Declarations
from .templates import read_template

_ASKED = of_kinds(TYPEDEFS, frozenset({Decl.NAMESPACE, Decl.USING}))


class StandardClasses:
    """Those of one unit."""

    def __init__(
        self,
        unit: ParsedUnit,
        exposure: Exposure,
        records: Records,
        declarations: Declarations,
        collected: Collected,
        inheritance: Inheritance,
    ) -> None:
        self._unit, self._exposure, self._records = unit, exposure, records
        self._declarations, self._collected, self._inheritance = declarations, collected, inheritance

    def follow(self) -> None:
        """Read the members of those that are no instantiations and that were asked for."""
        asked = [i.target for i in self._collected.instances if i.kind == "type"]
        for name in sorted(asked, key=lambda name: name.count("::")):  # a class before those inside of it
            cursor = self._records.declared.get(name)
            if cursor is None or not is_standard(name) or "<" in name:
                continue
            for group in grouped(self._exposure.base(cursor.type.get_canonical(), PUBLIC)):
                self._collected.exposed += count(group)
                self._declarations.read(group)

    def derive(self) -> None:
        """Read the bases of those that wait, as far as they are of ``std``: a class of Python's never gets others."""
        known = set[str]()
        while names := [n for n in self._waiting() if n not in known]:
            known.update(names)
            for base in (b for n in names for b in self._inheritance.of(self._records.declared[n].type)):
                if base.access == PUBLIC and self._records.name_of(base.type).startswith("std::"):
                    with suppress(CannotCross):
                        self._records.value(base.type)

    def _waiting(self) -> dict[str, Cursor]:
        return {name: cursor for name, cursor in self._records.declared.items() if self.waits(name, cursor)}

    def name(self) -> None:
        """Name those that wait for their use as C++ does: by their templates, typedefs and using-declarations."""
        waiting = self._waiting()
        known = {template.qualified for template in self._collected.templates}
        for cursor in waiting.values():
            template = self._template(cursor)
            if template is not None and template.qualified not in known:
                known.add(template.qualified)
                self._collected.exposed += 1
                self._collected.templates.append(read_template([template]))
        standard = [
            n for n, c in self._records.declared.items() if n.startswith("std::") and self._exposure.hides(c)
        ]
        if standard:
            self._second_names(waiting, standard)

    def waits(self, name: str, cursor: Cursor) -> bool:
        """Whether a record is such a class, of which nothing but its fields is read."""
        return (
            name.startswith("std::")
            and not name.startswith("std::function<")
            and name in self._records.structs
            and self._exposure.hides(cursor)
            and name not in self._exposure.followed
            and not self._exposure.named(name.partition("<")[0])
        )

    def _template(self, cursor: Cursor) -> Declared | None:
        template = template_of(cursor) if "<" in cursor.type.spelling else None
        path = path_of(template) if template is not None else None
        return None if template is None or path is None else Declared(kind_of(template), template, path)

    def _second_names(self, waiting: Iterable[str], standard: Iterable[str]) -> None:
        taken = {row.qualified for row in self._collected.later}
        taken.update(alias.qualified for alias in self._collected.aliases)
        for cursor in self._names():
            qualified = f"std::{cursor.spelling}"
            if is_reserved(cursor.spelling) or qualified in taken:
                continue
            if kind_of(cursor) == Decl.USING:
                target = referred(cursor)
                path = path_of(target) if target is not None else None
                meant = "::".join((*(path or ()), cursor.spelling))
                if meant in standard:
                    self._exposure.repeated.setdefault(qualified, meant)
                continue
            type_ = cursor.underlying_typedef_type.get_canonical()
            if type_kind(type_) == Kind.RECORD and "<" in type_.spelling:
                meant = plain_name(self._records.name_of(type_))
                if meant in waiting:
                    taken.add(qualified)
                    self._collected.later.append(Later(cursor.spelling, qualified, meant, location(cursor)))

    def _names(self) -> Iterator[Cursor]:
        """The typedefs and using-declarations of the namespace, inline namespaces included."""
        top = self._unit.tu.cursor
        scopes = [top, *children_of(top, Decl.LINKAGE)]  # extern "C++" { namespace std { … } }
        open_ = [c for s in scopes for c in children_of(s, Decl.NAMESPACE) if c.spelling == "std"]
        while open_:
            for kind, cursor, *_ in declarations_in(open_.pop(), _ASKED, None, None):
                if kind != Decl.NAMESPACE:
                    yield cursor
                elif is_inline_namespace(cursor):
                    open_.append(cursor)
