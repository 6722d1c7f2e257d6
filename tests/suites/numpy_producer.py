"""A pytest plugin: in NumPy's test_dlpack.py, every array that is made shows itself by a view of ours."""

from __future__ import annotations

import sys
from typing import Any
from unittest import mock

import numpy as np

import samebytes as sb

shown = 0


class Ours(np.ndarray):
    """NumPy's array in all but its DLPack, which is that of ``sb.view``."""

    def __dlpack__(self, **how: Any) -> Any:
        global shown
        shown += 1
        return sb.view(self).__dlpack__(**how)

    def __dlpack_device__(self) -> tuple[int, int]:
        return sb.view(self).__dlpack_device__()


class OursAlone:
    """The module ``numpy`` as the tests see it."""

    ndarray = Ours

    def __getattr__(self, name: str) -> Any:
        found = getattr(np, name)
        if name not in ("arange", "array", "asarray", "zeros"):
            return found
        return lambda *args, **how: found(*args, **how).view(Ours)


def pytest_collectstart(collector: Any) -> None:
    """The tests import NumPy as ``np``, and make parameters while their module is read: it is read with ours."""
    if collector.name.endswith("test_dlpack.py"):
        with mock.patch.dict(sys.modules, numpy=OursAlone()):
            assert isinstance(collector.obj.np, OursAlone)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    terminalreporter.write_line(f"shown by samebytes: {shown}")
