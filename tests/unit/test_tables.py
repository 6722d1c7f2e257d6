"""A table that is one test tells of each row, as tests of their own would."""

from __future__ import annotations

import pytest
from tests.tables import each


def test_every_row_that_fails_is_told() -> None:
    @each("number, square", [(1, 1), (2, 5), (3, 9), (4, 17)])
    def table(number: int, square: int) -> None:
        assert number * number == square

    with pytest.raises(ExceptionGroup, match="2 of 4 rows fail") as raised:
        table()  # type: ignore[call-arg]
    assert [error.__notes__ for error in raised.value.exceptions] == [["row: 2, 5"], ["row: 4, 17"]]


def test_pytest_s_own_failures_count() -> None:
    @each("number", [1, 2])
    def table(number: int) -> None:
        with pytest.raises(ValueError):
            int(str(number))

    with pytest.raises(ExceptionGroup, match="2 of 2 rows fail"):
        table()  # type: ignore[call-arg]


def test_it_is_skipped_where_a_row_is() -> None:
    rows = []

    @each("number", [1, 2, 3])
    def table(number: int) -> None:
        rows.append(number)
        if number == 2:
            pytest.skip("small")

    with pytest.raises(pytest.skip.Exception, match="1 of 3 rows: small"):
        table()  # type: ignore[call-arg]
    assert rows == [1, 2, 3]


@pytest.mark.parametrize("factor", [1, 2])
@each("number", range(3))
def test_the_rest_is_pytest_s(factor: int, number: int) -> None:
    assert (number * factor) % factor == 0
