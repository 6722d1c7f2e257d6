"""Methods that a template makes, in compiled code: a call means the one that C++ deduces for its arguments' types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...errors import ArgumentError, Error, plain_error
from ...loading.templates.spelled import spell_type
from ...types import unqualified
from ..compiler import NumbaCompiler
from ..lowering.site import Site
from .choosing import Direct
from .deducing import spellings
from .overloads import Overloads, register_calls


@dataclass(eq=False, repr=False)
class MethodInstances:
    """The instantiations of a method template that are there, and the methods of its name that no template makes.

    Attributes
    ----------
    plain : Overloads, optional
    instances : list of Overloads
    """

    compiler: NumbaCompiler
    name: str
    plain: Overloads | None
    instances: list[Overloads] = field(default_factory=list)

    def __post_init__(self) -> None:
        register_calls(self)

    def __str__(self) -> str:
        return f"{self.name}()"

    __repr__ = __str__

    @property
    def directs(self) -> Sequence[Direct]:
        """All ways to call one of them."""
        every = (*self.instances, *([self.plain] if self.plain else ()))
        return [direct for overloads in every for direct in overloads.directs]

    def chosen(self, args: tuple[Any, ...]) -> Overloads:
        """The methods that a call with arguments of these types means; the first is the object.

        Raises
        ------
        Error
            If C++ would make another one.
        """
        words = [spellings(self.compiler, self.name, i, a) for i, a in enumerate(args[1:])]
        for overloads in self.instances:
            if any(_takes(direct, words) for direct in overloads.directs):
                return overloads
        if self.plain is not None:
            return self.plain
        called = ", ".join(word[0].removesuffix(" &") for word in words)
        raise plain_error(
            ArgumentError, self.name,
            f"is a template's, and {self.name}({called}) is not there: a call from Python makes it, or instantiate=",
        )  # fmt: skip

    def type_call(self, args: tuple[Any, ...], kws: Mapping[str, Any], bound: bool = False) -> Any:
        """Numba's signature of a call."""
        try:
            return self.chosen((*args, *kws.values())).type_call(args, kws, bound)
        except Error as error:
            raise self.compiler.errors.TypingError(str(error)) from None

    def lower(self, site: Site, given: tuple[Any, ...], args: Sequence[Any], keeps: bool = True) -> Any:
        """The machine code of a call."""
        return self.chosen(given).lower(site, given, args, keeps)


def _takes(direct: Direct, words: Sequence[Sequence[str]]) -> bool:
    """Whether arguments are of the very types of the parameters, as those are from which C++ deduced them."""
    types_ = [spell_type(unqualified(p.value_type)) for p in direct.visible[direct.own :]]
    return len(types_) == len(words) and all(
        type_ == word[0].removesuffix(" &").removeprefix("const ") or type_ in word
        for type_, word in zip(types_, words, strict=True)
    )
