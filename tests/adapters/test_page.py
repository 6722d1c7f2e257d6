"""The tables of docs/adapters.md are fresh, and every statement has a test."""

from __future__ import annotations

from ..marked import marked
from . import __main__ as writer


def test_every_statement_has_a_test():
    assert set(marked("statement")) == writer.NUMBERS


def test_the_page_is_fresh():
    assert writer.PAGE.read_text() == writer.page(writer.PAGE.read_text()), "python -m tests.adapters"
