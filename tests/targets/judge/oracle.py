"""What g++ answers: the same function called by C++ with the same number, struct or array."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from tests.of_gcc import REFUSED, answers

import samebytes as sb

from . import sources
from .arguments import ARGUMENTS, BYTE, CXX_STRUCTS, Argument, dtype, numbers
from .kinds import KINDS, Kind
from .sources import STRUCTS

_ASK = """
#include <cstring>
#include <type_traits>
template <class P, class V>
  requires std::is_convertible_v<V, std::remove_cvref_t<P>>
void ask(Digest (*f)(P), V value) {
  std::remove_cvref_t<P> x = value;
  std::printf("%llu\\n", f(static_cast<P>(x)));
}
template <unsigned N>
void shown(Digest digest, const unsigned char (&room)[N]) {
  std::printf("%llu ", digest);
  for (unsigned char b : room) std::printf("%02x", b);
  std::printf("\\n");
}
"""

Answer = tuple[int, str]  # the digest, and the bytes of the array after the call in hex


_R = np.dtype([("a", "i4"), ("b", "f8")], align=True)
# The elements of the arrays of structs that C++ is given.
_STRUCTS = {
    "R": _R,
    "Init": _R,
    "Wide": np.dtype({"names": ["f"], "formats": [("f4", 4)], "itemsize": 32}),
    "Packed": np.dtype([("c", "i1"), ("i", "i4")]),
}


def _element(kind: Kind) -> np.dtype[Any] | None:
    return _STRUCTS.get(kind.element) if kind.element in STRUCTS else dtype(None, kind.element)


def statement(kind: Kind, argument: Argument) -> str:
    """The call in C++; empty where C++ has no such argument."""
    if "y" in kind.intent or not sources.HOST.has(kind):
        return ""
    if argument.cxx and argument.number:
        return f"ask(k_{kind.name}, {argument.cxx});"
    if argument.name == "struct" and kind.element in CXX_STRUCTS:
        return f"ask(k_{kind.name}, {CXX_STRUCTS[kind.element]});"
    if argument.right and kind.cxx and (element := _element(kind)) is not None:
        found = np.full(prod(kind.shape) * element.itemsize, BYTE, "u1")
        np.ndarray(prod(kind.shape), element, found)[...] = numbers(prod(kind.shape), element)
        room = ", ".join(map(str, found.tolist()))
        return f"{{ alignas(64) unsigned char p[] = {{{room}}}; shown(k_{kind.name}({kind.cxx}), p); }}"
    return ""


def asked(cells: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Answer]:
    """The answers to the cells that C++ takes."""
    texts = {cell: statement(KINDS[cell[0]], ARGUMENTS[cell[1]]) for cell in cells}
    texts = {cell: text for cell, text in texts.items() if text}
    if not texts:
        return {}
    include = rf'#include "{sb.get_include()}/\1"'
    kinds = [KINDS[name] for name in dict.fromkeys(kind for kind, _ in texts)]
    program = re.sub(r"#include <(samebytes/.+)>", include, sources.HOST.source(kinds)) + _ASK
    with tempfile.TemporaryDirectory() as place:
        said = answers(program, [*texts.values()], "c++20", Path(place))
    found = {cell: line.split() for cell, line in zip(texts, said, strict=True) if line != REFUSED}
    return {cell: (int(words[0]), words[1] if len(words) > 1 else "") for cell, words in found.items()}
