"""A kernel as Python calls it: ``k[grid, block](x, y, 2.0)``."""

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NoReturn, Self

from .. import _native
from ..call import Binding
from ..call.choosing import overload
from ..call.introspection import declaration_text, docstring
from ..call.parameter_types import chosen_signature
from ..errors import ArgumentError, LaunchError, plain_error
from ..frozen import frozen
from ..model.signature import Signature
from ..types import CHAR, MISSING, Pointer, Scalar, in_memory
from ..values.codecs import codec
from ..values.conversion import convert
from .calls import launched, ways
from .code import Code
from .configuration import Configuration, configuration, configured_on, spread, subscript
from .driver import Device
from .streams import current_stream, has_current
from .tracks import find_track, is_captured, launch_without_waiting, launch_words


class Kernel(_native.Subscripts):
    """A kernel, or the overloads of a name; a launch returns when it has run.

    Attributes
    ----------
    __doc__ : str
        Its form, as of a function of the host.
    """

    def __init__(
        self, signatures: Sequence[Signature], module: str, code: Code, home: tuple[Any, ...] | None = None
    ) -> None:
        self.__name__ = self.__qualname__ = signatures[0].name
        self.__module__ = module
        self.__doc__ = docstring(signatures).partition("--\n\n")[2]
        self._signatures, self._code, self._home = tuple(signatures), code, home
        self._ready: _Ready | None = None

    @cached_property
    def described(self) -> Binding:
        """Its calls on no device: what they take, for those who ask before there is one."""
        dialect = self._code.dialect
        return launched(self._signatures, self.__module__, f"{dialect}:0", _nowhere, dialect)

    @property
    def __plan__(self) -> Any:
        return self.described.plan

    @cached_property
    def __signature__(self) -> inspect.Signature:
        shown = inspect.signature(self.described.function)
        return shown.replace(parameters=list(shown.parameters.values())[1:])  # without the launch

    def _loaded(self) -> _Ready:
        """The kernel on the device in use, which is asked for when it is first launched."""
        if self._ready is None:
            found = [self._code.function(signature.symbol) for signature in self._signatures]
            device = found[0][0]
            failed, dialect = partial(_failed, self.__name__, device), self._code.dialect
            memory = f"{dialect}:{device.number}"
            call = launched(self._signatures, self.__module__, memory, failed, dialect).function
            self._ready = _Ready(
                device, tuple(function for _, function in found), call, tuple(ways(self._signatures)),
                tuple(defaults(signature, memory) for signature in self._signatures),
                _codecs(self._signatures, dialect),
            )  # fmt: skip
        return self._ready

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        if self._home is None:
            raise TypeError(f"cannot pickle {self.__name__!r}: nothing says how it is made again")
        return self._home

    if TYPE_CHECKING:

        def __getitem__(self, key: Any) -> Launch:
            """``k[grid, block]``, ``k[grid, block, stream]``, ``k[grid, block, stream, shared]``: what launches it."""

    def _subscript(self, key: Any) -> Launch:
        """The same, for a key that the core has not met or does not remember."""
        return self.configured(**subscript(self.__name__, key))

    def configured(
        self, *, grid: Any, block: Any = None, stream: Any = None, shared: Any = 0, cluster: Any = None,
        cooperative: bool = False, wait: bool = True, nogil: bool = True,
    ) -> Launch:  # fmt: skip
        """What launches the kernel so.

        Parameters
        ----------
        grid, block : int or tuple of int
            Blocks, and threads of a block, in x, y and z. Where ``block`` is None or left out, the driver says with how
            many threads in x the most run at once.
        stream : int or stream, optional
            The driver's handle, or a stream of torch, CuPy, Numba or cuda.core; left out, it is the
            current one of the arrays' libraries (torch, CuPy), else the default stream.
        shared : int
            Bytes of dynamic shared memory for each block.
        cluster : int or tuple of int, optional
            Blocks in x, y and z that run at once and see each other's shared memory; the grid is made of such clusters.
        cooperative : bool
            Whether all blocks run at once, so that they may wait for each other (``cooperative_groups::grid_group``).
        wait : bool
            Whether a call returns when the kernel has run. Else it returns at once, and gives what has ``done``
            and ``wait()``.
        nogil : bool
            Whether a launch with ``wait=False`` releases the GIL, as the driver may wait for what is in its queue.
            Without, it costs 40 ns less, and keeps it until some 512 launches of samebytes wait there: for programs
            where no callback of Python's and no other thread is what the device's work waits for.

        Raises
        ------
        ArgumentError
            If something is not of its kind.
        LaunchError
            If the device cannot launch so much, or the driver does not load the code.
        MissingDependency
            If there is no driver.
        """
        return self._launch(configuration, wait, nogil, grid, block, stream, shared, cluster, cooperative)

    def for_each(
        self, n: int, *, stream: Any = None, shared: Any = 0, wait: bool = True, nogil: bool = True
    ) -> Launch:
        """What launches one thread in x, or a few more, for each of ``n``; the driver says the threads of a block.

        Parameters
        ----------
        n : int
            For 0 the arguments are checked, and nothing is launched.
        stream, shared, wait, nogil
            As of :meth:`configured`, with the same errors.
        """
        return self._launch(spread, wait, nogil, n, stream, shared)

    def _launch(self, chosen: Callable[..., Configuration], wait: Any, nogil: Any, *said: Any) -> Launch:
        for option, value in (("wait", wait), ("nogil", nogil)):
            if not isinstance(value, bool):
                raise plain_error(ArgumentError, self.__name__, f"{option} is True or False, got {value!r}")
        if wait and not nogil:
            raise plain_error(
                ArgumentError, self.__name__, "nogil=False is for wait=False: who waits releases the GIL"
            )
        ready = self._loaded()
        device, made = ready.device, list[Configuration]()
        for function in ready.functions:
            made.append(chosen(self.__name__, device.limits, partial(device.best_block, function), *said))
            device.allow_shared(function, made[-1].shared)
        return Launch(self, ready, made, [len(s.parameters) for s in self._signatures], wait, nogil)

    def __samebytes_overload__(self, parameters: str) -> Kernel:
        """One of the overloads, by its C++ parameters."""
        found = chosen_signature(self.described.name, self.described.signatures, parameters)
        only = self._signatures[self.described.signatures.index(found)]
        return Kernel((only,), self.__module__, self._code, (overload, (self, declaration_text(only))))

    def __call__(self, *arguments: object, **named: object) -> NoReturn:
        name = self.__name__
        raise plain_error(ArgumentError, name, f"is a kernel: {name}[grid, block](...) launches it")

    def __repr__(self) -> str:
        return f"<kernel {self.__module__}.{self.__name__}>"


@frozen
class _Ready:
    """A kernel on a device: the driver's handles, and the plan's function, which takes a launch first."""

    device: Device
    functions: tuple[int, ...]
    call: Callable[..., Any]
    ways: tuple[tuple[int, int], ...]
    defaults: tuple[Any, ...]
    codecs: tuple[_native.Codec, ...] | None


def defaults(signature: Signature, memory: str) -> tuple[Any, list[Any]]:
    """Where the values of default arguments lie, for each parameter, null where it has none; and what holds them."""
    addresses = (ctypes.c_void_p * (len(signature.parameters) + 1))()
    held = []
    for place, parameter in enumerate(signature.parameters):
        if parameter.default is not None and parameter.default.value is not MISSING:
            type_, dialect = in_memory(parameter.value_type, memory), memory.partition(":")[0]
            data = convert(type_, parameter.default.value, dialect).data
            held.append(ctypes.create_string_buffer(data, len(data)))
            addresses[place] = ctypes.addressof(held[-1])
    return addresses, held


@_native.call_directly
class Launch(_native.Launching):
    """A kernel with its grid and block: a call launches it.

    Attributes
    ----------
    kernel : Kernel
    configurations : tuple of Configuration
        Of each overload: where the driver says the threads of a block, it says them for each.
    waits : bool
        Whether a call returns when the kernel has run. Else it returns at once, and gives what may be waited for.

    Notes
    -----
    The core takes a call by itself where there is no choice, and its arguments are numbers and views of arrays.
    """

    __slots__ = ("_call", "_elsewhere", "_launch", "_releases", "configurations", "device", "kernel", "waits")

    def __init__(
        self, kernel: Kernel, ready: _Ready, configurations: Sequence[Configuration], counts: Sequence[int],
        waits: bool, releases: bool,
    ) -> None:  # fmt: skip
        self.kernel, self.configurations, self.waits = kernel, tuple(configurations), waits
        self._releases = releases
        self.device, first = ready.device, configurations[0]
        data = b"".join(
            _native.device_launch(
                ready.device.driver.called, ready.functions[i], ready.device.context, configurations[i].stream,
                configurations[i].grid, configurations[i].block, configurations[i].shared, counts[i], waits,
                configurations[i].cluster or (0, 0, 0), configurations[i].cooperative, given,
                ctypes.addressof(ready.defaults[i][0]) + given * ctypes.sizeof(ctypes.c_void_p),
            )
            for i, given in ready.ways
        )  # fmt: skip
        held = ctypes.create_string_buffer(data, len(data))
        self._launch = _native.Pointer(ctypes.addressof(held), (held, ready))
        self._call, self._elsewhere = ready.call, dict[int, Launch]()
        track = None if waits else find_track(ready.device, first.stream, owned=first.owner is not None)
        place = ready.device.driver.api.memory, ready.device.number
        shim = _native.LAUNCH_CUDA[0]
        self._prepare(
            self._launch.address, self._launch, ready.codecs, *place, track, shim, first.follows, releases
        )

    def _general(self, *arguments: Any, **named: Any) -> _native.Pending | None:
        """Launch the kernel with any arguments."""
        first = self.configurations[0]
        if first.follows:
            given = (*arguments, *named.values())
            stream = current_stream(self.kernel.__name__, self.device.number, given)
            if stream is not None:
                return self._on(stream)._general(*arguments, **named)
            self._meets([cls for cls in dict.fromkeys(map(type, given)) if not has_current(cls)])
        if self._track is None:
            if is_captured(self.device, first.stream):
                self._recording()._general(*arguments, **named)
            else:
                self._call(self._launch, *arguments, **named)
            return None
        return launch_without_waiting(self, self._track, self._call, (self._launch, *arguments), named)

    def _recording(self) -> Launch:
        """The same launch without waiting, as nothing runs that is recorded into a graph."""
        return self._again(self.configurations, waits=False, releases=True)

    def _again(self, configurations: Sequence[Configuration], waits: bool, releases: bool) -> Launch:
        """The same kernel's launch with other configurations."""
        counts = [len(s.parameters) for s in self.kernel._signatures]
        return Launch(self.kernel, self.kernel._loaded(), configurations, counts, waits, releases)

    def _on(self, stream: Any) -> Launch:
        """The same launch on a stream."""
        made = [configured_on(self.kernel.__name__, one, stream) for one in self.configurations]
        if made[0].stream not in self._elsewhere:
            if len(self._elsewhere) >= _MOST_STREAMS:
                self._elsewhere.clear()
            self._elsewhere[made[0].stream] = self._again(made, self.waits, self._releases)
        return self._elsewhere[made[0].stream]

    def _failed(self, status: int) -> NoReturn:
        """Raise what the core has failed with."""
        raise plain_error(LaunchError, self.kernel.__name__, launch_words(self.device, status))

    if TYPE_CHECKING:

        def __call__(self, *arguments: Any, **named: Any) -> _native.Pending | None:
            """Launch the kernel, and wait until it has run, unless it was said that nobody does."""

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError(f"cannot pickle {self!r}: its stream is this process's; pickle the kernel")

    def __repr__(self) -> str:
        said = dict.fromkeys(f"[{made.grid}, {made.block}]" for made in self.configurations)
        return f"<{self.kernel.__name__}{' or '.join(said)}>"


_MOST_STREAMS = 16  # of libraries, for which a launch is kept
_MOST_BY_THE_CORE = 8  # parameters, kMostUnrolled


def _codecs(signatures: Sequence[Signature], dialect: str) -> tuple[_native.Codec, ...] | None:
    """Of the parameters, where they are numbers and addresses of numbers: the core then takes calls by itself."""
    if len(signatures) > 1 or len(signatures[0].parameters) > _MOST_BY_THE_CORE:
        return None
    made = []
    for parameter in signatures[0].parameters:
        type_ = parameter.value_type
        target = type_.target if isinstance(type_, Pointer) else type_
        if not (isinstance(target, Scalar) and target != CHAR):
            return None
        made.append(codec(in_memory(type_, ""), dialect))
    return tuple(made)


def _nowhere(results: tuple[Any, ...], arguments: tuple[Any, ...]) -> NoReturn:
    raise AssertionError("it is never launched")


def _failed(name: str, device: Device, results: tuple[Any, ...], arguments: tuple[Any, ...]) -> NoReturn:
    raise plain_error(LaunchError, name, launch_words(device, results[0]))
