"""One pass over a parsed unit: every exposed declaration is bound or skipped, and all are counted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..model.curation import CONSTANTS
from ..model.module import AHEAD_KIND, VALUELESS_KIND, Constant, Module, Skipped, UnboundOverload, Unread
from ..model.signature import Signature
from ..model.symbols import OVERRIDING
from ..types import Enum, Extent, Handle, Shape, Struct, unqualified
from .clang.kinds import PUBLIC, RECORDS, Decl
from .clang.libclang import ClangType, Cursor, children_of, is_explicit_instantiation, written_class
from .clang.parse import ParsedUnit, Problem
from .clang.troubles import Troubles
from .cxxtypes.cxxtypes import CannotCross, Types
from .cxxtypes.functiontypes import callback, is_function, read_function_type
from .cxxtypes.measures import with_measures
from .cxxtypes.standard import is_object
from .cxxtypes.type_names import plain_name
from .declarations.along import Along
from .declarations.collected import Collected
from .declarations.declarations import Declarations
from .declarations.elsewhere import members_elsewhere
from .declarations.expressions import read_expression
from .declarations.instantiating import Instantiating
from .declarations.later import MOST_AT_ONCE, LaterNames
from .declarations.left_out import (
    ahead,
    befriended,
    directed,
    of_functions,
    of_members,
    of_names,
    other_macros,
    reserved,
    used,
    with_parameters,
    without_values,
)
from .declarations.macros import Macros
from .declarations.operators_elsewhere import members_and_friends, operators_elsewhere
from .declarations.protocols import Protocols
from .declarations.standard_classes import StandardClasses
from .declarations.templates import read_template
from .declarations.unbound import UnboundOverloads
from .exposed.exposure import Exposure, is_standard
from .exposed.groups import count, grouped, groups, is_named
from .exposed.libraries import is_compilers
from .exposed.listing import listed
from .exposed.typedefs import typedefs
from .functions.callables import call_operator
from .functions.constants import NoConstant, address, initial
from .functions.derived import (
    THREE_WAY,
    befriended_comparisons,
    by_constraints,
    compared,
    equality,
    on_objects,
    through_proxies,
    told_truth,
    unbound_through_proxies,
    unconverted,
)
from .functions.functions import location
from .functions.implicit import default_constructor
from .questions.questions import Questions
from .records.order import dependencies_first
from .records.records import INCOMPLETE, Records
from .records.shapes import Shapes
from .records.unread import unread


class Reading:
    """Reads one unit; what depends on a question without an answer is provisional."""

    def __init__(
        self,
        unit: ParsedUnit,
        questions: Questions,
        expose: tuple[str, ...],
        only: tuple[str, ...],
        *,
        alone: bool = False,
        patient: bool = False,
        names: tuple[str, ...] = (),
    ) -> None:
        self._unit = unit
        self._alone = alone or bool(names)  # nothing is said of what else the header has
        self._names = names
        self._troubles = Troubles(unit)
        self._types = Types(unit, self._troubles)
        self._questions = questions
        self._records = Records(self._types, questions)
        self._types.function = read_function_type
        self._types.callback = callback
        self._exposure = Exposure(unit, expose, only)
        self._records.own = self._exposure.declares
        self._types.binds = lambda type_, name: self._exposure.declares(type_) or self._exposure.named(name)
        self._macros = (
            None if self._alone and CONSTANTS not in names else Macros(unit, self._exposure, questions)
        )
        if self._macros:
            self._exposure.meant = frozenset(target for _, target in self._macros.renames())
        self._collected = Collected()
        self._instantiated: set[str] = set()  # the classes that the header instantiates explicitly
        self._later = LaterNames(self._types, self._records, self._collected, patient=patient)
        self._protocols = Protocols(self._types, self._records, questions, self._collected, alone=self._alone)
        self._declarations = Declarations(
            self._types, self._records, questions, self._collected, self._protocols
        )
        self._along: Along | None = None
        if names:
            self._along = Along(
                self._types, self._records, self._declarations, self._collected, self._exposure,
                lambda: typedefs(unit, expose, only),
            )  # fmt: skip
        self._instantiating = Instantiating(self._types, questions, self._declarations, self._collected)
        self._instantiating.most = MOST_AT_ONCE if patient else None
        self._standard = StandardClasses(
            unit, self._exposure, self._records, self._declarations, self._collected, questions.inheritance
        )

    def module(self, *, whole: bool) -> Module | None:
        """Everything exposed, bound or skipped; None where a question waits for its answer, unless all is due."""
        collected = self._collected
        own = set() if self._alone and not self._names else self._declared()
        self._unnamed()
        self._instantiating.imply(self._records, own - self._instantiated, self._instantiated)
        self._instantiating.read()
        self._standard.follow()
        self._instantiating.imply_bases(self._records, own)
        self._bases_elsewhere()
        self._friends_elsewhere()
        self._calls()
        if not self._unit.c:
            self._standard.derive()
        self._equalities()
        self._ask_ahead()
        collected.add(list(through_proxies(collected.functions, self._questions.ask)))
        collected.functions[:] = unconverted(collected.functions, self._assigns_otherwise)
        self._drop_repeated()
        self._protocols.read()
        self._mentioned()
        if not self._unit.c:
            self._standard.name()
        self._later.end(self._declarations.read)
        self._unseen()
        self._constant_macros()
        self._expression_macros()
        self._type_macros()
        if not self._alone and (whole or not self._questions.pending):
            self._loose_errors()
            self._left_out()
        if not self._alone:
            self._elsewhere()
        if self._questions.pending and not whole:
            return None
        records, enums = (
            dependencies_first(self._records.structs.values()),
            tuple(self._records.enums.values()),
        )
        # Records and enums of other files count as exposed by being used.
        used = sum(r.name not in own for r in records) + sum(e.name not in own for e in enums)
        unbound = [*self._unbound()]
        return Module(
            self._unit.request.language,
            tuple(collected.functions),
            records,
            enums,
            tuple(collected.constants),
            tuple(collected.variables),
            tuple(collected.aliases),
            tuple(collected.skipped),
            collected.exposed + used,
            self._unit.included(),
            repeated=(
                *self._exposure.repeated.items(),
                *self._exposure.further,
                *(self._macros.renames() if self._macros else ()),
            ),
            templates=tuple(collected.templates),
            instances=tuple(collected.instances),
            later=tuple(collected.later),
            unread=() if self._unit.c or self._alone else tuple(self._unread()),
            unmatched=() if self._alone else self._exposure.unmatched(),
            shapes=self._shapes(records),
            others=() if self._alone else tuple(self._others()),
            rewrites=not self._unit.c and _rewrites(self._unit.request.flags),
            unbound=(*unbound, *unbound_through_proxies(collected.functions, unbound, self._questions.ask)),
        )

    def _others(self) -> Iterator[str]:
        for name in self._unit.included():
            if not is_compilers(name) and not self._exposure.files.exposes(name):
                yield name

    def _shapes(self, records: Iterable[Struct]) -> tuple[Shape | Enum, ...]:
        """What the records are made of, to tell them from namesakes of other libraries."""
        inheritance = None if self._unit.c else self._questions.inheritance
        return Shapes(inheritance).of(records, self._records.declared)

    @property
    def unsure(self) -> frozenset[str]:
        """Of some names: the records that are bound or not as other declarations have it."""
        return frozenset(self._along.unsure) if self._along else frozenset()

    def end(self) -> None:
        """Let go of the unit, as soon as it is read: its parts know each other, and Python would be late to see it."""
        parts: tuple[object, ...] = (
            self._types, self._records, self._exposure, self._macros, self._declarations, self._instantiating,
            self._protocols, self._later, self._along, self._standard,
        )  # fmt: skip
        for part in parts:
            if part is not None:
                vars(part).clear()

    def _declared(self) -> set[str]:
        """Read every exposed declaration; the names of the records and enums that are bound."""
        own: set[str] = set()
        every = groups(self._exposure) if not self._names else listed(self._exposure, self._names)
        self._later.begin(every)
        if self._along:
            self._along.begin(every)
        for group in every:
            self._collected.exposed += count(group)
            if self._later.takes(group):
                continue
            bound = self._declarations.read(group)
            if bound and group[0].kind in (*RECORDS, Decl.ENUM) and is_named(group[0].cursor):
                name = plain_name(self._types.spelling(group[0].cursor.type))
                own.add(name)
                if any(is_explicit_instantiation(declared.cursor) for declared in group):
                    self._instantiated.add(name)
        if self._along:
            self._along.read()
        return own

    def _unnamed(self) -> None:
        """Read the members of the classes without names, now that variables and members spell these."""
        known: set[str] = set()
        while names := [n for n in self._records.unnamed if n not in known and not self._unit.c]:
            known.update(names)
            for name in names:
                if not self._alone or self._names or "<" in name:
                    self._members_of(self._records.unnamed[name], name)

    def _members_of(self, type_: ClangType, name: str) -> None:
        """Bind the members of a class without a name, where the class itself is bound."""
        try:
            struct = self._types.value(type_)
        except CannotCross:  # whoever has an object of it says so
            return
        cursor = type_.get_declaration()
        if not isinstance(struct, Struct) or not self._binds(type_, name):
            return
        self._declarations.implied(cursor, struct)
        for group in grouped(self._exposure.of_unnamed(cursor, name)):
            self._collected.exposed += count(group)
            self._declarations.read(group)

    def _binds(self, type_: ClangType, name: str) -> bool:
        """Whether the members of a class without a name are bound: as those of the class around it."""
        outer = name.rpartition("::")[0]
        return self._exposure.declares(type_) or bool(outer and self._exposure.named(outer))

    def _bases_elsewhere(self) -> None:
        """Read the plain bases, of headers that are not exposed, of the classes that templates made."""
        inheritance, declared = self._questions.inheritance, self._records.declared
        made = [i.target for i in self._collected.instances if i.kind == "type" and i.target in declared]
        for base in [base for name in made for base in inheritance.of(declared[name].type)]:
            for group in grouped(self._exposure.base(base.type, base.access)):
                self._collected.exposed += count(group)
                self._declarations.read(group)

    def _friends_elsewhere(self) -> None:
        """Name the class templates of other headers whose friends are operators of classes that derive from them."""
        known = {t.qualified for t in self._collected.templates}
        for name, cursor in tuple(self._records.declared.items()) if not self._alone else ():
            if name not in self._records.structs or self._exposure.hides(cursor):
                continue
            for base in self._questions.inheritance.line(cursor.type):
                made = self._exposure.template_elsewhere(base)
                if made is None or made.qualified in known:
                    continue
                known.add(made.qualified)
                if (template := read_template([made])).operators:
                    self._collected.exposed += 1
                    self._collected.templates.append(template)

    def _drop_repeated(self) -> None:
        """Where a class declares ``==`` after ``<=>``, its own is meant; where names mix, all are methods."""
        functions = self._collected.functions
        declared = {compared(f) for f in functions if not f.implicit}
        kept = [f for f in functions if not (f.implicit and f.expression and compared(f) in declared)]
        self._collected.exposed -= len(functions) - len(kept)
        self._collected.functions[:] = on_objects([*by_constraints(kept, self._questions.ask)])

    def _mentioned(self) -> None:
        """Bind the records that signatures point to; they stay mere names where they cannot be bound.

        Where the header's declarations are not read, those with names like ``_xmlNode`` are bound here, too.
        """
        if self._along:
            self._along.read()
            return
        for name, type_ in list(self._records.mentioned.items()):
            standard = is_standard(name) and not is_object(name)
            if standard and not (self._alone and self._exposure.declares(type_)):
                continue
            try:
                self._types.value(type_)
            except CannotCross:
                continue

    def _unseen(self) -> None:
        """Say why public members of the bound records are not bound; a bound base says it of its own."""
        structs = self._records.structs
        bound = {struct.name for struct in structs.values()}
        for name in (struct.name for struct in structs.values()):
            for label, member in self._records.unseen.get(name, {}).items():
                if member.home == name or member.home not in bound:
                    self._collected.miss(f"{name}::{label}", member)

    def _equalities(self) -> None:
        """Bind what nobody has read of records of files that are not exposed: equality, truth, how fields begin."""
        known = {f.owner for f in self._collected.functions if f.name == "operator=="}
        known |= {name for f in self._collected.functions for name in _befriended_by_std(f)}
        made = {f.owner for f in self._collected.functions if f.kind == "constructor"}
        for name, struct in self._hidden() if not self._unit.c else ():
            if name not in made and not isinstance(struct, Handle):
                cursor = self._records.declared[name]
                self._collected.add(
                    list(default_constructor(cursor, struct, self._records.traits(cursor.type)))
                )
            if name not in known:
                self._collected.add(list(equality(struct, self._questions.ask)))
            if self._questions.inheritance.says_truth(self._records.declared[name].type):
                self._collected.add(list(told_truth(struct, self._questions.ask)))
        self._compared()

    def _assigns_otherwise(self, name: str) -> bool:
        """Whether a class has an ``operator=`` that is not bound: C++ may prefer it, or refuse."""
        declared = self._records.declared.get(name)
        members = children_of(written_class(declared.type), Decl.METHOD) if declared is not None else ()
        closed = any(m.spelling == "operator=" and m.access_specifier.value != PUBLIC for m in members)
        return closed or name in self._collected.owners_of_unbound("operator=")

    def _ask_ahead(self) -> None:
        """Ask about classes that wait for an answer what is asked of those that are read."""
        for type_ in self._records.awaited:
            name, declaration = plain_name(self._records.name_of(type_)), type_.get_declaration()
            if name in self._records.structs or not self._exposure.hides(declaration):
                continue
            if self._exposure.named(name.partition("<")[0]):
                continue
            extent = Extent(type_.get_size(), type_.get_align())
            stand_in = Struct(name, (), fixed=extent, spelling=self._records.spelling(type_))
            list(equality(stand_in, self._questions.ask))
            if self._questions.inheritance.says_truth(type_):
                list(told_truth(stand_in, self._questions.ask))

    def _compared(self) -> None:
        """Bind comparisons that templates write, by friends of what a class derives from and by ``<=>``, and those
        that stand beside a base in a header that is not exposed, as the standard library's do.
        """
        functions, templates = self._collected.functions, self._collected.templates
        written = any(THREE_WAY in (template.name, *template.operators) for template in templates)
        for name, struct in () if self._unit.c else tuple(self._records.structs.items()):
            cursor = self._records.declared.get(name)
            friends = (
                self._questions.inheritance.befriended(cursor.type)
                if cursor is not None
                else frozenset[str]()
            )
            if written and "<" in struct.name:  # an instantiation, of which C++ may write them so
                friends |= {THREE_WAY}
            ours = name.startswith(f"{OVERRIDING}::")  # its base has what compares the two
            if cursor is not None and not ours and self._derives_from_elsewhere(cursor.type):
                friends |= {THREE_WAY}
            if friends:
                self._collected.add(
                    list(befriended_comparisons(struct, friends, functions, self._questions.ask))
                )

    def _calls(self) -> None:
        """Bind the calls of each ``std::function`` that C++ gives; what one of them gives may be another."""
        declared, known = self._records.declared, set[str]()
        while names := [n for n in self._records.structs if n not in known and n in declared]:
            known.update(names)
            for name in (n for n in names if is_function(declared[n].type.get_canonical())):
                self._collected.exposed += 1
                try:
                    made = call_operator(self._records.structs[name], declared[name].type, self._types)
                    self._collected.functions.append(made)
                except CannotCross as reason:
                    place = location(declared[name])
                    self._collected.skipped.append(
                        Skipped(f"{name}::operator()", "function", str(reason), place)
                    )

    def _derives_from_elsewhere(self, type_: ClangType) -> bool:
        """Whether a base of a class is of a header that is not exposed."""
        line = self._questions.inheritance.line(type_)
        return any(self._exposure.hides(base.get_declaration()) for base in line)

    def _hidden(self) -> list[tuple[str, Struct]]:
        """The records that stand in files that are not exposed, and that no pattern means."""
        found = []
        for struct in self._records.structs.values():
            cursor = self._records.declared.get(struct.name)
            hidden = cursor is not None and self._exposure.hides(cursor)
            if hidden and not self._exposure.named(struct.name.partition("<")[0]):
                found.append((struct.name, struct))
        return found

    def _unread(self) -> Iterator[Unread]:
        """Of those records what is bound are their fields, and what clang was asked of them."""
        request, declared = self._unit.request, self._records.declared
        roots = (*request.include_dirs, *request.system_includes)
        hidden = [name for name, _ in self._hidden() if name not in self._exposure.followed]
        return unread({name: declared[name] for name in hidden}, roots)

    def _constant_macros(self) -> None:
        """Bind the macros that are constants, as far as nothing else has their names."""
        taken = self._taken()
        for macro, variable in self._macros or ():
            if macro.spelling in taken:
                continue
            self._collected.exposed += 1
            place = location(macro)
            try:
                pointer = address(variable, self._types)
                value = pointer[0] if pointer else initial(variable, self._types)
                spelling = self._types.spelling(variable.type)
            except NoConstant as reason:
                self._expression(macro, variable.type, str(reason))
            except CannotCross as reason:
                self._collected.skipped.append(Skipped(macro.spelling, "constant", str(reason), place))
            else:
                aimed = with_measures(pointer[1], variable) if pointer else None
                name = macro.spelling
                self._collected.constants.append(Constant(name, name, value, spelling, place, type=aimed))

    def _expression_macros(self) -> None:
        """Bind the macros whose values only the running program has."""
        renamed, taken = dict(self._macros.renames() if self._macros else ()), self._taken()
        for macro, type_ in self._macros.expressions() if self._macros else ():
            if not taken.intersection((macro.spelling, renamed.get(macro.spelling, ""))):
                self._collected.exposed += 1
                self._expression(macro, type_)
        for macro, reason in self._macros.refused() if self._macros else ():
            if macro.spelling not in taken:
                self._collected.exposed += 1
                self._collected.skipped.append(Skipped(macro.spelling, "macro", reason, location(macro)))

    def _type_macros(self) -> None:
        """Bind the macros whose text is a type as second names of it."""
        if not self._macros:
            return
        renamed, taken, bound = dict(self._macros.renames()), self._taken(), self._bound()
        for macro, type_ in self._macros.types():
            name = macro.spelling
            if name in taken or renamed.get(name) in bound:
                continue
            self._collected.exposed += 1
            try:
                self._declarations.alias(name, name, type_, macro)
            except CannotCross as reason:
                kind = AHEAD_KIND if str(reason) == INCOMPLETE else VALUELESS_KIND
                self._collected.skipped.append(Skipped(name, kind, str(reason), location(macro)))

    def _expression(self, macro: Cursor, type_: ClangType, no_constant: str = "") -> None:
        """Bind a macro as an expression, or say why it is none, or why it is no constant."""
        try:
            self._collected.functions.append(read_expression(macro, type_, self._types))
        except CannotCross as reason:
            words = no_constant or str(reason)
            self._collected.skipped.append(Skipped(macro.spelling, "constant", words, location(macro)))

    def _left_out(self) -> None:
        """Say of what is left out without a warning why it is."""
        bound = {*self._records.structs, *self._records.enums, *self._collected.names()}
        missed = [
            *reserved(self._exposure, bound),
            *used(self._exposure, bound),
            *ahead(self._exposure, bound),
        ]
        missed += befriended(self._exposure, bound)
        missed += directed(self._exposure, bound)
        if self._macros:
            taken, has = self._taken(), self._bound()
            missed += with_parameters(self._macros, taken)
            missed += without_values(self._macros, taken, has)
            missed += of_functions(self._macros, self._exposure, taken)
            missed += of_members(self._macros, self._records.structs)
            known = taken | {s.name for s in missed}
            missed += of_names(self._macros, self._exposure, known, has, self._collected.skipped)
            known |= {s.name for s in (*missed, *self._collected.skipped)}
            missed += other_macros(self._macros, known, has)
        self._collected.exposed += len(missed)
        self._collected.skipped += missed

    def _elsewhere(self) -> None:
        """Say of what classes have from other headers that it is not bound."""
        if self._unit.c or self._unit.request.dialect != "cxx":
            return
        classes = {*self._records.structs, *(enum.name for enum in self._records.enums.values())}
        lost = [
            *members_elsewhere(self._records, self._questions.inheritance, self._standard.waits),
            *operators_elsewhere(self._unit.top, self._exposure, classes),
            *members_and_friends(self._records.declared, self._unread()),
        ]
        hidden = [(struct, self._records.declared[name]) for name, struct in self._hidden()]
        lost = self._protocols.show_elsewhere((h for h in hidden if not is_standard(h[0].name)), lost)
        known = self._collected.names()
        for missing in {s.name: s for s in lost}.values():
            if missing.name not in known:
                self._collected.exposed += 1
                self._collected.skipped.append(missing)

    def _unbound(self) -> Iterator[UnboundOverload]:
        """What C++ considers beside what is bound; in C no name has overloads."""
        if self._unit.c or self._unit.request.dialect != "cxx":
            return
        collected, records = self._collected, self._records
        found = UnboundOverloads(self._unit, self._exposure, collected.functions, collected.skipped)
        enums = [enum.name for enum in records.enums.values()]
        yield from found.of_functions([] if self._alone else [*records.structs, *enums])
        # What an instantiation mentions has its operators where it is bound.
        alone = self._alone and not self._names
        own = {f.owner for f in collected.functions} if alone else records.structs.keys()
        for name, struct in records.structs.items():
            bound = name in records.declared and name in own
            if bound and not is_standard(name) and not name.startswith(OVERRIDING):
                yield from found.of_class(struct, records.declared[name])

    def _bound(self) -> set[str]:
        """The names of what is bound, and of the scopes around that; what repeats it has others."""
        collected = self._collected
        parts = (
            collected.functions,
            collected.constants,
            collected.variables,
            collected.aliases,
            collected.later,
        )
        names = {*self._records.structs, *(enum.name for enum in self._records.enums.values())}
        names |= {declared.qualified for part in (*parts, collected.templates) for declared in part}
        names |= _scopes(names)
        again = {name for name, meant in self._exposure.repeated.items() if meant in names}
        return names | again | _scopes(again)

    def _taken(self) -> set[str]:
        """The names that other declarations have."""
        enums = self._records.enums.values()
        taken = {name for enum in enums if not enum.scoped for name, _ in enum.members}
        return taken | self._collected.names()

    def _loose_errors(self) -> None:
        """Errors in exposed files that lie in no declaration that was seen: the code there was lost."""
        for problem in self._unit.problems:
            if self._exposure.files.exposes(problem.file) and problem not in self._troubles.explained:
                self._collected.exposed += 1
                reason = f"clang could not read it: {problem.message}"
                self._collected.skipped.append(
                    Skipped(self._line(problem), "declaration", reason, problem.location)
                )

    def _line(self, problem: Problem) -> str:
        lines = self._unit.text(problem.file).decode("utf-8", "replace").splitlines()
        return lines[problem.line - 1].strip() if problem.line <= len(lines) else ""


def _scopes(names: Iterable[str]) -> set[str]:
    return {name[: found.start()] for name in names for found in re.finditer("::", name)}


def _befriended_by_std(function: Signature) -> Iterator[str]:
    """The classes of ``std`` that a free ``==`` compares, which was read as their friend."""
    if function.name == "operator==" and not function.owner:
        types = (unqualified(parameter.type) for parameter in function.parameters)
        yield from (t.name for t in types if isinstance(t, Struct) and t.name.startswith("std::"))


def _rewrites(flags: Iterable[str]) -> bool:
    """Whether the language has comparisons that C++ writes by others: the last standard that is named counts."""
    named = [flag.removeprefix("-std=") for flag in flags if flag.startswith("-std=")]
    return bool(named) and named[-1].removeprefix("gnu").removeprefix("c").removeprefix("++") in _REWRITING


_REWRITING = frozenset({"20", "2a", "23", "2b", "26", "2c", "latest"})
