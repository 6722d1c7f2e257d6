"""A bound library as users see it: functions, records, enums and constants, in their namespaces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

from ..errors import BindError, MissingDependency, absent_error
from ..forks import importing
from ..model.intents import suggest

if TYPE_CHECKING:
    from ..call.attribute import Attribute
    from ..call.c_api.api import Pending
    from ..model.module import Module, Skipped


def _is_named(skipped: Skipped, name: str) -> bool:
    return skipped.name.partition("(")[0].rpartition("::")[2] == name


class _Names:
    """What has an attribute for each name that is made."""


own_names: Callable[[_Names], dict[str, Any]] = vars(_Names)["__dict__"].__get__


class Namespace(_Names):
    """The names of one C++ namespace; attribute access finds them, and ``vars`` makes them all.

    An unknown name is an AttributeError that suggests the nearest one, or says why it was not bound.

    Attributes
    ----------
    __home__ : tuple or None
        What a pickle has of it: a function that finds it, or makes it again, and that function's arguments.
    """

    def __init__(self, path: str, skipped: tuple[Skipped, ...]) -> None:
        variables: dict[str, Attribute] = {}
        object.__setattr__(self, "__variables__", variables)
        object.__setattr__(self, "__home__", None)
        self.__name__ = path
        self.__skipped__ = skipped
        # Functions and classes that are made when they are first asked for.
        self.__pending__: dict[str, Pending] = {}
        self.__order__: dict[str, None] = {}  # names of all but functions, as they came

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]
        for name, pending in self.__pending__.items():
            if pending.compiles:  # what is made by being named, that alone makes
                continue
            with suppress(MissingDependency):  # who asks for it by name is told
                getattr(self, name)
        return own_names(self)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        # getattr() and hasattr() do not write a name as Python reads source text.
        if (read := _as_source(name)) != name:
            return getattr(self, read)
        if name in self.__variables__:
            try:
                return self.__variables__[name].get()
            except BindError as reason:  # nothing defines it, which its first use finds out in a large header
                raise AttributeError(str(reason)) from None
        if name in self.__pending__:
            made = self.__pending__[name].make()
            return own_names(self).setdefault(name, made)  # the first of several threads has it
        _refuse_absent(self, name)  # also a `build` that the header declares and that is not bound
        if name == "build" and isinstance(self, Library):
            return self.__build__
        known = [n for n in dir(self) if not n.startswith("_")]
        hint = _elsewhere(self, name) or suggest(_in_python(name, known), known)
        raise AttributeError(f"{self.__name__!r} has no {name!r}.{hint}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self.__variables__:
            self.__variables__[name].set(value)
            return
        own = own_names(self)
        if (name in own or name in own.get("__pending__", ())) and not name.startswith("__"):
            raise AttributeError(f"{name!r} of {self.__name__!r} is bound to C++ and cannot be replaced")
        if not name.startswith("_"):  # as in C++: it would be nothing that C++ reads
            _refuse_absent(self, name)
            raise AttributeError(
                f"{self.__name__!r} has no variable {name!r}.{suggest(name, [*self.__variables__])}"
            )
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{name!r} of {self.__name__!r} is bound to C++ and cannot be deleted")

    def __dir__(self) -> Iterable[str]:
        return sorted({*self.__variables__, *self.__pending__, *own_names(self)})

    def __copy__(self) -> Self:
        return self  # there is one, as of a module

    def __deepcopy__(self, memo: Any) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        home: tuple[Any, ...] | None = self.__home__
        if home is None:
            raise TypeError(f"cannot pickle {self.__name__!r}: nothing says how it is made again")
        return home

    def __repr__(self) -> str:
        pending = self.__pending__  # first, as it links what is not linked
        there = dict.fromkeys((*self.__order__, *own_names(self), *pending))
        names = [n for n in there if not n.startswith("_") and n not in self.__variables__]
        shown = ", ".join(names[:6]) + (", …" if len(names) > 6 else "")
        return f"<samebytes {type(self).__name__.lower()} {self.__name__!r}: {shown or 'empty'}>"


def _in_python(name: str, known: Iterable[str]) -> str:
    """The name in Python of what C++ calls as Python calls something else: the last one with a ``_`` behind is it."""
    with importing:  # few names are asked for in vain
        from ..types.naming import is_python_name
    others = {name, *(n for n in known if n.rstrip("_") == name)}
    return name if is_python_name(name) else max(others, key=len)


def _as_source(name: str) -> str:
    """A name as Python reads it in source text."""
    if name.isascii():
        return name
    with importing:
        from ..types.naming import normalized
    return normalized(name)


def _refuse_absent(space: Any, name: str) -> None:
    """Raise for a name that is declared and not bound, with the reason."""
    with importing:  # few names are absent
        from ..types.naming import split_name

    missing = [
        (split_name(s.name.partition("(")[0])[:-1], s) for s in space.__skipped__ if _is_named(s, name)
    ]
    if missing:
        # What stands here itself comes before what other classes and namespaces call so.
        path, reason = min(missing, key=lambda found: (found[0][-1:] != [space.__name__], len(found[0])))
        owner = "::".join(path) or space.__name__
        raise absent_error(name, owner, reason)


def _elsewhere(space: Namespace, name: str) -> str:
    """What brings a name that the header includes from another library; empty for others."""
    if not isinstance(space, Library):
        return ""
    with importing:
        from .elsewhere import brought_by

    return brought_by(name, space.__model__.others)


class Library(Namespace):
    """One compiled and loaded library.

    Attributes
    ----------
    __skipped__ : tuple of Skipped
        Every exposed declaration that is not bound, with the reason and the place.
    __model__ : Module
        What was read from the header, with the intents applied.
    __bound__ : dict
        Every bound object by its qualified C++ name.
    __records__ : mapping
        Every record class by its qualified C++ name; one that waits to be named is made.
    __enums__ : dict
        Every enumeration's class by its qualified C++ name.
    __bindings__ : dict
        The overloads of every function by its qualified C++ name.
    __explain__ : callable
        ``lib.__explain__("f")`` says what a call does; without a name, of everything.
    __instances__ : dict
        Every instantiation of a template by the spelling under which it was asked for.
    __clashes__ : tuple of str
        What has another name in Python than it would have alone, or none, as something else has that: sentences.
    __file__ : str
        The shared library; where that of a large header would be, whose parts stand elsewhere.
    __build__ : callable
        ``lib.__build__("f", "Class")`` builds now what else is built at the first call, and without names everything:
        see :func:`samebytes.bind`. It is ``lib.build``, too, unless the header binds something of that name.
    """

    def __init__(self, name: str, module: Module, file: str) -> None:
        super().__init__(name, module.skipped)
        object.__setattr__(self, "__model__", module)
        object.__setattr__(
            self, "__spaces__", {}
        )  # paths of namespaces and classes -> the last name in Python
        object.__setattr__(self, "__clashes__", ())
        object.__setattr__(self, "__build__", _is_built)
        self.__file__ = file

    def _repr_html_(self) -> str:
        """What notebooks show."""
        with importing:
            from .shown import VARIABLE, library_html

        return library_html(self.__name__, list(_entries(self, "", VARIABLE)), self.__model__)


def _is_built(*names: str) -> None:
    """What is bound is built."""


class _Builds:
    """What ``lib.build()`` calls: what builds a library, and what builds those of its instantiations."""

    def __init__(self, own: Callable[..., None]) -> None:
        self.own = own
        self.others: list[Callable[[], None]] = []

    def __call__(self, *names: str) -> None:
        self.own(*names)
        if not names:
            for build in tuple(self.others):
                build()


def build_along(library: Library, other: Library) -> None:
    """Have ``lib.build()`` build what is left of another library, too: of one that was made for an instantiation."""
    if other.__build__ is _is_built:
        return
    if not isinstance(library.__build__, _Builds):
        object.__setattr__(library, "__build__", _Builds(library.__build__))
    library.__build__.others.append(other.__build__)


def leave_out(library: Library, skipped: Iterable[Skipped]) -> None:
    """Have a library, and the namespaces in it, say of more declarations why they are not bound."""
    known = library.__skipped__
    if not (new := tuple(s for s in skipped if s not in known)):
        return
    open_, seen = list[Namespace]([library]), set[int]()
    while open_:
        scope = open_.pop()
        if id(scope) in seen:  # an alias may stand in the very namespace that it means
            continue
        seen.add(id(scope))
        object.__setattr__(scope, "__skipped__", (*known, *new))
        open_ += [one for one in own_names(scope).values() if isinstance(one, Namespace)]


def _entries(scope: Namespace, path: str, variable: object) -> Iterator[tuple[str, Any]]:
    """What a scope and those in it have, by names with dots; what is made when it is named is not made."""
    for name, value in {**own_names(scope), **scope.__pending__}.items():
        if isinstance(value, Namespace):
            yield from _entries(value, f"{path}{name}.", variable)
        elif not name.startswith("_"):
            yield path + name, value
    yield from ((path + name, variable) for name in scope.__variables__)


class Unlinked(Library):
    """A library that is built and loaded, and whose names are linked when one is first asked for.

    From then on it is a :class:`Library`. The thread that links sees what there is so far; others wait for it, so that
    none sees half a namespace.

    Parameters
    ----------
    name : str
    link : callable
        Gives the library it is called with its names, once.
    """

    def __init__(self, name: str, link: Callable[[Library], None]) -> None:
        own_names(self).update(__name__=name, __link__=link)

    def __getattribute__(self, name: str) -> Any:
        # Another thread may have linked it since its class was looked at.
        if (link := own_names(self).get("__link__")) is not None:
            link(self)
        return object.__getattribute__(self, name)  # its class is another by now


def linked(library: Library, name: str, module: Module, file: str) -> None:
    """Begin to link: the library has no names, whatever a fork left of an attempt."""
    own = own_names(library)
    for left in [*own]:
        if left != "__link__":
            del own[left]
    Library.__init__(library, name, module, file)
