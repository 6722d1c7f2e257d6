"""Turns a built module into live Python objects: record and enum classes, functions, constants."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from .backends import Loaded
from .call import Binding, Candidate
from .callbacks import function_class
from .capi import PLAIN, Api, handle_class
from .conversion import same_layout
from .dialects import layout
from .errors import BindError, InstantiationError, LayoutError
from .explaining import DeviceSet, explanation
from .generate.shims import (
    ADDRESSES,
    accessors,
    arities,
    bit_fields,
    call_signature,
    call_symbol,
    destroy_symbol,
    probe_symbol,
    shim_symbol,
    variable_symbol,
)
from .headers.model import Constant, Instance, Module, Variable
from .intents import OutArrayReturn, suggest
from .library import DeviceFunction, Library, place, put, repeat
from .signature import Parameter, Signature
from .specials import add_conversions, add_specials, hide, is_accessor
from .templates import Instantiate, templates
from .types import (
    MISSING,
    Array,
    CArray,
    Const,
    Container,
    Dictionary,
    Enum,
    Function,
    Handle,
    Maybe,
    Named,
    Pointer,
    Product,
    Span,
    Struct,
    Target,
    Type,
)
from .values.enum import enum_class
from .values.handle import base_offsets, object_class
from .values.record import record_class
from .variables import Accessed, Attribute, Placed
from .wording import docstring


class Linker:
    """Gives every record and enum of one library its Python class, and every type its linked form.

    Parameters
    ----------
    module : Module
    name : str
        The library's name, the ``__module__`` of its classes.
    chosen : mapping of str to type
        Classes that results of a C++ struct take instead of the record class (``types=``).
    """

    def __init__(
        self, module: Module, name: str, chosen: Mapping[str, type], restore: Callable[..., Any]
    ) -> None:
        self.name = name
        self.enums: dict[str, Enum] = {}
        self.structs: dict[str, Struct] = {}
        self.records: dict[str, Any] = {}
        self.destroyed: set[str] = set()  # the classes that have their destructor
        self.handles = {opaque: handle_class(opaque, name) for opaque in module.opaque}
        self.functions: dict[Function, Any] = {}
        named = ((_function_of(alias.type), alias.name) for alias in reversed(module.aliases))
        self._typedefs = {function: name for function, name in named if function is not None}
        known = {s.name for s in module.records}
        for key in chosen:
            if key not in known:
                raise BindError(f"types= names an unknown struct {key!r}.{suggest(key, sorted(known))}")
        self.extend(module, restore, chosen)

    def extend(
        self, module: Module, restore: Callable[..., Any], chosen: Mapping[str, type] | None = None
    ) -> None:
        """Give the records and enums of a module their classes, but for those that have one already."""
        for enum in module.enums:
            if enum.name not in self.enums:
                self.enums[enum.name] = replace(enum, python=enum_class(enum, self.name, restore))
        for struct in module.records:
            if struct.name not in self.structs:
                self._add(struct, (chosen or {}).get(struct.name), restore)

    def _add(self, struct: Struct, chosen: type | None, restore: Callable[..., Any]) -> None:
        fields = tuple(replace(f, type=self.link(f.type)) for f in struct.fields)
        cls = self._class(replace(struct, fields=fields))
        cls.__samebytes_restore__ = restore
        linked: Struct = cls.__samebytes_type__
        if chosen is not None:
            described = getattr(chosen, "__samebytes_type__", None)
            if not isinstance(described, Struct) or not same_layout(described, linked, "cxx"):
                raise LayoutError(
                    f"types={{{struct.name!r}: {chosen.__name__}}}: its fields, types or offsets are not those "
                    "of the C++ struct"
                )
            linked = replace(linked, python=chosen)
        self.structs[struct.name] = linked
        self.records[struct.name] = cls

    def _class(self, struct: Struct) -> Any:
        """The Python class, derived from those of the C++ bases."""
        bases = {b.name: self.records[b.name] for b in struct.bases if b.name in self.records}
        made: Callable[..., Any] = object_class if isinstance(struct, Handle) else record_class
        try:
            cls: Any = made(struct, self.name, bases=tuple(bases.values()))
        except TypeError:  # C++ allows orders of bases that Python does not
            cls = made(struct, self.name)
        cls.__samebytes_bases__ = base_offsets(struct, bases)
        return cls

    def link(self, type_: Type) -> Type:
        """The type with the classes of the records and enums inside it."""
        rule = _LINKS.get(type(type_))
        return rule(self, type_) if rule else type_

    def function(self, function: Function) -> Function:
        """A function type with the class of pointers to it, which is made when the type is first met."""
        if function not in self.functions:
            arguments = tuple(replace(a, type=self.link(a.type)) for a in function.arguments)
            name = self._typedefs.get(function, "")
            linked = replace(function, result=self.link(function.result), arguments=arguments, name=name)
            made = function_class(linked, name or "FunctionPointer", self.name, self.records.get)
            self.functions[function] = made
        found: Function = self.functions[function].__samebytes_type__.pointee
        return replace(found, holder=function.holder)

    def signature(self, signature: Signature) -> Signature:
        """The signature with every type linked."""
        parameters = tuple(map(self._parameter, signature.parameters))
        return replace(signature, parameters=parameters, result=self.link(signature.result))

    def _parameter(self, parameter: Parameter) -> Parameter:
        intent = parameter.intent
        if isinstance(intent, OutArrayReturn) and isinstance(intent.dtype, Type):
            intent = replace(intent, dtype=self.link(intent.dtype))
        return replace(parameter, type=self.link(parameter.type), intent=intent)


# A pointer's pointee is linked by name, so that a record may point to itself.
_LINKS: dict[type[Type], Callable[[Linker, Any], Type]] = {
    **dict.fromkeys((Struct, Handle), lambda linker, t: linker.structs.get(t.name, t)),
    Named: lambda linker, t: linker.structs.get(t.name) or replace(t, python=linker.handles.get(t.name)),
    Enum: lambda linker, t: linker.enums.get(t.name, t),
    Const: lambda linker, t: Const(linker.link(t.type)),
    Pointer: lambda linker, t: replace(t, pointee=linker.link(t.pointee)),
    Array: lambda linker, t: Array(linker.link(t.dtype), t.ndim),
    Span: lambda linker, t: replace(t, dtype=linker.link(t.dtype)),
    CArray: lambda linker, t: CArray(linker.link(t.element), t.shape),
    Function: lambda linker, t: linker.function(t),
    Container: lambda linker, t: replace(t, element=linker.link(t.element)),
    Dictionary: lambda linker, t: replace(t, key=linker.link(t.key), value=linker.link(t.value)),
    **dict.fromkeys((Maybe, Target), lambda linker, t: replace(t, value=linker.link(t.value))),
    Product: lambda linker, t: replace(t, elements=tuple(map(linker.link, t.elements))),
}


def _function_of(type_: Type) -> Function | None:
    """The function type of a function pointer; None for other types."""
    return type_.pointee if isinstance(type_, Pointer) and isinstance(type_.pointee, Function) else None


def _handle_of(linker: Linker, type_: Type) -> Any:
    """The class of handles that a pointer type is; None for other types."""
    target = type_.target if isinstance(type_, Pointer) else None
    return linker.handles.get(target.name) if isinstance(target, Named) else None


def populate(
    library: Library, module: Module, loaded: Loaded, linker: Linker, nogil: Callable[[str], bool],
    reduce: Callable[[str], tuple[Any, ...]], dialect: str, instantiate: Instantiate, api: Api = PLAIN,
) -> None:  # fmt: skip
    """Fill a library with everything that its module binds."""
    functions = module.overload_sets
    bound: list[tuple[str, Any]] = []
    calls_back = bool(module.function_types)
    own = (
        loaded.table(ADDRESSES, 1 + max(n for s in functions.values() for n, _ in s))
        if module.functions
        else ()
    )
    constructors: dict[str, Any] = {}
    bindings: dict[str, Binding] = {}

    instances: list[tuple[str, Any]] = []

    def make(name: str, overloads: list[tuple[int, Signature]]) -> Any:
        signatures = tuple(signature for _, signature in overloads)
        candidates = [
            Candidate(
                linker.signature(signature), given, loaded.address(shim_symbol(index, given)), own[index]
            )
            for index, signature in overloads
            for given in arities(signature, signatures)
        ]
        bindings[name] = Binding(
            candidates, nogil=nogil(name), module=library.__name__, reduce=reduce(name), dialect=dialect,
            calls_back=calls_back, **api.results(signatures),
        )  # fmt: skip
        return bindings[name].function

    for name, overloads in functions.items():
        function = api.function([s for _, s in overloads], partial(make, name, overloads))
        if overloads[0][1].instance:
            instances.append((name, function))
        elif overloads[0][1].kind == "constructor":
            constructors[overloads[0][1].owner] = function
        elif not is_accessor(overloads[0][1].name):
            bound.append((name, function))
    for index, struct in enumerate(module.records):
        _check_bits(index, struct, loaded)
        if given := {f.name: f.default for f in struct.fields if f.default is not MISSING}:
            linker.records[struct.name].__samebytes_blank__ = partial(_fill, given)
        if isinstance(struct, Handle) and struct.destructible and struct.name not in linker.destroyed:
            linker.destroyed.add(struct.name)
            linker.records[struct.name].__samebytes_codec__.set_destroy(loaded.address(destroy_symbol(index)))
    classes = {name: enum.python for name, enum in linker.enums.items()} | linker.records
    add_conversions(classes, bindings, nogil, library.__name__)
    add_specials(classes, bindings, nogil, library.__name__)
    bound += _classes(module, linker, functions)
    for owner, constructor in constructors.items():
        made = [f for f in module.functions if f.owner == owner and f.kind == "constructor"]
        blank = all(f.implicit and not f.parameters for f in made)
        cls = linker.records[owner]
        if blank and cls.__samebytes_type__.complete:
            cls.__samebytes_blank__ = constructor  # an aggregate, whose fields have initial values
        else:
            cls.__samebytes_new__ = constructor
    bound += [
        (v.qualified, _attribute(i, v, loaded, linker, library)) for i, v in enumerate(module.variables)
    ]
    for function in module.function_types:
        _make_callable(linker, function, loaded.address(call_symbol(function)), dialect)
    bound += _aliases(module, linker)
    _finish(library, module, linker, bound, instances, instantiate)
    object.__setattr__(library, "__bindings__", bindings)
    _explain(library, module, bindings)


def _fill(values: Mapping[str, Any], record: Any) -> None:
    for name, value in values.items():
        setattr(record, name, value)


def _finish(
    library: Library, module: Module, linker: Linker, bound: list[tuple[str, Any]],
    instances: list[tuple[str, Any]], instantiate: Instantiate,
) -> None:  # fmt: skip
    object.__setattr__(library, "__records__", linker.records)
    object.__setattr__(library, "__enums__", {name: enum.python for name, enum in linker.enums.items()})
    place(library, bound, dict(module.renamed))
    library.__bound__.update(instances)
    for name, template in templates(module.templates, instantiate).items():
        put(library, name, template, dict(module.renamed))
    repeat(library, module.repeated)
    hide(linker.records)
    found = {name: _instance(i, library, linker) for i in module.instances for name in (i.asked, *i.calls)}
    object.__setattr__(library, "__instances__", found)


def _instance(instance: Instance, library: Library, linker: Linker) -> Any:
    """What an instantiation is to Python; None for a function that is no template's, which the library itself has."""
    bound: Mapping[str, Any] = linker.records if instance.kind == "type" else library.__bound__
    return bound.get(instance.target)


def _host_only(spellings: tuple[str, ...]) -> Any:
    raise InstantiationError(spellings[0], "device code is bound without instantiations", crossing=True)


def _explain(library: Library, module: Module, bindings: Mapping[str, Binding | DeviceSet]) -> None:
    explain = partial(explanation, library.__name__, bindings, module.skipped, module.exposed)
    object.__setattr__(library, "__explain__", lambda name=None: explain(name))


def populate_device(library: Library, module: Module, linker: Linker) -> None:
    """Fill a library of device code: its functions have names and types, and only kernels call them."""
    functions = module.overload_sets
    bound: list[tuple[str, Any]] = []
    for name, overloads in functions.items():
        signatures = tuple(signature for _, signature in overloads)
        if signatures[0].kind != "constructor":
            bound.append((name, DeviceFunction(signatures[0].name, library.__name__, docstring(signatures))))
    bound += [*_classes(module, linker, functions), *_aliases(module, linker)]
    _finish(library, module, linker, bound, [], _host_only)
    _explain(library, module, {n: DeviceSet(tuple(s for _, s in o)) for n, o in functions.items()})


def _classes(module: Module, linker: Linker, functions: Mapping[str, object]) -> Iterator[tuple[str, Any]]:
    """Records, enumerations and constants by their names."""
    for struct in module.records:
        # Where a function hides a struct's tag (`stat`), the function has the name, as in C++.
        name = f"{struct.name}_" if struct.name in functions else struct.name
        yield name, linker.records[struct.name]
    for enum in linker.enums.values():
        yield from _enum_names(enum)
    for constant in module.constants:
        yield constant.qualified, _constant(constant, linker)


def _aliases(module: Module, linker: Linker) -> Iterator[tuple[str, Any]]:
    """Classes of handles, and second names of classes."""
    yield from linker.handles.items()
    for alias in module.aliases:
        if (handle := _handle_of(linker, alias.type)) is not None:
            yield alias.qualified, handle
            continue
        if (aimed := _function_of(alias.type)) is not None:
            yield alias.qualified, linker.function(aimed).python
            continue
        target = linker.records.get(alias.target) or getattr(linker.enums.get(alias.target), "python", None)
        if target is not None:
            yield alias.qualified, target


def _constant(constant: Constant, linker: Linker) -> Any:
    """A constant's value; of an enumeration, the member."""
    enum = linker.enums.get(constant.enum)
    return constant.value if enum is None or enum.python is None else enum.python(constant.value)


def _attribute(index: int, variable: Variable, loaded: Loaded, linker: Linker, library: Library) -> Attribute:
    """A variable as an attribute of its namespace."""
    calls = [
        Binding(
            [Candidate(linker.signature(s), len(s.parameters), loaded.address(shim_symbol(name, len(s.parameters))))],
            nogil=False, module=linker.name, reduce=(),
        ).function
        for name, s in accessors(index, variable)
    ]  # fmt: skip
    if calls:
        return Accessed(variable.name, calls[0], calls[1] if len(calls) > 1 else None)

    def address() -> int:
        place = bytearray(8)
        loaded.call(variable_symbol(index), [place])
        return int.from_bytes(place, "little")

    fixed = address()
    return Placed(
        variable.name,
        linker.link(variable.type),
        address if variable.thread_local else lambda: fixed,
        library,
    )


def _make_callable(linker: Linker, function: Function, address: int, dialect: str) -> None:
    """Give the class of pointers to functions of one type its call."""
    linked = linker.function(function)
    candidate = Candidate(linker.signature(call_signature(linked)), len(linked.arguments) + 1, address)
    binding = Binding(
        [candidate], nogil=True, module=linker.name, reduce=(), dialect=dialect, calls_back=True
    )  # fmt: skip
    linker.functions[function].__samebytes_call__ = staticmethod(binding.function)


def _enum_names(enum: Enum) -> Iterator[tuple[str, Any]]:
    """An unscoped enum's values are visible beside it, as in C++."""
    anonymous = not enum.short_name or enum.short_name.startswith("(")
    if not anonymous:
        yield enum.name, enum.python
    if not enum.scoped:
        scope = enum.name.rpartition("::")[0]
        for name, value in enum.members:
            member = value if anonymous or enum.python is None else enum.python(value)
            yield f"{scope}::{name}" if scope else name, member


def _check_bits(index: int, struct: Struct, loaded: Loaded) -> None:
    """Ask the compiled library where its bit-fields lie; C++ has no assertion for that.

    Raises
    ------
    LayoutError
        If a bit-field is not where Python assumes it.
    """
    fields = bit_fields(struct)
    if not fields:
        return
    size = layout(struct).size
    shown = [bytearray(size) for _ in fields]
    loaded.call(probe_symbol(index), shown)
    for field, real in zip(fields, shown, strict=True):
        ones = 1 if getattr(field.type, "kind", "") == "bool" else (1 << field.bit_width) - 1
        assumed = ones << (8 * (field.offset or 0) + field.bit_offset)
        found = int.from_bytes(real, "little")
        if found != assumed:
            raise LayoutError(
                f"{struct.name}.{field.name}: Python assumes the bits {assumed:#x} of the record, "
                f"the compiler uses {found:#x}"
            )
