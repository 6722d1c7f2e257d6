"""Puts the intents that a user chose on the functions of a module, and reports what cannot be meant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...errors import BindError, IntentError
from ...model.intents import RESULT, In, Intent, OfDevice, Owned, parameter_index, suggest
from ...model.module import Module
from ...model.names import describe, names_of
from ...model.signature import Signature
from ...model.slots import storage_type
from ...types import ANY_DEVICE, Enum, Function, Pointer, Struct, Type, as_type
from .opening import check_parameters, check_waiting, function_templates, hiding, open_calls, waits
from .owning import Owning
from .settling import settle

# What a request says: (function, ((parameter name or index, intent), ...)).
Chosen = tuple[tuple[str, tuple[tuple[str | int, Intent], ...]], ...]


def apply_intents(module: Module, intents: Chosen, *, alone: bool = False) -> Module:
    """The module with each function's intents set.

    Those of a template wait for its instantiations; ``alone``, where the module holds nothing else.

    Raises
    ------
    BindError
        If a function or a parameter does not exist.
    IntentError
        If an intent contradicts every declaration it could mean, or leaves overloads that no call can tell apart.
    """
    functions, names, owning = list(module.functions), _Types(module), Owning(module)
    renamed = dict(
        module.repeated
    )  # by a macro, "#define hipGetDeviceProperties hipGetDevicePropertiesR0600"
    made = [hiding(template, intents) for template in module.templates]
    for pattern, chosen in sorted(intents, key=lambda item: len(item[0])):  # the more exact name counts
        meant = {pattern, renamed.get(pattern, pattern)}
        matching = [i for i, f in enumerate(functions) if not meant.isdisjoint(names_of(f))]
        if not matching and (alone or waits(pattern, made)):
            keys = [key for key, _ in chosen]
            if alone:  # what it meant was known before, but for the templates inside of a class template
                check_parameters(keys, function_templates(pattern, module))
            else:
                check_waiting(pattern, keys, module)
            continue
        if not matching:
            raise _unknown(module, pattern)
        waiting = {name for template in function_templates(pattern, module) for name in template.arguments}
        _apply_to(functions, matching, dict(chosen), names, owning, waiting)
    functions = owning.ending(functions)
    _check_collisions(module.functions, functions)
    instances = open_calls(module.instances, functions)
    return replace(module, functions=tuple(functions), templates=tuple(made), instances=instances)


def apply_known(
    module: Module,
    chosen: Mapping[str, Mapping[str | int, Intent]],
    has: Callable[[str], bool],
    source: str,
    exact: bool = False,
) -> Module:
    """The module with the intents that a library's file knows, as far as its declarations can mean them.

    Parameters
    ----------
    has : callable
        Whether a file is a header of that library.
    source : str
        What chose them, for those who ask.
    exact : bool
        Whether each has to be meant; else those for another version of the library are left out.

    Raises
    ------
    BindError, IntentError
        If ``exact``, and a function has no such parameter, or one that cannot be meant.
    """
    types, owning = _Types(module), Owning(module)
    functions = list(module.functions)
    refused: dict[tuple[str, str | int], Exception] = {}
    meant = set()
    for i, signature in enumerate(functions):
        if not (signature.name in chosen and signature.location and has(signature.location.file)):
            continue
        for key, intent in chosen[signature.name].items():
            try:
                functions[i] = _changed(functions[i], key, intent, types, owning, source)
                meant.add((signature.name, key))
            except (BindError, IntentError) as error:
                refused.setdefault((signature.name, key), error)
    for place, why in refused.items():
        if exact and place not in meant:
            said = str(why).replace("arg_intent", "Function Argument Intents", 1)
            raise type(why)(f"{source}: {said}")
    return replace(module, functions=tuple(owning.ending(functions)))


def _unknown(module: Module, pattern: str) -> BindError:
    skipped = [str(s) for s in module.skipped if s.name.partition("(")[0] == pattern]
    if skipped:
        return BindError(
            f"arg_intent names an unknown function {pattern!r}. It is declared and not bound: {skipped[0]}"
        )
    known = sorted(
        {name for f in module.functions for name in names_of(f) if "(" not in name or "(" in pattern}
    )
    near = suggest(pattern, known)
    short = list(dict.fromkeys(f.qualified for f in module.functions))
    shown = ", ".join(short[:8]) + (f", … ({len(short)} in all)" if len(short) > 8 else "")
    return BindError(f"arg_intent names an unknown function {pattern!r}; known: {shown or '(none)'}.{near}")


class _Types:
    """The types that a name in ``dtype`` can mean: those of the header first."""

    def __init__(self, module: Module) -> None:
        self.records = {r.name: "ends in a flexible array" if r.flexible else "" for r in module.records}
        self.found: dict[str, Type] = {alias.name: alias.type for alias in module.aliases}
        self.found.update({alias.qualified: alias.type for alias in module.aliases})
        named: Sequence[Struct | Enum] = (*module.enums, *module.records)
        self.found.update({n.short_name: n for n in named})
        self.found.update({n.name: n for n in named})

    def lookup(self, name: str) -> Type:
        found = self.found.get(name.removeprefix("::"))
        if found is not None:
            return found
        try:
            return as_type(name)
        except TypeError as error:
            raise TypeError(f"{error}{suggest(name, list(self.found))}") from None


def _apply_to(
    functions: list[Signature],
    matching: list[int],
    chosen: dict[Any, Any],
    types: _Types,
    owning: Owning,
    waiting: set[str],
) -> None:
    """Set each intent on every overload that it fits; one that lacks the parameter keeps its own.

    What templates of that name have as a parameter (``waiting``) may be theirs alone.
    """
    for key, intent in chosen.items():
        errors: list[Exception] = []
        for index in matching:
            try:
                functions[index] = _changed(functions[index], key, intent, types, owning)
            except (BindError, IntentError) as error:
                errors.append(error)
        if len(errors) == len(matching) and key not in waiting:
            # An overload that has the parameter says more than one without it, a written one more than an implied one.
            written = [e for i, e in zip(matching, errors, strict=True) if not functions[i].implicit]
            raise next((error for error in errors if isinstance(error, IntentError)), (written or errors)[0])
    for index in matching:
        _check_keys(functions[index], chosen)
        functions[index] = _settled(functions[index], range(len(functions[index].parameters)), types)


def _changed(
    signature: Signature,
    key: str | int,
    intent: Intent,
    types: _Types,
    owning: Owning,
    source: str = "arg_intent",
) -> Signature:
    """The signature with one intent set; indices do not count the object of a method."""
    if key == RESULT:
        return owning.result(signature, intent)
    own = len(signature.parameters) - len(signature.arguments)
    index = own + parameter_index(signature.shown_name, tuple(p.name for p in signature.arguments), key)
    if isinstance(intent, Owned):
        return _settled(owning.output(signature, index, intent), (index,), types)
    if isinstance(intent, OfDevice):
        return _of_device(signature, index, intent, source)
    return _settled(signature.with_intents({index: intent}, source), (index,), types)


def _of_device(signature: Signature, index: int, intent: OfDevice, source: str) -> Signature:
    """The signature with a pointer that leads into a device's memory, and is what goes in."""
    parameter = signature.parameters[index]
    type_ = parameter.value_type
    if not isinstance(type_, Pointer) or isinstance(type_.target, Function) or parameter.passing != "value":
        raise IntentError(
            f"{signature.shown_name}() parameter '{parameter.name}' ({parameter.spelling}) is no pointer to memory, "
            "which device_ptr means"
        )
    changed = signature.with_intents({index: In(chosen=True)}, source)
    parameters = list(changed.parameters)
    parameters[index] = replace(
        parameters[index], type=replace(type_, memory=f"{intent.device}:{ANY_DEVICE}")
    )
    return replace(changed, parameters=tuple(parameters))


def _settled(signature: Signature, indices: Iterable[int], types: _Types) -> Signature:
    parameters = list(signature.parameters)
    try:
        for index in indices:
            parameters[index] = settle(parameters[index], signature, types.lookup, types.records)
    except IntentError as error:
        raise IntentError(f"{signature.shown_name}() {error}") from None
    return replace(signature, parameters=tuple(parameters))


def _check_keys(signature: Signature, chosen: dict[Any, Any]) -> None:
    names = tuple(p.name for p in signature.arguments)
    for key in chosen:
        if isinstance(key, int) and key < len(names) and names[key] in chosen:
            raise BindError(f"{signature.shown_name}(): arg_intent names parameter {names[key]!r} twice.")


def _check_collisions(before: Sequence[Signature], after: Sequence[Signature]) -> None:
    """Overloads that the C++ parameters told apart must still differ in what Python passes."""
    seen: dict[tuple[Any, ...], int] = {}
    for index, signature in enumerate(after):
        shown = tuple((storage_type(p), p.passing) for p in signature.visible)
        key = (signature.instance or signature.qualified, tuple(t for t, _ in shown))
        first = seen.setdefault(key, index)
        hides = [i for i in (index, first) if len(after[i].visible) != len(before[i].visible)]
        if first != index and hides:
            raise IntentError(
                f"arg_intent leaves two overloads of {signature.shown_name}() with the same Python parameters: "
                f"{describe(after[first])} and {describe(signature)}. Choose an intent that Python passes for one of "
                f"them: arg_intent={{{_passed_again(before[hides[0]], after[hides[0]])}}}"
            )


def _passed_again(before: Signature, after: Signature) -> str:
    """What names an overload and the parameters that it hides, with an intent by which they are passed."""
    shown = {p.name for p in after.visible}
    hidden = {p.name: "inout_ptr" for p in before.visible if p.name not in shown}
    return f"{describe(after).removeprefix('::')!r}: {hidden}"
