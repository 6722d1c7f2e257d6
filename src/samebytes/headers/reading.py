"""One pass over a parsed unit: every exposed declaration is bound or skipped, and all are counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..errors import InstantiationError
from ..signature import Signature
from ..types import Enum, Struct
from .constants import constant, initial, number
from .cxxtypes import CannotCross, Types, plain_name
from .derived import derived_calls, field_accessors, on_objects
from .exposure import Declared, Exposure
from .functions import location, read_function
from .functiontypes import function_alias, read_function_type
from .instances import Found, callee
from .libclang import CALLABLES, RECORDS, Cursor, Decl, children_of, kind_of
from .macros import Macros
from .methods import implicit_constructors, read_constructor, read_method, used_members
from .model import Alias, Constant, Instance, Module, Skipped, Template, Variable
from .parse import Problem, Unit
from .questions import Questions
from .records import Records
from .templates import is_template, read_instance, read_template, read_variable_instance
from .troubles import Troubles
from .variables import read_variable

# Declarations that are skipped as such: what they are, and why.
_UNBOUND: dict[int, tuple[str, str]] = {
    Decl.FUNCTION_TEMPLATE: ("function template", "a function template needs an instantiation"),
    Decl.CLASS_TEMPLATE: ("class template", "a class template needs an instantiation"),
    Decl.ALIAS_TEMPLATE: ("alias template", "an alias template needs an instantiation"),
    Decl.UNEXPOSED: ("variable template", "a variable template needs an instantiation"),
    Decl.CONCEPT: ("concept", "a concept exists only while C++ compiles"),
    Decl.PARTIAL_SPECIALIZATION: ("class template", "a class template needs an instantiation"),
}
_CALLED = frozenset(
    {
        Decl.FUNCTION,
        Decl.METHOD,
        Decl.CONSTRUCTOR,
        Decl.CONVERSION,
        Decl.PARTIAL_SPECIALIZATION,
    }
)
_WORDS: dict[int, str] = {
    Decl.FUNCTION: "function",
    Decl.STRUCT: "struct",
    Decl.CLASS: "class",
    Decl.UNION: "union",
    Decl.ENUM: "enum",
    Decl.VARIABLE: "constant",
    Decl.TYPEDEF: "typedef",
    Decl.ALIAS: "typedef",
    Decl.METHOD: "member function",
    Decl.CONSTRUCTOR: "constructor",
    Decl.CONVERSION: "conversion function",
}


class Reading:
    """Reads one unit; what depends on a question without an answer is provisional."""

    def __init__(
        self,
        unit: Unit,
        questions: Questions,
        expose: tuple[str, ...],
        only: tuple[str, ...],
        *,
        alone: bool = False,
    ) -> None:
        self._instances = questions.instances
        self._questions = questions
        self._alone = alone
        self._templates: list[Template] = []
        self._instantiated: list[Instance] = []
        self._unit = unit
        self._troubles = Troubles(unit)
        self._types = Types(unit, self._troubles)
        self._records = Records(self._types, questions)
        self._types.function = read_function_type
        self._exposure = Exposure(unit, expose, only)
        self._macros = None if alone else Macros(unit, self._exposure, questions)
        self._ask = questions.ask
        self._functions: list[Signature] = []
        self._constants: list[Constant] = []
        self._variables: list[Variable] = []
        self._aliases: list[Alias] = []
        self._skipped: list[Skipped] = []
        self._exposed = 0
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

    def module(self) -> Module:
        """Everything exposed, bound or skipped."""
        groups = [] if self._alone else self._groups()
        own: set[str] = set()
        for group in groups:
            self._exposed += self._count(group)
            before = len(self._skipped)
            self._one(group)
            if (
                group[0].kind in (*RECORDS, Decl.ENUM)
                and _is_named(group[0].cursor)
                and len(self._skipped) == before
            ):
                own.add(plain_name(self._types.spelling(group[0].cursor.type)))
        self._imply()
        for index, wanted in enumerate(self._instances.wanted):
            self._instance(index, wanted)
        self._drop_repeated()
        self._mentioned()
        self._constant_macros()
        if not self._alone:
            self._loose_errors()
        records, enums = tuple(self._records.structs.values()), tuple(self._records.enums.values())
        # Records and enums of other files count as exposed by being used.
        self._exposed += sum(record.name not in own for record in records)
        self._exposed += sum(enum.name not in own for enum in enums)
        return Module(
            self._unit.request.language,
            tuple(self._functions),
            records,
            enums,
            tuple(self._constants),
            tuple(self._variables),
            tuple(self._aliases),
            tuple(self._skipped),
            self._exposed,
            self._unit.included(),
            repeated=(*self._exposure.repeated.items(), *(self._macros.renames() if self._macros else ())),
            templates=tuple(self._templates),
            instances=tuple(self._instantiated),
        )

    def _imply(self) -> None:
        """Want the members of what the header makes of its own class templates, as a type or under an alias."""
        own = {t.qualified for t in self._templates if t.kind == "class"}
        device = self._unit.request.dialect == "cuda"  # there templates are none of Python's
        for name in () if device else tuple(self._records.structs):
            if "<" in name and name[: name.index("<")] in own:
                self._instances.imply(name)

    def _drop_repeated(self) -> None:
        """Where a class declares ``==`` after ``<=>``, its own is meant; where names mix, all are methods."""
        declared = {(f.owner, f.name) for f in self._functions if not f.implicit}
        kept = [
            f for f in self._functions if not (f.implicit and f.expression and (f.owner, f.name) in declared)
        ]
        self._exposed -= len(self._functions) - len(kept)
        self._functions = list(on_objects(kept))

    def _groups(self) -> list[list[Declared]]:
        """Declarations of one entity together, entities in the order of the source."""
        groups: dict[tuple[int, str], list[Declared]] = {}
        for declared in self._exposure:
            if not _is_redundant(declared):
                canonical = declared.cursor.canonical
                groups.setdefault((canonical.hash, declared.qualified), []).append(declared)
        return [group for group in groups.values() if not _is_defined_elsewhere(group)]

    def _count(self, group: list[Declared]) -> int:
        """Declarations in a group: each enumerator of an enum without a name is a constant of its own."""
        if group[0].kind == Decl.ENUM and not _is_named(group[0].cursor):
            return len(children_of(group[0].cursor, Decl.ENUM_CONSTANT))
        return 1

    def _one(self, group: list[Declared]) -> None:
        kind = group[0].kind
        try:
            if is_template(group[0]):
                self._readable(group[0].cursor)
                self._templates.append(read_template(group))
            elif kind in _UNBOUND:
                message = self._troubles.declaration(group[0].cursor)
                raise CannotCross(f"clang could not read it: {message}" if message else _UNBOUND[kind][1])
            else:
                self._readers[kind](group)
        except CannotCross as reason:
            if kind == Decl.ENUM and not _is_named(group[0].cursor):
                for item in children_of(group[0].cursor, Decl.ENUM_CONSTANT):
                    self._skip(Declared(Decl.VARIABLE, item, group[0].scope), str(reason))
            else:
                self._skip(group[0], str(reason))

    def _instance(self, number: int, wanted: tuple[str, ...]) -> None:
        """One instantiation that was asked for.

        Raises
        ------
        InstantiationError
            If C++ accepts none of its spellings, or what it is cannot cross.
        """
        found, asked = self._instances.found(number), wanted[0]
        if found is None:
            if self._instances.is_implied(asked):
                return
            raise InstantiationError(asked, self._instances.reasons.get(number, "C++ knows no such thing"))
        try:
            kind, target = self._instantiate(found, asked)
        except CannotCross as reason:
            if self._questions.pending or self._instances.is_implied(
                asked
            ):  # what it is rests on an answer that the next parse gives
                return
            raise InstantiationError(asked, str(reason), crossing=True) from None
        self._instantiated.append(Instance(asked, kind, target, tuple(found.calls)))

    def _instantiate(self, found: Found, asked: str) -> tuple[str, str]:
        kind = kind_of(found.cursor)
        if kind in RECORDS:
            type_ = self._types.value(found.cursor.type)
            if not isinstance(type_, Struct):
                raise CannotCross(f"Python knows it as {type_}")
            known = {i.target for i in self._instantiated}
            if type_.name not in known:
                cursors = [d.cursor for group in found.members for d in group]
                self._implied(found.cursor, type_, cursors)
            for member in found.members if type_.name not in known else ():
                self._exposed += 1
                self._one(member)
            return "type", type_.name
        self._exposed += 1
        if kind not in CALLABLES:
            variable = read_variable_instance(found, self._types)
            self._variables.append(variable)
            return "variable", variable.qualified
        if found.cursor.get_num_template_arguments() <= 0:
            self._exposed -= 1
            return "plain", callee(found.spelling)
        self._functions.append(read_instance(found, asked, self._types))
        return "function", asked

    def _skip(self, declared: Declared, reason: str) -> None:
        kind = _UNBOUND[declared.kind][0] if declared.kind in _UNBOUND else _WORDS[declared.kind]
        name = declared.qualified
        if declared.kind in _CALLED:
            constant = " const" if declared.cursor.is_const_method() else ""
            name = "::".join([*declared.scope, declared.cursor.displayname]) + constant
        self._skipped.append(Skipped(name, kind, reason, location(declared.cursor)))

    def _readable(self, cursor: Cursor) -> None:
        message = self._troubles.declaration(cursor)
        if message is not None:
            raise CannotCross(f"clang could not read it: {message}")

    def _function(self, group: list[Declared]) -> None:
        self._functions.append(read_function(group, self._types, self._ask))

    def _method(self, group: list[Declared]) -> None:
        method = read_method(group, self._owner(group[0]), self._types)
        self._functions.append(method)
        self._add(derived_calls(method, self._functions, self._ask))

    def _implied(self, cursor: Cursor, type_: Struct, members: list[Cursor] | None = None) -> None:
        """What a class has without saying so."""
        self._add(implicit_constructors(cursor, type_, self._records.traits(cursor.type), members))
        self._add(used_members(cursor, type_, self._types, self._records.spelling))
        self._add(field_accessors(type_, self._records.converted.get(type_.name, ())))

    def _add(self, made: Iterable[Signature]) -> None:
        """Bind what no declaration says by itself."""
        for signature in made:
            self._functions.append(signature)
            self._exposed += 1

    def _constructor(self, group: list[Declared]) -> None:
        self._functions.append(read_constructor(group, self._owner(group[0]), self._types))

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
        for declared in group:
            self._readable(declared.cursor)
        type_ = self._types.value(group[0].cursor.type)
        if not isinstance(type_, Struct):
            raise CannotCross(f"Python knows it as {type_}")
        cursor = group[0].cursor.get_definition()
        if not self._unit.c and cursor is not None and group[0].kind in RECORDS:
            self._implied(cursor, type_)

    def _enum(self, group: list[Declared]) -> None:
        cursor = group[-1].cursor
        self._readable(cursor)
        if _is_named(cursor):
            self._types.value(cursor.type)
            return
        spelling = self._types.spelling(cursor.enum_type)
        scalar = self._types.value(cursor.enum_type)
        for item in children_of(cursor, Decl.ENUM_CONSTANT):
            qualified = "::".join([*group[0].scope, item.spelling])
            value = number(int(item.enum_value), scalar)
            assert value is not None
            self._constants.append(Constant(item.spelling, qualified, value, spelling, location(item)))

    def _variable(self, group: list[Declared]) -> None:
        for declared in group:
            self._readable(declared.cursor)
        cursor = group[-1].cursor
        try:
            value = constant(cursor, self._types)
        except CannotCross:
            self._variables.append(read_variable(group, self._types))
            return
        spelling = self._types.spelling(cursor.type)
        enum = self._types.crossing(cursor.type)
        self._constants.append(
            Constant(
                cursor.spelling, group[0].qualified, value, spelling, location(cursor),
                enum.name if isinstance(enum, Enum) else "",
            )
        )  # fmt: skip

    def _constant_macros(self) -> None:
        """Bind the macros that are constants, as far as nothing else has their names."""
        enumerators = {name for e in self._records.enums.values() if not e.scoped for name, _ in e.members}
        parts = (self._functions, self._constants, self._variables, self._aliases, self._skipped)
        taken = enumerators.union(
            *({getattr(p, "qualified", None) or p.name for p in part} for part in parts)
        )
        taken |= {name.partition("(")[0] for name in taken}
        for macro, variable in self._macros or ():
            if macro.spelling in taken:
                continue
            self._exposed += 1
            place = location(macro)
            try:
                value = initial(variable, self._types)
                spelling = self._types.spelling(variable.type)
            except CannotCross as reason:
                self._skipped.append(Skipped(macro.spelling, "constant", str(reason), place))
            else:
                self._constants.append(Constant(macro.spelling, macro.spelling, value, spelling, place))

    def _typedef(self, group: list[Declared]) -> None:
        cursor = group[0].cursor
        self._readable(cursor)
        meaning = cursor.underlying_typedef_type
        type_ = function_alias(meaning, self._types) or self._types.value(meaning)
        self._aliases.append(Alias(cursor.spelling, group[0].qualified, str(type_), location(cursor), type_))

    def _mentioned(self) -> None:
        """Bind the records that signatures point to; they stay mere names where they cannot be bound."""
        for name, type_ in list(self._records.mentioned.items()):
            if name.startswith(("std::", "_")) or "::_" in name:
                continue
            try:
                self._types.value(type_)
            except CannotCross:
                continue

    def _loose_errors(self) -> None:
        """Errors in exposed files that lie in no declaration that was seen: the code there was lost."""
        for problem in self._unit.problems:
            if self._exposure.file(problem.file) and problem not in self._troubles.explained:
                self._exposed += 1
                reason = f"clang could not read it: {problem.message}"
                self._skipped.append(Skipped(self._line(problem), "declaration", reason, problem.location))

    def _line(self, problem: Problem) -> str:
        lines = self._unit.text(problem.file).decode("utf-8", "replace").splitlines()
        return lines[problem.line - 1].strip() if problem.line <= len(lines) else ""


def _is_named(cursor: Cursor) -> bool:
    return bool(cursor.spelling) and "(" not in cursor.spelling


def _is_redundant(declared: Declared) -> bool:
    """Whether a declaration adds no name: ``typedef struct {…} T``'s T, a record without a name."""
    if declared.kind in RECORDS:
        return not _is_named(declared.cursor)
    if declared.kind in (Decl.TYPEDEF, Decl.ALIAS):
        target = declared.cursor.underlying_typedef_type.get_canonical().get_declaration()
        parent, home = declared.cursor.semantic_parent, target.semantic_parent
        return bool(home is not None and home == parent and target.spelling == declared.cursor.spelling)
    if declared.kind == Decl.FUNCTION and declared.cursor.get_num_template_arguments() > 0:
        return True  # a specialization: its template has the name
    name: str = declared.cursor.spelling
    return name.startswith("<deduction guide")


def _is_defined_elsewhere(group: list[Declared]) -> bool:
    """Whether these are forward declarations of a record whose definition other files hold."""
    if group[0].kind not in (*RECORDS, Decl.ENUM):
        return False
    return not any(d.cursor.is_definition() for d in group) and group[0].cursor.get_definition() is not None
