"""Templates of kernels: a subscript with template arguments is a kernel, and a subscript of that launches."""

from __future__ import annotations

from typing import Any, NoReturn

from ...errors import ArgumentError, CompileError, InstantiationError, plain_error
from .library import TemplateBase


class KernelTemplate(TemplateBase):
    """``k[sb.float32]`` is the kernel, ``k[sb.float32][grid, block](...)`` launches it."""

    def _instance(self, spelling: str) -> Any:
        try:
            return self._instantiate((spelling,))
        except (InstantiationError, CompileError) as error:
            raise self._refusal(f"[{spelling[len(self.__qualname__) + 1 : -1]}]", error) from None

    def _unchosen(self) -> NoReturn:
        name = self.__name__
        sentence = (
            f"is a template of kernels, and no kernel yet: {name}[sb.float32][grid, block](...) launches one"
        )
        raise plain_error(ArgumentError, name, sentence)

    def __call__(self, *arguments: object, **named: object) -> NoReturn:
        self._unchosen()

    def configured(self, **said: object) -> NoReturn:
        """Says that template arguments come first."""
        self._unchosen()

    def for_each(self, *said: object, **named: object) -> NoReturn:
        """Says that template arguments come first."""
        self._unchosen()
