"""What the tests of kernels on real GPUs share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import samebytes as sb


def on_device(array: Any) -> sb.DeviceArray:
    return sb.DeviceArray.from_host(np.asarray(array), device="cuda")


def compiled(source: str, name: str) -> Any:
    """A library of kernels for the device in use; the test is skipped where there is none."""
    try:
        on_device(np.zeros(1))
        return sb.compile(source, dialect="cuda", name=name)
    except (sb.MissingDependency, sb.AllocationError) as error:
        pytest.skip(str(error))
