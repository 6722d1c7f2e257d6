"""Reads the shims of a finished library: which of them end soon and wait for nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..model.module import Module
from ..model.signature import Signature
from ..model.symbols import BEGIN, NEXT, arities, is_accessor, shim_symbol
from ..model.verdicts import Verdict
from ..toolchain.code.bounded import OUTSIDE, Unproven, prove
from ..toolchain.code.image import Image


def verdicts(module: Module, library: Path) -> tuple[Verdict, ...]:
    """What is proven of each shim whose calls may keep the GIL or release it; where no code is read, why."""
    try:
        image = Image(library)
    except ValueError as error:
        return (Verdict("", str(error)),)
    return tuple(_verdict(image, symbol, signature) for symbol, signature in _shims(module))


def _verdict(image: Image, symbol: str, signature: Signature) -> Verdict:
    """What is proven of one shim; that of a function of another library calls it, whatever else its code does."""
    if signature.symbol and signature.symbol in image.outside:
        return Verdict(symbol, OUTSIDE.format(name=signature.symbol))
    return verdict(image, symbol)


def verdict(image: Image, symbol: str) -> Verdict:
    """What is proven of one shim."""
    try:
        proof = prove(image, symbol)
    except Unproven as found:
        return Verdict(symbol, str(found))
    return Verdict(symbol, "", proof.instructions, proof.calls, tuple(sorted(proof.reads)))


def _shims(module: Module) -> Iterator[tuple[str, Signature]]:
    for overloads in module.overload_sets.values():
        signatures = tuple(signature for _, signature in overloads)
        for number, signature in overloads:
            if _is_asked(signature):
                for given in arities(signature, signatures):
                    yield shim_symbol(number, given), signature


def _is_asked(signature: Signature) -> bool:
    """Whether it is no access to a member, and no step of an iteration, which keep the GIL in any case."""
    fixed = signature.name in (BEGIN, NEXT) or is_accessor(signature.name)
    return signature.kind != "macro" and not fixed
