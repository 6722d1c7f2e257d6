"""The direct bases of every class; those of an instantiation, which libclang does not list, are asked of clang."""

from __future__ import annotations

from collections.abc import Iterator

from ...frozen import frozen
from ...later import later_pattern
from ..clang.kinds import PUBLIC, RECORDS, TEMPLATE_PARAMETERS, Decl, Kind
from ..clang.libclang import (
    ClangType,
    Cursor,
    children,
    children_of,
    constructs,
    friend_functions,
    is_virtual_base,
    kind_of,
    parameter_text,
    scopes_of,
    tells_truth,
    template_arguments,
    template_of,
    template_parameters,
    type_kind,
    written_class,
)
from ..clang.parse import ParsedUnit
from ..clang.places import extent_of, place_of
from ..spellings import split_outside
from .member_lookup import Found, MemberLookup, spelled

_LIST = "template <class...> struct samebytes_list;"
_PREFIX = "samebytes_base"
_ALIAS = later_pattern(rf"using ({_PREFIX}\d+_\d+) =")
_SIZES = (
    "template <unsigned long...> struct samebytes_sized;"
    " template <class... T> samebytes_sized<sizeof(T)...>* samebytes_sizes(samebytes_list<T...>*);"
)
# Each class has its own, or Python has no use for it.
_OF_EACH = frozenset({"operator=", "operator new", "operator new[]", "operator delete", "operator delete[]"})
_COMPLETED = 'static_assert(sizeof(samebytes_sizes(static_cast<{}*>(nullptr))), "");'


@frozen
class BaseClass:
    """One direct base.

    Attributes
    ----------
    type : clang type
        Canonical.
    access : int
        1 public, 2 protected, 3 private.
    """

    type: ClangType
    access: int
    virtual: bool

    @property
    def cursor(self) -> Cursor:
        """The declaration of the base."""
        return self.type.get_declaration()


class Inheritance:
    """The bases of classes, over the rounds of parsing.

    A template's bases depend on its parameters. So clang is asked with a class of the same parameters beside the
    template, which matches the instantiation and names the bases as the template does.
    """

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}  # the question about each instantiation
        self._answers: dict[str, list[BaseClass] | None] = {}
        self._pending: set[str] = set()
        self._unit: ParsedUnit | None = None
        self._declared: dict[tuple[str | None, int, int, str], frozenset[str]] = {}  # by class, its own names
        self._known: dict[str, list[BaseClass] | None] = {}  # what this parse says, by class
        self._befriended: dict[str, frozenset[str]] = {}  # likewise
        self.lookup = MemberLookup(self.of, self.names)

    @property
    def pending(self) -> bool:
        """Whether the bases of a class are still to be asked."""
        return bool(self._pending)

    def of(self, type_: ClangType) -> list[BaseClass]:
        """The direct bases of a class, in order; empty while those of an instantiation are not known."""
        return self.known(type_) or []

    def known(self, type_: ClangType) -> list[BaseClass] | None:
        """The same; None where they are not known yet, or cannot be."""
        key = spelled(type_)
        if key not in self._known:
            self._known[key] = self._find(type_, key)
        return self._known[key]

    def _find(self, type_: ClangType, key: str) -> list[BaseClass] | None:
        cursor = type_.get_declaration()
        written = children_of(cursor, Decl.BASE)
        pattern = template_of(cursor) if not written and "<" in type_.spelling else None
        declared = [] if pattern is None else children_of(pattern, Decl.BASE)
        if pattern is None or not declared or self._has_body(cursor, pattern):
            return [_base(b, b.type) for b in written]
        if key not in self._answers and key not in self._texts:
            texts = [self._text(base) for base in declared]
            self._texts[key] = _question(pattern, declared, texts, key, len(self._texts))
            self._pending.add(key)
        return self._answers.get(key)

    def _has_body(self, cursor: Cursor, pattern: Cursor) -> bool:
        """Whether somebody wrote a class out that a template would make: then it has its own bases alone."""
        file, start, end = extent_of(cursor)
        if place_of(cursor) == place_of(pattern) or self._unit is None or file is None:
            return False
        return b"{" in self._unit.text(file)[start:end]

    def ask_further(self) -> tuple[str, ...]:
        """Ask about the bases of all bases that are known: the lines that ask that, and nothing else."""
        for type_ in [base.type for bases in self._answers.values() for base in bases or ()]:
            if "<" in type_.spelling:
                self.known(type_)
        if not self._pending:
            return ()
        asked = [self._texts[key] for key in self._asked_now()]
        # Which of a template's forms a base is made of, clang knows once the base is complete.
        completed = [_COMPLETED.format(name) for text in asked for name in _ALIAS.findall(text)]
        return (_LIST, *asked, _SIZES, *completed)

    def answer_further(self, unit: ParsedUnit) -> None:
        """Take the answers from a unit that was asked no more than these lines."""
        self._unit = unit
        found, numbers = _told(unit), {key: number for number, key in enumerate(self._texts)}
        for line, key in enumerate(self._asked_now(), 3):
            self._take(key, found.get(numbers[key], {}), refused=line in unit.own_errors)
            self._known.pop(key, None)
        self._pending.clear()

    def _asked_now(self) -> list[str]:
        return [key for key in self._texts if key in self._pending]

    def _text(self, base: Cursor) -> str:
        """A base as its template names it; libclang leaves the dots of a pack out, a base-clause ``typename``."""
        end = base.extent.end
        after = self._unit.text(end.file.name)[end.offset :] if self._unit and end.file else b""
        name = base.type.spelling
        member = len(split_outside(name, "::")) > 1 and not name.startswith("typename ")
        return f"{'typename ' * member}{name}{'...' * after.lstrip().startswith(b'...')}"

    def declared(self, type_: ClangType) -> frozenset[str]:
        """Every name that a class itself declares, in its anonymous structs too."""
        source = written_class(type_)
        key = (*place_of(source), source.displayname)
        if key not in self._declared:
            self._declared[key] = frozenset(_names(source))
        return self._declared[key]

    def line(self, type_: ClangType) -> Iterator[ClangType]:
        """The bases of a class, and theirs, whoever may see them."""
        for base in self.of(type_):
            yield base.type
            yield from self.line(base.type)

    def shows(self, type_: ClangType, base: ClangType) -> bool:
        """Whether everyone may take an object of a class for one of a base, or of the class itself."""
        same = type_.get_declaration() == base.get_declaration()
        return same or any(b.access == PUBLIC and self.shows(b.type, base) for b in self.of(type_))

    def says_truth(self, type_: ClangType) -> bool:
        """Whether a class may say whether its objects are true: it converts them, or negates them."""
        written = (m for one in (type_, *self.line(type_)) for m in children(written_class(one)))
        return any(map(tells_truth, written)) or "operator!" in self.befriended(type_)

    def befriended(self, type_: ClangType) -> frozenset[str]:
        """The functions that class templates in a class's line define as friends: C++ finds them by its objects."""
        key = spelled(type_)
        if key not in self._befriended:
            source = written_class(type_)
            if (
                kind_of(source) in RECORDS
            ):  # written out, or by the template of the class that it is inside of
                inside = template_of(source) if not key.endswith(">") else None
                own = {f.spelling for f in friend_functions(inside)} if inside is not None else set()
            else:
                own = {f.spelling for f in friend_functions(source)}
            bases = self.of(type_)
            if self.pending and not bases:
                return frozenset(own)  # what it derives from is still to be asked
            self._befriended[key] = frozenset(own).union(*(self.befriended(base.type) for base in bases))
        return self._befriended[key]

    def names(self, type_: ClangType) -> set[str]:
        """Every name that a class declares or inherits."""
        return set(self.declared(type_)).union(*(self.names(base.type) for base in self.of(type_)))

    def aggregate(self, type_: ClangType) -> bool:
        """Whether a class and its bases declare no constructor, but for those that they default or delete."""
        made = self.constructors(type_)
        bare = all(c.is_default_method() or c.is_deleted_method() for c in made)
        return bare and all(self.aggregate(base.type) for base in self.of(type_))

    def constructors(self, type_: ClangType) -> list[Cursor]:
        """The constructors that a class declares."""
        source = written_class(type_)
        return [c for c in children(source) if constructs(c, source)]

    def hidden(self, type_: ClangType) -> tuple[str, ...]:
        """Names that a class does not inherit: it declares them itself, or C++ finds none that everyone may use.

        Of operators also those that it declares for itself alone: C++ looks no further, for built-in ones either.
        """
        names = self.names(type_)
        closed = self.lookup.barred(type_, [name for name in names if name.startswith("operator")])
        if not self.of(type_):
            return tuple(sorted(closed))
        inherited = set[str]().union(*(self.names(base.type) for base in self.of(type_)))
        using = children_of(type_.get_declaration(), Decl.USING)
        used = {c.spelling for c in using if c.access_specifier.value == PUBLIC}
        own = inherited & self.declared(type_) - used
        lost = {name for name, found in self.shared(type_).items() if found.home is None}
        return tuple(sorted(own | lost | closed))

    def shared(self, type_: ClangType) -> dict[str, Found]:
        """What C++ finds under the names that several direct bases of a class have."""
        names = self.lookup.shared(type_)
        return self.lookup.find(type_, names) if names else {}

    def lines(self) -> tuple[str, ...]:
        """The lines of the synthetic main file, one for each class, and one before them."""
        return (_LIST, *self._texts.values()) if self._texts else ()

    def forget(self) -> None:
        """Let go of the last parse."""
        self._unit, self._answers = None, dict.fromkeys(self._answers)
        self._known.clear()
        self._befriended.clear()

    def answer(self, unit: ParsedUnit, before: int) -> None:
        """Take the answers; ``before`` lines of questions stand before ours."""
        self._unit, keys = unit, list(self._texts)
        found = _told(unit) if keys else {}
        for number, key in enumerate(keys):  # after #include and the list's own line
            self._take(key, found.get(number, {}), refused=3 + before + number in unit.own_errors)
        self._pending.clear()
        self._known.clear()  # cursors of the last parse
        self._befriended.clear()

    def _take(self, key: str, aliases: dict[int, Cursor], *, refused: bool) -> None:
        self._answers[key] = None if refused else list(_answered(aliases))


def _told(unit: ParsedUnit) -> dict[int, dict[int, Cursor]]:
    """The aliases that answer each question, by its number."""
    found: dict[int, dict[int, Cursor]] = {}
    for cursor in unit.asked:
        if kind_of(cursor) == Decl.ALIAS and cursor.spelling.startswith(_PREFIX):
            number, index = map(int, cursor.spelling[len(_PREFIX) :].split("_"))
            found.setdefault(number, {})[index] = cursor
    return found


def _names(cursor: Cursor) -> set[str]:
    names: set[str] = set()
    for child in children(cursor):
        if kind_of(child) == Decl.BASE or kind_of(child) in TEMPLATE_PARAMETERS:
            continue
        named = child.spelling.isidentifier()
        if named or (child.spelling.startswith("operator") and child.spelling not in _OF_EACH):
            names.add(child.spelling)
        # What C++ looks up in the class itself: the members of its anonymous ones, the enumerators of its enums; not
        # what operators, whose names are no identifiers either, call their parameters.
        anonymous = not named and kind_of(child) in RECORDS
        if anonymous or (kind_of(child) == Decl.ENUM and not child.is_scoped_enum()):
            names |= _names(child)
    return names


def _base(specifier: Cursor, type_: ClangType) -> BaseClass:
    return BaseClass(type_.get_canonical(), specifier.access_specifier.value, is_virtual_base(specifier))


def _answered(aliases: dict[int, Cursor]) -> Iterator[BaseClass]:
    """The classes inside each ``samebytes_list``; its number holds access and ``virtual`` of the base specifier."""
    for _, alias in sorted(aliases.items()):
        listed = alias.underlying_typedef_type.get_canonical()
        how = int(alias.spelling.rpartition("_")[2]) % 8
        for argument in template_arguments(listed):
            type_ = argument.get_canonical()
            if type_kind(type_) == Kind.RECORD:
                yield BaseClass(type_, how % 4, how >= 4)


def _question(pattern: Cursor, bases: list[Cursor], texts: list[str], key: str, number: int) -> str:
    """One line: a class that matches the instantiation, and an alias of a list for each base specifier."""
    own = f"samebytes_from{number}"
    exact = key.replace("(anonymous namespace)::", "")
    named = [_named(c, i) for i, c in enumerate(template_parameters(pattern))]
    special = kind_of(pattern) == Decl.PARTIAL_SPECIALIZATION
    meant = pattern.displayname if special else f"{pattern.spelling}<{', '.join(used for _, used in named)}>"
    lists = "".join(f" using b{i} = samebytes_list<{text}>;" for i, text in enumerate(texts))
    head = ", ".join(declared for declared, _ in named)
    scopes, path = scopes_of(pattern)
    inside = f"template <class> struct {own}; template <{head}> struct {own}<{meant}> {{{lists} }};"
    name = "".join(f"{part}::" for part in path) + f"{own}<{exact}>"
    if kind_of(pattern.semantic_parent) in (*RECORDS, Decl.CLASS_TEMPLATE):
        # Only a class derived from the one around it knows what that calls its types.
        around, _, _ = exact.rpartition(f"::{split_outside(exact, '::')[-1]}")
        start = f"struct {own} : {around} {{ {_arguments(pattern.semantic_parent, around)}"
        inside = f"{start}{inside.replace(own, f'{own}_in')} }};"
        name = f"{name.partition('<')[0]}::{own}_in<{exact}>"
    aliases = "".join(
        f" using {_PREFIX}{number}_{8 * i + 4 * is_virtual_base(b) + b.access_specifier.value} = {name}::b{i};"
        for i, b in enumerate(bases)
    )
    return f"{''.join(scopes)}{inside}{' }' * len(scopes)}{aliases}"


def _arguments(template: Cursor, instance: str) -> str:
    """What the parameters of a class template are in an instantiation of it; a plain class has none."""
    if kind_of(template) != Decl.CLASS_TEMPLATE or not instance.endswith(">"):
        return ""
    last = split_outside(instance, "::")[-1]
    values = split_outside(last[last.index("<") + 1 : -1], ",")
    return "".join(
        f"using {parameter.spelling} = {value.strip()}; "
        for parameter, value in zip(template_parameters(template), values, strict=False)
        if kind_of(parameter) == Decl.TYPE_PARAMETER and parameter.spelling
    )


def _named(parameter: Cursor, index: int) -> tuple[str, str]:
    """A template's parameter as a specialization declares it, without default, and as it is used."""
    declared = split_outside(parameter_text(parameter), "=")[0].strip()
    name = parameter.spelling
    if not name:
        name = f"samebytes_x{index}"
        declared = f"{declared} {name}"
    return declared, name + ("..." if "..." in declared else "")
