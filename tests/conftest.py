"""Around all tests: what their collecting makes is not looked through again, and nothing in them is left to chance."""

from __future__ import annotations

import gc
from collections.abc import Generator

import pytest
from hypothesis import settings

# The same examples each time, however slow the machine is: what fails here fails everywhere.
settings.register_profile("tests", deadline=None, derandomize=True, database=None)
settings.load_profile("tests")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Thousands of collected tests live until the end; each ``gc.collect()`` would walk through them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.fixture(autouse=True, scope="module")
def settled() -> None:
    """Nor are the libraries of the files before; what died is gone, and what lives is looked at no more."""
    gc.collect()
    gc.freeze()
