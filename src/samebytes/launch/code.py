"""Compiled kernels: checked when they are read, and loaded for the device in use when one is first launched."""

from __future__ import annotations

from ..errors import LaunchError
from ..forks import Lock
from .cuda import Device, driver

_loading = Lock()


class Code:
    """One cubin, which is loaded once: its kernels share the variables of the device.

    Attributes
    ----------
    data : bytes
    architecture : str
        For which it was compiled, ``"sm_90"``.
    """

    def __init__(self, data: bytes, architecture: str) -> None:
        self.data, self.architecture = data, architecture
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
        device, module = self._ready()
        return device, device.function(module, symbol)

    def variable(self, symbol: str) -> tuple[Device, int, int]:
        """A variable of the device by its linker's name: the device, its address and its bytes.

        Raises
        ------
        LaunchError, MissingDependency
            As :meth:`function`.
        """
        device, module = self._ready()
        return device, *device.variable(module, symbol)

    def _ready(self) -> tuple[Device, int]:
        with _loading:
            if self._loaded is None:
                device = driver().in_use()
                self._loaded = device, self._load(device)
        return self._loaded

    def _load(self, device: Device) -> int:
        try:
            return device.load(self.data)
        except LaunchError as error:
            if self.architecture == device.architecture:
                raise
            words = (
                f"the kernels were compiled for {self.architecture}, and the device is {device.architecture}"
            )
            raise LaunchError(f"{error}: {words}") from None
