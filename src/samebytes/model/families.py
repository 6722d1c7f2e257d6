"""What tells a function how many further arguments there are: a format, or a null at their end."""

from __future__ import annotations

from collections.abc import Sequence

from ..later import later_pattern

# By attribute, as clang prints it: format(printf, 3, 4) counts from one; sentinel(0, 0) from the end.
_FORMAT = later_pattern(
    r"__attribute__\(\(format\((?:gnu_|__)?(printf|scanf|syslog|strftime)(?:__)?, (\d+), \d+\)\)\)"
)
_SENTINEL = later_pattern(r"__attribute__\(\(sentinel(?:\((\d+)(?:, \d+)?\))?\)\)")
_NULL = "null:"
# By name alone, for the functions that compilers know by themselves, and for those whose headers do not say it.
_NAMED: dict[str, str] = {
    **dict.fromkeys(
        ("printf", "fprintf", "dprintf", "sprintf", "snprintf", "asprintf", "syslog", "err", "errx", "warn", "warnx",
         "error", "error_at_line", "curl_mprintf", "curl_mfprintf", "curl_msprintf", "curl_msnprintf",
         "curl_maprintf", "H5Epush2", "wprintf", "fwprintf", "swprintf"),
        "printf",
    ),
    **dict.fromkeys(("scanf", "fscanf", "sscanf", "wscanf", "fwscanf", "swscanf"), "scanf"),
    **dict.fromkeys(("sqlite3_mprintf", "sqlite3_snprintf", "sqlite3_str_appendf", "sqlite3_log"), "sqlite"),
    **dict.fromkeys(("lua_pushfstring", "luaL_error"), "lua"),
    **dict.fromkeys(("execl", "execlp"), "null:0"),
    "execle": "null:1",
    **dict.fromkeys(("curl_easy_setopt", "curl_multi_setopt"), "option"),
    "curl_easy_getinfo": "answer",
}  # fmt: skip
# Names that say printf themselves: `log_printf`, `mprintf`, `xasprintf`.
_PRINTF = later_pattern(r"(\w*_|[A-Za-z]{0,4})[asdf]?n?[pP]rintf")


def null_place(family: str) -> int | None:
    """How many arguments follow the null that ends them; None where none does."""
    return int(family[len(_NULL) :]) if family.startswith(_NULL) else None


def family_of(name: str, printed: str, parameters: Sequence[str], texts: Sequence[bool]) -> tuple[str, int]:
    """The family of a variadic function, and which parameter is the format, -1 if none is; empty for no family.

    A family is ``"printf"``, ``"scanf"``, ``"sqlite"`` or ``"lua"``; ``"option"`` or ``"answer"`` where a number tells;
    or ``"null:1"``: null, with one more after it.

    Parameters
    ----------
    name : str
    printed : str
        The declaration as clang prints it, with its attributes.
    parameters : sequence of str
        The names of the parameters.
    texts : sequence of bool
        Which of them are ``const char*``.
    """
    last = len(texts) - 1
    if found := _FORMAT.search(printed):
        kind = "printf" if found[1] == "syslog" else found[1]
        return ("", -1) if kind == "strftime" else (kind, int(found[2]) - 1)
    if found := _SENTINEL.search(printed):
        return f"{_NULL}{found[1] or 0}", -1
    if name in _NAMED:
        return _NAMED[name], -1 if _NAMED[name].startswith(_NULL) else last
    if last >= 0 and texts[last] and _PRINTF.fullmatch(name):
        return "printf", last
    return "", -1
