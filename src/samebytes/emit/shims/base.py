"""What the shims of every language share: their names, their order, and which facts are asserted."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ...frozen import frozen
from ...model import further
from ...model.module import Module, Variable
from ...model.owner import Owner
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

if TYPE_CHECKING:
    from ...layouts.processors import Registers

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


class Piece(NamedTuple):
    """A part of the shims' text, of whole lines."""

    owner: Owner | None
    text: str


@frozen(slots=False)
class Shims:
    """The text of a file, and what its lines are for.

    Attributes
    ----------
    text : str
    lines : tuple of Owner or None
        One for each line, from the first.
    """

    text: str
    lines: tuple[Owner | None, ...]

    def at(self, line: int) -> Owner | None:
        """What a line, counted from 1, is for; None where it is for no declaration alone."""
        return self.lines[line - 1] if 0 < line <= len(self.lines) else None

    def texts(self) -> dict[Owner, str]:
        """All that is for each, in the order of the file."""
        found: dict[Owner, list[str]] = {}
        for owner, line in zip(self.lines, self.text.split("\n"), strict=False):
            if owner is not None:
                found.setdefault(owner, []).append(line)
        return {owner: "\n".join(lines) for owner, lines in found.items()}


def joined(pieces: Sequence[Piece]) -> Shims:
    """The file that pieces make, one behind another."""
    lines = tuple(p.owner for p in pieces for _ in range(p.text.count("\n") + 1))
    return Shims("\n".join(p.text for p in pieces), lines)


class ShimGenerator(Generator):
    """Writes the shims of a library: one ``void (void** args) noexcept`` per function and number of arguments.

    The order is: our own part, the user's declarations, the assertions, the shims.
    """

    part: str

    def emit(self, module: Module, prologue: str) -> str:
        return joined(self.pieces(module, prologue)).text

    def pieces(
        self, module: Module, prologue: str, only: Collection[Owner] | None = None, part: Module | None = None
    ) -> list[Piece]:
        """The same in pieces; with ``only``, those of some owners, and what types need everywhere.

        ``part`` has the declarations among them alone, where what others need is to be left out, too.
        """
        body = [*self._facts(module, only), *self._shims(module, only)]
        chosen = [p for p in body if only is None or p.owner is None or p.owner in only]
        return [*self.start(prologue), *self._preamble(part or module), *chosen, Piece(None, "")]

    def start(self, prologue: str) -> list[Piece]:
        """What stands before anything of the module."""
        return [Piece(None, part(self.part)), Piece(None, prologue)]

    def emit_parts(self, module: Module, prologue: str, count: int) -> list[str]:
        """The same in several files that are compiled side by side; the first has what there is once."""
        shims = list(self._shims(module))
        size = -(-len(shims) // count) or 1
        first, *rest = [shims[start : start + size] for start in range(0, len(shims), size)] or [[]]
        before = [*self.start(prologue), *self._preamble(module)]
        bodies = [[*self._facts(module), *first], *rest]
        return [joined([*before, *body, Piece(None, "")]).text for body in bodies]

    def _preamble(self, module: Module) -> Iterator[Piece]:
        """What the shims need besides the user's declarations, in every file."""
        yield from ()

    def _facts(self, module: Module, only: Collection[Owner] | None = None) -> Iterator[Piece]:
        yield from self._layouts(module, only)
        for index, struct in enumerate(module.records):
            if bit_fields(struct):
                yield Piece(Owner("record", index), self.probe(index, struct))
        for index, variable in enumerate(module.variables):
            yield Piece(Owner("variable", index), self.variable(index, variable))
        # What Python alone tells apart, by the names of parameters, is called in one way.
        for function in {call_symbol(f): f for f in module.function_types}.values():
            yield Piece(Owner("type", function.spelling), self.call(function, call_signature(function)))
        if module.functions:
            yield Piece(None, f"SAMEBYTES_EXPORT void (*const {ADDRESSES}[])(void) = {{")
            for number, signature in enumerate(module.functions):
                owner = Owner("function", number)
                if only is None or owner in only:
                    entry = self.address(signature) if has_address(signature) else "0"
                    yield Piece(owner, f"{entry},")
            yield Piece(None, "0};")

    def _layouts(self, module: Module, only: Collection[Owner] | None = None) -> Iterator[Piece]:
        """What is asserted of each record and enumeration."""
        for number, struct in enumerate(module.records):
            owner = Owner("record", number)
            if only is None or owner in only:
                yield from (Piece(owner, fact) for fact in self.struct_facts(struct))
        for number, enum in enumerate(module.enums):
            owner = Owner("enum", number)
            if only is None or owner in only:
                yield from (Piece(owner, fact) for fact in self.enum_facts(enum))

    def _shims(self, module: Module, only: Collection[Owner] | None = None) -> Iterator[Piece]:
        hidden = hidden_macros(module)
        places = {id(signature): n for n, signature in enumerate(module.functions)}
        for overloads in module.overload_sets.values():
            signatures = tuple(signature for _, signature in overloads)
            for number, signature in overloads:
                owner = Owner("function", places[id(signature)])
                if only is None or owner in only:
                    yield from (
                        Piece(owner, text) for text in self._of(number, signature, signatures, hidden)
                    )

    def _of(
        self, number: int, signature: Signature, overloads: tuple[Signature, ...], hidden: list[str]
    ) -> Iterator[str]:
        """The shims of one function."""
        if signature.kind == "macro":
            yield with_macros(hidden, self.shim(number, signature, 0))
            return
        for given in arities(signature, overloads):
            yield self.shim(number, signature, given)
        free = further.free_registers(signature) if signature.variadic else None
        if free is not None:
            yield from (self.further(number, signature, free, words) for words in further.STACK_WORDS)

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
