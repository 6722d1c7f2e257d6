"""``int(x)``, ``float(x)`` and the truth of an object that has conversions for objects that are not const.

Of several conversions C++ takes one for objects that are not const before those for const ones, whatever they give, and
looks at the types only then (ISO C++ [over.match.best]): ``operator double()`` goes before ``operator int() const``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ... import _native
from ...call import ranking
from ...call.binding import binding_of
from ...call.candidate import special_of
from ...call.class_conversions import bound_conversions, conversions_of, lost_conversions
from ...call.conversion_sequences import CONVERTED, EXACT, Ics, Source, standard
from ...call.introspection import declaration_text
from ...errors import overload_error
from ...frozen import frozen
from ...types import BOOL, SCALARS, Enum, Pointer, Scalar, Text, Type, unqualified
from ...values.record_type import RecordType, set_own
from .conversions import AMBIGUOUS

# What Python's number is made of, and the type that C++ converts to where a class has no conversion of that kind.
_NUMBERS: dict[str, tuple[Callable[[Any], Any], Scalar]] = {
    "__int__": (int, SCALARS["int64"]), "__float__": (float, SCALARS["float64"]), "__bool__": (bool, BOOL),
}  # fmt: skip

_KINDS_OF_SCALARS = {"__int__": ("int", "uint"), "__float__": ("float",)}


def settle_casts(classes: Mapping[str, Any]) -> None:
    """Have the special methods of classes ask C++'s choice where it depends on the object being const."""
    for cls in sorted(classes.values(), key=lambda cls: len(cls.__mro__)):
        if not isinstance(cls, RecordType):
            continue
        for method in _NUMBERS:
            known: Any = special_of(cls, method)
            if known is not None and not isinstance(known, _Cast) and _differs(cls, method, known):
                set_own(cls, method, _Cast(cls, method, known))


@frozen
class _Way:
    """One conversion: its text, what calls it, how C++ brings the object to it, and what it gives to the number.

    ``kind`` says whether that is of the number's own kind: an integer of ``int()``, say, of whatever width.
    """

    text: str
    call: Callable[[Any], Any]
    ics: tuple[Ics, Ics]
    kind: bool


def _differs(cls: Any, method: str, known: Any) -> bool:
    """Whether C++ may call another conversion of an object that is not const than the one that a class has."""
    own = _signatures(known)
    others = [b for b in bound_conversions(cls) if _serves(b, method) and not _is_own(b, own)]
    writes = any(b.own for b in others) or any(s.parameters[0].may_write for s in own)
    least = 2 if own or method == "__bool__" else 1
    return writes and len(others) + bool(own) >= least


def _is_own(becomes: Any, own: Sequence[Any]) -> bool:
    """Whether a conversion is that of a special method: C++'s long and long long are one type here."""
    writes = [s.parameters[0].may_write for s in own]
    alike = any(unqualified(s.result) == unqualified(becomes.result) for s in own)
    return alike and becomes.own == any(writes) and becomes.writes == all(writes)


def _signatures(known: Any) -> Sequence[Any]:
    """The conversions of one type that a special method calls; none where it makes the number of something else."""
    binding = binding_of(known)
    found = binding.signatures if binding is not None else ()
    return found if all(s.name.startswith("operator ") for s in found) else ()


def _serves(becomes: Any, method: str) -> bool:
    """Whether C++ makes a number of what a conversion gives; a truth of addresses, too."""
    given = unqualified(becomes.result)
    if isinstance(given, Text):
        return method == "__bool__" and not given.spelling.startswith("std")
    if isinstance(given, Enum):
        return not given.scoped
    return isinstance(given, Scalar) or (method == "__bool__" and isinstance(given, Pointer))


class _Cast:
    """A special method that asks C++'s choice for each object."""

    def __init__(self, cls: Any, method: str, known: Any) -> None:
        self._method, self._known = method, known
        self._make, self._target = _NUMBERS[method]
        self._own = _signatures(known)
        if self._own:
            self._target = unqualified(self._own[0].result)  # type: ignore[assignment]
        self.__name__, self.__qualname__ = method, f"{cls.__qualname__}.{method}"
        self.__doc__ = getattr(known, "__doc__", None)
        self.__plan__ = getattr(known, "__plan__", None) or getattr(known, "__self__", None)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else lambda: self(instance)

    def __call__(self, obj: Any) -> Any:
        """The number, or the truth."""
        source = Source(type(obj), _native.is_const(obj))
        ways = [*self._ways(source)]
        nearest = ranking.nearest([way.ics for way in ways])
        found = None if nearest is None else ways[nearest]
        if (found is None and not ways) or self._is_ambiguous(ways):
            return self._bound(obj)  # it says that the object is const, or which conversions are as good
        lost = lost_conversions(type(obj))
        if found is None or (lost and found.call is not self._bound):
            texts = [*lost, *(way.text for way in ways)]
            raise overload_error(self.__qualname__, texts, "", tie=True)
        return found.call(obj)

    def _is_ambiguous(self, ways: Sequence[_Way]) -> bool:
        """Whether several conversions give the number that Python has one class for: its width says which in C++."""
        if not hasattr(self._known, AMBIGUOUS):
            return False
        const = all(way.ics[0].const for way in ways)
        return sum(way.kind for way in ways if way.ics[0].const == const) > 1

    def _bound(self, obj: Any) -> Any:
        bound = getattr(self._known, "__get__", None)
        return bound(obj, type(obj))() if bound is not None else self._known(obj)

    def _ways(self, source: Source) -> Any:
        if self._own:
            writes = [s.parameters[0].may_write for s in self._own]
            if not (all(writes) and source.const):
                of_object = Ics(EXACT, source.type, source.const or not any(writes))
                yield _Way(declaration_text(self._own[0]), self._bound, (of_object, Ics(EXACT)), kind=True)
        for becomes in conversions_of(source.type):
            type_ = unqualified(becomes.result)
            unusable = (becomes.writes and source.const) or not _serves(becomes, self._method)
            if unusable or _is_own(becomes, self._own):
                continue
            of_object = Ics(EXACT, source.type, source.const or not becomes.own)
            kind = isinstance(type_, Scalar) and type_.kind in _KINDS_OF_SCALARS.get(self._method, ())
            yield _Way(becomes.text, self._caller(becomes, type_), (of_object, self._standard(type_)), kind)

    def _standard(self, given: Type) -> Ics:
        known = standard(given, self._target) if isinstance(given, Scalar | Enum) else None
        return known or Ics(CONVERTED)

    def _caller(self, becomes: Any, given: Type) -> Callable[[Any], Any]:
        if isinstance(given, Text | Pointer):
            return lambda obj: _leads_somewhere(becomes.call(obj))
        return lambda obj: self._make(becomes.call(obj))


def _leads_somewhere(address: Any) -> bool:
    """Whether an address is not null: that of an empty text is not."""
    return address is not None and (isinstance(address, str | bytes) or bool(address))
