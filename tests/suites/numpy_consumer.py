"""A pytest plugin: in NumPy's test_dlpack.py, ``np.from_dlpack`` is ``sb.view``, shown as a NumPy array."""

from __future__ import annotations

from typing import Any

import numpy as np

import samebytes as sb

shown = 0


class ByDLPack:
    """The array's DLPack and nothing else, so that no shorter way is taken."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __dlpack__(self, **how: Any) -> Any:
        return self.array.__dlpack__(**how)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()


def from_dlpack(array: Any, /, *, device: str | None = None, copy: bool | None = None) -> Any:
    """``numpy.from_dlpack`` by way of a view."""
    global shown
    if device not in (None, "cpu"):
        raise ValueError(f"NumPy's arrays are on the device 'cpu', not {device!r}")
    shown += 1
    seen = sb.view(ByDLPack(array))
    assert seen.protocol == "DLPack"
    return np.array(seen) if copy else np.asarray(seen)


class OursAlone:
    """The module ``numpy`` as the tests see it."""

    from_dlpack = staticmethod(from_dlpack)

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)


def pytest_collectstart(collector: Any) -> None:
    if collector.name.endswith("test_dlpack.py"):
        collector.obj.np = OursAlone()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    terminalreporter.write_line(f"shown by samebytes: {shown}")
