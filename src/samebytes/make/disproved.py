"""Where parser and compiler lay a type out differently: which type, which member, and what each of them says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..emit.shims import Owner, Shims
from ..errors import CompileError
from ..later import later_pattern

_PLACE = later_pattern(r"shims\.cp?p?p?:(\d+)")
# The assertions of shim.hpp and shim.h as shims say them.
_SIZE = later_pattern(
    r"(?:samebytes_same<|SAMEBYTES_SAME\()(?P<said>\d+), (?P<what>sizeof|_?[aA]lignof)\((?P<name>.+?)\)(?:>::|\);)"
)
_OFFSET = later_pattern(
    r"(?:samebytes_same<|SAMEBYTES_SAME\()(?P<said>\d+), __builtin_offsetof\((?P<name>.+), (?P<member>\w+)\)"
)
_TYPE = later_pattern(
    r"samebytes_same_type<(?P<said>.+), decltype\((?P<name>.+)::(?P<member>\w+)\)>"
    r"|SAMEBYTES_SAME_TYPE\((?P<c_said>.+), \(\((?P<c_name>.+)\*\)0\)->(?P<c_member>\w+)\)"
)
_REAL = later_pattern(r"samebytes_same<(\d+)\w*, (\d+)\w*>")
_ADVICE = (
    "Python's parser (clang) and the compiler read the header differently: it asks for something that only one of them "
    "has. What says the same to both can be bound; with CXX=clang++ both are clang."
)


def disproved(error: CompileError, differences: Mapping[Owner, Sequence[str]]) -> CompileError:
    """The error with a first line that says which they are; the same error where none is known."""
    told = dict.fromkeys(words for found in differences.values() for words in found)
    if not told:
        return error
    said = CompileError(f"{'; '.join(told)}\n{_ADVICE}\n\n{error}", error.output, error.command)
    said.__dict__.update(vars(error))
    return said


def differences(error: CompileError, shims: Shims) -> dict[Owner, list[str]]:
    """By type: where it is different."""
    lines = shims.text.split("\n")
    reals = dict.fromkeys(_REAL.findall(error.output))
    found: dict[Owner, list[str]] = {}
    for place in dict.fromkeys(map(int, _PLACE.findall(error.output))):
        owner, line = shims.at(place), lines[place - 1] if place <= len(lines) else ""
        words = _difference(line, [real for said, real in reals if said in line], error.output)
        if owner is not None and words and words not in found.setdefault(owner, []):
            found[owner].append(words)
    return {owner: words for owner, words in found.items() if words}


def _difference(line: str, reals: list[str], output: str) -> str:
    """What one assertion says, and what is so."""
    found = _OFFSET.search(line) or _TYPE.search(line)
    if found and f"no member named '{_part(found, 'member')}'" in output:
        return f"{_part(found, 'name')} has a member {_part(found, 'member')!r} to the parser, and none to the compiler"
    if found := _OFFSET.search(line):
        where = f"member {found['member']!r} of {found['name']} lies at byte {found['said']}"
    elif found := _SIZE.search(line):
        what = "sizeof" if found["what"] == "sizeof" else "alignof"
        where = f"{what}({found['name']}) is {found['said']}"
    elif found := _TYPE.search(line):
        name, member, said = (_part(found, part) for part in ("name", "member", "said"))
        return f"member {member!r} of {name} has the type {said} to the parser, and another to the compiler"
    else:
        return ""
    real = f" and {reals[0]} to the compiler" if len(reals) == 1 else ", not to the compiler"
    return f"{where} to the parser{real}"


def _part(found: re.Match[str], name: str) -> str:
    """A part of an assertion in C++ or in C."""
    parts = found.groupdict()
    return parts.get(name) or parts.get(f"c_{name}") or ""
