"""What makes a library what it is, the libraries that are there, and those that are there without their names.

A library whose build was loaded before is at hand at once: it is loaded, what is to be said of it is said, and its
names are linked when one is first asked for. Nothing here knows what names are linked with.
"""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import BindWarning
from ..forks import Lock
from ..frozen import frozen
from ..loading.backends import backend_for
from ..loading.library import Library, Unlinked, own_names
from ..make.builds import is_begun, product, stored
from ..make.files import MODEL, REMARKS
from ..make.request import Request
from ..toolchain.cache import Entry, steady_path
from ..toolchain.verifying import file_digest

if TYPE_CHECKING:
    from ..loading.backends import Loaded


@frozen
class Recipe:
    """All that makes a library what it is, files apart.

    Attributes
    ----------
    request : Request
        What is built.
    types : tuple of (str, type)
        The classes of results, by C++ struct.
    nogil : bool, "auto" or frozenset of str
        Where the GIL is released.
    check : bool or frozenset of str
        Which functions of a C API raise for their status.
    base : Recipe or None
        Of instantiations that are built alone: the recipe of the library that they belong to.
    """

    request: Request
    types: tuple[tuple[str, type], ...]
    nogil: bool | str | frozenset[str]
    check: bool | frozenset[str] = False
    base: Recipe | None = None

    @property
    def is_plain(self) -> bool:
        """Whether nothing that was given has to be compared with the model before the library can be used."""
        asked = self.request
        chosen = (
            self.types,
            self.base,
            asked.style,
            asked.library,
            asked.instances,
            asked.pythonic,
            asked.sanitize,
        )
        named = isinstance(self.nogil, frozenset) or isinstance(self.check, frozenset)
        return asked.target == "host" and asked.dialect == "cxx" and not named and not any(chosen)


_OURS = os.path.dirname(os.path.dirname(__file__)) + os.sep

Key = tuple[Recipe, str]
# The recipe and the build's digest -> the library. One thread loads at a time, and may load what that one needs.
LIBRARIES: dict[Key, Library] = {}
LOADING = Lock()
# The recipe -> what reads the header of its library, name by name or whole.
UNREAD: dict[Recipe, Any] = {}
# Gives a library its names: called with its key, the model's text, its file and what has been loaded, if anything has.
Link = Callable[[Library, Key, bytes, str, "Loaded | None"], None]


def at_hand(recipe: Recipe, link: Link) -> Library | None:
    """The library of a recipe that is live already, or whose build has been loaded before; None for others."""
    if not recipe.is_plain:
        return None
    entry = stored(recipe.request)
    key = (recipe, os.path.basename(entry.place))
    with LOADING:
        if key not in LIBRARIES:
            noted = entry.noted(REMARKS)
            if not isinstance(noted, dict) or noted.get("model") != _digest(entry):
                return None
            LIBRARIES[key] = _unlinked(key, entry, link)
            report(recipe.request.name, [str(sentence) for sentence in noted.get("said", ())])
    return LIBRARIES[key]


def note(entry: Entry, said: Sequence[str]) -> None:
    """Keep what is to be said of a build whose model has been read: it can be read, as long as it is that model."""
    entry.note(REMARKS, {"model": _digest(entry), "said": said})


def _digest(entry: Entry) -> str | None:
    return file_digest(os.path.join(entry.place, MODEL))


def _unlinked(key: Key, entry: Entry, link: Link) -> Unlinked:
    request = key[0].request
    file, model = product(request, entry), entry.read(MODEL)  # both now: the cache may be emptied meanwhile
    # One whose shims are built as they are needed has nothing to load before its names are known.
    begun = is_begun(entry.place)
    loaded = None if begun else backend_for(request.dialect).load(steady_path(file))
    linking: list[int] = []  # the thread that links

    def once(library: Library) -> None:
        if linking == [threading.get_ident()]:
            return
        with LOADING:
            if type(library) is not Unlinked:  # another thread was sooner
                return
            linking[:] = [threading.get_ident()]  # a thread that is not in a fork's child is forgotten
            try:
                link(library, key, model, file, loaded)
                object.__setattr__(library, "__class__", Library)
                del own_names(library)["__link__"]
            finally:
                linking.clear()

    return Unlinked(request.name, once)


def report(name: str, remarks: Sequence[str]) -> None:
    """Once per library: what is to be said of it."""
    if remarks:
        warnings.warn(f"{name}: " + "\n".join(remarks), BindWarning, stacklevel=_users_level())


def _users_level() -> int:
    """How many calls lie between a warning and the user's line: a header may be read when something is asked of it."""
    frame, level = sys._getframe(2), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_OURS):
        frame, level = frame.f_back, level + 1
    return level
