"""Objects that C++ took over in a call that raised: they are gone, and both the error and later uses say so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import _native
from ..errors import SECOND_OWNER, IntentError, end_words, loss_note, loss_words, plain_error
from ..model import slots
from ..model.signature import Signature
from ..values.ending import is_gone


def takes_over(signature: Signature) -> bool:
    """Whether a call gives objects of Python's to C++ for good."""
    return signature.ends or any(slots.takes_over(p) for p in signature.visible)


def tell(function: str, arguments: tuple[Any, ...], error: BaseException) -> None:
    """Say of each object that a call took and lost how that came; and say it with the error."""
    lost = [one for one in _objects(arguments) if is_gone(one) and _native.why_gone(one) is None]
    for one in lost:
        _native.say_why_gone(one, loss_words(function, error))
    if lost:
        error.add_note(loss_note(function, [type(one).__name__ for one in lost]))


def _objects(value: Any) -> Iterator[_native.Handle]:
    """The C++ objects among arguments, and in the containers among them."""
    if isinstance(value, _native.Handle):
        yield value
    elif isinstance(value, dict):
        yield from _objects([*value, *value.values()])
    elif isinstance(value, tuple | list | set | frozenset):
        for item in value:
            yield from _objects(item)


def _tell_end(one: _native.Handle, function: str) -> None:
    _native.say_why_gone(one, end_words(function))


def _refuse_second(one: Any) -> None:
    raise plain_error(IntentError, type(one).__name__, SECOND_OWNER)


_native.set_tell_losses(tell)
_native.set_tell_end(_tell_end)
_native.set_refuse_second(_refuse_second)
