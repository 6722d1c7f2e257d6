"""What the code of the linked library settles: proof outweighs names, and refutes what names make likely."""

from __future__ import annotations

from ...toolchain.code.pointees.verdicts import MANY, READ, WRITTEN
from ...types import Pointer
from . import evidence
from .arrays import is_many, is_plural
from .cases import Case, Verdict, no, place, yes
from .documents import IN, INOUT

# Where no rule says anything.
NOTHING = "nothing says that C writes one value there"

BY_CODE = "the library's code writes one value there, and reads none"
_READS = "the library's code reads what is there"
_MORE = "the library's code writes more than one value there"


def by_code(case: Case, said: Verdict, *, measures: bool = False) -> Verdict:
    """A verdict of the header beside what the code shows.

    Parameters
    ----------
    measures : bool
        Whether it is an output that holds the room of a buffer before the call: it may be read.
    """
    if case.shown == MANY and (said.output or said.reason == NOTHING):
        return no(_MORE)
    if case.shown == READ and not measures and (said.reason == NOTHING or _is_refuted(case, said)):
        return no(_READS)
    if case.shown == WRITTEN and not said.output and _may_come_out(case):
        return yes(BY_CODE)
    return said


def octet_by_code(case: Case, said: Verdict | None) -> Verdict | None:
    """The same of a pointer to one byte; None: it is a buffer, or may be."""
    if said is not None:
        return by_code(case, said)
    many = is_many(case.name) or is_plural(case.name) or evidence.is_octets_name(case.name) or case.told.many
    return yes(BY_CODE) if case.shown == WRITTEN and not many and _may_come_out(case) else None


def _is_refuted(case: Case, said: Verdict) -> bool:
    """Whether what the code reads counts more: a document's own tag says what a caller has to give."""
    return said.output and not case.told.tagged


def _may_come_out(case: Case) -> bool:
    """Whether what C writes is worth returning, and no document says that more lies there than this version writes."""
    if case.told.many or (case.told.tagged and case.told.way in (IN, INOUT)) or evidence.frees(case.function):
        return False
    return not _is_all(case)


def _is_all(case: Case) -> bool:
    """Whether it is all that a function works on, which then is no place to write to: ``lock_init(lock_t* lock)``."""
    if case.index or case.told.way or isinstance(case.target, Pointer):
        return False
    asks = evidence.gets(case.function) or evidence.makes(case.function) or evidence.creates(case.function)
    return not asks and not any(place(p) is not None for p in case.others)
