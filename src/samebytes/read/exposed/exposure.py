"""Which declarations a header exposes: those of its own files and of its library's, as ``files`` says which they are.

A public member of an exposed record is a declaration like any other: functions, constants, types, templates, and the
friends that a class declares first. Fields and the destructor belong to their record; only a field that is not bound
counts by itself. What the compiler adds by itself is no declaration; neither are using-declarations and aliases of
namespaces, which only repeat names (and are noted as such), using-directives, nor deduction guides, assertions and the
members of templates.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase, translate
from functools import cached_property

from ...model.intents import suggest
from ...types.naming import split_name
from ..clang.kinds import PUBLIC, RECORDS, REFERENCES, TYPEDEFS, Decl, Kind
from ..clang.libclang import (
    ClangType,
    Cursor,
    access_of,
    befriended_by,
    canonical_hash,
    children_of,
    declarations_in,
    friend_functions,
    is_inline_namespace,
    kind_of,
    of_kinds,
    overloads,
    referred,
    template_of,
    type_kind,
)
from ..clang.parse import ParsedUnit
from ..clang.places import file_at, file_of
from .files import Files
from .specialized import written_out

# What stands in a pattern for more than itself.
_WILD = re.compile(r"[*?\[]")
_RESERVED = re.compile(r"^(__|_[A-Z])")
RESERVED = "C++ keeps its name for the implementation, which does not mean it for users"
_INTERNAL = re.compile(r"^(___|_[A-Z])|internal|__nv_bfloat16_raw|_raw$")
_CONTAINERS = frozenset({Decl.NAMESPACE, Decl.LINKAGE})
_EXPOSED = frozenset(
    {Decl.STRUCT, Decl.UNION, Decl.CLASS, Decl.ENUM, Decl.FUNCTION, Decl.VARIABLE, Decl.TYPEDEF, Decl.ALIAS,
     Decl.FUNCTION_TEMPLATE, Decl.CLASS_TEMPLATE, Decl.ALIAS_TEMPLATE, Decl.CONCEPT, Decl.UNEXPOSED,
     Decl.PARTIAL_SPECIALIZATION}
)  # fmt: skip
_REPEATING = frozenset({Decl.USING, Decl.NAMESPACE_ALIAS, Decl.USING_DIRECTIVE})
_MEMBERS = _EXPOSED | {Decl.METHOD, Decl.CONSTRUCTOR, Decl.CONVERSION}
_ASKED = of_kinds(_EXPOSED, _CONTAINERS | _REPEATING)
_ASKED_OF_RECORDS = of_kinds(_MEMBERS | {Decl.FRIEND, Decl.BASE})
_ACTING = frozenset({Decl.METHOD, Decl.CONSTRUCTOR})
_ASKED_OF_NAMES = of_kinds(TYPEDEFS, _CONTAINERS)
_TEMPLATES = frozenset({Decl.CLASS_TEMPLATE, Decl.PARTIAL_SPECIALIZATION})
_FUNCTIONS = frozenset({Decl.FUNCTION, Decl.FUNCTION_TEMPLATE})
_NO_ACCESS = frozenset({0, PUBLIC})  # outside a class clang has none


class Declared:
    """One exposed declaration and what encloses it; inline and anonymous namespaces enclose nothing.

    Attributes
    ----------
    kind : int
    cursor : clang cursor
    scope : tuple of str
    spelling : str
        Its name as clang has it.
    name : str
        Its name; that of a class that specializes a template has the arguments.
    qualified : str
        How C++ reaches it.
    entity : int
        What it has in common with its redeclarations.
    """

    __slots__ = ("cursor", "entity", "kind", "name", "qualified", "scope", "spelling")

    def __init__(
        self, kind: int, cursor: Cursor, scope: tuple[str, ...], asked: tuple[str, int] | None = None
    ) -> None:
        self.kind, self.cursor, self.scope = kind, cursor, scope
        self.spelling: str
        self.entity: int
        self.spelling, self.entity = asked or (cursor.spelling, canonical_hash(cursor))
        self.name = _name(cursor, self.spelling)
        self.qualified = "::".join((*scope, self.name)) if scope else self.name


def _shared(union: Cursor, scope: tuple[str, ...]) -> Iterator[Declared]:
    """The members of an anonymous union of a namespace: each is a variable there (ISO C++ [class.union.anon])."""
    for field in union.type.get_fields():
        if field.spelling.isidentifier():
            yield Declared(Decl.VARIABLE, field, scope)
        else:
            yield from _shared(field.type.get_declaration(), scope)


def name_of(cursor: Cursor) -> str:
    """A declaration's name; that of a class that specializes a template has the arguments."""
    return _name(cursor, cursor.spelling)


def _name(cursor: Cursor, spelling: str) -> str:
    special = kind_of(cursor) in RECORDS and cursor.get_num_template_arguments() > 0
    return split_name(written_out(cursor.type))[-1] if special else spelling


class Exposure:
    """The rule for one unit.

    Attributes
    ----------
    repeated : dict of str to str
        After iteration: names that using-declarations, using-directives, aliases of namespaces and inline namespaces
        repeat, and what they mean.
    further : list of (str, str)
        After iteration: what else using-declarations repeat under such a name: C++ overloads functions so.
    used : dict of str to (clang cursor, clang cursor)
        After iteration: exposed using-declarations of what files declare that are not exposed, each with what it means.
    ahead : dict of str to (clang cursor, clang cursor)
        After grouping: classes that exposed files only declare, each with its definition, which another file holds.
    befriended : dict of str to clang cursor
        After iteration: functions that class templates define as friends, by name.
    reserved : dict of str to clang cursor
        After iteration: exposed declarations that are for nobody, as C++ keeps their names, by these.
    followed : set of str
        After iteration: classes of files that are not exposed, with their members, as exposed ones derive from them.
    derived_from : set of str
        After iteration: the bases of exposed classes, as C++ spells them.
    files : Files
        Which files are exposed.
    wanted : frozenset of str or None
        The words of the names that alone are looked for; None: all.
    meant : frozenset of str
        Names that are for users although C++ keeps them: those to which macros rename, as GMP's do.
    """

    def __init__(self, unit: ParsedUnit, expose: tuple[str, ...] = (), only: tuple[str, ...] = ()) -> None:
        self._unit = unit
        self._patterns = expose
        # No name of C++ has a slash but that of an operator: a pattern with one means files, and no name of another's.
        self._of_names = tuple(p for p in expose if "/" not in p.replace("operator/", ""))
        self._means = re.compile("|".join(map(translate, self._of_names))).match
        self._beginnings = tuple(_WILD.split(p, maxsplit=1)[0] for p in self._of_names)
        self.files = Files(unit, expose, only)
        self._of_cuda = unit.request.dialect == "cuda" and self.files.is_system
        self._leading = _Leading(unit, self.files, everywhere=bool(self._of_names))
        self.wanted: frozenset[str] | None = None
        self.meant: frozenset[str] = frozenset()
        self.repeated: dict[str, str] = {}
        self.further: list[tuple[str, str]] = []
        self.used: dict[str, tuple[Cursor, Cursor]] = {}
        self.ahead: dict[str, tuple[Cursor, Cursor]] = {}
        self.befriended: dict[str, Cursor] = {}
        self.reserved: dict[str, Cursor] = {}
        self.followed: set[str] = set()
        self.derived_from: set[str] = set()
        self._names: set[str] = set()  # that a pattern may mean
        self._targets: dict[
            str, list[Cursor]
        ] = {}  # of using-declarations that expose= names, by their own names
        self._scopes: dict[tuple[str, ...], dict[str, str]] = {}  # namespace -> its names, what each means
        self._enumerators: dict[str, list[str]] = {}  # enumeration -> its enumerators, as C++ reaches them
        self.used_enums: list[
            tuple[Cursor, tuple[str, ...], str]
        ] = []  # each using enum that nothing here declares
        self._directives: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
        self._directed: list[tuple[Cursor, tuple[str, ...], tuple[str, ...]]] = []  # of exposed files

    def __iter__(self) -> Iterator[Declared]:
        """Every exposed declaration, redeclarations too, in the order of the source."""
        yield from self._walk(self._unit.tu.cursor, (), ())
        for cursors in [*self._targets.values()]:
            for cursor in cursors:
                yield from self._one(
                    Declared(kind_of(cursor), cursor, path_of(cursor) or ()), file_of(cursor) or ""
                )
        self.used_enums = [one for one in self.used_enums if not self._follow_enum(*one)]
        self._follow_directives()

    @property
    def names_macros(self) -> bool:
        """Whether ``expose=`` may mean single macros, of any file: they are in no namespace."""
        return any("::" not in pattern for pattern in self._of_names)

    def named(self, qualified: str) -> bool:
        """Whether a pattern of ``expose=`` means this name."""
        if not self._of_names:
            return False
        self._names.add(qualified)
        return self._means(qualified) is not None or qualified in self._targets

    def unmatched(self) -> tuple[tuple[str, str], ...]:
        """After iteration: each pattern that means no file and no declaration, and words that name the nearest one."""
        lost = [
            p
            for p in self._patterns
            if not (self.files.some(p) or any(fnmatchcase(n, p) for n in self._names))
        ]
        if lost:
            self._beginnings = ("",)  # any name may be the nearest
            for _ in self._walk(self._unit.tu.cursor, (), ()):
                pass
        known = sorted({*self._names, *map(os.path.basename, self._unit.included())}) if lost else []
        return tuple((p, suggest(p, known)) for p in lost)

    def declares(self, type_: ClangType) -> bool:
        """Whether a class is declared in an exposed file."""
        file = file_of(type_.get_declaration())
        return file is not None and self.files.exposes(file)

    def hides(self, cursor: Cursor) -> bool:
        """Whether a declaration stands in a file that is not exposed; the compiler's own stand in none."""
        file = file_of(cursor)
        return file is not None and not self.files.exposes(file)

    def _walk(self, parent: Cursor, scope: tuple[str, ...], written: tuple[str, ...]) -> Iterator[Declared]:
        """The declarations of a namespace; ``written`` is its path with the inline namespaces in it."""
        for kind, cursor, spelling, file, at_home, _, entity in declarations_in(
            parent, _ASKED, self._leading, self.wanted
        ):
            assert file is not None
            if self._of_names and not self._leads(cursor, kind, file, scope):
                continue
            if kind in _REPEATING:
                self._repeat(cursor, scope)
            elif kind == Decl.ENUM and type_kind(cursor.type) == Kind.INVALID:
                # A "using enum", which libclang shows as an enumeration without a type, and not what it names.
                text = "".join(token.spelling for token in [*cursor.get_tokens()][2:]).rstrip(";")
                self.used_enums.append((cursor, scope, text.removeprefix("::")))
            elif kind == Decl.LINKAGE:
                yield from self._walk(cursor, scope, written)
            elif kind == Decl.NAMESPACE:
                yield from self._namespace(cursor, scope, written)
            else:
                # One may be defined outside its scope: ``int ns::f() {…}``; None where that is not public.
                home = scope if at_home else path_of(cursor)
                if home is not None:
                    declared = Declared(kind, cursor, home, (spelling, entity))
                    if home == scope:
                        self._note(declared, written)
                    yield from self._one(declared, file)
                    if kind == Decl.UNION and "(anonymous " in spelling and not self._unit.c:
                        for variable in _shared(cursor, home):
                            yield from self._one(variable, file)

    def _leads(self, cursor: Cursor, kind: int, file: str, scope: tuple[str, ...]) -> bool:
        """Whether a declaration is exposed, or a pattern may mean it or what is in it."""
        if self.files.exposes(file):
            return True
        if kind != Decl.NAMESPACE or is_inline_namespace(cursor):
            return True
        path = "::".join([*scope, cursor.spelling, ""])
        return any(b.startswith(path) or path.startswith(b) for b in self._beginnings)

    def _note(self, declared: Declared, written: tuple[str, ...]) -> None:
        """Remember a name of a namespace, and the longer name that inline namespaces give it."""
        named = {declared.name: declared.qualified}
        if declared.kind == Decl.ENUM:
            scoped = (declared.name,) if declared.cursor.is_scoped_enum() else ()
            names = [c.spelling for c in children_of(declared.cursor, Decl.ENUM_CONSTANT)]
            reached = {name: "::".join([*declared.scope, *scoped, name]) for name in names}
            if reached:
                self._enumerators[declared.qualified] = [*reached.values()]
            named |= {} if scoped else reached
        self._scopes.setdefault(declared.scope, {}).update(named)
        for path in _paths(written, declared.scope):
            self.repeated.update({"::".join([*path, name]): meant for name, meant in named.items()})

    def _follow_directives(self) -> None:
        """The names that using-directives make visible; of several meanings C++ knows none."""
        for scope in dict.fromkeys(scope for scope, _ in self._directives):
            own, seen = self._scopes.get(scope, {}), {scope}
            found: dict[str, set[str]] = {}
            targets = [target for home, target in self._directives if home == scope]
            for target in targets:  # grows while it is read
                if target not in seen:
                    seen.add(target)
                    targets += [further for home, further in self._directives if home == target]
                    for name, meant in self._scopes.get(target, {}).items():
                        found.setdefault(name, set()).add(meant)
            for name, meanings in found.items():
                if name not in own and len(meanings) == 1:
                    self.repeated.setdefault("::".join([*scope, name]), *meanings)

    def directed(self) -> Iterator[tuple[str, Cursor, Cursor]]:
        """After iteration: what exposed using-directives make visible of files that are not exposed.

        Each has the name that it has there, the directive, and its declaration.
        """
        for directive, scope, target in self._directed:
            if target and target[0] != "std":
                for found in self._of_namespace(self._unit.tu.cursor, target):
                    yield "::".join([*scope, found.spelling]), directive, found

    def _of_namespace(self, parent: Cursor, path: tuple[str, ...]) -> Iterator[Cursor]:
        """The named declarations of a namespace in files that are not exposed."""
        for kind, cursor, spelling, *_ in declarations_in(parent, _ASKED, None):
            if kind == Decl.LINKAGE or (kind == Decl.NAMESPACE and is_inline_namespace(cursor)):
                yield from self._of_namespace(cursor, path)
            elif path and kind == Decl.NAMESPACE and spelling == path[0]:
                yield from self._of_namespace(cursor, path[1:])
            elif not path and spelling.isidentifier() and not is_reserved(spelling) and self.hides(cursor):
                yield cursor

    def _repeat(self, cursor: Cursor, scope: tuple[str, ...]) -> None:
        target = referred(cursor)
        if target is None or not target.spelling:
            return
        if kind_of(cursor) == Decl.USING_DIRECTIVE:
            inner = () if is_inline_namespace(target) else (target.spelling,)
            opened = (*(path_of(target) or ()), *inner)
            self._directives.append((scope, opened))
            if not self.hides(cursor):
                self._directed.append((cursor, scope, opened))
            return
        if kind_of(cursor) == Decl.USING and self.hides(target) and not self.hides(cursor):
            self.used["::".join([*scope, cursor.spelling])] = cursor, target
        name = "::".join([*scope, cursor.spelling])
        for named in (
            target,
            *overloads(cursor),
        ):  # functions of more than one namespace, where that has them so
            path = path_of(named)
            meant = "::".join((*(path or ()), named.spelling))
            if name in self._of_names and self._means(meant) is None and self._brings(named, path):
                self._names.add(name)
                known = self._targets.setdefault(meant, [])
                if named not in known:
                    known.append(named)
            if path is None or name == meant or self.repeated.setdefault(name, meant) == meant:
                continue
            if (name, meant) not in self.further:
                self.further.append((name, meant))

    def _brings(self, cursor: Cursor, path: tuple[str, ...] | None) -> bool:
        """Whether exposing a using-declaration exposes what it names: ``std::sin`` is C's ``sin``, too."""
        return (
            path is not None
            and self.hides(cursor)
            and (path[:1] != ("std",) or kind_of(cursor) in _FUNCTIONS)
        )

    def _follow_enum(self, cursor: Cursor, scope: tuple[str, ...], text: str) -> bool:
        """Repeat the enumerators of a ``using enum``; False: its enumeration is none of those that are exposed."""
        for length in range(len(scope), -1, -1):
            name = "::".join([*scope[:length], text])
            found = self._enumerators.get(self.repeated.get(name, name))
            for enumerator in found or ():
                self.repeated.setdefault("::".join([*scope, enumerator.rpartition("::")[2]]), enumerator)
            if found is not None:
                return True
        return False

    def _namespace(
        self, cursor: Cursor, scope: tuple[str, ...], written: tuple[str, ...]
    ) -> Iterator[Declared]:
        name = "" if "(" in cursor.spelling else cursor.spelling
        own = (name,) if name else ()
        inner = () if is_inline_namespace(cursor) else own
        if is_reserved("".join(inner)):
            if not self.hides(cursor):
                self.reserved.setdefault("::".join([*scope, name]), cursor)
        else:
            if inner:
                self._scopes.setdefault(scope, {})[name] = "::".join([*scope, name])
            yield from self._walk(cursor, (*scope, *inner), (*written, *own))

    def _one(self, declared: Declared, file: str, within: bool = False) -> Iterator[Declared]:
        """A declaration and its members, if its file is exposed, a pattern means it, or the class that it is within."""
        name = declared.spelling
        if declared.kind == Decl.UNEXPOSED and not name.isidentifier():
            return
        named = bool(self._of_names) and self.named(declared.qualified)
        if not self.files.exposes(file) and not named and not within:
            return
        kept = self._reserved(name) and not named and not _enumerates(declared.cursor)
        if kept and not self._is_given_a_name(declared, within):
            self.reserved.setdefault(declared.qualified, declared.cursor)
            return
        yield declared
        if declared.kind == Decl.CLASS_TEMPLATE:
            self._befriend(declared)
        if declared.kind in RECORDS and declared.cursor.is_definition() and name.isidentifier():
            if within:
                self.followed.add(declared.qualified)
            inner = (*declared.scope, declared.name)
            yield from self._members(declared.cursor, inner, file, within=named or within)

    def _members(
        self, record: Cursor, scope: tuple[str, ...], file: str, *, within: bool
    ) -> Iterator[Declared]:
        """The public members of a class, its friends, and the members of bases that other headers declare."""
        bases = []
        for kind, cursor, spelling, _, _, access, entity in declarations_in(record, _ASKED_OF_RECORDS, None):
            if kind == Decl.BASE:
                bases.append(cursor)
            elif kind == Decl.FRIEND:
                yield from self._friends(cursor, file, within)
            elif access == PUBLIC:
                yield from self._one(Declared(kind, cursor, scope, (spelling, entity)), file, within)
        for base in bases:
            type_ = base.type.get_canonical()
            self.derived_from.add(type_.spelling)
            yield from self.base(type_, base.access_specifier.value)

    def of_unnamed(self, cursor: Cursor, name: str) -> Iterator[Declared]:
        """The public members of a class without a name, in the scope that Python has for it."""
        yield from self._members(
            cursor, tuple(name.split("::")), file_of(cursor) or "", within=self.hides(cursor)
        )

    def _is_given_a_name(self, declared: Declared, within: bool) -> bool:
        """Whether users have another name for what C++ keeps the name of; a constructor has that of its class."""
        if declared.kind == Decl.CONSTRUCTOR:
            return within or "::".join(declared.scope) in self._renamed
        return _acts(declared) and declared.qualified in self._renamed

    @cached_property
    def _renamed(self) -> frozenset[str]:
        """The classes that typedefs name for users, be it by reference, as OpenCV has ``cv::_InputArray``."""
        found, open_ = set[str](), [self._unit.tu.cursor]
        while open_:
            for kind, cursor, spelling, *_ in declarations_in(
                open_.pop(), _ASKED_OF_NAMES, self._leading, None
            ):
                if kind not in TYPEDEFS:
                    open_.append(cursor)
                elif not is_reserved(spelling):
                    meant = cursor.underlying_typedef_type.get_canonical()
                    while type_kind(meant) in REFERENCES:
                        meant = meant.get_pointee()
                    path = (
                        path_of(made := meant.get_declaration()) if type_kind(meant) == Kind.RECORD else None
                    )
                    if path is not None:
                        found.add("::".join([*path, made.spelling]))
        return frozenset(found)

    def _befriend(self, declared: Declared) -> None:
        """Note the functions that only C++ finds, by their arguments; operators are asked for by their objects."""
        for function in friend_functions(declared.cursor):
            named = function.spelling.isidentifier()
            if named and (function.is_definition() or function.canonical == function):
                self.befriended.setdefault("::".join([*declared.scope, function.spelling]), function)

    def base(self, type_: ClangType, access: int) -> Iterator[Declared]:
        """A base that another library's header declares: an object of the derived class has its members."""
        cursor = type_.get_declaration()
        file, path = file_of(cursor), path_of(cursor)
        if file is None or path is None or access != PUBLIC or "<" in type_.spelling:
            return
        qualified = "::".join([*path, cursor.spelling])
        if self.files.exposes(file) or qualified in self.followed or is_reserved(cursor.spelling):
            return
        declared = Declared(kind_of(cursor), cursor, path)
        if is_standard(qualified) and not _acts(declared):  # a tag
            return
        self.followed.add(qualified)
        yield from self._one(declared, file, within=True)

    def template_elsewhere(self, type_: ClangType) -> Declared | None:
        """The class template that made a class, where another library's header has it; none of the standard's."""
        cursor = template_of(type_.get_declaration()) if "<" in type_.spelling else None
        path = path_of(cursor) if cursor is not None and self.hides(cursor) else None
        if cursor is None or path is None or is_standard("::".join([*path, cursor.spelling])):
            return None
        return Declared(kind_of(cursor), cursor, path)

    def _reserved(self, name: str) -> bool:
        """Whether a name is not for users; CUDA's own headers give theirs names that C++ keeps for it."""
        if name in self.meant:
            return False
        return bool(_INTERNAL.search(name)) if self._of_cuda else is_reserved(name)

    def _friends(self, cursor: Cursor, file: str, within: bool) -> Iterator[Declared]:
        for friend in befriended_by(cursor):
            # One that is declared elsewhere first is exposed there, or not at all.
            if friend.is_definition() or friend.canonical == friend:
                yield from self._one(Declared(kind_of(friend), friend, path_of(friend) or ()), file, within)


class _Leading(dict[int, str | None]):
    """The names of the files, by their addresses, of which declarations may be exposed; None of all others."""

    def __init__(self, unit: ParsedUnit, files: Files, *, everywhere: bool) -> None:
        super().__init__()
        self._unit, self._files, self._everywhere = unit, files, everywhere

    def __missing__(self, file: int) -> str | None:
        name = file_at(self._unit.tu, file)
        leads = name is not None and (self._everywhere or self._files.exposes(name))
        found = self[file] = name if leads and name != self._unit.request.main else None
        return found


def is_reserved(name: str) -> bool:
    """Whether C++ keeps a name for its own implementation, which thereby does not mean it for users."""
    return name.startswith("_") and _RESERVED.match(name) is not None


def is_standard(name: str) -> bool:
    """Whether a class is the standard library's, or nobody's."""
    return name.startswith(("std::", "_")) or "::_" in name


def _acts(declared: Declared) -> bool:
    """Whether a declaration is a class with functions, which users call or C++ makes objects by."""
    if declared.kind not in RECORDS or not declared.cursor.is_definition():
        return False
    return any(kind in _ACTING for kind, *_ in declarations_in(declared.cursor, _ASKED_OF_RECORDS, None))


def _enumerates(cursor: Cursor) -> bool:
    """Whether an enumeration, whatever its own name, has enumerators for users, as ``__socket_type`` has."""
    unscoped = kind_of(cursor) == Decl.ENUM and not cursor.is_scoped_enum()
    return unscoped and not all(is_reserved(c.spelling) for c in children_of(cursor, Decl.ENUM_CONSTANT))


def qualified_name(cursor: Cursor) -> str:
    """How C++ reaches a declaration."""
    return "::".join((*(path_of(cursor) or ()), cursor.spelling))


def _paths(written: tuple[str, ...], scope: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The further ways to say a scope, by some of the inline namespaces that are written around it."""
    if written == scope:
        return []
    ways: list[tuple[int, tuple[str, ...]]] = [(0, ())]  # how much of the scope each has, and its words
    for name in written:
        ways = [
            further
            for count, path in ways
            for further in (
                (count + (scope[count : count + 1] == (name,)), (*path, name)),
                *([(count, path)] if scope[count : count + 1] != (name,) else []),
            )
        ]
    return [path for count, path in ways if count == len(scope) and path != scope]


def path_of(cursor: Cursor) -> tuple[str, ...] | None:
    """The named scopes around a declaration, outermost first; None where one is a template or not public."""
    names: list[str] = []
    while True:
        if kind_of(cursor) != Decl.NAMESPACE and access_of(cursor) not in _NO_ACCESS:
            return None
        cursor = cursor.semantic_parent
        kind = kind_of(cursor) if cursor is not None else None
        if kind in RECORDS or (kind == Decl.NAMESPACE and not is_inline_namespace(cursor)):
            if cursor.spelling.isidentifier():
                names.insert(0, name_of(cursor))
        elif kind == Decl.ENUM:
            if cursor.is_scoped_enum():  # as ``using ns::E::a;`` and ``using enum ns::E;`` name it
                names.insert(0, name_of(cursor))
        elif kind not in _CONTAINERS:
            return None if kind in _TEMPLATES else tuple(names)
