"""Compiled kernels: checked when they are read, and loaded for the device in use when one is first launched."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import LaunchError
from ..forks import Lock
from ..frozen import frozen
from ..toolchain.fatbin import rank
from .driver import Device, driver

_loading = Lock()


@frozen
class Image:
    """A cubin, PTX, or a code object for one of AMD's devices.

    Attributes
    ----------
    data : bytes
    architecture : str
        For which it was compiled, ``"sm_90"``, ``"gfx90a"``.
    """

    data: bytes
    architecture: str

    def rank(self, device: str) -> tuple[int, ...]:
        """How well it is for an architecture: the larger, the better; empty: it does not run there."""
        return rank(self.architecture, self.data, device)


class Code:
    """The same kernels for several architectures, of which one is loaded: they share the variables of the device.

    Attributes
    ----------
    images : tuple of Image
    dialect : str
        Whose driver runs it.
    """

    def __init__(self, images: Sequence[Image], dialect: str = "cuda") -> None:
        self.images, self.dialect = tuple(images), dialect
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
        device, module = self.loaded()
        return device, device.function(module, symbol)

    def variable(self, symbol: str) -> tuple[Device, int, int]:
        """A variable of the device by its linker's name: the device, its address and its bytes.

        Raises
        ------
        LaunchError, MissingDependency
            As :meth:`function`.
        """
        device, module = self.loaded()
        return device, *device.variable(module, symbol)

    def loaded(self) -> tuple[Device, int]:
        """The device, and the module that the code is on it.

        Raises
        ------
        LaunchError, MissingDependency
            As :meth:`function`.
        """
        with _loading:
            if self._loaded is None:
                device = driver(self.dialect).in_use()
                self._loaded = device, self._load(device)
        return self._loaded

    def _load(self, device: Device) -> int:
        # The first where none is said to run there: the driver knows.
        best = max(self.images, key=lambda image: image.rank(device.architecture))
        try:
            return device.load(best.data)
        except LaunchError as error:
            if best.architecture == device.architecture:
                raise
            known = ", ".join(dict.fromkeys(image.architecture for image in self.images))
            words = f"the kernels were compiled for {known}, and the device is {device.architecture}"
            raise LaunchError(f"{error}: {words}") from None
