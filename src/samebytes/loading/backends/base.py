"""What a backend is: something that loads built code and knows the addresses in it. It sees bytes, not Python types."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...call.later import Later
    from ...model.verdicts import Verdict
    from ..library import Library


class Loaded(ABC):
    """Code that has been loaded and stays loaded."""

    @abstractmethod
    def address(self, symbol: str) -> int:
        """The address of an exported function.

        Raises
        ------
        BindError
            If the library exports no such symbol.
        """

    @abstractmethod
    def has(self, symbol: str) -> bool:
        """Whether it exports a symbol."""

    def begin(self, library: Library) -> None:
        """Before a library is linked with it: get ready for that, and for what the library asks later."""
        return

    def later(self, symbol: str) -> Later | None:
        """What builds a function that is not there yet; None: it is there."""
        return None

    def when(self, symbols: Sequence[str], do: Callable[[], None]) -> None:
        """Do something as soon as some functions are there: here at once."""
        do()

    def verdict(self, symbol: str) -> Verdict | None:
        """What was read in a function's code, where the model does not say it."""
        return None

    @abstractmethod
    def table(self, symbol: str, count: int) -> tuple[int, ...]:
        """The addresses in an exported array of them; null is 0."""

    @abstractmethod
    def slots(self, symbol: str, count: int) -> Callable[[int, int], None]:
        """``fill(index, address)`` of an exported array of addresses that can be written."""

    @abstractmethod
    def call(self, symbol: str, arguments: Sequence[bytearray]) -> None:
        """Call ``void symbol(void** args)`` on the given blocks of memory, outside the fast path."""


class Backend(ABC):
    """Loads libraries for one kind of machine."""

    name: str

    @abstractmethod
    def load(self, library: str | os.PathLike[str]) -> Loaded:
        """Load a library for the rest of the process."""
