"""C++ objects that the shim makes of a plain description and describes again: std::string, std::vector, …

Their layout is C++'s own business: no byte of them is assumed here. What travels is the *wire* of each, a few
plain words that ``include/samebytes/crossing`` turns into the object and back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import ClassVar

from ..frozen import frozen
from .array import CArray
from .base import Type, unqualified
from .function import Function
from .scalar import SCALARS, Scalar

_ALIAS = r"std::(?:__\w+::)?basic_string(_view)?<(char|wchar_t|char8_t|char16_t|char32_t)>"
_NAMES = {"char": "", "wchar_t": "w", "char8_t": "u8", "char16_t": "u16", "char32_t": "u32"}


@frozen
class Converted(Type):
    """The root of these types.

    Attributes
    ----------
    spelling : str
        The C++ class without qualifiers, ``std::vector<float>``.
    """

    spelling: str

    @property
    def words(self) -> str:
        """The class as users write it."""
        return re.sub(_ALIAS, lambda found: f"std::{_NAMES[found[2]]}string{found[1] or ''}", self.spelling)


@frozen
class Text(Converted):
    """Text: a str, or bytes where its units are bytes.

    Attributes
    ----------
    unit : int
        Bytes of one C++ character: 1 (UTF-8), 2 (UTF-16) or 4 (UTF-32).
    """

    unit: int = 1

    def __str__(self) -> str:
        return "str"


@frozen
class FilePath(Converted):
    """A std::filesystem::path: whatever ``os.fspath`` takes goes in, a pathlib.Path comes back."""

    def __str__(self) -> str:
        return "Path"


@frozen
class Duration(Converted):
    """A std::chrono::duration: a datetime.timedelta.

    Attributes
    ----------
    count : Scalar
        The format of its count.
    numerator, denominator : int
        The length of one tick in seconds.
    """

    INSIDE: ClassVar = ("count",)

    count: Scalar = SCALARS["int64"]
    numerator: int = 1
    denominator: int = 1

    def __str__(self) -> str:
        return "timedelta"


@frozen
class Object(Converted):
    """An object of a class that is no bytes, inside a container: C++ copies it, and shows its own.

    Attributes
    ----------
    target : Type
        The class.
    refers : bool
        Whether C++ gets no copy: it is a std::reference_wrapper.
    """

    INSIDE: ClassVar = ("target",)

    target: Type
    refers: bool = False

    def __str__(self) -> str:
        return str(self.target)


@frozen
class Owner(Converted):
    """A std::shared_ptr or std::unique_ptr to an object of a class: that object, or None.

    Attributes
    ----------
    target : Type
        The class, const where C++ says so.
    shared : bool
    own : bool
        Whether C++ destroys the object by ``delete``, and so can take over one that Python made.
    ends : str
        Of a pointer that a function hands over (intent ``"owned"``): how C++ ends ``{0}``; empty: by ``delete``.
    """

    INSIDE: ClassVar = ("target",)

    target: Type
    shared: bool = False
    own: bool = True
    ends: str = ""

    def __str__(self) -> str:
        return f"{self.target} | None"


@frozen
class Instant(Duration):
    """A point in time of the system's clock: a datetime.datetime that knows its time zone."""

    def __str__(self) -> str:
        return "datetime"


@frozen
class Nothing(Converted):
    """A std::monostate or a std::nullptr_t: None."""

    def __str__(self) -> str:
        return "None"


# A std::nullptr_t where compilers have no header that declares the name: it has no wire.
BARE_NULL = Nothing("decltype(nullptr)")


@frozen
class Bits(Converted):
    """A std::bitset: the number that its bits are.

    Attributes
    ----------
    count : int
    """

    count: int = 64

    @property
    def wire(self) -> CArray:
        """Words of 64 bits, the lowest first."""
        return CArray(SCALARS["uint64"], (-(-self.count // 64),))

    def __str__(self) -> str:
        return f"{self.count} bits"


@frozen
class Callback(Converted):
    """A std::function that keeps the Python callable that it is made of.

    Attributes
    ----------
    function : Function
        What it is called as; an object that it returns is an :class:`Object`.
    """

    function: Function

    @property
    def parts(self) -> tuple[Type, ...]:
        return (self.function.result, *(unqualified(a.type) for a in self.function.arguments))

    def with_parts(self, change: Callable[[Type], Type]) -> Callback:
        """The type of what is called with, and gives back, changed types."""
        return replace(self, function=self.function.with_parts(change))

    def __str__(self) -> str:
        return str(self.function)


@frozen
class Stream(Converted):
    """A std::ostream or std::istream by reference: a file of Python's, for the length of the call.

    Attributes
    ----------
    reads : bool
        Whether C++ reads from it.
    """

    reads: bool = False

    def __str__(self) -> str:
        return "file"


@frozen
class Held(Type):
    """A result and what keeps its target in C++: until Python has read it, or as long as its array or pointer."""

    INSIDE: ClassVar = ("type",)

    type: Type

    def __str__(self) -> str:
        return str(self.type)


def shows_text(type_: Type) -> bool:
    """Whether objects of a type show text that is not their own, as a ``std::string_view`` does."""
    parts = _own_parts(unqualified(type_))
    return any(isinstance(part, Text) and "basic_string_view" in part.spelling for part in parts)


def shows_elements(type_: Type) -> bool:
    """Whether objects of a type show elements that are not their own, as a ``std::span`` does."""
    parts = converted_parts(unqualified(type_))
    return any(part.spelling.startswith("std::span<") or bool(_shown_by(part)) for part in parts)


def _own_parts(type_: Type) -> Iterator[Converted]:
    """The converted types inside of objects of a type: what a callable takes and gives is not."""
    if isinstance(type_, Converted):
        yield type_
        for part in () if isinstance(type_, Callback) else type_.parts:
            yield from _own_parts(part)


def _shown_by(part: Converted) -> str:
    """What a matrix does with elements of others; empty of what is none, or has its own."""
    return str(getattr(part, "shows", ""))


def converted_parts(type_: Type) -> Iterator[Converted]:
    """The converted types inside a type, itself included."""
    if isinstance(type_, Converted):
        yield type_
        for part in type_.parts:
            yield from converted_parts(part)
