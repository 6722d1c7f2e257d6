"""What comes to refer to what, as users say it, ``keeps={"List.add": ["self", 0]}``, and as declarations do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from ...errors import BindError, IntentError
from ...model.intents import RESULT, parameter_index, suggest
from ...model.module import Module
from ...model.names import names_of
from ...model.signature import RESULT_PLACE, Parameter, Signature
from ...model.slots import is_made, keeps_arguments, may_keep
from ...types import Enum, Handle, Named, Pointer, Scalar, Struct, unqualified
from .opening import check_waiting, waits

SELF = "self"
# What a request says: (function, (what keeps and then what is kept, …)).
Said = tuple[tuple[str, tuple[tuple[str | int, ...], ...]], ...]


def apply_keepers(module: Module, said: Said, *, alone: bool = False) -> Module:
    """The module, in whose functions each place keeps what it refers to.

    What only a declaration says (``[[clang::lifetimebound]]``) of places that hold no addresses is dropped: a number
    or a copy refers to nothing.

    Parameters
    ----------
    alone : bool
        Whether the module holds the instantiations of templates and nothing else.

    Raises
    ------
    BindError
        If a function or a parameter does not exist.
    IntentError
        If a place cannot keep, or be kept.
    """
    functions = [_declared(f) if f.keeps else f for f in module.functions]
    for name, groups in said:
        matching = [i for i, f in enumerate(functions) if name in names_of(f)]
        if not matching and not alone:
            if not waits(name, module.templates):
                raise _unknown(functions, name)
            check_waiting(name, (), module)
        refused: list[BindError | IntentError] = []
        for index in matching:
            try:
                functions[index] = _with(functions[index], groups, name)
            except (BindError, IntentError) as error:
                refused.append(error)
        if matching and len(refused) == len(
            matching
        ):  # else an overload without the parameter stays as it is
            raise refused[0]
    return replace(module, functions=tuple(functions))


def _declared(signature: Signature) -> Signature:
    pairs = [(i, k) for i, k in signature.keeps if not _refusal(signature, i, k)]
    return replace(signature, keeps=tuple(pairs))


def _with(signature: Signature, groups: Iterable[tuple[str | int, ...]], name: str) -> Signature:
    found = dict.fromkeys(signature.keeps)
    for keeper, *kept in groups:
        for pair in ((_place(signature, keeper), _place(signature, one)) for one in kept):
            if reason := _refusal(signature, *pair):
                raise IntentError(f"keeps, {name!r}: {signature.shown_name}(): {reason}")
            found[pair] = None
    return replace(signature, keeps=tuple(found))


def _place(signature: Signature, key: str | int) -> int:
    names = tuple(p.name for p in signature.arguments)
    if key == RESULT or (key == SELF and SELF not in names and signature.kind == "constructor"):
        return RESULT_PLACE
    if key == SELF and SELF not in names and signature.object is not None:
        return 0
    own = len(signature.parameters) - len(signature.arguments)
    try:
        return own + parameter_index(signature.shown_name, names, key)
    except BindError as error:
        raise BindError(str(error).replace("arg_intent", "keeps", 1)) from None


def _refusal(signature: Signature, keeper: int, kept: int) -> str:
    """Why a place cannot keep another one; empty where it can."""
    if kept == RESULT_PLACE:
        return "what is kept is an argument, and a result is what keeps; 'return' comes first"
    if keeper == kept:
        return f"{signature.parameters[kept].name!r} cannot keep itself"
    target = signature.parameters[kept]
    if not target.intent.visible:
        return f"{target.name!r} is no argument of a call: it comes out of it"
    if _is_plain(target):
        return f"{target.name!r} is {target.spelling}, which C++ copies: there is nothing to keep"
    if keeper == RESULT_PLACE:
        shown = signature.result_spelling
        return "" if may_keep(signature) else f"its result, {shown}, is a copy that refers to nothing"
    place = signature.parameters[keeper]
    if not _is_object(place):
        return f"{place.name!r} is {place.spelling}, and only an object of a class keeps others"
    if is_made(target) and keeps_arguments(signature):
        return f"{target.name!r} is made of what Python gives, by each call, and its result alone keeps it"
    return ""


def _is_plain(parameter: Parameter) -> bool:
    return parameter.passing == "value" and isinstance(unqualified(parameter.type), Scalar | Enum)


def _is_object(parameter: Parameter) -> bool:
    """Whether C++ gets an object of Python's itself."""
    type_ = unqualified(parameter.type)
    if parameter.passing == "value":
        target = unqualified(type_.target) if isinstance(type_, Pointer) else None
        return isinstance(target, Named | Struct)
    return parameter.intent.visible and (isinstance(type_, Handle) or parameter.place)


def _unknown(functions: list[Signature], name: str) -> BindError:
    every: Callable[[Signature], Iterable[str]] = names_of
    near = suggest(name, sorted({one for f in functions for one in every(f) if "(" not in one}))
    return BindError(f"keeps names an unknown function, {name!r}.{near}")
