"""What a function does where its arguments point to: what is summed up of all its paths."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .values import OTHER, Value


class Access(NamedTuple):
    """Bytes that are read or written; ``offset`` None: nobody knows where.

    Attributes
    ----------
    offset : int or None
        From where the argument points to.
    size : int
        Bytes; 0: nobody knows how many.
    sure : bool
        Whether it is this argument's place and no other's; of what is read also that nothing was written there before,
        on any path.
    """

    offset: int | None
    size: int
    sure: bool


class Effect:
    """What happens where one argument points to.

    Attributes
    ----------
    reads, writes : set of Access
        What is read of what was there before the call; what is written.
    leaks : set of str
        How the address comes to where it is no longer followed.
    """

    __slots__ = ("leaks", "reads", "writes")

    def __init__(self) -> None:
        self.reads: set[Access] = set()
        self.writes: set[Access] = set()
        self.leaks: set[str] = set()

    def __repr__(self) -> str:
        return f"Effect(reads={self.reads}, writes={self.writes}, leaks={self.leaks})"


class Summary(NamedTuple):
    """What a function does with its arguments.

    Attributes
    ----------
    effects : mapping of int to Effect
        By argument, of those that are traced: registers first, then words of the stack.
    result : Value
        What it may return in ``rax``.
    written : mapping of int to int
        By argument: the bytes that are written whichever way it returns, one bit for each.
    returns : bool
    complete : bool
        Whether nothing else can happen.
    """

    effects: Mapping[int, Effect]
    result: Value = OTHER
    written: Mapping[int, int] = {}
    returns: bool = True
    complete: bool = True
