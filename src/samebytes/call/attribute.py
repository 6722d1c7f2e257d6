"""What is read and written anew at each access: variables and macros of C++."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from ..types import Type


class Attribute(ABC):
    """What a library, or a class of it, reads and writes anew each time."""

    __samebytes_static__ = True
    type: Type | None = None  # where Python knows it

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self.get()

    def __set__(self, instance: Any, value: Any) -> None:
        self.set(value)

    @abstractmethod
    def get(self) -> Any:
        """The value as it is now."""

    @abstractmethod
    def set(self, value: Any) -> None:
        """Give it another value.

        Raises
        ------
        AttributeError
            If C++ does not let it be written.
        ArgumentError, RangeError, ArrayError
            If the value does not fit.
        """
