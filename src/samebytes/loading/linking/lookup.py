"""Which operator of C++'s answers for two operands, by the rules of ISO C++ [over.match.oper].

Candidates are the members that C++ finds in the left operand's class, the free functions of both classes and of their
bases, the built-in operators of the numbers that objects are converted to, and since C++20 what it writes by others.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any, NoReturn

from ...call import Binding, Candidate, ranking
from ...call.class_conversions import conversions_of
from ...call.conversion_sequences import (
    AMBIGUOUS,
    EXACT,
    PROMOTED,
    Ics,
    Source,
    UndecidedError,
    order,
    promoted,
    standard,
)
from ...call.gil import Nogil
from ...call.introspection import declaration_text
from ...errors import unusable_operator
from ...frozen import frozen
from ...model.signature import Parameter, Signature
from ...model.symbols import overrides
from ...types import BOOL, VOID, Enum, Named, Pointer, Scalar, Struct, Text, unqualified
from ...types.operators import BINARY, COMPARED, COUNTERPARTS, ORDERINGS, UNARY
from ...values.record_type import RecordType
from ..operators import friend_of
from .associated import Reach, namespace_of
from .copies import shown_copies

# In a class: by sign, the operators that it declares, and the free ones that take its objects.
OPERATORS = "__samebytes_operators__"
# In a class: the signs of operators that take its objects, and that C++ finds by those of another class alone.
TAKEN = "__samebytes_taken_by__"
# In a class: the same of its namespace's free functions, which C++ finds by a class of that namespace as well.
SCOPE = "__samebytes_scope__"
SIGNS = frozenset({*BINARY, *COMPARED, *UNARY, "!"})
_OF_INTEGERS = frozenset({"%", "&", "|", "^", "<<", ">>", "~"})


class OverrideError(UndecidedError):
    """A class of Python's may override the operator: what the class had calls C++'s own, or Python's."""


class BarredError(UndecidedError):
    """C++ finds operators in a class that nobody may use, and looks no further."""

    def __init__(self, home: str) -> None:
        super().__init__()
        self.home = home


class Declared:
    """One operator that C++ declares.

    Parameters
    ----------
    candidate : Candidate
        It alone, in C++'s order of operands.
    bind : callable
        Makes its function when it is first called.
    rewrites : bool
        Whether C++ writes other operators by it, as since C++20.
    unbound : str
        Of one that is not bound, and so refuses all operands: its declaration and the reason.
    """

    __slots__ = ("_bind", "_function", "candidate", "rewrites", "unbound")

    def __init__(
        self, candidate: Candidate, bind: Callable[[Candidate], Any], rewrites: bool, unbound: str = ""
    ) -> None:
        self.candidate = candidate
        self.rewrites = rewrites
        self.unbound = unbound
        self._bind = bind
        self._function: Any = None

    @property
    def signature(self) -> Signature:
        """Its declaration."""
        return self.candidate.signature

    def __call__(self, *operands: Any) -> Any:
        if self._function is None:
            self._function = self._bind(self.candidate)
        return self._function(*operands)


class _Unseen(Declared):
    """A member of a base that is not public: what it takes is not known here, its object is at best a derived one's."""

    __slots__ = ("home",)

    def __init__(self, sign: str, home: str, count: int) -> None:
        name = f"operator{sign}"
        operands = (Parameter("self", Named(home), home), *[Parameter("", VOID, "")] * (count - 1))
        signature = Signature(name, f"{home}::{name}", operands, VOID, "", kind="method", owner=home)
        candidate = Candidate(signature, count, 0, unbound=_CLOSED)
        super().__init__(candidate, partial(_refuse, sign, home), True, _CLOSED)
        self.home = home


_CLOSED = "a base that is not public has it"


def _refuse(sign: str, home: str, candidate: Candidate) -> NoReturn:
    raise unusable_operator(sign, home)


@frozen
class Way:
    """One way in which C++ answers.

    Attributes
    ----------
    declared : Declared or None
        What it calls; None: the built-in operator of numbers.
    level : int
        0, or 1 where C++ writes it by another operator, and 2 where it exchanges the operands, too.
    negated : bool
        Whether the answer is the opposite.
    conversions : tuple
        Of a built-in operator: for each operand what converts it (:class:`samebytes.call.implicit.Becomes`), or None.
    """

    declared: Declared | None
    level: int = 0
    negated: bool = False
    conversions: tuple[Any, ...] = ()

    @property
    def text(self) -> str:
        """As messages name it."""
        if self.declared is None:
            return "the built-in one of numbers"
        return self.declared.unbound or declaration_text(self.declared.signature)


@frozen
class Choice:
    """What C++ makes of an operator and its operands.

    Attributes
    ----------
    way : Way or None
        The one that it calls.
    tied : tuple of Way
        Where it finds several equally good; of none and no tie it has no such operator.
    certain : bool
        False: which of these C++ calls is not known here.
    barred : str
        The class whose operator C++ finds, and lets nobody use.
    """

    way: Way | None = None
    tied: tuple[Way, ...] = ()
    certain: bool = True
    barred: str = ""

    @property
    def answers(self) -> bool:
        """Whether C++ answers by an operator, or finds several."""
        return self.way is not None or bool(self.tied)


# The free operators of each namespace, by sign.
Scopes = dict[str, dict[str, list[Declared]]]


def register(
    classes: Mapping[str, Any], bindings: Mapping[str, Binding], nogil: Callable[[str], Nogil], module: str,
    rewrites: bool, reach: Reach, unbound: Iterable[Declared] = (),
) -> Scopes:  # fmt: skip
    """Tell the classes of a library which operators take their objects; those of each namespace.

    Parameters
    ----------
    unbound : iterable of Declared
        Those that C++ considers, too, and that are not bound.
    """
    scopes: Scopes = {}
    every = [*_bound(bindings, nogil, module, rewrites), *unbound]
    for declared in every:
        signature = declared.signature
        sign = signature.name.removeprefix("operator").strip()
        if signature.kind == "function" and not signature.expression:  # a friend is found by its class alone
            scopes.setdefault("::".join(signature.namespace), {}).setdefault(sign, []).append(declared)
        home, owners = friend_of(signature), _owners(signature)
        found_by = {home, *reach.of_friend(home)} if home else owners
        for owner in (owners | _ordered_with(signature, sign)) - found_by:
            if isinstance(cls := classes.get(owner), RecordType):
                setattr(cls, TAKEN, vars(cls).get(TAKEN, frozenset()) | {sign})
        for owner in found_by if not home or home in classes else owners:
            cls = classes.get(owner)
            if cls is not None and reach.finds(owner, signature):
                known = vars(cls).get(OPERATORS, {})
                setattr(cls, OPERATORS, {**known, sign: (*known.get(sign, ()), declared)})
    return scopes


def _bound(
    bindings: Mapping[str, Binding], nogil: Callable[[str], Nogil], module: str, rewrites: bool
) -> Iterator[Declared]:
    for name, binding in bindings.items():
        sign = binding.signatures[0].name.removeprefix("operator").strip()
        if sign not in SIGNS or binding.signatures[0].name == sign:
            continue
        for candidate in binding.candidates:
            signature = candidate.signature
            if signature.instance or len(candidate.parameters) != len(signature.parameters):
                continue
            yield Declared(candidate, _binder(nogil(name), module), rewrites)


def place(classes: Mapping[str, Any], scopes: Scopes, nested: Container[str]) -> None:
    """Tell classes which operators stand in their namespaces.

    Parameters
    ----------
    nested : container of str
        The names of all classes, in which others may lie.
    """
    for owner, cls in classes.items() if scopes else ():
        if (found := scopes.get(namespace_of(owner, nested))) is not None:
            setattr(cls, SCOPE, found)


def _binder(nogil: Nogil, module: str) -> Callable[[Candidate], Any]:
    def bind(candidate: Candidate) -> Any:
        shown = shown_copies([candidate.signature])
        return Binding([candidate], nogil=nogil, module=module, reduce=(), **shown).function

    return bind


def _owners(signature: Signature) -> set[str]:
    if signature.kind == "method":
        return {signature.owner}
    types = (unqualified(p.type) for p in signature.parameters)
    return {type_.name for type_ in types if isinstance(type_, Struct | Enum)}


def _ordered_with(signature: Signature, sign: str) -> set[str]:
    """The classes whose objects a member orders beside its own: Python asks it for them where they stand left, too."""
    if signature.kind != "method" or sign not in ORDERINGS:
        return set()
    return {t.name for t in (unqualified(p.type) for p in signature.parameters) if isinstance(t, Struct)}


def declared_by(cls: type, sign: str) -> tuple[Declared, ...]:
    """The operators of a sign that one class declares, or that take its objects."""
    found: tuple[Declared, ...] = vars(cls).get(OPERATORS, {}).get(sign, ())
    return found


def beside(cls: type, sign: str) -> Sequence[Declared]:
    """The free operators of a sign in the namespace of a class."""
    found: Sequence[Declared] = vars(cls).get(SCOPE, {}).get(sign, ())
    return found


def choice(sign: str, sources: Sequence[Source]) -> Choice:
    """What C++ calls for an operator and its operands.

    Raises
    ------
    UndecidedError
        If that is not known here.
    """
    found = list(_ways(sign, sources))
    certain = [way for way, ics in found if all(one.certain for one in ics)]
    for way, ics in found:
        if way in certain and all(
            way is other or _order(way, ics, other, theirs) < 0 for other, theirs in found
        ):
            ambiguous = any(one.by is AMBIGUOUS for one in ics)
            return Choice(None, (way,)) if ambiguous else Choice(way)
    for way, _ in found:
        if isinstance(way.declared, _Unseen):
            raise BarredError(way.declared.home)
    if found and not certain:
        raise UndecidedError
    return Choice(None, tuple(way for way, _ in found), len(certain) == len(found))


def _order(one: Way, ics: Sequence[Ics], other: Way, theirs: Sequence[Ics]) -> int:
    built_in = _hides(other.declared) * (one.declared is None) - _hides(one.declared) * (
        other.declared is None
    )
    found = order(ics, theirs, one.level - other.level or built_in, pedantic=False)
    if not found and one.declared is not None and one.declared is other.declared:
        return (one.level == 2) - (other.level == 2)  # GCC takes the operands as they stand, and only warns
    return found


def _hides(declared: Declared | None) -> bool:
    """Whether a declared operator hides the built-in one of its types: GCC takes a reference for another type."""
    return declared is not None and all(p.passing == "value" for p in declared.candidate.parameters)


def _ways(sign: str, sources: Sequence[Source]) -> Iterator[tuple[Way, list[Ics]]]:
    for way in _declared(sign, sources):
        operands = sources[::-1] if way.level == 2 else sources
        assert way.declared is not None
        parameters = way.declared.candidate.parameters
        if len(parameters) != len(operands):
            continue
        ics = ranking.sequences(operands, parameters, own=int(way.declared.signature.kind == "method"))
        if ics is not None:
            yield way, ics[::-1] if way.level == 2 else ics
    yield from _built_in(sign, sources)


def _declared(sign: str, sources: Sequence[Source]) -> Iterator[Way]:
    for one in _found(sign, sources):
        if not (sign in ORDERINGS and _is_by_three_way(one.signature)):
            yield Way(one)
        else:  # by <=>
            yield Way(one, 1)
    if sign not in COUNTERPARTS or len(sources) != 2:
        return
    if sign == "!=":
        yield from (Way(one, 1, True) for one in _rewriting(_found("==", sources)))
    exchanged = sources[::-1]
    mirrored = "==" if sign == "!=" else COUNTERPARTS[sign]
    for one in _rewriting(_found(mirrored, exchanged)):
        if mirrored == "==" or _is_by_three_way(one.signature):
            yield Way(one, 2, sign == "!=")


def _is_by_three_way(comparison: Signature) -> bool:
    """Whether C++ writes a comparison by ``<=>``; one that a using-declaration brings is written by nobody else."""
    return comparison.implicit and bool(comparison.expression)


def _rewriting(found: Sequence[Declared]) -> Iterator[Declared]:
    return (one for one in found if one.rewrites)


def _found(sign: str, sources: Sequence[Source]) -> list[Declared]:
    """The members and the free functions of a sign that C++ looks at."""
    found: dict[int, Declared] = {}
    left = sources[0].type
    for one in _members(left, sign, len(sources)) if isinstance(left, type) else ():
        found[id(one)] = one
    for source in sources:
        for cls in _line_of(source.type):
            free = (one for one in declared_by(cls, sign) if one.signature.kind != "method")
            found.update((id(one), one) for one in (*free, *beside(cls, sign)))
    unlike: dict[Signature, Declared] = {}  # of two libraries the left operand's comes first
    for one in found.values():
        unlike.setdefault(one.signature, one)
    return list(unlike.values())


def _line_of(type_: Any) -> tuple[Any, ...]:
    """The classes of an operand: an object's and its bases, an enumerator's."""
    if isinstance(type_, Enum):
        return (type_.python,) if type_.python is not None else ()
    return type_.__mro__ if isinstance(type_, type) else ()


def _members(cls: Any, sign: str, count: int) -> list[Declared]:
    """The members of a sign that C++ finds for as many operands: a class hides those of its bases.

    Raises
    ------
    UndecidedError
        If they are not bound, or in several bases.
    """
    if own := _own_members(cls, sign):
        return own
    struct = vars(cls).get("__samebytes_type__")
    if struct is not None and f"operator{sign}" in struct.hidden:
        if overrides(struct):
            raise OverrideError
        return _closed_members(cls, struct, sign, count)
    if struct is not None and (home := dict(struct.found).get(f"operator{sign}")) is not None:
        found = next((c for c in _line(cls) if c.__samebytes_type__.name == home), None)
        if found is None:
            raise UndecidedError
        return _members(found, sign, count)
    return [one for base in _bound_bases(cls) for one in _members(base, sign, count)]


def _own_members(cls: type, sign: str) -> list[Declared]:
    return [one for one in declared_by(cls, sign) if one.signature.kind == "method"]


def _bound_bases(cls: Any) -> list[Any]:
    return [base for base in cls.__bases__ if isinstance(base, RecordType)]


def _closed_members(cls: Any, struct: Struct, sign: str, count: int) -> list[Declared]:
    """The members of bases that C++ finds and lets nobody use: it looks at access when it has chosen.

    Raises
    ------
    BarredError
        If several bases have them, or the class itself, which declares a template.
    """
    homes = _nearest(cls, sign)
    if not homes:  # a base that is not public has them, and Python does not have that base
        return [_Unseen(sign, struct.short_name, count)]
    members = _own_members(homes[0], sign)
    home = homes[0].__samebytes_type__
    if len(homes) > 1 or home.name in struct.twice or not all(one.unbound for one in members):
        raise BarredError(struct.short_name)
    return members


def _nearest(cls: Any, sign: str) -> list[Any]:
    """The bases that declare members of a sign, without those behind them."""
    found: dict[Any, None] = {}
    for base in _bound_bases(cls):
        found.update(dict.fromkeys([base] if _own_members(base, sign) else _nearest(base, sign)))
    return [*found]


def _line(cls: Any) -> Iterator[Any]:
    """The bases of a class, and theirs."""
    for base in cls.__samebytes_direct__.values():
        yield base
        yield from _line(base)


def _built_in(sign: str, sources: Sequence[Source]) -> Iterator[tuple[Way, list[Ics]]]:
    if sign in COMPARED and _are_one_enumeration(sources):
        yield Way(None, conversions=(None, None)), [Ics(EXACT)] * 2
        return
    options = [_options(source, sign in _OF_INTEGERS) for source in sources]
    for ics in product(*options):
        yield Way(None, conversions=tuple(one.by for one in ics)), list(ics)


def _options(source: Source, whole: bool) -> list[Ics]:
    """How a built-in operator may take an operand: as each number that there are such operators of."""
    if isinstance(source.type, Scalar):
        ics = standard(source.type, _operand(source.type))
        return [ics] if ics is not None and not (whole and source.type.kind == "float") else []
    if isinstance(source.type, Enum):
        return [] if source.type.scoped else [Ics(PROMOTED)]
    results = [unqualified(becomes.result) for becomes in conversions_of(source.type)]
    if any(
        isinstance(r, Enum | Pointer) or (isinstance(r, Text) and not r.spelling.startswith("std"))
        for r in results
    ):
        raise UndecidedError
    types = dict.fromkeys(
        _operand(r) for r in results if isinstance(r, Scalar) and not (whole and r.kind == "float")
    )
    found = [ranking.by_conversion(source, type_, "") for type_ in types]
    return [ics for ics in found if ics is not None]


def _are_one_enumeration(sources: Sequence[Source]) -> bool:
    names = {source.type.name if isinstance(source.type, Enum) else "" for source in sources}
    return len(names) == 1 and "" not in names


def _operand(type_: Scalar) -> Scalar:
    """As what a built-in operator takes a number; GCC looks at those of the types that operands are converted to."""
    return type_ if type_.kind == "float" else promoted(type_)


def gives_truth(declared: Declared) -> bool:
    """Whether an operator gives a bool, without which C++ writes no other one by it."""
    return unqualified(declared.signature.result) == BOOL
