"""samebytes: call native C++ from Python with the same bytes on both sides, proven by the compiler.

``compile`` and ``bind`` make libraries from C++; ``struct``, ``array``, ``float32x4`` … name types in Python;
``layout``, ``pack``, ``declare`` show what the compiler will see.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from . import forks as _forks
from .version import __version__ as __version__

# Where each public name is defined. It is imported when it is first asked for: an import of samebytes costs nothing.
_HOMES = {
    "api.bind": ("bind", "compile"),
    "api.kernel_files": ("load",),
    "api.packaged": ("_load",),  # for the packages that `samebytes bind` writes
    "arrays.mdspan.conversions": ("to_device_mdspan", "to_host_mdspan", "to_managed_mdspan"),
    "arrays.mdspan.tensor": ("DLTensor",),
    "arrays.mdspan.views": ("Mdspan",),
    "arrays.protocols": ("view",),
    "call.adapters.device_array": ("DeviceArray",),
    "call.adapters.launch_extra": ("KernelParams", "LaunchExtra"),
    "call.adapters.lists": (
        "ListOfBytes",
        "ListOfInt",
        "ListOfInt64",
        "ListOfLong",
        "ListOfPointer",
        "ListOfUInt64",
        "ListOfUnsigned",
        "ListOfUnsignedLong",
    ),
    "call.core": ("Pointer",),
    "call.callbacks.pointer": ("callback",),
    "call.choosing": ("overload",),
    "compiled": ("numba_signatures", "numba_type"),
    "compiled.functions": ("func",),
    "errors": (
        "AllocationError",
        "ArgumentError",
        "ArrayError",
        "ArrayIndexError",
        "BindError",
        "BindWarning",
        "CompileError",
        "Error",
        "IntentError",
        "LaunchError",
        "LayoutError",
        "MissingDependency",
        "ProtocolError",
        "RangeError",
        "StatusError",
    ),
    "layouts.dialects": ("alignof", "declare", "layout", "sizeof"),
    "layouts.mirrors": ("mirror",),
    "layouts.oracle": ("prove",),
    "layouts.promotion": ("result_type",),
    "layouts.representation": ("machine_representation",),
    "launch.synchronizing": ("synchronize",),
    "loading.explaining": ("explain",),
    "loading.pythonic": ("pythonize",),
    "toolchain.headers": ("get_include",),
    "model.intents": ("in_", "inout_ptr", "out_array_return", "out_ptr", "out_return", "owned"),
    "toolchain.kernel_metadata": ("ArgumentPlace", "kernel_arguments"),
    "types": ("array", "carray", "const", "pointer", "align", "as_type", "Atomic"),
    "values.conversion.packing": ("pack", "unpack"),
    "values.ending": ("delete",),
    "values.struct": ("struct",),
    "values.vector": ("vector",),
    "tools.magic": ("load_ipython_extension",),  # what %load_ext samebytes asks for
}
# Names that are others there.
_NAMED = {
    "array": "Array",
    "carray": "CArray",
    "const": "Const",
    "pointer": "Pointer",
    "Atomic": "atomic",
    "_load": "load",
}
_NUMPY = (
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
    "complex64", "complex128",
)  # fmt: skip
_ML_DTYPES = {"bfloat16": "bfloat16", "float8e4m3": "float8_e4m3fn", "float8e5m2": "float8_e5m2"}
_ELEMENTS = (*_NUMPY[:11], *_ML_DTYPES)
# What needs nothing else, or imports that room where it is needed.
_ALONE = frozenset({"errors", "api.bind"})

_FOUND = {name: home for home, names in _HOMES.items() for name in names}
_VECTORS = {f"{element}x{size}": (element, size) for element in _ELEMENTS for size in (1, 2, 3, 4)}


def __getattr__(name: str) -> Any:
    """A public name, found in its room; the vector classes are made when they are first named."""
    with _forks.importing:
        found = globals()[name] = _found(name)
    return found


def _found(name: str) -> Any:
    if name in _FOUND:
        return _imported(name, _FOUND[name])
    if (name == "float16" or name in _ML_DTYPES) and "numba" in sys.modules:  # which lacks these
        import_module(".values.dtypes", __name__).load_numba_extensions()
    if name in _NUMPY:
        return getattr(import_module("numpy"), name)
    if name in _ML_DTYPES:
        return getattr(import_module("ml_dtypes"), _ML_DTYPES[name])
    if name in _VECTORS:
        element, size = _VECTORS[name]
        return _found("vector")(_found(element), size)
    if name == "_native":
        return import_module("._native", __name__)
    raise AttributeError(f"module 'samebytes' has no attribute {name!r}")


def _imported(name: str, home: str) -> Any:
    """What a room has under a public name. Rules of arrays and pointers register themselves with the room of calls, so
    that it comes first: else what a function does would depend on what was imported before.
    """
    if home not in _ALONE:
        import_module(".call", __name__)
    return getattr(import_module(f".{home}", __name__), _NAMED.get(name, name))


def __dir__() -> list[str]:
    return sorted({*__all__, *_VECTORS})


__all__ = [
    "AllocationError",
    "ArgumentError",
    "ArgumentPlace",
    "ArrayError",
    "ArrayIndexError",
    "Atomic",
    "BindError",
    "BindWarning",
    "CompileError",
    "DLTensor",
    "DeviceArray",
    "Error",
    "IntentError",
    "KernelParams",
    "LaunchError",
    "LaunchExtra",
    "LayoutError",
    "ListOfBytes",
    "ListOfInt",
    "ListOfInt64",
    "ListOfLong",
    "ListOfPointer",
    "ListOfUInt64",
    "ListOfUnsigned",
    "ListOfUnsignedLong",
    "Mdspan",
    "MissingDependency",
    "Pointer",
    "ProtocolError",
    "RangeError",
    "StatusError",
    "align",
    "alignof",
    "array",
    "as_type",
    "bfloat16",
    "bind",
    "callback",
    "carray",
    "compile",
    "complex64",
    "complex128",
    "const",
    "declare",
    "delete",
    "explain",
    "float8e4m3",
    "float8e5m2",
    "float16",
    "float32",
    "float64",
    "func",
    "get_include",
    "in_",
    "inout_ptr",
    "int8",
    "int16",
    "int32",
    "int64",
    "kernel_arguments",
    "layout",
    "load",
    "machine_representation",
    "mirror",
    "numba_signatures",
    "numba_type",
    "out_array_return",
    "out_ptr",
    "out_return",
    "overload",
    "owned",
    "pack",
    "pointer",
    "prove",
    "pythonize",
    "result_type",
    "sizeof",
    "struct",
    "synchronize",
    "to_device_mdspan",
    "to_host_mdspan",
    "to_managed_mdspan",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "unpack",
    "vector",
    "view",
]
