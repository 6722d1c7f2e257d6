"""C functions made of Python callables: the core's; where it has none, ctypes' closures with our own conversions."""

from __future__ import annotations

import ctypes
import inspect
from collections import deque
from collections.abc import Callable
from functools import lru_cache, partial
from types import FunctionType
from typing import Any

from ... import _native
from ...errors import ArgumentError, Mismatch, value_words
from ...frozen import frozen
from ...types import VOID, Function
from .crossing import Crossing, as_is, crossing
from .on_error import parts_of
from .plans import Kept, OwningWriter, callback_plan, gives_pointers, name_of, refuse_ended, result_error
from .readers import CannotPass, Find, measured_text
from .returning import address_in, cannot_return, returning


@lru_cache(maxsize=1024)
def prototype(function: Function, find: Find) -> tuple[Any, tuple[Crossing, ...], Crossing]:
    """ctypes' class of such functions, and how its arguments and its result pass.

    Raises
    ------
    CannotPass
        If one of them does not; the message has the reason.
    """
    arguments = tuple(crossing(a.type, a.passing, find) for a in function.arguments)
    result = crossing(function.result, function.result_passing, find)
    return ctypes.CFUNCTYPE(result.ctype, *(a.ctype for a in arguments)), arguments, result


def unfit(function: Function, find: Find) -> str:
    """Why no Python callable can stand for such a function; empty where one can."""
    if function.barred:
        return function.barred
    try:
        if callback_plan(function, find) is not None:
            return ""
        _, _, result = prototype(function, find)
    except CannotPass as reason:
        return str(reason)
    return cannot_return(function) if result.by_bytes else ""


def check_arity(function: Function, call: Any, words: str) -> None:
    """Raise a Mismatch if a callable says that it does not take so many arguments."""
    count = len(function.arguments)
    if type(call) is FunctionType and _takes_exactly(call, count):
        return
    try:
        signature = inspect.signature(call)
    except (TypeError, ValueError):
        return  # written in C, and silent about it
    try:
        signature.bind(*range(count))
    except TypeError:
        takes = f"It takes {signature}; C++ passes {count} argument{'s' if count != 1 else ''}"
        raise Mismatch(ArgumentError, words, value_words(call), takes) from None


def _takes_exactly(call: FunctionType, count: int) -> bool:
    """What ``inspect.signature`` would find, for the common case and at once."""
    code = call.__code__
    return code.co_argcount == count and not code.co_kwonlyargcount and not hasattr(call, "__wrapped__")


def closure(function: Function, call: Callable[..., Any], find: Find, errors: Any = None) -> tuple[int, Any]:
    """A C function that runs a Python callable.

    Parameters
    ----------
    errors : list or None
        Where the call for which it is made collects what callbacks raise; without it, errors go to the call that
        runs in the same thread, and where there is none, to ``sys.unraisablehook``.

    Returns
    -------
    address : int
    owner : object
        The function exists as long as this does.

    Raises
    ------
    Mismatch
        If it is for a std::function, and the core has no C function left.
    """
    plan = callback_plan(function, find)
    call, on_error = parts_of(call, function)
    if plan is not None:
        write = OwningWriter(function) if gives_pointers(function) else None
        callback = _native.Callback(plan, call, errors, write, on_error)
        if address := callback.function():
            return address, callback
        if function.holder:  # C++ may keep it for ever, and ctypes' function would not be kept
            many = "C++ has kept so many callables that no C function is left for another"
            raise Mismatch(ArgumentError, f"a callable ({function.holder})", value_words(call), many)
    prepared, arguments, result = prototype(function, find)
    run, end = _runner(_passage(function, find), call, errors, on_error)
    if result.by_bytes:
        address, made = returning(
            function, [a.ctype for a in arguments], lambda *values: _bytes_of(run(*values))
        )
    else:
        made = prepared(run)
        address = address_in(made)
    return address, _native.Ending(_finish, made, end)


# C functions whose owners are gone: C++ may still call one, by mistake, and is then told so. Those that no longer fit
# are given back.
_ENDED: deque[Any] = deque(maxlen=256)


def _finish(made: Any, end: Callable[[], None]) -> None:
    """Once nothing refers to a C function, it runs nothing of the user's."""
    ended: Any = _ENDED
    if ended is None:  # the interpreter ends
        return
    end()
    ended.append(made)


def _bytes_of(written: Any) -> bytes | None:
    """The bytes of what a runner gives; None for the zero that it gives after an error."""
    return bytes(written) if isinstance(written, ctypes.Structure) else None


@frozen
class _Passage:
    """How one call passes from C to Python and back."""

    readers: tuple[Callable[[Any], Any], ...]
    plain: bool  # all values are as ctypes gives them
    texts: tuple[tuple[int, tuple[int, ...]], ...]  # arguments that are as long as others say
    result: Crossing
    zero: int | None  # what C gets after an error


@lru_cache(maxsize=1024)
def _passage(function: Function, find: Find) -> _Passage:
    _, arguments, result = prototype(function, find)
    texts = tuple(
        (i, argument.measured) for i, argument in enumerate(function.arguments) if argument.measured
    )
    whole = {i for i, _ in texts}  # read together with its length
    readers = tuple(as_is if i in whole else argument.read for i, argument in enumerate(arguments))
    plain = not texts and all(read is as_is for read in readers)
    return _Passage(readers, plain, texts, result, None if function.result == VOID else 0)


def _runner(
    passage: _Passage, call: Callable[..., Any], errors: Any, on_error: tuple[Any] | None
) -> tuple[Callable[..., Any], Callable[[], None]]:
    """What the C function runs, and what lets go of the callable and makes each later run an error."""
    readers, plain, texts = passage.readers, passage.plain, passage.texts
    result, zero = passage.result, passage.zero
    exact: tuple[Any, Any, Any] = result.exact or (None, 0, 0)
    kind, low, high = exact
    kept = Kept() if result.ctype is ctypes.c_void_p else None

    def give(returned: Any) -> Any:
        written, owners = _write(result, returned, call)
        if kept is not None:
            kept(owners)
        return written

    def run(*values: Any) -> Any:
        try:
            # ctypes passes as many values as its class of functions says.
            shown: Any = values if plain else [read(v) for read, v in zip(readers, values)]  # noqa: B905
            for i, counts in texts:
                shown[i] = measured_text(values[i], [values[j] for j in counts])
            returned = call(*shown)
            if type(returned) is kind and low <= returned <= high:
                return returned
            return give(returned)
        except BaseException as error:
            _native.post_error(errors, error, call)
            return give(*on_error) if on_error is not None else zero

    def end() -> None:
        nonlocal call, errors, kept
        call, errors, kept = partial(refuse_ended, name_of(call)), None, None

    return run, end


def _write(result: Crossing, returned: Any, call: Any) -> tuple[Any, tuple[Any, ...]]:
    try:
        return result.write(returned)
    except Mismatch as mismatch:
        raise result_error(call, mismatch) from None
