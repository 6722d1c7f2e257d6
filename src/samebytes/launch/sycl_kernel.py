"""A kernel of SYCL as Python calls it: ``k[range, local](x, y, 2.0)``."""

from __future__ import annotations

import ctypes
import struct
import weakref
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, NoReturn

from .. import _native
from ..call import Binding
from ..call.choosing import overload
from ..call.introspection import declaration_text
from ..call.parameter_types import chosen_signature
from ..errors import ArgumentError, LaunchError, plain_error
from ..layouts.dialects import layout
from ..model.signature import Signature
from ..types import Pointer
from .calls import launched, ways
from .checking import compiled_as, is_accessor
from .kernel import Kernel, defaults
from .pending import Pending, launch_without_waiting, suspects
from .sycl import Queue, SyclCode, called, interface, queue_of
from .sycl_configuration import SyclConfiguration, configuration, local_memory, subscript

_PLACE = struct.Struct("iiNP")  # Place in native/launch/sycl.cpp
_FIXED = -1  # in the place of an argument's number


class SyclKernel(Kernel):
    """A kernel of SYCL, or the overloads of a name; a launch returns when it has run.

    Memory of a work-group is no argument of a call: a launch says how much it is.
    """

    def __init__(
        self, signatures: Sequence[Signature], module: str, code: SyclCode,
        home: tuple[Any, ...] | None = None,
    ) -> None:  # fmt: skip
        shown = [_without_local(signature) for signature in signatures]
        super().__init__(shown, module, code, home)  # type: ignore[arg-type]
        self._declared, self._spirv = tuple(signatures), code
        self._functions: dict[tuple[Any, ...], tuple[Any, ...]] = {}
        self._bindings: dict[str, Binding] = {}

    @cached_property
    def described(self) -> Binding:
        """Its calls on no device: what they take, for those who ask before there is one."""
        return launched(self._signatures, self.__module__, "sycl", _nowhere, "sycl")

    def functions(self, queue: Queue) -> tuple[Any, ...]:
        """The kernel of each overload, built for a queue."""
        if queue.key not in self._functions:
            found = tuple(self._spirv.function(signature.symbol, queue) for signature in self._signatures)
            self._functions[queue.key] = found
        return self._functions[queue.key]

    def binding(self, queue: Queue) -> Binding:
        """The calls of launches on a queue, whose context says which memory they read."""
        if queue.memory not in self._bindings:
            failed = partial(_failed, self.__name__, queue)
            made = launched(self._signatures, self.__module__, queue.memory, failed, "sycl")
            self._bindings[queue.memory] = made
        return self._bindings[queue.memory]

    def _subscript(self, key: Any) -> SyclLaunch:  # type: ignore[override]
        """``k[range]``, ``k[range, local]``, ``k[range, local, queue, shared]``: what launches it so."""
        return self.configured(**subscript(self.__name__, key))

    def configured(  # type: ignore[override]
        self, *, range: Any, local: Any = None, queue: Any = None, shared: Any = 0, wait: bool = True
    ) -> SyclLaunch:
        """What launches the kernel so.

        Parameters
        ----------
        range, local : int or tuple of int
            Items in all, and of a work-group, in SYCL's order. Without ``local``, or where it is None, the runtime
            chooses.
        queue : dpctl.SyclQueue, optional
            Or an array that has one; left out, it is one of the default device.
        shared : int or tuple of int
            Bytes of the memory of a work-group that the kernel takes, of several in their order.
        wait : bool
            Whether a call returns when the kernel has run. Else it returns a :class:`Pending` at once.

        Raises
        ------
        ArgumentError
            If something is not of its kind.
        LaunchError
            If the device cannot launch so much, or does not build the code.
        MissingDependency
            If there is no dpctl, or no device.
        """
        if not isinstance(wait, bool):
            raise plain_error(ArgumentError, self.__name__, f"wait is True or False, got {wait!r}")
        place = queue_of(self.__name__, queue)
        made = [configuration(signature, place.limits, range, local, shared) for signature in self._declared]
        return SyclLaunch(self, place, made, wait)

    def for_each(self, n: int, *, queue: Any = None, wait: bool = True) -> SyclLaunch:  # type: ignore[override]
        """What launches one item for each of ``n``; the runtime chooses the work-groups.

        Parameters
        ----------
        n : int
            For 0 the arguments are checked, and nothing is launched.
        queue, wait
            As of :meth:`configured`, with the same errors.
        """
        return self.configured(range=n, queue=queue, wait=wait)

    def __samebytes_overload__(self, parameters: str) -> Kernel:
        """One of the overloads, by its C++ parameters."""
        found = chosen_signature(self.described.name, self.described.signatures, parameters)
        place = self.described.signatures.index(found)
        home = (overload, (self, declaration_text(self._signatures[place])))
        return SyclKernel((self._declared[place],), self.__module__, self._spirv, home)

    def __call__(self, *arguments: object, **named: object) -> NoReturn:
        name = self.__name__
        raise plain_error(ArgumentError, name, f"is a kernel: {name}[range, local](...) launches it")


class SyclLaunch:
    """A kernel with its range and work-group: a call launches it.

    Attributes
    ----------
    kernel : SyclKernel
    configurations : tuple of SyclConfiguration
        Of each overload.
    waits : bool
        Whether a call returns when the kernel has run.
    """

    __slots__ = ("__weakref__", "_call", "_launch", "_queue", "configurations", "kernel", "waits")

    def __init__(
        self, kernel: SyclKernel, queue: Queue, configurations: Sequence[SyclConfiguration], waits: bool
    ) -> None:
        self.kernel, self.configurations, self.waits, self._queue = (
            kernel,
            tuple(configurations),
            waits,
            queue,
        )
        functions = kernel.functions(queue)
        held = [
            (_places(declared, made, self), defaults(shown, queue.memory))
            for declared, shown, made in zip(
                kernel._declared, kernel._signatures, configurations, strict=True
            )
        ]
        data = b"".join(
            _native.sycl_launch(
                called(), int(functions[i].addressof_ref()), queue.address, _three(configurations[i].range),
                _three(configurations[i].local), len(configurations[i].range),
                len(held[i][0][0]) // _PLACE.size, len(kernel._signatures[i].parameters), given,
                ctypes.addressof(held[i][1][0]), ctypes.addressof(held[i][0][0]), waits,
            )
            for i, given in ways(kernel._signatures)
        )  # fmt: skip
        room = ctypes.create_string_buffer(data, len(data))
        self._launch = _native.Pointer(ctypes.addressof(room), (room, held, functions))
        self._call = kernel.binding(queue).function

    def __call__(self, *arguments: Any, **named: Any) -> Pending | None:
        """Launch the kernel, and wait until it has run, unless a :class:`Pending` was asked for."""
        if self.waits:
            self._call(self._launch, *arguments, **named)
            return None
        given = (self._launch, *arguments)
        return launch_without_waiting(self.kernel.__name__, self._queue, 0, self._call, given, named)

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError(f"cannot pickle {self!r}: its queue is this process's; pickle the kernel")

    def __repr__(self) -> str:
        made = self.configurations[0]
        return f"<{self.kernel.__name__}[{made.range}, {made.local or None}]>"


def _three(extents: tuple[int, ...]) -> tuple[int, int, int]:
    x, y, z = (*extents, 0, 0, 0)[:3]
    return x, y, z


def _places(signature: Signature, made: SyclConfiguration, owner: SyclLaunch) -> tuple[Any, list[Any]]:
    """What the core hands on for each parameter of the compiled kernel; and what holds that."""
    rows, held = list[bytes](), list[Any]()
    sizes = iter(made.shared)
    kinds = _native.SYCL_KINDS
    number = 0
    for parameter in signature.parameters:
        type_ = parameter.value_type
        if not (isinstance(type_, Pointer) and type_.memory == "local"):
            (part,) = compiled_as(parameter)
            kind = kinds["pointer"] if part.kind == "pointer" else kinds.get(part.size, kinds["bytes"])
            rows.append(_PLACE.pack(number, kind, part.size, 0))
            number += 1
            continue
        size = next(sizes)
        memory = interface().DPCTLWorkGroupMemory_Create(size)
        weakref.finalize(owner, interface().DPCTLWorkGroupMemory_Delete, memory)
        rows.append(_PLACE.pack(_FIXED, kinds["local"], 8, memory))
        if is_accessor(parameter):  # its range twice, and where it begins
            count = size // layout(type_.target, "sycl").size
            said = (ctypes.c_uint64 * 3)(count, count, 0)
            held.append(said)
            rows += (_PLACE.pack(_FIXED, kinds[8], 8, ctypes.addressof(said) + 8 * n) for n in (0, 1, 2))
    data = b"".join(rows)
    return (ctypes.c_char * len(data)).from_buffer_copy(data), held


def _without_local(signature: Signature) -> Signature:
    taken = local_memory(signature)
    return replace(signature, parameters=tuple(p for p in signature.parameters if p not in taken))


def _nowhere(results: tuple[Any, ...], arguments: tuple[Any, ...]) -> NoReturn:
    raise AssertionError("it is never launched")


def _failed(name: str, queue: Queue, results: tuple[Any, ...], arguments: tuple[Any, ...]) -> NoReturn:
    raise plain_error(LaunchError, name, queue.status_words(results[0]) + suspects(queue))
