"""What C++ shims need for converted types: the headers that know their classes, arguments, results, outputs."""

from __future__ import annotations

from collections.abc import Iterator

from ...dialects import layout
from ...headers.model import Module
from ...headers.standard import template_name
from ...signature import Parameter, Signature
from ...storage import keeps_arguments
from ...types import Converted, Target, Type, converted_parts, unqualified
from .accessors import accessors
from .base import ARGS

# Class template -> the file of include/samebytes/crossing that knows it.
_HEADERS = {
    "std::basic_string": "text",
    "std::basic_string_view": "text",
    "std::filesystem::path": "path",
    "std::vector": "sequence",
    "std::deque": "sequence",
    "std::list": "sequence",
    "std::set": "sequence",
    "std::unordered_set": "sequence",
    "std::map": "mapping",
    "std::unordered_map": "mapping",
    "std::optional": "optional",
    "std::pair": "product",
    "std::tuple": "product",
    "std::array": "product",
    "std::chrono::duration": "duration",
}


def _types(module: Module) -> Iterator[tuple[Converted, str]]:
    """The converted types of a module, and for those of results the exact spelling of the result, else ""."""
    own = [s for i, v in enumerate(module.variables) for _, s in accessors(i, v)]
    for signature in (*module.functions, *own):
        crossing: list[tuple[Type, str]] = [(p.value_type, "") for p in signature.parameters]
        crossing.append((unqualified(signature.result), signature.result_spelling))
        for type_, result in crossing:
            if isinstance(type_, Converted):
                yield type_, result


def preamble(module: Module) -> Iterator[str]:
    """Includes, how results are taken, and the proof that Python assumes the wires' real sizes."""
    found = list(_types(module))
    if not found:
        return
    parts = {template_name(p.spelling) for type_, _ in found for p in converted_parts(type_)}
    for name in sorted({_HEADERS[part] for part in parts}):
        yield f"#include <samebytes/crossing/{name}.hpp>"
    for result in dict.fromkeys(result for _, result in found if result):
        yield f"template <> struct samebytes_result<{result}> : samebytes::held_result<{result}> {{}};"
    for type_ in dict.fromkeys(type_ for type_, _ in found):
        kind = "target_wire" if isinstance(type_, Target) else "wire_of"
        facts, wire = layout(type_), f"samebytes::{kind}<{type_.spelling}>"
        yield f'static_assert(samebytes_same<{facts.size}, sizeof({wire})>::samebytes_proven, "");'
        yield f'static_assert(samebytes_same<{facts.align}, alignof({wire})>::samebytes_proven, "");'


def _output(index: int) -> str:
    return f"samebytes_o{index}"


_KEEPER = "samebytes_k"


def argument(parameter: Parameter, type_: Converted, index: int, *, kept: bool) -> str:
    """The expression for one argument; ``kept``: the result may point into it."""
    if not parameter.intent.visible:
        return _output(index)
    if isinstance(type_, Target):
        made = f"samebytes::target<{type_.spelling}>({ARGS}[{index}])"
        return f"static_cast<{parameter.spelling}>({_KEEPER}.keep({made}))" if kept else made
    made = f"samebytes::from_wire<{type_.spelling}>({ARGS}[{index}])"
    if kept and parameter.passing != "value":
        return f"static_cast<{parameter.spelling}>({_KEEPER}.keep({made}))"
    if parameter.passing == "lvalue_ref" and parameter.may_write:
        return f"samebytes::local<{type_.spelling}>{{{made}}}"
    return made


def around(signature: Signature, given: int) -> tuple[str, str]:
    """Statements before the call that declare what it needs, and after it those that describe what it made."""
    found = [
        (i, p.value_type.spelling)
        for i, p in enumerate(signature.parameters[:given])
        if not p.intent.visible and isinstance(p.value_type, Converted)
    ]
    before = "".join(f"samebytes::output<{spelling}> {_output(i)}; " for i, spelling in found)
    after = "".join(f"; {_output(i)}.put({ARGS}[{i}])" for i, _ in found)
    if keeps_arguments(signature):
        before += f"samebytes::keeper {_KEEPER}; "
        after += f"; {_KEEPER}.hand_over({ARGS}[{len(signature.parameters)}])"
    return before, after


def storage(signature: Signature) -> str:
    """Where the result goes."""
    slot = f"{ARGS}[{len(signature.parameters)}]"
    return f"static_cast<char*>({slot}) + 2 * sizeof(void*)" if keeps_arguments(signature) else slot
