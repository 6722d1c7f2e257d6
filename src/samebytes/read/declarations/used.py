"""Members of bases that a class takes over or publishes by using-declarations; fields are its record's own matter."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from ...model.module import Constant
from ...model.signature import Signature
from ...types import Enum, Struct
from ..clang.kinds import RECORDS, Decl
from ..clang.libclang import Cursor, children, kind_of
from ..cxxtypes.cxxtypes import CannotCross, Types
from ..exposed.exposure import RESERVED, Declared, is_reserved
from ..functions.constants import number
from ..functions.functions import location
from ..functions.methods import qualifiers_of, used_member
from ..records.records import Records
from .collected import Collected
from .templates import is_template, read_template

_CALLED = (Decl.METHOD, Decl.CONSTRUCTOR, Decl.CONVERSION)
_NAMED = frozenset({*RECORDS, Decl.ENUM, Decl.TYPEDEF, Decl.ALIAS})


class Used:
    """Binds what classes of one unit take over.

    Parameters
    ----------
    read : callable
        Binds a declaration that reads the same in the derived class, or skips it.
    alias : callable
        Binds another name of a type.
    function : callable
        Binds a method or a constructor, and what follows from it.
    """

    def __init__(
        self, types: Types, records: Records, collected: Collected,
        read: Callable[[list[Declared]], bool], alias: Callable[[str, str, object, Cursor], None],
        function: Callable[[Signature], None],
    ) -> None:  # fmt: skip
        self._types = types
        self._records = records
        self._collected = collected
        self._read = read
        self._alias = alias
        self._function = function

    def bind(self, cursor: Cursor, owner: Struct, used: Iterable[Cursor]) -> None:
        """Bind or skip each member of bases that a class's using-declarations name.

        Parameters
        ----------
        cursor : clang cursor
            The class's.
        """
        scope = tuple(owner.name.split("::"))
        own = {_told_by(c) for c in children(cursor) if kind_of(c) in _CALLED}
        for member in dict.fromkeys(used):
            if _told_by(member) in own or kind_of(member) == Decl.FIELD:
                continue
            declared = Declared(kind_of(member), member, scope)
            if kind_of(member) == Decl.VARIABLE:
                self._collected.exposed += 1
                self._read([declared])
                continue
            try:
                bound = self._one(declared, owner)
            except CannotCross as reason:
                self._collected.skip(declared, str(reason))
                bound = True
            self._collected.exposed += bound

    def _one(self, declared: Declared, owner: Struct) -> bool:
        """Bind one; false for what a class does not take over."""
        member, kind = declared.cursor, declared.kind
        if is_reserved(member.spelling):
            raise CannotCross(RESERVED)
        if kind in _CALLED:
            home = self._records.spelling(member.semantic_parent.type.get_canonical())
            made = used_member(member, owner, self._types, home)
            if made is not None:
                self._function(made)
            return made is not None
        if is_template(declared):
            self._template(declared, owner)
        elif kind == Decl.ENUM_CONSTANT:
            self._enumerator(declared)
        elif kind in _NAMED:
            self._alias(member.spelling, declared.qualified, member.type, member)
        else:
            raise CannotCross("a using-declaration names it, which is not bound")
        return True

    def _template(self, declared: Declared, owner: Struct) -> None:
        method = declared.kind == Decl.FUNCTION_TEMPLATE
        made = read_template([declared], owner if method else None)
        if method and made.name.partition("<")[0] == declared.cursor.semantic_parent.spelling:
            name = owner.short_name
            made = replace(made, name=name, qualified=f"{owner.name}::{name}", kind="constructor")
        self._collected.templates.append(made)

    def _enumerator(self, declared: Declared) -> None:
        enum = declared.cursor.semantic_parent
        scalar = self._types.value(enum.enum_type)
        value = number(int(declared.cursor.enum_value), scalar)
        assert value is not None
        try:
            type_ = self._types.value(enum.type)
        except CannotCross:
            type_ = scalar
        self._collected.constants.append(
            Constant(
                declared.cursor.spelling, declared.qualified, value, self._types.spelling(enum.enum_type),
                location(declared.cursor), type_.name if isinstance(type_, Enum) else "",
            )
        )  # fmt: skip


def _told_by(member: Cursor) -> tuple[str, str]:
    """What tells a member from those of its name (ISO C++ [namespace.udecl]): what it takes, const or not."""
    called = kind_of(member) in _CALLED and not member.is_static_method()
    return member.displayname, qualifiers_of(member.type.get_canonical()) if called else ""
