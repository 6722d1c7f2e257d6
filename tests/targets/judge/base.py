"""What targets share: the libraries, the memory of arguments, and the outcome of a call."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

import samebytes as sb

from . import sources
from .arguments import Argument, Case, Lacks, unfair
from .kinds import Kind
from .sources import OTHER_STRUCTS, Dialect

for folder in ("launch", "targets"):  # what the tests of these folders share
    sys.path.append(str(Path(__file__).parents[2] / folder))

# A cell's outcome: ("took", digest and outputs, what C++ left in memory), ("refused", words) or ("absent", words).
Outcome = tuple[Any, ...]


def after(x: Any) -> str:
    """What C++ left in an array or an object, in words that no address is part of."""
    if isinstance(x, np.ndarray):
        return x.tobytes().hex()
    return str(x.get()) if hasattr(x, "get") else re.sub(r"0x\w+", "", repr(x))


class Memory:
    """An array of a device, as CuPy's say it."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        place = array.__array_interface__
        self.array = array
        self.__cuda_array_interface__ = {
            "shape": array.shape, "typestr": array.dtype.str, "data": (place["data"][0], not array.flags.writeable),
            "version": 3, "strides": place["strides"], "stream": None,
        }  # fmt: skip
        with suppress(ValueError):  # not of a union
            self.__cuda_array_interface__["descr"] = array.dtype.descr

    def __repr__(self) -> str:
        return f"Memory({self.array!r})"


def written(kind: Kind, function: Any, fixed: Any = ...) -> Callable[..., None]:
    """The statements of a kind as ``use(x, d, more)``, or as ``use(d, more)`` with a fixed argument."""
    names = {"f": function}
    lines = kind.use.split("\n") if fixed is ... else [f"x = {fixed!r}", *kind.use.split("\n")]
    body = "\n".join(f"    {line}" for line in lines)
    exec(f"def use({'x, ' if fixed is ... else ''}d, more):\n{body}\n", names)
    return names["use"]  # type: ignore[no-any-return]


def _words(before: str, error: Exception) -> str:
    """What an error says, in one line without colours."""
    said = re.sub(r"\x1b\[\d*m", "", f"{before}{type(error).__name__}: {error}")
    return " ".join(said.split())[:3000]


class Fault(Exception):
    """What runs a kernel for the tests met an address that is nobody's, or an error: a device would fault."""


class Target:
    """A target whose functions Python calls on the host's memory.

    Attributes
    ----------
    objects : bool
        Whether C++ gets the very objects, not copies of them.
    """

    dialect: Dialect = sources.HOST
    options: dict[str, Any] = {}  # noqa: RUF012 - a table
    objects = True

    def __init__(self, kinds: Sequence[Kind]) -> None:
        self.kinds = kinds

    def compiled(self, source: str, name: str, **more: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return sb.compile(source, name=name, **self.options, **more)

    @cached_property
    def lib(self) -> Any:
        intents = self.dialect.intents(self.kinds)
        more = {"arg_intent": intents} if intents else {}
        return self.compiled(self.dialect.source(self.kinds), "judged", **more)

    @cached_property
    def other(self) -> Any:
        """Another library, whose structs have the names and other layouts."""
        return self.compiled(self.dialect.source((), OTHER_STRUCTS) + self.mark(), "other")

    def mark(self) -> str:
        return "D int of_other() { return 1; }\n"

    def on_host(self, array: np.ndarray[Any, Any], base: np.ndarray[Any, Any], own: bool) -> Any:
        """An array in the memory of the host, or in another."""
        return array if own else Memory(array)

    put = on_host

    def memory(self, array: np.ndarray[Any, Any], base: np.ndarray[Any, Any], own: bool) -> Any:
        """An array of whose memory an address is taken."""
        return self.put(array, base, own)

    def reads_host(self, kind: Kind) -> bool:
        """Whether an argument lies in the host's memory, as what is passed by value does."""
        return kind.by_value

    def function(self, kind: Kind) -> Any:
        return getattr(self.lib, f"k_{kind.name}")

    def call(self, kind: Kind, x: Any) -> list[Any]:
        """Call; the digest and the outputs."""
        d, more = np.zeros(1, "u8"), np.zeros(4)
        self.using(kind)(x, d, more)
        return [int(d[0]), more.tolist()]

    def using(self, kind: Kind) -> Callable[..., None]:
        return written(kind, self.function(kind))

    def absent(self, kind: Kind) -> str:
        """Why the target has no such kind; empty where it has."""
        if words := self.dialect.why_not(kind):
            return words
        if hasattr(self.lib, f"k_{kind.name}"):
            return ""
        found = [s.reason for s in self.lib.__skipped__ if s.name.partition("(")[0] == f"k_{kind.name}"]
        return found[0] if found else "not bound"

    def outcome(self, kind: Kind, argument: Argument) -> Outcome:
        if words := self.absent(kind) or unfair(kind, argument):
            return "absent", words
        host = self.reads_host(kind)
        put, pointed = (self.on_host, self.on_host) if host else (self.put, self.memory)
        case = Case(kind, self.lib, self.other, put, self.memory, pointed, [])
        self.reset()
        try:
            x = argument.make(case)
        except Lacks as lack:
            return "absent", str(lack)
        except Exception as error:
            return "refused", _words("made: ", error)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = self.call(kind, x)
        except Lacks as lack:
            return "absent", str(lack)
        except Fault as fault:
            return "died", str(fault)
        except Exception as error:
            return "refused", _words("", error)
        seen = [after(w) if self.objects or isinstance(w, np.ndarray) else "" for w in case.watched]
        return "took", found, seen

    def reset(self) -> None:
        """Before each cell."""
