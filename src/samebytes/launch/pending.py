"""Launches that nobody has waited for: what their arrays are kept by until they have run, and whose error it is."""

from __future__ import annotations

import atexit
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

from ..call.addresses import device_pointers
from ..errors import LaunchError, plain_error
from ..forks import Lock

_LEGACY = 1  # CU_STREAM_LEGACY: the default stream, where streams are told apart by their numbers


class Place(Protocol):
    """Where launches run, by whichever driver: a device of CUDA's, a queue of SYCL's."""

    def recorded(self, stream: int) -> int: ...
    def has_happened(self, event: int) -> bool: ...
    def await_event(self, event: int) -> None: ...
    def drop(self, event: int) -> None: ...
    def is_captured(self, stream: int) -> bool: ...


# It is entered again where what is freed meanwhile launches something: lists are only changed in place.
_lock = Lock()
_for_ever: list[tuple[Any, ...]] = []
_running: dict[Place, list[Pending]] = {}  # in the order of their launches


class Pending:
    """A launch that may still run; what owns its arrays is kept until it has, also where nothing keeps this.

    Attributes
    ----------
    kernel : str
        Its name.
    """

    __slots__ = ("_device", "_error", "_event", "_owners", "_waiting", "kernel")

    def __init__(self, kernel: str, device: Place, event: int, owners: tuple[Any, ...]) -> None:
        self.kernel, self._device, self._event, self._owners = kernel, device, event, owners
        self._error, self._waiting = "", 0  # threads that wait for the event, which stays meanwhile

    @property
    def done(self) -> bool:
        """Whether it has run; asking does not wait.

        Raises
        ------
        LaunchError
            If it has failed, or one before it.
        """
        collect(self._device)
        self._check()
        return not self._event

    def wait(self) -> None:
        """Return when it has run, without the GIL.

        Raises
        ------
        LaunchError
            If it has failed, or one before it.
        """
        with _lock:
            self._waiting += 1
            event = self._event
        try:
            if event:
                self._device.await_event(event)
        except LaunchError as error:
            _fail(self._device, error)
        finally:
            with _lock:
                self._waiting -= 1
        collect(self._device)
        self._check()

    def _check(self) -> None:
        if self._error:
            raise plain_error(LaunchError, self.kernel, self._error)

    def _end(self, error: str = "") -> tuple[Any, ...]:
        """Let go of what it holds, which dies where no lock is held."""
        self._error = error
        if self._event and not self._waiting:
            with suppress(LaunchError):  # where a launch has failed, nothing of its context is left
                self._device.drop(self._event)
        held, self._event, self._owners = self._owners, 0, ()
        return held

    def __repr__(self) -> str:
        said = "failed" if self._error else "running" if self._event else "done"
        return f"<launch of {self.kernel}: {said}>"


def launch_without_waiting(
    kernel: str, device: Place, stream: int, call: Callable[..., Any], arguments: tuple[Any, ...],
    named: dict[str, Any],
) -> Pending:  # fmt: skip
    """Launch a kernel, and keep what its arguments need."""
    collect(device)
    if device.is_captured(stream):
        sentence = (
            "wait=False is not for a stream that is captured: nothing would keep the arrays of a graph alive"
        )
        raise plain_error(LaunchError, kernel, sentence)
    with device_pointers.launching(stream or _LEGACY) as owners:
        call(*arguments, **named)
        held = owners()
    try:
        event = device.recorded(stream)
    except LaunchError as error:  # it may run, and nothing will say when it has
        _for_ever.append(held)
        raise plain_error(LaunchError, kernel, f"was launched, and then {error}") from None
    made = Pending(kernel, device, event, held)
    with _lock:
        _running.setdefault(device, []).append(made)
    return made


def collect(device: Place) -> None:
    """Let go of what launches hold that have run."""
    held = []
    with _lock:
        launches = _running.setdefault(device, [])
        try:
            for one in tuple(launches):
                if one in launches and not one._waiting and device.has_happened(one._event):
                    launches.remove(one)
                    held.append(one._end())
        except LaunchError as error:
            _fail(device, error)
    held.clear()


def places() -> list[Place]:
    """Those on which something was launched that nobody had waited for."""
    return list(_running)


def await_all(device: Place) -> str:
    """Wait for all that was launched at a place; what has failed, empty: nothing."""
    failed = dict[str, None]()
    for one in tuple(_running.get(device, ())):
        try:
            one.wait()
        except LaunchError:
            failed[one._error] = None
    return "; ".join(failed)


def _fail(device: Place, error: LaunchError) -> None:
    """An error of the device is that of one of the launches that nobody had waited for: each has it."""
    with _lock:
        launches = _running.setdefault(device, [])
        failed = tuple(launches)
        launches.clear()
        names = ", ".join(one.kernel for one in failed)
        held = [one._end(f"{error}; launched since the last wait: {names}") for one in failed]
    held.clear()


def suspects(device: Place) -> str:
    """What may have failed where a launch, or the wait for it, says that something has; empty: nothing else runs."""
    with _lock:
        names = ", ".join(one.kernel for one in _running.get(device, ()))
    return f"; launched before it, and not waited for: {names}" if names else ""


@atexit.register
def _await_all() -> None:
    """Arrays outlive what runs on them at the end of the program, too."""
    for device, launches in list(_running.items()):
        for one in launches:
            with suppress(LaunchError):
                device.await_event(one._event)
