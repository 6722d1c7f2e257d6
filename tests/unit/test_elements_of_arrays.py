"""Records, struct values and vectors in NumPy's arrays: stored as they are, or refused with what to write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.tables import each

import samebytes as sb


@sb.struct
class Single:
    v: sb.carray[sb.float64, 3]


@sb.struct
class Nested:
    m: sb.carray[sb.carray[sb.int32, 3], 2]


@sb.struct
class Mixed:
    m: sb.carray[sb.carray[sb.int32, 3], 2]
    n: sb.int32


@sb.struct
class OfVector:
    t: sb.float32x3


@pytest.fixture(scope="module")
def values() -> dict[str, Any]:
    lib = sb.compile(
        """
        #include <array>
        struct Ar { double v[3]; }; struct M { double m[2][3]; }; struct W { Ar a; }; struct One { float f[1]; };
        struct Deep { W w[2]; }; struct S { std::array<std::array<double, 3>, 2> m; };
        struct Vertex { Ar p; long k; }; struct Two { double a[2]; double b[2]; }; struct Hit { long id; double e; };
        struct Tail { char c[5]; };
        Vertex vertex() { return {{{1, 2, 3}}, 7}; } S s() { return {{{{1, 2, 3}, {4, 5, 6}}}}; }
        inline void all(Ar, M, W, One, Deep, S, Vertex, Two, Hit, Tail) {}
        """
    )
    made = {
        "array": lib.Ar([1, 2, 3]), "of 2": lib.M([[1, 2, 3], [4, 5, 6]]), "record inside": lib.W(([1, 2, 3],)),
        "one number": lib.One([2.5]), "array of arrays": lib.s(), "single": Single((1, 2, 3)),
        "nested": Nested(((1, 2, 3), (4, 5, 6))), "mixed": Mixed(((1, 2, 3), (4, 5, 6)), 7), "vertex": lib.vertex(),
        "two": lib.Two([1, 2], [3, 4]), "hit": lib.Hit(1, 2.5), "vector inside": OfVector((1, 2, 3)),
        "vector": sb.float32x3(1, 2, 3), "bytes": lib.Tail([1, 2, 3, 4, 5]),
    }  # fmt: skip
    return made | {
        f"{name}.value": made[name].value for name in ("array", "of 2", "record inside", "vertex", "hit")
    }


NAMES = [
    "array", "of 2", "record inside", "one number", "array of arrays", "single", "nested", "mixed", "vertex", "two",
    "hit", "vector inside", "vector", "bytes", "array.value", "of 2.value", "record inside.value", "vertex.value",
    "hit.value",
]  # fmt: skip


def _set(a: Any, key: Any, value: Any) -> Any:
    a[key] = value
    return a[:1]


# Ways to store an element; each gives an array whose first element is the value.
WAYS: dict[str, Callable[[Any, Any], Any]] = {
    "a[0] = x": lambda x, d: _set(np.zeros(2, d), 0, x),
    "a[:] = x": lambda x, d: _set(np.zeros(2, d), slice(None), x),
    "a[0:1] = [x]": lambda x, d: _set(np.zeros(2, d), slice(0, 1), [x]),
    "np.array([x])": lambda x, d: np.array([x, x], d),
    "np.asarray([x])": lambda x, d: np.asarray([x, x], d),
    "a.fill(x)": lambda x, d: (a := np.zeros(2, d), a.fill(x))[0],
    "np.put": lambda x, d: (a := np.zeros(2, d), np.put(a, [0], x))[0],
    "tuple": lambda x, d: _set(np.zeros(2, d), 0, tuple(x)),
}
# What an error advises; all of it stores what it should.
ADVISED: dict[str, Callable[[Any, Any], Any]] = {
    "np.asarray": lambda x, d: _set(np.zeros(2, d), 0, np.asarray(x)),
    "np.stack": lambda x, d: np.stack([np.asarray(x) for x in (x, x)]),
}


@each("name, way", [(name, way) for name in NAMES for way in WAYS])
def test_an_element_is_stored_as_it_is_or_refused(values: dict[str, Any], name: str, way: str) -> None:
    value = values[name]
    dtype = np.dtype(type(value))
    try:
        stored = WAYS[way](value, dtype)
    except (TypeError, ValueError) as error:
        refusal = error
    else:
        assert stored[0].tobytes() == bytes(value), stored
        return
    words = f"{refusal} {refusal.__cause__}"  # NumPy says that what has elements is a sequence, and why
    assert "NumPy assigns" in words or "is no single number" in words, refusal


@each("name, way", [(name, way) for name in NAMES if name != "vector" for way in ADVISED])
def test_what_is_advised_stores_the_element(values: dict[str, Any], name: str, way: str) -> None:
    value = values[name]
    assert ADVISED[way](value, np.dtype(type(value)))[0].tobytes() == bytes(value)


def test_what_is_advised_for_vectors() -> None:
    v = sb.float32x3(1, 2, 3)
    with pytest.raises(ValueError, match="sequence") as caught:
        np.array([v, v], sb.float32x3)
    assert "np.array([tuple(v) for v in vs], float32x3)" in str(caught.value.__cause__)
    assert np.array([tuple(v) for v in (v, v)], sb.float32x3)[1].tobytes() == bytes(v)


@each("name", [name for name in NAMES if name != "vector"])
def test_numpy_reads_the_buffer_and_the_object(values: dict[str, Any], name: str) -> None:
    """Nested arrays are one of more dimensions: NumPy reads no format of an array of arrays."""
    value = values[name]
    for shown in (
        np.asarray(value),
        np.array(value),
        np.asarray(memoryview(value)),
        np.array(memoryview(value)),
    ):
        assert shown.dtype == np.dtype(type(value))
        assert (shown.shape, shown.tobytes()) == ((), bytes(value))
    assert sb.view(value).shape == ()


def test_an_array_of_a_record_is_its_memory(values: dict[str, Any]) -> None:
    record = values["of 2"]
    seen = np.asarray(record)
    seen["m"][1, 2] = 60
    assert record.m[1, 2] == 60
    seen["m"][1, 2] = 6
    assert not np.asarray(values["array.value"]).flags.writeable
    assert np.asarray(values["array"], dtype=np.float32).tolist() == [1, 2, 3]
    assert memoryview(values["array of arrays"]).format == "T{(2,3)<d:m:}"


def test_a_function_that_numpy_calls_may_ask_for_memory(values: dict[str, Any]) -> None:
    record = values["array"]
    seen = np.vectorize(lambda i: memoryview(record).nbytes, otypes=[int])(np.arange(2))
    assert seen.tolist() == [24, 24]
