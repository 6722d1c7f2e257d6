"""nanobind's test_chrono.py in our words: durations and times between C++'s clocks and Python's."""

from __future__ import annotations

import datetime
from datetime import UTC, timedelta, timezone

import numpy as np
import pytest

import samebytes as sb

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.errors.BindWarning")]

SOURCE = r"""
#include <chrono>
namespace steps {
template <class D> using Point = std::chrono::time_point<std::chrono::system_clock, D>;
struct Steps {
  Point<std::chrono::hours> h; Point<std::chrono::minutes> m; Point<std::chrono::seconds> s;
  Point<std::chrono::milliseconds> ms; Point<std::chrono::microseconds> us;
};
}
#include <cstdint>
using namespace std::chrono;
using Nano = time_point<system_clock, nanoseconds>;
inline system_clock::time_point now() { return system_clock::now(); }
inline system_clock::time_point same(system_clock::time_point t) { return t; }
inline system_clock::duration span(system_clock::duration d) { return d; }
inline system_clock::duration between(system_clock::time_point a, system_clock::time_point b) { return a - b; }
inline steady_clock::time_point steady() { return steady_clock::now(); }
inline steady_clock::time_point steady_same(steady_clock::time_point t) { return t; }
inline steady_clock::duration steady_length() { return steady_clock::now().time_since_epoch(); }
inline microseconds micro(microseconds t) { return t; }
inline duration<double> seconds_between(duration<double> a, duration<double> b) { return a - b; }
inline Nano later(Nano t, nanoseconds d) { return t + d; }
inline std::int64_t ticks(Nano t) { return t.time_since_epoch().count(); }
inline bool at_hour(time_point<system_clock, hours> t) { return t.time_since_epoch().count() % 24 == 0; }
"""
NOON = datetime.datetime(2023, 4, 5, 12, 30, 0, 123, tzinfo=UTC)


@pytest.fixture(scope="module")
def lib():
    return sb.compile(SOURCE, std="c++17", name="nb_chrono")


@pytest.mark.behaviour("test_chrono_system_clock")
def test_the_time_of_cpp_is_the_time_of_python(lib):
    before = datetime.datetime.now(UTC)
    found = lib.now()
    assert isinstance(found, np.datetime64)  # as fine as C++'s clock; a datetime has no nanoseconds
    seen = datetime.datetime.fromtimestamp(int(found.astype("M8[us]").astype("i8")) / 1e6, UTC)
    assert abs(seen - before) < timedelta(minutes=1)


@pytest.mark.behaviour("test_chrono_system_clock_roundtrip")
def test_a_time_comes_back_the_same(lib):
    for time in (
        NOON,
        NOON.astimezone(timezone(timedelta(hours=9))),
        datetime.datetime(1969, 12, 31, tzinfo=UTC),
    ):
        assert lib.same(time) == time
    assert lib.ticks(NOON) == round(NOON.timestamp()) * 10**9 + 123000


@pytest.mark.behaviour("test_chrono_system_clock_roundtrip", refused=True)
def test_a_time_without_a_zone_does_not_say_when_it_is(lib):
    naive = NOON.replace(tzinfo=None)
    with pytest.raises(sb.ArgumentError, match=r"x.astimezone\(\) takes it for local time"):
        lib.same(naive)
    assert lib.same(naive.astimezone()) == naive.astimezone()


@pytest.mark.behaviour("test_chrono_system_clock_roundtrip_date", refused=True)
@pytest.mark.behaviour("test_chrono_system_clock_roundtrip_time", refused=True)
@pytest.mark.behaviour("test_chrono_duration_subtraction_equivalence_date", refused=True)
def test_a_date_or_a_time_of_day_alone_is_no_point_in_time(lib):
    for value in (datetime.date(2023, 4, 5), datetime.time(12, 30)):
        with pytest.raises(sb.ArgumentError, match=r"expected a datetime\.datetime with a time zone"):
            lib.same(value)
        with pytest.raises(sb.ArgumentError, match="argument 2"):
            lib.between(NOON, value)


@pytest.mark.behaviour("test_chrono_duration_roundtrip")
def test_a_length_comes_back_the_same(lib):
    for length in (timedelta(days=3, seconds=5, microseconds=7), timedelta(microseconds=-1), timedelta(0)):
        assert lib.span(length) == length


@pytest.mark.behaviour("test_chrono_duration_subtraction_equivalence")
def test_cpps_difference_is_pythons(lib):
    other = NOON + timedelta(hours=3, microseconds=9)
    assert lib.between(other, NOON) == other - NOON
    assert lib.between(NOON, other) == NOON - other


@pytest.mark.behaviour("test_chrono_steady_clock", refused=True)
@pytest.mark.behaviour("test_chrono_steady_clock_roundtrip", refused=True)
def test_a_point_of_a_steady_clock_means_nothing_outside_of_the_program(lib):
    for name in ("steady", "steady_same"):
        with pytest.raises(AttributeError, match=r"only the system's clock says what its points mean"):
            getattr(lib, name)
    assert lib.steady_length() > np.timedelta64(0, "ns")  # a length of it does


@pytest.mark.behaviour("test_floating_point_duration")
def test_a_duration_of_floating_ticks(lib):
    found = lib.seconds_between(timedelta(seconds=43.789012), timedelta(seconds=1.123456))
    assert abs(found - timedelta(seconds=42.665556)) <= timedelta(microseconds=1)


@pytest.mark.behaviour("test_floating_point_duration", refused=True)
def test_a_number_does_not_say_of_which_unit_it_is(lib):
    with pytest.raises(sb.ArgumentError, match=r"expected a datetime\.timedelta or numpy\.timedelta64"):
        lib.micro(35.525123)
    assert lib.micro(timedelta(seconds=35.525123)) == timedelta(seconds=35.525123)


@pytest.mark.behaviour("test_nano_timepoint")
@pytest.mark.behaviour("test_chrono_misc")
def test_times_and_lengths_of_nanoseconds(lib):
    for length in (timedelta(seconds=60), timedelta(days=-1, seconds=-10), timedelta(microseconds=-123)):
        assert lib.later(NOON, length) == NOON + length
    fine = np.datetime64("2023-04-05T12:30:00.000000001")
    assert lib.ticks(fine) == int(fine.astype("int64"))


@pytest.mark.behaviour("test_chrono_misc", refused=True)
def test_what_lies_between_two_ticks_is_never_cut_off(lib):
    assert lib.at_hour(datetime.datetime(2023, 4, 5, tzinfo=UTC))
    with pytest.raises(sb.RangeError, match="a whole number of ticks of 3600/1 s"):
        lib.at_hour(NOON)


@pytest.mark.behaviour("test_chrono_invalid")
def test_what_is_no_time_or_no_length(lib):
    for function, values in ((lib.same, (None, 42, timedelta(5))), (lib.span, (None, 42, NOON))):
        for value in values:
            with pytest.raises(sb.ArgumentError, match="expected a datetime"):
                function(value)


@pytest.mark.behaviour("test_chrono_different_resolutions", refused=True)
def test_fields_of_several_resolutions(lib):
    """As fine as each field; what a field would cut off is refused, where the peer cuts it off."""
    steps = lib.steps.Steps()
    time = datetime.datetime(2023, 4, 5, 12, 34, 56, 789123, tzinfo=UTC)
    for name, finer in (("us", None), ("ms", {"microsecond": 789000}), ("s", {"microsecond": 0}), ("m", {"second": 0}),
                        ("h", {"minute": 0})):  # fmt: skip
        if finer is not None:
            with pytest.raises(sb.RangeError, match=f"Steps.{name}: expected a whole number of ticks"):
                setattr(steps, name, time)
            time = time.replace(**finer)
        setattr(steps, name, time)
        assert getattr(steps, name) == time
