"""Shims that are built when they are first needed: those of a large header, a few groups at a time.

Each batch is a library of its own, of one family with the others: inline variables, static members and templates are
one. What a header has with internal linkage, or defines outright, would be each library's own: where the code of a
batch reaches any, nothing of it is used, and all that is not built yet becomes one unit.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..errors import BindError
from ..forks import importing
from ..frozen import frozen
from ..model.module import Skipped
from ..model.owner import Owner
from ..model.verdicts import Verdict
from ..toolchain.cache import Inputs, default_cache
from .builds import deciding, stored
from .files import BATCH, LIBRARY, MODEL
from .grouping import Groups
from .model_data import decode
from .naming import CHANGED
from .request import Request


@frozen
class Batch:
    """What one build of some groups has.

    Attributes
    ----------
    file : str
        The library; empty where its code has to be one unit with all other.
    numbers : tuple of int
        The functions whose own addresses its table has.
    owners : frozenset of Owner
        All that it has.
    failed : mapping of Owner to str
        What is not in it, and why.
    skipped : tuple of Skipped
        The same, as declarations.
    verdicts : tuple of Verdict
    """

    file: str
    numbers: tuple[int, ...]
    owners: frozenset[Owner]
    failed: Mapping[Owner, str]
    skipped: tuple[Skipped, ...]
    verdicts: tuple[Verdict, ...]


def batch(request: Request, home: str, groups: Groups, names: Sequence[str], *, whole: bool = False) -> Batch:
    """The build of some groups, from the cache where it is there.

    Parameters
    ----------
    request : Request
        That of the library.
    home : str
        Where its build stands.
    names : sequence of str
        The groups.
    whole : bool
        Whether they are one unit, so that nothing need be separate from what is in other files.

    Raises
    ------
    BindError
        If the header has changed since it was read.
    CompileError
        If it is not what is asked for that the compiler refuses.
    """
    own = ["batch", deciding(request), os.path.basename(home), sorted(names), whole]

    def make(work: Path) -> Inputs:
        if os.path.basename(stored(request).place) != os.path.basename(home):
            raise BindError(CHANGED.format(request.name))
        with importing:  # a program that finds all in the cache builds nothing
            from .batching import Building

        return Building(request, home, groups, work, whole).make(names)

    entry = default_cache().get(own, make)
    said = json.loads(entry.read(BATCH))
    told = decode(entry.read(MODEL))
    return Batch(
        "" if said["unit"] else os.path.join(entry.place, LIBRARY),
        tuple(said["numbers"]),
        frozenset(Owner(*owner) for owner in said["owners"]),
        {Owner(*owner): why for owner, why in said["failed"]},
        told.skipped,
        told.verdicts,
    )
