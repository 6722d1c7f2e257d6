"""What the code of the libraries that a C header is linked with shows of its functions' pointers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from ..layouts.dialects import layout
from ..layouts.processors import INTEGER, Placing, Processor, Shape, processor
from ..model.module import Module
from ..model.signature import Signature
from ..toolchain.code.image import Image
from ..toolchain.code.pointees.program import Program
from ..toolchain.code.pointees.state import COUNT, PASSING
from ..toolchain.code.pointees.verdicts import shows
from ..toolchain.code.presence import can_decode
from ..toolchain.compilers import find_compiler
from ..toolchain.linked import LinkedLibraries
from ..types import VOID, Enum, Pointer, Scalar, Type, unqualified
from .request import Request


class Examined(NamedTuple):
    """What code showed.

    Attributes
    ----------
    shown : mapping of (str, int) to str
        By the linker's name of a function and a parameter: :data:`~samebytes.toolchain.code.pointees.verdicts.WRITTEN`
        and the others.
    files : tuple of Path
        The libraries that were looked into, which decide a build, too.
    """

    shown: Mapping[tuple[str, int], str]
    files: tuple[Path, ...] = ()


def examine(request: Request, module: Module) -> Examined:
    """What the linked libraries' code does with the pointers whose header does not settle what they are."""
    machine = processor()
    if not request.libraries or machine is None or "x86_64" not in machine.machines or not can_decode():
        return Examined({})
    linked = LinkedLibraries(request.libraries, request.library_dirs, find_compiler(module.language))
    files = tuple(linked.files)
    program = Program([*_images(files)])
    shown = {}
    for function in module.functions:
        places = _places(function, machine)
        if not places:
            continue
        summary = program.summary(function.symbol or function.name, frozenset(places.values()))
        for index, argument in places.items():
            if found := shows(summary, argument, layout(_target(function, index)).size):
                shown[function.symbol or function.name, index] = found
    return Examined(shown, files)


def _images(files: Iterable[Path]) -> Iterator[Image]:
    for path in files:
        try:
            yield Image(path)
        except ValueError:  # of another machine
            continue


def _target(function: Signature, index: int) -> Pointer | Scalar | Enum:
    type_ = function.parameters[index].type
    assert isinstance(type_, Pointer)
    target = type_.target
    assert isinstance(target, Pointer | Scalar | Enum)
    return target


def _places(function: Signature, machine: Processor) -> dict[int, int]:
    """By parameter that may be an output: as which word it is passed, first in registers and then on the stack."""
    if function.kind != "function" or function.owner:
        return {}
    placing, found = Placing(machine.registers), {}
    result = None if function.result == VOID else _shape(function.result, function.result_passing, machine)
    if function.result != VOID and result is None:
        return {}
    if result is not None and not result.words:
        placing(INTEGER)  # where the result goes
    for index, parameter in enumerate(function.parameters):
        shape = _shape(parameter.type, parameter.passing, machine)
        if shape is None:
            return {}
        word = _word(placing(shape)[0], machine)
        type_ = parameter.type
        if not isinstance(type_, Pointer) or parameter.passing != "value" or type_.const or word is None:
            continue
        if isinstance(type_.target, Pointer | Scalar | Enum):
            found[index] = word
    return found


def _shape(type_: Type, passing: str, machine: Processor) -> Shape | None:
    return INTEGER if passing != "value" else machine.shape(unqualified(type_))


def _word(place: int, machine: Processor) -> int | None:
    """As :class:`Program` counts words; None for a real number's register, and for what lies too far on the stack."""
    if place < len(PASSING):
        return place
    word = place - machine.registers.count + len(PASSING)
    return word if len(PASSING) <= word < COUNT else None
