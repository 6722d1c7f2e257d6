"""A bound function: the native plan that runs its calls, and the slow path that completes or words them."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial, wraps
from types import FunctionType
from typing import Any

from .. import _native
from ..errors import (
    CHANGED,
    ArgumentError,
    BindWarning,
    Error,
    IntentError,
    Mismatch,
    arity_error,
    call_error,
    copy_text,
    dropped_text,
    overload_error,
    place_advice,
    plain_error,
    value_words,
)
from ..model.signature import Parameter, Signature, function_of, function_type, is_unsettled
from ..model.symbols import is_accessor, is_static
from ..types import Function, Scalar
from ..values import copied, record_type
from ..values.conversion import Packed, handles
from ..values.conversion.base import runs_out
from . import (
    arguments,
    arithmetic,
    capacity,
    equality,
    implicit,
    overload_keys,
    overloads,
    parameter_types,
    ranking,
    subscripts,
    teaching,
)
from .callbacks import sources
from .candidate import AMBIGUOUS, COMPUTES, Candidate, Special, bound_first, special_of, unbound_among
from .frame import convert_argument, frame_layout
from .gil import Gil, Nogil, gil
from .introspection import candidate_text, choice_text, docstring, keyword_names, unbound_error, visible_text
from .plans import described, described_unbound, plan_class, reader, slots_of

Finish = Callable[[tuple[Any, ...], tuple[Any, ...]], Any]


def _of_derived_classes(method: Callable[..., Any]) -> Callable[..., Any]:
    """Has an error of a constructor say what a class that Python derived has to do with it."""

    @wraps(method)
    def told(self: Binding, args: tuple[Any, ...], *rest: Any) -> Any:
        try:
            return method(self, args, *rest)
        except Error as error:
            made = self.signatures[0].kind == "constructor" and args
            note = record_type.constructor_note(type(args[0])) if made else None
            if note and note not in getattr(error, "__notes__", ()):
                error.add_note(note)
            raise

    return told


class Binding:
    """All overloads of one name, and the Python side of their calls.

    Parameters
    ----------
    candidates : sequence of Candidate
        In declaration order; of one overload, the widest first.
    nogil : bool or "auto"
        Whether the GIL is released around the C++ code; "auto": where nothing shows that it ends soon and cannot wait.
    module : str
        The library's name.
    reduce : tuple
        How the function is pickled.
    calls_back : bool
        Whether the C++ code may call Python functions.
    packs : bool
        Whether results come as a tuple, also a single one.
    finish : callable, optional
        ``finish(results, arguments)`` makes of these two tuples what the call returns; the visible arguments in
        their order.
    checks : bool
        Whether the result is a status: zero is not given back, and only for another one ``finish`` is called.
    exclusive : bool
        Whether it reads or writes a member or a variable, which one thread does at a time.
    replaces : Candidate, optional
        What reads the member that it writes, and so tells which object it ends.
    elements : tuple of type
        The classes of the objects in the container that it assigns to a member, which end there.
    owner : str, optional
        The ``__qualname__`` of the class that it is in.
    called : str, optional
        The name of the function itself, where it is not C++'s.
    special : Special, optional
        Which of Python's special methods this is; its first argument is the object.
    """

    def __init__(
        self, candidates: Sequence[Candidate], *, nogil: Nogil, module: str, reduce: tuple[Any, ...],
        dialect: str = "cxx", calls_back: bool = False, packs: bool = False, finish: Finish | None = None,
        checks: bool = False, special: Special | None = None, exclusive: bool = False,
        replaces: Candidate | None = None, elements: tuple[type, ...] = (), owner: str = "", called: str = "",
    ) -> None:  # fmt: skip
        every = self._every = bound_first(candidates)
        first = every[0].signature
        self.name = first.shown_name
        self._options = {
            "nogil": nogil, "module": module, "dialect": dialect, "calls_back": calls_back, "packs": packs,
            "finish": finish, "checks": checks, "special": special, "exclusive": exclusive, "replaces": replaces,
            "elements": elements, "owner": owner,
        }  # fmt: skip
        self.own = int(first.object is not None or special is not None)
        self.special = special
        self.candidates = tuple(c for c in every if not c.unbound)
        self.unbound = every[len(self.candidates) :]
        self._barred = unbound_among(every)
        self.dialect = dialect
        self.signatures = tuple(dict.fromkeys(c.signature for c in self.candidates))
        # Backwards, so that of one overload the widest candidate, which comes first, decides.
        self._static = frozenset(
            i for i, c in enumerate(every) if is_static(c.signature) or c.signature.kind == "constructor"
        )
        self.frames = {
            c.signature: frame_layout(c.signature, dialect, c.table) for c in reversed(self.candidates)
        }
        self.dispatcher: Any = None  # the function with ... whose calls by declared parameters these are
        self.slots = tuple(slots_of(c, self.frames[c.signature]) for c in self.candidates)
        self._parameters = tuple(c.parameters for c in every)
        self._functions = tuple(tuple(map(function_of, parameters)) for parameters in self._parameters)
        # Arguments of overloads of which it was said that what C++ writes there is lost.
        self._dropped = set[tuple[Signature, int]]()
        self._lent = False  # it was said that what it writes to a copy is lost
        self._completions: dict[tuple[Any, ...], dict[str, Any]] = {}
        self._nogil = nogil
        rooms = [slot.room for frame in self.frames.values() for slot in frame.outputs]
        self._capacities = [room for room in rooms if isinstance(room, capacity.Capacity)]
        ways = {
            "calls_back": calls_back, "packs": packs, "finish": finish, "checks": checks, "exclusive": exclusive,
            "in_place": bool(special and special.in_place), "replaces": reader(replaces, dialect),
            "elements": elements or None,
        }  # fmt: skip
        self.plan = plan_class(module, owner or first.place(module))(
            called or (special.name if special else first.name),
            docstring(self.signatures),
            module,
            tuple(
                described(
                    c,
                    self.frames[c.signature],
                    self.gil(c),
                    later=partial(self._shim, i) if c.waits else None,
                    **ways,
                )
                for i, c in enumerate(self.candidates)
            )
            + tuple(described_unbound(c, self.name, dialect) for c in self.unbound),
            self.fallback,
            self.explain,
            self.resolve,
            reduce,
            bool(self.own),
        )

    @property
    def function(self) -> Callable[..., Any]:
        """What users call: a builtin function, or a method that is an attribute of its class."""
        function: Callable[..., Any] = self.plan.function
        return function

    def alone(self, signature: Signature, reduce: tuple[Any, ...]) -> Binding:
        """One overload, whose calls choose no other.

        As a method it has a name of its own: to call it of a class is no call of the function that a class of
        Python's overrides, of which C++'s own would run.
        """
        chosen = [c for c in self.candidates if c.signature == signature]
        types = ", ".join(p.spelling for p in signature.arguments)
        called = f"{signature.name}({types})" if self.own else ""
        return Binding(chosen, reduce=reduce, called=called, **self._options)  # type: ignore[arg-type]

    def chosen(self, parameters: str, reduce: tuple[Any, ...]) -> Binding:
        """The only overload with such C++ parameters."""
        signature = parameter_types.chosen_signature(self.name, self.signatures, parameters)
        return self.alone(signature, reduce)

    def overload(self, parameters: str) -> Callable[..., Any]:
        """One overload by its C++ parameters, ``"int, double"``, as :func:`samebytes.overload` chooses it."""
        return self.chosen(parameters, (_plan_of_overload, (self.function, parameters))).function

    def of(self, candidates: Sequence[Candidate]) -> Binding:
        """The same function of other overloads."""
        return Binding(candidates, reduce=(), **self._options)  # type: ignore[arg-type]

    def gil(self, candidate: Candidate) -> Gil:
        """What becomes of the GIL in the calls of a candidate."""
        return gil(self._nogil, candidate, self.frames[candidate.signature])

    def own_functions(self) -> list[tuple[Function, int]]:
        """The C++ functions behind the overloads: their types and their own addresses."""
        return [
            (function_type(c.signature), address)
            for c in self.candidates
            if c.given == len(c.signature.parameters) and (address := c.own_address())
        ]

    # --- called by the native plan

    def _shim(self, index: int) -> tuple[int, bool, tuple[int, ...]]:
        """The shim of a candidate that is called for the first time: its address, and what becomes of the GIL.

        That is whether it is released, and else the arguments whose bytes have to be samebytes' own.
        """
        candidate = self.candidates[index]
        assert candidate.later is not None
        address = candidate.later.build().address
        chosen = self.gil(candidate)
        own = (n for n, slot in enumerate(self.slots[index]) if chosen.flags(slot) & _native.OWN_BYTES)
        return address, chosen.releases, tuple(own)

    def fallback(
        self, candidate: int, argument: int, obj: Any, last: bool = False
    ) -> tuple[bytes, Any] | bool | None:
        """Convert one argument that the native core did not recognise; None if it does not fit.

        False: it fits, and its conversion takes it over, so that it is to be asked for again when all others fit.
        """
        parameter = self._parameters[candidate][argument]
        function = self._functions[candidate][argument]
        try:
            if function is not None and type(obj) is FunctionType:  # the common callback, at once
                packed = sources.function_rule(function, obj, self.dialect)
            elif runs_out(parameter.value_type, obj):
                packed = self._drained(argument, parameter, obj)
            else:
                packed = self._convert(argument, parameter, obj, last)
        except Mismatch:
            return None
        except implicit.LaterError:
            return False
        if parameter.is_aliased and isinstance(obj, tuple | _native.Value):
            self._warn_dropped(candidate, argument, parameter, obj)
        # Only what has fitted is learned: what the core takes by itself, nobody checks again.
        teaching.teach_core(self.slots[candidate][argument].codec, parameter, obj, packed.owners)
        return packed.data, packed.owners

    def _drained(self, position: int, parameter: Parameter, iterator: Any) -> Packed:
        """What an iterator gives, which it does once: an element that does not fit ends the call here."""
        try:
            return self._convert(position, parameter, list(iterator))
        except Mismatch as mismatch:
            mismatch.index, mismatch.name = position - self.own, parameter.name
            raise call_error(self.name, [mismatch]) from None

    def _warn_dropped(self, candidate: int, position: int, parameter: Parameter, obj: Any) -> None:
        """Once: C++ may write to a record that is made of a plain value for the call, and so for nobody."""
        place = self.candidates[candidate].signature, position
        if place in self._dropped:
            return
        self._dropped.add(place)
        record = getattr(parameter.value_type, "short_name", "")
        text = dropped_text(self.name, position - self.own, parameter.name, value_words(obj), record)
        warnings.warn(text, BindWarning, stacklevel=3)

    def _convert(self, position: int, parameter: Parameter, obj: Any, last: bool = False) -> Packed:
        """The bytes of one argument; only what is not the object itself is converted as C++ does by itself."""
        if position < self.own:
            return convert_argument(parameter, obj, self.dialect)
        return implicit.convert_implicitly(parameter, obj, self.dialect, last=last)

    @_of_derived_classes
    def resolve(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """The overload for these arguments, and whether equal argument types always choose it.

        NotImplemented where an operator leaves the operation to the other operand.
        """
        fitting = arguments.by_shape(self._every, args, kwargs)
        self._check_record(args)
        if self.special is not None and self.special.counts(args):
            return fitting[0][0], False  # it takes no such subscript, and then explain() is asked
        decide = [self._parameters[i] for i, _ in fitting]
        fitting, sure = subscripts.of_assignment(self.special, self._every, fitting, args)
        parameters = {i: self._parameters[i] for i, _ in fitting}
        index = overloads.choose(
            parameters,
            dict(fitting),
            self.dialect,
            implicit.converted_fit,
            self.own,
            self._static,
            self._barred,
        )
        if not index and self.special is not None and self.special.equates:
            winner = ranking.resolve(parameters, dict(fitting), self.own, self._static, self._barred).winner
            index = index if winner is None else winner
        bound = [i for i, _ in fitting if i not in self._barred.every]
        if self.candidates[0].signature.kind == "constructor" and len(args) == 2 and not kwargs:
            taken = self._parameters[index][-1].value_type if isinstance(index, int) else None
            implicit.refuse_explicit(self.candidates[0].signature, args[1], taken)
        if isinstance(index, int) and self._every[index].unbound == AMBIGUOUS:
            index = [index, *bound]
        if index in self._barred.every if isinstance(index, int) else not bound:
            meant = self._every[index if isinstance(index, int) else fitting[0][0]]
            raise unbound_error(self.name, meant.signature, meant.unbound)
        if isinstance(index, int):
            return index, sure and not kwargs and overload_keys.keys_decide(args, decide)
        if not index and self._leaves(args):
            return NotImplemented
        tied = index or bound
        declared = [i for i in tied if not self._every[i].signature.implicit]
        if not index:
            self._check_present((*args, *kwargs.values()))
        if not index and len(declared) == 1:
            raise self._refusal(declared[0], dict(fitting)[declared[0]])
        shown = [
            candidate_text(self._every[i].signature, self._every[i].unbound)
            + ("" if index else self._first_mismatch(i, dict(fitting)[i]))
            for i in tied
        ]
        got = ", ".join(
            [type(a).__name__ for a in args[self.own :]]
            + [f"{k}={type(v).__name__}" for k, v in kwargs.items()]
        )
        choice = choice_text(self._every[tied[0]].signature) if self._is_chosen() else ""
        raise overload_error(self.name, shown, got, tie=bool(index), choice=choice)

    def _is_chosen(self) -> bool:
        """Whether users name the function, and so choose one of its overloads."""
        return self.special is None and self.dispatcher is None

    def _first_mismatch(self, index: int, values: Sequence[Any]) -> str:
        """A line that says which argument a candidate does not take, and why; empty if it takes all."""
        for position, (parameter, value) in enumerate(zip(self._parameters[index], values, strict=True)):
            try:
                convert_argument(parameter, value, self.dialect)
            except Mismatch as mismatch:
                if position >= self.own and implicit.converted_fit(parameter, value, self.dialect):
                    continue
                mismatch.index, mismatch.name = position - self.own, parameter.name
                return f"\n      {mismatch}"
        return ""

    def _leaves(self, args: Sequence[Any]) -> bool:
        """Whether an operation is left to the other operand; not one with an object that is gone, which fits none."""
        if self.special is None or not (self.special.leaves(args) or self._is_computed(args)):
            return False
        self._check_present(args)
        return True

    def _is_computed(self, args: Sequence[Any]) -> bool:
        """Whether C++'s built-in operator answers, of the numbers that it converts the operands to."""
        assert self.special is not None
        if len(args) != 2 or not hasattr(special_of(type(args[0]), self.special.name), COMPUTES):
            return False
        takes = any(isinstance(p[1].value_type, Scalar) for p in self._parameters if len(p) == 2)
        return not takes and all(map(arithmetic.is_number, args))  # C++ converts each number to each

    def _check_present(self, values: Sequence[Any]) -> None:
        """Raise an error for an object that is gone, which fits no overload."""
        for position, value in enumerate(values):
            try:
                handles.check_present(type(value).__name__, value)
            except Mismatch as mismatch:
                mismatch.index = position - self.own
                raise call_error(self.name, [mismatch]) from None

    def meant(self, args: tuple[Any, ...]) -> tuple[Signature, bool]:
        """The overload for these arguments, and whether equal argument types always choose it."""
        index, sure = self.resolve(args, {})
        return self._every[index].signature, sure

    @_of_derived_classes
    def explain(
        self, args: tuple[Any, ...], kwargs: Mapping[str, Any], candidate: int = -1,
        found: tuple[int, Any, str | None, str] | None = None,
    ) -> Any:  # fmt: skip
        """Word the error of a call that the native plan could not make, or complete the call.

        Parameters
        ----------
        found : (int, object, str or None, str), optional
            All arguments fit, and C++ cannot have the object of the one at this position, or inside of it: what
            is expected there (None: one to move from), and the core's word for the reason.

        Returns
        -------
        object
            The call's result, where only default values were missing that Python knows; of a call that was made instead
            of one that C++ does not take, in a tuple.
        """
        if found is not None:
            raise self._conflict(candidate, *found)
        if self.special is not None and self.special.counts(args):
            return (subscripts.subscript(self.special, self.function, args),)
        known = self._completions.get((len(args), *kwargs)) if kwargs else None
        if known is not None:
            return self.function(*args, **kwargs, **known)
        fitting = arguments.by_shape(self.candidates, args, kwargs)
        if not fitting and self._leaves(args):
            return NotImplemented
        if not fitting and any(room.keyword in kwargs for room in self._capacities):
            return self._with_capacities(args, kwargs)
        if not fitting:
            return self._complete(args, kwargs)
        index, values = fitting[0]
        self._check_record(args)
        if len(fitting) > 1:
            chosen = self.resolve(args, kwargs)
            if chosen is NotImplemented:
                return chosen
            index = chosen[0]
            values = dict(fitting)[index]
        if self._lends(args):
            return (self._called_on_copy(args, kwargs),)
        if self._equates(index, args):
            return (self._equated(index, values),)
        if self._leaves(args):
            return NotImplemented
        raise self._refusal(index, values)

    def _equates(self, index: int, args: Sequence[Any]) -> bool:
        """Whether an object is compared with a number that a call of the same signature refuses."""
        if self.special is None or not self.special.equates or self._is_computed(args):
            return False
        return equality.refused_number(self._parameters[index][1], args[1], self.dialect)

    def _equated(self, index: int, values: Sequence[Any]) -> Any:
        """Numbers are equal by their values: C++ is asked about the same number of the kind that it takes."""
        assert self.special is not None
        same = equality.same_number(self._parameters[index][1], values[1])
        if same is values[1]:
            raise self._refusal(index, values)
        if same is None:
            return self.special.name == "__ne__"
        return self.of([self.candidates[index]]).function(values[0], same)

    def _lends(self, args: Sequence[Any]) -> bool:
        """Whether a method that C++ may only read by, as far as one knows, is called on a copy of what C++ has."""
        assigns = is_accessor(self.signatures[0].name) or (self.special is not None and self.special.assigns)
        return bool(self.own and args) and not assigns and _native.is_copy(args[0])

    def _called_on_copy(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """The call on a copy all the same, which may change that; it is said once."""
        result = self.function(copied.unmarked(args[0]), *args[1:], **kwargs)
        if result is not NotImplemented and not self._lent:
            self._lent = True
            warnings.warn(copy_text(self.name), BindWarning, stacklevel=3)
        return result

    def _with_capacities(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """The call, where arguments say how much room outputs that measure a buffer are to hold."""
        stated = [room for room in self._capacities if room.keyword in kwargs]
        keywords = {room.keyword for room in stated}
        try:
            for room in stated:
                room.state(kwargs[room.keyword])
            return self.function(*args, **{k: v for k, v in kwargs.items() if k not in keywords})
        finally:
            for room in stated:
                room.state(None)

    def _refusal(self, index: int, values: Sequence[Any]) -> Exception:
        """The error for arguments that do not fit the parameters of a candidate."""
        # What reads one argument may end the object of another, which fitted before: objects are looked at again.
        mismatches = self._mismatches(index, values) or self._mismatches(index, values, _native.Handle)
        if mismatches:
            return call_error(self.name, mismatches)
        # Everything fits now, and did not when the core read it.
        if threading.active_count() > 1 and any(isinstance(v, _CHANGING) for v in values):
            return plain_error(IntentError, self.name, CHANGED)
        return SystemError(
            f"{self.name}(): the native core refused arguments that Python accepts; please report this"
        )

    def _mismatches(self, index: int, values: Sequence[Any], only: type = object) -> list[Mismatch]:
        """Why arguments of a class do not fit the parameters of a candidate."""
        mismatches = []
        for position, (parameter, value) in enumerate(zip(self._parameters[index], values, strict=True)):
            if not isinstance(value, only):
                continue
            try:
                self._convert(position, parameter, value)
            except implicit.LaterError:
                continue
            except Mismatch as mismatch:
                mismatch.index, mismatch.name = position - self.own, parameter.name
                if is_unsettled(parameter):
                    mismatch.advice = mismatch.advice or place_advice(
                        [(self.signatures[0].name, parameter.name, parameter.reason)]
                    )
                mismatches.append(mismatch)
        return mismatches

    def _conflict(
        self, candidate: int, position: int, value: Any, expected: str | None, reason: str
    ) -> Exception:
        """The error for an argument that C++ cannot take over, or move from, because of who else has it."""
        parameter = self._parameters[candidate][position]
        words = expected or f"what C++ can take now for {parameter.value_type}"
        mismatch = handles.conflict(words, value, reason)
        mismatch.index, mismatch.name = position - self.own, parameter.name
        return call_error(self.name, [mismatch])

    def _complete(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """Fill in default values that Python knows, or say why the arguments bind to no overload."""
        self._check_object(args)
        refusals = []
        for signature in self.signatures:
            found = arguments.completed(signature, args[self.own :], kwargs)
            if isinstance(found, arguments.Unbound):
                refusals.append(found)
            elif self._has_way(signature, args[: self.own], found):
                self._remember(signature, args, kwargs, found)
                return self.function(*args[: self.own], **found)
            else:
                refusals.append(arguments.Unbound(signature, len(args) + len(kwargs), ANOTHER))
        if len(refusals) == 1:
            raise refusals[0].error(self.name)
        forms = [f"{visible_text(r.signature)}{f': it {r.sentence}' * bool(r.sentence)}" for r in refusals]
        raise arity_error(self.name, forms, len(args) - self.own + len(kwargs))

    def _check_object(self, args: Sequence[Any]) -> None:
        """Raise an error for a call of a method that has no object."""
        if not self.own or self.special is not None or self._has_object(args):
            return
        got = f", got {value_words(args[0])}" if args else ""
        what = f"is a method: it is called on an object of {self.signatures[0].owner}{got}"
        if any(map(is_static, self.signatures)):
            what += ". So are the overloads beside it that are static in C++"
        raise plain_error(ArgumentError, self.name, what)

    def _check_record(self, args: Sequence[Any]) -> None:
        """The same where nothing like an object is there; what does not fit of one, the error of its argument says."""
        if self.own and not (args and isinstance(args[0], _native.Record | _native.Value)):
            self._check_object(args)

    def _has_object(self, args: Sequence[Any]) -> bool:
        """Whether a call of a method begins with an object of its class."""
        return bool(args) and any(self._fits(parameters[0], args[0]) for parameters in self._parameters)

    def _fits(self, parameter: Parameter, value: Any) -> bool:
        try:
            convert_argument(parameter, value, self.dialect)
        except Mismatch:
            return False
        return True

    def _has_way(self, signature: Signature, own: tuple[Any, ...], found: Mapping[str, Any]) -> bool:
        """Whether an overload can be called by these arguments; another one may be meant by so many."""
        return any(
            self.candidates[i].signature == signature
            for i, _ in arguments.by_shape(self.candidates, own, found)
        )

    def _remember(
        self, signature: Signature, args: tuple[Any, ...], kwargs: Mapping[str, Any], found: Mapping[str, Any]
    ) -> None:
        """Keep what completes a call of this form: the default values of the parameters that it leaves out."""
        names = keyword_names(signature, signature.shown)
        given = {*names[: len(args) - self.own], *kwargs}
        if len(self._completions) < _MOST_COMPLETIONS:
            missing = {name: value for name, value in found.items() if name not in given}
            self._completions[len(args), *kwargs] = missing


ANOTHER = "does not get so many: another overload does"

# What another thread may have used when an argument was read, and not any more when its error is worded.
_CHANGING = (_native.Record, list, tuple, dict)


# One form of call has as many orders of its keywords as there are; programs write few.
_MOST_COMPLETIONS = 64


def binding_of(function: Any) -> Binding | None:
    """The binding behind what users call; None where there is none, or several."""
    plan = getattr(function, "__plan__", None) or getattr(function, "__self__", None)
    found = getattr(getattr(plan, "fallback", None), "__self__", None)
    return found if isinstance(found, Binding) else None


def _plan_of_overload(function: Any, parameters: str) -> _native.Plan:
    """The plan of a pickled overload."""
    binding = binding_of(function)
    assert binding is not None  # it was pickled as what has one
    return binding.chosen(parameters, (_plan_of_overload, (function, parameters))).plan
