"""Messages in the words of the command line: ``--source``, ``-I``, not the keywords of Python's functions."""

from __future__ import annotations

import ast
import json
import re
import shlex
from collections.abc import Sequence
from typing import Any

from ...errors import CompileError, Error
from ...make.options import OPTIONS

# Options of compile() and bind() that are spelled by each command, or stand in a configuration alone.
_OWN = {"arch": "--arch", "check": "--check", "nogil": "--no-gil"}
_COMMAND = {name: option.command[-1] for name, option in OPTIONS.items() if option.command} | _OWN
_KEYS = {name: option.key for name, option in OPTIONS.items() if option.key and not option.command}
_KEYS |= {"arg_intent": "Function Argument Intents"}
_VALUE = r"\[[^\]\n]*\]|\{(?:[^{}\n]|\{[^{}\n]*\})*\}|'[^'\n]*'|\"[^\"\n]*\"|True|False|"
# With ``=``: no name before it (``-std=``), and no comparison. A name of two words is no word of a sentence, and means
# the option also where it stands alone.
_NAMES = (*_COMMAND, *_KEYS)
_ALONE = "|".join(name for name in _NAMES if "_" in name)
_MENTION = re.compile(rf"(?<![\w.-])(?:({'|'.join(_NAMES)})=(?!=)({_VALUE})|({_ALONE})\b(?!=))")
_CALLS = re.compile(r"\b(?:bind|compile)\(\)(:?) ")


def spoken(text: str, outside: Sequence[str] = ()) -> str:
    """A message with each ``option=value`` as the command line has it.

    Parameters
    ----------
    text : str
    outside : sequence of str
        Lines that others wrote, a compiler's: they stay as they are.
    """
    kept = frozenset(outside)
    lines = text.splitlines()
    return "\n".join(line if line in kept else _MENTION.sub(_translated, line) for line in lines)


def spoken_error(error: Error) -> str:
    """The words of an error, as :func:`spoken`."""
    outside = error.output.splitlines() if isinstance(error, CompileError) else ()
    return _CALLS.sub("", spoken(str(error), outside), count=1)


def _translated(mention: re.Match[str]) -> str:
    name, value = mention[1] or mention[3], _read(mention[2])
    if name in _KEYS:
        return _of_configuration(_KEYS[name], value)
    word = _COMMAND[name]
    if value is None or isinstance(value, bool) or value == [...]:
        return word
    each = value if isinstance(value, list | tuple) else [value]
    return " ".join(f"{word} {shlex.quote(str(one))}" for one in each)


def _of_configuration(key: str, value: Any) -> str:
    said = f"{key!r} in the configuration (-c)"
    return (
        said
        if value is None or isinstance(value, bool)
        else f"{said}, {json.dumps({key: value}, default=str)},"
    )


def _read(written: str | None) -> Any:
    """The value of a mention; None where it says none, or nothing that is a value."""
    try:
        return ast.literal_eval(written) if written else None
    except (ValueError, SyntaxError):
        return None
