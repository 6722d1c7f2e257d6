"""Calls of templates whose outputs are hidden: what C++ deduces from leaves them open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ...errors import BindError
from ...model.intents import RESULT, Intent, parameter_index, suggest
from ...model.module import Instance, Module, Template
from ...model.signature import Signature
from ...types.naming import split_name
from ..spellings import OPEN, call_types, callee, is_call

_FUNCTIONS = frozenset({"function", "method", "constructor"})


def template_names(template: Template) -> Iterator[str]:
    """Every way to name a template in ``arg_intent``: ``f``, ``ns::f``, ``Class.f``."""
    yield template.name
    yield template.qualified
    if template.owner:
        exact = split_name(template.owner)
        plain = [part.partition("<")[0] for part in exact]
        for owner in ("::".join(exact), exact[-1], "::".join(plain), plain[-1]):
            yield f"{owner}.{template.name}"
            yield f"{owner}::{template.name}"


def waits(pattern: str, templates: Sequence[Template]) -> bool:
    """Whether a name of ``arg_intent`` is that of a template, or of a member of classes that one makes."""
    names = {name for template in templates for name in template_names(template)}
    classes = {name for t in templates if t.kind in ("class", "alias") for name in (t.name, t.qualified)}
    plain = pattern.partition("(")[0]
    owners = {plain.rpartition(sign)[0] for sign in (".", "::")}
    return pattern in names or not classes.isdisjoint(owners)


def check_waiting(pattern: str, keys: Iterable[str | int], module: Module) -> None:
    """Raise for what no instantiation of a template can have.

    Raises
    ------
    BindError
        If a class template has no such function, or a function template no such parameter; if the name is that of a
        template of classes or variables, or of a function of an alias template.
    """
    named = [t for t in module.templates if pattern in template_names(t)]
    if functions := function_templates(pattern, module):
        return check_parameters(keys, functions)
    if named:
        raise BindError(_no_function(pattern, named[0]))
    plain = pattern.partition("(")[0]
    owner, _, method = plain.replace("::", ".").rpartition(".")
    classes = [t for t in module.templates if owner in (t.name, t.qualified.replace("::", "."))]
    if classes and all(t.kind == "alias" for t in classes):
        raise BindError(_no_function(pattern, classes[0]))
    special = [s.name for s in module.skipped if any(s.name.startswith(f"{t.qualified}<") for t in classes)]
    if special or any(t.methods is None or method in (*t.methods, t.name) for t in classes):
        return None
    known = [f"{owner}.{name}" for t in classes for name in t.methods or ()]
    raise BindError(
        f"arg_intent names an unknown function {pattern!r}; known: {', '.join(known) or '(none)'}."
        f"{suggest(pattern, known)}"
    )


def function_templates(pattern: str, module: Module) -> list[Template]:
    """The templates of functions, or of members, that a name of ``arg_intent`` means."""
    return [t for t in module.templates if t.kind in _FUNCTIONS and pattern in template_names(t)]


def check_parameters(keys: Iterable[str | int], functions: Sequence[Template]) -> None:
    """Raise a BindError for what none of some function templates of one name has as a parameter."""
    for key in keys if functions and all(map(_tells, functions)) else ():
        errors = [error for error in (_error(t, key) for t in functions) if error]
        if len(errors) == len(functions):
            raise errors[0]


def _no_function(pattern: str, template: Template) -> str:
    """Why a name means no function, though a template has it."""
    start = f"arg_intent names an unknown function {pattern!r}: {template.name} is a template of"
    if template.kind == "alias":
        return f"{start} other names; say the class that it means, as in 'Class.f'"
    if template.kind == "variable":
        return f"{start} variables"
    known = [f"{template.name}.{name}" for name in template.methods or ()]
    return f"{start} classes, whose functions are named by it: {', '.join(known) or f'{template.name}.f'}"


def _tells(template: Template) -> bool:
    """Whether all of a function template's parameters are known."""
    return len(template.declarations) == 1 and "..." not in template.declarations[0]


def _error(template: Template, key: str | int) -> BindError | None:
    try:
        if key != RESULT:
            parameter_index(template.name, template.arguments, key)
    except BindError as error:
        return error
    return None


def hiding(template: Template, intents: Iterable[tuple[str, Iterable[tuple[str | int, Intent]]]]) -> Template:
    """The template with the parameters that intents take out of the Python call."""
    if template.kind == "constructor":  # its outputs have no other place
        return template
    names = set(template_names(template))
    chosen = [item for pattern, items in intents if pattern in names for item in items]
    places = {
        key if isinstance(key, int) else template.arguments.index(key)
        for key, intent in chosen
        if not intent.visible and (isinstance(key, int) or key in template.arguments)
    }
    return replace(template, hidden=tuple(sorted(places)))


def open_calls(instances: Iterable[Instance], functions: Sequence[Signature]) -> tuple[Instance, ...]:
    """The instantiations, found by calls without their hidden outputs."""
    made = {f.instance: f for f in functions if f.instance}
    return tuple(_opened(i, made[i.asked]) if i.asked in made else i for i in instances)


def _opened(instance: Instance, function: Signature) -> Instance:
    hidden = {i for i, p in enumerate(function.arguments) if not p.intent.visible}
    if not hidden:
        return instance
    calls = (*instance.calls, *([instance.asked] if is_call(instance.asked) else []))
    opened = (
        f"{callee(call)}({', '.join(OPEN if i in hidden else t for i, t in enumerate(call_types(call)))})"
        for call in calls
    )
    return replace(instance, calls=tuple(dict.fromkeys(opened)))
