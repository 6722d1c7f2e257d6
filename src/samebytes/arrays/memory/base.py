"""What a memory is: a library that allocates, frees and copies bytes of its kinds."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

import numpy as np

from ...errors import AllocationError, ArgumentError, MissingDependency
from ...frozen import frozen
from ..view import ArrayView, Device

Bytes = np.ndarray[Any, np.dtype[np.uint8]]


@frozen
class Block:
    """Allocated bytes.

    Attributes
    ----------
    address : int
        Aligned as it was asked for.
    device : Device
    owner : object
        When it dies, the library takes the memory back: once, by its own function.
    """

    address: int
    device: Device
    owner: Any


class Memory(ABC):
    """One library's memory. Spans are one-dimensional views of bytes; everything is done when a method returns."""

    name: ClassVar[str]
    kinds: ClassVar[Mapping[str, int]]  # kind -> DLPack's device type; the first is the default
    package: ClassVar[str] = ""  # the import name of the library
    install: ClassVar[str] = ""

    @abstractmethod
    def allocate(self, where: Any, kind: str, nbytes: int, align: int) -> Block:
        """Allocate.

        Parameters
        ----------
        where : object
            What follows the colon in a device's name, may be empty; or what ``place`` says.
        kind : str
            One of ``kinds``.
        nbytes, align : int
            Bytes; at least 1 each.

        Raises
        ------
        MissingDependency
            If the library is not installed.
        AllocationError
            If it refuses.
        """

    @abstractmethod
    def read(self, span: ArrayView, room: Bytes) -> None:
        """Copy a span to the host."""

    @abstractmethod
    def write(self, span: ArrayView, data: Bytes) -> None:
        """Copy bytes of the host to a span."""

    @abstractmethod
    def move(self, target: ArrayView, source: ArrayView) -> None:
        """Copy one span of this memory to another that it does not overlap."""

    def device(self, kind: str, number: int) -> Device:
        """Where memory of a kind is, on a device by its number."""
        return Device(self.kinds[kind], number)

    def place(self, view: ArrayView) -> Any:
        """Where to allocate more of the memory that a view shows."""
        return str(view.device.id)

    def accepts(self, device: Any) -> bool:
        """Whether an object of the library's own names a device of this memory."""
        return False

    def library(self) -> Any:
        """The library, imported when it is first needed."""
        try:
            return importlib.import_module(self.package)
        except ImportError as error:
            raise MissingDependency(
                f"memory on {self.name!r} needs {self.package}: pip install {self.install}"
            ) from error

    def number(self, where: Any) -> int:
        """The ordinal of a device."""
        if where and not (isinstance(where, str) and where.isascii() and where.isdigit() and len(where) < 10):
            raise ArgumentError(f"device: expected '{self.name}:' and a number, got '{self.name}:{where}'")
        return int(where or 0)

    @contextmanager
    def translating_errors(self, what: str) -> Iterator[None]:
        """Say what was asked of the library where it fails."""
        try:
            yield
        except (AllocationError, MissingDependency):
            raise
        except Exception as error:
            raise AllocationError(f"{self.package} cannot {what}: {type(error).__name__}: {error}") from error


def aligned(address: int, align: int) -> int:
    """The first aligned address from here on."""
    return -(-address // align) * align
