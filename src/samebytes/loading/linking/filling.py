"""Fills a library with everything that its module binds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from typing import TYPE_CHECKING, Any

from ...call import Binding
from ...call.introspection import docstring
from ...forks import importing
from ...model.module import Instance, Module
from ..library import Library
from ..placing import DeviceFunction, bound, place, place_members, repeat
from . import (
    absent,
    associated,
    computed,
    equated,
    inherited_names,
    lookup,
    records,
    resolution,
    specials,
    unbound_operators,
    unknown_operators,
    virtual,
)
from . import variables as variables
from .functions import Functions, make_pointers_callable
from .linker import Linker
from .loaded_module import LoadedModule
from .names import aliases, behind_others, classes
from .slots import fill_slots

if TYPE_CHECKING:
    from ..explaining import DeviceSet, Explanation
    from ..templates.library import Instantiate


def populate(library: Library, compiled: LoadedModule, instantiate: Instantiate) -> None:
    """Fill a library with everything that a compiled module binds."""
    module, linker = compiled.module, compiled.linker
    if linker.pythonic is not None:  # patterns may mean any class
        linker.records.make_all()
    filling: list[Any] | None = None
    if linker.complete is None:  # else this one adds to a library
        filling = []
        linker.complete = filling.append
    functions = Functions(compiled)
    fill_slots(compiled)
    unbound = list(functions.unbound.operators()) if functions.unbound else []
    if linker.records:
        records.complete_records(compiled)
        records.add_derived(compiled)
        virtual.add_virtual_bases(compiled)
    known = _enumerations(linker) | linker.records.made
    if known:
        reach = associated.Reach(known, linker.records, module.repeated)
        specials.add_conversions(known, functions.bindings, compiled.nogil, compiled.name, functions.unbound)
        specials.add_specials(
            known,
            functions.bindings,
            functions.members,
            compiled.nogil,
            compiled.name,
            reach,
            functions.unbound,
        )
    if functions.constructors:
        records.add_constructors(compiled, functions.constructors)
    make_pointers_callable(compiled, functions.pointers)
    named = [
        *functions.plain,
        *classes(module, linker, module.overload_sets),
        *(variables.attributes(compiled, library) if module.variables else ()),
        *functions.macros,
        *aliases(module, linker),
        *(_later_classes(module, library, instantiate) if module.later else ()),
    ]
    unnamed = [
        *functions.instances,
        *((f"{owner}()", made) for owner, made in functions.constructors.items()),
    ]
    _finish(library, module, linker, named, unnamed, instantiate, compiled.dialect, functions.late)
    scopes: dict[str, Any] = {}
    if known:
        scopes = lookup.register(
            known,
            functions.bindings,
            compiled.nogil,
            compiled.name,
            module.rewrites,
            reach,
            unbound,
        )
        lookup.place(known, scopes, linker.records)
        absent.refer_to_library(known, functions.bindings)
        equated.add_number_equality(known)
        equated.refuse_orderings(known)
        computed.add_number_operators(known)
        unknown = unknown_operators.UnknownOperators(module, instantiate, linker.operators)
        resolution.resolve_operators(known, unknown)
        resolution.resolve_enumerations(known, unknown)
    _settle(module, linker)
    if filling is not None:
        _complete(filling, compiled, functions, instantiate, scopes)
    object.__setattr__(library, "__bindings__", functions.bindings)
    _explain(library, module, functions.every, linker.records)


def _enumerations(linker: Linker) -> dict[str, Any]:
    return {name: enum.python for name, enum in linker.enums.items()}


def _later_classes(module: Module, library: Library, instantiate: Instantiate) -> Iterator[tuple[str, Any]]:
    with importing:  # few headers name classes of their templates
        from .later import later_classes

    return later_classes(module, library, instantiate)


def _complete(
    filling: list[Any],
    compiled: LoadedModule,
    functions: Functions,
    instantiate: Instantiate,
    scopes: dict[str, Any],
) -> None:
    """Do with classes that are made by being named what is done pass by pass with those that are there.

    Those that were made while the library was filled have it now, as all that they need is known only then.
    """
    linker = compiled.linker

    def complete(cls: Any) -> None:
        name = cls.__samebytes_type__.name
        members, classes = functions.of_class(name), {name: cls}
        reach = associated.Reach(classes, linker.records, compiled.module.repeated)
        records.complete_record(compiled, cls, cls.__samebytes_type__)
        if members.bindings:
            bound, others = members.bindings, functions.unbound
            specials.add_conversions(classes, bound, compiled.nogil, compiled.name, others)
            specials.add_specials(
                classes, bound, functions.members, compiled.nogil, compiled.name, reach, others
            )
        else:
            specials.settle(cls)
        if members.constructor is not None:
            records.add_constructor(cls, members.constructor, functions.constructors_of(name))
        place_members(cls, members.named)
        if linker.operators:
            with importing:
                from ..templates.operators import add_operators

            add_operators(cls, linker.operators, instantiate)
        if scopes:
            lookup.place(classes, scopes, linker.records)
        if members.bindings:
            module = compiled.module
            lookup.register(classes, members.bindings, compiled.nogil, compiled.name, module.rewrites, reach)
            equated.add_number_equality(classes)
            computed.add_number_operators(classes)
            resolution.resolve_operators(
                classes, unknown_operators.UnknownOperators(module, instantiate, linker.operators)
            )

    linker.complete = complete
    for cls in filling:
        complete(cls)


def populate_device(
    library: Library,
    module: Module,
    linker: Linker,
    instantiate: Instantiate,
    constructors: LoadedModule | None = None,
) -> None:
    """Fill a library of device code: its functions have names and types, and only kernels call them.

    ``constructors`` has those of its structs, which Python calls.
    """
    add_constructors(constructors)
    functions = module.overload_sets
    named: list[tuple[str, Any]] = []
    instances: list[tuple[str, Any]] = []
    for name, overloads in functions.items():
        signatures = tuple(signature for _, signature in overloads)
        if signatures[0].kind != "constructor":
            made = DeviceFunction(signatures[0].name, library.__name__, docstring(signatures))
            (instances if signatures[0].instance else named).append((name, made))
    named += [*classes(module, linker, functions), *aliases(module, linker)]
    _finish(library, module, linker, named, instances, instantiate, "cuda")
    _settle(module, linker)
    with importing:
        from ..explaining import DeviceSet

    sets = {n: DeviceSet(tuple(s for _, s in o)) for n, o in functions.items()}
    _explain(library, module, lambda: sets, linker.records)


def add_constructors(compiled: LoadedModule | None) -> None:
    """Let the classes of a library of device code make their objects by constructors that run on the host."""
    if compiled is None:
        return
    compiled.linker.records.make_all()
    fill_slots(compiled)
    records.add_constructors(compiled, Functions(compiled).constructors)


def populate_kernels(
    library: Library, module: Module, linker: Linker, kernels: Mapping[str, Any],
    variables: Mapping[str, Any], instantiate: Instantiate, dialect: str = "cuda", host: LoadedModule | None = None,
    constructors: LoadedModule | None = None,
) -> None:  # fmt: skip
    """Fill a library of kernels, which are there already by their qualified names, as its variables are.

    ``host`` has functions of the host that launch them, where there are any, and ``constructors`` those of structs.
    """
    add_constructors(constructors)
    functions = Functions(host) if host else None
    of_templates = {s.key for s in module.functions if s.instance}
    instances = [(name, kernel) for name, kernel in kernels.items() if name in of_templates]
    plain = [(name, kernel) for name, kernel in kernels.items() if name not in of_templates]
    named = [
        *plain,
        *(functions.plain if functions else ()),
        *classes(module, linker, module.overload_sets),
        *variables.items(),
        *aliases(module, linker),
    ]
    _finish(library, module, linker, named, instances, instantiate, dialect)
    _settle(module, linker)
    if host and functions:
        fill_slots(host)
        object.__setattr__(library, "__bindings__", functions.bindings)

    def described() -> dict[str, Any]:
        of_host = functions.every() if functions else {}
        return {**{n: kernel.described for n, kernel in kernels.items()}, **of_host}

    _explain(library, module, described, linker.records)


def _finish(
    library: Library, module: Module, linker: Linker, named: list[tuple[str, Any]],
    instances: list[tuple[str, Any]], instantiate: Instantiate, dialect: str, late: Set[str] = frozenset(),
) -> None:  # fmt: skip
    object.__setattr__(library, "__records__", linker.records)
    object.__setattr__(library, "__enums__", {name: enum.python for name, enum in linker.enums.items()})
    place(
        library,
        named,
        dict(module.renamed),
        behind_others(module, module.overload_sets),
        late.__contains__,
    )
    library.__bound__.update(instances)
    if linker.records:
        absent.refuse_specials(linker.records, module.skipped)
    unread = any(found.is_standard for found in module.unread)
    if module.templates or linker.operators or linker.makers or unread:
        with importing:  # most libraries, and packages above all, have none
            from .templates import add_templates

        add_templates(library, module, linker, instantiate, dialect)
    if module.skipped:
        owners = {**linker.records.made, **library.__enums__}
        unbound_operators.refuse_operators(owners, module.skipped)
    repeat(library, module.repeated)
    if linker.records:
        absent.add_absent(linker.records, module.skipped)
        waits = dialect == "cxx"
        absent.add_unread(linker.records, (u for u in module.unread if not (waits and u.is_standard)))
        inherited_names.settle_names(linker.records.made)
    found = {name: _instance(i, library, linker) for i in module.instances for name in (i.asked, *i.calls)}
    object.__setattr__(library, "__instances__", found)


def pythonic_forms(linker: Linker, said: Mapping[str, Any], module: Module) -> None:
    """Take what is said of Python's forms of a library's classes, before it has their members.

    Raises
    ------
    BindError
        If there is no such class, or a word is none.
    """
    with importing:  # few libraries have any
        from ..pythonic import of_configuration

    of_configuration(
        linker, said, [t.qualified for t in module.templates], [row.qualified for row in module.later]
    )


def _settle(module: Module, linker: Linker) -> None:
    """Give classes that have their members now what was said of them."""
    if linker.pythonic is not None:
        linker.pythonic.settle(frozenset(i.target for i in module.instances if i.kind == "type"))


def _instance(instance: Instance, library: Library, linker: Linker) -> Any:
    """What an instantiation is to Python; None for a function that is no template's, which the library itself has."""
    if instance.kind == "type":
        return linker.records.get(instance.target)
    return bound(library, instance.target) if instance.target in library.__bound__ else None


def _explain(
    library: Library,
    module: Module,
    bindings: Callable[[], Mapping[str, Binding | DeviceSet]],
    classes: Mapping[str, Any],
) -> None:
    def explain(name: str | None = None) -> Explanation:
        with importing:
            from ..explaining import explanation

        return explanation(library.__name__, bindings(), classes, module.skipped, module.exposed, name)

    object.__setattr__(library, "__explain__", explain)
