"""What a register or a word of the stack may hold, as far as it matters where arguments point to."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple


class Atom(NamedTuple):
    """One of the things that a value may be.

    Attributes
    ----------
    kind : str
        ``"argument"``: an argument of the function, as it came in, and ``offset`` bytes on; ``"stack"``: the stack's
        place so far from where the return address lies; ``"number"``: that number; ``"other"``: anything that has
        nothing to do with the arguments that are traced.
    which : int
        Which argument.
    offset : int or None
        None where nobody can tell.
    """

    kind: str
    which: int = 0
    offset: int | None = 0


Value = frozenset[Atom]

ARGUMENT, STACK, NUMBER = "argument", "stack", "number"
_OTHER = Atom("other")
OTHER: Value = frozenset({_OTHER})
_MOST = 3  # different offsets of one thing, behind which any is possible: loops end
_FAR = 1 << 16
_WORD = 1 << 64


def argument(index: int) -> Value:
    return frozenset({Atom(ARGUMENT, index, 0)})


def stack(offset: int | None) -> Value:
    return frozenset({Atom(STACK, 0, offset)})


def number(value: int) -> Value:
    return frozenset({Atom(NUMBER, 0, value % _WORD)})


def constant(value: Value) -> int | None:
    """The number that a value is."""
    if len(value) == 1:
        (atom,) = value
        if atom.kind == NUMBER:
            return atom.offset
    return None


@lru_cache(maxsize=1 << 14)
def join(one: Value, other: Value) -> Value:
    """What is the one or the other."""
    if one == other or not other - one:
        return one
    return _limited(one | other)


@lru_cache(maxsize=1 << 14)
def shifted(value: Value, by: int | None) -> Value:
    """A value so many bytes on; None: nobody knows how many."""
    if by == 0:
        return value
    return _limited(_moved(atom, by) for atom in value)


@lru_cache(maxsize=1 << 14)
def blurred(value: Value) -> Value:
    """What was computed from a value in a way that nobody follows."""
    kinds = [a._replace(offset=None) for a in value if a.kind in (ARGUMENT, STACK)]
    return frozenset([*kinds, _OTHER])


@lru_cache(maxsize=1 << 14)
def plain(value: Value) -> bool:
    """Whether nothing in a value is an address that is traced."""
    return all(atom.kind not in (ARGUMENT, STACK) for atom in value)


def arguments(value: Value) -> Iterable[Atom]:
    return [atom for atom in value if atom.kind == ARGUMENT]


def on_stack(value: Value) -> bool:
    return any(atom.kind == STACK for atom in value)


def _moved(atom: Atom, by: int | None) -> Atom:
    if atom.kind == NUMBER:
        return _OTHER if by is None else atom._replace(offset=((atom.offset or 0) + by) % _WORD)
    if atom.kind not in (ARGUMENT, STACK) or atom.offset is None:
        return atom
    if by is not None and by >= _WORD // 2:
        by -= _WORD
    if by is None or abs(atom.offset + by) > _FAR:
        return atom._replace(offset=None)
    return atom._replace(offset=atom.offset + by)


def _limited(atoms: Iterable[Atom]) -> Value:
    found = set(atoms)
    if len(found) <= _MOST:
        return frozenset(found)
    groups: dict[tuple[str, int], list[Atom]] = {}
    for atom in found:
        groups.setdefault((atom.kind, atom.which), []).append(atom)
    for (kind, index), group in groups.items():
        if len(group) > _MOST or any(a.offset is None for a in group):
            found.difference_update(group)
            found.add(_OTHER if kind == NUMBER else Atom(kind, index, None))
    return frozenset(found)
