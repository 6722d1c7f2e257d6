"""What a C++ parameter means to the caller: the intents, and how users write them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from ..errors import BindError, IntentError
from ..forks import importing
from ..frozen import frozen

if TYPE_CHECKING:
    from ..types import Type


@frozen
class Intent:
    """The root of the intents (Numbast, "Argument intents").

    Attributes
    ----------
    name : str
        The word that configurations use.
    visible : bool
        Whether the parameter stays in the Python call.
    """

    name: ClassVar[str] = ""
    visible: ClassVar[bool] = True
    place: ClassVar[bool] = False  # the caller passes an object that has an address


@frozen
class In(Intent):
    """The value goes in; what C++ writes to it is not seen. It is the default (Numbast, "in")."""

    name: ClassVar[str] = "in"
    chosen: bool = False  # the user wrote it down, so that discarded outputs are no surprise


@frozen
class OutReturn(Intent):
    """The parameter leaves the call: storage is made for it, and its value is returned (Numbast, "out_return").

    Attributes
    ----------
    guessed : bool
        Whether a rule chose it: calls then watch that no more than one value is written.
    capacity : str
        The parameter, an array, whose room it says before the call: C++ reads the number, and writes what it used.
    """

    name: ClassVar[str] = "out_return"
    visible: ClassVar[bool] = False
    guessed: bool = False
    capacity: str = ""


@frozen
class InOutPtr(Intent):
    """The caller passes an addressable object, which C++ reads and changes (Numbast, "inout_ptr")."""

    name: ClassVar[str] = "inout_ptr"
    place: ClassVar[bool] = True


@frozen
class OutPtr(Intent):
    """The caller passes storage of its own, which C++ fills (Numbast, "out_ptr")."""

    name: ClassVar[str] = "out_ptr"
    place: ClassVar[bool] = True


@frozen
class OutArrayReturn(Intent):
    """The parameter leaves the call: storage for an array is made, and its elements are returned.

    Attributes
    ----------
    dtype : Type, str or None
        The element type, or its name while the declaration is not read; None takes it from the declaration.
    length : int, str or None
        Elements; the parameter that says how many, or a product (``"rows * 3"``); None takes it from the
        declaration.
    shape : bool
        The declared extents, as nested tuples or as the array's shape, instead of one dimension.
    as_array : bool
        A NumPy array instead of tuples (host only).
    """

    name: ClassVar[str] = "out_array_return"
    visible: ClassVar[bool] = False
    dtype: Type | str | None = None
    length: int | str | None = None
    shape: bool = False
    as_array: bool = False


@frozen
class Owned(Intent):
    """An object that the function hands over, which Python ends, or that it takes over, of a ``T*`` that it is given.

    What it hands over is its result, or what it puts into a ``T**`` or ``T*&``.

    Attributes
    ----------
    deleter : str
        What ends the object: a function that takes it, or one of its methods; empty: C++'s ``delete``.
    """

    name: ClassVar[str] = "owned"
    visible: ClassVar[bool] = False
    deleter: str = ""


@frozen
class OfDevice(Intent):
    """A pointer that leads into a device's memory: arrays that lie there go in, and none of the host's.

    Attributes
    ----------
    device : str
        ``"cuda"``, ``"hip"``, ``"sycl"``, or ``"device"``: any of them.
    """

    name: ClassVar[str] = "device_ptr"
    device: str = "device"


IN = In()
in_, inout_ptr, out_ptr, out_return = In(chosen=True), InOutPtr(), OutPtr(), OutReturn()


def out_array_return(
    dtype: Any = None, length: int | str | None = None, *, shape: bool = False, as_array: bool = False
) -> OutArrayReturn:
    """The intent of an array that C++ fills and the call returns (Numbast, "out_array_return").

    Parameters
    ----------
    dtype : type, dtype or str, optional
        The element type: a C++ name (``"float4"``, a struct of the header), a samebytes, NumPy or Numba type. It is
        checked against the declaration, and only needed for ``void*``.
    length : int or str, optional
        The number of elements (of every dimension together), or the parameter that says it: ``"n"``, ``"rows * cols"``.
        Only needed where the declaration does not say it.
    shape : bool
        Keep the declared extents, ``((…4 values…), …)`` for ``float out[3][4]``; else the elements come in one row.
    as_array : bool
        Return a NumPy array; else tuples.

    Raises
    ------
    IntentError
        If something given is not of its kind. What contradicts the declaration is found when it is bound.
    """
    given = {"dtype": dtype, "length": length, "shape": shape, "as_array": as_array}
    return _out_array({k: v for k, v in given.items() if v is not None}, "out_array_return()")


def owned(deleter: str | None = None) -> Owned:
    """The intent of an object that a function hands over, so that Python owns it and ends it, or that it takes over.

    Parameters
    ----------
    deleter : str, optional
        What ends the object: a function that takes it (``"shape_free"``, ``"ns::close"``, ``"free"``), or one of its
        methods (``"Release"``); left out, C++'s ``delete``.

    Returns
    -------
    Intent
        For ``"return"``, the function's result ``T*``: ``arg_intent={"make": {"return": sb.owned()}}``; for a
        parameter ``T**`` or ``T*&`` that C++ sets, which then leaves the call as an output; and for a parameter
        ``T*``, whose object is C++'s from then on, which ends it by ``delete``.

    Raises
    ------
    IntentError
        If ``deleter`` is no name, or ``delete[]``: how many objects an array has is nowhere said. What contradicts
        the declaration is found when it is bound.
    """
    return _owned({} if deleter is None else {"deleter": deleter}, "owned()")


def suggest(word: str, known: list[str]) -> str:
    """`` Did you mean 'x'?`` for the nearest known word, or nothing."""
    from difflib import get_close_matches

    near = get_close_matches(word, known, n=1)
    return f" Did you mean {near[0]!r}?" if near else ""


def _type_name(spec: object, where: str) -> str:
    """The name by which a type is looked up when the declaration is known."""
    if isinstance(spec, str):
        return spec.strip()
    if type(spec).__module__.partition(".")[0] == "numba":
        return str(getattr(spec, "name", spec))
    with importing:  # few intents name a type by an object
        from ..types import as_type
    try:
        return str(as_type(spec))
    except TypeError as error:
        raise IntentError(f"{where}: dtype: {error}") from None


def _length(value: object, where: str) -> int | str:
    if isinstance(value, str) and value.strip():
        return value.strip()
    if isinstance(value, bool) or not isinstance(value, int):
        raise IntentError(f"{where}: length is a number of elements or a parameter's name, got {value!r}.")
    if value < 1:
        raise IntentError(f"{where}: length {value} is no number of elements: at least 1 is needed.")
    return value


def _flag(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise IntentError(f"{where}: shape and as_array are true or false, got {value!r}.")
    return value


_OPTIONS: dict[str, Callable[[object, str], Any]] = {
    "dtype": _type_name, "length": _length, "shape": _flag, "as_array": _flag,
}  # fmt: skip


def _out_array(given: Mapping[Any, object], where: str) -> OutArrayReturn:
    for key in given:
        if key not in _OPTIONS:
            near = suggest(str(key), list(_OPTIONS))
            raise IntentError(f"{where}: unknown option {key!r}; known: {', '.join(_OPTIONS)}.{near}")
    return OutArrayReturn(**{key: _OPTIONS[key](value, where) for key, value in given.items()})


def _without_options(intent: Intent) -> Callable[[Mapping[Any, object], str], Intent]:
    def make(given: Mapping[Any, object], where: str) -> Intent:
        if given:
            shown = ", ".join(map(repr, given))
            raise IntentError(f"{where}: {intent.name!r} takes no options, got {shown}.")
        return intent

    return make


def _out_return(given: Mapping[Any, object], where: str) -> OutReturn:
    buffer = given.get("capacity", "")
    if not isinstance(buffer, str) or given.keys() - {"capacity"}:
        known = "the only option of 'out_return' is capacity, the name of the parameter that is the buffer"
        raise IntentError(f"{where}: {known}; got {dict(given)!r}.")
    return replace(out_return, capacity=buffer.strip())


def _owned(given: Mapping[Any, object], where: str) -> Owned:
    deleter = given.get("deleter", "")
    if not isinstance(deleter, str) or given.keys() - {"deleter"}:
        known = "the only option of 'owned' is deleter, the function or method that ends the object"
        raise IntentError(f"{where}: {known}; got {dict(given)!r}.")
    name = deleter.strip()
    if "deleter" in given and not name:
        raise IntentError(
            f"{where}: deleter {deleter!r} is no name: it is a function or method that ends the object; left out, it "
            "is C++'s delete."
        )
    if name.replace(" ", "") == "delete[]":
        raise IntentError(
            f"{where}: objects of new T[] cannot be owned: how many there are is nowhere said. Return a "
            "std::vector, or a struct with the pointer and the length."
        )
    return Owned("" if name == "delete" else name)


_DEVICES = ("cuda", "hip", "sycl")


def _of_device(given: Mapping[Any, object], where: str) -> OfDevice:
    device = given.get("device", "device")
    if (device not in _DEVICES and "device" in given) or given.keys() - {"device"}:
        known = f"the only option of 'device_ptr' is device, one of {', '.join(_DEVICES)}"
        raise IntentError(f"{where}: {known}; got {dict(given)!r}.")
    return OfDevice(str(device))


INTENTS: dict[str, Callable[[Mapping[Any, object], str], Intent]] = {
    **{intent.name: _without_options(intent) for intent in (in_, inout_ptr, out_ptr)},
    OutReturn.name: _out_return,
    OutArrayReturn.name: _out_array,
    Owned.name: _owned,
    OfDevice.name: _of_device,
}


def parse_intent(spec: object, where: str) -> Intent:
    """An intent from what a user wrote.

    Parameters
    ----------
    spec : str, Intent or mapping
        ``"out_return"``, ``sb.out_array_return(length=3)``, ``{"intent": "out_array_return", "length": 3}``, or
        ``{"intent": "out_return", "capacity": "dest"}``: before the call it holds the room that ``dest`` has.
    where : str
        What messages begin with.

    Raises
    ------
    IntentError
        If no intent has that name, or an option is unknown or wrong.
    """
    if isinstance(spec, Intent):
        return spec
    options: dict[Any, object] = {}
    if isinstance(spec, Mapping):
        options = dict(spec)
        if "intent" not in options:
            near = next(filter(None, (suggest(str(key), ["intent"]) for key in options)), "")
            raise IntentError(f"{where}: 'intent' is missing in {options!r}.{near}")
        spec = options.pop("intent")
        if isinstance(spec, Intent) and not options:
            return spec
    if spec in (out_array_return, owned):
        spec = spec.__name__
    if isinstance(spec, str) and spec in INTENTS:
        return INTENTS[spec](options, where)
    raise IntentError(
        f"{where}: unknown intent {spec!r}; known: {', '.join(INTENTS)}.{suggest(str(spec), list(INTENTS))}"
    )


def intent_facts(intent: Intent) -> tuple[Any, ...]:
    """The intent in plain values: its name, and what was said beside it."""
    if isinstance(intent, Owned):
        return (intent.name, intent.deleter)
    if isinstance(intent, OfDevice):
        return (intent.name, intent.device)
    if isinstance(intent, OutReturn) and intent.capacity:
        return (intent.name, intent.capacity)
    if not isinstance(intent, OutArrayReturn):
        return (intent.name,)
    dtype = None if intent.dtype is None else str(intent.dtype)
    return (intent.name, dtype, intent.length, intent.shape, intent.as_array)


# What names a function's result among its parameters: no parameter of C++ can have this name.
RESULT = "return"
EVERY = "*"  # all places of a function, or all functions


def parameter_index(function: str, names: tuple[str, ...], key: object) -> int:
    """The parameter that a name or a 0-based index means.

    Raises
    ------
    BindError
        If there is none; the message lists what exists.
    """
    if isinstance(key, bool) or not isinstance(key, int | str):
        raise BindError(f"{function}(): arg_intent key {key!r} is neither a parameter name nor an index.")
    if isinstance(key, str) and key in names:
        return names.index(key)
    known = ", ".join(names) or "(none)"
    if isinstance(key, str):
        raise BindError(
            f"{function}(): arg_intent names an unknown parameter {key!r}; known: {known}."
            f"{suggest(key, list(names))}"
        )
    if not 0 <= key < len(names):
        raise BindError(
            f"{function}(): arg_intent index {key} is out of range for {len(names)} parameters: {known}."
        )
    return key
