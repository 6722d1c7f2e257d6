"""The conformance page is fresh, and every requirement has a test or a reason."""

from __future__ import annotations

from ..marked import marked
from . import __main__ as writer


def test_every_requirement_has_a_test_or_a_reason_and_not_both() -> None:
    tests = set(marked("requirement"))
    assert tests - set(writer.REQUIREMENTS) == set(), "marks without a requirement"
    assert set(writer.REQUIREMENTS) - tests - set(writer.REASONS) == set(), "neither test nor reason"
    assert tests & set(writer.REASONS) == set(), "both test and reason"
    assert set(writer.REASONS) | set(writer.NOTES) <= set(writer.REQUIREMENTS)


def test_the_page_is_fresh() -> None:
    assert writer.PAGE.read_text() == writer.page(), "write it anew: python -m tests.conformance"
