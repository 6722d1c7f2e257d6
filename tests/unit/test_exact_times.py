"""NumPy's and datetime's times in chrono's ticks, against exact integers: right, or refused in words."""

from __future__ import annotations

import datetime
import enum
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import samebytes as sb
from samebytes.errors import ArgumentError, Error, RangeError
from samebytes.values.conversion.times import exact_instant, exact_length

SOURCE = """
#include <chrono>
using namespace std::chrono;
template <class D> long long raw(D d) { return d.count(); }
inline long long in_ns(nanoseconds d) { return d.count(); }
inline long long in_us(microseconds d) { return d.count(); }
inline long long in_s(seconds d) { return d.count(); }
inline long long in_h(hours d) { return d.count(); }
inline int in_short(duration<short> d) { return d.count(); }
inline double in_double(duration<double> d) { return d.count(); }
using pico = duration<long long, std::pico>;
using film = duration<long long, std::ratio<1, 24>>;
using long_hours = duration<long long, std::ratio<3600>>;
inline nanoseconds out_ns(long long n) { return nanoseconds(n); }
inline microseconds out_us(long long n) { return microseconds(n); }
inline seconds out_s(long long n) { return seconds(n); }
inline pico out_ps(long long n) { return pico(n); }
inline film out_film(long long n) { return film(n); }
inline long_hours out_h(long long n) { return long_hours(n); }
inline duration<double> out_double(double n) { return duration<double>(n); }
template <class D> time_point<system_clock, D> at(long long n) { return time_point<system_clock, D>(D(n)); }
inline auto from_ns(long long n) { return at<nanoseconds>(n); }
inline auto from_us(long long n) { return at<microseconds>(n); }
inline auto from_s(long long n) { return at<seconds>(n); }
inline auto from_h(long long n) { return at<long_hours>(n); }
inline long long at_ns(time_point<system_clock, nanoseconds> t) { return t.time_since_epoch().count(); }
inline long long at_s(time_point<system_clock, seconds> t) { return t.time_since_epoch().count(); }
"""
TICKS = {
    "in_ns": Fraction(1, 10**9),
    "in_us": Fraction(1, 10**6),
    "in_s": Fraction(1),
    "in_h": Fraction(3600),
}
UNITS = {
    "W": Fraction(604800), "D": Fraction(86400), "h": Fraction(3600), "m": Fraction(60), "s": Fraction(1),
    "ms": Fraction(1, 10**3), "us": Fraction(1, 10**6), "ns": Fraction(1, 10**9), "ps": Fraction(1, 10**12),
    "fs": Fraction(1, 10**15), "as": Fraction(1, 10**18),
}  # fmt: skip
COUNTS = st.integers(-(2**63) + 1, 2**63 - 1) | st.integers(-5000, 5000)


@pytest.fixture(scope="module")
def lib() -> Any:
    return sb.compile(SOURCE)


def agrees(function: Any, value: Any, ticks: Fraction) -> None:
    """C++ gets just so many ticks, or the call is refused in words."""
    if ticks.denominator == 1 and -(2**63) <= ticks < 2**63:
        assert function(value) == ticks
    else:
        with pytest.raises(RangeError):
            function(value)


@given(
    count=COUNTS,
    unit=st.sampled_from(list(UNITS)),
    name=st.sampled_from(list(TICKS)),
    step=st.sampled_from([1, 25]),
)
@settings(max_examples=300, deadline=None)
def test_lengths(lib: Any, count: int, unit: str, name: str, step: int) -> None:
    value = np.timedelta64(count, f"{step}{unit}" if step > 1 else unit)
    agrees(getattr(lib, name), value, count * step * UNITS[unit] / TICKS[name])


@given(count=COUNTS, unit=st.sampled_from(list(UNITS)), name=st.sampled_from(["at_ns", "at_s"]))
@settings(max_examples=200, deadline=None)
def test_instants(lib: Any, count: int, unit: str, name: str) -> None:
    agrees(getattr(lib, name), np.datetime64(count, unit), count * UNITS[unit] / TICKS["in" + name[2:]])


@given(st.integers(-9990 * 12, 7990 * 12), st.sampled_from(["Y", "M"]))
def test_months(count: int, unit: str) -> None:
    """NumPy's own calendar, where it has room."""
    value = np.datetime64(count // (12 if unit == "Y" else 1), unit)
    assert exact_instant(value) == (int(value.astype("datetime64[s]").astype(np.int64)), 1)


@given(st.integers(-(2**62), 2**62))
def test_months_of_any_year(count: int) -> None:
    """The calendar repeats after 400 years, for ever."""
    near = count % 4800
    whole, within = exact_instant(np.datetime64(count, "M"))[0], exact_instant(np.datetime64(near, "M"))[0]
    assert whole - within == (count - near) // 4800 * 146_097 * 86_400


@given(st.timedeltas())
def test_timedeltas(value: datetime.timedelta) -> None:
    parts, second = exact_length(value) or (0, 1)
    assert Fraction(parts, second) == Fraction(value // datetime.timedelta(microseconds=1), 10**6)


REFUSED = [
    ("in_s", np.timedelta64("NaT"), "NaT, which is none"),
    ("in_double", np.timedelta64("NaT", "s"), "NaT, which is none"),
    ("at_s", np.datetime64("NaT"), "NaT, which is none"),
    ("at_ns", np.datetime64("NaT", "ns"), "NaT, which is none"),
    ("in_s", np.timedelta64(1, "Y"), "years and months have none"),
    ("in_s", np.timedelta64(1, "M"), "years and months have none"),
    ("in_s", np.timedelta64(1), "a length in weeks or smaller units"),
    ("at_ns", np.datetime64("3000-01-01"), "int64"),
    ("at_s", np.datetime64(2**62, "h"), "int64"),
    ("at_s", np.datetime64(2**62, "Y"), "int64"),
    ("in_ns", np.timedelta64(1, "ps"), "a whole number of ticks"),
    ("in_ns", np.timedelta64(2**63 - 1, "s"), "int64"),
    ("in_short", np.timedelta64(40_000, "s"), "int16"),
    ("at_s", np.datetime64("1970-01-01T00:00:00.5"), "a whole number of ticks"),
    ("in_s", datetime.timedelta(milliseconds=1), "a whole number of ticks"),
]


@pytest.mark.parametrize(("name", "value", "words"), REFUSED, ids=lambda v: str(v)[:30])
def test_what_is_refused(lib: Any, name: str, value: Any, words: str) -> None:
    with pytest.raises(Error, match=words):
        getattr(lib, name)(value)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("in_s", np.timedelta64(2**63 - 1, "s"), 2**63 - 1),
        ("at_s", np.datetime64("3000-01-01"), 32503680000),
        ("at_s", np.datetime64("1969"), -31536000),
        ("at_s", np.datetime64("1900-03"), -2203891200),
        ("in_double", np.timedelta64(1, "ns"), 1e-9),
        ("in_short", np.timedelta64(-2, "s"), -2),
        ("in_h", np.timedelta64(1, "W"), 168),
    ],
)
def test_what_is_right(lib: Any, name: str, value: Any, expected: float) -> None:
    assert getattr(lib, name)(value) == expected


def test_nanoseconds_beside_a_timedelta(lib: Any) -> None:
    """As pandas has them in its class of timedelta."""

    class Finer(datetime.timedelta):
        nanoseconds = 7

    assert lib.in_ns(Finer(microseconds=3)) == 3007
    with pytest.raises(RangeError, match="a whole number of ticks"):
        lib.in_us(Finer(microseconds=3))


FIRST = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
GIVEN = {"ns": TICKS["in_ns"], "us": TICKS["in_us"], "s": Fraction(1), "h": Fraction(3600)}
LENGTHS = GIVEN | {"ps": UNITS["ps"], "film": Fraction(1, 24)}


@given(count=COUNTS, name=st.sampled_from(list(LENGTHS)))
@settings(max_examples=300, deadline=None)
def test_lengths_that_cxx_gives(lib: Any, count: int, name: str) -> None:
    length = count * LENGTHS[name]
    if any((length / unit).denominator == 1 and abs(length / unit) < 2**63 for unit in UNITS.values()):
        assert Fraction(*exact_length(getattr(lib, f"out_{name}")(count)) or (0, 1)) == length
    else:  # no unit has a 24th of a second, and what they have of it is another length
        assert name == "film"
        with pytest.raises(RangeError, match=r"let C\+\+ give its number of ticks"):
            lib.out_film(count)


@pytest.mark.parametrize(
    ("name", "count", "expected"),
    [
        ("pico", 1.0, np.timedelta64(1, "ps")), ("pico", 1.5, np.timedelta64(1500, "fs")),
        ("pico", 0.0, datetime.timedelta()),
        ("double", 1e-9, np.timedelta64(1, "ns")), ("double", 0.00012345, np.timedelta64(123450, "ns")),
        ("double", 1 / 3, datetime.timedelta(microseconds=333333)), ("double", -2.5, datetime.timedelta(seconds=-2.5)),
        ("double", 1e-30, None), ("double", float("nan"), None),
    ],
)  # fmt: skip
def test_fractions_of_ticks_are_rounded_to_what_keeps_them(name: str, count: float, expected: Any) -> None:
    lib = sb.compile(
        "#include <chrono>\nusing namespace std::chrono;\n"
        "inline duration<double> given_double(double d) { return duration<double>(d); }\n"
        "inline duration<double, std::pico> given_pico(double d) { return duration<double, std::pico>(d); }",
        name="fractions",
    )
    if expected is None:
        with pytest.raises(RangeError, match="number of ticks"):
            getattr(lib, f"given_{name}")(count)
    else:
        found = getattr(lib, f"given_{name}")(count)
        assert (found, type(found)) == (expected, type(expected))


@given(count=COUNTS, name=st.sampled_from(list(GIVEN)))
@settings(max_examples=200, deadline=None)
def test_instants_that_cxx_gives(lib: Any, count: int, name: str) -> None:
    found = getattr(lib, f"from_{name}")(count)
    since = exact_instant(found) if isinstance(found, np.datetime64) else exact_length(found - FIRST)
    assert Fraction(*since or (0, 1)) == count * GIVEN[name]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("out_s(86_400)", datetime.timedelta(1)),
        ("out_ns(1)", np.timedelta64(1, "ns")),
        ("out_ps(1)", np.timedelta64(1, "ps")),
        ("out_s(2**62)", np.timedelta64(2**62, "s")),
        ("out_h(-(2**62))", np.timedelta64(-(2**62), "h")),
        ("out_double(1e15)", np.timedelta64(10**18, "ms")),
        ("from_s(2**62)", np.datetime64(2**62, "s")),
        ("from_h(-20_000_000)", np.datetime64(-72_000_000_000, "s")),
        ("from_s(0)", FIRST),
    ],
)
def test_what_cxx_gives(lib: Any, given: str, expected: Any) -> None:
    found = eval(given, {}, vars(lib))
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("out_ns(-(2**63))", "a std::chrono::duration<.*> of -9223372036854775808 ticks"),
        ("out_double(float('inf'))", "of inf ticks"),
        ("out_double(float('nan'))", "of nan ticks"),
        ("out_double(1e30)", "of 1e[+]30 ticks, which no datetime and no time of NumPy is: let C[+][+] give"),
        ("from_ns(-(2**63))", "a std::chrono::time_point<.*> of -9223372036854775808 ticks"),
    ],
)
def test_what_no_time_of_python_is(lib: Any, given: str, words: str) -> None:
    with pytest.raises(RangeError, match=words):
        eval(given, {}, vars(lib))


class Own(int): ...


class Number(enum.IntEnum):
    THREE = 3


class Flag(enum.IntFlag):
    FOUR = 4


OVERLOADS = """
inline int f(int) { return 1; }  inline int f(double) { return 2; }
inline int g(long) { return 1; } inline int g(double) { return 2; }
inline int h(unsigned) { return 1; } inline int h(double) { return 2; }
inline int i(int) { return 1; } inline int i(long) { return 2; }
inline int j(const char*) { return 1; } inline int j(int) { return 2; }
enum Old { A, B };
inline int k(int) { return 1; } inline int k(Old) { return 2; } inline int k(double) { return 3; }
inline int l(int) { return 1; } inline int l(double) { return 2; }
inline int m(float) { return 1; } inline int m(double) { return 2; }
"""


@pytest.fixture(scope="module")
def chosen() -> Any:
    return sb.compile(OVERLOADS)


@pytest.mark.parametrize("name", ["f", "g", "h", "i", "j", "l"])
@pytest.mark.parametrize("value", [Own(3), Number.THREE, Flag.FOUR], ids=repr)
def test_ints_of_other_classes_choose_as_ints_do(chosen: Any, name: str, value: Any) -> None:
    function = getattr(chosen, name)
    assert function(value) == function(int(value))
    assert function(value) == function(int(value))  # as it is remembered, too


def test_large_and_small_ones_of_one_class(chosen: Any) -> None:
    found = [chosen.i(Own(value)) for value in (3, 2**40, 3, -(2**40), 2**31 - 1, 2**31)]
    assert found == [1, 2, 1, 2, 1, 2]


def test_an_enumerator_goes_to_its_own_enumeration(chosen: Any) -> None:
    assert [chosen.k(chosen.Old.B), chosen.k(1), chosen.k(Own(1)), chosen.k(1.0)] == [2, 1, 1, 3]
    assert chosen.l(chosen.Old.B) == 1  # C++ promotes it


@pytest.mark.parametrize("value", [1, Own(1), Number.THREE])
def test_what_is_ambiguous_for_an_int_stays_so(chosen: Any, value: Any) -> None:
    with pytest.raises(ArgumentError, match="is ambiguous"):
        chosen.m(value)
