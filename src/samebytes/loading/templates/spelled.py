"""Python values and classes as C++ spells them: arguments of templates, and the types of a call's arguments."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import islice, product
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

import numpy as np

from ... import _native
from ...arrays.protocols import view
from ...call.introspection import declaration_text
from ...errors import ArgumentError, Error, RangeError, value_words
from ...layouts.dialects import find_dialect
from ...read.spellings import OPEN, call_types
from ...types import SCALARS, Const, Enum, Scalar, Struct, Type, Vector, as_type, unqualified
from ..type_names import TypeName

# Builtin words need no header; std::int32_t would.
WORDS = {
    "bool": "bool", "char": "char", "int8": "signed char", "int16": "short", "int32": "int", "int64": "long",
    "uint8": "unsigned char", "uint16": "unsigned short", "uint32": "unsigned int", "uint64": "unsigned long",
    "float32": "float", "float64": "double",
    "complex64": "std::complex<float>", "complex128": "std::complex<double>",
}  # fmt: skip
_DEVICE_WORDS = {"complex64": "cuda::std::complex<float>", "complex128": "cuda::std::complex<double>"}
_BALANCED = {")": "(", "]": "[", "}": "{"}
BY_NAME = "name the template's arguments: "  # to which the spelling of such a call is added
_MOST = 64  # spellings of one call


def spell_type(type_: Type, dialect: str = "cxx") -> str:
    """A type as C++ spells it without any header."""
    plain = unqualified(type_)
    const = "const " if isinstance(type_, Const) else ""
    if isinstance(plain, Scalar) and plain.name in WORDS:
        words = WORDS | _DEVICE_WORDS if dialect == "cuda" else WORDS
        return const + words[plain.name]
    if isinstance(plain, Struct | Enum) and plain.spelling:
        return const + plain.spelling
    return const + find_dialect(dialect).spell(plain)


_OURS = re.compile(r"\bsamebytes::((?:b?float|u?int)\w*?)(?:x([1-4]))?\b")


def in_dialect(spelling: str, dialect: str) -> str:
    """A type as :func:`argument_types` spells it, in the words of a dialect."""
    if dialect == "cxx":
        return spelling

    def own(found: re.Match[str]) -> str:
        scalar = SCALARS[found[1]]
        return spell_type(Vector(scalar, int(found[2])) if found[2] else scalar, dialect)

    text = _OURS.sub(own, spelling)
    for name, word in _DEVICE_WORDS.items() if dialect == "cuda" else ():
        text = text.replace(WORDS[name], word)
    return text


# --- template arguments


def template_argument(value: Any, dialect: str = "cxx") -> str:
    """One template argument: a type, a number, an enumerator or C++ text.

    ``int``, ``float`` and ``bool`` are C++'s types of those names, ``str`` is ``std::string``; NumPy's scalar types,
    records, enumerations and instantiated classes are theirs.

    Raises
    ------
    ArgumentError
        If nothing in C++ is meant by it.
    """
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return str(value).lower()
    own = getattr(type(value), "__samebytes_type__", None)
    if isinstance(value, enum.Enum) and isinstance(own, Type):
        return f"static_cast<{spell_type(own, dialect)}>({int(value.value)})"
    if isinstance(value, int | np.integer):
        return str(int(value))
    if value is str:
        return "std::string"
    described = getattr(value, "__samebytes_type__", None)
    if isinstance(value, TypeName):
        return value.__samebytes_spelling__
    try:
        return spell_type(described if isinstance(described, Type) else as_type(value), dialect)
    except (TypeError, Error) as error:
        raise ArgumentError(
            f"a template's argument is a type, an integer, an enumerator or C++ text, got {value_words(value)}"
        ) from error


def _text(text: str) -> str:
    stack: list[str] = []
    for sign in text:
        if sign in _BALANCED.values():
            stack.append(sign)
        elif (sign in _BALANCED and (not stack or stack.pop() != _BALANCED[sign])) or sign in ";\n\\#":
            break
    else:
        if not stack and text.strip() and text.count("<") == text.count(">"):
            return text.strip()
    raise ArgumentError(
        f"a template's argument is one C++ type or constant, whose brackets match, as text; got {text!r}"
    )


# --- arguments of a call


def argument_types(value: Any, matrices: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The C++ types that an argument may have, the likeliest first.

    Parameters
    ----------
    matrices : tuple of str
        What an array is in a library of matrices, by its dimensions from one on.

    Raises
    ------
    ArgumentError, RangeError
        If there is none.
    """
    if type(value) is bool or isinstance(value, np.bool_):
        return ("bool", "bool &")
    described = getattr(type(value), "__samebytes_type__", None)
    if isinstance(described, Type):
        return _instance(value, described)
    for kinds, rule in _RULES:
        if isinstance(value, kinds):
            return rule(value)
    return _array(value, matrices)


def _instance(value: Any, described: Type) -> tuple[str, ...]:
    spelling = spell_type(described)
    if isinstance(value, _native.Record):
        read = "const " * _native.is_const(value)
        return (f"{read}{spelling} &", f"{read}{spelling} *", spelling)
    if isinstance(described, Enum):
        return (
            spelling,
            f"const {spelling} &",
            f"{spelling} &",
        )  # the last for `e |= x`, and what takes a T&
    return (spelling, f"const {spelling} &")


def _integer(value: int) -> tuple[str, ...]:
    if not -(2**63) <= value < 2**63:
        raise RangeError(f"{value} fits none of C++'s int, long and long long")
    word = "int" if -(2**31) <= value < 2**31 else "long"
    return (word, f"{word} &")


def _number(value: np.generic) -> tuple[str, ...]:
    word = spell_type(as_type(value.dtype))
    return (word, f"{word} &")


def _array(value: Any, matrices: tuple[str, ...] = ()) -> tuple[str, ...]:
    try:
        seen = view(value)
    except Error as error:
        raise ArgumentError(f"{untold(value)}; {BY_NAME}") from error
    if seen.type is None:
        raise ArgumentError(f"the C++ type of its elements cannot be told from {value_words(value)}")
    word = spell_type(unqualified(seen.type))
    pointer = f"const {word} *" if seen.readonly else f"{word} *"
    element = f"{'const ' * seen.readonly}{word}"
    flat = (f"std::span<{element}>", f"std::vector<{word}> &") if seen.ndim == 1 else ()
    if 1 <= seen.ndim <= len(matrices):  # a vector may be meant as a matrix, too
        return tuple(
            form.format(word) for form in matrices[seen.ndim - 1 : 2 if seen.ndim == 1 else seen.ndim]
        )
    return (pointer, f"std::vector<{word}>", *flat, f"samebytes::array<{element}, {seen.ndim}>")


def _listed(values: Iterable[Any], template: str) -> tuple[str, ...]:
    kinds = {argument_types(v)[0].removesuffix(" &") for v in values}
    if len(kinds) != 1:
        found = ", ".join(sorted(kinds)) or "none"
        raise ArgumentError(f"the elements of a {template} have one C++ type, here they have {found}")
    element = _owning(kinds.pop())
    return (f"{template}<{element}>", f"{template}<{element}> &")


def _owning(spelling: str) -> str:
    """What a container holds of an argument: text, not the address of some."""
    return "std::string" if spelling == "const char *" else spelling


def _tuple(values: tuple[Any, ...]) -> tuple[str, ...]:
    inner = ", ".join(_owning(argument_types(v)[0].removesuffix(" &")) for v in values)
    pair = (f"std::pair<{inner}>",) if len(values) == 2 else ()
    return (f"std::tuple<{inner}>", *pair)


def _dict(values: Mapping[Any, Any]) -> tuple[str, ...]:
    inner = [_listed(part, "X")[0][2:-1] for part in (values.keys(), values.values())]
    return tuple(f"std::{kind}<{', '.join(inner)}>" for kind in ("map", "unordered_map"))


def untold(value: Any) -> str:
    """That nothing says which C++ type an argument has."""
    return f"its C++ type cannot be told from {value_words(value)}"


def is_function(value: Any) -> bool:
    """Whether an argument is a callable of Python's, of which C++ knows nothing."""
    return isinstance(value, FunctionType | MethodType | partial)


def _function(value: Any) -> tuple[str, ...]:
    """A C++ function that samebytes bound, as the pointer to it that C++ makes of its name."""
    binding: Any = getattr(getattr(value.__self__, "fallback", None), "__self__", None)
    signatures = getattr(binding, "signatures", ())
    if not signatures or signatures[0].object is not None:
        return _array(value)
    if len(signatures) > 1:
        forms = "".join(f"\n  {declaration_text(s)}" for s in signatures)
        raise ArgumentError(
            f"C++ cannot tell which of these functions is meant; cast to one of them in C++:{forms}"
        )
    only = signatures[0]
    result, types = only.result_spelling, ", ".join(p.spelling for p in only.parameters)
    if "(*" in result:
        result = f"samebytes_bare<{result}>"
    return (f"{result} (*)({types})",)


TEXT = ("const char *", "std::string", "std::string_view")
# Where a template makes of text what `T` is: comparing, adding and keeping that means the text, and no address of some.
_OWN_TEXT = ("std::string", "const char *", "std::string_view")
_RULES: tuple[tuple[Any, Callable[[Any], tuple[str, ...]]], ...] = (
    (np.generic, _number),
    (int, _integer),
    (float, lambda value: ("double", "double &")),
    (complex, lambda value: ("std::complex<double>", "std::complex<double> &")),
    ((str, bytes), lambda value: TEXT),
    (type(None), lambda value: ("decltype(nullptr)",)),
    (_native.Pointer, lambda value: (f"{'const ' * value.is_const}void *",)),
    (list, lambda value: _listed(value, "std::vector")),
    ((set, frozenset), lambda value: _listed(value, "std::set")),
    (tuple, _tuple),
    (dict, _dict),
    (BuiltinFunctionType, _function),
)


def choices_of(
    values: Iterable[Any],
    matrices: tuple[str, ...] = (),
    *,
    named: bool = False,
    texts: Collection[int] = (),
) -> list[Sequence[str]]:
    """The C++ types that each of some arguments may have, each with the likeliest first.

    Parameters
    ----------
    matrices : tuple of str
        See :func:`argument_types`.
    named : bool
        Whether template arguments are given, which say what Python's callables are.
    texts : collection of int
        The places where text is a ``std::string`` rather than an address; see :func:`places_of_own`.
    """
    choices: list[Sequence[str]] = []
    for place, value in enumerate(values):
        known = (OPEN,) if named and is_function(value) else argument_types(value, matrices)
        choices.append(_OWN_TEXT if known is TEXT and place in texts else known)
    return choices


def places_of_own(declared: Iterable[tuple[str, int]], count: int) -> frozenset[int]:
    """The places of arguments of which every one of several templates makes a type of its own, ``T`` or ``const T&``.

    Parameters
    ----------
    declared : iterable of (str, int)
        As :class:`samebytes.model.module.Template` has them, and which argument the first parameter is.
    count : int
        How many arguments there are.
    """
    found = [
        frozenset(first + place for place in _own_places(declaration, count - first))
        for declaration, first in declared
    ]
    return frozenset.intersection(*found) if found else frozenset()


def _own_places(declaration: str, count: int) -> frozenset[int]:
    head = declaration.partition("<")[2].partition(">")[0]
    words = {word.split()[-1] for word in head.split(",") if word.strip().startswith("class")}
    types = call_types(declaration)
    if types and types[-1].endswith("..."):
        types = (*types[:-1], *[types[-1].removesuffix("...")] * max(0, count - len(types) + 1))
    bare = [type_.removeprefix("const ").rstrip("& ") for type_ in types]
    return frozenset(place for place, word in enumerate(bare) if word in words)


def calls(name: str, choices: Sequence[Sequence[str]], hidden: Iterable[int] = ()) -> tuple[str, ...]:
    """The spellings of a call: first those in which most arguments are what they likeliest are.

    Parameters
    ----------
    choices : sequence of sequence of str
        The C++ types that each argument may have, each with the likeliest first.
    hidden : iterable of int
        The places of outputs that the call leaves open, in order.
    """
    open_too = list(choices)
    for place in hidden:
        if place <= len(open_too):
            open_too.insert(place, (OPEN,))
    ranked = sorted(
        islice(product(*map(list, map(enumerate, open_too))), _MOST),
        key=lambda picked: sum(rank for rank, _ in picked),
    )
    return tuple(f"{name}({', '.join(word for _, word in picked)})" for picked in ranked)
