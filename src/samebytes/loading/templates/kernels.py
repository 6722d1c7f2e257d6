"""Templates of kernels: a subscript with template arguments is a kernel, and a subscript of that launches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, NoReturn

from ... import _native
from ...arrays.protocols import view
from ...errors import ArgumentError, CompileError, Error, InstantiationError, RangeError, plain_error
from .library import FunctionTemplate
from .spelled import in_dialect

_TYPES = ("class", "typename", "template")  # what a template parameter begins with that takes no number


class KernelTemplate(FunctionTemplate):
    """``k[sb.float32]`` is the kernel, ``k[sb.float32][grid, block](...)`` launches it.

    Beside kernels of its name that no template makes, ``k[grid, block](...)`` launches the one that C++ chooses.
    """

    def _instance(self, spelling: str) -> Any:
        try:
            return self._instantiate((spelling,))
        except (InstantiationError, CompileError) as error:
            raise self._refusal(f"[{spelling[len(self.__qualname__) + 1 : -1]}]", error) from None

    def __getitem__(self, arguments: Any) -> Any:
        if self.beside is not None and self._says_grid(arguments):
            return OverloadedLaunch(self, lambda kernel: kernel[arguments])
        return super().__getitem__(arguments)

    def _says_grid(self, arguments: Any) -> bool:
        """Whether a subscript is a grid and a block: it begins with a number where the templates take a type."""
        first = arguments[0] if isinstance(arguments, tuple) and arguments else arguments
        heads = (d.partition("<")[2].lstrip() for t in self._declared for d in t.declarations)
        return isinstance(first, int | tuple) and all(head.startswith(_TYPES) for head in heads)

    def _launch(self, make: Callable[[Any], Any]) -> OverloadedLaunch:
        if self.beside is None:
            self._unchosen()
        return OverloadedLaunch(self, make)

    def _unchosen(self) -> NoReturn:
        name = self.__name__
        sentence = (
            f"is a template of kernels, and no kernel yet: {name}[sb.float32][grid, block](...) launches one"
        )
        raise plain_error(ArgumentError, name, sentence)

    def __call__(self, *arguments: object, **named: object) -> NoReturn:
        if self.beside is not None:
            self.beside(*arguments, **named)  # says how a kernel is launched
        self._unchosen()

    def configured(self, **said: Any) -> OverloadedLaunch:
        """What launches the kernel that C++ chooses, where one is no template's."""
        return self._launch(lambda kernel: kernel.configured(**said))

    def for_each(self, *said: Any, **named: Any) -> OverloadedLaunch:
        """What launches the kernel that C++ chooses, where one is no template's."""
        return self._launch(lambda kernel: kernel.for_each(*said, **named))

    def __samebytes_overload__(self, parameters: str) -> Any:
        """One of the kernels that no template makes, by its C++ parameters."""
        if self.beside is None:
            self._unchosen()
        return self.beside.__samebytes_overload__(parameters)

    @cached_property
    def _exact(self) -> frozenset[str]:
        """The calls with arguments of the very types of kernels that no template makes: C++ prefers these."""
        signatures = self.beside.described.signatures
        lists = ([p.spelling for p in s.parameters if p.name != "__launch__"] for s in signatures)
        return frozenset(f"{self._callee}({', '.join(types)})" for types in lists)

    def _opened(self, name: str, choices: Sequence[Sequence[str]]) -> tuple[str, ...]:
        """The spellings of a call in the words of the kernels' dialect."""
        return super()._opened(
            name, [[in_dialect(word, self._dialect) for word in words] for words in choices]
        )

    def kernel_for(self, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """The kernel that C++ calls with some arguments.

        Raises
        ------
        ArgumentError
            If it is a template's, and cannot be made.
        """
        try:
            given = self.positional(arguments, named) if named else arguments
            spellings = self._calls(tuple(map(_as_array, given)))
        except (ArgumentError, RangeError):
            return self.beside  # C++ has no type for it, and no template takes it
        if spellings[0] in self._exact:
            return self.beside
        try:
            return self.meant(spellings)
        except ArgumentError as error:
            refused = error.__context__
            if isinstance(refused, InstantiationError) and not refused.crossing:
                return (
                    self.beside
                )  # C++ knows nothing of what Python converts, and of others this one says it
            raise


def _as_array(value: Any) -> Any:
    """What an adapter shows, where that is an array: C++ is asked about its elements."""
    if isinstance(value, _native.Shown):
        with suppress(Error):
            return view(value)
    return value


class OverloadedLaunch:
    """A grid and a block for the kernels and the kernel templates of one name: a call launches the one C++ chooses.

    Parameters
    ----------
    template : KernelTemplate
    make : callable
        Makes the launch of a kernel.
    """

    def __init__(self, template: KernelTemplate, make: Callable[[Any], Any]) -> None:
        self._template, self._make = template, make
        self._launches = {template.beside: make(template.beside)}  # what is no launch is refused now

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        kernel = self._template.kernel_for(arguments, named)
        if kernel not in self._launches:
            self._launches[kernel] = self._make(kernel)
        return self._launches[kernel](*arguments, **named)

    def __repr__(self) -> str:
        return repr(self._launches[self._template.beside])
