"""Records and enums of a header: each read once, with the size and alignment that the compiler reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ...types import BOOL, CArray, Const, Enum, Extent, Handle, Scalar, Struct, Type
from ..clang.comments import clean
from ..clang.kinds import CALLABLES, POINTERS, RECORDS, Decl, Kind
from ..clang.libclang import (
    ClangType,
    Cursor,
    canonical,
    children,
    children_of,
    innermost,
    is_virtual_base,
    kind_of,
    passing_of,
    type_kind,
    type_spelling,
)
from ..cxxtypes.copying import copied_by_templates, copies_mutable, only_moves
from ..cxxtypes.cxxtypes import CannotCross, ContainsItself, Types
from ..cxxtypes.referring import referred_classes
from ..cxxtypes.scalars import NUMBERS, promotions
from ..cxxtypes.standard import NO_BYTES, no_object
from ..cxxtypes.type_names import plain_name
from ..cxxtypes.wide import wide_numbers
from ..questions.questions import Questions
from .bases import bases_of, exception_of
from .bytes_alone import TRAITS, is_bytes_alone
from .initial import initial_bytes
from .members import NO_ACTIVE_MEMBER, Members, Unseen
from .protected import protected_members
from .unnamed import is_unnamed, typeof, variables_beside
from .virtuals import virtual_functions

MOST_NESTED = 100
INCOMPLETE = "it is incomplete: only its name is declared"
_TOO_DEEP = f"it nests more than {MOST_NESTED} classes in one another"
# As the question "traits" counts them.
_COPYABLE, _DESTRUCTIBLE, _ABSTRACT, _DEFAULT_CONSTRUCTIBLE, _VIRTUAL, _POLYMORPHIC = 1, 2, 4, 8, 16, 32
_BLANK = 64

_ASSIGNABLE = 256


def _innermost(type_: Type) -> Type:
    while isinstance(type_, CArray | Const):
        type_ = type_.element if isinstance(type_, CArray) else type_.type
    return type_


class Records:
    """Reads each record and each enum of a unit once.

    Attributes
    ----------
    structs : dict of str to Struct
        By spelling, dependencies first.
    mentioned : dict of str to clang type
        Records that a parameter or a result points to.
    pointed : dict of str to clang type, or None
        Records that members of records point to; None: they are not noted, as all that is exposed is read anyway.
    own : callable
        Whether a class is declared in the header's own files.
    declared : dict of str to clang cursor
        By record: its declaration.
    awaited : list of clang type
        Classes that could not be read yet, as something before them waits for an answer.
    unseen : dict of str to dict
        By record: the public members that are not bound, by name.
    unnamed : dict of str to clang type
        By the name that Python has for it: each class without a name that a variable or a member spells.
    """

    def __init__(self, types: Types, questions: Questions) -> None:
        self.structs: dict[str, Struct] = {}
        self.enums: dict[str, Enum] = {}
        self.mentioned: dict[str, ClangType] = {}
        self.pointed: dict[str, ClangType] | None = None
        self.declared: dict[str, Cursor] = {}
        self.unseen: dict[str, dict[str, Unseen]] = {}
        self.unnamed: dict[str, ClangType] = {}
        self._failures: dict[str, str] = {}
        self._reading: set[str] = set()
        self._members: dict[str, Members] = {}
        self._bases: dict[str, Struct] = {}
        self._disputed: dict[str, bool] = {}
        self._names: dict[str, str] = {}
        self._types = types
        self._questions = questions
        self.own: Callable[[ClangType], bool] = lambda type_: False
        self._depth = 0
        self._moved: dict[str, bool] = {}
        self._inspected: dict[str, bool | None] = {}
        self._wide: dict[str, frozenset[str]] = {}
        self._bytes_alone: dict[str, bool] = {}
        self._referred: dict[str, frozenset[str]] = {}
        self.awaited: list[ClangType] = []
        self._nested: dict[str, int] = {}  # how many records each nests, itself included
        self._learned: set[str] = set()
        types.records = self
        types.learn_unnamed = self._learn_unnamed

    def value(self, type_: ClangType) -> Struct:
        """The record as a value.

        Raises
        ------
        CannotCross
            If it is incomplete, empty or not trivially copyable.
        """
        key = plain_name(self._types.name_of(type_))
        if key in self._bases:
            self.structs.setdefault(key, self._bases[key])
        if key in self.structs:
            return self.structs[key]
        if key in self._reading:
            raise ContainsItself
        if key in self._failures:
            raise CannotCross(self._failures[key])
        if self._depth == MOST_NESTED:
            self._failures[key] = _TOO_DEEP
            raise CannotCross(_TOO_DEEP)
        self._reading.add(key)
        self._depth += 1
        try:
            struct = self._read(type_)
        except ContainsItself as reason:
            if self._depth == 1:  # else only while the one around it is read
                self._failures[key] = str(reason)
            raise
        except CannotCross as reason:
            self._failures[key] = str(reason)
            raise
        finally:
            self._depth -= 1
            self._reading.remove(key)
        self.structs[key] = struct
        return struct

    def ask_ahead(self, types: Iterable[ClangType]) -> None:
        """Ask of parameters what reading them asks, where one before them waits for an answer."""
        if self._types.unit.c or not self._questions.pending:
            return
        for type_ in types:
            meant = canonical(passing_of(type_)[1])
            if type_kind(meant) != Kind.RECORD or meant.get_size() < 0:
                continue  # nothing is instantiated that may never be needed
            name = type_spelling(meant)
            if name.startswith(("std::", "const std::")) or self._types.is_of_library(meant):
                continue
            try:
                if not self._trivial(meant, self.spelling(meant)):
                    self.traits(meant)
                self.awaited.append(meant)
            except CannotCross:
                continue

    def mention(self, type_: ClangType) -> None:
        """Remember a record that a signature points to, or a member."""
        noted = self.pointed if self._depth else self.mentioned
        if noted is not None:
            noted.setdefault(plain_name(self._types.name_of(type_)), type_)

    def enum(self, type_: ClangType) -> Enum:
        """The enumeration, with its real underlying type.

        Raises
        ------
        CannotCross
            If its underlying type is not known, or no number format.
        """
        key = plain_name(self._types.name_of(type_))
        if key not in self.enums:
            spelling = self._types.spelling(type_)
            cursor = type_.get_declaration()
            underlying = NUMBERS.get(type_kind(cursor.enum_type.get_canonical()))
            if underlying is None:
                raise CannotCross(
                    "the enum is incomplete or its underlying type is no number that Python knows"
                )
            members = tuple(
                (c.spelling, _wrapped(c.enum_value, underlying))
                for c in children_of(cursor, Decl.ENUM_CONSTANT)
            )
            # C has no overloads.
            promoted = () if self._types.unit.c else promotions(cursor, [value for _, value in members])
            self.enums[key] = Enum(
                self._name(key, spelling), underlying, members, cursor.is_scoped_enum(), self.spelling(type_),
                clean(cursor.raw_comment), promotions=promoted,
            )  # fmt: skip
        return self.enums[key]

    def spelling(self, type_: ClangType) -> str:
        """A spelling to which ``::member`` can be added, as generated assertions do."""
        spelling = _unqualified(self._types.spelling(type_))
        hidden = not self._types.unit.c and spelling.startswith(("struct ", "union ", "enum "))
        return f"samebytes_as<{spelling}>::type" if hidden else spelling

    def _is_aggregate(self, type_: ClangType) -> bool:
        """Whether C++ makes one of its members in braces."""
        declared = self._questions.inheritance.constructors(type_)
        if not declared or not self._questions.inheritance.aggregate(type_):
            return not declared and self._questions.inheritance.aggregate(type_)
        return bool(self._questions.ask("aggregate", self.spelling(type_)))  # the standards differ

    def _is_made_of_nothing(self, type_: ClangType, facts: Mapping[str, Any]) -> bool:
        """Whether C++ makes an object of bytes without arguments; one with const members is zeros in empty braces."""
        if self.traits(type_) & _DEFAULT_CONSTRUCTIBLE:
            return True
        spelling = self.spelling(type_)
        zeros = facts["aggregate"] and not _has_initial_values(type_)
        return bool(zeros and self._questions.ask("gives", f"{spelling}{{}}", spelling))

    def name_of(self, type_: ClangType) -> str:
        """What the unit calls a class."""
        return self._types.name_of(type_)

    def name_unnamed(self, type_: ClangType, expression: str, name: str) -> None:
        """Give a record or enum without a name the spelling and the name of the member that has its type."""
        key = plain_name(self._types.name_of(type_))
        self._types.name_unnamed(key, expression)
        self._names[key] = name
        if type_kind(canonical(type_)) == Kind.RECORD:
            self.unnamed.setdefault(name, type_)

    def _learn_unnamed(self, type_: ClangType) -> None:
        """Find the variable or the member that spells a type without a name, where it is not read yet.

        A template is instantiated without the rest of its header.
        """
        while type_kind(type_) in POINTERS:
            type_ = canonical(type_.get_pointee())
        type_ = innermost(type_)
        key = plain_name(self._types.name_of(type_))
        if not is_unnamed(type_) or key in self._names or key in self._learned:
            return
        self._learned.add(key)
        home = type_.get_declaration().semantic_parent
        if home is not None and kind_of(home) in RECORDS:
            with suppress(CannotCross):
                self._types.value(home.type)
            return
        for variable, qualified in variables_beside(type_):
            if unnamed := typeof(variable, qualified, c=False):
                self.name_unnamed(*unnamed)

    def _name(self, key: str, spelling: str) -> str:
        return self._names.get(key) or plain_name(spelling)

    def _read(self, type_: ClangType) -> Struct:
        cursor = type_.get_declaration()
        if kind_of(cursor.semantic_parent) in CALLABLES:
            raise CannotCross("its class is local to a function, where no other code can name it")
        spelling = self.spelling(type_)
        size, align = type_.get_size(), type_.get_align()
        if size < 0:
            if "<" in type_spelling(type_):
                self._questions.ask("complete", spelling)
                self._questions.ask("trivial", spelling)
            raise CannotCross(INCOMPLETE)
        trivial = self._trivial(type_, spelling)
        self._check_compiles(spelling, *(() if trivial else ("traits",)))
        if not trivial:
            self._check_handle(type_)
        if not self._types.unit.c and self._is_disputed(type_):
            raise CannotCross(
                "it is packed around a class that is no plain C struct: compilers lay that out differently"
            )
        name = self._name(plain_name(self._types.name_of(type_)), _unqualified(self._types.spelling(type_)))
        members = Members(self._types, self._questions, self, type_, name, trivial=trivial)
        self._nested[name] = 1 + self._deepest([f.type for f in members.fields], type_)
        if size == 0 or (not members.fields and members.complete and self._types.unit.c):
            raise CannotCross("it is empty: there are no bytes to pass")
        self._members[name] = members
        self.declared[name] = cursor
        self.unseen[name] = members.unseen
        facts: dict[str, Any] = {
            "fixed": Extent(size, align),
            "complete": members.complete,
            "union": kind_of(cursor) == Decl.UNION,
            "spelling": spelling,
            "doc": clean(cursor.raw_comment),
            "other_names": tuple(members.other_names),
            "flexible": members.flexible,
            "wide": tuple(sorted(wide_numbers(type_, self._inherited, self._wide))),
        }
        if not self._types.unit.c:
            facts["bases"] = bases_of(type_, self, self._questions)
            facts["hidden"] = self._questions.inheritance.hidden(type_)
            facts["found"], facts["twice"] = self._of_several_bases(type_)
            friends = self._questions.inheritance.befriended(type_)
            facts["friends"] = tuple(sorted(name for name in friends if name.startswith("operator")))
            facts["refers"] = tuple(sorted(self._refers(type_)))
            facts["assignable"] = not trivial or bool(self.traits(type_) & _ASSIGNABLE)
            facts["aggregate"] = self._is_aggregate(type_)
            facts["default_constructible"] = not trivial or self._is_made_of_nothing(type_, facts)
            facts["final"] = bool(children_of(cursor, Decl.FINAL_ATTRIBUTE))
            facts["protected"] = protected_members(type_, self._questions.inheritance, self._types)
            facts["range"] = self._questions.inheritance.names(type_) >= {"begin", "end"}
        facts["empty"] = members.complete and not members.fields
        facts["complete"] &= bool(members.fields)  # an empty class is made by its constructor
        facts["copied_by_template"], takes_all = copied_by_templates(type_)
        if trivial:
            return self._with_initial(Struct(name, tuple(members.fields), **facts), type_)
        traits = self.traits(type_)
        made = {
            "copyable": _COPYABLE,
            "destructible": _DESTRUCTIBLE,
            "abstract": _ABSTRACT,
            "virtual": _VIRTUAL,
            "polymorphic": _POLYMORPHIC,
        }
        facts |= {key: bool(traits & bit) for key, bit in made.items()} | {"complete": False}
        facts["copies_mutable"] = takes_all or copies_mutable(type_)
        if facts["polymorphic"]:
            facts["virtuals"] = virtual_functions(type_, self._questions.inheritance, self._types)
            facts["exception"] = exception_of(type_, self._questions.inheritance)
        return Handle(name, tuple(members.fields), **facts)

    def _with_initial(self, struct: Struct, type_: ClangType) -> Struct:
        """The record with its members' initial values, which on the host C++'s constructor gives."""
        unit = self._types.unit
        begins = _DEFAULT_CONSTRUCTIBLE | _BLANK
        if unit.request.dialect == "cxx" or self.traits(type_) & begins != _DEFAULT_CONSTRUCTIBLE:
            return struct
        known = initial_bytes(struct, unit.request.dialect, self._questions.ask) if struct.complete else None
        return replace(struct, initial=known)

    def _of_several_bases(self, type_: ClangType) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
        """In which base C++ finds the names of several ones, and the bases that are there twice."""
        inheritance = self._questions.inheritance
        homes = {name: found.home for name, found in inheritance.shared(type_).items()}
        plain = {n for n in homes if inheritance.lookup.is_plain(type_, n)}
        found = (
            (n, self._known_as(home)) for n, home in homes.items() if home is not None and n not in plain
        )
        return tuple(sorted(found)), tuple(
            sorted(map(self._known_as, inheritance.lookup.twice(type_).values()))
        )

    def _deepest(self, fields: Iterable[Type], type_: ClangType) -> int:
        """How many records the fields and the bases of a class nest.

        Raises
        ------
        CannotCross
            If it is one too many: everything later goes through them one in the other.
        """
        inside = [f.name for f in map(_innermost, fields) if isinstance(f, Struct)]
        inside += [plain_name(self._types.name_of(base)) for base in self._inherited(type_)]
        deepest = max((self._nested.get(name, 0) for name in inside), default=0)
        if deepest >= MOST_NESTED:
            raise CannotCross(_TOO_DEEP)
        return deepest

    def _refers(self, type_: ClangType) -> frozenset[str]:
        return referred_classes(type_, self._inherited, self._plain, self._referred)

    def _known_as(self, type_: ClangType) -> str:
        return plain_name(self._types.name_of(type_))

    def _plain(self, type_: ClangType) -> str:
        try:
            return plain_name(_unqualified(self._types.spelling(type_)))
        except CannotCross:  # a private name: only other members of its class refer to it
            return plain_name(type_.get_canonical().spelling)

    def _inherited(self, type_: ClangType) -> list[ClangType]:
        known = None if self._types.unit.c else self._questions.inheritance.known(type_)
        return [base.type for base in known or ()]

    def _check_compiles(self, spelling: str, *further: str) -> None:
        """Raise for a class of which C++ cannot even say whether it can be copied."""
        for form in ("complete", "trivial", *further):
            if words := self._questions.broken(form, spelling):
                raise CannotCross(f"what C++ makes of it does not compile: {words}")

    def _check_handle(self, type_: ClangType) -> None:
        """Raise for a class that is neither bytes nor an object of its own."""
        if kind_of(type_.get_declaration()) == Decl.UNION:
            raise CannotCross(NO_ACTIVE_MEMBER)
        name = plain_name(self._types.name_of(type_))
        if name.startswith("__gnu_cxx::") or self._types.unit.c:
            raise CannotCross(NO_BYTES)
        if reason := no_object(name):
            raise CannotCross(reason)

    def _trivial(self, type_: ClangType, spelling: str) -> bool:
        if self._types.unit.c:
            return True
        known = None if "<" in type_spelling(type_) else self._inspect(type_)
        if known is not None:
            return known
        # Bytes have no base that is an object of its own, whatever a deleted assignment makes of the word.
        bases = [self._trivial(base, self.spelling(base)) for base in self._inherited(type_)]
        return bool(self._questions.ask("trivial", spelling)) and all(bases)

    def _inspect(self, type_: ClangType) -> bool | None:
        """Whether a class is trivially copyable, where its members show it without a further parse."""
        key = type_spelling(canonical(type_))
        if key not in self._inspected:  # each class once, however often others hold it
            self._inspected[key] = self._members_say(type_)
        return self._inspected[key]

    def _members_say(self, type_: ClangType) -> bool | None:
        for child in children(type_.get_declaration()):
            kind = kind_of(child)
            if kind in (Decl.METHOD, Decl.DESTRUCTOR) and child.is_virtual_method():
                return False
            if kind == Decl.BASE and is_virtual_base(child):
                return False
            if kind == Decl.DESTRUCTOR or (kind == Decl.METHOD and child.spelling == "operator="):
                return None
            if kind == Decl.CONSTRUCTOR and (child.is_copy_constructor() or child.is_move_constructor()):
                return None
            if kind in (Decl.BASE, Decl.FIELD):
                inner = innermost(child.type)
                if type_kind(inner) == Kind.RECORD and (
                    "<" in type_spelling(inner) or not self._inspect(inner)
                ):
                    return None
        return True

    def _is_disputed(self, type_: ClangType) -> bool:
        """Whether GCC and clang lay the record out differently: each has its own rule for packing classes."""
        key = type_spelling(
            canonical(type_)
        )  # a closed class, which no name in C++ means, is asked about, too
        if key not in self._disputed:
            cursor = type_.get_declaration()
            packed = bool(children_of(cursor, Decl.PACKED_ATTRIBUTE))
            bases = self._questions.inheritance.of(type_)
            parts = [base.type for base in bases] + [f.type for f in type_.get_fields()]
            inner = [part for part in map(innermost, parts) if type_kind(part) == Kind.RECORD]
            self._disputed[key] = any(
                self._is_disputed(part) or (packed and not _is_plain(part)) for part in inner
            )
        return self._disputed[key]

    def traits(self, type_: ClangType) -> int:
        """What C++ code outside a class can do with its objects: the answer to the question of that name."""
        if is_bytes_alone(type_, self._bytes_alone):
            return TRAITS
        found = self._questions.ask("traits", self.spelling(type_)) or 0
        return found & ~_COPYABLE if found & _COPYABLE and only_moves(type_, self._moved) else found

    def converted(self, name: str) -> tuple[tuple[str, Type, str], ...]:
        """Of a record: name, type and spelling of the members that only a shim can convert."""
        members = self._members.get(name)
        if members is None:
            return ()
        members.complete_late()
        return tuple(members.converted)

    def base(self, type_: ClangType) -> Struct:
        """A base as a record; it is bound only where a template of the header makes it."""
        key = plain_name(self._types.name_of(type_))
        if key in self.structs:
            return self.structs[key]
        struct = self.value(type_)
        if "<" in key and self.own(type_):
            return struct
        self._bases[key] = self.structs.pop(key)
        return struct


def _has_initial_values(type_: ClangType) -> bool:
    """Whether members of a class are declared with values, or theirs."""
    for member in type_.get_fields():
        part = innermost(member.type)
        words = [token.spelling for token in member.get_tokens()]
        behind = words[words.index(member.spelling) :] if member.spelling in words else ["="]
        if {"=", "{"} & {*behind} or (type_kind(part) == Kind.RECORD and _has_initial_values(part)):
            return True
    bases = children_of(type_.get_declaration(), Decl.BASE)
    return any(_has_initial_values(base.type.get_canonical()) for base in bases)


def _is_plain(type_: ClangType) -> bool:
    """Whether a class is what C could declare, down to its members."""
    cursor = type_.get_declaration()
    inner = [
        part
        for part in (innermost(field.type) for field in type_.get_fields())
        if type_kind(part) == Kind.RECORD
    ]
    return type_.is_pod() and not children_of(cursor, Decl.BASE) and all(map(_is_plain, inner))


def _unqualified(spelling: str) -> str:
    for word in ("const ", "volatile "):
        spelling = spelling.removeprefix(word)
    return spelling


def _wrapped(value: int, scalar: Scalar) -> int:
    """An enumerator as its underlying type holds it."""
    if scalar == BOOL:
        return int(bool(value))
    bits = 8 * scalar.size
    value &= (1 << bits) - 1
    return value - (1 << bits) if scalar.kind == "int" and value >> (bits - 1) else value
