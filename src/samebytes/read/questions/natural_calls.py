"""The calls that mean an instantiation of a function template, as Python would spell them."""

from __future__ import annotations

import re
from itertools import islice, product

from ..clang.kinds import Decl
from ..clang.libclang import Cursor, argument_types, kind_of

_INLINE = re.compile(r"\bstd::__\w+::")
_TEXTS = {"std::basic_string<char>": "std::string", "std::basic_string_view<char>": "std::string_view"}


def natural_calls(spelling: str, function: Cursor) -> tuple[str, ...]:
    """The calls with arguments of a function's own parameter types, as Python spells arguments."""
    choices = [_as_arguments(t.spelling) for t in argument_types(function.type.get_canonical())]
    name = spelling.partition("<")[0]
    if kind_of(function) == Decl.METHOD and not function.is_static_method():
        owner = function.semantic_parent.type.get_canonical().spelling
        name = f"({owner} &).{function.spelling}"
    return tuple(f"{name}({', '.join(picked)})" for picked in islice(product(*choices), 16))


def _as_arguments(spelling: str) -> tuple[str, ...]:
    """How Python may spell an argument for a parameter of a type."""
    plain = _INLINE.sub("std::", spelling)
    for canonical, usual in _TEXTS.items():
        plain = plain.replace(canonical, usual)
    target = re.fullmatch(r"const (.+) \*", plain)
    if target:
        return plain, f"{target[1]} *"
    referred = re.fullmatch(r"const (.+) &", plain)
    return (referred[1],) if referred else (plain.removesuffix(" &&"),)
