"""What a call takes, copies and gives back, in words."""

from __future__ import annotations

from ..._native import COPY
from ...call.frame import FrameLayout, Slot
from ...layouts import in_device_memory
from ...layouts.picture.cells import count
from ...model.intents import OutArrayReturn, OutReturn
from ...model.signature import Parameter, Signature
from ...model.slots import element_type, is_discarded, storage_type, viewed
from ...types import (
    Array,
    CArray,
    Converted,
    Function,
    Handle,
    Matrix,
    Named,
    NdArray,
    Owner,
    Pointer,
    Struct,
    Type,
    unqualified,
)

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


def taken_by_core(slot: Slot, parameter: Parameter) -> tuple[str, str]:
    """What the compiled core takes by itself for a parameter, and what Python converts for it."""
    type_ = unqualified(storage_type(parameter))
    if in_device_memory(type_) and not isinstance(type_, Pointer):
        arrays = "arrays in the device's memory"
        return "", arrays if isinstance(
            type_, Array
        ) else f"its records, tuples with {arrays} for its pointers"
    if isinstance(type_, Pointer):
        return _taken_as_address(type_, parameter.place and parameter.passing != "value")
    return _TAKEN.get(slot.codec.kind, _NUMBERS)


def _taken_as_address(type_: Pointer, one: bool) -> tuple[str, str]:
    none = "" if one else ", None"
    if type_.memory:
        return "", "arrays in the device's memory, Pointer, None"
    if type_.is_string:
        return _TAKEN["string"]
    if type_.is_text:
        return "", f"str, arrays of characters, Pointer{none}"
    if isinstance(type_.pointee, Function):
        return "", f"Python functions, ctypes functions, cfuncs, Pointer{none}"
    if isinstance(type_.target, Struct | Named):
        return f"its records, Pointer{none}", "arrays of NumPy records, ctypes"
    if isinstance(type_.target, Pointer) and not one and not type_.adapter:
        return f"Pointer{none}", "lists and rows, whose addresses are copied, arrays of addresses, ctypes"
    if isinstance(type_.target, CArray) and not one:
        return f"Pointer{none}", "arrays, ctypes"
    places = "arrays of one element" if one and not isinstance(type_.target, CArray) else "arrays"
    return f"{places}, Pointer{none}", "the first array of each class, ctypes"


def copied_in(slot: Slot, parameter: Parameter) -> str:
    """What is copied before the call."""
    type_ = unqualified(parameter.value_type)
    if parameter.is_aliased:
        return "nothing of a record: C++ changes it; of a value all, and what C++ writes there is discarded"
    if parameter.place:
        return "nothing: C++ changes the object itself"
    if isinstance(type_, Pointer | Array):
        return (
            "nothing: C++ gets the address"
            if not _is_made(type_)
            else "nothing: a function is made for the call"
        )
    if isinstance(type_, Matrix) and type_.shows:
        copied = ", or a copy where it cannot show them" if type_.shows == "copies" else ""
        return f"nothing: C++ sees the elements themselves{copied}"
    if isinstance(type_, NdArray) and type_.writes:
        return "nothing: C++ sees the elements themselves"
    if isinstance(type_, Converted):
        return (
            "the contents; what C++ writes there is discarded" if is_discarded(parameter) else "the contents"
        )
    if isinstance(type_, Handle):
        return "a copy, which C++ makes" if parameter.passing == "value" else "nothing: C++ gets the address"
    size = count(slot.codec.size, "byte")
    if is_discarded(parameter):
        return f"{size}; what C++ writes there is discarded"
    lent = slot.codec.kind == "struct" and not slot.flags & COPY and not in_device_memory(type_)
    return f"nothing of a record or value, else {size}" if lent else size


def _is_made(type_: Type) -> bool:
    return isinstance(type_, Pointer) and isinstance(type_.pointee, Function)


def copied_out(slot: Slot, parameter: Parameter) -> str:
    """What is copied of an output after the call."""
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


def returned(signature: Signature, frame: FrameLayout) -> str:
    """What a result is in Python."""
    result = frame.result
    if result is None or signature.kind == "launch":  # whose status is not given back
        return ""
    if signature.result_passing == "lvalue_ref" and viewed(signature) is not None:
        return "the object itself, or a view of it, which keeps what it may lie in"
    if signature.result_passing != "value":
        return f"a copy of what C++ refers to, {count(result.codec.size, 'byte')}"
    type_ = unqualified(signature.result)
    if isinstance(type_, Pointer):
        return "text" if type_.is_text else "an address, which keeps the arguments alive"
    if isinstance(type_, Owner):
        return _owned(type_)
    if isinstance(type_, Converted):
        return "a copy of the contents"
    return count(result.codec.size, "byte")


def _owned(owner: Owner) -> str:
    """Whose the object is that a result hands over, and what ends it: ``owned``, as ``arg_intent`` says it."""
    if owner.shared:
        return "the object itself, which Python and C++ share"
    ends = owner.ends.replace("__builtin_free", "free") or "delete {0}"
    return f"owned; Python ends it by {ends.format('it').removeprefix('::')}"


def copied_on_device(parameter: Parameter) -> str:
    """What is copied for a function that kernels call."""
    if parameter.place:
        return "nothing: C++ changes the variable itself"
    return "the value; what C++ writes there is discarded" if is_discarded(parameter) else "the value"
