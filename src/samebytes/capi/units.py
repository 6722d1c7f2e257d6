"""Which numbers beside a buffer are not its room: another unit, a packet that grows where it lies, writes behind it.

A number that is taken for a room is set to the length of the array that is given. So names and neighbours alone do not
do: nothing may say that the number counts frames, rows or channels, or that C writes behind what it counts.
"""

from __future__ import annotations

import re

from ..counting import Role, by_name
from ..signature import Parameter
from ..types import VOID, Pointer, Scalar
from . import evidence
from .cases import BYTE, Case, is_number_of
from .documents import OUT

# Words of documents by which one of a number's units is more than one element of the buffer.
_UNITS = re.compile(
    r"(?i)\bper[- ](channel|row|line|plane|pixel|block|frame|band|component)|\binterleaved|\b(sample|"
    r"stereo) (frames|pairs)|"
    r"\b(number|count|length|size) (of|in) (the )?(\w+ )?(frames|blocks|rows|lines|pixels|pairs|channels|pages|"
    r"sectors|tuples|words)\b|"
    r"\bin (frames|blocks|rows|lines|pixels|pairs|words|samples per)\b|\beach channel\b|\btimes (the )?(number|"
    r"size|width)"
)
_FUNCTIONS = re.compile(r"(?i)interleaved?|deinterleave|_planar|multi_?channel")
_NAMES = re.compile(
    r"(?i)\w*(frames?|blocks?|rows?|lines|pixels?|pairs|channels|pages|sectors|words)(_?(count|num|len|read))?_?p?"
)
# Of bytes, or of what no type is known: what says how many things there are says not how many bytes.
_THINGS = re.compile(r"(?i)\w*(count|cnt|items?|elements?|elems?|nmemb|entries)_?p?(tr)?|p?(num|nr)_?[a-z]+")
_BEHIND = re.compile(
    r"(?i)\bin[- ]place\b|\b(writes?|written|appends?|appended|adds?|added|extends?)\b[^.;]{0,60}\b(behind|beyond|"
    r"following|"
    r"after the (end|packet|message|data)|to the end|trailer|at the end)|\b(grow|expand)s?\b|"
    r"\b(room|space|large enough|enough memory|writable)\b[^.;]{0,40}\b(additional|extra|more|trailer|tag|padding|"
    r"overhead)"
)
_PLACE = re.compile(r"(?<=.)(_ptr|Ptr|_p)$|(?<=len|gth|ize|unt|cnt)p$")
# What is made of the very bytes that are given, where no others are.
_TRANSFORMS = re.compile(
    r"(un)?(protect|seal|escape|wrap|pad|compress|scramble)|descramble|decompress|(en|de)(crypt|code)|filter|process|"
    r"transform|convert|normali[sz]e|append|trim|strip"
)
_OUTPUTS = re.compile(
    r"(?i)p?_?(\w*_?(out|output|dest|dst|result|reply|response|ret|buf|buffer|str|string|name|value|val|sig|"
    r"signature|digest|"
    r"hash|mac|md|tag|text|path|key|info|desc)\d*|\w*(Buf|Buffer|Out|Output|Dest|Value|Name|Result)|\w*(buf|out)|(out|"
    r"dest|dst)\w*)"
)
_SAYS_ROOM = re.compile(
    r"(?i)\b(size|length|capacity|room|space|number of (bytes|octets|elements|characters|chars|items|"
    r"entries))\b[^.;]{0,30}\b"
    r"(of|in|for|available)\b[^.;]{0,30}\b(buffers?|arrays?|memory|output|destination|space)\b|\bcapacity\b|"
    r"\bavailable\b|"
    r"\ballocated\b|\bmax(imum)?\b|\b(on|at) (input|entry|call)\b[^.;]{0,60}\b(size|capacity|space|buffer|"
    r"allocated)|\bbuffer (size|length)"
)


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
    if _NAMES.fullmatch(case.name) or _FUNCTIONS.search(case.function) or _UNITS.search(case.told.text):
        return f"its unit is not one element of {buffer!r}"
    if _is_bytes(place) and _THINGS.fullmatch(case.name) and not re.search(r"(?i)\bbytes\b", case.told.text):
        return f"it counts things, and nothing says how large they are in {buffer!r}"
    constant = isinstance(place.type, Pointer) and place.type.const
    if constant:
        return ""
    if _BEHIND.search(comment) and not (case.told.sure and case.told.way == OUT):
        return f"the documentation says that C writes behind it, or in place, in {buffer!r}"
    transforms = any(map(_TRANSFORMS.fullmatch, evidence.words(case.function)))
    transforms = transforms and not evidence.gets(case.function)
    if (
        _has_others(case, place, texts=not transforms)
        or _OUTPUTS.fullmatch(buffer)
        or _SAYS_ROOM.search(case.told.text)
    ):
        return ""
    named = by_name((buffer, _PLACE.sub("", case.name)), (Role.DATA, Role.NUMBER))
    if transforms or not (named or evidence.gets(case.function)):
        return f"nothing says that it is the room of {buffer!r}, and not the length of what lies there"
    return ""


def _is_bytes(parameter: Parameter) -> bool:
    target = parameter.type.target if isinstance(parameter.type, Pointer) else None
    return target == VOID or (isinstance(target, Scalar) and target.size == BYTE)


def _has_others(case: Case, buffer: Parameter, *, texts: bool) -> bool:
    """Whether a function has further data to work on: bytes, numbers, or text."""
    parameters = case.signature.parameters
    for i, parameter in enumerate(parameters):
        type_ = parameter.type
        measured = i + 1 < len(parameters) and is_number_of(parameters[i + 1])
        if parameter in (buffer, case.parameter) or not isinstance(type_, Pointer):
            continue
        if not (type_.const or _is_bytes(parameter)):
            continue
        if type_.target == VOID or (
            isinstance(type_.target, Scalar) and (texts or measured or not type_.is_string)
        ):
            return True
    return False
