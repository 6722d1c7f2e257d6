"""Reads one entity of a header from its declarations: what it is to Python, or why it is nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...model.module import Alias, Constant
from ...model.signature import Signature
from ...types import Enum, Struct, Type
from ..clang.kinds import RECORDS, Decl
from ..clang.libclang import (
    ClangType,
    Cursor,
    children,
    children_of,
    is_explicit_instantiation,
    kind_of,
)
from ..cxxtypes.cxxtypes import CannotCross, Types
from ..cxxtypes.devices import NOT_OF_THE_HOST, is_kernel
from ..cxxtypes.functiontypes import function_alias
from ..cxxtypes.measures import with_measures
from ..exposed.exposure import Declared
from ..exposed.groups import is_named
from ..functions.aggregates import aggregate_constructor
from ..functions.constants import constant, number
from ..functions.derived import derived_calls, field_accessors, truth
from ..functions.functions import location, read_function
from ..functions.implicit import implicit_constructors
from ..functions.methods import read_constructor, read_method, used_in
from ..functions.variables import read_variable
from ..questions.questions import Questions
from ..records.records import Records
from ..records.unnamed import typeof
from .collected import STRUCTURED, Collected
from .protocols import Protocols
from .templates import is_binding, is_template, read_kernel_template, read_template
from .used import Used

# Declarations that are skipped as such, and why.
_UNBOUND: dict[int, str] = {
    Decl.FUNCTION_TEMPLATE: "a function template needs an instantiation",
    Decl.CLASS_TEMPLATE: "a class template needs an instantiation",
    Decl.PARTIAL_SPECIALIZATION: "a class template needs an instantiation",
    Decl.ALIAS_TEMPLATE: "an alias template needs an instantiation",
    Decl.UNEXPOSED: "a variable template needs an instantiation",
    Decl.CONCEPT: "a concept exists only while C++ compiles",
}


class Declarations:
    """Reads entities of one unit into what is collected of it."""

    def __init__(
        self, types: Types, records: Records, questions: Questions, collected: Collected, protocols: Protocols
    ) -> None:
        self._types = types
        self._records = records
        self._questions = questions
        self._collected = collected
        self._protocols = protocols
        self._used = Used(types, records, collected, self.read, self.alias, self._bind)
        self._readers: dict[int, Callable[[list[Declared]], None]] = {
            Decl.FUNCTION: self._function,
            Decl.STRUCT: self._record,
            Decl.CLASS: self._record,
            Decl.UNION: self._record,
            Decl.ENUM: self._enum,
            Decl.VARIABLE: self._variable,
            Decl.TYPEDEF: self._typedef,
            Decl.ALIAS: self._typedef,
            Decl.METHOD: self._method,
            Decl.CONVERSION: self._method,
            Decl.CONSTRUCTOR: self._constructor,
        }

    def read(self, group: list[Declared]) -> bool:
        """Bind the entity that some declarations declare, or skip it; whether it is bound."""
        try:
            self._read(group)
        except CannotCross as reason:
            for declared in _named(group[0]):
                self._collected.skip(declared, str(reason))
            return False
        return True

    def implied(
        self, cursor: Cursor, type_: Struct, members: list[Cursor] | None = None, used: Iterable[Cursor] = ()
    ) -> None:
        """Bind what a class has without saying so.

        Parameters
        ----------
        cursor : clang cursor
            The class's.
        type_ : Struct
        members : list of clang cursor, optional
            Of an instantiation: its members, which the class's own cursor does not have.
        used : iterable of clang cursor
            Of an instantiation: what it takes over from bases.
        """
        traits = self._records.traits(cursor.type)
        self._collected.add(implicit_constructors(cursor, type_, traits, members))
        inheritance = self._questions.inheritance
        self._collected.add(
            aggregate_constructor(cursor, type_, self._types, inheritance, self._records.traits)
        )
        self._used.bind(cursor, type_, (*used, *used_in(cursor)))
        written = children(cursor) if members is None else members
        self._protocols.note(type_, cursor)
        self._collected.add(truth(type_, written, self._questions.ask))
        self._collected.add(
            field_accessors(type_, self._records.converted(type_.name), self._records.structs)
        )

    def _read(self, group: list[Declared]) -> None:
        kind, cursor = group[0].kind, group[0].cursor
        if is_binding(group[0]):
            raise CannotCross(STRUCTURED)
        if is_template(group[0]):
            self._check_readable(cursor)
            if self._types.unit.request.kernels:
                self._collected.templates.append(read_kernel_template(group))
                return
            if is_kernel([d.cursor for d in group], self._types.unit):
                raise CannotCross(NOT_OF_THE_HOST)
            owner = self._owner(group[0]) if kind_of(cursor.semantic_parent) in RECORDS else None
            key = (location(cursor), group[0].qualified, owner.name if owner else "")
            known = self._questions.templates
            if key not in known:
                known[key] = read_template(group, owner)
            self._collected.templates.append(known[key])
        elif kind in _UNBOUND:
            self._check_readable(cursor)
            raise CannotCross(_UNBOUND[kind])
        else:
            self._readers[kind](group)

    def _check_readable(self, *cursors: Cursor) -> None:
        for cursor in cursors:
            message = self._types.troubles.declaration(cursor)
            if message is not None:
                raise CannotCross(f"clang could not read it: {message}")

    def _function(self, group: list[Declared]) -> None:
        self._bind(read_function(group, self._types, self._questions.ask))

    def _method(self, group: list[Declared]) -> None:
        self._bind(read_method(group, self._owner(group[0]), self._types))

    def _bind(self, function: Signature) -> None:
        """Bind a function, and what follows from it."""
        functions = self._collected.functions
        functions.append(function)
        self._collected.add(derived_calls(function, functions, self._questions.ask))

    def _constructor(self, group: list[Declared]) -> None:
        made = read_constructor(group, self._owner(group[0]), self._types)
        self._collected.functions.append(made)

    def _owner(self, member: Declared) -> Struct:
        """The class that a member belongs to."""
        try:
            owner = self._types.value(member.cursor.semantic_parent.type)
        except CannotCross as reason:
            raise CannotCross(f"its class is not bound: {reason}") from None
        if not isinstance(owner, Struct):
            raise CannotCross(f"Python knows its class as {owner}")
        return owner

    def _record(self, group: list[Declared]) -> None:
        self._check_readable(*(declared.cursor for declared in group))
        type_ = self._types.value(group[0].cursor.type)
        if not isinstance(type_, Struct):
            raise CannotCross(f"Python knows it as {type_}")
        cursor = group[0].cursor.get_definition()
        if self._types.unit.c or cursor is None or group[0].kind not in RECORDS:
            return
        if not is_explicit_instantiation(cursor):  # its members come with those of other instantiations
            self.implied(cursor, type_)

    def _enum(self, group: list[Declared]) -> None:
        cursor = group[-1].cursor
        self._check_readable(cursor)
        if is_named(cursor):
            self._types.value(cursor.type)
            return
        spelling = self._types.spelling(cursor.enum_type)
        scalar = self._types.value(cursor.enum_type)
        for item in children_of(cursor, Decl.ENUM_CONSTANT):
            qualified = "::".join([*group[0].scope, item.spelling])
            value = number(int(item.enum_value), scalar)
            assert value is not None
            self._collected.constants.append(
                Constant(item.spelling, qualified, value, spelling, location(item))
            )

    def _variable(self, group: list[Declared]) -> None:
        self._check_readable(*(declared.cursor for declared in group))
        cursor = group[-1].cursor
        if unnamed := typeof(cursor, group[0].qualified, c=self._types.unit.c):
            self._records.name_unnamed(*unnamed)
        try:
            value = constant(cursor, self._types)
        except CannotCross:
            self._collected.variables.append(read_variable(group, self._types))
            return
        spelling = self._types.spelling(cursor.type)
        enum = self._types.crossing(cursor.type)
        self._collected.constants.append(
            Constant(
                cursor.spelling, group[0].qualified, value, spelling, location(cursor),
                enum.name if isinstance(enum, Enum) else "",
            )
        )  # fmt: skip

    def _typedef(self, group: list[Declared]) -> None:
        cursor = group[0].cursor
        self._check_readable(cursor)
        self.alias(cursor.spelling, group[0].qualified, cursor.underlying_typedef_type, cursor)

    def alias(self, name: str, qualified: str, meaning: ClangType, cursor: Cursor) -> None:
        """Bind another name of a type.

        Raises
        ------
        CannotCross
            If Python knows no such type.
        """
        type_: Type | None = function_alias(meaning, self._types)
        if type_ is None and self._types.is_of_library(meaning):
            type_ = self._types.crossing(meaning)
        if type_ is None:
            try:
                type_ = self._types.value(meaning)
            except CannotCross:
                type_ = self._types.crossing(meaning)  # a text, a container
        type_, spelling = with_measures(type_, cursor), self._types.spelling(meaning.get_canonical())
        self._collected.aliases.append(Alias(name, qualified, str(type_), location(cursor), type_, spelling))


def _named(declared: Declared) -> list[Declared]:
    """What is skipped with a declaration: of an enum without a name, each of its enumerators."""
    if declared.kind != Decl.ENUM or is_named(declared.cursor):
        return [declared]
    items = children_of(declared.cursor, Decl.ENUM_CONSTANT)
    return [Declared(Decl.VARIABLE, item, declared.scope) for item in items]
