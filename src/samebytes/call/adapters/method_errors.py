"""Errors about the arguments of an adapter's method begin with the method's name."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from ...errors import ArgumentError, ArrayError, RangeError

M = TypeVar("M", bound=Callable[..., Any])


def names_method(label: str) -> Callable[[M], M]:
    """Let what a method refuses name it; where one method calls another, the one that was called first.

    Parameters
    ----------
    label : str
        What follows the name of the adapter: ``".empty()"``.
    """

    def decorated(method: M) -> M:
        @wraps(method)
        def call(self: Any, *args: Any, **kwargs: Any) -> Any:
            try:
                return method(self, *args, **kwargs)
            except (ArgumentError, ArrayError, RangeError) as error:
                adapter = (self if isinstance(self, type) else type(self)).__name__
                said = str(error).removeprefix(f"{adapter}(): ").removeprefix(f"{label[1:]}: ")
                said = vars(error).setdefault("_said", said)
                error.args = (f"{adapter}{label}: {said}",)
                raise

        return cast(M, call)

    return decorated
