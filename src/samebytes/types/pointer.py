"""Pointers, and what they may point to without its layout being known."""

from __future__ import annotations

import re
from dataclasses import field, replace
from typing import Any, ClassVar

from ..frozen import frozen
from .array import Array
from .base import Const, Type, UnknownName, as_type, described, unqualified
from .scalar import CHAR, unspelled

# In place of a device's number, of what a function of the host takes: each of them.
ANY_DEVICE = "*"
# C++'s characters beside char, and the bytes of each: text is UTF-8, UTF-16 or UTF-32. Linux's wchar_t has 32 bits.
CHARACTERS = {"char8_t": 1, "char16_t": 2, "char32_t": 4, "wchar_t": 4}
_QUALIFIED = r"[^\W\d]\w*(::[^\W\d]\w*)*"


@frozen
class Named(Type):
    """A record known by name only: an incomplete struct, or one that a pointer refers to.

    Attributes
    ----------
    name : str
        The qualified name, ``ns::Node``; a library resolves it to the record it binds, if it binds it.
    python : type or None
        The class of pointers to it, where a C API's library has one for each opaque type.
    home : object
        In a library: what finds the class of that name there, which may be declared later, or around.
    """

    name: str
    python: type | None = field(default=None, compare=False, repr=False)
    home: Any = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return self.name


@frozen
class Pointer(Type):
    """An address of ``pointee`` values; written ``sb.pointer[T]``.

    Attributes
    ----------
    adapter : str
        The adapter that makes an address of what is passed (``style="c_api"``), ``"ListOfInt"``; empty: none.
    least : int
        How many there are at least, as a parameter declares it, ``int a[3]``; 0 where nothing says it.
    measured : str
        Of a text that a C API gives: the output that says how many bytes it has; empty: it ends with a NUL.
    nonnull : bool
        Of a parameter: whether it is declared never to be null.
    sized : bool
        Of a text that goes in: whether a length goes in, too, so that bytes may have NULs.
    viewed : bool
        In a library of C: whether Python sees the record that it points to also where C may only read it.
    character : str
        Of text that is none of ``char``: C++'s word for a character, ``wchar_t``; empty: it points to no such.
    alias : str
        The typedef by which a declaration names the byte that is pointed to, ``xmlChar``; empty: none.
    memory : str
        The dialect whose devices read what is there, ``"cuda"``, or one device, ``"cuda:0"``; ``"cuda:*"`` and
        ``"device:*"``, each of CUDA's and of all, for a function of the host; ``"local"``: a work-group's own, of
        which a launch says how much it is; empty: the host does.
    row : type or None
        Of what ``operator[]`` gives: the class of such addresses, which are subscripted further.
    """

    INSIDE: ClassVar = ("pointee",)

    pointee: Type
    adapter: str = ""
    least: int = 0
    measured: str = ""
    nonnull: bool = False
    sized: bool = field(default=False, compare=False)
    viewed: bool = field(default=False, compare=False, repr=False)
    character: str = ""
    alias: str = field(default="", compare=False, repr=False)
    memory: str = ""
    row: type | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        described(self, "pointee")
        object.__setattr__(self, "pointee", unspelled(self.pointee))

    def __class_getitem__(cls, hint: object) -> Pointer:
        """``sb.pointer[T]``; a name that is no type's is a struct's, declared later or around: ``pointer["Node"]``."""
        try:
            return cls(as_type(hint))
        except UnknownName as error:
            if error.near or not re.fullmatch(_QUALIFIED, str(hint)):
                raise
            return cls(Named(str(hint)))

    @property
    def const(self) -> bool:
        """Whether the callee may only read through the pointer."""
        return isinstance(self.pointee, Const)

    @property
    def levels(self) -> tuple[int, int]:
        """Where the callee may only read, and where it may write.

        Bit 0 is for what is pointed to, bit 1 for what a pointer there points to, and so on.
        """
        const = mutable = 0
        level = 1
        type_: Type = self
        while isinstance(type_, Pointer):
            const, mutable = const | level * type_.const, mutable | level * (not type_.const)
            level, type_ = 2 * level, type_.target
        return const, mutable

    @property
    def target(self) -> Type:
        """The pointee without its const."""
        return unqualified(self.pointee)

    @property
    def is_string(self) -> bool:
        """Whether this is ``const char*``, which travels as text; none of a device's memory does."""
        return self.pointee == Const(CHAR) and not self.memory

    @property
    def is_text(self) -> bool:
        """Whether what it gives is text: of ``char``, or of wider characters."""
        return self.is_string or bool(self.character and self.const and not self.memory)

    @property
    def unit(self) -> int:
        """The bytes of a character of the text."""
        return CHARACTERS[self.character] if self.is_text and self.character else 1

    def __str__(self) -> str:
        return f"pointer[{self.pointee}]"


def in_memory(type_: Type, memory: str) -> Type:
    """The type with every address in its values leading into a device's memory."""
    if isinstance(type_, Pointer | Array):
        return replace(type_, memory=memory)
    return type_.with_parts(lambda part: in_memory(part, memory))
