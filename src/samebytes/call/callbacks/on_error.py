"""What C++ gets where a callable has raised and no exception may pass: the value that its user chose, else zero."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...errors import ArgumentError, Mismatch, value_words
from ...types import VOID, Function
from ...values.conversion import convert
from .plans import name_of, result_type


class OnError:
    """A callable, and what it returns to C++ where it raises and no exception may pass; called, it is that callable.

    Made by ``sb.callback(f, on_error=value)``, for any parameter that takes a callable.
    """

    __slots__ = ("__wrapped__", "on_error")

    def __init__(self, function: Callable[..., Any], on_error: Any) -> None:
        self.__wrapped__, self.on_error = function, on_error

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.__wrapped__(*args, **kwargs)

    @property
    def __name__(self) -> str:
        return name_of(self.__wrapped__)

    def __repr__(self) -> str:
        return f"samebytes.callback({self.__wrapped__!r}, on_error={self.on_error!r})"


def parts_of(call: Any, function: Function) -> tuple[Any, tuple[Any] | None]:
    """What runs where C++ calls a callable of some type, and the value for errors in a tuple; None: zero.

    Raises
    ------
    Mismatch
        If C++ does not take that value.
    """
    if type(call) is not OnError:
        return call, None
    chosen = call.on_error
    try:
        if function.result == VOID and function.result_passing == "value":
            if chosen is not None:
                raise Mismatch(ArgumentError, "None, as C++ gets nothing", value_words(chosen))
        else:
            convert(result_type(function), chosen)
    except Mismatch as mismatch:
        mismatch.path = f".on_error{mismatch.path}"
        raise
    return call.__wrapped__, (chosen,)
