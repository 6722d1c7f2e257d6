"""Classes of one name in two libraries: what is the same is taken in each form, what differs is refused."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.full  # it builds two libraries of many classes

SCRIPT = Path(__file__).with_name("class_pairs.py")


def test_random_pairs() -> None:
    """Where one is read as the other, memory that was never written shows."""
    environment = {**os.environ, "MALLOC_PERTURB_": "165", "PYTHONMALLOC": "malloc"}
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "32", "12"],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "wrong: []" in done.stdout, done.stdout
