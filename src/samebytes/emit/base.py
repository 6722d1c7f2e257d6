"""What a generator is: a model in, text out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from importlib import resources

from ..model.module import Module


class Generator(ABC):
    """Writes one kind of text from a bound module."""

    @abstractmethod
    def emit(self, module: Module, prologue: str) -> str:
        """The whole text of one file.

        Parameters
        ----------
        module : Module
            What is bound: its functions with their intents, its records.
        prologue : str
            The text that makes the declarations visible: an ``#include``.
        """


def part(*names: str) -> str:
    """The text of files in ``emit/parts``, one behind another."""
    folder = resources.files(__package__).joinpath("parts")
    return "\n".join(folder.joinpath(name).read_text() for name in names)


def report() -> str:
    """The unit that writes the error records of shims in C++."""
    return part("record.hpp", "report.cpp")
