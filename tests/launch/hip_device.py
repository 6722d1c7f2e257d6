"""A device of AMD's without a GPU: arrays that say they lie in its memory, and launches that run on the host.

The machine code is not run. It says where each argument lies, and there the driver puts it, into the block from which
the same source, compiled for the host, reads its parameters.
"""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
from device import _HOOK, _VARIABLE_HOOK, Launched, Library, built_driver

import samebytes as sb
from samebytes.toolchain.kernel_metadata import variable_sizes
from samebytes.toolchain.rocm import rocm_headers

HERE = Path(__file__).parent


class Memory:
    """An array of the device, as HIP Python's say it; what is in it is NumPy's."""

    def __init__(
        self, array: np.ndarray[Any, Any], *, readonly: bool = False, stream: int | None = None
    ) -> None:
        self.array = array
        self.__cuda_array_interface__ = {
            "shape": array.shape, "typestr": array.dtype.str, "data": (array.ctypes.data, readonly), "version": 3,
            "strides": None if array.flags.c_contiguous else array.strides, "stream": stream,
        }  # fmt: skip


Memory.__module__ = "hip.of_tests"  # HIP Python's arrays are told by their module


class FakeHip(Library):
    """The driver's side of the tests."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = built_driver(folder, "OF_HIP")
        self.library = ctypes.CDLL(str(self.path))
        self.launches: list[Launched] = []
        self.errors: list[BaseException] = []
        self.code = 0
        self._kernels: dict[str, tuple[Any, Any]] = {}
        self._variables: dict[str, tuple[int, int]] = {}
        self._hook, self._variable_hook = _HOOK(self._launched), _VARIABLE_HOOK(self._variable)
        self.library.fake_on_launch(self._hook)
        self.library.fake_on_variable(self._variable_hook)

    def knows(self, library: Any, source: str) -> Any:
        """Let the host run the kernels of a library, which was compiled of a source."""
        code = Path(library.__file__).read_bytes()
        kernels = library.__model__.functions
        runners = "".join(
            f'extern "C" void run_{k.symbol}(const unsigned* d, const char* b) {{ run_grid(static_cast<'
            f"{k.result_spelling} (*)({', '.join(p.spelling for p in k.parameters)})>({k.qualified}), d, b); }}\n"
            for k in kernels
        )
        place = self.folder / f"{library.__name__}.cpp"
        place.write_text(f'#include "{HERE}/grid.hpp"\n{source}\n{runners}')
        made = place.with_suffix(".so")
        flags = ["-std=c++20", "-O1", "-w", "-shared", "-fPIC", "-pthread", "-D__HIP_PLATFORM_AMD__=1"]
        flags.append(f"-I{sb.get_include()}")
        include = rocm_headers()[0]
        searched = [] if include == "/usr/include" else ["-isystem", include]
        subprocess.run(["g++", *flags, *searched, "-o", made, place], check=True)
        host = ctypes.CDLL(str(made))
        for k in kernels:
            self._kernels[k.symbol] = sb.kernel_arguments(code, k.symbol), getattr(host, f"run_{k.symbol}")
        for name, size in variable_sizes(code).items():
            self._variables[name] = ctypes.addressof(ctypes.c_char.in_dll(host, name)), size
        return library

    def array(self, data: Any, **how: Any) -> Memory:
        """Memory of the device with a copy of an array."""
        return Memory(np.array(data), **how)

    def _launched(self, name: bytes, extents: Any, shared: int, stream: int | None, given: Any) -> int:
        try:
            places, run = self._kernels[name.decode()]
            block = bytearray(max((p.offset + p.size for p in places), default=0) + 64)
            data = [ctypes.string_at(given[i], place.size) for i, place in enumerate(places)]
            for place, value in zip(places, data, strict=True):
                block[place.offset : place.offset + place.size] = value
            said = Launched(name.decode(), extents[:6], shared, stream or 0, data)
            (self.launches if self.recorded is None else self.recorded).append(said)
            if not self.code and self.recorded is None:
                run((ctypes.c_uint * 6)(*extents[:6]), (ctypes.c_char * len(block)).from_buffer(block))
        except BaseException as error:  # ctypes would only print it
            self.errors.append(error)
            return 1
        return self.code

    def _variable(self, name: bytes, place: Any, size: Any) -> int:
        found = self._variables.get(name.decode())
        if found is None:
            return 0
        place[0], size[0] = found
        return 1
