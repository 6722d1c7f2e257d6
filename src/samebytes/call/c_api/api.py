"""How a library's functions are made: at once or on first use, with which results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import reduce
from typing import TYPE_CHECKING, Any

from ...forks import Lock, importing
from ...frozen import frozen
from ...model.signature import Signature
from ...types import VOID, unqualified
from . import status
from .texts import lengths

if TYPE_CHECKING:
    from ...styles.c_api.allocations import Allocation
    from .allocating import Find
    from .lookup import Symbols

making = Lock()  # one for all, as a function may need others, whose own locks another thread might wait with


class Pending:
    """A function that is made when it is first asked for, once."""

    __slots__ = ("_made", "_make")
    compiles = False  # whether the first use builds a library

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._made: Any = None

    def make(self) -> Any:
        """The function."""
        with making:
            if self._made is None:
                self._made = self._make()
            return self._made


class PendingMethod(Pending):
    """A method that is made when a class or an object is asked for it, and then stands where this stood."""

    __slots__ = ("_homes",)

    def __init__(self, make: Callable[[], Any]) -> None:
        super().__init__(make)
        self._homes: list[tuple[Any, str]] = []

    def stand(self, cls: Any, name: str) -> None:
        """Be what a class has under a name; what is made already stands there itself."""
        self._homes.append((cls, name))
        type.__setattr__(cls, name, self if self._made is None else self._made)

    def make(self) -> Any:
        """The method."""
        made = super().make()
        for cls, name in self._homes:
            if vars(cls).get(name) is self:  # not what a program has put there since
                type.__setattr__(cls, name, made)
        return made

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        made = self.make()
        bind = getattr(type(made), "__get__", None)
        return made if bind is None else bind(made, instance, owner)


class PendingClass(Pending):
    """A class that is made when it is first asked for, of what is known of it; nothing is built."""

    __slots__ = ()


class PendingBuild(Pending):
    """What is read or built when it is first asked for.

    Threads that ask at once wait for one build, as its cache has one; no lock of ours is taken meanwhile.
    """

    __slots__ = ()
    compiles = True

    def make(self) -> Any:
        """The function, the class or the template."""
        if self._made is None:
            self._made = self._make()
        return self._made


@frozen
class Api:
    """The style of one library.

    Attributes
    ----------
    style : str
        ``"c_api"``, or empty.
    check : bool or frozenset of str
        Which statuses raise; see :func:`finisher`.
    symbols : Symbols or None
        The functions that are looked up on first use.
    allocations : mapping of str to Allocation
        The functions that allocate; see :func:`samebytes.styles.c_api.allocations.chosen`.
    """

    style: str = ""
    check: bool | frozenset[str] = False
    symbols: Symbols | None = None
    allocations: Mapping[str, Allocation] = field(default_factory=dict)

    def finishes(self, find: Find) -> Callable[[Sequence[Signature]], dict[str, Any]]:
        """How the results of overload sets come back, for :class:`samebytes.call.Binding`.

        Parameters
        ----------
        find : callable
            A bound function by its name in C.
        """
        if self.style != "c_api":
            return _texts
        with importing:  # it brings devices and adapters
            from .allocating import Allocating

        allocating = Allocating(self.allocations, find, self.check)

        def results(signatures: Sequence[Signature]) -> dict[str, Any]:
            signature = signatures[0]
            made, checked = allocating.finish(signature), status.finisher(signature, self.check)
            texts = lengths(signature)
            finish = reduce(_both, (one for one in (texts, made, checked) if one), None)
            plain = all(status.is_plain(one, self.check) for one in signatures)
            if plain and finish is not None and unqualified(signature.result) != VOID:
                finish = _first(finish)
            return {"packs": not plain, "finish": finish, "checks": checked is not None and finish is checked}

        return results

    def function(self, signatures: Sequence[Signature], make: Callable[[], Any]) -> Any:
        """The function that ``make()`` makes, or, where its library is not opened yet, what makes it later."""
        symbols = self.symbols
        names = {used: used for s in signatures for used in s.uses}
        names |= {s.symbol or s.qualified: f"{s.qualified}()" for s in signatures}
        if symbols is None or not any(name in symbols for name in names):
            return make()

        def found() -> Any:
            for symbol, words in names.items():
                if symbol in symbols:
                    symbols.find(symbol, words)
            return make()

        return Pending(found)

    def place(self, symbol: str, name: str, address: Callable[[], int]) -> Callable[[], int] | None:
        """What tells where a variable lies, if its library is opened only then."""
        symbols = self.symbols
        if symbols is None or symbol not in symbols:
            return None

        def found() -> int:
            symbols.find(symbol, name)
            return address()

        return found


def _texts(signatures: Sequence[Signature]) -> dict[str, Any]:
    """Of functions that are bound as C++ declares them, texts with their length are bytes, too."""
    texts = lengths(signatures[0]) if len(signatures) == 1 else None
    if texts is None:
        return {}
    alone = not any(not p.intent.visible for p in signatures[0].parameters)
    return {"finish": _first(texts) if alone else texts}


def _first(finish: status.Finish) -> status.Finish:
    """A result that is alone is no tuple."""
    return lambda results, arguments: finish(results, arguments)[0]


def _both(first: status.Finish | None, second: status.Finish) -> status.Finish:
    if first is None:
        return second
    return lambda results, arguments: second(first(results, arguments), arguments)


PLAIN = Api()
