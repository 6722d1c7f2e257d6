"""A model as data: one table of values, read back without running anything that the file says.

The text is JSON: an object with a version, atoms (null, booleans, numbers, texts) and rows. Atoms and rows share one
numbering, atoms first; a row is the number of a class of ``_CLASSES`` and the numbers of its values, all of which stand
before it. So there are no cycles, nothing nests, and what is equal is stored and made once.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any

from .. import types
from ..model import intents, signature
from ..model import module as model
from ..model.verdicts import Verdict
from ..toolchain.verifying import digest

_VERSION = 1
_ATOMS = (type(None), bool, int, float, str)
# Every class that a model may be made of; what is not here is not read. Tuples are the first "class".
_CLASSES: tuple[type, ...] = (
    tuple,
    model.Module, model.Skipped, model.Constant, model.Variable, model.Template, model.Instance, model.Alias,
    model.Unread, model.UnboundOverload, model.Later, Verdict,
    signature.Signature, signature.Parameter, signature.Default, signature.Location,
    intents.In, intents.OutReturn, intents.InOutPtr, intents.OutPtr, intents.OutArrayReturn, intents.Owned,
    types.Scalar, types.Void, types.Const, types.Pointer, types.Named, types.Array, types.CArray, types.Span,
    types.Vector, types.Aligned, types.Atomic, types.Enum, types.Function, types.Argument, types.Mdspan,
    types.Struct, types.Handle, types.Virtual, types.Protected, types.Tuple, types.Field, types.Base, types.Extent,
    types.OtherName, types.FlexibleArray, types.Shape,
    types.Converted, types.Text, types.FilePath, types.Duration, types.Instant, types.Object, types.Owner,
    types.Nothing, types.Bits, types.Callback, types.Held, types.Container, types.Dictionary, types.Maybe,
    types.Target, types.Product, types.Choice, types.Stream, types.Matrix, types.NdArray, types.Sparse,
)  # fmt: skip
_NUMBERS = {cls: number for number, cls in enumerate(_CLASSES)}
_NAMES = {cls: () if cls is tuple else tuple(f.name for f in fields(cls)) for cls in _CLASSES}
_MISSING = len(_CLASSES)


class Unreadable(ValueError):
    """A text that is no model of this version."""


def encode(module: model.Module) -> bytes:
    """The text of a model.

    Raises
    ------
    TypeError
        If it holds something that is no data.
    """
    atoms, rows = _tables(module)
    text = {"version": _VERSION, "classes": _described(), "atoms": atoms, "rows": rows}
    return json.dumps(text, separators=(",", ":")).encode()


def decode(data: bytes) -> model.Module:
    """The model of a text.

    Raises
    ------
    Unreadable
        If it is none, whatever else it is.
    """
    try:
        found = json.loads(data)
        if found["version"] != _VERSION or found["classes"] != _described():
            raise Unreadable("it was written by another version")
        table = _atoms(found["atoms"])
        _fill(table, found["rows"])
        module = table[-1]
    except Unreadable:
        raise
    except (
        Exception
    ) as error:  # every way in which a text can be odd, constructors that refuse their values, too
        raise Unreadable(f"{type(error).__name__}: {error}") from error
    if type(module) is not model.Module:
        raise Unreadable("it ends in no model")
    return module


@cache
def _described() -> str:
    """What tells the classes and their fields from those of another version."""
    return digest(json.dumps([[cls.__name__, *names] for cls, names in _NAMES.items()]).encode())


def _reader(cls: type) -> Callable[[Any], tuple[Any, ...]]:
    """What reads the values of an object of a class, in the order in which its constructor takes them."""
    names = _NAMES[cls]
    if cls is tuple:
        return tuple
    return attrgetter(*names) if len(names) > 1 else lambda value: tuple(getattr(value, n) for n in names)


def _tables(module: model.Module) -> tuple[list[Any], list[list[int]]]:
    """The atoms, and the rows of everything else, each after its values; no recursion, as structs nest as they like."""
    atoms, rows = _Atoms(), dict[tuple[int, ...], int]()
    places = {id(types.MISSING): rows.setdefault((_MISSING,), 0)}  # an object's id -> its row
    stack: list[tuple[Any, tuple[Any, ...]]] = [(module, _read(module))]
    while stack:
        value, parts = stack[-1]
        waiting = [p for p in parts if type(p) not in _ATOMS and id(p) not in places]
        if waiting:
            stack += [(part, _read(part)) for part in reversed(waiting)]
            continue
        numbers = [atoms.place(p) if type(p) in _ATOMS else places[id(p)] for p in parts]
        row = (_NUMBERS[type(value)], *numbers)
        places[id(value)] = rows.setdefault(row, len(rows))
        stack.pop()
    first = len(atoms.values)
    return atoms.values, [[row[0], *(~at if at < 0 else first + at for at in row[1:])] for row in rows]


def _read(value: Any) -> tuple[Any, ...]:
    if type(value) not in _NUMBERS:
        raise TypeError(f"a model cannot hold a {type(value).__name__}: {value!r}")
    return _READERS[type(value)](value)


_READERS = {cls: _reader(cls) for cls in _CLASSES}


class _Atoms:
    """The atoms, each once; their places count down from -1 until it is known how many there are."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._known: dict[tuple[type, Any], int] = {}

    def place(self, value: bool | float | str | None) -> int:
        """The place of an atom: 1, 1.0 and True are three of them, and so are 0.0 and -0.0."""
        key = (type(value), repr(value) if type(value) is float else value)
        if (found := self._known.get(key)) is None:
            found = self._known[key] = ~len(self.values)
            self.values.append(value)
        return found


def _atoms(given: list[Any]) -> list[Any]:
    if type(given) is not list or not all(type(value) in _ATOMS for value in given):
        raise Unreadable("its atoms are none")
    return given


def _fill(table: list[Any], rows: list[list[int]]) -> None:
    """Make what each row describes; a row that names something behind it, or before the table, is refused."""
    makers = [*map(_maker, _CLASSES), lambda: types.MISSING]
    for row in rows:
        if min(row) < 0:
            raise Unreadable("a number is negative")
        table.append(makers[row[0]](*[table[at] for at in row[1:]]))


def _maker(cls: type) -> Callable[..., Any]:
    return (lambda *values: values) if cls is tuple else cls
