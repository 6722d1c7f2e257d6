"""A bound function with ``...``: calls with further arguments, each combination of C types by a plan of its own."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from ... import _native
from ...errors import ArgumentError, Mismatch, call_error, plain_error
from ...frozen import frozen
from ...layouts.processors import WORD, Registers
from ...model.families import null_place
from ...model.further import STACK_WORDS, places
from ...model.signature import ELLIPSIS, Parameter, Signature
from .. import Binding, Candidate
from ..arguments import Unbound, completed
from ..introspection import keyword_names
from .checks import check
from .choice import best_ellipsis, comes_first
from .expectations import expected_arguments
from .sorts import ADDRESS, TEXT, Sort, sort_of


@frozen
class VariadicOverload:
    """What calls one variadic function with further arguments.

    Attributes
    ----------
    signature : Signature
        Linked.
    free : Registers or None
        The registers that its declared parameters leave; None: it is called with these alone.
    address : callable
        Its shims', by the words of the stack that they pass (:data:`STACK_WORDS`).
    """

    signature: Signature
    free: Registers | None
    address: Callable[[int], int] = int


class Variadic(_native.Dispatcher):
    """A function with ``...``.

    Parameters
    ----------
    plain : Binding
        Its calls with the declared parameters alone, and those of overloads without ``...``.
    overloads : sequence of VariadicOverload
        Of each overload with ``...``.
    make : callable
        Makes a binding of one candidate.
    adapter : str
        The adapter of addresses among the further arguments.
    """

    def __init__(
        self,
        plain: Binding,
        overloads: Sequence[VariadicOverload],
        make: Callable[[Candidate], Binding],
        adapter: str,
    ) -> None:
        function: Any = plain.function
        self.__name__, self.__qualname__, self.__module__ = (
            plain.name,
            function.__qualname__,
            function.__module__,
        )
        self.__doc__ = function.__doc__
        self.__plan__ = plain.plan
        self._plain, self._overloads, self._make, self._adapter = plain, tuple(overloads), make, adapter
        self._known: dict[Any, Any] = {}

    def __repr__(self) -> str:
        return f"<variadic function {self.__qualname__}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.__plan__,)

    @property
    def __text_signature__(self) -> str | None:
        function: Any = self._plain.function
        text: str | None = function.__text_signature__
        return text

    @cached_property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self._plain.function)

    # --- called by the native dispatcher

    def positional(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[Any, ...]:
        """The arguments of a call in the order of the declaration; further ones have no names."""
        found = [completed(s, args, kwargs) for s in self._plain.signatures]
        for signature, given in zip(self._plain.signatures, found, strict=True):
            if not isinstance(given, Unbound):
                names = keyword_names(signature, signature.shown)
                return tuple(given[name] for name in names if name in given)
        raise next(refusal.error(self.__name__) for refusal in found if isinstance(refusal, Unbound))

    def deduce(self, args: tuple[Any, ...]) -> tuple[Any, bool]:
        """The function for some arguments, and whether arguments of the same classes always mean it."""
        overload = self._overload(args)
        if overload is None:
            return self._plain.function, False
        count = len(overload.signature.visible)
        sorts = self._sorts(args, count)
        self._check(overload, args, sorts)
        stable = (
            len(self._overloads) == 1 and len(self._plain.signatures) == 1 and not overload.signature.family
        )
        function = self._function(overload, sorts) if sorts else self._plain.function
        return function, stable and all(sort.stable for sort in sorts)

    def _overload(self, args: tuple[Any, ...]) -> VariadicOverload | None:
        """The overload with ``...`` that a call means; None where none is needed, or none fits."""
        if self._is_without(args):
            return None
        fitting = [overload for overload in self._overloads if len(overload.signature.visible) <= len(args)]
        return fitting[best_ellipsis([o.signature for o in fitting], args)] if fitting else None

    def _is_without(self, args: tuple[Any, ...]) -> bool:
        """Whether C++ calls an overload without ``...``."""
        every = (*self._plain.candidates, *self._plain.unbound)
        others = [c for c in every if not c.signature.variadic]
        dotted = [overload.signature for overload in self._overloads]
        return bool(others) and comes_first(self.__name__, others, dotted, args)

    def _sorts(self, args: tuple[Any, ...], count: int) -> list[Sort]:
        found, mismatches = [], []
        for position, value in enumerate(args[count:], count):
            try:
                found.append(sort_of(value, self._adapter))
            except Mismatch as mismatch:
                mismatch.index = position
                mismatches.append(mismatch)
        if mismatches:
            raise call_error(self.__name__, mismatches)
        return found

    # --- what tells of the further arguments

    def _check(self, overload: VariadicOverload, args: tuple[Any, ...], sorts: Sequence[Sort]) -> None:
        signature = overload.signature
        if not signature.family:
            return
        further = args[len(args) - len(sorts) :]
        after = null_place(signature.family)
        if after is not None:
            self._check_null(further, sorts, after)
            return
        told = expected_arguments(self.__name__, signature, args)
        if told is None:
            return
        wanted, who = told
        if len(wanted) != len(further):
            what = f"{who} asks for {_count(len(wanted))}, got {len(further)}"
            raise plain_error(ArgumentError, self.__name__, what)
        mismatches = []
        for position, (one, sort, value) in enumerate(zip(wanted, sorts, further, strict=True)):
            try:
                check(one, sort, value)
            except Mismatch as mismatch:
                mismatch.index = len(args) - len(further) + position
                mismatches.append(mismatch)
        if mismatches:
            raise call_error(self.__name__, mismatches)

    def _check_null(self, further: Sequence[Any], sorts: Sequence[Sort], after: int) -> None:
        end = len(further) - 1 - after
        if end < 0 or further[end] is not None:
            where = "at the end" if not after else f"before the last {after}"
            raise plain_error(ArgumentError, self.__name__, f"needs None {where}: it ends the list")
        wrong = [i for i, sort in enumerate(sorts[:end]) if sort.name not in (ADDRESS, TEXT)]
        if wrong:
            number = len(self._overloads[0].signature.visible) + wrong[0] + 1
            what = f"argument {number}: text is due, as up to the None"
            raise plain_error(ArgumentError, self.__name__, what)

    # --- plans

    def _function(self, overload: VariadicOverload, sorts: Sequence[Sort]) -> Any:
        key = (self._overloads.index(overload), *((sort.type, sort.shape) for sort in sorts))
        if key not in self._known:
            self._known.setdefault(key, self._made(overload, sorts))
        made = self._known[key]
        return (
            _Split(made, len(overload.signature.visible), self._adapter)
            if any(s.packed for s in sorts)
            else made
        )

    def _made(self, overload: VariadicOverload, sorts: Sequence[Sort]) -> Any:
        signature = overload.signature
        found = None if overload.free is None else places([sort.shape for sort in sorts], overload.free)
        if found is None or overload.free is None:
            raise plain_error(ArgumentError, self.__name__, _TOO_MANY if overload.free else _UNKNOWN)
        where, words = found
        declared = len(signature.parameters)
        taken = {p.name for p in signature.parameters}
        further = [
            Parameter(_fresh(f"arg{declared + n}", taken), sort.type, ELLIPSIS)
            for n, sort in enumerate(s for sort in sorts for s in [sort] * sort.shape.size)
        ]
        table = (
            *range(declared),
            *(declared + place for place in where),
            declared + overload.free.count + words,
        )
        whole = replace(signature, parameters=(*signature.parameters, *further), variadic=False)
        address = overload.address(words)
        return self._make(Candidate(whole, len(whole.parameters), address, table=table)).function


@frozen
class _Split:
    """Calls with values of several words, or of ctypes, word by word."""

    function: Any
    count: int
    adapter: str

    def __call__(self, *args: Any) -> Any:
        words: list[Any] = []
        for value in args[self.count :]:
            packed = sort_of(value, self.adapter).packed
            if packed is None:
                words.append(value)
                continue
            data = packed(value)
            words += [int.from_bytes(data[i : i + WORD], "little") for i in range(0, len(data), WORD)]
        return self.function(*args[: self.count], *words)


_UNKNOWN = (
    "takes only its declared arguments here: how further ones travel is known on x86-64 alone, for functions whose own "
    "parameters are numbers, addresses and records of C"
)
_TOO_MANY = f"got too many further arguments: {STACK_WORDS[-1]} words fit behind those in registers"


def _fresh(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _count(number: int) -> str:
    return f"{number or 'no'} further argument{'s' * (number != 1)}"


def _restored(plan: Any) -> Any:
    """The function of a pickled plan."""
    binding: Binding = plan.fallback.__self__
    return binding.dispatcher
