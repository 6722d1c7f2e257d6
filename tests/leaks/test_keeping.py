"""Random programs of keeping in children whose freed memory is spoiled: ``KEEPING_STEPS`` says how long; keeping.py."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.full  # it runs programs for as long as one says

STEPS = os.environ.get("KEEPING_STEPS", "2000")


@pytest.mark.parametrize("seed", [1, 100_000])
def test_what_cxx_refers_to_is_there(seed: int) -> None:
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("keeping.py")), str(seed), STEPS],
        capture_output=True, text=True, check=False,
        env={**os.environ, "MALLOC_PERTURB_": "165", "PYTHONMALLOC": "malloc"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert done.stdout == "wrong: []\n", done.stdout[-3000:]
