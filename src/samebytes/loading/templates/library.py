"""Templates of a library: instantiated by subscript or by the arguments of a call, on first use or beforehand."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NoReturn, Self

import numpy as np

from ... import _native
from ...call import ranking
from ...call.arguments import by_shape
from ...call.binding import binding_of
from ...errors import (
    UNKNOWN_TO_CXX,
    ArgumentError,
    CompileError,
    InstantiationError,
    RangeError,
    first_sentence,
    plain_error,
)
from ...later import at_first_use
from ...model.module import Template
from ...read.spellings import callee, is_meant, split_outside
from ...types import Pointer, Struct
from ...values.conversion import structs
from ...values.record_type import ANY_ARGUMENTS
from ..library import Library
from ..placing import inner
from .spelled import BY_NAME, TEXT, calls, choices_of, is_function, places_of_own, template_argument, untold

matrices: Any = at_first_use("samebytes.read.cxxtypes.matrices")

# Builds and loads what one of several spellings means.
Instantiate = Callable[[tuple[str, ...]], Any]


class TemplateBase:
    """What a template and a template with some of its arguments share.

    Parameters
    ----------
    declared : sequence of Template
        All templates of the name.
    instantiate : callable
    dialect : str
        Whose C++ it is.
    """

    def __init__(self, declared: Sequence[Template], instantiate: Instantiate, dialect: str = "cxx") -> None:
        self.__name__ = declared[0].name
        self.__qualname__ = declared[0].qualified
        self.__doc__ = "\n\n".join(
            filter(None, ("\n".join(d for t in declared for d in t.declarations), *(t.doc for t in declared)))
        )
        self._declared = tuple(declared)
        self._instantiate = instantiate
        self._dialect = dialect
        self._known: dict[Any, Any] = {}
        self.home: tuple[Library | TemplateBase, Any] | None = None

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        if self.home is None or not self.home[1]:
            raise TypeError(f"cannot pickle {self!r}: pickle its class, or the function that it makes")
        owner, name = self.home
        return (_part, (owner, name)) if isinstance(owner, TemplateBase) else (inner, (owner, name))

    def __repr__(self) -> str:
        return f"<{self._declared[0].kind} template {self.__qualname__}>"

    def __getitem__(self, arguments: Any) -> Any:
        given = arguments if isinstance(arguments, tuple) else (arguments,)
        key = tuple((type(a), a) for a in given)  # True is not 1
        try:
            return self._known[key]
        except (KeyError, TypeError):
            self._check_own(given)
            spelled = ", ".join(template_argument(a, self._dialect) for a in given)
        if spelled not in self._known:
            self._known.setdefault(spelled, self._instance(f"{self.__qualname__}<{spelled}>"))
        with suppress(TypeError):  # what has no hash is spelled each time
            self._known[key] = self._known[spelled]
        return self._known[spelled]

    def _check_own(self, given: tuple[Any, ...]) -> None:
        """Raise for a class of another library of which this one has another of the same name."""
        classes = [c for c in given if isinstance(getattr(c, "__samebytes_type__", None), Struct)]
        if not classes:
            return
        home: Any = self
        while isinstance(home, TemplateBase) and home.home is not None:
            home = home.home[0]
        # Of a library whose header is not read yet this reads it: only that knows all its classes.
        linker: Any = getattr(home, "__linker__", None)
        for cls in classes if linker is not None else ():
            own = linker.struct(cls.__samebytes_type__.name)
            if own is not None and (words := structs.class_advice(own, cls)):
                raise ArgumentError(f"{self.__qualname__}[{cls.__name__}]: {words}")

    def _instance(self, spelling: str) -> Any:
        try:
            return self._instantiate((spelling,))
        except InstantiationError as error:
            raise self._refusal(f"[{spelling[len(self.__qualname__) + 1 : -1]}]", error) from None

    def _refusal(self, what: str, error: InstantiationError | CompileError) -> ArgumentError:
        forms = "\n".join(f"  {d}" for t in self._declared for d in t.declarations)
        reason = first_sentence(error) if isinstance(error, CompileError) else error.reason
        who = "it cannot be bound" if getattr(error, "crossing", False) else "C++ refuses it"
        return ArgumentError(f"{self.__name__}{what}: {who}: {reason}. It is\n{forms}")


def _part(whole: TemplateBase, spelling: str) -> Any:
    """A template of which some arguments are given, from a pickle."""
    return whole._instance(spelling)


class ClassTemplate(TemplateBase):
    """A class template, or a template of an alias: subscripts make classes of it."""

    makes_classes = True

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        what = f"is a class template, and no class yet: name its arguments, {self.__name__}[...](...)"
        raise plain_error(ArgumentError, self.__name__, what)


class VariableTemplate(TemplateBase):
    """A variable template: subscripts are variables."""

    def __getitem__(self, arguments: Any) -> Any:
        return super().__getitem__(arguments).get()


class FunctionTemplate(TemplateBase, _native.Dispatcher):
    """A function template, with all overloads of its name: subscripts and calls make functions of it.

    Parameters
    ----------
    called : str, optional
        What is called, where some template arguments are given already.
    whole : callable, optional
        The function that these arguments alone name, where a call may deduce more of them.
    """

    _before: tuple[str, ...] = ()  # what a call gives before the arguments
    beside: Any = None  # the function of the same name, with the overloads that are no templates
    __signature__ = ANY_ARGUMENTS

    def __init__(
        self, declared: Sequence[Template], instantiate: Instantiate, dialect: str = "cxx", called: str = "",
        whole: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(declared, instantiate, dialect)
        self._callee = called or self.__qualname__
        self._whole = whole

    def _instance(self, spelling: str) -> Any:
        whole = None
        try:
            whole = self._instantiate((spelling,))
        except InstantiationError as error:
            if error.crossing:
                raise self._refusal(f"[{spelling[len(self.__qualname__) + 1 : -1]}]", error) from None
        except CompileError as error:
            # With no more arguments than these its body does not compile; a call may give a pack more.
            if not any(template.packed for template in self._declared):
                raise self._refusal(f"[{spelling[len(self.__qualname__) + 1 : -1]}]", error) from error
        if whole is not None and not any(template.packed for template in self._declared):
            return whole
        # Several templates take these arguments, or the call must deduce the rest.
        part = type(self)(self._declared, self._instantiate, self._dialect, spelling, whole)
        part.home = self, spelling
        return part

    def positional(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[Any, ...]:
        """The arguments of a call in the order of the declaration."""
        if self._whole is not None and (bound := _bound(self._whole, args, kwargs)):
            return bound
        names = self._visible_names()
        rest = names[len(args) :]
        given = [kwargs[name] for name in rest if name in kwargs]
        if len(given) != len(kwargs) or set(rest[: len(given)]) != set(kwargs):
            unknown = next((name for name in kwargs if name not in rest), next(iter(kwargs)))
            raise plain_error(
                ArgumentError,
                self.__name__,
                f"cannot deduce with {unknown!r} by name; give the arguments by position, or name the template's: "
                f"{self.__name__}[...]({unknown}=...)",
            )
        return (*args, *given)

    def deduce(self, args: tuple[Any, ...]) -> tuple[Any, bool]:
        """The function for some arguments, and whether arguments of the same classes always mean it."""
        try:
            return self._deduce(args)
        except (ArgumentError, RangeError) as error:
            # C++ knows nothing of what Python converts: of an object for a smart pointer, a callable.
            if self.beside is None or is_refused(error, args) or not takes(self.beside, args):
                raise
        return self.beside, False

    def _deduce(self, args: tuple[Any, ...]) -> tuple[Any, bool]:
        try:
            spellings = self._calls(args)
        except (ArgumentError, RangeError) as error:
            if self._whole is not None and _bound(self._whole, args, {}):
                return self._whole, False
            text = str(error)
            if text.endswith(BY_NAME):  # some may be named already, and the rest is then the call's
                named = self._callee != self.__qualname__
                text = text.removesuffix(f"; {BY_NAME}") if named else f"{text}{self.__name__}[...](...)"
            raise plain_error(type(error), self.__name__, f"cannot be deduced: {text}") from None
        try:
            return self.meant(spellings), all(is_stable(value) for value in args)
        except ArgumentError as error:
            functions = [value for value in args if is_function(value)]
            if functions and getattr(error.__context__, "reason", "") == UNKNOWN_TO_CXX:
                raise plain_error(
                    ArgumentError, self.__name__, f"cannot be deduced: {untold(functions[0])}"
                ) from None
            raise

    def _calls(self, args: tuple[Any, ...]) -> tuple[str, ...]:
        """The spellings of a call with some arguments."""
        return self._spelled(self._callee, args)

    def _spelled(self, name: str, args: tuple[Any, ...]) -> tuple[str, ...]:
        """The spellings of a call with some arguments."""
        only = self._declared[0]
        library = matrices.library_of(only.owner or only.qualified) if self._dialect == "cxx" else None
        classes = library.deduced if library else ()
        named = "<" in split_outside(name, "::")[-1]
        return self._opened(name, choices_of(args, classes, named=named, texts=self._own_texts(args)))

    def _opened(self, name: str, choices: Sequence[Sequence[str]]) -> tuple[str, ...]:
        """The spellings of a call whose arguments have some types, with hidden outputs left open."""
        patterns = dict.fromkeys(template.hidden for template in self._declared)
        return tuple(text for hidden in patterns for text in calls(name, choices, hidden))

    def _own_texts(self, args: tuple[Any, ...]) -> frozenset[int]:
        """The places of texts of which C++ makes its own type; an overload that takes their address comes first."""
        if self._dialect != "cxx" or not any(isinstance(value, str | bytes) for value in args):
            return frozenset()
        declared = [(d, self._first(template)) for template in self._declared for d in template.declarations]
        own = places_of_own(declared, len(args))
        return own if own.isdisjoint(self._addresses()) else frozenset()

    def _first(self, template: Template) -> int:
        """Which of a call's arguments a template's first parameter is."""
        return 0

    def _addresses(self) -> frozenset[int]:
        """Where overloads that are no templates take the address of a text."""
        binding = binding_of(self.plain) if self.plain is not None else None
        first = len(self._before)
        return frozenset(
            place
            for signature in (binding.signatures if binding else ())
            for place, parameter in enumerate(signature.parameters[first:])
            if isinstance(parameter.type, Pointer) and parameter.type.is_string
        )

    @property
    def plain(self) -> Any:
        """The function with the overloads that are no templates; None: there are none."""
        return self.beside

    def _visible_names(self) -> tuple[str, ...]:
        """The names of the parameters in the Python call, where there is one template."""
        if len(self._declared) != 1:
            return ()
        only = self._declared[0]
        return (*self._before, *(n for i, n in enumerate(only.arguments) if i not in only.hidden))

    def deduce_types(self, choices: Sequence[Sequence[str]]) -> Any:
        """The function for arguments of some C++ types, each with the likeliest first."""
        return self.meant(self._opened(self._callee, choices))

    def meant(self, spellings: tuple[str, ...]) -> Any:
        """The function that one of several spellings of a call means."""
        if spellings not in self._known:
            self._known.setdefault(spellings, self._deduced(spellings))
        return self._known[spellings]

    def _deduced(self, spellings: tuple[str, ...]) -> Any:
        shown = next((s for s in spellings if "std::string" not in s), spellings[0])  # as C++ deduces it
        what = shown[len(callee(shown)) :]
        try:
            return self._instantiate(spellings)
        except InstantiationError as error:
            raise self._refusal(what, error) from None
        except CompileError as error:
            # Of text C++ may make an address, with which little can be done, or an object, which is no C string.
            for left_out in TEXT[:2]:
                others = tuple(s for s in spellings if left_out not in s)
                if others and others != spellings:
                    with suppress(ArgumentError):
                        return self._deduced(others)
            raise self._refusal(what, error) from error


def is_refused(error: Exception, args: Sequence[Any]) -> bool:
    """Whether C++ knows what a call means, and refuses that, or it is not bound: nothing else answers then."""
    cause = error.__context__
    known = isinstance(cause, InstantiationError) and (cause.crossing or is_meant(cause.reason))
    # A class whose objects are made stands for none of the arguments.
    return known and all(
        ranking.source_of(value) is not None for value in args if not isinstance(value, type)
    )


def takes(function: Any, args: tuple[Any, ...]) -> bool:
    """Whether an overload of a bound function takes some arguments."""
    binding = binding_of(function)
    if binding is None or not by_shape(binding.candidates, args, {}):
        return False
    with suppress(ArgumentError, RangeError):
        return binding.resolve(args, {}) is not NotImplemented
    return False


def _bound(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[Any, ...]:
    """The arguments by position, if the function takes so many of such names; else none."""
    try:
        return inspect.signature(function).bind(*args, **kwargs).args
    except (TypeError, ValueError):
        return ()


_STABLE = (bool, int, float, complex, str, bytes, type(None), np.ndarray)


def is_stable(value: Any) -> bool:
    """Whether all values of its class have one C++ type."""
    return type(value) in _STABLE or isinstance(value, np.generic | _native.Value | _native.Record)
