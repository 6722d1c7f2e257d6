"""Ends C++ objects that Python owns: now, not when the last reference is gone."""

from __future__ import annotations

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
    if not _native.end(obj):
        check_owned(obj)  # another thread may have been quicker
        raise _refusal(IntentError, obj, _RUNNING if _native.in_use(obj) else still_there(obj))
    _native.say_why_gone(obj, _ENDED)


def check_owned(handle: _native.Handle) -> None:
    """Raise an IntentError for an object that is not Python's to end."""
    shared = _native.ownership(handle)[2]
    if is_gone(handle):
        why = _native.why_gone(handle) or "C++ took it over, or it died with its cycle of references"
        raise _refusal(IntentError, handle, f"It {gone_words(why, ' already')}")
    if shared:
        raise _refusal(IntentError, handle, "C++ shares it: it ends when the last std::shared_ptr lets it go")
    if not _native.is_own(handle):
        raise _refusal(IntentError, handle, "It is not Python's: C++ or another object owns it, and ends it")


def gone_words(why: str, already: str = "") -> str:
    """That an object is not there, and why."""
    return f"{'is not there yet' if why == _native.UNMADE else f'is gone{already}'}: {why}"


def is_gone(handle: _native.Handle) -> bool:
    """Whether the C++ object of a handle is no longer there."""
    return handle.__samebytes_destroyed__ or not _native.Record.__samebytes_address__.__get__(handle)


def _refusal(error: Any, obj: Any, advice: str) -> Exception:
    return call_error("delete", [Mismatch(error, _WHAT, value_words(obj), advice, index=0, name="obj")])


def still_there(obj: _native.Handle) -> str:
    """What to do about the objects that lie inside of one or refer to it."""
    found = _native.dependents(obj)
    named = [type(one).__name__ for one in found if not isinstance(one, _native.ResultOwner)]
    shown = ", ".join(dict.fromkeys(named or [_RESULT] * len(found) or ["another thread made one"]))
    return f"Python has objects that lie inside of it or refer to it ({shown}): drop them first"
