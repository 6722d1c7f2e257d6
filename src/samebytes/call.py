"""A bound function: the native plan that runs its calls, and the slow path that completes or words them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from . import _native
from .callbacks import FunctionPointer
from .conversion import Packed
from .conversion.structs import base_offset
from .errors import ArgumentError, Error, Mismatch, arity_error, call_error, overload_error, plain_error
from .frame import FrameLayout, Slot, convert_argument, frame_layout
from .implicit import convert_implicitly, is_convertible
from .overloads import choose, is_stable
from .protocols import teach
from .signature import Parameter, Signature
from .storage import storage_type
from .types import MISSING, Argument, Function, Named, Struct
from .view import ArrayView
from .wording import declaration_text, docstring, keyword_names, visible_text

Finish = Callable[[tuple[Any, ...], tuple[Any, ...]], Any]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to call: an overload with its first ``given`` C++ arguments.

    Attributes
    ----------
    signature : Signature
    given : int
        C++ arguments that Python supplies, hidden ones included; C++ supplies its defaults for the rest.
    address : int
        The shim's.
    function : int
        The C++ function's own; 0 where it has none that a function pointer could hold.
    order : tuple of int
        Which of the arguments each one of a Python call is, where it is not the same; of an operator.
    """

    signature: Signature
    given: int
    address: int
    function: int = 0
    order: tuple[int, ...] = ()

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What a call gives, in order: the object of a member, then the visible parameters."""
        visible = tuple(p for p in self.signature.parameters[: self.given] if p.intent.visible)
        new = self.signature.object if self.signature.kind == "constructor" else None
        found = (new, *visible) if new else visible
        return tuple(found[i] for i in self.order) or found


def _output(slot: Slot) -> tuple[Any, ...]:
    """What the native core is told of one output."""
    where, room = (slot.index, slot.codec, slot.offset), slot.room
    if room is None:
        return where
    return (*where, room.maker(), room.takes, room.finish, room.dtype is not None)


@dataclass(frozen=True, slots=True)
class Special:
    """A binding that is one of Python's special methods.

    Attributes
    ----------
    name : str
        ``__add__``.
    reflected : str or None
        What Python asks of the other operand where this one declines.
    declines : bool
        Whether it always declines what it does not take, as comparisons do.
    in_place : bool
        Whether a call gives back the object itself.
    """

    name: str
    reflected: str | None = None
    declines: bool = False
    in_place: bool = False

    def leaves(self, args: Sequence[Any]) -> bool:
        """Whether to leave an operation that fits no overload to the other operand."""
        other = type(args[1]) if len(args) == 2 else None
        return self.declines or bool(
            self.reflected and other not in _NUMBERS and hasattr(other, self.reflected)
        )


# Python's numbers know no operand but themselves.
_NUMBERS = (int, float, complex, bool, str, bytes, list, tuple)


_plan_classes: WeakValueDictionary[tuple[str, str], type[_native.Plan]] = WeakValueDictionary()


def _plan_class(module: str, place: str) -> type[_native.Plan]:
    """The class of the plans of one class or namespace: Python reads a builtin's ``__qualname__`` off it."""
    made = _plan_classes.get((module, place))
    if made is None:
        space = {"__slots__": (), "__module__": module, "__qualname__": place}
        made = _plan_classes[module, place] = type(place.rpartition(".")[2], (_native.Plan,), space)
    return made


class Binding:
    """All overloads of one name, and the Python side of their calls.

    Parameters
    ----------
    candidates : sequence of Candidate
        In declaration order; of one overload, the widest first.
    nogil : bool
        Whether the GIL is released around the C++ code.
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
    special : Special, optional
        Which of Python's special methods this is; its first argument is the object.
    """

    def __init__(
        self, candidates: Sequence[Candidate], *, nogil: bool, module: str, reduce: tuple[Any, ...],
        dialect: str = "cxx", calls_back: bool = False, packs: bool = False, finish: Finish | None = None,
        special: Special | None = None,
    ) -> None:  # fmt: skip
        first = candidates[0].signature
        self.name = first.shown_name
        self.own = int(first.object is not None or special is not None)
        self.special = special
        self.candidates = tuple(candidates)
        self.dialect = dialect
        self.signatures = tuple(dict.fromkeys(c.signature for c in candidates))
        self.frames = {signature: frame_layout(signature, dialect) for signature in self.signatures}
        self.slots = {c: self._slots(c) for c in self.candidates}
        in_place = special is not None and special.in_place
        ways = {"calls_back": calls_back, "packs": packs, "finish": finish, "in_place": in_place}
        self.plan = _plan_class(module, first.place(module))(
            special.name if special else first.name,
            docstring(self.signatures),
            module,
            tuple(self._native_candidate(c, nogil) | ways for c in candidates),
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

    def own_functions(self) -> list[tuple[Function, int]]:
        """The C++ functions behind the overloads: their types and their own addresses."""
        return [
            (_function_type(c.signature), c.function)
            for c in self.candidates
            if c.function and c.given == len(c.signature.parameters)
        ]

    def _slots(self, candidate: Candidate) -> tuple[Slot, ...]:
        """The slots of a call's arguments, in the order of a Python call."""
        frame = self.frames[candidate.signature]
        given = tuple(
            slot
            for i, slot in enumerate(frame.inputs)
            if slot.index < candidate.given or (frame.builds and not i)
        )
        return tuple(given[i] for i in candidate.order) or given

    def _native_candidate(self, candidate: Candidate, nogil: bool) -> dict[str, Any]:
        frame: FrameLayout = self.frames[candidate.signature]
        given = self.slots[candidate]
        return {
            "address": candidate.address,
            "names": keyword_names(candidate.signature, candidate.parameters),
            "inputs": tuple((s.index, s.codec, s.offset, s.flags) for s in given),
            "outputs": tuple(map(_output, frame.outputs)),
            "result": (frame.result.codec, frame.result.offset) if frame.result else None,
            "argv": frame.argv,
            "frame_size": max(frame.size, 1),
            "frame_align": frame.align,
            "nogil": nogil,
            "builds": frame.builds,
        }

    # --- called by the native plan

    def fallback(self, candidate: int, argument: int, obj: Any) -> tuple[bytes, Any] | None:
        """Convert one argument that the native core did not recognise; None if it does not fit."""
        chosen = self.candidates[candidate]
        parameter = chosen.parameters[argument]
        try:
            packed = self._convert(argument, parameter, obj)
        except Mismatch:
            return None
        self._teach(chosen, argument, obj, packed.owners)
        return packed.data, packed.owners

    def _convert(self, position: int, parameter: Parameter, obj: Any) -> Packed:
        """The bytes of one argument; only what is not the object itself is converted as C++ does by itself."""
        rule = convert_argument if position < self.own else convert_implicitly
        return rule(parameter, obj, self.dialect)

    def _teach(self, candidate: Candidate, argument: int, obj: Any, owners: Sequence[Any]) -> None:
        """Let the native core accept the next array of this class and dtype, or pointer of this class, by itself."""
        is_function = isinstance(obj, FunctionPointer)
        teaches = is_function or isinstance(obj, _native.Record)
        if not teaches and not any(isinstance(seen, ArrayView) for seen in owners):
            return
        taught = self.slots[candidate][argument].codec
        if is_function and taught.kind == "pointer":
            taught.accept(type(obj))
        if taught.kind == "pointer" and isinstance(obj, _native.Record):
            self._teach_base(candidate.parameters[argument], taught, obj)
        for seen in owners if taught.kind in ("pointer", "array") else ():
            if isinstance(seen, ArrayView):
                teach(type(obj), seen.protocol)
                if isinstance(seen.dtype, np.dtype):
                    taught.accept_dtype(seen.dtype)

    def _teach_base(self, parameter: Parameter, taught: _native.Codec, obj: Any) -> None:
        """Let the native core find the base that objects of this class hold."""
        target = getattr(storage_type(parameter), "target", None)
        if isinstance(target, Struct | Named) and (offset := base_offset(target.name, obj)) is not None:
            taught.accept(type(obj), offset)

    def resolve(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """The overload for these arguments, and whether equal argument types always choose it.

        NotImplemented where an operator leaves the operation to the other operand.
        """
        fitting = self._by_shape(args, kwargs)
        parameters = {i: self.candidates[i].parameters for i, _ in fitting}
        index = choose(parameters, dict(fitting), self.dialect, is_convertible, self.own)
        if isinstance(index, int):
            return index, is_stable(dict(fitting)[index])
        if not index and self.special is not None and self.special.leaves(args):
            return NotImplemented
        tied = index or [i for i, _ in fitting]
        declared = [i for i in tied if not self.candidates[i].signature.implicit]
        if not index and len(declared) == 1:
            raise self._refusal(declared[0], dict(fitting)[declared[0]])
        shown = [
            f"{visible_text(self.candidates[i].signature)}    [{declaration_text(self.candidates[i].signature)}]"
            for i in tied
        ]
        got = ", ".join(
            [type(a).__name__ for a in args[self.own :]]
            + [f"{k}={type(v).__name__}" for k, v in kwargs.items()]
        )
        raise overload_error(self.name, shown, got, tie=bool(index))

    def explain(self, args: tuple[Any, ...], kwargs: Mapping[str, Any], candidate: int = -1) -> Any:
        """Word the error of a call that the native plan could not make, or complete the call.

        Returns
        -------
        object
            The call's result, where only default values were missing that Python knows.
        """
        fitting = self._by_shape(args, kwargs)
        if not fitting and self.special is not None and self.special.leaves(args):
            return NotImplemented
        if not fitting:
            return self._complete(args, kwargs)
        index, values = fitting[0]
        if len(fitting) > 1:
            chosen = self.resolve(args, kwargs)
            if chosen is NotImplemented:
                return chosen
            index = chosen[0]
            values = dict(fitting)[index]
        if self.special is not None and self.special.leaves(args):
            return NotImplemented
        raise self._refusal(index, values)

    def _refusal(self, index: int, values: Sequence[Any]) -> Exception:
        """The error for arguments that do not fit the parameters of a candidate."""
        parameters = self.candidates[index].parameters
        mismatches = []
        for position, (parameter, value) in enumerate(zip(parameters, values, strict=True)):
            try:
                self._convert(position, parameter, value)
            except Mismatch as mismatch:
                mismatch.index, mismatch.name = position - self.own, parameter.name
                mismatches.append(mismatch)
        if mismatches:
            return call_error(self.name, mismatches)
        return SystemError(
            f"{self.name}(): the native core refused arguments that Python accepts; please report this"
        )

    # --- binding

    def _by_shape(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[tuple[int, list[Any]]]:
        """The candidates whose number and names of arguments fit, each with the arguments in its order."""
        found = []
        for index, candidate in enumerate(self.candidates):
            names = keyword_names(candidate.signature, candidate.parameters)
            rest = names[len(args) :]
            if len(args) + len(kwargs) == len(names) and set(rest) == set(kwargs):
                found.append((index, [*args, *(kwargs[name] for name in rest)]))
        return found

    def _complete(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """Fill in default values that Python knows, or say why the arguments bind to no overload."""
        if self.own and not args:
            what = f"is a method: it is called on an object of {self.signatures[0].owner}"
            raise plain_error(ArgumentError, self.name, what)
        errors = []
        for signature in self.signatures:
            names = keyword_names(signature, signature.shown)
            error = self._binding_error(signature, names, args[self.own :], kwargs)
            if error is None:
                completed = dict(zip(names, args[self.own :], strict=False)) | dict(kwargs)
                for name, parameter in zip(names, signature.shown, strict=True):
                    if name not in completed and parameter.default is not None:
                        completed[name] = parameter.default.value
                return self.function(*args[: self.own], **completed)
            errors.append(error)
        if len(errors) == 1:
            raise errors[0]
        given = len(args) - self.own + len(kwargs)
        raise arity_error(self.name, [visible_text(s) for s in self.signatures], given)

    def _binding_error(
        self, signature: Signature, names: tuple[str, ...], args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> Error | None:
        if len(args) > len(names):
            return arity_error(self.name, [visible_text(signature)], len(args) + len(kwargs))
        for name in kwargs:
            if name not in names:
                return plain_error(
                    ArgumentError, self.name, f"has no parameter {name!r}; it takes {visible_text(signature)}"
                )
            if names.index(name) < len(args):
                return plain_error(
                    ArgumentError, self.name, f"got parameter {name!r} twice, by position and by name"
                )
        missing = [
            (n, p)
            for n, p in zip(names[len(args) :], signature.shown[len(args) :], strict=True)
            if n not in kwargs
        ]
        if any(p.default is None for _, p in missing):
            return arity_error(self.name, [visible_text(signature)], len(args) + len(kwargs))
        unknown = [(n, p) for n, p in missing if p.default is not None and p.default.value is MISSING]
        if unknown:
            name, parameter = unknown[0]
            text = parameter.default.text if parameter.default else ""
            return plain_error(
                ArgumentError, self.name,
                f"needs {name!r}, because a later argument is given and only C++ knows its default ({text})",
            )  # fmt: skip
        return None


def _function_type(signature: Signature) -> Function:
    arguments = tuple(Argument(p.type, p.passing, p.spelling) for p in signature.parameters)
    return Function(signature.result, arguments, result_passing=signature.result_passing)
