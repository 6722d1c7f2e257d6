"""The C library's functions that call back, and those that fill structs and variables, against Python's own."""

from __future__ import annotations

import calendar
import ctypes
import time
from typing import Any

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.filterwarnings("ignore::samebytes.BindWarning")


@pytest.fixture(scope="module")
def stdlib() -> Any:
    return sb.bind("stdlib.h")


def compare(one: Any, other: Any) -> int:
    a, b = (ctypes.c_int32.from_address(int(p)).value for p in (one, other))
    return (a > b) - (a < b)


class TestSorting:
    def test_qsort(self, stdlib: Any) -> None:
        numbers = np.random.default_rng(1).integers(-100, 100, 50).astype(np.int32)
        expected = np.sort(numbers)
        stdlib.qsort(numbers, numbers.size, 4, compare)
        assert numbers.tolist() == expected.tolist()

    def test_bsearch(self, stdlib: Any) -> None:
        numbers = np.arange(0, 100, 3, dtype=np.int32)
        found = stdlib.bsearch(np.array([27], np.int32), numbers, numbers.size, 4, compare)
        assert (int(found) - numbers.ctypes.data) // 4 == 9
        assert not stdlib.bsearch(np.array([28], np.int32), numbers, numbers.size, 4, compare)

    def test_an_error_in_the_comparison(self, stdlib: Any) -> None:
        with pytest.raises(RuntimeError, match="not comparable"):
            stdlib.qsort(np.zeros(4, np.int32), 4, 4, _fails)

    def test_a_compiled_comparison(self, stdlib: Any) -> None:
        numbers = np.array([3, 1, 2], np.int32)
        own = sb.compile(
            "int by_size(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }"
        )
        stdlib.qsort(numbers, 3, 4, own.by_size)
        assert numbers.tolist() == [1, 2, 3]


def _fails(one: Any, other: Any) -> int:
    raise RuntimeError("not comparable")


def test_text_with_a_place_in_it(stdlib: Any) -> None:
    text = np.frombuffer(b"12.5 apples\0", np.uint8)
    end = np.zeros(1, np.uint64)
    assert stdlib.strtod(sb.Pointer(text.ctypes.data, text), sb.Pointer(end.ctypes.data)) == 12.5
    assert end[0] - text.ctypes.data == 4


def test_times() -> None:
    clock = sb.bind("time.h")
    broken = clock.tm(tm_year=124, tm_mon=1, tm_mday=29, tm_hour=12)
    moment = clock.timegm(broken)
    assert moment == calendar.timegm((2024, 2, 29, 12, 0, 0))
    assert broken.tm_wday == 4
    out = np.zeros(32, np.int8)
    assert clock.strftime(out, 32, "%A %d", broken) == len("Thursday 29")
    assert bytes(out[:11]) == b"Thursday 29"
    again = clock.tm()
    clock.gmtime_r(np.array([moment]), again)
    assert (again.tm_year, again.tm_mon, again.tm_mday) == (124, 1, 29)
    assert time.gmtime(moment).tm_yday == again.tm_yday + 1


def test_memory_and_text() -> None:
    string = sb.bind("string.h")
    data = np.arange(8, dtype=np.uint8)
    string.memmove(data[2:], data, 4)
    assert data.tolist() == [0, 1, 0, 1, 2, 3, 6, 7]
    assert string.strlen("häuser") == len("häuser".encode())
    assert string.strcmp("a", "b") < 0
    assert string.memcmp(b"abc", b"abd", 3) < 0
    assert ctypes.string_at(int(string.strerror(2))) == b"No such file or directory"  # a char*, no const


def test_streams() -> None:
    stdio = sb.bind("stdio.h")
    file = stdio.tmpfile()
    assert stdio.fputs("first\nsecond\n", file) >= 0
    stdio.rewind(file)
    line = np.zeros(16, np.int8)
    assert stdio.fgets(line, 16, file)
    assert bytes(line[:6]) == b"first\n"
    assert stdio.fclose(file) == 0
    assert stdio.fflush(stdio.stdout) == 0
