"""What C++ shims need for converted types: the headers that know their classes, arguments, results, outputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...layouts.dialects import layout
from ...model.callbacks import shown_as
from ...model.intents import Owned
from ...model.module import Module
from ...model.signature import Parameter, Signature
from ...model.slots import is_lent, is_offered, keeps_arguments, keeps_converted, keeps_functions
from ...model.symbols import accessors
from ...read.cxxtypes.standard import template_name
from ...types import (
    BARE_NULL,
    VOID,
    Callback,
    Const,
    Converted,
    Matrix,
    NdArray,
    Object,
    Owner,
    Scalar,
    Sparse,
    Stream,
    Struct,
    Target,
    Type,
    converted_parts,
    unqualified,
)
from .base import ARGS

# Class template -> the file of include/samebytes/crossing that knows it.
_HEADERS = {
    "std::basic_string": "text",
    "std::basic_string_view": "text",
    "std::filesystem::path": "path",
    "std::vector": "vector",
    "std::deque": "deque",
    "std::list": "list",
    "std::forward_list": "forward_list",
    "std::valarray": "valarray",
    "std::stack": "stack",
    "std::queue": "queue",
    "std::priority_queue": "queue",
    "std::set": "set",
    "std::multiset": "set",
    "std::unordered_set": "unordered_set",
    "std::unordered_multiset": "unordered_set",
    "std::map": "map",
    "std::multimap": "map",
    "std::unordered_map": "unordered_map",
    "std::unordered_multimap": "unordered_map",
    "std::optional": "optional",
    "std::shared_ptr": "owner",
    "std::unique_ptr": "owner",
    "std::pair": "product",
    "std::tuple": "product",
    "std::array": "array",
    "std::chrono::duration": "duration",
    "std::chrono::time_point": "duration",
    "std::variant": "choice",
    "std::monostate": "choice",
    "std::nullptr_t": "null",
    "std::bitset": "bits",
    "std::initializer_list": "listed",
    "std::span": "shown",
    "std::basic_ostream": "stream",
    "std::basic_istream": "stream",
}


def _types(module: Module) -> Iterator[tuple[Converted, str]]:
    """The converted types of a module, and for those of results the exact spelling of the result, else ""."""
    own = [s for i, v in enumerate(module.variables) for _, s in accessors(i, v)]
    for signature in (*module.functions, *own):
        types = (p.value_type for p in signature.parameters)
        crossing: list[tuple[Type, str]] = [(type_, "") for type_ in types if type_ != BARE_NULL]
        result = "" if signature.hands_over else signature.result_spelling
        crossing.append((unqualified(signature.result), result))
        for type_, result in crossing:
            if isinstance(type_, Converted):
                yield type_, result


def preamble(module: Module) -> Iterator[tuple[str, str]]:
    """Includes, how results are taken, and the proof that Python assumes the wires' real sizes.

    Each is a type's spelling, or "" where no type is to blame, and text.
    """
    if any(map(keeps_functions, module.functions)):
        yield "", "#include <samebytes/crossing/function.hpp>"
    found = list(_types(module))
    if not found:
        return
    parts = dict.fromkeys(p for type_, _ in found for p in converted_parts(type_))
    for name in sorted({name for part in parts for name in _headers(part)}):
        yield "", f"#include <samebytes/crossing/{name}.hpp>"
    yield from _deleters(parts)
    yield from _classes(parts)
    for type_, result in dict.fromkeys(item for item in found if item[1]):
        how = _result(type_, result)
        text = f"template <> struct samebytes_result<{result}> : samebytes::{how} {{}};"
        yield type_.spelling, text
    dropped = {f.result_spelling for f in module.functions if f.result == VOID} - {"void"}
    for spelling in sorted(dropped):
        yield spelling, f"template <> struct samebytes_result<{spelling}> : samebytes::dropped_result {{}};"
    for type_ in dict.fromkeys(type_ for type_, _ in found):
        kind = "target_wire" if isinstance(type_, Target) else "wire_of"
        facts, wire = layout(type_), f"samebytes::{kind}<{type_.spelling}>"
        for fact, real in ((facts.size, f"sizeof({wire})"), (facts.align, f"alignof({wire})")):
            yield type_.spelling, f'static_assert(samebytes_same<{fact}, {real}>::samebytes_proven, "");'


def _result(type_: Converted, result: str) -> str:
    """What takes a result: of matrices the class that owns the elements, which an expression is evaluated to."""
    if isinstance(type_, Target):
        return f"target_result<{type_.spelling}>"
    owns = isinstance(type_, NdArray | Sparse) or (isinstance(type_, Matrix) and not type_.shows)
    return f"evaluated_result<{type_.spelling}>" if owns else f"held_result<{result}>"


def _headers(part: Converted) -> Iterator[str]:
    if isinstance(part, Callback):
        yield "callable"
    elif isinstance(part, Matrix | NdArray | Sparse):
        yield part.header
    elif isinstance(part, Owner):
        yield "owner"
    elif isinstance(part, Target):
        pass  # what it points to is a part
    elif isinstance(part, Object):
        yield "reference" if part.refers else "object"
    else:
        yield _HEADERS[template_name(part.spelling)]
    if any(isinstance(inside, Scalar) and inside.kind == "complex" for inside in part.parts):
        yield "complex"


def _classes(parts: Iterable[Converted]) -> Iterator[tuple[str, str]]:
    """Tell the crossings how objects of the user's own classes travel."""
    for spelling in dict.fromkeys(p.spelling for p in parts if isinstance(p, Object) and not p.refers):
        crossing = f"samebytes::crossing_object<{spelling}>"
        yield spelling, f"template <> struct samebytes::crossing<{spelling}> : {crossing} {{}};"
    for part in dict.fromkeys(p for p in parts if isinstance(p, Callback)):
        called = part.spelling.partition("<")[2][:-1]
        shown = "".join(f", samebytes::shown::{shown_as(a)}" for a in part.function.arguments)
        yield (
            part.spelling,
            f"template <> struct samebytes::crossing<{part.spelling}>"
            f" : samebytes::crossing_callable<{called}{shown}> {{}};",
        )
    for owner in dict.fromkeys(
        p for p in parts if isinstance(p, Owner) and template_name(p.spelling) not in _HEADERS
    ):
        held = unqualified(owner.target)
        assert isinstance(held, Struct)
        name = "const " * isinstance(owner.target, Const) + (held.spelling or held.name)
        crossing = f"samebytes::crossing_holder<{owner.spelling}, {name}>"
        yield owner.spelling, f"template <> struct samebytes::crossing<{owner.spelling}> : {crossing} {{}};"
    targets = (unqualified(p.target) for p in parts if isinstance(p, Owner))
    for spelling in dict.fromkeys(t.spelling or t.name for t in targets if isinstance(t, Struct)):
        yield "", f"template <> struct samebytes::is_seen<{spelling}> : std::true_type {{}};"


def _deleters(parts: Iterable[Converted]) -> Iterator[tuple[str, str]]:
    """The classes of what ends objects that functions hand over."""
    found = {p.spelling: p.ends for p in parts if isinstance(p, Owner) and p.ends}
    for spelling, ends in found.items():
        class_, _, name = spelling.removeprefix("std::unique_ptr<").removesuffix(">").rpartition(", ")
        yield (
            spelling,
            f"struct {name} {{ using samebytes_named = void; void operator()({class_}* samebytes_o) const"
            f" {{ {ends.format('samebytes_o')}; }} }};",
        )


def _output(index: int) -> str:
    return f"samebytes_o{index}"


def _shown(index: int) -> str:
    return f"samebytes_w{index}"


def _exactly_of(type_: Converted, helper: str) -> str:
    return f"static_cast<{type_.spelling}&>({helper})"


_KEEPER = "samebytes_k"


def argument(parameter: Parameter, type_: Converted, index: int, *, retained: bool) -> str:
    """The expression for one argument; ``retained``: the result may point into it."""
    if not parameter.intent.visible:
        # Classes that stand for any array, as cv::OutputArray, are made of the array itself.
        return _exactly_of(type_, _output(index)) if isinstance(type_, NdArray) else _output(index)
    if type_ == BARE_NULL:
        return "nullptr"
    if isinstance(type_, NdArray) and type_.writes:
        return _exactly_of(type_, _shown(index))
    if isinstance(type_, Target):
        made = f"samebytes::target<{type_.spelling}>({ARGS}[{index}])"
        return f"static_cast<{parameter.spelling}>({_KEEPER}.keep({made}))" if retained else made
    if template_name(type_.spelling) == "std::initializer_list":
        element = type_.spelling.partition("<")[2][:-1]
        return f"static_cast<{type_.spelling}>(samebytes::listed<{element}>({ARGS}[{index}]))"
    if isinstance(type_, Stream):
        return _exactly(parameter, f"samebytes::file_stream<{type_.spelling}>({ARGS}[{index}])")
    if is_lent(parameter):
        return _exactly(parameter, f"samebytes::lent<{type_.spelling}>({ARGS}[{index}])")
    if is_offered(parameter):
        return _exactly(parameter, f"samebytes::offered<{type_.spelling}>({ARGS}[{index}])")
    made = f"samebytes::from_wire<{type_.spelling}>({ARGS}[{index}])"
    if isinstance(type_, Owner) and parameter.passing == "value" and parameter.spelling.endswith("*"):
        return f"{made}.release()"  # a pointer that owns its object, gsl::owner<T*>
    if retained and parameter.passing != "value":
        return f"static_cast<{parameter.spelling}>({_KEEPER}.keep({made}))"
    if parameter.passing == "lvalue_ref" and parameter.may_write:
        return _exactly(parameter, f"samebytes::local<{type_.spelling}>{{{made}}}")
    return made


def _exactly(parameter: Parameter, helper: str) -> str:
    """What a helper stands for, by its own type: a template of any argument would take the helper itself."""
    return helper if parameter.passing == "value" else f"static_cast<{parameter.spelling}>({helper})"


def around(signature: Signature, given: int) -> tuple[str, str]:
    """Statements before the call that declare what it needs, and after it those that describe what it made."""
    found = [
        (i, p.value_type.spelling, "handed_output" if isinstance(p.intent, Owned) else "output")
        for i, p in enumerate(signature.parameters[:given])
        if not p.intent.visible and isinstance(p.value_type, Converted)
    ]
    before = "".join(f"samebytes::{kind}<{spelling}> {_output(i)}; " for i, spelling, kind in found)
    after = "".join(f"; {_output(i)}.put({ARGS}[{i}])" for i, *_ in found)
    for i, p in enumerate(signature.parameters[:given]):
        if p.intent.visible and isinstance(type_ := p.value_type, NdArray) and type_.writes:
            before += f"samebytes::shown_array<{type_.spelling}> {_shown(i)}({ARGS}[{i}]); "
            after += f"; {_shown(i)}.check()"
    if keeps_arguments(signature):
        before += f"samebytes::keeper {_KEEPER}; "
        after += f"; {_KEEPER}.hand_over({ARGS}[{len(signature.parameters)}])"
    elif keeps_converted(signature):
        before += f"samebytes::keeper {_KEEPER}; "
        after += f"; {_KEEPER}.hand_over_to_call()"
    return before, after + "".join(f"; {_output(i)}.slot = nullptr" for i, *_ in found)


def storage(signature: Signature) -> str:
    """Where the result goes."""
    slot = f"{ARGS}[{len(signature.parameters)}]"
    return f"static_cast<char*>({slot}) + 2 * sizeof(void*)" if keeps_arguments(signature) else slot
