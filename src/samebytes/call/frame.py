"""Where each argument of a call lies in its frame, the block of packed bytes behind the address table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from .. import _native
from .._native import CARRIES, COPY, INDIRECT, MOVES, REFERENCE, RETAINED, TAKES
from ..errors import IntentError, Mismatch, value_words
from ..frozen import frozen
from ..layouts import has_pointers, walk
from ..model.intents import OutReturn
from ..model.signature import RESULT_PLACE, Parameter, Signature
from ..model.slots import (
    element_type,
    keeps_converted,
    may_keep,
    pointed,
    result_type,
    storage_type,
    takes_over,
    viewed,
)
from ..model.symbols import keeps_value
from ..types import (
    VOID,
    Array,
    CArray,
    Converted,
    Enum,
    Handle,
    Matrix,
    NdArray,
    Pointer,
    Scalar,
    Span,
    Struct,
    Text,
    Tuple,
    Type,
    refers,
    shows_text,
    unqualified,
)
from ..values.codecs import codec, const_codec, is_record, place_codec, values_codec, view_codec
from ..values.conversion import Packed, convert, handles
from ..values.wires import inner_objects
from . import capacity, unstated
from .addresses import device_pointers, foreign, places
from .output_arrays import OutputArray, output_array

_HANDLE = (8, 8)  # bytes and alignment of what the core notes about storage that Python makes


@frozen
class Slot:
    """One C++ argument inside the frame.

    Attributes
    ----------
    index : int
        Position in the address table: the C++ parameter's.
    codec : _native.Codec
    offset : int
        Bytes from the start of the frame.
    flags : int
        Of ``InputFlags`` in ``native/call/plan.hpp``.
    room : OutputArray, Capacity or None
        Makes the storage of an output that the frame does not hold; the codec is then of one element.
    guarded : Parameter or None
        An output that a rule takes for one value: C writes it to memory where nothing else lies near, and bytes
        behind it must stay as they are.
    """

    index: int
    codec: Any
    offset: int
    flags: int = 0
    room: OutputArray | capacity.Capacity | None = None
    guarded: Parameter | None = None


@frozen
class FrameLayout:
    """Where the arguments of one signature lie.

    Attributes
    ----------
    inputs : tuple of Slot
        The visible parameters in order.
    outputs : tuple of Slot
        Storage that C++ fills and Python returns.
    result : Slot or None
    argv : int
        The number of C++ parameters.
    size, align : int
        Bytes.
    builds : bool
        Whether the first input is the new object that a constructor fills.
    keeps : tuple of (Slot, Slot)
        Which argument comes to refer to which.
    """

    inputs: tuple[Slot, ...]
    outputs: tuple[Slot, ...]
    result: Slot | None
    argv: int
    size: int
    align: int
    builds: bool = False
    keeps: tuple[tuple[Slot, Slot], ...] = ()


def convert_argument(parameter: Parameter, obj: Any, dialect: str) -> Packed:
    """The bytes that a visible parameter's slot gets for an argument.

    Raises
    ------
    Mismatch
        If it does not fit.
    """
    if isinstance(parameter.value_type, Handle):
        if (found := foreign.foreign_object(parameter.value_type.name, obj)) is not None:
            if parameter.passing == "rvalue_ref":
                words = f"an object of {parameter.value_type}"
                raise Mismatch(IntentError, words, value_words(obj), foreign.KEPT)
            return found
        return handles.convert_handle(parameter.value_type, obj, dialect, writes=parameter.changes_object)
    if parameter.is_unstated:
        unstated.refuse_unstated(parameter, obj)
    if parameter.place:
        type_ = storage_type(parameter)
        assert isinstance(type_, Pointer)
        if parameter.is_aliased and isinstance(obj, tuple | _native.Value):
            return _of_copy(type_, parameter, obj, dialect)
        return places.place_rule(type_, obj, dialect, one=parameter.passing != "value")
    packed = convert(parameter.value_type, obj, dialect)
    if dialect != "cxx":
        device_pointers.note_owners(packed)
    return packed


def _of_copy(type_: Pointer, parameter: Parameter, obj: Any, dialect: str) -> Packed:
    """The address of a record of the call's own, which is a plain value; what C++ writes there is dropped."""
    packed, cls = convert(parameter.value_type, obj, dialect), parameter.value_type.python  # type: ignore[attr-defined]
    found = places.place_rule(type_, cls.__samebytes_make__(packed.data), dialect, one=True)
    return Packed(found.data, (*found.owners, *packed.owners))


def _flags(parameter: Parameter) -> int:
    if isinstance(parameter.value_type, Handle):
        moves = MOVES if parameter.passing == "rvalue_ref" else 0
        return INDIRECT | moves | (COPY if parameter.changes_object else 0)
    if parameter.place and parameter.passing != "value":
        return INDIRECT
    found = COPY if parameter.may_write else 0
    if takes_over(parameter):
        found |= TAKES
    return found if parameter.passing == "value" else found | REFERENCE


def _makes(signature: Signature) -> tuple[Struct, ...]:
    """The classes of the objects that a call makes, also inside a container, and that may refer to others unseen."""
    made = unqualified(signature.result)
    if signature.result_passing == "lvalue_ref":
        return ()
    if isinstance(made, Converted | CArray | Tuple):
        return tuple(p for p in walk(made) if isinstance(p, Struct) and _hides(p))
    if not isinstance(made, Struct | Handle):
        return ()
    # What a function gives back keeps what its pointers may point to by itself.
    refers = _hides(made) or (signature.kind == "constructor" and has_pointers(made))
    return (made,) if refers else ()


def _passes_on(signature: Signature, parameter: Parameter, made: tuple[Struct, ...]) -> bool:
    """Whether an object refers to what an argument of its own class refers to, and not to that: this makes no chain."""
    bare = unqualified(parameter.value_type)
    given = unqualified(bare.target) if isinstance(bare, Pointer) else bare
    if not isinstance(given, Struct) or not made:
        return False
    kin = [{m.name, *(b.name for b in m.bases)} for m in made]
    if not all(
        given.name in names or m.name in {b.name for b in given.bases}
        for m, names in zip(made, kin, strict=True)
    ):
        return False
    if signature.kind == "constructor":
        changes = parameter.passing == "lvalue_ref" and parameter.may_write
        return len(signature.parameters) == 1 and not isinstance(bare, Pointer) and not changes
    return not any(names.intersection(m.refers) for m, names in zip(made, kin, strict=True))


def _hides(made: Struct | Handle) -> bool:
    """Whether it has members that Python does not see."""
    return any(isinstance(p, Handle) or (isinstance(p, Struct) and not p.complete) for p in walk(made))


def _refers(type_: Type) -> bool:
    """Whether objects of a class may refer to others."""
    return isinstance(type_, Struct | Handle) and (_hides(type_) or has_pointers(type_))


def _retains(signature: Signature) -> bool:
    """Whether a call makes objects that keep arguments; what is an address keeps all of them."""
    made = unqualified(signature.result)
    return (
        signature.result_passing == "value" and isinstance(made, Struct | Converted) and may_keep(signature)
    )


def _may_be_kept(parameter: Parameter) -> bool:
    """Whether C++ may remember where an argument is, or where what it shows lies."""
    type_ = parameter.value_type
    if isinstance(type_, Converted):
        return any(map(_shows, walk(type_)))
    if parameter.passing == "lvalue_ref":  # of a number, in the frame of the call
        return isinstance(type_, Struct | Scalar | Enum)
    return isinstance(type_, Pointer | Array | Span)


def _shows(part: Type) -> bool:
    """Whether objects of a type show memory that is not their own."""
    if isinstance(part, Matrix):
        return bool(part.shows)
    if isinstance(part, NdArray):
        return part.writes
    return isinstance(part, Pointer | Span) or (isinstance(part, Text) and shows_text(part))


def _view(seen: tuple[Struct, bool] | None, dialect: str) -> _native.Codec | None:
    if seen is None or seen[0].python is None:
        return None
    return view_codec(seen[0], const=seen[1], dialect=dialect)


def _result(signature: Signature, dialect: str, place: Callable[[int, int], int]) -> Slot:
    if view := _view(viewed(signature), dialect):
        return Slot(-1, view, place(8, 8))
    bytes_of = _result_codec(signature, dialect)
    if isinstance(unqualified(signature.result), Handle):
        return Slot(-1, bytes_of, 0)
    return Slot(-1, bytes_of, place(bytes_of.size, bytes_of.align))


def _result_codec(signature: Signature, dialect: str) -> _native.Codec:
    """Of a record that C++ gives as const, be it by value, Python gets a copy that is const, too."""
    made = unqualified(signature.result)
    if type(made) is Struct and is_record(made) and signature.result_spelling.startswith("const "):
        return const_codec(made, dialect)
    return codec(inner_objects(result_type(signature)), dialect)


def _codec(parameter: Parameter, stored: Type, dialect: str) -> _native.Codec:
    """What the core reads an argument with; lists and arrays that C++ may write to are refused in Python."""
    if parameter.is_unstated and isinstance(stored, CArray | Converted):
        return values_codec(stored, dialect)
    return codec(inner_objects(stored) if isinstance(parameter.intent, OutReturn) else stored, dialect)


def frame_layout(signature: Signature, dialect: str = "cxx", table: tuple[int, ...] = ()) -> FrameLayout:
    """Lay out the frame of one signature; ``table`` is that of :class:`Candidate`."""
    cursor, widest = 0, 1
    made, measuring = _makes(signature), signature.measuring
    holds = keeps_converted(signature)
    stays = {kept for keeper, kept in signature.keeps if keeper == RESULT_PLACE and _retains(signature)}

    def place(size: int, align: int) -> int:
        nonlocal cursor, widest
        offset = -(-cursor // align) * align
        cursor, widest = offset + size, max(widest, align)
        return offset

    def slot(index: int, parameter: Parameter) -> Slot:
        flags, stored = _flags(parameter), storage_type(parameter)
        if index in stays:
            flags |= RETAINED
        elif made and _passes_on(signature, parameter, made):
            flags |= CARRIES
        elif made and (_may_be_kept(parameter) or holds):
            flags |= RETAINED
        elif index and keeps_value(signature):
            flags |= RETAINED if refers(parameter.value_type) else CARRIES
        elif made and _refers(parameter.value_type):
            flags |= CARRIES
        if isinstance(parameter.value_type, Handle):
            return Slot(index, codec(parameter.value_type, dialect), 0, flags)
        if flags & INDIRECT:
            assert isinstance(stored, Pointer)
            return Slot(index, place_codec(stored, dialect), 0, flags)
        if parameter in measuring:
            measure = capacity.Capacity(signature, parameter)
            return Slot(index, codec(stored, dialect), place(*_HANDLE), flags, measure)
        if room := output_array(signature, parameter, dialect):
            return Slot(index, codec(element_type(parameter), dialect), place(*_HANDLE), flags, room)
        view = None if parameter.intent.visible else _view(pointed(stored), dialect)
        bytes_of = view or _codec(parameter, stored, dialect)
        if isinstance(parameter.intent, OutReturn) and parameter.intent.guessed:
            return Slot(index, bytes_of, place(bytes_of.size, bytes_of.align), flags, guarded=parameter)
        return Slot(index, bytes_of, place(bytes_of.size, bytes_of.align), flags)

    slots = [slot(index, parameter) for index, parameter in enumerate(signature.parameters)]
    if table:
        slots = [replace(slot, index=index) for slot, index in zip(slots, table[:-1], strict=True)]
    total, builds = table[-1] if table else len(slots), signature.kind == "constructor"
    shown = [p.intent.visible for p in signature.parameters]
    result = None
    if signature.result != VOID and not builds:
        result = _result(signature, dialect, place)
    # A constructor's object is in the place of the result.
    built = (Slot(total, codec(signature.result, dialect), 0, INDIRECT),) if builds else ()
    return FrameLayout(
        (*built, *(s for s, visible in zip(slots, shown, strict=True) if visible)),
        tuple(s for s, visible in zip(slots, shown, strict=True) if not visible),
        result, total, cursor, widest, builds,
        tuple((slots[i], slots[k]) for i, k in signature.keeps if i != RESULT_PLACE),
    )  # fmt: skip
