"""The tables of docs/adapters.md are fresh, and every statement has a test."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def writer():
    spec = importlib.util.spec_from_file_location("adapters_page", Path(__file__).with_name("__main__.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_statement_has_a_test(writer):
    assert set(writer.marked()) == writer.NUMBERS


def test_the_page_is_fresh(writer):
    assert writer.PAGE.read_text() == writer.page(writer.PAGE.read_text()), "python -m tests.adapters"
