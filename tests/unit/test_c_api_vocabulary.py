"""The words of all rules about C pointers stand in one file, once, and each is some rule's."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from samebytes.styles.c_api import vocabulary

HERE = Path(vocabulary.__file__)
NAMES = [name for name in vars(vocabulary) if name.isupper()]


def test_each_entry_is_used_by_a_rule() -> None:
    others = "".join(path.read_text() for path in HERE.parent.glob("*.py") if path != HERE)
    assert [name for name in NAMES if not re.search(rf"\bvocabulary\.{name}\b", others)] == []


def test_no_two_entries_are_the_same() -> None:
    entries = [getattr(vocabulary, name) for name in NAMES]
    assert len({getattr(entry, "pattern", entry) for entry in entries}) == len(NAMES) > 60


def test_each_entry_says_what_it_is_for() -> None:
    lines = HERE.read_text().splitlines()
    starts = [n.lineno - 1 for n in ast.parse(HERE.read_text()).body if isinstance(n, ast.Assign)]
    assert [lines[at] for at in starts if not lines[at - 1].startswith("# ")] == []
    assert len(starts) == len(NAMES)
