"""What the shims of every language share: their names, their order, and which facts are asserted."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

from ...layouts.processors import Registers
from ...model.further import STACK_WORDS, free_registers
from ...model.module import Module, Variable
from ...model.signature import Signature
from ...model.symbols import (
    ADDRESSES,
    arities,
    bit_fields,
    call_signature,
    call_symbol,
    has_address,
)
from ...types import Enum, Function, Struct
from ..base import Generator, part
from .macros import hidden_macros, with_macros

ARGS = "samebytes_args"


def further_values(first: int, free: Registers, words: int) -> tuple[str, list[str]]:
    """What fills registers and words of the stack from the address table, and their values; null stands for zero."""
    total = free.count + words
    names = [f"samebytes_w[{n}].samebytes_{'gd'[free.general <= n < free.count]}" for n in range(total)]
    fill = (
        f"union samebytes_word samebytes_w[{total or 1}];"
        f" samebytes_words({ARGS} + {first}, samebytes_w, {total});"
    )
    return fill, names


def typename(struct: Struct) -> str:
    """How the language names a record."""
    return struct.spelling or struct.name


class ShimGenerator(Generator):
    """Writes the shims of a library: one ``void (void** args) noexcept`` per function and number of arguments.

    The order is: our own part, the user's declarations, the assertions, the shims.
    """

    part: str

    def emit(self, module: Module, prologue: str) -> str:
        return "".join(self.emit_parts(module, prologue, 1))

    def emit_parts(self, module: Module, prologue: str, count: int) -> list[str]:
        """The same in several files that are compiled side by side; the first has what there is once."""
        shims = list(self._shims(module))
        size = -(-len(shims) // count) or 1
        first, *rest = [shims[start : start + size] for start in range(0, len(shims), size)] or [[]]
        needed = list(self._preamble(module))
        bodies = [[*self._facts(module), *first], *rest]
        return ["\n".join([part(self.part), prologue, *needed, *body, ""]) for body in bodies]

    def _preamble(self, module: Module) -> Iterator[str]:
        """What the shims need besides the user's declarations, in every file."""
        yield from ()

    def _facts(self, module: Module) -> Iterator[str]:
        for struct in module.records:
            yield from self.struct_facts(struct)
        for enum in module.enums:
            yield from self.enum_facts(enum)
        for index, struct in enumerate(module.records):
            if bit_fields(struct):
                yield self.probe(index, struct)
        for index, variable in enumerate(module.variables):
            yield self.variable(index, variable)
        # What Python alone tells apart, by the names of parameters, is called in one way.
        for function in {call_symbol(f): f for f in module.function_types}.values():
            yield self.call(function, call_signature(function))
        if module.functions:
            entries = ", ".join(self.address(f) if has_address(f) else "0" for f in module.functions)
            yield f"SAMEBYTES_EXPORT void (*const {ADDRESSES}[])(void) = {{{entries}}};"

    def _shims(self, module: Module) -> Iterator[str]:
        hidden = hidden_macros(module)
        for overloads in module.overload_sets.values():
            signatures = tuple(signature for _, signature in overloads)
            for number, signature in overloads:
                if signature.kind == "macro":
                    yield with_macros(hidden, self.shim(number, signature, 0))
                    continue
                for given in arities(signature, signatures):
                    yield self.shim(number, signature, given)
                free = free_registers(signature) if signature.variadic else None
                if free is not None:
                    yield from (self.further(number, signature, free, words) for words in STACK_WORDS)

    @abstractmethod
    def struct_facts(self, struct: Struct) -> Iterator[str]:
        """Assertions on size, alignment, and each field's offset and type."""

    @abstractmethod
    def enum_facts(self, enum: Enum) -> Iterator[str]:
        """Assertions on the underlying type."""

    @abstractmethod
    def shim(self, index: int | str, signature: Signature, given: int) -> str:
        """One shim."""

    @abstractmethod
    def further(self, index: int | str, signature: Signature, free: Registers, words: int) -> str:
        """A shim that calls a function with ``...``, with further arguments in the free registers and on the stack."""

    @abstractmethod
    def call(self, function: Function, signature: Signature) -> str:
        """A shim that calls through a pointer, which is its first argument."""

    @abstractmethod
    def variable(self, index: int, variable: Variable) -> str:
        """What reads and writes a variable, or tells where it lies."""

    @abstractmethod
    def address(self, signature: Signature) -> str:
        """A function's address, as that of some function."""

    @abstractmethod
    def probe(self, index: int, struct: Struct) -> str:
        """A function that sets each bit-field, alone in a zeroed record, and copies the record out."""
