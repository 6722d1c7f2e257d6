"""The symbols of a static library, as its own table lists them (GNU ar's format)."""

from __future__ import annotations

from pathlib import Path

_MAGIC = b"!<arch>\n"
_HEADER = 60  # bytes: the name is the first 16 of them, the size ten from 48 on
_TABLE = b"/"


def symbols_of(path: Path) -> list[str]:
    """The symbols that the archive's members define; none where it has no table."""
    with open(path, "rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            return []
        header = file.read(_HEADER)
        if header[:16].rstrip() != _TABLE:
            return []
        table = file.read(int(header[48:58]))
    count = int.from_bytes(table[:4], "big")
    names = table[4 + 4 * count :].split(b"\0")[:count]
    return [name.decode(errors="replace") for name in names]
