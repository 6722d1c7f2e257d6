"""What a generator is: a model in, text out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path

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
    folder = Path(__file__).with_name("parts")
    return "\n".join((folder / name).read_text() for name in names)


def report() -> str:
    """The unit that writes the error records of shims in C++."""
    return part("record.hpp", "report.cpp")
