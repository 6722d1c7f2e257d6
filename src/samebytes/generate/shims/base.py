"""What the shims of every language share: their names, their order, and which facts are asserted."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Iterator

from ...headers.model import Module, Variable
from ...processors import Registers
from ...signature import Parameter, Signature
from ...storage import needed
from ...types import Enum, Field, Function, Handle, Pointer, Struct
from ...variadic import STACK_WORDS, free_registers
from ..base import Generator, part
from .macros import hidden_macros, with_macros

ARGS = "samebytes_args"


def shim_symbol(index: int | str, given: int) -> str:
    """The shim of function ``index`` called with its first ``given`` C++ arguments."""
    return f"samebytes_f{index}_{given}"


def further_symbol(index: int | str, words: int) -> str:
    """The shim of function ``index`` that passes further arguments, so many words of them on the stack."""
    return f"samebytes_f{index}_further{words}"


def further_values(first: int, free: Registers, words: int) -> tuple[str, list[str]]:
    """What fills registers and words of the stack from the address table, and their values; null stands for zero."""
    total = free.count + words
    names = [f"samebytes_w[{n}].samebytes_{'gd'[free.general <= n < free.count]}" for n in range(total)]
    fill = (
        f"union samebytes_word samebytes_w[{total or 1}];"
        f" samebytes_words({ARGS} + {first}, samebytes_w, {total});"
    )
    return fill, names


def call_symbol(function: Function) -> str:
    """The shim that calls through a pointer to a function of one type."""
    return f"samebytes_c{hashlib.sha256(function.spelling.encode()).hexdigest()[:16]}"


# The table of the bound functions' own addresses, null where a function has none that C could call.
ADDRESSES = "samebytes_functions"


def call_signature(function: Function) -> Signature:
    """What such a shim takes: the pointer, then the function's own arguments."""
    pointer = Parameter("function", Pointer(function), function.spelling)
    rest = (Parameter(f"arg{i}", a.type, a.spelling, a.passing) for i, a in enumerate(function.arguments))
    return Signature(
        function.name or "function", "", (pointer, *rest), function.result, function.result_spelling,
        function.result_passing,
    )  # fmt: skip


def has_address(signature: Signature) -> bool:
    """Whether a bound function is one that a C function pointer can point to."""
    return signature.kind in ("function", "static") and not signature.expression and not signature.variadic


def copy_symbol(index: int | str, given: int) -> str:
    """The shim that copies what a returned reference refers to, for compiled code, which has no views."""
    return f"{shim_symbol(index, given)}_copy"


def destroy_symbol(index: int) -> str:
    """The shim that destroys an object of class ``index`` (of ``Module.records``)."""
    return f"samebytes_destroy{index}"


def dynamic_symbol(index: int) -> str:
    """The shim that tells of which derived class an object of class ``index`` is."""
    return f"samebytes_dynamic{index}"


def derived_classes(module: Module, struct: Struct) -> tuple[Struct, ...]:
    """The classes of a module that an object of a polymorphic class may really be of."""
    if not isinstance(struct, Handle) or not struct.polymorphic:
        return ()
    names, found = {struct.name}, list[Struct]()
    for record in module.records:  # bases come first
        if any(base.name in names for base in record.bases):
            names.add(record.name)
            if isinstance(record, Handle) and record.polymorphic:  # else no library has what tells it
                found.append(record)
    return tuple(found)


def upcast_symbol(index: int, number: int) -> str:
    """The shim that finds a virtual base of an object of class ``index``."""
    return f"samebytes_up{index}_{number}"


def virtual_bases(module: Module, struct: Struct) -> tuple[Struct, ...]:
    """The virtual bases of a class that Python knows."""
    wanted = {base.name for base in struct.bases if base.virtual}
    return tuple(record for record in module.records if record.name in wanted)


def room_symbol(index: int) -> str:
    """The shim that makes memory for an object of class ``index`` that C++ may take over."""
    return f"samebytes_room{index}"


def unroom_symbol(index: int) -> str:
    """The shim that frees such memory where no object came into being."""
    return f"samebytes_unroom{index}"


def probe_symbol(index: int) -> str:
    """The function that shows where the bit-fields of record ``index`` lie."""
    return f"samebytes_bits{index}"


def bit_fields(struct: Struct) -> tuple[Field, ...]:
    """The bit-fields of a record, in order."""
    return tuple(f for f in struct.fields if f.bit_width)


def typename(struct: Struct) -> str:
    """How the language names a record."""
    return struct.spelling or struct.name


def arities(signature: Signature, overloads: tuple[Signature, ...]) -> tuple[int, ...]:
    """The numbers of leading C++ arguments with which this overload can be called, most first.

    C++ completes the rest with its own defaults. An arity is left out where another overload begins with the same
    parameters: the overload that has just so many is meant then.
    """
    total = len(signature.parameters)
    fewest, least = total, needed(signature)
    while fewest > least and signature.parameters[fewest - 1].default:
        fewest -= 1
    others = [o for o in overloads if o is not signature]
    shorter = range(total - 1, fewest - 1, -1)
    return (total, *(n for n in shorter if not any(_starts_alike(signature, o, n) for o in others)))


def _starts_alike(one: Signature, other: Signature, count: int) -> bool:
    required = sum(1 for p in other.parameters if p.default is None)
    if not required <= count <= len(other.parameters):
        return False
    return all(
        a.value_type == b.value_type
        for a, b in zip(one.parameters[:count], other.parameters[:count], strict=True)
    )


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
