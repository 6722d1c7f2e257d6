"""Shims in C++."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ...model.module import Module, Variable
from ...model.owner import Owner
from ...model.signature import Signature
from ...model.slots import keeps_arguments, keeps_converted
from ...model.symbols import (
    ITERATION,
    TEXT,
    accessors,
    bit_fields,
    call_symbol,
    derived_classes,
    destroy_symbol,
    dynamic_symbol,
    further_symbol,
    given_away,
    probe_symbol,
    room_symbol,
    shim_symbol,
    unroom_symbol,
    upcast_symbol,
    variable_symbol,
    virtual_bases,
)
from ...read.spellings import FORMATS, names_format
from ...types import Converted, Enum, Function, Handle, Span, Struct, unqualified
from . import converted
from .accessors import definitions
from .base import ARGS, Piece, ShimGenerator, further_values, typename
from .calls import Form, argument, beginnings, form, may_undo, qualified, storing_call, undoing, values

if TYPE_CHECKING:
    from ...layouts.processors import Registers


class CxxShims(ShimGenerator):
    """Exceptions become error records; results are constructed in place; overloads are chosen by exact type."""

    part = "shim.hpp"

    def _preamble(self, module: Module) -> Iterator[Piece]:
        parameters = (p for signature in module.functions for p in signature.parameters)
        if any(isinstance(p.value_type, Span) for p in parameters):
            yield Piece(None, "#include <samebytes/span.hpp>")
        if any(names_format(instance.asked) for instance in module.instances):
            yield Piece(None, f"#include <{FORMATS}>")
        if any(struct.name.startswith(ITERATION) for struct in module.records):
            yield Piece(None, "#include <samebytes/iterating/iteration.hpp>")
        if any(signature.name == TEXT for signature in module.functions):
            yield Piece(None, "#include <samebytes/streamed.hpp>")
        for spelling, text in converted.preamble(module):
            yield Piece(Owner("type", spelling) if spelling else None, text)

    def _facts(self, module: Module, only: Collection[Owner] | None = None) -> Iterator[Piece]:
        derived = derived_classes(module)
        if derived:
            yield Piece(None, "#include <typeinfo>")
        yield from super()._facts(module, only)
        for index, struct in enumerate(module.records):
            if struct.name in derived:
                yield Piece(Owner("record", index), _dynamic(index, struct, derived[struct.name]))
        for index, struct in enumerate(module.records):
            for number, base in enumerate(virtual_bases(module, struct)):
                yield Piece(
                    Owner("record", index),
                    f"SAMEBYTES_EXPORT void {upcast_symbol(index, number)}(void** {ARGS}) noexcept"
                    f" {{ {ARGS}[1] = static_cast<{typename(base)}*>(static_cast<{typename(struct)}*>({ARGS}[0])); }}",
                )
        taken = given_away(module)
        for index, struct in enumerate(module.records):
            owner = Owner("ending", index)
            if struct.name in taken:
                yield from (Piece(owner, text) for text in _taken_over(index, struct))
            elif isinstance(struct, Handle) and struct.destructible:
                yield Piece(
                    owner,
                    f"SAMEBYTES_EXPORT void {destroy_symbol(index)}(void** {ARGS}) noexcept"
                    f" {{ {_ending(struct, 'destroy')} }}",
                )

    def struct_facts(self, struct: Struct) -> Iterator[str]:
        name, extent = typename(struct), struct.fixed
        assert extent is not None
        yield _same(extent.size, f"sizeof({name})")
        yield _same(extent.align, f"alignof({name})")
        for field in struct.members:
            if not field.bit_width:
                yield _same(field.offset or 0, f"__builtin_offsetof({name}, {field.name})")
            if field.spelling:
                yield _proven(f"samebytes_same_type<{field.spelling}, decltype({name}::{field.name})>")
        if (tail := struct.flexible) is not None:
            yield _same(tail.offset, f"__builtin_offsetof({name}, {tail.name})")
            element = f"decltype((*({name}*)0).{tail.name}[0])"
            yield _proven(f"samebytes_same_type<samebytes_as<{tail.spelling}>::type&, {element}>")

    def enum_facts(self, enum: Enum) -> Iterator[str]:
        name = enum.spelling or enum.name
        yield _same(enum.underlying.size, f"sizeof({name})")
        yield _proven(f"samebytes_enum<{name}, {str(enum.underlying.kind == 'int').lower()}>")

    def probe(self, index: int, struct: Struct) -> str:
        name = typename(struct)
        lines = [f"SAMEBYTES_EXPORT void {probe_symbol(index)}(void** {ARGS}) noexcept {{"]
        fields = bit_fields(struct)
        for position, field in enumerate(fields):
            place = f"reinterpret_cast<{name}*>(samebytes_b)->{field.name}"
            type_ = f"decltype({name}::{field.name})"
            lines.append(
                f"  {{ alignas({name}) unsigned char samebytes_b[sizeof({name})] = {{}};"
                f" {place} = static_cast<{type_}>(-1);"
                f" __builtin_memcpy({ARGS}[{position}], samebytes_b, sizeof samebytes_b);"
                f" {place} = static_cast<{type_}>(1);"
                f" __builtin_memcpy({ARGS}[{len(fields) + position}], samebytes_b, sizeof samebytes_b); }}"
            )
        return "\n".join([*lines, "}"])

    def variable(self, index: int, variable: Variable) -> str:
        if calls := accessors(index, variable):
            shims = (self.shim(name, s, len(s.parameters)) for name, s in calls)
            return "\n".join([definitions(index, variable), *shims])
        place = f"__builtin_addressof(::{variable.qualified})"
        real = f"samebytes_shim::referred<decltype(::{variable.qualified})>::type"
        return (
            f"SAMEBYTES_EXPORT void {variable_symbol(index)}(void** {ARGS}) noexcept {{"
            f" *static_cast<const volatile void**>({ARGS}[0]) = {place}; }}\n"
            + _proven(f"samebytes_same_type<{variable.spelling}, {real}>")
        )

    def shim(self, index: int | str, signature: Signature, given: int) -> str:
        how = form(signature, index, given)
        before = how.before if how.always or given < len(signature.parameters) else ""
        return before + self._shim(shim_symbol(index, given), signature, given, how)

    def _shim(self, symbol: str, signature: Signature, given: int, how: Form) -> str:
        retained = keeps_arguments(signature) or keeps_converted(signature)
        found = values(signature, given, retained)
        total = len(signature.parameters)
        declared, described = converted.around(signature, given)
        declared = beginnings(signature, given) + declared
        storage, error = converted.storage(signature), f"{ARGS}[{total + 1}]"
        short = given < total and not signature.braces  # what braces leave out, they themselves complete
        if short:
            call = (
                f"samebytes_short<{how.result}, {how.stored}>"
                f"({', '.join(['0', storage, error, how.by_name, *found])})"
            )
        elif isinstance(unqualified(signature.result), Converted):
            call = f"samebytes_result<{how.stored}>::samebytes_run({', '.join([storage, how.exact, *found])})"
        else:
            call = storing_call(how, storage, found)
        if may_undo(signature, given):
            undo, call, described = undoing(signature, how, call, storage, described, short=short)
            declared = undo + declared
        return (
            f"SAMEBYTES_EXPORT void {symbol}(void** {ARGS}) noexcept {{\n"
            f"{how.proof}"
            f"  SAMEBYTES_GUARD({error}, {declared}{call}{described})\n"
            "}"
        )

    def further(self, index: int | str, signature: Signature, free: Registers, words: int) -> str:
        how, given = form(signature, index, f"further{words}"), len(signature.parameters)
        total = given + free.count + words
        fill, further = further_values(given, free, words)
        # Volatile: the function itself is called, as the ABI says, and no inline definition of it.
        exact = replace(how, called=lambda values: f"samebytes_f({', '.join(values)})")
        call = storing_call(
            exact, f"{ARGS}[{total}]", [*values(signature, given, keeps_arguments(signature)), *further]
        )
        return (
            f"SAMEBYTES_EXPORT void {further_symbol(index, words)}(void** {ARGS}) noexcept {{\n"
            f"{how.proof}"
            f"  samebytes_t* volatile samebytes_f = {how.exact};\n"
            f"  {fill}\n"
            f"  SAMEBYTES_GUARD({ARGS}[{total + 1}], {call})\n"
            "}"
        )

    def call(self, function: Function, signature: Signature) -> str:
        total = len(signature.parameters)
        pointer, *values = (argument(p, i) for i, p in enumerate(signature.parameters))
        inside = ", ".join([f"{ARGS}[{total}]", pointer, *values])
        run = f"samebytes_result<{signature.result_spelling}>::samebytes_run({inside})"
        return (
            f"SAMEBYTES_EXPORT void {call_symbol(function)}(void** {ARGS}) noexcept {{\n"
            f"  SAMEBYTES_GUARD({ARGS}[{total + 1}], {run})\n"
            "}"
        )

    def address(self, signature: Signature) -> str:
        types = ", ".join(p.spelling for p in signature.parameters)
        exact = f"samebytes_to<auto({types}) -> {signature.result_spelling}>"
        return f"reinterpret_cast<void (*)()>(static_cast<{exact}>(&{qualified(signature)}))"


def _dynamic(index: int, struct: Struct, derived: tuple[Struct, ...]) -> str:
    """What an object of a base really is: the number of its class among those that derive from it, and its address."""
    tests = "".join(
        f" if (samebytes_t == typeid({typename(s)})) {{ {ARGS}[1] = reinterpret_cast<void*>({i}L); return; }}"
        for i, s in enumerate(derived)
    )
    name = typename(struct)
    return (
        f"SAMEBYTES_EXPORT void {dynamic_symbol(index)}(void** {ARGS}) noexcept {{\n"
        f"  {ARGS}[1] = reinterpret_cast<void*>(-1L);\n"
        "#if defined(__GXX_RTTI)\n"
        f"  const {name}* samebytes_o = static_cast<const {name}*>({ARGS}[0]);\n"
        f"  const std::type_info& samebytes_t = typeid(*samebytes_o);\n"
        f"  {ARGS}[0] = const_cast<void*>(dynamic_cast<const void*>(samebytes_o));\n"
        f" {tests}\n"
        "#endif\n"
        "}"
    )


def _ending(struct: Struct, how: str) -> str:
    """Ends an object; what its destructor throws is reported."""
    end = f"samebytes_{how}(static_cast<{typename(struct)}*>({ARGS}[0]))"
    return f"SAMEBYTES_ENDING({_quoted('the destructor of ' + struct.name)}, {end})"


def _quoted(text: str) -> str:
    """A string literal; the name of an instantiation may have characters in it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _taken_over(index: int, struct: Struct) -> Iterator[str]:
    """Objects that C++ may take over lie where a new-expression puts them, and end by ``delete``."""
    name = typename(struct)
    yield (
        f"SAMEBYTES_EXPORT void {room_symbol(index)}(void** {ARGS}) noexcept"
        f" {{ SAMEBYTES_GUARD({ARGS}[1], {ARGS}[0] = samebytes::room_for<{name}>(0)) }}"
    )
    yield (
        f"SAMEBYTES_EXPORT void {unroom_symbol(index)}(void** {ARGS}) noexcept"
        f" {{ SAMEBYTES_ENDING({_quoted('operator delete of ' + struct.name)},"
        f" samebytes::give_back<{name}>({ARGS}[0], 0)) }}"
    )
    yield (
        f"SAMEBYTES_EXPORT void {destroy_symbol(index)}(void** {ARGS}) noexcept"
        f" {{ {_ending(struct, 'delete')} }}"
    )


def _proven(claim: str) -> str:
    return f'static_assert({claim}::samebytes_proven, "");'


def _same(said: int, real: str) -> str:
    return _proven(f"samebytes_same<{said}, {real}>")


GENERATOR = CxxShims()
