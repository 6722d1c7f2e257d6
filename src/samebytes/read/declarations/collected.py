"""What one pass over a unit binds and what it skips; every exposed declaration counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ...model.module import (
    AHEAD_KIND,
    DERIVED_KIND,
    Alias,
    Constant,
    Instance,
    Later,
    Skipped,
    Template,
    Variable,
)
from ...model.signature import Signature
from ..clang.kinds import TYPEDEFS, Decl, Kind
from ..clang.libclang import type_kind
from ..cxxtypes.type_names import plain_name
from ..exposed.exposure import Declared
from ..functions.functions import location
from ..functions.methods import ABSTRACT
from ..records.members import Unseen
from ..records.records import INCOMPLETE

_WORDS: dict[int, str] = {
    Decl.FUNCTION: "function",
    Decl.STRUCT: "struct",
    Decl.CLASS: "class",
    Decl.UNION: "union",
    Decl.ENUM: "enum",
    Decl.VARIABLE: "constant",
    Decl.TYPEDEF: "typedef",
    Decl.ALIAS: "typedef",
    Decl.ENUM_CONSTANT: "constant",
    Decl.METHOD: "member function",
    Decl.CONSTRUCTOR: "constructor",
    Decl.CONVERSION: "conversion function",
    Decl.FUNCTION_TEMPLATE: "function template",
    Decl.CLASS_TEMPLATE: "class template",
    Decl.PARTIAL_SPECIALIZATION: "class template",
    Decl.ALIAS_TEMPLATE: "alias template",
    Decl.UNEXPOSED: "variable template",
    Decl.CONCEPT: "concept",
}
STRUCTURED = "it names a part of an object: a function that gives it is bound"
_CALLED = frozenset(
    {Decl.FUNCTION, Decl.METHOD, Decl.CONSTRUCTOR, Decl.CONVERSION, Decl.PARTIAL_SPECIALIZATION}
)


@dataclass
class Collected:
    """The parts of a module while it is read.

    Attributes
    ----------
    exposed : int
        How many declarations were met, bound or not.
    """

    functions: list[Signature] = field(default_factory=list)
    constants: list[Constant] = field(default_factory=list)
    variables: list[Variable] = field(default_factory=list)
    aliases: list[Alias] = field(default_factory=list)
    templates: list[Template] = field(default_factory=list)
    instances: list[Instance] = field(default_factory=list)
    later: list[Later] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    exposed: int = 0

    def add(self, made: Iterable[Signature]) -> None:
        """Bind functions that no declaration says by itself."""
        for signature in made:
            self.functions.append(signature)
            self.exposed += 1

    def owners_of_unbound(self, name: str) -> set[str]:
        """The classes that declare functions of a name, or templates of them, that are not bound."""
        skipped = (missing.name.partition("(")[0] for missing in self.skipped)
        owners = {whole.removesuffix(f"::{name}") for whole in skipped if whole.endswith(f"::{name}")}
        return owners | {t.owner for t in self.templates if t.name == name}

    def skip(self, declared: Declared, reason: str) -> None:
        """Say why a declaration is not bound."""
        name = declared.qualified
        if declared.kind in _CALLED:
            constant = " const" if declared.cursor.is_const_method() else ""
            name = "::".join([*declared.scope, declared.cursor.displayname]) + constant
        aimed = ""
        if declared.kind in TYPEDEFS:
            meaning = declared.cursor.underlying_typedef_type.get_canonical()
            aimed = plain_name(meaning.spelling) if type_kind(meaning) == Kind.RECORD else ""
        kind = "structured binding" if reason == STRUCTURED else _WORDS[declared.kind]
        if reason == INCOMPLETE:  # as every C API has some, which are known by their pointers
            kind = AHEAD_KIND
        if reason.endswith(f": {ABSTRACT}"):  # which Python's classes are, too
            kind = DERIVED_KIND
        self.skipped.append(Skipped(name, kind, reason, location(declared.cursor), aimed))

    def miss(self, name: str, member: Unseen) -> None:
        """Say why a field, which else is part of its record, is not bound: then it counts by itself."""
        self.exposed += 1
        self.skipped.append(Skipped(name, "field", member.reason, location(member.cursor)))

    def names(self) -> set[str]:
        """The names that are bound or skipped, those of functions without their parameters, too."""
        parts = (self.functions, self.constants, self.variables, self.aliases, self.later, self.skipped)
        found = {getattr(p, "qualified", None) or p.name for part in parts for p in part}
        return found | {name.partition("(")[0] for name in found}
