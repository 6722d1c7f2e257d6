"""Reads the shims of a finished library: which of them end soon and wait for nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..model.module import Module
from ..model.signature import Signature
from ..model.symbols import BEGIN, NEXT, arities, is_accessor, shim_symbol
from ..model.verdicts import Verdict
from ..toolchain.code.bounded import Unproven, prove
from ..toolchain.code.image import Image


def verdicts(module: Module, library: Path) -> tuple[Verdict, ...]:
    """What is proven of each shim whose calls may keep the GIL or release it; where no code is read, why."""
    try:
        image = Image(library)
    except ValueError as error:
        return (Verdict("", str(error)),)
    return tuple(verdict(image, symbol) for symbol in _symbols(module))


def verdict(image: Image, symbol: str) -> Verdict:
    """What is proven of one shim."""
    try:
        proof = prove(image, symbol)
    except Unproven as found:
        return Verdict(symbol, str(found))
    return Verdict(symbol, "", proof.instructions, proof.calls, tuple(sorted(proof.reads)))


def _symbols(module: Module) -> Iterator[str]:
    for overloads in module.overload_sets.values():
        signatures = tuple(signature for _, signature in overloads)
        for number, signature in overloads:
            if _is_asked(signature):
                yield from (shim_symbol(number, given) for given in arities(signature, signatures))


def _is_asked(signature: Signature) -> bool:
    """Whether it is no access to a member, and no step of an iteration, which keep the GIL in any case."""
    fixed = signature.name in (BEGIN, NEXT) or is_accessor(signature.name)
    return signature.kind != "macro" and not fixed
