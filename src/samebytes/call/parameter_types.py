"""Which overload C++'s spellings of parameters mean: equal types by equal tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from ..errors import no_overload, several_overloads
from ..model.signature import Signature
from ..read.spellings import split_outside
from .introspection import declaration_text


def chosen_signature(name: str, signatures: Sequence[Signature], parameters: str) -> Signature:
    """The only overload with such parameters.

    Parameters
    ----------
    name : str
        The function, as errors name it.
    signatures : sequence of Signature
        Its overloads.
    parameters : str
        See :func:`samebytes.overload`.

    Raises
    ------
    BindError, TypeError
        As :func:`samebytes.overload`.
    """
    if not isinstance(parameters, str):
        raise TypeError(f"overload() takes C++'s types as a text, got {parameters!r}")
    known = [s for s in signatures if not s.implicit]
    found = [s for s in known if _normal(declaration_text(s)) == _normal(parameters)]
    if not found:
        types, qualifiers = _parts(parameters)
        alike = [s for s in known if _types(s) == types]
        exact = [s for s in alike if _tokens(s.qualifiers) == qualifiers]
        found = exact or ([] if qualifiers else alike)
    if len(found) == 1:
        return found[0]
    said = several_overloads if found else no_overload
    raise said(name, parameters, [declaration_text(s) for s in found or known])


# --- C++'s spellings, so that equal types are equal

_TOKEN = re.compile(r"[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*|::|&&|\d\w*|\S")
_WORDS = frozenset({"unsigned", "signed", "short", "long", "int", "char", "double", "const"})
_LESS = frozenset({"struct", "class", "enum", "union", "typename", "::"})
_SIGNED = ("signed char", "short", "int", "long")
_UNSIGNED = ("unsigned char", "unsigned short", "unsigned int", "unsigned long")
_CHARS = {"": "char", "w": "wchar_t", "u8": "char8_t", "u16": "char16_t", "u32": "char32_t"}
# Other names of types, as tokens; those of the library's own are in its declarations.
_NAMES = {
    **{f"uint{8 << i}_t": _UNSIGNED[i] for i in range(4)},
    **{f"int{8 << i}_t": _SIGNED[i] for i in range(4)},
    **{
        f"{kind}string{view}": f"basic_string{view}<{char}>"
        for kind, char in _CHARS.items()
        for view in ("", "_view")
    },
    "size_t": "unsigned long", "ptrdiff_t": "long", "ssize_t": "long", "intptr_t": "long", "uintptr_t": "unsigned long",
}  # fmt: skip
# Last arguments of the standard library's templates, which programs leave out, and clang does where it can.
_DEFAULTS = frozenset(
    f"std::{name}" for name in ("allocator", "char_traits", "default_delete", "equal_to", "hash", "less")
)


def _parts(text: str) -> tuple[tuple[tuple[str, ...], ...], list[str] | None]:
    """The types of the parameters, and the qualifiers behind them, None where there are no brackets to be behind."""
    text = text.strip()
    qualifiers = None
    if text.startswith("("):
        text, _, after = text[1:].rpartition(")")
        qualifiers = _tokens(after)
    parameters = [part for part in split_outside(text, ",") if part.strip() not in ("", "void")]
    return tuple(_type(_tokens(part)) for part in parameters), qualifiers


def _types(signature: Signature) -> tuple[tuple[str, ...], ...]:
    return tuple(_type(_tokens(p.spelling)) for p in signature.arguments)


def _normal(text: str) -> tuple[str, ...]:
    return tuple(_tokens(text))


def _tokens(text: str) -> list[str]:
    found: list[str] = []
    for token in _TOKEN.findall(text):
        name = re.sub(r"\s", "", token)
        bare = name.removeprefix("std::")
        other = _NAMES.get(bare, "") if bare != name or bare.endswith("_t") else ""
        found += _TOKEN.findall(f"std::{other}" if other.startswith("basic_") else other or name)
    return list(_joined([token for token in found if token not in _LESS]))


def _joined(tokens: Sequence[str]) -> Iterator[str]:
    """The words of a built-in type as one: ``unsigned long int`` is ``unsigned long``."""
    words: list[str] = []
    for token in (*tokens, ""):
        if token in _WORDS:
            words.append(token)
            continue
        if words:
            yield from ["const"] * ("const" in words)
            yield from _builtin([w for w in words if w != "const"])
            words = []
        if token:
            yield token


def _builtin(words: Sequence[str]) -> list[str]:
    if not words:
        return []
    kind = next((w for w in ("char", "short", "double") if w in words), "")
    long = "long " * words.count("long")
    if kind == "double":
        return [f"{long}double"]
    if kind == "char":
        return [" ".join([*(w for w in ("unsigned", "signed") if w in words), "char"])]
    return ["unsigned " * ("unsigned" in words) + (kind or long.rstrip() or "int")]


def _type(tokens: Sequence[str]) -> tuple[str, ...]:
    """A parameter's type: its first const in front, what is by value without any, an array as a pointer."""
    end = _first(tokens, lambda token: token in ("*", "&", "&&", "(", "["))
    base, rest = list(tokens[:end]), list(tokens[end:])
    depths = _depths(base)
    const = any(token == "const" and not depth for token, depth in zip(base, depths, strict=True))
    base = [t for t, depth in zip(base, depths, strict=True) if t != "const" or depth]
    if rest[:1] == ["["]:
        rest = ["*", *rest[rest.index("]") + 1 :]]
    if rest[-2:] == ["*", "const"]:
        rest.pop()
    return (*(["const"] if const and rest else []), *_arguments(base), *rest)


def _arguments(base: Sequence[str]) -> list[str]:
    """What is between angle brackets, each argument normalised."""
    if "<" not in base:
        return list(base)
    begin = base.index("<")
    end = len(base) - 1 - list(reversed(base)).index(">")
    parts: list[list[str]] = [[]]
    for token, depth in zip(base[begin + 1 : end], _depths(base[begin + 1 : end]), strict=True):
        if token == "," and not depth:
            parts.append([])
        else:
            parts[-1].append(token)
    while len(parts) > 1 and parts[-1][:1] and parts[-1][0] in _DEFAULTS:
        parts.pop()
    inside = [token for part in parts for token in (*_type([*part, "&"])[:-1], ",")]
    return [*base[: begin + 1], *inside[:-1], *base[end:]]


def _first(tokens: Sequence[str], wanted: Callable[[str], bool]) -> int:
    depths = _depths(tokens)
    return next((i for i, t in enumerate(tokens) if not depths[i] and wanted(t)), len(tokens))


def _depths(tokens: Sequence[str]) -> list[int]:
    """How deep each token is in brackets."""
    found, depth = [], 0
    for token in tokens:
        depth -= token in (">", ")")
        found.append(depth)
        depth += token in ("<", "(")
    return found
