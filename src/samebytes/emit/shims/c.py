"""Shims in C, for C headers: parsed as C, compiled as C."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...model.module import Variable
from ...model.signature import Parameter, Signature
from ...model.symbols import (
    bit_fields,
    call_symbol,
    further_symbol,
    probe_symbol,
    shim_symbol,
    variable_symbol,
)
from ...types import VOID, CArray, Enum, Function, Struct, Type
from .base import ARGS, ShimGenerator, further_values, typename

if TYPE_CHECKING:
    from ...layouts.processors import Registers


class CShims(ShimGenerator):
    """No exceptions, no overloads, no default arguments."""

    part = "shim.h"

    def struct_facts(self, struct: Struct) -> Iterator[str]:
        name, extent = typename(struct), struct.fixed
        assert extent is not None
        yield f"SAMEBYTES_SAME({extent.size}, sizeof({name}));"
        yield f"SAMEBYTES_SAME({extent.align}, _Alignof({name}));"
        for field in struct.members:
            if field.bit_width:
                continue
            yield f"SAMEBYTES_SAME({field.offset}, __builtin_offsetof({name}, {field.name}));"
            if field.spelling:
                yield f"SAMEBYTES_SAME_TYPE({field.spelling}, (({name}*)0)->{field.name});"
                yield f"SAMEBYTES_NATIVE_ORDER((({name}*)0)->{field.name}{_first(field.type)});"
        if (tail := struct.flexible) is not None:
            yield f"SAMEBYTES_SAME({tail.offset}, __builtin_offsetof({name}, {tail.name}));"
            yield f"SAMEBYTES_SAME_TYPE({tail.spelling}, (({name}*)0)->{tail.name}[0]);"
            yield f"SAMEBYTES_NATIVE_ORDER((({name}*)0)->{tail.name}[0]{_first(tail.element)});"

    def enum_facts(self, enum: Enum) -> Iterator[str]:
        yield f"SAMEBYTES_SAME({enum.underlying.size}, sizeof({enum.spelling or enum.name}));"

    def probe(self, index: int, struct: Struct) -> str:
        name = typename(struct)
        lines = [f"SAMEBYTES_EXPORT void {probe_symbol(index)}(void** {ARGS}) {{"]
        fields = bit_fields(struct)
        for position, field in enumerate(fields):
            lines.append(
                f"  {{ {name} samebytes_r; __builtin_memset(&samebytes_r, 0, sizeof samebytes_r);"
                f" samebytes_r.{field.name} = -1;"
                f" __builtin_memcpy({ARGS}[{position}], &samebytes_r, sizeof samebytes_r);"
                f" *(char*){ARGS}[{2 * len(fields) + position}] = samebytes_r.{field.name} < 0 ? 2 : 1;"
                f" samebytes_r.{field.name} = 1;"
                f" __builtin_memcpy({ARGS}[{len(fields) + position}], &samebytes_r, sizeof samebytes_r); }}"
            )
        return "\n".join([*lines, "}"])

    def variable(self, index: int, variable: Variable) -> str:
        return (
            f"SAMEBYTES_EXPORT void {variable_symbol(index)}(void** {ARGS}) {{"
            f" *(const volatile void**){ARGS}[0] = &{variable.qualified}; }}"
        )

    def shim(self, index: int | str, signature: Signature, given: int) -> str:
        if signature.kind == "macro":
            return _evaluation(shim_symbol(index, given), signature)
        parameters = signature.parameters
        dots = ["..."] if signature.variadic else []
        types = ", ".join([*(p.spelling for p in parameters), *dots]) or "void"
        call = ", ".join(_argument(p, i) for i, p in enumerate(parameters))
        statement = f"{signature.qualified}({call})"
        if signature.result != VOID:
            statement = f"SAMEBYTES_AT(samebytes_r, {ARGS}[{len(parameters)}]) = {statement}"
        return (
            f"SAMEBYTES_EXPORT void {shim_symbol(index, given)}(void** {ARGS}) {{\n"
            f"  typedef __typeof__({signature.result_spelling}) samebytes_r;\n"
            f"  typedef samebytes_r samebytes_t({types});\n"
            f"  SAMEBYTES_SAME_TYPE(samebytes_t, {signature.qualified});\n"
            f"  (void){ARGS}; {statement};\n"
            "}"
        )

    def further(self, index: int | str, signature: Signature, free: Registers, words: int) -> str:
        parameters = signature.parameters
        first = len(parameters)
        fill, values = further_values(first, free, words)
        types = ", ".join([*(p.spelling for p in parameters), "..."])
        statement = (
            f"samebytes_f({', '.join([*(_argument(p, i) for i, p in enumerate(parameters)), *values])})"
        )
        if signature.result != VOID:
            statement = f"SAMEBYTES_AT(samebytes_r, {ARGS}[{first + free.count + words}]) = {statement}"
        # Volatile: the function itself is called, as the ABI says, and no inline definition of it.
        return (
            f"SAMEBYTES_EXPORT void {further_symbol(index, words)}(void** {ARGS}) {{\n"
            f"  typedef __typeof__({signature.result_spelling}) samebytes_r;\n"
            f"  typedef samebytes_r samebytes_t({types});\n"
            f"  samebytes_t* volatile samebytes_f = {signature.qualified};\n"
            f"  {fill} {statement};\n"
            "}"
        )

    def call(self, function: Function, signature: Signature) -> str:
        pointer, *rest = signature.parameters
        values = ", ".join(_argument(p, i) for i, p in enumerate(rest, 1))
        statement = f"SAMEBYTES_AT({pointer.spelling}, {ARGS}[0])({values})"
        if signature.result != VOID:
            storage = f"{ARGS}[{len(signature.parameters)}]"
            statement = f"SAMEBYTES_AT({signature.result_spelling}, {storage}) = {statement}"
        return f"SAMEBYTES_EXPORT void {call_symbol(function)}(void** {ARGS}) {{ {statement}; }}"

    def address(self, signature: Signature) -> str:
        return f"(void (*)(void)){signature.qualified}"


def _evaluation(symbol: str, signature: Signature) -> str:
    """The shim of a macro that is an expression; behind a comma it is a value, and arrays are addresses."""
    return (
        f"SAMEBYTES_EXPORT void {symbol}(void** {ARGS}) {{\n"
        f"  typedef __typeof__({signature.result_spelling}) samebytes_r;\n"
        f"  SAMEBYTES_SAME_TYPE(samebytes_r, ((void)0, ({signature.name})));\n"
        f"  SAMEBYTES_AT(samebytes_r, {ARGS}[0]) = ({signature.name});\n"
        "}"
    )


def _first(type_: Type) -> str:
    """The subscripts of an array's first element, which is no array."""
    return "[0]" * len(type_.shape) + _first(type_.element) if isinstance(type_, CArray) else ""


def _argument(parameter: Parameter, index: int) -> str:
    if not parameter.intent.visible:
        return f"(__typeof__({parameter.spelling})){ARGS}[{index}]"
    return f"SAMEBYTES_AT({parameter.spelling}, {ARGS}[{index}])"


GENERATOR = CShims()
