"""Which numbers beside a buffer are not its room: another unit, a packet that grows where it lies, writes behind it.

A number that is taken for a room is set to the length of the array that is given. So names and neighbours alone do not
do: nothing may say that the number counts frames, rows or channels, or that C writes behind what it counts.
"""

from __future__ import annotations

import re

from ...model.signature import Parameter
from ...types import VOID, Pointer, Scalar
from ...types.length_parameters import Role, by_name
from . import evidence, vocabulary
from .cases import BYTE, Case, is_number_of
from .documents import OUT


def is_no_room(case: Case, buffer: str) -> str:
    """Why a number is not the room of a buffer that it stands beside; empty where nothing is against it.

    Parameters
    ----------
    case : Case
        The number's.
    buffer : str
        The parameter that is the buffer.
    """
    place = next(p for p in case.signature.parameters if p.name == buffer)
    comment = case.comment
    if (
        vocabulary.OTHER_UNITS.fullmatch(case.name)
        or vocabulary.MANY_CHANNELS.search(case.function)
        or vocabulary.SAID_UNITS.search(case.told.text)
    ):
        return f"its unit is not one element of {buffer!r}"
    if (
        _is_bytes(place)
        and vocabulary.THINGS.fullmatch(case.name)
        and not re.search(r"(?i)\bbytes\b", case.told.text)
    ):
        return f"it counts things, and nothing says how large they are in {buffer!r}"
    constant = isinstance(place.type, Pointer) and place.type.const
    if constant:
        return ""
    if vocabulary.SAID_BEHIND.search(comment) and not (case.told.sure and case.told.way == OUT):
        return f"the documentation says that C writes behind it, or in place, in {buffer!r}"
    transforms = any(map(vocabulary.TRANSFORMS.fullmatch, evidence.words(case.function)))
    transforms = transforms and not evidence.gets(case.function)
    if (
        _has_others(case, place, sources=transforms)
        or vocabulary.RESULTS.fullmatch(buffer)
        or (vocabulary.ROOMS.fullmatch(buffer) and not transforms)
        or vocabulary.SAID_ROOM.search(case.told.text)
    ):
        return ""
    named = by_name((buffer, vocabulary.ROOM_PLACE.sub("", case.name)), (Role.DATA, Role.NUMBER))
    if transforms or not (named or evidence.gets(case.function)):
        return f"nothing says that it is the room of {buffer!r}, and not the length of what lies there"
    return ""


def _is_bytes(parameter: Parameter) -> bool:
    target = parameter.type.target if isinstance(parameter.type, Pointer) else None
    return target == VOID or (isinstance(target, Scalar) and target.size == BYTE)


def _has_others(case: Case, buffer: Parameter, *, sources: bool) -> bool:
    """Whether a function has further data to work on: bytes, numbers or text, or sources alone, with their lengths."""
    parameters = case.signature.parameters
    for i, parameter in enumerate(parameters):
        type_ = parameter.type
        if parameter in (buffer, case.parameter) or not isinstance(type_, Pointer):
            continue
        data = type_.target == VOID or isinstance(type_.target, Scalar)
        if not data or not (type_.const or _is_bytes(parameter)):
            continue
        measured = any(is_number_of(p) for p in parameters[max(i - 1, 0) : i + 2])
        if not sources or measured or vocabulary.SOURCES.fullmatch(parameter.name):
            return True
    return False
