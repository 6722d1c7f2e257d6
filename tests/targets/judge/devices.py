"""Kernels and host functions of device dialects: CUDA and HIP by the tests' own drivers, SYCL on a real device."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import samebytes as sb
from samebytes.arrays.protocols import view

from . import sources
from .base import Fault, Memory, Target
from .kinds import Kind


class HipMemory(Memory):
    """One of AMD's: HIP Python's arrays are known by their module."""


HipMemory.__module__ = "hip.of_tests"


class _OnDevice(Target):
    """A target of the tests' own driver for CUDA."""

    objects = False

    def __init__(self, kinds: Sequence[Kind]) -> None:
        from samebytes.toolchain.cuda import DRIVER_VARIABLE

        super().__init__(kinds)
        self.fake = import_module("hardware").device()
        os.environ[DRIVER_VARIABLE] = str(self.fake.path)

    @cached_property
    def lib(self) -> Any:
        return self.fake.knows(super().lib)

    def reset(self) -> None:
        self.fake.reset()

    def put(self, array: np.ndarray[Any, Any], base: np.ndarray[Any, Any], own: bool) -> Any:
        if not own:
            return array
        self.fake.arrays.append(base)
        return Memory(array)

    def checked(self) -> None:
        if self.fake.errors:
            raise Fault(repr(self.fake.errors[0]))


class CuHost(_OnDevice):
    dialect = sources.CU_HOST
    options = {"dialect": "cuda", "std": "c++20"}  # noqa: RUF012
    objects = True

    def reads_host(self, kind: Kind) -> bool:
        """What is said of a pointer, and a reference, mean the host's memory, too."""
        return kind.by_value or bool(kind.intent) or "&" in kind.parameter


class Kernel(_OnDevice):
    dialect = sources.KERNEL
    options = {"dialect": "cuda", "std": "c++20"}  # noqa: RUF012

    def mark(self) -> str:
        return "__global__ void of_other(R x, Col c, int* out) { *out = x.a; }\n"

    def call(self, kind: Kind, x: Any) -> list[Any]:
        d = self.fake.array(np.zeros(1, "u8"))
        self.function(kind)[1, 1](x, d)
        self.checked()
        return [int(d.array[0]), [0.0] * 4]


class Hip(Target):
    dialect = sources.HIP
    options = {"dialect": "hip"}  # noqa: RUF012
    objects = False

    def __init__(self, kinds: Sequence[Kind]) -> None:
        from samebytes.toolchain.rocm import DRIVER_VARIABLE

        super().__init__(kinds)
        self._folder = tempfile.TemporaryDirectory()
        self.hip = import_module("hip_device").FakeHip(Path(self._folder.name))
        os.environ[DRIVER_VARIABLE] = str(self.hip.path)

    @cached_property
    def lib(self) -> Any:
        return self.hip.knows(super().lib, self.dialect.source(self.kinds))

    def mark(self) -> str:
        return "__global__ void of_other(R x, Col c, int* out) { *out = x.a; }\n"

    def reset(self) -> None:
        self.hip.launches.clear(), self.hip.errors.clear()

    def put(self, array: np.ndarray[Any, Any], base: np.ndarray[Any, Any], own: bool) -> Any:
        if not own:
            return array
        return HipMemory(array)

    def call(self, kind: Kind, x: Any) -> list[Any]:
        d = self.hip.array(np.zeros(1, "u8"))
        self.function(kind)[1, 1](x, d)
        if self.hip.errors:
            raise Fault(repr(self.hip.errors[0]))
        return [int(d.array[0]), [0.0] * 4]


class UsmMemory:
    """An array in SYCL's shared memory, which has a copy of the host's bytes around it."""

    def __init__(
        self, array: np.ndarray[Any, Any], base: np.ndarray[Any, Any], copied: Any, shift: int
    ) -> None:
        facts = copied.__sycl_usm_array_interface__
        place = array.__array_interface__["data"][0] - base.ctypes.data + shift
        self.copied, self.array, size = copied, array, array.itemsize
        self.__sycl_usm_array_interface__ = facts | {
            "data": (facts["data"][0] + place, not array.flags.writeable), "shape": array.shape,
            "typestr": array.dtype.str, "strides": tuple(n // size for n in array.strides), "offset": 0,
        }  # fmt: skip


def _shown(array: np.ndarray[Any, Any], base: np.ndarray[Any, Any], copied: Any, shift: int) -> Any:
    """The same as what a part of an array of samebytes' own shows."""
    here, there = view(array), view(copied)
    return there.derive(
        ptr=there.ptr + shift + here.ptr - base.ctypes.data, type=here.type, dtype_name=here.dtype_name,
        shape=here.shape, byte_strides=here.byte_strides, itemsize=here.itemsize, readonly=here.readonly,
        dtype=here.dtype,
    )  # fmt: skip


class Sycl(Target):
    """Kernels of SYCL on the device of Intel's OpenCL for CPUs."""

    dialect = sources.SYCL
    options = {"dialect": "sycl", "std": "c++20"}  # noqa: RUF012
    objects = False

    def __init__(self, kinds: Sequence[Kind]) -> None:
        super().__init__(kinds)
        self._copies: list[tuple[np.ndarray[Any, Any], Any, int]] = []

    def mark(self) -> str:
        return self.dialect.form.format(name="of_other", parameter="R x, Col c", fold="fold(x)", writes="")

    def reset(self) -> None:
        self._copies = []

    def put(self, array: np.ndarray[Any, Any], base: np.ndarray[Any, Any], own: bool) -> Any:
        if not own:
            return array
        # Aligned as on the host: what lies there may ask for it.
        copied = sb.DeviceArray.from_host(np.zeros(base.nbytes + 64, "u1"), device="sycl", kind="shared")
        shift = (base.ctypes.data - copied.address) % 64
        copied.copy_from_host(np.pad(base, (shift, 64 - shift)))
        self._copies.append((base, copied, shift))
        if array.dtype.kind not in "biufc":  # the interface has no word for it: a part of an array of ours
            return _shown(array, base, copied, shift)
        return UsmMemory(array, base, copied, shift)

    def call(self, kind: Kind, x: Any) -> list[Any]:
        d = sb.DeviceArray.from_host(np.zeros(1, "u8"), device="sycl", kind="shared")
        self.function(kind)[1, 1](x, d)
        self.fetch()
        return [int(d.copy_to_host()[0]), [0.0] * 4]

    def fetch(self) -> None:
        """Show on the host what the kernel wrote."""
        for base, copied, shift in self._copies:
            base[:] = copied.copy_to_host()[shift : shift + base.nbytes]
