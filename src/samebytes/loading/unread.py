"""A library whose header is not read yet: its names are known, and what one means is read when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Protocol

from ..call.c_api.api import PendingBuild
from .library import Library, Namespace, own_names
from .placing import inner


class Reads(Protocol):
    """What reads a header for its library."""

    def name(self, qualified: str) -> Any:
        """What a name means."""

    def whole(self) -> Library:
        """The library with all its names."""

    @property
    def links(self) -> bool:
        """Whether this very thread gives the library its names."""


class _Unread(Namespace):
    """A namespace of such a library: what is no name that is read alone has the whole header read."""

    def __init__(self, name: str, reads: Reads) -> None:
        own_names(self).update(__name__=name, __reads__=reads, __pending__={}, __variables__={}, __order__={})

    def __getattr__(self, name: str) -> Any:
        own = own_names(self)
        if (pending := own["__pending__"].get(name)) is not None:
            made = pending.make()
            # Where it took the whole header, it stands there: a variable is none that is kept. Else the first of
            # several threads has it.
            return own.setdefault(name, made) if "__reads__" in own else getattr(self, name)
        reads: Reads | None = own.get("__reads__")
        if name.startswith("__") and (name.endswith("__") and name not in _SAID):
            raise AttributeError(name)  # Python looks for what it may call
        if reads is None or reads.links:
            return super().__getattr__(name)
        reads.whole()
        return getattr(self, name)

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]
        return super().__dict__ if _is_linking(self) else self.__dict__

    def __setattr__(self, name: str, value: Any) -> None:
        if _is_linking(self):
            super().__setattr__(name, value)
        else:
            setattr(self, name, value)

    def __dir__(self) -> Iterable[str]:
        return super().__dir__() if _is_linking(self) else dir(self)

    def __reduce__(self) -> Any:
        return super().__reduce__() if _is_linking(self) else self.__reduce__()

    def __repr__(self) -> str:
        return super().__repr__() if _is_linking(self) else repr(self)


# What a library or a namespace has by such names; all but its own name only the whole header says.
_SAID = frozenset(
    {
        "__skipped__", "__model__", "__bound__", "__records__", "__enums__", "__bindings__", "__explain__",
        "__instances__", "__clashes__", "__file__", "__build__", "__spaces__", "__home__", "__linker__",
    }
)  # fmt: skip


class UnreadNamespace(_Unread):
    """A namespace of a library whose header is not read."""


class UnreadLibrary(_Unread, Library):
    """A library whose header is not read; once it is, it is a :class:`Library`.

    Parameters
    ----------
    name : str
    reads : Reads
    names : iterable of str
        The qualified names that may be read alone.
    """

    def __init__(self, name: str, reads: Reads, names: Iterable[str]) -> None:
        _Unread.__init__(self, name, reads)
        spaces: dict[str, _Unread] = {"": self}
        for qualified in names:
            home, _, last = qualified.rpartition("::")
            own_names(_space(spaces, home, reads))["__pending__"][last] = PendingBuild(
                partial(reads.name, qualified)
            )

    def _repr_html_(self) -> str:
        """What notebooks show."""
        return super()._repr_html_() if _is_linking(self) else self._repr_html_()


def _space(spaces: dict[str, _Unread], path: str, reads: Reads) -> _Unread:
    if path not in spaces:
        outer, _, name = path.rpartition("::")
        spaces[path] = made = UnreadNamespace(name, reads)
        own_names(_space(spaces, outer, reads))[name] = made
    return spaces[path]


def _is_linking(space: _Unread) -> bool:
    """Whether this thread gives the library its names just now; else it has them afterwards, and another class."""
    reads: Reads | None = own_names(space).get("__reads__")
    if reads is None or reads.links:
        return reads is not None
    reads.whole()
    return False


def fill(library: UnreadLibrary, link: Callable[[Library], None]) -> None:
    """Give a library all its names: what it was asked for stays the very object, and all else is made anew.

    Parameters
    ----------
    link : callable
        Gives the library its names.
    """
    spaces = dict(_spaces(library, ()))
    before = {path: dict(own_names(space)) for path, space in spaces.items()}
    try:
        for space in spaces.values():
            own_names(space)["__pending__"] = {}
        link(library)
    except BaseException:
        for path, space in spaces.items():
            own_names(space).clear()
            own_names(space).update(before[path])
        raise
    for path, space in spaces.items():
        own = own_names(space)
        for name, value in before[path].items():
            if not name.startswith("__") and not isinstance(value, Namespace):
                own[name] = value
                library.__bound__["::".join((*path, name))] = value
        if path:
            own |= {"__skipped__": library.__skipped__, "__home__": (inner, (library, path))}
    for space in spaces.values():
        object.__setattr__(space, "__class__", Library if isinstance(space, Library) else Namespace)
        del own_names(space)["__reads__"]


def _spaces(space: _Unread, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], _Unread]]:
    yield path, space
    for name, value in tuple(own_names(space).items()):
        if isinstance(value, _Unread):
            yield from _spaces(value, (*path, name))
