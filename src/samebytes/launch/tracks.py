"""Launches on a driver's streams that nobody has waited for: one event says of many that they have run."""

from __future__ import annotations

import atexit
from collections.abc import Callable
from typing import Any, Protocol

from .. import _native
from ..call.addresses import device_pointers
from ..errors import LaunchError, plain_error
from .driver import Device

_LEGACY = 1  # CU_STREAM_LEGACY: the default stream, where streams are told apart by their numbers
_DEFAULT = frozenset({0, 1, 2})  # the default streams, which always are
_MOST = 64  # launches behind which there is one event
# Of a stream that may end before what says that it is still used: whoever has only its handle cannot know.
_MOST_OF_A_HANDLE = 1

_for_ever: list[tuple[Any, ...]] = []  # what a graph needs, and did not take
_tracks: dict[tuple[Device, int, int], _native.Track] = {}
_failed: dict[_native.Track, list[tuple[int, int, str]]] = {}  # launches from a number to another, and why
_unsaid: dict[Device, dict[str, None]] = {}  # what has failed, and no error has said yet


class Launched(Protocol):
    """What is launched: a kernel with its grid."""

    device: Device
    kernel: Any


def find_track(device: Device, stream: int, *, owned: bool) -> _native.Track:
    """The launches on a stream; ``owned``: what is launched keeps the stream."""
    most = _MOST if owned or stream in _DEFAULT else _MOST_OF_A_HANDLE
    key = device, stream, most
    if key not in _tracks:  # the legacy stream is never captured
        called, captures = device.driver.called, stream not in (0, _LEGACY)
        _tracks[key] = _native.Track(called, device.context, stream, most, captures)
    return _tracks[key]


def launch_without_waiting(
    launch: Any, track: _native.Track, call: Callable[..., Any], arguments: tuple[Any, ...],
    named: dict[str, Any],
) -> _native.Pending:  # fmt: skip
    """Launch a kernel, and keep what its arguments need."""
    device: Device = launch.device
    stream = launch.configurations[0].stream
    collect(device)
    graph = _graph_of(launch, stream)
    with device_pointers.launching(stream or _LEGACY) as owners:
        call(*arguments, **named)
        held = owners()
    if graph:
        try:
            device.keep_in_graph(graph, (launch, *held))
        except LaunchError as error:
            _for_ever.append(held)
            raise plain_error(
                LaunchError, launch.kernel.__name__, f"was recorded, and then {error}"
            ) from None
        return track.recorded(launch)
    status, pending = track.keep(launch, held)
    if status:
        launch._failed(status)
    return pending


def is_captured(device: Device, stream: int) -> bool:
    """Whether launches on a stream are recorded into a graph."""
    return stream not in (0, _LEGACY) and device.is_captured(stream)


def _graph_of(launch: Any, stream: int) -> int:
    """The graph that a stream's launches are recorded into, 0: they run."""
    device: Device = launch.device
    if not is_captured(device, stream):
        return 0
    try:
        return device.graph_of(stream)
    except LaunchError as error:
        raise plain_error(LaunchError, launch.kernel.__name__, str(error)) from None


def launch_words(device: Device, status: int) -> str:
    """Why a launch has failed, or what came behind it."""
    words = device.driver.status_words(status)
    if status >> _native.LAUNCH_STEP_BITS == _native.LAUNCH_RECORDS:  # it may run, and nothing will say when
        return f"was launched, and then {words}"
    if status >> _native.LAUNCH_STEP_BITS == _native.LAUNCH_ASKS:
        return _said(device, _fail(device, status))
    names = ", ".join(one.kernel.__name__ for track in _of(device) for one in track.running())
    return f"{words}; launched before it, and not waited for: {names}" if names else words


def collect(device: Device) -> None:
    """Let go of what launches hold that have run."""
    for track in _of(device):
        if status := track.collect():
            _fail(device, status)


def devices() -> list[Device]:
    """Those on which something was launched that nobody had waited for."""
    return list(dict.fromkeys(device for device, _, _ in list(_tracks)))


def await_all(device: Device) -> str:
    """Wait for all that was launched on a device; what has failed and no error has said, empty: nothing."""
    for track in _of(device):
        if track.launched > track.done and (status := track.wait(track.launched)):
            _fail(device, status)
    collect(device)
    return "; ".join(_unsaid.pop(device, ()))


def _of(device: Device) -> list[_native.Track]:
    return [track for (whose, _, _), track in list(_tracks.items()) if whose is device]


def _fail(device: Device, status: int) -> str:
    """An error of the device is that of one of the launches that nobody had waited for: each has it."""
    tracks = _of(device)
    names = ", ".join(one.kernel.__name__ for track in tracks for one in track.running())
    words = f"{device.driver.status_words(status)}; launched since the last wait: {names}"
    for track in tracks:
        if track.launched > track.done:
            _failed.setdefault(track, []).append((track.done, track.launched, words))
            track.abandon()
    _unsaid.setdefault(device, {})[words] = None
    return words


def _said(device: Device, words: str) -> str:
    """What has failed, which an error now says."""
    _unsaid.get(device, {}).pop(words, None)
    return words


def _error(pending: _native.Pending) -> str:
    spans = _failed.get(pending._launch._track, ())
    return next((words for first, last, words in spans if first < pending._number <= last), "")


def _check(pending: _native.Pending) -> None:
    if not pending._number:
        sentence = "was recorded into a graph: it runs when that is launched, and has run when that has"
        raise plain_error(LaunchError, _kernel(pending), sentence)
    if words := _error(pending):
        raise plain_error(LaunchError, _kernel(pending), _said(pending._launch.device, words))


def _done(pending: _native.Pending) -> bool:
    track, device = pending._launch._track, pending._launch.device
    if pending._number > track.done:
        if status := track.close():
            _fail(device, status)
        collect(device)
    _check(pending)
    return bool(pending._number <= track.done)


def _wait(pending: _native.Pending) -> None:
    if not pending._number:
        _check(pending)
    if status := pending._launch._track.wait(pending._number):
        _fail(pending._launch.device, status)
    collect(pending._launch.device)
    _check(pending)


def _shown(pending: _native.Pending) -> str:
    done = pending._number <= pending._launch._track.done
    if not pending._number:
        return f"<launch of {_kernel(pending)}: recorded into a graph>"
    said = "failed" if _error(pending) else "done" if done else "running"
    return f"<launch of {_kernel(pending)}: {said}>"


def _kernel(pending: _native.Pending) -> str:
    name: str = pending._launch.kernel.__name__
    return name


_native.set_pending((_done, _wait, _shown, _kernel))


@atexit.register
def _await_all() -> None:
    """Arrays outlive what runs on them at the end of the program, too."""
    for track in list(_tracks.values()):
        track.wait(track.launched)
