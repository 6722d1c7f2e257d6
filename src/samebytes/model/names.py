"""How a function is named: with its parameters' types, in words and by users."""

from __future__ import annotations

from collections.abc import Iterator

from ..types.naming import split_name
from .signature import Signature


def describe(signature: Signature) -> str:
    """A function's qualified name with its parameter types."""
    if signature.kind == "macro":
        return signature.name
    return f"{signature.qualified}({', '.join(p.spelling for p in signature.arguments)})"


def names_of(signature: Signature) -> Iterator[str]:
    """Every way to name a function in ``arg_intent``: ``f``, ``ns::f``, ``Struct.method``, ``f(int, float &)``."""
    owner = split_name(signature.owner)[-1]
    short = f"{owner}::{signature.name}" if owner else signature.name
    types = describe(signature).removeprefix(signature.qualified)
    for name in (short, signature.qualified, *signature.template_names):
        yield name
        yield f"{name}{types}"
        if owner:
            *home, method = split_name(name)
            yield f"{'::'.join(home)}.{method}"
            yield f"{'::'.join(home)}.{method}{types}"
