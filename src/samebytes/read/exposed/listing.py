"""The names that a header exposes, by kind, without reading what they mean: which of them can be read alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Set

from ...errors import BindError
from ...frozen import frozen
from ...model.curation import CONSTANTS
from ...types.naming import is_python_name
from ..clang.kinds import RECORDS, Decl
from ..clang.libclang import children_of
from ..clang.parse import ParsedUnit
from .exposure import Declared, Exposure, is_reserved
from .groups import groups, is_named

# What may mean the same whatever else the header declares, if nothing else has the name.
_ALONE = frozenset(
    {
        Decl.FUNCTION,
        Decl.FUNCTION_TEMPLATE,
        Decl.STRUCT,
        Decl.CLASS,
        Decl.UNION,
        Decl.ENUM,
        Decl.TYPEDEF,
        Decl.ALIAS,
    }
)
_FUNCTIONS = (Decl.FUNCTION, Decl.FUNCTION_TEMPLATE)


class NotAlone(BindError):
    """What a name means cannot be read without the header's other declarations.

    Attributes
    ----------
    names : frozenset of str
        Of the names that were asked for those of which that is known.
    """

    def __init__(self, what: str, names: Collection[str] = ()) -> None:
        super().__init__(f"{what}: the whole header has to be read")
        self.names = frozenset(names)


@frozen
class Listing:
    """What a header exposes.

    Attributes
    ----------
    language : str
        ``"c"`` or ``"c++"``.
    count : int
        The entities that it declares, members of classes too.
    names : tuple of str
        The qualified names that may be read without the others: of functions, templates of functions, enumerations,
        classes from which nothing derives and which no operator outside takes, and second names. What they need
        decides.
    enumerators : dict of str to str
        Those of unscoped enumerations that have names, and these, which may be none that are listed.
    marked : frozenset of str
        Classes and enumerations that would be among ``names`` but for their ``_``: ``struct _view``.
    constants : tuple of str
        What may be a constant: variables, enumerators of enumerations without a name.
    every : frozenset of str
        All qualified names.
    included : tuple of str
        Absolute paths of every file that the parser read.
    """

    language: str
    count: int
    names: tuple[str, ...]
    enumerators: dict[str, str]
    marked: frozenset[str]
    constants: tuple[str, ...]
    every: frozenset[str]
    included: tuple[str, ...]


def listing(unit: ParsedUnit, expose: tuple[str, ...], only: tuple[str, ...]) -> Listing:
    """List the names that a parsed header exposes."""
    if (expose, only) not in unit.listed:
        unit.listed[expose, only] = _list(unit, Exposure(unit, expose, only))
    found: Listing = unit.listed[expose, only]
    return found


def listed(exposure: Exposure, names: Collection[str]) -> list[list[Declared]]:
    """The declarations of some names, and those inside of them; of ``CONSTANTS`` what may be one."""
    if CONSTANTS in names:
        return [g for g in groups(exposure) if g[0].kind == Decl.VARIABLE or _is_unnamed_enum(g[0])]
    exposure.wanted = frozenset(name.rpartition("::")[2] for name in names)
    inside = tuple(f"{name}::" for name in names)
    return [g for g in groups(exposure) if (q := g[0].qualified) in names or q.startswith(inside)]


def _list(unit: ParsedUnit, exposure: Exposure) -> Listing:
    every = groups(exposure)
    kinds: dict[str, int] = {}
    mixed: set[str] = set()  # names of which there are several kinds
    enums: dict[str, str] = {}  # by enumerator; empty of one without a name
    for group in every:
        first = group[0]
        if any(kinds.setdefault(first.qualified, declared.kind) != declared.kind for declared in group):
            mixed.add(first.qualified)
        if first.kind == Decl.ENUM and not first.cursor.is_scoped_enum():
            own = first.qualified if is_named(first.cursor) else ""
            enums |= dict.fromkeys(_enumerators(first), own)
    for enumerator in enums:
        if kinds.setdefault(enumerator, Decl.ENUM_CONSTANT) != Decl.ENUM_CONSTANT:
            mixed.add(enumerator)
    taken = {*exposure.repeated, *(name for name, _ in exposure.further), *exposure.used, *exposure.ahead}
    operators = any(_is_operator(declared) for group in every for declared in group)

    def is_alone(name: str, kind: int, marked: bool = False) -> bool:
        of_class = kind in RECORDS and (operators or name in exposure.derived_from)
        apart = name not in mixed and name not in taken and not of_class
        return apart and is_said_so(name, kinds.keys(), marked=marked)

    alone = {name: kind for name, kind in kinds.items() if is_alone(name, kind)}
    names = tuple(name for name, kind in alone.items() if kind in _ALONE)
    # Enumerators are for users though the tag is not: ``typedef enum _colour { RED } colour_t``.
    tags = {name: kind for name, kind in kinds.items() if kind == Decl.ENUM or kind in RECORDS}
    marked = {n for n, kind in tags.items() if n not in alone and is_alone(n, kind, marked=True)}
    enumerators = {n: enums[n] for n in alone if enums.get(n) and (enums[n] in alone or enums[n] in marked)}
    constants = tuple(n for n, kind in alone.items() if kind == Decl.VARIABLE or enums.get(n) == "")
    return Listing(
        unit.request.language, len(every), names, enumerators, frozenset(marked), constants, frozenset(kinds),
        unit.included(),
    )  # fmt: skip


def _is_unnamed_enum(declared: Declared) -> bool:
    return declared.kind == Decl.ENUM and not is_named(declared.cursor)


def _enumerators(enum: Declared) -> Iterator[str]:
    """The enumerators of an unscoped enumeration, as C++ reaches them."""
    for item in children_of(enum.cursor, Decl.ENUM_CONSTANT):
        yield "::".join([*enum.scope, item.spelling])


def _is_operator(declared: Declared) -> bool:
    """Whether a declaration is of an operator, or a template of such, that is no member: it may be of any class."""
    return declared.kind in _FUNCTIONS and not declared.spelling.isidentifier()


def is_said_so(qualified: str, known: Set[str], *, marked: bool = False) -> bool:
    """Whether Python says a name as C++ does, and finds it in namespaces alone; ``marked``: it may begin with ``_``."""
    scope, _, name = qualified.rpartition("::")
    if (name.startswith("_") and not marked) or not _is_plain(name):
        return False
    while scope:
        outer, _, name = scope.rpartition("::")
        if scope in known or not _is_plain(name):
            return False
        scope = outer
    return True


def _is_plain(name: str) -> bool:
    return name.isidentifier() and not is_reserved(name) and is_python_name(name)
