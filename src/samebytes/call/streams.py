"""Files of Python's as std::ostream and std::istream: what C++ writes to one and reads from it during a call."""

from __future__ import annotations

import codecs
import ctypes
import io
import struct
from typing import Any

from .. import _native
from ..errors import ArgumentError, Mismatch, value_words
from ..types import SCALARS, Argument, Function, Stream
from ..types import Callback as CallbackType
from ..values.conversion import Packed
from .callbacks.running import plan_for

_WIRE = struct.Struct("PPP")
# Of crossing/stream.hpp: what is asked, an address and a number of bytes.
_ASKED = CallbackType(
    "std::function<long (int, unsigned long, long)>",
    Function(SCALARS["int64"], tuple(Argument(SCALARS[name]) for name in ("int32", "uint64", "int64"))),
)
_CALLS = ("_write", "_read", "_put_back", "_flush", "_end")
_ENCODING = ("utf-8", "surrogateescape")
_TOO_FAR = (
    "C++ read further than it used, and a file that cannot seek takes nothing back: read bytes, buffered"
)
_MOST_BYTES = 4  # of a character


def stream_rule(type_: Stream, obj: Any, dialect: str) -> Packed:
    """The wire of a stream that C++ has until its call ends.

    Raises
    ------
    Mismatch
        If the object is no file, or not open for what C++ does.
    """
    needed, allowed = ("read", "readable") if type_.reads else ("write", "writable")
    expected = f"a file that is open to {needed} ({type_.words})"
    if isinstance(obj, type) or not callable(getattr(obj, needed, None)):
        raise Mismatch(ArgumentError, expected, value_words(obj))
    if getattr(obj, "closed", False):
        raise Mismatch(ArgumentError, expected, value_words(obj), "It is closed")
    if callable(says := getattr(obj, allowed, None)) and not says():
        raise Mismatch(ArgumentError, expected, value_words(obj), f"It is not {allowed}")
    file = (TextFile if _is_text(obj) else BinaryFile)(obj)
    owner = _native.Callback(plan_for(_ASKED), file, _native.call_errors(), None)
    return Packed(_WIRE.pack(0, id(owner), _native.CALLABLE_API), (owner,))


def _is_text(obj: Any) -> bool:
    """Whether a file takes and gives text; one that is no class of :mod:`io` has an encoding then."""
    return isinstance(obj, io.TextIOBase) or (
        not isinstance(obj, io.IOBase) and getattr(obj, "encoding", None) is not None
    )


class BinaryFile:
    """What C++ calls: writes bytes to a file, and reads them from it.

    Parameters
    ----------
    file : object
    """

    def __init__(self, file: Any) -> None:
        self._file = file
        self._shown = 0  # bytes that C++ has and the file has still, which cannot take any back

    def __call__(self, asked: int, address: int, count: int) -> int:
        if self._file is None:
            words = "C++ used the stream of a call that is over: it kept more than a call lends"
            raise ArgumentError(words)
        done: int = getattr(self, _CALLS[asked])(address, count)
        return done

    def _write(self, address: int, count: int) -> int:
        data = memoryview(ctypes.string_at(address, count))
        while data:
            written = self._file.write(data)
            if written is None and isinstance(self._file, io.RawIOBase):
                raise BlockingIOError(f"{value_words(self._file)} takes nothing now")
            data = data[written:] if isinstance(self._file, io.RawIOBase) else data[len(data) :]
        return count

    def _read(self, address: int, count: int) -> int:
        if self._shown:
            self._file.read(self._shown)
        self._shown = 0
        if not self._can_seek() and callable(peek := getattr(self._file, "peek", None)):
            data = peek(1)[:count]
            self._shown = len(data)
        else:
            data = self._file.read(count if self._can_seek() else 1)
        if data is None:
            raise BlockingIOError(f"{value_words(self._file)} has nothing now")
        if not isinstance(data, bytes | bytearray):
            raise TypeError(f"{value_words(self._file)}.read() gave no bytes: {value_words(data)}")
        return self._given(address, count, bytes(data))

    def _given(self, address: int, count: int, data: bytes) -> int:
        if len(data) > count:
            raise ValueError(f"{value_words(self._file)}.read() gave more than it was asked for")
        ctypes.memmove(address, data, len(data))
        return len(data)

    def _put_back(self, address: int, count: int) -> int:
        if self._shown:
            self._shown -= count
        elif self._can_seek():
            self._file.seek(-count, io.SEEK_CUR)
        else:
            raise ArgumentError(_TOO_FAR)
        return 0

    def _flush(self, address: int, count: int) -> int:
        if callable(flush := getattr(self._file, "flush", None)):
            flush()
        return 0

    def _end(self, address: int, count: int) -> int:
        if self._shown:
            self._file.read(self._shown)
        self._file = None
        return 0

    def _can_seek(self) -> bool:
        """Whether what C++ leaves can be given back; else it gets one at a time."""
        says = getattr(self._file, "seekable", None)
        return bool(says()) if callable(says) else False


class TextFile(BinaryFile):
    """The same of text, which C++ has as UTF-8; bytes that are none are Python's ``surrogateescape``."""

    def __init__(self, file: Any) -> None:
        super().__init__(file)
        self._decoder = codecs.getincrementaldecoder(_ENCODING[0])(_ENCODING[1])
        self._before: Any = None  # where what was read last begins
        self._last = ""

    def _write(self, address: int, count: int) -> int:
        if text := self._decoder.decode(ctypes.string_at(address, count)):
            self._file.write(text)
        return count

    def _read(self, address: int, count: int) -> int:
        self._before = self._place()
        text = self._file.read(1 if self._before is None else count // _MOST_BYTES)
        if not isinstance(text, str):
            raise TypeError(f"{value_words(self._file)}.read() gave no text: {value_words(text)}")
        self._last = text
        return self._given(address, count, text.encode(*_ENCODING))

    def _place(self) -> Any:
        try:
            return self._file.tell() if self._can_seek() else None
        except OSError:  # it is being iterated
            return None

    def _put_back(self, address: int, count: int) -> int:
        if self._before is None:
            raise ArgumentError(_TOO_FAR)
        left = self._last
        while count > 0 and left:
            count -= len(left[-1].encode(*_ENCODING))
            left = left[:-1]
        if count:
            raise ArgumentError("C++ stopped inside of a character of the file that it read")
        self._file.seek(self._before)
        self._file.read(len(left))
        return 0

    def _end(self, address: int, count: int) -> int:
        if text := self._decoder.decode(b"", final=True):
            self._file.write(text)
        return super()._end(address, count)
