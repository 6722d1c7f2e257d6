"""Binds the instantiations of templates that were asked for, and those that a header makes by itself."""

from __future__ import annotations

from ..errors import InstantiationError
from ..types import Struct
from .collected import Collected
from .cxxtypes import CannotCross, Types
from .declarations import Declarations
from .instances import Found, callee
from .libclang import CALLABLES, RECORDS, kind_of
from .model import Instance
from .questions import Questions
from .records import Records
from .templates import read_instance, read_variable_instance


class Instantiating:
    """The instantiations of one unit."""

    def __init__(
        self, types: Types, questions: Questions, declarations: Declarations, collected: Collected
    ) -> None:
        self._types = types
        self._questions = questions
        self._instances = questions.instances
        self._declarations = declarations
        self._collected = collected

    def imply(self, records: Records) -> None:
        """Want the members of what the header makes of its own class templates, as a type or under an alias."""
        own = {t.qualified for t in self._collected.templates if t.kind == "class"}
        for name in tuple(records.structs):
            if "<" in name and name[: name.index("<")] in own:
                self._instances.imply(name)

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
            if implied:
                return
            raise InstantiationError(asked, self._instances.reasons.get(number, "C++ knows no such thing"))
        try:
            kind, target = self._bind(found, asked)
        except CannotCross as reason:
            if implied or self._questions.pending:  # what it is rests on an answer that the next parse gives
                return
            raise InstantiationError(asked, str(reason), crossing=True) from None
        self._collected.instances.append(Instance(asked, kind, target, tuple(found.calls)))

    def _bind(self, found: Found, asked: str) -> tuple[str, str]:
        """The kind and the name of what an instantiation is bound as."""
        kind = kind_of(found.cursor)
        if kind in RECORDS:
            return "type", self._class(found)
        if kind in CALLABLES and found.cursor.get_num_template_arguments() <= 0:
            return "plain", callee(found.spelling)
        self._collected.exposed += 1
        if kind in CALLABLES:
            self._collected.functions.append(read_instance(found, asked, self._types))
            return "function", asked
        variable = read_variable_instance(found, self._types)
        self._collected.variables.append(variable)
        return "variable", variable.qualified

    def _class(self, found: Found) -> str:
        type_ = self._types.value(found.cursor.type)
        if not isinstance(type_, Struct):
            raise CannotCross(f"Python knows it as {type_}")
        if type_.name not in {instance.target for instance in self._collected.instances}:
            self._declarations.implied(
                found.cursor, type_, [d.cursor for group in found.members for d in group]
            )
            for member in found.members:
                self._collected.exposed += 1
                self._declarations.read(member)
        return type_.name
