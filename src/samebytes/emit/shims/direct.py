"""Direct shims: one plain C function for each shim, with numbers and addresses by value, for compiled callers."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.module import Module
from ...model.owner import Owner
from ...model.signature import Parameter, Signature
from ...model.symbols import arities, destroy_symbol, shim_symbol
from ...types import VOID, Converted, Enum, Function, Handle, Pointer, Scalar, Span, Type, unqualified
from ..base import part
from .base import Piece, joined, typename

# The C types in which numbers travel: whole registers, so that no compiler's rule for small ones matters.
MACHINE = {
    "bool": "int", "char": "int", "int8": "int", "int16": "int", "int32": "int", "int64": "long",
    "uint8": "unsigned", "uint16": "unsigned", "uint32": "unsigned", "uint64": "unsigned long",
    "float32": "float", "float64": "double",
}  # fmt: skip


def direct_symbol(index: int | str, given: int) -> str:
    """The direct shim of function ``index`` called with its first ``given`` C++ arguments."""
    return f"samebytes_d{index}_{given}"


def release_symbol(index: int) -> str:
    """The function by which compiled code releases an object of class ``index`` (of ``Module.records``)."""
    return f"samebytes_release{index}"


def machine_format(type_: Type) -> Scalar | Pointer | None:
    """The number or address that travels by value for a type; None for what travels by address."""
    bare = unqualified(type_)
    if isinstance(bare, Enum):
        bare = bare.underlying
    if isinstance(bare, Pointer):
        return bare
    return bare if isinstance(bare, Scalar) and bare.name in MACHINE else None


def by_value(parameter: Parameter) -> Scalar | Pointer | None:
    """The format in which an argument travels by value; None for storage whose address travels."""
    if parameter.intent.name != "in":
        pointer = isinstance(parameter.value_type, Pointer) and parameter.passing == "value"
        return machine_format(parameter.type) if pointer and parameter.intent.visible else None
    return machine_format(parameter.type)


def result_format(signature: Signature) -> Scalar | Pointer | None:
    """The format in which a result travels by value; None for storage that the caller gives, and for void."""
    return None if signature.result == VOID else machine_format(signature.result)


def may_fail(signature: Signature, given: int, language: str) -> bool:
    """Whether a direct shim gives a status: 0, or the code of a C++ exception."""
    # What noexcept promises leaves out how arguments are made, and how Python's result is.
    runs = isinstance(signature.result, Converted) or any(map(_is_made, signature.parameters))
    whole = given == len(signature.parameters)
    return language == "c++" and not (signature.noexcept and whole and not runs)


def _is_made(parameter: Parameter) -> bool:
    """Whether code of a class makes an argument of what Python gave."""
    held = parameter.value_type
    return isinstance(held, Converted | Span) or (isinstance(held, Handle) and parameter.passing == "value")


_PARTS = (("record.hpp", "direct.hpp"), ("direct.h",))  # of C++, and of C


class DirectShims:
    """Writes the direct shims behind the shims of a language; each calls its shim, which is inlined.

    Parameters
    ----------
    fails : bool
        Whether calls can fail at all: on GPUs nothing is thrown.
    """

    def __init__(self, fails: bool = True) -> None:
        self.fails = fails

    def prologue(self, language: str) -> str:
        """What makes the shims ready to be inlined; it comes before everything."""
        return "#define SAMEBYTES_INLINED __attribute__((always_inline))"

    def emit(self, module: Module) -> str:
        """The text that follows the shims."""
        return joined(list(self.pieces(module))).text

    def pieces(self, module: Module) -> Iterator[Piece]:
        """The same in pieces."""
        yield Piece(None, part(*_PARTS[module.language == "c"]))
        if self.fails and module.language == "c++":
            yield from _releases(module)
        places = {id(signature): n for n, signature in enumerate(module.functions)}
        for overloads in module.overload_sets.values():
            signatures = tuple(signature for _, signature in overloads)
            for number, signature in overloads:
                owner = Owner("function", places[id(signature)])
                for given in arities(signature, signatures):
                    yield Piece(owner, self.shim(number, signature, given, module.language))

    def shim(self, index: int, signature: Signature, given: int, language: str) -> str:
        """One direct shim."""
        total = len(signature.parameters)
        fails = self.fails and may_fail(signature, given, language)
        machine = result_format(signature)
        declared, made, slots = [], [], []
        if signature.result != VOID and machine is None:
            declared.append("void* samebytes_s")
        for i, parameter in enumerate(signature.parameters):
            if i >= given and parameter.intent.visible:
                slots.append("0")
                continue
            travels = by_value(parameter)
            declared.append(f"{_c_type(travels)} samebytes_a{i}")
            if travels is None:
                slots.append(f"samebytes_a{i}")
            else:
                held = f"SAMEBYTES_BARE({_held(parameter)})"
                null = parameter.spelling.endswith("nullptr_t")  # no address is cast to it
                value = f"{held}()" if null else f"({held})samebytes_a{i}"
                made.append(f"  {held} samebytes_v{i} = {value};")
                slots.append(f"&samebytes_v{i}")
        result = "samebytes_s" if signature.result != VOID else "0"
        if machine is not None:
            made.append(f"  SAMEBYTES_BARE({signature.result_spelling}) samebytes_r;")
            result = "&samebytes_r"
        error = "0"
        if fails:
            made.append("  samebytes_failure samebytes_e; samebytes_e.samebytes_code = 0;")
            error = "&samebytes_e"
        table = ", ".join(f"(void*){slot}" for slot in [*slots, result, error])
        return "\n".join([
            f"SAMEBYTES_DIRECT {_returned(machine, fails)} {direct_symbol(index, given)}"
            f"({', '.join(declared) or 'void'}) {'noexcept ' if language == 'c++' else ''}{{",
            *made,
            f"  void* samebytes_t[{total + 2}] = {{{table}}};",
            f"  {shim_symbol(index, given)}(samebytes_t);",
            *_leave(machine, fails),
            "}",
        ])  # fmt: skip


def _releases(module: Module) -> Iterator[Piece]:
    """What destroys an object in memory of compiled code, where the byte behind it says that it was made."""
    for index, struct in enumerate(module.records):
        if isinstance(struct, Handle) and struct.destructible:
            yield Piece(
                Owner("ending", index),
                f"SAMEBYTES_DIRECT void {release_symbol(index)}(void* samebytes_p, unsigned long, void*) noexcept {{"
                f" if (static_cast<char*>(samebytes_p)[sizeof({typename(struct)})])"
                f" {destroy_symbol(index)}(&samebytes_p); }}",
            )


def _held(parameter: Parameter) -> str:
    """The type of an argument's slot: of a std::function, the pointer that it is made from."""
    target = getattr(parameter.value_type, "target", None)
    return target.spelling if isinstance(target, Function) and target.holder else parameter.spelling


def _c_type(travels: Scalar | Pointer | None) -> str:
    return MACHINE[travels.name] if isinstance(travels, Scalar) else "void*"


def _returned(machine: Scalar | Pointer | None, fails: bool) -> str:
    plain = _c_type(machine) if machine is not None else "void"
    if not fails:
        return plain
    return "long" if machine is None else f"samebytes_outcome<{plain}>"


def _leave(machine: Scalar | Pointer | None, fails: bool) -> Iterator[str]:
    value = f"({_c_type(machine)})samebytes_r"
    if not fails:
        yield f"  return {value};" if machine is not None else "  return;"
    elif machine is None:
        yield "  return samebytes_e.samebytes_code ? samebytes_fail(samebytes_e) : 0;"
    else:
        yield "  if (samebytes_e.samebytes_code) return {samebytes_fail(samebytes_e), 0};"
        yield f"  return {{0, {value}}};"


DIRECT = DirectShims()
DEVICE_DIRECT = DirectShims(fails=False)
