"""Where exceptions go on: landing pads, from ``.eh_frame`` and the tables of each language (LSB, Itanium C++ ABI)."""

from __future__ import annotations

import ctypes
import struct
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from ..elf import Elf, Section

_OMITTED, _INDIRECT = 0xFF, 0x80  # DW_EH_PE_omit, DW_EH_PE_indirect
_ABSOLUTE, _FROM_HERE = 0x00, 0x10  # DW_EH_PE_absptr, DW_EH_PE_pcrel
_FIXED = {0x0: "<Q", 0x2: "<H", 0x3: "<I", 0x4: "<Q", 0xA: "<h", 0xB: "<i", 0xC: "<q"}  # DW_EH_PE_udata2, …
_UNSIGNED, _SIGNED = 0x1, 0x9  # DW_EH_PE_uleb128, DW_EH_PE_sleb128


class _Frame(NamedTuple):
    """The code of one entry, and the address of its language's table; 0: it has none."""

    start: int
    end: int
    table: int


class _Common(NamedTuple):
    """What entries share: how their addresses are written, and those of their tables."""

    address: int
    table: int
    augmented: bool
    personality: int = 0
    indirect: bool = False  # that is where its address stands


class LandingPads:
    """By code address: where an exception that leaves a call there goes on."""

    def __init__(self, file: Elf) -> None:
        self._file = file
        section = next((s for s in file.sections if file.name(s) == ".eh_frame"), None)
        self._frames = sorted(_frames(file, section)) if section else []
        self._starts = [frame.start for frame in self._frames]
        self._read: dict[_Frame, list[tuple[int, int, int]]] = {}

    def of(self, address: int) -> int | None:
        """The landing pad of the instruction at an address; None if no exception is caught there.

        Raises
        ------
        ValueError
            If the table is in a form that is not read.
        """
        frame = self._frame(address)
        if frame is None or not frame.table:
            return None
        if frame not in self._read:
            self._read[frame] = list(_pads(self._file, frame))
        return next((pad for start, end, pad in self._read[frame] if start <= address < end), None)

    def end_of(self, address: int) -> int | None:
        """Where the code of an entry ends that an address is among."""
        frame = self._frame(address)
        return None if frame is None else frame.end

    def _frame(self, address: int) -> _Frame | None:
        index = bisect_right(self._starts, address) - 1
        return self._frames[index] if index >= 0 and address < self._frames[index].end else None


def sites_at(table: int, start: int) -> Iterator[tuple[int, int, int]]:
    """Of a table in memory: the ranges of a function's calls, and the landing pad of each; 0: exceptions pass.

    Those that leave a call in no range end the process.
    """
    return _sites(_Reader(_memory(table), 0, table), start)


def personality_of(entry: int) -> int:
    """The address of the routine that reads the table of an entry of ``.eh_frame`` in memory; 0: there is none."""
    (back,) = struct.unpack_from("<I", _memory(entry), 4)
    common = entry + 4 - back
    found = _common(_Reader(_memory(common), 8, common))
    return struct.unpack_from("<Q", _memory(found.personality))[0] if found.indirect else found.personality


def _memory(address: int) -> ctypes.Array[ctypes.c_char]:
    """What stands in memory from an address on; how much of it is there, its reader knows."""
    return (ctypes.c_char * (1 << 30)).from_address(address)


def _frames(file: Elf, section: Section) -> Iterator[_Frame]:
    shared: dict[int, _Common] = {}
    place, end = section.offset, section.offset + section.size
    while place + 4 <= end:
        (length,) = struct.unpack_from("<I", file.data, place)
        body = place + 4
        if length == 0:
            break
        if length == 0xFFFFFFFF:
            raise ValueError("an entry of .eh_frame has a length of 64 bits")
        (back,) = struct.unpack_from("<I", file.data, body)
        reader = _Reader(file.data, body + 4, section.address - section.offset)
        if back == 0:
            shared[place] = _common(reader)
        else:
            yield _frame(reader, shared[body - back])
        place = body + length


def _common(reader: _Reader) -> _Common:
    version = reader.fixed("<B")
    augmentation = reader.text()
    reader.unsigned()  # code alignment
    reader.signed()  # data alignment
    reader.fixed("<B") if version == 1 else reader.unsigned()  # return address
    address, table, personality, form = _ABSOLUTE, _OMITTED, 0, 0
    if not augmentation.startswith("z"):
        if augmentation:
            raise ValueError(f"an entry of .eh_frame is of the kind {augmentation!r}")
        return _Common(address, table, False)
    reader.unsigned()
    for letter in augmentation[1:]:
        if letter == "R":
            address = reader.fixed("<B")
        elif letter == "L":
            table = reader.fixed("<B")
            if table != _OMITTED and table & _INDIRECT:
                raise ValueError("a table of landing pads is named indirectly")
        elif letter == "P":
            form = reader.fixed("<B")
            personality = reader.pointer(form)
        elif letter not in "SB":
            raise ValueError(f"an entry of .eh_frame is of the kind {augmentation!r}")
    return _Common(address, table, True, personality, bool(form & _INDIRECT))


def _frame(reader: _Reader, common: _Common) -> _Frame:
    start = reader.pointer(common.address)
    size = reader.pointer(common.address & 0xF)  # a length: relative to nothing
    table = 0
    if common.augmented and reader.unsigned() and common.table != _OMITTED:
        table = reader.pointer(common.table)
    return _Frame(start, start + size, table)


def _pads(file: Elf, frame: _Frame) -> Iterator[tuple[int, int, int]]:
    """Of each range of calls with a landing pad: its start, its end and the pad."""
    section = next((s for s in file.sections if 0 <= frame.table - s.address < s.size and s.address), None)
    if section is None:
        raise ValueError("a table of landing pads lies nowhere")
    back = section.address - section.offset
    reader = _Reader(file.data, frame.table - back, back)
    return (site for site in _sites(reader, frame.start) if site[2])


def _sites(reader: _Reader, function: int) -> Iterator[tuple[int, int, int]]:
    """Of each range of calls in a table: its start, its end and its landing pad; 0: it has none."""
    form = reader.fixed("<B")
    base = function if form == _OMITTED else reader.pointer(form)
    if reader.fixed("<B") != _OMITTED:
        reader.unsigned()  # where the types are
    form, length = reader.fixed("<B"), reader.unsigned()
    end = reader.place + length
    while reader.place < end:
        first, size, pad = (reader.pointer(form) for _ in range(3))
        reader.unsigned()  # the first action
        yield function + first, function + first + size, base + pad if pad else 0


class _Reader:
    """Reads on from a place in the file; ``back`` takes a place to its address."""

    def __init__(self, data: bytearray | ctypes.Array[ctypes.c_char], place: int, back: int) -> None:
        self._data, self.place, self._back = data, place, back

    def fixed(self, form: str) -> int:
        (value,) = struct.unpack_from(form, self._data, self.place)
        self.place += struct.calcsize(form)
        return int(value)

    def text(self) -> str:
        return bytes(iter(lambda: self.fixed("<B"), 0)).decode("ascii", "replace")

    def unsigned(self) -> int:
        value = shift = 0
        while True:
            byte = self.fixed("<B")
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value

    def signed(self) -> int:
        start = self.place
        value = self.unsigned()
        bits = 7 * (self.place - start)
        return value - (1 << bits) if value >> (bits - 1) else value

    def pointer(self, form: int) -> int:
        """An address, or an offset, in one of the forms of ``DW_EH_PE``; 0 for null, whatever it is relative to."""
        here = self.place + self._back
        kind, base = form & 0xF, form & 0x70
        if kind == _UNSIGNED:
            value = self.unsigned()
        elif kind == _SIGNED:
            value = self.signed()
        elif kind in _FIXED:
            value = self.fixed(_FIXED[kind])
        else:
            raise ValueError(f"an address has the form {form:#x}")
        if base not in (_ABSOLUTE, _FROM_HERE):
            raise ValueError(f"an address has the form {form:#x}")
        # An indirect one is where the address stands.
        return value + here if value and base == _FROM_HERE else value
