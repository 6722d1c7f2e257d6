"""One pointer of a C API beside what its rules look at: neighbours, documents, and the rest of the header."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import field

from ...frozen import frozen
from ...model.signature import Parameter, Signature
from ...types import VOID, Enum, Named, Pointer, Scalar, Struct, Type, unqualified
from . import evidence, vocabulary
from .arrays import is_named_after
from .documents import Told, told
from .remarks import Remarks

BYTE = 1


# Launch arguments and a program's own: their names say that an array goes in (hip_runtime_api.h, cuda.h).
INPUTS = frozenset({"args", "argc", "argv", "envp", "kernelParams", "params", "extra"})


@frozen
class Surroundings:
    """What the header has besides the function.

    Attributes
    ----------
    remarks : mapping of str to Remarks
        By function.
    functions : mapping of str to Signature
    ends : frozenset of str
        Types that a function of the header ends: ``T`` of ``t_free(T*)``.
    records : frozenset of str
        The structs whose fields the header shows.
    returned : frozenset of str
        The types that functions return, as C writes them.
    values : mapping of str to set of Type
        By name, the types of parameters that go by value.
    rows : mapping of str to set of Type
        By name, what pointers to const point to.
    by_value : frozenset of str
        The types, as they are written, of parameters that go by value.
    of_many : frozenset of str
        Those that pointers to const, or arrays, point to.
    shown : mapping of (str, int) to str
        By the linker's name of a function and a parameter: what the library's code shows
        (:mod:`samebytes.toolchain.code.pointees.verdicts`).
    """

    remarks: Mapping[str, Remarks] = field(default_factory=dict)
    functions: Mapping[str, Signature] = field(default_factory=dict)
    ends: frozenset[str] = frozenset()
    records: frozenset[str] = frozenset()
    returned: frozenset[str] = frozenset()
    values: Mapping[str, Collection[Type]] = field(default_factory=dict)
    rows: Mapping[str, Collection[Type]] = field(default_factory=dict)
    by_value: frozenset[str] = frozenset()
    of_many: frozenset[str] = frozenset()
    shown: Mapping[tuple[str, int], str] = field(default_factory=dict)


@frozen
class Verdict:
    """Whether a parameter is an output, and which rule says so."""

    output: bool
    reason: str


def may_be_output(parameter: Parameter) -> bool:
    """Whether C may write one value there that is worth returning: a number, an enumerator, an address.

    Pointers to const, declared arrays and byte buffers are none; neither are pointers to structs, which the caller
    owns.
    """
    type_ = parameter.type
    if not isinstance(type_, Pointer) or parameter.passing != "value":
        return False
    if type_.const or parameter.extent is not None or parameter.name in INPUTS:
        return False
    target = type_.target
    if isinstance(target, Scalar):
        return target.size > BYTE or target.kind == "bool"
    return isinstance(target, Pointer | Enum)


@frozen
class Case:
    """One parameter with all that rules look at."""

    signature: Signature
    index: int
    parameter: Parameter
    told: Told
    around: Surroundings

    @classmethod
    def of(cls, signature: Signature, index: int, around: Surroundings) -> Case:
        """The case of a function's parameter."""
        parameter = signature.parameters[index]
        found = told(signature.name, parameter.name, index, around.remarks)
        return cls(signature, index, parameter, found, around)

    def beside(self, index: int) -> Case:
        """The case of another parameter of the function."""
        return Case.of(self.signature, index, self.around)

    @property
    def function(self) -> str:
        return self.signature.name

    @property
    def name(self) -> str:
        return self.parameter.name

    @property
    def words(self) -> str:
        """The parameter's own source; empty where it is not known."""
        found = self.around.remarks.get(self.function)
        return found.words[self.index] if found and self.index < len(found.words) else ""

    @property
    def comment(self) -> str:
        """What the header says beside the function."""
        found = self.around.remarks.get(self.function)
        return found.comment if found else ""

    @property
    def shown(self) -> str:
        """What the library's code does there; empty where nobody knows."""
        return self.around.shown.get((self.signature.symbol or self.function, self.index), "")

    @property
    def target(self) -> Type:
        type_ = self.parameter.type
        assert isinstance(type_, Pointer)
        return type_.target

    @property
    def inner(self) -> Type:
        """What a place points to in the end: ``T`` of ``T**``."""
        return self.target.target if isinstance(self.target, Pointer) else VOID

    @property
    def others(self) -> tuple[Parameter, ...]:
        return tuple(p for i, p in enumerate(self.signature.parameters) if i != self.index)

    @property
    def alike(self) -> tuple[Parameter, ...]:
        """Those that point to the same, itself among them."""
        return tuple(p for p in self.signature.parameters if p.type == self.parameter.type)


def no(words: str) -> Verdict:
    return Verdict(False, words)


def yes(words: str) -> Verdict:
    return Verdict(True, words)


def is_object(parameter: Parameter) -> bool:
    """Whether a parameter is an object that the function is about: a pointer to a record or to what is opaque."""
    return isinstance(place(parameter), Named | Struct)


def tells(signature: Signature) -> bool:
    """Whether a function returns a status."""
    result = unqualified(signature.result)
    return isinstance(result, Enum) or (isinstance(result, Scalar) and result.kind in ("int", "uint", "bool"))


def place(parameter: Parameter) -> Type | None:
    type_ = parameter.type
    return type_.target if isinstance(type_, Pointer) and parameter.passing == "value" else None


def is_char(target: Type) -> bool:
    """Whether a place is that of bytes or text, ``char**``."""
    inner = unqualified(target.target) if isinstance(target, Pointer) else VOID
    return isinstance(inner, Scalar) and inner.size == BYTE


def is_bytes(parameter: Parameter) -> bool:
    """Whether a parameter is a buffer that may be filled."""
    type_ = parameter.type
    if not isinstance(type_, Pointer) or type_.const:
        return False
    target = type_.target
    return target == VOID or (isinstance(target, Scalar) and target.size == BYTE)


def is_length_place(parameter: Parameter) -> bool:
    target = place(parameter)
    whole = isinstance(target, Scalar) and target.kind in ("int", "uint") and target.size > BYTE
    return whole and may_be_output(parameter) and evidence.is_count(parameter.name)


def is_whole(parameter: Parameter) -> bool:
    type_ = unqualified(parameter.type)
    whole = parameter.passing == "value" and isinstance(type_, Scalar) and type_.kind in ("int", "uint")
    return whole and isinstance(type_, Scalar) and type_.size > BYTE


def free_counts(signature: Signature, index: int = -1) -> list[Parameter]:
    """The counts by value that may be of the parameter at ``index``: those of no other pointer.

    A count is of the pointer right before it, or of the one right behind it that it is named after.
    """
    parameters = signature.parameters
    found = []
    for i, p in enumerate(parameters):
        before = i - 1 if i and is_pointer(parameters[i - 1]) else -1
        after = i + 1 if i + 1 < len(parameters) and is_pointer(parameters[i + 1]) else -1
        named = after >= 0 and is_named_after(p.name, parameters[after].name)
        data = after >= 0 and is_constant_data(parameters[after])
        data = data and not vocabulary.NO_BUFFERS.fullmatch(parameters[after].name)
        claimed = before if before >= 0 else after if named else i + 1 if data else -1
        if is_number_of(p) and claimed in (-1, index):
            found.append(p)
    return found


def is_constant_data(parameter: Parameter) -> bool:
    """Whether a parameter is bytes that go in."""
    type_ = parameter.type
    if not isinstance(type_, Pointer) or not type_.const or type_.is_string:
        return False
    return type_.target == VOID or (isinstance(type_.target, Scalar) and type_.target.size == BYTE)


def is_pointer(parameter: Parameter) -> bool:
    """Whether a parameter points to what may be many: no handle, which is one."""
    target = place(parameter)
    return target is not None and not isinstance(target, Named)


def is_number_of(parameter: Parameter) -> bool:
    """Whether a number by value says how many there are, or how many there may be."""
    return is_whole(parameter) and evidence.is_capacity(parameter.name)


Rule = Callable[[Case], Verdict | None]
