"""Files that are loaded when something in them is first used: not before, once, and by one thread."""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from samebytes.later import at_first_use

FILES = {
    "__init__.py": "from samebytes.later import later\n__getattr__ = later(__name__, 'slow', 'inner', half='slow')\n",
    "slow.py": "import time\ntime.sleep(0.05)\ntimes = globals().get('times', 0) + 1\ndef half(x): return x / 2\n",
    "inner/__init__.py": "WORD = 'inside'\n",
    "user.py": "from house_of_later import inner, slow\ndef use(): return slow.half(4), inner.WORD\n",
}


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    for name, text in FILES.items():
        file = tmp_path / "house_of_later" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("house_of_later")
    for name in [name for name in sys.modules if name.startswith("house_of_later")]:
        del sys.modules[name]


def is_loaded(name: str) -> bool:
    return f"house_of_later.{name}" in sys.modules


def test_a_file_is_loaded_when_something_in_it_is_used(house: ModuleType) -> None:
    user = importlib.import_module("house_of_later.user")
    assert not is_loaded("slow")
    assert not is_loaded("inner")
    assert user.use() == (2, "inside")
    assert is_loaded("slow")
    assert is_loaded("inner")
    assert vars(user.slow)["half"] is sys.modules["house_of_later.slow"].half


def test_what_looks_through_all_modules_loads_none(house: ModuleType) -> None:
    assert not hasattr(house.slow, "__path__")
    assert not hasattr(house.slow, "__wrapped__")
    assert not is_loaded("slow")


def test_a_name_of_the_folder_is_the_files_own(house: ModuleType) -> None:
    assert house.half is importlib.import_module("house_of_later.slow").half


def test_an_import_of_the_file_itself_is_an_import(house: ModuleType) -> None:
    assert house.slow
    loaded = importlib.import_module("house_of_later.slow")
    assert house.slow is loaded is sys.modules["house_of_later.slow"]


def test_unknown_names_are_said_as_of_any_module(house: ModuleType) -> None:
    with pytest.raises(AttributeError, match="module 'house_of_later' has no attribute 'fast'"):
        house.fast  # noqa: B018
    with pytest.raises(AttributeError, match=r"module 'house_of_later\.slow' has no attribute 'third'"):
        house.slow.third  # noqa: B018


def test_threads_load_it_once(house: ModuleType) -> None:
    slow, ready, found = house.slow, threading.Barrier(8), []

    def use() -> None:
        ready.wait()
        found.append((slow.half(2), slow.times))

    threads = [threading.Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [(1, 1)] * 8


def test_a_module_of_another_library() -> None:
    assert at_first_use("fractions").Fraction(1, 2) == 0.5
    with pytest.raises(ModuleNotFoundError, match="no_such_library"):
        at_first_use("no_such_library").anything  # noqa: B018
