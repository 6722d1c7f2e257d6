"""Which pointers to numbers are data that the caller has, as vectors and matrices are: by library, neighbours, name."""

from __future__ import annotations

import re

from ...model.signature import Parameter, Signature
from ...types import Named, Pointer, Scalar, Type, Vector, unqualified
from . import vocabulary

# Libraries of arrays, AMD's and NVIDIA's: a number behind a pointer is one of many there, or lies on the device.
# Likewise FFTW, and what reads and writes netCDF's variables, whose shapes are in the file.
_LIBRARY = re.compile(r"(hip|cu|roc)(blas|sparse|solver|rand|fft)|fftw[fl]?_|nc_(get|put)_(var|att)")
_TEXTS = re.compile(r"nc_(get|put)_(var|att)\w*_string")
_ASKS = re.compile(r"Get|Estimate")


def data(signature: Signature, records: frozenset[str] = frozenset()) -> set[int]:
    """The indices of pointers to numbers, not const, that go in because the caller has what they point to.

    Taken for an output, an array would be written where there is room for one number: in doubt it goes in. ``records``
    are the names of the header's structs, complex numbers among them.
    """
    parameters = signature.parameters
    strided = any(_integer(p, vocabulary.STRIDES) for p in parameters)
    library = _LIBRARY.match(signature.name) is not None and not _ASKS.search(signature.name)
    found = set()
    for i, parameter in enumerate(parameters):
        after = parameters[i + 1] if i + 1 < len(parameters) else None
        counted = (after is not None and _integer(after, vocabulary.LENGTH_OF_DATA)) or _measured(
            parameter.name, parameters
        )
        beside = (strided or library) and not vocabulary.WORKSPACE_SIZES.fullmatch(parameter.name)
        one = _numbers(parameter.type) and (beside or counted or vocabulary.DATA.fullmatch(parameter.name))
        texts = _TEXTS.fullmatch(signature.name) and isinstance(parameter.type, Pointer)
        if one or texts or (strided and library and _batched(parameter.type, records)):
            found.add(i)
    return found


def _integer(parameter: Parameter, name: re.Pattern[str]) -> bool:
    type_ = unqualified(parameter.type)
    whole = isinstance(type_, Scalar) and type_.kind in ("int", "uint")
    return whole and name.fullmatch(parameter.name) is not None


def _measured(name: str, parameters: tuple[Parameter, ...]) -> bool:
    """Whether a number says how long the array of this name is: ``uint32_t cuMaskSize, uint32_t* cuMask``."""
    length = re.compile(rf"(?i)(num_?|n_?){name}|{name}_?(size|count|len|length)")
    return any(_integer(p, length) for p in parameters)


def _numbers(type_: Type) -> bool:
    type_ = unqualified(type_)
    return isinstance(type_, Pointer) and isinstance(type_.target, Scalar) and not type_.const


def _batched(type_: Type, records: frozenset[str]) -> bool:
    """Whether this is where the addresses of several arrays lie, ``float* invA[]``."""
    inner = type_.target if isinstance(type_, Pointer) else type_
    if not isinstance(inner, Pointer):
        return False
    number = inner.target
    return isinstance(number, Scalar | Vector) or (isinstance(number, Named) and number.name in records)
