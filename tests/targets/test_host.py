"""The seed's five functions with the seed's configuration, on the host, where CUDA's headers are absent."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import samebytes as sb

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def lib():
    return sb.bind(HERE / "stats.hpp", config=HERE / "stats.yaml")


def test_state_is_changed_in_place(lib):
    state = lib.RunningStats()
    for x in (1.0, 2.0, 3.0):
        lib.stats_update(state, x)
    assert state == lib.RunningStats(3, 6.0, 14.0)


def test_the_mean_goes_to_the_callers_place(lib):
    mean = np.zeros(1, np.float32)
    assert lib.stats_get_mean(lib.RunningStats(4, 10.0, 0.0), mean) is None
    assert mean[0] == 2.5


def test_the_result_and_the_output_are_one_tuple(lib):
    state = lib.RunningStats()
    assert lib.stats_update_and_get_zscore(state, 2.0) == (False, 0.0)
    assert lib.stats_update_and_get_zscore(state, 5.0) == (True, 1.5)
    assert state.count == 2


def test_arrays_come_flat(lib):
    matrix = lib.stats_get_matrix_3x4()
    assert matrix == (0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23)
    assert matrix[2 * 4 + 1] == 21
    assert lib.stats_get_vectors() == tuple(sb.float32x4(i, i + 0.25, i + 0.5, i + 0.75) for i in range(3))


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("stats_update", "stats_update(state: pointer[RunningStats], x: float32) -> None"),
        ("stats_get_mean", "stats_get_mean(state: RunningStats, mean_out: pointer[float32]) -> None"),
        (
            "stats_update_and_get_zscore",
            "stats_update_and_get_zscore(state: pointer[RunningStats], x: float32) -> tuple[bool, float32]",
        ),
        ("stats_get_matrix_3x4", "stats_get_matrix_3x4() -> carray[float32, 12]"),
        ("stats_get_vectors", "stats_get_vectors() -> carray[float32x4, 3]"),
    ],
)
def test_the_signatures_are_the_seeds(lib, name, line):
    """``CPointer(T)`` is ``pointer[T]``, ``UniTuple(T, n)`` is ``carray[T, n]``."""
    assert line in getattr(lib, name).__doc__


def test_without_a_configuration_values_go_in_and_records_are_the_objects():
    with pytest.warns(sb.BindWarning, match="is discarded"):
        plain = sb.bind(HERE / "stats.hpp", name="plain")
    state = plain.RunningStats()
    plain.stats_update(state, 1.0)
    assert state.count == 1
    line = "stats_update(state: RunningStats, x: float32) -> None"
    assert line in plain.stats_update.__doc__
