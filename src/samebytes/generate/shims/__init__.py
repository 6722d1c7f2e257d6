"""Shims: the C or C++ functions through which Python calls, one language a file."""

from .accessors import accessors, variable_symbol
from .base import (
    ADDRESSES,
    ShimGenerator,
    arities,
    bit_fields,
    call_signature,
    call_symbol,
    derived_classes,
    destroy_symbol,
    dynamic_symbol,
    further_symbol,
    has_address,
    probe_symbol,
    room_symbol,
    shim_symbol,
    unroom_symbol,
    upcast_symbol,
    virtual_bases,
)
from .c import GENERATOR as _C
from .converted import given_away
from .cuda import GENERATOR as _CUDA
from .cxx import GENERATOR as _CXX
from .macros import hidden_macros, hidden_names, set_aside

# Keyed by the language in which the header was read; CUDA's is of device code.
GENERATORS: dict[str, ShimGenerator] = {"c++": _CXX, "c": _C, "cuda": _CUDA}

__all__ = [
    "ADDRESSES",
    "GENERATORS",
    "ShimGenerator",
    "accessors",
    "arities",
    "bit_fields",
    "call_signature",
    "call_symbol",
    "derived_classes",
    "destroy_symbol",
    "dynamic_symbol",
    "further_symbol",
    "given_away",
    "has_address",
    "hidden_macros",
    "hidden_names",
    "probe_symbol",
    "room_symbol",
    "set_aside",
    "shim_symbol",
    "unroom_symbol",
    "upcast_symbol",
    "variable_symbol",
    "virtual_bases",
]
