"""The record that each protocol's file ends in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ....frozen import frozen
from ...view import ArrayView

E = TypeVar("E", bound=BaseException)


class Refused(Exception):
    """This protocol cannot carry the object (its dtype, usually); the next one may."""


class Refusals:
    """Why an object shows no array by the protocols that were asked.

    As a context it forgets at the end: an error of the object's own code would keep the object alive.
    """

    def __init__(self) -> None:
        self._words: list[str] = []
        self._cause: BaseException | None = None

    def __enter__(self) -> Refusals:
        return self

    def __exit__(self, *error: object) -> None:
        self._cause = None

    def __str__(self) -> str:
        return "; ".join(self._words)

    def add(self, protocol: Protocol, refusal: Refused) -> None:
        """Remember one refusal; a want of memory is none."""
        if isinstance(refusal.__cause__, MemoryError):
            raise refusal.__cause__
        self._words.append(f"{protocol.name}: {refusal}")
        self._cause = self._cause or refusal.__cause__

    def caused(self, error: E) -> E:
        """The error with the first one of the object's own code as its cause."""
        error.__cause__ = self._cause
        return error


HOSTS = frozenset({"cxx"})


@frozen
class Protocol:
    """One way to ask an object for its memory.

    Attributes
    ----------
    name : str
        As messages write it: "via DLPack".
    rank : int
        Protocols are asked in ascending rank (design: DLPack, CAI, SUAI, ``__array_interface__``, buffer).
    recognises : callable
        Whether objects of a class may speak it; a question about the class alone, so that the answer is cached.
    describe : callable
        ``describe(obj, stream)``: the view of one object, ready on ``stream`` (None: see :func:`samebytes.view`).
        Raises :class:`Refused` if another protocol should be asked, and
        :class:`~samebytes.errors.ProtocolError` if the producer breaks the protocol's rules.
    route : callable
        For a class read by this protocol: the native core's route (``"numpy"``, ``"buffer"`` …) and whether
        its objects are read-only whatever they say; None where every object must be asked in Python.
    dialects : frozenset of str or None
        The dialects whose parameters it may serve; None: all. For ``cuda`` and ``hip``, only DLPack and the CUDA Array
        Interface make an array heterogeneous (specification, "Arrays").
    """

    name: str
    rank: int
    recognises: Callable[[type], bool]
    describe: Callable[[Any, int | None], ArrayView]
    route: Callable[[type], tuple[str, bool] | None] = lambda cls: None
    dialects: frozenset[str] | None = None
