"""What the tests of kernels on real GPUs share."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb
from samebytes.api import recipes
from samebytes.toolchain.cuda import DRIVER_VARIABLE

ROOT = Path(__file__).parents[2]
for _folder in ("launch", "targets"):  # importlib's import mode adds nothing itself
    sys.path.append(str(ROOT / "tests" / _folder))
from device import Memory  # noqa: E402
from hardware import chosen, device  # noqa: E402

# Seconds for a process: on hardware one that hangs is to be a row, and elsewhere the machine may be slow.
PATIENCE = 120 if chosen() == "gpu" else 1800


class _Copied(Memory):
    """Memory of the tests' own driver with the words of a DeviceArray."""

    def copy_to_host(self) -> Any:
        return self.array.copy()

    def __getitem__(self, key: Any) -> _Copied:
        return _Copied(self.array[key])


def choose() -> None:
    """Let samebytes open the driver that was chosen."""
    if chosen():
        os.environ[DRIVER_VARIABLE] = str(device().path)


def on_device(array: Any) -> Any:
    if chosen() == "own":
        return _Copied(device().array(array).array)
    return sb.DeviceArray.from_host(np.asarray(array), device="cuda")


def compiled(source: str, name: str) -> Any:
    """A library of kernels for the device in use; the test is skipped where there is none."""
    try:
        on_device(np.zeros(1))
        lib = sb.compile(source, dialect="cuda", name=name)
    except (sb.MissingDependency, sb.AllocationError) as error:
        pytest.skip(str(error))
    return device().knows(lib) if chosen() else lib


def known(kernel: Any) -> None:
    """Let the tests' own driver run an instantiation, whose code lies in a build of its own."""
    if chosen():
        recipe, digest, _ = kernel.__reduce__()[1]
        device().knows(recipes.LIBRARIES[recipe, digest])


def few(count: int, most: int) -> int:
    """As many, or fewer where a machine in Python runs each instruction."""
    return min(count, most) if chosen() == "own" else count


def needs_hardware(reason: str) -> None:
    """Skip the rest on the tests' own driver."""
    if chosen() == "own":
        pytest.skip(f"the tests' own driver: {reason}")


def hold() -> None:
    """What follows takes a while: of itself on hardware, and until it is waited for on the tests' own driver."""
    if chosen() == "own":
        device()._own.library.fake_hold(1)  # type: ignore[attr-defined]


def fails_later() -> None:
    """What follows fails on the device: of itself on hardware, and by word on the tests' own driver."""
    if chosen() == "own":
        device()._own.library.fake_fail_later(700)  # type: ignore[attr-defined]


def printed(script: str) -> str:
    """What a program prints, in a process of its own; errors of the device end with it."""
    call = [sys.executable, "-c", f"from tests.gpu.kernels import *\nchoose()\n{script}"]
    done = subprocess.run(call, capture_output=True, text=True, check=False, cwd=ROOT, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout
