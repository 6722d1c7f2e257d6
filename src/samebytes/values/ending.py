"""Ends C++ objects that Python owns: now, not when the last reference is gone."""

from __future__ import annotations

import gc
from typing import Any

from .. import _native
from ..errors import ArgumentError, IntentError, Mismatch, call_error, value_words

_ENDED = "sb.delete() or the end of a with statement ended it"
_RUNNING = "A call that is running uses it"
_RESULT = "what a function returned"
_WHAT = "an object of a C++ class that Python owns"


def delete(obj: Any, /) -> None:
    """End a C++ object now: its destructor runs, and every later use of the Python object is an error.

    ``with obj:`` does the same at its end.

    Parameters
    ----------
    obj : object of a C++ class (a handle)
        One that Python owns: made by its class, returned by value, by a ``std::unique_ptr``, or as ``"owned"``. Of
        what a ``std::shared_ptr`` returned, Python gives its share back: C++ ends the object with the last of them.

    Raises
    ------
    ArgumentError
        For anything else: records are bytes and have no end, pointers own nothing.
    IntentError
        If it is gone already; if C++ or another object owns it; if C++ shares it; while a call runs that uses it, in
        any thread; while Python has objects that lie inside of it or refer to it, as views, iterators and what was
        made with it.
    """
    if not isinstance(obj, _native.Handle):
        advice = "Only what has a destructor is ended: records are bytes, and pointers own nothing"
        raise _refusal(ArgumentError, obj, advice)
    check_owned(obj)
    if _native.in_use(obj):
        raise _refusal(IntentError, obj, _RUNNING)
    _check_alone(obj)
    if not _native.end(obj):  # another thread was quicker, began a call, or made an object inside of it
        check_owned(obj)
        reason = _RUNNING if _native.in_use(obj) else still_there(["another thread made one"])
        raise _refusal(IntentError, obj, reason)
    _native.say_why_gone(obj, _ENDED)


def _check_alone(obj: _native.Handle) -> None:
    """Raise an IntentError if objects lie inside of one or refer to it; one that is made from now on is noted."""
    if found := look_inside(obj):
        raise _refusal(IntentError, obj, still_there(found))


def look_inside(obj: _native.Handle) -> list[str]:
    """What lies inside of an object or refers to it; the core hears of it, and notes what is made from now on."""
    if not _native.owned(obj)[3]:
        return []
    _native.set_viewed(obj, False)
    if found := referring(obj):
        _native.set_viewed(obj, True)
    return found


def check_owned(handle: _native.Handle) -> None:
    """Raise an IntentError for an object that is not Python's to end."""
    _, _, shared, _ = _native.owned(handle)
    if is_gone(handle):
        why = _native.why_gone(handle) or "C++ took it over, or it died with its cycle of references"
        raise _refusal(IntentError, handle, f"It is gone already: {why}")
    if shared:
        raise _refusal(IntentError, handle, "C++ shares it: it ends when the last std::shared_ptr lets it go")
    if not _native.is_own(handle):
        raise _refusal(IntentError, handle, "It is not Python's: C++ or another object owns it, and ends it")


def is_gone(handle: _native.Handle) -> bool:
    """Whether the C++ object of a handle is no longer there."""
    return handle._destroyed or not _native.Record._address.__get__(handle)


def _refusal(error: Any, obj: Any, advice: str) -> Exception:
    return call_error("delete", [Mismatch(error, _WHAT, value_words(obj), advice, index=0, name="obj")])


def still_there(found: list[str]) -> str:
    """What to do about objects that lie inside of one or refer to it."""
    shown = ", ".join(dict.fromkeys(found))
    return f"Python has objects that lie inside of it or refer to it ({shown}): drop them first"


def referring(value: Any) -> list[str]:
    """The classes of the objects that lie inside an object, or keep it because they refer to it."""
    if not _holders(value):
        return []
    gc.collect()  # the frames of an old error may have held them
    return [_RESULT if isinstance(h, _native.Held) else type(h).__name__ for h in _holders(value)]


def _holders(value: Any) -> list[Any]:
    share = _native.Record._owner.__get__(value)
    found = gc.get_referrers(value)
    if isinstance(share, _native.Share):  # what C++ gave refers to its smart pointer
        found += [holder for holder in gc.get_referrers(share) if holder is not value]
    found += [h for held in found if type(held) in (tuple, dict) for h in _users(held)]
    return [h for h in found if isinstance(h, _native.Record | _native.Pointer | _native.Held)]


def _users(held: Any) -> list[Any]:
    """What has a tuple of owners, or the dict of what a record's pointers point into; no other dict counts."""
    found = gc.get_referrers(held)
    if type(held) is tuple:
        return found
    return [h for h in found if isinstance(h, _native.Record) and any(r is held for r in gc.get_referents(h))]
