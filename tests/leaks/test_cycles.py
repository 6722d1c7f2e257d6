"""Whatever is made is dropped: no cycle leaves a block, a byte, a reference or a C++ object behind."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parent))  # importlib's import mode adds nothing itself
import further
import rest as others
from cycles import everything
from measure import counts, in_use, repeat
from sources import bound, compiled

# Slow, all together: part of the full tests.
pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore::samebytes.BindWarning")]
# What the cycles share: an Item and one in a Box; a Square.
KEPT = (2, 0, 0, 1, 0, 0)

# Six thousand times each; those that take longer than a few microseconds two thousand times.
QUICK = (
    "record", "nested records", "arrays of records", "slices", "bit-fields", "init twice", "handles by value",
    "a part of a box", "a plain object", "results", "outputs", "structs with pointers", "templates",
    "class templates", "views", "locks", "a device that does not open", "out-pointers and arrays",
    "a callback", "an object given and given back", "virtual bases", "methods of records", "a null smart pointer",
)  # fmt: skip
LONGER = (
    "fromObj", "union", "pointers inside", "value and back", "a cycle through a callback", "a subclass",
    "resurrection", "a destructor that calls back", "a constructor that throws", "a callback in a field",
    "a callback that is kept", "a callback that replaces itself", "a callback that raises", "sb.callback", "pointers",
    "exports", "device arrays", "weak references", "devices", "allocations", "C++ throws", "handle", "pickle",
    "an object given away", "shared objects", "objects of derived classes", "destructors that throw",
    "a std::function that is kept", "a std::function that fails", "variants", "output arrays", "records with callables",
    "memory that frees itself", "lists of texts", "capsules", "views that outlive",
)  # fmt: skip


@pytest.fixture(scope="module")
def lib() -> Any:
    return compiled()


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return bound(tmp_path_factory.mktemp("c_api"))


@pytest.fixture(scope="module")
def rest(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any]:
    """The library and the C API of the further cycles."""
    return further.compiled(), further.bound(tmp_path_factory.mktemp("pool"))


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The C API of the other cycles."""
    return others.bound(tmp_path_factory.mktemp("texts"))


@pytest.fixture(scope="module")
def alive(lib: Any, api: Any, rest: tuple[Any, Any], texts: Any) -> Callable[[], Any]:
    """How many objects, devices and blocks there are."""
    return lambda: (
        lib.alive(),
        api.open_devices(),
        api.allocated(),
        rest[0].alive(),
        rest[1].out(),
        texts.held(),
    )


@pytest.fixture(scope="module")
def cycles(lib: Any, api: Any, rest: tuple[Any, Any], texts: Any) -> Any:
    rows = everything(lib, api) | further.further(*rest) | others.rest(lib, texts)
    return {name: cycle for name, cycle in rows.items() if name not in others.ENDING}


@pytest.fixture(autouse=True)
def _frozen() -> Iterator[None]:
    """What is there already is no garbage: collections are quick."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def check(alive: Any, cycle: Any, most: int, seconds: float = 1e9) -> int:
    """Run a cycle, and see that nothing is left; how often it ran."""
    repeat(cycle, 200, seconds)
    # Caches grow until they are full; a leak is a block and 16 bytes for each time, each time.
    for _ in range(4):
        before, held = in_use(), counts()
        done = repeat(cycle, most, seconds)
        blocks, size = (now - then for now, then in zip(in_use(), before, strict=True))
        assert counts() == held
        assert alive() == KEPT
        if blocks < 10 + done // 4 and size < 10_000 + 4 * done:
            return done
    raise AssertionError(f"{blocks} blocks and {size} bytes are left of {done} times")


def test_every_cycle_leaves_nothing(alive: Any, cycles: Any) -> None:
    left = {}
    for name, cycle in cycles.items():
        try:
            check(alive, cycle, 3000, 0.04)
        except AssertionError as error:
            left[name] = str(error).partition("\n")[0]
    assert not left


@pytest.mark.parametrize("name", QUICK)
def test_six_thousand_times(alive: Any, cycles: Any, name: str) -> None:
    assert check(alive, cycles[name], 6000) == 6000


@pytest.mark.parametrize("name", LONGER)
def test_two_thousand_times(alive: Any, cycles: Any, name: str) -> None:
    assert check(alive, cycles[name], 2000) == 2000


def test_each_object_is_destroyed_once(lib: Any) -> None:
    alive, born = lib.alive(), lib.born()
    Plain = lib.Plain  # noqa: N806
    for number in range(50_000):
        Plain(number)
    assert (lib.alive() - alive, lib.born() - born) == (0, 50_000)
