"""Functions with ``...`` of libraries: files and terminals of libc, SQLite's and Lua's own formats."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import pty
import select
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = [
    pytest.mark.full,  # it takes long
    pytest.mark.filterwarnings("ignore::samebytes.BindWarning"),
]


@pytest.fixture(scope="module")
def fcntl() -> Any:
    return sb.bind("fcntl.h")


def test_open(fcntl: Any, tmp_path: Path) -> None:
    mask = os.umask(0)
    try:
        file = fcntl.open(str(tmp_path / "new"), fcntl.O_CREAT | fcntl.O_RDWR, 0o640)
    finally:
        os.umask(mask)
    assert file >= 0
    os.write(file, b"same bytes")
    os.close(file)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o640
    again = fcntl.open(str(tmp_path / "new"), fcntl.O_RDONLY)
    assert os.read(again, 99) == b"same bytes"
    os.close(again)
    assert fcntl.open(str(tmp_path / "none"), fcntl.O_RDONLY) == -1


def test_fcntl(fcntl: Any, tmp_path: Path) -> None:
    with open(tmp_path / "file", "w+b") as file:
        number = file.fileno()
        assert fcntl.fcntl(number, fcntl.F_SETFD, fcntl.FD_CLOEXEC) == 0
        assert fcntl.fcntl(number, fcntl.F_GETFD) == fcntl.FD_CLOEXEC
        copy = fcntl.fcntl(number, fcntl.F_DUPFD, 100)
        assert copy >= 100
        os.close(copy)
        lock = fcntl.flock(l_type=fcntl.F_WRLCK, l_whence=0, l_start=2, l_len=5)
        with pytest.raises(sb.ArgumentError, match=r"sb.Pointer\(x\) is its address"):
            fcntl.fcntl(number, fcntl.F_SETLK, lock)
        assert fcntl.fcntl(number, fcntl.F_SETLK, sb.Pointer(lock)) == 0
        if child := os.fork():
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
            return
        seen = fcntl.flock(l_type=fcntl.F_WRLCK)
        fcntl.fcntl(number, fcntl.F_GETLK, sb.Pointer(seen))
        os._exit((seen.l_type, seen.l_start, seen.l_len, seen.l_pid) != (fcntl.F_WRLCK, 2, 5, os.getppid()))


def test_ioctl() -> None:
    ioctl = sb.bind("sys/ioctl.h", expose=["winsize", "*/ioctls.h"])
    main, terminal = pty.openpty()
    try:
        size = ioctl.winsize(ws_row=31, ws_col=97)
        assert ioctl.ioctl(main, ioctl.TIOCSWINSZ, sb.Pointer(size)) == 0
        assert os.get_terminal_size(terminal) == (97, 31)
        raw = np.zeros(4, np.uint16)
        assert ioctl.ioctl(terminal, ioctl.TIOCGWINSZ, raw) == 0
        assert raw.tolist() == [31, 97, 0, 0]
        os.write(main, b"12345\n")
        assert select.select([terminal], [], [], 10)[0]  # the kernel hands a line on in a thread of its own
        waiting = ctypes.c_int()
        assert ioctl.ioctl(terminal, ioctl.FIONREAD, ctypes.byref(waiting)) == 0
        assert waiting.value == 6
    finally:
        os.close(main)
        os.close(terminal)


def test_a_program_is_started() -> None:
    unistd = sb.bind("unistd.h")
    out, into = os.pipe()
    child = os.fork()
    if not child:
        os.dup2(into, 1)
        unistd.execl("/bin/sh", "sh", "-c", 'printf "%s." "$@"', "name", "a b", b"c", None)
        os._exit(1)
    os.close(into)
    with os.fdopen(out, "rb") as answer:
        assert answer.read() == b"a b.c."
    assert os.waitpid(child, 0)[1] == 0


def test_wide_formats() -> None:
    wchar = sb.bind("wchar.h")
    room = ctypes.create_unicode_buffer(64)
    form = ctypes.create_unicode_buffer("%d %ls %s")
    address = sb.Pointer(ctypes.addressof(room))
    count = wchar.swprintf(
        address, 64, sb.Pointer(ctypes.addressof(form)), 5, ctypes.c_wchar_p("w\u00efde"), "bytes"
    )
    assert room.value[:count] == "5 w\u00efde bytes"
    with pytest.raises(sb.ArgumentError, match="for %d"):
        wchar.swprintf(address, 64, sb.Pointer(ctypes.addressof(form)), 5.5, ctypes.c_wchar_p("x"), "y")


@pytest.fixture(scope="module")
def sqlite(needs: Callable[[str, str], None]) -> Any:
    needs("sqlite3.h", "libsqlite3-dev", "libsqlite3.so.0")
    return sb.bind("sqlite3.h", library="libsqlite3.so.0", style="c_api")


def test_sqlites_own_conversions(sqlite: Any) -> None:
    def made(form: str, *args: Any) -> str:
        text = sqlite.sqlite3_mprintf(form, *args)
        found = ctypes.string_at(int(text)).decode()
        sqlite.sqlite3_free(text)
        return found

    assert (
        made("insert into %w values(%Q, %d)", 'a"b', "it's", 5) == """insert into a""b values('it''s', 5)"""
    )
    due = "it''s|1,234,567|1099511627776|0.500|0.1|%"
    assert made("%q|%,d|%lld|%.3f|%!.15g|%%", "it's", 1234567, 2**40, 0.5, 0.1) == due
    for form, args, words in (
        ("%Q", (5,), "expected text for %Q"),
        ("%d", ("x",), "expected an integer"),
        ("%n", (None,), "%n writes"),
        ("%y", (1,), "no conversion of SQLite"),
        ("%d %d", (1,), "asks for 2"),
    ):
        with pytest.raises(sb.ArgumentError, match=words):
            sqlite.sqlite3_mprintf(form, *args)


def test_sqlites_options(sqlite: Any, tmp_path: Path) -> None:
    status, db = sqlite.sqlite3_open(str(tmp_path / "x.db"))
    assert status == 0
    now = np.full(1, -1, np.int32)
    for value in (1, 0, True):
        assert sqlite.sqlite3_db_config(db, sqlite.SQLITE_DBCONFIG_ENABLE_FKEY, value, now) == 0
        assert now[0] == int(value)
    assert sqlite.sqlite3_db_config(db, sqlite.SQLITE_DBCONFIG_MAINDBNAME, b"own") == 0
    assert sqlite.sqlite3_exec(db, "create table own.t(x)", None, None)[0] == 0
    sqlite.sqlite3_close(db)


@pytest.fixture(scope="module")
def lua(needs: Callable[[str, str], None]) -> Any:
    needs("lua5.4/lauxlib.h", "liblua5.4-dev")
    library = ctypes.util.find_library("lua5.4")
    if library is None:
        pytest.skip("liblua5.4 is not there: apt install liblua5.4-0")
    return sb.bind("lua5.4/lauxlib.h", library=library, style="c_api", expose=["*/lua5.4/*"])


def test_luas_own_conversions(lua: Any) -> None:
    state = lua.luaL_newstate()
    try:
        made = lua.lua_pushfstring(state, "%s %d %I %f %c %U %%", "x", 5, 2**40, 2.5, ord("A"), 0x20AC)
        assert made == "x 5 1099511627776 2.5 A \u20ac %"
        for form, args, words in (
            ("%g", (2.5,), "no conversion of Lua"),
            ("%f", (1,), "expected a float"),
            ("%d", (2**40,), "int32"),
            ("%s", (1,), "expected text"),
        ):
            with pytest.raises((sb.ArgumentError, sb.RangeError), match=words):
                lua.lua_pushfstring(state, form, *args)
    finally:
        lua.lua_close(state)


def test_packed_by_hand(fcntl: Any) -> None:
    """The record that fcntl gets is C's own, field by field."""
    assert fcntl.flock.c_sizeof() == struct.calcsize("hhqqi4x")
