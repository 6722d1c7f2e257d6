"""The spellings of instantiations: what is called, and with arguments of which types."""

from __future__ import annotations


def is_call(spelling: str) -> bool:
    """Whether a spelling is that of a call."""
    return spelling.endswith(")")


def callee(spelling: str) -> str:
    """What a call calls: ``ns::f<int>`` of ``ns::f<int>(double)``."""
    return spelling[: _opening(spelling)].strip() if is_call(spelling) else spelling


def call_types(spelling: str) -> tuple[str, ...]:
    """The argument types of a call's spelling."""
    inner = spelling[_opening(spelling) + 1 : -1]
    return tuple(part.strip() for part in split_outside(inner, ",") if part.strip())


def _opening(spelling: str) -> int:
    depth = 0
    for place in range(len(spelling) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(spelling[place], 0)
        if depth == 0:
            return place
    return len(spelling)


def split_outside(text: str, separator: str) -> list[str]:
    """The parts of a text between separators that stand outside all brackets."""
    parts, depth, start = [], 0, 0
    for place, sign in enumerate(text):
        depth += {"<": 1, "(": 1, "[": 1, "{": 1, ">": -1, ")": -1, "]": -1, "}": -1}.get(sign, 0)
        if depth == 0 and text.startswith(separator, place):
            parts.append(text[start:place])
            start = place + len(separator)
    return [*parts, text[start:]]
