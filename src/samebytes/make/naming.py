"""Of a large header the names are listed first: what one means is read when it is asked for.

Most programs name a few functions of a header that declares thousands. What is read alone has to be what it would be
with the others: a function of numbers, texts, addresses, callbacks and plain structs, such a struct, an enumeration, a
template of functions. Whatever has to do with classes that others know, has a state of its own or is not wholly
understood is left to the whole header.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..model.curation import CONSTANTS, EVERYTHING
from ..toolchain.cache import Entry
from ..toolchain.compilers import find_compiler
from .files import NAMES
from .request import Request

if TYPE_CHECKING:
    from pathlib import Path

    from ..read.exposed.listing import Listing

GCC = "Free Software Foundation"
CHANGED = (
    "{}: the header, or what it is built with, has changed since it was bound: what was not called before is not built "
    "of it any more. Start again, or bind with eager=True"
)


def may_list(request: Request) -> bool:
    """Whether a request leaves it open when declarations are read: nothing in it is about several of them."""
    plain = request.target == "host" and request.dialect == "cxx" and request.source is None
    said = (
        request.sources, request.library, request.instances, request.alone, request.overriding, request.portable,
        request.sanitize, request.style, request.intents, request.owns, request.keeps, request.counts,
        request.pythonic, request.texts, request.unchecked, request.names, request.apart, request.used,
    )  # fmt: skip
    return (
        request.lazily == "names"
        and plain
        and request.curation == EVERYTHING
        and not any(said)
        and all(GCC in find_compiler(language).identity for language in ("c", "c++"))
    )


def write_names(found: Listing, work: Path) -> None:
    """Store what is listed of a header."""
    (work / NAMES).write_text(json.dumps(_stored(found)))


def _stored(found: Listing) -> dict[str, str]:
    """Each name, and what is read for it."""
    alone = {name: name for name in found.names}
    return {**alone, **found.enumerators, **dict.fromkeys(found.constants, CONSTANTS)}


def names_of(entry: Entry) -> dict[str, str] | None:
    """The names of a header that is listed, and what is read for each; None of one that is read."""
    if not os.path.exists(os.path.join(entry.place, NAMES)):
        return None
    found: dict[str, str] = json.loads(entry.read(NAMES))
    return found


def whole(request: Request) -> Request:
    """The request that reads the header."""
    return replace(request, lazily="calls")


def named(request: Request, names: Sequence[str]) -> Request:
    """The request that reads some names alone."""
    return replace(request, names=tuple(names), alone=True, apart=True)


def instance(request: Request, spellings: tuple[str, ...]) -> Request:
    """The request that reads one instantiation of a template of functions alone."""
    return replace(request, instances=(spellings,), alone=True, apart=True)
