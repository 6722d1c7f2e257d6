"""The conformance page is fresh, and every requirement has a test or a reason."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def writer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("conformance_page", Path(__file__).with_name("__main__.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_requirement_has_a_test_or_a_reason_and_not_both(writer: ModuleType) -> None:
    tests = set(writer.marked())
    assert tests - set(writer.REQUIREMENTS) == set(), "marks without a requirement"
    assert set(writer.REQUIREMENTS) - tests - set(writer.REASONS) == set(), "neither test nor reason"
    assert tests & set(writer.REASONS) == set(), "both test and reason"
    assert set(writer.REASONS) | set(writer.NOTES) <= set(writer.REQUIREMENTS)


def test_the_page_is_fresh(writer: ModuleType) -> None:
    assert writer.PAGE.read_text() == writer.page(), "write it anew: python -m tests.conformance"
