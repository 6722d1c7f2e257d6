"""What a stub says of parameters and results: that of each row, and words that the stub imports."""

from __future__ import annotations

import pytest

from samebytes import types
from samebytes.loading.stubs.annotations import Annotations, plain
from samebytes.types import SCALARS, Type

INT, DOUBLE = SCALARS["int32"], SCALARS["float64"]
SECONDS, DAYS = types.Duration("std::chrono::seconds"), types.Instant("std::chrono::sys_days")
LENGTH, MOMENT = "datetime.timedelta | np.timedelta64", "datetime.datetime | np.datetime64"

# type, what it accepts, what comes back
ROWS: list[tuple[Type, str, str]] = [
    (SECONDS, LENGTH, LENGTH),
    (DAYS, MOMENT, MOMENT),
    (types.Maybe("std::optional", SECONDS), f"{LENGTH} | None", f"{LENGTH} | None"),
    (types.Target("std::string", types.Text("std::string")), "str | bytes | None", "str | None"),
    (types.Product("std::pair", (INT, DOUBLE)), "tuple[Int, Float] | list[Any]", "tuple[int, float]"),
    (types.Product("std::tuple<>", ()), "tuple[()] | list[Any]", "tuple[()]"),
    (types.Span(INT, 1, spelling="std::span<int>"), "ArrayLike", "Any"),
    (types.Aligned(INT, 16), "Int", "int"),
    (types.Tuple.of((INT, DOUBLE)), "tuple[Int, Float]", "tuple[int, float]"),
    (types.Named("ns::Node"), "Any", "Any"),
]


@pytest.mark.parametrize(("type_", "accepted", "returned"), ROWS, ids=lambda value: str(value))
def test_each_row(type_: Type, accepted: str, returned: str) -> None:
    annotations = Annotations({}, plain)
    assert (annotations.accepted(type_), annotations.returned(type_)) == (accepted, returned)
