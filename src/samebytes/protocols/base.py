"""What a protocol is: how a foreign object says which memory it shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _native
from ..errors import ProtocolError
from ..types import SCALARS, Type, as_type
from ..view import HOST, ArrayView


class Refused(Exception):
    """This protocol cannot carry the object (its dtype, usually); the next one may."""


@dataclass(frozen=True, slots=True)
class Protocol:
    """One way to ask an object for its memory.

    Attributes
    ----------
    name : str
        As messages write it: "via DLPack".
    rank : int
        Protocols are asked in ascending rank (design: DLPack, CAI, SUAI, ``__array_interface__``, buffer).
    recognises : callable
        Whether objects of a class speak it; a question about the class alone, so that the answer is cached.
    describe : callable
        The view of one object. Raises :class:`Refused` if another protocol should be asked, and
        :class:`~samebytes.errors.ProtocolError` if the producer breaks the protocol's rules.
    route : callable
        For a class read by this protocol: the native core's route (``"numpy"``, ``"torch"``, ``"buffer"``) and whether
        its objects are read-only whatever they say; None where every object must be asked in Python.
    """

    name: str
    rank: int
    recognises: Callable[[type], bool]
    describe: Callable[[Any], ArrayView]
    route: Callable[[type], tuple[str, bool] | None] = lambda cls: None


_BY_DLPACK: dict[tuple[int, int, int], Type] = {s.dlpack: s for s in SCALARS.values() if s.name != "char"}

_CODES = {
    0: "int", 1: "uint", 2: "float", 3: "opaque", 4: "bfloat", 5: "complex", 6: "bool", 7: "float8_e3m4",
    8: "float8_e4m3", 9: "float8_e4m3b11fnuz", 10: "float8_e4m3fn", 11: "float8_e4m3fnuz", 12: "float8_e5m2",
    13: "float8_e5m2fnuz", 14: "float8_e8m0fnu", 15: "float6_e2m3fn", 16: "float6_e3m2fn", 17: "float4_e2m1fn",
}  # fmt: skip


def dlpack_type(code: int, bits: int, lanes: int) -> tuple[Type | None, str]:
    """The type of a DLPack dtype, and its name in words also where we have no such type."""
    found = _BY_DLPACK.get((code, bits, lanes))
    name = _CODES.get(code, f"DLPack type {code}")
    words = str(found) if found else f"{name}{bits}" + (f" × {lanes} lanes" if lanes != 1 else "")
    return found, words


def numpy_type(dtype: np.dtype[Any]) -> Type | None:
    """The type of a native-order number dtype, else None."""
    try:
        return as_type(dtype)
    except TypeError:
        return None


def numpy_words(dtype: np.dtype[Any]) -> str:
    """A dtype as messages show it, with its byte order where that is not the machine's."""
    if dtype.fields is not None:
        return f"a structured dtype of fields {', '.join(dtype.names or ())}"
    return dtype.name if dtype.isnative else f"{dtype.name} in the other byte order ({dtype.str})"


def from_ndarray(array: np.ndarray[Any, Any], protocol: str, *, readonly: bool = False) -> ArrayView:
    """The view of a NumPy array, which may itself stand for a producer read by another protocol.

    Raises
    ------
    ProtocolError
        For a masked array: C++ would see the numbers behind the mask.
    """
    if isinstance(array, np.ma.MaskedArray):
        raise ProtocolError(
            "a masked array; x.filled(...) decides what C++ sees in place of the masked elements"
        )
    address, shape, strides, dtype, itemsize, _, _, locked, owner = _native.describe_ndarray(array)
    return ArrayView(
        numpy_type(dtype), numpy_words(dtype), address, shape, strides, itemsize, HOST, locked or readonly,
        protocol, owner, dtype=dtype,
    )  # fmt: skip
