"""Binds the instantiations of templates that were asked for, and those that a header makes by itself."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ...errors import UNKNOWN_TO_CXX, InstantiationError
from ...model.module import Instance, Skipped
from ...model.signature import Signature
from ...types import Converted, Struct, Type
from ..clang.kinds import CALLABLES, PUBLIC, RECORDS, Decl
from ..clang.libclang import ClangType, Cursor, kind_of
from ..cxxtypes.cxxtypes import CannotCross, Types
from ..cxxtypes.type_names import plain_name
from ..exposed.exposure import Declared, is_standard
from ..exposed.groups import count
from ..functions.functions import location
from ..questions import instance_members
from ..questions.inheritance import BaseClass
from ..questions.instances import ResolvedInstance
from ..questions.questions import Questions
from ..records.records import Records
from ..spellings import callee, is_call, operator_form
from .collected import Collected
from .declarations import Declarations
from .elsewhere import followed
from .templates import (
    as_called,
    is_inheriting,
    is_instance,
    is_rivalled,
    read_instance,
    read_operator,
    read_template,
    read_variable_instance,
)


class Instantiating:
    """The instantiations of one unit.

    Attributes
    ----------
    most : int or None
        How many the header may imply; what goes beyond that is read when it is used.
    """

    def __init__(
        self, types: Types, questions: Questions, declarations: Declarations, collected: Collected
    ) -> None:
        self._types = types
        self._questions = questions
        self._instances = questions.instances
        self._declarations = declarations
        self._collected = collected
        self._declared: Collection[str] = ()
        self.most: int | None = None

    def imply(self, records: Records, declared: Collection[str], instantiated: Collection[str]) -> None:
        """Want the members of what the header makes of its own class templates, as a type or under an alias.

        So of those that it ``instantiated`` explicitly. The classes that it ``declared``, explicit specializations
        among them, have theirs.
        """
        self._declared = declared
        own = {t.qualified for t in self._collected.templates if t.kind == "class"}
        own = {name for name in own if not is_standard(name)}
        made = [n for n in records.structs if n in instantiated or ("<" in n and n[: n.index("<")] in own)]
        self._instances.imply_some({n: records.declared.get(n) for n in made}, instantiated, self.most)

    def imply_bases(self, records: Records, declared: Collection[str]) -> None:
        """Want the members that classes inherit from instantiations of templates: the header's, and other headers'.

        Other headers' are followed from the classes that the header ``declared`` and from instantiated ones, as far
        as they have members; the standard library's are not.
        """
        made = {i.target for i in self._collected.instances if i.kind == "type"}
        asked = self._asked(records)
        # Of a class that is only declared, or that clang spells otherwise here, no bases are known.
        for name in [n for n in records.structs if n in made or n in declared]:
            own = (base.name for base in records.structs[name].bases)
            bases = {base: records.declared.get(base) for base in own if base in records.structs}
            cursor = records.declared.get(name)
            if cursor is not None:
                bases = self._followed(cursor.type, records, whole=name in asked) | bases
            for base in sorted(bases.keys() - made):
                if "<" in base and (is_standard(name) or not is_standard(base)):
                    self._instances.imply(base, bases[base])

    def _asked(self, records: Records) -> set[str]:
        """The classes that the user named, and their bases."""
        instances = self._collected.instances
        names = [i.target for i in instances if not self._instances.is_implied(i.asked)]
        for name in names:  # grows while it is read
            bases = (plain_name(records.name_of(base.type)) for base in self._bases(name, records))
            names += [base for base in bases if base not in names]
        return set(names)

    def _bases(self, name: str, records: Records) -> list[BaseClass]:
        cursor = records.declared.get(name)
        return self._questions.inheritance.of(cursor.type) if cursor is not None else []

    def _followed(self, type_: ClangType, records: Records, *, whole: bool) -> dict[str, Cursor]:
        """The bases of a class whose members it has, and theirs; the ``whole`` of them where the user named the class.

        So the members of all are asked for at once, and not level by level.
        """
        found: dict[str, Cursor] = {}
        for base in self._questions.inheritance.of(type_):
            if followed(base, self._questions.inheritance, whole=whole):
                name = plain_name(records.name_of(base.type))
                found[name] = base.cursor
                if not is_standard(name):
                    found |= self._followed(base.type, records, whole=whole)
        return found

    def read(self) -> None:
        """Bind everything that is wanted.

        Raises
        ------
        InstantiationError
            If C++ accepts none of the spellings of what was asked for, or what it is cannot cross.
        """
        for number, wanted in enumerate(self._instances.wanted):
            self._one(number, wanted[0])

    def _one(self, number: int, asked: str) -> None:
        found = self._instances.found(number)
        implied = self._instances.is_implied(asked)
        if found is None:
            if implied or self._instances.opening:
                return
            raise InstantiationError(asked, self._instances.reasons.get(number, UNKNOWN_TO_CXX))
        try:
            kind, target = self._bind(found, asked)
        except CannotCross as reason:
            if implied or self._questions.pending:  # what it is rests on an answer that the next parse gives
                return
            raise InstantiationError(asked, str(reason), crossing=True) from None
        self._collected.instances.append(Instance(asked, kind, target, tuple(found.calls)))

    def _bind(self, found: ResolvedInstance, asked: str) -> tuple[str, str]:
        """The kind and the name of what an instantiation is bound as."""
        kind = kind_of(found.cursor)
        if kind in RECORDS:
            return "type", self._class(found)
        if kind in CALLABLES and operator_form(found.spelling):
            self._collected.exposed += 1
            self._collected.functions.append(read_operator(found, asked, self._types, self._questions.ask))
            return "function", asked
        if kind in CALLABLES and not is_instance(found.cursor) and not is_inheriting(found.cursor):
            return "plain", self._plain(found)
        self._collected.exposed += 1
        if kind in CALLABLES:
            made = read_instance(found, asked, self._types)
            if (home := self._publishes(found)) is not None:  # C++ finds it by its name there alone
                made = as_called(replace(made, home=self._types.spelling(home)), found.spelling)
            self._collected.functions.append(self._told_apart(made, found))
            return "function", asked
        variable = read_variable_instance(found, self._types)
        self._collected.variables.append(variable)
        return "variable", variable.qualified

    def _told_apart(self, made: Signature, found: ResolvedInstance) -> Signature:
        """An instantiation, which a shim finds by its exact type, or by its call where others may have the same."""
        if is_call(found.spelling) and made.kind != "constructor" and is_rivalled(found.cursor):
            return as_called(made, found.spelling)
        return made

    def _plain(self, found: ResolvedInstance) -> str:
        """The name under which the library has a function that no template made."""
        if kind_of(found.cursor) == Decl.FUNCTION:
            return callee(found.spelling)
        owner = plain_name(self._types.spelling(found.cursor.semantic_parent.type))
        if (home := self._publishes(found)) is not None:
            owner = plain_name(self._types.spelling(home))
        constructor = kind_of(found.cursor) == Decl.CONSTRUCTOR
        return f"{owner}()" if constructor else f"{owner}::{found.cursor.spelling}"

    def _publishes(self, found: ResolvedInstance) -> ClangType | None:
        """The class whose using-declaration names a method that not everyone sees in the base that declares it."""
        if found.object is None or kind_of(found.cursor) != Decl.METHOD:
            return None
        inheritance, home = self._questions.inheritance, found.cursor.semantic_parent.type.get_canonical()
        if found.cursor.access_specifier.value == PUBLIC and inheritance.shows(found.object, home):
            return None
        name = found.cursor.spelling
        line = (found.object, *inheritance.line(found.object))
        return next((type_ for type_ in line if name in inheritance.declared(type_)), None)

    def _class(self, found: ResolvedInstance) -> str:
        type_ = self._value(found)
        if not isinstance(type_, Struct):
            raise CannotCross(f"Python knows it as {type_}")
        made = {instance.target for instance in self._collected.instances}
        if type_.name not in made and type_.name not in self._declared:
            self._members(found, type_)
        return type_.name

    def _value(self, found: ResolvedInstance) -> Type:
        """What Python has for an instantiation of a class template, or of an alias of one.

        Raises
        ------
        CannotCross
            With the reason.
        """
        meant = found.cursor.type
        try:
            return self._types.value(meant)
        except CannotCross:
            known = self._types.crossing(meant)
        if isinstance(known, Converted):
            words = "is no class in Python: its values are converted where C++ takes and gives them, as"
            raise CannotCross(f"{known.words} {words} {known}")
        return known

    def _members(self, found: ResolvedInstance, type_: Struct) -> None:
        members, collected = found.members, self._collected
        self._declarations.implied(found.cursor, type_, [d.cursor for d in members.own], members.used)
        for declared in members.own:
            collected.exposed += count([declared])
            self._declarations.read([declared])
        for nested in members.nested:
            self._instances.imply(plain_name(self._types.spelling(nested.type)))
        for name, words in members.refused:
            collected.exposed += 1
            missing = Skipped(f"{type_.name}::{name}", "member", words, location(found.cursor))
            collected.skipped.append(missing)
        for template in instance_members.member_templates(found.cursor):
            collected.exposed += 1
            declared = Declared(kind_of(template), template, (type_.name,))
            collected.templates.append(read_template([declared]))
        for name, alias in members.aliases:
            collected.exposed += 1
            qualified = f"{type_.name}::{name}"
            try:
                self._declarations.alias(name, qualified, alias, found.cursor)
            except CannotCross as reason:
                collected.skipped.append(Skipped(qualified, "typedef", str(reason), location(found.cursor)))
