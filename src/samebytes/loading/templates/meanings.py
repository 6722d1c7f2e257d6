"""Instantiations by what their template arguments mean: the same one has many spellings, of enumerators above all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from ...model.module import Instance, Module
from ...read.spellings import is_call
from ...toolchain.demangling import demangled
from ...types import Enum
from ..library import Library

_SPACES = re.compile(r"\s+(?=\W)|(?<=\W)\s+")
_CAST = re.compile(r"static_cast<([\w:]+)>\((-?\d+)\)")
_MADE = re.compile(r"(?<![\w:])([\w:]+)[({](-?\d+)[)}]")
_NAME = re.compile(r"(?<![\w:])(?:::)?([A-Za-z_]\w*(?:::\w+)*)")
# Numbers of other types than int, as the linker's names have them.
_NUMBER = re.compile(r"(?<=[<,])(?:\((?:un)?(?:signed )?(?:char|short)\))?(-?\d+)(?:ul?l?|ll?)?(?=[,>])")
_EAST = re.compile(r"(?<=[<,])([\w:]+(?: \w+)*) const(?=[*&])")


def instance_named(libraries: Iterable[Library], spelling: str) -> Any:
    """The instantiation that a spelling means, of those with which libraries were built; None: there is none."""
    if is_call(spelling) or "<" not in spelling:
        return None
    for library in libraries:
        found = _meant(library).get(_canonical(spelling, _enumerators(library)))
        if found is not None:
            return library.__instances__[found]
    return None


@cache
def _meant(library: Library) -> Mapping[str, str]:
    """The spellings by which instantiations were asked for, by what these mean."""
    module, enumerators = library.__model__, _enumerators(library)
    found: dict[str, str] = {}
    for instance in module.instances:
        if not is_call(instance.asked):
            for spelling in (instance.asked, instance.target, *_linked(instance, module)):
                found.setdefault(_canonical(spelling, enumerators), instance.asked)
    return found


def _linked(instance: Instance, module: Module) -> Iterator[str]:
    """The name of a function behind its linker's symbol, which has every argument as C++ knows it."""
    name = instance.asked.partition("<")[0].removeprefix("::")
    for function in module.functions if instance.kind == "function" else ():
        if function.instance == instance.asked and (symbol := function.symbol):
            whole = demangled(symbol)
            begins = whole.find(f"{name}<")
            if begins >= 0:
                yield whole[begins : begins + _ends(whole[begins:])]


def _ends(text: str) -> int:
    """Where the first template argument list of a text ends."""
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "<") - (sign == ">" and text[place - 1] != "-")
        if sign == ">" and not depth:
            return place + 1
    return len(text)


@cache
def _enumerators(library: Library) -> Mapping[str, str]:
    """Every enumerator's value in the words of a cast, by each of its names."""
    found: dict[str, str] = {}
    for enum in library.__model__.enums:
        found |= {name: f"({enum.name}){value}" for name, value in _named(enum)}
        found[enum.name] = ""
    return found


def _named(enum: Enum) -> Iterator[tuple[str, int]]:
    scope = enum.name.rpartition("::")[0]
    for name, value in enum.enumerators.items():
        yield f"{enum.name}::{name}", value
        if not enum.scoped:
            yield f"{scope}::{name}" if scope else name, value


def _canonical(spelling: str, enumerators: Mapping[str, str]) -> str:
    """A spelling in which each argument has one form."""
    name, angle, rest = spelling.removeprefix("::").partition("<")
    text = _SPACES.sub("", f"{angle}{rest}")
    text = _CAST.sub(r"(\1)\2", text)
    text = _MADE.sub(lambda found: f"({found[1]}){found[2]}" if found[1] in enumerators else found[0], text)
    text = _NAME.sub(lambda found: enumerators.get(found[1]) or found[1], text)
    text = _NUMBER.sub(r"\1", text)
    return name + _EAST.sub(r"const \1", text)
