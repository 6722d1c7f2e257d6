"""What a user, or a row of ours, says of functions that allocate, and whether the header's declarations can mean it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from ...errors import BindError
from ...frozen import frozen
from ...later import later_pattern
from ...model.intents import OutReturn, suggest
from ...model.signature import Parameter, Signature
from ...types import VOID, Enum, Pointer, Scalar, Type, unqualified

RETURN = "return"
_KEYS = ("pointer", "size", "memory", "kind", "device", "stream", "free")
_NEEDED = _KEYS[:3]
_CALL = later_pattern(r"\s*(\w+)\s*(?:\(\s*(\w+(?:\s*,\s*\w+)*)\s*\))?\s*")
_WORD = 8  # bytes of an address


@frozen
class Allocation:
    """How one function allocates.

    Attributes
    ----------
    function : str
    pointer : str
        The output that gets the address; ``"return"``: the function returns it.
    size : tuple of (str or int)
        The parameters whose product is the number of bytes; numbers count as they are.
    memory, kind : str
        Whose memory it is, ``"hip"``, and which of its kinds, ``"shared"``.
    device : str
        The function that says which device is current, ``status f(int*)``; empty: the first device.
    stream : str
        The parameter that says after which stream's work the memory is there; empty: it is there.
    free : str
        The function that takes the memory back when the array dies; empty: whoever calls does that.
    given : tuple of str
        What ``free`` gets, by the names of the allocating function's parameters.
    where : str
        Where a user said so, for messages.
    """

    function: str
    pointer: str
    size: tuple[str | int, ...]
    memory: str
    kind: str = ""
    device: str = ""
    stream: str = ""
    free: str = ""
    given: tuple[str, ...] = ()
    where: str = field(default="", compare=False)

    def said(self) -> dict[str, Any]:
        """As a user says it."""
        free = f"{self.free}({', '.join(self.given)})" if self.free else ""
        said = {key: getattr(self, key) for key in _KEYS} | {
            "free": free,
            "size": [*self.size],
        }
        return {key: value for key, value in said.items() if value}

    def place(self, signature: Signature) -> int:
        """Which of a call's results is the address."""
        outputs = [p.name for p in signature.parameters if not p.intent.visible]
        if self.pointer == RETURN and RETURN not in outputs:
            return 0
        return (signature.result != VOID) + outputs.index(self.pointer)


# HIP Python, "DeviceArray", the functions that return one; names of parameters as in hip_runtime_api.h. A header that
# names them otherwise, or lacks one, is bound as any other.
_HIP = {"memory": "hip", "device": "hipGetDevice"}
KNOWN: dict[str, dict[str, Any]] = {
    "hipMalloc": {"pointer": "ptr", "size": "size", **_HIP},
    "hipExtMallocWithFlags": {"pointer": "ptr", "size": "sizeBytes", **_HIP},
    "hipMallocManaged": {"pointer": "dev_ptr", "size": "size", "kind": "shared", **_HIP},
    "hipMallocAsync": {"pointer": "dev_ptr", "size": "size", "stream": "stream", **_HIP},
    "hipMallocFromPoolAsync": {"pointer": "dev_ptr", "size": "size", "stream": "stream", **_HIP},
}


def parse_allocations(given: Any, where: str = "allocations") -> tuple[Allocation, ...]:
    """What is said of each function, each word checked. Whether the header knows the names, and
    samebytes the memory, is asked later.

    Raises
    ------
    BindError
        If something is not of its kind.
    """
    if not isinstance(given, Mapping):
        raise BindError(f"{where} maps functions to what they allocate, got {given!r}")
    return tuple(_parsed(function, said, f"{where}[{function!r}]") for function, said in given.items())


def _parsed(function: Any, said: Any, where: str) -> Allocation:
    if not isinstance(function, str) or not isinstance(said, Mapping):
        raise BindError(f"{where} maps a function's name to {', '.join(_KEYS)}, got {said!r}")
    for key in said:
        if key not in _KEYS:
            raise BindError(
                f"{where}: unknown key {key!r}; known: {', '.join(_KEYS)}.{suggest(str(key), [*_KEYS])}"
            )
    if missing := [key for key in _NEEDED if said.get(key) in (None, "", [], ())]:
        raise BindError(f"{where} does not say {', '.join(missing)}")
    texts = {key: "" if said.get(key) is None else said[key] for key in _KEYS if key != "size"}
    for key, text in texts.items():
        if not isinstance(text, str):
            raise BindError(f"{where}: {key} is a name, got {text!r}")
    free, given = _free(texts.pop("free"), texts["pointer"], where)
    size = _size(said["size"], where)
    return Allocation(**texts, function=function, size=size, free=free, given=given, where=where)


def _free(text: str, pointer: str, where: str) -> tuple[str, tuple[str, ...]]:
    """``"give_back"`` or ``"give_back(pool, block)"``."""
    found = _CALL.fullmatch(text)
    if text and found is None:
        raise BindError(f"{where}: free is a function, 'f', or a call of it, 'f(pool, block)', got {text!r}")
    if found is None:
        return "", ()
    return found[1], tuple(re.findall(r"\w+", found[2])) if found[2] else (pointer,)


def _size(said: Any, where: str) -> tuple[str | int, ...]:
    factors = tuple(said) if isinstance(said, list | tuple) else (said,)
    for factor in factors:
        if isinstance(factor, bool) or not (
            isinstance(factor, str) or (isinstance(factor, int) and factor > 0)
        ):
            raise BindError(
                f"{where}: size is a parameter, or a list of parameters and positive numbers whose product is the "
                f"number of bytes, got {said!r}"
            )
    return factors


# --- against the header


def chosen_allocations(functions: Sequence[Signature], said: Sequence[Allocation]) -> dict[str, Allocation]:
    """The allocations of a header by function: ours, as far as they fit, and the user's, which all must.

    Raises
    ------
    BindError
        If the user's names do not exist, or cannot mean that.
    """
    by_name = {s.qualified: s for s in functions}
    found = {}
    for name in KNOWN.keys() & by_name.keys():
        ours = _parsed(name, KNOWN[name], name)
        if not [*_troubles(ours, by_name)]:
            found[name] = ours
    for one in said:
        for trouble in _troubles(one, by_name):
            raise BindError(f"allocations[{one.function!r}]{trouble}")
        found[one.function] = one
    return found


def _troubles(one: Allocation, functions: Mapping[str, Signature]) -> Iterator[str]:
    """Why the declarations cannot mean it, as what follows the function's name in a message."""
    signature = functions.get(one.function)
    if signature is None:
        yield f" names an unknown function.{suggest(one.function, [*functions])}"
        return
    parameters = {p.name: p for p in signature.parameters}
    known = f"; it has: {', '.join(parameters)}" if parameters else "; it has none"
    for key, names in (
        ("pointer", (one.pointer,)),
        ("size", one.size),
        ("stream", (one.stream,)),
        ("free", one.given),
    ):
        for name in names:
            if isinstance(name, str) and name not in ("", RETURN, *parameters):
                yield f": {key}: no parameter {name!r}{known}.{suggest(name, [*parameters])}"
                return
    yield from _pointer_troubles(one, signature, parameters)
    visible = {p.name: p.value_type for p in signature.visible}
    for name in (n for n in one.size if isinstance(n, str)):
        if not isinstance(visible.get(name), Enum) and not _is_integer(visible.get(name)):
            yield f": size: {name!r} is no integer that goes in"
    if one.stream and not (
        isinstance(visible.get(one.stream), Pointer) or _is_integer(visible.get(one.stream))
    ):
        yield f": stream: {one.stream!r} is neither a pointer nor an integer that goes in"
    yield from _call_troubles(one, functions, {*visible, one.pointer})


def _pointer_troubles(
    one: Allocation, signature: Signature, parameters: Mapping[str, Parameter]
) -> Iterator[str]:
    if one.pointer == RETURN and RETURN not in parameters:
        if not _is_address(signature.result):
            yield f": pointer: it returns {signature.result_spelling}, no address"
        return
    parameter = parameters[one.pointer]
    inside = parameter.value_type.pointee if isinstance(parameter.value_type, Pointer) else VOID
    if not isinstance(parameter.intent, OutReturn):
        chosen = f"arg_intent={{{one.function!r}: {{{one.pointer!r}: 'out_return'}}}}"
        yield f": pointer: {one.pointer!r} is no output; {chosen} makes it one"
    elif not _is_address(inside):
        yield f": pointer: {one.pointer!r} is {parameter.spelling}, which gets no address"


def _call_troubles(one: Allocation, functions: Mapping[str, Signature], known: set[str]) -> Iterator[str]:
    """Whether the functions that are called besides can be called so."""
    for key, name, given in (("free", one.free, len(one.given)), ("device", one.device, 0)):
        if not name:
            continue
        other = functions.get(name)
        if other is None:
            yield f": {key} names an unknown function {name!r}.{suggest(name, [*functions])}"
        elif len(other.visible) != given:
            takes = ", ".join(p.name for p in other.visible)
            yield f": {key}: {name}({takes}) is not called with {given} arguments; write '{name}(…)' with what it gets"
    for name in one.given:
        if name not in known:
            yield f": free: {name!r} is no parameter that goes in"
    if one.free and one.pointer not in one.given:
        yield f": free: {one.free}() does not get {one.pointer!r}"


def _is_integer(type_: Type | None) -> bool:
    return isinstance(type_, Scalar) and type_.kind in ("int", "uint")


def _is_address(type_: Type) -> bool:
    """Whether a value is an address: a pointer, or an integer as wide, as CUDA's CUdeviceptr."""
    type_ = unqualified(type_)
    return isinstance(type_, Pointer) or (
        isinstance(type_, Scalar) and type_.kind == "uint" and type_.size == _WORD
    )
