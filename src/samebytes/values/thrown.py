"""The exception classes of Python's beside classes of C++'s: thrown objects of those are raised as these."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self, TypeVar

from .. import _native
from ..forks import Lock
from ..types import SORTS_OF_EXCEPTIONS
from .overriding import is_own

_making = Lock()  # one for all, as a class needs those of its bases
# The core has them by code.
_BUILTIN = dict(zip(SORTS_OF_EXCEPTIONS, _native.EXCEPTIONS[1:], strict=False))


E = TypeVar("E", bound="CxxError")


class CxxError(Exception):
    """What the exceptions of all classes share: ``cxx`` is C++'s object, and its members are the exception's.

    Attributes
    ----------
    cxx : object
        What was thrown, as its class: C++ keeps it for as long as Python does.
    cxx_type : str
        The name of its type in C++, also of a class that is not bound and derives from this one.
    """

    cxx: Any
    __samebytes_class__: ClassVar[Any] = None

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        own = next(c for c in cls.__mro__ if "__samebytes_class__" in vars(c))
        error = _thrown(own, cls.__qualname__, args, kwargs)
        if cls is own:
            return error  # type: ignore[return-value]  # of its class and the built-in one
        made = _plain(cls, error)  # of a class of Python's
        vars(made).update(vars(error))
        return made

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Its words are C++'s, whatever its object was made of."""

    def __getattr__(self, name: str) -> Any:
        if name in ("cxx", "cxx_type") or name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.cxx, name)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *(name for name in dir(self.cxx) if not name.startswith("_"))})

    def __copy__(self) -> Self:
        made = _plain(type(self), self)
        vars(made).update(vars(self))
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        made = self.__copy__()
        memo[id(self)] = made
        share = vars(made).pop(_SHARE, None)  # of the object that was thrown: the copy has another
        vars(made).update(copy.deepcopy({k: v for k, v in vars(self).items() if v is not share}, memo))
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Its words and its type, as the built-in exception that fits: C++'s object is no bytes."""
        state = {name: value for name, value in vars(self).items() if name not in ("cxx", _SHARE)}
        classes = [c for c in type(self).__mro__ if c.__module__ == "builtins"]
        of_system = (c for c in classes if issubclass(c, OSError))
        return (next(of_system, classes[0]), _arguments(self), state)


def _arguments(error: BaseException) -> tuple[Any, ...]:
    """What makes another of this one: an OSError's ``args`` lack its files."""
    if not isinstance(error, OSError) or error.filename is None:
        return error.args
    return (error.errno, error.strerror, error.filename, None, error.filename2)


def _plain(cls: type[E], like: BaseException) -> E:
    """An exception of a class, without C++'s object, that says what another one says."""
    new = OSError.__new__ if issubclass(cls, OSError) else Exception.__new__
    made: E = new(cls, *_arguments(like))
    return made


# In an exception: C++'s own, which a callback that raises it throws.
_SHARE = "__samebytes_share__"


def _thrown(own: type[CxxError], name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> CxxError:
    """What C++ throws of an object that it makes of these arguments.

    Raises
    ------
    TypeError
        If C++ throws none of the class for Python.
    """
    cls: Any = own.__samebytes_class__
    throw = None if cls is None else vars(cls).get("__samebytes_throw__")
    if throw is None:
        raise TypeError(
            f"{name} makes no exceptions, it is for `except`: Python makes those of classes that derive from "
            "std::exception, that C++ can copy, and whose header is exposed"
        )
    try:
        throw(cls(*args, **kwargs))
    except CxxError as error:
        return error.with_traceback(None)
    raise TypeError(f"{name} makes no exceptions: C++ has no types of what it throws (-fno-rtti)")


def exception_class(cls: Any) -> type[CxxError]:
    """The exception class of a class of C++'s; it derives from those of the bases.

    Raises
    ------
    AttributeError
        If the class is of ``std``: those are the built-in exceptions.
    """
    own = next(c for c in cls.__mro__ if is_own(c))
    if _is_standard(own):
        name, fits = own.__samebytes_type__.name, _fitting(own) or RuntimeError
        raise AttributeError(f"what C++ throws of the class {name} is a {fits.__name__} of Python's")
    if "__samebytes_exception__" not in vars(own):
        with _making:
            if "__samebytes_exception__" not in vars(own):
                type.__setattr__(own, "__samebytes_exception__", _exception_class(own))
    made: type[CxxError] = vars(own)["__samebytes_exception__"]
    return made


def _is_standard(own: Any) -> bool:
    """Whether a class of C++'s is the standard library's."""
    return bool(own.__samebytes_type__.name.startswith("std::"))


def _fitting(own: Any) -> type[Exception] | None:
    """The built-in exception as which C++'s is raised; None if it derives from no ``std::exception``."""
    return _BUILTIN.get(getattr(own.__samebytes_type__, "exception", ""))


def _exception_class(own: Any) -> type[CxxError]:
    bound = [b for b in own.__bases__ if any(map(is_own, b.__mro__))]
    above = [exception_class(b) for b in bound if not _is_standard(next(c for c in b.__mro__ if is_own(c)))]
    bases: tuple[type[Exception], ...] = tuple(above) or (CxxError,)
    fits = _fitting(own)
    if fits is not None and not any(issubclass(b, fits) for b in bases):
        bases = (*bases, fits)
    members = {
        "__module__": own.__module__,
        "__qualname__": f"{own.__qualname__}.exception",
        "__doc__": f"What C++ throws of the class {own.__samebytes_type__.name}.",
        "__samebytes_class__": own,
    }
    return type(own.__name__, bases, members)


class Thrower:
    """Makes exceptions of thrown objects of a library's classes.

    Parameters
    ----------
    classes : mapping
        By their names in C++; it may grow.
    """

    def __init__(self, classes: Mapping[str, Any]) -> None:
        self._classes = classes
        self._made: dict[tuple[type, ...], type[CxxError]] = {}

    def __call__(
        self, builtin: Exception, parts: Sequence[tuple[str, int]], owner: object
    ) -> CxxError | None:
        """The exception; None where no class of the library fits.

        Parameters
        ----------
        builtin : Exception
            What would be raised without such a class.
        parts : sequence of (str, int)
            The thrown object and its public bases: the names of their classes, and their addresses.
        owner : object
            What keeps the thrown object.
        """
        places: dict[str, set[int]] = {}
        for name, address in parts:
            places.setdefault(name, set()).add(address)
        # A base that is there twice is no base that `catch` finds.
        known = {self._class(name): min(at) for name, at in places.items() if len(at) == 1}
        known.pop(None, None)
        if not known:
            return None
        first, *_ = known
        error = _plain(self._exception(type(builtin), tuple(map(exception_class, known))), builtin)
        error.cxx = first.__samebytes_view__(known[first], owner)
        vars(error)[_SHARE] = owner
        return error

    def _class(self, name: str) -> Any:
        if name.startswith("std::"):  # what such a class is thrown as, the built-in exceptions are
            return None
        if name in self._classes:
            return None if "(anonymous" in name else self._classes[name]  # it may be another file's
        if "<" not in name:
            return None
        spelled = name.replace(" ", "")
        return next((c for n, c in self._classes.items() if n.replace(" ", "") == spelled), None)

    def _exception(self, builtin: type[Exception], of: tuple[type[CxxError], ...]) -> type[CxxError]:
        """The class of an exception that is of several, and of a built-in one."""
        least = tuple(c for c in of if not any(o is not c and issubclass(o, c) for o in of))
        key = least if any(issubclass(c, builtin) for c in least) else (*least, builtin)
        # Their own classes stay for `except`, and make nothing.
        if key not in self._made:
            shown = least[0]
            members = {
                "__module__": shown.__module__,
                "__qualname__": shown.__samebytes_class__.__qualname__,
            }
            self._made.setdefault(key, type(shown.__name__, key, members))
        return self._made[key]
