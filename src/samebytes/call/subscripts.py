"""Subscripts that count from the end, and slices, and which of several ``operator[]`` an assignment means."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

from .. import _native
from ..errors import ArgumentError, index_error, plain_error
from ..model.signature import Parameter, Signature
from ..types import VOID
from .candidate import NOT_ASSIGNABLE, Candidate, Special
from .introspection import declaration_text

Fitting = list[tuple[int, Any]]


def of_assignment(
    special: Special | None, candidates: Sequence[Candidate], fitting: Fitting, args: tuple[Any, ...]
) -> tuple[Fitting, bool]:
    """The candidates that a call may mean: of ``a[i] = x`` those of the ``operator[]`` that C++ chooses first.

    C++ chooses that by ``a`` and ``i`` alone, and then assigns to what it gives.

    Parameters
    ----------
    fitting : list of (int, sequence)
        Candidates that take as many arguments, by their places.

    Returns
    -------
    list of (int, sequence)
    bool
        Whether arguments of equal types always leave these.

    Raises
    ------
    ArgumentError
        If C++ chooses one to whose result it assigns nothing, or chooses none.
    """
    if special is None or special.subscript is None or len(args) != _OF_ASSIGNMENT:
        return fitting, True
    chosen, sure = special.subscript(args[:-1])
    found = [(i, values) for i, values in fitting if is_of(candidates[i].signature, chosen)]
    if all(candidates[i].unbound == NOT_ASSIGNABLE for i, _ in found):
        name = candidates[0].signature.shown_name
        raise plain_error(ArgumentError, name, f"means {declaration_text(chosen)}: {NOT_ASSIGNABLE}")
    return found, sure


_OF_ASSIGNMENT = 3  # an object, a subscript and a value


def is_of(assignment: Signature, subscript: Signature) -> bool:
    """Whether an assignment ``a[i] = x`` is one to what an ``operator[]`` gives."""
    return [_form(p) for p in assignment.parameters[:-1]] == [_form(p) for p in subscript.parameters]


def _form(parameter: Any) -> tuple[str, str]:
    return parameter.spelling, parameter.passing


def are_several(read: Sequence[Candidate], assigned: Sequence[Candidate]) -> bool:
    """Whether C++ may choose among several ``operator[]`` before it assigns.

    Parameters
    ----------
    read, assigned : sequence of Candidate
        Those of ``a[i]``, and of ``a[i] = x``.
    """
    chosen = {one.signature.parameters[:-1] for one in assigned}
    return len(chosen) > 1 or any(stand_ins(read, assigned))


def stand_ins(read: Sequence[Candidate], assigned: Sequence[Candidate]) -> Iterator[Candidate]:
    """What stands for each ``operator[]`` that C++ may choose, and whose result nothing is assigned to."""
    subscripts = [one.signature for one in assigned]
    for one in read:
        of_constants = any(_is_of_constants(one.signature, other) for other in subscripts)
        if not of_constants and not any(is_of(other, one.signature) for other in subscripts):
            signature = one.signature
            value = Parameter("value", VOID, "const void &", "lvalue_ref")
            stand_in = replace(
                signature, name="operator[]=", qualified=f"{signature.qualified}=",
                parameters=(*signature.parameters, value),
            )  # fmt: skip
            yield replace(one, signature=stand_in, given=len(stand_in.parameters), unbound=NOT_ASSIGNABLE)


def _is_of_constants(subscript: Signature, assigned: Signature) -> bool:
    """Whether C++ prefers what is assigned to, of the same subscript, wherever that takes the object."""
    alike = [_form(p) for p in subscript.parameters[1:]] == [_form(p) for p in assigned.parameters[1:-1]]
    return alike and not subscript.parameters[0].may_write and assigned.parameters[0].may_write


def subscript(special: Special, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """What such a call gives, by calls that C++ knows.

    Parameters
    ----------
    special : Special
        ``__getitem__`` or ``__setitem__``.
    function : callable
        Calls C++'s ``[]``.
    args : tuple
        The object, the subscript, and what is assigned.
    """
    obj, index, *value = args
    assert special.extent is not None
    extent = _extent(special.extent, obj)
    if isinstance(index, slice):
        if value:
            return _assign(function, obj, range(*index.indices(extent)), index.step, value[0])
        return [function(obj, i) for i in range(*index.indices(extent))]
    if index + extent < 0:
        raise index_error(type(obj).__name__, index, extent)
    return function(obj, index + extent, *value)


def _assign(function: Callable[..., Any], obj: Any, places: range, step: Any, value: Any) -> None:
    """Assign the elements of an iterable to those of a slice, as a list does."""
    try:
        elements = iter(value)
    except TypeError:
        words = f"a slice of {type(obj).__name__} takes an iterable of elements, not {type(value).__name__}"
        raise TypeError(words) from None
    # What lies in C++ may be one of the very elements that are assigned to: it is as it was before.
    items = [copy(item) if isinstance(item, _native.Record) else item for item in elements]
    if step not in (None, 1) and len(items) != len(places):
        many = f"sequence of size {len(items)} to extended slice of size {len(places)}"
        raise ValueError(f"{type(obj).__name__}: attempt to assign {many}")
    common = min(len(items), len(places))
    insert, erase = (getattr(type(obj), f"__samebytes_{what}__", None) for what in ("insert", "erase"))
    if (len(items) > common and insert is None) or (len(places) > common and erase is None):
        what = "insert" if len(items) > common else "erase"
        words = f"a slice of {len(places)} takes as many elements, not {len(items)}: it has no {what}() for others"
        raise ValueError(f"{type(obj).__name__}: {words}")
    for place, item in zip(places, items, strict=False):
        function(obj, place, item)
    for place, item in enumerate(items[common:], places.start + common):
        assert insert is not None
        insert(obj, place, item)
    if len(places) > common:
        assert erase is not None
        erase(obj, places.start + common, places.start + len(places))


def deletion(extent: Callable[[Any], int], erase: Callable[..., Any]) -> Callable[[Any, Any], None]:
    """The ``__delitem__`` of a class.

    Parameters
    ----------
    extent : callable
        How many elements an object has.
    erase : callable
        Takes an object, and between which two places its elements are to go.
    """

    def __delitem__(self: Any, index: Any) -> None:  # noqa: N807
        count = _extent(extent, self)
        if isinstance(index, slice):
            places = range(*index.indices(count))
            if places.step == 1:
                if places:
                    erase(self, places.start, places.stop)
                return
            for place in sorted(places, reverse=True):
                erase(self, place, place + 1)
            return
        if not isinstance(index, int) or isinstance(index, bool):
            raise TypeError(
                f"{type(self).__name__} deletes by integers and slices, not {type(index).__name__}"
            )
        place = index + count if index < 0 else index
        if not 0 <= place < count:
            raise index_error(type(self).__name__, index, count)
        erase(self, place, place + 1)

    return __delitem__


def _extent(extent: Callable[[Any], int], obj: Any) -> int:
    """How many elements there are, if C++ says the same by ``size()`` and by its iterators."""
    found, length = extent(obj), len(obj)
    if found != length:
        words = f"size() says {length} elements, and end() is {found} behind begin()"
        raise TypeError(f"{type(obj).__name__} takes no such subscript: {words}")
    return found
