"""Elements of structured arrays in @njit: what a record's field refuses theirs refuse, and atomics are atomic."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import samebytes as sb

numba = pytest.importorskip("numba", reason="Numba is not installed")
njit = numba.njit
pytestmark = pytest.mark.full


@sb.struct
class Tally:
    hits: sb.Atomic(int)
    level: sb.int16
    mean: sb.Atomic(sb.float64)


@pytest.fixture(scope="module")
def lib() -> Any:
    source = "struct In { short a; float f; bool b; };\ninline int get(const In& i) { return i.a; }"
    return sb.compile(source, target="numba")


def compiled(statement: str) -> Any:
    scope: dict[str, Any] = {"np": np}
    exec(f"def f(c, x):\n    {statement}\n", scope)
    return njit(scope["f"])


def test_an_atomic_member_is_atomic() -> None:
    tallies = np.zeros(2, Tally.dtype)
    assert compiled("return c[0].hits.add(x)")(tallies, 3) == 0
    assert compiled("return c[0]['hits'].add(x)")(tallies, 4) == 3
    assert compiled("return c[1].mean.exch(x)")(tallies, 1.5) == 0
    assert compiled("return c[0].hits.load() + x")(tallies, 1) == 8
    assert tallies.tolist() == [(7, 0, 0.0), (0, 0, 1.5)]

    @njit
    def all_of(c):
        for tally in c:
            tally.hits.store(9)

    all_of(tallies)
    assert tallies["hits"].tolist() == [9, 9]


def test_threads_share_it() -> None:
    tallies = np.zeros(3, Tally.dtype)

    @njit(nogil=True)
    def count(c, times):
        for _ in range(times):
            c[1].hits.add(1)

    count(tallies, 0)  # compiled
    threads = [threading.Thread(target=count, args=(tallies, 50_000)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert tallies["hits"].tolist() == [0, 200_000, 0]


SHARED = "is a place that threads share, and no number: x.load\\(\\) reads it"


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("c[0].hits += 1", SHARED), ("c[0]['hits'] += 1", SHARED), ("return c[0].hits + 1", SHARED),
        ("return c[0].hits == 1", SHARED), ("return -c[0].hits", SHARED), ("return int(c[0].hits)", SHARED),
        ("return c[0].hits", SHARED), ("c[0].hits = 5", "'hits' of these elements is Atomic.int32.: x.hits.store"),
        ("c[0]['hits'] = 5", "x.hits.store"), ("return c[0].hits.plus(1)", "has no 'plus'"),
    ],
)  # fmt: skip
def test_as_a_plain_number_it_is_refused(statement: str, words: str) -> None:
    with pytest.raises(numba.core.errors.TypingError, match=words):
        compiled(statement)(np.zeros(1, Tally.dtype), 0)


def test_a_member_of_a_struct_is_refused_alike() -> None:
    with pytest.raises(numba.core.errors.TypingError, match=SHARED):
        njit(lambda t: t.hits + 1)(Tally(1, 2, 3.0))


def test_classes_that_lie_alike() -> None:
    """Where one has an atomic and the other a number nobody knows which an element is, and nothing is guessed."""

    @sb.struct
    class Shared:
        votes: sb.Atomic(int)
        rest: sb.uint8

    @sb.struct
    class Plain:
        votes: int
        rest: sb.uint8

    votes = np.zeros(1, Plain.dtype)
    assert compiled("c[0].votes += x\n    return c[0].votes")(votes, 3) == 3
    assert Shared.dtype == Plain.dtype
    with pytest.raises(
        numba.core.errors.TypingError, match=r"may be Plain or Shared: .* 'votes' is not atomic in each"
    ):
        compiled("c[0].votes += x")(votes, 3)
    assert compiled("c[0].rest = x")(votes, 3) is None


# --- numbers that a field cannot hold


@pytest.mark.parametrize("target", ["c[0].a", "c[0]['a']"])
def test_a_number_that_the_field_has_not(lib: Any, target: str) -> None:
    elements = np.zeros(2, lib.In.dtype)
    store = compiled(f"{target} = x")
    store(elements, -32768)
    assert elements["a"].tolist() == [-32768, 0]
    for wide in (70_000, np.uint16(40_000), -(2**40)):
        with pytest.raises(sb.RangeError, match=r"In.a: expected int16 \(-32768 to 32767\)"):
            store(elements, wide)
    with pytest.raises(
        numba.core.errors.TypingError, match=r"expected int16, got float64. int\(x\) truncates"
    ):
        store(elements, 2.7)
    with pytest.raises(numba.core.errors.TypingError, match=r"int16 .-32768 to 32767., got 70000"):
        compiled(f"{target} = 70000")(elements, 0)
    assert elements["a"].tolist() == [-32768, 0]


def test_other_formats(lib: Any) -> None:
    elements = np.zeros(1, lib.In.dtype)
    compiled("c[0].f = x")(elements, 0.1)
    assert elements["f"][0] == np.float32(0.1)
    with pytest.raises(sb.RangeError, match="expected float32, got a finite number"):
        compiled("c[0].f = x")(elements, 1e300)
    with pytest.raises(numba.core.errors.TypingError, match="x != 0 makes a bool"):
        compiled("c[0].b = x")(elements, 2)


def test_an_element_that_goes_on_to_cxx(lib: Any) -> None:
    """The same rule for a record and for an element in one function (found: 70000 became 4464)."""

    @njit
    def put(r, k):
        r.a = k
        return lib.get(r)

    elements = np.zeros(1, lib.In.dtype)
    assert njit(lambda a, k: put(a[0], k))(elements, 300) == put(lib.In(), 300) == 300
    for one in (elements[0], lib.In()):
        with pytest.raises(sb.RangeError, match=r"In\.a"):
            put(one, 70_000)


def test_arrays_of_nobody_s_class_are_numba_s(lib: Any) -> None:
    own = np.zeros(1, [("a", "<i2"), ("other", "<f4")])
    compiled("c[0].a = x")(own, 70_000)
    assert own["a"][0] == 4464


# --- descriptors


@sb.struct
class Shown:
    a: sb.array[sb.float32, 2]


@pytest.mark.requirement("A.3")
def test_reshape() -> None:
    table = np.arange(12, dtype=np.float32).reshape(3, 4)
    for text in ("c.a.reshape(12)", "c.a.reshape((2, 6))", "c.a.reshape(2, -1)", "c.a.reshape(c.a.size)"):
        found = compiled(f"return {text}")(Shown(table), 0)
        assert np.array_equal(found, eval(text, {"c": Shown(table)}))
    for other in (table.T, table[:, ::2]):
        with pytest.raises(ValueError, match="expected a C-contiguous array"):
            compiled("return c.a.reshape(x)")(Shown(other), other.size)
    assert compiled("return c.a.reshape(4, x)")(Shown(np.zeros((0, 4), np.float32)), 0).shape == (4, 0)
