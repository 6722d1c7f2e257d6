"""What a call of each bound function does with each argument, as plain facts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..call import Binding
from ..call.frame import COPY, FrameLayout, Slot
from ..intents import OutArrayReturn, OutReturn
from ..picture.cells import count
from ..signature import Parameter, Signature
from ..storage import element_type, is_discarded, storage_type
from ..types import (
    VOID,
    Array,
    CArray,
    Converted,
    Function,
    Handle,
    Named,
    Pointer,
    Struct,
    Type,
    unqualified,
)
from ..wording import declaration_text, keyword_names, visible_text

# The way of a call, as native/direct.cpp chooses it.
PATHS = {
    "shortest": "compiled code unrolled for these types; the GIL is held",
    "short": "compiled code unrolled for this number of arguments",
    "general": "compiled code for any arguments and outputs",
    "device": "in kernels only, linked with them; their compiler inlines it",
}


@dataclass(frozen=True, slots=True)
class DeviceSet:
    """The overloads of a function that only kernels call."""

    signatures: tuple[Signature, ...]


@dataclass(frozen=True, slots=True)
class ArgumentFacts:
    """One C++ parameter.

    Attributes
    ----------
    name : str
        In Python; of an output, its C++ name.
    declaration : str
        As C++ declares it.
    intent : str
    python : str
        The type that the Python signature shows.
    takes : str
        What the compiled core takes by itself; empty for an output.
    otherwise : str
        What else is taken, by way of Python.
    copies : str
        What is copied.
    discarded : bool
        Whether C++ may write to it, and nobody sees what.
    """

    name: str
    declaration: str
    intent: str
    python: str
    takes: str
    otherwise: str
    copies: str
    discarded: bool = False


@dataclass(frozen=True, slots=True)
class FunctionFacts:
    """One overload.

    Attributes
    ----------
    name : str
        The qualified C++ name.
    python, cxx : str
        Its signature in Python, its declaration in C++.
    kind : str
        ``"function"``, ``"method"``, ``"static"`` or ``"constructor"``.
    location : str
        File and line.
    path : str
        A key of :data:`PATHS`.
    arguments : tuple of ArgumentFacts
    returns : str
        Where the result comes from; empty where there is none.
    """

    name: str
    python: str
    cxx: str
    kind: str
    location: str
    path: str
    arguments: tuple[ArgumentFacts, ...] = field(default=())
    returns: str = ""

    @property
    def discards(self) -> bool:
        """Whether something that C++ writes is lost."""
        return any(a.discarded for a in self.arguments)


def function_facts(binding: Binding | DeviceSet) -> Iterator[FunctionFacts]:
    """The facts of every overload, in the order of the header."""
    if isinstance(binding, DeviceSet):
        yield from map(_device_facts, binding.signatures)
        return
    paths = dict(
        zip((c.signature for c in reversed(binding.candidates)), reversed(binding.plan.paths), strict=True)
    )
    for signature in binding.signatures:
        yield FunctionFacts(
            signature.qualified, visible_text(signature), declaration_text(signature), signature.kind,
            str(signature.location or ""), paths[signature],
            tuple(_arguments(signature, binding.frames[signature])), _returned(signature, binding.frames[signature]),
        )  # fmt: skip


def _device_facts(signature: Signature) -> FunctionFacts:
    shown = dict(zip(map(id, signature.shown), keyword_names(signature, signature.shown), strict=True))
    arguments = [
        ArgumentFacts(
            shown.get(id(p), p.name), p.declaration, p.intent.name, str(storage_type(p)),
            "the kernel's values of this type" if p.intent.visible else "", "", _copied_on_device(p), is_discarded(p),
        )
        for p in signature.arguments
    ]  # fmt: skip
    return FunctionFacts(
        signature.qualified, visible_text(signature), declaration_text(signature), signature.kind,
        str(signature.location or ""), "device", tuple(arguments), "" if signature.result == VOID else "a value",
    )  # fmt: skip


def _copied_on_device(parameter: Parameter) -> str:
    if parameter.intent.place:
        return "nothing: C++ changes the variable itself"
    return "the value; what C++ writes there is discarded" if is_discarded(parameter) else "the value"


def _arguments(signature: Signature, frame: FrameLayout) -> Iterator[ArgumentFacts]:
    slots = {slot.index: slot for slot in (*frame.inputs, *frame.outputs)}
    first = len(signature.parameters) - len(signature.arguments)
    shown = dict(zip(map(id, signature.shown), keyword_names(signature, signature.shown), strict=True))
    for index, parameter in enumerate(signature.arguments, first):
        slot = slots[index]
        visible = parameter.intent.visible
        takes, otherwise = _taken(slot, parameter) if visible else ("", "")
        yield ArgumentFacts(
            shown.get(id(parameter), parameter.name), parameter.declaration, parameter.intent.name,
            str(storage_type(parameter)), takes, otherwise,
            _copied_in(slot, parameter) if visible else _copied_out(slot, parameter),
            is_discarded(parameter),
        )  # fmt: skip
    if signature.variadic:
        yield ArgumentFacts(
            "*args", "...", "in", "by C's promotions", "numbers, text, addresses", "values of records",
            "numbers, values of records",
        )  # fmt: skip


# By the kind of the compiled core's codec: what it takes by itself, and what Python converts for it.
_NUMBERS = ("numbers of Python, and NumPy's of this format", "other NumPy scalars, 0-d arrays")
_TAKEN: dict[str, tuple[str, str]] = {
    "enum": ("members", "ints"),
    "struct": ("its records and values, tuples", "NumPy records, values of the same layout"),
    "handle": ("its objects, also of derived classes", ""),
    "carray": ("tuples, lists", "arrays"),
    "string": ("str, bytes, None", "Pointer"),
    "array": ("arrays", "the first array of each class"),
    "pointer": ("arrays, Pointer, None", "the first array of each class, ctypes"),
    "text": ("str, bytes", ""),
    "sequence": ("", "iterables"),
    "maybe": ("None, and what the value takes", ""),
    "read": ("", "what the class converts from"),
    "held": ("", "what the class converts from"),
}


def _taken(slot: Slot, parameter: Parameter) -> tuple[str, str]:
    type_ = unqualified(storage_type(parameter))
    if isinstance(type_, Pointer):
        return _taken_as_address(type_, parameter.intent.place and parameter.passing != "value")
    return _TAKEN.get(slot.codec.kind, _NUMBERS)


def _taken_as_address(type_: Pointer, one: bool) -> tuple[str, str]:
    none = "" if one else ", None"
    if type_.is_string:
        return _TAKEN["string"]
    if isinstance(type_.pointee, Function):
        return "", f"Python functions, ctypes functions, cfuncs, Pointer{none}"
    if isinstance(type_.target, Struct | Named):
        return f"its records, Pointer{none}", "arrays of NumPy records, ctypes"
    if isinstance(type_.target, CArray) and not one:
        return f"Pointer{none}", "arrays, ctypes"
    places = "arrays of one element" if one and not isinstance(type_.target, CArray) else "arrays"
    return f"{places}, Pointer{none}", "the first array of each class, ctypes"


def _copied_in(slot: Slot, parameter: Parameter) -> str:
    type_ = unqualified(parameter.value_type)
    if parameter.intent.place:
        return "nothing: C++ changes the object itself"
    if isinstance(type_, Pointer | Array):
        return (
            "nothing: C++ gets the address"
            if not _is_made(type_)
            else "nothing: a function is made for the call"
        )
    if isinstance(type_, Converted):
        return (
            "the contents; what C++ writes there is discarded" if is_discarded(parameter) else "the contents"
        )
    if isinstance(type_, Handle):
        return "a copy, which C++ makes" if parameter.passing == "value" else "nothing: C++ gets the address"
    size = count(slot.codec.size, "byte")
    if is_discarded(parameter):
        return f"{size}; what C++ writes there is discarded"
    lent = slot.codec.kind == "struct" and not slot.flags & COPY
    return f"nothing of a record or value, else {size}" if lent else size


def _is_made(type_: Type) -> bool:
    return isinstance(type_, Pointer) and isinstance(type_.pointee, Function)


def _copied_out(slot: Slot, parameter: Parameter) -> str:
    intent = parameter.intent
    if slot.room is None:
        return f"{count(slot.codec.size, 'byte')}, into {_what(storage_type(parameter))}"
    if isinstance(intent, OutReturn):
        size = f"{count(slot.codec.size, 'byte')}, into {_what(storage_type(parameter))}"
        return f"{size}; before, the room in {intent.capacity!r}"
    assert isinstance(intent, OutArrayReturn)
    if intent.as_array:
        return "nothing: C++ fills the array that is returned"
    return f"{count(slot.codec.size, 'byte')} an element ({element_type(parameter)}), into tuples"


def _what(type_: Type) -> str:
    return "tuples" if isinstance(unqualified(type_), CArray) else f"a {type_}"


def _returned(signature: Signature, frame: FrameLayout) -> str:
    result = frame.result
    if result is None:
        return ""
    if signature.result_passing != "value":
        return f"a copy of what C++ refers to, {count(result.codec.size, 'byte')}"
    type_ = unqualified(signature.result)
    if isinstance(type_, Pointer):
        return "text" if type_.is_string else "an address, which keeps the arguments alive"
    if isinstance(type_, Converted):
        return "a copy of the contents"
    return count(result.codec.size, "byte")
