"""Reads the C++ spelling of one type: qualifiers, pointers, functions, arrays and the templates that are known."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ....types import (
    SCALARS,
    SPELLED,
    VOID,
    Argument,
    Array,
    CArray,
    Const,
    Function,
    Pointer,
    Type,
    Vector,
    as_type,
    atomic,
    unqualified,
)
from ....types.base import UnknownName
from ....types.scalar import Scalar
from .names import described, known_names

_TOKEN = re.compile(r"\s*(?:([A-Za-z_:][\w:]*)|(\d+)|([<>*&,\[\]()]))")

# Words that make up builtin numbers in C and C++ on x86-64 Linux, in alphabetical order.
_WORDS = {
    "bool": "bool", "_Bool": "bool", "char": "char", "char signed": "int8", "char unsigned": "uint8",
    "short": "int16", "int": "int32", "long": "int64", "long long": "int64",
    "float": "float32", "double": "float64",
    "_Complex float": "std::complex<float>", "_Complex double": "std::complex<double>",
}  # fmt: skip
_INTEGERS = frozenset({"short", "int", "long", "long long"})
_BUILTIN_WORDS = frozenset({w for row in _WORDS for w in row.split()} | {"signed", "unsigned"})

# What may stand before the name of a type, and behind it.
_BEFORE = frozenset({"const", "volatile", "struct", "class", "enum", "typename"})
_BEHIND = frozenset({"*", "&", "const", "volatile", "__restrict__", "__restrict", "restrict"})

_NAMESPACES = frozenset({"cuda", "hip", "nv", "samebytes", "std", "sycl", "thrust"})


class Parser:
    """Reads one type from left to right: what Python has of C++'s type-ids (ISO C++ [dcl.name])."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(self._split())
        self.place = 0

    def _split(self) -> Iterator[str]:
        place = 0
        text = self.text.rstrip()
        while place < len(text):
            match = _TOKEN.match(text, place)
            if match is None:
                raise self.refusal(f"{text[place:].strip()[:10]!r} is not understood")
            yield match.group().strip()
            place = match.end()

    def refusal(self, reason: str) -> TypeError:
        """The error for a text that is none of these types."""
        return TypeError(f"{self.text!r} has no machine representation: {reason}")

    def peek(self) -> str:
        """The next token; empty at the end."""
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self, expected: str = "") -> str:
        """The next token, which is then behind us; an error if it is not the one expected."""
        token = self.peek()
        if expected and token != expected:
            raise self.refusal(f"expected {expected!r}, got {token or 'the end'!r}")
        self.place += 1
        return token

    def type(self) -> Type:
        """A type with its qualifiers, pointers, parameters and extents."""
        const, words = False, []
        while (token := self.peek()) in _BEFORE or token in _BUILTIN_WORDS:
            self.take()
            const = const or token == "const"
            words += [token] if token in _BUILTIN_WORDS else []
        base = self._builtin(words) if words else self._named()
        while (token := self.peek()) in _BEHIND:
            self.take()
            if token == "&":
                raise self.refusal("a reference says how an argument is passed; write the type itself")
            if token == "const":
                const = True
            elif token == "*":
                base, const = Pointer(Const(base) if const else base), False
        base = Const(base) if const else base
        return self._function(base) if self.peek() == "(" else self._extents(base)

    def _function(self, result: Type) -> Type:
        """``(*)(A, B)`` or ``(A, B)`` after the result's type: either is the pointer, as of a parameter."""
        self.take("(")
        if self.peek() == "*":
            self.take()
            self.take(")")
            self.take("(")
        arguments: list[Argument] = []
        names: list[str] = []
        while self.peek() != ")":
            if arguments:
                self.take(",")
            arguments.append(Argument(self.type()))
            names.append(self.take() if self.peek().isidentifier() else "")
        self.take(")")
        if [a.type for a in arguments] == [VOID]:
            arguments, names = [], []
        return Pointer(Function(unqualified(result), tuple(arguments)).named(names))

    def _extents(self, base: Type) -> Type:
        shape = []
        while self.peek() == "[":
            self.take()
            shape.append(self.number())
            self.take("]")
        return CArray(base, tuple(shape)) if shape else base

    def number(self) -> int:
        """A positive number, as of an extent."""
        token = self.take()
        if not token.isdigit() or int(token) == 0:
            raise self.refusal(f"expected a positive number, got {token or 'the end'!r}")
        return int(token)

    def _builtin(self, words: list[str]) -> Type:
        unsigned = "unsigned" in words
        key = " ".join(sorted(w for w in words if w not in ("signed", "unsigned")))
        key = " ".join(w for w in key.split() if w != "int" or key == "int") or "int"
        if key == "char" and len(words) == 2:
            return SCALARS["uint8" if unsigned else "int8"]
        found = _WORDS.get(key)
        if found is None or (len({"signed", "unsigned"} & {*words}) and key not in _INTEGERS):
            raise self.refusal("C++ here has no such number that Python knows")
        return described(f"u{found}" if unsigned else found)

    def _named(self) -> Type:
        full = self.take().removeprefix("::")
        if "::" in full and full.partition("::")[0] not in _NAMESPACES:
            raise UnknownName(str(self.refusal(f"namespace {full.partition('::')[0]!r} is not known")))
        name = full.rpartition("::")[2]
        key = "samebytes::array" if full == "samebytes::array" else name
        if self.peek() == "<" and key in _TEMPLATES:
            self.take()
            made = _TEMPLATES[key](self, full)
            self.take(">")
            return made
        if name == "void":
            return VOID
        found = known_names().get(name)
        if found is None:
            raise self._unknown(full, name)
        return described(found)

    def _unknown(self, full: str, name: str) -> UnknownName:
        from difflib import get_close_matches

        names = {*known_names(), *_TEMPLATES, *_WORDS, "void"}
        near = get_close_matches(name, names, 3, 0.5)
        words = f"no type is called {full!r}" + (f"; near are {', '.join(near)}" if near else "")
        error = UnknownName(str(self.refusal(words)))
        error.near = bool(get_close_matches(name, names, 1, 0.76))
        return error

    def parse(self) -> Type:
        """The whole text as one type."""
        found = self.type()
        if self.peek():
            raise self.refusal(f"{self.peek()!r} is not understood here")
        return found


def _complex(parser: Parser, full: str) -> Type:
    inner = parser.type()
    name, word = {"float32": ("complex64", "float"), "float64": ("complex128", "double")}.get(
        str(inner), ("", "")
    )
    if not name:
        raise parser.refusal(f"no complex number of {inner} is known")
    found = SCALARS[name] if full == "complex" else SPELLED.get(f"{full}<{word}>")
    if found is None:
        raise parser.refusal(f"no type is called {full!r}")
    return found


def _held_array(parser: Parser, _: str) -> Type:
    element = parser.type()
    parser.take(",")
    return CArray(element, (parser.number(),))


def _descriptor(parser: Parser, _: str) -> Type:
    element = parser.type()
    parser.take(",")
    rank = parser.take()
    if not rank.isdigit():
        raise parser.refusal(f"expected a number of dimensions, got {rank!r}")
    return Array(element, int(rank))


def _vector(parser: Parser, _: str) -> Type:
    element = parser.type()
    parser.take(",")
    if not isinstance(element, Scalar):
        raise parser.refusal(f"no vector of {element} is known")
    return Vector(element, parser.number())


# libcu++ keeps smaller atomics in a word of 32 bits, sign extended, and others beside a lock.
_CUDA_ATOMIC_SIZES = (4, 8)


def _atomic(parser: Parser, full: str) -> Type:
    element = parser.type()
    made = as_type(atomic(element))
    if full.startswith("cuda::"):
        from .. import layout

        if (size := layout(element, "cuda").size) not in _CUDA_ATOMIC_SIZES:
            raise parser.refusal(
                f"libcu++ does not keep an atomic {element} in its {size} bytes; declare one of 4 or 8 bytes, "
                "or samebytes::atomic<T>, storage for an atomic_ref"
            )
    return made


_TEMPLATES: dict[str, Callable[[Parser, str], Type]] = {
    "complex": _complex,
    "samebytes::array": _descriptor,
    "array": _held_array,  # std::array lies as T[N]
    "vec": _vector,
    "atomic": _atomic,
}
