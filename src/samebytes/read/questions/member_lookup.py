"""C++'s lookup of names in the bases of a class (ISO C++ [class.member.lookup]), and the bases that are there twice.

A class with several bases has a graph of subobjects. A virtual base is one of them, however many paths lead there.
A name that a class declares hides those of its own bases; that of a virtual base it hides along every other path, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from ...frozen import frozen
from ..clang.kinds import PROTECTED, PUBLIC, RECORDS, TEMPLATE_PARAMETERS, Decl
from ..clang.libclang import (
    ClangType,
    Cursor,
    access_of,
    canonical,
    children,
    kind_of,
    overloads,
    type_spelling,
    written_class,
)

_PRIVATE, _INACCESSIBLE = 3, 4
# Declarations that every object of the class has for itself, and the functions that need an object.
_OF_OBJECTS = frozenset({Decl.FIELD, Decl.METHOD, Decl.CONVERSION, Decl.FUNCTION_TEMPLATE})


class Derivation(Protocol):
    """One direct base, as :class:`.inheritance.BaseClass` is."""

    @property
    def type(self) -> ClangType: ...
    @property
    def access(self) -> int: ...
    @property
    def virtual(self) -> bool: ...


@frozen
class Subobject:
    """A base that an object holds, or the object itself.

    Attributes
    ----------
    type : clang type
    above : tuple of (Subobject, int)
        Its own bases, and with which access it derives from each: 1 public, 2 protected, 3 private.
    number : int
        Which of the object's it is; the object itself is 0.
    """

    type: ClangType
    above: tuple[tuple[Subobject, int], ...]
    number: int

    @property
    def name(self) -> str:
        """The class as clang spells it."""
        return spelled(self.type)


class Found(NamedTuple):
    """What C++ finds under a name, or that it finds nothing that everyone may use.

    Attributes
    ----------
    home : clang type or None
        The class that declares it; None where the name is ambiguous or not public.
    through : int
        The number of the direct base that leads to it; of a class with that name in several ones the first.
    access : int
        1 public, 2 protected.
    """

    home: ClangType | None
    through: int = -1
    access: int = PUBLIC


class _Declared(NamedTuple):
    """What a class says of a name: the best access, whether it needs an object, whose declarations these are."""

    access: int
    of_objects: bool
    homes: frozenset[str]


class _Set(NamedTuple):
    """A lookup set: the classes that declare the name, whether they contradict, and the subobjects that have it."""

    homes: frozenset[str]
    invalid: bool
    places: frozenset[int]


class MemberLookup:
    """Looks names up in the bases of classes.

    Parameters
    ----------
    bases : callable
        The direct bases of a class.
    names : callable
        Every name that a class declares or inherits.
    """

    def __init__(
        self, bases: Callable[[ClangType], Sequence[Derivation]], names: Callable[[ClangType], set[str]]
    ) -> None:
        self._bases = bases
        self._names = names
        self._declared: dict[str, dict[str, _Declared]] = {}

    def twice(self, type_: ClangType) -> dict[str, ClangType]:
        """The classes that an object has several times as bases, by clang's spelling."""
        every = list(_every(self._graph(type_)))[1:]
        count = Counter(one.name for one in every)
        return {one.name: one.type for one in every if count[one.name] > 1}

    def shared(self, type_: ClangType) -> set[str]:
        """The names that several direct bases of a class have, and that the class does not declare itself."""
        each = [self._names(base.type) for base in self._bases(type_)]
        if len(each) < 2:
            return set()
        count = Counter(name for names in each for name in names)
        own = self._own(type_)
        return {name for name, number in count.items() if number > 1 and name not in own}

    def find(self, type_: ClangType, names: Iterable[str]) -> dict[str, Found]:
        """What C++ finds under each name in the bases of a class, without the names that no base declares."""
        top = self._graph(type_)
        parts = {one.number: one for one in _every(top)}
        found = {name: self._set(name, top, {}) for name in names}
        return {name: self._find(name, top, parts, one) for name, one in found.items() if one is not None}

    def barred(self, type_: ClangType, names: Iterable[str]) -> set[str]:
        """The names that C++ finds in a class or its bases, and that not everyone may use."""
        own, names = self._own(type_), set(names)
        inherited = self.find(type_, names.difference(own))
        closed = {name for name in names if name in own and own[name].access != PUBLIC}
        return closed.union(name for name, found in inherited.items() if found.home is None)

    def is_plain(self, type_: ClangType, name: str) -> bool:
        """Whether only one class in a class's line declares a name, and every class shows its bases to everyone."""
        every = list(_every(self._graph(type_)))
        open_ = all(access == PUBLIC for one in every for _, access in one.above)
        return open_ and len({one.name for one in every if name in self._own(one.type)}) < 2

    def _find(self, name: str, top: Subobject, parts: dict[int, Subobject], found: _Set) -> Found:
        if found.invalid:
            return Found(None)
        places = [parts[number] for number in sorted(found.places)]
        declared = [self._own(place.type)[name] for place in places]
        if len(places) > 1 and any(one.of_objects for one in declared):
            return Found(None)
        accesses = [
            _seen(top, place.number, said.access) for place, said in zip(places, declared, strict=True)
        ]
        best = min(accesses)
        protected = best == PROTECTED and name.isidentifier() and all(d.access > PUBLIC for d in declared)
        if best > PUBLIC and not protected:
            return Found(None)
        through = next((i for i, (base, _) in enumerate(top.above) if _holds(base, places[0].number)), -1)
        return Found(places[0].type, through, best)

    def _set(self, name: str, part: Subobject, known: dict[int, _Set | None]) -> _Set | None:
        """The lookup set of a name in a subobject; None where it is empty."""
        if part.number not in known:
            known[part.number] = self._merged(name, part, known)
        return known[part.number]

    def _merged(self, name: str, part: Subobject, known: dict[int, _Set | None]) -> _Set | None:
        own = self._own(part.type).get(name)
        if own is not None:
            return _Set(own.homes, False, frozenset({part.number}))
        parts = {one.number: one for one in _every(part)}
        made: _Set | None = None
        for base, _ in part.above:
            other = self._set(name, base, known)
            if other is None or (made is not None and _are_bases(other, made, parts)):
                continue
            if made is None or _are_bases(made, other, parts):
                # GCC does not forget that two bases contradict each other where a third one hides both.
                made = other._replace(invalid=other.invalid or (made is not None and made.invalid))
            else:
                invalid = made.invalid or other.invalid or made.homes != other.homes
                places = made.places | other.places
                # Where a using-declaration is one of two ways to a declaration, GCC calls that ambiguous.
                invalid = invalid or len({parts[place].name for place in places}) > 1
                made = _Set(made.homes | other.homes, invalid, places)
        return made

    def _graph(self, type_: ClangType) -> Subobject:
        virtual: dict[str, Subobject] = {}
        count = iter(range(1 << 30))
        return self._subobject(type_, virtual, lambda: next(count))

    def _subobject(
        self, type_: ClangType, virtual: dict[str, Subobject], number: Callable[[], int]
    ) -> Subobject:
        own = number()
        above = []
        for base in self._bases(type_):
            name = spelled(base.type)
            made = virtual.get(name) if base.virtual else None
            if made is None:
                made = self._subobject(base.type, virtual, number)
            if base.virtual:
                virtual[name] = made
            above.append((made, base.access))
        return Subobject(type_, tuple(above), own)

    def _own(self, type_: ClangType) -> dict[str, _Declared]:
        key = spelled(type_)
        if key not in self._declared:
            self._declared[key] = _said(type_, key)
        return self._declared[key]


def spelled(type_: ClangType) -> str:
    """What C++ calls a class, be it const here or not."""
    spelling = type_spelling(canonical(type_))
    for word in ("const ", "volatile "):
        spelling = spelling.removeprefix(word)
    return spelling


def _every(part: Subobject) -> Iterator[Subobject]:
    """A subobject and all above it, each once."""
    open_, seen = [part], set[int]()
    while open_:
        one = open_.pop(0)
        if one.number not in seen:
            seen.add(one.number)
            yield one
            open_ += [base for base, _ in one.above]


def _holds(part: Subobject, number: int) -> bool:
    return any(one.number == number for one in _every(part))


def _are_bases(ones: _Set, others: _Set, parts: dict[int, Subobject]) -> bool:
    """Whether each subobject of a lookup set is a base of, or is, one of another set's."""
    return all(any(_holds(parts[other], one) for other in others.places) for one in ones.places)


def _seen(part: Subobject, number: int, access: int) -> int:
    """Who may use a member of a base, by the best path to it, where the base's class declares it with some access."""
    if part.number == number:
        return access
    found = [_INACCESSIBLE]
    for base, how in part.above:
        inner = _seen(base, number, access)
        found.append(_INACCESSIBLE if inner >= _PRIVATE else max(inner, how))
    return min(found)


def _said(type_: ClangType, own: str) -> dict[str, _Declared]:
    """The names that a class declares or takes over."""
    found: dict[str, _Declared] = {}
    source = written_class(type_)
    for name, access, of_objects, home in _declarations(source, own, 0):
        known = found.get(name, _Declared(_INACCESSIBLE, False, frozenset()))
        found[name] = _Declared(
            min(known.access, access), known.of_objects or of_objects, known.homes | {home}
        )
    return found


def _declarations(source: Cursor, own: str, outer: int) -> Iterator[tuple[str, int, bool, str]]:
    """The name, access, need of an object and home of each declaration; ``outer``: the access of what is around."""
    for child in children(source):
        kind, name = kind_of(child), child.spelling
        access = outer or access_of(child)
        if kind == Decl.USING:
            for meant in overloads(child) or [None]:
                home = own if meant is None else spelled(meant.semantic_parent.type)
                yield name, access, meant is None or _needs_object(meant), home
            continue
        named = name.isidentifier() or name.startswith("operator")
        if named and kind not in _SILENT:
            yield name, access, _needs_object(child), own
        anonymous = not name.isidentifier() and kind in RECORDS
        if anonymous or (kind == Decl.ENUM and not child.is_scoped_enum()):
            for inner, _, of_objects, _ in _declarations(child, own, access):
                yield inner, access, of_objects, own


_SILENT = frozenset({Decl.BASE, Decl.CONSTRUCTOR, Decl.DESTRUCTOR, *TEMPLATE_PARAMETERS})


def _needs_object(member: Cursor) -> bool:
    return kind_of(member) in _OF_OBJECTS and not member.is_static_method()
