"""What a C API's functions give back: a tuple that begins with the status, or, checked, what follows it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ...errors import StatusError
from ...model.signature import Signature
from ...types import Enum, Type, unqualified

Finish = Callable[[tuple[Any, ...], tuple[Any, ...]], Any]
# HIP Python (hip, hiprtc, hipblas …, rccl, roctx) has a tuple of every result; its scripts take them apart.
_HIP_PYTHON = re.compile(r"(hip[a-z]*|nccl|roctx)[A-Z]")


def is_status(type_: Type) -> bool:
    """Whether a result says by itself if the call succeeded: an enumeration with a value of zero."""
    type_ = unqualified(type_)
    return isinstance(type_, Enum) and any(value == 0 for _, value in type_.members)


def is_plain(signature: Signature, check: bool | frozenset[str]) -> bool:
    """Whether a function gives one value that is no status, and so no tuple: a handle, a text, a count."""
    tells = is_status(signature.result) or (not isinstance(check, bool) and signature.name in check)
    gives = any(not p.intent.visible for p in signature.parameters)
    return not tells and not gives and _HIP_PYTHON.match(signature.name) is None


def finisher(signature: Signature, check: bool | frozenset[str]) -> Finish | None:
    """What becomes of a call's results where statuses are checked; None: they are given back as they are.

    Parameters
    ----------
    check : bool or frozenset of str
        Whether a status other than zero raises :class:`StatusError`; the status is then not given back. A set names
        the functions, and those with an integer status, too.
    """
    name = signature.name
    if not (is_status(signature.result) if check is True else check and name in check):
        return None

    def checked(results: tuple[Any, ...], arguments: tuple[Any, ...]) -> Any:
        status, *rest = results
        if int(status):
            raise StatusError.of(name, status, tuple(rest))
        return tuple(rest) if len(rest) > 1 else rest[0] if rest else None

    return checked
