"""Which parameters of a C API are outputs, and which adapter stands for each of the others: by rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from ...layouts import walk
from ...model.intents import EVERY, IN, OutReturn
from ...model.module import Alias, Module
from ...model.signature import Parameter, Signature
from ...types import (
    CHAR,
    VOID,
    CArray,
    Const,
    Enum,
    Function,
    Named,
    Pointer,
    Scalar,
    Struct,
    Type,
    unqualified,
)
from . import octets, vocabulary
from .arrays import arrays, counted_by_place, lists
from .callbacks import adapt_callbacks
from .capacities import with_capacities
from .cases import Case
from .code import octet_by_code
from .consistent import settle
from .data import data
from .evidence import takes
from .octets import is_octet
from .outputs import Surroundings, Verdict, may_be_output, verdict
from .remarks import Remarks, named
from .siblings import many
from .typedefs import spelled

_GUESSED = OutReturn(guessed=True)

# The adapter of an input pointer by what it points to (HIP Python, "List Types").
_LISTS = {
    "int32": "ListOfInt",
    "uint32": "ListOfUnsigned",
    "uint64": "ListOfUnsignedLong",
    "int64": "ListOfLong",
}
_NAMED = {"kernelParams": "KernelParams", "params": "KernelParams", "extra": "LaunchExtra"}

# What a field is unless said otherwise, where C++'s constructors say it and C cannot (hip_runtime_api.h, dim3).
INITIAL = {"dim3": {"x": 1, "y": 1, "z": 1}}


def apply_style(
    module: Module,
    style: str,
    allocated: Iterable[tuple[str, str]] = (),
    shown: Mapping[tuple[str, int], str] | None = None,
) -> Module:
    """The module with the outputs and adapters of its style; those that a user chose come after and count more.

    ``allocated`` are functions that are said to allocate, with the parameters that get the addresses; ``shown`` is what
    the code of libraries shows, by the linker's name of a function and a parameter.
    """
    if style != "c_api":
        return module
    module = adapt_callbacks(module)
    known = {record.name: record for record in module.records}
    outputs = frozenset(allocated)
    others = {function.name: function for function in module.functions}
    around = replace(_around(module.functions, others, frozenset(known)), shown=shown or {})
    functions = tuple(
        _styled(f, frozenset(known), outputs, many(f, others), around) for f in module.functions
    )
    functions = settle(functions, around)
    opaque = tuple(_opaque(module))
    # What is only named is bound as a class of handles, by each of its names.
    found = [s for s in module.skipped if s.names in opaque]
    aliases = tuple(Alias(s.name, s.name, s.names, s.location, Pointer(Named(s.names))) for s in found)
    skipped = tuple(s for s in module.skipped if s.name not in opaque and s not in found)
    records = tuple(_initialised(record, known) for record in module.records)
    return replace(
        module, functions=functions, records=records, aliases=(*module.aliases, *aliases), opaque=opaque,
        skipped=skipped,
    )  # fmt: skip


def _around(
    functions: Sequence[Signature], others: Mapping[str, Signature], records: frozenset[str]
) -> Surroundings:
    values: dict[str, set[Type]] = {}
    rows: dict[str, set[Type]] = {}
    ends = set()
    returned = frozenset(f.result_spelling for f in functions)
    for function in functions:
        for p in function.parameters:
            type_ = unqualified(p.type)
            if not isinstance(type_, Pointer):
                values.setdefault(p.name, set()).add(type_)
            elif type_.const:
                rows.setdefault(p.name, set()).add(type_.target)
        if takes(function.name):
            first = unqualified(function.parameters[0].type) if function.parameters else VOID
            target = first.target if isinstance(first, Pointer) else VOID
            if isinstance(target, Named | Struct):
                ends.add(target.name)
    remarks = named(functions)
    by_value, of_many = _spelled(functions, remarks)
    return Surroundings(remarks, others, frozenset(ends), records, returned, values, rows, by_value, of_many)


def _spelled(
    functions: Sequence[Signature], remarks: Mapping[str, Remarks]
) -> tuple[frozenset[str], frozenset[str]]:
    """The types as they are written, of what goes by value, and of what pointers to const point to."""
    by_value, of_many = set(), set()
    for function in functions:
        for p, words in zip(function.parameters, remarks[function.name].words, strict=False):
            type_ = unqualified(p.type)
            if not isinstance(type_, Pointer):
                by_value.add(spelled(words))
            elif type_.const or p.extent is not None:
                of_many.add(spelled(words))
    return frozenset(by_value), frozenset(of_many)


def _initialised(record: Struct, known: Mapping[str, Struct]) -> Struct:
    values = INITIAL.get(record.name, {})
    fields = [replace(f, text=_is_room(f.type), taken=_adapted(f.name, f.type, known)) for f in record.fields]
    if {f.name for f in fields} == set(values):
        fields = [replace(f, default=values[f.name]) for f in fields]
    return replace(record, fields=tuple(fields))


def _adapted(name: str, type_: Type, known: Mapping[str, Struct]) -> Type | None:
    """The type of a field that takes what its adapter takes, where it is a pointer or an array of them."""
    bare = unqualified(type_)
    if isinstance(bare, CArray):
        inner = _adapted(name, bare.element, known)
        return inner and replace(bare, element=inner)
    if not isinstance(bare, Pointer):
        return None
    if isinstance(bare.target, Named) and bare.target.name in known:
        target = known[bare.target.name]  # its size is checked
        bare = replace(bare, pointee=Const(target) if bare.const else target)
    return replace(bare, adapter=_adapter(name, bare))


def _is_room(type_: Type) -> bool:
    """Whether there is room for text, ``char name[256]``."""
    type_ = unqualified(type_)
    return isinstance(type_, CArray) and len(type_.shape) == 1 and unqualified(type_.element) == CHAR


def _opaque(module: Module) -> Iterator[str]:
    """The types that the header only names, in the order of their first use."""
    types = [t for f in module.functions for t in (*(p.type for p in f.parameters), f.result)]
    types += [field.type for record in module.records for field in record.fields]
    types += [alias.type for alias in module.aliases]
    known = {record.name for record in module.records}
    found = {part.name: None for t in types for part in walk(t) if isinstance(part, Named)}
    return (name for name in found if name not in known)


def _styled(
    signature: Signature,
    records: frozenset[str],
    outputs: frozenset[tuple[str, str]],
    siblings: Iterable[int],
    around: Surroundings,
) -> Signature:
    many = _many(signature, records, siblings)
    for i, p in enumerate(signature.parameters):
        if not outputs.isdisjoint({(signature.qualified, p.name), (signature.qualified, EVERY)}):
            many.pop(i, None)
    parameters = (
        _parameter(p, _verdict(signature, i, many.get(i, ""), around, outputs))
        for i, p in enumerate(signature.parameters)
    )
    return with_capacities(replace(signature, parameters=tuple(parameters)))


def _verdict(
    signature: Signature, index: int, many: str, around: Surroundings, outputs: frozenset[tuple[str, str]]
) -> Verdict | None:
    """What becomes of a pointer; None for what can be no output."""
    parameter = signature.parameters[index]
    if is_octet(parameter.type) and parameter.passing == "value" and parameter.extent is None:
        case = Case.of(signature, index, around)
        return octet_by_code(case, octets.verdict(case))
    if not may_be_output(parameter):
        return None
    if not outputs.isdisjoint({(signature.qualified, parameter.name), (signature.qualified, EVERY)}):
        return Verdict(True, "it is said to get what is allocated, or its device")
    return verdict(signature, index, many, around)


def _many(signature: Signature, records: frozenset[str], siblings: Iterable[int]) -> dict[int, str]:
    """The pointers that are arrays or go in by a rule, with the rule's words."""
    parameters = signature.parameters
    places = {
        i
        for i, p in enumerate(parameters)
        if _is_pointer(p) and _is_handle(p) and vocabulary.PLURAL.search(p.name)
    }
    found: dict[int, str] = {}
    for words, indices in (
        ("the caller has what it points to", data(signature, records)),
        ("a count, or its name, says that it is an array", arrays(signature)),
        ("its name says that it is a list", lists(signature)),
        ("it comes in two calls: how many, and then these", counted_by_place(signature)),
        ("another function counts these, or sets many", siblings),
        ("its neighbours are arrays and counts", counted(parameters)),
        ("its name is a plural", places),
    ):
        for i in indices:
            found.setdefault(i, words)
    return found


def counted(parameters: tuple[Parameter, ...]) -> set[int]:
    """The indices of pointers that are arrays by their neighbours, and of counts that go in and out with them.

    A count by value comes before its arrays, ``unsigned numOptions, hipJitOption* options, void** values``, or after
    them; a count by pointer after them, ``hipGraphNode_t* nodes, size_t* numNodes``. A handle behind arrays of other
    things comes out.
    """
    found: set[int] = set()
    for i, parameter in enumerate(parameters[1:], 1):
        before = parameters[i - 1]
        if not _is_pointer(parameter):
            if _is_count(parameter, parameter.type) and not _counts_next(parameters, i):
                found.update(_run(parameters, i, _may_list))
        elif _is_count(before, before.type):
            if i - 2 not in found:  # that count has its arrays
                found.add(i)
        elif i - 1 in found and not vocabulary.ALONE_BEHIND_LISTS.search(parameter.name):
            if not _is_handle(parameter) or _is_alike(before, parameter):
                found.add(i)
        elif i - 1 not in found and _is_count(parameter, _pointee(parameter)) and _lists(before):
            found.update({i, *_run(parameters, i, partial(_is_alike, before))})
    return found


def _counts_next(parameters: tuple[Parameter, ...], index: int) -> bool:
    """Whether a count is, by its name, that of the array after it: ``unsigned numOptions, const char** options``."""
    after = parameters[index + 1] if index + 1 < len(parameters) else None
    return after is not None and _is_pointer(after) and _stem(after.name) == _stem(parameters[index].name)


def _stem(name: str) -> str:
    """What a parameter has or counts: ``option`` for ``numOptions``, ``options_count`` and ``pOptions``."""
    return re.sub(r"(?<=[^aeiou])ies$", "y", vocabulary.STEMS.sub("", name).lower().strip("_")).removesuffix(
        "s"
    )


def _run(parameters: tuple[Parameter, ...], end: int, belongs: Callable[[Parameter], bool]) -> Iterator[int]:
    """The indices of the pointers right before ``end``, as far as they belong together."""
    for index in range(end - 1, -1, -1):
        if not _is_pointer(parameters[index]) or not belongs(parameters[index]):
            return
        yield index


def _may_list(parameter: Parameter) -> bool:
    listed = isinstance(_pointee(parameter), Pointer | Scalar | Enum) and not _is_text(parameter)
    return listed and not vocabulary.ALONE_BEHIND_LISTS.search(parameter.name)


def _is_text(parameter: Parameter) -> bool:
    return isinstance(parameter.type, Pointer) and parameter.type.is_string


def _is_handle(parameter: Parameter) -> bool:
    target = _pointee(parameter)
    return isinstance(target, Pointer) and isinstance(unqualified(target.pointee), Named)


def _is_alike(one: Parameter, other: Parameter) -> bool:
    return one.type == other.type


def _lists(parameter: Parameter) -> bool:
    """Whether a parameter is ``T**``, and no place for the address of a whole array."""
    inner = _pointee(parameter) if _is_pointer(parameter) else None
    return isinstance(inner, Pointer) and not isinstance(unqualified(inner.pointee), Pointer)


def _is_pointer(parameter: Parameter) -> bool:
    return isinstance(parameter.type, Pointer) and parameter.passing == "value"


def _pointee(parameter: Parameter) -> Type:
    assert isinstance(parameter.type, Pointer)
    return unqualified(parameter.type.pointee)


def _is_count(parameter: Parameter, type_: Type) -> bool:
    return (
        isinstance(type_, Scalar)
        and type_.kind in ("int", "uint")
        and bool(vocabulary.COUNTS_OF_LISTS.search(parameter.name))
    )


def _parameter(parameter: Parameter, found: Verdict | None) -> Parameter:
    type_ = parameter.type
    if not isinstance(type_, Pointer) or parameter.passing != "value" or parameter.intent != IN:
        return parameter
    adapted = replace(parameter, type=replace(type_, adapter=_adapter(parameter.name, type_)))
    if found is None:
        return adapted
    intent = _GUESSED if found.output else parameter.intent
    return replace(adapted, intent=intent, reason=found.reason)


def _adapter(name: str, type_: Pointer) -> str:
    target = unqualified(type_.pointee)
    if isinstance(target, Function):
        return "Pointer"
    if isinstance(target, Pointer):
        text = isinstance(target.pointee, Const) and target.pointee.type == CHAR
        return _NAMED.get(name, "ListOfBytes" if text else "ListOfPointer")
    if type_.is_string:
        return ""
    return _LISTS.get(target.name, "Pointer") if isinstance(target, Scalar) else "Pointer"
