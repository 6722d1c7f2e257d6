"""Libraries of large headers before these are read: each name is read and built when it is asked for."""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from ..errors import BindError, CompileError
from ..forks import importing
from ..loading.library import Library
from ..loading.mentioned import mentioned
from ..make import naming
from ..make.builds import stored
from ..make.files import NAMED
from ..model.curation import CONSTANTS
from ..toolchain.cache import Entry
from .recipes import LOADING, UNREAD, Recipe

if TYPE_CHECKING:
    from ..loading.linking import Linker
    from ..make.request import Request
    from ..model.module import Module

# So many times some names are read and built by themselves; who asks for more is given the whole header.
MOST = 8
# So many names of those that a program mentions are read together with the one that it asks for.
_TOGETHER = 64


def unread(recipe: Recipe) -> tuple[Recipe, Library | None]:
    """The recipe by which a library is made, and the library, where its header is large and need not be read."""
    if not recipe.is_plain or not naming.may_list(recipe.request):
        return recipe, None
    entry = stored(recipe.request)
    if (names := naming.names_of(entry)) is None:
        return recipe, None
    whole = replace(recipe, request=naming.whole(recipe.request))
    with LOADING:
        if whole not in UNREAD or UNREAD[whole].place != entry.place:
            if _noted(entry).get("many") is True:
                return whole, None
            UNREAD[whole] = Names(recipe, whole, entry, names)
        return whole, UNREAD[whole].library


def _noted(entry: Entry) -> dict[str, Any]:
    """What is known of a header by now: names that cannot be read alone, and whether a program asked for many."""
    noted = entry.noted(NAMED)
    return noted if isinstance(noted, dict) else {}


class Names:
    """What reads one header for its library.

    Parameters
    ----------
    recipe, recipe_of_whole : Recipe
        That of the listing, and that of the whole header.
    entry : Entry
        Where the listing stands.
    names : dict of str to str
        What may be read alone, and what is read for it.
    """

    def __init__(self, recipe: Recipe, recipe_of_whole: Recipe, entry: Entry, names: dict[str, str]) -> None:
        self.recipe, self._whole, self._entry, self._names = recipe, recipe_of_whole, entry, names
        with importing:
            from ..loading.unread import UnreadLibrary
        self.place = entry.place
        self.library: Any = UnreadLibrary(recipe.request.name, self, names)
        self.linker: Linker | None = None  # of what is read by name
        self.instances: dict[Any, Any] = {}
        noted = _noted(entry)
        self._parts: dict[Request, Library] = {}
        self._refused = set(map(str, noted.get("refused", ())))
        self._singly = noted.get("singly") is True
        self._together: dict[str, tuple[str, ...]] = {}
        for batch in noted.get("together", ()):
            self._together |= dict.fromkeys(batch, tuple(batch))
        self._thread: int | None = None  # that links the whole

    @property
    def links(self) -> bool:
        """Whether this very thread gives the library its names."""
        return self._thread == threading.get_ident()

    @property
    def _has_changed(self) -> bool:
        return os.path.basename(stored(self.recipe.request).place) != os.path.basename(self._entry.place)

    @property
    def _is_read(self) -> bool:
        return type(self.library) is Library

    def name(self, qualified: str) -> Any:
        """What a name means: read alone, or with the whole header where that does not do."""
        read = self._names[qualified]
        batch = self._batch(read)
        made = self._part(naming.named(self.recipe.request, batch), read)
        if made is None and len(batch) > 1 and read not in self._refused:
            made = self._part(naming.named(self.recipe.request, (read,)), read)
        if made is not None:
            try:
                return self._found(made, qualified)
            except AttributeError:  # of a batch, or of what may be constants, it is not what stands alone
                if read == qualified:
                    self._refuse(read)
        self.whole()
        return self._found(self.library, qualified)

    def _batch(self, read: str) -> tuple[str, ...]:
        """What is read with a name: what was read with it before, or what else of the header the program mentions."""
        if read == CONSTANTS or self._singly:
            return (read,)
        if read not in self._together:
            words, taken = mentioned(), {read, CONSTANTS, *self._together, *self._refused}
            meant = (what for name, what in self._names.items() if words.issuperset(name.split("::")))
            others = (what for what in dict.fromkeys(meant) if what not in taken)
            batch = (read, *islice(others, _TOGETHER))
            self._together |= dict.fromkeys(batch, batch)
        return self._together[read]

    def instance(self, spellings: tuple[str, ...]) -> Any:
        """An instantiation of a template that was read alone."""
        with importing:
            from .registry import instantiate
        if spellings in self.instances:
            return self.instances[spellings]
        request = naming.instance(self.recipe.request, spellings)
        if (made := self._part(request, spellings[0])) is not None:
            found = made.__instances__[made.__model__.instances[0].asked]
            self.instances[spellings] = found
            return found
        self.whole()
        return instantiate(self.library, self._whole, spellings)

    def whole(self) -> Library:
        """The library with all its names.

        Raises
        ------
        BindError
            If the header has changed since the first of its names was read.
        """
        with importing:
            from .registry import library
        if UNREAD[self._whole] is not self or (not self._is_read and self._parts and self._has_changed):
            raise BindError(naming.CHANGED.format(self.recipe.request.name))
        return library(self._whole)

    def linked(self, module: Module, restore: Callable[..., Any]) -> Linker:
        """What links what is read by name, with the classes of one more module."""
        with importing:
            from ..loading.linking import Linker
        if self._is_read:
            raise BindError(f"{self.recipe.request.name} is read by now")
        if self.linker is None:
            self.linker = Linker(module, self.recipe.request.name, {}, restore)
            self.linker.complete = _complete
            self.linker.thrown = _Thrown(self)
        else:
            self.linker.name_functions(module)
            self.linker.extend(module, restore)
        return self.linker

    def fill(self, link: Callable[[Library], None]) -> Library:
        """Give the library all its names."""
        with importing:
            from ..loading.unread import fill
        self._thread = threading.get_ident()
        try:
            fill(self.library, link)
        finally:
            self._thread = None
        return self.library  # type: ignore[no-any-return]

    def _part(self, request: Request, what: str) -> Library | None:
        """What is built of a name alone, or of several; None where that is not to be."""
        with importing:
            from .registry import library
        if self._is_read or what in self._refused:
            return None
        if request in self._parts:
            return self._parts[request]
        if sum(CONSTANTS not in part.names for part in self._parts) >= MOST:
            self._note("many", True)
            return None
        if self._has_changed:
            return None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the whole header says all that is to be said
                made = library(replace(self._whole, request=request, base=self._whole))
        except (BindError, CompileError) as error:  # whatever it is, the whole header's words are better
            if self._is_read:
                return None  # by another thread, meanwhile
            if len(request.names) < 2 or what in getattr(error, "names", ()):
                self._refuse(what)
            else:  # it may be any of the others
                self._singly = True
                self._note("singly", True)
            return None
        self._parts[request] = made
        if len(request.names) > 1:
            self._note("together", [list(request.names)])
        return made

    def _refuse(self, name: str) -> None:
        self._refused.add(name)
        self._note("refused", [name])

    def _note(self, key: str, value: object) -> None:
        """Remember something for later programs; lists grow."""

        def noted(known: Any) -> dict[str, Any]:
            known = known if isinstance(known, dict) else {}
            before = known.get(key)
            if isinstance(value, list):
                before = before if isinstance(before, list) else []
                return {**known, key: [*before, *(one for one in value if one not in before)]}
            return {**known, key: value}

        self._entry.renew(NAMED, noted)

    def _found(self, made: Library, qualified: str) -> Any:
        """What a library has under a name."""
        with importing:
            from ..loading.placing import inner
        path = tuple(qualified.split("::"))
        found = inner(made, path)
        if getattr(found, "home", None) is not None and not self._is_read:
            found.home = self.library, path
        return found


def _complete(cls: Any) -> None:
    """Classes of what is read by name have all when they are made."""


class _Thrown(Mapping[str, Any]):
    """The classes of exceptions: those of the whole header, which is read when one comes that is not the standard's."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def __contains__(self, name: object) -> bool:
        return not str(name).startswith("std::") and name in self._records()

    def __getitem__(self, name: str) -> Any:
        return self._records()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._records())

    def __len__(self) -> int:
        return len(self._records())

    def __bool__(self) -> bool:
        return True

    def _records(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self._names.whole().__records__
        return found
