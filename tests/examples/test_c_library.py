"""The C library bound from its own headers agrees with Python's own results."""

from __future__ import annotations

import calendar
import ctypes
import math
import time

import numpy as np
import pytest

import samebytes as sb

pytestmark = pytest.mark.filterwarnings("ignore::samebytes.BindWarning")

NUMBERS = [0.0, -0.0, 1.0, -1.5, 8.0, 0.1, 1e-310, 1e300, math.pi, -123456.789]


@pytest.fixture(scope="module")
def m():
    outs = {"frexp": {1: "out_return"}, "modf": {1: "out_return"}, "remquo": {2: "out_return"}}
    return sb.bind("math.h", arg_intent=outs)


@pytest.fixture(scope="module")
def stdlib():
    return sb.bind("stdlib.h", arg_intent={"strtol": {1: "out_return"}})


@pytest.fixture(scope="module")
def clock():
    return sb.bind("time.h")


def same(one: float, other: float) -> bool:
    return np.float64(one).tobytes() == np.float64(other).tobytes()


class TestMath:
    @pytest.mark.parametrize("x", NUMBERS)
    def test_frexp(self, m, x):
        assert m.frexp(x) == math.frexp(x)

    @pytest.mark.parametrize("x", NUMBERS)
    def test_modf(self, m, x):
        ours, pythons = m.modf(x), math.modf(x)
        assert all(same(a, b) for a, b in zip(ours, pythons, strict=True))

    @pytest.mark.parametrize(("x", "y"), [(7.5, 2.0), (-7.5, 2.0), (1e10, 3.0), (5.0, -3.0)])
    def test_remquo(self, m, x, y):
        remainder, quotient = m.remquo(x, y)
        assert same(remainder, math.remainder(x, y))
        assert quotient % 8 == round(x / y) % 8 or -quotient % 8 == -round(x / y) % 8

    @pytest.mark.parametrize("name", ["sin", "exp", "cbrt", "tgamma", "erf"])
    def test_elementary(self, m, name):
        expected = getattr(math, {"tgamma": "gamma"}.get(name, name))
        assert getattr(m, name)(1.25) == pytest.approx(expected(1.25), rel=1e-15)

    def test_issue_example(self, m):
        assert m.frexp(8.0) == (0.5, 4)


class TestStdlib:
    @pytest.mark.parametrize(("a", "b"), [(7, 2), (-7, 2), (7, -2), (0, 5), (2**31 - 1, 10)])
    @pytest.mark.parametrize("name", ["div", "ldiv", "lldiv"])
    def test_div(self, stdlib, name, a, b):
        result = getattr(stdlib, name)(a, b)
        quotient = math.trunc(a / b)
        assert (result.quot, result.rem) == (quotient, a - quotient * b)

    def test_div_looks_like_itself(self, stdlib):
        assert repr(stdlib.div(7, 2)) == "div_t(quot=3, rem=1)"

    @pytest.mark.parametrize(
        ("text", "base", "value", "rest"),
        [
            ("42abc", 10, 42, b"abc"),
            ("-0x1f", 16, -31, b""),
            (b"zz", 36, 35 * 37, b""),
            ("none", 10, 0, b"none"),
            ("99999999999999999999", 10, 2**63 - 1, b""),
        ],
    )
    def test_strtol(self, stdlib, text, base, value, rest):
        found, end = stdlib.strtol(text, base)
        assert found == value
        assert ctypes.string_at(end.address) == rest

    def test_abs_by_type(self, stdlib):
        assert stdlib.abs(-5) == 5
        assert stdlib.llabs(-(2**40)) == 2**40
        with pytest.raises(sb.RangeError):
            stdlib.abs(2**40)


class TestTime:
    @pytest.mark.parametrize("seconds", [0, 1, 951782400, 1700000000, 2**31, -1])
    def test_gmtime_r(self, clock, seconds):
        tm = clock.tm()
        clock.gmtime_r(seconds, tm)
        ours = (tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec)
        assert ours == time.gmtime(seconds)[:6]
        assert tm.tm_yday == time.gmtime(seconds).tm_yday - 1
        assert tm.tm_zone == "GMT"

    @pytest.mark.parametrize("seconds", [0, 951782400, 1700000000])
    def test_timegm_is_its_inverse(self, clock, seconds):
        tm = clock.tm()
        clock.gmtime_r(seconds, tm)
        assert clock.timegm(tm) == seconds == calendar.timegm(time.gmtime(seconds))

    def test_timegm_normalises_the_record_in_place(self, clock):
        tm = clock.tm(tm_year=100, tm_mon=0, tm_mday=32)
        assert clock.timegm(tm) == calendar.timegm((2000, 2, 1, 0, 0, 0))
        assert (tm.tm_mon, tm.tm_mday) == (1, 1)

    def test_the_result_points_to_the_argument(self, clock):
        tm = clock.tm()
        assert clock.gmtime_r(5, tm) is tm
