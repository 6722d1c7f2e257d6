"""Writes the shims of a library: one `void (void** args) noexcept` per function, and the assertions behind them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

from ..headers.model import Module
from ..signature import Parameter, Signature
from ..types import VOID, Enum, Field, Struct
from .base import Generator, part


def shim_symbol(index: int, given: int) -> str:
    """The shim of function ``index`` called with its first ``given`` C++ arguments."""
    return f"samebytes_f{index}_{given}"


def probe_symbol(index: int) -> str:
    """The function that shows where the bit-fields of record ``index`` lie."""
    return f"samebytes_bits{index}"


def bit_fields(struct: Struct) -> tuple[Field, ...]:
    """The bit-fields of a record, in order."""
    return tuple(f for f in struct.fields if f.bit_width)


def arities(signature: Signature, overloads: tuple[Signature, ...]) -> tuple[int, ...]:
    """The numbers of leading C++ arguments with which this overload can be called, most first.

    C++ completes the rest with its own defaults. An arity is left out where another overload begins with the same
    parameters, for C++ itself would call that ambiguous.
    """
    total = len(signature.parameters)
    fewest = total
    while (
        fewest
        and signature.parameters[fewest - 1].default
        and signature.parameters[fewest - 1].intent.visible
    ):
        fewest -= 1
    others = [o for o in overloads if o is not signature and o.namespace == signature.namespace]
    return (
        total,
        *(
            n
            for n in range(total - 1, fewest - 1, -1)
            if not any(_starts_alike(signature, o, n) for o in others)
        ),
    )


def _starts_alike(one: Signature, other: Signature, count: int) -> bool:
    required = sum(1 for p in other.parameters if p.default is None)
    if not required <= count <= len(other.parameters):
        return False
    return [p.spelling for p in one.parameters[:count]] == [p.spelling for p in other.parameters[:count]]


class ShimGenerator(Generator):
    """What both languages share: order, names, and which facts are asserted."""

    def emit(self, module: Module, prologue: str) -> str:
        return "\n".join([prologue, self.preamble(), *self._body(module), ""])

    def _body(self, module: Module) -> Iterator[str]:
        for struct in module.records:
            yield from self.struct_facts(struct)
        for enum in module.enums:
            yield from self.enum_facts(enum)
        yield self.open()
        for index, struct in enumerate(module.records):
            if bit_fields(struct):
                yield self.probe(index, struct)
        for index, signature in enumerate(module.functions):
            overloads = tuple(f for f in module.functions if f.name == signature.name)
            for given in arities(signature, overloads):
                yield self.shim(index, signature, given)
        yield self.close()

    @abstractmethod
    def preamble(self) -> str:
        """The part file, and what it needs."""

    @abstractmethod
    def open(self) -> str:
        """Begins the exported functions."""

    @abstractmethod
    def close(self) -> str:
        """Ends them."""

    @abstractmethod
    def struct_facts(self, struct: Struct) -> Iterator[str]:
        """Assertions on size, alignment, and each field's offset and type."""

    @abstractmethod
    def enum_facts(self, enum: Enum) -> Iterator[str]:
        """Assertions on the underlying type."""

    @abstractmethod
    def shim(self, index: int, signature: Signature, given: int) -> str:
        """One shim."""

    @abstractmethod
    def probe(self, index: int, struct: Struct) -> str:
        """A function that sets each bit-field, alone in a zeroed record, and copies the record out."""


class CxxShims(ShimGenerator):
    """Shims in C++."""

    def preamble(self) -> str:
        return part("shim.hpp")

    def open(self) -> str:
        return '#define SAMEBYTES_EXPORT extern "C" __attribute__((visibility("default"), used))'

    def close(self) -> str:
        return "#undef SAMEBYTES_EXPORT"

    def struct_facts(self, struct: Struct) -> Iterator[str]:
        name, extent = _typename(struct), struct.fixed
        assert extent is not None
        yield f"// {struct.name}"
        yield _same(extent.size, f"sizeof({name})")
        yield _same(extent.align, f"alignof({name})")
        for field in struct.fields:
            if not field.bit_width:
                yield _same(field.offset or 0, f"offsetof({name}, {field.name})")
            if field.spelling:
                yield (
                    f"static_assert(samebytes_shim::same_type<{field.spelling}, "
                    f'decltype({name}::{field.name})>::value, "");'
                )

    def enum_facts(self, enum: Enum) -> Iterator[str]:
        name = enum.spelling or enum.name
        yield _same(enum.underlying.size, f"sizeof({name})")
        signed = "true" if enum.underlying.kind == "int" else "false"
        if enum.underlying.kind in ("int", "uint"):
            yield f'static_assert(std::is_signed<std::underlying_type<{name}>::type>::value == {signed}, "");'

    def probe(self, index: int, struct: Struct) -> str:
        name = _typename(struct)
        lines = [f"SAMEBYTES_EXPORT void {probe_symbol(index)}(void** args) noexcept {{"]
        for position, field in enumerate(bit_fields(struct)):
            lines.append(
                f"  {{ alignas({name}) unsigned char bytes[sizeof({name})] = {{}};"
                f" reinterpret_cast<{name}*>(bytes)->{field.name} = static_cast<decltype({name}::{field.name})>(-1);"
                f" std::memcpy(args[{position}], bytes, sizeof bytes); }}"
            )
        return "\n".join([*lines, "}"])

    def shim(self, index: int, signature: Signature, given: int) -> str:
        parameters = signature.parameters
        types = ", ".join(p.spelling for p in parameters)
        call = ", ".join(_cxx_argument(p, i) for i, p in enumerate(parameters[:given]))
        callee = "f" if given == len(parameters) else _qualified(signature)
        result = f"{callee}({call})"
        if signature.result != VOID:
            result = f"samebytes_shim::put<{_stored(signature)}>(args[{len(parameters)}], {result})"
        return (
            f"SAMEBYTES_EXPORT void {shim_symbol(index, given)}(void** args) noexcept {{\n"
            f"  using F = auto({types}) -> {signature.result_spelling};\n"
            f"  F* const f = &{_qualified(signature)};\n"
            f"  (void)f;\n"
            f"  try {{ {result}; }} catch (...) {{ samebytes_shim::report(args[{len(parameters) + 1}]); }}\n"
            "}"
        )


class CShims(ShimGenerator):
    """Shims in C, for C headers: parsed as C, compiled as C."""

    def preamble(self) -> str:
        return part("shim.h")

    def open(self) -> str:
        return '#define SAMEBYTES_EXPORT __attribute__((visibility("default"), used))'

    close = CxxShims.close

    def struct_facts(self, struct: Struct) -> Iterator[str]:
        name, extent = _typename(struct), struct.fixed
        assert extent is not None
        yield f"SAMEBYTES_SAME({extent.size}, sizeof({name}));"
        yield f"SAMEBYTES_SAME({extent.align}, _Alignof({name}));"
        for field in struct.fields:
            if field.bit_width:
                continue
            yield f"SAMEBYTES_SAME({field.offset}, offsetof({name}, {field.name}));"
            if field.spelling:
                yield f"SAMEBYTES_SAME_TYPE({field.spelling}, (({name}*)0)->{field.name});"

    def enum_facts(self, enum: Enum) -> Iterator[str]:
        yield f"SAMEBYTES_SAME({enum.underlying.size}, sizeof({enum.spelling or enum.name}));"

    def probe(self, index: int, struct: Struct) -> str:
        name = _typename(struct)
        lines = [f"SAMEBYTES_EXPORT void {probe_symbol(index)}(void** args) {{"]
        for position, field in enumerate(bit_fields(struct)):
            lines.append(
                f"  {{ {name} record; memset(&record, 0, sizeof record); record.{field.name} = -1;"
                f" memcpy(args[{position}], &record, sizeof record); }}"
            )
        return "\n".join([*lines, "}"])

    def shim(self, index: int, signature: Signature, given: int) -> str:
        parameters = signature.parameters
        types = ", ".join(p.spelling for p in parameters) or "void"
        call = ", ".join(_c_argument(p, i) for i, p in enumerate(parameters))
        statement = f"{signature.qualified}({call})"
        if signature.result != VOID:
            statement = f"SAMEBYTES_AT(result, args[{len(parameters)}]) = {statement}"
        return (
            f"SAMEBYTES_EXPORT void {shim_symbol(index, given)}(void** args) {{\n"
            f"  typedef __typeof__({signature.result_spelling}) result;\n"
            f"  typedef result function({types});\n"
            f"  SAMEBYTES_SAME_TYPE(function, {signature.qualified});\n"
            f"  (void)args; {statement};\n"
            "}"
        )


def _same(said: int, real: str) -> str:
    return f'static_assert(samebytes_shim::same<{said}, {real}>::value, "");'


def _typename(struct: Struct) -> str:
    return struct.spelling or struct.name


def _qualified(signature: Signature) -> str:
    return signature.qualified if signature.qualified.startswith("::") else f"::{signature.qualified}"


def _stored(signature: Signature) -> str:
    """The object type of the returned value: a reference's target, without const."""
    return f"std::remove_cv<std::remove_reference<{signature.result_spelling}>::type>::type"


def _cxx_argument(parameter: Parameter, index: int) -> str:
    slot = f"args[{index}]"
    if not parameter.intent.visible and parameter.passing == "value":
        return f"static_cast<std::remove_cv<{parameter.spelling}>::type>({slot})"
    if parameter.passing == "value":
        return f"samebytes_shim::at<{parameter.spelling}>({slot})"
    referred = f"std::remove_reference<{parameter.spelling}>::type"
    return f"static_cast<{parameter.spelling}>(samebytes_shim::at<{referred}>({slot}))"


def _c_argument(parameter: Parameter, index: int) -> str:
    if not parameter.intent.visible:
        return f"(__typeof__({parameter.spelling}))args[{index}]"
    return f"SAMEBYTES_AT({parameter.spelling}, args[{index}])"


# Keyed by the language in which the header was read.
GENERATORS: dict[str, ShimGenerator] = {"c++": CxxShims(), "c": CShims()}
GENERATOR = GENERATORS["c++"]
