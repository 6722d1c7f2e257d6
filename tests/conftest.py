"""Around the collecting of tests: what it makes is no business of the garbage collector, which many tests run."""

from __future__ import annotations

import gc
from collections.abc import Generator

import pytest


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
