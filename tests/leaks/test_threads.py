"""Eight threads at once: the same objects, the same first use, the same caches; nothing is lost or freed twice."""

from __future__ import annotations

import gc
import random
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parent))  # importlib's import mode adds nothing itself
import further
import rest as others
from cycles import everything
from measure import counts
from shared import BUFFER_VIEW, F, X
from sources import bound, compiled

import samebytes as sb

# Slow, all together: part of the full tests.
pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]
THREADS = 8
ALONE = {"a callback that is kept", "destructors that throw"}  # there is one place for it, one hook


@pytest.fixture(scope="module")
def lib() -> Any:
    return compiled()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("c_api")


@pytest.fixture(autouse=True)
def _switching() -> Iterator[None]:
    """Threads take turns after a few instructions."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def together(work: Callable[[int], Any]) -> list[Any]:
    """The results of one piece of work in all threads, which begin it at the same moment."""
    barrier, results = threading.Barrier(THREADS), [None] * THREADS
    errors: list[BaseException] = []

    def run(number: int) -> None:
        barrier.wait()
        try:
            results[number] = work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(n,)) for n in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return results


def test_all_cycles_at_once(lib: Any, folder: Path) -> None:
    api, rest = bound(folder), (further.compiled(), further.bound(folder))
    texts = others.bound(folder)
    rows = everything(lib, api) | further.further(*rest) | others.rest(lib, texts)
    cycles = [cycle for name, cycle in rows.items() if name not in ALONE]
    for cycle in cycles:
        cycle()
    held, alive, end = counts(), (lib.alive(), rest[0].alive()), perf_counter() + 3

    def work(number: int) -> int:
        order, done = random.Random(number).sample(cycles, len(cycles)), 0
        while perf_counter() < end or not done:
            order[done % len(order)]()
            done += 1
        return done

    assert sum(together(work)) > THREADS
    assert counts() == held
    assert (lib.alive(), rest[0].alive()) == alive
    assert (api.open_devices(), api.allocated(), rest[1].out(), texts.held()) == (0,) * 4


def test_one_record_and_one_handle_for_all(lib: Any) -> None:
    refs, nested, plain, item = lib.Refs(), lib.Nested(), lib.Plain(7), lib.Item("shared")
    values = [float(n) for n in range(THREADS)]
    made: list[Any] = []

    def work(number: int) -> None:
        for _ in range(300):
            array = np.full(64, values[number])
            refs.p = array
            made.append(weakref.ref(array))
            del array
            refs.f = lambda x: x + number
            assert lib.first(refs) in values  # what is there lives, whoever put it there
            seen = refs.p
            assert lib.at(seen) in values
            assert lib.call(refs, 100) - 100 in range(THREADS)
            nested.p = (number, float(number))
            assert nested.p.x in range(THREADS)
            nested.numbers[:] = (number,) * 4
            assert (plain.get(), item.copy().size(), lib.by_value(item)) == (7, 6, 6)

    together(work)
    refs.p = refs.f = None
    gc.collect()
    assert [r() for r in made] == [None] * 300 * THREADS


def test_one_callback_for_all(lib: Any) -> None:
    kept = lib.unary(lambda x: x * 2)
    texts = lib.text_t(lambda x: f"{x} is a number of which nobody else has the text")

    def work(number: int) -> None:
        for i in range(400):
            assert lib.apply(kept, number + i) == 2 * (number + i)
            assert lib.said(texts, number) == f"{number} is a number of which nobody else has the text"

    together(work)


def test_the_first_use_of_a_library(folder: Path) -> None:
    for _ in range(5):
        api = bound(folder)
        for name, number in (("get_first", 1), ("get_second", 2), ("get_third", 3)):
            fresh = api.__pending__.pop(name, None)  # as if nobody had asked yet
            vars(api).pop(name, None)
            if fresh is not None:
                api.__pending__[name] = fresh
            functions = together(lambda _, name=name, api=api: (getattr(api, name), getattr(api, name)()))
            assert {id(f) for f, _ in functions} == {id(getattr(api, name))}
            assert {result for _, result in functions} == {(api.OK, number)}


def test_caches_that_learn_at_once(lib: Any) -> None:
    """Overloads and templates whose arguments change their types with every call, in every thread."""

    def fresh(kind: type) -> Any:
        return type("Fresh", (kind,), {})

    cases: list[tuple[Callable[..., Any], tuple[Any, ...], Any]] = [
        (lib.over, (X,), 1), (lib.over, (F,), 2), (lib.over, ("s",), 3), (lib.over, (lib.Point(),), 4),
        (lib.over, (BUFFER_VIEW,), 1), (lib.over, (X[2:],), 1), (lib.twice, (3,), 6), (lib.twice, (1.5,), 3.0),
        (lib.sum, (X, 8), 28.0), (lib.sum, (F, 8), 28.0), (lib.pair, (X, X), 1), (lib.pair, (F, X), 2),
        (lib.over, (np.arange(8, dtype=np.dtype("f8", metadata={"a": 1})),), 1),
    ]  # fmt: skip

    def work(number: int) -> None:
        chosen = random.Random(number)
        for _ in range(150):
            function, args, expected = chosen.choice(cases)
            assert function(*args) == expected
            assert sb.view(X.view(fresh(np.ndarray))).size == 8

    together(work)


@pytest.mark.full
def test_the_first_use_of_templates(lib: Any) -> None:
    """Built by the first; all get the same function, the same class, the same library."""
    assert len({id(lib.twice[np.int16]) for _ in together(lambda _: lib.twice[np.int16](4))}) == 1
    assert len(set(together(lambda _: lib.Few[np.float32, 5]))) == 1
    assert together(lambda n: lib.twice(np.uint8(n))) == [2 * n for n in range(THREADS)]
    source = "struct Once { int x; }; inline int get(Once o) { return o.x; }"
    libraries = together(lambda _: sb.compile(source, name="once"))
    assert len({id(one) for one in libraries}) == 1
    assert {one.get(libraries[0].Once(3)) for one in libraries} == {3}
