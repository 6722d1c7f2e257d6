"""A kernel as Python calls it: ``k[grid, block](x, y, 2.0)``."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn

from .. import _native
from ..call import Binding, Candidate
from ..call.introspection import docstring
from ..errors import ArgumentError, LaunchError, plain_error
from ..frozen import frozen
from ..model.signature import Parameter, Signature
from ..types import SCALARS, VOID, Pointer
from .code import Code
from .configuration import Configuration, configuration, subscript
from .cuda import Device, Driver

# What the core gets before the kernel's own arguments; see native/launch/cuda.cpp.
_LAUNCH = Parameter("__launch__", Pointer(VOID), "void *")


class Kernel:
    """A kernel; a launch returns when it has run.

    Attributes
    ----------
    __doc__ : str
        Its form, as of a function of the host.
    """

    def __init__(self, signature: Signature, module: str, code: Code) -> None:
        self.__name__ = self.__qualname__ = signature.name
        self.__module__ = module
        self.__doc__ = docstring((signature,)).partition("--\n\n")[2]
        self._signature, self._code = signature, code
        self._ready: _Ready | None = None

    def _loaded(self) -> _Ready:
        """The kernel on the device in use, which is asked for when it is first launched."""
        if self._ready is None:
            device, function = self._code.function(self._signature.symbol)
            call = _bound(self._signature, self.__module__, device).function
            self._ready = _Ready(device, function, call)
        return self._ready

    def __getitem__(self, key: Any) -> Launch:
        """``k[grid, block]``, ``k[grid, block, stream]``, ``k[grid, block, stream, shared]``: what launches it so."""
        return self.configured(**subscript(self.__name__, key))

    def configured(self, *, grid: Any, block: Any, stream: Any = None, shared: Any = 0) -> Launch:
        """What launches the kernel so.

        Parameters
        ----------
        grid, block : int or tuple of int
            Blocks, and threads of a block, in x, y and z.
        stream : int or stream, optional
            The driver's handle, or a stream of torch, CuPy or cuda.core; the default stream where it is left out.
        shared : int
            Bytes of dynamic shared memory for each block.

        Raises
        ------
        ArgumentError
            If something is not of its kind.
        LaunchError
            If the device cannot launch so much, or the driver does not load the code.
        MissingDependency
            If there is no driver.
        """
        ready = self._loaded()
        made = configuration(self.__name__, ready.device.limits, grid, block, stream, shared)
        return Launch(self, ready, made, len(self._signature.parameters))

    def __call__(self, *arguments: object, **named: object) -> NoReturn:
        name = self.__name__
        raise plain_error(ArgumentError, name, f"is a kernel: {name}[grid, block](...) launches it")

    def __repr__(self) -> str:
        return f"<kernel {self.__module__}.{self.__name__}>"


@frozen
class _Ready:
    """A kernel on a device: the driver's handle, and the plan's function, which takes a launch first."""

    device: Device
    function: int
    call: Callable[..., Any]


class Launch:
    """A kernel with its grid and block: a call launches it."""

    __slots__ = ("_call", "_launch", "configuration", "kernel")

    def __init__(self, kernel: Kernel, ready: _Ready, made: Configuration, count: int) -> None:
        self.kernel, self.configuration = kernel, made
        data = _native.cuda_launch(
            ready.device.driver.called, ready.function, ready.device.context, made.stream, made.grid,
            made.block, made.shared, count,
        )  # fmt: skip
        held = ctypes.create_string_buffer(data, len(data))
        self._launch = _native.Pointer(ctypes.addressof(held), held)
        self._call = ready.call

    def __call__(self, *arguments: Any, **named: Any) -> None:
        """Launch the kernel, and wait until it has run."""
        self._call(self._launch, *arguments, **named)

    def __repr__(self) -> str:
        made = self.configuration
        return f"<{self.kernel.__name__}[{made.grid}, {made.block}]>"


def _bound(signature: Signature, module: str, device: Device) -> Binding:
    """The calls of a kernel: the launch is their object, and the driver's status their result."""
    memory = f"cuda:{device.number}"
    parameters = (_in_memory(p, memory) for p in signature.parameters)
    called = replace(
        signature, kind="launch", parameters=(_LAUNCH, *parameters), result=SCALARS["int32"],
        result_spelling="int", noexcept=True,
    )  # fmt: skip
    candidate = Candidate(called, len(called.parameters), _native.LAUNCH_CUDA)
    failed = partial(_failed, signature.name, device.driver)
    return Binding(
        [candidate], nogil=True, module=module, reduce=(), dialect="cuda", finish=failed, checks=True
    )


def _in_memory(parameter: Parameter, memory: str) -> Parameter:
    type_ = parameter.value_type
    return replace(parameter, type=replace(type_, memory=memory)) if isinstance(type_, Pointer) else parameter


def _failed(name: str, driver: Driver, results: tuple[Any, ...], arguments: tuple[Any, ...]) -> NoReturn:
    raise plain_error(LaunchError, name, driver.status_words(results[0]))
