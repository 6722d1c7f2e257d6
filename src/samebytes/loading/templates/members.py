"""Templates of members: methods that an object instantiates, and constructors that C++ deduces."""

from __future__ import annotations

from contextlib import suppress
from types import MethodType
from typing import Any

from ... import _native
from ...call.binding import binding_of
from ...call.ranking import source_of
from ...errors import ArgumentError, RangeError, plain_error
from ...model.signature import Signature
from ...read.spellings import split_outside
from ...types import Container
from .library import FunctionTemplate, is_refused
from .spelled import spell_type


def _is_listed(signature: Signature) -> bool:
    return any(isinstance(p.value_type, Container) and p.value_type.listed for p in signature.parameters)


class MethodTemplate(FunctionTemplate):
    """A template of methods: an object binds it, as it binds a method."""

    _before = ("self",)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else BoundTemplate(self, instance)

    def _calls(self, args: tuple[Any, ...]) -> tuple[str, ...]:
        if not args or not isinstance(args[0], _native.Record):
            owner = self._declared[0].owner
            raise plain_error(
                ArgumentError, self.__name__, f"is a method: it is called on an object of {owner}"
            )
        const = "const " * _native.is_const(args[0])
        type_ = spell_type(getattr(type(args[0]), "__samebytes_type__"))  # noqa: B009
        return self._spelled(f"({const}{type_} &).{split_outside(self._callee, '::')[-1]}", args[1:])


class BoundTemplate:
    """A template of methods and the object that its functions are called on."""

    def __init__(self, template: MethodTemplate, instance: Any) -> None:
        self.__self__ = instance
        self.__func__ = template
        self.__name__ = template.__name__
        self.__qualname__ = template.__qualname__
        self.__doc__ = template.__doc__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.__func__(self.__self__, *args, **kwargs)

    def __getitem__(self, arguments: Any) -> Any:
        made = self.__func__[arguments]
        bound = BoundTemplate if isinstance(made, MethodTemplate) else MethodType
        return bound(made, self.__self__)

    def __repr__(self) -> str:
        return f"<bound {self.__func__!r} of {self.__self__!r}>"


class ConstructorTemplate(FunctionTemplate):
    """The constructors of a class, some of which are templates: C++ chooses among all of them."""

    _before = ("self",)
    bound: Any = None  # the constructors that are no templates

    @property
    def plain(self) -> Any:
        return self.bound if isinstance(self.bound, _native.Method) else None

    def deduce(self, args: tuple[Any, ...]) -> tuple[Any, bool]:
        """Braces mean a ``std::initializer_list`` before any template (ISO C++ [over.match.list])."""
        if any(isinstance(value, list | tuple) for value in args[1:]) and self._takes_list(args):
            return self.bound, False
        return super().deduce(args)

    def _takes_list(self, args: tuple[Any, ...]) -> bool:
        binding: Any = binding_of(self.bound) if isinstance(self.bound, _native.Method) else None
        if binding is None or not any(map(_is_listed, binding.signatures)):
            return False
        with suppress(ArgumentError, RangeError):
            return _is_listed(binding.candidates[binding.resolve(args, {})[0]].signature)
        return False

    def _calls(self, args: tuple[Any, ...]) -> tuple[str, ...]:
        return self._spelled(self._declared[0].owner, args[1:])

    def __samebytes_deduces__(self, cls: Any, obj: Any) -> Exception | None:
        """Have the class know the constructor that makes one of its objects of a value, if a template gives one.

        Asked once for each C++ type of values. What it gives: why C++ refuses what that means.
        """
        key = type(self), source_of(obj) or type(obj)
        if key not in self._known:
            self._known[key] = None
            try:
                self.deduce((cls, obj))
            except (ArgumentError, RangeError) as error:
                self._known[key] = error if is_refused(error, (obj,)) else None
        found: Exception | None = self._known[key]
        return found
