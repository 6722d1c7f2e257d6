"""Threads that resize arrays while calls read them, with memory that is spoiled when freed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SPOILED = {"MALLOC_PERTURB_": "165", "PYTHONMALLOC": "malloc"}


@pytest.mark.full
def test_with_spoiled_memory():
    seconds = os.environ.get("HOSTILE_SECONDS", "30")
    command = [sys.executable, str(Path(__file__).with_name("hostile_arrays.py")), seconds]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | SPOILED)
    assert not done.returncode, done.stderr[-3000:]
