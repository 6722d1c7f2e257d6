"""What a call of each bound function does with each argument, as plain facts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Any

from ...call import Binding, Candidate
from ...call.frame import FrameLayout
from ...call.introspection import declaration_text, keyword_names, parameters_text, shown_type, visible_text
from ...frozen import frozen
from ...model.signature import RESULT_PLACE, Signature
from ...model.slots import is_discarded
from ...model.symbols import ACCESS, PROTOCOLS
from ...types import VOID, Handle, Struct
from ...values.fields import has_compared_fields
from ...values.record_type import has_own
from ..operators import COMPARES_NUMBERS
from .copies import copied_in, copied_on_device, copied_out, returned, taken_by_core

# The tier of a call, as native/call/tier2_unrolled.cpp chooses it.
PATHS = {
    "shortest": "compiled code unrolled for these types; the GIL is held",
    "short": "compiled code unrolled for this number of arguments",
    "general": "compiled code for any arguments and outputs",
    "launch": "the driver launches it; the call returns when the kernel has run",
    "device": "in kernels only, linked with them; their compiler inlines it",
}


_CHOSEN = ("function", "method", "static", "constructor")


@frozen
class DeviceSet:
    """The overloads of a function that only kernels call."""

    signatures: tuple[Signature, ...]


@frozen
class ClassFacts:
    """A class of the header.

    Attributes
    ----------
    name : str
        Qualified, as C++ has it.
    equality : str
        What ``==`` of two objects compares.
    pythonic : tuple of str
        What :func:`samebytes.pythonize` made of its members.
    """

    name: str
    equality: str
    pythonic: tuple[str, ...] = ()


def class_facts(name: str, cls: Any) -> ClassFacts:
    """The facts of a class."""
    struct: Struct = cls.__samebytes_type__
    if hasattr(cls.__eq__, COMPARES_NUMBERS):
        equality = "the numbers that C++ converts them to"
    elif has_own(cls, "__eq__"):
        equality = "C++'s operator=="
    elif isinstance(struct, Handle):
        equality = "whether they are one object: C++ has no operator== for them"
    elif has_compared_fields(struct):
        equality = "the fields"
    else:
        equality = (
            "whether they are one object: Python does not see every member, or some share their bytes, and C++ has no "
            "operator== for them"
        )
    said = tuple(
        line for base in reversed(cls.__mro__) for line in vars(base).get("__samebytes_pythonic__", ())
    )
    return ClassFacts(name, equality, said)


@frozen
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
    why : str
        Which rule of a style, which library's file, or that a user chose the intent; empty where nothing had to.
    """

    name: str
    declaration: str
    intent: str
    python: str
    takes: str
    otherwise: str
    copies: str
    discarded: bool = False
    why: str = ""


@frozen
class FunctionFacts:
    """One overload.

    Attributes
    ----------
    name : str
        The qualified C++ name.
    python, cxx : str
        Its signature in Python, its declaration in C++.
    kind : str
        ``"function"``, ``"method"``, ``"static"``, ``"constructor"`` or ``"launch"``, of a kernel.
    location : str
        File and line.
    path : str
        A key of :data:`PATHS`.
    gil : str
        Whether a call keeps the GIL, and why; empty where there is none.
    arguments : tuple of ArgumentFacts
    returns : str
        Where the result comes from; empty where there is none.
    keeps : str
        What comes to refer to which arguments, ``self keeps x``; empty where nothing says that.
    chosen : str
        What chooses it among its overloads, ``f.overload("int, double")``; empty where there is no choice.
    """

    name: str
    python: str
    cxx: str
    kind: str
    location: str
    path: str
    gil: str = ""
    arguments: tuple[ArgumentFacts, ...] = field(default=())
    returns: str = ""
    chosen: str = ""
    keeps: str = ""

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
        zip((c.signature for c in reversed(binding.candidates)), reversed(_paths(binding)), strict=True)
    )
    widest = {c.signature: c for c in reversed(binding.candidates)}
    for signature in binding.signatures:
        yield FunctionFacts(
            *_named(signature), signature.kind,
            str(signature.location or ""), *_way(binding, widest[signature], paths[signature]),
            tuple(_arguments(signature, binding.frames[signature])), returned(signature, binding.frames[signature]),
            _chosen(binding, signature), _kept(signature),
        )  # fmt: skip


def _paths(binding: Binding) -> tuple[str, ...]:
    """By which tier the core runs each candidate; those behind are not bound."""
    return tuple(binding.plan.paths)[: len(binding.candidates)]


def _chosen(binding: Binding, signature: Signature) -> str:
    """What chooses an overload of a name that users call, as they write it."""
    declared = [s for s in binding.signatures if not s.implicit]
    if (
        len(declared) < 2
        or signature.implicit
        or signature.kind not in _CHOSEN
        or binding.special is not None
    ):
        return ""
    name, spelled = signature.shown_name, parameters_text(signature, declared)
    if signature.kind == "constructor" or binding.dispatcher is not None:
        return f'samebytes.overload({name}, "{spelled}")'
    return f'{name}.overload("{spelled}")'


def _kept(signature: Signature) -> str:
    """What declarations or users say of what keeps what."""
    names = {i: p.name for i, p in enumerate(signature.parameters)}
    names[RESULT_PLACE] = "the object" if signature.kind == "constructor" else "the result"
    found: dict[int, list[str]] = {}
    for keeper, kept in signature.keeps:
        found.setdefault(keeper, []).append(names[kept])
    return "; ".join(f"{names[keeper]} keeps {', '.join(kept)}" for keeper, kept in found.items())


def _named(signature: Signature) -> tuple[str, str, str]:
    """The name, the signature in Python and the declaration in C++, where C++ has one: of members what they are."""
    qualified, shown, declared = signature.qualified, visible_text(signature), declaration_text(signature)
    if not signature.name.startswith(ACCESS):
        return qualified, shown, declared
    owner, name = qualified.removesuffix(signature.name), signature.name.removeprefix(ACCESS)
    if signature.name in PROTOCOLS:
        special = PROTOCOLS[signature.name]
        return f"{owner}{name}", shown.replace(signature.name, special), f"{owner}{name}, as {special}"
    member = name.removesuffix("=")
    before = shown.partition(signature.name)[0]
    if name == member:
        return f"{owner}{member}", f"{before}{member}:{shown.rpartition('->')[2]}", f"{owner}{member}"
    taken = shown.rpartition(":")[2].partition(")")[0]
    return f"{owner}{member}", f"{before}{member} ={taken}", f"{owner}{member}"


def _way(binding: Binding, candidate: Candidate, path: str) -> tuple[str, str]:
    """The path of a call, and what becomes of the GIL."""
    if candidate.signature.kind == "launch":
        return "launch", "releases the GIL until the kernel has run"
    return path, binding.gil(candidate).words


def _device_facts(signature: Signature) -> FunctionFacts:
    shown = dict(zip(map(id, signature.shown), keyword_names(signature, signature.shown), strict=True))
    arguments = [
        ArgumentFacts(
            shown.get(id(p), p.name), p.declaration, p.intent.name, str(shown_type(p)),
            "the kernel's values of this type" if p.intent.visible else "", "", copied_on_device(p), is_discarded(p),
        )
        for p in signature.arguments
    ]  # fmt: skip
    return FunctionFacts(
        signature.qualified, visible_text(signature), declaration_text(signature), signature.kind,
        str(signature.location or ""), "device", "", tuple(arguments), "" if signature.result == VOID else "a value",
    )  # fmt: skip


def _arguments(signature: Signature, frame: FrameLayout) -> Iterator[ArgumentFacts]:
    slots = {slot.index: slot for slot in (*frame.inputs, *frame.outputs)}
    first = len(signature.parameters) - len(signature.arguments)
    shown = dict(zip(map(id, signature.shown), keyword_names(signature, signature.shown), strict=True))
    for index, parameter in enumerate(signature.arguments, first):
        slot = slots[index]
        visible = parameter.intent.visible
        takes, otherwise = taken_by_core(slot, parameter) if visible else ("", "")
        yield ArgumentFacts(
            shown.get(id(parameter), parameter.name), parameter.declaration, parameter.intent.name,
            str(shown_type(parameter)), takes, otherwise,
            copied_in(slot, parameter) if visible else copied_out(slot, parameter),
            is_discarded(parameter), parameter.reason,
        )  # fmt: skip
    if signature.variadic:
        yield ArgumentFacts(
            "*args", "...", "in", "by C's promotions", "numbers, text, addresses", "values of records",
            "numbers, values of records",
        )  # fmt: skip
