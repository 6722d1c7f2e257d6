"""The parameters of kernels in PTX: no record, but their declarations (PTX ISA, "Kernel Function Parameters")."""

from __future__ import annotations

import re

from ..errors import BindError

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_ENTRY = re.compile(r"\.entry\s+([\w$%]+)\s*(?:\(([^)]*)\))?")
_PARAMETER = re.compile(r"\.param\s+(.*?)\s*[\w$%]+\s*(?:\[\s*(\d+)\s*\])?$", re.DOTALL)
_ALIGN = re.compile(r"\.align\s+(\d+)")
_ELEMENT = re.compile(r"\.(?:[busf]|bf)(8|16|32|64|128)(x2)?(?!\w)")
_VARIABLE = re.compile(r"\.(?:global|const)\s[^;={]*?([\w$%]+)\s*(?:\[[^\]]*\])*\s*[;={]")
_TARGET = re.compile(r"\.target\s+(sm_\w+)")


def is_ptx(data: bytes) -> bool:
    """Whether a file is PTX: text that states a version before anything else."""
    start = _COMMENT.sub("", data[:4096].decode("latin-1")).lstrip()
    return start.startswith(".version")


def target(data: bytes) -> str:
    """The architecture that PTX is for, ``sm_90``; empty if it states none."""
    found = _TARGET.search(_plain(data))
    return found[1] if found else ""


def places(data: bytes) -> dict[str, tuple[tuple[int, int], ...]]:
    """By the name of each kernel, the offset and the size of its parameters, in bytes.

    Raises
    ------
    BindError
        If a parameter is of a type that is not known.
    """
    return {name: tuple(_laid_out(name, listed or "")) for name, listed in _ENTRY.findall(_plain(data))}


def variables(data: bytes) -> tuple[str, ...]:
    """The names of the variables of the device."""
    return tuple(_VARIABLE.findall(_plain(data)))


def _plain(data: bytes) -> str:
    return _COMMENT.sub("", data.rstrip(b"\0").decode("utf-8", "replace"))


def _laid_out(kernel: str, listed: str) -> list[tuple[int, int]]:
    found, end = [], 0
    for words in filter(None, map(str.strip, listed.split(","))):
        parameter = _PARAMETER.match(words)
        element = _ELEMENT.search(parameter[1]) if parameter else None
        if parameter is None or element is None:
            raise BindError(f"the parameter {words!r} of {kernel} in the PTX is of no known type")
        one = int(element[1]) // 8 * (2 if element[2] else 1)
        # Of a pointer, `.ptr .align` is the alignment of what it points to.
        own = None if ".ptr" in parameter[1] else _ALIGN.search(parameter[1])
        align = max(one, int(own[1])) if own else one
        start, size = -(-end // align) * align, one * int(parameter[2] or 1)
        found.append((start, size))
        end = start + size
    return found
