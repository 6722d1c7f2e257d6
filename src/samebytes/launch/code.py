"""Compiled kernels: checked when they are read, and loaded for the device in use when one is first launched."""

from __future__ import annotations

from ..forks import Lock
from .cuda import Device, driver

_loading = Lock()


class Code:
    """One cubin, which is loaded once: its kernels share the variables of the device.

    Attributes
    ----------
    data : bytes
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._loaded: tuple[Device, int] | None = None

    def function(self, symbol: str) -> tuple[Device, int]:
        """A kernel by its linker's name, and the device that it is on.

        Raises
        ------
        LaunchError
            If the driver does not load the code.
        MissingDependency
            If there is no driver.
        """
        with _loading:
            if self._loaded is None:
                device = driver().in_use()
                self._loaded = device, device.load(self.data)
        device, module = self._loaded
        return device, device.function(module, symbol)
