"""Gives the classes of a library their special methods, and the properties of their members."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from ...call import Binding, Candidate, Special, subscripts
from ...call.augmented import without_echo
from ...call.class_conversions import EXPLICIT, UNBOUND
from ...call.gil import Nogil
from ...call.implicit import Becomes, Maker
from ...call.introspection import declaration_text
from ...forks import importing
from ...model.signature import Signature
from ...model.symbols import ERASE, EXTENT, HAS_KEY, is_accessor
from ...types import Enum, Scalar, Struct, Type, unqualified
from ...values.record_type import RecordType
from ...values.value_classes import of_values
from ..operators import (
    EXCHANGED,
    MIRRORED,
    OPERANDS,
    Operator,
    add_truth,
    complete,
    converting,
    hide_protocols,
    in_a_place,
    operators_of,
    reflected,
)
from . import mappings
from .casts import settle_casts
from .conversions import settle_conversions
from .copies import shown_copies
from .members import add_member
from .sides import settle_sides

if TYPE_CHECKING:
    from .associated import Reach
    from .unbound_candidates import Unbound

_Conversion = TypeVar("_Conversion", Maker, Becomes)
_SUBSCRIPTS = frozenset({"__getitem__", "__setitem__"})
_DECLINES = frozenset({"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"})
# The name of a function, one of its overloads, and what that is to Python.
_Item = tuple[str, Candidate, Operator]
_Chooser = Callable[[tuple[Any, ...]], tuple[Signature, bool]]


def add_specials(
    classes: Mapping[str, Any], bindings: Mapping[str, Binding], members: Callable[[str], frozenset[str]],
    nogil: Callable[[str], Nogil], module: str, reach: Reach, unbound: Unbound | None,
) -> None:  # fmt: skip
    """Complete the classes of a library.

    Parameters
    ----------
    classes : mapping
        Records and enumerations by their qualified C++ names.
    bindings : mapping
        The functions that are made, by their qualified C++ names: operators and what reads members among them.
    members : callable
        The names of the functions of a class.
    nogil : callable
        Whether a function releases the GIL.
    module : str
        The library's name.
    reach : Reach
        What C++ finds operators by.
    unbound : Unbound or None
        What C++ considers beside them.
    """
    is_made = partial(_is_made, classes, _given(classes))
    found: dict[tuple[str, str], list[_Item]] = {}
    converted: dict[tuple[str, str], list[_Item]] = {}
    barred = unbound.of_specials(classes, bindings, reach) if unbound else {}
    for name, binding in bindings.items():
        if binding.signatures[0].instance and binding.signatures[0].expression:
            continue  # what an operator means between these very operands
        if is_accessor(binding.signatures[0].name):
            add_member(classes, bindings, name, binding)
            continue
        for candidate in binding.unbound:
            for operator in operators_of(candidate.signature, classes):
                if (one := reach.restricted(operator.owner, candidate)) is not None:
                    barred.setdefault((operator.owner, operator.method), []).append((one, operator))
        for candidate in binding.candidates:
            for operator in operators_of(candidate.signature, classes):
                if (one := reach.restricted(operator.owner, candidate)) is not None:
                    found.setdefault((operator.owner, operator.method), []).append((name, one, operator))
            more = _converting(candidate.signature, classes, is_made)
            if more is not None and reach.finds(more.owner, candidate.signature):
                converted.setdefault((more.owner, more.method), []).append((name, candidate, more))
    for place, items in converted.items():
        # A comparison that the class has itself comes first: Python does not tell `7 < a` from `a > 7`.
        if place[1] not in _DECLINES or place not in found:
            found.setdefault(place, []).extend(items)
    settle_conversions(found, classes)
    names: dict[str, list[str]] = {}
    for (owner, method), items in found.items():
        if owner not in classes:
            continue
        if method in _DECLINES and items == converted.get((owner, method)):
            setattr(classes[owner], MIRRORED, (*vars(classes[owner]).get(MIRRORED, ()), method))
        counted = _extent(owner, items, bindings) if method in _SUBSCRIPTS else None
        others = [_ordered(one, operator) for one, operator in barred.get((owner, method), ())]
        make = partial(
            _binding, nogil=nogil, module=module, owner=classes[owner].__qualname__, extent=counted
        )
        subscript = None
        if method == "__setitem__":
            place = owner, "__getitem__"
            subscript, stand_ins = _subscript(items, found.get(place, ()), barred.get(place, ()), make)
            others += stand_ins
        made = make(method, items, others, subscript=subscript)
        elements = (
            _elements(found.get((owner, "__getitem__"), ()), classes) if method == "__setitem__" else ()
        )
        function: Any = without_echo(made.function, elements) if elements else made.function
        if items[0][2].in_place and isinstance(classes[owner].__samebytes_type__, Enum):
            function = in_a_place(made.function, classes[owner])
        setattr(classes[owner], method, function)
        names.setdefault(owner, []).append(method)
        if method in _DECLINES and all(operator.order == (1, 0) for _, _, operator in items):
            setattr(classes[owner], EXCHANGED, (*vars(classes[owner]).get(EXCHANGED, ()), method))
        known = vars(classes[owner]).get(OPERANDS, {})
        setattr(classes[owner], OPERANDS, {**known, method: [_operands(s, o) for _, s, o in items]})
        if not items[0][2].in_place and method != "__setitem__":
            of_values(classes[owner], partial(_add, method, made.function))
    for owner, methods in names.items():
        counted = _extent(owner, found.get((owner, "__getitem__"), []), bindings)
        if counted is not None and "__samebytes_erase__" in methods:
            classes[owner].__delitem__ = subscripts.deletion(counted, bindings[f"{owner}::{ERASE}"].function)
        complete(classes[owner], methods)
        if f"{owner}::{HAS_KEY}" in bindings:
            mappings.add_mapping(classes[owner], members(owner))
    for cls in sorted(
        classes.values(), key=lambda cls: len(cls.__mro__)
    ):  # a base before what derives from it
        if isinstance(cls, RecordType):
            _settle_comparisons(cls)
    for cls in classes.values():
        _settle_protocols(cls)
    settle_casts(classes)


def settle(cls: Any) -> None:
    """Complete a class that has no special methods of C++'s, and no bases."""
    _settle_comparisons(cls)
    _settle_protocols(cls)


def _settle_comparisons(cls: Any) -> None:
    settle_sides(cls)
    cls.__samebytes_sides__ = settle_sides


def _settle_protocols(cls: Any) -> None:
    _settle(cls)
    of_values(cls, _settle)


def _add(name: str, function: Any, cls: type) -> None:
    setattr(cls, name, function)


def _settle(cls: type) -> None:
    hide_protocols(cls)
    add_truth(cls)


def add_conversions(
    classes: Mapping[str, Any], bindings: Mapping[str, Binding], nogil: Callable[[str], Nogil], module: str,
    unbound: Unbound | None,
) -> None:  # fmt: skip
    """Tell the classes of a library which constructors and conversions C++ calls by itself."""
    makers: dict[str, list[Maker]] = {}
    becomes: dict[str, dict[str, list[tuple[str, Candidate]]]] = {}
    for name, binding in bindings.items():
        for candidate in (
            *binding.candidates,
            *(c for c in binding.unbound if c.signature in binding.frames),
        ):
            signature, given = candidate.signature, candidate.parameters
            text = declaration_text(signature)
            if signature.explicit and signature.kind == "method" and signature.owner in classes:
                _note_explicit(classes[signature.owner], signature, text)
            if signature.explicit or signature.owner not in classes:
                continue
            if signature.kind == "constructor" and len(given) == 2 and not _copies(candidate):
                if candidate.unbound:
                    with importing:
                        from .unbound_candidates import unbound_maker
                    makers.setdefault(signature.owner, []).append(unbound_maker(signature, candidate.unbound))
                    continue
                alone = Binding([candidate], nogil=nogil(name), module=module, reduce=())
                make = partial(_construct, alone.function)
                makers.setdefault(signature.owner, []).append(Maker(given[1], make, text))
            elif signature.kind == "method" and len(given) == 1 and signature.name.startswith("operator "):
                alike = becomes.setdefault(signature.owner, {})
                given_type = unqualified(signature.result)
                how = signature.result_passing if isinstance(given_type, Struct) else ""
                alike.setdefault(f"{given_type} {how}", []).append((name, candidate))
    for owner, name in unbound.conversions(classes) if unbound else ():
        setattr(classes[owner], UNBOUND, (*vars(classes[owner]).get(UNBOUND, ()), name))
    for owner, maker in unbound.makers(classes) if unbound else ():
        makers.setdefault(owner, []).append(maker)
    for owner, found in makers.items():
        classes[owner].__samebytes_makers__ = _with_known(classes[owner], "__samebytes_makers__", found)
    for owner, operators in becomes.items():
        made = [_becomes(alike, bindings, nogil, module) for alike in operators.values()]
        classes[owner].__samebytes_becomes__ = _with_known(classes[owner], "__samebytes_becomes__", made)


def _note_explicit(cls: Any, signature: Signature, text: str) -> None:
    """Tell a class of its conversion to another class that C++ calls where that is constructed alone."""
    if isinstance(given := unqualified(signature.result), Struct):
        setattr(cls, EXPLICIT, {**vars(cls).get(EXPLICIT, {}), given.name: (signature.name, text)})


def _with_known(cls: Any, name: str, found: Iterable[_Conversion]) -> tuple[_Conversion, ...]:
    """Conversions of a class, and those that it has already: an instantiation is a library of its own."""
    known: dict[str, _Conversion] = {one.text: one for one in vars(cls).get(name, ())}
    return tuple((known | {one.text: one for one in found}).values())


def _becomes(
    alike: list[tuple[str, Candidate]],
    bindings: Mapping[str, Binding],
    nogil: Callable[[str], Nogil],
    module: str,
) -> Becomes:
    """The conversion to one type; of one for const objects and one for others each call is resolved by its object."""
    name, first = alike[0]
    function = bindings[name].function
    if len(alike) > 1:
        candidates = [candidate for _, candidate in alike]
        function = Binding(candidates, nogil=nogil(name), module=module, reduce=()).function
    writes = [candidate.signature.parameters[0].may_write for _, candidate in alike]
    signature = first.signature
    return Becomes(
        signature.result, function, declaration_text(signature), all(writes), signature.name,
        signature.result_passing, any(writes),
    )  # fmt: skip


def _copies(candidate: Candidate) -> bool:
    """Whether a constructor takes an object of its own class."""
    taken = unqualified(candidate.parameters[1].type)
    return isinstance(taken, Struct) and taken.name == candidate.signature.owner


def _construct(constructor: Any, python: Any, value: Any) -> Any:
    return python.__samebytes_construct__(constructor, value)


def _converting(
    signature: Signature, classes: Mapping[str, Any], is_made: Callable[[str], bool]
) -> Operator | None:
    """The operator by which the right operand takes a left one that C++ converts."""
    more = converting(signature, is_made)
    return more if more is not None and more.owner in classes else None


def _given(classes: Mapping[str, Any]) -> frozenset[str]:
    """The names of the classes of which conversions of other classes give objects."""
    gives = (b.result for c in classes.values() for b in vars(c).get("__samebytes_becomes__", ()))
    return frozenset(result.name for result in map(unqualified, gives) if isinstance(result, Struct))


def _is_made(classes: Mapping[str, Any], given: frozenset[str], owner: str) -> bool:
    """Whether C++ makes objects of a class by itself: by its constructors, or by conversions of other classes."""
    makers = getattr(classes.get(owner), "__samebytes_makers__", ())
    return owner in classes and (owner in given or any(not maker.unbound for maker in makers))


def _operands(candidate: Candidate, operator: Operator) -> tuple[Type, ...]:
    """What an overload takes beside the object, in the order of Python's operands."""
    types = [unqualified(p.type) for p in candidate.signature.parameters]
    return tuple(types[i] for i in operator.order if i < len(types))[1:]


def _elements(
    items: Sequence[tuple[str, Candidate, Operator]], classes: Mapping[str, Any]
) -> tuple[type, ...]:
    """The classes of what ``a[i]`` gives."""
    given = [unqualified(candidate.signature.result) for _, candidate, _ in items]
    return tuple({classes[t.name] for t in given if isinstance(t, Struct) and t.name in classes})


def _extent(
    owner: str, items: list[tuple[str, Candidate, Operator]], bindings: Mapping[str, Binding]
) -> Callable[[Any], int] | None:
    """What tells how many elements ``[]`` counts, if it takes no index below zero, which C++ might mean itself."""
    indices = [unqualified(candidate.parameters[1].type) for _, candidate, _ in items]
    if f"{owner}::{EXTENT}" not in bindings or not all(
        isinstance(t, Scalar) and t.kind == "uint" for t in indices
    ):
        return None
    return bindings[f"{owner}::{EXTENT}"].function


def _binding(
    method: str,
    items: Sequence[_Item],
    unbound: list[Candidate],
    nogil: Callable[[str], Nogil],
    module: str,
    owner: str,
    extent: Callable[[Any], int] | None = None,
    subscript: _Chooser | None = None,
) -> Binding:
    candidates = [_ordered(candidate, operator) for _, candidate, operator in items]
    special = Special(method, reflected(method), method in _DECLINES, items[0][2].in_place, extent, subscript)
    return Binding(
        [*candidates, *unbound], nogil=nogil(items[0][0]), module=module, reduce=(), special=special, owner=owner,
        **shown_copies([candidate.signature for candidate in candidates]),
    )  # fmt: skip


def _subscript(
    items: Sequence[_Item], read: Sequence[_Item], barred: Sequence[tuple[Candidate, Operator]],
    binding: Callable[..., Binding],
) -> tuple[_Chooser | None, list[Candidate]]:  # fmt: skip
    """Of ``a[i] = x``: what chooses among several ``operator[]``, and what stands for those that take no value.

    Parameters
    ----------
    items : sequence
        What assigns.
    read, barred : sequence
        The ``operator[]`` of ``a[i]``, and those that are not bound.
    binding : callable
        Makes a binding of a special method.
    """
    unbound = [_ordered(one, operator) for one, operator in barred]
    every = [*(_ordered(one, operator) for _, one, operator in read), *unbound]
    assigned = [one for _, one, _ in items]
    if not read or not subscripts.are_several(every, assigned):
        return None, []
    return binding("__getitem__", read, unbound).meant, [*subscripts.stand_ins(every, assigned)]


def _ordered(candidate: Candidate, operator: Operator) -> Candidate:
    plain = operator.order == tuple(range(len(operator.order)))
    return candidate if plain else replace(candidate, order=operator.order)
