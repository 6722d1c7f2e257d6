"""SYCL's queues as dpctl has them: where kernels are built and launched, and by which functions the core does it."""

from __future__ import annotations

import ctypes
import importlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ..arrays.view.sycl import context_number
from ..errors import ArgumentError, LaunchError, MissingDependency, plain_error
from ..forks import Lock
from ..frozen import frozen
from ..toolchain import spirv

# What the core calls, in the order of Dpctl in native/launch/sycl.cpp.
_CALLED = (
    "DPCTLQueue_SubmitRange", "DPCTLQueue_SubmitNDRange", "DPCTLEvent_Wait", "DPCTLEvent_Delete",
    "DPCTLRawKernelArg_Create", "DPCTLRawKernelArg_Delete",
)  # fmt: skip
_STATUS = {
    1: "the runtime refused the launch; what it said is on the standard error",
    2: "there is no memory for the arguments",
}
_COMPLETE = 3  # DPCTLSyclEventStatusType
_SAID = "pip install 'samebytes[usm]' (dpctl, which has SYCL's queues), and a runtime of SYCL with a device"
_loading = Lock()


@frozen
class SyclLimits:
    """What a device can launch: items of a work-group, in all and by dimension, and bytes of its memory."""

    items: int
    extents: tuple[int, int, int]
    shared: int


class Queue:
    """A queue with what launches ask of it.

    Attributes
    ----------
    memory : str
        What its kernels read, ``"sycl:0"``, by the number of its context.
    limits : SyclLimits
    """

    def __init__(self, queue: Any) -> None:
        self.queue, self.address = queue, int(queue.addressof_ref())
        self.memory = f"sycl:{context_number(queue.sycl_context)}"
        device = queue.sycl_device
        sizes = tuple(int(n) for n in device.max_work_item_sizes3d)
        self.limits = SyclLimits(
            int(device.max_work_group_size), (sizes[0], sizes[1], sizes[2]), int(device.local_mem_size)
        )

    @property
    def key(self) -> tuple[Any, ...]:
        """What kernels are built for."""
        return self.queue.sycl_context, self.queue.sycl_device

    def recorded(self, stream: int) -> int:
        """An event behind all that the queue has been given; what comes later waits for it."""
        event = interface().DPCTLQueue_SubmitBarrier(self.address)
        if not event:
            raise LaunchError("DPCTLQueue_SubmitBarrier() failed")
        return int(event)

    def has_happened(self, event: int) -> bool:
        """Whether all before an event is done."""
        return bool(interface().DPCTLEvent_GetCommandExecutionStatus(event) == _COMPLETE)

    def await_event(self, event: int) -> None:
        """Wait until all before an event is done."""
        interface().DPCTLEvent_Wait(event)

    def drop(self, event: int) -> None:
        """Give an event back."""
        interface().DPCTLEvent_Delete(event)

    def is_captured(self, stream: int) -> bool:
        """Whether what it is given becomes a graph: dpctl's queues record none."""
        return False

    def status_words(self, status: int) -> str:
        """What a launch by the core has failed with."""
        return _STATUS[status]


class SyclCode:
    """Kernels as SPIR-V, which is built for a context and a device when it is first launched there.

    Attributes
    ----------
    parameters : dict of str to tuple
        What each kernel reads, by the linker's name of its function.
    """

    def __init__(self, modules: Sequence[bytes]) -> None:
        self._modules = tuple(modules)
        found = [(n, name, p) for n, m in enumerate(modules) for name, p in spirv.kernels(m).items()]
        self.parameters = {spirv.symbol(name): parameters for _, name, parameters in found}
        self._places = {spirv.symbol(name): (number, name) for number, name, _ in found}
        self._built: dict[tuple[Any, ...], Any] = {}

    def function(self, symbol: str, queue: Queue) -> Any:
        """A kernel by the linker's name of its function, as dpctl has it.

        Raises
        ------
        LaunchError
            If the device does not build the code.
        """
        number, name = self._places[symbol]
        key = (number, *queue.key)
        with _loading:
            if key not in self._built:
                self._built[key] = _program(queue.queue, self._modules[number])
        return self._built[key].get_sycl_kernel(name)


def _program(queue: Any, module: bytes) -> Any:
    program: Any = importlib.import_module("dpctl.program")
    try:
        return program.create_program_from_spirv(queue, module)
    except program.SyclProgramCompilationError as error:
        where = queue.sycl_device.name
        raise LaunchError(
            f"the kernels' SPIR-V is not built for {where}: {error or 'it says no reason'}"
        ) from error


def _dpctl() -> Any:
    try:
        return importlib.import_module("dpctl")
    except ImportError as error:
        raise MissingDependency(f"kernels of SYCL are launched on dpctl's queues: {_SAID}") from error


@cache
def interface() -> Any:
    """dpctl's C functions."""
    library: Any = ctypes.CDLL(str(Path(_dpctl().__file__).with_name("libDPCTLSyclInterface.so")))
    for name in ("DPCTLEvent_GetCommandExecutionStatus", "DPCTLEvent_Wait", "DPCTLEvent_Delete"):
        getattr(library, name).argtypes = (ctypes.c_void_p,)
    for name in ("DPCTLEvent_Wait", "DPCTLEvent_Delete"):
        getattr(library, name).restype = None
    library.DPCTLQueue_SubmitBarrier.argtypes = (ctypes.c_void_p,)
    library.DPCTLQueue_SubmitBarrier.restype = ctypes.c_void_p
    library.DPCTLWorkGroupMemory_Create.argtypes = (ctypes.c_size_t,)
    library.DPCTLWorkGroupMemory_Create.restype = ctypes.c_void_p
    library.DPCTLWorkGroupMemory_Delete.argtypes = (ctypes.c_void_p,)
    library.DPCTLWorkGroupMemory_Delete.restype = None
    if not library.DPCTLRawKernelArg_Available() or not library.DPCTLWorkGroupMemory_Available():
        raise MissingDependency(
            f"this dpctl hands on neither raw arguments nor memory of work-groups: {_SAID}"
        )
    return library


@cache
def called() -> tuple[int, ...]:
    """The addresses of the functions that the core calls."""
    found = (ctypes.cast(getattr(interface(), name), ctypes.c_void_p).value for name in _CALLED)
    return tuple(address or 0 for address in found)


@cache
def _queue(queue: Any) -> Queue:
    return Queue(queue)


@cache
def _default() -> Queue:
    dpctl = _dpctl()
    try:
        return _queue(dpctl.SyclQueue())
    except dpctl.SyclQueueCreationError as error:
        raise MissingDependency(f"SYCL has no device here ({error}): {_SAID}") from error


def queue_of(kernel: str, given: Any) -> Queue:
    """The queue that is meant: dpctl's, or that of an array; the default device's where none is given.

    Raises
    ------
    ArgumentError
        If it is none.
    MissingDependency
        If there is no dpctl, or no device.
    """
    if given is None:
        return _default()
    dpctl = _dpctl()
    found = given if isinstance(given, dpctl.SyclQueue) else getattr(given, "sycl_queue", None)
    if not isinstance(found, dpctl.SyclQueue):
        sentence = f"queue is a dpctl.SyclQueue, or an array that has one, got {type(given).__qualname__}"
        raise plain_error(ArgumentError, kernel, sentence)
    return _queue(found)
