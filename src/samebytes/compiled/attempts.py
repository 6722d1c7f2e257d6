"""Where an operation of compiled code ends when it fails.

Numba's `return` of an error leaves the function, but inside `try` it falls through: the code behind runs, and the
exception is looked at when the statement is done. So an operation that fails there gives zeros, which own nothing, and
nothing behind the failure runs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

# An attribute of Numba's builder: the operation that is being written, as Numba keeps its own there.
_CURRENT = "_samebytes_attempt"


@dataclass
class Attempt:
    """An operation that may fail.

    Attributes
    ----------
    failures : list of block
        Those that leave it early.
    end : block or None
        Where all ways meet.
    """

    failures: list[Any] = field(default_factory=list)
    end: Any = None

    def leave(self, builder: Any) -> None:
        """Go to the end from a block where an exception is set and a `try` waits for it."""
        if self.end is None:
            self.end = builder.append_basic_block("samebytes.end")
        self.failures.append(builder.block)
        builder.branch(self.end)

    def meet(self, builder: Any, value: Any) -> Any:
        """The operation's value where all ways meet: of a failure, zeros."""
        if self.end is None:
            return value
        last = builder.block
        builder.branch(self.end)
        builder.position_at_end(self.end)
        if value is None:
            return None
        made = builder.phi(value.type)
        made.add_incoming(value, last)
        for block in self.failures:
            made.add_incoming(value.type(None), block)
        return made


def attempt(builder: Any, write: Callable[[], Any]) -> Any:
    """Write an operation that may fail; one inside another ends where the other does.

    Parameters
    ----------
    write : callable
        Writes it and gives its value.
    """
    if getattr(builder, _CURRENT, None) is not None:
        return write()
    made = Attempt()
    setattr(builder, _CURRENT, made)
    try:
        value = write()
    finally:
        setattr(builder, _CURRENT, None)
    return made.meet(builder, value)


def leave_failed(context: Any, builder: Any) -> None:
    """End the operation: an exception is set. Outside of `try` the function returns with it."""
    convention = context.call_conv
    caught = convention.check_try_status(builder).in_try
    with builder.if_then(builder.not_(caught)):
        convention._return_errcode_raw(builder, builder.function.function_type.return_type(_USER_EXCEPTION))
    getattr(builder, _CURRENT).leave(builder)


_USER_EXCEPTION = 1  # Numba's RETCODE_USEREXC
