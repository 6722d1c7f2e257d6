"""The spellings of instantiations: what is called, and with arguments of which types.

``ns::f<3>(double *, int)``
    A function.
``(ns::S &).put(int)``
    A method of an object.
``operator+(ns::V &, double)``
    Whatever function the operator between such operands means.
"""

from __future__ import annotations

from ..later import later_pattern

FORMATS = "samebytes/vector.hpp"  # the header of what `names_format` finds
_FORMAT = later_pattern(r"\bsamebytes::(?:b?float(?:16|8e\w+)|[a-z]+\d+x[1-4])\b")
BUILT_IN = "it is a built-in operator"  # what an operator means that calls no function
OPEN = "?"  # a type that a call leaves to be deduced


def is_call(spelling: str) -> bool:
    """Whether a spelling is that of a call."""
    return spelling.endswith(")")


def names_format(spelling: str) -> bool:
    """Whether a spelling names a number or a vector of ours, whose header the library need not have included."""
    return _FORMAT.search(spelling) is not None


def callee(spelling: str) -> str:
    """What a call calls: ``ns::f<int>`` of ``ns::f<int>(double)``."""
    return spelling[: _opening(spelling)].strip() if is_call(spelling) else spelling


def operator_form(spelling: str) -> str:
    """How C++ writes the operator of a call, with ``{0}``, ``{1}`` … for the operands; empty for other calls."""
    called = callee(spelling)
    sign = called.removeprefix("operator")
    if sign == called or not sign or sign[0].isalnum() or sign[0] in "_ ":
        return ""
    first, *rest = (f"{{{i}}}" for i in range(len(call_types(spelling))))
    if sign in ("()", "[]"):
        return f"{first}{sign[0]}{', '.join(rest)}{sign[1]}"
    return f"({first} {sign} {rest[0]})" if rest else f"({sign}{first})"


def expression(spelling: str) -> str:
    """What C++ reads for a spelling: of a call, with values of the arguments' types."""
    if not is_call(spelling):
        return spelling
    called, listed = callee(spelling), [f"samebytes_value<{type_}>()" for type_ in call_types(spelling)]
    if form := operator_form(spelling):
        return form.format(*listed)
    values = ", ".join(listed)
    if not called.startswith("("):
        return f"{called}({values})"
    type_, _, name = called[1:].partition(").")
    return f"samebytes_value<{type_}>().{'template ' * ('<' in name)}{name}({values})"


def is_meant(words: str) -> bool:
    """Whether C++ refuses a call of which it knows the functions: a deleted one, or several that are equally good.

    Then the same arguments have no other meaning, as lvalues or by their address.
    """
    return _MEANT.search(words.partition(";")[0]) is not None


_MEANT = later_pattern(r"\b(deleted|ambiguous)\b")  # clang's words


def member_of(spelling: str) -> str:
    """The last name that is called, with its template arguments: ``get<int>`` of ``(S &).get<int>(int)``."""
    return split_outside(callee(spelling).rpartition(").")[2], "::")[-1]


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
