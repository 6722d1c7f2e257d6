"""Plans of the compiled core: keywords, overloads and the cache of their choices."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from native_codecs import FLOAT32, FLOAT64, INT32, INT64, Refused, candidate, function, pointer

Shim = Callable[[str], int]


@pytest.fixture
def twice(shim: Shim) -> Any:
    return candidate(shim("twice"), FLOAT64, result=FLOAT64)


# --- keywords -------------------------------------------------------------------------------------------------------


def test_keywords(shim: Shim) -> None:
    scale = function(candidate(shim("scale"), INT32, FLOAT32, result=FLOAT32, names=("i", "größe")))
    uninterned = "".join(["grö", "ße"])
    assert scale(3, größe=0.5) == scale(größe=0.5, i=3) == scale(**{uninterned: 0.5, "i": 3}) == 1.5
    for args, kwargs in [
        ((), {}),
        ((1,), {}),
        ((1, 2.0, 3), {}),
        ((1, 2.0), {"i": 3}),
        ((1,), {"i": 3}),
        ((1,), {"x": 3}),
        ((), {"i": 1}),
        ((), {"i": 1, "größe": 2.0, "x": 3}),
    ]:
        with pytest.raises(Refused) as caught:
            scale(*args, **kwargs)
        assert caught.value.args == (args, kwargs, 0)


def test_explain_may_complete_a_call(twice: Any) -> None:
    f = function(twice, explain=lambda args, kwargs, candidate: ("completed", args, kwargs, candidate))
    assert f(1, 2) == ("completed", (1, 2), {}, 0)
    assert f(y=1) == ("completed", (), {"y": 1}, 0)


# --- overloads ------------------------------------------------------------------------------------------------------


class Resolver:
    """Chooses by the type of the first argument and counts how often it is asked."""

    def __init__(self, cacheable: bool = True) -> None:
        self.asked: list[Any] = []
        self.cacheable = cacheable

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[int, bool]:
        value = args[0] if args else kwargs["x0"]
        self.asked.append(value)
        return int(isinstance(value, float | np.ndarray)), self.cacheable


@pytest.fixture
def two(shim: Shim) -> list[Any]:
    return [candidate(shim("add64"), INT64, INT64, result=INT64), candidate(shim("fill"), pointer(), FLOAT64)]


def test_overloads_of_different_arity_need_no_resolving(shim: Shim, two: list[Any]) -> None:
    f = function(two[0], candidate(shim("twice"), FLOAT64, result=FLOAT64), candidate(shim("nothing")))
    assert (f(1, 2), f(1.5), f()) == (3, 3.0, None)
    assert f(x1=1, x0=2) == 3
    with pytest.raises(Refused) as caught:
        f(1, 2, 3)
    assert caught.value.args == ((1, 2, 3), {}, -1)
    with pytest.raises(Refused) as caught:
        f("x")
    assert caught.value.args == (("x",), {}, 1)


def test_choices_are_cached_by_what_decides_them(two: list[Any]) -> None:
    resolver = Resolver()
    f = function(*two, resolve=resolver)
    x, y = np.zeros(3), np.zeros(5)
    for _ in range(3):
        assert f(1, 2) == 3
        f(x, 1.0)
        f(y, 2.0)
    assert len(resolver.asked) == 2
    frozen = np.zeros(3)
    frozen.flags.writeable = False
    for other in (np.zeros((2, 2)), np.zeros(2, "f"), frozen):
        for _ in range(2):
            try:
                f(other, 1.0)
            except Refused:
                assert other.ndim == 1
    assert len(resolver.asked) == 7  # a remembered choice that refuses is made afresh: twice


def test_ints_are_cached_by_magnitude(shim: Shim) -> None:
    resolver = Resolver()
    add = shim("add64")
    two = [
        candidate(add, INT64, INT64, result=INT64),
        candidate(add, FLOAT64, INT64, result=INT64),  # so that digits count, too
    ]
    f = function(*two, resolve=resolver)
    for value in (5, 6, 7):
        f(value, 1)
    assert resolver.asked == [5]
    limits = [2**7, 2**8, 2**11, 2**24, 2**31, 2**32, 2**53, 2**62]
    for limit in limits:
        resolver.asked.clear()
        f(limit - 1, 1), f(limit, 1), f(limit + 1, 1), f(-limit, 1), f(-limit - 1, 1)
        assert limit in resolver.asked or limit in (2**53, 2**62)
    resolver.asked.clear()
    for _ in range(2):
        with pytest.raises(Refused):
            f(2**64, 1)
    assert resolver.asked == [2**64, 2**64]


def test_what_python_says_is_not_cacheable_is_not_cached(two: list[Any]) -> None:
    resolver = Resolver(cacheable=False)
    f = function(*two, resolve=resolver)
    f(1, 2), f(1, 2)
    assert len(resolver.asked) == 2


def test_buffers_and_other_arrays_are_not_cached(two: list[Any]) -> None:
    resolver = Resolver()
    f = function(*two, resolve=resolver)
    for _ in range(2):
        with pytest.raises(Refused):
            f(bytearray(8), 1)
    assert len(resolver.asked) == 2


def test_the_cache_is_bounded(two: list[Any]) -> None:
    resolver = Resolver()
    f = function(*two, resolve=resolver, fallback=lambda *a: (bytes(8), None))
    for i in range(100):
        kind = type(f"T{i}", (), {})
        for _ in range(2):
            assert f(kind(), 1) == 1
    assert 100 < len(resolver.asked) < 200
    assert f(1, 2) == 3


def test_cached_types_cannot_be_reused_for_others(two: list[Any]) -> None:
    resolver = Resolver()
    f = function(*two, resolve=resolver)
    kind: Any = type("T", (), {})
    with pytest.raises(Refused):
        f(kind(), 1)
    alive = weakref.ref(kind)
    del kind
    gc.collect()
    assert alive() is not None
    del f, resolver
    gc.collect()
    assert alive() is None


def test_keywords_of_overloads(shim: Shim, two: list[Any]) -> None:
    resolver = Resolver()
    two[1]["names"] = ("x", "value")
    f = function(*two, resolve=resolver)
    x = np.zeros(1)
    f(x=x, value=3.0)
    assert x[0] == 3.0
    assert f(1, x1=2) == 3
    assert not resolver.asked
    two[1]["names"] = ("x0", "x1")
    f = function(*two, resolve=resolver)
    assert f(1, x1=2) == f(x1=2, x0=1) == 3
    assert resolver.asked == [1, 1]
    with pytest.raises(Refused) as caught:
        f(1, z=2)
    assert caught.value.args == ((1,), {"z": 2}, -1)


@pytest.mark.parametrize("answer", [None, 0, (5, True), (-1, True), ("x", 1), (0,)])
def test_resolve_must_name_a_candidate(two: list[Any], answer: Any) -> None:
    with pytest.raises(SystemError, match="resolving the overload"):
        function(*two, resolve=lambda *a: answer)(1, 2)


def test_resolve_must_name_a_candidate_of_that_arity(shim: Shim, two: list[Any]) -> None:
    f = function(*two, candidate(shim("nothing")), resolve=lambda *a: (2, True))
    for _ in range(2):
        with pytest.raises(SystemError, match="candidate"):
            f(1, 2)
        with pytest.raises(SystemError, match="candidate"):
            f(1, x1=2)


def test_resolve_errors_propagate(two: list[Any]) -> None:
    def resolve(*args: Any) -> Any:
        raise ZeroDivisionError

    for kwargs in ({}, {"x1": 2}):
        with pytest.raises(ZeroDivisionError):
            function(*two, resolve=resolve)(*[1, 2][: 2 - len(kwargs)], **kwargs)


def test_threads_share_a_cache(shim: Shim, two: list[Any]) -> None:
    f = function(*[c | {"nogil": True} for c in two], resolve=Resolver())
    errors: list[Any] = []

    def work() -> None:
        x = np.zeros(1)
        for i in range(2000):
            if f(i, 2) != i + 2 or f(x, float(i)) is not None or x[0] != i:
                errors.append(i)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
