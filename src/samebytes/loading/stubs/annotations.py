"""Types as annotations: what a parameter accepts, and what a call returns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from ...call.c_api.status import finisher, is_plain
from ...make.request import Request
from ...model.intents import OutArrayReturn
from ...model.module import Module
from ...model.signature import Parameter, Signature
from ...model.slots import element_type, grid, storage_type
from ...styles.c_api.allocations import Allocation, chosen_allocations
from ...types import (
    VOID,
    Aligned,
    Array,
    Atomic,
    Bits,
    ByKind,
    Callback,
    CArray,
    Choice,
    Const,
    Container,
    Converted,
    Dictionary,
    Duration,
    Enum,
    FilePath,
    Function,
    Handle,
    Held,
    Instant,
    Matrix,
    Maybe,
    Mdspan,
    Named,
    NdArray,
    Nothing,
    Object,
    Owner,
    Pointer,
    Product,
    Scalar,
    Span,
    Sparse,
    Stream,
    Struct,
    Target,
    Text,
    Tuple,
    Type,
    Vector,
    Void,
    unqualified,
)
from ...values.pointed import pointer_to_object

_ACCEPTED = {"bool": "Bool", "int": "Int", "uint": "Int", "float": "Float", "complex": "Complex"}
_RETURNED = {"bool": "bool", "int": "int", "uint": "int", "float": "float", "complex": "complex"}


# What becomes of the annotations of a call's results: of its own, and of its outputs.
Results = Callable[[Signature, list[str]], str]


def plain(signature: Signature, parts: list[str]) -> str:
    """The result first, then the outputs; one by itself, several as a tuple."""
    return "None" if not parts else parts[0] if len(parts) == 1 else f"tuple[{', '.join(parts)}]"


def after_status(check: bool | frozenset[str], allocations: Mapping[str, Allocation]) -> Results:
    """As functions of a C API give it: a tuple that begins with the status, if that is not checked; else a value."""

    def results(signature: Signature, parts: list[str]) -> str:
        if (said := allocations.get(signature.qualified)) is not None:
            at = said.place(signature)
            parts = [*parts[:at], "sb.DeviceArray", *parts[at + 1 :]]
        if finisher(signature, check) is not None:
            return plain(signature, parts[1:])
        if is_plain(signature, check):
            return plain(signature, parts)
        return f"tuple[{', '.join(parts)}]" if parts else "None"

    return results


class Annotations:
    """Annotations within one stub.

    Parameters
    ----------
    classes : mapping of str to str
        The Python path of each bound record, enum and handle, by its qualified C++ name.
    results : callable
        What becomes of the annotations of a call's results.
    """

    def __init__(self, classes: Mapping[str, str], results: Results) -> None:
        self._classes = classes
        self._results = results

    def accepted(self, type_: Type) -> str:
        """What stands for a value of a type."""
        rule = _ACCEPTS.get(type(type_))
        return rule(self, type_) if rule else "Any"

    def returned(self, type_: Type) -> str:
        """What a value of a type is in Python."""
        rule = _RETURNS.get(type(type_))
        return rule(self, type_) if rule else "Any"

    def parameter(self, parameter: Parameter) -> str:
        """What a visible parameter accepts."""
        if not parameter.intent.place:
            return self.accepted(parameter.value_type)
        target = storage_type(parameter)
        assert isinstance(target, Pointer)
        known = self._class(target.target)
        none = " | None" if parameter.passing == "value" else ""
        return (f"{known} | Place" if known else "Place") + none

    def variable(self, type_: Type | None) -> str:
        """What a variable of C++ is read as."""
        bare = None if type_ is None else unqualified(type_)
        numbers = isinstance(bare, CArray) and isinstance(unqualified(bare.element), Scalar | Enum)
        return "np.ndarray[Any, Any]" if numbers else "Any" if bare is None else self.returned(bare)

    def result(self, signature: Signature) -> str:
        """What a call returns: the result first, then the outputs."""
        parts = [self._given(unqualified(signature.result))] if signature.result != VOID else []
        parts += [self._output(p) for p in signature.parameters if not p.intent.visible]
        return self._results(signature, parts)

    def _given(self, type_: Type) -> str:
        """What a function gives back; where C++ gives a place, what lies there."""
        known = isinstance(type_, Pointer) and self._class(type_.target)
        return f"{known} | None" if known else self.returned(type_)

    def _output(self, parameter: Parameter) -> str:
        intent = parameter.intent
        if not isinstance(intent, OutArrayReturn):
            return self._given(storage_type(parameter))
        if intent.as_array:
            return "np.ndarray[Any, Any]"
        found = self.returned(element_type(parameter))
        for _ in range(len(grid(parameter)[1]) if intent.shape else 1):
            found = f"tuple[{found}, ...]"
        return found

    def lying(self, type_: Type) -> str:
        """What is read where a value of a type lies: of a pointer to an object that object."""
        to_object = pointer_to_object(type_)
        if to_object is None or (to_object.const and not isinstance(to_object.target, Handle)):
            return self.returned(type_)
        known = self._class(to_object.target)
        return f"{known} | None" if known else self.returned(type_)

    def _class(self, type_: Type) -> str:
        name = getattr(unqualified(type_), "name", "")
        return self._classes.get(name, "")

    def instance(self, type_: Struct | Enum | Named) -> str:
        """The class of a record or an enum."""
        return self._classes.get(type_.name, "Any")

    def address(self, type_: Pointer) -> str:
        """What stands for a pointer."""
        taken = self._address(type_)
        return taken.removesuffix(" | None") if type_.nonnull else taken

    def _address(self, type_: Pointer) -> str:
        if type_.is_string:
            return "str | bytes | Pointer | None"
        if type_.is_text:
            return f"str | {self.accepted(type_.target)} | ArrayLike | CObject | Pointer | None"
        if isinstance(type_.pointee, Function):
            return f"{self.callable(type_.pointee)} | Pointer | CObject | None"
        known = self._class(type_.target)
        if type_.adapter:
            several = "" if type_.adapter == "Pointer" else "Values | "
            return f"{known + ' | ' if known else ''}int | {several}ArrayLike | CObject | Pointer | None"
        values = (
            f"{self.accepted(type_.target)} | " if type_.const and type_.target != VOID and not known else ""
        )
        several = "Values | " if isinstance(type_.target, Pointer) else ""
        return f"{values}{known + ' | ' if known else ''}{several}ArrayLike | CObject | Pointer | None"

    def callable(self, function: Function) -> str:
        """A Python function that C++ may call."""
        given = ", ".join(
            "bytes | None" if a.measured else self.returned(unqualified(a.type)) for a in function.arguments
        )
        back = "None" if function.result == VOID else self.accepted(unqualified(function.result))
        return f"Callable[[{given}], {back}]"

    def elements(self, type_: Container) -> str:
        """What a container is made of."""
        if type_.keyed and isinstance(pair := type_.element, Product):
            key, value = map(self.accepted, pair.elements)
            return f"Mapping[{key}, {value}] | Iterable[{self.accepted(pair)}] | ArrayLike"
        return f"Iterable[{self.accepted(type_.element)}] | ArrayLike"

    def contents(self, type_: Container) -> str:
        """What a container comes back as."""
        if type_.numbers is not None:
            return "np.ndarray[Any, Any]"
        # Of pointers in a set nobody says that Python could hash the objects.
        return (
            f"set[{self.returned(type_.element)}]" if type_.unique else f"list[{self.lying(type_.element)}]"
        )

    def rows(self, type_: CArray) -> str:
        """Nested tuples of the elements of a C array."""
        found = self.lying(type_.element)
        for _ in type_.shape:
            found = f"tuple[{found}, ...]"
        return found


def _optional(text: str) -> str:
    return text if text == "Any" else f"{text} | None"


def _text(type_: Pointer) -> str:
    return "bytes | None" if type_.measured else "str | None"


def _pointer(type_: Pointer) -> str:
    return "Any" if isinstance(type_.pointee, Function) else "Const" * type_.const + "Pointer"


_NO_VALUES: dict[str, tuple[type[Type], ...]] = {
    "only a pointer to it is a value": (Function, Named),
    "it is None, and callers say so": (Void,),
    "it is the root of others": (Converted,),
}
_ACCEPTS: ByKind[Callable[[Annotations, Any], str]] = ByKind(
    "tools: what a stub says that a parameter takes",
    {
        Scalar: lambda a, t: _ACCEPTED[t.kind],
        **dict.fromkeys((Const, Aligned), lambda a, t: a.accepted(t.type)),
        Atomic: lambda a, t: a.accepted(t.type),
        Enum: lambda a, t: f"{a.instance(t)} | Int",
        Handle: lambda a, t: a.instance(t),
        Struct: lambda a, t: f"{a.instance(t)} | Fields",
        Tuple: lambda a, t: f"tuple[{', '.join(map(a.accepted, t.elements))}]",
        Vector: lambda a, t: f"sb.{t} | Values",
        Pointer: lambda a, t: a.address(t),
        **dict.fromkeys((Array, Span, Mdspan, Matrix, NdArray), lambda a, t: "ArrayLike"),
        CArray: lambda a, t: "Values",
        Text: lambda a, t: "str | bytes",
        FilePath: lambda a, t: "str | bytes | os.PathLike[Any]",
        Container: lambda a, t: a.elements(t),
        Dictionary: lambda a, t: f"Mapping[{a.accepted(t.key)}, {a.accepted(t.value)}]",
        **dict.fromkeys((Maybe, Target), lambda a, t: _optional(a.accepted(t.value))),
        Product: lambda a, t: f"tuple[{', '.join(map(a.accepted, t.elements)) or '()'}] | list[Any]",
        Duration: lambda a, t: "datetime.timedelta | np.timedelta64",
        Instant: lambda a, t: "datetime.datetime | np.datetime64",
        Object: lambda a, t: a.accepted(t.target),
        Callback: lambda a, t: f"{a.callable(t.function)} | None",
        Stream: lambda a, t: "IO[Any]",
        Sparse: lambda a, t: "Any",
        Bits: lambda a, t: "int",
        Nothing: lambda a, t: "None",
        Choice: lambda a, t: " | ".join(dict.fromkeys(map(a.accepted, t.elements))),
        Owner: lambda a, t: _optional(a.accepted(unqualified(t.target))),
    },
    without=_NO_VALUES | {"it is a result": (Held,)},
)
_RETURNS: ByKind[Callable[[Annotations, Any], str]] = ByKind(
    "tools: what a stub says that comes back",
    {
        Scalar: lambda a, t: _RETURNED[t.kind],
        **dict.fromkeys((Const, Aligned, Held), lambda a, t: a.returned(t.type)),
        Atomic: lambda a, t: a.returned(t.type),
        Enum: lambda a, t: a.instance(t),
        Handle: lambda a, t: a.instance(t),
        Struct: lambda a, t: a.instance(t),
        Tuple: lambda a, t: f"tuple[{', '.join(map(a.returned, t.elements))}]",
        Vector: lambda a, t: f"sb.{t}",
        **dict.fromkeys((Array, Span, Mdspan), lambda a, t: "Any"),
        Pointer: lambda a, t: _text(t) if t.is_text else _pointer(t),
        CArray: lambda a, t: a.rows(t),
        Text: lambda a, t: "str",
        FilePath: lambda a, t: "Path",
        Container: lambda a, t: a.contents(t),
        **dict.fromkeys((Matrix, NdArray), lambda a, t: "np.ndarray[Any, Any]"),
        Dictionary: lambda a, t: f"dict[{a.returned(t.key)}, {a.returned(t.value)}]",
        **dict.fromkeys((Maybe, Target), lambda a, t: _optional(a.returned(t.value))),
        Duration: lambda a, t: "datetime.timedelta | np.timedelta64",
        Instant: lambda a, t: "datetime.datetime | np.datetime64",
        Object: lambda a, t: a.returned(t.target),
        Sparse: lambda a, t: "Any",
        Bits: lambda a, t: "int",
        Nothing: lambda a, t: "None",
        Choice: lambda a, t: " | ".join(dict.fromkeys(map(a.returned, t.elements))),
        Owner: lambda a, t: _optional(a.returned(unqualified(t.target))),
        Product: lambda a, t: f"tuple[{', '.join(map(a.returned, t.elements)) or '()'}]",
        **dict.fromkeys((Callback, Stream), lambda a, t: "Any"),
    },
    without=_NO_VALUES,
)


def results_of(request: Request, module: Module, check: bool | Collection[str]) -> Results:
    """What becomes of the results of a request's functions."""
    if request.style != "c_api":
        return plain
    return after_status(
        check if isinstance(check, bool) else frozenset(check),
        chosen_allocations(module.functions, request.allocations),
    )
